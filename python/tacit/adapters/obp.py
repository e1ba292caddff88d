"""For Open Bandit Pipeline: a policy without context for its simulators.

    policy = tacit.adapters.obp.Policy(80, "mgf-imed", epsilon=0.5)
    action_dist = run_bandit_simulation(bandit_feedback, policy)

Run with obp 0.5.3 and with its repository after 0.5.5, where run_bandit_simulation() is obp.simulator.replay's
run_bandit_replay(), and BanditPolicySimulator is new. It is imported for the name of a policy's type alone.

Replays tell rewards only where a log shows what the policy chose; so the policy chooses the same until it is told. With
replay=False every select_action() is a new choice, for simulators with delays.
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
    """replay: a log is played back, so that the same action is chosen until its reward is told."""

    def __init__(self, n_actions: int, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 len_list: int = 1, replay: bool = True, lower: float = 0.0, amplitude: float = 1.0, **settings: Any):
        if len_list != 1:
            raise InvalidParameter("len_list", len_list, "must be 1: answers to parts of a list cannot be learned from")
        self.n_actions = values.natural("n_actions", n_actions, 1, 10**7)
        self.len_list = 1
        self.policy_name = f"tacit_{policy}"
        super().__init__(policy, range(self.n_actions), seed, {"epsilon": epsilon, **settings}, replay, lower,
                         amplitude)

    @property
    def policy_type(self) -> Any:
        """What simulators compare with."""
        return importlib.import_module("obp.policy.policy_type").PolicyType.CONTEXT_FREE

    @property
    def n_trial(self) -> int:
        """How many rewards it was told."""
        return self._told

    def initialize(self) -> None:
        """As if it had never played."""
        self._begin()

    def select_action(self) -> NDArray[np.int64]:
        """An array of one action."""
        return np.array([self._ask()])

    def update_params(self, action: int, reward: float) -> None:
        """What came of an action that was selected."""
        self._tell(action, reward)
