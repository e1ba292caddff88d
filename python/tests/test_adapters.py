"""Policies inside other people's libraries.

None of those is installed here. Each has a few lines that play as it does, by what its source does with a policy: in
which order it calls what, what it copies, and what it looks at. The adapters' own first lines say with which version
they were run.
"""
import copy
import enum
import importlib
import os
import pickle
import re
import subprocess
import sys
import types
from collections import defaultdict, deque
from pathlib import Path

import numpy as np
import pytest

import tacit
from tacit.adapters import coba, gymnasium, mabwiser, obp, outcomes, river, smpybandits

HOSTS = {"smpybandits": "SMPyBandits", "mabwiser": "mabwiser", "obp": "obp", "river": "river", "coba": "coba",
         "gymnasium": "gymnasium"}
MEANS = np.array([0.3, 0.8, 0.5])
ROUNDS = 3000
TABLE = (np.random.default_rng(5).random((ROUNDS, 3)) < MEANS).astype(float)
COLOURS = ["red", "green", "blue"]
NAN = float("nan")
pytestmark = pytest.mark.filterwarnings("ignore:<tacit.adapters.coba.Learner:RuntimeWarning")


class PolicyType(enum.Enum):
    CONTEXT_FREE = 0
    CONTEXTUAL = 1


@pytest.fixture(autouse=True)
def obp_is_there(monkeypatch):
    """What the adapter for obp looks up."""
    inner = types.ModuleType("obp.policy.policy_type")
    inner.PolicyType = PolicyType
    for name, module in (("obp", types.ModuleType("obp")), ("obp.policy", types.ModuleType("obp.policy")),
                         ("obp.policy.policy_type", inner)):
        monkeypatch.setitem(sys.modules, name, module)


# ---- how hosts play: what they are given, and which arms they played on a table


def play_smpybandits(policy, table):
    policy.__cachedstr__ = str(policy)
    policy = copy.deepcopy(policy)  # for every repetition
    policy.startGame()
    played = []
    for row in table:
        arm = policy.choice()
        policy.getReward(arm, row[arm])
        played.append(arm)
    order = policy.estimatedOrder()
    assert sorted(order) == list(range(table.shape[1]))
    len(pickle.dumps(policy))  # how it measures memory
    return played, policy


def play_mabwiser(mab, table):
    played = []
    for row in table:
        label = mab.predict()
        played.append(mab.arms.index(label))
        mab.partial_fit([label], np.array([row[played[-1]]]))
    return played, mab


def play_obp(policy, table):
    """As it finds out what a policy is worth: by copies, on users that it draws."""
    policy = copy.deepcopy(policy)
    played = []
    for row in table:
        assert policy.policy_type == PolicyType.CONTEXT_FREE
        selected = policy.select_action()
        assert selected.shape == (policy.len_list,)
        action = selected[0]
        policy.update_params(action=action, reward=np.array([row[action]]))
        played.append(int(action))
    assert policy.n_trial == len(table)
    return played, policy


def play_river(policy, table, arms=None):
    policy = policy.clone()  # for every episode
    arms = range(table.shape[1]) if arms is None else arms
    played = []
    for row in table:
        arm = policy.pull(arms)
        played.append(list(arms).index(arm))
        assert policy.update(arm, row[played[-1]]) is policy
    assert policy._n == len(table) and sorted(policy.ranking) == sorted(arms)
    return played, policy


class SafeLearner:
    """What coba puts around a learner: rows one by one where a batch is refused, and a look at what came back."""

    def __init__(self, learner):
        self.learner = learner

    def call(self, method, *arguments):
        if not any(hasattr(argument, "is_batch") for argument in arguments):
            return method(*arguments)
        try:
            return method(*arguments)
        except Exception:
            return [method(*row) for row in zip(*arguments)]

    def predict(self, context, actions):
        safe = actions
        if not hasattr(actions, "is_batch") and (0 in actions or 1 in actions):
            safe = [float(action) if action in [0, 1] else action for action in actions]
        predicted = self.call(self.learner.predict, context, safe)
        for one, among in zip(predicted, actions) if hasattr(actions, "is_batch") else [(predicted, safe)]:
            action, probability = one
            assert any(action is known for known in among) and probability is None
        return predicted

    def learn(self, context, action, reward, probability):
        self.call(self.learner.learn, context, action, reward, probability)


class Batch(list):
    is_batch = True


def play_coba(learner, table, actions=(0, 1, 2)):
    learner = copy.deepcopy(learner)  # for every environment
    assert not hasattr(learner, "score") and learner.params["family"] == "tacit"
    safe = SafeLearner(learner)
    actions = list(actions)
    played = []
    for row in table:
        action, probability = safe.predict(None, actions)
        played.append(actions.index(action))
        safe.learn(None, action, row[played[-1]], probability)
    return played, learner


def make_mab(*, arms=(0, 1, 2), **given):
    return mabwiser.MAB(list(arms), "mgf-imed", **given)


ADAPTERS = {
    "smpybandits": (lambda **given: smpybandits.Policy(3, "mgf-imed", **given), play_smpybandits),
    "mabwiser": (make_mab, play_mabwiser),
    "obp": (lambda **given: obp.Policy(3, "mgf-imed", **given), play_obp),
    "river": (lambda **given: river.Policy("mgf-imed", **given), play_river),
    "coba": (lambda **given: coba.Learner("mgf-imed", **given), play_coba),
}
ASK = {"smpybandits": lambda p: p.choice(),
       "mabwiser": lambda p: p.predict(),
       "obp": lambda p: int(p.select_action()[0]),
       "river": lambda p: p.pull(range(3)),
       "coba": lambda p: p.predict(None, [0, 1, 2])[0]}
TELL = {"smpybandits": lambda p, arm, reward: p.getReward(arm, reward),
        "mabwiser": lambda p, arm, reward: p.partial_fit([arm], [reward]),
        "obp": lambda p, arm, reward: p.update_params(arm, reward),
        "river": lambda p, arm, reward: p.update(arm, reward),
        "coba": lambda p, arm, reward: p.learn(None, arm, reward, None)}
every = pytest.mark.parametrize("host", ADAPTERS)


def directly(seed, run=0, **given):
    return tacit.Simulated("mgf-imed", arms=3, seed=seed, run=run, **{"epsilon": 1, **given})


def same(policy, other):
    """To the last bit: what was released, and how often."""
    assert policy.choices == other.choices and policy.releases == other.releases
    assert policy.ledger() == other.ledger()
    assert np.array_equal(policy.intervals().mean, other.intervals().mean, equal_nan=True)


def refused(match):
    return pytest.raises(tacit.InvalidParameter, match=match)


# ---- what all of them do


@every
def test_it_plays_as_a_simulated_policy_that_is_driven_directly_and_learns(host):
    make, play = ADAPTERS[host]
    played, policy = play(make(epsilon=1, seed=11), TABLE)
    mine = directly(11)
    assert played == mine.replay(TABLE).tolist()
    same(policy.policy, mine)
    assert np.mean(np.array(played[-1000:]) == 1) > 0.9
    assert mine.releases > 3
    if host == "river":
        assert policy.ranking[0] == 1


@every
def test_without_a_seed_it_protects_people(host):
    make, play = ADAPTERS[host]
    played, policy = play(make(epsilon=1), TABLE)
    assert type(policy.policy) is tacit.Policy
    assert policy.policy.guarantee["randomness"] == "secure" and policy.policy.guarantee["epsilon"] == 1
    assert np.mean(np.array(played[-1000:]) == 1) > 0.5  # noise that nobody can repeat: loose


@every
def test_settings_reach_the_policy(host):
    make, play = ADAPTERS[host]
    given = dict(epsilon=2, seed=3, wait=7, missing=0.25, noise="ideal")
    played, policy = play(make(**given), TABLE[:500])
    mine = directly(3, **{name: given[name] for name in ("epsilon", "wait", "missing", "noise")})
    assert played == mine.replay(TABLE[:500]).tolist()
    same(policy.policy, mine)


@every
def test_copies_begin_anew_and_have_noise_of_their_own(host):
    make, play = ADAPTERS[host]
    first = make(epsilon=1, seed=11)
    for run in range(2):  # hosts that do not copy go on with the one that they have
        played, policy = play(copy.deepcopy(first), TABLE[:400])
        assert played == directly(11, run=run).replay(TABLE[:400]).tolist()
    _, policy = play(copy.copy(policy), TABLE[:400])
    mine = directly(11, run=2)
    mine.replay(TABLE[:400])
    same(policy.policy, mine)
    live = make(epsilon=1)
    _, live = play(live, TABLE[:50])
    for again in (copy.deepcopy(live), copy.copy(live), pickle.loads(pickle.dumps(live))):
        ASK[host](again)
        assert again.policy.choices == 1 and live.policy.choices == 50


@every
def test_one_seed_does_not_give_the_same_noise_to_several_workers(host, monkeypatch):
    make, _ = ADAPTERS[host]
    policy = make(epsilon=1, seed=11)
    with refused("seed: numbers the runs of one process"):
        ASK[host](pickle.loads(pickle.dumps(policy)))
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "getpid", lambda: -7)
        with refused("seed: numbers the runs of one process"):
            ASK[host](policy)
    ASK[host](policy)
    assert policy.policy.choices == 1


@every
def test_rewards_answer_the_oldest_choice_of_their_arm(host):
    given = dict(epsilon=1, wait=40)
    make, _ = ADAPTERS[host]
    policy = make(seed=4, **given, **({"replay": False} if host == "obp" else {}))
    mine, waiting = directly(4, **given), defaultdict(deque)
    rng = np.random.default_rng(8)
    late = []
    for row in TABLE:
        ticket = mine.choose()
        waiting[ticket.arm].append(ticket)
        assert ASK[host](policy) == ticket.arm
        late.append((ticket.arm, row[ticket.arm]))
        while len(late) > rng.integers(0, 30):
            arm, reward = late.pop(rng.integers(0, len(late)))  # in no order
            TELL[host](policy, arm, reward)
            mine.report(waiting[arm].popleft(), reward)
    same(policy.policy, mine)
    assert mine.releases > 3


@every
@pytest.mark.parametrize("reward", [NAN, 1.5, -0.1, float("inf")])
def test_what_is_no_outcome_is_refused_and_the_choice_goes_on_waiting(host, reward):
    make, _ = ADAPTERS[host]
    policy = make(epsilon=1, seed=2)
    arm = ASK[host](policy)
    with pytest.raises(ValueError, match=rf"reward: of arm {arm} must be in \[0, 1\]; lower= and amplitude= scale") as told:
        TELL[host](policy, arm, reward)
    assert str(reward) not in str(told.value) and "\n" not in str(told.value)  # an outcome is secret
    TELL[host](policy, arm, 1)
    with refused("did not make"):
        TELL[host](policy, arm, 1)


@every
def test_decisions_of_others_are_refused(host):
    make, _ = ADAPTERS[host]
    policy = make(epsilon=1, seed=2)
    with refused("arm = 2: has no choice that waits for an answer: a private policy cannot learn from decisions that"):
        TELL[host](policy, 2, 1)
    arm = ASK[host](policy)
    other = (arm + 1) % 3
    with refused(f"arm = {other}: has no choice") as told:
        TELL[host](policy, other, 1)
    assert told.value.parameter == "arm" and "\n" not in str(told.value)
    with refused("arm = 7: must be one of 0, 1, 2"):
        TELL[host](policy, 7, 1)
    TELL[host](policy, arm, 1)
    assert policy.policy.choices == 1


@every
def test_wrong_settings_are_refused_when_it_is_made(host):
    make, _ = ADAPTERS[host]
    with refused("epsilon: missing"):
        make()
    with refused("seed"):
        make(epsilon=1, seed=-1)
    with refused("no parameter of this name"):
        make(epsilon=1, params={"no-such": 1})
    with pytest.raises(TypeError, match="explore"):
        make(epsilon=1, explore=0.1)


@pytest.mark.parametrize("name, says", [("mgf-imd", "did you mean mgf-imed"), ("ldp-ucb-bits", "trust central or none"),
                                        ("ftnl", "feedback bandit"), ("cucb-dp", "feedback bandit")])
def test_policies_that_cannot_play_so_are_refused(name, says):
    for make in (lambda: smpybandits.Policy(3, name, epsilon=1), lambda: mabwiser.MAB(COLOURS, name, epsilon=1),
                 lambda: obp.Policy(3, name, epsilon=1), lambda: river.Policy(name, epsilon=1),
                 lambda: coba.Learner(name, epsilon=1)):
        with refused(says):
            make()


@pytest.mark.parametrize("name", [row["name"] for row in tacit.policies()
                                  if row["feedback"] == "bandit" and row["trust"] != "local"])
def test_every_other_policy_plays(name):
    policy = river.Policy(name, epsilon=1, seed=6, horizon=200)
    mine = tacit.Simulated(name, arms=3, epsilon=1, seed=6, horizon=200)
    played, policy = play_river(policy, TABLE[:200])
    assert played == mine.replay(TABLE[:200]).tolist()
    same(policy.policy, mine)


# ---- labels


def test_arms_have_the_names_that_the_host_gives_them():
    expected = directly(11).replay(TABLE).tolist()
    played, mab = play_mabwiser(make_mab(arms=COLOURS, epsilon=1, seed=11), TABLE)
    assert played == expected and mab.arms == COLOURS
    assert list(mab.predict_expectations()) == COLOURS
    assert play_river(river.Policy("mgf-imed", epsilon=1, seed=11), TABLE, COLOURS)[0] == expected
    assert play_river(river.Policy("mgf-imed", epsilon=1, seed=11, arms=COLOURS), TABLE, COLOURS)[0] == expected
    assert play_coba(coba.Learner("mgf-imed", epsilon=1, seed=11), TABLE, COLOURS)[0] == expected
    pairs = [("a", 1), ("b", 1), ("a", 2)]
    assert play_coba(coba.Learner("mgf-imed", epsilon=1, seed=11, actions=pairs), TABLE, pairs)[0] == expected


@pytest.mark.parametrize("make", [lambda arms: mabwiser.MAB(arms, "mgf-imed", epsilon=1),
                                  lambda arms: river.Policy("mgf-imed", epsilon=1, arms=arms),
                                  lambda arms: river.Policy("mgf-imed", epsilon=1).pull(arms),
                                  lambda arms: coba.Learner("mgf-imed", epsilon=1).predict(None, arms)])
def test_labels_that_cannot_be_told_apart_are_refused(make):
    with refused("arms = red, red: must differ"):
        make(["red", "red"])
    with refused("arms"):
        make([])
    for wrong in ("red", 3):
        with pytest.raises(TypeError):
            make(wrong)
    with refused("arms: must be texts, numbers or tuples, which stay what they are, not list"):
        make([["red"], ["blue"]])


def test_unknown_labels_are_refused():
    mab = make_mab(arms=COLOURS, epsilon=1, seed=1)
    with refused("arm = pink: must be one of red, green, blue"):
        mab.partial_fit(["pink"], [1])
    policy = river.Policy("mgf-imed", epsilon=1, seed=1)
    policy.pull(range(20))
    with refused("arm = red: must be one of 0, 1, 2, 3, 4, 5, ..."):
        policy.update("red", 1)
    with refused("arm = 20: must be one of"):
        policy.pull([1, 20])


def test_some_arms_may_be_chosen_among():
    policy, mine = river.Policy("mgf-imed", epsilon=1, seed=5, arms=COLOURS), directly(5)
    rng = np.random.default_rng(3)
    for row in TABLE[:1000]:
        among = rng.choice(3, size=rng.integers(1, 4), replace=False).tolist()
        ticket = mine.choose(among) if len(among) < 3 else mine.choose()
        assert policy.pull([COLOURS[arm] for arm in among]) == COLOURS[ticket.arm]
        policy.update(COLOURS[ticket.arm], row[ticket.arm])
        mine.report(ticket, row[ticket.arm])
    same(policy.policy, mine)


def test_what_is_inside_is_shown_once_arms_are_known():
    for policy in (river.Policy("mgf-imed", epsilon=1), coba.Learner("mgf-imed", epsilon=1)):
        with refused("arms: are not known before the first choice"):
            policy.policy
    assert river.Policy("mgf-imed", epsilon=1).ranking == []
    assert river.Policy("mgf-imed", epsilon=0.5, arms=COLOURS).policy.guarantee["epsilon"] == 0.5


# ---- scales


@every
@pytest.mark.parametrize("lower, amplitude", [(0.1, 0.7), (-1, 0.3), (-3, 6), (100, 1e-3), (0, 255)])
def test_rewards_of_any_scale_are_taken_up_to_their_ends(host, lower, amplitude):
    make, _ = ADAPTERS[host]
    policy, mine = make(epsilon=1, seed=11, lower=lower, amplitude=amplitude), directly(11)
    for row in TABLE[:300]:
        ticket, arm = mine.choose(), ASK[host](policy)
        assert arm == ticket.arm
        TELL[host](policy, arm, lower + amplitude if row[arm] else lower)
        mine.report(ticket, row[arm])
    same(policy.policy, mine)
    arm = ASK[host](policy)
    for beyond in (lower - amplitude / 1e6, lower + amplitude * (1 + 1e-6), NAN):
        with refused(f"of arm {arm} must be in") as told:
            TELL[host](policy, arm, beyond)
        assert str(beyond) not in str(told.value)
    assert policy.policy.choices == 301


@every
def test_scales_that_are_none_are_refused(host):
    make, _ = ADAPTERS[host]
    for wrong in (0, -1, NAN, float("inf")):
        with refused("amplitude = .*: must be a finite number > 0"):
            make(epsilon=1, amplitude=wrong)
    with refused("lower = nan: must be a finite number"):
        make(epsilon=1, lower=NAN)
    with pytest.raises(TypeError, match="lower: must be a number, not str"):
        make(epsilon=1, lower="0")


@every
def test_without_a_scale_nothing_is_rounded(host):
    make, _ = ADAPTERS[host]
    policy = make(epsilon=1, seed=1)
    arm = ASK[host](policy)
    for beyond in (1 + 1e-12, -1e-12):
        with refused("must be in"):
            TELL[host](policy, arm, beyond)
    for wrong in ("1", None, [0.5, 0.5], np.zeros(2)):
        with pytest.raises((TypeError, ValueError), match="reward"):
            TELL[host](policy, arm, wrong)
    TELL[host](policy, arm, np.float32(0.5))


# ---- one by one


def test_arms_of_which_nothing_was_released_are_thought_the_worst():
    mine, other = smpybandits.Policy(3, "mgf-imed", epsilon=1, seed=1), river.Policy("mgf-imed", epsilon=1, seed=1)
    while mine.policy.releases == 0:
        arm = mine.choice()
        assert other.pull(range(3)) == arm
        mine.getReward(arm, arm == 0)
        other.update(arm, arm == 0)
    (known,) = np.flatnonzero(~np.isnan(mine.policy.intervals().mean))
    assert mine.estimatedOrder()[-1] == known == other.ranking[0]


def test_smpybandits_scales_rewards_and_starts_games():
    policy = smpybandits.Policy(3, "mgf-imed", epsilon=1, seed=11, lower=-3.0, amplitude=6.0)
    mine = directly(11)
    mine.replay(TABLE)
    policy.startGame()
    for row in TABLE:
        arm = policy.choice()
        policy.getReward(arm, -3 + 6 * row[arm])
    same(policy.policy, mine)
    assert policy.t == ROUNDS and policy.estimatedOrder()[-1] == 1
    with refused(r"reward: of arm \d must be in \[-3, 3\], which is \[lower, lower \+ amplitude\]"):
        policy.getReward(policy.choice(), 3.5)
    waits = policy.choice()
    policy.startGame()
    assert policy.t == 0 and policy.policy.choices == 0
    with refused("has no choice"):
        policy.getReward(waits, 1)
    assert str(policy) == "tacit mgf-imed (private, 1)" and str(smpybandits.Policy(2, "ucb1")) == "tacit ucb1"
    with refused("nbArms = 0"):
        smpybandits.Policy(0, "mgf-imed", epsilon=1)


def test_mabwiser_refuses_a_history_and_predicts_in_batches():
    mab = make_mab(arms=COLOURS, epsilon=1, seed=11, wait=20)
    with refused("decisions: must be empty: a private policy cannot learn from decisions that it did not make"):
        mab.fit(["red", "blue"], [1, 0])
    mine = directly(11, wait=20)
    for block in TABLE.reshape(-1, 10, 3):
        tickets = [mine.choose() for _ in range(10)]
        decisions = mab.predict([[]] * 10)
        assert decisions == [COLOURS[ticket.arm] for ticket in tickets]
        rewards = np.array([row[ticket.arm] for row, ticket in zip(block, tickets)])
        mab.partial_fit(np.array(decisions), rewards)
        for ticket, reward in zip(tickets, rewards):
            mine.report(ticket, reward)
    same(mab.policy, mine)
    assert max(mab.predict_expectations(), key=mab.predict_expectations().get) == "green"
    assert mab.predict([[1, 2]]) in COLOURS
    with refused("rewards = 1 numbers: must be 2, one a decision"):
        mab.partial_fit(["red", "red"], [1])
    mab.fit([], [])
    assert mab.policy.choices == 0 and np.isnan(mab.predict_expectations()["red"])


def play_a_log(ask, tell, n=20000):
    """A log that mostly showed arm 0: what counts are the rounds in which it showed what was chosen."""
    rng = np.random.default_rng(12)
    logged = rng.choice(3, size=n, p=[0.8, 0.1, 0.1])
    rewards = (rng.random(n) < MEANS[logged]).astype(float)
    matched = []
    for arm, reward in zip(logged, rewards):
        if ask() == arm:
            tell(arm, reward)
            matched.append((int(arm), reward))
    return matched


@pytest.mark.parametrize("host", ["obp", "river"])
def test_a_log_is_played_back_as_if_only_its_matching_rounds_had_happened(host):
    make, _ = ADAPTERS[host]
    policy = make(epsilon=1, seed=9, **({"replay": True} if host == "river" else {}))
    matched = play_a_log(lambda: ASK[host](policy), lambda arm, reward: TELL[host](policy, arm, reward))
    mine = directly(9)
    for arm, reward in matched:
        ticket = mine.choose()
        assert ticket.arm == arm
        mine.report(ticket, reward)
    assert len(matched) > 1500 and np.mean([arm == 1 for arm, _ in matched[-500:]]) > 0.9
    if policy.policy.choices > len(matched):  # the last choice still waits
        mine.choose()
    same(policy.policy, mine)


def test_in_a_log_arms_may_come_and_go():
    policy = river.Policy("mgf-imed", epsilon=1, seed=9, arms=COLOURS, replay=True)
    first = policy.pull(COLOURS)
    assert policy.pull(COLOURS) == first and policy.policy.choices == 1
    others = [colour for colour in COLOURS if colour != first]
    second = policy.pull(others)
    assert second in others and policy.policy.choices == 2
    with refused("has no choice"):
        policy.update(first, 1)
    policy.update(second, 1)


def test_obp_begins_anew_and_takes_no_lists():
    policy = obp.Policy(3, "mgf-imed", epsilon=1, seed=1)
    policy.update_params(policy.select_action()[0], 1)
    assert policy.n_trial == 1 and policy.policy_name == "tacit_mgf-imed"
    policy.initialize()
    assert policy.n_trial == 0 and policy.policy.choices == 0
    with refused("len_list = 3: must be 1"):
        obp.Policy(3, "mgf-imed", epsilon=1, len_list=3)
    with refused("n_actions = 0"):
        obp.Policy(0, "mgf-imed", epsilon=1)
    with pytest.raises(TypeError, match="replay: must be True or False"):
        obp.Policy(3, "mgf-imed", epsilon=1, replay="yes")


@pytest.mark.filterwarnings("error")
def test_coba_asks_row_by_row_where_it_has_batches():
    learner, mine = coba.Learner("mgf-imed", epsilon=1, seed=11, wait=20), directly(11, wait=20)
    safe = SafeLearner(learner)
    for block in TABLE.reshape(-1, 10, 3):
        tickets = [mine.choose() for _ in range(10)]
        predicted = safe.predict(Batch([None] * 10), Batch([COLOURS] * 10))
        chosen = tuple(action for action, _ in predicted)
        assert chosen == tuple(COLOURS[ticket.arm] for ticket in tickets)
        rewards = Batch(row[ticket.arm] for row, ticket in zip(block, tickets))
        safe.learn(Batch([None] * 10), chosen, rewards, (None,) * 10)
        for ticket, reward in zip(tickets, rewards):
            mine.report(ticket, reward)
    same(learner.policy, mine)
    with refused("must be those of one round"):
        coba.Learner("mgf-imed", epsilon=1).predict(Batch([None] * 2), Batch([(1, 2), (2, 1)]))
    assert learner.params == {"family": "tacit", "policy": "mgf-imed", "epsilon": 1, "wait": 20, "seed": 11}


VECTORS = [[1, 0], [0, 1], [1, 1]]


def test_coba_takes_the_place_for_the_arm_where_actions_are_vectors():
    learner, mine = coba.Learner("mgf-imed", epsilon=1, seed=11, by="position"), directly(11)
    rng = np.random.default_rng(2)
    for row in TABLE:
        actions = [[float(x) for x in rng.random(2)] for _ in range(3)]  # others in every round
        ticket = mine.choose()
        action, probability, more = learner.predict(None, actions)
        assert action is actions[ticket.arm] and probability is None
        learner.learn(None, action, row[ticket.arm], probability, **more)
        mine.report(ticket, row[ticket.arm])
    same(learner.policy, mine)
    assert learner.params["by"] == "position"
    assert coba.Learner("mgf-imed", epsilon=1, actions=VECTORS, by="position").policy.arms == 3
    with refused("by = place: must be label or position"):
        coba.Learner("mgf-imed", epsilon=1, by="place")


def test_coba_is_not_alone_in_hearing_what_is_refused():
    def learner():
        return coba.Learner("mgf-imed", epsilon=1, seed=1, actions=["red", "blue"])

    for call, said in [(lambda one: one.predict(None, VECTORS), "not list; by=.position. takes the place in the list"),
                       (lambda one: one.predict(None, [(1, 0), (2, 1)]), "must be one of red, blue; by=.position."),
                       (lambda one: one.learn(None, "red", 1, 0.5), "did not make")]:
        one = learner()
        with pytest.warns(RuntimeWarning, match=f"coba.Learner mgf-imed.*{said}") as heard:
            for _ in range(3):
                with refused(said):
                    call(one)
        assert len(heard) == 1 and heard[0].filename == __file__


def test_an_argument_that_there_is_not_is_named_with_its_adapter():
    with pytest.raises(TypeError, match=r"^eps: MAB\(\) has no such argument; did you mean epsilon\?$"):
        mabwiser.MAB(COLOURS, "mgf-imed", eps=1)
    with pytest.raises(TypeError, match=r"^random_state: Policy\(\) has no such argument; did you mean seed\?$"):
        obp.Policy(3, "mgf-imed", epsilon=1, random_state=1)


def test_a_replay_says_what_late_answers_need():
    policy = obp.Policy(3, "mgf-imed", epsilon=1, seed=1)
    arm = ASK["obp"](policy)
    TELL["obp"](policy, arm, 1)
    with refused("did not make; it plays a log back, .*: replay=False is for answers that come late"):
        TELL["obp"](policy, arm, 1)
    other = obp.Policy(3, "mgf-imed", epsilon=1, seed=1, replay=False)
    with refused("did not make$"):
        TELL["obp"](other, arm, 1)


def test_they_say_what_they_are():
    assert repr(river.Policy("mgf-imed", epsilon=1, seed=3)) == "<tacit.adapters.river.Policy mgf-imed, epsilon=1, seed=3>"
    assert repr(make_mab(arms=COLOURS, epsilon=0.5)) == "<tacit.adapters.mabwiser.MAB mgf-imed, epsilon=0.5>"
    assert str(smpybandits.Policy(3, "mgf-imed", epsilon=1)) == "tacit mgf-imed (private, 1)"
    assert {"adapters", "simulate"} <= set(dir(tacit)) and not {"catalogue", "held", "own"} & set(dir(tacit))
    names = {}
    exec("from tacit.adapters import *", names)
    assert set(HOSTS) <= set(names)
    assert river.Policy("mgf-imed", epsilon=1).clone(None, False)._told == 0
    with refused("new_params: must be left out"):
        river.Policy("mgf-imed", epsilon=1).clone({"epsilon": 2})


# ---- gymnasium


class Discrete:
    """gymnasium.spaces.Discrete, as far as checks and players look at it."""

    def __init__(self, n):
        self.n = np.int64(n)

    def __contains__(self, x):
        return isinstance(x, (int, np.integer)) and 0 <= x < self.n

    def seed(self, seed):
        self.generator = np.random.default_rng(seed)

    def sample(self):
        return self.generator.integers(self.n)


class HostEnv:
    """gymnasium.Env: who resets it without a seed goes on with the generator that there is."""

    _np_random = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = np.random.default_rng(seed)

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random


@pytest.fixture(params=["with gymnasium", "without"])
def environments(request, monkeypatch):
    """The module, as it is imported where gymnasium is installed and where it is not."""
    host, spaces = types.ModuleType("gymnasium"), types.ModuleType("gymnasium.spaces")
    host.Env, spaces.Discrete = HostEnv, Discrete
    host.registered = {}
    host.register = lambda name, entry_point: host.registered.update({name: entry_point})
    there = request.param == "with gymnasium"
    monkeypatch.setitem(sys.modules, "gymnasium", host if there else None)
    monkeypatch.setitem(sys.modules, "gymnasium.spaces", spaces if there else None)
    monkeypatch.delitem(sys.modules, "tacit.adapters.gymnasium")
    made = importlib.import_module("tacit.adapters.gymnasium")
    assert issubclass(made.Env, HostEnv) == there
    assert host.registered == ({"tacit/Bandit-v0": "tacit.adapters.gymnasium:Env"} if there else {})
    yield made
    sys.modules["tacit.adapters.gymnasium"] = tacit.adapters.gymnasium = gymnasium


def episode(env, policy, seed=None):
    observation, info = env.reset(seed=seed)
    assert observation == 0 and info == {}
    played, rewards = [], []
    while True:
        ticket = policy.choose()
        observation, reward, terminated, truncated, info = env.step(ticket.arm)
        assert observation == 0 and type(reward) is float and terminated is False and info == {}
        policy.report(ticket, reward)
        played.append(ticket.arm)
        rewards.append(reward)
        if truncated:
            return played, rewards


def test_a_policy_learns_in_an_environment_and_meets_what_the_engine_draws(environments):
    env = environments.Env(MEANS, horizon=ROUNDS)
    mine, other = directly(11), directly(11)
    played, rewards = episode(env, mine, seed=77)
    table = outcomes.table(env.problem, ROUNDS, int(np.random.default_rng(77).integers(2**53)))
    assert played == other.replay(table).tolist()
    assert rewards == table[np.arange(ROUNDS), played].tolist()
    same(mine, other)
    assert np.mean(np.array(played[-1000:]) == 1) > 0.9
    assert not np.array_equal(table, outcomes.table(env.problem, ROUNDS, 1))
    assert np.abs(table.mean(axis=0) - MEANS).max() < 5 * np.sqrt(0.25 / ROUNDS)


def test_an_environment_keeps_to_the_protocol(environments):
    env = environments.Env("hu-linear", horizon=20)
    assert env.action_space.n == 5 and env.observation_space.n == 1
    assert repr(env).startswith("<tacit.adapters.gymnasium.Env bernoulli(0.75,") and repr(env).endswith(", horizon 20>")
    results = {}
    for seed in (123, 123, 456, None):
        env.reset(seed=seed)
        state = str(env.np_random.bit_generator.state)
        env.reset(options={})
        then = str(env.np_random.bit_generator.state)
        assert then != state  # goes on, and gives another episode
        assert results.setdefault(seed, (state, then)) == (state, then)
    assert len(set(results.values())) == 3
    first, second = (episode(env, tacit.Simulated("ucb1", arms=5, seed=1), seed=5) for _ in range(2))
    assert first == second and len(first[0]) == 20
    with refused("step = 21: must be within an episode"):
        env.step(0)
    env.reset(seed=1)
    for wrong in (-1, 5, NAN, 0.5):
        with refused("action"):
            env.step(wrong)
    with pytest.raises(TypeError, match="action"):
        env.step("red")
    with refused("must be within an episode"):
        environments.Env("hu-linear").step(0)


def test_environments_are_of_any_problem_with_one_arm_a_round(environments):
    rows = np.random.default_rng(1).random((30, 4))
    env = environments.Env(tacit.Problem.from_outcomes(rows), horizon=30)
    env.reset(seed=1)
    assert [env.step(t % 4)[1] for t in range(30)] == pytest.approx([rows[t, t % 4] for t in range(30)], abs=1e-6)
    with refused("horizon = 31: the problem has only 30 rounds"):
        environments.Env(tacit.Problem.from_outcomes(rows), horizon=31).reset()
    for problem in (tacit.Problem(prior="uniform:4"), tacit.Problem(means=MEANS, rewards="beta"), "open-bandit:men"):
        env = environments.Env(problem, horizon=5)
        env.reset(seed=3)
        assert all(0 <= env.step(1)[1] <= 1 for _ in range(5))
    with refused("problem = top:4: must be played one arm a round"):
        environments.Env("kveton")
    for horizon in (0, 1.5, NAN):
        with refused("horizon"):
            environments.Env("hu-linear", horizon=horizon)


def test_a_river_of_policies_plays_in_an_environment(environments):
    """As river's evaluate() does: an environment is reset and then copied, so that all policies meet the same users."""
    env = environments.Env(MEANS, horizon=ROUNDS)
    policies = [river.Policy("mgf-imed", epsilon=1, seed=11), river.Policy("mgf-imed", epsilon=1, seed=12)]
    for number in range(2):
        there = copy.deepcopy(env)
        there.reset(seed=number)
        for policy, mine in zip([policy.clone() for policy in policies], [directly(11, number), directly(12, number)]):
            played, copied, truncated = [], copy.deepcopy(there), False
            while not truncated:
                played.append(policy.pull(range(copied.action_space.n)))
                _, reward, _, truncated, _ = copied.step(played[-1])
                policy.update(played[-1], reward)
            assert played == mine.replay(there._outcomes).tolist()


# ---- what they are made of


@pytest.mark.parametrize("name", HOSTS)
def test_an_adapter_is_short_and_needs_nothing_of_its_host(name):
    source = Path(os.environ["TACIT_SOURCE"]) / "python" / "tacit" / "adapters" / f"{name}.py"
    text = source.read_text()
    assert text.count("\n") < 80 and max(map(len, text.splitlines())) <= 120
    assert re.search(r"\bRun (with|beside) \w+ \d+\.\d+\.\d+\b", text)
    program = f"""
import sys
for host in {list(HOSTS.values())}:
    sys.modules[host] = None  # importing it fails
import tacit.adapters.{name}
assert not [m for m in sys.modules if m.split(".")[0] in {list(HOSTS.values())} and sys.modules[m] is not None]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
