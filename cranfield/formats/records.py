"""What the formats read and write: documents, topics, and the record that describes a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.formats.files import Path, Source

Kind = Literal["corpus", "topics", "run", "qrels", "votes"]
Fields = dict[str, object]


class Document(NamedTuple):
    """A document of the corpus; what has no column of its own is in `metadata`."""

    docno: str
    title: str = ""
    text: str = ""
    url: str = ""
    metadata: Mapping[str, object] = {}


class Topic(NamedTuple):
    """A topic; where a file has a single text for each topic, that is the title."""

    qid: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    metadata: Mapping[str, object] = {}


class Located(NamedTuple):
    """A topic and the line where it starts."""

    line: int
    topic: Topic


@dataclass(frozen=True)
class Format:
    """One row of the table of formats.

    `detect` sees the first bytes, decompressed, and the path. `read` takes an open Source and gives an iterator of
    documents, of Located topics or of Ballots, or a Table. `write` takes a path and what is to be written; it refuses
    what the format cannot carry.
    """

    kind: Kind
    name: str
    description: str
    detect: Callable[[bytes, str], bool]
    read: Callable[[Source], Any]
    write: Callable[[Path, Any], None] | None = None


DOCNO = ("docno", "_id", "id", "docid", "doc_id", "pid")
TEXT = ("text", "contents", "body", "passage")
DOCUMENT_TITLE = ("title", "headline")
QID = ("qid", "_id", "id", "query_id", "num", "number")
TOPIC_TITLE = ("title", "query", "text")
DESCRIPTION = ("description", "desc", "question")
NARRATIVE = ("narrative", "narr")


def document(fields: Fields, path: Path, line: int | None = None) -> Document:
    """A document from named fields, under any of their usual names; the others are metadata.

    >>> document({"_id": 7, "contents": "wing", "year": 1958}, "corpus.jsonl", 1)
    Document(docno='7', title='', text='wing', url='', metadata={'year': 1958})
    """
    take = _Taker(dict(fields), path, line)
    return Document(
        take.name(DOCNO), take.text(DOCUMENT_TITLE), take.text(TEXT), take.text(("url",)), metadata=take.rest()
    )


def topic(fields: Fields, path: Path, line: int | None = None) -> Topic:
    """A topic from named fields, under any of their usual names; the others are metadata.

    >>> topic({"_id": "q1", "text": "lift of a wing", "metadata": {"source": "letter"}}, "queries.jsonl", 1)
    Topic(qid='q1', title='lift of a wing', description='', narrative='', metadata={'source': 'letter'})
    """
    take = _Taker(dict(fields), path, line)
    return Topic(
        take.name(QID), take.text(TOPIC_TITLE), take.text(DESCRIPTION), take.text(NARRATIVE), metadata=take.rest()
    )


@dataclass
class _Taker:
    """Takes fields out of a dictionary, by the first of several names that is there."""

    fields: Fields
    path: Path
    line: int | None

    def name(self, names: tuple[str, ...]) -> str:
        found = self.text(names).strip()
        if not found:
            raise InputError(f"no id; it is looked for in {', '.join(names)}", self.path, self.line)
        return found

    def text(self, names: tuple[str, ...]) -> str:
        name = next((name for name in names if name in self.fields), names[0])
        value = self.fields.pop(name, None)
        if isinstance(value, (bool, list, dict)):
            raise InputError(f"{name} is {value!r:.40} where it is a text", self.path, self.line)
        return "" if value is None else str(value)

    def rest(self) -> Mapping[str, object]:
        metadata = self.fields.get("metadata")
        if not isinstance(metadata, dict):
            return self.fields
        return metadata | {name: value for name, value in self.fields.items() if name != "metadata"}
