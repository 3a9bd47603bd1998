"""Event loops: threads that serve several sources, on one core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fusee import _fusee, arrays
from fusee._fusee import ArrivalCurve


@dataclass(frozen=True)
class Source:
    """A source of a loop; times in ticks.

    Attributes:
        wcet: the longest time that its callback executes.
        released: how its signals come; ``None``: nobody knows how often.
        live: whether a ``"round"`` looks at it anew before each callback, as at timers of ROS 2.
    """

    wcet: int
    released: ArrivalCurve | None
    live: bool = False


@dataclass(frozen=True)
class EventLoop:
    """A thread that waits for several sources, and runs the callback of each that came.

    Attributes:
        sources: the first first.
        order: what it takes of what is pending. ``"priority"``: the first source; ``"fifo"``: the
            oldest signal; ``"round"``: all, by number, live sources in between, and signals wait in
            queues; ``"number"``: all, by number, and signals to a pending source merge.
        priority: a higher number is a higher priority; equal ones come in any order.
        blocking: the longest that lower threads can hold it up.
    """

    sources: Sequence[Source]
    order: str = "number"
    priority: int = 0
    blocking: int = 0


def loop_response_times(loops: Sequence[EventLoop], *, effort: int | None = None) -> list[list[int | None]]:
    """How long each source of each loop waits for the end of a callback that starts after its signal.

    ``None``: there is no bound, as for a loop below a source whose rate nobody knows.
    """
    rows = []
    for place, one in enumerate(loops):
        if not isinstance(one, EventLoop):
            raise TypeError(f"loop {place} is {one!r}; an `EventLoop` is needed")
        sources = []
        for number, source in enumerate(one.sources):
            if not isinstance(source, Source):
                raise TypeError(f"source {number} of loop {place} is {source!r}; a `Source` is needed")
            sources.append((source.released, arrays.count("wcet", source.wcet, 1), bool(source.live)))
        priority = arrays.count("priority", one.priority, 0)
        rows.append((priority, one.order, arrays.count("blocking", one.blocking, 0), sources))
    return _fusee.loop_response_times(rows, arrays.effort(effort))
