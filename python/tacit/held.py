"""Policies that a program holds."""
from __future__ import annotations

import hashlib
import json
import os
import weakref
from typing import Any, Mapping, NoReturn

import numpy as np
from numpy.typing import NDArray

from . import _core, values
from .errors import InvalidParameter

_HEAD = b"tacit policy 1 "
_saved: dict[bytes, "weakref.ref[Policy]"] = {}  # who saved a state, by its digest
_taken_up: set[bytes] = set()  # states, by their digests


class Intervals:
    """What may be told of every arm: mean, low, high, n and under_way are arrays with an entry an arm.

    mean is of everything that was released, so that noise may carry it outside [0, 1]; NaN before the first release.
    low and high hold at any time, however often one looks; NaN where releases do not say what a mean is. n is how many
    outcomes are behind it, under_way how many choices fill sums that are full and not released yet; those in a sum that is
    still filling count in neither.
    """

    def __init__(self, coverage: float, arrays: Mapping[str, NDArray[Any]]):
        self.coverage = coverage
        self.mean = arrays["mean"]
        self.low = arrays["low"]
        self.high = arrays["high"]
        self.n = arrays["n"]
        self.under_way = arrays["under_way"]

    def to_frame(self) -> Any:
        """A pandas frame with a row an arm."""
        import pandas

        return pandas.DataFrame({"mean": self.mean, "low": self.low, "high": self.high, "n": self.n,
                                 "under_way": self.under_way}).rename_axis("arm")

    def __repr__(self) -> str:
        rows = "".join(f"\n  arm {arm}: {self.mean[arm]:.4f} in [{self.low[arm]:.4f}, {self.high[arm]:.4f}], "
                       f"{self.n[arm]:.0f} outcomes" for arm in range(len(self.mean)))
        return f"<tacit.Intervals, {self.coverage:.0%} each>{rows}"


class _Held(_core.Held):
    """What both kinds have."""

    _closed = False

    _setup: dict[str, Any]

    def intervals(self, coverage: float = 0.95) -> Intervals:
        """How sure one may be of every arm's mean: from what was released, so that looking costs no privacy.

        The mean is of outcomes with those that did not come in time counted as `missing`: where a fifth of the answers
        is lost and missing=0, arms whose users say yes with 0.6 have a mean of 0.48.
        """
        asked = float(values.number("coverage", coverage) or "nan")
        return Intervals(asked, self._show(asked))

    def take(self, ticket: _core.Ticket, report: Any) -> None:
        """What the user's own device reports, for policies with local privacy."""
        self._take(ticket, report)

    def device_report(self, ticket: _core.Ticket, outcome: Any) -> NDArray[np.float64]:
        """What a user's device says of this outcome, with randomness of its own: for take().

        Once a ticket: two reports cost two epsilons.
        """
        return self._device_report(ticket, outcome)

    def advance(self) -> None:
        """Releases what the next choice would release first."""
        self._advance()

    def replay(self, table: Any) -> NDArray[np.int32]:
        """Plays a row a round, row[a] being what arm a would have given, at the speed of C++.

        Returns the arms that were played. Ctrl-C ends it; what was played until then stays played.
        """
        return self._replay(table)

    def difference(self, a: int, b: int, coverage: float = 0.95) -> tuple[float, float] | None:
        """(low, high) of mean a - mean b, at any time; None where releases do not say what a mean is."""
        return self._difference(a, b, float(values.number("coverage", coverage) or "nan"))

    def best(self, top: int = 1, error: float = 0.05) -> list[int]:
        """The `top` arms of largest means once they are known but for this error; [] before."""
        return self._best(values.natural("top", top, 0, 10**7), float(values.number("error", error) or "nan"))

    def ledger(self) -> list[dict[str, Any]]:
        """What was released: when, of which arm, with which noise, at what cost."""
        return self._ledger()

    @property
    def name(self) -> str:
        """Of the policy."""
        return self._setup["policy"]

    @property
    def arms(self) -> int:
        """How many there are."""
        return self._setup["arms"]

    @property
    def epsilon(self) -> float | None:
        """As it was given: privacy. What that comes to is in `guarantee`."""
        given = self._setup["epsilon"]
        return None if given is None else float(given)


class Policy(_Held):
    """A policy that may be trusted with people: exact noise from the operating system's randomness.

        policy = tacit.Policy("mgf-imed", arms=5, epsilon=0.5)
        ticket = policy.choose()              # show ticket.arm to somebody
        policy.report(ticket, clicked)        # whenever it is known: late, in any order, or never
        policy.intervals()                    # what may be told

    epsilon is PRIVACY, not exploration. wait: how many more choices a sum stays open for late answers; missing: what
    counts for those that do not come. docs/live.md has the argument, `policy.guarantee` the promise.

    It has no seed, and cannot be copied or pickled: a copy would release the same sum twice. `save()`,
    `close()` and `Policy.restore()` move it, `Policy.open()` keeps it in a file, `tacit.Simulated` is the one for experiments.
    """

    @values.says_what_it_takes()
    def __init__(self, policy: str, *, arms: int, epsilon: float | None = None, delta: float | None = None,
                 horizon: float | None = None, actions: str | None = None, params: Mapping[str, Any] | None = None,
                 wait: int = 0, missing: float = 0.0):
        """policy is a name of `tacit.policies()`, arms how many there are, epsilon PRIVACY, not exploration.

        delta    the second parameter of privacy, for policies that have one
        horizon  how many choices there will be, for policies that must know
        actions  what may be chosen, for policies of sets and rankings: "top:4"
        params   the policy's own parameters, {"first": 16}
        wait     for how many more choices a sum stays open for late answers
        missing  what counts for an answer that does not come
        """
        _refuse_twice(self)
        setup = _setup_of(policy, arms, epsilon, delta, horizon, actions, params, wait, missing)
        super().__init__(_core.Setup(**setup))
        self._setup = setup

    @classmethod
    @values.says_what_it_takes()
    def open(cls, file: str | os.PathLike[str], key: _core.Key, policy: str, *, arms: int,
             epsilon: float | None = None, delta: float | None = None, horizon: float | None = None,
             actions: str | None = None, params: Mapping[str, Any] | None = None, wait: int = 0,
             missing: float = 0.0) -> "Policy":
        """The one that lives in this file: taken up where it was left, or begun when there is none.

        A release is on the disk before anybody sees it, and a file from before the last release is refused. What was
        answered since is kept by `keep()`. Beside the key the arguments are those of `Policy`: epsilon is PRIVACY.
        """
        made = cls.__new__(cls)
        made._setup = _setup_of(policy, arms, epsilon, delta, horizon, actions, params, wait, missing)
        _core.Held.__init__(made, _core.Setup(**made._setup), values.path("file", file), _key(key))
        return made

    def keep(self) -> None:
        """Puts all of it into the file of Policy.open() now.

        What was answered since the last release would not survive a crash.
        """
        self._keep()

    def close(self) -> None:
        """Keeps it, where it lives in a file, and lets go of the file.

        `with Policy.open(...) as policy` does it by itself.
        """
        self._close()
        self._closed = True

    def __enter__(self) -> "Policy":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def save(self, key: _core.Key) -> bytes:
        """Its state: public parts in the clear, everything secret under the key. See `restore()`.

        A state is to be taken up once, by one program, after this policy was closed: two that go on from one state release
        the same sums twice, which costs twice the epsilon.
        """
        state = _HEAD + json.dumps(self._setup).encode() + b"\n" + self._save(_key(key)).encode()
        _saved[_digest(state)] = weakref.ref(self)
        return state

    @classmethod
    @values.says_what_it_takes()
    def restore(cls, state: bytes, key: _core.Key, *, releases: int) -> "Policy":
        """As `save()` left it.

        In this process a state is taken up once, and not while the policy that saved it lives: `close()` it first. Between
        processes that is yours to see to, or `Policy.open()`'s, which holds its file.

        releases: what `policy.releases` was when a state was saved last, remembered apart from the states. One with
        fewer would release a sum again, and is refused. `Policy.open()` does all that by itself.
        """
        if not isinstance(state, (bytes, bytearray)):
            raise values.refuse_type("state", "bytes, as save() gives", state)
        head, _, rest = bytes(state).partition(b"\n")
        if not head.startswith(_HEAD):
            raise InvalidParameter("state", "", "is not what a policy saved")
        digest = _digest(bytes(state))
        original = _saved[digest]() if digest in _saved else None
        if digest in _taken_up or original is not None and not original._closed:
            raise InvalidParameter("state", "", "was taken up already, or its policy lives on in this process (close() it "
                                   "first): two would release the same sums twice")
        made = cls.__new__(cls)
        try:
            saved: dict[str, Any] = json.loads(head[len(_HEAD):])
            given: dict[str, Any] = {**saved, "params": [tuple(pair) for pair in saved["params"]]}
            setup = _core.Setup(**given)
            text = rest.decode()
        except InvalidParameter:
            raise
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InvalidParameter("state", "", "is not what a policy saved, or was changed since") from None
        made._setup = saved
        _core.Held.__init__(made, setup, text, _key(key), values.natural("releases", releases))
        _taken_up.add(digest)
        return made

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("a Policy cannot be copied or pickled: two curators would release the same sum twice. save(), "
                        "close() and Policy.restore() move it; tacit.Simulated may be copied")

    __copy__ = __deepcopy__ = __reduce__ = __reduce_ex__ = _refuse

    def __repr__(self) -> str:
        promise = self.guarantee
        said = "no privacy" if promise["epsilon"] is None else f"{promise['notion']} epsilon {promise['epsilon']:.4g}"
        return f"<tacit.Policy {self.name}: {self.arms} arms, {self.choices} choices, {said}>"


class Simulated(_Held):
    """The same with a seed: its noise can be computed by whoever has it. For experiments, and protecting nobody.

    epsilon is PRIVACY, not exploration. noise: "exact" or "ideal". `run` tells several with one seed apart. May be
    copied and pickled; the copy goes on as the original would.
    """

    @values.says_what_it_takes()
    def __init__(self, policy: str, *, arms: int, epsilon: float | None = None, seed: int, run: int = 0,
                 delta: float | None = None, horizon: float | None = None, actions: str | None = None,
                 params: Mapping[str, Any] | None = None, wait: int = 0, missing: float = 0.0, noise: str = "exact"):
        """As `Policy`, with seed, run and noise."""
        if noise not in ("ideal", "exact"):
            raise InvalidParameter("noise", noise, "must be ideal (doubles) or exact (integers)")
        _refuse_twice(self)
        setup = _setup_of(policy, arms, epsilon, delta, horizon, actions, params, wait, missing)
        self._rehearsal = (values.natural("seed", seed), values.natural("run", run), noise == "exact")
        super().__init__(_core.Setup(**setup), *self._rehearsal)
        self._setup = setup

    def __copy__(self) -> "Simulated":
        key = _core.Key()
        return _take_up(self._setup, self._rehearsal, self._save(key), key)

    def __deepcopy__(self, memo: object) -> "Simulated":
        return self.__copy__()

    def __reduce__(self) -> Any:
        key = _core.Key()
        return _unpickled, (self._setup, self._rehearsal, self._save(key), key.text())

    def __repr__(self) -> str:
        return f"<tacit.Simulated {self.name}: {self.arms} arms, {self.choices} choices, protects nobody>"


def _refuse_twice(policy: _Held) -> None:
    if hasattr(policy, "_setup"):
        raise TypeError("a policy is made once: make another")


def ticket_from_text(text: str) -> _core.Ticket:
    """For pickles."""
    return _core.Ticket.from_text(text)


def _take_up(setup: dict[str, Any], rehearsal: tuple[int, int, bool], state: str, key: _core.Key) -> Simulated:
    made = Simulated.__new__(Simulated)
    made._setup = setup
    made._rehearsal = rehearsal
    _core.Held.__init__(made, _core.Setup(**setup), *rehearsal)
    made._load(state, key)
    return made


def _unpickled(setup: dict[str, Any], rehearsal: tuple[int, int, bool], state: str, key: str) -> Simulated:
    return _take_up(setup, rehearsal, state, _core.Key.from_text(key))


def _digest(state: bytes) -> bytes:
    return hashlib.blake2b(state, digest_size=16).digest()


def _key(key: object) -> _core.Key:
    if not isinstance(key, _core.Key):
        raise values.refuse_type("key", "a tacit.Key", key)
    return key


def _setup_of(policy: str, arms: int, epsilon: float | None, delta: float | None, horizon: float | None,
              actions: str | None, params: Mapping[str, Any] | None, wait: int, missing: float) -> dict[str, Any]:
    return {"policy": values.name("policy", policy), "arms": values.natural("arms", arms, 1, 10**7),
            "epsilon": values.number("epsilon", epsilon), "delta": values.number("delta", delta),
            "horizon": values.integer("horizon", horizon), "actions": values.word("actions", actions),
            "params": list(values.parameters(params).items()), "wait": values.natural("wait", wait),
            "missing": float(values.number("missing", missing) or "nan")}
