"""Sets for several cores: nobody gets a verdict of tasks that were never placed."""

import fusee
import numpy as np
import pytest
from fusee import Task, TaskSet

RECIPE = {
    "cores": 8,
    "utilizations": {"method": "uunifast-discard", "tasks": 24, "total": 3.0},
    "periods": {"kind": "log-uniform", "min": "10 ms", "max": "100 ms"},
    "resources": {"kind": "random", "count": 4, "access": 0.5, "length": ["1 us", "25 us"]},
}
WITHOUT_RESOURCES = {name: value for name, value in RECIPE.items() if name != "resources"}
PER_CORE = ["mpcp", "msrp-holistic", "mrsp-2017", "fp-rta", "edf-qpa"]


@pytest.fixture(scope="module")
def drawn():
    return fusee.TaskSets.generate(RECIPE, 40)


@pytest.mark.parametrize("test", PER_CORE)
@pytest.mark.parametrize("outside", ["raise", "mark"])
def test_unplaced_sets_are_an_error(drawn, test, outside):
    with pytest.raises(fusee.OutsideAssumptions, match="set 0: .* for several cores is not yet: place it first"):
        drawn.check(test, outside=outside)
    with pytest.raises(fusee.OutsideAssumptions, match="place it first"):
        drawn.response_times(test)
    with pytest.raises(fusee.OutsideAssumptions, match="place it first"):
        drawn[3].check(test)


def test_global_scheduling_needs_no_places():
    assert fusee.TaskSets.generate(WITHOUT_RESOURCES, 10).check("gfb").any()


@pytest.mark.parametrize("fit", ["first", "next", "best", "worst", "any", "resource-aware"])
@pytest.mark.parametrize("order", ["given", "decreasing-utilization", "decreasing-density", "increasing-period"])
def test_every_heuristic_fills_no_core_above_one(drawn, fit, order):
    placed = drawn.place(fit, order=order, misfits="drop")
    assert 0 < len(placed) <= len(drawn)
    for one in placed:
        load = np.zeros(8)
        for task in one:
            load[task.core] += task.utilization
        assert load.max() <= 1 + 1e-9
    assert placed.check("mpcp").dtype == np.bool_


def test_a_recipe_places_as_the_method_does(drawn):
    recipe = {**RECIPE, "placement": {"fit": "best", "order": "given"}}
    np.testing.assert_array_equal(fusee.TaskSets.generate(recipe, 40).core, drawn.place("best", order="given").core)
    assert drawn.place().check("mpcp").any()


def test_a_test_decides_what_a_core_accepts():
    alone = fusee.TaskSets.generate(WITHOUT_RESOURCES, 10)
    assert alone.place("first", test="fp-rta").check("fp-rta").all()


def test_sets_without_room_are_named_or_dropped():
    sets = fusee.TaskSets(wcet=[[3, 3, 3], [1, 1, 1]], period=[[4, 4, 4], [4, 4, 4]], cores=2)
    with pytest.raises(fusee.FuseeError, match="set 0 has a task that no core accepts, as 1 of 2 sets have"):
        sets.place()
    placed = sets.place(misfits="drop")
    assert len(placed) == 1 and placed.core.tolist() == [0, 1, 0]


def test_wrong_names_are_explained(drawn):
    with pytest.raises(fusee.FuseeError, match="unknown variant `wurst`, expected one of"):
        drawn.place("wurst")
    with pytest.raises(fusee.FuseeError, match="did you mean `fp-rta`"):
        drawn.place(test="fp-rtb")
    with pytest.raises(fusee.FuseeError, match="the recipe: placement"):
        fusee.TaskSets.generate({**RECIPE, "placement": {"fit": "wurst"}}, 1)


def test_objects_say_whether_they_are_placed():
    tasks = [Task(1, 4), Task(2, 6)]
    with pytest.raises(fusee.OutsideAssumptions, match="place it first"):
        TaskSet(tasks, cores=2).check("fp-rta")
    assert TaskSet(tasks, cores=2, placed=True).check("fp-rta")
    assert {task.core for task in TaskSet(tasks, cores=2).place()} == {0, 1}
    assert TaskSet(tasks, cores=2).place().check("fp-rta")
