"""How fine ticks are decides about no set: what is accepted in microseconds is in nanoseconds."""

import fusee
import numpy as np
import pytest

THOUSAND = np.uint64(1000)
TIMES = ("wcet", "period", "deadline", "jitter", "offset", "suspension", "blocking", "length")
PERIODS = {"kind": "log-uniform", "min": "10 ms", "max": "1 s"}
SEVERAL = {
    "tick": "1 us",
    "cores": 4,
    "utilizations": {"method": "uunifast-discard", "tasks": 12, "total": 2.2},
    "periods": PERIODS,
}
RECIPES = {
    "one core": {
        "tick": "1 us",
        "utilizations": {"method": "uunifast", "tasks": 8, "total": 0.9},
        "periods": PERIODS,
        "deadlines": {"kind": "constrained", "low": 0.7, "high": 1.0},
    },
    "any core": SEVERAL,
    "resources": {
        **SEVERAL,
        "placement": {"fit": "worst"},
        "resources": {"kind": "random", "count": 6, "access": 0.3, "length": ["100 us", "2 ms"]},
    },
}


@pytest.mark.parametrize("recipe", RECIPES)
def test_finer_ticks_refuse_nothing(recipe):
    coarse = fusee.TaskSets.generate(RECIPES[recipe], 60)
    given = {name: getattr(coarse, name) for name in TIMES}
    fine = coarse.with_columns(**{name: column * THOUSAND for name, column in given.items() if column is not None})
    covered = accepted = 0
    for test in fusee.tests():
        try:
            before, after = (sets.check(test.name, outside="mark") for sets in (coarse, fine))
        except fusee.OutsideAssumptions:
            continue  # these tests need places
        covered += bool((before >= 0).any())
        accepted += int((before == 1).sum())
        assert not ((before == 1) & (after == 0)).any(), test.name
    assert covered >= 7 and accepted > 300
