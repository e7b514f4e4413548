"""What the formats read and write: documents and topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from typing import NamedTuple

from cranfield import hooks
from cranfield.errors import InputError, Path
from cranfield.text import json_value

Kind = str  # of the core, or of a feature, which declares it: `file_kinds` of Extension
CORE_KINDS: tuple[Kind, ...] = ("corpus", "topics", "run", "qrels", "votes", "preferences")
Fields = dict[str, object]


class Document(NamedTuple):
    """Document of the corpus; `metadata` holds all fields without their own column."""

    docno: str
    title: str = ""
    text: str = ""
    url: str = ""
    metadata: Mapping[str, object] = {}


class Topic(NamedTuple):
    """Topic; the title is the text if a file has a single text for each topic."""

    qid: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    metadata: Mapping[str, object] = {}


class LocatedTopic(NamedTuple):
    """A topic and the line where it starts."""

    line: int
    topic: Topic


# a passage's own id comes before that of the document that it is from
DOCNO = ("docno", "_id", "id", "pid", "passage_id", "docid", "doc_id", "document_id", "cord_uid")
TEXT = (
    "text", "contents", "content", "body", "passage", "passage_text", "abstract", "segment", "full_text", "body_text",
    "main_text", "doc_text", "document_text", "raw", "raw_text",
)  # fmt: skip
DOCUMENT_TITLE = ("title", "headline")
URL = ("url",)
QID = ("qid", "_id", "id", "query_id", "num", "number", "topic_id", "topic_number")
TOPIC_TITLE = ("title", "query", "text", "query_text", "contents", "content", "body")
DESCRIPTION = ("description", "desc", "question")
NARRATIVE = ("narrative", "narr")
TOPIC_FIELDS = frozenset({*QID, *TOPIC_TITLE, *DESCRIPTION, *NARRATIVE, "metadata"})
TOPIC_OF = ("qid", "query_id", "num", "number", "topic_id", "topic_number", "query", "q_id", "topic")
DOCUMENT_OF = (
    "docno", "pid", "passage_id", "docid", "doc_id", "document_id", "cord_uid", "corpus_id", "document", "doc",
    "passage",
)  # fmt: skip
A_RECORD: Mapping[Kind, str] = {
    "corpus": "a corpus",
    "topics": "a topic",
    "run": "a run",
    "qrels": "a judgment",
}
FIELDS: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    "corpus": {"docno": DOCNO, "title": DOCUMENT_TITLE, "text": TEXT, "url": URL},
    "topics": {"qid": QID, "title": TOPIC_TITLE, "description": DESCRIPTION, "narrative": NARRATIVE},
    "run": {
        "qid": TOPIC_OF,
        "docno": DOCUMENT_OF,
        "score": ("score", "similarity", "sim"),
        "rank": ("rank", "position"),
        "tag": ("tag", "run", "run_id", "system", "run_name"),
    },
    "qrels": {
        "qid": TOPIC_OF,
        "docno": DOCUMENT_OF,
        "grade": ("grade", "relevance", "rel", "label", "judgment", "score"),
    },
}


def fields_of_kind(kind: Kind) -> Mapping[str, tuple[str, ...]]:
    """The usual names of the fields of a kind's records, by our name.

    >>> fields_of_kind("qrels")["grade"][:2]
    ('grade', 'relevance')
    """
    return FIELDS[kind] if kind in FIELDS else hooks.file_kinds()[kind].fields


MOST_PLACES = 1000  # kept in memory
MOST_NAMED = 20  # in a message
NESTED = 100  # levels of lists and objects in metadata


@dataclass
class Names:
    """Under which names the fields are in a file: as its user says, ours to theirs, and those `present` there so far.

    Where their name is empty, the file does not have the field. `columns` are those of a file without a header.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    columns: Sequence[str] = ()
    present: dict[str, None] = field(default_factory=dict)
    places: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)  # ours to theirs, by all of theirs
    others: Sequence[str] = field(default=(), repr=False)  # fields that are none of ours, kept under their own names

    def fields_of(self, kind: Kind, fields: Fields) -> Mapping[str, str]:
        """Which of a record's fields are ours; records with the same fields are looked at once.

        >>> Names().fields_of("corpus", {"ID": 7, "contents": "a", "text": "b", "year": 1958})
        {'docno': 'ID', 'text': 'text'}
        """
        key = tuple(fields)
        if key not in self.places:
            if len(self.places) == MOST_PLACES:
                self.places.clear()
            self.present.update(dict.fromkeys(key))
            places = {name: self._first_present(self.spellings(kind, name), key) for name in fields_of_kind(kind)}
            self.places[key] = {name: theirs for name, theirs in places.items() if theirs is not None}
        return self.places[key]

    def _first_present(self, names: Iterable[str], fields: tuple[str, ...]) -> str | None:
        """The first of several names that a field has, if need be in another spelling."""
        plain = {fold_field_name(name): name for name in reversed(fields)}
        return next((name for name in names if name in fields), None) or next(
            (plain[name] for name in map(fold_field_name, names) if name in plain), None
        )

    @property
    def sample(self) -> str:
        """The names seen, the first of them if there are many."""
        return ", ".join([*islice(self.present, MOST_NAMED), *(["..."] if len(self.present) > MOST_NAMED else [])])

    def spellings(self, kind: Kind, name: str) -> tuple[str, ...]:
        """The names to look for.

        >>> Names({"text": "story"}).spellings("corpus", "text"), Names({"text": "title"}).spellings("corpus", "title")
        (('story',), ('headline',))
        """
        if name in self.mapping:
            return tuple(filter(None, [self.mapping[name]]))
        return tuple(usual for usual in fields_of_kind(kind)[name] if usual not in self.mapping.values())

    def first(self, kind: Kind, name: str) -> str:
        """The name of a field that the file has, or that it may have; empty where it has none.

        >>> Names(present={"run_id": None}).first("run", "tag"), Names().first("run", "tag")
        ('run_id', 'tag')
        """
        names = self.spellings(kind, name)
        return next((each for each in names if each in self.present), names[0] if names else "")

    def unknown(self, kind: Kind) -> list[str]:
        """The names seen that are none of a field's.

        >>> Names(present={"_id": None, "Body": None, "year": None}).unknown("corpus")
        ['year']
        """
        names = {
            fold_field_name(name)
            for field, usual in fields_of_kind(kind).items()
            for name in (*usual, *self.spellings(kind, field))
        }
        return [
            name
            for name in self.present
            if fold_field_name(name) not in names | {"metadata", *map(fold_field_name, self.others)}
        ]

    def check_names(self, path: Path) -> None:
        """Refuse a name that the file, read to its end, does not have.

        >>> Names({"text": "story"}, present={"_id": None, "text": None}).check_names("corpus.jsonl")
        Traceback (most recent call last):
        cranfield.errors.InputError: corpus.jsonl: no field 'story'; the fields in the file are _id, text
        """
        present = set(map(fold_field_name, self.present))
        for name in filter(None, [*self.mapping.values(), *self.columns]):
            if fold_field_name(name) not in present:
                hint = f"the fields in the file are {self.sample}" if present else "its format has no named fields"
                raise InputError(f"no field {name!r}; {hint}", path)

    def check(self, kind: Kind) -> None:
        """Refuse a field that there is not.

        >>> Names({"body": "story"}).check("corpus")
        Traceback (most recent call last):
        cranfield.errors.InputError: a corpus has no field 'body'; available: docno, title, text, url
        """
        for name in self.mapping:
            if name not in (fields := fields_of_kind(kind)):
                noun = A_RECORD[kind] if kind in A_RECORD else hooks.file_kinds()[kind].noun
                raise InputError(f"{noun} has no field {name!r}; available: {', '.join(fields)}")


def as_names(names: Names | Mapping[str, str] | None) -> Names:
    """Names for one more file, as they were given, or of a mapping of ours to theirs."""
    return Names(names.mapping, names.columns) if isinstance(names, Names) else Names(dict(names or {}))


def document_from_fields(fields: Fields, path: Path, line: int | None = None, names: Names | None = None) -> Document:
    """A document from named fields, under any of their usual names or as `names` says; the others are metadata.

    >>> document_from_fields({"_id": 7, "contents": "wing", "year": 1958}, "corpus.jsonl", 1)
    Document(docno='7', title='', text='wing', url='', metadata={'year': 1958})
    >>> document_from_fields({"_id": 0.0, "text": "wing"}, "corpus.parquet", 1).docno
    '0'
    """
    take = _FileFields("corpus", dict(fields), path, line, names or Names())
    return Document(
        take.name("docno"), take.text("title"), take.text("text"), take.text("url"), metadata=take.remaining_fields()
    )


def topic_from_fields(fields: Fields, path: Path, line: int | None = None, names: Names | None = None) -> Topic:
    """A topic from named fields, under any of their usual names or as `names` says; the others are metadata.

    >>> topic_from_fields({"_id": "q1", "text": "lift of a wing", "metadata": {"source": "letter"}}, "queries.jsonl", 1)
    Topic(qid='q1', title='lift of a wing', description='', narrative='', metadata={'source': 'letter'})
    >>> topic_from_fields({"_id": "q1", "question": "What lifts a wing?"}, "queries.jsonl", 1).title
    'What lifts a wing?'
    """
    take = _FileFields("topics", dict(fields), path, line, names or Names())
    qid, title, description, narrative = (take.name("qid"), *map(take.text, ("title", "description", "narrative")))
    if not title and (description == "" or narrative == ""):
        title, description, narrative = description or narrative, "", ""
    return Topic(qid, title, description, narrative, metadata=take.remaining_fields())


class _FileFields:
    """Takes fields out of a dictionary."""

    def __init__(self, kind: Kind, fields: Fields, path: Path, line: int | None, names: Names) -> None:
        self.kind, self.fields, self.path, self.line, self.names = kind, fields, path, line, names
        self.places = names.fields_of(kind, fields)

    def name(self, field: str) -> str:
        place = self.places.get(field, "")
        value = self.fields.get(place)
        if isinstance(value, float) and value.is_integer():  # an id that was read as a number
            self.fields[place] = int(value)
        name = self.text(field).strip()
        if not name:
            names = ", ".join(self.names.spellings(self.kind, field))
            raise InputError(f"the id is missing; expected it in one of the fields {names}", self.path, self.line)
        if "\0" in name:
            raise InputError(f"{field} {name!r:.60} contains a NUL", self.path, self.line)
        return name

    def text(self, field: str) -> str:
        name = self.places.get(field)
        value = None if name is None else self.fields.pop(name, None)
        if isinstance(value, (bool, list, dict)):
            raise InputError(f"{name} is {json_value(value)}; expected text", self.path, self.line)
        return "" if value is None else str(value)

    def remaining_fields(self) -> Mapping[str, object]:
        metadata = self.fields.get("metadata")
        fields = self.fields
        if isinstance(metadata, dict):
            fields = metadata | {name: value for name, value in self.fields.items() if name != "metadata"}
        for name, value in fields.items():
            if not isinstance(value, str) and (reason := why_not_json(value)):
                raise InputError(f"{name} {reason}", self.path, self.line)
        return fields


def why_not_json(value: object) -> str:
    """Why a value cannot be kept as JSON, or not be read again; nothing if it can.

    >>> why_not_json({"a": [1, "nan"]}), why_not_json({"a": [float("nan")]})
    ('', 'has NaN or an infinite number, which JSON cannot represent')
    """
    level = [value]
    for _ in range(NESTED):
        if any(isinstance(one, float) and not isfinite(one) for one in level):
            return "has NaN or an infinite number, which JSON cannot represent"
        inside = [one.values() if isinstance(one, Mapping) else one for one in level if isinstance(one, Mapping | list)]
        level = [part for parts in inside for part in parts]
        if not level:
            return ""
    return f"is nested more than {NESTED} levels deep"


def fold_field_name(name: str) -> str:
    """A name of a field whatever its case, and whatever parts its words.

    >>> fold_field_name("Passage-Text")
    'passage_text'
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")
