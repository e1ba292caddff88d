"""Policies that are classes in Python."""
from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from . import _core, values
from .errors import InvalidParameter

_OFFERED = ("arms", "rng", "epsilon", "delta", "horizon", "size")


class Guest:
    """A class with choose(t) and learn(arm, outcome), as the library plays it.

    The class, or functools.partial of it, is called once a run with those of these that it takes: arms, rng (a numpy
    Generator, the run's own), epsilon, delta, horizon, size (arms in an action). Attributes of the class:

        name       its class's name unless given; part of what randomness depends on
        feedback   "bandit" unless given; "full", "semi" or "cascade"
        guarantee  None: none claimed. "central": it says of itself that it is epsilon-private

    With feedback "full" learn() gets every arm's outcome, with "semi" the chosen arms and theirs, with "cascade" the
    list and the clicks of the items that were looked at, of which only the last can be 1.
    """

    def __init__(self, policy: Any):
        inner = policy.func if isinstance(policy, functools.partial) else policy
        if not callable(policy):
            raise values.refuse_type("policy", "a policy's name, or a class (not an instance) with choose and learn", policy)
        for method in ("choose", "learn"):
            if not callable(getattr(inner, method, None)):
                raise TypeError(f"policy: {_name_of(inner)} must have a method {method}")
        self.policy = policy
        self.name = values.name("policy.name", getattr(inner, "name", None) or _name_of(inner) + _given_to(policy))
        if self.name in _known():
            raise InvalidParameter("policy.name", self.name, "is a policy of tacit.policies(): take another")
        self.feedback = values.name("policy.feedback", getattr(inner, "feedback", "bandit"))
        stated = getattr(inner, "guarantee", None)
        if stated not in (None, "central"):
            raise InvalidParameter("policy.guarantee", stated,
                                   "must be None (none claimed) or 'central' (epsilon-private, with its own noise)")
        self.central = stated == "central"
        try:
            taken = inspect.signature(policy).parameters.values()
        except ValueError:
            raise TypeError(f"policy: {_name_of(inner)} does not say which arguments it takes") from None
        takes_all = any(p.kind is p.VAR_KEYWORD for p in taken)
        names = {p.name for p in taken if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        self._offered = [name for name in _OFFERED if takes_all or name in names]

    def make(self, arms: int, seed: int, epsilon: float | None, delta: float | None, horizon: int, size: int) -> Any:
        offered: dict[str, Any] = {"arms": arms, "epsilon": epsilon, "delta": delta, "horizon": horizon, "size": size}
        if "rng" in self._offered:
            offered["rng"] = np.random.default_rng(seed)
        return self.policy(**{name: offered[name] for name in self._offered})


def guest_of(policy: Any) -> Guest | None:
    """None for a name."""
    return None if isinstance(policy, str) else Guest(policy)


@functools.lru_cache(maxsize=None)
def _known() -> frozenset[str]:
    return frozenset(row["name"] for row in _core.policies())


def _given_to(policy: Any) -> str:
    """What tells two of one class apart."""
    if not isinstance(policy, functools.partial):
        return ""
    return f"({', '.join([*map(repr, policy.args), *(f'{name}={value!r}' for name, value in policy.keywords.items())])})"


def _name_of(thing: Any) -> str:
    return getattr(thing, "__name__", type(thing).__name__)
