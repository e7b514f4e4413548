"""What commands print: tables for people and for programs, in six formats, prose and notes.

All text of the data becomes output here: what people read has its controls made visible, what programs read keeps the
data. JSON can do both: a control is escaped there.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from cranfield.text import UNSEEN, told, visible

Row = Mapping[str, Any]
MARKUP = re.compile(r"[\\`*\[\]<>|&~$]|(?<!\w)_|_(?!\w)")  # an underscore within a word is one


class TableFormat(StrEnum):
    """What a table can be written as."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


def cell(value: object) -> str:
    """A value as people read it: four decimals as in trec_eval, a dash for what is undefined.

    >>> cell(0.5), cell(float("nan")), cell(3), cell(None), cell(True)
    ('0.5000', '-', '3', '-', 'yes')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


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
        from cranfield.formats.output import write_text

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


def as_written(text: str) -> None:
    """Print text in a format of its own: as it is for a program, its controls visible on a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(visible(text))
    else:
        typer.echo(text.encode("utf-8", "surrogateescape"), nl=False)


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


def as_json(document: object) -> str:
    """JSON, with null for what is undefined; controls are escaped, so that a terminal can show it.

    >>> print(as_json([{"run": "a", "value": float("nan")}]), end="")
    [
      {
        "run": "a",
        "value": null
      }
    ]
    """
    return UNSEEN.sub(_escaped, json.dumps(_defined(document), indent=2, ensure_ascii=False)) + "\n"


def _escaped(control: re.Match[str]) -> str:
    return json.dumps(control[0])[1:-1]


def _defined(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _defined(item) for key, item in value.items()}
    return [_defined(item) for item in value] if isinstance(value, (list, tuple)) else value


def as_table(rows: Sequence[Row], title: str = "") -> str:
    """Aligned columns; as wide as the terminal at most, as wide as need be in a pipe."""
    return _fitted(rows, title) if sys.stdout.isatty() else _aligned(rows, title)


def _line(value: object) -> str:
    return " ".join(cell(value).splitlines())


def _aligned(rows: Sequence[Row], title: str) -> str:
    """Columns as wide as their widest cell, two spaces apart.

    >>> print(_aligned([{"run": "a", "AP": 0.25}, {"run": "bm25", "AP": 1.0}], "scores"), end="")
    scores
    run       AP
    a     0.2500
    bm25  1.0000
    """
    names = list(rows[0]) if rows else []
    columns = [[name, *(_line(row[name]) for row in rows)] for name in names]
    padded = [
        [" " * (max(map(width, column)) - width(text)) + text for text in column]
        if _is_number(rows, name)
        else [text + " " * (max(map(width, column)) - width(text)) for text in column]
        for name, column in zip(names, columns, strict=True)
    ]
    lines = ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
    return "".join(line + "\n" for line in ([title] if title else []) + lines)


def width(text: str) -> int:
    """The cells that a text takes on a terminal: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _is_number(rows: Sequence[Row], name: str) -> bool:
    return any(isinstance(row[name], (int, float)) and not isinstance(row[name], bool) for row in rows)


def _fitted(rows: Sequence[Row], title: str) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", box=None, pad_edge=False)
    for name in rows[0] if rows else []:
        table.add_column(Text(name), justify="right" if _is_number(rows, name) else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_line(value)) for value in row.values()))
    stream = io.StringIO()
    Console(file=stream, force_terminal=True, highlight=False).print(table)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _separated(delimiter: str) -> Callable[[Sequence[Row], str], str]:
    def write(rows: Sequence[Row], title: str) -> str:
        stream = io.StringIO()
        lines = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        lines.writerow(rows[0] if rows else [])
        lines.writerows(["" if cell(value) == "-" else value for value in row.values()] for row in rows)
        return stream.getvalue()

    return write


def as_markdown(rows: Sequence[Row], title: str = "", special: re.Pattern[str] = MARKUP) -> str:
    """A Markdown table; what is `special` inside cells, by default all that Markdown or HTML obey, is escaped."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(special.sub(r"\\\g<0>", text) for text in cells) + " |\n"

    names = list(rows[0]) if rows else []
    body = "".join(line([_line(value) for value in row.values()]) for row in rows)
    return line(names) + line(["---"] * len(names)) + body


def as_latex(rows: Sequence[Row], title: str = "") -> str:
    """A LaTeX tabular with booktabs rules; what LaTeX would obey inside cells is escaped."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(_latex(text) for text in cells) + " \\\\\n"

    names = list(rows[0]) if rows else []
    body = "".join(line([_line(value) for value in row.values()]) for row in rows)
    rules = "\\toprule\n" + line(names) + "\\midrule\n" + body + "\\bottomrule\n"
    return f"\\begin{{tabular}}{{l{'r' * (len(names) - 1)}}}\n{rules}\\end{{tabular}}\n"


def _latex(text: str) -> str:
    r"""The text with LaTeX's special characters escaped.

    >>> _latex(r"\input{a} 5_% ~^")
    '\\textbackslash{}input\\{a\\} 5\\_\\% \\textasciitilde{}\\textasciicircum{}'
    """
    return "".join(LATEX.get(character, character) for character in text)


LATEX = {special: "\\" + special for special in "&%$#_{}"} | {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
}  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # how a formula starts
SAFE_CELLS = ContextVar("SAFE_CELLS", default=False)  # whether --safe-csv was given
SEPARATED = (TableFormat.csv, TableFormat.tsv)
WRITERS: dict[TableFormat, Callable[[Sequence[Row], str], str]] = {
    TableFormat.table: as_table,
    TableFormat.csv: _separated(","),
    TableFormat.tsv: _separated("\t"),
    TableFormat.markdown: as_markdown,
    TableFormat.latex: as_latex,
}
