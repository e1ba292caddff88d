"""Pictures, with matplotlib."""
from __future__ import annotations

from typing import Any, Iterable, Union

from . import _core, values
from .errors import InvalidParameter
from .results import Result


def plot_regret(results: Union[Result, Iterable[Result]], ax: Any = None, *, label: str | None = None,
                log: bool = True, **line: Any) -> Any:
    """Mean regret over rounds with its 95% band, a line a result: dashed where there is no privacy. Returns the axes.

    label   a format of policy, problem, epsilon, horizon, runs: "{policy}" where the title says the rest. The usual one
            has the guarantee that each really has.
    line    whatever matplotlib's plot takes
    """
    import matplotlib.pyplot as plt
    from matplotlib import cbook
    from matplotlib.lines import Line2D

    style = cbook.normalize_kwargs(line, Line2D)
    drawn_ones = [results] if isinstance(results, Result) else list(results)
    for result in drawn_ones:
        if not isinstance(result, Result):
            raise values.refuse_type("results", "a Result, or several", result)
    axes = plt.gca() if ax is None else ax
    several = len({result.problem for result in drawn_ones}) > 1
    for result in drawn_ones:
        mean, half = _core.curve(result.regret)
        promise = result.guarantee
        said = "no privacy" if promise["epsilon"] is None else f"{promise['notion']} {promise['epsilon']:.4g}"
        usual = f"{result.policy} ({said})" + (f" on {result.problem}" if several else "")
        fields = {name: getattr(result, name) for name in ("policy", "problem", "epsilon", "horizon", "runs")}
        try:
            text = usual if label is None else label.format(**fields)
        except (KeyError, IndexError, ValueError):
            raise InvalidParameter("label", label, f"must be a format of {', '.join(fields)}") from None
        dashes = {"linestyle": "--" if promise["epsilon"] is None else "-"}
        (drawn,) = axes.plot(result.checkpoints, mean, label=text, **{**dashes, **style})
        axes.fill_between(result.checkpoints, mean - half, mean + half, color=drawn.get_color(), alpha=0.2,
                          linewidth=0)
    if log:
        axes.set_xscale("log")
    axes.set(xlabel="round", ylabel="regret")
    if drawn_ones:
        axes.legend()
    return axes
