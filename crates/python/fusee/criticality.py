"""Mixed criticality: tasks with two execution times, on one core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fusee import _fusee, arrays


@dataclass(frozen=True)
class CriticalTask:
    """A task with two execution times; in ticks.

    Attributes:
        usual: the time that a job takes at most in the low mode.
        period: period or minimum inter-arrival time.
        most: the time that a job takes at most; ``None``: the task is of low criticality.
        deadline: relative deadline, no later than the period; the period if not given.
        priority: a higher number is a higher priority; equal ones interfere with each other.
    """

    usual: int
    period: int
    most: int | None = None
    deadline: int | None = None
    priority: int = 0


@dataclass(frozen=True)
class Responses:
    """Response times of a task.

    Attributes:
        low: in the low mode.
        high: of jobs that see a change of the mode, or the high mode; ``None`` for low criticality.
    """

    low: int
    high: int | None


def mixed_response_times(
    tasks: Sequence[CriticalTask], test: str = "amc-max", *, effort: int | None = None
) -> list[Responses] | None:
    """Response times under adaptive fixed priorities; ``None``: some deadline is not shown to hold.

    In the low mode all deadlines hold. Once a job of high criticality has executed for its usual time
    without being complete, no job of low criticality is released, until there is nothing to do.

    Args:
        tasks: all tasks of the core.
        test: ``"amc-rtb"`` or ``"amc-max"`` (Baruah, Burns and Davis 2011).
        effort: that of :meth:`TaskSets.check`.
    """
    found = _fusee.mixed_response_times(test, _rows(tasks), arrays.effort(effort))
    return None if found is None else [Responses(low, high) for low, high in found]


def virtual_deadlines(tasks: Sequence[CriticalTask]) -> Fraction | None:
    """The part of a period after which deadlines of high criticality come in the low mode (EDF-VD).

    When the mode changes jobs of low criticality are abandoned, also those under way. 1: real deadlines
    serve, and nothing is abandoned. ``None``: none is found (Baruah et al. 2012), or some deadline is not the
    period.
    """
    found = _fusee.virtual_deadlines(_rows(tasks))
    return None if found is None else Fraction(*found)


def _rows(tasks: Sequence[CriticalTask]) -> list[tuple[int, int | None, int, int, int]]:
    for place, task in enumerate(tasks):
        if not isinstance(task, CriticalTask):
            raise TypeError(f"task {place} is {task!r}; a `CriticalTask` is needed")
    usual = arrays.whole("usual", [task.usual for task in tasks]).tolist()
    period = arrays.whole("period", [task.period for task in tasks]).tolist()
    late = [task.period if task.deadline is None else task.deadline for task in tasks]
    deadline = arrays.whole("deadline", late).tolist()
    longest = [task.usual if task.most is None else task.most for task in tasks]
    longest = arrays.whole("most", longest).tolist()
    priority = arrays.whole("priority", [task.priority for task in tasks]).tolist()
    for place, (own, limit, within, every) in enumerate(zip(usual, longest, deadline, period)):
        if not 0 < own <= limit:
            raise ValueError(f"`usual`[{place}] is {own}; possible are 1 to `most`, {limit}")
        if not 0 < within <= every:
            raise ValueError(f"`deadline`[{place}] is {within}; possible are 1 to the period, {every}")
    most = [None if task.most is None else known for task, known in zip(tasks, longest)]
    return list(zip(usual, most, period, deadline, priority))
