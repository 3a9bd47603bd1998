"""Ctrl-C ends every call that computes, and no call works on one set without end."""

import os
import signal
import subprocess
import sys
import time

import fusee
import numpy as np
import pytest
from fusee import _fusee, sweeps

#: From the signal to the exception, in seconds of the processor: others may keep the machine busy.
SOON = 0.5
#: When the signal comes, in the same seconds.
AFTER = 0.2
#: More steps than any call takes before the signal.
ENDLESS = 2**63

EXPERIMENT = """
title = "Longer than anybody waits"
sets = 100000
chunk = 10000
tests = ["fp-rta", "edf-demand"]
[recipe]
utilizations = { method = "uunifast", tasks = 200, total = 0.99 }
periods = { kind = "log-uniform", min = "1 ms", max = "1 s" }
"""

PERIODS = {"kind": "log-uniform", "min": "1 ms", "max": "1 s"}


def recipe(method, **others):
    return {"utilizations": {"method": method, **others}, "periods": PERIODS}


def slow_set(tasks=2000, share=200):
    """One set whose fixpoints are approached in millions of steps: the first task leaves a millionth of the core.

    The demand of task i exceeds its deadline, and yet is met before, after ``share * i`` of the first one's periods.
    """
    index = np.arange(tasks, dtype=np.uint64)
    wcet = np.where(index == 0, 999_999, share).astype(np.uint64)
    period = np.where(index == 0, 1_000_000, 10**15).astype(np.uint64)
    deadline = np.where(index == 0, 1_000_000, (index * share + 1000) * 1_000_000 + 1).astype(np.uint64)
    priority = np.arange(tasks, 0, -1, dtype=np.uint64)
    return fusee.TaskSets(offsets=[0, tasks], wcet=wcet, period=period, deadline=deadline, priority=priority)


def slow_cores():
    """One set for eight cores, all but full, whose tasks share resources."""
    drawn = {
        **recipe("uunifast-discard", tasks=320, total=5.6, max=0.9),
        "cores": 8,
        "resources": {"kind": "random", "count": 40, "access": 0.3, "requests": [1, 10], "length": ["1 us", "10 us"]},
        "placement": {"fit": "worst"},
    }
    return fusee.TaskSets.generate(drawn, 1)


@pytest.fixture(scope="module")
def one():
    return slow_set()


def until_interrupted(call):
    """Processor seconds from the signal to the exception; nothing if the call was over before."""
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    start = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, AFTER)
        call()
        signal.setitimer(signal.ITIMER_PROF, 0)
        return None
    except KeyboardInterrupt:
        return time.process_time() - start - AFTER
    finally:
        signal.signal(signal.SIGPROF, before)


def experiment(folder):
    path = folder / "experiment.toml"
    path.write_text(EXPERIMENT)
    return path


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", ["check", "response_times"])
def test_a_slow_set_is_left(one, call, threads):
    columns = {name: np.tile(getattr(one, name), 2) for name in ("wcet", "period", "deadline", "priority")}
    many = fusee.TaskSets(offsets=[0, 2000, 4000], **columns)
    took = until_interrupted(lambda: getattr(many, call)("fp-rta", threads=threads, effort=ENDLESS))
    assert took is not None and took < SOON


def test_many_short_sets_are_left():
    drawn = fusee.TaskSets.generate(recipe("uunifast", tasks=3, total=0.7), 1000)
    sets, times = 1_000_000, 1000
    columns = {name: np.tile(getattr(drawn, name), times) for name in ("wcet", "period", "priority")}
    offsets = np.arange(0, 3 * sets + 1, 3)
    many = fusee.TaskSets(offsets=offsets, **columns)
    # Each of them is checked in a microsecond.
    took = until_interrupted(lambda: [many.check("fp-rta") for _ in range(100)])
    assert took is not None and took < SOON


def test_a_single_set_as_an_object_is_left(one):
    alone = one[0]
    took = until_interrupted(lambda: alone.response_times("fp-rta", effort=ENDLESS))
    assert took is not None and took < SOON


def test_drawing_is_left():
    for drawn, count in [
        (recipe("uunifast", tasks=200, total=0.95), 10_000_000),
        (recipe("uunifast-discard", tasks=5000, total=5.0, max=0.0011), 1),
        (recipe("rand-fixed-sum", tasks=8000, total=5.0, min=0.0, max=0.5), 1),
    ]:
        took = until_interrupted(lambda drawn=drawn, count=count: fusee.TaskSets.generate(drawn, count, effort=ENDLESS))
        assert took is not None and took < SOON, drawn


def test_placing_is_left(one):
    columns = {name: getattr(one, name) for name in ("offsets", "wcet", "period", "deadline", "priority")}
    cores = fusee.TaskSets(**columns, cores=2)
    took = until_interrupted(lambda: cores.place("first", order="given", test="fp-rta", effort=ENDLESS))
    assert took is not None and took < SOON


@pytest.mark.parametrize("threads", [1, 2])
def test_an_experiment_is_left_and_its_log_is_good(tmp_path, threads):
    path, log = experiment(tmp_path), tmp_path / "sweep.log"
    took = until_interrupted(lambda: fusee.sweep(path, log=log, threads=threads))
    assert took is not None and took < SOON
    opened = _fusee.Log(str(log), sweeps.load(path))
    assert len(opened.open_chunks()) > 0
    opened.close()


def test_a_chunk_is_left(tmp_path):
    plan = sweeps.load(experiment(tmp_path))
    took = until_interrupted(lambda: plan.count(0))
    assert took is not None and took < SOON


@pytest.mark.parametrize("about", fusee.tests(), ids=lambda about: about.name)
def test_no_test_keeps_anybody_waiting(one, about):
    """Whatever the test: it is over, it is left, or it says why it can't be asked."""
    several = "one core" not in about.family
    sets = slow_cores() if several else one

    def ask():
        try:
            sets.check(about.name, effort=ENDLESS)
        except fusee.OutsideAssumptions:
            pass

    took = until_interrupted(ask)
    assert took is None or took < SOON


def test_too_much_effort_is_an_error_that_says_how_to_go_on(one):
    with pytest.raises(fusee.FuseeError, match=r"set 0 takes more than 1000000 steps.*`effort=10000000`"):
        one.response_times("fp-rta", effort=1_000_000)
    with pytest.raises(fusee.FuseeError, match="set 7 takes more than 5000 steps"):
        drawn = recipe("uunifast-discard", tasks=100, total=5.0, max=0.06)
        fusee.TaskSets.generate(drawn, 1, first=7, effort=5000)
    quick = slow_set(tasks=3)
    assert list(quick.response_times("fp-rta", effort=1_000_000)) == list(quick.response_times("fp-rta"))
    with pytest.raises(ValueError, match="`effort` is 0"):
        one.check("fp-rta", effort=0)
    with pytest.raises(TypeError, match="`effort` is 1.5"):
        one.check("fp-rta", effort=1.5)


def test_without_being_asked_no_set_takes_minutes(one):
    start = time.monotonic()
    with pytest.raises(fusee.FuseeError, match="takes more than 2000000000 steps"):
        one.response_times("fp-rta")
    assert time.monotonic() - start < 60


SCRIPT = """
import sys, time
sys.path.insert(0, sys.argv[1])
import test_interrupts
one = test_interrupts.slow_set()
print(time.process_time(), flush=True)
try:
    one.response_times("fp-rta", effort=test_interrupts.ENDLESS)
except KeyboardInterrupt:
    print(time.process_time(), flush=True)
"""


def test_ctrl_c_is_what_ends_a_program():
    folder = os.path.dirname(__file__)
    child = subprocess.Popen([sys.executable, "-c", SCRIPT, folder], stdout=subprocess.PIPE, text=True)
    ready = float(child.stdout.readline())
    time.sleep(AFTER)
    child.send_signal(signal.SIGINT)
    interrupted = float(child.stdout.readline())
    assert interrupted - ready < AFTER + SOON
    child.wait()
