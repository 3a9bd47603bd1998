"""From what callers have to what the analysis takes: whole numbers in a row.

Nothing is guessed: a float that happens to be whole, a negative number or a
column of another shape is an exception with the name of the column.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fusee import _fusee


def whole(name: str, values: Any) -> NDArray[np.uint64]:
    """A column of whole numbers from 0 to 2**64 - 1, without a copy where possible.

    Raises:
        TypeError: the values are no whole numbers.
        ValueError: the column has not one dimension, a hole, or a negative value.
    """
    array = _as_array(name, values)
    if array.ndim != 1:
        raise ValueError(f"`{name}` has the shape {array.shape}; a column has one dimension")
    return _unsigned(name, array)


def _as_array(name: str, values: Any) -> NDArray[Any]:
    nulls = getattr(values, "null_count", 0)
    if callable(nulls):
        nulls = nulls()
    if nulls:
        raise ValueError(f"`{name}` has {nulls} missing values")
    if hasattr(values, "combine_chunks"):
        values = values.combine_chunks()
    array: NDArray[Any]
    if hasattr(values, "to_numpy"):
        array = values.to_numpy(zero_copy_only=False) if hasattr(values, "buffers") else values.to_numpy()
    else:
        try:
            array = np.asarray(values)
        except ValueError as error:
            raise ValueError(f"`{name}` is no regular array: {error}") from error
        array = exact(values, array)
    return array


def exact(values: Any, array: NDArray[Any]) -> NDArray[Any]:
    """The array of these values, or what they are where numpy has made floats of whole numbers.

    It does so where some are from 2**63 on and others are below.
    """
    if array.dtype.kind != "f" or array.size == 0 or isinstance(values, np.ndarray):
        return array
    given = np.asarray(values, dtype=object)
    if all(isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)) for value in given.flat):
        whole_numbers: NDArray[Any] = np.vectorize(int, otypes=[object])(given)
        return whole_numbers
    return array


def _unsigned(name: str, array: NDArray[Any]) -> NDArray[np.uint64]:
    if array.size == 0 and array.dtype == np.float64:
        return np.empty(0, np.uint64)
    if array.dtype == object and all(type(value) is int for value in array):
        outside = next((i for i, value in enumerate(array) if not 0 <= value < 2**64), None)
        if outside is not None:
            raise ValueError(f"`{name}`[{outside}] is {array[outside]}; possible are 0 to 2**64 - 1")
        return array.astype(np.uint64)
    if not np.issubdtype(array.dtype, np.integer):
        hint = "; times are whole ticks: choose a finer tick and round to it yourself" if array.dtype.kind == "f" else ""
        raise TypeError(f"`{name}` has the type {array.dtype}; whole numbers are needed{hint}")
    if np.issubdtype(array.dtype, np.signedinteger) and array.size and array.min() < 0:
        first = int(np.argmax(array < 0))
        raise ValueError(f"`{name}`[{first}] is {array[first]}; it must not be negative")
    if array.dtype == np.int64:
        array = array.view(np.uint64)
    return np.ascontiguousarray(array, dtype=np.uint64)


def truths(name: str, values: Any) -> NDArray[np.uint64]:
    """A column of ``bool``, or of 0 and 1, as whole numbers."""
    array = _as_array(name, values)
    column = whole(name, array.astype(np.uint64) if array.dtype == np.bool_ else array)
    if column.size and column.max() > 1:
        row = int(np.argmax(column > 1))
        raise ValueError(f"`{name}`[{row}] is {column[row]}; `bool`, or 0 and 1, is needed")
    return column


def offsets(name: str, values: Any) -> NDArray[np.int64]:
    """Where each list begins, and where the last one ends."""
    column = whole(name, values)
    if column.size and column.max() > np.iinfo(np.int64).max:
        raise ValueError(f"`{name}` goes beyond 2**63 - 1")
    return column.view(np.int64)


def position(name: str, place: Any, length: int) -> None:
    """That this is the position of one of so many activities.

    Raises:
        TypeError: it is no whole number.
        ValueError: nothing is there.
    """
    if not isinstance(place, Integral) or isinstance(place, bool):
        raise TypeError(f"{name} is {place!r}; the position of an activity is needed")
    if not 0 <= int(place) < length:
        raise ValueError(f"{name} is {place}; there are {length}, counted from 0")


def count(name: str, number: int, least: int) -> int:
    """A whole number from ``least`` to 2**64 - 1."""
    if not isinstance(number, Integral) or isinstance(number, bool):
        raise TypeError(f"`{name}` is {number!r}; a whole number is needed")
    if not least <= number < 2**64:
        raise ValueError(f"`{name}` is {number}; possible are {least} to 2**64 - 1")
    return int(number)


def threads(count: int | None) -> int:
    """A number of threads; ``None`` is one for each core."""
    if count is None:
        import os

        return os.cpu_count() or 1
    if not isinstance(count, int) or isinstance(count, bool):
        raise TypeError(f"`threads` is {count!r}; a whole number is needed")
    if count < 1:
        raise ValueError(f"`threads` is {count}; at least 1 is needed")
    return count


def effort(steps: int | None) -> int:
    """How many steps the work on one set may take; ``None`` is what takes some ten seconds."""
    if steps is None:
        return _fusee.EFFORT
    if not isinstance(steps, int) or isinstance(steps, bool):
        raise TypeError(f"`effort` is {steps!r}; a whole number of steps is needed")
    if not 1 <= steps < 2**64:
        raise ValueError(f"`effort` is {steps}; possible are 1 to 2**64 - 1 steps")
    return steps
