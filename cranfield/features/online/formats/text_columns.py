"""Logs in CSV and TSV without Arrow: columns of texts, read by Python's csv module."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.errors import InputError
from cranfield.features.online.formats.own import seconds_of
from cranfield.features.online.formats.parts import BadLine, CodedNames
from cranfield.formats.files import OpenFile

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
TRUE = {"true": 1.0, "false": 0.0}
NULLS = frozenset(  # as Arrow has them
    {
        "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "N/A", "NA", "NULL",
        "NaN", "n/a", "nan", "null",
    }
)  # fmt: skip


class TextColumn(NamedTuple):
    """A column of texts; None where a cell is empty.

    >>> TextColumn(["1", None, "x"]).numbers()
    (array([ 1., nan, nan]), array([False, False,  True]))
    >>> TextColumn(["d2", None, "d1", "d2"]).encode().codes
    array([ 0, -1,  1,  0])
    """

    texts: Sequence[str | None]

    def encode(self) -> CodedNames:
        """The texts by number, in the order of first use."""
        numbers: dict[str, int] = {}
        codes = [-1 if text is None else numbers.setdefault(text, len(numbers)) for text in self.texts]
        return CodedNames(np.array(codes, np.int64), [*numbers])

    def numbers(self) -> tuple[Floats, Mask]:
        """The numbers, NaN for empty cells, and the rows with another text; true is 1."""
        values, is_odd = np.full(len(self.texts), np.nan), np.zeros(len(self.texts), bool)
        for row, text in enumerate(self.texts):
            word = (text or "").strip().lower()
            if word in TRUE:
                values[row] = TRUE[word]
            elif NUMBER.fullmatch(word):
                values[row] = float(word)
            else:
                is_odd[row] = bool(word)
        return values, is_odd

    def times(self) -> tuple[Floats, Mask]:
        """Seconds since 1970, and the rows without a time; texts are ISO 8601."""
        seconds, is_odd = self.numbers()
        for row in np.flatnonzero(is_odd).tolist():
            try:
                seconds[row] = seconds_of(re.sub(r"\s*UTC$", "Z", str(self.texts[row])), InputError) or 0.0
                is_odd[row] = False
            except InputError:
                pass
        return seconds, is_odd


@dataclass(frozen=True)
class TextTable:
    """A table of texts, and the line of each row."""

    columns: dict[str, TextColumn]
    column_names: list[str]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, name: str) -> TextColumn:
        return self.columns[name]


def read_text_table(source: OpenFile, delimiter: str, bad: list[BadLine]) -> TextTable:
    """The rows of a file with a header; lines with another number of cells are added to `bad`."""
    csv.field_size_limit(sys.maxsize >> 32)
    dialect: Any = {"quoting": csv.QUOTE_NONE} if delimiter == "\t" else {}
    rows = _numbered(csv.reader(source.text(), delimiter=delimiter, strict=True, **dialect), source)
    _, header = next(rows)
    lines, cells = list[int](), list[list[str | None]]()
    for line, row in rows:
        if len(row) == len(header):
            lines.append(line)
            cells.append([None if cell in NULLS else cell for cell in row])
        elif any(cell.strip() for cell in row):
            what = f"{len(row)} cells; the header has {len(header)}"
            bad.append(BadLine(line, "lines that cannot be read", what))
    columns = zip(*cells, strict=True) if cells else ([] for _ in header)
    return TextTable(
        {name: TextColumn(list(column)) for name, column in zip(header, columns, strict=True)}, header, lines
    )


def _numbered(rows: Any, source: OpenFile) -> Iterator[tuple[int, list[str]]]:
    try:
        for row in rows:
            if row:
                yield rows.line_num, row
    except csv.Error as error:
        raise InputError(f"not a table: {error}", source.path, rows.line_num) from None
