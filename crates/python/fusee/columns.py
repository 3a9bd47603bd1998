"""Thousands of task sets as columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Mapping, Sequence, overload

import numpy as np
from numpy.typing import NDArray

from fusee import _fusee, arrays, tables
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
        cores: how many cores there are; as many as are named if not given.
        request_offsets: where each task's requests begin in the columns of requests.
        resource: the resource of each request, from 0.
        count: how often each job makes the request; 1 if not given.
        length: longest execution time of the critical section in ticks.

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
        cores: int | None = None,
        request_offsets: Any = None,
        resource: Any = None,
        count: Any = None,
        length: Any = None,
    ) -> None:
        given = dict(zip(TASK_COLUMNS, (wcet, period, deadline, jitter, offset, suspension, blocking, priority, core)))
        if offsets is None:
            offsets, given = _rectangle(given)
        self.offsets = arrays.offsets("offsets", offsets)
        optional = {name: None if values is None else arrays.whole(name, values) for name, values in given.items()}
        self.wcet: NDArray[np.uint64] = _needed("wcet", optional)
        self.period: NDArray[np.uint64] = _needed("period", optional)
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
        self.cores = _count("cores", cores)
        self.request_offsets = None if request_offsets is None else arrays.offsets("request_offsets", request_offsets)
        self.resource = None if resource is None else arrays.whole("resource", resource)
        self.count = None if count is None else arrays.whole("count", count)
        self.length = None if length is None else arrays.whole("length", length)
        if request_offsets is None and not (resource is None and count is None and length is None):
            raise ValueError("requests need `request_offsets`: where each task's requests begin")
        _check_offsets(self.offsets, self.wcet.size)
        priorities = optional["priority"]
        self.priority = _rate_monotonic(self.offsets, self.period) if priorities is None else priorities

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
        """Columns of sets that are objects; nested requests have no columns."""
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
            return self._only(_numbers(number, len(self)))
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
        return cls(**_concatenated([part._columns() for part in parts]))

    def check(
        self, test: str, *, threads: int | None = 1, outside: str = "raise", effort: int | None = None
    ) -> NDArray[Any]:
        """Asks a test about every set.

        Other Python threads run meanwhile.

        Args:
            test: the name of a test; see :func:`fusee.tests`.
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
        self, test: str, *, threads: int | None = 1, effort: int | None = None
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
        test: str | None = None,
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
        if misfits not in ("raise", "drop"):
            raise ValueError(f"`misfits` is {misfits!r}; possible are 'raise' and 'drop'")
        core, fits = _fusee.place(self, fit, order, test, arrays.effort(effort))
        if misfits == "raise" and not fits.all():
            raise _fusee.FuseeError(
                f"set {int(np.argmin(fits))} has a task that no core accepts, as {int((~fits).sum())} of {len(self)} sets"
                " have; `misfits=\"drop\"` leaves them out"
            )
        placed = type(self)(**{**self._columns(), "core": core})
        return placed if fits.all() else placed._only(np.flatnonzero(fits))

    def _columns(self) -> dict[str, Any]:
        """All that the sets are made from."""
        names = ("offsets", *TASK_COLUMNS, "cores", "request_offsets", *REQUEST_COLUMNS)
        return {name: getattr(self, name) for name in names}

    def _only(self, numbers: NDArray[np.int64]) -> TaskSets:
        """Some of the sets."""
        columns = self._columns()
        rows = _rows(self.offsets, numbers)
        chosen: dict[str, Any] = {"offsets": _starts(self.offsets, numbers), "cores": self.cores}
        chosen |= {name: columns[name][rows] for name in TASK_COLUMNS if columns[name] is not None}
        if self.request_offsets is not None:
            places = _rows(self.request_offsets, rows)
            chosen["request_offsets"] = _starts(self.request_offsets, rows)
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


def _rows(offsets: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of some lists, one list after the other."""
    parts = [np.arange(offsets[number], offsets[number + 1]) for number in numbers]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _starts(offsets: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where some lists begin once they stand alone."""
    return np.append(0, np.cumsum(np.diff(offsets)[numbers])).astype(np.int64)


def _numbers(chosen: Any, sets: int) -> NDArray[np.int64]:
    """The numbers of chosen sets."""
    array = np.asarray(chosen)
    if array.dtype == np.bool_ and array.shape == (sets,):
        return np.flatnonzero(array)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"sets are chosen by a slice, whole numbers, or {sets} values of `bool`; not by {array.dtype} of the shape {array.shape}")
    outside = array[(array < -sets) | (array >= sets)]
    if outside.size:
        raise IndexError(f"there is no set {outside[0]}; there are {sets}")
    return array.astype(np.int64) % max(sets, 1)


#: What a column that is not given stands for, but for the deadline.
_DEFAULTS = {"jitter": 0, "offset": 0, "suspension": 0, "blocking": 0, "count": 1}


def _concatenated(parts: list[dict[str, Any]]) -> dict[str, Any]:
    cores = {part["cores"] for part in parts}
    if len(cores) > 1:
        raise ValueError(f"the sets have different numbers of cores: {sorted(cores, key=str)}")
    whole: dict[str, Any] = {"cores": cores.pop(), "offsets": _joined([part["offsets"] for part in parts])}
    placed = [part["core"] is not None for part in parts]
    if any(placed) and not all(placed):
        raise ValueError("some sets are placed on their cores and others are not")
    for name in TASK_COLUMNS:
        if any(part[name] is not None for part in parts):
            whole[name] = np.concatenate([_filled(part, name, part["wcet"].size) for part in parts])
    if any(part["request_offsets"] is not None for part in parts):
        empty = [np.zeros(part["wcet"].size + 1, np.int64) for part in parts]
        whole["request_offsets"] = _joined(
            [none if part["request_offsets"] is None else part["request_offsets"] for part, none in zip(parts, empty)]
        )
        for name in REQUEST_COLUMNS:
            sizes = [0 if part["resource"] is None else part["resource"].size for part in parts]
            whole[name] = np.concatenate([_filled(part, name, size) for part, size in zip(parts, sizes)])
    return whole


def _filled(part: dict[str, Any], name: str, size: int) -> NDArray[np.uint64]:
    if part[name] is not None:
        return part[name]  # type: ignore[no-any-return]
    return part["period"] if name == "deadline" else np.full(size, _DEFAULTS.get(name, 0), np.uint64)


def _joined(offsets: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The offsets of lists that stand one after the other."""
    sizes = np.concatenate([np.diff(part) for part in offsets])
    return np.append(0, np.cumsum(sizes)).astype(np.int64)


def _needed(name: str, columns: Mapping[str, Any]) -> NDArray[np.uint64]:
    column: NDArray[np.uint64] | None = columns[name]
    if column is None:
        raise ValueError(f"`{name}` is needed")
    return column


def _count(name: str, value: int | None) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1):
        raise ValueError(f"`{name}` is {value!r}; a whole number from 1 is needed")
    return value


def _check_offsets(offsets: NDArray[np.int64], rows: int) -> None:
    if offsets.size == 0 or offsets[0] != 0 or offsets[-1] != rows or np.any(np.diff(offsets) < 0):
        raise ValueError(f"`offsets` must rise from 0 to {rows}, the number of tasks")


def _rectangle(given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Columns of two dimensions in a row, with the offsets that they imply."""
    shape: tuple[int, ...] | None = None
    flat: dict[str, Any] = {}
    for name, values in given.items():
        array = None if values is None else np.asarray(values)
        if array is not None:
            if array.ndim != 2:
                raise ValueError(
                    f"`{name}` has the shape {array.shape}; without `offsets` it must have two dimensions, sets and tasks"
                )
            if shape is not None and array.shape != shape:
                raise ValueError(f"`{name}` has the shape {array.shape}, but `wcet` has {shape}")
            shape = array.shape
            array = array.reshape(-1)
        flat[name] = array
    sets, tasks = shape or (0, 0)
    return np.arange(sets + 1, dtype=np.int64) * tasks, flat


def _rate_monotonic(offsets: NDArray[np.int64], period: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Distinct priorities within each set, the shortest period highest, ties by position."""
    number = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    order = np.lexsort((period, number))
    priority = np.empty(period.size, np.uint64)
    rank = np.arange(period.size) - offsets[number] if period.size else np.empty(0, np.int64)
    sizes = np.diff(offsets)[number] if period.size else np.empty(0, np.int64)
    priority[order] = (sizes - rank).astype(np.uint64)
    return priority


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
