"""Experiments: the same files and the same results as the command ``fusee sweep``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fusee import _fusee, arrays


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


def load(path: str | Path, sample: float = 1.0) -> _fusee.Experiment:
    """Reads an experiment; ``sample`` is the share of its sets that is drawn.

    Raises:
        FuseeError: everything that is wrong with the file, with places.
    """
    if not 0 < sample <= 1:
        raise ValueError(f"`sample` is {sample!r}; a share above 0 and at most 1 is needed")
    text = Path(path).read_text(encoding="utf-8")
    return _fusee.Experiment(text, str(path), max(1, round(sample * 1_000_000)))


def sweep(
    path: str | Path,
    *,
    log: str | Path | None = None,
    threads: int | None = None,
    cluster: Any = None,
    sample: float = 1.0,
) -> Results:
    """Runs an experiment.

    Args:
        path: the experiment's file.
        log: where what is done is remembered; with it, a run that was ended goes on where it was.
        threads: how many threads work; ``None`` is one for each core.
        cluster: a ``distributed.Client``, the address of a scheduler, or ``"local"``: a Dask
            cluster does the work instead. The results are the same, byte for byte.
        sample: the share of the sets that is drawn.

    Raises:
        FuseeError: what is wrong with the file, or the log belongs to another experiment.
    """
    import tempfile

    if log is None:
        with tempfile.TemporaryDirectory() as folder:
            return sweep(path, log=Path(folder) / "sweep.log", threads=threads, cluster=cluster, sample=sample)
    experiment = load(path, sample)
    opened = _fusee.Log(str(log), experiment)
    try:
        if cluster is None:
            opened.run(arrays.threads(threads))
        else:
            from fusee import dask

            dask.work(path, opened, cluster, workers=arrays.threads(threads), sample=sample)
        return Results(experiment.title, opened.columns(), opened.files())
    finally:
        opened.close()
