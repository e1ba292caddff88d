"""tacit learns what works without learning who: differentially private bandits.

    tacit.policies()   tacit.problems()   tacit.bounds(...)   tacit.guarantee(...)   tacit.audit(...)
    tacit.simulate("mgf-imed", "hu-linear", epsilon=0.5, horizon=1e6, runs=40)
    tacit.sweep([...], [...], [0.25, 0.5, 1], horizon=1e6, runs=40, map=pool.map)
    tacit.identify("mgf-tt", [0.6, 0.5, 0.4], epsilon=1, error=0.05)
    tacit.Policy("mgf-imed", arms=5, epsilon=0.5)        a policy to hold, for people
    tacit.Simulated("mgf-imed", arms=5, epsilon=0.5, seed=1)   one to experiment with
    tacit.Experiment("experiments/hu.toml").run("results/hu")  tacit.load("results/hu")

In every call epsilon is PRIVACY, the epsilon of differential privacy: smaller is more private. It is not a share of
exploration, as it is in libraries that have an epsilon-greedy policy.
"""
from ._core import Key, Ticket, __version__
from .catalogue import audit, bounds, guarantee, policies, problems
from .errors import InvalidParameter
from .held import Intervals, Policy, Simulated
from .lab import Experiment, load
from .plotting import plot_regret
from .problem import Problem
from .results import Identification, Result, Results
from .simulation import identify, run_task, simulate, sweep, tasks

__all__ = ["Experiment", "Identification", "Intervals", "InvalidParameter", "Key", "Policy", "Problem", "Result",
           "Results", "Simulated", "Ticket", "__version__", "audit", "bounds", "guarantee", "identify", "load",
           "plot_regret", "policies", "problems", "run_task", "simulate", "sweep", "tasks"]


def __dir__() -> list[str]:
    """What is public: modules are where it is written."""
    return [*__all__, "adapters"]


def __getattr__(name: str) -> object:
    """tacit.adapters, when somebody asks for them."""
    if name == "adapters":
        import importlib

        return importlib.import_module("tacit.adapters")
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")
