"""The notebooks run from top to bottom, with few sets."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[3] / "experiments"


def test_the_reproduction_runs(monkeypatch):
    monkeypatch.setenv("FUSEE_SAMPLE", "0.002")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(FOLDER / "reproduction.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": FOLDER}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    tables = [output for output in outputs if "text/html" in output.get("data", {})]
    assert len(pictures) == 6 and len(tables) == 2


def test_a_protocol_and_a_generator_of_ones_own_join_an_experiment(monkeypatch):
    monkeypatch.setenv("FUSEE_SAMPLE", "0.1")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(FOLDER / "own-protocol.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(len(source.splitlines()) for source in code) < 40
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": FOLDER}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 1
    # The coarser bound accepts nothing that the finer one refuses.
    better = outputs[-1]["data"]["text/plain"]
    assert better.startswith("(0, ")
