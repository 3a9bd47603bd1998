"""Names that users of other tools try first, and what is here instead."""

from __future__ import annotations

from typing import NoReturn

#: Of the module: generators, event models, schedulers.
MODULE = {
    "uunifast": "`TaskSets.generate(recipe, count)` with `utilizations = {method = \"uunifast-discard\", ...}`",
    "gen_taskset": "`TaskSets.generate(recipe, count)`",
    "mkgen": "`TaskSets.generate(recipe, count)`",
    "SporadicTask": "`Task(wcet=, period=, deadline=)`",
    "TaskSystem": "`TaskSet([...])`",
    "PJdEventModel": "`ArrivalCurve.periodic(period, jitter=, distance=)`",
    "CTEventModel": "`ArrivalCurve.bursts(count=, distance=, period=)`",
    "TraceEventModel": "`ArrivalCurve.from_trace(times)`",
    "analyze_system": "`compose(activities)`",
    "end_to_end_latency": "`latency(activities, bounded, path)`",
    "System": "a list of `Activity`, for `compose`",
    "Resource": "`core=` of each `Activity` or `Task`",
    "Model": "`refute` for task sets, or `simulate` for a description",
    "Configuration": "`TaskSet([...])`, or a description for `simulate`",
}

#: Of a task set.
TASK_SET = {
    "is_schedulable": "`check(test).schedulable`; `fusee.tests()` lists the tests",
    "response_time": "`response_times(test)`, one for each task",
    "bound_response_times": "`response_times(\"fp-rta\")`",
    "sort_by_period": "priorities: without any they are rate-monotonic, whatever the order",
    "sort_by_deadline": "`TaskSets.assign(\"deadline-monotonic\")`",
    "add": "another set, `TaskSet([*tasks, task])`, since sets do not change",
    "append": "another set, `TaskSet([*tasks, task])`, since sets do not change",
    "add_task": "another set, `TaskSet([*tasks, task])`, since sets do not change",
    "copy": "the set itself, since sets do not change",
    "simulate": "`refute` of `fusee`, which draws schedules",
    "density": "`check(\"edf-srp-density\")`, or the sum of `wcet / deadline`",
}

#: Of a task, as a name of a parameter or of what it holds.
TASK = {
    "cost": "`wcet`",
    "exec_cost": "`wcet`",
    "execution_time": "`wcet`",
    "bcet": "`best` of an `Activity`; tests of task sets need no shortest times",
    "partition": "`core`",
    "scheduling_parameter": "`priority`, of which higher numbers are more urgent",
    "preemption_level": "`priority`, of which higher numbers are more urgent",
    "activation_date": "`offset`",
    "abort_on_miss": "nothing: jobs go on behind their deadlines",
    "blocked": "`blocking`, or `requests` and a test of a protocol, which finds it",
    "suspended": "`suspension`, or `requests` and a test of a protocol, which finds it",
    "task_type": "nothing: a test says whether it is for periodic or for sporadic tasks",
}


class Number(float):
    """A property's number, which others have as a method."""

    __slots__ = ()

    def __call__(self) -> NoReturn:
        """Says that it is not called."""
        raise TypeError(f"this is a property, whose value is {self!r}: leave the parentheses out")


def missing(of: str, name: str, known: dict[str, str]) -> NoReturn:
    """Raises the error for a name that is not there, with what is there instead."""
    instead = f"; what others call so is here {known[name]}" if name in known else ""
    raise AttributeError(f"{of} has no `{name}`{instead}")


def check_parameters(names: dict[str, object]) -> None:
    """Refuses parameters of a task by the names that others give them."""
    for name in names:
        if name in TASK:
            raise TypeError(f"`Task` has no parameter `{name}`; what others call so is here {TASK[name]}")
