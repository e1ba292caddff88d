"""Runs are those of the command line, to the last digit, however they are spread."""
import json
import pickle

import numpy as np
import pytest

import tacit

POLICIES = {row["name"]: row for row in tacit.policies()}
PROBLEMS = {
    "bandit": (dict(means=[0.9, 0.8, 0.5]), ["--means", "0.9,0.8,0.5"]),
    "full": (dict(means=[0.9, 0.8, 0.5]), ["--means", "0.9,0.8,0.5"]),
    "semi": (dict(means=[0.9, 0.8, 0.5, 0.2], actions="top:2"), ["--means", "0.9,0.8,0.5,0.2", "--actions", "top:2"]),
    "cascade": (dict(name="kveton"), ["--problem", "kveton"]),
}


def without_times(document):
    return {name: value for name, value in document.items() if name != "seconds"}


def names_with(feedback):
    return [name for name, row in POLICIES.items() if row["feedback"] == feedback]


@pytest.mark.parametrize("horizon, runs, more, options", [
    (1, 1, {}, []),
    (7, 3, {"seed": 0}, ["--seed", 0]),
    (1500, 3, {"seed": 2**53, "checkpoints": "linear:9"}, ["--seed", 2**53, "--checkpoints", "linear:9"]),
    (1500, 2, {"delay": "geometric:30:90"}, ["--delay", "geometric:30:90"]),
    (400, 2, {"plain": True, "delta": 1e-3}, ["--plain", "--delta", 1e-3]),
])
@pytest.mark.parametrize("feedback", PROBLEMS)
def test_every_policy_plays_as_on_the_command_line(documents, feedback, horizon, runs, more, options):
    names = names_with(feedback)
    assert names
    problem, problem_options = PROBLEMS[feedback]
    said = documents("simulate", "--policy", ",".join(names), *problem_options, "--epsilon", 0.7, "--horizon", horizon,
                     "--runs", runs, *options)
    made = tacit.Problem(**problem)
    for name, document in zip(names, said):
        result = tacit.simulate(name, made, epsilon=0.7, horizon=horizon, runs=runs, **more)
        assert without_times(result.document()) == without_times(document), name


@pytest.mark.parametrize("feedback", PROBLEMS)
def test_exact_noise_is_as_on_the_command_line(documents, feedback):
    # Policies with Gaussian or as-published noise have no exact form: both refuse, in the same words.
    problem, options = PROBLEMS[feedback]
    made = tacit.Problem(**problem)
    for name in names_with(feedback):
        call = dict(epsilon=0.7, horizon=300, runs=2, noise="exact")
        try:
            document = documents("simulate", "--policy", name, *options, "--epsilon", 0.7, "--horizon", 300, "--runs", 2,
                                 "--noise", "exact")[0]
        except Exception:
            with pytest.raises(tacit.InvalidParameter):
                tacit.simulate(name, made, **call)
        else:
            assert without_times(tacit.simulate(name, made, **call).document()) == without_times(document), name


@pytest.mark.parametrize("problem, options", [
    (tacit.Problem("hu-linear"), ["--problem", "hu-linear"]),
    (tacit.Problem("equal-gaps:4:0.2"), ["--problem", "equal-gaps:4:0.2"]),
    (tacit.Problem("switching:3:4000"), ["--problem", "switching:3:4000"]),
    (tacit.Problem(means=np.array([0.1, 0.2], dtype=np.float32)), ["--means", "0.10000000149011612,0.20000000298023224"]),
    (tacit.Problem(means=(0.3, 1 / 3), rewards="beta"), ["--means", "0.3,0.3333333333333333", "--rewards", "beta"]),
    (tacit.Problem(prior="uniform:5"), ["--prior", "uniform:5"]),
    (tacit.Problem(means=[0.4, 0.5], environment_epsilon=2, environment_regret="true"),
     ["--means", "0.4,0.5", "--environment-epsilon", 2, "--environment-regret", "true"]),
])
def test_every_kind_of_problem_is_that_of_the_command_line(documents, problem, options):
    document = documents("simulate", "--policy", "mgf-imed", *options, "--epsilon", 0.3, "--horizon", 2000, "--runs", 5)[0]
    result = tacit.simulate("mgf-imed", problem, epsilon=0.3, horizon=2000, runs=5)
    assert without_times(result.document()) == without_times(document)
    again = pickle.loads(pickle.dumps(problem))
    assert again.name == problem.name and np.array_equal(again.means, problem.means)
    assert np.array_equal(tacit.simulate("mgf-imed", again, epsilon=0.3, horizon=2000, runs=5).regret, result.regret)


def test_intervals_are_as_on_the_command_line(documents):
    document = documents("simulate", "--policy", "mgf-imed", "--means", "0.9,0.8,0.5", "--epsilon", 1, "--horizon", 5000,
                         "--runs", 20, "--intervals", 0.1)[0]
    result = tacit.simulate("mgf-imed", [0.9, 0.8, 0.5], epsilon=1, horizon=5000, runs=20, intervals=0.1)
    assert without_times(result.document()) == without_times(document)
    assert result.intervals["low"].shape == (20, len(result.checkpoints), 3)
    parts = [tacit.simulate("mgf-imed", [0.9, 0.8, 0.5], epsilon=1, horizon=5000, runs=10, intervals=0.1, first_run=first)
             for first in (10, 0)]
    assert without_times(tacit.Result.concatenate(parts).document()) == without_times(document)


def test_parameters_have_the_same_digits(documents):
    for value in (0.1, 2.5, 16):
        document = documents("simulate", "--policy", "mgf-imed", "--means", "0.6,0.4", "--epsilon", 1, "--horizon", 500,
                             "--runs", 2, "--param", f"doubt={value}")[0]
        result = tacit.simulate("mgf-imed", [0.6, 0.4], epsilon=1, horizon=500, runs=2, params={"doubt": value})
        assert without_times(result.document()) == without_times(document)
        assert result.params == document["params"]


@pytest.mark.parametrize("policy", [row["name"] for row in tacit.policies()
                                    if row["identifies"] and row["trust"] != "local"] + ["mgf-imed"])
@pytest.mark.parametrize("call, options", [
    (dict(error=0.1, most=200000), ["--error", 0.1, "--most", 200000]),
    (dict(budget=3000, seed=5), ["--budget", 3000, "--seed", 5]),
])
def test_who_identifies_does_so_as_on_the_command_line(documents, policy, call, options):
    document = documents("identify", "--policy", policy, "--means", "0.9,0.5,0.3", "--epsilon", 2, "--runs", 6, *options)[0]
    result = tacit.identify(policy, [0.9, 0.5, 0.3], epsilon=2, runs=6, **call)
    assert without_times(result.document()) == without_times(document)
    assert result.summary()["samples"] == document["samples"]["mean"] == pytest.approx(result.samples.mean())
    assert result.wrong.sum() == round(document["wrong"] * 6) and result.stopped.sum() == document["stopped"]
    parts = [tacit.identify(policy, [0.9, 0.5, 0.3], epsilon=2, runs=3, first_run=first, **call) for first in (0, 3)]
    assert without_times(tacit.Identification.concatenate(parts).document()) == without_times(document)


def test_several_arms_are_identified():
    result = tacit.identify("mgf-tt", [0.9, 0.8, 0.3, 0.2], epsilon=2, error=0.05, top=2, runs=5)
    assert sorted(result.recommended[0]) == [0, 1]


@pytest.mark.parametrize("policy, problem", [("mgf-imed", "hu-linear"), ("thompson-beta", "hu-linear"),
                                             ("lazy-kl-mat", "chandak-vectors"), ("cascade-dp", "kveton")])
def test_neither_threads_nor_shards_change_a_bit(policy, problem):
    call = dict(epsilon=1, horizon=3000, checkpoints=[1, 10, 2999, 3000])
    whole = tacit.simulate(policy, problem, runs=13, threads=1, **call)
    assert whole.regret.shape == (13, 4)
    for threads in (2, 5, 64):
        other = tacit.simulate(policy, problem, runs=13, threads=threads, **call)
        assert np.array_equal(whole.regret, other.regret) and np.array_equal(whole.pulls, other.pulls)
    parts = [tacit.simulate(policy, problem, runs=runs, first_run=first, **call)
             for first, runs in ((12, 1), (0, 5), (5, 7))]
    joined = tacit.Result.concatenate(parts)
    assert without_times(joined.document()) == without_times(whole.document())
    assert np.array_equal(joined.decisions, whole.decisions)


def test_checkpoints_only_read(documents):
    rounds = tacit.simulate("mgf-imed", "hu-linear", epsilon=1, horizon=1000, runs=4, checkpoints=range(1, 1001))
    few = tacit.simulate("mgf-imed", "hu-linear", epsilon=1, horizon=1000, runs=4, checkpoints=np.array([10, 1000]))
    assert np.array_equal(rounds.regret[:, [9, 999]], few.regret)


def test_lists_and_bounds_and_guarantees_are_those_of_the_command_line(documents):
    assert tacit.policies() == documents("list")
    assert tacit.problems() == documents("list", "--problems")
    assert tacit.bounds("hu-linear", epsilon=0.5, horizon=1e6) == documents(
        "bounds", "--problem", "hu-linear", "--epsilon", 0.5, "--horizon", "1e6")
    assert tacit.bounds(tacit.Problem(means=[0.9, 0.5, 0.2], actions="top:2"), epsilon=1, horizon=10,
                        feedback="cascade") == documents("bounds", "--means", "0.9,0.5,0.2", "--actions", "top:2",
                                                         "--epsilon", 1, "--horizon", 10, "--feedback", "cascade")
    for row in tacit.policies():
        promise = tacit.guarantee(row["name"], epsilon=1)
        assert promise["notion"] == row["checked"]["notion"]
        if promise["epsilon"] is not None:
            assert f"{promise['epsilon']:.4g}" == row["checked"]["epsilon"], row["name"]


@pytest.mark.parametrize("call, options", [
    (dict(epsilon=1, samples=2000), ["--epsilon", 1, "--samples", 2000]),
    (dict(epsilon=0.5, exact=True, rounds=5), ["--epsilon", 0.5, "--exact", "--rounds", 5]),
    (dict(epsilon=1, replay=True, seed=3), ["--epsilon", 1, "--replay", "--seed", 3]),
])
def test_an_audit_finds_what_the_command_lines_finds(documents, call, options):
    for policy in ("anytime-lazy-ucb", "rnm-ftnl"):
        try:
            said = documents("audit", "--policy", policy, *options)
        except Exception:
            with pytest.raises(tacit.InvalidParameter):
                tacit.audit(policy, **call)
            continue
        assert tacit.audit(policy, **call) == said
    # Means are released with secure noise: no two audits of them are alike.
    released = documents("audit", "--notion", "environment", "--epsilon", 1, "--samples", 1000)
    assert tacit.audit(notion="environment", epsilon=1, samples=1000).keys() == released.keys()


def test_a_sweep_is_its_calls():
    swept = tacit.sweep(["mgf-imed", "ucb1"], ["hu-linear", [0.9, 0.1]], [0.5, 1], horizon=500, runs=7, shards=3)
    assert [(r.policy, r.epsilon) for r in swept] == [("mgf-imed", 0.5), ("mgf-imed", 1.0), ("mgf-imed", 0.5),
                                                      ("mgf-imed", 1.0), ("ucb1", None), ("ucb1", None)]
    alone = tacit.simulate("mgf-imed", [0.9, 0.1], epsilon=1, horizon=500, runs=7)
    assert np.array_equal(swept[3].regret, alone.regret)
    assert swept[3].document().keys() == alone.document().keys()
    assert len(swept[1:3]) == 2 and isinstance(swept[1:3], tacit.Results)
    assert "mgf-imed" in swept._repr_html_() and swept._repr_html_().count("<tr>") == 7
    frame = swept.to_frame()
    assert list(frame.regret) == [r.document()["regret"]["mean"] for r in swept]
    assert len(swept.to_frame("long")) == sum(r.regret.size for r in swept)


def test_results_travel():
    result = tacit.simulate("mgf-imed", "hu-linear", epsilon=1, horizon=100, runs=3)
    again = pickle.loads(pickle.dumps(result))
    assert again.document() == result.document() and json.dumps(again.document())
    task = pickle.loads(pickle.dumps(tacit.tasks(["ucb1"], [tacit.Problem(means=[0.2, 0.4])], [], horizon=10, runs=2)))
    assert tacit.run_task(task[0]).runs == 2


def test_means_are_the_librarys_own():
    result = tacit.simulate("anytime-lazy-ucb", "hu-linear", epsilon=0.5, horizon=1e6, runs=40)
    curve = result.document()["curve"]
    assert list(result.mean()) == [point["mean"] for point in curve]
    assert list(result.mean() + result.ci95()) == [point["hi"] for point in curve]
    frame = result.to_frame()
    assert list(frame.t) == list(result.checkpoints) and frame.shape == (len(curve), 7)
    assert np.isnan(tacit.simulate("ucb1", "hu-linear", horizon=5, runs=1).ci95()).all()


def test_shards_that_do_not_fit_are_refused():
    def part(**more):
        return tacit.simulate("mgf-imed", "hu-linear", **{**dict(epsilon=1, horizon=100, runs=3), **more})

    for parts in ([], [part(), part(first_run=4)], [part(), part()], [part(), part(first_run=3, seed=2)],
                  [part(), part(first_run=3, epsilon=2)], [part(), part(first_run=3, checkpoints=5)]):
        with pytest.raises(tacit.InvalidParameter, match="parts"):
            tacit.Result.concatenate(parts)


PLAIN = dict(epsilon=1, horizon=300, runs=3)


def played(**more):
    return tacit.simulate("mgf-imed", "hu-linear", **{**PLAIN, **more})


DIFFERENT = [("params.first", 4, 64, dict(params={"first": 4}), dict(params={"first": 64})),
             ("delay", None, "100", {}, dict(delay=100)), ("seed", 1, 2, {}, dict(seed=2)),
             ("noise", "ideal", "exact", {}, dict(noise="exact")), ("horizon", 300, 200, {}, dict(horizon=200))]


@pytest.mark.parametrize("name, one, other, given, otherwise", DIFFERENT)
def test_results_that_differ_can_be_told_apart(name, one, other, given, otherwise):
    import matplotlib.pyplot as plt

    both = tacit.Results([played(**given), played(**otherwise)])
    for what in ("summary", "curve", "runs", "long"):
        frame, alone = both.to_frame(what), tacit.Results([both[0]]).to_frame(what)
        assert set(alone.columns) <= set(frame.columns)
        # What two policies have in common is told once.
        assert set(frame.columns) - set(alone.columns) == ({name} if (what, name) != ("summary", "horizon") else set())
        told = dict.fromkeys(None if value != value else value for value in frame[name])
        assert list(told) == [one, other]
    short = name.removeprefix("params.")
    said = repr(both).splitlines()
    assert f", {short}={other}" in said[2] and said[1].replace(f"{short}={one}", "") != said[2].replace(f"{short}={other}", "")
    assert f"<th>{name}</th>" in both._repr_html_()
    assert tacit.Results([both[0]])._repr_html_().count("<th>") == both._repr_html_().count("<th>") - (name != "horizon")
    labels = tacit.plot_regret(both, plt.figure().gca()).get_legend_handles_labels()[1]
    assert labels[0] != labels[1] and labels[1] == f"mgf-imed (central 1), {short}={other}"
    plt.close("all")


def test_delta_and_epsilons_without_a_guarantee_are_told_too():
    import matplotlib.pyplot as plt

    deltas = tacit.Results([tacit.simulate("dp-ucb-int", "hu-linear", delta=delta, **PLAIN) for delta in (1e-3, 1e-6)])
    assert list(deltas.to_frame()["delta"]) == [1e-3, 1e-6]
    broken = [tacit.simulate("cascade-dp-hybrid-as-published", "kveton", epsilon=epsilon, horizon=300, runs=3)
              for epsilon in (0.5, 1)]
    labels = tacit.plot_regret(broken, plt.figure().gca()).get_legend_handles_labels()[1]
    assert [label.partition(" (")[2] for label in labels] == ["no privacy), epsilon=0.5", "no privacy), epsilon=1"]
    plt.close("all")


def test_what_policies_have_of_their_own_is_no_difference():
    import matplotlib.pyplot as plt

    swept = tacit.sweep(["mgf-imed", "lazy-dp-ts", "ucb1"], ["hu-linear"], [1], horizon=100, runs=2)
    assert list(swept.to_frame().columns) == list(swept[0].summary())
    assert tacit.plot_regret(swept, plt.figure().gca()).get_legend_handles_labels()[1] == [
        "mgf-imed (central 1)", "lazy-dp-ts (central 1)", "ucb1 (no privacy)"]
    plt.close("all")


def test_a_sweep_takes_policies_with_parameters_and_sweeps_add_up():
    pairs = ["ucb1", ("mgf-imed", {"first": 4}), ("mgf-imed", {"first": 64})]
    swept = tacit.sweep(pairs, ["hu-linear"], [1], horizon=300, runs=3, shards=2)
    assert np.array_equal(swept[1].regret, played(params={"first": 4}).regret)
    assert np.array_equal(swept[2].regret, played(params={"first": 64}).regret)
    assert list(swept.to_frame()["params.first"])[1:] == [4, 64]
    late = tacit.sweep(["mgf-imed"], ["hu-linear"], [1], horizon=300, runs=3, delay=50)
    assert list((swept + late).to_frame()["delay"]) == [None, None, None, "50"] and isinstance(swept + late, tacit.Results)
    with pytest.raises(TypeError, match="policies: must be a policy, or a pair"):
        tacit.sweep([("mgf-imed",)], ["hu-linear"], [1], horizon=10, runs=1)
    with pytest.raises(tacit.InvalidParameter, match="no-such"):
        tacit.sweep([("mgf-imed", {"no-such": 1})], ["hu-linear"], [1], horizon=10, runs=1)


def test_lines_may_be_called_and_coloured_one_by_one():
    import matplotlib.pyplot as plt

    both = [played(), played(delay=10)]
    axes = tacit.plot_regret(both, plt.figure().gca(), label=["at once", "late"], color=["red", "#00ff00"])
    lines, labels = axes.get_legend_handles_labels()
    assert labels == ["at once", "late"] and [line.get_color() for line in lines] == ["red", "#00ff00"]
    axes = tacit.plot_regret(both, plt.figure().gca(), label="{params[first]} {delay} {seed}", color=(0, 0, 1), lw=3)
    lines, labels = axes.get_legend_handles_labels()
    assert labels == ["36 None 1", "36 10 1"] and {line.get_color() for line in lines} == {(0, 0, 1)}
    for call, error, said in [(dict(label=["one"]), ValueError, "label = 1 of them: must be 2, one a line"),
                              (dict(label=3), TypeError, "label: must be a format, or a list of texts"),
                              (dict(label="{polcy}"), ValueError, "label = {polcy}: must be a format of policy, problem"),
                              (dict(color=["red"]), ValueError, "color = 1 of them: must be 2, one a line"),
                              (dict(colour="red"), TypeError, "colour: plot_regret.. has no such argument; did you mean color"),
                              (dict(band=None), TypeError, "band: plot_regret.. has no such argument")]:
        with pytest.raises(error, match=said):
            tacit.plot_regret(both, plt.figure().gca(), **call)
    plt.close("all")
