"""The lab: experiments in files, results that survive whatever ends a run."""
from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Callable, Iterable

import numpy as np

from . import _core, values
from .errors import InvalidParameter
from .results import Identification, Result, Results


class Experiment:
    """An experiment of the lab, a TOML file as `tacit run` takes it. `configurations` are its cells."""

    def __init__(self, path: str | os.PathLike[str]):
        file = values.path("path", path)
        try:
            with open(file, encoding="utf-8") as text:
                self._core = _core.Experiment(text.read(), file)
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidParameter("path", file, f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"
                                   ) from None

    @property
    def title(self) -> str:
        """As the file has it."""
        return self._core.title

    @property
    def configurations(self) -> list[dict[str, Any]]:
        """What is played: a policy on a problem at an epsilon each, with all that is set."""
        return self._core.configurations()

    def run(self, folder: str | os.PathLike[str], *, shard: tuple[int, int] = (1, 1), threads: int | None = None,
            map: Callable[..., Iterable[Any]] | None = None) -> Results:
        """Plays what the folder lacks; the same call goes on after whatever ended it. Returns what is there.

        shard    (1, 20): the first of twenty parts, which `tacit merge` puts together
        threads  all cores unless given
        map      of a pool, of MPI or of dask, as in `sweep()`, in any order: who computes a piece changes nothing. Each
                 piece is stored as it comes back, and what was stored is not computed again.
        """
        place = values.path("folder", folder)
        index, count = (values.natural("shard", part, 1, 10**6) for part in _pair("shard", shard))
        if index > count:
            raise InvalidParameter("shard", shard, "must be (i, n) with i from 1 to n")
        if map is None:
            self._core.run(place, index, count, values.integer("threads", threads))
        elif count != 1:
            raise InvalidParameter("shard", shard, "leave it out with a map, which spreads the work already")
        else:
            self._run_over(place, map)
        return load(place)

    def _run_over(self, folder: str, map: Callable[..., Iterable[Any]]) -> None:
        coordinator = _core.Coordinator(self._core, folder)
        try:
            pieces = []
            while (piece := coordinator.take()) is not None:
                pieces.append((self._core.text, self._core.file, *piece))
            for (task, result, benchmark, proven) in map(_compute, pieces):
                coordinator.finish(task, result, benchmark, proven)
        finally:
            coordinator.close()

    def __repr__(self) -> str:
        return f"<tacit.Experiment {self._core.file}: {self.title}>"


def load(folder: str | os.PathLike[str]) -> Results:
    """What a folder of results has: a Result, or an Identification, for every configuration with finished runs."""
    found: list[Any] = []
    for stored in _core.load(values.path("folder", folder)):
        document, runs = stored["document"], stored["run"]
        if len(runs) == 0:
            continue
        arrays = {name: stored[name] for name in ("run", "regret", "decisions", "benchmark", "benchmark_proven")}
        arrays.update(pulls=stored["pulls"].astype(np.int64), checkpoints=np.asarray(document["checkpoints"], np.int64),
                      seconds=float("nan"))
        if "top" not in document:
            found.append(Result(document, arrays, int(runs[0])))
            continue
        bounds = {bound["name"]: bound["values"][-1] for bound in document["bounds"]}
        arrays["stopped"] = stored["regret"][:, 1] < document["horizon"]
        found.append(Identification({**document, "lower_bound": bounds.get("fewest-samples")}, arrays, int(runs[0])))
    return Results(found)


@lru_cache(maxsize=8)
def _experiment(text: str, file: str) -> _core.Experiment:
    return _core.Experiment(text, file)


def _compute(piece: tuple[str, str, int, int, int]) -> tuple[int, bytes, float, bool]:
    """A piece of an experiment, on whatever machine."""
    text, file, task, first, runs = piece
    result, benchmark, proven = _experiment(text, file).compute(task, first, runs)
    return task, result, benchmark, proven


def _pair(argument: str, given: Any) -> tuple[Any, Any]:
    if not isinstance(given, tuple) or len(given) != 2:
        raise values.refuse_type(argument, "a pair (i, n)", given)
    return given[0], given[1]
