#!/usr/bin/env bash
# Builds the fuzzers with the clang that is there, into build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v clang++ >/dev/null || { echo "the fuzzers need clang++: make fuzz and make audit install it" >&2; exit 1; }
# Beside others, and long: it goes after them.
[ build/fuzz/build.ninja -nt CMakePresets.json ] || nice cmake --preset fuzz >/dev/null
exec nice ninja -C build/fuzz fuzzers
