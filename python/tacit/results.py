"""What runs came to: arrays with a row a run, and the same numbers that the command line prints."""
from __future__ import annotations

import html
from typing import Any, Iterable, Iterator, Mapping, Sequence, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core, values
from .errors import InvalidParameter


_OF_ALL = ("noise", "delay", "seed", "horizon")  # what all policies have
_MORE = ("feedback", "actions", "against", "environment_epsilon", "error", "budget", "top")


class _Runs:
    """Runs of one policy on one problem."""

    _joined: tuple[str, ...] = ()

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, Any], first_run: int):
        self._header = dict(header)
        self._arrays = dict(arrays)
        for array in self._arrays.values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False  # what was measured stays
        self.first_run = first_run

    @property
    def policy(self) -> str:
        """Its name; of a class of one's own with what functools.partial gave it."""
        return self._header["policy"]

    @property
    def problem(self) -> str:
        """Its name."""
        return self._header["problem"]

    @property
    def epsilon(self) -> float | None:
        """As it was given; None for a policy without privacy."""
        return self._header["epsilon"]

    @property
    def params(self) -> dict[str, str]:
        """Every parameter of the policy, given or not."""
        return dict(self._header["params"])

    @property
    def seed(self) -> int:
        """Of all runs: with policy, problem and the number of a run it says everything about it."""
        return self._header["seed"]

    @property
    def delta(self) -> float | None:
        """As it was given, or the usual one; None for a policy without."""
        return self._header.get("delta")

    @property
    def delay(self) -> str | None:
        """How late answers come, "100" or "geometric:100"; None: at once."""
        return self._header.get("delay")

    @property
    def noise(self) -> str | None:
        """"ideal" (doubles) or "exact" (integers); None without."""
        said = self._header["guarantee"].get("arithmetic")
        return "ideal" if said == "idealised" else said

    @property
    def guarantee(self) -> dict[str, Any]:
        """What the runs really promise, computed from the policy's parts, and why."""
        return dict(self._header["guarantee"])

    @property
    def runs(self) -> int:
        return len(self._arrays["regret"])

    @property
    def seconds(self) -> float:
        """CPU time of all runs."""
        return self._arrays["seconds"]

    @property
    def pulls(self) -> NDArray[np.int64]:
        """(runs, arms): how often each arm was played."""
        return self._arrays["pulls"]

    @property
    def decisions(self) -> NDArray[np.int64]:
        """(runs,): how often the policy was asked; the rounds between were skipped."""
        return self._arrays["decisions"]

    def _setting(self) -> dict[str, Any]:
        """All that two of one policy, problem and epsilon may differ in; parameters as numbers."""
        told: dict[str, Any] = {f"params.{name}": _number(value) for name, value in self.params.items()}
        told.update(delta=self.delta, delay=self.delay, seed=self.seed)
        if self.noise is not None:
            told["noise"] = self.noise
        return {**told, **{name: self._header[name] for name in ("horizon", *_MORE) if name in self._header}}

    @classmethod
    def concatenate(cls, parts: Iterable[Any]) -> Any:
        """Shards of one result put together, in the order of their runs: the same bits as one call."""
        given = list(parts)
        for part in given:
            if type(part) is not cls:
                raise TypeError(f"parts: must be of type {cls.__name__}, not {type(part).__name__}")
        ordered = sorted(given, key=lambda part: part.first_run)
        if not ordered:
            raise InvalidParameter("parts", "[]", "must be the shards of a result, at least one")
        expected = ordered[0].first_run
        for part in ordered:
            if part._header != ordered[0]._header or not np.array_equal(
                    part._arrays["checkpoints"], ordered[0]._arrays["checkpoints"]):
                raise InvalidParameter("parts", f"{part!r}", "must be shards of one result: this one is of another")
            if part.first_run != expected:
                raise InvalidParameter("parts", f"run {part.first_run}",
                                       f"must be shards without gaps: run {expected} comes next")
            expected += part.runs
        arrays = dict(ordered[0]._arrays)
        for name in cls._joined:
            if name in arrays:
                arrays[name] = np.concatenate([part._arrays[name] for part in ordered])
        arrays["seconds"] = sum(part._arrays["seconds"] for part in ordered)
        return cls(ordered[0]._header, arrays, ordered[0].first_run)

    def _run_numbers(self) -> NDArray[np.int64]:
        """Of every row: those of a folder may have gaps, where shards are not merged."""
        return self._arrays.get("run", np.arange(self.first_run, self.first_run + self.runs))

    def document(self) -> dict[str, Any]:
        """What the command line prints of the same runs with --json."""
        raise NotImplementedError

    def summary(self) -> dict[str, Any]:
        """One row of a table."""
        raise NotImplementedError


class Result(_Runs):
    """What `simulate()` gives. Rows are runs, columns checkpoints.

        regret (runs, checkpoints)   checkpoints   pulls (runs, arms)   decisions (runs,)   guarantee
        final_regret  mean()  ci95()  summary()  to_frame("curve" | "runs" | "long")  document()
    """

    _joined = ("regret", "pulls", "decisions", "low", "high", "missed", "differences_missed")

    @property
    def horizon(self) -> int:
        """How many rounds a run has."""
        return self._header["horizon"]

    @property
    def checkpoints(self) -> NDArray[np.int64]:
        """(checkpoints,): the rounds after which regret was read; the last is the horizon."""
        return self._arrays["checkpoints"]

    @property
    def regret(self) -> NDArray[np.float64]:
        """(runs, checkpoints): of every run, until every checkpoint."""
        return self._arrays["regret"]

    @property
    def final_regret(self) -> NDArray[np.float64]:
        """Of every run, at the horizon."""
        return self.regret[:, -1]

    @property
    def intervals(self) -> dict[str, NDArray[Any]] | None:
        """Where they were asked for: low and high (runs, checkpoints, arms), missed (runs, arms)."""
        if "low" not in self._arrays:
            return None
        return {name: self._arrays[name] for name in ("low", "high", "missed", "differences_missed")}

    def mean(self) -> NDArray[np.float64]:
        """Mean regret at every checkpoint, in the library's own arithmetic: the digits that the command line has."""
        return _core.curve(self.regret)[0]

    def ci95(self) -> NDArray[np.float64]:
        """Half the width of the 95% interval of the mean (Student's t) at every checkpoint; NaN for one run."""
        return _core.curve(self.regret)[1]

    def summary(self) -> dict[str, Any]:
        """One row: what was played, mean regret at the end with its interval and quantiles, the guarantee."""
        regret = self.document()["regret"]
        mean = regret["mean"]
        half = float(self.ci95()[-1])
        return {"policy": self.policy, "problem": self.problem, "epsilon": self.epsilon, "horizon": self.horizon,
                "runs": self.runs, "regret": mean, "ci95": half, "q05": regret["quantiles"]["0.05"],
                "median": regret["quantiles"]["0.5"], "q95": regret["quantiles"]["0.95"],
                "guarantee": self._header["guarantee"]["notion"],
                "guarantee_epsilon": _or_infinity(self._header["guarantee"]["epsilon"]), "seconds": self.seconds}

    def document(self) -> dict[str, Any]:
        """What `tacit simulate --json` prints of the same runs."""
        arrays = self._arrays
        document = dict(self._header)
        document.update(_core.measurement(arrays["regret"], arrays["pulls"], arrays["decisions"],
                                          arrays["checkpoints"], arrays["benchmark"], arrays["benchmark_proven"]))
        document["rounds"] = self.horizon * self.runs
        document["seconds"] = self.seconds
        if "low" in arrays:
            document["intervals"] = _core.intervals(arrays["alpha"], arrays["low"], arrays["high"], arrays["missed"],
                                                    arrays["differences_missed"], arrays["checkpoints"])
        return document

    def to_frame(self, what: str = "curve") -> Any:
        """A pandas frame: "curve" has a row a checkpoint, "runs" a row a run, "long" a row for both."""
        import pandas

        labels = {"policy": self.policy, "problem": self.problem, "epsilon": self.epsilon}
        run = self._run_numbers()
        data: dict[str, Any]
        values.word("what", what)
        if what == "curve":
            mean, half = _core.curve(self.regret)
            data = {"t": self.checkpoints, "regret": mean, "lo": mean - half, "hi": mean + half}
        elif what == "runs":
            data = {"run": run, "regret": self.final_regret}
            if len(self.decisions) == self.runs:  # what the lab keeps is of blocks of runs
                data["decisions"] = self.decisions
                data.update({f"pulls_{arm}": self.pulls[:, arm] for arm in range(self.pulls.shape[1])})
        elif what == "long":
            runs, rounds = np.meshgrid(run, self.checkpoints, indexing="ij")
            data = {"run": runs.ravel(), "t": rounds.ravel(), "regret": self.regret.ravel()}
        else:
            raise InvalidParameter("what", what, "must be 'curve', 'runs' or 'long'")
        return pandas.DataFrame({**labels, **data})

    def __repr__(self) -> str:
        return (f"<tacit.Result {self.policy} on {self.problem}: {self.runs} runs, regret "
                f"{self.mean()[-1]:.6g} after {self.horizon} rounds, {_promise(self._header['guarantee'])}>")

    def _repr_html_(self) -> str:
        return Results([self])._repr_html_()


class Identification(_Runs):
    """What `identify()` gives. Rows are runs.

        samples (runs,)  recommended (runs, top)  wrong (runs,)  stopped (runs,)  pulls  guarantee
        summary()  to_frame()  document()
    """

    _joined = ("regret", "pulls", "decisions", "recommended", "stopped")

    @property
    def samples(self) -> NDArray[np.int64]:
        """How many rounds it took."""
        return self._arrays["regret"][:, 1].astype(np.int64)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Whether the recommendation is; a run that gave up has none that counts."""
        return self._arrays["regret"][:, 0] > 0

    @property
    def recommended(self) -> NDArray[np.int32] | None:
        """The arms that were found best; -1: none. None where the lab, which does not keep them, had the runs."""
        return self._arrays.get("recommended")

    @property
    def stopped(self) -> NDArray[np.bool_]:
        """Whether it knew before it had to give up."""
        return self._arrays["stopped"]

    @property
    def lower_bound(self) -> float | None:
        """The fewest samples, on average, by theory; None where that is not known."""
        return self._header["lower_bound"]

    def document(self) -> dict[str, Any]:
        """What `tacit identify --json` prints of the same runs."""
        document = dict(self._header)
        document.update(_core.found(self._arrays["regret"], self.pulls, self.decisions, int(self.stopped.sum())))
        document["seconds"] = self.seconds
        return document

    def summary(self) -> dict[str, Any]:
        """One row: what was played, how many samples it took, how often it was wrong, the guarantee."""
        document = self.document()
        samples = document["samples"]
        return {"policy": self.policy, "problem": self.problem, "epsilon": self.epsilon, "runs": self.runs,
                "samples": samples["mean"], "stderr": samples["stderr"], "median": samples["quantiles"]["0.5"],
                "q95": samples["quantiles"]["0.95"], "wrong": document["wrong"], "stopped": document["stopped"],
                "lower_bound": document["lower_bound"], "guarantee": document["guarantee"]["notion"],
                "guarantee_epsilon": _or_infinity(document["guarantee"]["epsilon"]), "seconds": self.seconds}

    def _ends(self) -> str:
        gave_up = self.runs - int(self.stopped.sum())
        return f"{gave_up} gave up, " if gave_up and self._header["budget"] is None else ""

    def to_frame(self, what: str = "runs") -> Any:
        """A pandas frame with a row a run."""
        import pandas

        if what != "runs":
            raise InvalidParameter("what", what, "must be 'runs': there are no curves of runs that identify")
        return pandas.DataFrame({"policy": self.policy, "problem": self.problem, "epsilon": self.epsilon,
                                 "run": self._run_numbers(), "samples": self.samples, "wrong": self.wrong,
                                 "stopped": self.stopped})

    def _repr_html_(self) -> str:
        return Results([self])._repr_html_()  # type: ignore[list-item]

    def __repr__(self) -> str:
        return (f"<tacit.Identification {self.policy} on {self.problem}: {self.samples.mean():.6g} samples on average "
                f"of {self.runs} runs, {int(self.wrong.sum())} wrong, {self._ends()}{_promise(self._header['guarantee'])}>")


class Results(Sequence[Result]):
    """Many results: a sequence that knows how to become one frame, and one table in a notebook.

    Frames and tables have a column for whatever two of them differ in: params.first, delta, noise, delay, seed, ...
    `+` puts two of them together.
    """

    def __init__(self, results: Iterable[Result]):
        self._results = list(results)

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> "Results": ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Result, "Results"]:
        return Results(self._results[index]) if isinstance(index, slice) else self._results[index]

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __add__(self, others: Iterable[Result]) -> "Results":
        return Results([*self, *others])

    def summary(self) -> list[dict[str, Any]]:
        """A row a result, with what they differ in."""
        return [_after("epsilon", result.summary(), more) for result, more in zip(self, differences(self))]

    def to_frame(self, what: str = "summary") -> Any:
        """A pandas frame: "summary" has a row a result; "curve", "runs" and "long" are those of all results."""
        import pandas

        if what == "summary":
            return pandas.DataFrame(self.summary())
        return pandas.concat([pandas.DataFrame(_after("epsilon", dict(result.to_frame(what)), more))
                              for result, more in zip(self, differences(self))], ignore_index=True)

    def __repr__(self) -> str:
        return f"<tacit.Results: {len(self)}>" + "".join(
            f"\n  {result!r}{said_of(more)}" for result, more in zip(self, differences(self)))

    def _repr_html_(self) -> str:
        summaries = self.summary()
        more = [name for name in _all_names(differences(self)) if name != "horizon"]
        columns = [name for name in ("policy", "problem", "epsilon", *more, "horizon", "runs", "regret", "ci95", "samples", "wrong",
                                     "median") if any(name in summary for summary in summaries)]
        heads = "".join(f"<th>{name}</th>" for name in (*columns, "guarantee"))
        rows = ""
        for result, summary in zip(self, summaries):
            cells = [summary.get(name) for name in columns] + [_promise(result._header["guarantee"])]
            rows += "<tr>" + "".join(f"<td>{html.escape(_shown(cell))}</td>" for cell in cells) + "</tr>"
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def differences(results: Iterable[Any]) -> list[dict[str, Any]]:
    """Of every result, what it and another one of these differ in beside policy, problem and epsilon.

    Parameters and the like belong to a policy: those are compared where that is the same.
    """
    given = list(results)
    settings = [result._setting() for result in given]
    differing = []
    for name in _all_names(settings):
        seen: dict[Any, set[Any]] = {}
        for result, setting in zip(given, settings):
            if name in setting:
                seen.setdefault(None if name in _OF_ALL else result.policy, set()).add(setting[name])
        if any(len(values) > 1 for values in seen.values()):
            differing.append(name)
    return [{name: setting.get(name) for name in differing} for setting in settings]


def said_of(more: Mapping[str, Any]) -> str:
    """", first=4, delay=100": what differs, for a line of text."""
    return "".join(f", {name.removeprefix('params.')}={_shown(value)}" for name, value in more.items()
                   if value is not None)


def _all_names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _after(name: str, row: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """With what is not there already put in behind this one."""
    names = list(row)
    place = names.index(name) + 1
    return {**{key: row[key] for key in names[:place]}, **{key: more[key] for key in more if key not in row},
            **{key: row[key] for key in names[place:]}}


def _number(text: str) -> float | int | str:
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() else value


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _promise(guarantee: Mapping[str, Any]) -> str:
    if guarantee["epsilon"] is None:
        return "no privacy"
    delta = f", delta {guarantee['delta']:.2g}" if guarantee["delta"] else ""
    return f"{guarantee['notion']} epsilon {guarantee['epsilon']:.4g}{delta}"


def _or_infinity(epsilon: float | None) -> float:
    return float("inf") if epsilon is None else epsilon
