"""``scripts/bench-compare`` tells a slower machine from a slower test."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NAMES = ["fp_rta", "edf_qpa", "mpcp", "dpcp"]


@pytest.fixture
def compare(tmp_path):
    """Runs the script over figures that were kept and figures that were measured."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "experiments").mkdir()
    (tmp_path / "target").mkdir()
    shutil.copy(ROOT / "scripts/bench-compare", tmp_path / "scripts")

    def written(name, rates, workload="n = 20"):
        lines = [json.dumps({"name": of, "workload": workload, "sets_per_s": rate}) for of, rate in rates]
        (tmp_path / name).write_text("\n".join(lines) + "\n")

    def run(measured, *arguments, workload="n = 20"):
        written("experiments/benchmarks.jsonl", [(name, 1000) for name in NAMES])
        written("target/bench.jsonl", measured, workload)
        command = [sys.executable, tmp_path / "scripts/bench-compare", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    return run


def test_a_slower_machine_is_no_slower_test(compare):
    run = compare([(name, 400) for name in NAMES])
    assert run.returncode == 0, run.stderr
    assert "0.40 times" in run.stdout


def test_what_is_slower_than_the_others_is_named(compare):
    run = compare([(name, 400) for name in NAMES] + [("mpcp", 200)])
    assert run.returncode == 1
    assert run.stderr == "bench-compare: slower: mpcp\n"


def test_what_cannot_be_compared_is_refused(compare):
    assert "only 2 figures" in compare([(name, 400) for name in NAMES[:2]]).stderr
    assert "another workload" in compare([(name, 400) for name in NAMES], workload="n = 40").stderr
    assert compare([], "--other").returncode == 1


def test_the_kept_figures_have_the_form_that_is_read():
    lines = [json.loads(line) for line in (ROOT / "experiments/benchmarks.jsonl").read_text().splitlines()]
    assert len(lines) > 5 and all(line["sets_per_s"] > 0 and line["workload"] for line in lines)
