"""Schedulability analysis of real-time task sets.

Columns of thousands of sets at once (:class:`TaskSets`), single sets as objects
(:class:`Task`, :class:`TaskSet`), whole experiments (:func:`sweep`), and
descriptions of component systems (:func:`analyze`, :func:`simulate`).

All times are whole numbers of ticks of one clock, whatever its unit: the tests
decide in whole numbers only. Every test says where it comes from and what it
assumes: see :func:`tests`.

>>> import fusee
>>> set = fusee.TaskSet([fusee.Task(wcet=1, period=4), fusee.Task(wcet=2, period=6)])
>>> set.check("fp-rta").schedulable
True
>>> set.response_times("fp-rta")
[1, 3]
"""

from fusee import habits
from fusee._fusee import ArrivalCurve, FuseeError, Graph, Job, OutsideAssumptions, Supply, __version__
from fusee.catalogue import Configured, Test, tests
from fusee.chains import Stage, data_age, reaction_time
from fusee.columns import TaskSets
from fusee.compositional import Activity, Bounded, compose, latency
from fusee.criticality import CriticalTask, Responses, mixed_response_times, virtual_deadlines
from fusee.descriptions import analyze, check, simulate
from fusee.graphs import GraphTask, federate, graph_response_times
from fusee.loops import EventLoop, Source, loop_response_times
from fusee.objects import Request, Task, TaskSet, Verdict
from fusee.plots import plot
from fusee.plugins import dominance, each, wilson
from fusee.programs import LinearProgram
from fusee.schedules import Refuted, Scheduler, refute, schedulers
from fusee.sweeps import Results, sweep

__all__ = [
    "Activity",
    "ArrivalCurve",
    "Bounded",
    "Configured",
    "CriticalTask",
    "EventLoop",
    "FuseeError",
    "Graph",
    "GraphTask",
    "Job",
    "LinearProgram",
    "OutsideAssumptions",
    "Refuted",
    "Request",
    "Responses",
    "Results",
    "Scheduler",
    "Source",
    "Stage",
    "Supply",
    "Task",
    "TaskSet",
    "TaskSets",
    "Test",
    "Verdict",
    "__version__",
    "analyze",
    "check",
    "compose",
    "data_age",
    "dominance",
    "each",
    "federate",
    "graph_response_times",
    "latency",
    "loop_response_times",
    "mixed_response_times",
    "plot",
    "reaction_time",
    "refute",
    "schedulers",
    "simulate",
    "sweep",
    "tests",
    "virtual_deadlines",
    "wilson",
]


def __getattr__(name: str) -> object:
    """Answers names of other tools; there are no others but those that are imported."""
    habits.missing("`fusee`", name, habits.MODULE)
