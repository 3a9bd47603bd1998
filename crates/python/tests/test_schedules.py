"""Schedules that refute tests of one's own."""

import numpy as np
import pytest

import fusee
from fusee import Request, Task, TaskSet, TaskSets


def coarse(sets):
    return sets.utilization() <= 1


LATE = TaskSet([Task(3, 6, priority=2), Task(4, 9, priority=1)])
EARLY = TaskSet([Task(1, 6, priority=2), Task(4, 9, priority=1)])


@pytest.fixture
def sets():
    return TaskSets.from_sets([EARLY, LATE])


def test_a_coarse_test_is_refuted_and_a_sound_one_is_not(sets):
    found = fusee.refute(sets, {"coarse": coarse, "rta": "fp-rta"}, "fixed-priority")
    assert [(f.test, f.set, f.task, f.response, f.deadline, f.run) for f in found] == [("coarse", 1, 1, 10, 9, 0)]
    assert fusee.refute(sets, {"coarse": coarse}, "earliest-deadline") == []
    assert fusee.refute(sets, ["fp-rta"], "fixed-priority", runs=3, threads=None) == []


def test_generated_sets_of_several_cores():
    recipe = {
        "cores": 2,
        "utilizations": {"method": "uunifast-discard", "tasks": 6, "total": 1.4, "max": 0.9},
        "periods": {"kind": "uniform", "min": "10 ns", "max": "60 ns"},
        "resources": {"kind": "random", "count": 2, "access": 0.6, "length": ["1 ns", "4 ns"]},
    }
    drawn = TaskSets.generate({**recipe, "tick": "1 ns"}, 200).place("worst", misfits="drop")
    found = fusee.refute(drawn, {"msrp": "msrp-holistic", "coarse": coarse, "all": lambda s: np.ones(len(s), bool)}, "msrp")
    assert {f.test for f in found} >= {"all"} and "msrp" not in {f.test for f in found}
    assert found == fusee.refute(drawn, {"msrp": "msrp-holistic", "coarse": coarse, "all": lambda s: np.ones(len(s), bool)}, "msrp", threads=2)


def test_errors(sets):
    with pytest.raises(fusee.FuseeError, match="there is no scheduler `rm`; there are `fixed-priority`"):
        fusee.refute(sets, {"coarse": coarse}, "rm")
    with pytest.raises(ValueError, match="`runs` is 0"):
        fusee.refute(sets, {"coarse": coarse}, "fixed-priority", runs=0)
    with pytest.raises(TypeError, match="`seed` is 'x'"):
        fusee.refute(sets, {"coarse": coarse}, "fixed-priority", seed="x")
    with pytest.raises(ValueError, match="the test `all` gave"):
        fusee.refute(sets, {"all": lambda s: True}, "fixed-priority")
    assert "msrp" in fusee.schedulers()


def test_a_set_that_the_scheduler_cannot_run_is_named():
    shared = TaskSet([
        Task(4, 20, priority=2, requests=[Request(0, 1, 2)]),
        Task(4, 20, priority=1, core=1, requests=[Request(0, 1, 2)]),
    ])
    with pytest.raises(fusee.FuseeError, match="set 0: `fixed-priority` cannot run it: resource 0 is used on several cores"):
        fusee.refute(TaskSets.from_sets([shared]), {"coarse": coarse}, "fixed-priority")


def test_work_without_an_end_is_ended():
    wide = TaskSet([Task(1, 2, priority=2), Task(1, 2**60, priority=1)])
    with pytest.raises(fusee.FuseeError, match="takes more than 1000 steps"):
        fusee.refute(TaskSets.from_sets([wide]), {"coarse": coarse}, "fixed-priority", effort=1000)
