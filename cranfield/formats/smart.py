"""SMART: `.I id` starts a record, `.T` `.A` `.B` `.W` ... start its parts.

Real files start a part twice within a record (Cranfield's document 576): what follows is appended, never put in place
of the first. Ids are those of the file; cranqrel numbers the topics of cran.qry by their position instead.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import LIMITS, OpenFile, Path, too_much
from cranfield.formats.records import Document, Fields, Format, Located, Topic, document, topic
from cranfield.formats.whole_files import check_empty, check_words, write_lines

_ID = re.compile(r"\.I\s+(\S+)\s*$")
_MARK = re.compile(r"\.([A-Z])\s*$")
SMART_METADATA = {
    "A": "author",
    "B": "bibliography",
    "C": "categories",
    "K": "keywords",
    "N": "note",
    "X": "references",
}


class SmartRecord(NamedTuple):
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

    def fields(self, **ours: str) -> Fields:
        """Fields of its own, and those parts that are neither title nor text, by name; none that is empty."""
        parts = {SMART_METADATA.get(mark, mark): self.text(mark) for mark in self.parts if mark not in "TW"}
        return {name: text for name, text in {**ours, **parts}.items() if text}


def detect_smart(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b".I ")


def read_smart_corpus(source: OpenFile) -> Iterator[Document]:
    for record in smart_records(source):
        fields = record.fields(docno=record.id, title=record.title("T"), text=record.text("W"))
        yield document(fields, source.path, record.line, source.names)


def read_smart_topics(source: OpenFile) -> Iterator[Located]:
    """Topics; where there is no `.T`, the text is the title."""
    for record in smart_records(source):
        title, text = record.title("T"), record.text("W")
        title, text = (title, text) if title else (record.title("W"), "")
        fields = record.fields(qid=record.id, title=title, description=text)
        yield Located(record.line, topic(fields, source.path, record.line, source.names))


def smart_records(source: OpenFile) -> Iterator[SmartRecord]:
    """The records, one at a time."""
    record, part, size, most = None, None, 0, LIMITS.get().document
    for line, text in source.lines():
        size += len(text) + 1
        if size > most and record:
            raise InputError(too_much(f"record {record.id}", "document"), source.path, record.line)
        if start := _ID.match(text):
            if record:
                yield record
            record, part, size = SmartRecord(line, start[1], {}), None, 0
        elif record and (mark := _MARK.match(text)):
            part = record.parts.setdefault(mark[1], [])
        elif part is not None:
            part.append(text)
        elif text.strip():
            raise InputError("text outside a part; a record starts with .I, a part with .T or .W", source.path, line)
    if record:
        yield record


def write_smart_corpus(path: Path, documents: Iterable[Document]) -> None:
    write_lines(
        path, _record_lines(path, ((d.docno, {"T": d.title, "W": d.text}, d.url, d.metadata) for d in documents))
    )


def write_smart_topics(path: Path, topics: Iterable[Topic]) -> None:
    write_lines(path, _record_lines(path, (_topic_parts(path, each) for each in topics)))


Parts = tuple[str, dict[str, str], str, Mapping[str, object]]


def _topic_parts(path: Path, topic: Topic) -> Parts:
    check_empty(path, f"topic {topic.qid}", "SMART", narrative=topic.narrative)
    parts = {"T": topic.title, "W": topic.description} if topic.description else {"W": topic.title}
    return topic.qid, parts, "", topic.metadata


def _record_lines(path: Path, records: Iterable[Parts]) -> Iterator[str]:
    marks = {name: mark for mark, name in SMART_METADATA.items()}
    for name, parts, url, metadata in records:
        check_words(path, id=[name])
        others = {key: value for key, value in metadata.items() if key not in marks}
        check_empty(path, name, "SMART", url=url, metadata=others)
        yield f".I {name}"
        for mark, text in {**parts, **{marks[key]: str(value) for key, value in metadata.items()}}.items():
            if text:
                _check_part(path, name, mark, text)
                yield f".{mark}\n{text}"


def _check_part(path: Path, name: str, mark: str, text: str) -> None:
    """Refuse a text that would be read as something else."""
    lines = text.split("\n")
    if text != text.strip("\n") or "\r" in text or any(_ID.match(line) or _MARK.match(line) for line in lines):
        raise InputError(
            f"the .{mark} of {name} cannot be written: one of its lines would be read as a mark or lost", path
        )


SMART_CORPUS = Format(
    "corpus", "smart", "SMART's .I .T .A .B .W .X", detect_smart, read_smart_corpus, write_smart_corpus
)
SMART_TOPICS = Format(
    "topics", "smart", "SMART's .I .W (.T .A .B)", detect_smart, read_smart_topics, write_smart_topics
)
