"""Cause-effect chains: reaction time and data age from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fusee import _fusee, arrays


@dataclass(frozen=True)
class Stage:
    """A task of a chain, as far as its times go; in ticks.

    Attributes:
        separation: longest time between two arrivals.
        response: longest time from arrival to its output.
        link: how it gets its input: ``"sampled"`` by its own clock; ``"triggered"`` by the task before it
            (the first: from outside); ``"sampled-behind"``: sampled, and it never starts while a job of
            the task before it is released and not complete.
        jitter: longest time from arrival to release; part of the response.
        offset: first arrival, if arrivals are exactly ``separation`` apart from there on.
    """

    separation: int
    response: int
    link: str = "sampled"
    jitter: int = 0
    offset: int | None = None


def reaction_time(stages: Sequence[Stage], *, effort: int | None = None) -> int:
    """The longest time from a change outside until the end of the chain has acted on it.

    It ends with the completion of the first job of the last task that has seen the change, wherever
    between two readings the change falls. With offsets arrivals are followed until they repeat.

    Raises:
        FuseeError: the chain is empty, some stages only have offsets, or the arrivals repeat too late.
    """
    return _fusee.reaction_time(_rows(stages), _offsets(stages), arrays.effort(effort))


def data_age(stages: Sequence[Stage], *, effort: int | None = None) -> int:
    """The longest time from a reading of the first task until the last one completes with what was read.

    Raises:
        FuseeError: the chain is empty, some stages only have offsets, or the arrivals repeat too late.
    """
    return _fusee.data_age(_rows(stages), _offsets(stages), arrays.effort(effort))


def _rows(stages: Sequence[Stage]) -> list[tuple[str, int, int, int]]:
    for place, stage in enumerate(stages):
        if not isinstance(stage, Stage):
            raise TypeError(f"stage {place} is {stage!r}; a `Stage` is needed")
        for name in ("separation", "response", "jitter", "offset"):
            _checked(place, name, getattr(stage, name))
    return [(stage.link, stage.separation, stage.response, stage.jitter) for stage in stages]


def _checked(place: int, name: str, value: object) -> None:
    if name == "offset" and value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**64:
        raise ValueError(f"`{name}` of stage {place} is {value!r}; a whole number from 0 is needed")


def _offsets(stages: Sequence[Stage]) -> list[int] | None:
    offsets = [stage.offset for stage in stages]
    known = [offset for offset in offsets if offset is not None]
    if not known:
        return None
    if len(known) < len(offsets):
        raise _fusee.FuseeError(f"stage {offsets.index(None)} has no offset, but others have one")
    return known
