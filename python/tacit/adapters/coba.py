"""For coba: a learner of an Experiment.

    Experiment(environments, [tacit.adapters.coba.Learner("mgf-imed", epsilon=0.5)]).run()

Run with coba 8.0.5: predict(context, actions), learn(context, action, reward, probability), and a copy for every
environment. Contexts are ignored. Where actions are vectors, as in its linear synthetic environments, by="position"
makes the place in the list the arm. It has no score(), and its predictions have no probability: coba cannot evaluate
or train it off policy, nor by rejection.

What is refused coba notes in its log, and goes on without the learner, so that a warning tells it as well, once.
"""
from __future__ import annotations

import warnings
from typing import Any, Hashable, Iterable, Sequence

from ..errors import InvalidParameter
from .adapter import Adapter


class Learner(Adapter):
    """actions: those of the first prediction unless given. Later ones may be among some of them only.

    by       "label": an action is the same arm in whatever place; "position": what stands in a place is the same arm
    """

    _instead = '; by="position" takes the place in the list for the arm'

    def __init__(self, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 actions: Iterable[Hashable] | None = None, by: str = "label", lower: float = 0.0,
                 amplitude: float = 1.0, **settings: Any):
        if by not in ("label", "position"):
            raise InvalidParameter("by", by, "must be label or position")
        self._by = by
        self._warned = False
        arms = range(len(list(actions))) if actions is not None and by == "position" else actions
        super().__init__(policy, arms, seed, {"epsilon": epsilon, **settings}, False, lower, amplitude)

    @property
    def params(self) -> dict[str, Any]:
        """What coba's tables say of it."""
        more = {} if self._by == "label" else {"by": self._by}
        return {"family": "tacit", "policy": self._name, **self._settings, **more, "seed": self._seed}

    def predict(self, context: Any, actions: Sequence[Any]) -> Any:
        """With the place, which coba hands to learn(), where that is the arm."""
        _refuse_batches(context, actions)
        if self._by == "position":
            place = self._told_of(self._ask, range(len(actions)))
            return actions[place], None, {"place": place}
        label = self._told_of(self._ask, actions)
        # The very object: coba tells by it that this is an action, and no probabilities.
        return next(action for action in actions if action == label), None

    def learn(self, context: Any, action: Any, reward: float, probability: Any = None, place: Any = None) -> None:
        """What came of an action that was predicted."""
        _refuse_batches(context, reward)
        self._told_of(self._tell, action if place is None else place, reward)

    def _told_of(self, call: Any, *given: Any) -> Any:
        try:
            return call(*given)
        except (ValueError, TypeError) as refused:
            if not self._warned:
                warnings.warn(f"{self}: {refused}", RuntimeWarning, stacklevel=3)
            self._warned = True
            raise


def _refuse_batches(*given: Any) -> None:
    if any(hasattr(one, "is_batch") for one in given):
        raise InvalidParameter("actions", "", "must be those of one round: coba then asks row by row")
