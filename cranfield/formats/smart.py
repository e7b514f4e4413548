"""SMART: `.I id` starts a record, `.T` `.A` `.B` `.W` ... start its parts.

Real files start a part twice within a record (Cranfield's document 576): what follows is appended, never put in place
of the first. Ids are those of the file; cranqrel numbers the topics of cran.qry by their position instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import Source
from cranfield.formats.records import Document, Format, Located, Topic

_ID = re.compile(r"\.I\s+(\S+)\s*$")
_MARK = re.compile(r"\.([A-Z])\s*$")
METADATA = {
    "A": "author",
    "B": "bibliography",
    "C": "categories",
    "K": "keywords",
    "N": "note",
    "X": "references",
}


class Record(NamedTuple):
    """The lines of each part of a record."""

    line: int
    id: str
    parts: dict[str, list[str]]

    def text(self, mark: str) -> str:
        """A part as it stands, without blank lines around it."""
        return "\n".join(self.parts.get(mark, ())).strip("\n")

    def title(self, mark: str) -> str:
        """A part as one line."""
        return " ".join(self.text(mark).split())

    def metadata(self) -> dict[str, object]:
        """The parts that are neither title nor text, by name."""
        return {
            METADATA.get(mark, mark): self.text(mark) for mark in self.parts if mark not in "TW" and self.text(mark)
        }


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b".I ")


def read_corpus(source: Source) -> Iterator[Document]:
    for record in records(source):
        yield Document(record.id, record.title("T"), record.text("W"), metadata=record.metadata())


def read_topics(source: Source) -> Iterator[Located]:
    """Topics; where there is no `.T`, the text is the title."""
    for record in records(source):
        title, text = record.title("T"), record.text("W")
        texts = (title, text) if title else (record.title("W"), "")
        yield Located(record.line, Topic(record.id, *texts, metadata=record.metadata()))


def records(source: Source) -> Iterator[Record]:
    """The records, one at a time."""
    record, part = None, None
    for line, text in source.lines():
        if start := _ID.match(text):
            if record:
                yield record
            record, part = Record(line, start[1], {}), None
        elif record and (mark := _MARK.match(text)):
            part = record.parts.setdefault(mark[1], [])
        elif part is not None:
            part.append(text)
        elif text.strip():
            raise InputError(
                "text outside a part, where a record starts with .I and a part with .T or .W", source.path, line
            )
    if record:
        yield record


CORPUS = Format("corpus", "smart", "SMART's .I .T .A .B .W .X", detect, read_corpus)
TOPICS = Format("topics", "smart", "SMART's .I .W (.T .A .B)", detect, read_topics)
