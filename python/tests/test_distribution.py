"""Who plays a run, and who is killed meanwhile, changes nothing: threads, shards, pools, MPI and dask, bit for bit."""
import importlib.util
import os
import pathlib
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import tacit

SOURCE = pathlib.Path(os.environ["TACIT_SOURCE"])
QUESTION = dict(policies=["lazy-dp-ts", "mgf-imed", "ucb1"], problems=["hu-linear", [0.7, 0.5, 0.4]],
                epsilons=[0.5, 1.0], horizon=1e4, runs=7)
EXPERIMENT = """
title = "Three epsilons"
horizon = 1e5
runs = 6
epsilon = [0.25, 0.5, 1]
[[problem]]
name = "hu-linear"
[[policy]]
name = ["mgf-imed", "lazy-dp-ts", "ucb1"]
"""
PIECES = 42  # 7 configurations of 6 runs
MPIRUN = ["mpirun", "--oversubscribe", "-n", "3"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
# Not imported here: that makes this process one of MPI's, of which no mpirun can be started.
needs_mpi = pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None, reason="needs mpi4py")


@pytest.fixture(scope="module")
def plain():
    return tacit.sweep(**QUESTION)


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    file = tmp_path_factory.mktemp("experiment") / "three.toml"
    file.write_text(EXPERIMENT)
    return file


@pytest.fixture(scope="module")
def exported(program):
    """All that a folder of results has, as `tacit export` prints it."""

    def export(folder):
        return [subprocess.run([program, "export", str(folder), kind], capture_output=True, check=True).stdout
                for kind in ("--csv", "--json")]

    return export


@pytest.fixture(scope="module")
def expected(program, experiment, exported):
    """What `tacit run` makes of the experiment."""
    folder = experiment.parent / "by the program"
    subprocess.run([program, "run", str(experiment), "-o", str(folder)], check=True, capture_output=True)
    return exported(folder)


def assert_same(some, others):
    assert len(some) == len(others) > 0
    for one, other in zip(some, others):
        assert one.document() == {**other.document(), "seconds": one.seconds}
        for name in ("regret", "pulls", "decisions", "checkpoints"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def output_of(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("shards", [1, 2, 3, 7, 100])
def test_shards_put_together_are_one_result(plain, shards):
    assert_same(tacit.sweep(**QUESTION, shards=shards), plain)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(plain, threads):
    assert_same(tacit.sweep(**QUESTION, threads=threads), plain)


@pytest.mark.parametrize("pool", [ProcessPoolExecutor, ThreadPoolExecutor])
def test_a_pool_of_the_standard_library_changes_nothing(plain, pool):
    with pool(2) as workers:
        assert_same(tacit.sweep(**QUESTION, shards=3, map=workers.map), plain)


def test_another_seed_is_told_apart(plain):
    with pytest.raises(AssertionError):
        assert_same(tacit.sweep(**QUESTION, seed=2), plain)


def test_tasks_are_data_that_anybody_can_play_in_any_order(plain):
    tasks = pickle.loads(pickle.dumps(tacit.tasks(**QUESTION, shards=2)))
    played = [tacit.run_task(task) for task in reversed(tasks)][::-1]
    assert_same([tacit.Result.concatenate(played[i:i + 2][::-1]) for i in range(0, len(played), 2)], plain)


def test_problems_of_ones_own_travel():
    table = np.random.default_rng(1).random((500, 3)) < [0.7, 0.5, 0.3]
    problems = [tacit.Problem.from_outcomes(table), tacit.Problem.from_users(table)]
    question = dict(policies=["mgf-imed"], problems=problems, epsilons=[1.0], horizon=500, runs=4)
    with ProcessPoolExecutor(2) as workers:
        assert_same(tacit.sweep(**question, shards=2, map=workers.map), tacit.sweep(**question))


@needs_mpi
def test_mpi_changes_nothing(plain, tmp_path):
    script, file = tmp_path / "spread.py", tmp_path / "swept"
    script.write_text("import pickle, sys, tacit\n"
                      "from mpi4py.futures import MPIPoolExecutor\n"
                      "if __name__ == '__main__':\n"
                      "    with MPIPoolExecutor() as pool:\n"
                      f"        swept = tacit.sweep(**{QUESTION!r}, shards=3, map=pool.map)\n"
                      "    pickle.dump(list(swept), open(sys.argv[1], 'wb'))\n")
    output_of(*MPIRUN, sys.executable, "-m", "mpi4py.futures", script, file)
    assert_same(pickle.loads(file.read_bytes()), plain)


@needs_mpi
def test_the_example_of_mpi_prints_what_a_plain_sweep_finds():
    example = SOURCE / "examples/mpi_sweep.py"
    printed = output_of(*MPIRUN, sys.executable, "-m", "mpi4py.futures", example)
    plainly = output_of(sys.executable, "-c", f"""
import runpy, tacit
frame = tacit.sweep(**runpy.run_path({str(example)!r})["QUESTION"]).to_frame()
print(frame[["policy", "epsilon", "runs", "regret", "ci95"]].to_string(index=False))""")
    assert printed == plainly
    assert len(printed.splitlines()) == 6


def test_dask_changes_nothing(plain, experiment, expected, exported, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        swept = tacit.sweep(**QUESTION, shards=3, map=lambda f, tasks: client.gather(client.map(f, tasks)))
        tacit.Experiment(experiment).run(tmp_path / "results", map=lambda f, pieces: (
            future.result() for future in distributed.as_completed(client.map(f, pieces))))
    assert_same(swept, plain)
    assert exported(tmp_path / "results") == expected


def test_dask_changes_nothing_when_a_worker_is_killed():
    pytest.importorskip("distributed")
    assert (output_of(sys.executable, SOURCE / "examples/dask_sweep.py") ==
            "5 results, a worker killed; the same bits as without dask: True\n")


def test_an_experiment_is_the_same_here_and_by_the_program(experiment, expected, exported, tmp_path):
    results = tacit.Experiment(experiment).run(tmp_path)
    assert exported(tmp_path) == expected
    assert_same(results, tacit.load(tmp_path))


def test_an_experiment_over_a_pool_is_the_same(experiment, expected, exported, tmp_path):
    with ProcessPoolExecutor(2) as pool:
        tacit.Experiment(experiment).run(tmp_path, map=pool.map)
    assert exported(tmp_path) == expected


def test_pieces_of_an_experiment_may_come_back_in_any_order(experiment, expected, exported, tmp_path):
    tacit.Experiment(experiment).run(tmp_path, map=lambda f, pieces: [f(piece) for piece in reversed(pieces)])
    assert exported(tmp_path) == expected


def test_what_is_stored_is_not_computed_again(experiment, expected, exported, tmp_path):
    computed = []

    def half(f, pieces):
        for piece in pieces[:PIECES // 2]:
            computed.append(piece)
            yield f(piece)

    def rest(f, pieces):
        computed.extend(pieces)
        return map(f, pieces)

    assert sum(one.runs for one in tacit.Experiment(experiment).run(tmp_path, map=half)) == PIECES // 2
    assert sum(one.runs for one in tacit.Experiment(experiment).run(tmp_path, map=rest)) == PIECES
    assert len(computed) == len(set(computed)) == PIECES
    assert exported(tmp_path) == expected


COORDINATOR = """
import multiprocessing, sys, time, tacit
from concurrent.futures import ProcessPoolExecutor

if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(sys.argv[3])) as pool:
        def slowly(f, pieces):
            for result in pool.map(f, pieces):
                yield result
                time.sleep(0.1)
        tacit.Experiment(sys.argv[1]).run(sys.argv[2], map=slowly)
"""


def blocks_in(folder):
    try:
        database = sqlite3.connect(f"file:{folder}/results.sqlite?mode=ro", uri=True)
        with database:
            return database.execute("SELECT count(*) FROM block").fetchone()[0]
    except sqlite3.Error:  # not there yet
        return 0


@pytest.mark.parametrize("goes_on", ["here", "by the program"])
@pytest.mark.parametrize("start", ["spawn", "fork"])  # workers that were forked outlive who forked them
def test_a_coordinator_that_is_killed_goes_on_with_the_same_result(experiment, expected, exported, program, tmp_path,
                                                                    start, goes_on):
    folder = tmp_path / "results"
    script = tmp_path / "coordinator.py"
    script.write_text(COORDINATOR)
    coordinator = subprocess.Popen([sys.executable, script, experiment, folder, start], start_new_session=True)
    try:
        while blocks_in(folder) < 5:
            assert coordinator.poll() is None
            time.sleep(0.02)
        coordinator.send_signal(signal.SIGKILL)
        coordinator.wait()
        assert 5 <= blocks_in(folder) < PIECES
        # Its workers outlive it, and must not keep anybody out.
        if goes_on == "here":
            tacit.Experiment(experiment).run(folder)
        else:
            subprocess.run([program, "run", str(experiment), "-o", str(folder)], check=True, capture_output=True)
    finally:
        try:
            os.killpg(coordinator.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    assert exported(folder) == expected
