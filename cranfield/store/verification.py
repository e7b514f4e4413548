"""Whether a store's logs are what their chains say: every hash recomputed, the first break named."""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from cranfield import hooks
from cranfield.errors import InputError, StoreError
from cranfield.formats.files import read_text
from cranfield.store.brief_imports import undo_unfinished_imports
from cranfield.store.chain import (
    JUDGMENTS,
    NOBODY,
    SALT,
    Context,
    Event,
    Head,
    LogHead,
    event_of,
    grade_scale_text,
    hash_by_first_rule,
    hash_of,
    person_by_name,
    redactions,
    remainder_hash,
    seal_of_event,
    store_origin,
)
from cranfield.store.changes import HEADS, verify_changes, verify_erasures
from cranfield.store.connection import atomic_path, is_private
from cranfield.store.decoding import decode_json_column
from cranfield.store.links import verify_links
from cranfield.store.releases import releases, verify_releases
from cranfield.store.rounds import refuse_changed_rounds
from cranfield.store.schema import FeaturePart, add_tables, create_core, feature_parts, stored_feature_parts
from cranfield.store.store import Store, document_hash
from cranfield.store.tables import tables_of_store

CLOCKED = ("store", "bundle")  # the kinds of origin in which time runs forward; imports bring the times of other clocks


class Verification(NamedTuple):
    """Logs that hold: the events of judgments, in how many chains, and their head; the same of all else.

    `releases` is how many releases hold.
    """

    events: int
    chains: int
    head: str
    other_events: int = 0  # of the logs of features
    other_head: str = ""  # of the chains of these and of the changes
    erased: int = 0  # rows in which something was erased
    changes: int = 0  # of topics, runs, pools, assignments, ...
    releases: int = 0


def count_feature_events(store: Store) -> dict[str, int]:
    """Count the events of features by the name of their log, without logs that have no event.

    Parameters
    ----------
    store : Store
        The store.

    Returns
    -------
    dict
        The number of events by log.
    """
    query = "SELECT log, count(*) FROM event_link WHERE log NOT IN ('change', 'erasure') GROUP BY log ORDER BY log"
    return {str(log): int(number) for log, number in store.rows(query)}


class Link(NamedTuple):
    """An event in the log with what it is hashed with, and its document as that is now, if it stands."""

    event: Event
    kind: str  # of its assessor
    earlier: str | None
    document: str | None  # the hash of its document as that is now, if it stands


class PreviousEvent(NamedTuple):
    """What is remembered of an event: its origin, its hash, its time, and the rule it was hashed by."""

    origin: str
    hash: str
    at: str
    rule: int


class Chains:
    """The chains while they are walked: the last event of each and, of bundles, all: their chains may branch."""

    def __init__(self, store: Store) -> None:
        self.kinds = dict(store.rows("SELECT id, kind FROM origin"))
        self.own = store_origin(store.conn)
        self.is_bundle = self.kinds.get(self.own) == "bundle"
        self.erased = redactions(store.conn, JUDGMENTS)
        self.scale, self.people = grade_scale_text(store.conn), person_by_name(store.conn)
        self.head = Head()
        self.last: dict[str, PreviousEvent] = {}  # by origin
        self.earlier: dict[str, PreviousEvent] = {}  # by hash, of what may branch

    def check_next_event(self, link: Link) -> None:
        """Check the next event, and go on to it."""
        event, number = link.event, self.head.items + 1
        for wrong, what in self._event_checks(link, number):
            if wrong:
                raise StoreError(f"event {event.id} ({event.kind} by {event.assessor}): {what}")
        self.last[event.origin] = PreviousEvent(event.origin, event.hash, event.at, event.rule)
        if self._may_branch(event.origin):
            self.earlier[event.hash] = self.last[event.origin]
        self.head.follow(event.previous, event.hash)

    def _event_checks(self, link: Link, number: int) -> Iterator[tuple[bool, str]]:
        event = link.event
        yield event.id != number, f"event {number} is missing"
        yield event.origin not in self.kinds, "its origin is unknown"
        yield not self._is_unchanged(link), "its content has changed since it was recorded"
        before = self.earlier.get(event.previous) if self._may_branch(event.origin) else self.last.get(event.origin)
        yield (
            not self._follows(event, before),
            "the event before it differs from the recorded previous event",
        )
        forward = self.kinds[event.origin] in CLOCKED
        yield before is not None and forward and event.at < before.at, "it is earlier than the event before it"
        yield event.rule not in (1, 2), f"it is hashed by rule {event.rule}; expected 1 or 2"
        yield (
            before is not None and event.rule < before.rule,
            "it is hashed by an earlier rule than the event before it",
        )
        differs = link.document is not None and event.document_sha256 not in (None, link.document)
        yield differs, f"the text of document {event.docno} differs from the judged text"

    def _is_unchanged(self, link: Link) -> bool:
        """Whether an event is what was recorded; what is kept of one of which something was erased."""
        event, remains = link.event, self.erased.get(str(link.event.id))
        person = self.people.get(event.assessor, NOBODY)
        if remains and event.rule == 1:
            return remains == remainder_hash(event, person, link.earlier)
        if remains:
            return not seal_of_event(event, person) and event.hash == hash_of(event, person, link.earlier, remains)
        return event.hash == self._recomputed_hash(link)

    def _recomputed_hash(self, link: Link) -> str:
        event = link.event
        if event.rule == 1:
            return hash_by_first_rule(event, Context(self.scale, link.kind, link.earlier))
        return hash_of(event, self.people[event.assessor], link.earlier)

    def _may_branch(self, origin: str) -> bool:
        """Whether a chain may branch, where copies of a bundle were judged apart, or is an excerpt, as in a bundle."""
        return origin != self.own and (self.is_bundle or self.kinds.get(origin) == "bundle")

    def _follows(self, event: Event, before: PreviousEvent | None) -> bool:
        if self.is_bundle and event.origin != self.own:
            return True  # an excerpt
        if before is None:
            return event.previous == ""
        return (before.origin, before.hash) == (event.origin, event.previous)


class Manifest(NamedTuple):
    """What the manifest of an export says: where the logs stood, and the file beside it."""

    judgments: LogHead
    others: LogHead | None  # none in manifests of an earlier version
    file: Path
    sha256: str = ""
    content: Mapping[str, Any] = {}  # all of it


def verify(store: Store, manifest: Manifest | None = None) -> Verification:
    """Recompute all logs; the first thing that is not as it was recorded is an error.

    A manifest has heads that the logs once had.
    """
    if store.as_of:
        raise StoreError(
            f"{store.path}: this is a release; expected the store, whose verification includes its releases"
        )
    _refuse_changed_schema(store)
    refuse_changed_rounds(store)
    hooks.ask(lambda extension: extension.verify(store))
    # Where the logs stood when the store was brought up to the second rule, if it is older.
    rows = store.rows(f"SELECT said FROM change WHERE kind = '{HEADS}'")
    heads = decode_json_column(dict, rows[0][0], "change", HEADS, "said") if rows else {}
    judgments, others = (LogHead(**heads[log]) if log in heads else None for log in ("judgments", "others"))
    links = verify_links(store, [head for head in (manifest and manifest.others, others) if head])
    if every := releases(store):
        _same_texts(store, max(release.last["document"] for release in every))
    outcome = verify_judgment_log(store, [head for head in (manifest and manifest.judgments, judgments) if head])
    count, changes = verify_releases(store, store.release), verify_changes(store)
    erased = verify_erasures(store)
    _refuse_unsound_rows(store)
    if manifest is not None:
        there = manifest.sha256 and manifest.file.is_file()
        if there and hashlib.sha256(manifest.file.read_bytes()).hexdigest() != manifest.sha256:
            differs = "differs from the SHA-256 in the manifest"
            raise StoreError(f"{manifest.file}: the file is not the exported file: its SHA-256 {differs}")
    other_events = links.events - changes - store.count("erasure")
    outcome = outcome._replace(other_events=other_events, other_head=links.head, changes=changes)
    return outcome._replace(releases=count, erased=erased)


def verify_judgment_log(store: Store, heads: Sequence[LogHead] = ()) -> Verification:
    """The judgment log of a store whose schema is known to be right; `heads` are what it once had."""
    chains = Chains(store)
    for link in _chain_links(store):
        chains.check_next_event(link)
        chains.head.check(heads, "event")
    events = chains.head.items
    last = store.rows("SELECT seq FROM sqlite_sequence WHERE name = 'judgment_event'")
    there = store.rows("SELECT count(*) FROM judgment_event")[0][0]
    if there != events:
        raise StoreError(f"{there - events} events have a topic, a document or an assessor that does not exist")
    if last and last[0][0] != events:
        raise StoreError(f"event {events + 1} is missing: {last[0][0]} events were recorded, and {events} exist")
    chains.head.check_reached(heads, "event")
    return Verification(events, len(chains.last), chains.head.hash)


def published_manifest(manifest: Path) -> Manifest:
    """What the manifest of an export says."""
    try:
        content = json.loads(read_text(manifest))
        judgments, others = (_head(content.get(log)) for log in ("log", "other_logs"))
        file, digest = manifest.with_name(str(content.get("qrels", "")) or "-"), str(content.get("sha256", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise InputError("not a manifest of exported qrels with the head of their log", manifest) from error
    if judgments is None:
        raise InputError("not a manifest of exported qrels with the head of their log", manifest)
    return Manifest(judgments, others, file, digest, content)


def _head(log: Mapping[str, Any] | None) -> LogHead | None:
    return LogHead(int(log["events"]), str(log["head"])) if log else None


def _chain_links(store: Store) -> Iterator[Link]:
    columns = ", ".join(f"l.{name}" for name in Event._fields)
    rows = store.conn.execute(
        f"SELECT {columns}, l.assessor_kind, coalesce(s.event_id, l.supersedes),"
        " CASE WHEN l.id IN (SELECT id FROM standing_event) THEN d.text END, d.metadata FROM judgment_log l"
        " LEFT JOIN judgment_event s ON s.id = l.supersedes JOIN document d ON d.docno = l.docno ORDER BY l.id"
    )
    for *row, kind, earlier, text, metadata in rows:
        event = event_of(tuple(row))
        document = None if text is None else _document_hash(text, event.docno, metadata)
        yield Link(event, kind, earlier, document)


def _refuse_unsound_rows(store: Store) -> None:
    """Refuse what a hash takes for what was recorded: a flag of 2, a salt that ends with a zero more, an empty text or
    an answer that is not there for none."""
    [(size,), *_] = store.rows("PRAGMA quick_check(judgment_event)")
    if size != "ok":
        raise StoreError(f"{size}: a value that this program does not write")
    longer = "SELECT assessor, length(salt) FROM assessor_salt WHERE length(salt) <> ? ORDER BY assessor"
    for assessor, size in store.rows(longer, [SALT]):
        raise StoreError(f"assessor_salt {assessor}: the salt has {size} bytes; expected {SALT}")
    for table in tables_of_store(store.conn):
        if "evidence" in table.personal.split():
            for (number,) in store.rows(f"SELECT id FROM {table.name} WHERE evidence = ''"):
                raise StoreError(f"{table.name}, event {number}: its evidence is an empty text; expected JSON, or NULL")
        for _, number, parent, _ in store.rows(f"PRAGMA foreign_key_check({table.name})") if table.log else ():
            raise StoreError(f"{table.name}, event {number}: it refers to a row of table {parent} that does not exist")


def _same_texts(store: Store, last: int) -> None:
    """Compare the texts of documents with their hashes, which are what releases have."""
    texts = "SELECT docno, text, sha256, metadata FROM document WHERE text IS NOT NULL AND id <= ? ORDER BY id"
    for docno, text, was, metadata in store.conn.execute(texts, [last]):
        if _document_hash(text, docno, metadata) != was:
            raise StoreError(f"the text of document {docno} has changed since it was imported")


def _refuse_changed_schema(store: Store) -> None:
    """Refuse a store whose triggers or views are not those that guard and show the log.

    Those of a feature are what it makes, or where it is not installed what the store says that it made.
    """
    there, here = stored_feature_parts(store.conn), {part[:2]: part for part in feature_parts()}
    for part in there:
        if here.get(part[:2], part) != part:
            raise StoreError(f"the tables of the feature {part.name} differ from this program's schema")
    _refuse_renamed_declarations(there, here.values())
    right, present = _expected_triggers_and_views(*there), _triggers_and_views(store.conn)
    for name, (kind, sql) in right.items():
        if name not in present:
            raise StoreError(f"the {kind} {name} is missing, so the log can be changed by hand")
        if present[name] != (kind, sql):
            raise StoreError(f"the {kind} {name} differs from this program's schema")
    strange = sorted(name for name in present.keys() - right.keys() if present[name][0] == "trigger")
    if strange:
        raise StoreError(f"the trigger {strange[0]} is not part of this program's schema")


def _refuse_renamed_declarations(there: Iterable[FeaturePart], here: Collection[FeaturePart]) -> None:
    """Refuse the declaration of another feature for tables that an installed feature makes."""
    keys = {part[:2] for part in here}
    for part in there:
        if part[:2] not in keys:
            names = part.created_names()
            for own in here:
                if shared := sorted(names & own.created_names()):
                    raise StoreError(
                        f"the feature {part.name!r} declares {shared[0]} in {part.part!r}; "
                        f"expected {own.name!r} in {own.part!r}"
                    )


@lru_cache(4)
def _expected_triggers_and_views(*feature_tables: FeaturePart) -> Mapping[str, tuple[str, str]]:
    """The triggers and views of a store with the tables of these features."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        create_core(fresh)
        add_tables(fresh, feature_tables)
        return _triggers_and_views(fresh)


def _triggers_and_views(conn: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    rows = conn.execute("SELECT name, type, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name")
    return {name: (kind, " ".join(sql.split())) for name, kind, sql in rows}


def backup(store: Store, path: str | PathLike[str]) -> Verification:
    """Copy a store into a new file with all that was committed, and verify the copy's log; what is in that log.

    The copy is one file, as private as the store. It is at `path` once it is whole and holds, and nowhere otherwise.
    """
    if store.as_of:
        expected = f"expected the whole store, with its releases; omit @{store.as_of}"
        raise StoreError(f"{store.path}: this is a release; {expected}")
    with atomic_path(path, is_private(store.path)) as part:
        copy_unverified(store, part)
        with Store.open(part) as other:
            undo_unfinished_imports(other)  # the copy has no program that would finish them
            outcome = verify(other)
            other.conn.execute("PRAGMA journal_mode = WAL")
    return outcome


def copy_unverified(store: Store, path: str | PathLike[str]) -> None:
    """Copy what was committed at one moment into a new file, which is one file."""
    with closing(sqlite3.connect(path)) as copy:
        store.conn.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _document_hash(text: str, docno: str, metadata: str | None) -> str:
    """The hash of a document; its metadata are read where they may have what is shown."""
    relevant = metadata if metadata and ('"layout"' in metadata or '"shown"' in metadata) else None
    return document_hash(text, decode_json_column(dict, relevant, "document", docno, "metadata"))
