"""Pictures, with matplotlib."""
from __future__ import annotations

from typing import Any, Iterable, Sequence, Union

from . import _core, values
from .errors import InvalidParameter
from .results import Result, differences, said_of

_FIELDS = ("policy", "problem", "epsilon", "horizon", "runs", "seed", "delta", "delay", "noise", "params")


def plot_regret(results: Union[Result, Iterable[Result]], ax: Any = None, *,
                label: Union[str, Sequence[str], None] = None, log: bool = True, **line: Any) -> Any:
    """Mean regret over rounds with its 95% band, a line a result: dashed where there is no privacy. Returns the axes.

    label   a format of policy, problem, epsilon, horizon, runs, seed, delta, delay, noise and params: "{policy}" where
            the title says the rest, "first={params[first]}"; or a list, a text a line. The usual one has the guarantee
            that each really has, and what tells lines apart that would be called the same.
    log     rounds on a logarithmic scale, unless it is False
    line    whatever matplotlib's plot takes; color may be a list, one a line

    The band is Student's t for the mean. Others are `fill_between` of `result.regret`'s quantiles, a line.
    """
    import matplotlib.pyplot as plt
    from matplotlib import cbook
    from matplotlib.artist import ArtistInspector
    from matplotlib.lines import Line2D

    known = ArtistInspector(Line2D)
    values.refuse_unknown("plot_regret", line, ["ax", "label", "log", *known.get_setters(),
                                                *(alias for some in known.aliasd.values() for alias in some)])
    style = cbook.normalize_kwargs(line, Line2D)
    drawn_ones = [results] if isinstance(results, Result) else list(results)
    for result in drawn_ones:
        if not isinstance(result, Result):
            raise values.refuse_type("results", "a Result, or several", result)
    texts = _labels(drawn_ones, label)
    colours = _colours(style, len(drawn_ones))
    axes = plt.gca() if ax is None else ax
    for result, text, colour in zip(drawn_ones, texts, colours):
        mean, half = _core.curve(result.regret)
        dashes = {"linestyle": "--" if result.guarantee["epsilon"] is None else "-"}
        (drawn,) = axes.plot(result.checkpoints, mean, label=text, **{**dashes, **style, **colour})
        axes.fill_between(result.checkpoints, mean - half, mean + half, color=drawn.get_color(), alpha=0.2,
                          linewidth=0)
    if log:
        axes.set_xscale("log")
    axes.set(xlabel="round", ylabel="regret")
    if drawn_ones:
        axes.legend()
    return axes


def _labels(results: list[Result], label: Union[str, Sequence[str], None]) -> list[str]:
    if label is None:
        return _usual_labels(results)
    if not isinstance(label, str):
        if not hasattr(label, "__iter__"):
            raise values.refuse_type("label", "a format, or a list of texts", label)
        return _one_each("label", list(label), len(results))
    try:
        return [label.format(**{name: getattr(result, name) for name in _FIELDS}) for result in results]
    except (KeyError, IndexError, ValueError, AttributeError, TypeError):
        raise InvalidParameter("label", label, f"must be a format of {', '.join(_FIELDS)}") from None


def _usual_labels(results: list[Result]) -> list[str]:
    several = len({result.problem for result in results}) > 1
    usual = []
    for result in results:
        promise = result.guarantee
        said = "no privacy" if promise["epsilon"] is None else f"{promise['notion']} {promise['epsilon']:.4g}"
        usual.append(f"{result.policy} ({said})" + (f" on {result.problem}" if several else ""))
    texts = list(usual)
    for text in set(usual):
        alike = [i for i, other in enumerate(usual) if other == text]
        told = differences([results[i] for i in alike])
        epsilons = {results[i].epsilon for i in alike}
        for i, more in zip(alike, told):
            spent = {"epsilon": results[i].epsilon} if len(epsilons) > 1 else {}
            texts[i] += said_of({**spent, **more})
    return texts


def _colours(style: dict[str, Any], lines: int) -> list[dict[str, Any]]:
    """For each line; a list of them is taken out of the style."""
    from matplotlib.colors import is_color_like

    given = style.get("color")
    if given is None or isinstance(given, str) or is_color_like(given) or not hasattr(given, "__len__"):
        return [{}] * lines
    return [{"color": one} for one in _one_each("color", list(style.pop("color")), lines)]


def _one_each(argument: str, given: list[Any], lines: int) -> list[Any]:
    if len(given) != lines:
        raise InvalidParameter(argument, f"{len(given)} of them", f"must be {lines}, one a line")
    return given
