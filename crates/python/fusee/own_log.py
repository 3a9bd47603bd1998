"""What of an experiment with plug-ins is done, so that a run that was ended goes on where it was.

A line for each block of sets, behind one that says whose log it is: the experiment, the share of its
sets, and the plug-ins by name and by what they are compiled to. What they close over is not looked at.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any

from fusee import _fusee

#: Sets that could not be drawn; then for each question those outside its test's assumptions, and those schedulable.
Counted = tuple[int, list[tuple[int, int]]]


def fingerprint(plugin: Any) -> str:
    """What tells a plug-in from one that answers otherwise, as far as can be seen."""
    name = f"{getattr(plugin, '__module__', '')}.{getattr(plugin, '__qualname__', repr(plugin))}"
    code = getattr(plugin, "__code__", None)
    return name if code is None else f"{name} {_compiled(code)}"


def _compiled(code: CodeType) -> str:
    constants = [_compiled(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts]
    text = f"{code.co_code.hex()} {constants} {code.co_names}"
    return hashlib.sha256(text.encode()).hexdigest()


def identity(experiment: str, sets: int, plugins: Mapping[str, Callable[..., Any] | str | None]) -> str:
    """Whose log it is."""
    named = {label: fingerprint(plugin) for label, plugin in plugins.items()}
    text = json.dumps([experiment, sets, named], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class OwnLog:
    """The log of a run with plug-ins; in ``with`` it is closed at the end.

    Raises:
        FuseeError: it belongs to another experiment or other plug-ins, or another process has it open.
    """

    def __init__(self, path: str | Path, whose: str) -> None:
        self._done: dict[tuple[int, int], Counted] = {}
        self._file = open(path, "a+", encoding="utf-8")
        try:
            self._lock(path)
            self._read(path, whose)
        except BaseException:
            self._file.close()
            raise

    def _lock(self, path: str | Path) -> None:
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise _fusee.FuseeError(f"{path} is in use by another process") from error

    def _read(self, path: str | Path, whose: str) -> None:
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind("\n") + 1]
        first, *lines = whole.splitlines() or [""]
        if not first:
            self._write({"fusee": whose})
            return
        try:
            known = json.loads(first).get("fusee")
            for line in lines:
                point, start, lost, cells = json.loads(line)
                self._done[point, start] = lost, [(outside, schedulable) for outside, schedulable in cells]
        except (ValueError, TypeError, AttributeError) as error:
            raise _fusee.FuseeError(f"{path} is no log of a run with plug-ins: {error}") from error
        if known != whose:
            raise _fusee.FuseeError(f"{path} belongs to another experiment or to other plug-ins; another file is needed")
        # A line that was being written when the run was ended.
        self._file.truncate(len(whole.encode()))

    def known(self, point: int, first: int) -> Counted | None:
        """What was counted of a block."""
        return self._done.get((point, first))

    def add(self, point: int, first: int, counted: Counted) -> None:
        """Remembers what was counted of a block."""
        lost, cells = counted
        self._write([point, first, lost, cells])

    def _write(self, line: Any) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def __enter__(self) -> OwnLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()
