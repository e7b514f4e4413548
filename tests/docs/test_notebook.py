"""The notebook of the docs, executed in a Jupyter kernel as a person does it."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.docs.programs import program_environment
from tests.pages import PANDAS_OPTIONS

pytestmark = pytest.mark.full

NOTEBOOK = ROOT / "docs" / "measure" / "notebook.ipynb"
WITHOUT_WIDGETS = "IProgress not found"  # what tqdm says where ipywidgets is not installed
SETTINGS = f"import pandas\npandas.set_option(*{PANDAS_OPTIONS})"


def shown(cell: Any) -> list[tuple[str, list[str]]]:
    """The outputs of a cell: which forms each has, and its text; pictures and HTML depend on versions of libraries."""
    found = []
    for output in cell.outputs:
        data = output.get("data", {"text/plain": output.get("text", output.get("evalue", ""))})
        lines = [line.rstrip() for line in data["text/plain"].splitlines()]
        if not (output.output_type == "stream" and WITHOUT_WIDGETS in lines[0]):
            found.append(
                (f"{output.output_type}: {', '.join(sorted(data))}", ["a figure"] if "image/png" in data else lines)
            )
    return found


def test_a_kernel_shows_what_the_notebook_has(workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell, in a folder with the demo's store; a warning would be one more output."""
    nbformat = pytest.importorskip("nbformat", reason="needs nbclient (pip install 'cranfield[test]')")
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient (pip install 'cranfield[test]')")
    pytest.importorskip("ipykernel", reason="needs ipykernel (pip install 'cranfield[test]')")
    shutil.copy(workshop, tmp_path / "workshop.db")
    monkeypatch.setenv("PYTHONPATH", program_environment()["PYTHONPATH"])
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    stands, runs = (nbformat.read(NOTEBOOK, as_version=4) for _ in range(2))
    runs.cells.insert(0, nbformat.v4.new_code_cell(SETTINGS))
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(runs, timeout=120, kernel_name="python3", resources=place).execute()
    for before, now in zip(stands.cells, runs.cells[1:], strict=True):
        if before.cell_type == "code":
            assert shown(now) == shown(before), before.source


def test_the_notebook_names_no_place_of_a_machine() -> None:
    """Neither a home folder, nor a temporary one, nor the checkout's."""
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert re.findall(r"(?:/home/|/root/|/tmp/|/Users/|/work/|site-packages|[A-Z]:\\\\)\S*", text) == []
