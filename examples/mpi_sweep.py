"""A sweep over MPI: a process that asks, the others answer.

    mpirun -n 3 /usr/bin/python3 -m mpi4py.futures examples/mpi_sweep.py      (as root: mpirun --allow-run-as-root)
"""
from mpi4py.futures import MPIPoolExecutor

import tacit

QUESTION = dict(policies=["lazy-dp-ts", "mgf-imed", "ucb1"], problems=["hu-linear"], epsilons=[0.5, 1.0], horizon=1e5,
                runs=16)


if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        swept = tacit.sweep(**QUESTION, shards=4, map=pool.map)
    print(swept.to_frame()[["policy", "epsilon", "runs", "regret", "ci95"]].to_string(index=False))
