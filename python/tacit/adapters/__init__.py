"""tacit's policies inside other people's libraries. Each module is for one, and is imported without it:

    smpybandits.Policy   mabwiser.MAB   obp.Policy   river.Policy   coba.Learner   gymnasium.Env, a Problem to play on

What holds for all policies here:

- epsilon is PRIVACY, not a share of exploration, as it is in all of those libraries.
- Inside is a `tacit.Policy`, with secure noise; with seed=... a `tacit.Simulated`, for experiments. `policy` shows it.
- It has no context, plays one arm a round, and outcomes are in [0, 1]: others are refused, with a ValueError. Rewards
  in [lower, lower + amplitude] are scaled by `lower=` and `amplitude=`. Those must not be read off the data.
- A reward is the answer to the oldest choice of its arm that has none. Where there is none it is refused: a private
  policy cannot learn from decisions that it did not make. If answers may never come, hold a `tacit.Policy`, whose
  tickets tell whose answer it is.
- A copy, or what comes out of a pickle, begins anew: libraries copy a policy for every repetition, and one that
  protects people must not be copied in the middle. With a seed the n-th that plays is run n of it, counted from 0.
"""
from __future__ import annotations

import importlib
from types import ModuleType

__all__ = ["coba", "gymnasium", "mabwiser", "obp", "river", "smpybandits"]


def __getattr__(name: str) -> ModuleType:
    """Each when it is asked for: tacit.adapters.river."""
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
