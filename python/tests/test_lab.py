"""Experiments and their folders."""
import subprocess

import numpy as np
import pytest

import tacit

EXPERIMENT = """
title = "small"
runs = 7
horizon = 500
[[problem]]
name = "hu-linear"
[[problem]]
means = [0.9, 0.8]
[[policy]]
name = ["mgf-imed", "ucb1"]
epsilon = [0.5, 1]
"""

IDENTIFY = """
title = "who"
runs = 5
error = [0.1, 0.01]
[[problem]]
means = [0.9, 0.5, 0.2]
[[policy]]
name = "mgf-tt"
epsilon = 1
"""


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(EXPERIMENT)
    return path


def test_an_experiment_is_its_simulations(experiment, tmp_path):
    made = tacit.Experiment(experiment)
    assert made.title == "small" and len(made.configurations) == 6
    results = made.run(tmp_path / "results")
    assert [(r.policy, r.epsilon, r.runs) for r in results[:3]] == [("mgf-imed", 0.5, 7), ("mgf-imed", 1.0, 7), ("ucb1", None, 7)]
    for result in results:
        means = [0.9, 0.8] if result.problem.endswith("(0.9,0.8)") else "hu-linear"
        alone = tacit.simulate(result.policy, means, epsilon=result.epsilon, horizon=500, runs=7)
        assert np.array_equal(alone.regret, result.regret)
        kept, said = result.document(), alone.document()
        for name in ("regret", "pulls", "curve", "decisions", "guarantee", "benchmark"):
            assert kept[name] == said[name]
    assert len(results.to_frame("long")) == 6 * 7 * len(results[0].checkpoints)
    import matplotlib.pyplot as plt

    axes = tacit.plot_regret(results[:2], plt.figure().gca())
    assert len(axes.get_lines()) == 2


def test_it_is_what_the_program_plays(experiment, tmp_path, program):
    subprocess.run([program, "run", str(experiment), "-o", str(tmp_path / "theirs")], check=True, capture_output=True)
    tacit.Experiment(experiment).run(tmp_path / "ours", threads=1)
    texts = [subprocess.run([program, "export", str(tmp_path / folder), "--json"], check=True, capture_output=True).stdout
             for folder in ("theirs", "ours")]
    assert texts[0] == texts[1]
    # What one began the other finds.
    assert len(tacit.Experiment(experiment).run(tmp_path / "theirs")) == 6


def test_shards_can_be_read_before_they_are_merged(experiment, tmp_path):
    made = tacit.Experiment(experiment)
    whole = made.run(tmp_path / "whole")
    part = made.run(tmp_path / "part", shard=(2, 3))
    assert 0 < sum(result.runs for result in part) < 6 * 7
    for result in part:
        twin = next(r for r in whole if (r.policy, r.epsilon, r.problem) == (result.policy, result.epsilon, result.problem))
        rows = result.to_frame("runs")["run"].to_numpy()
        assert np.array_equal(twin.regret[rows], result.regret)
    for wrong in ((0, 3), (4, 3), (1,), "1/3", 5):
        with pytest.raises((ValueError, TypeError), match="shard"):
            made.run(tmp_path / "part", shard=wrong)
    with pytest.raises(ValueError, match="shard"):
        made.run(tmp_path / "part", shard=(1, 3), map=map)


def test_who_identifies_is_read_too(tmp_path, program):
    (tmp_path / "who.toml").write_text(IDENTIFY)
    results = tacit.Experiment(tmp_path / "who.toml").run(tmp_path / "who")
    assert len(results) == 2 and all(isinstance(result, tacit.Identification) for result in results)
    alone = tacit.identify("mgf-tt", [0.9, 0.5, 0.2], epsilon=1, error=0.1, runs=5)
    assert np.array_equal(results[0].samples, alone.samples) and results[0].lower_bound == alone.lower_bound
    assert results[0].summary()["samples"] == alone.summary()["samples"]
    assert results[0].stopped.all() and results[0].recommended is None and "samples" in repr(results)
    assert len(results.to_frame()) == 2 and "mgf-tt" in results._repr_html_()


def test_a_mistake_has_its_line(tmp_path):
    (tmp_path / "wrong.toml").write_text(EXPERIMENT.replace("mgf-imed", "mgf-immed"))
    with pytest.raises(tacit.InvalidParameter, match=r"did you mean mgf-imed.*line 9"):
        tacit.Experiment(tmp_path / "wrong.toml")
    (tmp_path / "torn.toml").write_text("title = [")
    with pytest.raises(tacit.InvalidParameter, match="line 1"):
        tacit.Experiment(tmp_path / "torn.toml")
    with pytest.raises(ValueError, match="nothing"):
        tacit.load(tmp_path / "nothing")


def test_another_experiments_folder_is_refused(experiment, tmp_path):
    tacit.Experiment(experiment).run(tmp_path / "results")
    experiment.write_text(EXPERIMENT.replace("horizon = 500", "horizon = 600"))
    with pytest.raises(ValueError):
        tacit.Experiment(experiment).run(tmp_path / "results")
