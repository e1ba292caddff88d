"""For SMPyBandits: a policy of an Evaluator's configuration.

    {"archtype": tacit.adapters.smpybandits.Policy, "params": {"policy": "mgf-imed", "epsilon": 0.5}}

Run with SMPyBandits 0.9.7: an Evaluator of one player, its plots and tables, and Selfish of several players.
startGame(), then choice() and getReward(arm, reward) in turns, on a copy for every repetition. With a seed there is one
process (n_jobs=1). An Aggregator tells its children what others chose, which a private policy refuses. So is
the round that DoublingTrick plays beyond the horizon it gave.

Sums of rewards, which BasePolicy keeps in `rewards`, are not kept here: they would be there without noise.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import values
from .adapter import Adapter


class Policy(Adapter):
    """lower and amplitude: rewards are in [lower, lower + amplitude], as of SMPyBandits' own policies."""

    def __init__(self, nbArms: int, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 lower: float = 0.0, amplitude: float = 1.0, **settings: Any):
        self.nbArms = values.natural("nbArms", nbArms, 1, 10**7)
        super().__init__(policy, range(self.nbArms), seed, {"epsilon": epsilon, **settings}, False, lower, amplitude)

    @property
    def t(self) -> int:
        """How many rewards it was told."""
        return self._told

    def startGame(self) -> None:
        """As if it had never played."""
        self._begin()

    def choice(self) -> int:
        """The arm to play."""
        return int(self._ask())

    def getReward(self, arm: int, reward: float) -> None:
        """What came of it."""
        self._tell(arm, reward)

    def estimatedOrder(self) -> NDArray[np.int64]:
        """Arms by what was released of them, the best last."""
        return np.argsort(np.nan_to_num(self.policy.intervals().mean, nan=-np.inf), kind="stable")

    def __str__(self) -> str:
        epsilon = self._settings["epsilon"]
        return f"tacit {self._name}" + ("" if epsilon is None else f" (private, {epsilon:g})")
