"""For SMPyBandits: a policy of an Evaluator's configuration.

    {"archtype": tacit.adapters.smpybandits.Policy, "params": {"policy": "mgf-imed", "epsilon": 0.5}}

Written and tested against the protocol as Policies/BasePolicy.py and delayed_play() of Environment/Evaluator.py have it
in SMPyBandits 0.9 (its repository in 2019): startGame(), then choice() and getReward(arm, reward) in turns, on a copy
for every repetition. The package itself was not at hand.

Sums of rewards, which BasePolicy keeps in `rewards`, are not kept here: they would be there without noise.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import values
from .adapter import Adapter


class Policy(Adapter):
    """lower and amplitude: rewards are in [lower, lower + amplitude]."""

    def __init__(self, nbArms: int, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 lower: float = 0.0, amplitude: float = 1.0, **settings: Any):
        self.nbArms = values.natural("nbArms", nbArms, 1, 10**7)
        self.lower = lower
        self.amplitude = amplitude
        super().__init__(policy, range(self.nbArms), seed, {"epsilon": epsilon, **settings})

    @property
    def t(self) -> int:
        """How many rewards it was told."""
        return self._told

    def startGame(self) -> None:
        self._begin()

    def choice(self) -> int:
        return int(self._ask())

    def getReward(self, arm: int, reward: float) -> None:
        self._tell(arm, (reward - self.lower) / self.amplitude)

    def estimatedOrder(self) -> NDArray[np.int64]:
        """Arms by what was released of them, the best last."""
        return np.argsort(np.nan_to_num(self.policy.intervals().mean, nan=-np.inf), kind="stable")

    def __str__(self) -> str:
        epsilon = self._settings["epsilon"]
        return f"tacit {self._name}" + ("" if epsilon is None else f" (private, {epsilon:g})")
