"""Spans of documents that a run or qrels named: recorded in the log as one change, however many they are.

A docno that appears in a run is not a decision. Of many new docnos the log has one hash: the SHA-256 of the docnos in
the order in which they were added, which is byte order, each followed by a NUL. A span covers whole blocks of rows. A
block in which something changes later, such as a text that arrives, is recorded by itself from then on, and the docnos
of the span stay what the log says.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from sqlite3 import Connection
from typing import NamedTuple, Self

from cranfield.arrays.rankings import NameArray
from cranfield.store.tables import BLOCK

MIN_BLOCKS = 2  # of a span
NAMES_AT_ONCE = 20_000
NAME = re.compile(r"([0-9]{1,15})-([0-9]{1,15})")
NOTE = re.compile(r"([0-9]{1,15})-([0-9]{1,15}) ([0-9a-f]{64})")
OTHER_COLUMNS = "coalesce(title, text, url, metadata, sha256, import, nullif(removed, 0))"


class NameSpan(NamedTuple):
    """Blocks of documents that were added together, from the first to the last, and the hash of their docnos."""

    first: int
    last: int
    sha256: str = ""

    @classmethod
    def from_name(cls, name: str, pattern: re.Pattern[str] = NAME) -> Self | None:
        """Parse the name of an item of the log, or None if it is not a span.

        >>> NameSpan.from_name("3-7"), NameSpan.from_name("3")
        (NameSpan(first=3, last=7, sha256=''), None)
        """
        match = pattern.fullmatch(name)
        return cls(int(match[1]), int(match[2]), *match.groups()[2:]) if match else None

    @classmethod
    def from_rows(cls, first: int, last: int) -> Self | None:
        """The blocks that lie between two rows, both included; None if they are few.

        >>> NameSpan.from_rows(1, 2999), NameSpan.from_rows(2, 3998)
        (NameSpan(first=0, last=2, sha256=''), NameSpan(first=1, last=2, sha256=''))
        >>> NameSpan.from_rows(2, 1999)
        """
        span = cls(0 if first == 1 else -(-first // BLOCK), (last + 1) // BLOCK - 1)
        return span if len(span.blocks) >= MIN_BLOCKS else None

    @property
    def name(self) -> str:
        """The name of the item in the log."""
        return f"{self.first}-{self.last}"

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(self.first, self.last + 1)

    @property
    def rows(self) -> range:
        """The numbers of the rows."""
        return range(max(BLOCK * self.first, 1), BLOCK * (self.last + 1))

    @property
    def content(self) -> dict[str, int | str]:
        """What the log says."""
        return {"names": len(self.rows), "sha256": self.sha256}


def note_span(conn: Connection, first: int, names: NameArray) -> None:
    """Note documents that were added in this transaction from a row on, to be recorded at its end."""
    span = NameSpan.from_rows(first, first + len(names) - 1)
    if span:
        start = span.rows.start - first
        digest = _digest(_sql_name_batches(names[start : start + len(span.rows)]))
        conn.execute("INSERT INTO unrecorded (kind, name) VALUES ('document', ?)", [f"{span.name} {digest}"])


def _sql_name_batches(names: NameArray) -> Iterator[str]:
    from cranfield.formats.arrow import join_names

    for start in range(0, len(names), NAMES_AT_ONCE):
        yield join_names(names[start : start + NAMES_AT_ONCE], "\0")


def _digest(pieces: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(f"{piece}\0".encode())
    return digest.hexdigest()


def is_intact(conn: Connection, span: NameSpan) -> bool:
    """Whether all documents of a span are there, with the docnos that the log has."""
    count = "SELECT count(*) FROM document WHERE id >= ? AND id < ?"
    if conn.execute(count, [span.rows.start, span.rows.stop]).fetchone()[0] != len(span.rows):
        return False
    joined = (
        "SELECT group_concat(docno, char(0)) FROM (SELECT docno FROM document WHERE id >= ? AND id < ? ORDER BY id)"
    )
    starts = range(span.rows.start, span.rows.stop, NAMES_AT_ONCE)
    ends = ((start, min(start + NAMES_AT_ONCE, span.rows.stop)) for start in starts)
    return _digest(conn.execute(joined, part).fetchone()[0] for part in ends) == span.sha256


def changed_blocks(conn: Connection, span: NameSpan) -> set[int]:
    """The blocks of a span in which more than docnos is known of a document, or one was removed."""
    query = f"SELECT DISTINCT id / {BLOCK} FROM document WHERE id >= ? AND id < ? AND {OTHER_COLUMNS} IS NOT NULL"
    return {block for (block,) in conn.execute(query, [span.rows.start, span.rows.stop])}
