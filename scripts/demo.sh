#!/usr/bin/env bash
# The first setting of seed 004's experiments: the private policies compared at three levels of privacy,
# as a table on the terminal and as a picture.
#   demo.sh PROGRAM FOLDER
set -euo pipefail
tacit=$1
out=$2
mkdir -p "$out"
policies=anytime-lazy-ucb,ucb1

"$tacit" simulate --policy "$policies" --epsilon 0.5 --problem hu-linear --horizon 1e6 --runs 20
