"""Pages: one assessor's work in an HTML file, judged without any program; its downloads are lists of events.

A page names documents by opaque ids, made with the store's key, so that a download can speak only of documents that
its page has. Its first line is sealed with that key: whose page it is, of which store, pool and order. The other lines
have the fields of their events, each of its type.
"""

import hmac
import json
import re
from base64 import urlsafe_b64encode
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.formats.files import SQLITE, is_compressed, open_decompressed, open_utf8_text
from cranfield.formats.jsonl import parse_json_object
from cranfield.store.assignments import format_timestamp
from cranfield.store.chain import grade_scale_text
from cranfield.store.invitations import serving_key
from cranfield.store.store import Store

FORMAT, VERSION = "cranfield page", 1
ID = 24  # bytes of an opaque id


class OfflinePage(NamedTuple):
    """A page: its id, which is the origin of its events, its assessor, its collection, and how it was ordered."""

    page: str
    assessor: str
    collection: str
    created: str  # when the collection was
    scale: str
    made: str
    order: str
    seed: int
    pool: int | None

    @classmethod
    def begin(cls, store: Store, assessor: str, order: str, seed: int, pool: int | None) -> Self:
        """A new page of a store."""
        about, scale, time = store.collection, grade_scale_text(store.conn), format_timestamp(datetime.now(UTC))
        return cls(
            uuid4().hex,
            assessor,
            about.name,
            created=about.created,
            scale=scale,
            made=time,
            order=order,
            seed=seed,
            pool=pool,
        )

    def key(self, store: Store) -> bytes:
        """The key of its ids and of its seal."""
        return hmac.digest(serving_key(store), json.dumps(["page", self.page]).encode(), "sha256")

    def line(self, key: bytes) -> dict[str, Any]:
        """The first line of its downloads."""
        return {"format": FORMAT, "version": VERSION, **self._asdict(), "seal": _tag(key, list(self))}


def opaque_id(key: bytes, qid: str, docno: str = "", again: bool = False) -> str:
    """The id of a document, or of a topic, in the page with this key; `again`: of its second showing."""
    return _tag(key, [qid, docno, again])


def _tag(key: bytes, what: list[Any]) -> str:
    return urlsafe_b64encode(hmac.digest(key, json.dumps(what).encode(), "sha256")[:ID]).decode()


def record_handed_out_page(store: Store, page: OfflinePage, qids: Collection[str]) -> None:
    """Record that a page was made, and keep its topics for its assessor."""
    with store.writing():
        row = [page.page, page.assessor, page.made]
        store.conn.execute("INSERT INTO origin (id, kind, name, made) VALUES (?, 'bundle', ?, ?)", row)
        keep(store, page.assessor, qids)


def keep(store: Store, assessor: str, qids: Collection[str]) -> None:
    """Let an assessor's claims on these topics not lapse: their work has left the house."""
    store.conn.executemany(
        "UPDATE assignment SET lease = NULL WHERE assessor = (SELECT id FROM assessor WHERE name = ?)"
        " AND topic = (SELECT id FROM topic WHERE qid = ?)",
        [(assessor, qid) for qid in qids],
    )


def count_bundles(store: Store, assessor: str) -> int:
    """How many bundles and pages were made for an assessor."""
    return int(store.rows("SELECT count(*) FROM origin WHERE kind = 'bundle' AND name = ?", [assessor])[0][0])


def is_bundle(store: Store) -> bool:
    """Whether a store is itself somebody's bundle."""
    return store.count("bundle") > 0


HEAD = 1000  # bytes that tell a download from a store
LONGEST = 1_000_000  # characters that somebody types
EVENT_ID = re.compile(r"[0-9a-f]{32}")
CRITERION = "criterion"  # a line that is no event of the judgment log, but an entry of the assessor's criteria


class FileLine(NamedTuple):
    """A line of a file, and its fields."""

    line: int
    fields: Mapping[str, Any]


class Type(NamedTuple):
    """What a field holds: a check, and what it is in words."""

    holds: Callable[[Any], bool]
    words: str


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 53


def _is_count(value: object) -> bool:
    return _is_whole(value) and value >= 1  # type: ignore[operator]


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1 << 53


def _is_typed(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST


def _is_mark(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"start", "end", "quote"}
        and all(_is_whole(value[name]) for name in ("start", "end"))
        and 0 <= value["start"] <= value["end"]
        and isinstance(value["quote"], str)
    )


TEXT = Type(lambda value: isinstance(value, str), "a text")
TYPED = Type(_is_typed, f"a text of 1 to {LONGEST:,} characters")
COUNT = Type(_is_count, "a whole number of at least 1")
TRUE = Type(lambda value: value is True, "true, or no such field")
HEX_ID = Type(lambda value: isinstance(value, str) and EVENT_ID.fullmatch(value) is not None, "32 hexadecimal digits")
MARKS = Type(
    lambda value: isinstance(value, list) and bool(value) and all(map(_is_mark, value)),
    'a list of {"start": ..., "end": ..., "quote": ...}',
)
FIELDS: Mapping[str, Type] = MappingProxyType(
    {
        "number": COUNT,
        "event_id": HEX_ID,
        "at": TEXT,
        "kind": TEXT,
        "document": TEXT,
        "topic": TEXT,
        "text": TYPED,
        "grade": Type(_is_whole, "a whole number"),
        "unsure": TRUE,
        "reason": TYPED,
        "note": TYPED,
        "evidence": MARKS,
        "seconds": Type(_is_seconds, "a number of seconds"),
        "position": COUNT,
        "supersedes": TEXT,
        "fast": TRUE,
        "highlight_terms": TYPED,
        "document_sha256": TEXT,
    }
)
ALWAYS = ("number", "event_id", "at", "kind")
EVENT = (*ALWAYS, "document")
CONTEXT_FIELDS = ("seconds", "position", "document_sha256", "highlight_terms")


class Shape(NamedTuple):
    """The fields that a kind of event has, and those that it may have."""

    necessary: Collection[str]
    optional: Collection[str] = ()


SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "label": Shape((*EVENT, "grade"), (*CONTEXT_FIELDS, "unsure", "note", "evidence", "fast", "supersedes")),
        "later": Shape(EVENT, (*CONTEXT_FIELDS, "note", "supersedes")),
        "cannot-judge": Shape((*EVENT, "reason"), (*CONTEXT_FIELDS, "note", "supersedes")),
        "note": Shape(EVENT, (*CONTEXT_FIELDS, "unsure", "note", "evidence")),
        "retract": Shape((*EVENT, "supersedes"), CONTEXT_FIELDS),
        CRITERION: Shape((*ALWAYS, "topic", "text")),
    }
)


def is_download(path: str | PathLike[str]) -> bool:
    """Whether a file looks like a download of a page, and not like a store."""
    return _file_begins_with(path, b"{") or (Path(path).is_file() and is_compressed(path))


def is_compressed_store(path: str | PathLike[str]) -> bool:
    """Whether a file would be a store, were it decompressed."""
    if not Path(path).is_file() or not is_compressed(path):
        return False
    with open_decompressed(path) as file:
        return file.read(len(SQLITE)) == SQLITE


def is_html(path: str | PathLike[str]) -> bool:
    """Whether a file looks like a page."""
    return _file_begins_with(path, b"<!doctype html>")


def _file_begins_with(path: str | PathLike[str], start: bytes) -> bool:
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(HEAD).removeprefix(BOM_UTF8).lstrip().startswith(start)


def lines_of(path: str) -> Iterator[FileLine]:
    """The lines of a download; the first is as it is, all others are checked."""
    with open_utf8_text(path) as text:
        lines = ((number, parse_json_object(line, path, number)) for number, line in enumerate(text, 1) if line.strip())
        try:
            for place, (number, fields) in enumerate(lines):
                if place and (wrong := describe_fault(fields, place)):
                    raise InputError(wrong, path, number)
                yield FileLine(number, fields)
        except InputError as error:
            if not error.message.startswith("not JSON"):
                raise
            cut = f"{error.message}; the file is truncated or edited; download it again from the page"
            raise InputError(cut, path, error.line) from None


def describe_fault(fields: Mapping[str, Any], number: int) -> str:
    """What is wrong with the fields of an event, the so-manieth of its page; empty if nothing is.

    >>> describe_fault({"kind": "adjudicate"}, 1)
    "kind is 'adjudicate'; expected label, later, cannot-judge, note, retract or criterion"
    >>> describe_fault({"number": 1, "event_id": "0" * 32, "at": "", "kind": "criterion", "topic": "t", "text": 3}, 1)
    'text is 3; expected a text of 1 to 1,000,000 characters'
    """
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in SHAPES:
        *first, last = SHAPES
        return f"kind is {kind!r:.60}; expected {', '.join(first)} or {last}"
    necessary, optional = SHAPES[kind]
    if missing := [name for name in necessary if name not in fields]:
        return f"a {kind} without {missing[0]!r}"
    if strange := [name for name in fields if name not in {*necessary, *optional}]:
        return f"a {kind} with the unknown field {strange[0]!r:.60}"
    for name, value in fields.items():
        if not FIELDS[name].holds(value):
            return f"{name} is {value!r:.60}; expected {FIELDS[name].words}"
    if fields["number"] != number:
        return f"number is {fields['number']}; expected {number}: a line is missing, or lines are out of order"
    return ""
