"""Tables as text: aligned, CSV and TSV, JSON, Markdown, LaTeX; and checks as the JUnit XML that build servers read."""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.text import UNSEEN, printable_line

Row = Mapping[str, Any]
MARKUP = re.compile(r"[\\`*\[\]<>|&~$]|(?<!\w)_|_(?!\w)")  # an underscore within a word is one

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # first characters of a formula


class FormattedNumber(str):
    """A number as people read it, such as +.125: aligned and never broken, like any number."""


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
    return re.sub(UNSEEN, _escaped, json.dumps(_defined(document), indent=2, ensure_ascii=False)) + "\n"


def _escaped(control: re.Match[str]) -> str:
    return json.dumps(control[0])[1:-1]


def _defined(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _defined(item) for key, item in value.items()}
    return [_defined(item) for item in value] if isinstance(value, (list, tuple)) else value


def line_of(value: object) -> str:
    return " ".join(cell(value).splitlines())


def aligned(rows: Sequence[Row], title: str) -> str:
    """Columns as wide as their widest cell, two spaces apart.

    >>> print(aligned([{"run": "a", "AP": 0.25}, {"run": "bm25", "AP": 1.0}], "scores"), end="")
    scores
    run       AP
    a     0.2500
    bm25  1.0000
    """
    names = list(rows[0]) if rows else []
    columns = [[name, *(line_of(row[name]) for row in rows)] for name in names]
    padded = [padded_column(column, is_number(rows, name)) for name, column in zip(names, columns, strict=True)]
    lines = ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
    return "".join(line + "\n" for line in ([title] if title else []) + lines)


def padded_column(texts: Sequence[str], right: bool) -> list[str]:
    """Texts made as wide as the widest; `right`: by blanks before them.

    >>> padded_column(["AP", "0.25"], right=True)
    ['  AP', '0.25']
    """
    widths = list(map(width, texts))
    blanks = [" " * (max(widths) - one) for one in widths]
    return [before + text if right else text + before for before, text in zip(blanks, texts, strict=True)]


def width(text: str) -> int:
    """The cells that a text takes on a terminal: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def is_number(rows: Sequence[Row], name: str) -> bool:
    return any(isinstance(row[name], (int, float, FormattedNumber)) and not isinstance(row[name], bool) for row in rows)


def no_formula(value: Any) -> Any:
    """A value of a cell that a spreadsheet takes for no formula: text that begins like one is quoted.

    >>> no_formula("=1+1"), no_formula("-"), no_formula(-0.5)
    ("'=1+1", "'-", -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def without_formulas(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows in which a spreadsheet sees no formula.

    >>> without_formulas([{"run": "=1+1", "AP": -0.5}])
    [{'run': "'=1+1", 'AP': -0.5}]
    """
    return [{no_formula(name): no_formula(value) for name, value in row.items()} for row in rows]


def separated(delimiter: str) -> Callable[[Sequence[Row], str], str]:
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
    body = "".join(line([line_of(value) for value in row.values()]) for row in rows)
    return line(names) + line(["---"] * len(names)) + body


def as_latex(rows: Sequence[Row], title: str = "") -> str:
    """A LaTeX tabular with booktabs rules; what LaTeX would obey inside cells is escaped."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(_latex(text) for text in cells) + " \\\\\n"

    names = list(rows[0]) if rows else []
    body = "".join(line([line_of(value) for value in row.values()]) for row in rows)
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


class Case(NamedTuple):
    """A check as a test case: what it is about, its name, and why it failed if it did."""

    about: str
    name: str
    failure: str | None


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

    failed = sum(case.failure is not None for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0", "skipped": "0"}
    root = Xml.Element("testsuites")
    of = Xml.SubElement(root, "testsuite", {"name": suite, **counts})
    for case in cases:
        one = Xml.SubElement(of, "testcase", classname=printable_line(case.about), name=printable_line(case.name))
        if case.failure is not None:
            why = printable_line(case.failure)
            Xml.SubElement(one, "failure", message=why, type="failure").text = why
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'
