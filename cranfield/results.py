"""Results: what capabilities return. A result has its table, its notes and its provenance, and prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.text_tables import (
    FormattedNumber,
    Row,
    align_columns,
    as_json,
    as_latex,
    format_cell,
    number_of_fitting_columns,
)
from cranfield.lazy import lazy_type
from cranfield.selection import LABELS_OF, LeftOut, labeller_lines
from cranfield.text import counted, printable_line

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = lazy_type("pandas", "DataFrame")

SHOWN_ROWS = 20  # of a result that Python shows
SHOWN_WIDTH = 120  # characters of a line of it


class Display(NamedTuple):
    """How people see a table, by the names of its columns: heads, numbers as text, colours (found from the row).

    `spare` are the columns to leave out where there is no room, the first first.
    """

    heads: Mapping[str, str] = {}
    digits: Mapping[str, Callable[[Any], str]] = {}
    colours: Mapping[str, Callable[[Row], str]] = {}
    spare: Sequence[str] | None = None

    def shown_rows(self, rows: Sequence[Row]) -> list[Row]:
        """The rows with heads and numbers for people."""
        return [
            {self.heads.get(name, name): self._formatted_number(name, value) for name, value in row.items()}
            for row in rows
        ]

    def _formatted_number(self, name: str, value: Any) -> Any:
        return FormattedNumber(self.digits[name](value)) if name in self.digits and format_cell(value) != "-" else value


PLAIN = Display()


def decimals_formatter(digits: int) -> Callable[[Any], str]:
    return lambda value: f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def signed_formatter(digits: int) -> Callable[[Any], str]:
    """Numbers with their sign, for changes: a gain does not look like a loss.

    >>> [signed_formatter(1)(value) for value in (2.5, -2.5, -0.04, 0.0)]
    ['+2.5', '-2.5', '0.0', '0.0']
    """

    def text(value: Any) -> str:
        plain = f"{value:.{digits}f}"
        return f"{value:+.{digits}f}" if float(plain) else plain.removeprefix("-")

    return text


SIZES_OF_CHANGES = ("mean change %", "largest change %", "max change %")
CHANGES = Display(  # of scores and ranks, in either direction
    {name: name.replace("change", "|change|") for name in SIZES_OF_CHANGES},
    dict.fromkeys((*SIZES_OF_CHANGES, "judged", "relevant", "unjudged", "mean rank drop"), decimals_formatter(2)),
    spare=("mean rank drop", "unjudged", "tau"),
)


class TypesetTable(NamedTuple):
    """The table of a result in LaTeX: its rows and their display, and the lines above and below."""

    rows: Sequence[Row]
    display: Display = PLAIN
    caption: str = ""
    below: Sequence[str] = ()


@dataclass(frozen=True)
class CallContext:
    """How a result came about: what was warned, what was left out, and what was called."""

    notes: tuple[str, ...] = ()
    left_out: LeftOut = field(default_factory=LeftOut)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def add_labels_line(self, line: str) -> CallContext:
        """The same with a line that says whose labels scored."""
        return replace(self, left_out=replace(self.left_out, labelled_by={"line": line}))


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """A table with its title, and how it came about.

    Parameters
    ----------
    records : sequence of mappings
        The rows, each by the names of the columns.
    title : str
        The line above the table.
    document : object, optional
        What JSON has instead of the rows.
    context : CallContext
        The notes, what was left out, and the provenance.

    Examples
    --------
    >>> result = Result([{"run": "a", "AP": 0.25}, {"run": "b", "AP": 0.5}], title="means")
    >>> result
    means
    run      AP
    a    0.2500
    b    0.5000
    >>> result.rows()[1], Result([], document={"topics": 2}).to_json()
    ({'run': 'b', 'AP': 0.5}, '{\\n "topics": 2\\n}\\n')
    """

    display: ClassVar[Display] = PLAIN
    columns: ClassVar[tuple[str, ...]] = ()  # of a table that may have no rows

    records: Sequence[Row] = ()
    title: str = ""
    document: object = None
    context: CallContext = field(default_factory=CallContext)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table.

        Returns
        -------
        list of dict
            A new dict for each row, by the names of the columns.
        """
        return [dict(record) for record in self.records]

    @property
    def frame(self) -> DataFrame:
        """The rows as a new pandas DataFrame, with a column `labels_of` where it is known whose labels scored."""
        import pandas as pd

        return add_labellers_column(pd.DataFrame(self.rows(), columns=self.columns or None), self.context.left_out)

    def to_frame(self, library: str) -> Any:
        """Return the table as a data frame of another library.

        Parameters
        ----------
        library : str
            A library that narwhals supports, such as "polars" or "pyarrow"; it needs the extra `frames`.

        Returns
        -------
        data frame
            A new data frame of the library, with the columns of `.frame`; an index becomes columns.

        Raises
        ------
        InputError
            If the extra `frames` or the library is not installed, or a column has cells of several types.

        Examples
        --------
        >>> Result([{"run": "a", "AP": 0.25}]).to_frame("pyarrow").to_pylist()
        [{'run': 'a', 'AP': 0.25}]
        """
        from cranfield.frames_of_libraries import convert_frame

        return convert_frame(self.frame, library)

    def to_json(self) -> str:
        """Return the text that the command prints as JSON.

        Returns
        -------
        str
            A JSON document, which ends in a newline.
        """
        return as_json(add_omissions(self.rows() if self.document is None else self.document, self.context.left_out))

    def to_latex(self) -> str:
        """Return the table that the command prints as LaTeX.

        Returns
        -------
        str
            A tabular of LaTeX, with its caption and notes as comments.
        """
        table, left_out = self.typeset, self.context.left_out
        lines = [*table.below, *labeller_lines(left_out.labelled_by), left_out.line]
        above, below = (
            "".join(f"% {printable_line(line)}\n" for line in part if line) for part in ([table.caption], lines)
        )
        return above + as_latex(table.display.shown_rows(table.rows), self.title) + below

    @property
    def typeset(self) -> TypesetTable:
        """The table of `to_latex`, as the command prints it as well."""
        return TypesetTable(self.rows(), self.display)

    def plot(self, ax: Any = None) -> Any:
        """Draw the figure of this result.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or list of them, optional
            The axes to draw on, one for each panel; by default a figure of its own is made.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        InputError
            If this result has no figure, or the figure has a different number of panels.
        """
        raise InputError(f"{type(self).__name__} has no figure; draw columns of its table with .frame.plot()")

    @property
    def notes(self) -> tuple[str, ...]:
        """What this call warned of, a line each."""
        lines = (*self.context.notes, self.context.left_out.line)
        return tuple(line if line.isprintable() else printable_line(line) for line in lines if line)

    @property
    def provenance(self) -> Mapping[str, Any]:
        """The version of the program, the function, its store and what was selected of it."""
        return self.context.provenance

    def __repr__(self) -> str:
        rows = self.rows()
        if not rows:
            return self.title or f"{type(self).__name__}: no rows"
        shown = self.display.shown_rows(rows[:SHOWN_ROWS])
        kept = number_of_fitting_columns(shown, SHOWN_WIDTH)
        table = align_columns([dict(islice(row.items(), kept)) for row in shown], self.title).rstrip("\n")
        numbers = {"more row": len(rows) - SHOWN_ROWS, "more column": len(shown[0]) - kept}
        rest = " and ".join(counted(number, what) for what, number in numbers.items() if number > 0)
        return f"{table}\n... and {rest}; .frame has all" if rest else table

    def _repr_html_(self) -> str:
        from cranfield.html_table import html_table

        return html_table(self.display.shown_rows(self.rows()[:SHOWN_ROWS]), self.title)


@dataclass(frozen=True, repr=False, eq=False)
class ResultInLines(Result):
    """The result of a call as lines of text, which the command prints instead of a table.

    Parameters
    ----------
    lines : sequence of str
        The lines to print.

    Examples
    --------
    >>> ResultInLines([{"set": "dev", "topics": 2}], lines=["dev: 2 topics"])
    dev: 2 topics
    """

    lines: Sequence[str] = ()

    def __repr__(self) -> str:
        return "\n".join(self.lines) or super().__repr__()


@dataclass(frozen=True, repr=False, eq=False)
class WrittenFile(ResultInLines):
    """A file that a call wrote, and a line that describes it.

    Parameters
    ----------
    path : Path
        The file; "-" means standard output.

    Examples
    --------
    >>> WrittenFile([{"answers": 2}], lines=["2 answers"], path=Path("answers.jsonl"))
    2 answers
    """

    path: Path = field(kw_only=True)


def add_labellers_column(table: DataFrame, left_out: LeftOut) -> DataFrame:
    """The table with the column `labels_of`, which says whose labels scored, where that is known."""
    whose = left_out.labels_of
    return table.assign(**{LABELS_OF: whose}) if whose and LABELS_OF not in table else table


def add_labellers_to_rows(rows: Sequence[Row], left_out: LeftOut) -> Sequence[Row]:
    """The rows of CSV and TSV with the column `labels_of`, which says whose labels scored, where that is known.

    >>> add_labellers_to_rows([{"run": "a"}], LeftOut(labelled_by={"line": "4 labels by ann"}))
    [{'run': 'a', 'labels_of': '4 labels by ann'}]
    >>> add_labellers_to_rows([{"run": "a"}], LeftOut())
    [{'run': 'a'}]
    """
    whose = left_out.labels_of
    return [{**row, LABELS_OF: row.get(LABELS_OF, whose)} for row in rows] if whose else rows


def add_omissions(content: object, left_out: LeftOut) -> object:
    """What JSON has: a document also says what was left out and whose labels scored, unless it does so already.

    >>> add_omissions({"topics": 2}, LeftOut(rows={"a": 7}))
    {'topics': 2, 'left_out': {'rows_judged_earlier': {'a': 7}}}
    >>> add_omissions([], LeftOut(rows={"a": 7}))
    []
    """
    if isinstance(content, dict) and "left_out" not in content and left_out.record != {}:
        content = {**content, "left_out": left_out.record}
    if left_out.labelled_by and isinstance(content, dict) and "labelled_by" not in content:
        content = {**content, "labelled_by": left_out.labelled_by}
    return content
