"""Thousands of task sets as columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from fusee import _fusee, arrays, tables
from fusee.catalogue import AnyTest
from fusee.rows import (
    check_offsets,
    concatenated,
    count_of,
    needed,
    numbers_of,
    rate_monotonic,
    rectangle,
    rows_of,
    starts_of,
)
from fusee.tables import REQUEST_COLUMNS, TASK_COLUMNS

if TYPE_CHECKING:
    from fusee.objects import TaskSet


class TaskSets:
    """Many task sets. Set ``k`` has the rows ``offsets[k]`` to ``offsets[k + 1]`` of every column.

    Columns are one-dimensional arrays of whole numbers: NumPy arrays, Arrow
    arrays, Series of pandas or polars, or lists. Arrays of ``uint64`` and
    ``int64`` are not copied. Or all columns have two dimensions, a row for each
    set; then all sets have the same number of tasks and there are no offsets.

    Args:
        offsets: where each set begins in the columns, and where the last one ends.
        wcet: worst-case execution time C in ticks; critical sections are part of it.
        period: period or minimum inter-arrival time T in ticks, above 0.
        deadline: relative deadline D in ticks; T if not given.
        jitter: longest delay from arrival to release in ticks; 0 if not given.
        offset: arrival of the first job in ticks; 0 if not given.
        suspension: longest self-suspension of a job in ticks; 0 if not given.
        blocking: blocking term B in ticks; 0 if not given.
        priority: a higher number is a higher priority. Rate-monotonic if not given:
            distinct priorities, equal periods in the order of the rows.
        core: the core that the task is placed on, from 0. Not given: the tasks of several
            cores are still to be placed, see :meth:`place`; on one core there is only 0.
        threshold: preemption threshold: once a job has started, only priorities above it preempt;
            the priority if not given, which is ordinary preemption.
        cores: how many cores there are; as many as are named if not given.
        request_offsets: where each task's requests begin in the columns of requests.
        resource: the resource of each request, from 0.
        count: how often each job, or each enclosing section, makes the request; 1 if not given.
        length: longest execution time of the critical section in ticks, with what is nested in it.
        reads: whether the request only reads, ``bool`` or 0 and 1; it does not if not given. Readers
            share a resource where the protocol knows readers.
        depth: how many sections enclose the request; 0 if not given. A request stands behind the one
            that encloses it.

    Raises:
        TypeError: a column has no whole numbers.
        ValueError: columns of unequal length, negative numbers, wrong shapes.
    """

    def __init__(
        self,
        *,
        wcet: Any,
        period: Any,
        offsets: Any = None,
        deadline: Any = None,
        jitter: Any = None,
        offset: Any = None,
        suspension: Any = None,
        blocking: Any = None,
        priority: Any = None,
        core: Any = None,
        threshold: Any = None,
        cores: int | None = None,
        request_offsets: Any = None,
        resource: Any = None,
        count: Any = None,
        length: Any = None,
        reads: Any = None,
        depth: Any = None,
    ) -> None:
        tasks = (wcet, period, deadline, jitter, offset, suspension, blocking, priority, core, threshold)
        given = dict(zip(TASK_COLUMNS, tasks, strict=True))
        if offsets is None:
            offsets, given = rectangle(given)
        self.offsets = arrays.offsets("offsets", offsets)
        optional = {name: None if values is None else arrays.whole(name, values) for name, values in given.items()}
        self.wcet: NDArray[np.uint64] = needed("wcet", optional)
        self.period: NDArray[np.uint64] = needed("period", optional)
        for name in ("period", *TASK_COLUMNS[2:]):
            column = optional[name]
            if column is not None and column.size != self.wcet.size:
                raise ValueError(f"`{name}` has {column.size} values, but `wcet` has {self.wcet.size}")
        self.deadline = optional["deadline"]
        self.jitter = optional["jitter"]
        self.offset = optional["offset"]
        self.suspension = optional["suspension"]
        self.blocking = optional["blocking"]
        self.core = optional["core"]
        self.threshold = optional["threshold"]
        self.cores = count_of("cores", cores)
        self.request_offsets = None if request_offsets is None else arrays.offsets("request_offsets", request_offsets)
        self.resource = None if resource is None else arrays.whole("resource", resource)
        self.count = None if count is None else arrays.whole("count", count)
        self.length = None if length is None else arrays.whole("length", length)
        self.reads = None if reads is None else arrays.truths("reads", reads)
        self.depth = None if depth is None else arrays.whole("depth", depth)
        if request_offsets is None and any(getattr(self, name) is not None for name in REQUEST_COLUMNS):
            raise ValueError("requests need `request_offsets`: where each task's requests begin")
        check_offsets(self.offsets, self.wcet.size)
        priorities = optional["priority"]
        self.priority = rate_monotonic(self.offsets, self.period) if priorities is None else priorities

    @classmethod
    def generate(
        cls, recipe: Mapping[str, Any] | str, count: int, *, seed: int = 1, first: int = 0, effort: int | None = None
    ) -> TaskSets:
        """Draws random task sets.

        Set ``i`` depends on the recipe, the seed and ``first + i`` alone.

        Args:
            recipe: a mapping, or TOML text, as the ``[recipe]`` of an experiment: for
                example ``{"utilizations": {"method": "uunifast", "tasks": 20, "total": 0.9},
                "periods": {"kind": "log-uniform", "min": "1 ms", "max": "1 s"}}``. The
                book's chapter on experiments has all fields and their sources. With a
                field ``placement``, such as ``{"fit": "worst"}``, the sets come placed
                (:meth:`place`); else those for several cores are still to be placed.
            count: how many sets.
            seed: the seed of all random numbers.
            first: the number of the first set.
            effort: how many steps the work on one set may take; ``None`` is what takes some ten
                seconds. A set that takes more is an exception, not a verdict.

        Times are in nanoseconds unless the recipe has another ``tick``.

        Raises:
            FuseeError: a field of the recipe that nothing can be drawn with, or the first set
                whose tasks the placement finds no core for.
        """
        text = recipe if isinstance(recipe, str) else as_toml(recipe)
        for name, value in (("count", count), ("seed", seed), ("first", first)):
            if not isinstance(value, int) or not 0 <= value < 2**64:
                raise ValueError(f"`{name}` is {value!r}; a whole number from 0 to 2**64 - 1 is needed")
        return cls(**_fusee.generate(text, seed, first, count, arrays.effort(effort)))

    @classmethod
    def from_sets(cls, sets: list[TaskSet]) -> TaskSets:
        """Columns of sets that are objects."""
        from fusee.objects import columns

        return cls(**columns(sets))

    @classmethod
    def from_arrow(cls, table: Any) -> TaskSets:
        """Columns from an Arrow table or record batch as :meth:`to_arrow` makes them.

        Raises:
            ValueError: a column is unknown or of another shape, or lists have unequal lengths.
        """
        return cls(**tables.from_arrow(table))

    @classmethod
    def from_pandas(cls, frame: Any) -> TaskSets:
        """Columns from a data frame with a row for each task, as :meth:`to_pandas` makes them.

        Raises:
            ValueError: a column is unknown, or the numbers of the sets fall.
        """
        return cls(**tables.from_rows({str(name): frame[name].to_numpy() for name in frame.columns}))

    @classmethod
    def from_polars(cls, frame: Any) -> TaskSets:
        """The same for polars."""
        return cls(**tables.from_rows({name: frame[name].to_numpy() for name in frame.columns}))

    def __len__(self) -> int:
        return self.offsets.size - 1

    def __repr__(self) -> str:
        return f"<{len(self)} task sets with {self.wcet.size} tasks>"

    @overload
    def __getitem__(self, number: int) -> TaskSet: ...
    @overload
    def __getitem__(self, number: slice | Sequence[int] | NDArray[Any]) -> TaskSets: ...
    def __getitem__(self, number: Any) -> TaskSet | TaskSets:
        """One set as an object; or some sets: a slice, their numbers, or one ``bool`` for each set."""
        from fusee.objects import one

        if isinstance(number, slice):
            return self._only(np.arange(len(self))[number])
        if not isinstance(number, (int, np.integer)):
            return self._only(numbers_of(number, len(self)))
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no set {number}; there are {len(self)}")
        return one(self, int(number) % len(self))

    def with_columns(self, **columns: Any) -> TaskSets:
        """The same sets with other columns; ``None`` takes a column away."""
        return type(self)(**{**self._columns(), **columns})

    @classmethod
    def concat(cls, parts: Sequence[TaskSets]) -> TaskSets:
        """The sets of several, one after the other.

        Columns that only some have get their defaults in the others.

        Raises:
            ValueError: nothing to put together, other numbers of cores, or only some are placed.
        """
        if not parts:
            raise ValueError("there are no sets to put together")
        return cls(**concatenated([part._columns() for part in parts]))

    def check(
        self, test: AnyTest, *, threads: int | None = 1, outside: str = "raise", effort: int | None = None
    ) -> NDArray[Any]:
        """Asks a test about every set.

        Other Python threads run meanwhile.

        Args:
            test: the name of a test (see :func:`fusee.tests`), or a :class:`Configured` one.
            threads: how many threads work; ``None`` is one for each core.
            outside: what happens at a set that breaks what the test assumes:
                ``"raise"`` an exception, or ``"mark"`` it.
            effort: how many steps the work on one set may take; ``None`` is what takes some ten
                seconds. A set that takes more is an exception, not a verdict.

        Returns:
            An array of ``bool``: whether each set is shown to be schedulable. With
            ``outside="mark"`` an array of ``int8``: 1, 0, and -1 for sets outside.

        Raises:
            OutsideAssumptions: which set and task break which assumption.
            FuseeError: a set is none, not placed on its cores or beyond the effort, or there is no such test.
        """
        if outside not in ("raise", "mark"):
            raise ValueError(f"`outside` is {outside!r}; possible are 'raise' and 'mark'")
        marks = _fusee.check(test, self, arrays.threads(threads), outside == "mark", arrays.effort(effort))
        return marks if outside == "mark" else marks.view(np.bool_)

    def response_times(
        self, test: AnyTest, *, threads: int | None = 1, effort: int | None = None
    ) -> np.ma.MaskedArray[Any, Any]:
        """Bounds on response times from arrival to completion in ticks, one for each task.

        A task without a bound is masked; it is never a number. ``threads`` and ``effort`` are those of :meth:`check`.

        Raises:
            OutsideAssumptions: which set and task break which assumption.
            FuseeError: a set is none or beyond the effort, or the test gives no response times.
        """
        times, known = _fusee.response_times(test, self, arrays.threads(threads), arrays.effort(effort))
        return np.ma.MaskedArray(times, mask=~known)

    def utilization(self) -> NDArray[np.float64]:
        """The sum of C / T of each set, as floats; for plots, not for verdicts."""
        shares = self.wcet / self.period
        sums = np.add.reduceat(np.append(shares, 0.0), self.offsets[:-1]) if len(self) else np.empty(0)
        return np.where(np.diff(self.offsets) > 0, sums, 0.0)

    def place(
        self,
        fit: str = "worst",
        *,
        order: str = "decreasing-utilization",
        test: AnyTest | None = None,
        misfits: str = "raise",
        effort: int | None = None,
    ) -> TaskSets:
        """Places the tasks on the cores: the same sets with another column ``core``.

        Args:
            fit: which of the cores that accept a task gets it: ``"first"``, ``"next"``, ``"best"``,
                ``"worst"``; ``"any"`` tries these in turn; ``"resource-aware"`` keeps tasks that
                share resources together.
            order: ``"given"``, ``"decreasing-utilization"``, ``"decreasing-density"`` or
                ``"increasing-period"``.
            test: a core accepts what this test accepts; without it up to full utilisation.
            misfits: what happens to a set with a task that no core accepts: ``"raise"`` an
                exception, or ``"drop"`` the set. No such set is schedulable in this way.
            effort: how many steps the work on one set may take; ``None`` is what takes some ten
                seconds. A set that takes more is an exception, not a verdict.

        Raises:
            FuseeError: there is no such heuristic or test, or which set does not fit.
        """
        core, fits = _fusee.place(self, fit, order, test, arrays.effort(effort))
        return self._kept(self.with_columns(core=core), fits, misfits, "a task that no core accepts")

    def assign(
        self,
        what: str = "deadline-monotonic",
        *,
        test: AnyTest | None = None,
        misfits: str = "raise",
        effort: int | None = None,
    ) -> TaskSets:
        """Chooses priorities or preemption thresholds: the same sets with another column.

        Args:
            what: ``"rate-monotonic"`` or ``"deadline-monotonic"``: distinct priorities, ties by position.
                ``"audsley"``: priorities with which ``test`` bounds each response by its deadline; it finds
                some if there are any (Audsley 1991) where a verdict depends on which tasks are above, not on
                their order. ``"thresholds"``: the least thresholds with which ``"fp-thresholds"`` accepts
                the priorities that there are (Wang and Saksena 1999); it finds some if there are any.
                With other priorities thresholds go.
            test: what ``"audsley"`` asks; it gives response times.
            misfits: what happens to a set without such an assignment: ``"raise"`` an exception, or
                ``"drop"`` the set.
            effort: that of :meth:`check`.

        Raises:
            OutsideAssumptions: which set and task break which assumption of the test.
            FuseeError: there is no such assignment or test, or which set has none.
        """
        values, found = _fusee.assign(self, what, test, arrays.effort(effort))
        name = "threshold" if what == "thresholds" else "priority"
        columns = {"threshold": values} if name == "threshold" else {"threshold": None, "priority": values}
        cause = f"no assignment of {'thresholds' if name == 'threshold' else 'priorities'}"
        return self._kept(self.with_columns(**columns), found, misfits, cause)

    def charge(
        self,
        costs: Mapping[str, Any],
        *,
        waiting: str = "spins",
        sections: str = "unchanged",
        account: str = "inflated",
        misfits: str = "raise",
        effort: int | None = None,
    ) -> TaskSets:
        """Charges what scheduling and locking cost: sets with longer executions and sections.

        What a test says of them holds for these sets on a machine with such costs.

        Args:
            costs: ticks of ``"release"``, ``"scheduling"``, ``"context-switch"``, ``"lock"``, ``"unlock"``,
                ``"helping"``, ``"interrupt-between-cores"`` and ``"cache-delay"``; 0 if not given. Each is a number
                or a table by number, ``{"per": "tasks", "ticks": [[10, 300], [20, 350]]}``; ``per`` is
                ``"tasks"``, ``"cores"`` or ``"machine-cores"``.
            waiting: ``"spins"``, ``"suspends"`` or ``"helps"``: what a job does that waits for a resource.
            sections: ``"unchanged"``, or ``"lengthened"`` by what their requests cost.
            account: ``"inflated"`` by a job's own operations, or ``"preemption-centric"``: interrupts and
                caches as well (Brandenburg 2011).
            misfits: what happens to a set in which overheads fill a core or the numbers: ``"raise"`` an
                exception, or ``"drop"`` the set, which is not schedulable then.
            effort: that of :meth:`check`.

        Raises:
            FuseeError: there is no such cost, a table ends too early, a set is not placed on its
                cores, or which set does not fit.
        """
        toml = as_toml({"costs": costs, "waiting": waiting, "sections": sections, "account": account})
        columns, fits = _fusee.charge(self, toml, arrays.effort(effort))
        return self._kept(type(self)(**columns), fits, misfits, "no room for its overheads")

    def group_locks(self) -> TaskSets:
        """The same sets with one lock for all resources that are held together somewhere; nothing is nested then."""
        return type(self)(**_fusee.group_locks(self, arrays.effort(None)))

    def scaling(
        self, test: AnyTest, what: str = "execution", *, threads: int | None = 1, effort: int | None = None
    ) -> np.ma.MaskedArray[Any, Any]:
        """How far times can change: the largest factor for execution times with which a test accepts a set.

        Factors are thousandths. Sections and blocking terms are scaled with the execution times and rounded
        up, periods with their deadlines and down: the factor holds for the times as they are.

        Args:
            test: that of :meth:`check`.
            what: ``"execution"``, or ``"periods"``: the smallest factor for periods and deadlines.
            threads: that of :meth:`check`.
            effort: that of :meth:`check`; of the whole search for one set.

        Returns:
            A factor for each set; masked where no factor up to 1000 makes the test accept it.

        Raises:
            OutsideAssumptions: which set and task break which assumption.
            FuseeError: there is no such test, or a set is none or beyond the effort.
        """
        factors, known, _ = _fusee.scaling(test, self, what, arrays.threads(threads), arrays.effort(effort))
        return np.ma.MaskedArray(factors / 1000, mask=~known)

    def breakdown_utilization(
        self, test: AnyTest, *, threads: int | None = 1, effort: int | None = None
    ) -> np.ma.MaskedArray[Any, Any]:
        """The utilisation of each set with the longest execution times that a test accepts: see :meth:`scaling`."""
        _, known, loads = _fusee.scaling(test, self, "execution", arrays.threads(threads), arrays.effort(effort))
        return np.ma.MaskedArray(loads, mask=~known)

    def _kept(self, changed: TaskSets, fits: NDArray[np.bool_], misfits: str, cause: str) -> TaskSets:
        """What was changed, without the sets that could not be."""
        if misfits not in ("raise", "drop"):
            raise ValueError(f"`misfits` is {misfits!r}; possible are 'raise' and 'drop'")
        if misfits == "raise" and not fits.all():
            raise _fusee.FuseeError(
                f"set {int(np.argmin(fits))} has {cause}, as {int((~fits).sum())} of {len(self)} sets"
                " have; `misfits=\"drop\"` leaves them out"
            )
        return changed if fits.all() else changed._only(np.flatnonzero(fits))

    def _columns(self) -> dict[str, Any]:
        """All that the sets are made from."""
        names = ("offsets", *TASK_COLUMNS, "cores", "request_offsets", *REQUEST_COLUMNS)
        return {name: getattr(self, name) for name in names}

    def _read_only(self) -> TaskSets:
        """The same sets for somebody else, who can change neither them nor these."""
        copy = self.with_columns()
        for name, column in copy._columns().items():
            if isinstance(column, np.ndarray):
                view = column.view()
                view.flags.writeable = False
                setattr(copy, name, view)
        return copy

    def _only(self, numbers: NDArray[np.int64]) -> TaskSets:
        """Some of the sets."""
        columns = self._columns()
        rows = rows_of(self.offsets, numbers)
        chosen: dict[str, Any] = {"offsets": starts_of(self.offsets, numbers), "cores": self.cores}
        chosen |= {name: columns[name][rows] for name in TASK_COLUMNS if columns[name] is not None}
        if self.request_offsets is not None:
            places = rows_of(self.request_offsets, rows)
            chosen["request_offsets"] = starts_of(self.request_offsets, rows)
            chosen |= {name: columns[name][places] for name in REQUEST_COLUMNS if columns[name] is not None}
        return type(self)(**chosen)

    def to_arrow(self) -> Any:
        """An Arrow table with a row for each set: lists of tasks, lists of lists of requests, and the number of cores."""
        return tables.to_arrow(self)

    def to_pandas(self) -> Any:
        """A data frame with a row for each task; the column ``set`` has the number of its set, requests are lists.

        Raises:
            ValueError: the last set has no tasks, which rows of tasks cannot say.
        """
        import pandas as pd

        return pd.DataFrame(tables.to_rows(self))

    def to_polars(self) -> Any:
        """The same for polars."""
        import polars as pl

        rows = tables.to_rows(self)
        lists = {name: pl.List(pl.UInt64) for name in REQUEST_COLUMNS if name in rows}
        return pl.DataFrame({name: pl.Series(name, rows[name], dtype=lists.get(name)) for name in rows})


def as_toml(recipe: Mapping[str, Any]) -> str:
    """A mapping as TOML: tables in line, which covers recipes."""
    return "".join(f"{json.dumps(str(key))} = {_toml_value(value)}\n" for key, value in recipe.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(k))} = {_toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return json.dumps(value)
    raise TypeError(f"a recipe has numbers, texts, lists and mappings; {value!r} is none of them")
