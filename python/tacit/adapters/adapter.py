"""What adapters have in common: which reward is the answer to which choice, and how a policy begins again."""
from __future__ import annotations

import inspect
import math
import os
from collections import deque
from itertools import islice
from typing import Any, Hashable, Iterable, Mapping

from .. import values
from .._core import Ticket
from ..catalogue import find_policy
from ..errors import InvalidParameter
from ..held import Policy, Simulated

_ROUNDING = 1e-9  # what is so near an end of the scale is at it
_NOT_ASKED = ("has no choice that waits for an answer: a private policy cannot learn from decisions that it did not "
              "make")


class Adapter:
    """A policy that is asked for labels, and told labels and rewards. The package says what holds for all of them.

    arms    their labels; None: those that it is first asked to choose among
    lower, amplitude   rewards are in [lower, lower + amplitude]
    replay  ask for the same arm again until it is answered: where a log is played back, a round that did not show
            what the policy chose tells nothing, and has not happened
    """

    _instead = ""  # what a host's adapter offers for actions that cannot be labels
    _held: Policy | Simulated | None  # made when it is first needed, so that copies can be made before

    def __init__(self, policy: str, arms: Iterable[Hashable] | None, seed: int | None, settings: Mapping[str, Any],
                 replay: bool = False, lower: float = 0.0, amplitude: float = 1.0):
        mine = inspect.signature(type(self)).parameters
        theirs = inspect.signature(Policy if seed is None else Simulated).parameters
        values.refuse_unknown(type(self).__name__, settings, [
            name for name in (*mine, *theirs) if name not in ("settings", "run")])
        self.lower, self.amplitude = _scale(lower, amplitude)
        row = find_policy(values.name("policy", policy))
        if row["feedback"] != "bandit" or row["trust"] == "local":
            raise InvalidParameter("policy", policy, "must play one arm a round and be told its outcome: one of "
                                   "tacit.policies() with feedback bandit, and trust central or none")
        self._name = policy
        self._seed = seed
        self._settings = dict(settings)
        self._replay = values.flag("replay", replay)
        self._runs = _Runs()
        self._labels = None if arms is None else self._checked(arms)
        if arms is None:
            self._make(2, 0)  # refuses what is wrong before the first choice
        self._begin()

    @property
    def policy(self) -> Policy | Simulated:
        """What is inside, with guarantee and intervals; arms are numbered in the order of their labels."""
        if not self._numbers:
            raise InvalidParameter("arms", "", "are not known before the first choice, unless they are given")
        if self._held is None:
            self._held = self._make(len(self._numbers), 0 if self._seed is None else self._runs.take())
        return self._held

    def _begin(self) -> None:
        """As if it had never played."""
        self._held = None
        self._waiting: dict[int, deque[Ticket]] = {}  # by arm, oldest first
        self._told = 0
        self._call_arms(self._labels or [])

    def _ask(self, among: Iterable[Hashable] | None = None) -> Any:
        eligible = None if among is None else self._eligible(_listed(among))
        if self._replay and self._waiting:
            (arm,) = self._waiting
            if eligible is None or arm in eligible:
                return self._called[arm]
            self._waiting.clear()
        ticket = self.policy.choose(eligible)
        self._waiting.setdefault(ticket.arm, deque()).append(ticket)
        return self._called[ticket.arm]

    def _tell(self, label: Hashable, reward: Any) -> None:
        arm = self._number(label)
        waiting = self._waiting.get(arm)
        if not waiting:
            late = ("; it plays a log back, one choice at a time: replay=False is for answers that come late"
                    if self._replay else "")
            raise InvalidParameter("arm", label, _NOT_ASKED + late)
        self.policy.report(waiting[0], self._outcome(label, reward))  # if that is refused, the choice goes on waiting
        waiting.popleft()
        if not waiting:
            del self._waiting[arm]
        self._told += 1

    def _outcome(self, label: Hashable, reward: Any) -> Any:
        """In [0, 1]; or it is refused, and not repeated."""
        as_it_is = (self.lower, self.amplitude) == (0, 1)
        try:
            one = reward.item() if hasattr(reward, "item") else reward  # obp has arrays of one
            outcome = math.nan if isinstance(one, (str, bytes)) else (float(one) - self.lower) / self.amplitude
        except (TypeError, ValueError):
            raise values.refuse_type("reward", "a number", reward) from None
        if not as_it_is and -_ROUNDING <= outcome <= 1 + _ROUNDING:
            outcome = min(max(outcome, 0.0), 1.0)  # (0.8 - 0.1) / 0.7 is more than 1
        if not 0 <= outcome <= 1:
            ends = f"[{self.lower:g}, {self.lower + self.amplitude:g}]"
            more = "; lower= and amplitude= scale others" if as_it_is else ", which is [lower, lower + amplitude]"
            raise InvalidParameter("reward", "", f"of arm {label} must be in {ends}{more}")
        return outcome

    def _eligible(self, labels: list[Hashable]) -> list[int] | None:
        """None: all of them."""
        if not self._numbers:
            self._call_arms(self._checked(labels))
        numbers = [self._number(label) for label in labels]
        return None if len(set(numbers)) == len(self._numbers) else numbers

    def _number(self, label: Hashable) -> int:
        self._refuse_unhashable(label)
        number = self._numbers.get(label)
        if number is None:
            known = ", ".join(map(str, islice(self._numbers, 6))) + (", ..." if len(self._numbers) > 6 else "")
            raise InvalidParameter("arm", label, f"must be one of {known}{self._instead}" if known else _NOT_ASKED)
        return number

    def _checked(self, arms: Iterable[Hashable]) -> list[Hashable]:
        labels = _listed(arms)
        for label in labels:
            self._refuse_unhashable(label)
        if len(set(labels)) != len(labels):
            raise InvalidParameter("arms", ", ".join(map(str, labels)), "must differ from each other")
        self._make(len(labels), 0)
        return labels

    def _refuse_unhashable(self, label: Any) -> None:
        try:
            hash(label)
        except TypeError:
            raise InvalidParameter("arms", "", f"must be texts, numbers or tuples, which stay what they are, not "
                                   f"{type(label).__name__}{self._instead}") from None

    def _call_arms(self, labels: list[Hashable]) -> None:
        self._called = labels
        self._numbers = {label: number for number, label in enumerate(labels)}

    def _make(self, arms: int, run: int) -> Policy | Simulated:
        if self._seed is None:
            return Policy(self._name, arms=arms, **self._settings)
        return Simulated(self._name, arms=arms, seed=self._seed, run=run, **self._settings)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in {**self._settings, "seed": self._seed}.items()
                        if value is not None)
        return f"<{type(self).__module__}.{type(self).__name__} {self._name}{given}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_held": None, "_waiting": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin()


class _Runs:
    """Numbers what plays with one seed. Copies share it: with the same number they would have the same noise."""

    def __init__(self) -> None:
        self._taken = 0
        self._process = os.getpid()

    def take(self) -> int:
        if os.getpid() != self._process:
            raise InvalidParameter("seed", "", "numbers the runs of one process, and what comes out of a pickle or "
                                   "plays in another would have the same noise: leave it out there")
        self._taken += 1
        return self._taken - 1

    def __deepcopy__(self, memo: object) -> "_Runs":
        return self

    def __getstate__(self) -> dict[str, int]:
        return {"_taken": self._taken, "_process": -1}  # two that come out of one pickle would not know of each other


def _scale(lower: Any, amplitude: Any) -> tuple[float, float]:
    low, high = float(values.number("lower", lower) or "nan"), float(values.number("amplitude", amplitude) or "nan")
    if not math.isfinite(low):
        raise InvalidParameter("lower", lower, "must be a finite number")
    if not 0 < high < math.inf:
        raise InvalidParameter("amplitude", amplitude, "must be a finite number > 0")
    return low, high


def _listed(arms: Iterable[Hashable]) -> list[Hashable]:
    if isinstance(arms, (str, bytes)) or not hasattr(arms, "__iter__"):
        raise values.refuse_type("arms", "a sequence of labels", arms)
    return list(arms)
