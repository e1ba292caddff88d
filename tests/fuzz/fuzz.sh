#!/usr/bin/env bash
# fuzz.sh NAME RUNS SECONDS: runs one fuzzer that build.sh has built, on what it found interesting before, for so many inputs or so
# many seconds, whichever ends first. What breaks it is kept in build/fuzz/broken and named.
set -euo pipefail
name=$1 runs=$2 seconds=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$here/../../build/fuzz
mkdir -p "$work/corpus/$name" "$work/broken"
words=()
[ ! -f "$here/words/$name.dict" ] || words=(-dict="$here/words/$name.dict")
exec nice "$work/tests/fuzz/${name}_fuzzer" -runs="$runs" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
  -artifact_prefix="$work/broken/$name-" -print_final_stats=1 -verbosity=1 "${words[@]}" \
  "$work/corpus/$name" "$here/seeds/$name"
