"""Columns: shapes, types, values, and the same answers however they come."""

import doctest

import fusee
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

RECIPE = {
    "utilizations": {"method": "uunifast", "tasks": 8, "total": 0.9},
    "periods": {"kind": "log-uniform", "min": "1 ms", "max": "1 s"},
}


@pytest.fixture(scope="module")
def sets():
    return fusee.TaskSets.generate(RECIPE, 300)


def test_the_example_of_the_package_works():
    assert doctest.testmod(fusee).failed == 0


def test_known_response_times():
    rate_monotonic = fusee.TaskSets(wcet=[[1, 2, 3]], period=[[4, 6, 12]])
    assert rate_monotonic.response_times("fp-rta").tolist() == [1, 3, 10]
    assert rate_monotonic.check("fp-rta").tolist() == [True]
    # Lehoczky 1990: with deadlines beyond the period, a later job is the slowest.
    arbitrary = fusee.TaskSets(wcet=[[52, 52]], period=[[100, 140]], deadline=[[1000, 1000]])
    assert arbitrary.response_times("fp-rta-arbitrary").tolist() == [52, 156]


def test_a_task_without_a_bound_is_masked():
    times = fusee.TaskSets(wcet=[[3, 3]], period=[[4, 5]]).response_times("fp-rta")
    assert times.mask.tolist() == [False, True]
    assert times[1] is np.ma.masked


def test_all_ways_in_give_the_same_verdicts(sets):
    expected = sets.check("fp-rta")
    assert 0 < expected.sum() < len(sets)
    columns = dict(offsets=sets.offsets, wcet=sets.wcet, period=sets.period, priority=sets.priority)
    ways = [
        fusee.TaskSets(**columns),
        fusee.TaskSets(**{name: column.tolist() for name, column in columns.items()}),
        fusee.TaskSets(**{name: column.astype(np.int64) for name, column in columns.items()}),
        fusee.TaskSets(**{name: pa.array(column) for name, column in columns.items()}),
        fusee.TaskSets(**{name: pd.Series(column) for name, column in columns.items()}),
        fusee.TaskSets(**{name: pl.Series(column) for name, column in columns.items()}),
        fusee.TaskSets(wcet=sets.wcet.reshape(-1, 8), period=sets.period.reshape(-1, 8)),
        fusee.TaskSets.from_arrow(sets.to_arrow()),
        fusee.TaskSets.from_sets([sets[k] for k in range(len(sets))]),
    ]
    for way in ways:
        np.testing.assert_array_equal(way.check("fp-rta"), expected)


def test_slices_of_arrow_tables_keep_their_sets(sets):
    part = fusee.TaskSets.from_arrow(sets.to_arrow().slice(100, 50))
    np.testing.assert_array_equal(part.check("fp-rta"), sets.check("fp-rta")[100:150])


def test_threads_change_nothing(sets):
    np.testing.assert_array_equal(sets.check("edf-qpa", threads=1), sets.check("edf-qpa", threads=5))
    one, many = sets.response_times("fp-rta", threads=1), sets.response_times("fp-rta", threads=3)
    np.testing.assert_array_equal(one.filled(0), many.filled(0))
    np.testing.assert_array_equal(one.mask, many.mask)


def test_other_threads_run_meanwhile():
    import threading

    large = fusee.TaskSets.generate(RECIPE, 20_000)
    counted = 0
    ended = threading.Event()

    def ask():
        large.check("fp-rta")
        ended.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not ended.is_set():
        counted += 1
    thread.join()
    assert counted > 100


def test_sets_are_the_same_whoever_draws_them(sets):
    part = fusee.TaskSets.generate(RECIPE, 10, first=200)
    np.testing.assert_array_equal(part.wcet, sets.wcet[sets.offsets[200] : sets.offsets[210]])
    assert not np.array_equal(fusee.TaskSets.generate(RECIPE, 10, seed=2).wcet, sets.wcet[: 10 * 8])


def test_requests_matter():
    free = dict(wcet=[1, 5, 5], period=[10, 20, 40], offsets=[0, 3])
    assert fusee.TaskSets(**free).check("fp-ipcp").all()
    sharing = fusee.TaskSets(**free, request_offsets=[0, 1, 1, 2], resource=[0, 0], length=[1, 5])
    assert sharing.response_times("fp-ipcp").tolist() > fusee.TaskSets(**free).response_times("fp-ipcp").tolist()
    with pytest.raises(fusee.OutsideAssumptions, match="no shared resources"):
        sharing.check("fp-rta")


def test_sets_outside_the_assumptions_are_an_error_or_marked():
    sets = fusee.TaskSets(wcet=[[1], [1]], period=[[4], [4]], deadline=[[4], [3]])
    with pytest.raises(fusee.OutsideAssumptions, match="set 1: fp-liu-layland assumes deadlines equal to periods, which task 0"):
        sets.check("fp-liu-layland")
    assert sets.check("fp-liu-layland", outside="mark").tolist() == [1, -1]


def test_frames_have_a_row_for_each_task(sets):
    for frame in (sets.to_pandas(), sets.to_polars()):
        assert len(frame) == 300 * 8
        assert list(frame.columns)[:3] == ["set", "wcet", "period"]
    assert np.allclose(sets.utilization(), 0.9, atol=1e-3)


def test_no_sets_are_fine():
    empty = fusee.TaskSets(offsets=[0], wcet=[], period=[])
    assert len(empty) == 0 and empty.check("fp-rta").tolist() == [] and empty.utilization().tolist() == []
    nothing_to_do = fusee.TaskSets(offsets=[0, 0], wcet=[], period=[])
    assert nothing_to_do.check("fp-rta").tolist() == [True] and nothing_to_do.utilization().tolist() == [0.0]


GOOD = dict(offsets=[0, 2], wcet=[1, 1], period=[4, 5])

WRONG = [
    (dict(wcet=[1.0, 1.0]), TypeError, "`wcet` has the type float64"),
    (dict(wcet=["a", "b"]), TypeError, "`wcet` has the type"),
    (dict(wcet=[True, False]), TypeError, "`wcet` has the type bool"),
    (dict(wcet=[None, 1]), TypeError, "`wcet` has the type object"),
    (dict(wcet=[1, -1]), ValueError, r"`wcet`\[1\] is -1"),
    (dict(wcet=[1, 2**64]), ValueError, r"`wcet`\[1\] is 18446744073709551616"),
    (dict(wcet=[[1, 1]]), ValueError, "`wcet` has the shape"),
    (dict(wcet=[[1], [1, 2]]), ValueError, "`wcet` is no regular array"),
    (dict(wcet=pa.array([1, None])), ValueError, "`wcet` has 1 missing values"),
    (dict(wcet=pl.Series([1, None])), ValueError, "`wcet` has 1 missing values"),
    (dict(wcet=np.array([np.nan, 1.0])), TypeError, "`wcet` has the type float64"),
    (dict(wcet=[1, 1, 1]), ValueError, "`period` has 2 values, but `wcet` has 3"),
    (dict(deadline=[1]), ValueError, "`deadline` has 1 values"),
    (dict(offsets=[0, 1]), ValueError, "`offsets` must rise from 0 to 2"),
    (dict(offsets=[0, 2, 1, 2]), ValueError, "`offsets` must rise"),
    (dict(offsets=[]), ValueError, "`offsets` must rise"),
    (dict(offsets=[0.0, 2.0]), TypeError, "`offsets` has the type float64"),
    (dict(offsets=None), ValueError, "two dimensions"),
    (dict(cores=0), ValueError, "`cores` is 0"),
    (dict(resource=[0]), ValueError, "request_offsets"),
]


@pytest.mark.parametrize("change, kind, message", WRONG)
def test_wrong_columns_are_exceptions_with_the_cause(change, kind, message):
    with pytest.raises(kind, match=message):
        fusee.TaskSets(**{**GOOD, **change})


INVALID = [
    (dict(period=[4, 0]), "set 0: task 1: its period is 0"),
    (dict(deadline=[0, 4]), "set 0: task 0: its deadline is 0"),
    (dict(core=[0, 5], cores=2), "placed on core 5"),
    (dict(priority=[1, 2**32]), "`priority` is 4294967296"),
    (dict(request_offsets=[0, 1], resource=[0], length=[1]), "`request_offsets` has 2 values"),
    (dict(request_offsets=[0, 1, 1], resource=[0], length=[1, 2]), "`length` has 2 values for 1 rows"),
    (dict(request_offsets=[0, 1, 1], resource=[0], length=[9]), "sections take longer than its execution time"),
    (dict(request_offsets=[0, 1, 1], resource=[2**40], length=[1]), "resource .* is beyond the largest"),
]


@pytest.mark.parametrize("change, message", INVALID)
def test_invalid_sets_are_exceptions_with_the_place(change, message):
    with pytest.raises(fusee.FuseeError, match=message):
        fusee.TaskSets(**{**GOOD, **change}).check("fp-ipcp")


def test_numbers_at_the_limits_are_answers_not_crashes():
    top = 2**64 - 1
    sets = fusee.TaskSets(offsets=[0, 2], wcet=[top, top], period=[top, top])
    assert {test.name: int(sets.check(test.name, outside="mark")[0]) for test in fusee.tests()} == {
        test.name: 0 for test in fusee.tests()
    }


def test_wrong_arguments_say_what_is_possible(sets):
    with pytest.raises(fusee.FuseeError, match="did you mean `fp-rta`"):
        sets.check("fp-rat")
    with pytest.raises(ValueError, match="'raise' and 'mark'"):
        sets.check("fp-rta", outside="ignore")
    for threads, kind in ((0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(kind, match="`threads`"):
            sets.check("fp-rta", threads=threads)
    with pytest.raises(IndexError, match="there is no set 300"):
        sets[300]
    with pytest.raises(fusee.FuseeError, match="no response times"):
        sets.response_times("fp-hyperbolic")


def test_wrong_recipes_name_the_field():
    with pytest.raises(fusee.FuseeError, match="utilizations.tasks"):
        fusee.TaskSets.generate({**RECIPE, "utilizations": {"method": "uunifast", "tasks": 0, "total": 0.9}}, 1)
    with pytest.raises(fusee.FuseeError, match="unknown field"):
        fusee.TaskSets.generate({**RECIPE, "perids": 3}, 1)
    with pytest.raises(TypeError, match="none of them"):
        fusee.TaskSets.generate({**RECIPE, "cores": object()}, 1)
    with pytest.raises(ValueError, match="`count` is -1"):
        fusee.TaskSets.generate(RECIPE, -1)


def test_whole_numbers_beyond_signed_ones_stay_whole():
    for wcet in ([1, 2**63], [2**64 - 1, 0], [np.uint64(2**63), 5]):
        sets = fusee.TaskSets(wcet=wcet, period=[2**64 - 1] * 2, offsets=[0, 2])
        assert [int(value) for value in sets.wcet] == [int(value) for value in wcet]
    rows = fusee.TaskSets(wcet=[[1, 2**63]], period=[[2**63 + 5, 2**63]])
    assert [int(value) for value in rows.period] == [2**63 + 5, 2**63]
    one = fusee.TaskSet([fusee.Task(1, 2**63 + 9), fusee.Task(2, 7)])
    assert one.response_times("fp-rta") == [3, 2]
    for wrong in ([1, 2**64], [1.0, 2**63]):
        with pytest.raises((TypeError, ValueError), match=r"whole numbers are needed|possible are 0 to 2\*\*64 - 1"):
            fusee.TaskSets(wcet=wrong, period=[9, 9], offsets=[0, 2])


def test_names_that_are_part_of_others_are_suggested():
    sets = fusee.TaskSets(wcet=[1], period=[4], offsets=[0, 1])
    for name, meant in (("rta", "`fp-rta`, `fp-rta-arbitrary`"), ("RTA", "`fp-rta`"), ("holistic", "`msrp-holistic`"), ("qpa", "`edf-qpa`")):
        with pytest.raises(fusee.FuseeError, match=f"there is no test `{name}`; did you mean .*{meant}"):
            sets.check(name)
    with pytest.raises(fusee.FuseeError, match=r"`fusee.tests\(\)` lists them"):
        sets.check("nothing-like-it")


def test_verdicts_are_what_response_times_say():
    """Both entry points, many sets and single ones, at the edges: no length, equal numbers, J > T, huge ones."""
    random = np.random.default_rng(5)
    sets = []
    for _ in range(150):
        tasks = []
        for place in range(random.integers(1, 5)):
            period = int(random.integers(1, 14))
            section, huge = int(random.integers(0, 2)), random.random() < 0.05
            tasks.append(fusee.Task(
                wcet=2**63 if huge else int(random.integers(section, 5)) if section < 5 else section,
                period=period,
                deadline=int(random.integers(1, period + 1)),
                jitter=int(random.integers(0, 20)) if random.random() < 0.2 else 0,
                priority=int(random.integers(0, 3)),
                core=place % 2,
                requests=(fusee.Request(0, section),) if random.random() < 0.4 else (),
            ))
        sets.append(fusee.TaskSet(tasks, cores=2, placed=True))
    columns = fusee.TaskSets.from_sets(sets)
    compared = 0
    for test in fusee.tests():
        marks = columns.check(test.name, outside="mark")
        inside = np.flatnonzero(marks >= 0)
        if not inside.size:
            continue
        try:
            times = columns[inside].response_times(test.name)
        except fusee.FuseeError:
            continue
        deadlines, offsets = columns[inside].deadline, columns[inside].offsets
        assert (np.ma.compressed(times) <= deadlines[~np.ma.getmaskarray(times)]).all(), test.name
        for place, number in enumerate(inside):
            known = ~np.ma.getmaskarray(times)[offsets[place] : offsets[place + 1]]
            assert known.all() == (marks[number] == 1), (test.name, sets[number])
            if place % 10 == 0:
                assert bool(sets[number].check(test.name)) == all(r is not None for r in sets[number].response_times(test.name))
            compared += 1
    assert compared > 1000
