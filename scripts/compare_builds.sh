#!/usr/bin/env bash
# Builds two commits from scratch, one after the other, and prints the CPU time of each and their ratio.
#   scripts/compare_builds.sh OLD [NEW]      NEW: HEAD unless it is said
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
repository=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CMAKE_CXX_COMPILER_LAUNCHER  # a cache would hide what is asked for

cpu_seconds() {
  git -C "$repository" archive --prefix="$1/" "$1" | tar x -C "$work"
  cmake --preset release -S "$work/$1" -B "$work/$1/build" >/dev/null
  local TIMEFORMAT='%U %S'
  { time ninja -C "$work/$1/build" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }; } 2>&1 |
    awk '{ printf "%.0f\n", $1 + $2 }'
}

old=$(git -C "$repository" rev-parse --short "$1")
new=$(git -C "$repository" rev-parse --short "${2:-HEAD}")
old_cpu=$(cpu_seconds "$old")
new_cpu=$(cpu_seconds "$new")
awk -v old="$old" -v new="$new" -v a="$old_cpu" -v b="$new_cpu" \
  'BEGIN { printf "%s: %d s of CPU\n%s: %d s of CPU\nratio: %.2f\n", old, a, new, b, b / a }'
