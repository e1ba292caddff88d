"""For coba: a learner of an Experiment.

    Experiment(environments, [tacit.adapters.coba.Learner("mgf-imed", epsilon=0.5)]).run()

Written and tested against Learner (coba/primitives.py), SafeLearner (coba/safety.py) and SequentialCB of coba 8:
predict(context, actions), learn(context, action, reward, probability), and a copy for every environment. The package
itself was not at hand.

Contexts are ignored. It has no score(), and its predictions have no probability: a policy does not say how likely its
choice was. So coba cannot evaluate or train it off policy: a logged action that it did not choose is refused.
"""
from __future__ import annotations

from typing import Any, Hashable, Iterable, Sequence

from ..errors import InvalidParameter
from .adapter import Adapter


class Learner(Adapter):
    """actions: those of the first prediction unless given. Later ones may be among some of them only."""

    def __init__(self, policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 actions: Iterable[Hashable] | None = None, **settings: Any):
        super().__init__(policy, actions, seed, {"epsilon": epsilon, **settings})

    @property
    def params(self) -> dict[str, Any]:
        return {"family": "tacit", "policy": self._name, **self._settings, "seed": self._seed}

    def predict(self, context: Any, actions: Sequence[Hashable]) -> tuple[Any, None]:
        if hasattr(context, "is_batch") or hasattr(actions, "is_batch"):
            raise InvalidParameter("actions", "", "must be those of one round: coba then asks row by row")
        label = self._ask(actions)
        # The very object: coba tells by it that this is an action, and no probabilities.
        return next(action for action in actions if action == label), None

    def learn(self, context: Any, action: Hashable, reward: float, probability: Any = None) -> None:
        self._tell(action, reward)
