"""What a problem would give, as a table: for environments, which are asked for one outcome after the other."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..simulation import simulate


def table(problem: Problem, rounds: int, seed: int) -> NDArray[np.float64]:
    """A row a round, a column an arm: drawn as `simulate()` draws them, so that every problem will do."""
    rows: list[Any] = []
    simulate(functools.partial(_Witness, rows), problem, horizon=rounds, runs=1, seed=seed, checkpoints=1, threads=1)
    return np.array(rows)


class _Witness:
    """Plays whatever, and writes down what every arm gave."""

    feedback = "full"
    name = "witness"

    def __init__(self, rows: list[Any]):
        self._rows = rows

    def choose(self, t: int) -> int:
        return 0

    def learn(self, arm: int, outcomes: Any) -> None:
        self._rows.append(outcomes)
