"""Single sets as objects, and what tests say about themselves."""

import fusee
import pytest
from fusee import Request, Task, TaskSet


def test_verdicts_carry_their_test():
    verdict = TaskSet([Task(1, 4), Task(2, 6)]).check("fp-rta")
    assert verdict and verdict.schedulable
    assert verdict.test.name == "fp-rta" and verdict.test.exactness == "exact"
    assert not TaskSet([Task(3, 4), Task(3, 6)]).check("fp-rta")


def test_priorities_are_rate_monotonic_or_all_given():
    slow_first = [Task(3, 12), Task(2, 6), Task(1, 4)]
    assert TaskSet(slow_first).response_times("fp-rta") == [10, 3, 1]
    given = [Task(1, 4, priority=1), Task(2, 6, priority=2)]
    assert TaskSet(given).response_times("fp-rta") == [3, 2]
    with pytest.raises(ValueError, match="task 1 has no priority"):
        TaskSet([Task(1, 4, priority=1), Task(2, 6)])


def test_a_bound_that_does_not_exist_is_none():
    assert TaskSet([Task(3, 4), Task(3, 5)]).response_times("fp-rta") == [3, None]


def test_requests_block():
    tasks = [Task(1, 10, requests=(Request(0, 1),)), Task(5, 40, requests=(Request(0, 4),))]
    first, _ = TaskSet(tasks).response_times("fp-ipcp")
    assert 1 + 3 <= first <= 1 + 4


def test_sets_survive_the_way_through_columns():
    tasks = [Task(2, 10, 9, 1, 2, 3, 4, 5, 0, (Request(1, 1, 2),)), Task(1, 7, 7, priority=6)]
    assert fusee.TaskSets.from_sets([TaskSet(tasks)])[0].tasks == tuple(tasks)


def test_wrong_objects_are_refused():
    with pytest.raises(TypeError, match="task 0 is 3"):
        TaskSet([3])
    with pytest.raises(TypeError, match="`wcet`"):
        TaskSet([Task(1.5, 4)]).check("fp-rta")
    with pytest.raises(ValueError, match="`period`"):
        TaskSet([Task(1, -4)]).check("fp-rta")


def test_every_test_names_its_source_and_its_limits():
    tests = fusee.tests()
    assert len({test.name for test in tests}) == len(tests) > 30
    for test in tests:
        assert len(test.source) > 5 and test.exactness in ("exact", "sufficient") and test.assumptions
