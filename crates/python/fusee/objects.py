"""Single task sets as objects: for teaching, for trying out, for a closer look."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fusee import _fusee, arrays, habits
from fusee._fusee import Supply
from fusee.catalogue import AnyTest, Test, about
from fusee.chains import Stage
from fusee.programs import LinearProgram

if TYPE_CHECKING:
    from fusee.columns import TaskSets


@dataclass(frozen=True)
class Request:
    """Requests of one kind that each job makes.

    Attributes:
        resource: the resource, from 0.
        length: longest execution time of one critical section in ticks; part of the task's ``wcet``.
        count: how often each job, or each enclosing section, makes it.
        reads: whether it only reads; readers share a resource where the protocol knows readers.
        nested: requests made while this resource is held; their sections are part of ``length``.
    """

    resource: int
    length: int
    count: int = 1
    reads: bool = False
    nested: tuple[Request, ...] = ()


@dataclass(frozen=True)
class Task:
    """A periodic or sporadic task; times in ticks of one clock.

    Attributes:
        wcet: worst-case execution time C.
        period: period or minimum inter-arrival time T.
        deadline: relative deadline D; T if ``None``.
        jitter: longest delay from arrival to release.
        offset: arrival of the first job.
        suspension: longest self-suspension of a job.
        blocking: blocking term B.
        priority: a higher number is a higher priority; rate-monotonic if no task of the set has one.
        core: the core that the task is placed on, from 0.
        requests: the resources that each job requests, outermost ones.
        threshold: preemption threshold: once a job has started, only priorities above it preempt;
            ``None`` is the priority. Tasks with thresholds have priorities.
    """

    wcet: int
    period: int
    deadline: int | None = None
    jitter: int = 0
    offset: int = 0
    suspension: int = 0
    blocking: int = 0
    priority: int | None = None
    core: int = 0
    requests: tuple[Request, ...] = field(default=())
    threshold: int | None = None

    @property
    def utilization(self) -> float:
        """C / T."""
        return habits.Number(self.wcet / self.period)

    def __new__(cls, *_: Any, **names: Any) -> Task:
        """Answers parameters that other tools have."""
        habits.check_parameters(names)
        return super().__new__(cls)

    def __getattr__(self, name: str) -> Any:
        habits.missing("a task", name, habits.TASK)


@dataclass(frozen=True)
class Verdict:
    """A test's answer; true in conditions if the set is schedulable.

    Attributes:
        schedulable: whether every deadline is met in every legal run, as far as the test can tell.
        test: which test said so, with its source and what its "no" is worth.
    """

    schedulable: bool
    test: Test

    def __bool__(self) -> bool:
        return self.schedulable


class TaskSet:
    """Tasks that are analysed together.

    Args:
        tasks: the tasks.
        cores: how many cores there are; as many as the tasks name if not given.
        placed: whether the tasks are on the cores that they say. If not given, those of several cores are
            if one is on another core than 0; else they are still to be placed, see :meth:`place`.

    Raises:
        ValueError: some tasks have a priority and others have none.
    """

    def __init__(self, tasks: Sequence[Task], cores: int | None = None, *, placed: bool | None = None) -> None:
        for number, task in enumerate(tasks):
            if not isinstance(task, Task):
                raise TypeError(f"task {number} is {task!r}; a `Task` is needed")
        without = [number for number, task in enumerate(tasks) if task.priority is None]
        if without and len(without) < len(tasks):
            raise ValueError(f"task {without[0]} has no priority, but others have one")
        self.tasks = tuple(tasks)
        self.cores = cores
        self.placed = cores is None or cores == 1 or any(task.core for task in tasks) if placed is None else placed

    def __len__(self) -> int:
        return len(self.tasks)

    def __getitem__(self, place: int) -> Task:
        return self.tasks[place]

    def __getattr__(self, name: str) -> Any:
        habits.missing("a task set", name, habits.TASK_SET)

    def hyperperiod(self) -> int:
        """The time after which all arrivals repeat: the least common multiple of the periods."""
        return math.lcm(*(task.period for task in self.tasks))

    def __iter__(self) -> Any:
        return iter(self.tasks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TaskSet) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def _all(self) -> tuple[Any, ...]:
        return self.tasks, self.cores, self.placed

    def __repr__(self) -> str:
        return f"TaskSet({list(self.tasks)!r})"

    @property
    def utilization(self) -> float:
        """The sum of C / T."""
        return habits.Number(sum(task.utilization for task in self.tasks))

    def check(self, test: AnyTest, *, effort: int | None = None) -> Verdict:
        """Asks a test; ``effort`` is that of :meth:`TaskSets.check`.

        Raises:
            OutsideAssumptions: which task breaks which assumption.
            FuseeError: the tasks are no task set, or there is no such test.
        """
        schedulable = bool(self._columns().check(test, effort=effort)[0])
        return Verdict(schedulable, about(test))

    def place(
        self, fit: str = "worst", *, order: str = "decreasing-utilization", test: AnyTest | None = None
    ) -> TaskSet:
        """The same tasks on the cores that there are: see :meth:`TaskSets.place`.

        Raises:
            FuseeError: there is no such heuristic or test, or no core accepts some task.
        """
        return self._columns().place(fit, order=order, test=test)[0]

    def assign(self, what: str = "deadline-monotonic", *, test: AnyTest | None = None) -> TaskSet:
        """The same tasks with other priorities or thresholds: see :meth:`TaskSets.assign`.

        Raises:
            FuseeError: there is no such assignment or test, or the tasks have none.
        """
        return self._columns().assign(what, test=test)[0]

    def charge(self, costs: Mapping[str, Any], **how: Any) -> TaskSet:
        """The same tasks with what scheduling and locking cost: see :meth:`TaskSets.charge`.

        Raises:
            FuseeError: there is no such cost, or no room for it.
        """
        return self._columns().charge(costs, **how)[0]

    def group_locks(self) -> TaskSet:
        """The same tasks with one lock for all resources that are held together somewhere."""
        return self._columns().group_locks()[0]

    def scaling(self, test: AnyTest, what: str = "execution") -> float | None:
        """How far times can change; ``None`` if no factor helps: see :meth:`TaskSets.scaling`."""
        return _number(self._columns().scaling(test, what))

    def breakdown_utilization(self, test: AnyTest) -> float | None:
        """The utilisation with the longest execution times that a test accepts."""
        return _number(self._columns().breakdown_utilization(test))

    def response_times(self, test: AnyTest, *, effort: int | None = None) -> list[int | None]:
        """Bounds on response times in ticks; ``None`` for a task without one.

        ``effort`` is that of :meth:`TaskSets.check`.

        Raises:
            OutsideAssumptions: which task breaks which assumption.
            FuseeError: the test gives no response times.
        """
        times, known = _fusee.response_times(test, self._columns(), 1, arrays.effort(effort))
        return [int(time) if sure else None for time, sure in zip(times, known)]

    def chain(
        self,
        path: Sequence[int],
        test: AnyTest,
        *,
        triggered: Sequence[int] = (),
        communication: str = "implicit",
        offsets: bool = False,
        effort: int | None = None,
    ) -> list[Stage]:
        """The stages of a cause-effect chain, for :func:`reaction_time` and :func:`data_age`.

        Arrivals of a task are taken to be a period apart. Under implicit communication and fixed
        priorities a link is ``"sampled-behind"`` where that follows: the writer is on the same core,
        has the higher priority, and neither suspends itself nor uses resources.

        Args:
            path: the tasks from source to sink, positions from 0.
            test: whose response times to use.
            triggered: places in the path, from 0, whose task arrives when the one before it completes
                (the first: when something happens outside).
            communication: ``"implicit"``: a job reads when it starts and writes when it completes;
                ``"explicit"``: anywhere in between; ``"at-deadline"``: it reads when it arrives and its
                results are there at its deadline (logical execution time).
            offsets: whether the first arrivals are exactly the tasks' ``offset``.
            effort: that of :meth:`TaskSets.check`.

        Raises:
            FuseeError: a task has no response time, or the path names one that does not exist.
        """
        for place in triggered:
            if not 0 <= place < len(path):
                raise ValueError(f"place {place} of `triggered` is not in the path of {len(path)} tasks")
        links = ["triggered" if place in triggered else "sampled" for place in range(len(path))]
        named = list(zip(path, links))
        rows = _fusee.stages(test, self._columns(), named, communication, arrays.effort(effort))
        first = [self.tasks[task].offset if offsets else None for task in path]
        return [
            Stage(separation, response, link=link, jitter=jitter, offset=offset)
            for (link, separation, response, jitter), offset in zip(rows, first)
        ]

    def supplied(self, supply: Supply, *, effort: int | None = None) -> list[int | None]:
        """Response times under preemptive fixed priorities where a core is given as a contract says.

        ``None``: the task is not shown to be done by its deadline, or its jobs have no length.

        Raises:
            OutsideAssumptions: a task suspends itself, has a threshold, or uses resources.
        """
        return _fusee.supplied_response_times(self._columns(), supply, arrays.effort(effort))

    def linear_program(self, test: str, window: int, *, task: int | None = None, core: int | None = None) -> LinearProgram:
        """What bounds the waiting of a task, or under EDF of a core, in a window.

        Jobs of others are taken to be complete by their deadlines.

        Args:
            test: ``"msrp-holistic"``, ``"mpcp-lp"`` or ``"fmlp-plus-lp"`` for a task,
                ``"msrp-holistic-edf"`` for a core.
            window: the length of the window in ticks.
            task: the task, from 0.
            core: the core, from 0.

        Raises:
            FuseeError: there is no such program, task or core, or no bound on a wait.
        """
        by_core = test == "msrp-holistic-edf"
        subject, other = (core, task) if by_core else (task, core)
        if subject is None or other is not None:
            raise ValueError(f"`{test}` needs a {'core' if by_core else 'task'} and nothing else")
        for name, value in (("core" if by_core else "task", subject), ("window", window)):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
                raise ValueError(f"`{name}` is {value!r}; a whole number from 0 is needed")
        return LinearProgram(**_fusee.program(test, self._columns(), subject, window, arrays.effort(None)))

    def _columns(self) -> TaskSets:
        from fusee.columns import TaskSets

        return TaskSets.from_sets([self])


def _number(values: Any) -> float | None:
    return None if values.mask[0] else float(values[0])


def _flat(requests: Sequence[Request], depth: int = 0) -> Iterator[tuple[int, Request]]:
    """Requests with what encloses them, each behind it."""
    for request in requests:
        yield depth, request
        yield from _flat(request.nested, depth + 1)


def columns(sets: Sequence[TaskSet]) -> dict[str, Any]:
    """The columns of sets."""
    tasks = [task for one in sets for task in one.tasks]
    offsets, request_offsets = [0], [0]
    for one in sets:
        offsets.append(offsets[-1] + len(one.tasks))
    requests: list[tuple[int, Request]] = []
    for task in tasks:
        requests += _flat(task.requests)
        request_offsets.append(len(requests))
    given: dict[str, Any] = {"offsets": offsets, "cores": max((s.cores for s in sets if s.cores), default=None)}
    if any(one.placed != sets[0].placed for one in sets):
        raise ValueError("some sets are placed on their cores and others are not")
    placed = ("core",) if all(one.placed for one in sets) else ()
    for name in ("wcet", "period", "jitter", "offset", "suspension", "blocking", *placed):
        given[name] = [getattr(task, name) for task in tasks]
    given["deadline"] = [task.period if task.deadline is None else task.deadline for task in tasks]
    if all(task.priority is not None for task in tasks):
        given["priority"] = [task.priority for task in tasks]
    elif any(task.priority is not None for task in tasks):
        raise ValueError("some sets have priorities and others have none")
    if any(task.threshold is not None for task in tasks):
        if "priority" not in given:
            raise ValueError("a task has a threshold, but no priority")
        given["threshold"] = [task.priority if task.threshold is None else task.threshold for task in tasks]
    if requests:
        given["request_offsets"] = request_offsets
        for name in ("resource", "count", "length"):
            given[name] = [getattr(request, name) for _, request in requests]
        if any(request.reads for _, request in requests):
            given["reads"] = [request.reads for _, request in requests]
        if any(depth for depth, _ in requests):
            given["depth"] = [depth for depth, _ in requests]
    return given


def one(sets: TaskSets, number: int) -> TaskSet:
    """One set of many as an object."""
    rows = range(int(sets.offsets[number]), int(sets.offsets[number + 1]))

    def at(column: Any, row: int, default: int) -> int:
        return default if column is None else int(column[row])

    def threshold(row: int) -> int | None:
        above = sets.threshold is not None and sets.threshold[row] != sets.priority[row]
        return at(sets.threshold, row, 0) if above else None

    def task(row: int) -> Task:
        return Task(
            wcet=int(sets.wcet[row]),
            period=int(sets.period[row]),
            deadline=at(sets.deadline, row, int(sets.period[row])),
            jitter=at(sets.jitter, row, 0),
            offset=at(sets.offset, row, 0),
            suspension=at(sets.suspension, row, 0),
            blocking=at(sets.blocking, row, 0),
            priority=int(sets.priority[row]),
            core=at(sets.core, row, 0),
            requests=_requests(sets, row),
            threshold=threshold(row),
        )

    placed = sets.core is not None or sets.cores is None or sets.cores == 1
    return TaskSet([task(row) for row in rows], sets.cores, placed=placed)


def _requests(sets: TaskSets, row: int) -> tuple[Request, ...]:
    """The requests of a task, nested ones within those that enclose them."""
    if sets.request_offsets is None or sets.resource is None or sets.length is None:
        return ()
    resources, lengths = sets.resource, sets.length

    def of_depth(depth: int, place: int, end: int) -> tuple[tuple[Request, ...], int]:
        """The requests of a depth from a place on, and the place behind them."""
        found: list[Request] = []
        while place < end and (deep := 0 if sets.depth is None else int(sets.depth[place])) >= depth:
            if deep > depth:
                raise ValueError(f"`depth`[{place}] is {deep}, but at most {depth} sections enclose the request there")
            if deep > 32:
                raise ValueError(f"`depth`[{place}] is {deep}; at most 32 sections can enclose a request")
            resource, length = int(resources[place]), int(lengths[place])
            count = 1 if sets.count is None else int(sets.count[place])
            reads = sets.reads is not None and bool(sets.reads[place])
            nested, place = of_depth(depth + 1, place + 1, end)
            found.append(Request(resource, length, count, reads, nested))
        return tuple(found), place

    return of_depth(0, int(sets.request_offsets[row]), int(sets.request_offsets[row + 1]))[0]
