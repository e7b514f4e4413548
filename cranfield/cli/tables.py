"""Everything that commands print: tables in six formats, prose, and notes.

Text from the data is made safe here: for people, control characters are made visible; for programs, the data stays as
it is. JSON serves both: it escapes control characters.
"""

from __future__ import annotations

import io
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import Any

from cranfield.formats.text_tables import Row, aligned, as_json, as_latex, as_markdown, is_number, line_of, separated
from cranfield.text import printable_line, visible


class TableFormat(StrEnum):
    """The formats of a table."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


def emit(
    rows: Sequence[Row], format: TableFormat, output: Path | None = None, title: str = "", document: object = None,
    heads: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Print a table, or write it to a file. `document` replaces the rows in JSON.

    `heads` are column heads for people; in CSV, TSV and JSON columns keep their names.
    """
    shown = rows if document is None else document
    if heads and format not in SEPARATED:
        rows = [{heads.get(name, name): value for name, value in row.items()} for row in rows]
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
    r"""Rows with control characters made visible.

    >>> seen([{"run": "a\x1b[2J", "AP": 0.5}])
    [{'run': 'a␛[2J', 'AP': 0.5}]
    """
    return [
        {visible(name): visible(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in rows
    ]


def _safe(row: Row) -> dict[str, Any]:
    """A row in which a spreadsheet sees no formula.

    >>> _safe({"run": "=1+1", "AP": -0.5})
    {'run': "'=1+1", 'AP': -0.5}
    """

    def safe(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value

    return {safe(name): safe(value) for name, value in row.items()}


def say(text: str = "") -> None:
    """Print prose: wrapped between words on a terminal, unchanged in a pipe."""
    lines = visible(text).split("\n")
    if sys.stdout.isatty():
        lines = [_broken(line, shutil.get_terminal_size().columns) for line in lines]
    sys.stdout.write("".join(line + "\n" for line in lines))


def say_with(done: str, remarks: Iterable[str]) -> None:
    """Say what was done, and add notes."""
    say(done)
    notes(remarks)


def summary(out: Path, text: str) -> None:
    """Say in one line what was written; as a note if it went to the standard output."""
    if str(out) == "-":
        note(text)
    else:
        say(text)


def note(text: str) -> None:
    """Print a note about the result: one line on stderr."""
    sys.stderr.write(f"note: {one_line(text)}\n")


def one_line(text: str) -> str:
    r"""A message on one line, safe to print whatever names it contains.

    >>> one_line("a\nrun\x1b[2J")
    'a run␛[2J'
    """
    return printable_line(text)


def notes(lines: Iterable[str]) -> None:
    """Print several notes."""
    for line in lines:
        note(line)


def _broken(line: str, columns: int) -> str:
    r"""A line wrapped to so many columns; indented lines continue with twice the indentation.

    >>> _broken("  indented, and too long", 16)
    '  indented, and\n    too long'
    """
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line, columns, subsequent_indent=2 * indent, break_on_hyphens=False)


def as_table(rows: Sequence[Row], title: str = "") -> str:
    """Aligned columns; at most as wide as the terminal, as wide as needed in a pipe."""
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


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # first characters of a formula
SAFE_CELLS = ContextVar("SAFE_CELLS", default=False)  # whether --safe-csv was given
POOL_HEADS = {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"}
SEPARATED = (TableFormat.csv, TableFormat.tsv)
WRITERS: dict[TableFormat, Callable[[Sequence[Row], str], str]] = {
    TableFormat.table: as_table,
    TableFormat.csv: separated(","),
    TableFormat.tsv: separated("\t"),
    TableFormat.markdown: as_markdown,
    TableFormat.latex: as_latex,
}
