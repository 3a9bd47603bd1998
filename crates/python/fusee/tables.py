"""Task sets as tables of Arrow, pandas and polars, and back.

Nothing may get lost on the way: a set whose cores or requests are forgotten is
another set, and a test that refused it may well accept what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fusee.columns import TaskSets

#: The columns of tasks; ``wcet`` and ``period`` are needed, the others have defaults.
TASK_COLUMNS = ("wcet", "period", "deadline", "jitter", "offset", "suspension", "blocking", "priority", "core", "threshold")
#: The columns of requests; ``count`` is 1 if not given, ``reads`` and ``depth`` 0.
REQUEST_COLUMNS = ("resource", "count", "length", "reads", "depth")


def to_arrow(sets: TaskSets) -> Any:
    """A row for each set."""
    import pyarrow as pa

    starts = pa.array(sets.offsets, pa.int64())
    given = {name: getattr(sets, name) for name in (*TASK_COLUMNS, *REQUEST_COLUMNS)}
    table: dict[str, Any] = {}
    for name, column in given.items():
        if column is None:
            continue
        values = pa.array(column)
        if name in REQUEST_COLUMNS:
            values = pa.LargeListArray.from_arrays(pa.array(sets.request_offsets, pa.int64()), values)
        table[name] = pa.LargeListArray.from_arrays(starts, values)
    if sets.cores is not None:
        table["cores"] = pa.array(np.full(len(sets), sets.cores, np.uint64))
    return pa.table(table)


def from_arrow(table: Any) -> dict[str, Any]:
    """The columns of such a table."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in table.schema.names:
        column = table.column(name)
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        if column.null_count:
            raise ValueError(f"`{name}` has {column.null_count} missing values")
        if name == "cores":
            columns["cores"] = _one_number(column.to_numpy(zero_copy_only=False))
            continue
        _known(name)
        starts, values = _lists(name, column)
        _agree(columns, "offsets", starts, name)
        if name in REQUEST_COLUMNS:
            starts, values = _lists(name, values)
            _agree(columns, "request_offsets", starts, name)
        columns[name] = values
    return _complete(columns)


def to_rows(sets: TaskSets) -> dict[str, Any]:
    """A row for each task."""
    sizes = np.diff(sets.offsets)
    if sizes.size and sizes[-1] == 0:
        raise ValueError("the last set has no tasks, which a row for each task cannot say; `to_arrow` has a row for each set")
    rows: dict[str, Any] = {"set": np.repeat(np.arange(len(sets)), sizes)}
    rows |= {name: getattr(sets, name) for name in TASK_COLUMNS if getattr(sets, name) is not None}
    if sets.cores is not None:
        rows["cores"] = np.full(sets.wcet.size, sets.cores, np.uint64)
    if sets.request_offsets is not None:
        for name in REQUEST_COLUMNS:
            column = getattr(sets, name)
            if column is not None:
                rows[name] = [part.tolist() for part in np.split(column, sets.request_offsets[1:-1])][: sets.wcet.size]
    return rows


def from_rows(rows: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of such rows."""
    if "set" not in rows:
        raise ValueError("the table has no column `set`: the number of each task's set")
    number = np.asarray(rows["set"]).astype(np.int64)
    if number.size and (number[0] < 0 or np.any(np.diff(number) < 0)):
        raise ValueError("`set` falls: the tasks of a set stand together, and sets in the order of their numbers")
    sets = int(number[-1]) + 1 if number.size else 0
    columns: dict[str, Any] = {"offsets": np.searchsorted(number, np.arange(sets + 1))}
    for name, column in rows.items():
        if name == "set":
            continue
        if name == "cores":
            columns["cores"] = _one_number(np.asarray(column))
            continue
        _known(name)
        if name in REQUEST_COLUMNS:
            lists = [np.asarray(part, dtype=np.uint64) for part in column]
            starts = np.append(0, np.cumsum([part.size for part in lists])).astype(np.int64)
            _agree(columns, "request_offsets", starts, name)
            column = np.concatenate(lists) if lists else np.empty(0, np.uint64)
        columns[name] = column
    return _complete(columns)


def _known(name: str) -> None:
    known = (*TASK_COLUMNS, *REQUEST_COLUMNS)
    if name not in known:
        raise ValueError(f"a table of task sets has no column `{name}`; known are {', '.join(known)} and cores")


def _lists(name: str, column: Any) -> tuple[NDArray[np.int64], Any]:
    """Where the lists of a column begin, and what is in them."""
    import pyarrow as pa

    if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)):
        raise ValueError(f"`{name}` has the type {column.type}; a list for each set is needed, and of requests for each task")
    if column.null_count:
        raise ValueError(f"`{name}` has {column.null_count} missing lists")
    starts = column.offsets.to_numpy().astype(np.int64)
    return starts - starts[0], column.values.slice(int(starts[0]), int(starts[-1] - starts[0]))


def _agree(columns: dict[str, Any], key: str, starts: NDArray[np.int64], name: str) -> None:
    if not np.array_equal(columns.setdefault(key, starts), starts):
        raise ValueError(f"the lists of `{name}` have other lengths than those of the columns before it")


def _one_number(column: NDArray[Any]) -> int | None:
    """What all rows say."""
    if column.size and np.any(column != column[0]):
        raise ValueError(f"the sets have {column.min()} to {column.max()} cores; convert those with equally many by themselves")
    return int(column[0]) if column.size else None


def _complete(columns: dict[str, Any]) -> dict[str, Any]:
    for name in ("wcet", "period"):
        if name not in columns:
            raise ValueError(f"the table has no column `{name}`")
    return columns
