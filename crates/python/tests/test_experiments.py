"""Every experiment that comes with Fusee can be read, and does its work."""

from pathlib import Path

import pytest
from fusee import sweeps

FILES = sorted((Path(__file__).parents[3] / "experiments").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_it_counts(path):
    experiment = sweeps.load(path, sample=0.001)
    assert experiment.chunks == experiment.points
    chunk = experiment.order()[1]
    assert experiment.count(chunk) == experiment.count(chunk)


def test_the_whole_grid_has_as_many_sets_as_promised():
    whole = sweeps.load(next(path for path in FILES if path.stem == "dos-santos-2023"))
    assert (whole.points, whole.sets) == (108_000, 108_000_000)
