"""How far a run is: a line on the terminal or in a notebook, or a callback."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

#: ``True`` draws a bar, ``False`` nothing, ``None`` a bar where somebody looks; or ``callback(done, total)``.
Progress = Callable[[int, int], None] | bool | None

#: What is called after each step, with how many are done and how many there are; ``None``: nobody looks.
Watch = Callable[[int, int], None] | None

#: Nothing is drawn before a run has taken so long, in seconds.
PATIENCE = 1.0


def watcher(progress: Progress) -> Watch:
    """What is to be called after each step; ``None`` if nobody looks."""
    if callable(progress):
        return progress
    if progress is None:
        progress = sys.stderr.isatty() or "ipykernel" in sys.modules
    return _Bar() if progress else None


class _Bar:
    """A bar of text that overwrites itself, which terminals and notebooks both show."""

    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.drawn = ""

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self.begin < PATIENCE and not self.drawn:
            return
        share = done / total if total else 1.0
        line = f"[{'#' * int(40 * share):<40}] {100 * share:3.0f} %"
        if line != self.drawn:
            self.drawn = line
            sys.stderr.write("\r" + line)
        if done >= total:
            sys.stderr.write("\n")
        sys.stderr.flush()
