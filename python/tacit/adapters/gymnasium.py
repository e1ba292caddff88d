"""For gymnasium: a tacit.Problem as an environment. An action is an arm, and there is nothing to observe.

    env = tacit.adapters.gymnasium.Env("hu-linear", horizon=1000)
    env = gymnasium.make("tacit.adapters.gymnasium:tacit/Bandit-v0", problem="hu-linear", horizon=1000)

Run with gymnasium 1.4.0 and its check_env; where that is not installed, the environment stands alone. `info` is empty:
`env.problem.means` has the means, which of a prior are those over all runs.

An episode is truncated at its horizon. Its outcomes are drawn at reset(), horizon x arms of them: copies that are made
after a reset meet the same users.
"""
from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np

from .. import values
from ..errors import InvalidParameter
from ..problem import Problem, ProblemLike
from .outcomes import table

_Base: Any = object
_Discrete: Any = lambda n: SimpleNamespace(n=n)
try:
    _host = importlib.import_module("gymnasium")
    _Base = _host.Env
    _Discrete = importlib.import_module("gymnasium.spaces").Discrete
    _host.register("tacit/Bandit-v0", entry_point="tacit.adapters.gymnasium:Env")
except ImportError:
    pass


class Env(_Base):  # type: ignore[misc]
    """A problem to play on, an arm a step; `problem` has its means."""

    def __init__(self, problem: ProblemLike, horizon: int = 1000):
        self.problem = Problem.of(problem)
        if self.problem.actions != "single":
            raise InvalidParameter("problem", self.problem.actions, "must be played one arm a round")
        self.horizon = values.natural("horizon", horizon, 1)
        self.action_space = _Discrete(self.problem.arms)
        self.observation_space = _Discrete(1)
        self._outcomes = np.empty((0, self.problem.arms))
        self._t = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        """Begins an episode, for which it draws outcomes."""
        if _Base is not object:
            super().reset(seed=seed)
        elif seed is not None or not hasattr(self, "np_random"):
            self.np_random = np.random.default_rng(seed)  # as gymnasium does
        self._outcomes = table(self.problem, self.horizon, int(self.np_random.integers(2**53)))
        self._t = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Plays an arm: (0, its outcome, False, whether the horizon is reached, {})."""
        if self._t == len(self._outcomes):
            raise InvalidParameter("step", self._t + 1, "must be within an episode: reset() begins one")
        arm = values.natural("action", action, 0, self.problem.arms - 1)
        reward = float(self._outcomes[self._t, arm])
        self._t += 1
        return 0, reward, False, self._t == self.horizon, {}

    def __repr__(self) -> str:
        return f"<tacit.adapters.gymnasium.Env {self.problem.name}, horizon {self.horizon}>"
