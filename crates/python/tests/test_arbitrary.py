"""Anything at all as columns: an answer or an exception with a cause, never a crash."""

import random

import fusee
import numpy as np
import pyarrow as pa
import pytest

NUMBERS = [0, 1, 2, 3, 7, 40, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
ODD = [-1, -(2**63), 2**64, 1.0, 0.5, float("nan"), float("inf"), None, True, "7", b"7", [1], {}, object(), 1 + 2j]
NAMES = ["wcet", "period", "deadline", "jitter", "offset", "suspension", "blocking", "priority", "core", "threshold"]
REQUESTS = ["resource", "count", "length", "reads", "depth"]


def whole(dice, rows):
    small = dice.random() < 0.7
    return [dice.choice(NUMBERS[:6] if small else NUMBERS) for _ in range(rows)]


def column(dice, rows):
    """Mostly whole numbers in one of the forms that are taken; now and then anything."""
    kind = dice.randrange(12)
    if kind == 0:
        return [dice.choice(NUMBERS + ODD) for _ in range(rows)]
    if kind == 1:
        return dice.choice(ODD)
    if kind == 2:
        return np.array(whole(dice, rows + 1), dtype=np.uint64)
    if kind == 3:
        return np.array(whole(dice, 2 * rows), dtype=np.uint64)[::2]
    if kind == 4:
        return np.array([n % 128 for n in whole(dice, rows)], dtype=dice.choice(["i4", "u1", "f4", ">u4"]))
    if kind == 5:
        return pa.array(whole(dice, rows), type=pa.uint64())
    return np.array(whole(dice, rows), dtype=np.uint64)


def columns(dice):
    rows = dice.randrange(6)
    seldom = {"wcet": 1.0, "period": 1.0, "threshold": 0.1, "reads": 0.1, "depth": 0.1}
    given = {name: column(dice, rows) for name in NAMES if dice.random() < seldom.get(name, 0.4)}
    cuts = sorted(dice.randrange(rows + 1) for _ in range(dice.randrange(3)))
    given["offsets"] = [0, *cuts, rows] if dice.random() < 0.95 else column(dice, 3)
    if dice.random() < 0.5:
        starts = [0]
        for _ in range(rows):
            starts.append(starts[-1] + dice.randrange(3))
        given["request_offsets"] = starts if dice.random() < 0.9 else column(dice, rows)
        given.update({name: column(dice, starts[-1]) for name in REQUESTS if dice.random() < seldom.get(name, 0.95)})
    if dice.random() < 0.3:
        given["cores"] = dice.choice([1, 2, 8, 4096, 2**64, *ODD])
    return given


@pytest.mark.parametrize("seed", range(8))
def test_any_columns_are_answered_or_explained(seed):
    dice = random.Random(seed)
    names = [test.name for test in fusee.tests()]
    answers = explained = 0
    for _ in range(250):
        given = columns(dice)
        try:
            sets = fusee.TaskSets(**given)
            for name in dice.sample(names, 5):
                marks = sets.check(name, outside="mark", threads=dice.choice([1, 2]))
                assert len(marks) == len(sets) and set(marks.tolist()) <= {-1, 0, 1}
                answers += 1
        except (TypeError, ValueError) as error:
            # FuseeError and OutsideAssumptions are ValueErrors.
            assert len(str(error)) > 10, given
            explained += 1
    assert answers > 50 and explained > 50, (answers, explained)


@pytest.mark.parametrize("seed", range(4))
def test_any_recipe_is_drawn_or_explained(seed):
    dice = random.Random(seed)
    good = {
        "cores": 2,
        "utilizations": {"method": "uunifast-discard", "tasks": 4, "total": 0.9},
        "periods": {"kind": "log-uniform", "min": "1 ms", "max": "100 ms"},
        "resources": {"kind": "random", "count": 2, "access": 0.5, "length": ["1 us", "25 us"]},
    }
    values = [0, 1, -1, 0.5, 1e300, float("nan"), "", "1 ms", "1 mile", "uunisort", [], ["1 us"], {}, {"kind": "x"}]
    drawn = explained = 0
    for _ in range(150):
        recipe = {key: dict(value) if isinstance(value, dict) else value for key, value in good.items()}
        key = dice.choice(list(recipe))
        if isinstance(recipe[key], dict) and dice.random() < 0.8:
            recipe[key][dice.choice([*recipe[key], "other"])] = dice.choice(values)
        else:
            recipe[key] = dice.choice(values)
        try:
            assert len(fusee.TaskSets.generate(recipe, 3)) == 3
            drawn += 1
        except (TypeError, ValueError) as error:
            assert len(str(error)) > 5, recipe
            explained += 1
    assert drawn > 0 and explained > 50, (drawn, explained)
