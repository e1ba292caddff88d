"""Policies that a program holds."""
import copy
import os
import pickle

import numpy as np
import pytest

import tacit

HELD = [row for row in tacit.policies()]


def setup_of(row):
    call = dict(arms=4, epsilon=1.5, horizon=10**6)
    if row["feedback"] in ("semi", "cascade"):
        call["actions"] = "top:2"
    return call


def answer(policy, ticket, rng, local):
    """What the user behind a ticket says."""
    recorded = ticket.recorded
    count = policy.arms if recorded == "all" else len(recorded)
    if local:
        if policy.name == "cascade-ldp-stop":  # answers with where the user stopped
            policy.take(ticket, policy.device_report(ticket, float(rng.integers(0, 3))))
        else:
            policy.take(ticket, policy.device_report(ticket, list(rng.integers(0, 2, count))))
    elif count:
        outcomes = rng.integers(0, 2, count).astype(float)
        policy.report(ticket, outcomes if count > 1 else float(outcomes[0]))


@pytest.mark.parametrize("row", HELD, ids=lambda row: row["name"])
def test_every_policy_is_held_shown_saved_and_taken_up_again_or_says_why_not(row):
    try:
        policy = tacit.Policy(row["name"], **setup_of(row))
    except tacit.InvalidParameter as refused:
        assert refused.parameter == "policy" and "raw outcomes" in str(refused)
        return
    rng = np.random.default_rng(1)
    local = row["trust"] == "local"
    tickets = [policy.choose() for _ in range(40)]
    for ticket in reversed(tickets):  # in any order, and twice
        assert all(0 <= arm < 4 for arm in ticket.arms)
        answer(policy, tacit.Ticket.from_text(ticket.text()), rng, local)
        answer(policy, ticket, rng, local)
    assert policy.choices == 40
    promise = policy.guarantee
    assert (promise["epsilon"] is None) == (row["trust"] == "none")
    if promise["epsilon"] is not None:
        assert promise["randomness"] == "secure" and promise["arithmetic"] in ("exact", "idealised")
    shown = policy.intervals()
    assert shown.mean.shape == (4,) and len(shown.to_frame()) == 4
    key = tacit.Key()
    state, made = policy.save(key), policy.releases
    policy.close()
    again = tacit.Policy.restore(state, tacit.Key.from_text(key.text()), releases=made)
    assert again.choices == 40 and again.releases == made and again.name == row["name"]
    assert np.array_equal(again.intervals().mean, shown.mean, equal_nan=True)
    answer(again, tickets[0], rng, local)  # known, and answered
    assert again.choose().number == 41


def test_what_is_due_is_released_by_choices_alone():
    policy = tacit.Policy("mgf-imed", arms=2, epsilon=1)
    tickets = []
    while policy.releases == 0:
        tickets.append(policy.choose())
        assert len(tickets) < 10000
    told = policy.releases
    for ticket in tickets:
        policy.report(ticket, 1)
    assert policy.releases == told  # an answer releases nothing
    assert policy.ledger()[0]["epsilon"] == 1 and policy.ledger()[0]["arm"] in (0, 1)


def test_it_learns_which_arm_is_best():
    policy = tacit.Policy("mgf-imed", arms=3, epsilon=1, wait=10)
    rng = np.random.default_rng(7)
    waiting, played = [], np.zeros(3, int)
    for _ in range(6000):
        ticket = policy.choose()
        played[ticket.arm] += 1
        waiting.append(ticket)
        if len(waiting) > 5:
            late = waiting.pop(rng.integers(len(waiting)))
            policy.report(late, rng.random() < (0.9, 0.5, 0.1)[late.arm])
    assert played.argmax() == 0 and played[0] > 4500
    assert policy.best(error=0.01) == [0]
    low, high = policy.difference(0, 2)
    assert low > 0 and high <= 1
    shown = policy.intervals(0.99)
    assert shown.low[0] <= 0.9 <= shown.high[0]
    assert "arm 0" in repr(shown)


def test_only_eligible_arms_are_chosen():
    policy = tacit.Policy("anytime-lazy-ucb", arms=5, epsilon=1)
    for eligible in ([3], (1, 4), np.array([0, 2]), range(2, 5)):
        assert policy.choose(eligible=eligible).arm in list(eligible)
    for wrong in ([], [5], [-1], [2**40], [0.5], "12", 3, [None]):
        with pytest.raises((ValueError, TypeError), match="eligible"):
            policy.choose(eligible=wrong)


@pytest.mark.parametrize("copies", [copy.copy, copy.deepcopy, pickle.dumps, lambda p: copy.deepcopy([p])])
def test_one_that_protects_people_is_not_copied(copies):
    policy = tacit.Policy("mgf-imed", arms=2, epsilon=1)
    with pytest.raises(TypeError, match="release the same sum twice"):
        copies(policy)
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(tacit.Key())
    with pytest.raises(TypeError):
        tacit.Policy("mgf-imed", arms=2, epsilon=1, seed=1)


@pytest.mark.parametrize("name", ["mgf-imed", "lazy-dp-ts", "ucb1", "ldp-ucb-bits", "rnm-ftnl"])
def test_a_simulated_one_is_repeated_and_copied(name):
    def play(policy, rng, rounds):
        seen = []
        for _ in range(rounds):
            ticket = policy.choose()
            seen.append(ticket.arm)
            if name == "ldp-ucb-bits":  # devices are simulated too
                policy.take(ticket, policy.device_report(ticket, rng.random()))
            else:
                count = policy.arms if ticket.recorded == "all" else 1
                policy.report(ticket, rng.random(count) if count > 1 else rng.random())
        return seen

    def make(seed=3):
        return tacit.Simulated(name, arms=3, epsilon=1, seed=seed, horizon=10**6)

    first, second = make(), make()
    assert play(first, np.random.default_rng(0), 300) == play(second, np.random.default_rng(0), 300)
    copies = [copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))]
    want = play(first, np.random.default_rng(1), 300)
    for one in copies:
        assert play(one, np.random.default_rng(1), 300) == want
    assert first.guarantee["randomness"] == "simulated"
    assert play(make(4), np.random.default_rng(0), 300) != play(make(3), np.random.default_rng(0), 300)


@pytest.mark.parametrize("name", ["mgf-imed", "anytime-lazy-ucb", "thompson-beta", "rnm-ftnl", "cucb", "lazy-kl-cucb"])
def test_a_replay_is_choosing_and_reporting(name):
    table = np.random.default_rng(5).random((3000, 4))
    call = dict(arms=4, epsilon=1, seed=2, horizon=10**6)
    if tacit.guarantee(name, epsilon=1) and name in ("cucb", "lazy-kl-cucb"):
        call["actions"] = "top:2"
    fast = tacit.Simulated(name, **call).replay(table)
    slow = tacit.Simulated(name, **call)
    for t, row in enumerate(table):
        ticket = slow.choose()
        assert list(np.atleast_1d(fast[t])) == list(ticket.arms)
        slow.report(ticket, row if ticket.recorded == "all" else row[list(ticket.recorded)])
    assert fast.shape == ((3000, 2) if "actions" in call else (3000,))


def test_a_replay_can_be_empty_and_is_checked():
    policy = tacit.Policy("mgf-imed", arms=2, epsilon=1)
    assert policy.replay(np.zeros((0, 2))).shape == (0,)
    for wrong in (np.zeros(2), np.zeros((3, 3)), "table", None, [[0.5, np.nan]], [[0.5, 2]], [["a", "b"]]):
        with pytest.raises((ValueError, TypeError), match="table|outcome"):
            policy.replay(wrong)
    with pytest.raises(ValueError, match="local"):
        tacit.Policy("ldp-ucb-bits", arms=2, epsilon=1).replay(np.zeros((3, 2)))


def test_a_file_keeps_it(tmp_path):
    file, key = tmp_path / "state", tacit.Key()
    call = dict(policy="mgf-imed", arms=2, epsilon=1)
    policy = tacit.Policy.open(file, key, **call)
    for _ in range(500):
        policy.report(policy.choose(), 1)
    made, old = policy.releases, (tmp_path / "state").read_bytes()
    assert made > 0
    with pytest.raises(RuntimeError, match="state"):  # somebody holds it
        tacit.Policy.open(file, key, **call)
    policy.close()
    again = tacit.Policy.open(file, key, **call)
    assert again.choices == 500 and again.releases == made
    while again.releases == made:
        again.report(again.choose(), 0)
    del again
    file.write_bytes(old)  # of before the last release
    with pytest.raises(ValueError, match="older"):
        tacit.Policy.open(file, key, **call)
    os.remove(file)
    with pytest.raises(RuntimeError, match="mark"):
        tacit.Policy.open(file, key, **call)
    with pytest.raises(ValueError, match="store"):
        tacit.Policy("mgf-imed", arms=2, epsilon=1).keep()


def test_a_key_that_does_not_open_and_a_state_that_was_changed_are_refused():
    policy = tacit.Policy("mgf-imed", arms=2, epsilon=1)
    for _ in range(100):
        policy.report(policy.choose(), 1)
    key = tacit.Key()
    state, made = policy.save(key), policy.releases
    with pytest.raises(ValueError, match="lives on"):
        tacit.Policy.restore(state, key, releases=made)
    policy.close()
    with pytest.raises(RuntimeError, match="closed"):
        policy.choose()
    with pytest.raises(ValueError):
        tacit.Policy.restore(state, tacit.Key(), releases=made)
    with pytest.raises(ValueError, match="older"):
        tacit.Policy.restore(state, key, releases=made + 1)
    for wrong in (b"", b"tacit", state[:-10], state.replace(b'"arms": 2', b'"arms": 3'), state[:200] + b"x" + state[201:],
                  state.replace(b'"epsilon": "1.0"', b'"epsilon": "2.0"'), state.replace(b'"wait": 0', b'"wait": 1'),
                  state.replace(b'"params": []', b'"params": 7'), state.replace(b'"arms": 2', b'"arms": []')):
        with pytest.raises(ValueError):
            tacit.Policy.restore(wrong, key, releases=0)
    for wrong in (None, 5, state.decode()):
        with pytest.raises(TypeError, match="state"):
            tacit.Policy.restore(wrong, key, releases=0)
    with pytest.raises(TypeError, match="key"):
        tacit.Policy.restore(state, key.text(), releases=0)
    tacit.Policy.restore(state, tacit.Key.from_text(key.text()), releases=made)
    with pytest.raises(ValueError, match="taken up"):
        tacit.Policy.restore(state, key, releases=made)
    assert tacit.Key.from_text(key.text()) == key != tacit.Key() and key != key.text()


def test_tickets_are_values():
    policy, other = (tacit.Policy("mgf-imed", arms=2, epsilon=1) for _ in range(2))
    ticket = policy.choose()
    assert pickle.loads(pickle.dumps(ticket)) == ticket and hash(copy.copy(ticket)) == hash(ticket)
    assert ticket != policy.choose() and ticket != "ticket" and ticket.number == 1
    other.choose()
    with pytest.raises(ValueError, match="ticket"):
        other.report(ticket, 1)
    for wrong in ("", "abc", ticket.text()[:-4] + "AAAA", ticket.text() + "A"):
        with pytest.raises(ValueError):
            policy.report(tacit.Ticket.from_text(wrong), 1)
    for wrong in (None, 3, ticket.text()):
        with pytest.raises(TypeError, match="ticket"):
            policy.report(wrong, 1)
    for wrong in (np.nan, np.inf, -0.1, 1.1, [0.5, 0.5], [], np.zeros((1, 1)), "1", None, b"1", [None], 1j):
        with pytest.raises((ValueError, TypeError), match="outcome"):
            policy.report(ticket, wrong)
    for fine in (True, 1, 0.5, np.float32(0.5), np.int64(1), np.bool_(True), np.array(0.5), [0.5], np.array([1])):
        policy.report(policy.choose(), fine)


def test_a_horizon_ends():
    policy = tacit.Policy("ucb1", arms=2, horizon=3)
    for _ in range(3):
        policy.report(policy.choose(), 1)
    with pytest.raises(ValueError, match="horizon"):
        policy.choose()


@pytest.mark.parametrize("kind", [tacit.Policy, tacit.Simulated, tacit.Ticket, tacit.Key])
def test_one_that_was_never_made_is_refused_not_followed(kind):
    half = kind.__new__(kind)
    policy = tacit.Policy("mgf-imed", arms=2, epsilon=1)
    refused = 0
    for name in dir(kind):
        if name in ("__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__"):
            continue
        try:
            found = getattr(half, name)
            found() if callable(found) else None
        except (TypeError, AttributeError, ValueError):
            refused += 1
    assert refused > 5
    for call in (lambda: policy.report(half, 1), lambda: policy.save(half)):
        with pytest.raises((TypeError, AttributeError)):
            call()


def test_a_file_is_let_go_of_when_a_block_ends(tmp_path):
    file, key = tmp_path / "state", tacit.Key()
    for count in (20, 40):
        with tacit.Policy.open(file, key, "mgf-imed", arms=2, epsilon=1) as policy:
            for _ in range(20):
                policy.report(policy.choose(), 1)
            assert policy.choices == count and policy.epsilon == 1


def test_no_message_repeats_an_outcome_or_a_key():
    digits = "ab" * 32
    policy, local = tacit.Policy("mgf-imed", arms=2, epsilon=1), tacit.Policy("ldp-ucb-bits", arms=2, epsilon=1)
    ticket, other = policy.choose(), local.choose()
    for call in (lambda: tacit.Key(digits), lambda: tacit.Key.from_text(text=digits), lambda: tacit.Key.from_text(digits + "q"),
                 lambda: tacit.Key.from_text(digits, digits), lambda: policy.report(ticket, 0.77, 5),
                 lambda: policy.report(ticket=ticket, outcme=0.77), lambda: policy.report(0.77), lambda: policy.report(0.77, 0.77),
                 lambda: policy.report(ticket, ticket=ticket), lambda: policy.report(ticket, 77.77), lambda: policy.report(ticket, "0.77"),
                 lambda: policy.report(ticket, [0.77, 0.77]), lambda: local.take(other, 0.77), lambda: local.take(other, [0.77, 1]),
                 lambda: local.device_report(other, value=0.77), lambda: local.device_report(other, 77.77),
                 lambda: policy.replay([[0.77, 77.77]]), lambda: policy.replay(0.77), lambda: policy.choose(0.77, 0.77)):
        with pytest.raises((ValueError, TypeError)) as caught:
            call()
        assert "77" not in str(caught.value) and "abab" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_mask_is_no_list_of_arms():
    policy = tacit.Policy("mgf-imed", arms=3, epsilon=1)
    for mask in ([False, False, True], np.array([False, True, True]), [np.True_]):
        with pytest.raises(TypeError, match="eligible"):
            policy.choose(mask)


def test_what_never_ends_is_refused():
    import itertools

    policy = tacit.Policy("mgf-imed", arms=3, epsilon=1)
    ticket = policy.choose()
    for call in (lambda: policy.report(ticket, itertools.repeat(0.5)), lambda: policy.choose(itertools.repeat(1))):
        with pytest.raises(ValueError, match="at most 3"):
            call()


def test_what_is_raised_while_an_argument_is_read_comes_through():
    class Interrupted:
        def __float__(self):
            raise KeyboardInterrupt

    policy = tacit.Policy("mgf-imed", arms=3, epsilon=1)
    with pytest.raises(KeyboardInterrupt):
        policy.report(policy.choose(), Interrupted())


def test_no_thread_comes_in_while_arguments_are_read():
    import threading
    import time

    table = np.zeros((3_000_000, 2))

    class Slow:
        def __array__(self, *_, **__):
            time.sleep(0.2)
            return table

    policy = tacit.Simulated("ucb1", arms=2, seed=1)
    failures = []

    def replay():
        try:
            policy.replay(Slow())
        except RuntimeError as error:
            failures.append(str(error))

    worker = threading.Thread(target=replay)
    worker.start()
    time.sleep(0.05)
    policy.replay(table)
    worker.join()
    assert policy.choices == 3_000_000 * (2 - len(failures))


def test_it_is_made_once():
    policy = tacit.Policy("mgf-imed", arms=3, epsilon=1)
    with pytest.raises(TypeError, match="once"):
        policy.__init__("ucb1", arms=9)
    assert "mgf-imed: 3 arms" in repr(policy)


def test_sets_have_arms_and_no_arm():
    policy = tacit.Policy("lazy-kl-cucb", arms=5, epsilon=1, actions="top:2")
    ticket = policy.choose()
    assert len(ticket.arms) == 2
    with pytest.raises(ValueError, match="ticket.arms"):
        ticket.arm
    policy.report(ticket, [1] * len(ticket.recorded))
