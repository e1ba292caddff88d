"""Pictures, with matplotlib."""
from __future__ import annotations

from typing import Any, Iterable, Union

from . import _core
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
    axes = plt.gca() if ax is None else ax
    for result in [results] if isinstance(results, Result) else results:
        mean, half = _core.curve(result.regret)
        promise = result.guarantee
        said = "no privacy" if promise["epsilon"] is None else f"{promise['notion']} {promise['epsilon']:.4g}"
        text = (f"{result.policy} ({said})" if label is None else
                label.format(policy=result.policy, problem=result.problem, epsilon=result.epsilon,
                             horizon=result.horizon, runs=result.runs))
        dashes = {"linestyle": "--" if promise["epsilon"] is None else "-"}
        (drawn,) = axes.plot(result.checkpoints, mean, label=text, **{**dashes, **style})
        axes.fill_between(result.checkpoints, mean - half, mean + half, color=drawn.get_color(), alpha=0.2,
                          linewidth=0)
    if log:
        axes.set_xscale("log")
    axes.set(xlabel="round", ylabel="regret")
    axes.legend()
    return axes
