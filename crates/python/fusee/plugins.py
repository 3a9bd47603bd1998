"""Experiments with tests, placements and generators of one's own, beside those of Fusee.

Everything here sees many sets at once, as :class:`fusee.TaskSets`; :func:`each` makes a
test of this kind from one that looks at a single set.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fusee import _fusee
from fusee.catalogue import Configured
from fusee.columns import TaskSets
from fusee.own_log import Counted, OwnLog
from fusee.tables import REQUEST_COLUMNS

if TYPE_CHECKING:
    from fusee.objects import TaskSet

#: Says of each set whether it is schedulable: ``bool``, or 1, 0 and -1 for sets that it says nothing about.
OwnTest = Callable[[TaskSets], Any]
#: Says of each task its core; a negative number: its set fits nowhere.
OwnPlacement = Callable[[TaskSets], Any]
#: ``generator(point, count, seed, first)`` draws ``count`` sets from number ``first`` on at a point of the grid.
OwnGenerator = Callable[[dict[str, Any], int, int, int], TaskSets]

#: Sets that are drawn and asked about together.
BLOCK = 250
#: The 97.5 % quantile of the normal distribution.
Z = 1.959963984540054


def each(decide: Callable[[TaskSet], Any]) -> OwnTest:
    """A test of many sets from one that decides about a single set.

    ``decide`` gives something true or false, or ``None`` if it says nothing about the set.
    """

    def of_all(sets: TaskSets) -> NDArray[np.int8]:
        answers = (decide(sets[number]) for number in range(len(sets)))
        return np.array([-1 if answer is None else bool(answer) for answer in answers], np.int8)

    of_all.__name__ = getattr(decide, "__name__", "decide")
    return of_all


def dominance(sets: TaskSets, tests: Mapping[str, OwnTest] | Sequence[str]) -> dict[tuple[str, str], NDArray[np.int64]]:
    """For each pair of tests, the numbers of the sets that the first accepts and the second does not.

    Args:
        sets: the sets, placed if the tests need it.
        tests: names of tests of Fusee, or tests by label: names or functions.

    Sets that one of the two says nothing about are left out. If a list is empty, the second
    test accepted whatever the first did.
    """
    marks = {label: marks_of(label, test, sets) for label, test in labelled(tests).items()}
    pairs = itertools.permutations(marks, 2)
    return {(a, b): np.flatnonzero((marks[a] == 1) & (marks[b] == 0)) for a, b in pairs}


def labelled(tests: Mapping[str, OwnTest | str] | Sequence[OwnTest | str] | str) -> dict[str, OwnTest | str]:
    """Tests by label; a name is its own label.

    Raises:
        TypeError: a test is neither a name nor a function.
        FuseeError: there is no such test.
    """
    if isinstance(tests, (str, Configured)):
        tests = [tests]
    if not isinstance(tests, (Mapping, Sequence)):
        raise TypeError(f"`tests` is {tests!r}; names of tests, or tests by label, are needed")
    by_label = dict(tests) if isinstance(tests, Mapping) else {_own_label(test): test for test in tests}
    for label, test in by_label.items():
        if isinstance(test, (str, Configured)):
            _fusee.about(test)
        elif not callable(test):
            raise TypeError(f"the test `{label}` is {test!r}; a function of `TaskSets` or the name of a test is needed")
    return by_label


def _own_label(test: Any) -> str:
    """What a test without a label is called."""
    return test if isinstance(test, str) else str(getattr(test, "name", None) or getattr(test, "__name__", repr(test)))


def own_answers(what: str, of_sets: Callable[[TaskSets], Any], sets: TaskSets) -> NDArray[Any]:
    """What a function of one's own says of sets, which it cannot change.

    Raises:
        ValueError: it writes into them.
    """
    try:
        return np.asarray(of_sets(sets._read_only()))
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        raise ValueError(
            f"{what} writes into the columns of the sets that it is given, which others read after it; "
            "`sets.with_columns(wcet=...)` makes other sets, and `sets.wcet.copy()` a column to write into"
        ) from error


def marks_of(label: str, test: OwnTest | str, sets: TaskSets, threads: int = 1) -> NDArray[np.int8]:
    """What a test says of each set: 1, 0, and -1 for nothing.

    Raises:
        ValueError: a test of one's own gave something else.
        TypeError: these are no sets.
    """
    if not isinstance(sets, TaskSets):
        raise TypeError(f"`sets` is {type(sets).__name__}; `TaskSets` are needed, such as `TaskSets.from_sets([...])`")
    if isinstance(test, (str, Configured)):
        return np.asarray(sets.check(test, threads=threads, outside="mark"), np.int8)
    answers = own_answers(f"the test `{label}`", test, sets)
    if answers.shape != (len(sets),):
        raise ValueError(f"the test `{label}` gave the shape {answers.shape} for {len(sets)} sets; one answer for each is needed")
    if answers.dtype != np.bool_ and not (answers.dtype.kind in "iu" and np.isin(answers, (-1, 0, 1)).all()):
        raise ValueError(f"the test `{label}` gave {answers.dtype}; possible are `bool`, or whole numbers 1, 0 and -1")
    return answers.astype(np.int8)


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), as in all results."""
    if trials == 0:
        return 0.0, 1.0
    share, scale = hits / trials, 1 + Z * Z / trials
    centre = (share + Z * Z / (2 * trials)) / scale
    half = Z * math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials)) / scale
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == trials else min(1.0, centre + half)
    return low, high


@dataclass
class Question:
    """A test as it is asked at a point."""

    label: str
    name: str
    test: OwnTest | str
    resources: bool = True
    charge: Mapping[str, Any] | None = None


@dataclass
class Variant:
    """A way to analyse the sets of a point."""

    values: dict[str, Any]
    place: Callable[[TaskSets], tuple[TaskSets, int]]
    questions: list[Question]


@dataclass
class Point:
    """Where sets are drawn, and what is asked about them."""

    draw: Callable[[int, int], tuple[TaskSets | None, int]]
    variants: list[Variant]


@dataclass
class Own:
    """What a caller brings."""

    tests: Mapping[str, OwnTest | str]
    placement: OwnPlacement | None = None
    generator: OwnGenerator | None = None

    def questions(self, beside: list[Question]) -> list[Question]:
        """The tests that the caller brings, beside those that the experiment has.

        Raises:
            ValueError: two have one label.
        """
        taken = {question.label for question in beside}
        for label in self.tests:
            if label in taken:
                raise ValueError(
                    f"the experiment has a test `{label}` already; another label tells their results apart,"
                    f' such as `tests={{"own {label}": ...}}`'
                )
        return [Question(label, _own_label(test) if isinstance(test, (str, Configured)) else label, test)
                for label, test in self.tests.items()]

    def placing(self, options: Mapping[str, Any] | None) -> Callable[[TaskSets], tuple[TaskSets, int]]:
        """Places sets; gives those with a place for each task, and how many have none."""
        if (placement := self.placement) is not None:
            return lambda sets: _placed_by(placement, sets)
        if not options:
            return lambda sets: (sets, 0)

        def place(sets: TaskSets) -> tuple[TaskSets, int]:
            order = options.get("order", "decreasing-utilization")
            placed = sets.place(options.get("fit", "worst"), order=order, misfits="drop")
            return placed, len(sets) - len(placed)

        return place


def _placed_by(placement: OwnPlacement, sets: TaskSets) -> tuple[TaskSets, int]:
    core = own_answers("the placement", placement, sets)
    if core.shape != sets.wcet.shape or core.dtype.kind not in "iu":
        raise ValueError(
            f"the placement gave {core.dtype} of the shape {core.shape}; one whole number for each of "
            f"{sets.wcet.size} tasks is needed"
        )
    number = np.repeat(np.arange(len(sets)), np.diff(sets.offsets))
    fits = np.ones(len(sets), bool)
    fits[number[core < 0]] = False
    placed = sets.with_columns(core=np.maximum(core, 0).astype(np.uint64))
    return (placed if fits.all() else placed[fits]), int((~fits).sum())


def points_of(experiment: _fusee.Experiment, own: Own) -> list[Point]:
    """The points of an experiment that Fusee reads, with the very sets that ``fusee sweep`` draws."""
    return [_point(experiment, number, own) for number in range(experiment.points)]


def _point(experiment: _fusee.Experiment, number: int, own: Own) -> Point:
    recipe, seed = experiment.recipe(number)
    variants = []
    for variant in range(experiment.variants):
        options = _read_toml(experiment.analysis(variant))
        values, asked = experiment.cell(number, variant)
        questions = [Question(label, name, name, resources) for label, name, resources in asked]
        variants.append(_variant(values, options, own, questions + own.questions(questions)))
    return Point(lambda first, count: _drawn(recipe, seed, first, count), variants)


def _variant(values: dict[str, Any], options: Mapping[str, Any], own: Own, questions: list[Question]) -> Variant:
    """A way to analyse sets, with what `[analysis]` says."""
    known = ("placement", "group-locks", "overheads")
    wrong = [name for name in options if name not in known]
    if wrong:
        raise _fusee.FuseeError(f"`analysis` has no `{wrong[0]}`; known are {', '.join(known)}")
    overheads = options.get("overheads", {})
    for question in questions:
        question.charge = overheads.get(question.label, overheads.get("*"))
    place = own.placing(options.get("placement"))
    if options.get("group-locks"):
        return Variant(values, lambda sets: place(sets.group_locks()), questions)
    return Variant(values, place, questions)


def _drawn(recipe: str, seed: int, first: int, count: int) -> tuple[TaskSets | None, int]:
    """The sets that can be drawn, and how many cannot."""
    try:
        return TaskSets.generate(recipe, count, seed=seed, first=first), 0
    except _fusee.FuseeError:
        if count == 1:
            return None, 1
    parts = [_drawn(recipe, seed, number, 1) for number in range(first, first + count)]
    drawn = [sets for sets, _ in parts if sets is not None]
    return (TaskSets.concat(drawn) if drawn else None), sum(lost for _, lost in parts)


def points_of_generator(experiment: Mapping[str, Any], own: Own) -> list[Point]:
    """The points of an experiment whose sets the caller draws: ``grid`` has a list of values for each axis."""
    known = {"title", "sets", "seed", "tests", "grid", "analysis"}
    wrong = [f"`{name}` is not known here" for name in experiment if name not in known]
    wrong += [f"`grid.{name}` is {values!r}; a list of values is needed" for name, values in experiment.get("grid", {}).items()
              if not isinstance(values, (list, tuple, range, np.ndarray)) or len(values) == 0]
    names = {about["name"] for about in _fusee.tests()}
    tests = [_test_of(test) for test in experiment.get("tests", [])]
    wrong += [f"there is no test `{name}`" for _, name in tests if name not in names]
    if wrong:
        raise _fusee.FuseeError("; ".join([*wrong, f"with a generator of one's own there are {', '.join(sorted(known))}"]))
    grid = {name: [value.item() if isinstance(value, np.generic) else value for value in values]
            for name, values in experiment.get("grid", {}).items()}
    options = experiment.get("analysis", {})
    points = []
    for values in itertools.product(*grid.values()):
        at = dict(zip(grid, values))
        seed = _seed(experiment.get("seed", 1), at)
        assert own.generator is not None
        questions = [Question(label, name, name) for label, name in tests]
        questions += own.questions(questions)
        points.append(Point(_drawing(own.generator, at, seed), [_variant(at, options, own, questions)]))
    return points


def _drawing(generator: Callable[..., Any], at: dict[str, Any], seed: int) -> Callable[[int, int], tuple[TaskSets | None, int]]:
    """Draws sets of one point by a generator of one's own; none is lost."""
    return lambda first, count: (_checked(generator(dict(at), count, seed, first), count), 0)


def _test_of(test: Any) -> tuple[str, str]:
    if isinstance(test, Mapping):
        return str(test.get("label", test.get("test"))), str(test.get("test"))
    return str(test), str(test)


def _checked(sets: Any, count: int) -> TaskSets:
    if not isinstance(sets, TaskSets) or len(sets) != count:
        raise ValueError(f"the generator gave {sets!r}; `TaskSets` with {count} sets are needed")
    return sets


def _seed(seed: int, at: dict[str, Any]) -> int:
    """A seed for each point, so that adding a value to an axis leaves all other points as they were."""
    text = f"{seed} {sorted(at.items())!r}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _read_toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    document: dict[str, Any] = tomllib.loads(text)
    return document


def count(
    points: list[Point], sets: int, threads: int, watch: Callable[[int, int], None] | None, log: OwnLog | None = None
) -> list[dict[str, Any]]:
    """A row for each point, variant and test; blocks that the log has are not asked about again."""
    rows: list[dict[str, Any]] = []
    of_point: list[dict[str, Any]]
    total = sets * len(points)
    for number, point in enumerate(points):
        of_point = [
            {"point": number, "variant": place, "values": variant.values, "label": q.label, "test": q.name,
             "sets": 0, "outside": 0, "schedulable": 0}
            for place, variant in enumerate(point.variants)
            for q in variant.questions
        ]
        for first in range(0, sets, BLOCK):
            size = min(BLOCK, sets - first)
            counted = None if log is None else log.known(number, first)
            if counted is None:
                counted = _counted(point, first, size, threads)
                if log is not None:
                    log.add(number, first, counted)
            lost, cells = counted
            for row, (outside, schedulable) in zip(of_point, cells, strict=True):
                row["sets"] += size - lost
                row["outside"] += outside
                row["schedulable"] += schedulable
            if watch is not None:
                watch(number * sets + first + size, total)
        rows += of_point
    return rows


def _counted(point: Point, first: int, size: int, threads: int) -> Counted:
    """How many sets could not be drawn, and for each question how many were outside and schedulable."""
    drawn, lost = point.draw(first, size)
    answers = _answers(point, drawn, threads)
    return lost, [(int((marks == -1).sum()), int((marks == 1).sum())) for marks in answers]


def _answers(point: Point, drawn: TaskSets | None, threads: int) -> Iterator[NDArray[np.int8]]:
    for variant in point.variants:
        placed = None if drawn is None else variant.place(drawn)[0]
        for question in variant.questions:
            if placed is None:
                yield np.empty(0, np.int8)
                continue
            seen = placed if question.resources else placed.with_columns(request_offsets=None, **dict.fromkeys(REQUEST_COLUMNS))
            yield _asked(question, seen, threads)


def _asked(question: Question, sets: TaskSets, threads: int) -> NDArray[np.int8]:
    """What a test says of each set with its overheads; a set without room for them is not schedulable."""
    if question.charge is None:
        return marks_of(question.label, question.test, sets, threads)
    charge = dict(question.charge)
    test, helping = question.test, charge.pop("helping", None)
    if helping is not None:
        if not all(isinstance(ticks, int) for ticks in helping.values()):
            raise _fusee.FuseeError(f"`{question.label}`: with plug-ins `helping` has numbers, no tables")
        test = Configured(question.name, helping=(helping["migration"], helping["non-preemptive"]))
    parts = [_charged(sets[number : number + 1], charge) for number in range(len(sets))]
    marks = np.array([state for _, state in parts], np.int8)
    charged = [part for part, state in parts if state == 1]
    if charged:
        marks[marks == 1] = marks_of(question.label, test, TaskSets.concat(charged), threads)
    return marks


def _charged(one: TaskSets, charge: Mapping[str, Any]) -> tuple[TaskSets, int]:
    """A set with its overheads, and 1; or 0 if there is no room for them, -1 if they are not known."""
    try:
        charged = one.charge(**charge, misfits="drop")
    except _fusee.FuseeError as error:
        if "its table ends at" not in str(error):
            raise
        return one, -1
    return charged, len(charged)


def columns_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The rows as columns, named as in all results."""
    axes = list(dict.fromkeys(name for row in rows for name in row["values"]))
    columns: dict[str, Any] = {name: _column([row["values"][name] for row in rows]) for name in axes}
    for name in ("label", "test"):
        columns[name] = [row[name] for row in rows]
    for name in ("sets", "outside", "schedulable"):
        columns[name] = np.array([row[name] for row in rows], np.uint64)
    decided = [row["sets"] - row["outside"] for row in rows]
    hits = [row["schedulable"] for row in rows]
    columns["ratio"] = np.array([h / d if d else math.nan for h, d in zip(hits, decided)])
    for side, name in enumerate(("ratio_low", "ratio_high")):
        columns[name] = np.array([wilson(h, d)[side] for h, d in zip(hits, decided)])
    return columns


def _column(values: list[Any]) -> Any:
    if all(isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in values):
        return np.array(values, np.uint64)
    if all(isinstance(value, (int, float)) for value in values):
        return np.array(values, np.float64)
    return [str(value) for value in values]


def csv_of(columns: dict[str, Any]) -> bytes:
    """The rows as ``results.csv``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(np.asarray(values).tolist() for values in columns.values())))
    return text.getvalue().encode()
