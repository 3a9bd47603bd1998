"""What tests there are, and what each says about itself."""

from __future__ import annotations

from dataclasses import dataclass

from fusee import _fusee


@dataclass(frozen=True)
class Test:
    """A schedulability test.

    Attributes:
        name: its name in calls and files, such as ``"fp-rta"``.
        title: its name in the field.
        source: who published it, and which repair applies.
        family: what kind of scheduling it is about.
        exactness: ``"exact"`` or ``"sufficient"``: what its "no" is worth.
        assumptions: what it takes for granted.
    """

    __test__ = False  # not for pytest

    name: str
    title: str
    source: str
    family: str
    exactness: str
    assumptions: tuple[str, ...]


def tests() -> list[Test]:
    """All tests, family by family."""
    return [Test(**{**about, "assumptions": tuple(about["assumptions"])}) for about in _fusee.tests()]
