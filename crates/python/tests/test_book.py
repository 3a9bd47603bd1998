"""What the book says about Python: every session is run, and every name that it gives exists."""

import doctest
import re
from pathlib import Path

import fusee
import pytest

BOOK = Path(__file__).parents[3] / "book/src"
#: Pages with sessions, and the least number of their examples.
PAGES = {"chains.md": 14, "python.md": 12, "from-schedcat.md": 7, "from-pycpa-simso.md": 8, "models.md": 18}


@pytest.mark.parametrize("page", PAGES)
def test_sessions_print_what_stands_there(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (BOOK / page).read_text(encoding="utf-8")
    described = re.findall(r"```camkes\n(.*?)```", text, re.DOTALL)
    (tmp_path / "system.camkes").write_text(described[-1] if described else "", encoding="utf-8")
    outcome = doctest.testfile(str(BOOK / page), module_relative=False)
    assert outcome.attempted >= PAGES[page] and outcome.failed == 0


def test_every_page_with_a_session_is_run():
    with_sessions = {page.name for page in BOOK.glob("*.md") if "\n>>> " in page.read_text(encoding="utf-8")}
    assert with_sessions == set(PAGES)


def test_tests_are_called_as_the_pages_say():
    known = {test.name for test in fusee.tests()} | {"omlp-clusters", "omlp-clusters-edf"}
    text = (BOOK / "from-schedcat.md").read_text(encoding="utf-8")
    tests = text[text.index("## Tests") : text.index("SchedCAT does not have")]
    named = [name for row in tests.splitlines() if row.count("|") == 3 for name in re.findall(r'"([a-z0-9-]+)"', row.split("|")[2])]
    assert len(named) > 30 and set(named) <= known


@pytest.mark.parametrize("page", ["from-schedcat.md", "from-pycpa-simso.md"])
def test_methods_and_arguments_are_called_as_the_pages_say(page):
    text = (BOOK / page).read_text(encoding="utf-8")
    right = [row.split(" | ")[-1] for row in text.splitlines() if row.startswith("| ")]
    named = [name for cell in right for name in re.findall(r"`(?:sets|tasks|curve)\.([a-z_]+)\(", cell)]
    known = {*dir(fusee.TaskSets), *dir(fusee.TaskSet), *dir(fusee.ArrivalCurve)}
    assert named and set(named) <= known
    classes = [name for cell in right for name in re.findall(r"`([A-Z][A-Za-z]+)\(", cell)]
    assert classes and all(hasattr(fusee, name) for name in classes)
