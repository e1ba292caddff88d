"""Playing policies on problems, here or on many machines."""
from __future__ import annotations

import builtins
import inspect
from itertools import product
from typing import Any, Callable, Iterable, Mapping, Sequence

from . import _core, values
from .catalogue import find_policy
from .errors import InvalidParameter
from .own import guest_of
from .problem import Problem, ProblemLike
from .results import Identification, Result, Results

_LAST_RUN = 2**53


@values.says_what_it_takes()
def simulate(policy: Any, problem: ProblemLike, *, horizon: float, runs: int, epsilon: float | None = None,
             delta: float | None = None, seed: int = 1, checkpoints: int | str | Sequence[int] = 50,
             params: Mapping[str, Any] | None = None, noise: str = "ideal", plain: bool = False,
             delay: int | str | None = None, against: str = "oracle", intervals: float | None = None,
             feedback: str | None = None, threads: int | None = None, first_run: int = 0) -> Result:
    """Plays `runs` independent runs of a policy on a problem.

    epsilon is PRIVACY, the epsilon of differential privacy, not a share of exploration: smaller is more private.
    Private policies need one, others ignore it.

    policy       a name of `tacit.policies()`, or a class of your own with choose(t) and learn(arm, outcome)
    problem      a name of `tacit.problems()`, means, a `Problem`, or an object that draws
    checkpoints  where regret is read: how many, evenly on a logarithmic scale; "linear:20"; or the rounds
                 themselves, the last of which is the horizon
    seed         of the runs: the same seed gives the same bits
    delta        the second parameter of privacy, for policies that have one
    params       the policy's own parameters, {"first": 16}
    noise        "ideal" (doubles, as in papers) or "exact" (integers, as in production)
    delay        answers come late: 100 rounds, "geometric:100" or "geometric:100:500"
    intervals    0.05: intervals of the means as well, each of which may ever miss with this probability
    feedback     "bandit", "full", "semi" or "cascade"; the policy's own unless given
    against      regret on sets is against "oracle", what the search for sets promises, or the "best" set
    plain        decide every round by itself, skip nothing
    threads      all cores unless given
    first_run    the number of the first run: 40 runs from 40 on are the second half of 80

    The result is a function of seed, policy, problem and run: neither threads nor sharding change a bit of it, and
    `tacit simulate` gives the same. Ctrl-C ends it. Raises InvalidParameter, a ValueError.
    """
    first = values.natural("first_run", first_run, 0, _LAST_RUN)
    text = _request(policy, horizon=values.integer("horizon", horizon), runs=runs, epsilon=epsilon, delta=delta,
                    seed=seed, params=params, noise=noise, plain=plain, delay=delay)
    text["against"] = values.name("against", against)
    text["intervals"] = values.number("intervals", intervals)
    text["feedback"] = values.word("feedback", feedback)
    rounds = _checkpoints(checkpoints, text)
    job = _core.Job(text, Problem.of(problem)._core, guest_of(policy), rounds)
    arrays = job.play(first, values.integer("threads", threads))
    if intervals is not None:
        arrays["alpha"] = float(intervals)
    return Result(job.header(), arrays, first)


@values.says_what_it_takes()
def identify(policy: Any, problem: ProblemLike, *, error: float | None = None, budget: float | None = None,
             runs: int = 100, epsilon: float | None = None, delta: float | None = None, most: float | None = None,
             top: int | None = None, seed: int = 1, params: Mapping[str, Any] | None = None, noise: str = "ideal",
             plain: bool = False, delay: int | str | None = None, threads: int | None = None,
             first_run: int = 0) -> Identification:
    """Plays until the best arm is known, and is wrong with probability at most `error`.

    epsilon is PRIVACY, not exploration.

    budget   instead of error: so many rounds, and how often the recommendation is wrong after them
    most     samples after which a run gives up
    top      how many arms are to be found

    The others are those of `simulate()`.
    """
    if error is None and budget is None:
        raise InvalidParameter("error", "", "must be given: how often a recommendation may be wrong, like 0.05; or "
                               "budget=N, for so many rounds")
    first = values.natural("first_run", first_run, 0, _LAST_RUN)
    text = _request(policy, horizon=None, runs=runs, epsilon=epsilon, delta=delta, seed=seed, params=params,
                    noise=noise, plain=plain, delay=delay)
    text["error"] = values.number("error", error)
    text["budget"] = values.integer("budget", budget)
    text["most"] = values.integer("most", most)
    text["top"] = values.integer("top", top)
    if (guest := guest_of(policy)) is not None:
        raise InvalidParameter("policy", guest.name, "is a class, which says nothing of how sure it is: "
                               "only policies of tacit.policies() identify")
    job = _core.Job(text, Problem.of(problem)._core, None, None)
    arrays = job.play(first, values.integer("threads", threads))
    return Identification(job.header(), arrays, first)


_PASSED_ON = tuple(inspect.signature(simulate).parameters)


@values.says_what_it_takes(*_PASSED_ON)
def tasks(policies: Iterable[Any], problems: Iterable[ProblemLike], epsilons: Iterable[float], *, runs: int,
          shards: int = 1, **common: Any) -> list[dict[str, Any]]:
    """The calls of `simulate()` that make up a sweep, as data: for `run_task`, here or on another machine.

    Each is cut into as many shards; `Result.concatenate` puts them together. epsilons are PRIVACY, not exploration; a
    policy without is played once. ("mgf-imed", {"first": 4}) is a policy with parameters of its own.
    """
    for given in ("policy", "problem", "epsilon", "first_run"):
        if given in common:
            raise TypeError(f"{given}: a sweep has policies, problems and epsilons, and numbers its runs itself")
    wanted = values.natural("runs", runs, 1)
    pieces = min(values.natural("shards", shards, 1, 10**6), wanted)
    cuts = [wanted * i // pieces for i in range(pieces + 1)]
    return [dict(problem=problem, epsilon=epsilon, first_run=low, runs=high - low, **{**common, **played})
            for played, problem, epsilon in _cells(policies, problems, epsilons)
            for low, high in zip(cuts, cuts[1:])]


def run_task(task: Mapping[str, Any]) -> Result:
    """Plays one of `tasks()`, on whatever machine."""
    if not isinstance(task, Mapping):
        raise values.refuse_type("task", "one of tasks()", task)
    return simulate(**task)


@values.says_what_it_takes(*_PASSED_ON)
def sweep(policies: Iterable[Any], problems: Iterable[ProblemLike], epsilons: Iterable[float], *, horizon: float,
          runs: int, shards: int = 1, map: Callable[..., Iterable[Any]] = builtins.map, **common: Any) -> Results:
    """Every policy on every problem at every epsilon, which is PRIVACY, not exploration. One without is played once.

    ("mgf-imed", {"first": 4}) is a policy with parameters of its own. For what a sweep has one of, a horizon or a
    delay, add sweeps: `sweep(..., delay=0) + sweep(..., delay=100)`.

    shards  into how many pieces each is cut, to be played apart
    map     anybody's that keeps the order: concurrent.futures' pool.map, mpi4py.futures' MPIPoolExecutor().map, or of
            dask's client `lambda f, tasks: client.gather(client.map(f, tasks))`. The bits are the same with all.

    What `simulate()` takes can be given as well.
    """
    if map is not builtins.map:
        common.setdefault("threads", 1)  # whoever has a map has workers
    todo = tasks(policies, problems, epsilons, runs=runs, shards=shards, horizon=horizon, **common)
    parts = list(map(run_task, todo))
    if [_told(part) for part in parts] != [_asked(task) for task in todo]:
        raise InvalidParameter("map", getattr(map, "__name__", "map"),
                               "must give the result of every task, in the order of tasks")
    pieces = min(int(shards), int(runs))
    return Results(Result.concatenate(parts[i:i + pieces]) for i in range(0, len(parts), pieces))


def _asked(task: Mapping[str, Any]) -> tuple[Any, ...]:
    guest = guest_of(task["policy"])
    epsilon = task["epsilon"]
    return (task["policy"] if guest is None else guest.name, None if epsilon is None else float(epsilon),
            task["first_run"], task["runs"])


def _told(result: Any) -> tuple[Any, ...]:
    return (result.policy, result.epsilon, result.first_run, result.runs) if isinstance(result, Result) else ()


def _request(policy: Any, *, horizon: str | None, runs: Any, epsilon: Any, delta: Any, seed: Any, params: Any,
             noise: Any, plain: Any, delay: Any) -> dict[str, Any]:
    for argument, given in (("seed", seed), ("noise", noise)):
        if given is None:
            raise values.refuse_type(argument, "given, or left out", given)
    return {"policy": policy if isinstance(policy, str) else None, "horizon": horizon,
            "runs": values.integer("runs", runs), "epsilon": values.number("epsilon", epsilon),
            "delta": values.number("delta", delta), "seed": values.integer("seed", seed),
            "params": values.parameters(params), "noise": values.word("noise", noise),
            "plain": "yes" if values.flag("plain", plain) else None,
            "delay": delay if delay is None or isinstance(delay, str) else values.integer("delay", delay)}


def _checkpoints(given: Any, text: dict[str, Any]) -> list[int] | None:
    """Rounds, where they are given one by one; else they are put into the text."""
    if isinstance(given, str):
        text["checkpoints"] = given
        return None
    if hasattr(given, "__iter__"):
        return [values.natural("checkpoints", t, 1) for t in given]
    if given is None:
        raise values.refuse_type("checkpoints", "a number, a string or a sequence of rounds", given)
    text["checkpoints"] = f"log:{values.integer('checkpoints', given)}"
    return None


def _cells(policies: Any, problems: Any, epsilons: Any) -> list[tuple[dict[str, Any], Any, float | None]]:
    for argument, given in (("policies", policies), ("problems", problems), ("epsilons", epsilons)):
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise values.refuse_type(argument, "a sequence", given)
    every = list(epsilons)
    each = [_with_parameters(policy) for policy in policies]
    if not every and any(_is_private(one["policy"]) for one in each):
        raise InvalidParameter("epsilons", "[]", "must have one for private policies")
    return [(one, problem, epsilon) for one, problem in product(each, list(problems))
            for epsilon in (every if _is_private(one["policy"]) else [None])]


def _with_parameters(policy: Any) -> dict[str, Any]:
    """Of a policy, or of a pair ("mgf-imed", {"first": 4})."""
    if not isinstance(policy, tuple):
        return {"policy": policy}
    if len(policy) != 2:
        raise values.refuse_type("policies", "a policy, or a pair of one and its parameters", policy)
    return {"policy": policy[0], "params": policy[1]}


def _is_private(policy: Any) -> bool:
    guest = guest_of(policy)
    return guest.central if guest is not None else find_policy(policy)["trust"] != "none"
