"""Soundness campaigns: schedules that refute what a test has said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fusee import _fusee, arrays
from fusee._fusee import Job
from fusee.columns import TaskSets
from fusee.plugins import OwnTest, labelled, marks_of


class Scheduler(Protocol):
    """A scheduler of one's own: decisions at each instant at which something happens."""

    def rank(self, job: Job) -> int | tuple[int, int] | tuple[int, int, int] | None:
        """What a job ranks on its core: the largest runs, of equals the one that came first.

        A job that waits and has a rank spins: it keeps its core. ``None``: it does not run.
        """

    def next(self, resource: int, waiting: list[Job]) -> int | None:
        """Who gets a free resource: a place in the list, which is in the order of arrival; ``None``: nobody yet."""


@dataclass(frozen=True)
class Refuted:
    """A set that a test accepts and a legal schedule does not.

    Attributes:
        test: the label of the test.
        set: the number of the set.
        task: the task that is late, by its position in the set.
        response: its response time in ticks, from arrival to completion or to the end of the run.
        deadline: its deadline in ticks.
        run: in which run, from 0; the same call finds it again.
    """

    test: str
    set: int
    task: int
    response: int
    deadline: int
    run: int


def schedulers() -> dict[str, str]:
    """The schedulers of :func:`refute`, and what each does."""
    return dict(_fusee.SCHEDULERS)


def refute(
    sets: TaskSets,
    tests: Mapping[str, OwnTest | str] | Sequence[str],
    scheduler: str | Scheduler,
    *,
    runs: int = 12,
    seed: int = 1,
    threads: int | None = 1,
    effort: int | None = None,
) -> list[Refuted]:
    """Looks for legal schedules in which a set that a test accepts misses a deadline.

    Each set that some test accepts is run: with all jobs at once, from any offsets, with shortest
    gaps and full execution times, and with later and shorter ones; sections stand anywhere in a job.
    Where tasks have offsets, jobs come at them and each period from there on. That nothing is found
    proves nothing; what is found proves that the test is unsound for this scheduler.

    Args:
        sets: the sets, placed if the scheduler needs it.
        tests: names of tests of Fusee, or tests by label: names or functions.
        scheduler: what decides, see :func:`schedulers`; or an object of one's own, see :class:`Scheduler`.
        runs: how many schedules of each set are drawn.
        seed: the same seed draws the same schedules.
        threads: how many threads run schedules; ``None`` is one for each core.
        effort: how many steps the runs of one set may take; ``None`` is what takes some ten seconds.

    Raises:
        FuseeError: there is no such scheduler, or it cannot run a set that was accepted.
        ValueError: a test of one's own gave something else than answers.
    """
    accepted = {label: marks_of(label, test, sets) == 1 for label, test in labelled(tests).items()}
    some = [int(one) for one in np.flatnonzero(np.logical_or.reduce(list(accepted.values())))] if accepted else []
    draws = (arrays.count("runs", runs, 1), arrays.count("seed", seed, 0))
    limit = arrays.effort(effort)
    threads = arrays.threads(threads)
    if isinstance(scheduler, str):
        missed = _fusee.refute(scheduler, sets, some, draws, threads, limit)
    elif callable(getattr(scheduler, "rank", None)) and callable(getattr(scheduler, "next", None)):
        missed = _fusee.refute_by(scheduler, sets, some, draws, limit)
    else:
        raise TypeError(f"`scheduler` is {scheduler!r}; a name, or an object with `rank` and `next`, is needed")
    deadline = sets.deadline if sets.deadline is not None else sets.period
    return [
        Refuted(label, number, task, response, int(deadline[sets.offsets[number] + task]), run)
        for label, marks in accepted.items()
        for number, task, response, run in missed
        if marks[number]
    ]
