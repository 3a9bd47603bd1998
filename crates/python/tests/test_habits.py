"""Twenty habits of users of SchedCAT, pyCPA and SimSo, tried as they stand.

Each works, or is answered by one sentence that says what is here instead.
"""

import copy
import pickle

import fusee
import pytest
from fusee import Activity, ArrivalCurve, Request, Task, TaskSet, TaskSets, compose, latency


def pair():
    return TaskSet([Task(wcet=1, period=4), Task(wcet=2, period=6)])


WORKS = {
    # SchedCAT.
    "Task(cost, period)": (lambda: Task(1, 4).period, 4),
    "Task(cost, period, deadline)": (lambda: Task(1, 4, 3).deadline, 3),
    "len(ts)": (lambda: len(pair()), 2),
    "for t in ts": (lambda: [t.wcet for t in pair()], [1, 2]),
    "ts[0]": (lambda: pair()[0], Task(wcet=1, period=4)),
    "ts.hyperperiod()": (lambda: pair().hyperperiod(), 12),
    "t.utilization": (lambda: Task(2, 8).utilization, 0.25),
    "copy.deepcopy(ts)": (lambda: copy.deepcopy(pair()) == pair(), True),
    "pickle of ts": (lambda: pickle.loads(pickle.dumps(pair())) == pair(), True),
    "a request": (lambda: pair().response_times("fp-rta"), [1, 3]),
    # pyCPA.
    "PJd event models": (lambda: ArrivalCurve.periodic(30, jitter=5).distance(2), 25),
    "a path": (lambda: latency(two(), compose(two()), [0, 1]), 17),
}


def two():
    packets = ArrivalCurve.periodic(30)
    return [
        Activity(wcet=7, released=packets, priority=2, core=0),
        Activity(wcet=10, released=0, priority=1, core=1),
    ]


@pytest.mark.parametrize("habit", WORKS)
def test_works(habit):
    found, expected = WORKS[habit]
    assert found() == expected


ANSWERED = {
    # SchedCAT.
    "fusee.SporadicTask": (lambda: fusee.SporadicTask, "is here `Task(wcet=, period=, deadline=)`"),
    "ts.is_schedulable()": (lambda: pair().is_schedulable(), "is here `check(test).schedulable`"),
    "ts.sort_by_period()": (lambda: pair().sort_by_period(), "rate-monotonic, whatever the order"),
    "t.cost": (lambda: Task(1, 4).cost, "is here `wcet`"),
    "t.partition": (lambda: Task(1, 4).partition, "is here `core`"),
    "ts.append(t)": (lambda: pair().append(Task(1, 9)), "since sets do not change"),
    # pyCPA.
    "fusee.PJdEventModel": (lambda: fusee.PJdEventModel, "ArrivalCurve.periodic(period, jitter=, distance=)"),
    "fusee.analyze_system": (lambda: fusee.analyze_system, "is here `compose(activities)`"),
    # SimSo.
    "ts.add_task(...)": (lambda: pair().add_task(), "another set"),
    "fusee.Model": (lambda: fusee.Model, "`refute` for task sets"),
}


@pytest.mark.parametrize("habit", ANSWERED)
def test_is_answered(habit):
    asked, words = ANSWERED[habit]
    with pytest.raises(AttributeError) as error:
        asked()
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("asked", [lambda: pair().utilization(), lambda: Task(2, 8).utilization()])
def test_a_property_that_is_called_is_answered(asked):
    with pytest.raises(TypeError, match="this is a property, whose value is 0[.0-9]*: leave the parentheses out"):
        asked()


@pytest.mark.parametrize(
    ("parameter", "words"),
    [("exec_cost", "is here `wcet`"), ("scheduling_parameter", "`priority`"), ("activation_date", "is here `offset`")],
)
def test_parameters_of_other_tools_are_answered(parameter, words):
    with pytest.raises(TypeError, match="`Task` has no parameter") as error:
        Task(wcet=1, period=4, **{parameter: 1})
    assert words in str(error.value)


def test_other_names_are_missing_as_everywhere():
    for asked in (lambda: fusee.nothing, lambda: pair().nothing, lambda: Task(1, 4).nothing):
        with pytest.raises(AttributeError, match="has no `nothing`$"):
            asked()
    assert not hasattr(pair(), "nothing")
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
        Task(wcet=1, period=4, nothing=1)
    assert Task(wcet=2, period=4, requests=(Request(resource=0, length=1),)).requests[0].length == 1


def test_what_is_named_instead_is_there():
    """Each sentence names something of the package."""
    names = set(fusee.__all__) | set(dir(TaskSet)) | set(dir(TaskSets)) | set(dir(ArrivalCurve)) | set(Task(1, 4).__dict__)
    names |= {"core", "best", "the", "another", "nothing", "priorities", "a"}
    for known in (fusee.habits.MODULE, fusee.habits.TASK_SET, fusee.habits.TASK):
        for name, instead in known.items():
            word = instead.lstrip("`").replace("=", " ").replace("(", " ").replace(".", " ").replace("`", " ").split()[0]
            assert word.rstrip(",:;") in names, (name, instead)
