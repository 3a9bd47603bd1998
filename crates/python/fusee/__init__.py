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

from fusee._fusee import ArrivalCurve, FuseeError, Job, OutsideAssumptions, __version__
from fusee.catalogue import Configured, Test, tests
from fusee.chains import Stage, data_age, reaction_time
from fusee.columns import TaskSets
from fusee.compositional import Activity, Bounded, compose, latency
from fusee.descriptions import analyze, check, simulate
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
    "FuseeError",
    "Job",
    "LinearProgram",
    "OutsideAssumptions",
    "Refuted",
    "Request",
    "Results",
    "Scheduler",
    "Stage",
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
    "latency",
    "plot",
    "reaction_time",
    "refute",
    "schedulers",
    "simulate",
    "sweep",
    "tests",
    "wilson",
]
