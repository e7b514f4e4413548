"""What commands print: tables for people and for programs, in six formats, prose and notes.

All text of the data becomes output here: what people read has its controls made visible, what programs read keeps the
data. JSON can do both: a control is escaped there.
"""

from __future__ import annotations

import io
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import Any

from cranfield.formats.text_tables import Row, aligned, as_json, as_latex, as_markdown, is_number, line_of, separated
from cranfield.text import told, visible


class TableFormat(StrEnum):
    """What a table can be written as."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


def emit(
    rows: Sequence[Row], format: TableFormat, output: Path | None = None, title: str = "", document: object = None
) -> None:
    """Print a table, or write it to a file. `document` is what JSON shows instead of the rows."""
    shown = rows if document is None else document
    if output is None and (format not in SEPARATED or sys.stdout.isatty()):
        rows, title = seen(rows), visible(title)
    if format in SEPARATED and SAFE_CELLS.get():
        rows = [_safe(row) for row in rows]
    text = WRITERS[format](rows, title) if format in WRITERS else as_json(shown)
    if output is None:
        sys.stdout.write(text)
    else:
        from cranfield.formats.whole_files import write_text

        write_text(output, text)


def seen(rows: Sequence[Row]) -> list[Row]:
    r"""Rows as people may see them.

    >>> seen([{"run": "a\x1b[2J", "AP": 0.5}])
    [{'run': 'a␛[2J', 'AP': 0.5}]
    """
    return [
        {visible(name): visible(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in rows
    ]


def _safe(row: Row) -> dict[str, Any]:
    """A row in which a spreadsheet finds no formula.

    >>> _safe({"run": "=1+1", "AP": -0.5})
    {'run': "'=1+1", 'AP': -0.5}
    """

    def safe(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value

    return {safe(name): safe(value) for name, value in row.items()}


def say(text: str = "") -> None:
    """Print prose: on a terminal its lines are broken between words, in a pipe they are left as they are."""
    lines = visible(text).split("\n")
    if sys.stdout.isatty():
        lines = [_broken(line, shutil.get_terminal_size().columns) for line in lines]
    sys.stdout.write("".join(line + "\n" for line in lines))


def say_with(done: str, remarks: Iterable[str]) -> None:
    """Say what was done, and on the side what should be known of it."""
    say(done)
    notes(remarks)


def summary(out: Path, text: str) -> None:
    """Say in a line what was written to a file; where that is the standard output, on the side."""
    if str(out) == "-":
        note(text)
    else:
        say(text)


def note(text: str) -> None:
    """Say on the side what whoever reads the result should know: one line on stderr."""
    sys.stderr.write(f"note: {one_line(text)}\n")


def one_line(text: str) -> str:
    r"""A message as it is printed, whatever names stand in it.

    >>> one_line("a\nrun\x1b[2J")
    'a run␛[2J'
    """
    return told(text)


def notes(lines: Iterable[str]) -> None:
    """Say several such lines."""
    for line in lines:
        note(line)


def _broken(line: str, columns: int) -> str:
    r"""A line in lines of so many columns; what is indented goes on further in.

    >>> _broken("  indented, and too long", 16)
    '  indented, and\n    too long'
    """
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line, columns, subsequent_indent=2 * indent, break_on_hyphens=False)


def as_table(rows: Sequence[Row], title: str = "") -> str:
    """Aligned columns; as wide as the terminal at most, as wide as need be in a pipe."""
    return _fitted(rows, title) if sys.stdout.isatty() else aligned(rows, title)


def _fitted(rows: Sequence[Row], title: str) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", box=None, pad_edge=False)
    for name in rows[0] if rows else []:
        table.add_column(Text(name), justify="right" if is_number(rows, name) else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(line_of(value)) for value in row.values()))
    stream = io.StringIO()
    Console(file=stream, force_terminal=True, highlight=False).print(table)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # how a formula starts
SAFE_CELLS = ContextVar("SAFE_CELLS", default=False)  # whether --safe-csv was given
SEPARATED = (TableFormat.csv, TableFormat.tsv)
WRITERS: dict[TableFormat, Callable[[Sequence[Row], str], str]] = {
    TableFormat.table: as_table,
    TableFormat.csv: separated(","),
    TableFormat.tsv: separated("\t"),
    TableFormat.markdown: as_markdown,
    TableFormat.latex: as_latex,
}
