"""What tests there are, and what each says about itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fusee import _fusee

if TYPE_CHECKING:
    from fusee.columns import TaskSets


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
    """All tests, family by family, those with parameters with their defaults."""
    return [_test(about) for about in _fusee.tests()]


def about(test: AnyTest) -> Test:
    """What a test says about itself.

    Raises:
        FuseeError: there is no such test, or it has no such parameter.
    """
    return _test(_fusee.about(test))


def _test(about: dict[str, Any]) -> Test:
    return Test(**{**about, "assumptions": tuple(about["assumptions"])})


@dataclass(frozen=True)
class Configured:
    """A test with parameters of one's own, wherever the name of a test can stand.

    It can also be called with :class:`fusee.TaskSets`, and so be among the ``tests`` of :func:`fusee.sweep`.

    Attributes:
        name: ``"dpcp"``, ``"mrsp-2013"``, ``"mrsp-2017"``, ``"omlp-clusters"`` or ``"omlp-clusters-edf"``.
        homes: of ``"dpcp"``: the core of each resource, on which its sections are executed.
        cluster: of ``"omlp-clusters"`` and ``"omlp-clusters-edf"``: how many cores a cluster has.
        helping: of ``"mrsp-2013"`` and ``"mrsp-2017"``: ticks to move a holder to another core, and ticks
            for which it cannot be preempted there.
    """

    __test__ = False  # not for pytest

    name: str
    homes: Sequence[int] | None = None
    cluster: int | None = None
    helping: tuple[int, int] | None = None

    def __call__(self, sets: TaskSets) -> Any:
        """What it says of each set: 1, 0, and -1 for sets outside its assumptions."""
        return sets.check(self, outside="mark")


#: The name of a test, or a test with its parameters.
AnyTest = str | Configured
