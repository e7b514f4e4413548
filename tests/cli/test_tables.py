"""Tables in a pipe: the same as a terminal that is wide enough would show."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cranfield.cli.tables import Display, TableFormat, emit, say
from cranfield.formats.text_tables import aligned, cell

Capture = pytest.CaptureFixture[str]

VALUES: list[Any] = ["", "bm25", "日本語", "é", "e\u0301x", "two words", 1, 0.5, -12.25, float("nan"), None, True]
NAMES = ["run", "AP", "nDCG@10", "記号"]


def drawn(rows: list[dict[str, Any]]) -> str:
    """The table as the terminal library draws it, without any width to keep."""
    table = Table(box=None, pad_edge=False)
    for name in rows[0]:
        number = any(isinstance(row[name], int | float) and not isinstance(row[name], bool) for row in rows)
        table.add_column(Text(name), justify="right" if number else "left")
    for row in rows:
        table.add_row(*(Text(cell(row[name])) for name in rows[0]))
    stream = io.StringIO()
    Console(file=stream, width=10_000, highlight=False).print(table)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


@given(columns=st.lists(st.sampled_from(NAMES), min_size=1, unique=True), data=st.data())
def test_columns_are_aligned(columns: list[str], data: st.DataObject) -> None:
    """Wide and combining characters, numbers, what is undefined."""
    row = st.fixed_dictionaries({name: st.sampled_from(VALUES) for name in columns})
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    assert aligned(rows, "") == drawn(rows)


@pytest.mark.parametrize("text", ["two\nlines", "two\r\nlines", "two\u2028lines"])
def test_a_row_is_a_line(text: str) -> None:
    """A line end inside a cell ends no line; the title stands above, whole."""
    assert aligned([{"run": text}], "a title wider than it") == "a title wider than it\nrun\ntwo lines\n"


def test_prose_is_broken_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """In a pipe a sentence is a line; on a terminal no word is cut."""
    sentence = "a run is left out of the pool with all that only it brought"
    say(f"{sentence}\n\nnext")
    assert capsys.readouterr().out == f"{sentence}\n\nnext\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    say(f"{sentence}\n\nnext")
    assert capsys.readouterr().out == "a run is left out of\nthe pool with all\nthat only it brought\n\nnext\n"


@pytest.mark.parametrize(
    ("form", "head"), [("table", "unique\n"), ("markdown", "| unique |"), ("csv", "alone"), ("json", '"alone"')]
)
def test_heads_are_for_people(capsys: pytest.CaptureFixture[str], form: str, head: str) -> None:
    """In what programs read a column keeps its name."""
    emit([{"alone": 5}], TableFormat(form), display=Display({"alone": "unique"}))
    assert head in capsys.readouterr().out
