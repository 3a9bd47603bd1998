"""Parallel tasks: jobs that are directed acyclic graphs, on several cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fusee import _fusee, arrays
from fusee._fusee import Graph


@dataclass(frozen=True)
class GraphTask:
    """A task whose jobs are graphs; times in ticks.

    Attributes:
        graph: what each job does.
        period: period or minimum inter-arrival time.
        deadline: relative deadline, no later than the period; the period if not given.
        priority: a higher number is a higher priority; equal ones interfere with each other.
    """

    graph: Graph
    period: int
    deadline: int | None = None
    priority: int = 0


def graph_response_times(tasks: Sequence[GraphTask], cores: int) -> list[int | None]:
    """Response times under global preemptive fixed priorities (Melani et al. 2015).

    ``None``: the task is not shown to meet its deadline, or depends on one that is not.
    """
    return _fusee.dag_response_times(_rows(tasks), arrays.count("cores", cores, 1))


def federate(tasks: Sequence[GraphTask], cores: int) -> list[int | str] | None:
    """Federated scheduling (Li et al. 2014), if it is found: for each task how many cores it has.

    A task with less work than its deadline is sequential; it has the name of a core that it shares
    with others under EDF, ``"shared 0"`` and so on.
    """
    found = _fusee.federate(_rows(tasks), arrays.count("cores", cores, 1))
    if found is None:
        return None
    return [own if core is None else f"shared {core}" for own, core in found]


def _rows(tasks: Sequence[GraphTask]) -> list[tuple[Graph, int, int, int]]:
    for place, task in enumerate(tasks):
        if not isinstance(task, GraphTask) or not isinstance(task.graph, Graph):
            raise TypeError(f"task {place} is {task!r}; a `GraphTask` with a `Graph` is needed")
    periods = arrays.whole("period", [task.period for task in tasks]).tolist()
    late = [task.period if task.deadline is None else task.deadline for task in tasks]
    deadlines = arrays.whole("deadline", late).tolist()
    for place, (deadline, period) in enumerate(zip(deadlines, periods)):
        if not 0 < deadline <= period:
            raise ValueError(f"`deadline`[{place}] is {deadline}; possible are 1 to the period, {period}")
    priorities = arrays.whole("priority", [task.priority for task in tasks]).tolist()
    return list(zip([task.graph for task in tasks], periods, deadlines, priorities))
