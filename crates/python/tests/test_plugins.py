"""Tests, placements and generators of one's own beside those of Fusee."""

import fusee
import numpy as np
import pytest

EXPERIMENT = {
    "title": "own",
    "sets": 300,
    "tests": ["mpcp", {"label": "P-RM", "test": "fp-rta", "resources": "ignored"}],
    "recipe": {
        "cores": 2,
        "tick": "1 us",
        "utilizations": {"method": "uunifast-discard", "tasks": 6, "total": 1.0, "max": 1.0},
        "periods": {"kind": "log-uniform", "min": "1 ms", "max": "100 ms"},
        "resources": {"kind": "random", "count": 2, "access": 0.5, "length": ["1 us", "50 us"]},
    },
    "analysis": {"placement": {"fit": "worst"}},
    "grid": {"load": {"path": "utilizations.total", "values": [0.8, 1.4]}},
}


def mpcp_again(sets):
    return sets.check("mpcp")


def never(sets):
    return np.zeros(len(sets), np.int8) - 1


def test_a_mapping_is_an_experiment(tmp_path):
    from fusee.columns import as_toml

    path = tmp_path / "experiment.toml"
    path.write_text(as_toml(EXPERIMENT))
    assert fusee.sweep(EXPERIMENT, progress=False).files == fusee.sweep(path, progress=False).files
    wrong = {**EXPERIMENT, "tests": ["fp-rat"]}
    with pytest.raises(fusee.FuseeError, match="did you mean `fp-rta`"):
        fusee.sweep(wrong)


def test_own_tests_see_the_sets_of_the_experiment():
    plain = fusee.sweep(EXPERIMENT, progress=False).to_pandas()
    results = fusee.sweep(EXPERIMENT, tests={"again": mpcp_again, "never": never}, progress=False)
    rows = results.to_pandas()
    own = rows[rows.label.isin(["again", "never"])]
    beside = rows[~rows.label.isin(["again", "never"])].reset_index(drop=True)
    assert len(own) == 4 and list(results.columns) == list(plain.columns)
    for name in plain.columns:
        assert list(beside[name]) == list(plain[name]), name
    counts = rows.pivot(index="load", columns="label", values="schedulable")
    assert (counts["again"] == counts["mpcp"]).all() and 0 < counts["mpcp"].sum() < 600
    assert (own[own.label == "never"].outside == 300).all() and own[own.label == "never"].ratio.isna().all()
    assert results.files["results.csv"].decode().splitlines()[0] == ",".join(plain.columns)


def test_own_tests_may_look_at_one_set():
    def mpcp(set):
        return set.check("mpcp").schedulable

    rows = fusee.sweep({**EXPERIMENT, "sets": 40}, tests={"one": fusee.each(mpcp)}, progress=False).to_pandas()
    counts = rows.pivot(index="load", columns="label", values="schedulable")
    assert (counts["one"] == counts["mpcp"]).all()


def test_own_placements_take_the_place_of_the_heuristic():
    def all_on_the_last(sets):
        return np.full(sets.wcet.size, 1)

    def nowhere(sets):
        return np.full(sets.wcet.size, -1)

    rows = fusee.sweep(EXPERIMENT, placement=all_on_the_last, progress=False).to_pandas()
    assert (rows[rows.load == 1.4].schedulable == 0).all() and rows[rows.load == 0.8].schedulable.sum() > 0
    rows = fusee.sweep(EXPERIMENT, placement=nowhere, progress=False).to_pandas()
    assert (rows.schedulable == 0).all() and (rows.sets == 300).all()
    with pytest.raises(ValueError, match="one whole number for each of"):
        fusee.sweep(EXPERIMENT, placement=lambda sets: [0], progress=False)


def test_own_generators_draw_at_each_point():
    def pairs(point, count, seed, first):
        random = np.random.default_rng([seed, first])
        wcet = random.integers(1, point["longest"], (count, 2), endpoint=True)
        return fusee.TaskSets(wcet=wcet, period=np.full((count, 2), 10))

    asked = {"title": "pairs", "sets": 600, "grid": {"longest": range(3, 10, 2)}, "tests": ["fp-rta"]}
    results = fusee.sweep(asked, generator=pairs, tests={"sum": lambda s: s.utilization() <= 1}, progress=False)
    rows = results.to_pandas()
    shares = rows[rows.label == "fp-rta"].ratio
    assert list(shares) == sorted(shares, reverse=True) and shares.iloc[0] == 1 > shares.iloc[-1]
    assert list(shares) == list(rows[rows.label == "sum"].ratio)
    assert rows.equals(fusee.sweep(asked, generator=pairs, tests={"sum": lambda s: s.utilization() <= 1}).to_pandas())
    with pytest.raises(fusee.FuseeError, match=r"`recip` is not known(.|\n)*no test `fp-rat`"):
        fusee.sweep({"recip": {}, "tests": ["fp-rat"]}, generator=pairs)
    with pytest.raises(ValueError, match="`TaskSets` with 250 sets are needed"):
        fusee.sweep(asked, generator=lambda *_: None)


def test_overheads_and_group_locks_are_those_of_experiments():
    resources = {"kind": "random", "count": 4, "access": 0.5, "length": ["1 us", "25 us"], "nesting": 0.5}
    costs = {"context-switch": 30_000, "lock": {"per": "machine-cores", "ticks": [[1, 9], [2, 2_000]]}}
    experiment = {
        "sets": 120,
        "recipe": {
            "cores": 2,
            "utilizations": {"method": "uunifast-discard", "tasks": 8, "total": 1.3},
            "periods": {"kind": "log-uniform", "min": "1 ms", "max": "20 ms"},
            "resources": resources,
        },
        "tests": ["mpcp", "mrsp-2017"],
        "analysis": {
            "placement": {"fit": "worst"},
            "group-locks": True,
            "overheads": {
                "*": {"costs": costs, "waiting": "suspends", "account": "preemption-centric"},
                "mrsp-2017": {"costs": costs, "helping": {"migration": 2_000, "non-preemptive": 20_000}},
            },
        },
    }
    alone = fusee.sweep(experiment, progress=False).columns
    beside = fusee.sweep(experiment, tests={"mine": fusee.each(lambda one: bool(one.check("mpcp")))}, progress=False).columns
    assert beside["label"] == ["mpcp", "mrsp-2017", "mine"]
    assert beside["schedulable"].tolist() == [*alone["schedulable"], alone["schedulable"][0]]
    assert beside["outside"].tolist() == [*alone["outside"], alone["outside"][0]]
    without = fusee.sweep({**experiment, "analysis": {"placement": {"fit": "worst"}, "group-locks": True}}, progress=False)
    assert (alone["schedulable"] < without.columns["schedulable"]).all() and alone["schedulable"].all()
    costs["lock"] = {"per": "machine-cores", "ticks": [[1, 9]]}
    assert (fusee.sweep(experiment, tests={"mine": never}, progress=False).columns["outside"] == 120).all()


def test_wrong_answers_name_the_test():
    with pytest.raises(ValueError, match="`mine` gave the shape"):
        fusee.sweep(EXPERIMENT, tests={"mine": lambda sets: [True]})
    with pytest.raises(ValueError, match="`mine` gave float64"):
        fusee.sweep(EXPERIMENT, tests={"mine": lambda sets: np.ones(len(sets))})
    with pytest.raises(ValueError, match="work here, without `cluster`"):
        fusee.sweep(EXPERIMENT, tests={"mine": never}, cluster="local")


def test_progress_reaches_the_end(capsys):
    seen = []
    files = fusee.sweep(EXPERIMENT, progress=lambda *at: seen.append(at)).files
    assert files == fusee.sweep(EXPERIMENT, progress=False).files
    assert seen == sorted(seen) and seen[-1][0] == seen[-1][1] > 1
    seen.clear()
    fusee.sweep(EXPERIMENT, tests={"never": never}, progress=lambda *at: seen.append(at))
    assert seen[-1] == (600, 600) and len(seen) == 4
    with pytest.raises(ZeroDivisionError):
        fusee.sweep(EXPERIMENT, progress=lambda done, total: 1 // 0)


def test_a_bar_is_drawn_when_it_takes_long(capsys, monkeypatch):
    from fusee import progress

    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    fusee.sweep(EXPERIMENT, tests={"never": never}, progress=True)
    assert capsys.readouterr().err.endswith("100 %\n")


def test_dominance_names_the_sets():
    recipe = EXPERIMENT["recipe"] | {"placement": {"fit": "worst"}}
    recipe["utilizations"] = recipe["utilizations"] | {"total": 1.4}
    sets = fusee.TaskSets.generate(recipe, 300)
    found = fusee.dominance(sets, ["msrp-classic", "msrp-holistic"])
    assert found["msrp-classic", "msrp-holistic"].size == 0
    better = found["msrp-holistic", "msrp-classic"]
    assert sets[better].check("msrp-holistic").all() and not sets[better].check("msrp-classic").any()


def test_sets_are_sliced_and_put_together():
    sets = fusee.TaskSets.generate(EXPERIMENT["recipe"] | {"placement": {"fit": "worst"}}, 20)
    halves = fusee.TaskSets.concat([sets[:10], sets[10:]])
    for name in ("offsets", "wcet", "period", "deadline", "priority", "core", "request_offsets", "resource", "length"):
        np.testing.assert_array_equal(getattr(halves, name), getattr(sets, name), err_msg=name)
    assert sets[[3, -1]][1] == sets[19] and sets[np.arange(20) == 3][0] == sets[3]
    with pytest.raises(IndexError, match="no set 20"):
        sets[[20]]
    with pytest.raises(TypeError, match="sets are chosen by"):
        sets[["a"]]
    bare = fusee.TaskSets(wcet=[[1]], period=[[4]], core=[[0]], cores=2)
    mixed = fusee.TaskSets.concat([bare, sets[:1]])
    assert mixed[0] == bare[0] and mixed[1] == sets[0]
    with pytest.raises(ValueError, match="different numbers of cores"):
        fusee.TaskSets.concat([sets, fusee.TaskSets(wcet=[[1]], period=[[4]])])


def test_sets_that_plugins_are_given_cannot_be_changed():
    def writes(sets):
        sets.wcet[:] = 1
        return sets.check("mpcp")

    def replaces(sets):
        sets.wcet = sets.wcet + np.uint64(1)
        return sets.check("mpcp")

    def moves(sets):
        sets.period[0] = 1
        return np.zeros(sets.wcet.size, np.int64)

    small = {**EXPERIMENT, "sets": 60}
    expected = fusee.sweep(small, progress=False).to_pandas()
    for name, wrong in (("test `writes`", {"tests": {"writes": writes}}), ("placement", {"placement": moves})):
        with pytest.raises(ValueError, match=f"the {name} writes into the columns .*with_columns"):
            fusee.sweep(small, progress=False, **wrong)
    # What it makes of its own copy is its own affair.
    rows = fusee.sweep(small, tests={"own": replaces}, progress=False).to_pandas()
    assert list(rows[rows.label != "own"].schedulable) == list(expected.schedulable)
    sets = fusee.TaskSets.generate(small["recipe"], 20).place()
    before = sets.wcet.copy()
    for call in (lambda: fusee.dominance(sets, {"a": writes, "b": "mpcp"}), lambda: fusee.refute(sets, {"a": writes}, "mpcp")):
        with pytest.raises(ValueError, match="writes into"):
            call()
    assert (sets.wcet == before).all() and sets.wcet.flags.writeable


def test_own_placements_need_none_in_the_experiment():
    unplaced = {name: value for name, value in EXPERIMENT.items() if name != "analysis"}
    with pytest.raises(fusee.FuseeError, match="nothing places their tasks"):
        fusee.sweep(unplaced, progress=False)
    by_turns = lambda sets: np.arange(sets.wcet.size) % 2  # noqa: E731
    rows = fusee.sweep({**unplaced, "sets": 50}, placement=by_turns, progress=False).to_pandas()
    assert 0 < rows.schedulable.sum() < rows.sets.sum()


def test_further_tests_are_names_or_functions_each_with_its_label():
    small = {**EXPERIMENT, "sets": 50}
    rows = fusee.sweep(small, tests=["msrp-holistic", mpcp_again], progress=False).to_pandas()
    assert list(rows.label.unique()) == ["mpcp", "P-RM", "msrp-holistic", "mpcp_again"]
    assert list(rows[rows.label == "mpcp"].schedulable) == list(rows[rows.label == "mpcp_again"].schedulable)
    rows = fusee.sweep(small, tests="msrp-holistic", progress=False).to_pandas()
    assert "msrp-holistic" in set(rows.label)
    with pytest.raises(ValueError, match="has a test `mpcp` already; another label"):
        fusee.sweep(small, tests={"mpcp": never}, progress=False)
    with pytest.raises(fusee.FuseeError, match="did you mean `msrp-classic`"):
        fusee.sweep(small, tests=["msrp-clasic"], progress=False)
    with pytest.raises(TypeError, match="the test `a` is 5; a function of `TaskSets` or the name"):
        fusee.sweep(small, tests={"a": 5}, progress=False)
    with pytest.raises(TypeError, match="`placement` is 'worst'; a function"):
        fusee.sweep(small, placement="worst", progress=False)


def test_runs_with_own_tests_go_on_where_they_were(tmp_path):
    log, asked = tmp_path / "own.log", []

    def counted(sets):
        asked.append(len(sets))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return sets.check("mpcp")

    with pytest.raises(KeyboardInterrupt):
        fusee.sweep(EXPERIMENT, tests={"own": counted}, log=log, progress=False)
    # The line that was being written when the power failed.
    with log.open("a") as file:
        file.write("[1, 250, 0, [[0")
    steps = []
    results = fusee.sweep(EXPERIMENT, tests={"own": counted}, log=log, progress=lambda *step: steps.append(step))
    assert asked == [250, 50, 250, 250, 50] and steps[-1] == (600, 600)
    assert results.files == fusee.sweep(EXPERIMENT, tests={"own": counted}, progress=False).files
    asked.clear()
    again = fusee.sweep(EXPERIMENT, tests={"own": counted}, log=log, progress=False)
    assert asked == [] and again.files == results.files
    for other in ({"tests": {"own": never}}, {"tests": {"other": counted}}, {"tests": {"own": counted}, "sample": 0.5}):
        with pytest.raises(fusee.FuseeError, match="belongs to another experiment or to other plug-ins"):
            fusee.sweep(EXPERIMENT, log=log, progress=False, **other)
    other = tmp_path / "other.log"
    other.write_text("a, b\n1, 2\n")
    with pytest.raises(fusee.FuseeError, match="is no log of a run with plug-ins"):
        fusee.sweep(EXPERIMENT, tests={"own": counted}, log=other, progress=False)


def test_own_tests_are_in_parquet_and_figures(tmp_path):
    import io

    import pyarrow.parquet as pq

    drawn = {**EXPERIMENT, "sets": 40, "figures": [{"name": "shares", "x": "load"}]}
    results = fusee.sweep(drawn, tests={"mine": mpcp_again}, progress=False)
    assert set(results.files) == {"results.csv", "results.parquet", "shares.svg", "shares.png"}
    assert "mine" in results.files["shares.svg"].decode()
    table = pq.read_table(io.BytesIO(results.files["results.parquet"])).to_pandas()
    assert list(table.columns) == list(results.columns) and list(table.schedulable) == list(results.columns["schedulable"])

    def pair(point, count, seed, first):
        return fusee.TaskSets(wcet=np.full((count, 2), point["c"]), period=np.full((count, 2), 10))

    own = fusee.sweep({"sets": 5, "grid": {"c": [2, 6], "kind": ["a"]}, "tests": ["fp-rta"]}, generator=pair, progress=False)
    table = pq.read_table(io.BytesIO(own.files["results.parquet"])).to_pandas()
    assert list(table.schedulable) == [5, 0] and list(table.kind) == ["a", "a"] and list(table.c) == [2, 6]
