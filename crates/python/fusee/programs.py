"""Linear programs of waiting times, for those who solve them themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class LinearProgram:
    """Maximise ``gains @ x`` with ``0 <= x <= most`` and every row at most its limit.

    Row ``k`` is the sum of ``factors[t] * x[variables[t]]`` for ``t`` from
    ``starts[k]`` to ``starts[k + 1]``. Gains are lengths of critical sections in
    ticks; a variable says how often such a section delays.

    Attributes:
        gains: what each variable adds.
        most: the largest value of each variable.
        starts: where each row begins, and where the last one ends.
        variables: the variables of the rows, one after the other.
        factors: their factors.
        limits: the limits of the rows.
        proved: a whole number that the optimum does not exceed, proved in integers
            from dual prices; the optimum rounded down. ``None``: it does not fit.
        used: what the test takes for the delay; the same, or found without a solver.
    """

    gains: NDArray[np.uint64]
    most: NDArray[np.uint64]
    starts: NDArray[np.int64]
    variables: NDArray[np.int64]
    factors: NDArray[np.int64]
    limits: NDArray[np.uint64]
    proved: int | None
    used: int | None
