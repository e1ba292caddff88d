"""Arguments as the text that the library reads, so that a call and the command line mean the same to the last digit."""
from __future__ import annotations

import difflib
import functools
import inspect
import math
import numbers
import operator
import os
from typing import Any, Callable, Iterable, Mapping, ParamSpec, TypeVar

from .errors import InvalidParameter

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")

# What other libraries and papers call it.
_ELSEWHERE = {"eps": "epsilon", "t": "horizon", "rounds": "horizon", "steps": "horizon", "n_rounds": "horizon",
              "n_runs": "runs", "nb_runs": "runs", "repetitions": "runs", "n_sims": "runs", "n_jobs": "threads",
              "workers": "threads", "random_state": "seed", "generator": "rng", "k": "arms", "n_arms": "arms",
              "n_actions": "arms", "nbarms": "arms", "bandit": "problem", "env": "problem", "colour": "color"}


def meant(given: str, known: Iterable[str]) -> str:
    """"; did you mean runs?", or nothing."""
    names = list(known)
    near = [name for name in [_ELSEWHERE.get(given.lower(), "")] if name in names]
    near = near or difflib.get_close_matches(given, names, 1)
    return f"; did you mean {near[0]}?" if near else ""


def says_what_it_takes(*more: str) -> Callable[[Callable[_Given, _Made]], Callable[_Given, _Made]]:
    """Refuses an argument that there is not, as Python does, and says which is nearest. `more`: what is passed on."""

    def decorate(call: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
        known = [one.name for one in inspect.signature(call).parameters.values()
                 if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.name not in ("self", "cls")]
        name = call.__qualname__.removesuffix(".__init__")

        @functools.wraps(call)
        def called(*args: _Given.args, **given: _Given.kwargs) -> _Made:
            refuse_unknown(name, given, [*known, *more])
            return call(*args, **given)

        return called

    return decorate


def refuse_unknown(call: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for one in given:
        if one not in names:
            raise TypeError(f"{one}: {call}() has no such argument{meant(one, names)}")


def refuse_type(argument: str, wanted: str, given: object) -> TypeError:
    return TypeError(f"{argument}: must be {wanted}, not {type(given).__name__}")


def number(argument: str, given: Any) -> str | None:
    """A real number, with all its digits."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, numbers.Real) and not _is_scalar(given):
        raise refuse_type(argument, "a number", given)
    return repr(float(given))


def integer(argument: str, given: Any) -> str | None:
    """A whole number; 1e6 is one."""
    if given is None:
        return None
    if isinstance(given, bool):
        raise refuse_type(argument, "a whole number", given)
    try:
        return str(operator.index(given))
    except TypeError:
        pass
    if not isinstance(given, numbers.Real) and not _is_scalar(given):
        raise refuse_type(argument, "a whole number", given)
    real = float(given)
    if not math.isfinite(real) or real != int(real):
        raise InvalidParameter(argument, given, "must be a whole number")
    return str(int(real))


def natural(argument: str, given: Any, low: int = 0, high: int = 2**53) -> int:
    """A whole number within bounds, as one."""
    text = integer(argument, given)
    if text is None or not low <= int(text) <= high:
        raise InvalidParameter(argument, given, f"must be a whole number from {low} to {high}")
    return int(text)


def word(argument: str, given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        raise refuse_type(argument, "a string", given)
    if not given.isprintable():
        raise InvalidParameter(argument, ascii(given), "must be printable text")
    return given


def name(argument: str, given: Any) -> str:
    text = word(argument, given)
    if text is None:
        raise refuse_type(argument, "a string", given)
    return text


def path(argument: str, given: Any) -> str:
    """Of a file or a folder."""
    try:
        text = os.fsdecode(given)
    except TypeError:
        raise refuse_type(argument, "a path", given) from None
    if not text or "\0" in text:
        raise InvalidParameter(argument, repr(text), "must be the path of a file or folder")
    return text


def flag(argument: str, given: Any) -> bool:
    if not isinstance(given, bool) and type(given).__name__ != "bool_":
        raise refuse_type(argument, "True or False", given)
    return bool(given)


def reals(argument: str, given: Iterable[Any]) -> str:
    """Numbers, separated by commas."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise refuse_type(argument, "a sequence of numbers", given)
    dimensions = getattr(given, "ndim", 1)
    if dimensions != 1:
        raise InvalidParameter(argument, f"{dimensions} dimensions", "must have one; Problem.from_outcomes() and "
                               "Problem.from_users() take tables")
    texts = [number(argument, one) for one in given]
    if any(text is None for text in texts):
        raise refuse_type(argument, "a sequence of numbers", None)
    if not texts:
        raise InvalidParameter(argument, "[]", "must have a number for every arm")
    return ",".join(text for text in texts if text is not None)


def parameters(given: Mapping[str, Any] | None) -> dict[str, str]:
    """A policy's own parameters."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise refuse_type("params", "a mapping of names to values", given)
    texts = {}
    for key, value in given.items():
        if isinstance(value, str):
            texts[name("params", key)] = value
        elif isinstance(value, bool):
            raise refuse_type(f"params[{key!r}]", "a number or a string", value)
        else:
            text = number(f"params[{key!r}]", value)
            if text is None:
                raise refuse_type(f"params[{key!r}]", "a number or a string", value)
            texts[name("params", key)] = text[:-2] if text.endswith(".0") else text
    return texts


def _is_scalar(given: Any) -> bool:
    """A number of numpy's."""
    return getattr(given, "ndim", None) == 0 and getattr(getattr(given, "dtype", None), "kind", "") in "iuf"
