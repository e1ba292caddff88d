"""Random calls of everything that is public, right and wrong: what is refused is refused by a ValueError or a TypeError.

    python3 python/tests/fuzz.py [calls] [seed]

Under the sanitizers: LD_PRELOAD of libasan, see CONTRIBUTING.md. Prints how many calls were answered and refused, and exits
with 1 for anything else that was raised.
"""
from __future__ import annotations

import random
import sys
import tempfile
import traceback
from typing import Any, Callable

import numpy as np

import tacit

NAMES = [row["name"] for row in tacit.policies()]
REFUSED = (ValueError, TypeError)


class World:
    means = [0.3, 0.6]

    def draw(self, arm: int, t: int, rng: Any) -> Any:
        return rng.random()


class Odd(World):
    def draw(self, arm: int, t: int, rng: Any) -> Any:
        return rng.choice([0.5, 2, -1, np.nan])


class Uniform:
    def __init__(self, arms: int, rng: Any):
        self.arms, self.rng = arms, rng

    def choose(self, t: int) -> Any:
        return self.rng.integers(self.arms)

    def learn(self, arm: Any, outcome: Any) -> None:
        pass


class Wild(Uniform):
    guarantee = "central"

    def choose(self, t: int) -> Any:
        return self.rng.choice([0, 1, -1, 99, 0.5])


class Fuzz:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.held: list[Any] = []
        self.tickets: list[Any] = []
        self.states: list[Any] = []
        self.keys = [tacit.Key(), tacit.Key()]
        self.folder = tempfile.mkdtemp()

    def one_of(self, *things: Any) -> Any:
        return self.random.choice(things)

    def junk(self) -> Any:
        """Of any type."""
        return self.one_of(None, True, False, 0, 1, -1, 2, 3, 7, 2**31, 2**53, 2**64, -2**70, 0.0, 0.5, 1.0, 1e-9, 1e9, -0.0,
                           float("nan"), float("inf"), -float("inf"), 1j, "", "a", "1", "log:5", "\0", "é\n", b"x", [], [0], [0, 1],
                           [0.5, 0.5], (1,), {}, {"a": 1}, {"doubt": 2}, {1: 2}, set(), object(), int, len, np.float32(0.5),
                           np.int8(1), np.array(0.5), np.array([]), np.zeros((2, 2)), np.array([0, 1]), np.array(["a"]),
                           np.array([None]), tacit.Policy.__new__(tacit.Policy),
                           tacit.Ticket.__new__(tacit.Ticket), tacit.Key.__new__(tacit.Key), World(), Odd(), Uniform, Wild, self.random.choice(NAMES), "hu-linear",
                           "top:2", self.keys[0], self.some(self.tickets), self.some(self.held))

    def some(self, kept: list[Any]) -> Any:
        return self.random.choice(kept) if kept else None

    def usually(self, *right: Any) -> Any:
        """Mostly one that fits, or somebody's junk."""
        return self.random.choice(right) if self.random.random() < 0.94 else self.junk()

    def length(self, *right: Any) -> Any:
        """Of a run. What is right and would take for ever is left out."""
        given = self.usually(*right)
        endless = given is None or isinstance(given, (int, float, np.number)) and 1000 < given <= 2**53
        return right[0] if endless else given

    def problem(self) -> Any:
        return self.usually("hu-linear", [0.9, 0.1], "equal-gaps:3:0.2", World(), Odd(),
                            tacit.Problem(means=[0.5, 0.4, 0.3], actions="top:2"), "kveton:5:2:0.2:0.1",
                            tacit.Problem.from_outcomes(np.full((60, 2), 0.5)), tacit.Problem.from_users(np.eye(3)))

    def policy(self) -> Any:
        return self.usually(*NAMES, Uniform, Wild)

    def params(self) -> Any:
        return self.usually(None, None, None, {}, {"doubt": 2.0})

    # ---- calls

    def simulate(self) -> Any:
        result = tacit.simulate(
            self.policy(), self.problem(), epsilon=self.usually(1, 0.1, 10.0), horizon=self.length(1, 2, 17, 60),
            runs=self.usually(1, 2), delta=self.usually(None, 1e-3), seed=self.usually(1, 2), params=self.params(),
            checkpoints=self.usually(3, 50, "linear:4", [1, 17]), noise=self.usually("ideal", "exact"),
            plain=self.usually(True, False), delay=self.usually(None, None, 3, "geometric:2:4"),
            intervals=self.usually(None, None, 0.05), threads=self.usually(None, 1, 2), first_run=self.usually(0, 5),
            against=self.usually("oracle", "best"), feedback=self.usually(None))
        result.document(), result.summary(), repr(result), result._repr_html_()
        return result.to_frame(self.usually("curve", "runs", "long"))

    def identify(self) -> Any:
        return tacit.identify(self.policy(), self.problem(), epsilon=self.usually(1, 10), error=self.usually(0.1, None),
                              budget=self.one_of(None, self.length(50)), most=self.length(200, 100), runs=self.usually(1, 2),
                              top=self.usually(None, 1), params=self.params(), seed=self.usually(1)).summary()

    def make_problem(self) -> Any:
        make = self.one_of(lambda: tacit.Problem(self.junk()), lambda: tacit.Problem(means=self.junk(), actions=self.junk()),
                           lambda: tacit.Problem.from_outcomes(self.junk(), actions=self.junk()),
                           lambda: tacit.Problem.from_users(self.junk()), lambda: tacit.Problem.from_object(self.junk()),
                           lambda: tacit.Problem(prior=self.usually("uniform:3"), rewards=self.usually("beta")))
        return repr(make())

    def hold(self) -> Any:
        kind = self.one_of(tacit.Policy, tacit.Simulated)
        more = {"seed": self.usually(1)} if kind is tacit.Simulated else {}
        policy = kind(self.usually(*NAMES), arms=self.usually(2, 3, 5), epsilon=self.usually(1, 0.2),
                      horizon=self.usually(100, 10**6), actions=self.usually(None, "top:2"), params=self.params(),
                      wait=self.usually(0, 3), missing=self.usually(0.0, 0.5), **more)
        self.held = self.held[-20:] + [policy]
        return repr(policy)

    def use(self) -> Any:
        policy = self.some(self.held)
        if policy is None:
            return None
        ticket = self.usually(self.some(self.tickets))
        outcome = self.usually(1, 0.5, True, [0, 1], [0.5])
        call: Callable[[], Any] = self.one_of(
            lambda: self.tickets.append(policy.choose()), lambda: self.tickets.append(policy.choose(self.usually(None, [0, 1]))),
            lambda: policy.report(ticket, outcome), lambda: policy.report(ticket, outcome),
            lambda: policy.take(ticket, outcome), lambda: policy.device_report(ticket, outcome), policy.advance,
            lambda: policy.replay(self.usually(np.full((5, policy.arms), 0.5))), lambda: policy.intervals(self.usually(0.9)),
            lambda: policy.difference(self.usually(0), self.usually(1), self.usually(0.9)),
            lambda: policy.best(self.usually(1), self.usually(0.1)), lambda: policy.verdict, lambda: policy.guarantee,
            policy.ledger, lambda: policy.keep() if isinstance(policy, tacit.Policy) else None,
            lambda: self.tickets.append(tacit.Ticket.from_text(self.usually(getattr(ticket, "text", str)()))))
        call()
        self.tickets = self.tickets[-50:]
        return None

    def save(self) -> Any:
        policy = self.some([one for one in self.held if isinstance(one, tacit.Policy)])
        if policy is not None:
            state = bytearray(policy.save(self.usually(*self.keys)))
            if self.random.random() < 0.5:
                state[self.random.randrange(len(state))] = self.random.randrange(256)
            self.states = self.states[-10:] + [bytes(state)]
        return tacit.Policy.restore(self.usually(self.some(self.states)), self.usually(*self.keys),
                                    releases=self.usually(0, 5)).choose()

    def ask(self) -> Any:
        return self.one_of(
            lambda: tacit.bounds(self.problem(), epsilon=self.usually(1), horizon=self.usually(100), feedback=self.usually(None)),
            lambda: tacit.guarantee(self.usually(*NAMES), epsilon=self.usually(1), arms=self.usually(3), params=self.params(),
                                    actions=self.usually(None), horizon=self.usually(1000)),
            lambda: tacit.audit(self.policy(), epsilon=self.usually(1), samples=100, rounds=self.usually(4, 8),
                                exact=False, replay=self.usually(False), notion=self.usually(None), params=self.params(),
                                threads=self.usually(1)),
            lambda: tacit.tasks(self.usually(["ucb1"]), self.usually(["hu-linear"]), self.usually([1.0]), runs=self.usually(3),
                                shards=self.usually(2)),
            lambda: tacit.run_task(self.junk()), lambda: tacit.load(self.usually(self.folder)),
            lambda: tacit.Experiment(self.usually(self.folder)), lambda: tacit.Key.from_text(self.junk()),
            lambda: tacit.Result.concatenate(self.usually([tacit.simulate("ucb1", [0.5, 0.4], horizon=5, runs=1)])))()


def main(calls: int, seed: int) -> int:
    fuzz = Fuzz(seed)
    kinds = [fuzz.simulate] * 4 + [fuzz.use] * 12 + [fuzz.make_problem, fuzz.hold, fuzz.save, fuzz.ask, fuzz.ask, fuzz.identify]
    answered = refused = 0
    for number in range(calls):
        kind = fuzz.random.choice(kinds)
        try:
            kind()
            answered += 1
        except REFUSED as error:
            refused += 1
            if not str(error):
                print(f"call {number}, {kind.__name__}: refused without a word", file=sys.stderr)
                return 1
        except Exception:
            print(f"call {number}, {kind.__name__}:", file=sys.stderr)
            traceback.print_exc()
            return 1
    print(f"{calls} calls: {answered} answered, {refused} refused, none ended in anything else")
    return 0


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    sys.exit(main(*(numbers + [20000, 1][len(numbers):])))
