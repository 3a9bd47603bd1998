"""What the Rust library offers is there from Python: thresholds, nesting, readers, parameters, changes."""

import itertools

import fusee
import numpy as np
import pytest
from fusee import Configured, Request, Task, TaskSet, TaskSets

#: Wang and Saksena 1999: neither preemptive nor non-preemptive, but with thresholds.
WANG = TaskSet([Task(20, 70, 50, priority=3), Task(20, 80, 80, priority=2), Task(35, 200, 100, priority=1)])

NESTING = {
    "cores": 2,
    "utilizations": {"method": "uunifast-discard", "tasks": 6, "total": 0.6},
    "periods": {"kind": "log-uniform", "min": "10 ms", "max": "100 ms"},
    "placement": {"fit": "worst"},
    "resources": {
        "kind": "random", "count": 4, "access": 0.7, "length": ["1 us", "25 us"], "nesting": 0.6, "reads": 0.5,
    },
}


def test_thresholds_are_assigned_and_bound():
    # A bound of 115 is beyond the deadline, and so none.
    assert WANG.response_times("fp-thresholds") == [20, 40, None]
    assigned = WANG.assign("thresholds")
    assert [task.threshold for task in assigned] == [None, 3, 2]
    assert assigned.response_times("fp-thresholds") == [39, 74, 95]
    assert assigned.check("fp-thresholds") and not WANG.check("fp-thresholds")
    with pytest.raises(fusee.OutsideAssumptions, match="preemption thresholds"):
        assigned.check("fp-rta")
    late = TaskSet([Task(5, 10, 5, priority=2), Task(6, 10, priority=1)])
    with pytest.raises(fusee.FuseeError, match="set 0 has no assignment of thresholds, as 1 of 1 sets have"):
        late.assign("thresholds")
    assert len(TaskSets.from_sets([late]).assign("thresholds", misfits="drop")) == 0


def test_a_threshold_below_the_priority_is_an_error():
    with pytest.raises(fusee.FuseeError, match="set 0: task 0: its preemption threshold is below its priority"):
        TaskSet([Task(1, 4, priority=2, threshold=1)]).check("fp-thresholds")
    with pytest.raises(ValueError, match="a task has a threshold, but no priority"):
        TaskSet([Task(1, 4, threshold=1)]).check("fp-thresholds")
    with pytest.raises(fusee.FuseeError, match="`threshold` is 4294967296"):
        TaskSets(wcet=[[1]], period=[[4]], threshold=[[2**32]]).check("fp-thresholds")


def test_priorities_are_assigned():
    # With jitter deadline-monotonic order is not optimal.
    tasks = TaskSet([Task(2, 20, 10), Task(4, 20, 11, jitter=7)])
    assert not tasks.assign("deadline-monotonic").check("fp-rta")
    found = tasks.assign("audsley", test="fp-rta")
    assert [task.priority for task in found] == [1, 2] and found.check("fp-rta")
    slow_first = TaskSet([Task(1, 9, 3), Task(1, 5, 5)])
    assert [task.priority for task in slow_first.assign("rate-monotonic")] == [1, 2]
    assert [task.priority for task in slow_first.assign()] == [2, 1]


def test_audsley_finds_priorities_whenever_there_are_some():
    recipe = {
        "utilizations": {"method": "uunifast", "tasks": 4, "total": 0.9},
        "periods": {"kind": "log-uniform", "min": "1 ms", "max": "20 ms"},
        "deadlines": {"kind": "constrained", "low": 0.5, "high": 1.0},
        "jitter": [0.0, 0.4],
    }
    sets = TaskSets.generate(recipe, 60)
    kept = sets.assign("audsley", test="fp-rta", misfits="drop")
    assert kept.check("fp-rta").all() and 0 < len(kept) < len(sets)
    orders = [np.tile(order, len(sets)) for order in itertools.permutations(range(1, 5))]
    possible = np.any([sets.with_columns(priority=order).check("fp-rta") for order in orders], axis=0)
    assert len(kept) == possible.sum()


def test_assignments_say_what_is_wrong():
    with pytest.raises(fusee.FuseeError, match="there is no assignment `best`; there are `rate-monotonic`"):
        WANG.assign("best")
    with pytest.raises(fusee.FuseeError, match="`audsley` needs the `test`"):
        WANG.assign("audsley")
    with pytest.raises(fusee.FuseeError, match="asks no test"):
        WANG.assign("rate-monotonic", test="fp-rta")
    with pytest.raises(fusee.FuseeError, match="no response times"):
        WANG.assign("audsley", test="edf-qpa")
    with pytest.raises(fusee.OutsideAssumptions, match="no blocking terms"):
        TaskSet([Task(1, 4, blocking=1)]).assign("thresholds")
    with pytest.raises(ValueError, match="'raise' and 'drop'"):
        TaskSets.from_sets([WANG]).assign(misfits="ignore")


def nested():
    inner = Request(1, 2, count=2)
    outer = Request(0, 6, nested=(inner,))
    return TaskSet([
        Task(9, 100, core=0, priority=3, requests=(outer,)),
        Task(9, 120, core=1, priority=2, requests=(outer, Request(2, 1, reads=True))),
        Task(9, 140, core=1, priority=1, requests=(Request(1, 3),)),
    ])


def test_nested_sections_and_readers_reach_the_tests():
    tasks = nested()
    with pytest.raises(fusee.OutsideAssumptions, match="no nested critical sections, which task 0 breaks"):
        tasks.check("mpcp")
    assert None not in tasks.response_times("mrsp-nested")
    grouped = tasks.group_locks()
    assert [request.resource for task in grouped for request in task.requests] == [0, 0, 2, 0]
    assert not any(request.nested for task in grouped for request in task.requests)
    assert grouped.check("mpcp")


def test_readers_share():
    def shared(reads):
        requests = (Request(0, 9, reads=reads),)
        return TaskSet([Task(10, 100 + k, core=k, requests=requests) for k in range(4)])

    assert shared(True).response_times("spin-phase-fair") < shared(False).response_times("spin-phase-fair")
    assert shared(True).response_times("msrp-holistic") == shared(False).response_times("msrp-holistic")


def test_what_is_nested_comes_back_from_everywhere():
    sets = TaskSets.from_sets([nested(), nested()])
    assert sets[1].tasks[0].requests == nested().tasks[0].requests
    assert sets.depth.tolist()[:4] == [0, 1, 0, 1] and sets.reads.sum() == 2
    drawn = TaskSets.generate(NESTING, 20)
    assert drawn.depth.any() and drawn.reads.any()
    ways = [
        TaskSets.from_arrow(drawn.to_arrow()),
        TaskSets.from_pandas(drawn.to_pandas()),
        TaskSets.from_polars(drawn.to_polars()),
        TaskSets.from_sets(list(drawn)),
        TaskSets.concat([drawn[:7], drawn[7:]]),
    ]
    for way in ways:
        assert [one.tasks for one in way] == [one.tasks for one in drawn]
        assert (way.check("mrsp-nested", outside="mark") == drawn.check("mrsp-nested", outside="mark")).all()


def test_thresholds_come_back_from_everywhere():
    sets = TaskSets.from_sets([WANG.assign("thresholds"), WANG])
    assert [task.threshold for task in sets[0]] == [None, 3, 2] and sets[1].tasks == WANG.tasks
    assert TaskSets.from_arrow(sets.to_arrow()).threshold.tolist() == sets.threshold.tolist()
    both = TaskSets.concat([sets, TaskSets.from_sets([WANG])])
    assert both.threshold.tolist() == [3, 3, 2, 3, 2, 1, 3, 2, 1]
    assert both[2].tasks == WANG.tasks


@pytest.mark.parametrize("depth, most, at", [([1, 0], 0, 0), ([0, 2], 1, 1), ([0, 2**40], 1, 1)])
def test_a_depth_without_an_enclosing_section_is_named(depth, most, at):
    sets = TaskSets(
        offsets=[0, 1], wcet=[9], period=[99], request_offsets=[0, 2], resource=[0, 1], length=[4, 2], depth=depth
    )
    with pytest.raises(fusee.FuseeError, match=f"set 0: task 0: the depth of its request {at} is {depth[at]}, but at most {most} can"):
        sets.check("mrsp-nested")
    with pytest.raises(ValueError, match="`depth`"):
        sets[0]


def test_sections_nested_too_deep_are_named():
    deep = list(range(5000))
    sets = TaskSets(
        offsets=[0, 1], wcet=[9], period=[99], request_offsets=[0, 5000], resource=deep, length=[1] * 5000, depth=deep
    )
    with pytest.raises(fusee.FuseeError, match="request 33 is 33, but at most 32"):
        sets.check("mrsp-nested")
    with pytest.raises(ValueError, match=r"`depth`\[33\] is 33"):
        sets[0]


def test_reads_are_yes_or_no():
    columns = dict(offsets=[0, 1], wcet=[9], period=[99], request_offsets=[0, 1], resource=[0], length=[4])
    assert TaskSets(**columns, reads=[True])[0].tasks[0].requests[0].reads
    with pytest.raises(ValueError, match=r"`reads`\[0\] is 2"):
        TaskSets(**columns, reads=[2])


def remote():
    lock = Request(0, 4)
    return TaskSet([Task(9, 60, core=0, requests=(lock,)), Task(9, 90, core=1, requests=(lock,))])


def test_parameters_of_tests():
    tasks = TaskSet([*remote(), Task(20, 200, core=1)])
    here, there = (tasks.response_times(Configured("dpcp", homes=[home])) for home in (0, 1))
    assert here == tasks.response_times("dpcp")
    # The third task waits for what agents execute on its core.
    assert here[2] < there[2]
    tasks = remote()
    free = tasks.response_times(Configured("mrsp-2017", helping=(0, 0)))
    assert free == tasks.response_times("mrsp-2017")
    costly = tasks.response_times(Configured("mrsp-2017", helping=(2, 4)))
    assert all(more > less for more, less in zip(costly, free))
    pair = tasks.response_times(Configured("omlp-clusters", cluster=2))
    assert pair == tasks.response_times("omlp-clusters-of-2")
    assert tasks.check(Configured("omlp-clusters-edf", cluster=1)).test.name == "omlp-clusters-edf"


def test_parameters_that_make_no_sense_are_explained():
    wrong = [
        (Configured("dpcp", homes=[2]), "set 0: `homes`: the home core of resource 0 is 2; there are 2"),
        (Configured("dpcp", homes=[]), "`homes`: the home cores of 0 resources are given; there are 1"),
        (Configured("mpcp", homes=[0]), "`mpcp` has no such parameters; `homes` are of `dpcp`"),
        (Configured("omlp-clusters", cluster=0), "`cluster` is 0"),
        (Configured("omlp-clusters"), "needs the parameter `cluster`"),
        (Configured("dpcb"), "did you mean `dpcp`"),
    ]
    for test, message in wrong:
        with pytest.raises(fusee.FuseeError, match=message):
            remote().check(test)


def test_configured_tests_join_experiments():
    experiment = {
        "sets": 40,
        "recipe": {**NESTING, "tick": "1 us", "resources": {"kind": "random", "count": 4, "access": 0.7, "length": ["1 us", "25 us"]}},
        "tests": ["omlp-clusters-of-2"],
    }
    experiment["analysis"] = {"placement": experiment["recipe"].pop("placement")}
    results = fusee.sweep(experiment, tests={"own": Configured("omlp-clusters", cluster=2)}, progress=False)
    assert results.columns["schedulable"][0] == results.columns["schedulable"][1] > 0


def test_overheads_are_charged():
    tasks = remote()
    costs = {"context-switch": 2, "scheduling": 1, "lock": 1, "unlock": 1}
    assert [task.wcet for task in tasks.charge(costs)] == [17, 17]
    longer = tasks.charge(costs, sections="lengthened")
    assert [task.requests[0].length for task in longer] == [6, 6]
    suspends = tasks.charge(costs, waiting="suspends")
    assert [task.wcet for task in suspends] == [23, 23]
    # 6 of 60 ticks for interrupts: 17 / (1 - 6/60) is 19, and 6 / (1 - 6/60) is 7, each rounded up.
    interrupts = tasks.charge({**costs, "release": 6}, account="preemption-centric")
    assert interrupts.tasks[0].wcet == 19 + 2 * 7
    table = {"release": {"per": "tasks", "ticks": [[1, 3]]}}
    assert tasks.charge(table).tasks[0].wcet == 9
    with pytest.raises(fusee.FuseeError, match="set 0: release: its table ends at 0, but 1 tasks are involved"):
        tasks.charge({"release": {"per": "tasks", "ticks": []}})
    with pytest.raises(fusee.FuseeError, match="overheads: unknown field `relese`"):
        tasks.charge({"relese": 3})
    with pytest.raises(fusee.FuseeError, match="set 0 has no room for its overheads"):
        tasks.charge({"release": 60}, account="preemption-centric")
    sets = TaskSets.from_sets([tasks, tasks])
    assert len(sets.charge({"release": 60}, account="preemption-centric", misfits="drop")) == 0
    with pytest.raises(fusee.OutsideAssumptions, match="place it first"):
        TaskSet([Task(1, 4), Task(1, 5)], cores=2).charge(costs)


def test_charged_sets_are_those_of_experiments():
    recipe = {
        "utilizations": {"method": "uunifast", "tasks": 6, "total": 0.7},
        "periods": {"kind": "log-uniform", "min": "1 ms", "max": "20 ms"},
    }
    costs = {"context-switch": 20_000, "release": 10_000}
    overheads = {"*": {"costs": costs, "account": "preemption-centric"}}
    experiment = {"sets": 200, "recipe": recipe, "tests": ["fp-rta"], "analysis": {"overheads": overheads}}
    results = fusee.sweep(experiment, progress=False)
    read = fusee.sweeps.load(experiment)
    text, seed = read.recipe(0)
    charged = TaskSets.generate(text, 200, seed=seed).charge(costs, account="preemption-centric", misfits="drop")
    assert 0 < charged.check("fp-rta").sum() == results.columns["schedulable"][0] < 200


def test_times_are_scaled_until_a_test_refuses():
    tasks = TaskSet([Task(100, 400), Task(100, 800)])
    # Harmonic: 3/8 up to 1 is a factor of 8/3; with times rounded up 266 / 100.
    assert tasks.scaling("fp-rta") == 2.66
    assert tasks.scaling("fp-rta", "periods") == 0.375
    assert tasks.breakdown_utilization("fp-rta") == pytest.approx(266 / 400 + 266 / 800)
    hopeless = TaskSet([Task(1, 10, 5, jitter=6)])
    assert hopeless.scaling("fp-rta") is None and hopeless.breakdown_utilization("fp-rta") is None
    sets = TaskSets.from_sets([tasks, hopeless])
    assert sets.scaling("fp-rta", threads=2).tolist() == [2.66, None]
    with pytest.raises(fusee.FuseeError, match="there is no kind of times `deadlines`; there are `execution`, `periods`"):
        tasks.scaling("fp-rta", "deadlines")
    with pytest.raises(fusee.OutsideAssumptions):
        remote().scaling("fp-rta")
    with pytest.raises(fusee.FuseeError, match="set 0 takes more than 1 steps"):
        TaskSets.from_sets([tasks]).scaling("fp-rta", effort=1)


def test_the_factor_holds_and_a_thousandth_more_does_not():
    sets = TaskSets.generate(
        {
            "utilizations": {"method": "uunifast", "tasks": 5, "total": 0.6},
            "periods": {"kind": "log-uniform", "min": "1 ms", "max": "20 ms"},
        },
        50,
    )
    factors = sets.scaling("fp-rta")
    thousandths = np.repeat(np.rint(factors * 1000).astype(np.uint64), np.diff(sets.offsets))

    def longer(by):
        return sets.with_columns(wcet=(sets.wcet * by + np.uint64(999)) // np.uint64(1000))

    assert longer(thousandths).check("fp-rta").all()
    assert not longer(thousandths + np.uint64(1)).check("fp-rta").any()
    np.testing.assert_allclose(longer(thousandths).utilization(), sets.breakdown_utilization("fp-rta"))
