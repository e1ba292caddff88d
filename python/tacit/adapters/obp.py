"""For Open Bandit Pipeline: a policy without context for run_bandit_simulation() and its like.

    policy = tacit.adapters.obp.Policy(80, "mgf-imed", epsilon=0.5)
    action_dist = run_bandit_simulation(bandit_feedback, policy)

Written and tested against BaseContextFreePolicy (obp/policy/base.py) and obp/simulator/simulator.py as the repository
of obp has them, from 0.4 on. The package itself was not at hand. It is imported for the name of a policy's type alone.

Its simulator plays logs back, and tells rewards only where a log shows what the policy chose; so the policy chooses the
same until it is told. With replay=False every select_action() is a new choice, for simulators with late answers.
Lists of several actions are answered one by one there, which no policy of sets can learn from: len_list is 1.
"""
from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import values
from ..errors import InvalidParameter
from .adapter import Adapter


class Policy(Adapter):
    def __init__(self, n_actions: int, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 len_list: int = 1, replay: bool = True, **settings: Any):
        if len_list != 1:
            raise InvalidParameter("len_list", len_list, "must be 1: answers to parts of a list cannot be learned from")
        self.n_actions = values.natural("n_actions", n_actions, 1, 10**7)
        self.len_list = 1
        self.policy_name = f"tacit_{policy}"
        super().__init__(policy, range(self.n_actions), seed, {"epsilon": epsilon, **settings}, replay)

    @property
    def policy_type(self) -> Any:
        """What simulators compare with."""
        return importlib.import_module("obp.policy.policy_type").PolicyType.CONTEXT_FREE

    @property
    def n_trial(self) -> int:
        """How many rewards it was told."""
        return self._told

    def initialize(self) -> None:
        self._begin()

    def select_action(self) -> NDArray[np.int64]:
        return np.array([self._ask()])

    def update_params(self, action: int, reward: float) -> None:
        self._tell(action, reward)
