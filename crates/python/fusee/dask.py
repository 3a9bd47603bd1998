"""Experiments on a Dask cluster: ``python -m fusee.dask`` and ``sweep(cluster=...)``.

Workers turn numbers of chunks into records; the client alone writes the log. A
chunk is a pure function of the experiment and its number, so one that was lost
with its worker is simply done again, by anybody.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from fusee import _fusee
from fusee.progress import Watch
from fusee.sweeps import load

#: Batches in the cluster's hands for each of its threads.
AHEAD = 4
#: The most batches into which the work is cut: each costs the scheduler about a millisecond.
BATCHES = 20_000


@lru_cache(maxsize=4)
def _experiment(text: str, path: str, sample: int) -> _fusee.Experiment:
    return _fusee.Experiment(text, path, sample)


def count(text: str, path: str, sample: int, chunks: list[int]) -> list[bytes]:
    """Does chunks on a worker; gives their records."""
    experiment = _experiment(text, path, sample)
    return [experiment.count(chunk) for chunk in chunks]


def batches(chunks: list[int], threads: int) -> Iterator[list[int]]:
    """The chunks in groups: small enough to share out well, few enough for the scheduler."""
    size = max(1, min(16, len(chunks) // max(1, threads * 16)), len(chunks) // BATCHES)
    return (chunks[at : at + size] for at in range(0, len(chunks), size))


def work(
    path: str | Path, log: _fusee.Log, cluster: Any, *, workers: int = 1, sample: float = 1.0, watch: Watch = None
) -> None:
    """Does all open chunks of a log on a cluster.

    Args:
        path: the experiment's file.
        log: its open log.
        cluster: a ``distributed.Client``, the address of a scheduler, or ``"local"``.
        workers: how many workers a local cluster gets.
        sample: the share of the sets that is drawn.
        watch: is told after each chunk how many are done, and how many there are.
    """
    from distributed import Client, LocalCluster

    if not isinstance(cluster, str):
        _distribute(path, log, cluster, sample, watch)
    elif cluster == "local":
        # Threads, since the work holds no lock of the interpreter: processes would import the caller's
        # script again, which fails where nothing guards it. Nothing listens, a dashboard neither.
        local = LocalCluster(n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=None)
        with local, Client(local) as client:
            _distribute(path, log, client, sample, watch)
    else:
        with Client(cluster) as client:
            _distribute(path, log, client, sample, watch)


def _distribute(path: str | Path, log: _fusee.Log, client: Any, sample: float, watch: Watch) -> None:
    from distributed import as_completed

    text = Path(path).read_text(encoding="utf-8")
    share = max(1, round(sample * 1_000_000))
    threads = max(1, sum(client.nthreads().values()))
    open_chunks, total = log.open_chunks(), _experiment(text, str(path), share).chunks
    waiting, done = batches(open_chunks, threads), total - len(open_chunks)
    if watch is not None:
        watch(done, total)

    def submit(batch: list[int]) -> Any:
        # Not pure: a lost batch must be computed again, never looked up. The text goes with each batch:
        # data that lies on workers is lost with them, and what rests on it is forgotten.
        future = client.submit(count, text, str(path), share, batch, pure=False)
        batch_of[future.key] = batch
        return future

    batch_of: dict[Any, list[int]] = {}
    running = as_completed()
    for _, batch in zip(range(threads * AHEAD), waiting):
        running.add(submit(batch))
    for future in running:
        batch = batch_of.pop(future.key)
        records = _records(future)
        if records is None:
            running.add(submit(batch))
            continue
        for record in records:
            log.add(record)
        done += len(records)
        if watch is not None:
            watch(done, total)
        future.release()
        following = next(waiting, None)
        if following is not None:
            running.add(submit(following))


def _records(future: Any) -> list[bytes] | None:
    """The records of a batch; ``None``: they are lost with the worker that had them."""
    from concurrent.futures import CancelledError

    from distributed.scheduler import KilledWorker

    try:
        records: list[bytes] = future.result()
    except (CancelledError, KilledWorker):
        # A worker died between doing and delivering, or too many did for the scheduler's taste.
        return None
    return records


def main() -> None:
    """The command line that ``fusee sweep --dask`` calls."""
    parser = argparse.ArgumentParser(prog="python -m fusee.dask", description="Work on an experiment's open chunks.")
    parser.add_argument("experiment", type=Path)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--cluster", default="local", help="the address of a scheduler, or `local`")
    parser.add_argument("--workers", type=int, default=1, help="workers of a local cluster")
    parser.add_argument("--sample", type=int, default=1_000_000, help="share of the sets in millionths")
    arguments = parser.parse_args()
    sample = arguments.sample / 1_000_000
    log = _fusee.Log(str(arguments.log), load(arguments.experiment, sample))
    try:
        work(arguments.experiment, log, arguments.cluster, workers=arguments.workers, sample=sample)
    finally:
        log.close()


if __name__ == "__main__":
    main()
