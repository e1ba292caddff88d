#!/usr/bin/env bash
# run.sh DOCUMENT FOLDER: does what a reader of DOCUMENT does, with the programs in FOLDER, in an empty folder.
#
# A fenced block of kind `toml` is a file, whose name is the comment in its first line. One of kind `sh` is run, and must
# succeed. One of kind `text` is what the `sh` before it printed, where `...` stands for anything. One of kind
# `sh in another terminal` is a program that goes on until the document ends, or comes to a block of kind `sh once the service is
# stopped`: then it is sent SIGTERM, and must succeed.
set -u

document=$(realpath "$1")
PATH=$(realpath "$2"):$PATH
folder=$(mktemp -d)
others=()
trap 'for other in "${others[@]}"; do kill "$other" 2>/dev/null && wait "$other"; done; rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
  printf '%s, line %s: %s\n' "$(basename "$document")" "$1" "$2" >&2
  exit 1
}

# Whether $2 is $1 with something in the place of every "...", which may be no line at all where it stands alone.
matches() {
  local shown=$'\n'$1$'\n' rest=$'\n'$2$'\n' piece first=yes
  shown=${shown//$'\n...\n'/$'...\n'}
  while [[ $shown == *...* ]]; do
    piece=${shown%%...*}
    shown=${shown#*...}
    if [[ $first ]]; then
      [[ $rest == "$piece"* ]] || return 1
      first=
    fi
    [[ $rest == *"$piece"* ]] || return 1
    rest=${rest#*"$piece"}
  done
  if [[ $first ]]; then [[ $rest == "$shown" ]]; else [[ $rest == *"$shown" ]]; fi
}

save() {
  local name
  name=$(sed -n '1s/^# *//p' <<<"$2")
  [[ $name =~ ^[A-Za-z0-9_-]+\.toml$ ]] || fail "$1" "the first line must be # NAME.toml"
  printf '%s\n' "$2" >"$name"
}

start_another() {
  bash -c "exec $2" >"another.${#others[@]}" 2>&1 </dev/null &
  others+=($!)
  other_lines+=("$1")
}

end_others() {
  local i
  for i in "${!others[@]}"; do
    # Where it has ended by itself there is nobody to be told.
    kill "${others[i]}" 2>/dev/null || fail "${other_lines[i]}" "did not last:"$'\n'"$(cat "another.$i")"
    wait "${others[i]}" || fail "${other_lines[i]}" "failed when told to end:"$'\n'"$(cat "another.$i")"
  done
  others=()
}

other_lines=()
commands=0
compared=0
printed=
printed_by=
do_block() {  # its kind, its line, its text
  case $1 in
    toml) save "$2" "$3" ;;
    sh | 'sh once the service is stopped')
      [[ $1 == sh ]] || end_others
      printed=$(bash -e -u -o pipefail -c "$3" 2>&1 </dev/null) || fail "$2" "failed:"$'\n'"$3"$'\n'"$printed"
      # On a slow machine a run says now and then how far it is.
      printed=$(grep -vE '^tacit: [0-9]+ of [0-9]+ blocks, about .* left$' <<<"$printed")
      printed_by=$3
      commands=$((commands + 1))
      ;;
    'sh in another terminal') start_another "$2" "$3" ;;
    text)
      [[ $printed_by ]] || fail "$2" "follows no command"
      matches "$3" "$printed" || fail "$2" "shows"$'\n'"$3"$'\n\n'"where $printed_by prints"$'\n'"$printed"
      compared=$((compared + 1))
      printed_by=
      ;;
    *) fail "$2" "unknown kind of block: \"$1\"" ;;
  esac
}

kind=
start=0
number=0
block=
while IFS= read -r line || [[ $line ]]; do
  number=$((number + 1))
  if [[ $start == 0 && $line == '```'* ]]; then
    kind=${line#'```'}
    start=$number
    block=
  elif [[ $start != 0 && $line == '```' ]]; then
    do_block "$kind" "$start" "${block%$'\n'}"
    start=0
  elif [[ $start != 0 ]]; then
    block+=$line$'\n'
  fi
done <"$document"
[[ $start == 0 ]] || fail "$start" "the block has no end"
end_others
[[ $commands -gt 0 && $compared -gt 0 ]] || fail "$number" "runs no command, or shows no output"
printf '%s: %s blocks of commands, %s outputs as shown\n' "$(basename "$document")" "$commands" "$compared"
