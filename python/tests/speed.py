"""What calls cost, as ratios in one run: `make audit` runs it. A unit is a round of plain ucb1 with five arms."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Callable

import tacit

ROUNDS = 100_000
MEANS = [0.75, 0.625, 0.5, 0.375, 0.25]
COMPARED = [("ucb1", 3e5, 20), ("thompson-beta", 2e5, 20), ("mgf-imed", 1e6, 5000), ("lazy-dp-ts", 1e6, 40)]


def cpu_of(work: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def units_of(work: Callable[[], object], times: int) -> float:
    """How many rounds of plain ucb1 it costs. Turn by turn, so that a busy minute is everybody's."""

    def rounds() -> object:
        return tacit.simulate("ucb1", MEANS, horizon=ROUNDS, runs=1, plain=True, threads=1)

    both = [(cpu_of(work, times), cpu_of(rounds, 1) / ROUNDS) for _ in range(25)]
    return min(cost for cost, _ in both) / min(unit for _, unit in both)


def of_command_line(policy: str, horizon: float, runs: int) -> float:
    done = subprocess.run([os.environ["TACIT_PROGRAM"], "simulate", "--policy", policy, "--problem", "hu-linear", "--epsilon",
                           "0.5", "--horizon", f"{horizon:.0f}", "--runs", str(runs), "--threads", "1", "--json"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]["seconds"]


def of_module(policy: str, horizon: float, runs: int) -> float:
    return cpu_of(lambda: tacit.simulate(policy, "hu-linear", epsilon=0.5, horizon=horizon, runs=runs, threads=1), 1)


def main() -> int:
    kept = True

    def hold(what: str, value: float, limit: float, form: str) -> None:
        nonlocal kept
        kept = kept and value <= limit
        print(f"{what:<52} {value:{form}}   at most {limit:{form}}   {'holds' if value <= limit else 'DOES NOT HOLD'}")

    hold("simulate(), 1 run of 1000 rounds (units)",
         units_of(lambda: tacit.simulate("ucb1", MEANS, horizon=1000, runs=1), 50), 4000, "8.0f")
    for name in ("mgf-imed", "anytime-lazy-ucb", "ucb1", "lazy-dp-ts", "thompson-beta"):
        policy = tacit.Policy(name, arms=5, epsilon=0.5)

        def round_of() -> None:
            policy.report(policy.choose(), 1)

        hold(f"choose + report, {name}, five arms (units)", units_of(round_of, 3000), 40, "8.1f")
    for name, horizon, runs in COMPARED:
        both = [(of_module(name, horizon, runs), of_command_line(name, horizon, runs)) for _ in range(12)]
        ours, theirs = min(a for a, _ in both), min(b for _, b in both)
        hold(f"simulate() / tacit simulate, {name} (CPU)", ours / theirs, 1.05, "8.3f")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
