"""Policies that are classes in Python."""
from __future__ import annotations

import functools
import hashlib
import inspect
import re
import types
from typing import Any, Iterable

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
        _refuse_what_is_not_offered(_name_of(inner), taken)
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


def _refuse_what_is_not_offered(name: str, taken: Iterable[inspect.Parameter]) -> None:
    for one in taken:
        by_name = one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) or one.default is not one.empty or (
                by_name and one.name in _OFFERED):
            continue
        raise TypeError(f"policy: {name} needs {one.name}, which it is not given: it is called with those of "
                        f"{', '.join(_OFFERED)} that it takes{values.meant(one.name, _OFFERED)}; give it the rest "
                        "with functools.partial")


def _given_to(policy: Any) -> str:
    """What tells two of one class apart. Randomness depends on it, so that it must be the same in every process."""
    if not isinstance(policy, functools.partial):
        return ""
    given = [_said("its argument", value) for value in policy.args]
    given += [f"{name}={_said(name, value)}" for name, value in policy.keywords.items()]
    return f"({', '.join(given)})"


def _said(argument: str, value: Any, depth: int = 0) -> str:
    """As repr() writes it, where that depends on the value alone and fits into a line."""
    within = functools.partial(_said, argument, depth=depth + 1)
    if isinstance(value, np.generic):
        return repr(value.item())  # numpy 2 would write np.float64(0.5)
    if depth < 5:
        if hasattr(value, "__array__") and not isinstance(value, type):
            array = np.asarray(value)
            if array.dtype == object:
                return f"array({within(array.tolist())})"
            shape = "x".join(map(str, array.shape))
            digest = hashlib.blake2b(array.dtype.str.encode() + np.ascontiguousarray(array).tobytes(), digest_size=8)
            return f"array({shape},{digest.hexdigest()})"
        if type(value) in (list, tuple):
            inner = ", ".join(map(within, value))
            return f"[{inner}]" if type(value) is list else f"({inner}{',' * (len(value) == 1)})"
        if type(value) is dict:
            return "{" + ", ".join(f"{within(key)}: {within(one)}" for key, one in value.items()) + "}"
        if type(value) in (set, frozenset):  # whose order is another in every process
            return "{" + ", ".join(sorted(map(within, value))) + "}"
    if isinstance(value, (type, types.FunctionType)) and "<" not in value.__qualname__:
        return value.__qualname__  # its module is __main__ here, and __mp_main__ in a worker
    text = " ".join(repr(value).split())
    if re.search(r"\bat 0x[0-9a-fA-F]", text):
        raise InvalidParameter("policy", f"{argument}={re.sub(r' at 0x[0-9a-fA-F]+', '', text)}",
                               "is told apart by its place in memory alone, which is another in every process, and "
                               f"so would be the runs: give {type(value).__name__} a __repr__, or the policy's class "
                               "a name")
    return text


def _name_of(thing: Any) -> str:
    return getattr(thing, "__name__", type(thing).__name__)
