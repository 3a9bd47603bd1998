"""Linear programs: HiGHS as a second opinion on every optimum."""

import fusee
import highspy
import numpy as np
import pytest

CORES = 4
RECIPE = {
    "tick": "1 us",
    "cores": CORES,
    "utilizations": {"method": "uunifast-discard", "tasks": 12, "total": 1.6, "max": 0.8},
    "periods": {"kind": "log-uniform", "min": "1 ms", "max": "100 ms"},
    "resources": {"kind": "random", "count": 4, "access": 0.5, "length": ["1 us", "100 us"], "requests": [1, 3]},
}


def solver():
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    return highs


def optimum(highs, program):
    """The optimum, solved by HiGHS."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.gains.size, program.limits.size
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = program.gains.astype(float)
    lp.col_lower_ = np.zeros(program.gains.size)
    lp.col_upper_ = program.most.astype(float)
    lp.row_lower_ = np.full(program.limits.size, -highspy.kHighsInf)
    lp.row_upper_ = program.limits.astype(float)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = program.starts
    lp.a_matrix_.index_ = program.variables
    lp.a_matrix_.value_ = program.factors.astype(float)
    assert highs.passModel(lp) == highspy.HighsStatus.kOk
    assert highs.run() == highspy.HighsStatus.kOk
    assert highs.getModelStatus() in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty)
    return highs.getInfo().objective_function_value


def placed(sets):
    """Tasks in turn on the cores."""
    sets.core = (np.arange(sets.wcet.size) % CORES).astype(np.uint64)
    sets.cores = CORES
    return sets


@pytest.mark.parametrize("test", ["msrp-holistic", "msrp-holistic-edf", "mpcp-lp", "fmlp-plus-lp"])
def test_highs_finds_the_same_optima(test):
    highs, compared, delayed = solver(), 0, 0
    for one in placed(fusee.TaskSets.generate(RECIPE, 90, seed=7)):
        subjects = range(CORES) if test == "msrp-holistic-edf" else range(len(one))
        for subject in subjects:
            by_core = test == "msrp-holistic-edf"
            of = one.tasks[subject]
            window = 5_000 if by_core else of.deadline or of.period
            try:
                program = one.linear_program(test, window, **{"core" if by_core else "task": subject})
            except fusee.FuseeError as error:
                assert "beyond its deadline" in str(error) and test == "mpcp-lp"
                continue
            best = optimum(highs, program)
            # Sections have whole lengths: what is above the optimum by less than rounding is the optimum.
            assert program.proved == int(np.floor(best + 1e-6)), (test, subject, one)
            assert program.used == program.proved
            compared += 1
            delayed += best > 0
    assert compared >= 300 and delayed > compared / 3, (compared, delayed)


def test_programs_are_asked_for_as_they_are_meant():
    one = fusee.TaskSets.generate(RECIPE, 1)[0]
    with pytest.raises(fusee.FuseeError, match="no linear program behind `fp-rta`.*msrp-holistic"):
        one.linear_program("fp-rta", 10, task=0)
    with pytest.raises(fusee.FuseeError, match="there is no task 12; there are 12"):
        one.linear_program("mpcp-lp", 10, task=12)
    with pytest.raises(ValueError, match="needs a core and nothing else"):
        one.linear_program("msrp-holistic-edf", 10, task=0)
    with pytest.raises(ValueError, match="`window` is -1"):
        one.linear_program("mpcp-lp", -1, task=0)
