"""The pages of the docs that show Python and SQL are true."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import cranfield
from tests.namespaces import interface_functions
from tests.pages import DOCS, PAGES, render

pytestmark = pytest.mark.full

NEEDED = {"howto/shapes.md": "polars", "howto/parallel.md": "joblib"}


def as_text(text: str) -> Any:
    """A notebook, with pictures and HTML only named: their bytes depend on the versions of matplotlib and pandas."""
    document = json.loads(text)
    for cell in document["cells"]:
        for output in cell.get("outputs", ()):
            output["data"] = {kind: value if kind == "text/plain" else "" for kind, value in output["data"].items()}
    return document


@pytest.mark.parametrize("name", PAGES)
def test_the_outputs_are_those_of_the_code(name: str, workshop: Path, tmp_path: Path) -> None:
    """A stale page fails; `python -m tests.pages` mends it."""
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    shutil.copy(workshop, tmp_path / "workshop.db")
    undrawn = {"draw": lambda _: b""} if name.endswith("ipynb") else {}
    stands, runs = render(name, tmp_path, **undrawn)
    assert (as_text(stands) == as_text(runs)) if name.endswith("ipynb") else stands == runs


def test_the_page_on_python_shows_every_function() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    names = {name for name in cranfield.__all__ if not name.endswith(("Error", "Warning"))}
    names |= {function.__name__ for function in interface_functions()}
    shown = {part for chain in re.findall(r"cranfield((?:\.\w+)+)", text) for part in chain.split(".")}
    assert names - shown == set()


def test_the_first_lines_of_the_readme_say_it_all() -> None:
    """What it is, for whom, how to begin, and what comes out, in 25 lines."""
    head = (DOCS.parent / "README.md").read_text(encoding="utf-8").splitlines()[:25]
    phrases = (
        "Score your retrieval systems",
        "pip install '.[all]'",
        "cranfield demo",
        "report.png",
        "For researchers",
        "Out come",
    )
    assert [words for words in phrases if not any(words in line for line in head)] == []
    assert head[-1].endswith(".")


def test_the_page_on_sql_names_every_view() -> None:
    from cranfield.hooks import tables_of_features
    from cranfield.store.datasette import SHOWN

    text = (DOCS / "sql.md").read_text(encoding="utf-8")
    views = {*SHOWN, *(name for table in tables_of_features().values() for name in table.shown)}
    assert {name for name in views if f"| `{name}` |" not in text} == set()
