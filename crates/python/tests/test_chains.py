"""Chains and activities: numbers that can be checked on paper, and clear errors."""

import fusee
import pytest
from fusee import Activity, ArrivalCurve, Stage, Task, TaskSet


@pytest.fixture
def tasks():
    return TaskSet([Task(1, 5, priority=3), Task(2, 10, priority=2, offset=1), Task(3, 20, priority=1, offset=4)])


def test_a_chain_of_a_set(tasks):
    downwards = tasks.chain([0, 1, 2], "fp-rta")
    assert [stage.link for stage in downwards] == ["sampled", "sampled-behind", "sampled-behind"]
    assert fusee.reaction_time(downwards) == 5 + 10 + 20 + 7
    assert fusee.data_age(downwards) == 5 + 10 + 7
    anywhere = tasks.chain([0, 1, 2], "fp-rta", communication="explicit")
    assert fusee.reaction_time(anywhere) == (5 + 1) + (10 + 3) + (20 + 7)
    triggered = tasks.chain([0, 1], "fp-rta", triggered=[1])
    assert fusee.reaction_time(triggered) == 5 + 1 + 3


def test_offsets_make_nothing_worse(tasks):
    for path in ([0, 1, 2], [2, 1, 0], [1, 1], [2, 0]):
        sums, followed = (tasks.chain(path, "fp-rta", offsets=known) for known in (False, True))
        assert fusee.reaction_time(followed) <= fusee.reaction_time(sums)
        assert fusee.data_age(followed) <= fusee.data_age(sums)
    pair = [Stage(10, 2, offset=0), Stage(10, 3, offset=2)]
    assert (fusee.reaction_time(pair), fusee.data_age(pair)) == (15, 5)


def test_errors_of_chains(tasks):
    with pytest.raises(fusee.FuseeError, match="task 7; the set has 3"):
        tasks.chain([7], "fp-rta")
    with pytest.raises(fusee.FuseeError, match="no tasks"):
        tasks.chain([], "fp-rta")
    with pytest.raises(fusee.FuseeError, match="no response times"):
        tasks.chain([0], "fp-hyperbolic")
    with pytest.raises(fusee.FuseeError, match="`implicit`, `explicit`, `at-deadline`"):
        tasks.chain([0], "fp-rta", communication="let")
    with pytest.raises(fusee.OutsideAssumptions, match="suspension"):
        TaskSet([Task(1, 5, suspension=1)]).chain([0], "fp-rta")
    with pytest.raises(ValueError, match="place 2"):
        tasks.chain([0, 1], "fp-rta", triggered=[2])
    with pytest.raises(fusee.FuseeError, match="stage 1 has no offset"):
        fusee.reaction_time([Stage(10, 2, offset=0), Stage(10, 3)])
    with pytest.raises(ValueError, match="`response` of stage 0 is -1"):
        fusee.data_age([Stage(10, -1)])
    with pytest.raises(fusee.FuseeError, match="no link `polled`"):
        fusee.data_age([Stage(10, 1, link="polled")])


def test_curves():
    curve = ArrivalCurve.periodic(10, jitter=25, distance=1)
    assert [curve.distance(n) for n in range(1, 6)] == [0, 1, 2, 5, 15]
    assert [curve.within(w) for w in (0, 1, 3, 5, 6)] == [0, 1, 3, 3, 4]
    assert ArrivalCurve.bursts(3, 2, 10).rate == (3, 10)
    trace = ArrivalCurve.from_trace([0, 4, 9, 10])
    assert [trace.distance(n) for n in (2, 3, 4)] == [1, 6, 10]
    assert trace.delayed(3).at_least_apart(1).distance(3) == 3
    assert trace == ArrivalCurve.from_trace([0, 4, 9, 10]) != curve
    assert repr(trace) == "<ArrivalCurve: 2, 3, 4, 5 events in 1, 6, 10, 11>"


def test_two_chains_on_two_cores():
    system = [
        Activity(2, ArrivalCurve.periodic(10), priority=2),
        Activity(3, 0, priority=2, core=1),
        Activity(4, ArrivalCurve.periodic(20), priority=1),
        Activity(5, 2, priority=1, core=1),
    ]
    bounded = fusee.compose(system)
    assert [b.response for b in bounded] == [2, 3, 6, 8]
    assert bounded[3].releases.distance(2) == 18
    assert fusee.latency(system, bounded, [2, 3]) == 14
    with pytest.raises(ValueError, match="activity 3 is not released by activity 0"):
        fusee.latency(system, bounded, [0, 3])


def test_errors_of_curves_and_activities():
    with pytest.raises(fusee.FuseeError, match="period is 0"):
        ArrivalCurve.periodic(0)
    with pytest.raises(fusee.FuseeError, match="count x distance is above the period"):
        ArrivalCurve.bursts(3, 4, 10)
    with pytest.raises(fusee.FuseeError, match="event 2 of the trace"):
        ArrivalCurve.from_trace([0, 5, 4])
    with pytest.raises(fusee.FuseeError, match="released by itself"):
        fusee.compose([Activity(1, 0, priority=1)])
    with pytest.raises(fusee.FuseeError, match="core 2 has more to do"):
        fusee.compose([Activity(6, ArrivalCurve.periodic(5), priority=1, core=2)])
    with pytest.raises(TypeError, match="activity 0"):
        fusee.compose([Task(1, 5)])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (dict(wcet=-1), r"`wcet`\[0\] is -1"),
        (dict(wcet=1.5), "`wcet` has the type float64"),
        (dict(priority="high"), "`priority` has the type"),
        (dict(released="sensor"), r"`released`\[0\] is 'sensor'"),
        (dict(released=-1), r"`released`\[0\] is -1; there are 1, counted from 0"),
        (dict(released=7), r"`released`\[0\] is 7"),
    ],
)
def test_errors_of_activities_name_the_attribute(wrong, says):
    usual = dict(wcet=1, released=ArrivalCurve.periodic(3), priority=1)
    with pytest.raises((ValueError, TypeError), match=says):
        fusee.compose([Activity(**{**usual, **wrong})])


def test_errors_of_paths_name_the_place():
    system = [Activity(1, ArrivalCurve.periodic(3), priority=1)]
    bounded = fusee.compose(system)
    with pytest.raises(ValueError, match="the path's activity is 1; there are 1, counted from 0"):
        fusee.latency(system, bounded, [0, 1])
    with pytest.raises(ValueError, match="0 bounds for 1 activities"):
        fusee.latency(system, [], [0])
