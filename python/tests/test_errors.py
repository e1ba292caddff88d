"""Wrong input: one line that names the argument, in the words of Python; never a crash."""
import os
import pickle
import re

import numpy as np
import pytest

import tacit
from tacit.errors import in_python_words

FINE = dict(policy="mgf-imed", problem="hu-linear", epsilon=1, horizon=100, runs=2)

WRONG = [
    ("policy", dict(policy="mgf-immed"), "did you mean mgf-imed.*tacit.policies()"),
    ("policy", dict(policy=""), "tacit.policies()"),
    ("problem", dict(problem="hu-linaer"), "did you mean hu-linear.*tacit.problems()"),
    ("problem", dict(problem=7), "must be a name"),
    ("means", dict(problem=[]), "arm"), ("means", dict(problem=[2.0]), ""), ("means", dict(problem=[0.5, np.nan]), ""),
    ("means", dict(problem=[0.5, "x"]), "number"), ("means", dict(problem=[0.5, None]), "number"),
    ("epsilon", dict(epsilon=None), ""), ("epsilon", dict(epsilon=0), "> 0"), ("epsilon", dict(epsilon=-1), "> 0"),
    ("epsilon", dict(epsilon=np.nan), ""), ("epsilon", dict(epsilon=np.inf), ""), ("epsilon", dict(epsilon="1"), "number"),
    ("epsilon", dict(epsilon=True), "number"), ("epsilon", dict(epsilon=1j), "number"),
    ("horizon", dict(horizon=0), ""), ("horizon", dict(horizon=1.5), "whole"), ("horizon", dict(horizon=2**60), ""),
    ("horizon", dict(horizon=np.inf), "whole"), ("horizon", dict(horizon="1e6"), "whole"), ("horizon", dict(horizon=None), ""),
    ("runs", dict(runs=0), ""), ("runs", dict(runs=-3), ""), ("runs", dict(runs=2.5), "whole"), ("runs", dict(runs=None), ""),
    ("seed", dict(seed=-1), ""), ("seed", dict(seed=1.5), "whole"), ("threads", dict(threads=0), ""),
    ("threads", dict(threads=10**9), ""), ("checkpoints", dict(checkpoints=0), ""), ("checkpoints", dict(checkpoints=[]), ""),
    ("checkpoints", dict(checkpoints=[5, 5, 100]), "increase"), ("checkpoints", dict(checkpoints=[1, 99]), "horizon"),
    ("checkpoints", dict(checkpoints=[101]), "horizon"), ("checkpoints", dict(checkpoints=[1.5, 100]), ""),
    ("checkpoints", dict(checkpoints="every:5"), ""), ("checkpoints", dict(checkpoints=None), ""),
    ("noise", dict(noise="loud"), "ideal"), ("noise", dict(noise=3), "string"), ("plain", dict(plain=1), "True or False"),
    ("delay", dict(delay=-1), ""), ("delay", dict(delay="often"), ""), ("delay", dict(delay=1.5), "whole"),
    ("against", dict(against="all"), "oracle"), ("intervals", dict(intervals=2), ""), ("feedback", dict(feedback="full"), "bandit"),
    ("first_run", dict(first_run=-1), "from 0"), ("params", dict(params={"douby": 1}), "doubt"), ("params", dict(params=[1]), "mapping"),
    ("params", dict(params={"doubt": None}), ""), ("params", dict(params={"doubt": "x"}), ""), ("params", dict(params={3: 1}), ""),
]


@pytest.mark.parametrize("argument, wrong, said", WRONG)
def test_every_argument_is_named_by_what_is_wrong_with_it(argument, wrong, said):
    with pytest.raises((ValueError, TypeError)) as caught:
        tacit.simulate(**{**FINE, **wrong})
    message = str(caught.value)
    assert "\n" not in message and len(message) < 400
    assert "--" not in message and "`tacit" not in message and "tacit list" not in message
    assert argument in message or argument == "params" and "doub" in message, message
    assert re.search(said.replace("()", r"\(\)"), message), message


@pytest.mark.parametrize("call, said", [
    (lambda: tacit.simulate("mgf-imed", "hu-linear", epsilon=1, horizon=10, n_runs=2),
     "n_runs: simulate() has no such argument; did you mean runs?"),
    (lambda: tacit.simulate("mgf-imed", "hu-linear", eps=1, horizon=10, runs=2),
     "eps: simulate() has no such argument; did you mean epsilon?"),
    (lambda: tacit.simulate("mgf-imed", "hu-linear", epsilon=1, T=10, runs=2),
     "T: simulate() has no such argument; did you mean horizon?"),
    (lambda: tacit.simulate("mgf-imed", "hu-linear", epsilon=1, horizon=10, runs=2, n_jobs=4),
     "n_jobs: simulate() has no such argument; did you mean threads?"),
    (lambda: tacit.sweep(["mgf-imed"], ["hu-linear"], [1], horizon=10, runs=1, sead=3),
     "sead: sweep() has no such argument; did you mean seed?"),
    (lambda: tacit.sweep(["mgf-imed"], ["hu-linear"], [1], horizon=10, n_runs=1),
     "n_runs: sweep() has no such argument; did you mean runs?"),
    (lambda: tacit.tasks(["mgf-imed"], ["hu-linear"], [1], horizon=10, runs=1, n_jobs=4),
     "n_jobs: tasks() has no such argument; did you mean threads?"),
    (lambda: tacit.Policy.open("file", tacit.Key(), "mgf-imed", n_arms=2, epsilon=1),
     "n_arms: Policy.open() has no such argument; did you mean arms?"),
    (lambda: tacit.identify("mgf-tt", "hu-linear", epsilon=1, eror=0.1), "eror: identify() has no such argument; did you mean error?"),
    (lambda: tacit.audit("mgf-imed", epsilon=1, n_samples=10), "n_samples: audit() has no such argument; did you mean samples?"),
    (lambda: tacit.guarantee("mgf-imed", eps=1), "eps: guarantee() has no such argument; did you mean epsilon?"),
    (lambda: tacit.bounds("hu-linear", epsilon=1, T=10), "T: bounds() has no such argument; did you mean horizon?"),
    (lambda: tacit.Policy("mgf-imed", arms=2, eps=1), "eps: Policy() has no such argument; did you mean epsilon?"),
    (lambda: tacit.Simulated("mgf-imed", n_arms=2, epsilon=1, seed=1), "n_arms: Simulated() has no such argument; did you mean arms?"),
    (lambda: tacit.Problem(mean=[0.5]), "mean: Problem() has no such argument; did you mean means?"),
    (lambda: tacit.Problem(zebra=1), "zebra: Problem() has no such argument"),
])
def test_an_argument_that_there_is_not_is_answered_with_the_nearest(call, said):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == said


def test_a_refusal_has_fields_and_travels():
    with pytest.raises(ValueError) as caught:
        tacit.simulate("mgf-imed", "hu-linear", epsilon=-2, horizon=10, runs=1)
    error = caught.value
    assert type(error) is tacit.InvalidParameter and isinstance(error, ValueError)
    assert (error.parameter, error.value, error.requirement) == ("epsilon", "-2.0", "must be a finite number > 0")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "epsilon = -2.0: must be a finite number > 0" and again.parameter == "epsilon"


def test_what_the_library_says_of_options_is_said_of_arguments():
    for line, said in [
        ("give --most N, after which it gives up", "give most=N, after which it gives up"),
        ("`tacit list --problems` shows all", "tacit.problems() shows all"),
        ("it can be sampled, without --exact", "it can be sampled, without exact=True"),
        ("goes with --environment-epsilon, which", "goes with environment_epsilon=, which"),
    ]:
        assert in_python_words(line) == said


def test_no_message_of_the_library_keeps_an_option():
    # Whatever the library says of an option, in whatever sentence.
    folder = os.path.join(os.environ["TACIT_SOURCE"], "lib", "tacit")
    found = 0
    for path, _, files in os.walk(folder):
        for name in files:
            if not name.endswith((".cpp", ".hpp")) or "_test" in name:
                continue
            with open(os.path.join(path, name), encoding="utf-8") as file:
                code = re.sub(r"//[^\n]*", "", file.read())
            for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
                if re.search(r"--[a-z]|tacit list", text):
                    found += 1
                    assert not re.search(r"--[a-z]|tacit list", in_python_words(text)), text
    assert found > 10


@pytest.mark.parametrize("call", [
    lambda: tacit.identify("mgf-tt", [0.5, 0.4], epsilon=1),
    lambda: tacit.identify("mgf-tt", [0.5, 0.5], epsilon=1, error=0.1),
    lambda: tacit.identify("mgf-tt", [0.5, 0.4], epsilon=1, error=0.1, budget=100),
    lambda: tacit.identify("mgf-tt", [0.5, 0.4], epsilon=1, error=0.1, params={"top": 1}),
    lambda: tacit.identify("mgf-tt", [0.5], epsilon=1, error=0.1),
    lambda: tacit.identify("cucb", tacit.Problem(means=[0.5, 0.4], actions="top:1"), error=0.1),
    lambda: tacit.bounds(tacit.Problem.from_outcomes([[0.5]]), epsilon=1, horizon=10),
    lambda: tacit.bounds("hu-linear", epsilon=0, horizon=10),
    lambda: tacit.bounds("hu-linear", epsilon=1, horizon=10, feedback="semi"),
    lambda: tacit.guarantee("mgf-imed"), lambda: tacit.guarantee("nobody", epsilon=1),
    lambda: tacit.guarantee("mgf-imed", epsilon=1, arms=0), lambda: tacit.guarantee("mgf-imed", epsilon=1, noise="x"),
    lambda: tacit.guarantee("cucb-dp", epsilon=1, arms=2, actions="top:5"),
    lambda: tacit.audit("mgf-imed", epsilon=1, samples=3), lambda: tacit.audit("mgf-imed", epsilon=1, notion="my own"),
    lambda: tacit.audit(epsilon=1), lambda: tacit.audit("mgf-imed", epsilon=1, exact="yes"),
    lambda: tacit.audit("ucb1", epsilon=1, replay=True), lambda: tacit.audit("mgf-imed", epsilon=None),
    lambda: tacit.Problem(), lambda: tacit.Problem("hu-linear", means=[0.5]), lambda: tacit.Problem("table:/nowhere"),
    lambda: tacit.Problem(means=[0.5], actions="top:4"), lambda: tacit.Problem(means=[0.5], rewards="gold"),
    lambda: tacit.Problem(prior="never"), lambda: tacit.Problem(means=5), lambda: tacit.Problem(5),
    lambda: tacit.Problem.from_outcomes([1, 2]), lambda: tacit.Problem.from_outcomes([[2.0]]),
    lambda: tacit.Problem.from_outcomes([["a"]]), lambda: tacit.Problem.from_outcomes(np.zeros((0, 3))),
    lambda: tacit.Problem.from_outcomes([[0.1, 0.2], [0.3]]), lambda: tacit.Problem.from_users([[0.5]]),
    lambda: tacit.Problem.from_users(None), lambda: tacit.Problem.from_users(np.zeros((2, 2, 2))),
    lambda: tacit.simulate("ucb1", tacit.Problem.from_outcomes([[0.5, 0.4]] * 9), horizon=10, runs=1),
    lambda: tacit.simulate("mgf-imed", "kveton", epsilon=1, horizon=10, runs=1),
    lambda: tacit.sweep("mgf-imed", ["hu-linear"], [1], horizon=10, runs=1),
    lambda: tacit.sweep(["mgf-imed"], "hu-linear", [1], horizon=10, runs=1),
    lambda: tacit.sweep(["mgf-imed"], ["hu-linear"], 1, horizon=10, runs=1),
    lambda: tacit.sweep(["nobody"], ["hu-linear"], [1], horizon=10, runs=1),
    lambda: tacit.sweep(["mgf-imed"], ["hu-linear"], [1], horizon=10, runs=1, shards=0),
    lambda: tacit.run_task(5), lambda: tacit.load("/nowhere"), lambda: tacit.Experiment("/nowhere.toml"),
    lambda: tacit.Experiment(os.environ["TACIT_SOURCE"]), lambda: tacit.Key.from_text("12"), lambda: tacit.Key.from_text(12),
    lambda: tacit.Policy("mgf-imed", arms=2), lambda: tacit.Policy("mgf-imed", arms=0, epsilon=1),
    lambda: tacit.Policy("mgf-imed", arms=2.5, epsilon=1), lambda: tacit.Policy("mgf-imed", arms=2, epsilon=np.nan),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1, wait=-1), lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1, missing=2),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1, missing=None), lambda: tacit.Policy(5, arms=2, epsilon=1),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1, actions="top:1"), lambda: tacit.Policy("dp-se", arms=2, epsilon=1),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1, params={"x": 1}), lambda: tacit.Policy("mgf-imed", arms=2**31, epsilon=1),
    lambda: tacit.Simulated("mgf-imed", arms=2, epsilon=1, seed=-1), lambda: tacit.Simulated("mgf-imed", arms=2, epsilon=1, seed=None),
    lambda: tacit.Simulated("mgf-imed", arms=2, epsilon=1, seed=1, noise="loud"),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).intervals(2), lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).intervals("a"),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).best(top=2), lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).best(error=0),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).difference(0, 0), lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).difference(0, 5),
    lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).difference("a", 1), lambda: tacit.Policy("mgf-imed", arms=2, epsilon=1).save("key"),
    lambda: tacit.simulate("mgf-imed", "hu-linear", epsilon=1, horizon=10, runs=1).to_frame("wide"),
])
def test_other_calls_are_refused_in_one_line(call):
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    message = str(caught.value)
    if not message.startswith(("from_text(): incompatible", "_save(): incompatible")):
        assert "\n" not in message
    assert "--" not in message and "`tacit" not in message, message
