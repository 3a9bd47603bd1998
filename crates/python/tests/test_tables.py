"""What goes through a table comes back whole, whatever was drawn."""

import random

import fusee
import numpy as np
import pyarrow as pa
import pytest
from fusee.tables import REQUEST_COLUMNS, TASK_COLUMNS

WAYS = {
    "arrow": lambda sets: fusee.TaskSets.from_arrow(sets.to_arrow()),
    "batch": lambda sets: fusee.TaskSets.from_arrow(sets.to_arrow().to_batches()[0]),
    "pandas": lambda sets: fusee.TaskSets.from_pandas(sets.to_pandas()),
    "polars": lambda sets: fusee.TaskSets.from_polars(sets.to_polars()),
    "pandas-arrow": lambda sets: fusee.TaskSets.from_arrow(pa.Table.from_pandas(sets.to_arrow().to_pandas(), preserve_index=False)),
    "objects": lambda sets: fusee.TaskSets.from_sets([sets[k] for k in range(len(sets))]),
}


def drawn(number):
    """Sets that have some of everything."""
    choice = random.Random(number)
    recipe = {
        "cores": choice.choice([1, 2, 8]),
        "utilizations": {"method": "uunifast", "tasks": choice.randint(1, 9), "total": 0.5},
        "periods": {"kind": "log-uniform", "min": "10 ms", "max": "1 s"},
        "jitter": [0.0, choice.choice([0.0, 0.3])],
        "deadlines": choice.choice([{"kind": "implicit"}, {"kind": "constrained", "low": 0.5, "high": 1.0}]),
    }
    if choice.random() < 0.7:
        recipe["resources"] = {"kind": "random", "count": choice.randint(1, 5), "access": 0.6, "length": ["1 us", "25 us"]}
    if choice.random() < 0.5:
        recipe["placement"] = {"fit": "worst"}
    return fusee.TaskSets.generate(recipe, choice.randint(1, 6), seed=number)


def filled(sets, name):
    """A column with its default, as far as that is what leaving it out means."""
    column = getattr(sets, name)
    if column is not None or name == "core":
        return column
    if name in REQUEST_COLUMNS or name == "request_offsets":
        return None
    if name in ("deadline", "threshold"):
        return sets.period if name == "deadline" else sets.priority
    return np.zeros(sets.wcet.size, np.uint64)


def verdicts(sets, test):
    try:
        return sets.check(test, outside="mark").tolist()
    except fusee.OutsideAssumptions as outside:
        return str(outside)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", range(40))
def test_every_column_comes_back(way, number):
    sets = drawn(number)
    back = WAYS[way](sets)
    assert len(back) == len(sets) and back.cores == sets.cores
    for name in ("offsets", "request_offsets", *TASK_COLUMNS, *REQUEST_COLUMNS):
        ours, theirs = filled(sets, name), filled(back, name)
        assert (ours is None) == (theirs is None), name
        if ours is not None:
            np.testing.assert_array_equal(ours, theirs, err_msg=name)
    for test in ("mpcp", "msrp-holistic", "fp-ipcp", "fp-rta"):
        assert verdicts(back, test) == verdicts(sets, test)


def test_slices_keep_their_requests():
    sets = fusee.TaskSets.generate(
        {
            "cores": 4,
            "utilizations": {"method": "uunifast", "tasks": 6, "total": 1.0},
            "periods": {"kind": "log-uniform", "min": "10 ms", "max": "1 s"},
            "resources": {"kind": "random", "count": 3, "access": 0.7, "length": ["1 us", "25 us"]},
            "placement": {"fit": "worst"},
        },
        30,
    )
    part = fusee.TaskSets.from_arrow(sets.to_arrow().slice(10, 5))
    for number in range(5):
        assert part[number] == sets[10 + number]


def test_what_a_table_cannot_say_is_an_error():
    sets = fusee.TaskSets(offsets=[0, 1, 1], wcet=[1], period=[4])
    with pytest.raises(ValueError, match="the last set has no tasks"):
        sets.to_pandas()
    assert len(fusee.TaskSets.from_arrow(sets.to_arrow())) == 2
    two, four = (fusee.TaskSets(wcet=[[1]], period=[[4]], cores=cores) for cores in (2, 4))
    with pytest.raises(ValueError, match="the sets have 2 to 4 cores"):
        fusee.TaskSets.from_arrow(pa.concat_tables([two.to_arrow(), four.to_arrow()]))
    with pytest.raises(ValueError, match="`set` falls"):
        fusee.TaskSets.from_pandas(two.to_pandas().assign(set=-1))
    with pytest.raises(ValueError, match="no column `name`"):
        fusee.TaskSets.from_polars(two.to_polars().rename({"wcet": "name"}))
