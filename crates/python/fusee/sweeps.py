"""Experiments: the same files and the same results as the command ``fusee sweep``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fusee import _fusee, arrays
from fusee.columns import as_toml
from fusee.own_log import OwnLog, identity
from fusee.plugins import (
    Own,
    OwnGenerator,
    OwnPlacement,
    OwnTest,
    columns_of,
    count,
    csv_of,
    labelled,
    points_of,
    points_of_generator,
)
from fusee.progress import Progress, Watch, watcher


class Results:
    """The results of an experiment: a row for each point, variant and test.

    Columns: the axes of the experiment; ``label`` and ``test``; ``sets`` asked about,
    ``outside`` the test's assumptions, ``schedulable``; their ``ratio`` with its 95 %
    interval ``ratio_low`` to ``ratio_high`` (Wilson 1927).
    """

    def __init__(self, title: str, columns: dict[str, Any], files: dict[str, bytes]) -> None:
        self.title = title
        self.columns = columns
        #: What ``fusee sweep`` writes: ``results.csv``, ``results.parquet`` and the figures.
        self.files = files

    def __len__(self) -> int:
        return len(self.columns["label"])

    def __repr__(self) -> str:
        return f"<results of {self.title!r}: {len(self)} rows>"

    @property
    def axes(self) -> list[str]:
        """The names of the axes."""
        names = list(self.columns)
        return names[: names.index("label")]

    def to_pandas(self) -> Any:
        """The rows as a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def to_polars(self) -> Any:
        """The rows as a data frame of polars."""
        import polars as pl

        return pl.DataFrame(self.columns)

    def to_arrow(self) -> Any:
        """The rows as an Arrow table."""
        import pyarrow as pa

        return pa.table(self.columns)

    def save(self, folder: str | Path) -> list[Path]:
        """Writes all files into a folder; gives their paths."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, content in self.files.items():
            (target / name).write_bytes(content)
            paths.append(target / name)
        return paths

    def plot(self, x: str, **where: Any) -> Any:
        """Draws the shares over an axis: :func:`fusee.plot`."""
        from fusee.plots import plot

        return plot(self, x, **where)


def _source(experiment: str | Path | Mapping[str, Any]) -> tuple[str, str]:
    """The text of an experiment, and what it is called in messages."""
    if isinstance(experiment, Mapping):
        return as_toml(experiment), "experiment"
    return Path(experiment).read_text(encoding="utf-8"), str(experiment)


def load(experiment: str | Path | Mapping[str, Any], sample: float = 1.0, placed: bool = False) -> _fusee.Experiment:
    """Reads an experiment; ``sample`` is the share of its sets that is drawn, ``placed``: the caller places them.

    Raises:
        FuseeError: everything that is wrong with it, with places.
    """
    if not 0 < sample <= 1:
        raise ValueError(f"`sample` is {sample!r}; a share above 0 and at most 1 is needed")
    text, name = _source(experiment)
    return _fusee.Experiment(text, name, max(1, round(sample * 1_000_000)), placed)


def sweep(
    experiment: str | Path | Mapping[str, Any],
    *,
    log: str | Path | None = None,
    threads: int | None = None,
    cluster: Any = None,
    sample: float = 1.0,
    progress: Progress = None,
    tests: Mapping[str, OwnTest | str] | Sequence[OwnTest | str] | None = None,
    placement: OwnPlacement | None = None,
    generator: OwnGenerator | None = None,
) -> Results:
    """Runs an experiment.

    Args:
        experiment: the experiment's file, or a mapping with the same fields.
        log: where what is done is remembered; with it, a run that was ended goes on where it was. With
            plug-ins it is known by their names and what they are compiled to, not by what they call.
        threads: how many threads work; ``None`` is one for each core.
        cluster: a ``distributed.Client``, the address of a scheduler, or ``"local"``: a Dask
            cluster does the work instead. The results are the same, byte for byte.
        sample: the share of the sets that is drawn.
        progress: ``callback(done, total)``; ``True`` for a bar on the terminal or in the notebook,
            ``False`` for none, ``None`` for one where somebody looks.
        tests: further tests by label, asked about the same sets beside those of the experiment: names
            of tests, or functions that get :class:`TaskSets`, which they cannot change, and give one
            answer for each set. See :func:`each`. In a list, tests are labelled by their names.
        placement: gets :class:`TaskSets` and gives the core of each task, instead of the placement in ``analysis``.
        generator: ``generator(point, count, seed, first)`` draws the sets instead of the ``recipe``;
            the axes of ``grid`` are then lists of values, and ``point`` has one of each.

    Raises:
        FuseeError: what is wrong with the experiment, or the log belongs to another one.
        ValueError: a plug-in gave something of another shape, changes the sets, has the label of a test of
            the experiment, or is to work on a cluster.
        TypeError: ``cluster`` or a plug-in is something else.
    """
    import tempfile

    if cluster is not None and not isinstance(cluster, str) and not hasattr(cluster, "submit"):
        raise TypeError(f"`cluster` is {cluster!r}; a `distributed.Client`, the address of a scheduler, or \"local\" is needed")
    if tests or placement or generator:
        if cluster is not None:
            raise ValueError("tests, placements and generators of one's own work here, without `cluster`")
        own = Own(labelled(tests or {}), _function("placement", placement), _function("generator", generator))
        return _with_plugins(experiment, own, log, arrays.threads(threads), sample, watcher(progress))
    if log is None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sweep.log"
            return sweep(experiment, log=path, threads=threads, cluster=cluster, sample=sample, progress=progress)
    read = load(experiment, sample)
    opened = _fusee.Log(str(log), read)
    try:
        if cluster is None:
            _run(read, opened, arrays.threads(threads), watcher(progress))
        else:
            _on_cluster(experiment, opened, cluster, arrays.threads(threads), sample, watcher(progress))
        return Results(read.title, opened.columns(), opened.files())
    finally:
        opened.close()


def _run(
    experiment: _fusee.Experiment, log: _fusee.Log, threads: int, watch: Watch
) -> None:
    """Does all open chunks here."""
    if watch is None:
        log.run(threads)
        return
    from concurrent.futures import ThreadPoolExecutor, as_completed

    open_chunks, total = log.open_chunks(), experiment.chunks
    done = total - len(open_chunks)
    watch(done, total)
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(experiment.count, chunk) for chunk in open_chunks]
        try:
            for future in as_completed(futures):
                log.add(future.result())
                done += 1
                watch(done, total)
        finally:
            for future in futures:
                future.cancel()


def _function(name: str, plugin: Any) -> Any:
    """A plug-in that is a function."""
    if plugin is not None and not callable(plugin):
        raise TypeError(f"`{name}` is {plugin!r}; a function is needed")
    return plugin


def _on_cluster(experiment: Any, log: _fusee.Log, cluster: Any, threads: int, sample: float, watch: Watch) -> None:
    import tempfile

    from fusee import dask

    if not isinstance(experiment, Mapping):
        dask.work(experiment, log, cluster, workers=threads, sample=sample, watch=watch)
        return
    with tempfile.TemporaryDirectory() as folder:
        # What workers read is called as in messages here.
        path = Path(folder) / "experiment"
        path.write_text(as_toml(experiment), encoding="utf-8")
        dask.work(path, log, cluster, workers=threads, sample=sample, watch=watch)


def _with_plugins(experiment: Any, own: Own, log: Any, threads: int, sample: float, watch: Watch) -> Results:
    read = None
    if own.generator is None:
        read = load(experiment, sample, placed=own.placement is not None)
        title, sets, points = read.title, read.sets_of_point, points_of(read, own)
        text = _source(experiment)[0]
    elif not isinstance(experiment, Mapping):
        raise ValueError("with a generator of one's own the experiment is a mapping with `grid`, `sets` and `tests`")
    else:
        title, sets = str(experiment.get("title", "")), max(1, math.ceil(experiment.get("sets", 1000) * sample))
        points = points_of_generator(experiment, own)
        text = repr(sorted(experiment.items()))
    if log is None:
        rows = count(points, sets, threads, watch)
    else:
        plugins = {**own.tests, " placement": own.placement, " generator": own.generator}
        with OwnLog(log, identity(text, sets, plugins)) as opened:
            rows = count(points, sets, threads, watch, opened)
    if read is None:
        columns = columns_of(rows)
        return Results(title, columns, {"results.csv": csv_of(columns), "results.parquet": _fusee.parquet(_plain(columns))})
    names = ("point", "variant", "label", "test", "sets", "outside", "schedulable")
    return Results(title, *read.results_of([tuple(row[name] for name in names) for row in rows]))


def _plain(columns: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
    """Columns as lists of Python's own numbers and texts."""
    return [(name, values.tolist() if hasattr(values, "tolist") else list(values)) for name, values in columns.items()]
