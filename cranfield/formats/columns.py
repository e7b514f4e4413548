"""Runs and qrels: lines of columns.

A table is read twice at most: first quickly (`arrow.py`), and, if that met anything unusual, line by line here. The
slow reading alone decides what is right and says what is wrong, with the line; the quick one may only agree or give up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isnan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.formats.files import Path

Number = Literal["score", "grade"]


@dataclass(frozen=True)
class Layout:
    """The columns of a kind of table, whose `subject` messages speak of. Blank lines and lines of "#" are left out.

    Columns are separated by white space, or by single tabs if `tabs`; `more`: further columns may follow.
    `header`: what the first line has to start with. A table without a number column has grade 1 throughout.
    Qrels may have one column that says more of a judgment: its stratum, its subtopic, or else its iteration.
    """

    subject: str
    columns: tuple[str, ...]
    number: Number | None = "grade"
    more: bool = False
    tabs: bool = False
    header: bytes = b""

    @property
    def wanted(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(name for name in ("qid", "docno", self.number, self.more_of_it) if name in self.columns)

    @property
    def more_of_it(self) -> str:
        """The column that is kept as the iteration."""
        return next((name for name in ("stratum", "subtopic") if name in self.columns), "iteration")

    @property
    def by_subtopic(self) -> bool:
        """Whether a document may be there several times, once for each subtopic."""
        return "subtopic" in self.columns

    def check_width(self, width: int, path: Path, line: int) -> None:
        """Refuse a line of another number of columns."""
        right = len(self.columns)
        if width < right or (width > right and not self.more):
            columns = "1 column" if width == 1 else f"{width} columns"
            raise InputError(f"{columns} where {self.subject} {right}: {' '.join(self.columns)}", path, line)


class Row(NamedTuple):
    """A line of a table: where it is and what it says."""

    line: int
    qid: str
    docno: str
    number: float
    iteration: str
    tag: str


@dataclass(frozen=True)
class Columns:
    """A table read: names as Arrow dictionary arrays, `number` as an array, the tag of the last line."""

    qid: Any
    docno: Any
    number: NDArray[np.generic]
    iteration: Any
    tag: str


@dataclass(frozen=True)
class Table:
    r"""The bytes of one run or qrels file, not yet read.

    >>> from cranfield.formats.qrels.trec import LAYOUT
    >>> table = Table("qrels", b"# pooled\n\n1 0 d9 2\n", LAYOUT)
    >>> next(table.rows())
    Row(line=3, qid='1', docno='d9', number=2, iteration='0', tag='')
    >>> list(Table("qrels", b"1 0 d9\n", LAYOUT).rows())
    Traceback (most recent call last):
    cranfield.errors.InputError: qrels:1: 3 columns where qrels have 4: qid iteration docno grade
    """

    path: Path
    data: bytes
    layout: Layout
    times: int = 1  # by what grades are multiplied

    def columns(self) -> Columns:
        """All of it, quickly if it can be, exactly if it has to be."""
        from cranfield.formats import arrow

        self._check_header()
        return arrow.quick(self.body, self.layout, self.times) or self.exact()

    def exact(self) -> Columns:
        """All of it, line by line; whatever is wrong is an InputError that names the line."""
        from cranfield.formats import arrow

        self._check_header()
        rows = list(self._without_duplicates())
        if not rows:
            raise InputError(f"empty, where {self.layout.subject} lines of {' '.join(self.layout.columns)}", self.path)
        return arrow.from_rows(rows, self.layout)

    def rows(self) -> Iterator[Row]:
        """The rows, exactly, duplicates included."""
        for line, text in self._lines():
            values = text.split(b"\t") if self.layout.tabs else text.split()
            self.layout.check_width(len(values), self.path, line)
            yield self._row(line, dict(zip(self.layout.columns, values, strict=False)))

    @cached_property
    def body(self) -> bytes:
        """What follows the header."""
        return self.data.partition(b"\n")[2] if self.layout.header else self.data

    def _check_header(self) -> None:
        header = self.layout.header
        if not self.data.startswith(header):
            raise InputError(
                f"no header line, where {self.layout.subject} one that starts with {header.decode()}", self.path, 1
            )

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        for line, text in enumerate(self.body.splitlines(), 2 if self.layout.header else 1):
            if text.strip() and not text.startswith(b"#"):
                yield line, text

    def _row(self, line: int, values: dict[str, bytes]) -> Row:
        qid, docno, iteration, tag = (
            self._name(line, name, values[name]) if name in values else ""
            for name in ("qid", "docno", self.layout.more_of_it, "tag")
        )
        return Row(line, qid, docno, self._number(line, values), iteration, tag)

    def _name(self, line: int, name: str, value: bytes) -> str:
        if not value:
            raise InputError(f"no {name}", self.path, line)
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise InputError(f"{name} {shown(value)} is not UTF-8", self.path, line) from None

    def _number(self, line: int, values: dict[str, bytes]) -> float:
        if self.layout.number is None:
            return 1
        value = values[self.layout.number]
        number = as_score(value) if self.layout.number == "score" else as_grade(value, self.times)
        if number is None:
            raise InputError(f"{self.layout.number} {shown(value)} is not {self._right(value)}", self.path, line)
        return number

    def _right(self, value: bytes) -> str:
        """What would be right instead of a number that is none."""
        if self.layout.number == "score":
            return "a number"
        is_fraction = as_score(value) is not None and b"." in value
        return f"a whole number; {fractional(value.decode())}" if is_fraction else "a whole number"

    def _without_duplicates(self) -> Iterator[Row]:
        seen: dict[tuple[str, ...], int] = {}
        for row in self.rows():
            subtopic = (row.iteration,) if self.layout.by_subtopic else ()
            first = seen.setdefault((row.qid, row.docno, *subtopic), row.line)
            if first != row.line:
                topic = ", subtopic ".join((row.qid, *subtopic))
                message = f"document {row.docno} of topic {topic} again, as on line {first}; it may be there once"
                raise InputError(message, self.path, row.line)
            yield row


def first_rows(head: bytes, columns: int) -> list[list[bytes]]:
    r"""The lines at the start of a table, split; a last one that is cut short is left out.

    >>> first_rows(b"# pooled\n1 0 d1 1\n\n1 0 d", 4), first_rows(b"1 0 d1 1\n1 0 d2 0", 4)
    ([[b'1', b'0', b'd1', b'1']], [[b'1', b'0', b'd1', b'1'], [b'1', b'0', b'd2', b'0']])
    """
    rows = _split(head)
    cut = rows and not head.endswith((b"\n", b"\r")) and len(rows[-1]) < columns
    return rows[:-1] if cut else rows


@lru_cache(maxsize=1)  # several formats look at the same lines
def _split(head: bytes) -> list[list[bytes]]:
    return [line.split() for line in head.splitlines() if line.strip() and not line.startswith(b"#")]


def as_score(value: bytes) -> float | None:
    """The number, or None where there is none; NaN is none, for it has no place in a ranking.

    >>> as_score(b"1e3"), as_score(b"inf"), as_score(b"nan"), as_score(b"1_000")
    (1000.0, inf, None, None)
    """
    try:
        number = float(value)
    except ValueError:
        return None
    return None if isnan(number) or b"_" in value else number


_DECIMAL = re.compile(rb"[+-]?(\d{1,18}\.?\d{0,18}|\.\d{1,18})")


def as_grade(value: bytes, times: int = 1) -> int | None:
    """The whole number, `times` multiplied, or None: trec_eval reads "2.9" as 2 and "x" as 0, and says nothing.

    >>> as_grade(b"-2"), as_grade(b"1.0"), as_grade(b"2.9"), as_grade(b"2.9", 10), as_grade(b"x")
    (-2, 1, None, 29, None)
    """
    value = value.strip()
    if not _DECIMAL.fullmatch(value):
        return None
    digits, _, decimals = value.partition(b".")
    number, rest = divmod(int(digits + decimals) * times, 10 ** len(decimals))
    return None if rest or abs(number) >= 10**18 else number


def fractional(grade: str) -> str:
    """What to do with grades that are no whole numbers.

    >>> fractional("0.7")
    'imported with --times 10 it is 7, which gains="7=0.7,..." counts as 0.7'
    """
    found = ((10**power, as_grade(grade.encode(), 10**power)) for power in range(1, 7))
    times, whole = next((pair for pair in found if pair[1] is not None), (0, 0))
    if not times:
        return "round such grades first"
    return f'imported with --times {times} it is {whole}, which gains="{whole}={grade},..." counts as {grade}'


def shown(value: bytes) -> str:
    """A value as a message shows it: one line, short, nothing that a terminal obeys."""
    return ascii(value.decode("utf-8", "backslashreplace")[:40])
