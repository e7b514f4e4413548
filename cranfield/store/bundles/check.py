"""What a bundle has to be before anything of it is used: its owner's, of this collection, complete.

Nothing of a store that came from elsewhere is trusted: rows of its plain tables are read from a copy. Views, triggers
and functions of the file are never run. What is needed of its rows is poured into a new store in memory, whose own
schema checks types, kinds, names and the scale, and which is then brought up to this version. The file itself stays as
it was.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

from cranfield.errors import DamageError, StoreError
from cranfield.formats.whole_files import explain_unusable_file
from cranfield.parallel import ignore_note
from cranfield.store.chain import FIRST_SAID, Event, grade_scale_text, person_by_name, store_origin
from cranfield.store.connection import Connection, copy_to_temporary_folder
from cranfield.store.decoding import are_marks, decode_json_column
from cranfield.store.log import OUTWEIGHED, REPEAT, read_events, scale_in_words
from cranfield.store.schema import APPLICATION_ID, NAME, complete, create_schema, is_older
from cranfield.store.schema_check import only_table_reads
from cranfield.store.store import Collection, Store, document_hash
from cranfield.store.verification import verify_judgment_log

SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON")
LINE = 10_000  # bytes that a text of the schema may have in however small a file
MADE = "_sqlite_migrations"  # the table of the steps that a store has been through
POURED = (
    "collection", "document", "topic", "assessor", "assessor_salt", "origin", "pool", "judgment_event", "criterion",
    "bundle",
)  # fmt: skip
UNCOPIED_COLUMNS = {  # columns that are not poured: texts are compared, imports stay where they are
    "document": ("title", "text", "url", "metadata", "import"),
    "topic": ("title", "description", "narrative", "metadata", "import"),
}
PLAINLY = {
    "FOREIGN KEY constraint failed": "it refers to a row that does not exist",
    "CHECK constraint failed": "it has a value that is not allowed",
    "NOT NULL constraint failed": "a value is missing",
    "UNIQUE constraint failed": "it is a duplicate",
}


class UntrustedStore(Connection):
    """A foreign file while it is open. Whatever is wrong with it is a StoreError."""

    def __init__(self, path: str | PathLike[str]) -> None:
        journal = Path(f"{path}-journal")
        if not Path(path).is_file():
            raise StoreError(explain_unusable_file(path))
        if journal.is_file() and journal.stat().st_size:
            raise StoreError(
                "another program is writing to it or was interrupted; open it with `cranfield info`, then try again"
            )
        self.path, self.tell = path, ignore_note
        self._copy = copy = copy_to_temporary_folder(path)
        self.copied_file = Path(copy.name, Path(path).name)
        self._connect(self.copied_file)
        self._size = sum(part.stat().st_size for part in self.copied_file.parent.iterdir())
        with self.close_on_error():
            self._allow_only_reads()

    def _allow_only_reads(self) -> None:
        """Allow nothing but to read tables."""
        try:
            for setting in SETTINGS:
                self.conn.execute(f"PRAGMA {setting}")
            self.conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(self._size, LINE))
            self.conn.set_authorizer(only_table_reads)
            number = self.rows("PRAGMA application_id")[0][0]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(f"not a store: {error}") from error
        if number != APPLICATION_ID:
            raise StoreError("not a cranfield store")

    def find_damage(self, error: BaseException) -> str | None:
        """The damage that caused an error: the file is searched for it."""
        from cranfield.store.damage import find_damage_behind_error

        return find_damage_behind_error(error, self.conn)

    def table(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The columns of a plain table; a view or anything else of that name is refused."""
        try:
            statements = self.rows("SELECT type, sql FROM sqlite_master WHERE name = ?", [table])
            if [(kind, sql[:13]) for kind, sql in statements] != [("table", "CREATE TABLE ")]:
                raise StoreError(f"{table} is not a plain table; expected one, as in every store")
            plain = {name for _, name, _, _, _, _, hidden in self.rows(f"PRAGMA table_xinfo({table})") if not hidden}
            if missing := [column for column in columns if column not in plain]:
                raise StoreError(f"table {table} has no plain column {missing[0]}")
            room = self._size
            for row in self.conn.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED"):
                room -= 1 + sum(len(value) for value in row if isinstance(value, str | bytes))
                if room < 0:
                    raise StoreError(f"table {table} is damaged: its data exceed the size of the file")
                yield row
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise StoreError(f"table {table}: {error}") from error

    def copy_to_memory(self) -> Store:
        """A new store in memory with the rows of this one, but for texts; of this version, if this one is older."""
        store = Store(":memory:")
        with store.close_on_error():
            create_schema(store.conn)
            store.set_pragmas()
            older = is_older({name for group, name in self.table(MADE, ["migration_set", "name"]) if group == NAME})
            had = {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in POURED:
                if table in had or not older:
                    self._copy_table(store, table, older)
            store.conn.commit()
            if not store.count("collection"):
                raise StoreError("table collection is empty")
            complete(store.conn, had.__contains__)
            store.conn.commit()
        return store

    def _copy_table(self, store: Store, table: str, older: bool) -> None:
        there = {name for _, name, *_ in self.rows(f"PRAGMA table_xinfo({table})")} if older else None
        columns = [
            name
            for _, name, *_ in store.rows(f"PRAGMA table_info({table})")
            if name not in UNCOPIED_COLUMNS.get(table, ()) and (there is None or name in there)
        ]
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        for row in self.table(table, columns):
            try:
                store.conn.execute(insert, row)
            except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
                message = str(error)
                why = next((plain for start, plain in PLAINLY.items() if message.startswith(start)), message)
                raise StoreError(f"table {table}, row {row[0]!r}: {why}") from error


JUDGED = ("label", "retract", "later", "cannot-judge", "note")  # what judging a bundle appends
UNDONE = ("label", "later", "cannot-judge")  # what a session can undo
REBUILT_FIELDS = ("origin", "previous")  # what is another in a chain that was made anew


TEXTS = {"document": ("docno", "title", "text"), "topic": ("qid", "title", "description", "narrative")}


class Bundle(NamedTuple):
    """A bundle that was checked: whose it is, all of its events by their ids there, those of them that are new here."""

    assessor: str
    events: dict[int, Event]
    new: tuple[Event, ...]
    recorded: bool  # whether this store knows that it made it


def check(store: Store, bundle: Store, foreign: UntrustedStore) -> Bundle:
    """Refuse a bundle of which one thing is not as it has to be. `bundle` is what was poured out of `foreign`."""
    name = _check_owner(store, bundle)
    _same_texts(store, foreign)
    verify_judgment_log(bundle)
    theirs = {event.id or 0: event for event in read_events(bundle)}
    new = tuple(_unknown_events(store, bundle, theirs, name))
    recorded = _has_recorded_bundle(store, bundle, name)
    hers = Hers.from_store(store, name)
    for event in new:
        for wrong, what in faults(store, event, theirs, hers):
            if wrong:
                raise StoreError(f"event {event.id} ({event.kind} by {event.assessor}): {what}")
    for number, qid in bundle.rows("SELECT id, qid FROM criteria"):
        if qid not in hers.topics:
            raise StoreError(f"criterion {number}: topic {qid!r} is not assigned to this assessor")
    # Refuse other salts than this store's; hashes by the first rule contain none.
    ours = person_by_name(store.conn)
    if bundle.rows("SELECT 1 FROM collection WHERE rule = 2"):
        for who, person in person_by_name(bundle.conn).items():
            if person != ours[who]:
                raise StoreError(
                    f"the hashes use another salt for the assessor {who!r}; expected a bundle that this store made"
                )
    return Bundle(name, theirs, new, recorded)


def _check_owner(store: Store, bundle: Store) -> str:
    """Whose bundle it is, once it is sure that it is one, of this collection, and that nobody else speaks in it."""
    owner = bundle.rows("SELECT assessor FROM bundle")
    if not owner:
        raise StoreError("a store, but not a bundle; `cranfield export bundle` makes one")
    name, here, theirs = str(owner[0][0]), store.collection, bundle.collection
    if (theirs.name, theirs.created, grade_scale_text(bundle.conn)) != (
        here.name,
        here.created,
        grade_scale_text(store.conn),
    ):
        other, this = (f"{each.name!r} of {each.created}, scale {_scale_text(each)}" for each in (theirs, here))
        raise StoreError(f"a bundle of another collection, {other}; this store is {this}")
    spoke = "SELECT assessor FROM judgment_log UNION SELECT assessor FROM criteria ORDER BY 1"
    if strangers := [who for (who,) in bundle.rows(spoke) if who not in (name, name + REPEAT)]:
        raise StoreError(f"the bundle belongs to {name}, but contains labels by {', '.join(strangers)}")
    kinds = dict(store.rows("SELECT name, kind FROM assessor"))
    for who, kind in bundle.rows("SELECT name, kind FROM assessor"):
        if kinds.get(who) != kind:
            there = kinds.get(who, "unknown")
            raise StoreError(f"the assessor {who!r} is {kind} in the bundle, but {there} in this store")
    return name


def _scale_text(collection: Collection) -> str:
    return f"{', '.join(map(str, collection.grades))} ({collection.min_relevant} is relevant)"


def _same_texts(store: Store, foreign: UntrustedStore) -> None:
    """Refuse texts that are not those of here: what was judged is not what the collection has."""
    for table, columns in TEXTS.items():
        here = f"SELECT {', '.join(columns[1:])} FROM {table} WHERE {columns[0]} = ? AND removed = 0"
        for name, *texts in foreign.table(table, columns):
            if not (row := store.rows(here, [name])):
                raise StoreError(f"{table} {name!r} is not in this store")
            for column, theirs, ours in zip(columns[1:], texts, row[0], strict=True):
                if theirs and theirs != ours:
                    raise StoreError(f"the {column} of {table} {name!r} differs from this store's")


def _unknown_events(store: Store, bundle: Store, theirs: Mapping[int, Event], name: str) -> Iterator[Event]:
    """The events that are not known here; those that are have to be the same here."""
    kinds, own = dict(bundle.rows("SELECT id, kind FROM origin")), store_origin(bundle.conn)
    ours, ids = known_events(store, name), {number: event.event_id for number, event in theirs.items()}
    for event in theirs.values():
        anew = kinds[event.origin] == "earlier"
        if event.event_id not in ours:
            if not anew and event.origin != own:
                raise StoreError(f"event {event.id} was recorded elsewhere and is not in this store")
            yield event
            continue
        content, link = ours[event.event_id] or ([], "")
        if content != event_content(event, ids) or (not anew and link != event.hash):
            raise StoreError(f"event {event.id} differs from the event with the same id in this store")


def known_events(store: Store, name: str) -> dict[str, tuple[list[object], str] | None]:
    """Every event id here, with what the event says and its hash where it is an assessor's."""
    ids = dict(store.rows("SELECT id, event_id FROM judgment_event"))
    hers = [event for who in (name, name + REPEAT) for event in read_events(store, who)]
    return dict.fromkeys(ids.values()) | {event.event_id: (event_content(event, ids), event.hash) for event in hers}


def event_content(event: Event, ids: Mapping[int, str]) -> list[object]:
    """What an event says, however its chain was made."""
    earlier = ids[event.supersedes] if event.supersedes else None
    return [getattr(event, name) for name in FIRST_SAID if name not in REBUILT_FIELDS] + [earlier]


def _has_recorded_bundle(store: Store, bundle: Store, name: str) -> bool:
    """Whether this store recorded that it made this bundle; one that it made for somebody else is refused."""
    own = store_origin(bundle.conn)
    record = store.rows("SELECT kind, name FROM origin WHERE id = ?", [own])
    if own == store_origin(store.conn) or (record and record[0][0] not in ("bundle", "store")):
        raise StoreError("this file is a part of this store; expected a bundle")
    if record and record[0][1] not in ("", name):
        raise StoreError(f"the bundle was made for {record[0][1]!r}, but it claims to belong to {name!r}")
    return bool(record)


class Hers(NamedTuple):
    """What an assessor can have judged: the topics that are or were hers, the pairs pooled for them, the pools."""

    topics: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    pools: frozenset[int | None]
    scale: dict[int, str]

    @classmethod
    def from_store(cls, store: Store, name: str) -> Self:
        """What is an assessor's, or was when a bundle was made."""
        hers = (
            "SELECT g.topic FROM assignment g JOIN holder h ON h.assignment = g.id"
            " JOIN assessor a ON a.id = h.assessor WHERE a.name = ?"
        )
        topics = store.rows(f"SELECT qid FROM topic WHERE id IN ({hers})", [name])
        pairs = store.rows(
            "SELECT DISTINCT qid, docno FROM pool_document p JOIN topic t ON t.id = p.topic"
            f" JOIN document d ON d.id = p.document WHERE p.topic IN ({hers})",
            [name],
        )
        pools = {number for (number,) in store.rows("SELECT id FROM pool")}
        return cls(
            frozenset(qid for (qid,) in topics), frozenset(pairs), frozenset({None, *pools}), store.collection.grades
        )


def faults(store: Store, event: Event, theirs: Mapping[int, Event], hers: Hers) -> Iterator[tuple[bool, str]]:
    """What may be wrong with a new event, and whether it is."""
    yield event.kind not in JUDGED, "an assessor cannot record such an event in a bundle"
    yield event.qid not in hers.topics, f"topic {event.qid!r} is not assigned to this assessor"
    pair = event.qid, event.docno
    yield pair not in hers.pairs, f"document {event.docno!r} is in no pool for topic {event.qid!r}"
    yield event.pool not in hers.pools, f"pool {event.pool}, from which this bundle was made, is not in this store"
    off = event.kind == "label" and event.grade not in hers.scale
    yield off, f"grade {event.grade} is not on the scale: {scale_in_words(hers.scale)}"
    document = store.document(event.docno)
    yield (
        event.document_sha256 not in (None, document_hash(document.text, document.metadata)),
        f"the text of {event.docno!r} differs from the text that the assessor saw",
    )
    yield not _is_time(event.at), f"{event.at!r:.60} is not a time"
    yield not 0 <= (event.seconds or 0) < inf, f"it took {event.seconds} seconds"
    yield not _are_marks(event.evidence), f"the evidence {event.evidence!r:.60} does not mark passages"
    yield event.event_id.endswith(OUTWEIGHED), f"the id {event.event_id!r:.60} is reserved for this store"
    first = _original_decision(event, theirs)
    yield first is None, "it retracts an event that this assessor cannot retract"
    redone = first is not None and event.kind != "retract"
    unstated = "it does not state which decision it replaces"
    yield redone and _decision_key(event) != _decision_key(first or event), unstated


def _original_decision(event: Event, theirs: Mapping[int, Event]) -> Event | None:
    """The decision that an event undoes or redoes, else itself; None where that is impossible."""
    before = theirs.get(event.supersedes or 0)
    if before is None:
        return None if event.kind == "retract" or event.supersedes or event.source else event
    if before[1:4] != event[1:4] or event.kind == "note":
        return None
    if event.kind == "retract":
        return before if before.kind in UNDONE else None
    return _original_decision(before, theirs) if before.kind == "retract" else None


def _decision_key(event: Event) -> tuple[object, ...]:
    return event.kind, event.grade, event.source


def _is_time(text: str) -> bool:
    """Whether a text is a moment as events have it.

    >>> _is_time("2024-05-01T10:00:00.000+00:00"), _is_time("2024-05-01"), _is_time("")
    (True, False, False)
    """
    try:
        return datetime.fromisoformat(text).utcoffset() == timedelta(0)
    except ValueError:
        return False


def _are_marks(evidence: str | None) -> bool:
    """Whether evidence is a list of passages.

    >>> _are_marks('[{"start": 0, "end": 5, "quote": "Clean"}]'), _are_marks("[0]"), _are_marks("{"), _are_marks(None)
    (True, False, False, True)
    """
    try:
        marks = decode_json_column(list, evidence, "", "", "")
    except DamageError:
        return False
    return are_marks(marks)
