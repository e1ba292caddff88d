#!/usr/bin/env bash
# The two settings of Hu et al.'s experiments (T = 1e6, five arms) at three levels of privacy: a table on the
# terminal, and one picture of all regret curves with their 95% bands.
#   demo.sh PROGRAM FOLDER
set -euo pipefail
tacit=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
private=anytime-lazy-ucb,lazy-dp-ts,dp-se,adap-klucb,dp-klucb,mgf-imed
runs=40

mkdir -p "$out"
for problem in hu-linear hu-equal; do
  for epsilon in 0.25 0.5 1; do
    "$tacit" simulate --policy "$private,ucb1" --epsilon "$epsilon" --problem "$problem" --horizon 1e6 \
      --runs "$runs" --checkpoints log:80 --json >"$out/$problem-$epsilon.json"
    # One gnuplot data block a policy, headed by its legend.
    jq -r '.[] | "\"" + .policy + (if .guarantee.notion == "none" then " (not private)"
             else " (" + .guarantee.notion + ")" end) + "\"",
             (.curve[] | [.t, .mean, .lo, .hi] | @tsv), "", ""' \
      "$out/$problem-$epsilon.json" >"$out/$problem-$epsilon.dat"
  done
done

gnuplot -e "folder='$out'" "$here/demo.gnuplot"
"$tacit" simulate --policy "$private,ucb1" --epsilon 0.5 --problem hu-linear --horizon 1e6 --runs "$runs"
echo
echo "The curves at epsilon 0.25, 0.5 and 1 on both of Hu et al.'s settings: $out/regret.svg and .png"
