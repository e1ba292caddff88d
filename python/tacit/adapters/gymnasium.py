"""For gymnasium: a tacit.Problem as an environment. An action is an arm, and there is nothing to observe.

    env = tacit.adapters.gymnasium.Env("hu-linear", horizon=1000)

Written and tested against Env (gymnasium/core.py), spaces.Discrete and gymnasium/utils/env_checker.py of gymnasium 1.x.
The package itself was not at hand; where it is not installed, the environment stands alone.

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
    _Base = importlib.import_module("gymnasium").Env
    _Discrete = importlib.import_module("gymnasium.spaces").Discrete
except ImportError:
    pass


class Env(_Base):  # type: ignore[misc]
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
        if _Base is not object:
            super().reset(seed=seed)
        elif seed is not None or not hasattr(self, "np_random"):
            self.np_random = np.random.default_rng(seed)  # as gymnasium does
        self._outcomes = table(self.problem, self.horizon, int(self.np_random.integers(2**53)))
        self._t = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if self._t == len(self._outcomes):
            raise InvalidParameter("step", self._t + 1, "must be within an episode: reset() begins one")
        arm = values.natural("action", action, 0, self.problem.arms - 1)
        reward = float(self._outcomes[self._t, arm])
        self._t += 1
        return 0, reward, False, self._t == self.horizon, {}
