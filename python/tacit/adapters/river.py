"""For river: a policy for bandit.evaluate() and bandit.evaluate_offline().

    bandit.evaluate(policies=[tacit.adapters.river.Policy("mgf-imed", epsilon=0.5)], env=env)

Run with river 0.26.1: pull(arm_ids), update(arm_id, reward), and a clone() for every episode. Its KArmedTestbed has
rewards outside [0, 1], for lower= and amplitude=; its BanditRegressor reads counts that this has not.

evaluate_offline() plays a log back, and tells rewards only where it shows what the policy chose: give replay=True, and
the policy chooses the same until it is told.
"""
from __future__ import annotations

import copy
from typing import Any, Hashable, Iterable

import numpy as np

from ..errors import InvalidParameter
from .adapter import Adapter


class Policy(Adapter):
    """arms: those of the first pull unless given. Later ones may be among some of them only."""

    def __init__(self, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 arms: Iterable[Hashable] | None = None, replay: bool = False, lower: float = 0.0,
                 amplitude: float = 1.0, **settings: Any):
        super().__init__(policy, arms, seed, {"epsilon": epsilon, **settings}, replay, lower, amplitude)

    def pull(self, arm_ids: Iterable[Hashable]) -> Any:
        """The arm to play, one of these."""
        return self._ask(arm_ids)

    def update(self, arm_id: Hashable, reward: float) -> "Policy":
        """What came of it."""
        self._tell(arm_id, reward)
        return self

    def clone(self, new_params: Any = None, include_attributes: bool = False) -> "Policy":
        """One that begins anew."""
        if new_params or include_attributes:
            raise InvalidParameter("new_params", "", "must be left out: make another policy")
        return copy.deepcopy(self)

    @property
    def ranking(self) -> list[Hashable]:
        """Arms by what was released of them, the best first."""
        if not self._called:
            return []
        means = np.nan_to_num(self.policy.intervals().mean, nan=-np.inf)
        return [self._called[arm] for arm in np.argsort(-means, kind="stable")]

    @property
    def _n(self) -> int:
        """How many rewards it was told: evaluate_offline() asks for it."""
        return self._told
