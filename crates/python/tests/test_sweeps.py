"""Experiments: threads, interruptions and clusters, the same bytes."""

import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import fusee
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from fusee import _fusee, sweeps

EXPERIMENT = """
title = "Python and Dask"
sets = 60
chunk = 4
tests = ["fp-rta", "fp-hyperbolic"]
[recipe]
utilizations = { method = "uunifast", tasks = 10, total = 0.5 }
periods = { kind = "log-uniform", min = "1 ms", max = "1 s" }
[grid]
tasks = { path = "utilizations.tasks", values = [5, 10] }
load = { path = "utilizations.total", from = 0.6, to = 1.0, step = 0.1 }
[[figures]]
name = "figure"
x = "load"
"""


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "experiment.toml"
    path.write_text(EXPERIMENT)
    return path


@pytest.fixture
def expected(experiment):
    return fusee.sweep(experiment, threads=2).files


def test_results_come_as_frames_and_files(experiment, expected, tmp_path):
    results = fusee.sweep(experiment, threads=1)
    assert results.files == expected
    assert results.axes == ["tasks", "load"]
    pandas, polars, arrow = results.to_pandas(), results.to_polars(), results.to_arrow()
    assert isinstance(pandas, pd.DataFrame) and isinstance(polars, pl.DataFrame)
    assert len(pandas) == len(polars) == arrow.num_rows == len(results) == 2 * 5 * 2
    names = {path.name for path in results.save(tmp_path / "out")}
    figures = {f"figure-tasks-{n}.{kind}" for n in (5, 10) for kind in ("svg", "png")}
    assert names == {"results.csv", "results.parquet"} | figures


def test_parquet_reads_elsewhere_as_written(experiment, expected):
    results = fusee.sweep(experiment)
    from_arrow = pq.read_table(io.BytesIO(expected["results.parquet"])).to_pandas()
    from_polars = pl.read_parquet(io.BytesIO(expected["results.parquet"])).to_pandas()
    from_csv = pd.read_csv(io.BytesIO(expected["results.csv"]))
    for name, values in results.columns.items():
        assert list(from_arrow[name]) == list(values) == list(from_polars[name]), name
        if name.startswith("ratio"):
            np.testing.assert_allclose(from_csv[name], values, atol=1e-6)
        else:
            assert list(from_csv[name]) == list(values), name


def test_shares_agree_with_columnar_calls(experiment):
    rows = fusee.sweep(experiment).to_pandas()
    exact = rows[rows.test == "fp-rta"].set_index(["tasks", "load"]).schedulable
    sufficient = rows[rows.test == "fp-hyperbolic"].set_index(["tasks", "load"]).schedulable
    assert (exact >= sufficient).all() and (exact > sufficient).any()


def test_a_log_is_taken_up_again(experiment, expected, tmp_path):
    log = tmp_path / "sweep.log"
    plan = sweeps.load(experiment)
    opened = _fusee.Log(str(log), plan)
    for chunk in opened.open_chunks()[:40]:
        opened.add(plan.count(chunk))
    with pytest.raises(fusee.FuseeError, match="chunks are not done"):
        opened.files()
    with pytest.raises(fusee.FuseeError, match="written by another"):
        fusee.sweep(experiment, log=log)
    opened.close()
    size = log.stat().st_size
    assert fusee.sweep(experiment, log=log).files == expected
    assert log.stat().st_size > size


def test_damaged_records_are_refused(experiment, tmp_path):
    plan = sweeps.load(experiment)
    log = _fusee.Log(str(tmp_path / "sweep.log"), plan)
    record = bytearray(plan.count(0))
    record[9] ^= 1
    with pytest.raises(fusee.FuseeError, match="damaged"):
        log.add(bytes(record))
    with pytest.raises(fusee.FuseeError, match="there is no chunk"):
        plan.count(plan.chunks)


def test_wrong_experiments_are_explained(experiment, tmp_path):
    experiment.write_text(EXPERIMENT.replace('"fp-rta"', '"fp-rat"'))
    with pytest.raises(fusee.FuseeError, match=r"F1204(.|\n)*experiment.toml:5(.|\n)*did you mean `fp-rta`"):
        fusee.sweep(experiment)
    with pytest.raises(FileNotFoundError):
        fusee.sweep(tmp_path / "missing.toml")
    with pytest.raises(ValueError, match="`sample` is 0"):
        fusee.sweep(experiment, sample=0)


def test_plots_show_every_test(experiment):
    import matplotlib

    matplotlib.use("Agg")
    results = fusee.sweep(experiment)
    axes = results.plot("load", tasks=5)
    assert [line.get_label() for line in axes.get_lines()] == ["fp-rta", "fp-hyperbolic"]
    assert axes.get_xlabel() == "load"
    with pytest.raises(ValueError, match="several values of `tasks`"):
        results.plot("load")
    with pytest.raises(ValueError, match="no axis `lode`"):
        results.plot("lode")
    with pytest.raises(ValueError, match="no value 6"):
        results.plot("load", tasks=6)


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        yield cluster


def test_a_cluster_gives_the_same_bytes(experiment, expected, cluster):
    from distributed import Client

    with Client(cluster) as client:
        assert fusee.sweep(experiment, cluster=client).files == expected
    assert fusee.sweep(experiment, cluster=cluster.scheduler_address).files == expected


def test_a_killed_worker_loses_nothing(tmp_path, cluster):
    from distributed import Client

    # Longer, so that workers die at work.
    path = tmp_path / "experiment.toml"
    path.write_text(EXPERIMENT.replace("sets = 60", "sets = 4000").replace("tasks = 10, total", "tasks = 40, total"))
    expected = fusee.sweep(path, threads=2).files
    log = tmp_path / "sweep.log"
    killed = []

    def victim():
        # A worker that was killed before may be on its way back.
        while True:
            for worker in list(cluster.workers.values()):
                process = getattr(worker, "process", None)
                if process is not None and process.is_alive() and process.process.pid is not None:
                    return process.process.pid
            time.sleep(0.001)

    def kill():
        for goal in (2_000, 20_000):
            while not log.exists() or log.stat().st_size < goal:
                time.sleep(0.001)
            pid = victim()
            os.kill(pid, 9)
            killed.append((pid, log.stat().st_size))

    with Client(cluster) as client:
        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        files = fusee.sweep(path, log=log, cluster=client).files
        killer.join()
    assert len(killed) == 2 and killed[-1][1] < log.stat().st_size, killed
    assert files == expected


def test_the_command_line_drives_a_cluster(experiment, expected, tmp_path):
    binary = os.environ.get("FUSEE") or str(Path(__file__).parents[3] / "target/debug/fusee")
    arguments = [binary, "sweep", str(experiment), "--output", str(tmp_path / "out"), "--dask", "local", "--workers", "2"]
    run = subprocess.run(arguments, env={**os.environ, "FUSEE_PYTHON": sys.executable}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    written = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.name != "sweep.log"}
    assert written == expected
    broken = subprocess.run(
        [*arguments, "--restart"], env={**os.environ, "FUSEE_PYTHON": "/no/such/python"}, capture_output=True, text=True
    )
    assert broken.returncode == 3 and "pip install ." in broken.stderr


def test_a_local_cluster_works_in_a_script_without_a_guard(experiment, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"import fusee\nprint('begins')\nprint(fusee.sweep({str(experiment)!r}, cluster='local', threads=2))\n")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    # Workers that import the script again would begin again, or fail.
    assert (run.returncode, run.stdout.count("begins"), "Traceback" in run.stderr) == (0, 1, False), run.stderr


def test_a_cluster_says_how_far_it_is(experiment, expected, cluster):
    from distributed import Client

    steps = []
    with Client(cluster) as client:
        files = fusee.sweep(experiment, cluster=client, progress=lambda *step: steps.append(step)).files
    chunks = sweeps.load(experiment).chunks
    assert files == expected and steps[0] == (0, chunks) and steps[-1] == (chunks, chunks)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps) and len(steps) > 2


def test_what_is_no_cluster_is_told(experiment):
    for wrong in (5, ["local"], object()):
        with pytest.raises(TypeError, match=r"a `distributed.Client`, the address of a scheduler, or"):
            fusee.sweep(experiment, cluster=wrong)
