"""Schedules that refute tests of one's own."""

import fusee
import numpy as np
import pytest
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


def test_one_test_needs_no_list(sets):
    assert fusee.refute(sets, "fp-rta", "fixed-priority") == []
    with pytest.raises(TypeError, match="`sets` is TaskSet; `TaskSets` are needed"):
        fusee.refute(LATE, "fp-rta", "fixed-priority")


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


class Rates:
    """Cores by priorities; who asks for a resource spins at the top, first come first served."""

    def rank(self, job):
        return (1, 0) if job.held or job.waits is not None else (0, job.priority)

    def next(self, resource, waiting):
        return min(range(len(waiting)), key=lambda place: waiting[place].request)


def test_a_scheduler_of_ones_own_decides_as_the_one_that_it_copies():
    recipe = {
        "tick": "1 ns",
        "cores": 2,
        "utilizations": {"method": "uunifast-discard", "tasks": 6, "total": 1.6, "max": 0.9},
        "periods": {"kind": "uniform", "min": "10 ns", "max": "40 ns"},
        "resources": {"kind": "random", "count": 1, "access": 1.0, "length": ["1 ns", "4 ns"]},
    }
    drawn = TaskSets.generate(recipe, 40).place("worst", misfits="drop")
    tests = {"all": lambda sets: np.ones(len(sets), bool)}
    found = fusee.refute(drawn, tests, Rates(), runs=6)
    assert len(found) > 5 and found == fusee.refute(drawn, tests, "msrp", runs=6)


@pytest.mark.parametrize(
    ("rank", "next", "says"),
    [
        (lambda job: "high", lambda q, w: 0, "`rank` gave high for a job of task 0"),
        (lambda job: job.priority, lambda q, w: 7, "`next` gave 7 for resource 0; possible are None and 0 to 0"),
        (lambda job: 1 // 0, lambda q, w: 0, "division"),
    ],
)
def test_errors_of_a_scheduler_are_raised(rank, next, says):
    class Own:
        pass

    own = Own()
    own.rank, own.next = rank, next
    one = TaskSets.from_sets([TaskSet([Task(4, 20, priority=2, requests=[Request(0, 1, 2)])])])
    with pytest.raises((fusee.FuseeError, ZeroDivisionError), match=says):
        fusee.refute(one, {"coarse": coarse}, own)


def test_what_is_no_scheduler_is_refused(sets):
    with pytest.raises(TypeError, match="a name, or an object with `rank` and `next`"):
        fusee.refute(sets, {"coarse": coarse}, object())
