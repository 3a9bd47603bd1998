"""Rows of lists in columns: what is where, what is chosen, what is put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fusee.arrays import exact
from fusee.tables import REQUEST_COLUMNS, TASK_COLUMNS


def rows_of(offsets: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of some lists, one list after the other."""
    parts = [np.arange(offsets[number], offsets[number + 1]) for number in numbers]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def starts_of(offsets: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where some lists begin once they stand alone."""
    return np.append(0, np.cumsum(np.diff(offsets)[numbers])).astype(np.int64)


def numbers_of(chosen: Any, sets: int) -> NDArray[np.int64]:
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


#: What a column that is not given stands for; deadlines are periods then, and thresholds priorities.
_DEFAULTS = {"jitter": 0, "offset": 0, "suspension": 0, "blocking": 0, "count": 1, "reads": 0, "depth": 0}


def concatenated(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of several, one after the other; what only some have gets its default."""
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
        seldom = {name for name in ("reads", "depth") if all(part[name] is None for part in parts)}
        for name in (name for name in REQUEST_COLUMNS if name not in seldom):
            sizes = [0 if part["resource"] is None else part["resource"].size for part in parts]
            whole[name] = np.concatenate([_filled(part, name, size) for part, size in zip(parts, sizes)])
    return whole


def _filled(part: dict[str, Any], name: str, size: int) -> NDArray[np.uint64]:
    if part[name] is not None:
        return part[name]  # type: ignore[no-any-return]
    if name in ("deadline", "threshold"):
        return part["period" if name == "deadline" else "priority"]  # type: ignore[no-any-return]
    return np.full(size, _DEFAULTS.get(name, 0), np.uint64)


def _joined(offsets: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The offsets of lists that stand one after the other."""
    sizes = np.concatenate([np.diff(part) for part in offsets])
    return np.append(0, np.cumsum(sizes)).astype(np.int64)


def needed(name: str, columns: Mapping[str, Any]) -> NDArray[np.uint64]:
    """A column that must be there."""
    column: NDArray[np.uint64] | None = columns[name]
    if column is None:
        raise ValueError(f"`{name}` is needed")
    return column


def count_of(name: str, value: int | None) -> int | None:
    """A number from 1, or none."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1):
        raise ValueError(f"`{name}` is {value!r}; a whole number from 1 is needed")
    return value


def check_offsets(offsets: NDArray[np.int64], rows: int) -> None:
    """Refuses offsets that are not those of so many rows."""
    if offsets.size == 0 or offsets[0] != 0 or offsets[-1] != rows or np.any(np.diff(offsets) < 0):
        raise ValueError(f"`offsets` must rise from 0 to {rows}, the number of tasks")


def rectangle(given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Columns of two dimensions in a row, with the offsets that they imply."""
    shape: tuple[int, ...] | None = None
    flat: dict[str, Any] = {}
    for name, values in given.items():
        array = None if values is None else exact(values, np.asarray(values))
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


def rate_monotonic(offsets: NDArray[np.int64], period: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Distinct priorities within each set, the shortest period highest, ties by position."""
    number = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    order = np.lexsort((period, number))
    priority = np.empty(period.size, np.uint64)
    rank = np.arange(period.size) - offsets[number] if period.size else np.empty(0, np.int64)
    sizes = np.diff(offsets)[number] if period.size else np.empty(0, np.int64)
    priority[order] = (sizes - rank).astype(np.uint64)
    return priority
