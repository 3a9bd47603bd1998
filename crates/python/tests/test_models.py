"""Graphs, two levels of criticality, event loops, supplies: numbers on paper, and clear errors."""

from fractions import Fraction

import fusee
import pytest
from fusee import ArrivalCurve, CriticalTask, EventLoop, Graph, GraphTask, Source, Supply, Task, TaskSet

EDGES = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]


def test_graphs():
    fork = Graph([1, 4, 4, 4, 1], EDGES)
    assert (fork.volume, fork.length) == (14, 6)
    assert [fork.makespan(cores, paths=False) for cores in (1, 2, 3)] == [14, 10, 8]
    assert [fork.makespan(cores) for cores in (1, 2, 3)] == [14, 10, 6]
    light = GraphTask(Graph([2]), period=10, priority=2)
    assert fusee.graph_response_times([light, GraphTask(fork, period=20, priority=1)], 2) == [2, 12]
    heavy = GraphTask(fork, period=20, deadline=8)
    assert fusee.federate([light, heavy], 5) == ["shared 0", 4]
    assert fusee.federate([light, heavy], 4) is None


def test_two_levels_of_criticality():
    tasks = [
        CriticalTask(1, 10, most=4, deadline=4, priority=3),
        CriticalTask(3, 10, priority=2),
        CriticalTask(7, 60, most=8, priority=1),
    ]
    found = {test: fusee.mixed_response_times(tasks, test) for test in ("amc-rtb", "amc-max")}
    assert [found[test][2].high for test in found] == [26, 23]
    assert [response.low for response in found["amc-max"]] == [1, 4, 15]
    assert found["amc-rtb"][1].high is None
    assert fusee.mixed_response_times([CriticalTask(6, 10), CriticalTask(6, 10)]) is None
    scale = fusee.virtual_deadlines([CriticalTask(2, 4), CriticalTask(1, 10, most=7)])
    assert abs(scale - Fraction(1, 5)) < Fraction(1, 10**9)
    assert fusee.virtual_deadlines([CriticalTask(2, 4), CriticalTask(1, 10, most=5)]) == 1
    assert fusee.virtual_deadlines([CriticalTask(2, 4), CriticalTask(4, 10, most=9)]) is None


def test_event_loops():
    rarely = ArrivalCurve.periodic(100)
    sources = [Source(3, rarely), Source(2, rarely), Source(4, rarely)]
    bounds = {order: fusee.loop_response_times([EventLoop(sources, order)]) for order in ("number", "fifo", "priority")}
    assert bounds == {"number": [[9, 9, 9]], "fifo": [[9, 9, 9]], "priority": [[7, 9, 9]]}
    unknown = [Source(2, None), Source(3, ArrivalCurve.periodic(50))]
    below = EventLoop([Source(1, rarely)], priority=0)
    assert fusee.loop_response_times([EventLoop(unknown, priority=1), below]) == [[7, 8], [None]]


def test_supplies():
    given = Supply.periodic(5, 2)
    assert [given.least(window) for window in (6, 7, 12)] == [0, 1, 3]
    assert [given.needed(amount) for amount in (0, 1, 3)] == [0, 7, 12]
    tasks = TaskSet([Task(1, 20, priority=2), Task(2, 40, priority=1)])
    assert tasks.supplied(given) == [7, 12]
    assert tasks.supplied(Supply.table(5, [(0, 2)])) == [4, 9]
    assert Supply.delayed(2, 5, 6).needed(2) == 11
    assert tasks.supplied(Supply.periodic(1, 1)) == tasks.response_times("fp-rta")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Graph([]), "no nodes"),
        (lambda: Graph([1], [(0, 1)]), "edge 0 names node 1"),
        (lambda: Graph([1, 1], [(0, 1), (1, 0)]), "waits for itself"),
        (lambda: Graph([1]).makespan(0), "0 cores"),
        (lambda: fusee.federate([GraphTask(Graph([1]), 5, deadline=6)], 1), r"`deadline`\[0\] is 6"),
        (lambda: fusee.graph_response_times([GraphTask(Graph([1]), 5)], 0), "`cores` is 0"),
        (lambda: fusee.mixed_response_times([CriticalTask(3, 9, most=2)]), r"`usual`\[0\] is 3"),
        (lambda: fusee.mixed_response_times([CriticalTask(3, 9)], "amc"), "`amc-rtb`, `amc-max`"),
        (lambda: fusee.loop_response_times([EventLoop([], "lifo")]), "no order `lifo`"),
        (lambda: fusee.loop_response_times([EventLoop([Source(0, None)])]), "`wcet` is 0"),
        (lambda: Supply.periodic(5, 6), "6 of every 5"),
        (lambda: Supply.table(5, []), "gives nothing"),
        (lambda: TaskSet([Task(1, 5, suspension=1)]).supplied(Supply.periodic(5, 5)), "suspension"),
    ],
)
def test_errors_name_the_place(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_other_things_than_tasks_are_named():
    for call in (fusee.federate, fusee.graph_response_times):
        with pytest.raises(TypeError, match="task 0 is"):
            call([Task(1, 5)], 1)
    with pytest.raises(TypeError, match="a `CriticalTask` is needed"):
        fusee.virtual_deadlines([Task(1, 5)])
    with pytest.raises(TypeError, match="source 0 of loop 0"):
        fusee.loop_response_times([EventLoop([3])])
