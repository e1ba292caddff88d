"""Arguments as the text that the library reads, so that a call and the command line mean the same to the last digit."""
from __future__ import annotations

import math
import numbers
import operator
import os
from typing import Any, Iterable, Mapping

from .errors import InvalidParameter


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
