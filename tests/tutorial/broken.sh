#!/usr/bin/env bash
# broken.sh RUN: whether run.sh, given as RUN, sees what can be wrong with a document. Every one of these must fail for its reason.
set -u

run=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# What it must say ("" for nothing: it must pass), then the document.
expect() {
  printf '%s\n' "$2" >"$folder/document.md"
  local said code
  said=$("$run" "$folder/document.md" "$folder" 2>&1)
  code=$?
  if { [[ $1 == '' && $code -ne 0 ]]; } || { [[ $1 != '' && ($code -ne 1 || $said != *"$1"*) ]]; }; then
    printf 'expected "%s", exit %s with:\n%s\n\n' "$1" "$code" "$said"
    failures=$((failures + 1))
  fi
}

block() { printf '```%s\n%s\n```\n' "$1" "$2"; }
good=$(block sh 'printf "a 12 s\nb\nc\n"')

expect '' "$good
$(block text $'a 12 s\nb\nc')"
expect '' "$good
$(block text $'a ... s\n...')"
expect '' "$good
$(block text $'...\na 12 s\n...\nb\nc\n...')"
expect '' "$(block toml $'# one.toml\nx = 1')
$(block sh 'cat one.toml')
$(block text $'# one.toml\nx = 1')"
lasting="bash -c 'trap \"exit 0\" TERM; touch ready; while :; do sleep 0.1; done'"
expect '' "$(block 'sh in another terminal' "$lasting")
$(block sh 'until [ -e ready ]; do sleep 0.01; done')
$good
$(block text $'...')"
expect 'line 1: failed when told to end' "$(block 'sh in another terminal' 'sleep 100')
$good
$(block text $'...')"
expect 'line 1: did not last' "$(block 'sh in another terminal' 'true')
$(block sh 'sleep 1; echo')
$(block text $'...')"
expect 'line 4: shows' "$good
$(block text $'a 12 s\nc')"
expect 'line 4: shows' "$good
$(block text $'a 12 s\nb')"
expect 'line 4: shows' "$good
$(block text $'...\nb\na 12 s\n...')"
expect 'line 4: shows' "$good
$(block text $'a * s\nb\nc')"
expect 'line 1: failed' "$(block sh $'false\ntrue')"
expect 'line 1: failed' "$(block sh 'false | true')"
expect 'line 1: failed' "$(block sh 'no-such-program')"
expect 'follows no command' "$(block text 'a')"
expect 'unknown kind' "$(block bash 'true')"
expect 'must be # NAME.toml' "$(block toml 'x = 1')"
expect 'has no end' "$good
"'```sh'
expect 'runs no command' 'Words.'
expect 'shows no output' "$good"
exit $((failures > 0))
