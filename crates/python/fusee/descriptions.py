"""Descriptions of component systems: checked, analysed and simulated as on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any

from fusee import _fusee

Path = str | PathLike[str]


def check(system: Path, *, defines: Iterable[str] = (), include_paths: Iterable[Path] = ()) -> dict[str, Any]:
    """What there is to say about a description: the document that ``fusee check --json`` prints.

    ``usable`` says whether results about the system can be trusted; ``diagnostics`` has everything that is
    wrong with it, so nothing is raised.

    Args:
        system: the description, for example ``system.camkes``.
        defines: macros for the preprocessor, as ``NAME`` or ``NAME=VALUE``.
        include_paths: further folders with imported and included files.
    """
    return _document(_fusee.check_description(_described(system, defines, include_paths)))


def analyze(
    system: Path,
    *,
    platform: str | None = None,
    costs: Path | Iterable[Path] = (),
    sensitivity: bool = False,
    offsets: bool = False,
    defines: Iterable[str] = (),
    include_paths: Iterable[Path] = (),
) -> dict[str, Any]:
    """Response-time bounds of a description: the document that ``fusee analyze --json`` prints.

    All times are nanoseconds. ``schedulable`` says whether every deadline is guaranteed.

    Args:
        platform: whose kernel costs count, for example ``"qemu-rv64"``; a kernel that costs nothing without.
        costs: a file with what the kernel's paths cost, instead of the platform's own; where cores have
            different policies, one for each.
        sensitivity: whether to find out how far execution times may grow.
        offsets: whether bounds may rest on the offsets of periodic tasks, which come then and nowhere else.

    Raises:
        FuseeError: the description cannot be analysed; the message is what the command line shows.
        ValueError: both ``sensitivity`` and ``offsets``; the first is about all offsets.
    """
    if sensitivity and offsets:
        raise ValueError("`sensitivity` is about all offsets; leave `offsets` out")
    described = _described(system, defines, include_paths)
    chosen = (sensitivity, offsets)
    return _document(_fusee.analyze_description(described, _costs(platform, costs), chosen))


def simulate(
    system: Path,
    *,
    duration: str = "10s",
    seed: int = 1,
    execution: str = "worst",
    releases: str = "synchronous",
    platform: str | None = None,
    costs: Path | Iterable[Path] = (),
    defines: Iterable[str] = (),
    include_paths: Iterable[Path] = (),
) -> dict[str, Any]:
    """A run of the kernel under virtual time: the document that ``fusee simulate --json`` prints.

    All times are nanoseconds. What was seen of each task stands beside its bound.

    Args:
        duration: virtual time, with its unit: ``"500 ms"``.
        seed: of everything that is drawn.
        execution: ``"worst"``: each job takes its worst case; ``"random"``: execution times are drawn.
        releases: ``"synchronous"``: all begin at once; ``"drawn"``: releases are drawn.
        platform, costs: as of :func:`analyze`.

    Raises:
        FuseeError: the description cannot be simulated; the message is what the command line shows.
    """
    described = _described(system, defines, include_paths)
    chosen = (duration, seed, execution, releases)
    return _document(_fusee.simulate_description(described, _costs(platform, costs), chosen))


def _document(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document


def _described(system: Path, defines: Iterable[str], include_paths: Iterable[Path]) -> tuple[str, list[str], list[str]]:
    if isinstance(defines, str):
        raise TypeError(f"defines is {defines!r}; a list of such texts is needed")
    return fspath(system), list(defines), [fspath(path) for path in include_paths]


def _costs(platform: str | None, costs: Path | Iterable[Path]) -> tuple[str | None, list[str]]:
    if isinstance(costs, str | PathLike):
        return platform, [fspath(costs)]
    return platform, [fspath(path) for path in costs]
