"""Tasks that release each other: response times from arrival curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fusee import _fusee, arrays
from fusee._fusee import ArrivalCurve


@dataclass(frozen=True)
class Activity:
    """A task that is released by events or by another task; times in ticks.

    Attributes:
        wcet: longest execution time.
        released: by events that come as this curve says, or by each completion of the activity at this position.
        priority: a higher number is a higher priority; equal ones interfere with each other.
        core: the core that it runs on, from 0; preemptive fixed priorities decide there.
        best: shortest execution time; ``wcet`` if not given.
        blocking: the longest that lower priorities can hold it up.
    """

    wcet: int
    released: ArrivalCurve | int
    priority: int
    core: int = 0
    best: int | None = None
    blocking: int = 0


@dataclass(frozen=True)
class Bounded:
    """What is known of an activity.

    Attributes:
        response: longest time from release to completion.
        releases: how its jobs are released.
        completions: how they complete.
        windows: by when the first, the first two, ... jobs of a busy window are complete, from its start on.
    """

    response: int
    releases: ArrivalCurve
    completions: ArrivalCurve
    windows: tuple[int, ...] = ()


def compose(activities: Sequence[Activity], *, effort: int | None = None) -> list[Bounded]:
    """Bounds of all activities, computed until nothing changes.

    Raises:
        FuseeError: a core has more to do than time, no source releases some activity, or response
            times grow without end.
    """
    for place, activity in enumerate(activities):
        if not isinstance(activity, Activity):
            raise TypeError(f"activity {place} is {activity!r}; an `Activity` is needed")
        if not isinstance(activity.released, ArrivalCurve):
            arrays.position(f"`released`[{place}]", activity.released, len(activities))
    names = ("wcet", "core", "priority", "blocking")
    wcet, *others = (arrays.whole(name, [getattr(a, name) for a in activities]).tolist() for name in names)
    best = arrays.whole("best", [a.wcet if a.best is None else a.best for a in activities]).tolist()
    rows = list(zip(wcet, best, *others, [a.released for a in activities]))
    found = _fusee.compose(rows, arrays.effort(effort))
    return [Bounded(response, releases, completions, tuple(windows)) for response, releases, completions, windows in found]


def latency(activities: Sequence[Activity], bounded: Sequence[Bounded], path: Sequence[int]) -> int:
    """The longest time from the release of the first to the completion of the last activity of a path.

    No more than the sum of the response times, and less where a delay on the way would count twice in
    it: as the response of one activity, and as the jitter of the next.

    Raises:
        ValueError: an activity of the path is not there, or is not released by the one before it.
    """
    for position in path:
        arrays.position("the path's activity", position, len(activities))
    if len(bounded) != len(activities):
        raise ValueError(f"there are {len(bounded)} bounds for {len(activities)} activities")
    for before, after in zip(path, path[1:]):
        if activities[after].released != before:
            raise ValueError(f"activity {after} is not released by activity {before}")
    taken = 0
    for position in path:
        known = bounded[position]
        curves = (bounded[path[0]].releases, known.releases)
        # By hand: a bound without windows.
        windows = enumerate(known.windows, 1)
        late = [window - max(curve.distance(jobs) for curve in curves) for jobs, window in windows]
        taken += max(late, default=known.response)
    return taken
