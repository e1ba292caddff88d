"""What policies are tried on."""
from __future__ import annotations

from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, values
from .errors import InvalidParameter

ProblemLike = Union["Problem", str, Sequence[float], NDArray[Any], Any]


class Problem:
    """What policies are tried on: a name of `tacit.problems()`, means, a prior, an array, or an object that draws.

        Problem("hu-linear")
        Problem(means=[0.9, 0.8, 0.5], rewards="beta")
        Problem(means=means, actions="top:3")
        Problem.from_outcomes(table)     played back in order: a row a round, a column an arm
        Problem.from_users(bits)         every round one user drawn: a row a user, 0 or 1 a column
        Problem.from_object(world)       world.means, world.draw(arm, t, rng)

    rewards   "bernoulli" unless given, "beta", "point" or "normal"
    prior     "uniform:10": every run draws means of its own
    actions   what may be played in a round: "single", "top:3", ...; `tacit.problems()` and docs/sets.md have all
    environment_epsilon   PRIVACY, not exploration: play on means that were released once at this epsilon

    Wherever a problem is asked for, a name, a sequence of means or such an object will do.
    """

    _made_by: tuple[Any, tuple[Any, ...], dict[str, Any]]  # how to make it again

    @values.says_what_it_takes()
    def __init__(self, name: str | None = None, *, means: Sequence[float] | NDArray[Any] | None = None,
                 prior: str | None = None, rewards: str | None = None, actions: str | None = None,
                 environment_epsilon: float | None = None, environment_regret: str | None = None):
        if means is not None and not isinstance(means, (str, bytes, np.ndarray)) and hasattr(means, "__iter__"):
            means = list(means)  # once: it may be a generator
        self._made_by = (Problem, (name,), dict(means=means, prior=prior,
                                                rewards=rewards, actions=actions,
                                                environment_epsilon=environment_epsilon,
                                                environment_regret=environment_regret))
        self._core = _core.Problem.of_text(
            values.word("name", name), None if means is None else values.reals("means", means),
            values.word("prior", prior), values.word("rewards", rewards), values.word("actions", actions),
            values.number("environment_epsilon", environment_epsilon),
            values.word("environment_regret", environment_regret))

    @classmethod
    def from_outcomes(cls, outcomes: Any, *, actions: str | None = None) -> "Problem":
        """Played back in order: a row a round, a column an arm, every outcome in [0, 1]."""
        table = _table("outcomes", outcomes)
        return cls._of(_core.Problem.of_outcomes(table, values.word("actions", actions)), Problem.from_outcomes,
                       table, actions)

    @classmethod
    def from_users(cls, users: Any, *, actions: str | None = None) -> "Problem":
        """Every round is one user, drawn: a row a user, a column an arm, 0 or 1."""
        table = _table("users", users)
        return cls._of(_core.Problem.of_users(table, values.word("actions", actions)), Problem.from_users, table,
                       actions)

    @classmethod
    def from_object(cls, world: Any, *, actions: str | None = None) -> "Problem":
        """Whatever has `means` and `draw(arm, t, rng)`, which gives an outcome in [0, 1].

        `rng` is a numpy Generator, the run's own. Where it has them, `draw_many(arm, t, n, rng)`, for n rounds at
        once, and `draw_all(t, rng)`, for every arm of a round together, are called instead. `name`, if it has one,
        is part of what randomness depends on: two worlds that differ should have different names.

        Regret is measured by `means`, which stay the same over a run. A run whose draws contradict them is refused;
        one of a world that does have its means is refused with probability at most 1e-12. Where means change on
        purpose, `drifts = True` says so, and regret is by `means` all the same.
        """
        for method in ("draw", "draw_many", "draw_all"):
            if not callable(getattr(world, method, None)) and (method == "draw" or hasattr(world, method)):
                raise TypeError(f"world: {type(world).__name__} must have a method {method}, to be drawn from")
        if not hasattr(world, "means"):
            raise TypeError(f"world: {type(world).__name__} must have means, which regret is measured by")
        if callable(world.means):
            raise TypeError("means: must be a sequence of numbers, not a function of t: regret is measured by means "
                            "that stay. A world that changes can be played as a table, with Problem.from_outcomes(), "
                            "against its best arm")
        values.flag("drifts", getattr(world, "drifts", False))
        means = [float(text) for text in values.reals("means", world.means).split(",")]
        for mean in means:
            if not 0 <= mean <= 1:
                raise InvalidParameter("means", mean, "must be in [0, 1]")
        shown = ",".join(f"{mean:.4g}" for mean in means[:8]) + (",..." if len(means) > 8 else "")
        name = values.name("name", getattr(world, "name", f"{type(world).__name__}({shown})"))
        return cls._of(_core.Problem.of_object(world, name, means, values.word("actions", actions)),
                       Problem.from_object, world, actions)

    @classmethod
    def of(cls, problem: ProblemLike) -> "Problem":
        """A problem, a name, means, or an object that draws."""
        if isinstance(problem, Problem):
            return problem
        if isinstance(problem, str):
            return cls(problem)
        if hasattr(problem, "draw"):
            return cls.from_object(problem)
        if isinstance(problem, (Sequence, np.ndarray)):
            return cls(means=problem)  # type: ignore[arg-type]  # no string is left here
        raise values.refuse_type("problem", "a name, a sequence of means or a Problem", problem)

    @classmethod
    def _of(cls, core: Any, maker: Any, what: Any, actions: str | None) -> "Problem":
        made = cls.__new__(cls)
        made._core = core
        made._made_by = (maker, (what,), dict(actions=actions))
        return made

    @property
    def name(self) -> str:
        """What results, frames and seeds call it: a table by its shape and a digest."""
        return self._core.name

    @property
    def arms(self) -> int:
        """How many there are."""
        return self._core.arms

    @property
    def means(self) -> NDArray[np.float64]:
        """Of every arm; of a prior, over all runs."""
        return self._core.means

    @property
    def actions(self) -> str:
        """What may be played in a round: "single", "top:3", ..."""
        return self._core.actions

    def __repr__(self) -> str:
        return f"<tacit.Problem {self.name}: {self.arms} arms, actions {self.actions}>"

    def __reduce__(self) -> Any:
        maker, arguments, keywords = self._made_by
        return _make_again, (maker, arguments, keywords)


def _make_again(maker: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Problem:
    return maker(*arguments, **keywords)


def _table(argument: str, given: Any) -> NDArray[np.float64]:
    try:
        table = np.array(given, dtype=float)  # a copy: the caller's may change
    except (TypeError, ValueError):
        raise TypeError(f"{argument}: must be a table of numbers") from None
    return table
