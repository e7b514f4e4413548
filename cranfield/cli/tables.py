"""Everything that commands print: tables in six formats, prose, and notes.

Text from the data is made safe here: for people, control characters are made visible; for programs, the data stays as
it is. JSON serves both: it escapes control characters.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from cranfield.cli.colours import HEAD, UNSURE, painted
from cranfield.cli.layout import Paint, fitted, table_lines
from cranfield.formats.text_tables import (
    Figure,
    Row,
    aligned,
    as_json,
    as_latex,
    as_markdown,
    cell,
    separated,
    without_formulas,
)
from cranfield.text import on_terminal, printable_line


class TableFormat(StrEnum):
    """The formats of a table."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


class Display(NamedTuple):
    """How people see a table, by the names of its columns: heads, numbers as text, colours (found from the row).

    `spare` are the columns to leave out where there is no room, the first first.
    """

    heads: Mapping[str, str] = {}
    digits: Mapping[str, Callable[[Any], str]] = {}
    colours: Mapping[str, Callable[[Row], str]] = {}
    spare: Sequence[str] | None = None

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """The rows with heads and numbers for people."""
        return [{self.heads.get(name, name): self._figure(name, value) for name, value in row.items()} for row in rows]

    def _figure(self, name: str, value: Any) -> Any:
        return Figure(self.digits[name](value)) if name in self.digits and cell(value) != "-" else value

    def paints(self, rows: Sequence[Row]) -> Paint:
        """The colours of the cells on the standard output, heads in bold."""
        colours = {self.heads.get(name, name): colour for name, colour in self.colours.items()}

        def paint(row: int, head: str, text: str) -> str:
            meaning = HEAD if row < 0 else colours[head](rows[row]) if head in colours else ""
            return painted(text, meaning, sys.stdout)

        return paint


PLAIN = Display()


def emit(
    rows: Sequence[Row], format: TableFormat, output: Path | None = None, title: str = "", document: object = None,
    display: Display = PLAIN,
) -> None:  # fmt: skip
    """Print a table, or write it to a file. `document` replaces the rows in JSON.

    `display` is for people; CSV, TSV and JSON have the names and numbers of the rows.
    """
    shown, raw = rows if document is None else document, rows
    if format not in SEPARATED:
        rows = display.of(rows)
    if output is None and (format not in SEPARATED or sys.stdout.isatty()):
        rows, title = seen(rows), on_terminal(title)
    if format in SEPARATED and SAFE_CELLS.get():
        rows = without_formulas(rows)
    if format is TableFormat.table and output is None and sys.stdout.isatty():
        _print_fitted(rows, title, display, raw)
        return
    text = WRITERS[format](rows, title) if format in WRITERS else as_json(shown)
    if output is None:
        sys.stdout.write(text)
    else:
        from cranfield.formats.whole_files import write_text

        write_text(output, text)


def _print_fitted(rows: Sequence[Row], title: str, display: Display, raw: Sequence[Row]) -> None:
    """Print a table on the terminal: as wide as that, or as wide as needed with --wide."""
    spare = None if display.spare is None else [display.heads.get(name, name) for name in display.spare]
    table = fitted(rows, sys.maxsize if WIDE.get() else columns_of(sys.stdout), spare)
    if title:
        say(title)
    sys.stdout.writelines(f"{line}\n" for line in table_lines(table, display.paints(raw)))
    if table.note:
        say(table.note)


def seen(rows: Sequence[Row]) -> list[Row]:
    r"""Rows with control characters made visible.

    >>> seen([{"run": "a\x1b[2J", "AP": 0.5}])
    [{'run': 'a␛[2J', 'AP': 0.5}]
    """

    def plain(value: Any) -> Any:
        return on_terminal(value) if type(value) is str else value

    return [{on_terminal(name): plain(value) for name, value in row.items()} for row in rows]


def say(text: str = "", meaning: str = "", until: str = ":") -> None:
    """Print prose: wrapped between words on a terminal, unchanged in a pipe; its beginning may be coloured."""
    lines = wrapped(on_terminal(text), sys.stdout)
    lead, colon, rest = lines.partition(until) if meaning else ("", "", lines)
    sys.stdout.write(f"{painted(lead + colon, meaning, sys.stdout)}{rest}\n")


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
    """Print a note about the result on stderr: one line, wrapped between words on a terminal."""
    remark("note:", UNSURE, text)


def remark(kind: str, meaning: str, text: str) -> None:
    """Print a line of this kind on stderr."""
    lines = wrapped(f"{kind} {one_line(text)}", sys.stderr)
    sys.stderr.write(f"{painted(kind, meaning, sys.stderr)}{lines.removeprefix(kind)}\n")


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


def wrapped(text: str, stream: TextIO, after: int = 0) -> str:
    """The text with its lines wrapped to the terminal's width, `after` so many columns; unchanged if it is none."""
    if not stream.isatty():
        return text
    columns = columns_of(stream)
    return "\n".join(_broken(line, columns, after) for line in text.split("\n"))


def columns_of(stream: TextIO) -> int:
    """The columns of a terminal: COLUMNS, or those of the terminal itself."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(stream.fileno()).columns or 80
    return 80


def _broken(line: str, columns: int, after: int = 0) -> str:
    r"""A line wrapped to so many columns; indented lines continue with twice the indentation.

    >>> _broken("  indented, and too long", 16)
    '  indented, and\n    too long'
    """
    indent = " " * (len(line) - len(line.lstrip()))
    parts = {"subsequent_indent": 2 * indent, "break_on_hyphens": False, "break_long_words": False}
    return textwrap.fill(" " * after + line, columns, **parts)[after:]  # type: ignore[arg-type]


SAFE_CELLS = ContextVar("SAFE_CELLS", default=False)  # whether --safe-csv was given
WIDE = ContextVar("WIDE", default=False)  # whether --wide was given
SEPARATED = (TableFormat.csv, TableFormat.tsv)
WRITERS: dict[TableFormat, Callable[[Sequence[Row], str], str]] = {
    TableFormat.table: aligned,
    TableFormat.csv: separated(","),
    TableFormat.tsv: separated("\t"),
    TableFormat.markdown: as_markdown,
    TableFormat.latex: as_latex,
}
