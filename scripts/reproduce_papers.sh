#!/usr/bin/env bash
# Plays every figure of the papers and holds docs/papers.md to their verdicts: scripts/reproduce_papers.sh [FOLDER]. It takes
# minutes to an hour; the same command goes on where it was stopped. A folder that is complete is compared at once.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/papers}
build/release/tacit reproduce all -o "$folder"
TACIT_REPRODUCED=$(realpath "$folder") build/release/tests/papers/papers_test --gtest_filter=Papers.SayWhatWasReproduced
