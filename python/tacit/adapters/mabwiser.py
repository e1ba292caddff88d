"""For programs that play by MABWiser's protocol: predict() an arm, and partial_fit() what came of it.

    mab = tacit.adapters.mabwiser.MAB(["red", "blue"], "mgf-imed", epsilon=0.5)
    shown = mab.predict()
    mab.partial_fit([shown], [clicked])

Run beside MABWiser 2.7.4, whose Simulator looks inside of a MAB, and cannot play this. There is no add_arm(): the arms
of a policy stay.

MABWiser wants a fit() on past decisions first. Those are not this policy's, so that fit() refuses them; with empty
lists it begins anew. Every predict() is a choice, to be shown to somebody, and not a look at what is best.
"""
from __future__ import annotations

from typing import Any, Hashable, Sequence

from ..errors import InvalidParameter
from .adapter import Adapter


class MAB(Adapter):
    """arms are labels, of any kind that can be told apart."""

    def __init__(self, arms: Sequence[Hashable], policy: str, *, epsilon: float | None = None, seed: int | None = None,
                 lower: float = 0.0, amplitude: float = 1.0, **settings: Any):
        super().__init__(policy, arms, seed, {"epsilon": epsilon, **settings}, False, lower, amplitude)

    @property
    def arms(self) -> list[Hashable]:
        """Their labels."""
        return list(self._called)

    def fit(self, decisions: Sequence[Hashable], rewards: Sequence[float], contexts: Any = None) -> None:
        """Begins anew; both lists must be empty."""
        if len(decisions) or len(rewards):
            raise InvalidParameter("decisions", "", "must be empty: a private policy cannot learn from decisions that "
                                   "it did not make. Begin with predict(), and tell partial_fit() what came of it")
        self._begin()

    def partial_fit(self, decisions: Sequence[Hashable], rewards: Sequence[float], contexts: Any = None) -> None:
        """If one of them is refused, those before it have been learned."""
        if len(decisions) != len(rewards):
            raise InvalidParameter("rewards", f"{len(rewards)} numbers", f"must be {len(decisions)}, one a decision")
        for decision, reward in zip(decisions, rewards):
            self._tell(decision, reward)

    def predict(self, contexts: Sequence[Any] | None = None) -> Any:
        """An arm; a list of them, if there are several contexts. What is in those is ignored."""
        arms = [self._ask() for _ in range(1 if contexts is None else len(contexts))]
        return arms[0] if len(arms) == 1 else arms

    def predict_expectations(self, contexts: Any = None) -> dict[Hashable, float]:
        """What was released of every arm's mean, noise and all; NaN before the first release."""
        return dict(zip(self._called, self.policy.intervals().mean.tolist()))
