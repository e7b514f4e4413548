"""Runs and qrels: lines of columns.

A table is read twice at most: first quickly (`arrow.py`), and, if that met anything unusual, line by line here. The
slow reading alone decides what is right and says what is wrong, with the line; the quick one may only agree or give up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING

from cranfield.errors import EntryNumber, InputError
from cranfield.formats.layout import (
    NEGATIVE_GRADES,
    Columns,
    FileRow,
    Layout,
    as_number,
    as_score,
    excerpt,
    fractional_grade_remedy,
    has_blank_in_docno,
    parse_whole_grade,
    rank_number,
)

if TYPE_CHECKING:
    from cranfield.errors import Path


@dataclass(frozen=True, eq=False)
class UnreadTable:
    r"""The bytes of one run or qrels file, not yet read.

    >>> from cranfield.formats.qrels import TREC_LAYOUT
    >>> table = UnreadTable("qrels", b"# pooled\n\n1 0 d9 2\n", TREC_LAYOUT)
    >>> next(table.rows())
    FileRow(line=3, qid='1', docno='d9', number=2, iteration='0', tag='', rank=nan)
    >>> list(UnreadTable("qrels", b"1 0 d9\n", TREC_LAYOUT).rows())
    Traceback (most recent call last):
    cranfield.errors.InputError: qrels:1: 3 columns; qrels have 4: qid iteration docno grade
    """

    path: "Path"
    data: bytes
    layout: Layout
    times: int = 1  # by what grades are multiplied
    takes_fractions: bool = False  # whether grades may be fractions, such as 0.5
    tag: str = ""  # of a run whose lines have none
    has_entries: bool = False  # whether each line was made of an entry of another format
    notes: tuple[str, ...] = ()  # what the reader of its format reports
    named_rank: str = ""  # the field that the user named as rank in a file that has scores, which decide

    def columns(self) -> Columns:
        """All of it, quickly if it can be, exactly if it has to be."""
        from cranfield.formats import arrow

        self._check_header()
        return self._add_tag(arrow.parse_regular_table(self.body, self.layout, self.read_grade) or self.exact())

    def exact(self) -> Columns:
        """All of it, line by line; whatever is wrong is an InputError that names the line."""
        from cranfield.formats import arrow

        self._check_header()
        rows = list(self._drop_duplicates())
        if not rows:
            raise InputError(f"empty; {self.layout.subject} lines of {' '.join(self.layout.columns)}", self.path)
        return self._add_tag(arrow.from_rows(rows, self.layout))

    def _add_tag(self, columns: Columns) -> Columns:
        return columns._replace(tag=self.tag) if self.tag else columns

    def rows(self) -> Iterator[FileRow]:
        """The rows, exactly, duplicates included."""
        for line, text in self._lines():
            values = text.split(b"\t") if self.layout.tabs else text.split()
            self.layout.check_width(values, self.path, line)
            if self.layout.refuses_shifts and len(values) > len(self.layout.columns) and has_blank_in_docno(values):
                what = f"{len(values)} columns; a run has 6: {' '.join(self.layout.columns)}"
                remedy = "write ids with blanks as CSV or TSV with the header qid,docno,score"
                raise InputError(f"{what}; if the docno or qid contains a blank, {remedy}", self.path, line)
            yield self._row(line, dict(zip(self.layout.columns, values, strict=False)))

    def read_grade(self, value: bytes) -> int | float | None:
        """Return the grade that this text is, None if it is not one."""
        return as_number(value, self.times) if self.takes_fractions else parse_whole_grade(value, self.times)

    @cached_property
    def body(self) -> bytes:
        """What follows the header."""
        return self.data.partition(b"\n")[2] if self.layout.header else self.data

    def _check_header(self) -> None:
        header = self.layout.header
        if not self.data.startswith(header):
            raise InputError(f"no header line; expected a line that starts with {header.decode()}", self.path, 1)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        for line, text in enumerate(self.body.splitlines(), 2 if self.layout.header else 1):
            if text.strip() and not text.startswith(b"#"):
                yield EntryNumber(line) if self.has_entries else line, text

    def _row(self, line: int, values: dict[str, bytes]) -> FileRow:
        qid, docno, iteration, tag = (
            self._name(line, name, values[name]) if name in values else ""
            for name in ("qid", "docno", self.layout.more_of_it, "tag")
        )
        rank = rank_number(values["rank"]) if "rank" in values else nan
        return FileRow(line, qid, docno, number=self._number(line, values), iteration=iteration, tag=tag, rank=rank)

    def _name(self, line: int, name: str, value: bytes) -> str:
        if not value:
            raise InputError(f"no {name}", self.path, line)
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise InputError(
                f"{name} {excerpt(value)} is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8",
                self.path,
                line,
            ) from None

    def _number(self, line: int, values: dict[str, bytes]) -> float:
        if self.layout.number is None:
            return 1
        value = values[self.layout.number]
        number = as_score(value) if self.layout.number == "score" else self.read_grade(value)
        if number is None:
            raise InputError(
                f"{self.layout.number} {excerpt(value)} is not {self._expected_number(value)}", self.path, line
            )
        return number

    def _expected_number(self, value: bytes) -> str:
        if self.layout.number == "score":
            return "a number"
        if value.strip().lstrip(b"+-").isdigit():
            return "a whole number of at most 18 digits"
        if self.takes_fractions and value.strip().startswith(b"-") and as_score(value) is not None:
            return NEGATIVE_GRADES
        if self.takes_fractions:
            return "a number such as 1 or 0.5"
        is_fraction = as_score(value) is not None and b"." in value
        return f"a whole number; {fractional_grade_remedy(value.decode())}" if is_fraction else "a whole number"

    def _drop_duplicates(self) -> Iterator[FileRow]:
        firsts: dict[tuple[str, ...], tuple[int, str, float]] = {}
        where = "in entry" if self.has_entries else "on line"
        for row in self.rows():
            apart = (row.iteration,) if self.layout.duplicate_column else ()
            here = (row.line, row.tag, row.number)
            first, tag, number = firsts.setdefault((row.qid, row.docno, *apart), here)
            if first != row.line:
                topic = f", {self.layout.duplicate_column} ".join((row.qid, *apart))
                message = f"duplicate document {row.docno} of topic {topic}, first {where} {first}"
                several = f" with the tag {tag!r}, here {row.tag!r}; split the runs by the last column"
                remedy = several if tag != row.tag else self._duplicate_words(number, row.number)
                raise InputError(message + remedy, self.path, row.line)
            yield row

    def _duplicate_words(self, first: float, second: float) -> str:
        if self.layout.number is None or first == second:
            return " with the same " + (self.layout.number or "columns") + "; remove one of the lines"
        return f" with {self.layout.number} {first:g}, here {second:g}; remove the wrong line"
