"""Problems and policies that are objects in Python."""
import functools
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tacit


class World:
    """Three arms; the middle one is best."""

    name = "world"
    means = [0.3, 0.8, 0.5]

    def draw(self, arm, t, rng):
        return rng.random() < self.means[arm]


class Together(World):
    """All arms of a round move together."""

    name = "together"

    def draw_all(self, t, rng):
        return rng.random() < np.array(self.means)


class InBlocks(World):
    name = "in blocks"

    def draw_many(self, arm, t, n, rng):
        return rng.random(n) < self.means[arm]


class Greedy:
    """Plays every arm some times, and then who did best."""

    def __init__(self, arms, rng, tries=5):
        self.n, self.sum, self.rng, self.tries = np.zeros(arms), np.zeros(arms), rng, tries

    def choose(self, t):
        if self.n.min() < self.tries:
            return int(self.n.argmin())
        return int((self.sum / self.n).argmax())

    def learn(self, arm, outcome):
        self.n[arm] += 1
        self.sum[arm] += outcome


class Full(Greedy):
    feedback = "full"

    def learn(self, arm, outcomes):
        assert outcomes.shape == self.sum.shape
        self.n += 1
        self.sum += outcomes


class Sets(Greedy):
    feedback = "semi"

    def __init__(self, arms, rng, size):
        super().__init__(arms, rng)
        self.size = size

    def choose(self, t):
        return np.argsort(-(self.sum + 1) / (self.n + 1))[:self.size]

    def learn(self, arms, outcomes):
        assert len(arms) == len(outcomes) == self.size
        self.n[arms] += 1
        self.sum[arms] += outcomes


class Ranks(Sets):
    feedback = "cascade"

    def learn(self, arms, clicks):
        assert 1 <= len(clicks) <= self.size and clicks[:-1].sum() == 0
        self.n[arms[:len(clicks)]] += 1
        self.sum[arms[:len(clicks)]] += clicks


class Response:
    """Tells each outcome to itself by randomised response: private, if it does so as often as it says."""

    guarantee = "central"
    honesty = 1.0

    def __init__(self, arms, rng, epsilon):
        self.told, self.rng = np.zeros((2, arms)), rng
        self.truth = 1 / (1 + np.exp(-epsilon * self.honesty))

    def choose(self, t):
        return int((self.told[1] - self.told[0]).argmax())

    def learn(self, arm, outcome):
        bit = outcome >= 0.5
        self.told[int(bit if self.rng.random() < self.truth else not bit), arm] += 1


class Liar(Response):
    honesty = 8.0


@pytest.mark.parametrize("world", [World, Together, InBlocks])
def test_a_world_of_ones_own_is_played_by_everybody(world):
    for row in tacit.policies():
        actions = {"semi": "top:2", "cascade": "top:2"}.get(row["feedback"])
        problem = tacit.Problem.from_object(world(), actions=actions)
        call = dict(epsilon=2, horizon=60, runs=2)
        if row["feedback"] == "cascade" and world is Together:
            with pytest.raises(tacit.InvalidParameter, match="draws all arms"):
                tacit.simulate(row["name"], problem, **call)
            continue
        result = tacit.simulate(row["name"], problem, **call)
        assert result.pulls.sum() == 2 * 60 * (1 if actions is None else 2)
        assert np.array_equal(result.regret, tacit.simulate(row["name"], problem, threads=2, **call).regret)


def test_what_a_world_draws_has_its_means():
    for world in (World, Together, InBlocks):
        result = tacit.simulate("mgf-imed", world(), epsilon=1, horizon=3000, runs=3)
        assert result.pulls.sum(axis=0).argmax() == 1 and result.final_regret.mean() < 300
    # A world that draws as bernoulli arms do has their law: mean regrets agree within five standard errors.
    ours = tacit.simulate("ucb1", World.means, horizon=400, runs=200)
    theirs = tacit.simulate("ucb1", World(), horizon=400, runs=200)
    spread = np.hypot(*(r.final_regret.std() / np.sqrt(200) for r in (ours, theirs)))
    assert abs(ours.final_regret.mean() - theirs.final_regret.mean()) < 5 * spread


def test_runs_of_a_world_depend_on_seed_and_run_alone():
    whole = tacit.simulate("mgf-imed", World(), epsilon=1, horizon=500, runs=6)
    part = tacit.simulate("mgf-imed", World(), epsilon=1, horizon=500, runs=2, first_run=3)
    assert np.array_equal(whole.regret[3:5], part.regret)
    other = tacit.simulate("mgf-imed", World(), epsilon=1, horizon=500, runs=6, seed=2)
    assert not np.array_equal(whole.pulls, other.pulls)
    again = pickle.loads(pickle.dumps(tacit.Problem.from_object(World())))
    assert np.array_equal(tacit.simulate("mgf-imed", again, epsilon=1, horizon=500, runs=6).regret, whole.regret)


@pytest.mark.parametrize("drawn", [2, -0.1, np.nan, "x", None, [0.5]])
def test_a_world_that_draws_no_outcomes_is_refused(drawn):
    world = World()
    world.draw = lambda arm, t, rng: drawn
    with pytest.raises((ValueError, TypeError), match="world"):
        tacit.simulate("ucb1", world, horizon=10, runs=1)


def test_a_world_that_is_none_is_refused():
    for thing in (object(), 7, {"means": [1]}, type("W", (), {"draw": 3, "means": [0.5]})(),
                  type("W", (), {"draw": World.draw})(), type("W", (), {"draw": World.draw, "means": [2.0]})(),
                  type("W", (), {"draw": World.draw, "means": []})()):
        with pytest.raises((ValueError, TypeError), match="problem|world|means"):
            tacit.simulate("ucb1", thing, horizon=10, runs=1)
    broken = World()
    broken.draw_many = lambda arm, t, n, rng: [0.5]
    with pytest.raises(ValueError, match="draw_many"):
        tacit.simulate("anytime-lazy-ucb", broken, epsilon=1, horizon=1000, runs=1)
    broken = Together()
    broken.draw_all = lambda t, rng: [0.5]
    with pytest.raises(ValueError, match="draw_all"):
        tacit.simulate("ucb1", broken, horizon=10, runs=1)


def test_what_a_world_raises_comes_through():
    world = World()

    def draw(arm, t, rng):
        if t == 7:
            raise KeyError("seventh")
        return 0.5

    world.draw = draw
    with pytest.raises(KeyError, match="seventh"):
        tacit.simulate("ucb1", world, horizon=10, runs=1)


@pytest.mark.parametrize("policy, problem", [
    (Greedy, "hu-linear"), (functools.partial(Greedy, tries=2), "hu-linear"), (Full, "hu-linear"),
    (Sets, tacit.Problem(means=[0.9, 0.8, 0.5, 0.2], actions="top:2")), (Sets, "chandak-vectors"), (Ranks, "kveton"),
    (Greedy, tacit.Problem.from_outcomes(np.random.default_rng(1).random((500, 3)))),
    (Greedy, tacit.Problem.from_users(np.random.default_rng(1).integers(0, 2, (50, 4)))),
    (Greedy, World()), (Greedy, tacit.Problem(prior="uniform:4")),
])
def test_a_policy_of_ones_own_plays_beside_ours(policy, problem):
    if problem == "chandak-vectors":  # it knows nothing of bases
        with pytest.raises(tacit.InvalidParameter, match="choose"):
            tacit.simulate(policy, problem, horizon=500, runs=4)
        return
    result = tacit.simulate(policy, problem, horizon=500, runs=4)
    assert result.guarantee["epsilon"] is None and result.guarantee["because"] == "none claimed"
    assert result.document()["regret"]["mean"] >= -1e-9 or "table" in result.problem
    part = tacit.simulate(policy, problem, horizon=500, runs=2, first_run=1)
    assert np.array_equal(part.regret, result.regret[1:3])
    late = tacit.simulate(policy, problem, horizon=500, runs=2, delay=20)
    assert late.pulls.sum() == result.pulls[:2].sum()


def test_it_is_swept_and_drawn_with_ours():
    import matplotlib.pyplot as plt

    swept = tacit.sweep([Greedy, Response, "mgf-imed"], ["hu-linear"], [0.5, 1], horizon=300, runs=4, shards=2)
    assert [r.policy for r in swept] == ["Greedy", "Response", "Response", "mgf-imed", "mgf-imed"]
    assert swept[1].guarantee["epsilon"] == 0.5 and "author" in swept[1].guarantee["because"]
    axes = tacit.plot_regret(swept, plt.figure().gca())
    assert [text.get_text() for text in axes.get_legend().get_texts()][:2] == ["Greedy (no privacy)",
                                                                              "Response (central 0.5)"]
    plt.close("all")


def test_what_it_says_of_its_privacy_is_audited():
    honest = tacit.audit(Response, epsilon=1, samples=4000)
    assert honest["verdict"] == "not refuted" and honest["claimed"] == 1 and honest["lower_bound"] < 1
    liar = tacit.audit(Liar, epsilon=1, samples=20000)
    assert liar["verdict"] == "violated" and liar["lower_bound"] >= 1
    assert tacit.audit(Greedy, epsilon=1, samples=500)["verdict"] == "no claim"
    assert liar == tacit.audit(Liar, epsilon=1, samples=20000)  # a function of the seed
    for call in (dict(exact=True), dict(replay=True), dict(params={"a": 1})):
        with pytest.raises(tacit.InvalidParameter):
            tacit.audit(Response, epsilon=1, **call)


@pytest.mark.parametrize("answer", [3, -1, 2**70, 0.5, None, "a", [0]])
def test_a_choice_that_is_no_arm_is_refused(answer):
    policy = type("Wrong", (Greedy,), {"choose": lambda self, t: answer})
    with pytest.raises((ValueError, TypeError), match="Wrong.*choose|choose"):
        tacit.simulate(policy, [0.5, 0.4, 0.3], horizon=10, runs=1)


@pytest.mark.parametrize("answer", [[0, 0], [0], [0, 1, 2], [0, 9], 3, "ab", []])
def test_a_choice_that_is_no_set_is_refused(answer):
    policy = type("Wrong", (Sets,), {"choose": lambda self, t: answer})
    with pytest.raises((ValueError, TypeError), match="choose"):
        tacit.simulate(policy, tacit.Problem(means=[0.5] * 4, actions="top:2"), horizon=10, runs=1)


def test_what_is_no_policy_is_refused():
    for thing in (7, None, object(), int, Greedy.choose, type("P", (), {"choose": 1, "learn": 2}),
                  type("P", (Greedy,), {"guarantee": "local"}), type("P", (Greedy,), {"feedback": "some"}),
                  type("P", (Greedy,), {"feedback": 3})):
        with pytest.raises((ValueError, TypeError), match="policy|feedback"):
            tacit.simulate(thing, "hu-linear", horizon=10, runs=1)
    with pytest.raises(tacit.InvalidParameter, match="epsilon"):
        tacit.simulate(Response, "hu-linear", horizon=10, runs=1)
    with pytest.raises(tacit.InvalidParameter, match="class"):
        tacit.identify(Greedy, "hu-linear", error=0.1)
    with pytest.raises(tacit.InvalidParameter, match="params"):
        tacit.simulate(Greedy, "hu-linear", horizon=10, runs=1, params={"tries": 3})
    with pytest.raises(ZeroDivisionError):
        tacit.simulate(type("P", (Greedy,), {"learn": lambda self, arm, x: 1 / 0}), "hu-linear", horizon=10, runs=1)


# ---- a name that is the same in every process


class Tries(Greedy):
    def __init__(self, arms, rng, given):
        super().__init__(arms, rng)


class Plain:
    """Its repr() is its place in memory."""


class Wordy(Plain):
    def __repr__(self):
        return "Wordy(1,\n      2)"


def halves(x):
    return x / 2


def name_of(given):
    return tacit.simulate(functools.partial(Tries, given=given), [0.6, 0.5], horizon=5, runs=1).policy


@pytest.mark.parametrize("given", [Plain(), lambda x: x, [Plain()], {"a": {"b": Plain()}}, Plain().__init__,
                                   np.random.default_rng(1), np.array([Plain(), None]), functools.partial(halves, Plain())])
def test_what_is_told_apart_by_its_place_in_memory_is_refused(given):
    with pytest.raises(tacit.InvalidParameter, match="(?s)policy = given=.*place in memory.*a __repr__, or .* a name") as told:
        name_of(given)
    assert "0x" not in str(told.value) and "\n" not in str(told.value)


def test_a_class_with_a_name_takes_what_it_likes():
    named = type("Named", (Tries,), {"name": "named"})
    regrets = [tacit.simulate(functools.partial(named, given=Plain()), [0.6, 0.5], horizon=300, runs=5).regret
               for _ in range(3)]
    assert np.array_equal(regrets[0], regrets[1]) and np.array_equal(regrets[0], regrets[2])


@pytest.mark.parametrize("given, said", [
    (2, "2"), (0.5, "0.5"), ("a b", "'a b'"), (None, "None"), (np.float64(0.5), "0.5"), (np.int32(3), "3"), ((1,), "(1,)"),
    ([1, (2, "x")], "[1, (2, 'x')]"), ({"a": [1]}, "{'a': [1]}"), ({3, 1, 2}, "{1, 2, 3}"), (Wordy(), "Wordy(1, 2)"),
    (halves, "halves"), (Plain, "Plain"), (np.ndarray, "ndarray"), (math.sqrt, "<built-in function sqrt>"),
])
def test_what_it_was_given_is_in_its_name(given, said):
    assert name_of(given) == f"Tries(given={said})"


def test_arrays_are_in_its_name_by_a_digest():
    long = np.arange(3000.0)
    name = name_of(long)
    assert name.startswith("Tries(given=array(3000,") and len(name) < 50
    assert name == name_of(long.copy()) == name_of(np.repeat(long, 2)[::2])
    others = [name_of(long + 1), name_of(long.reshape(30, 100)), name_of(long.astype(np.float32)), name_of(long[:-1])]
    assert len({name, *others}) == 5


def test_the_same_call_has_the_same_bits_in_every_process():
    program = """
import functools, sys
sys.path.insert(0, sys.argv[1])
import numpy as np, tacit, test_own
given = {"some": {"c", "a", "b", "d"}, "one": test_own.halves, "kind": test_own.Plain, "table": np.arange(30.0)}
result = tacit.simulate(functools.partial(test_own.Tries, given=given), [0.6, 0.5], horizon=300, runs=5)
print(result.policy, result.regret.tolist())
"""
    said = {subprocess.run([sys.executable, "-c", program, os.path.dirname(__file__)], check=True, capture_output=True,
                           env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in "123"}
    assert len(said) == 1 and b"Tries" in said.pop()


def test_a_constructor_that_asks_for_what_there_is_not_is_told_what_there_is():
    class Published(Greedy):
        def __init__(self, K, rng):
            super().__init__(K, rng)

    with pytest.raises(TypeError, match=r"policy: Published needs K, which it is not given: .* arms, rng, epsilon, delta, "
                                        r"horizon, size .*; did you mean arms\?"):
        tacit.simulate(Published, [0.6, 0.5], horizon=5, runs=1)
    assert tacit.simulate(functools.partial(Published, K=2), [0.6, 0.5], horizon=5, runs=1).policy == "Published(K=2)"


# ---- worlds whose draws contradict their means


class Wrong(World):
    """Means are the same, and what is drawn is not."""

    name = "wrong"
    means = [0.5, 0.5]
    chances = [0.9, 0.1]

    def draw(self, arm, t, rng):
        return rng.random() < self.chances[arm]


class WrongInBlocks(Wrong):
    def draw_many(self, arm, t, n, rng):
        return rng.random(n) < self.chances[arm]


class WrongTogether(Wrong):
    def draw_all(self, t, rng):
        return rng.random() < np.array(self.chances)


class Season(Wrong):
    """0.5 on average, over a year of 4000 rounds."""

    def draw(self, arm, t, rng):
        return rng.random() < 0.5 + (0.4 if arm == 0 else -0.4) * math.sin(2 * math.pi * t / 4000)


@pytest.mark.parametrize("world, policy", [(Wrong, "ucb1"), (Wrong, "mgf-imed"), (WrongInBlocks, "anytime-lazy-ucb"),
                                           (WrongTogether, "ucb1"), (Season, "ucb1"), (Season, "mgf-imed")])
def test_a_world_that_draws_others_than_its_means_is_refused(world, policy):
    with pytest.raises(tacit.InvalidParameter, match=r"draw\w* = 0\.\d+ on average of arm [01] in \d+ rounds: must have the "
                                                     r"mean that means says, 0\.5, .*from_outcomes.*drifts = True") as told:
        tacit.simulate(policy, world(), epsilon=1, horizon=8000, runs=1)
    assert "\n" not in str(told.value)


def test_a_world_that_changes_on_purpose_says_so():
    world = Season()
    world.drifts = True
    assert tacit.simulate("ucb1", world, horizon=8000, runs=1).final_regret == 0
    world.drifts = "yes"
    with pytest.raises(TypeError, match="drifts: must be True or False"):
        tacit.Problem.from_object(world)


def test_means_that_are_a_function_of_time_are_refused():
    world = World()
    world.means = lambda t: [0.5, 0.5]
    with pytest.raises(TypeError, match="means: must be a sequence of numbers, not a function of t: .*from_outcomes"):
        tacit.simulate("ucb1", world, horizon=10, runs=1)


def test_a_world_that_has_its_means_is_not_refused_whoever_asks_it():
    # A policy that looks for trouble: it stays with the arm that is farthest from its mean. 1000 runs: at most 1e-9.
    class Prying(Greedy):
        def choose(self, t):
            return int(np.abs(self.sum - self.n * np.array(World.means)).argmax())

    assert tacit.simulate(Prying, World(), horizon=200, runs=1000).runs == 1000

    class Rounded(InBlocks):
        name = "rounded to three digits"
        means = [0.333, 0.667]

        def draw_many(self, arm, t, n, rng):
            return rng.random(n) < (1 / 3 if arm == 0 else 2 / 3)

    assert tacit.simulate("anytime-lazy-ucb", Rounded(), epsilon=1, horizon=3e7, runs=1).runs == 1


def test_it_takes_no_more_draws_to_be_found_out_than_the_bound_says():
    """|sum| > sqrt((n / 4 + 25) (log(n / 100 + 1) - 2 log(error))) + n / 2000, of 1e-12 for two arms."""
    world = type("Ones", (Wrong,), {"chances": [1.0, 1.0]})()

    class Stays(Greedy):
        def choose(self, t):
            return 0

    def bound(n):
        return math.sqrt((n / 4 + 25) * (math.log(n / 100 + 1) - 2 * math.log(1e-12 / 2))) + n / 2000

    found_out = next(n for n in range(1, 1000) if n / 2 > bound(n))
    assert tacit.simulate(Stays, world, horizon=found_out - 1, runs=1).runs == 1
    with pytest.raises(tacit.InvalidParameter, match=f"of arm 0 in {found_out} rounds"):
        tacit.simulate(Stays, world, horizon=found_out, runs=1)
