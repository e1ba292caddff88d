"""A sweep over dask whose worker is killed while it works: dask plays the lost pieces again, and not a bit changes."""
import os
import signal

from dask.distributed import Client, LocalCluster, as_completed

import tacit

QUESTION = dict(policies=["lazy-dp-ts", "mgf-imed", "ucb1"], problems=["hu-linear"], epsilons=[0.5, 1.0], horizon=1e6,
                runs=16)

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster, \
            Client(cluster) as client:
        def spread(function, tasks):
            futures = client.map(function, tasks)
            next(as_completed(futures))  # they have begun
            victim = max(client.processing().items(), key=lambda worker: len(worker[1]))[0]
            os.kill(client.run(os.getpid, workers=[victim])[victim], signal.SIGKILL)
            return client.gather(futures)
        swept = tacit.sweep(**QUESTION, shards=8, map=spread)
        client.wait_for_workers(2)  # another has taken its place
    same = all((one.regret == other.regret).all() for one, other in zip(swept, tacit.sweep(**QUESTION)))
    print(f"{len(swept)} results, a worker killed; the same bits as without dask: {same}")
