"""The rivals of benchmarks/peers.py play the same algorithms as tacit."""
import functools
import importlib.util
import os
import sys

import pytest

_path = os.path.join(os.environ["TACIT_SOURCE"], "benchmarks", "peers.py")
_spec = importlib.util.spec_from_file_location("peers", _path)
peers = sys.modules.setdefault("peers", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(peers)

PEERS = {peer.policy: peer for peer in peers.PEERS}
# Regret after few rounds tells of the noise, after many of the index.
CASES = [("ucb1", 1000, 200), ("thompson-beta", 1000, 100), ("anytime-lazy-ucb", 100, 2000),
         ("anytime-lazy-ucb", 10_000, 100)]
BROKEN = [("ucb1", 1000, {"root_factor": 1.8}), ("thompson-beta", 1000, {"prior": 8}),
          ("anytime-lazy-ucb", 100, {"noise": 2}), ("anytime-lazy-ucb", 10_000, {"factor": 2.7})]


def played(play):
    player = peers.Player(1, play)
    player.repeat(1)
    return player


@functools.cache
def tacit_player(policy, rounds):
    peer = PEERS[policy]._replace(horizon=rounds, played=rounds)
    return played(lambda seed: peers.tacit_regrets(peer, 4000, seed))


def apart(play, policy, rounds, runs, **broken):
    rival = played(lambda seed: play(peers.MEANS, rounds, runs, seed, **broken))
    return abs(peers.deviation(rival, tacit_player(policy, rounds)))


@pytest.mark.parametrize("policy, rounds, loops", CASES)
def test_rivals_have_the_regret_of_tacit(policy, rounds, loops):
    assert apart(PEERS[policy].loop, policy, rounds, loops) < peers.DEVIATION
    assert apart(PEERS[policy].lockstep, policy, rounds, 2000) < peers.DEVIATION


@pytest.mark.parametrize("policy, rounds, broken", BROKEN)
def test_a_rival_with_another_constant_is_found_out(policy, rounds, broken):
    assert apart(PEERS[policy].lockstep, policy, rounds, 2000, **broken) > peers.DEVIATION


def of_cost(nanoseconds, regrets=(9, 10, 11)):
    player = played(lambda seed: regrets)
    player.nanoseconds = nanoseconds
    return player


def test_a_promise_that_is_not_kept_is_named():
    peer = peers.PEERS[0]._replace(than_loop=20, than_lockstep=1.5)
    assert peers.faults(peer, of_cost(20), of_cost(1.5), of_cost(1), promised=True) == []
    slow = of_cost(19), of_cost(1.4), of_cost(1)
    assert peers.faults(peer, *slow, promised=False) == []
    assert peers.faults(peer, *slow, promised=True) == [
        "ucb1: 19 times as fast as the plain loop, must be at least 20",
        "ucb1: 1.4 times as fast as lockstep, must be at least 1.5"]


def test_another_regret_is_a_fault_whoever_is_faster():
    other = of_cost(100, regrets=(19, 20, 21))
    found = peers.faults(peers.PEERS[0], other, of_cost(100), of_cost(1), promised=False)
    assert found == ["ucb1: mean regret of the plain loop is 20.0, tacit's 10.0: 12.2 standard errors apart"]
