"""Everything that commands print: tables in six formats, prose, and notes, in colours where the stream shows them.

Text from the data is made safe here: for people, control characters are made visible; for programs, the data stays as
it is. JSON serves both: it escapes control characters.
"""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from inspect import Parameter
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import typer

from cranfield.errors import InputError
from cranfield.formats.text_tables import (
    Paint,
    Row,
    align_columns,
    as_json,
    as_latex,
    as_markdown,
    fit_table,
    quote_formulas,
    separated_writer,
    table_lines,
)
from cranfield.results import PLAIN, Display, add_labellers_to_rows, add_omissions, decimals_formatter, signed_formatter
from cranfield.selection import LeftOut, labeller_lines
from cranfield.text import printable_line, terminal_text

__all__ = [
    "PLAIN",
    "Display",
    "decimals_formatter",
    "signed_formatter",
]  # of cranfield.results, which commands import from here

GOOD, UNSURE, BAD, HEAD = "good", "unsure", "bad", "head"
STYLES: dict[str, dict[str, Any]] = {  # of the 256 colours, those that are read on black and on white alike
    GOOD: {"fg": 28},
    UNSURE: {"fg": 130},
    BAD: {"fg": 160},
    HEAD: {"bold": True},
    "none": {"bold": True},
}


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream shows colours: a terminal that can, unless NO_COLOR is set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def colour_text(text: str, meaning: str, stream: TextIO) -> str:
    """The text in the colour of its meaning, where the stream shows colours.

    >>> import io
    >>> colour_text("fair", GOOD, io.StringIO())
    'fair'
    """
    return typer.style(text, **STYLES[meaning]) if meaning and text and is_coloured(stream) else text


WIDEST = 100  # columns: longer lines are hard to read


def escaping_streams() -> tuple[TextIO, TextIO]:
    """The standard streams, set to escape characters that their encoding lacks."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdin, sys.stdout


def max_line_width() -> int:
    """How many columns lines may take."""
    return min(shutil.get_terminal_size().columns, WIDEST)


class TableFormat(StrEnum):
    """The formats of a table."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


SHORT_FORMATS = {"md": TableFormat.markdown, "tex": TableFormat.latex}


def parse_table_format(text: str) -> TableFormat:
    """Return the format of this name; md and tex are short for markdown and latex.

    >>> parse_table_format("md"), parse_table_format("CSV")
    (<TableFormat.markdown: 'markdown'>, <TableFormat.csv: 'csv'>)
    """
    name = text.lower()
    if name in SHORT_FORMATS:
        return SHORT_FORMATS[name]
    if name not in [*TableFormat]:
        known = ", ".join(map(repr, map(str, TableFormat)))
        raise typer.BadParameter(f"{printable_line(text)!r} is not one of {known}.")
    return TableFormat(name)


class FormatByName(NamedTuple):
    """Beside typer's own in the type of the file for a table: the end of its name says the format."""

    def options(self) -> list[Parameter]:
        """None."""
        return []

    def use(self, values: dict[str, Any], parameter: str) -> None:
        """Take that format, unless another than a table is given; refuse the end of a format that is not written."""
        path = values[parameter]
        if path is None or values["format"] is not TableFormat.table:
            return
        from cranfield.formats.output_names import TABLE, format_by_name
        from cranfield.formats.whole_files import check_output

        check_output(path)
        try:
            named = format_by_name(path, TABLE, "table", noun="a table", is_compressible=False)
        except InputError as error:
            raise typer.BadParameter(printable_line(str(error)), param_hint="--output") from None
        if named.note:
            print_note(f"{named.note}; --format names another")
        values["format"] = TableFormat(named.name)


def cell_painter(display: Display, rows: Sequence[Row]) -> Paint:
    """The colours of the cells of a display on the standard output, heads in bold."""
    colours = {display.heads.get(name, name): colour for name, colour in display.colours.items()}

    def paint(row: int, head: str, text: str) -> str:
        meaning = HEAD if row < 0 else colours[head](rows[row]) if head in colours else ""
        return colour_text(text, meaning, sys.stdout)

    return paint


def output_table(
    rows: Sequence[Row], format: TableFormat, output: Path | None = None, *, title: str = "", document: object = None,
    display: Display = PLAIN, caption: str = "", below: Sequence[str] = (), wide: bool = False, safe_csv: bool = False,
    left_out: LeftOut | None = None, columns: Sequence[str] = (),
) -> None:  # fmt: skip
    """Print a table, or write it to a file. `document` replaces the rows in JSON.

    `caption` stands above the table in Markdown, and in LaTeX as a comment; the lines `below` stand under it. With
    `wide` a table is as wide as it needs, not as the terminal; with `safe_csv` CSV and TSV have no cell that a
    spreadsheet would compute. CSV and TSV without rows have the names of `columns`.

    `display` is for people; CSV, TSV and JSON have the names and numbers of the rows. At the end stands what was left
    out, if anything was: in JSON as `left_out` of a document; where there is no place for it, it is a note. Whose
    labels scored stands under tables, in JSON as `labelled_by` of a document, and in CSV and TSV as a column.
    """
    content, raw, omissions = rows if document is None else document, rows, left_out or LeftOut()
    fits_document = isinstance(content, dict) and "left_out" not in content and omissions.record != {}
    content = add_omissions(content, omissions)
    whose = labeller_lines(omissions.labelled_by)
    rows = add_labellers_to_rows(rows, omissions) if format in SEPARATED else display.shown_rows(rows)
    if output is None and (format not in SEPARATED or sys.stdout.isatty()):
        rows, title = printable_rows(rows), terminal_text(title)
    if format in SEPARATED and safe_csv:
        rows = quote_formulas(rows)
    if format is TableFormat.table and output is None and sys.stdout.isatty():
        _print_fitted(rows, title, display, raw, sys.maxsize if wide else columns_of(sys.stdout))
        if omissions.line:
            say(omissions.line)
        return
    writer = separated_writer(SEPARATED[format], columns) if format in SEPARATED else WRITERS.get(format)
    text = as_json(content) if writer is None else writer(rows, title)
    text += "".join(ENDS[format].format(printable_line(line)) for line in (*below, *whose) if format in ENDS)
    text = CAPTIONS.get(format, "").format(printable_line(caption)) * bool(caption) + text
    if omissions.line and format in ENDS:
        text += ENDS[format].format(printable_line(omissions.line))
    elif omissions.line and not (format is TableFormat.json and fits_document):
        print_note(omissions.line)
    if output is None:
        sys.stdout.write(text)
    else:
        from cranfield.formats.whole_files import write_text

        write_text(output, text)


def _print_fitted(rows: Sequence[Row], title: str, display: Display, raw: Sequence[Row], columns: int) -> None:
    spare = None if display.spare is None else [display.heads.get(name, name) for name in display.spare]
    table = fit_table(rows, columns, spare)
    if title:
        say(title)
    sys.stdout.writelines(f"{line}\n" for line in table_lines(table, cell_painter(display, raw)))
    if table.note:
        say(table.note)


def columns_left_out(rows: Sequence[Row], display: Display, *, wide: bool = False) -> list[str]:
    """The columns for which the terminal has no room; none where a table is not fitted, as in a pipe."""
    if wide or not sys.stdout.isatty():
        return []
    return fit_table(printable_rows(display.shown_rows(rows)), columns_of(sys.stdout), display.spare).left_out


def printable_rows(rows: Sequence[Row]) -> list[Row]:
    r"""Rows with control characters made visible.

    >>> printable_rows([{"run": "a\x1b[2J", "AP": 0.5}])
    [{'run': 'a␛[2J', 'AP': 0.5}]
    """

    def printable_value(value: Any) -> Any:
        return terminal_text(value) if type(value) is str else value

    return [{terminal_text(name): printable_value(value) for name, value in row.items()} for row in rows]


def say(text: str = "", meaning: str = "", until: str = ":") -> None:
    """Print prose: wrapped between words on a terminal, unchanged in a pipe; its beginning may be coloured."""
    lines = wrap(terminal_text(text), sys.stdout)
    lead, colon, rest = lines.partition(until) if meaning else ("", "", lines)
    sys.stdout.write(f"{colour_text(lead + colon, meaning, sys.stdout)}{rest}\n")


def print_summary(out: Path, text: str) -> None:
    """Say in one line what was written; as a note if it went to the standard output."""
    if str(out) == "-":
        print_note(text)
    else:
        say(text)


def print_note(text: str) -> None:
    """Print a note about the result on stderr: one line, wrapped between words on a terminal."""
    print_remark("note:", UNSURE, text)


def print_remark(kind: str, meaning: str, text: str) -> None:
    """Print a line of this kind on stderr."""
    lines = wrap(f"{kind} {one_line(text)}", sys.stderr)
    sys.stderr.write(f"{colour_text(kind, meaning, sys.stderr)}{lines.removeprefix(kind)}\n")


def one_line(text: str) -> str:
    r"""A message on one line, safe to print whatever names it contains.

    >>> one_line("a\nrun\x1b[2J")
    'a run␛[2J'
    """
    return printable_line(text)


def print_notes(lines: Iterable[str]) -> None:
    """Print several notes."""
    for line in lines:
        print_note(line)


QUOTED = r"""(?<!\w)(?:`[^`]+`|'[^']+'|"[^"]+")(?!\w)[.,;:)]*"""
UNBROKEN = "\0"  # in place of a blank at which no line is broken; NULs of the data are visible by then


def wrap(text: str, stream: TextIO, after: int = 0) -> str:
    """The text with its lines wrapped to the terminal's width, `after` so many columns; unchanged if it is none."""
    if not stream.isatty():
        return text
    columns = columns_of(stream)
    return "\n".join(_break_line(line, columns, after) for line in text.split("\n"))


def reflow(text: str, stream: TextIO) -> str:
    """The text with each paragraph on one line, for `wrap` to break anew on a terminal; unchanged if it is none."""
    if not stream.isatty():
        return text
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in text.split("\n\n"))


def columns_of(stream: TextIO) -> int:
    """The columns of a terminal: COLUMNS, or those of the terminal itself."""
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(stream.fileno()).columns or 80
    return 80


def _break_line(line: str, columns: int, after: int = 0) -> str:
    r"""A line wrapped to so many columns, but not within a quoted text or command that fits on a line.

    Indented lines continue with twice the indentation.

    >>> _break_line("  indented, and too long", 16)
    '  indented, and\n    too long'
    >>> _break_line("try `cranfield pool show`, or", 24)
    'try\n`cranfield pool show`,\nor'
    """
    indent = " " * (len(line) - len(line.lstrip()))
    room = columns - 2 * len(indent)
    line = re.sub(
        QUOTED, lambda quoted: quoted[0].replace(" ", UNBROKEN) if len(quoted[0]) <= room else quoted[0], line
    )
    parts = {"subsequent_indent": 2 * indent, "break_on_hyphens": False, "break_long_words": False}
    return textwrap.fill(" " * after + line, columns, **parts)[after:].replace(UNBROKEN, " ")  # type: ignore[arg-type]


ENDS = {TableFormat.table: "{}\n", TableFormat.markdown: "\n{}\n", TableFormat.latex: "% {}\n"}
CAPTIONS = {TableFormat.markdown: "{}\n\n", TableFormat.latex: "% {}\n"}
SEPARATED = {TableFormat.csv: ",", TableFormat.tsv: "\t"}
TYPESET = (TableFormat.markdown, TableFormat.latex)
WRITERS: dict[TableFormat, Callable[[Sequence[Row], str], str]] = {
    TableFormat.table: align_columns,
    TableFormat.markdown: as_markdown,
    TableFormat.latex: as_latex,
}


def hole(name: str, row: Row) -> str:
    """The colour of the share of judged documents at the top: most judged, most not, or all judged.

    >>> [hole("Judged@10", {"Judged@10": share}) for share in (1.0, 0.9, 0.3)]
    ['', 'unsure', 'bad']
    """
    share = row[name]
    return UNSURE if 0.5 <= share < 1 else BAD if share < 0.5 else ""


def score_display(rows: Sequence[Row]) -> Display:
    """Scores, with unjudged documents at the top marked."""
    names = [name for name in (rows[0] if rows else ()) if name.startswith("Judged")]
    return Display(colours={name: partial(hole, name) for name in names})


def _loss(row: Row) -> str:
    """The colour of a change in per cent: losses of 6 and of 10 per cent stand out."""
    return BAD if row["change %"] <= -10 else UNSURE if row["change %"] <= -6 else ""


def loss_display(rows: Sequence[Row], measure: str) -> tuple[Sequence[Row], Display]:
    """What each unit loses by a measure, for people: a gain with its sign, the measure as a head.

    >>> rows, display = loss_display([{"measure": "AP", "score": 0.2, "without": 0.25, "change %": 25.0}], "AP")
    >>> rows, display.shown_rows(rows)
    ([{'score': 0.2, 'without': 0.25, 'change %': 25.0}], [{'AP': 0.2, 'without': 0.25, 'change %': '+25.0'}])
    """
    losses = [
        {name: value for name, value in row.items() if name != "measure"} for row in rows if row["measure"] == measure
    ]
    spare = ["tau", "unique", "missed", "relevant", "low", "high", "without"]
    return losses, LEFT_OUT._replace(heads={"score": measure}, spare=spare)


LEFT_OUT = Display(digits={"change %": signed_formatter(1)}, colours={"change %": _loss})
FORECAST = Display(
    {"score": "as judged"}, {"unjudged": lambda share: f"{share:.1%}"}, spare=("labels",)
)  # fmt: skip
POOL = Display(
    {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"},
    {"difference": signed_formatter(4)},
)
