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

NEEDED = {"measure/shapes.md": "polars", "operate/parallel.md": "joblib"}


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


def test_the_pages_on_python_show_every_function() -> None:
    pages = DOCS / "reference" / "python.md", DOCS / "reference" / "python" / "commands.md"
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    names = {name for name in cranfield.__all__ if not name.endswith(("Error", "Warning"))}
    names |= {function.__name__ for function in interface_functions()}
    shown = {part for chain in re.findall(r"cranfield((?:\.\w+)+)", text) for part in chain.split(".")}
    assert names - shown == set()


def test_the_first_lines_of_the_readme_say_it_all() -> None:
    """What it answers, a case, how to begin, and the commands for the user's files, in 15 lines."""
    head = (DOCS.parent / "README.md").read_text(encoding="utf-8").splitlines()[:15]
    phrases = (
        "Score your retrieval systems",
        "from rank 22 to 47",
        "at 0.988",
        "    pip install '.[all]' && cranfield demo",
        "    cranfield evaluate qrels.txt runs/*",
        "    cranfield reusability qrels.txt runs/*",
        "    cranfield diagnose qrels.txt runs/* new.run",
    )
    assert [words for words in phrases if not any(words in line for line in head)] == []


def test_the_page_on_sql_names_every_view() -> None:
    from cranfield.hooks import tables_of_features
    from cranfield.store.datasette import SHOWN

    text = (DOCS / "operate" / "sql.md").read_text(encoding="utf-8")
    views = {*SHOWN, *(name for table in tables_of_features().values() for name in table.shown)}
    assert {name for name in views if f"| `{name}` |" not in text} == set()
