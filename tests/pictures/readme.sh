#!/usr/bin/env bash
# The picture of the README is what its two commands draw.
# Usage: readme.sh SOURCE FOLDER_OF_TACIT
set -euo pipefail
source=$1
tacit=$2/tacit
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tacit" run "$source/experiments/price.toml" -o "$folder/price" >/dev/null 2>&1
"$tacit" plot "$folder/price" >/dev/null
cmp "$folder/price/price-of-privacy.svg" "$source/docs/price-of-privacy.svg"
