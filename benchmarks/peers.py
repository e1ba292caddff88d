"""What a user of Python would write instead of tacit, measured beside it in one run.

The rivals are the same algorithms, twice: in NumPy with all runs in lockstep, one vectorised step a round, and as a
plain loop over lists. They are written to be fast: what the indices need is kept and renewed only where an outcome came
in, and arrays are flat, since cells are found faster there than in rows and columns. Costs are CPU time of one thread,
the least of a few repetitions in turn, and ratios are what counts. Rivals whose mean regret is not tacit's are refused;
their constants are parameters only for tests to break.

    PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/peers.py [--check]

With --check it exits 1 when tacit is not as many times faster as it promises.
"""
from __future__ import annotations

import os

for _library in ("OMP", "OPENBLAS", "MKL"):  # before NumPy is imported: one thread for all
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import argparse
import random
import sys
import time
from math import log, log1p, sqrt
from typing import Callable, NamedTuple, Sequence

import numpy as np

import tacit

PROBLEM = "hu-linear"
MEANS = (0.75, 0.625, 0.5, 0.375, 0.25)
EPSILON = 0.5
RUNS = 1000


# In NumPy. A cell is an arm of a run: those of run i are i * arms, i * arms + 1, ...

def lockstep_ucb1(means: Sequence[float], horizon: int, runs: int, seed: int, root_factor: float = 2) -> np.ndarray:
    rng = np.random.default_rng(seed)
    arms = len(means)
    # In an order of its own in every run: argmax gives ties to the first arm, which is the best one as they are listed.
    p = rng.permuted(np.tile(means, (runs, 1)), axis=1).ravel()
    first = np.arange(0, runs * arms, arms)
    n = np.ones(runs * arms)
    mean = (rng.random(runs * arms) < p).astype(float)
    root = np.full(runs * arms, sqrt(root_factor))
    index = np.empty(runs * arms)
    by_run = index.reshape(runs, arms)
    for t in range(arms + 1, horizon + 1):
        np.multiply(root, sqrt(log(t)), out=index)
        np.add(index, mean, out=index)
        cell = by_run.argmax(axis=1)
        cell += first
        count = n[cell] + 1
        old = mean[cell]
        n[cell] = count
        mean[cell] = old + ((rng.random(runs) < p[cell]) - old) / count
        root[cell] = np.sqrt(root_factor / count)
    return (n * (max(means) - p)).reshape(runs, arms).sum(axis=1)


def lockstep_thompson_beta(means: Sequence[float], horizon: int, runs: int, seed: int, prior: float = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    arms = len(means)
    p = np.tile(means, runs)
    first = np.arange(0, runs * arms, arms)
    ones = np.full(runs * arms, float(prior))
    zeros = np.full(runs * arms, float(prior))
    for _ in range(horizon):
        cell = rng.beta(ones, zeros).reshape(runs, arms).argmax(axis=1)
        cell += first
        won = rng.random(runs) < p[cell]
        ones[cell] += won
        zeros[cell] += ~won
    n = ones + zeros - 2 * prior
    return (n * (max(means) - p)).reshape(runs, arms).sum(axis=1)


def lockstep_anytime_lazy_ucb(means: Sequence[float], horizon: int, runs: int, seed: int, epsilon: float = EPSILON,
                              factor: float = 3, noise: float = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    arms = len(means)
    p = np.tile(means, runs)
    first = np.arange(0, runs * arms, arms)
    mean = (rng.random(runs * arms) < p) + rng.laplace(scale=noise / epsilon, size=runs * arms)
    root = np.full(runs * arms, sqrt(factor))
    linear = np.full(runs * arms, factor / epsilon)
    length = np.full(runs * arms, 2)  # of the present epoch
    left = length.copy()
    total = np.zeros(runs * arms)
    index = np.empty(runs * arms)
    by_run = index.reshape(runs, arms)
    for t in range(arms + 1, horizon + 1):
        x = sqrt(log(t))
        np.multiply(linear, x, out=index)
        np.add(index, root, out=index)
        np.multiply(index, x, out=index)
        np.add(index, mean, out=index)
        cell = by_run.argmax(axis=1)
        cell += first
        total[cell] += rng.random(runs) < p[cell]
        rest = left[cell] - 1
        left[cell] = rest
        if not rest.all():
            full = cell[rest == 0]
            n = length[full]
            mean[full] = (total[full] + rng.laplace(scale=noise / epsilon, size=len(full))) / n
            root[full] = np.sqrt(factor / n)
            linear[full] = factor / (epsilon * n)
            total[full] = 0
            length[full] = left[full] = 2 * n
    n = 2 * length - 1 - left  # earlier epochs have length - 1 pulls together
    return (n * (max(means) - p)).reshape(runs, arms).sum(axis=1)


# One run after the other.

def loop_ucb1(means: Sequence[float], horizon: int, runs: int, seed: int, root_factor: float = 2) -> list[float]:
    rng = random.Random(seed)
    uniform = rng.random
    regrets = []
    for _ in range(runs):
        p = rng.sample(means, len(means))  # ties go to the first arm, which must not be the best one always
        n = [1] * len(p)
        mean = [float(uniform() < q) for q in p]
        root = [sqrt(root_factor)] * len(p)
        for t in range(len(p) + 1, horizon + 1):
            x = sqrt(log(t))
            index = [m + x * r for m, r in zip(mean, root)]
            arm = index.index(max(index))
            n[arm] += 1
            mean[arm] += ((uniform() < p[arm]) - mean[arm]) / n[arm]
            root[arm] = sqrt(root_factor / n[arm])
        regrets.append(regret(p, n))
    return regrets


def loop_thompson_beta(means: Sequence[float], horizon: int, runs: int, seed: int, prior: float = 1) -> list[float]:
    rng = random.Random(seed)
    uniform, beta = rng.random, rng.betavariate
    regrets = []
    for _ in range(runs):
        ones = [prior] * len(means)
        zeros = [prior] * len(means)
        for _ in range(horizon):
            draws = [beta(a, b) for a, b in zip(ones, zeros)]
            arm = draws.index(max(draws))
            if uniform() < means[arm]:
                ones[arm] += 1
            else:
                zeros[arm] += 1
        regrets.append(regret(means, [a + b - 2 * prior for a, b in zip(ones, zeros)]))
    return regrets


def loop_anytime_lazy_ucb(means: Sequence[float], horizon: int, runs: int, seed: int, epsilon: float = EPSILON,
                          factor: float = 3, noise: float = 1) -> list[float]:
    rng = random.Random(seed)
    uniform = rng.random

    def laplace() -> float:
        u = 2 * uniform() - 1
        return noise / epsilon * log1p(-abs(u)) * (1 if u < 0 else -1)

    regrets = []
    for _ in range(runs):
        mean = [(uniform() < q) + laplace() for q in means]
        root = [sqrt(factor)] * len(means)
        linear = [factor / epsilon] * len(means)
        length = [2] * len(means)  # of the present epoch
        left = [2] * len(means)
        total = [0] * len(means)
        for t in range(len(means) + 1, horizon + 1):
            y = log(t)
            x = sqrt(y)
            index = [m + x * r + y * s for m, r, s in zip(mean, root, linear)]
            arm = index.index(max(index))
            total[arm] += uniform() < means[arm]
            left[arm] -= 1
            if left[arm] == 0:
                n = length[arm]
                mean[arm] = (total[arm] + laplace()) / n
                root[arm] = sqrt(factor / n)
                linear[arm] = factor / (epsilon * n)
                total[arm] = 0
                length[arm] = left[arm] = 2 * n
        regrets.append(regret(means, [2 * n - 1 - rest for n, rest in zip(length, left)]))
    return regrets


def regret(means: Sequence[float], pulls: Sequence[int]) -> float:
    return sum(n * (max(means) - mean) for mean, n in zip(means, pulls))


# Beside tacit.

class Peer(NamedTuple):
    policy: str
    horizon: int
    played: int  # rounds that the rivals play of them: a round costs them the same whenever it comes
    loops: int  # runs of the plain loop
    repetitions: int
    loop: Callable[..., Sequence[float]]
    lockstep: Callable[..., np.ndarray]
    than_loop: float  # tacit is at least as many times faster
    than_lockstep: float


PEERS = (Peer("ucb1", 20_000, 20_000, 10, 8, loop_ucb1, lockstep_ucb1, 20, 1.5),
         Peer("thompson-beta", 10_000, 10_000, 10, 3, loop_thompson_beta, lockstep_thompson_beta, 40, 2),
         Peer("anytime-lazy-ucb", 1_000_000, 20_000, 40, 5, loop_anytime_lazy_ucb, lockstep_anytime_lazy_ucb,
              1e4, 1000))


class Player:
    """One of those who are compared: what a round of a run costs it at best, and its regrets in all repetitions."""

    def __init__(self, rounds: int, play: Callable[[int], Sequence[float]]):
        self._rounds = rounds
        self._play = play
        self._regrets: list[float] = []
        self.nanoseconds = float("inf")

    def repeat(self, seed: int) -> None:
        start = time.process_time()
        regrets = self._play(seed)
        spent = time.process_time() - start
        self.nanoseconds = min(self.nanoseconds, 1e9 * spent / (self._rounds * len(regrets)))
        self._regrets.extend(regrets)

    @property
    def mean(self) -> float:
        return float(np.mean(self._regrets))

    @property
    def variance_of_mean(self) -> float:
        return float(np.var(self._regrets, ddof=1)) / len(self._regrets)


def tacit_regrets(peer: Peer, runs: int, seed: int) -> np.ndarray:
    """Of runs over the whole horizon, after the rounds that the rivals play."""
    result = tacit.simulate(peer.policy, PROBLEM, epsilon=EPSILON, horizon=peer.horizon, runs=runs, seed=seed,
                            checkpoints=sorted({peer.played, peer.horizon}), threads=1)
    return result.regret[:, 0]


def measure(peer: Peer) -> tuple[Player, Player, Player]:
    """The plain loop, NumPy in lockstep, and tacit, in turn, so that a slow moment hits all alike."""
    players = (Player(peer.played, lambda seed: peer.loop(MEANS, peer.played, peer.loops, seed)),
               Player(peer.played, lambda seed: peer.lockstep(MEANS, peer.played, RUNS, seed)),
               Player(peer.horizon, lambda seed: tacit_regrets(peer, RUNS, seed)))
    for repetition in range(peer.repetitions):
        for player in players:
            player.repeat(repetition + 1)
    return players


def deviation(one: Player, other: Player) -> float:
    """Of two mean regrets, in standard errors of their difference."""
    return (one.mean - other.mean) / sqrt(one.variance_of_mean + other.variance_of_mean)


DEVIATION = 5.0  # beyond which two players are not of the same algorithm


def faults(peer: Peer, loop: Player, lockstep: Player, ours: Player, promised: bool) -> list[str]:
    """What does not hold, in a line each; of what is promised only where that is asked for."""
    found = []
    for name, rival, limit in (("the plain loop", loop, peer.than_loop), ("lockstep", lockstep, peer.than_lockstep)):
        z = deviation(rival, ours)
        if not abs(z) < DEVIATION:
            found.append(f"{peer.policy}: mean regret of {name} is {rival.mean:.1f}, tacit's {ours.mean:.1f}: "
                         f"{abs(z):.1f} standard errors apart")
        ratio = rival.nanoseconds / ours.nanoseconds
        if promised and not ratio >= limit:
            found.append(f"{peer.policy}: {ratio:.3g} times as fast as {name}, must be at least {limit:g}")
    return found


def figure(value: float) -> str:
    """Three digits, and no exponents."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def columns(policy: str, horizon: object, costs: Sequence[str], ratios: Sequence[str], played: object,
            regrets: Sequence[str]) -> str:
    return (f"{policy:<16}{horizon:>9}  " + "".join(f"{cost:>9}" for cost in costs) + "  " +
            "".join(f"{ratio:>9}" for ratio in ratios) + f"{played:>9}" + "".join(f"{mean:>9}" for mean in regrets))


def row(peer: Peer, loop: Player, lockstep: Player, ours: Player) -> str:
    return columns(peer.policy, peer.horizon, [figure(player.nanoseconds) for player in (loop, lockstep, ours)],
                   [figure(rival.nanoseconds / ours.nanoseconds) for rival in (loop, lockstep)],
                   peer.played, [f"{player.mean:.1f}" for player in (loop, lockstep, ours)])


def main() -> int:
    parser = argparse.ArgumentParser(description="What Python takes for the same runs, beside tacit.")
    parser.add_argument("--check", action="store_true", help="exit 1 when tacit is not as fast as it promises")
    asked = parser.parse_args()
    print(f"CPU time of one thread, {PROBLEM}, epsilon {EPSILON:g}, {RUNS} runs (loop: fewer), on this machine now")
    print(f"{'nanoseconds a round of':>54}{'times faster than':>20}{'mean regret of':>36}")
    names = ["loop", "lockstep", "tacit"]
    print(columns("policy", "rounds", names, names[:2], "after", names))
    found = []
    for peer in PEERS:
        players = measure(peer)
        print(row(peer, *players), flush=True)
        found += faults(peer, *players, promised=asked.check)
    for peer in PEERS:
        if peer.played < peer.horizon:
            print(f"Of {peer.policy}'s {peer.horizon} rounds the rivals play {peer.played}: later ones cost as much.")
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
