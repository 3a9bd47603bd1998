"""Results as matplotlib figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fusee.sweeps import Results

#: Colours that people with any colour vision tell apart (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#808080")
MARKERS = "s^Dvox+*"


def plot(results: Results, x: str, *, ax: Any = None, dotted: str | None = None, **where: Any) -> Any:
    """Draws the share of schedulable sets over an axis, a line for each test.

    Args:
        results: what :func:`fusee.sweep` gave.
        x: the axis of the experiment that runs along the horizontal axis.
        ax: the axes to draw on; new ones if ``None``.
        dotted: an axis whose first value is drawn solid and whose later ones are dotted.
        where: the values of all other axes that have several, by name; ``-`` in a name is ``_``.

    Returns:
        The matplotlib axes. Pale areas are 95 % intervals.

    Raises:
        ValueError: an axis or a value that the results don't have, or an axis left open.
    """
    columns = {name: np.asarray(values) for name, values in results.columns.items()}
    chosen = np.ones(len(results), bool)
    fixed = {name.replace("_", "-") if name not in columns else name: value for name, value in where.items()}
    for name in (x, *([dotted] if dotted else []), *fixed):
        if name not in results.axes:
            raise ValueError(f"there is no axis `{name}`; there are {', '.join(results.axes)}")
    for name, value in fixed.items():
        if value not in columns[name]:
            raise ValueError(f"`{name}` has no value {value!r}; it has {sorted(set(columns[name].tolist()))}")
        chosen &= columns[name] == value
    for name in results.axes:
        values = sorted(set(columns[name][chosen].tolist()))
        if name not in (x, dotted, *fixed) and len(values) > 1:
            raise ValueError(f"several values of `{name}` would share a line; choose one of {values}")
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots()
    _lines(ax, columns, chosen, x, dotted)
    ax.set(xlabel=x, ylabel="share of schedulable task sets", ylim=(-0.02, 1.02), title=results.title)
    ax.grid(alpha=0.3)
    ax.legend()
    return ax


def _lines(ax: Any, columns: dict[str, Any], chosen: Any, x: str, dotted: str | None) -> None:
    variants = [None] if dotted is None else list(dict.fromkeys(columns[dotted][chosen].tolist()))
    for number, label in enumerate(dict.fromkeys(columns["label"][chosen].tolist())):
        for place, variant in enumerate(variants):
            rows = chosen & (columns["label"] == label)
            if dotted is not None:
                rows &= columns[dotted] == variant
            if not rows.any():
                continue
            at, colour = columns[x][rows], COLOURS[number % len(COLOURS)]
            style = {"linestyle": ":", "label": f"{label}, {variant}"} if place else {"marker": MARKERS[number % 8], "label": label}
            ax.plot(at, columns["ratio"][rows], color=colour, markersize=4, **style)
            ax.fill_between(at, columns["ratio_low"][rows], columns["ratio_high"][rows], color=colour, alpha=0.14, linewidth=0)
