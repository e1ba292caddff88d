"""What there is, what theory says of it, what it promises, and whether that is so."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Mapping

from . import _core, values
from .errors import InvalidParameter
from .own import guest_of
from .problem import Problem, ProblemLike


def policies() -> list[dict[str, Any]]:
    """Every policy: name, paper, feedback, trust, what was published of it, what is true, its parameters.

    Epsilons are multiples of the parameter. `pandas.DataFrame(tacit.policies())` works.
    """
    return _core.policies()


def problems() -> list[dict[str, Any]]:
    """Every problem that has a name."""
    return _core.problems()


@lru_cache(maxsize=None)
def _by_name() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in _core.policies()}


def find_policy(name: str) -> dict[str, Any]:
    row = _by_name().get(name)
    if row is None:
        _core.guarantee(name, 2, None, None, "1", None, [], False)  # says which name is nearest
        raise InvalidParameter("policy", name, "unknown")
    return row


@values.says_what_it_takes()
def bounds(problem: ProblemLike, *, epsilon: float | None, horizon: float, feedback: str | None = None,
           delta: float | None = None, steepness: float | None = None) -> list[dict[str, Any]]:
    """Every bound on regret, with its value on the problem, or None and why.

    epsilon is PRIVACY, not exploration; None for bounds of policies without.
    """
    maker, arguments, keywords = Problem.of(problem)._made_by
    if maker is not Problem:
        raise InvalidParameter("problem", Problem.of(problem).name, "must be a name, means or a prior: bounds speak of "
                               "outcomes that are drawn by a known law")
    means = keywords["means"]
    return _core.bounds(arguments[0], None if means is None else values.reals("means", means), keywords["prior"],
                        keywords["actions"], values.word("feedback", feedback), values.number("epsilon", epsilon),
                        values.number("delta", delta), values.number("steepness", steepness),
                        values.integer("horizon", horizon) or "")


@values.says_what_it_takes()
def guarantee(policy: str, *, epsilon: float | None = None, arms: int | None = None, delta: float | None = None,
              horizon: float = 1_000_000, actions: str | None = None, params: Mapping[str, Any] | None = None,
              noise: str = "ideal") -> dict[str, Any]:
    """What a policy really promises, computed from its parts, and why: notion, epsilon, delta, because.

    epsilon is PRIVACY, not exploration: the one that the policy is given. noise is "ideal" (doubles) or "exact".
    """
    sets = find_policy(values.name("policy", policy))["feedback"] in ("semi", "cascade")
    if arms is None:
        arms = 4 if sets else 2
    if actions is None and sets:
        actions = f"top:{min(2, arms)}"
    if noise not in ("ideal", "exact"):
        raise InvalidParameter("noise", noise, "must be ideal (doubles) or exact (integers)")
    return _core.guarantee(policy, values.natural("arms", arms, 1, 10**7), values.number("epsilon", epsilon),
                           values.number("delta", delta), values.integer("horizon", horizon) or "",
                           values.word("actions", actions), list(values.parameters(params).items()), noise == "exact")


@values.says_what_it_takes()
def audit(policy: Any = None, *, epsilon: float, delta: float | None = None, notion: str | None = None,
          samples: float | None = None, rounds: int | None = None, seed: int = 1,
          params: Mapping[str, Any] | None = None, exact: bool = False, replay: bool = False,
          threads: int | None = None) -> dict[str, Any]:
    """Tries to break a policy's guarantee by playing it on inputs that differ in one user.

    epsilon is PRIVACY, not exploration: the one that the policy is given. The field `verdict` has what came of it:
    "violated"; "not refuted", which is no proof; "nothing seen", where nothing was released in so few rounds; "holds",
    where all that can happen was gone through.

    policy   a name, or a class of your own, of which nothing but its actions is seen
    notion   "central" or "local", the policy's own unless given; "instantaneous"; "environment", without a policy
    samples  runs at most; it stops earlier when it knows
    rounds   of a run; give a class of your own few, since Python plays them all
    exact    compute the worst case over a few rounds instead of sampling, where that can be done
    replay   only look for what depends on a user but through releases
    """
    guest = None if policy is None else guest_of(policy)
    given = values.parameters(params)
    if guest is not None and given:
        raise InvalidParameter("params", ", ".join(given), "are for policies that have a name; give those of a class "
                               "with functools.partial")
    return _core.audit(policy if isinstance(policy, str) else None, guest, values.number("epsilon", epsilon) or "",
                       values.number("delta", delta), values.word("notion", notion),
                       values.integer("samples", samples), values.integer("rounds", rounds),
                       values.integer("seed", seed) or "", values.integer("threads", threads),
                       [f"{name}={value}" for name, value in given.items()], values.flag("exact", exact),
                       values.flag("replay", replay))
