"""Descriptions give in Python what they give on the command line."""

import json
import os
import subprocess
from pathlib import Path

import fusee
import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
FUSEE = os.environ.get("FUSEE", str(ROOT / "target/debug/fusee"))


def command_line(*arguments):
    # Paths below the folder in which a command runs are relative, and those in Python are not.
    elsewhere = ROOT / "book"
    run = subprocess.run(
        [FUSEE, *arguments, "--json"], capture_output=True, text=True, cwd=elsewhere
    )
    assert run.stdout, run.stderr
    document = json.loads(run.stdout)
    # What a document is made from, and in which form: a dictionary in Python has neither.
    assert document.pop("schema") and document.pop("provenance")
    return document


@pytest.mark.parametrize("name", ["pathfinder/inherited", "cores/bad", "ceiling/opposite"])
def test_an_analysis_is_that_of_the_command_line(name):
    path = EXAMPLES / f"{name}.camkes"
    assert fusee.analyze(path) == command_line("analyze", str(path))
    assert fusee.check(path) == command_line("check", str(path))


def test_bounds_may_rest_on_offsets(tmp_path):
    path = tmp_path / "pair.camkes"
    path.write_text(
        "component Work { control; }\n"
        "assembly {\n"
        "    composition { component Work fast; component Work slow; }\n"
        "    configuration {\n"
        '        fast.period = "10 ms"; fast.wcet = "3 ms"; fast.priority = 20;\n'
        '        slow.period = "10 ms"; slow.wcet = "2 ms"; slow.priority = 10; slow.offset = "4 ms";\n'
        "    }\n"
        "}\n",
        encoding="utf-8",
    )
    bounds = lambda analysis: {task["name"]: task["response_bound_ns"] for task in analysis["tasks"]}
    assert bounds(fusee.analyze(path))["slow"] == 5_000_000
    known = fusee.analyze(path, offsets=True)
    assert bounds(known)["slow"] == 2_000_000
    assert known["offsets"]
    assert known == command_line("analyze", str(path), "--offsets")
    with pytest.raises(ValueError, match="leave `offsets` out"):
        fusee.analyze(path, sensitivity=True, offsets=True)


def test_costs_of_a_platform_count():
    path = EXAMPLES / "ceiling/opposite.camkes"
    costly = fusee.analyze(path, platform="qemu-rv64")
    assert costly == command_line("analyze", str(path), "--platform", "qemu-rv64")
    bound = lambda analysis: analysis["tasks"][0]["response_bound_ns"]
    assert bound(costly) > bound(fusee.analyze(path))


def test_a_run_is_that_of_the_command_line():
    path = EXAMPLES / "pathfinder/inherited.camkes"
    drawn = fusee.simulate(path, duration="2 s", seed=7, execution="random", releases="drawn")
    options = ["--for", "2s", "--seed", "7", "--execution", "random", "--releases", "drawn"]
    assert drawn == command_line("simulate", str(path), *options)
    assert drawn != fusee.simulate(path, duration="2 s")


def test_macros_reach_the_preprocessor(tmp_path):
    path = tmp_path / "system.camkes"
    path.write_text(
        "component A { control; }\nassembly { composition { component A a; }\n"
        'configuration { a.period = PERIOD; a.wcet = "1 ms"; } }\n'
    )
    analysis = fusee.analyze(path, defines=['PERIOD="20 ms"'])
    assert analysis["schedulable"]
    assert not fusee.check(path)["usable"]
    with pytest.raises(TypeError, match="a list"):
        fusee.check(path, defines="PERIOD=1")


def test_what_is_wrong_is_said_with_its_place(tmp_path):
    path = tmp_path / "system.camkes"
    path.write_text("assembly {\n    composition { component Nobody n; }\n}\n")
    checked = fusee.check(path)
    assert not checked["usable"] and checked["diagnostics"]
    with pytest.raises(fusee.FuseeError, match=r"Nobody(.|\n)*system.camkes:2"):
        fusee.analyze(path)
    with pytest.raises(fusee.FuseeError, match="absent.camkes"):
        fusee.simulate(tmp_path / "absent.camkes")


def test_wrong_options_are_refused():
    path = EXAMPLES / "ceiling/opposite.camkes"
    with pytest.raises(fusee.FuseeError, match="no platform `qemu`; there are sim, "):
        fusee.analyze(path, platform="qemu")
    with pytest.raises(fusee.FuseeError, match="no known unit"):
        fusee.simulate(path, duration="5")
    with pytest.raises(fusee.FuseeError, match="no execution `best`; there are `worst`, `random`"):
        fusee.simulate(path, execution="best")
