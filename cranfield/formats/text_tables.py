"""Tables as text: aligned, CSV and TSV, JSON, Markdown, LaTeX; and checks as the JUnit XML that build servers read."""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, zip_longest
from typing import Any, NamedTuple

from cranfield.text import UNSEEN, counted, printable_line

Row = Mapping[str, Any]
MARKUP = re.compile(r"[\\`*\[\]<>|&~$]|(?<!\w)_|_(?!\w)")  # an underscore within a word is one

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # first characters of a formula


class FormattedNumber(str):
    """A number as people read it, such as +.125: aligned and never broken, like any number."""


def format_cell(value: object) -> str:
    """A value as people read it: four decimals as in trec_eval, a dash for what is undefined.

    >>> format_cell(0.5), format_cell(float("nan")), format_cell(3), format_cell(None)
    ('0.5000', '-', '3', '-')
    >>> format_cell(True), format_cell(-0.00001)
    ('yes', '0.0000')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:z.4f}" if isinstance(value, float) else str(value)


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
    return re.sub(UNSEEN, _escape, json.dumps(_none_for_nan(document), indent=2, ensure_ascii=False)) + "\n"


def _escape(control: re.Match[str]) -> str:
    return json.dumps(control[0])[1:-1]


def _none_for_nan(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _none_for_nan(item) for key, item in value.items()}
    return [_none_for_nan(item) for item in value] if isinstance(value, (list, tuple)) else value


def line_of(value: object) -> str:
    return " ".join(format_cell(value).splitlines())


def align_columns(rows: Sequence[Row], title: str) -> str:
    """Columns as wide as their widest cell, two spaces apart.

    >>> print(align_columns([{"run": "a", "AP": 0.25}, {"run": "bm25", "AP": 1.0}], "scores"), end="")
    scores
    run       AP
    a     0.2500
    bm25  1.0000
    """
    names = list(rows[0]) if rows else []
    columns = [[name, *(line_of(row[name]) for row in rows)] for name in names]
    cells = [padded_column(column, is_number(rows, name)) for name, column in zip(names, columns, strict=True)]
    lines = ["  ".join(line).rstrip() for line in zip(*cells, strict=True)]
    return "".join(line + "\n" for line in ([title] if title else []) + lines)


def number_of_fitting_columns(rows: Sequence[Row], line_width: int) -> int:
    """The number of columns, at least one, that `align_columns` fits into a line.

    >>> number_of_fitting_columns([{"run": "bm25", "AP": "0.2500"}], 12)
    2
    >>> number_of_fitting_columns([{"run": "bm25", "AP": "0.2500"}], 11)
    1
    """
    names = list(rows[0]) if rows else []
    widths = [max(map(text_width, [name, *(line_of(row[name]) for row in rows)])) for name in names]
    ends = accumulate(one + 2 for one in widths)
    return max(1, sum(end - 2 <= line_width for end in ends))


def padded_column(texts: Sequence[str], right: bool) -> list[str]:
    """Texts made as wide as the widest; `right`: by blanks before them.

    >>> padded_column(["AP", "0.25"], right=True)
    ['  AP', '0.25']
    """
    widths = list(map(text_width, texts))
    blanks = [" " * (max(widths) - one) for one in widths]
    return [blank + text if right else text + blank for blank, text in zip(blanks, texts, strict=True)]


def text_width(text: str) -> int:
    """The cells that a text takes on a terminal: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def is_number(rows: Sequence[Row], name: str) -> bool:
    return any(isinstance(row[name], (int, float, FormattedNumber)) and not isinstance(row[name], bool) for row in rows)


def quote_formula(value: Any) -> Any:
    """A value of a cell that a spreadsheet takes for no formula: text that begins like one is quoted.

    >>> quote_formula("=1+1"), quote_formula("-"), quote_formula(-0.5)
    ("'=1+1", "'-", -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def quote_formulas(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows in which a spreadsheet sees no formula.

    >>> quote_formulas([{"run": "=1+1", "AP": -0.5}])
    [{'run': "'=1+1", 'AP': -0.5}]
    """
    return [{quote_formula(name): quote_formula(value) for name, value in row.items()} for row in rows]


def separated_writer(delimiter: str, columns: Sequence[str] = ()) -> Callable[[Sequence[Row], str], str]:
    """The writer of CSV or TSV; `columns` are the names in the first line of a table without rows.

    >>> separated_writer(",", ["set", "topics"])([], "")
    'set,topics\\n'
    """

    def write(rows: Sequence[Row], title: str) -> str:
        stream = io.StringIO()
        lines = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        lines.writerow(rows[0] if rows else columns)
        lines.writerows(["" if format_cell(value) == "-" else value for value in row.values()] for row in rows)
        return stream.getvalue()

    return write


def as_markdown(rows: Sequence[Row], title: str = "", special: re.Pattern[str] = MARKUP) -> str:
    """A Markdown table; what is `special` inside cells, by default all that Markdown or HTML obey, is escaped."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(special.sub(r"\\\g<0>", text) for text in cells) + " |\n"

    names = list(rows[0]) if rows else []
    body = "".join(line([line_of(value) for value in row.values()]) for row in rows)
    return line(names) + line(["---"] * len(names)) + body


def as_latex(rows: Sequence[Row], title: str = "") -> str:
    r"""A LaTeX tabular with booktabs rules; what LaTeX would obey or print otherwise inside cells is escaped.

    Columns of text are aligned to the left. A number without the mark that others of its column end with, such as a
    star, takes the mark's room.

    >>> print(as_latex([{"run": "a_b", "p": FormattedNumber("<.0001*")}, {"run": "c", "p": FormattedNumber("-.2 ")}]))
    \begin{tabular}{lr}
    \toprule
    run & p \\
    \midrule
    a\_b & \textless{}.0001* \\
    c & $-$.2\phantom{*} \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """

    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + " \\\\\n"

    names = list(rows[0]) if rows else []
    columns = "l" + "".join("r" if is_number(rows, name) else "l" for name in names[1:])
    body = "".join(line([_latex_cell(value) for value in row.values()]) for row in rows)
    rules = "\\toprule\n" + line([_escape_latex(name) for name in names]) + "\\midrule\n" + body + "\\bottomrule\n"
    return f"\\begin{{tabular}}{{{columns}}}\n{rules}\\end{{tabular}}\n"


def _latex_cell(value: object) -> str:
    text = line_of(value)
    if isinstance(value, bool) or not isinstance(value, int | float | FormattedNumber):
        return _escape_latex(text)
    mark = "\\phantom{*}" if text.endswith(" ") else ""
    return MINUS.sub("$-$", _escape_latex(text.rstrip(" "))) + mark


MINUS = re.compile(r"-(?=[\d.])")


def _escape_latex(text: str) -> str:
    r"""The text with LaTeX's special characters escaped, and those that some of its fonts print as others.

    >>> _escape_latex(r"\input{a} 5_% ~^")
    '\\textbackslash{}input\\{a\\} 5\\_\\% \\textasciitilde{}\\textasciicircum{}'
    """
    return "".join(LATEX.get(character, character) for character in text)


LATEX = {special: "\\" + special for special in "&%$#_{}"} | {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}",
}  # fmt: skip


class Case(NamedTuple):
    """A check as a test case: what it is about, its name, and why it failed or was skipped, if it did."""

    about: str
    name: str
    failure: str | None
    skipped: str | None = None


def as_junit(suite: str, cases: Sequence[Case]) -> str:
    """JUnit XML of a suite with these cases; control characters, which XML cannot have, are made visible.

    Source: the JUnit XML schema of Jenkins' xunit plugin, which GitHub, GitLab and others read.

    >>> print(as_junit("compare", [Case("new", "AP < 0.3", "AP is 0.2"), Case("new", "loss", None)]), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="compare" tests="2" failures="1" errors="0" skipped="0">
        <testcase classname="new" name="AP &lt; 0.3">
          <failure message="AP is 0.2" type="failure">AP is 0.2</failure>
        </testcase>
        <testcase classname="new" name="loss" />
      </testsuite>
    </testsuites>
    """
    from xml.etree import ElementTree as Xml

    failures = sum(case.failure is not None for case in cases)
    skipped = sum(case.skipped is not None for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = Xml.Element("testsuites")
    of = Xml.SubElement(root, "testsuite", {"name": suite, **counts})
    for case in cases:
        one = Xml.SubElement(of, "testcase", classname=printable_line(case.about), name=printable_line(case.name))
        if case.failure is not None:
            why = printable_line(case.failure)
            Xml.SubElement(one, "failure", message=why, type="failure").text = why
        elif case.skipped is not None:
            Xml.SubElement(one, "skipped", message=printable_line(case.skipped))
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


GAP = 2
BLANKS = re.compile(r"\s+(?!%|\d+$)")  # where prose may be broken: not before a number's sign, nor a last number
PARTS = re.compile(r"\s+|(?<=[,)(])|(?=[(@])")  # where the name of a measure may be broken, too
JOINTS = re.compile(r"(?<=[-_./])")  # where a tag is broken first
NUMBER = re.compile(r"[-+<]?[\d.,]*\d[%*]?,?")
NAMED = 3
Paint = Callable[[int, str, str], str]


class Column(NamedTuple):
    """A column: its head, its cells, whether it holds numbers, and the same cells rounded."""

    head: str
    cells: list[str]
    number: bool
    rounded_cells: list[str]

    def min_width(self, heads: re.Pattern[str] | None, cells: re.Pattern[str] | None) -> int:
        """The narrowest this column can be if heads and cells break only there."""
        head = max(map(text_width, heads.split(self.head) if heads else [self.head]))
        if cells is None or self.number:
            return max(head, *map(text_width, self.cells), 0)
        return max(head, *(text_width(word) for text in self.cells for word in cells.split(text)), 0)

    @property
    def unbreakable(self) -> int:
        """The narrowest this column can be if tags are broken as well, but no number."""
        if self.number:
            return self.min_width(PARTS, None)
        return max([4, *(text_width(word) for text in self.cells for word in text.split() if NUMBER.fullmatch(word))])


class FittedTable(NamedTuple):
    """Columns, their widths, and what was done to make them fit."""

    columns: list[Column]
    widths: list[int]
    left_out: list[str]
    rounded: bool

    @property
    def note(self) -> str:
        """What was left out or rounded, in one line; empty if nothing was."""
        more = len(self.left_out) - NAMED
        names = self.left_out if more <= 1 else [*self.left_out[:NAMED], counted(more, "more column")]
        if not names:
            return "Rounded to fit the width. --wide shows all." if self.rounded else ""
        also = ", the rest rounded" if self.rounded else ""
        return f"Left out to fit the width: {', '.join(names)}{also}. --wide shows all."


def fit_table(rows: Sequence[Row], room: int, spare: Sequence[str] | None = None) -> FittedTable:
    """The table as wide as it is or, where that exceeds the room, made narrower.

    Columns are left out in the order of `spare`; without it, those of numbers from the right, save the first.

    >>> rows = [{"run": "bm25", "AP": 0.25, "P@10": 0.5, "unique relevant": 3}]
    >>> [fit_table(rows, room).widths for room in (37, 36, 28, 21)]
    [[4, 6, 6, 15], [4, 6, 6, 8], [4, 5, 5, 8], [4, 6, 6]]
    >>> fit_table(rows, 21).note, fit_table(rows, 28).note
    ('Left out to fit the width: unique relevant. --wide shows all.', 'Rounded to fit the width. --wide shows all.')
    """
    columns = [_make_column(rows, name) for name in (rows[0] if rows else ())]
    order = spare if spare is not None else [one.head for one in columns if one.number][:0:-1]
    order = [name for name in order if any(one.head == name for one in columns)]
    for count in range(len(order) + 1):
        remaining = [one for one in columns if one.head not in order[:count]]
        absent = [one.head for one in columns if one.head in order[:count]]
        for rounded in (False, True):
            fit = [one._replace(cells=one.rounded_cells) for one in remaining] if rounded else remaining
            widths = _fit_column_widths(fit, room)
            if widths:
                return FittedTable(fit, widths, absent, rounded and fit != remaining)
    return FittedTable(
        fit,
        _shrink_widths([column.min_width(PARTS, None) for column in fit], [column.unbreakable for column in fit], room),
        absent,
        fit != remaining,
    )


def _make_column(rows: Sequence[Row], name: str) -> Column:
    cells = [line_of(row[name]) for row in rows]
    rounded_cells = [
        f"{row[name]:.3f}" if isinstance(row[name], float) and text != "-" else text
        for row, text in zip(rows, cells, strict=True)
    ]
    return Column(name, cells, is_number(rows, name), rounded_cells)


def _fit_column_widths(columns: Sequence[Column], room: int) -> list[int]:
    """Widths at which only heads and prose are broken; none if there are none."""
    for heads, cells in ((None, None), (BLANKS, None), (BLANKS, BLANKS), (PARTS, BLANKS)):
        least = [column.min_width(heads, cells) for column in columns]
        if _total_width(least) <= room:
            return _shrink_widths([column.min_width(heads, None) for column in columns], least, room)
    return []


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _shrink_widths(widths: list[int], least: Sequence[int], room: int) -> list[int]:
    """The widths, the widest made narrower until they fit or all are at their least."""
    widths = [*widths]
    while _total_width(widths) > room:
        shrinkable = [at for at, size in enumerate(widths) if size > least[at]]
        if not shrinkable:
            break
        widths[max(shrinkable, key=lambda at: widths[at])] -= 1
    return widths


def _pad_cell(text: str, size: int, right: bool, cell: str) -> str:
    blanks = " " * (size - text_width(text))
    return blanks + cell if right else cell + blanks


def _cut_lines(text: str, size: int, breaks: re.Pattern[str]) -> list[str]:
    """The text in lines of at most this width, broken where it may be; a longer word at its joints.

    >>> _cut_lines("bm25-weighted by far", 8, BLANKS), _cut_lines('nDCG(gains="exp")@10', 12, PARTS)
    (['bm25-', 'weighted', 'by far'], ['nDCG(', 'gains="exp")', '@10'])
    >>> _cut_lines("17.48 %", 4, BLANKS)
    ['17.48 %']
    """
    if text_width(text) <= size:
        return [text]
    lines, row = [], ""
    for piece in _break_text(text, size, breaks):
        if row and text_width(row + piece.rstrip()) > size:
            lines.append(row.rstrip())
            row = ""
        row += piece
    return [*lines, row.rstrip()]


def _break_text(text: str, size: int, breaks: re.Pattern[str]) -> Iterator[str]:
    places = [0, *(match.end() for match in breaks.finditer(text)), len(text)]
    for first, last in pairwise(places):
        word = text[first:last]
        if text_width(word.rstrip()) <= size or "%" in word:
            yield word
        else:
            yield from (part for joint in JOINTS.split(word) for part in _split_to_width(joint, size))


def _split_to_width(word: str, size: int) -> Iterator[str]:
    """A word without joints, cut at this width."""
    row = ""
    for character in word:
        if text_width((row + character).rstrip()) > size:
            yield row
            row = ""
        row += character
    yield row


def table_lines(fit: FittedTable, paint: Paint) -> Iterator[str]:
    """The lines of the table, the head first; `paint` colours a text of a row (-1: the head) and a column."""
    heads = [_cut_lines(column.head, size, PARTS) for column, size in zip(fit.columns, fit.widths, strict=True)]
    tallest = max(map(len, heads), default=0)
    yield from _row_lines(fit, -1, [[""] * (tallest - len(head)) + head for head in heads], paint)
    for number, row in enumerate(zip(*(column.cells for column in fit.columns), strict=True)):
        cells = [_cut_lines(text, size, BLANKS) for text, size in zip(row, fit.widths, strict=True)]
        yield from _row_lines(fit, number, cells, paint)


def _row_lines(fit: FittedTable, row: int, cells: list[list[str]], paint: Paint) -> Iterator[str]:
    """The lines of one row; cells of fewer lines than others end in blank ones."""
    for texts in zip_longest(*cells, fillvalue=""):
        parts = [
            _pad_cell(text, size, column.number, paint(row, column.head, text) if text else "")
            for column, size, text in zip(fit.columns, fit.widths, texts, strict=True)
        ]
        yield (" " * GAP).join(parts).rstrip()
