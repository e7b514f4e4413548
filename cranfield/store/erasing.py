"""Erasing a person: her name, notes, reasons, passages, times and words; labels stay, under a name that is none.

What was sealed is replaced by its seal, and the salt is deleted: every hash is still right, and nobody can find out
what was sealed by trying. What was hashed whole, before there were seals, keeps its hash, and the hash of what remains
of it: its links are intact, and what was erased can no longer be proved. An erasure is an event of its own.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from cranfield import hooks
from cranfield.errors import InputError, StoreError
from cranfield.hooks import NONE_ADDED, Added
from cranfield.selection import MODELS
from cranfield.store.chain import (
    Event,
    event_of,
    now,
    person_by_name,
    remainder_hash,
    remaining_item_hash,
    seal_of_event,
)
from cranfield.store.changes import redactions_hash
from cranfield.store.connection import DatabaseError, abandoned_copies
from cranfield.store.links import items_in, link_log_events
from cranfield.store.log import REPEAT
from cranfield.store.releases import Release, releases
from cranfield.store.store import Store
from cranfield.store.tables import TABLE, Table, linked_log_tables, tables_of_store
from cranfield.text import counted, join_words, name_hint

ROW = "INSERT INTO redaction (log, item, erasure, kept) VALUES (?, ?, ?, ?)"
NAMING = ("assessor", "origin")  # the tables with names that releases keep
LISTED_CONDITION = "IN (SELECT value FROM json_each(?))"


class Redaction(NamedTuple):
    """A row in which something is erased, and what is kept in its place."""

    log: str
    item: str
    remains: str = ""


class NameErasure(NamedTuple):
    """What was erased, or would be: what stands for the name now, in how many rows of each table."""

    name: str
    rows: dict[str, int]
    remaining: tuple[str, ...] = ()  # what cannot be erased


class _DryRunError(Exception):
    """Nothing is kept of what was done."""


def erase(
    store: Store, kind: str, name: str, reason: str, dry_run: bool = False, *, added: Added = NONE_ADDED
) -> NameErasure:
    """Erase an assessor, or a person of a feature, in one transaction; the file has no trace of them then."""
    if store.rows("SELECT 1 FROM bundle"):
        raise StoreError(f"{store.path}: this is a bundle; erase the data in the store from which it was exported")
    if apart := _unstored_file_lines(store):
        raise StoreError(f"{apart[0]}: an erasure does not reach these files")
    store.rows("PRAGMA secure_delete = ON")
    finders = {"assessor": _assessor, **dict(hooks.collect_from_extensions(lambda one: one.erasers().items()))}
    if kind not in finders:  # of a feature that is not installed
        raise InputError(f"{kind!r} cannot be erased; expected {join_words([*finders], 'or')}")
    find = finders[kind]
    outcome = NameErasure("", {})
    try:
        with store.writing():
            number = int(store.rows("SELECT coalesce(max(id), 0) + 1 FROM erasure")[0][0])
            find_rows, apply = find(store, name, f"erased {number}", added)
            rows = sorted(find_rows)
            outcome = NameErasure(
                f"erased {number}",
                dict(sorted(Counter(row.log for row in rows).items())),
                _provable_remains(store, rows),
            )
            store.conn.execute("PRAGMA defer_foreign_keys = ON")
            store.conn.executemany(ROW, ((row.log, row.item, number, row.remains) for row in rows))
            digest = redactions_hash(store.conn, number)
            values = [number, now(), kind, outcome.name, json.dumps(outcome.rows), reason, digest]
            store.conn.execute("INSERT INTO erasure VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            link_log_events(store.conn, "erasure", number)
            apply(rows)
            if dry_run:
                raise _DryRunError
    except _DryRunError:
        return outcome
    try:
        store.conn.execute("VACUUM")
    except DatabaseError as error:
        why = f"{store.path} could not be rewritten ({error}) and may still contain traces of it"
        again = f"free space for a second copy, then erase {outcome.name!r}"
        return outcome._replace(remaining=(*outcome.remaining, f"{why}: {again}"))
    if store.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
        still = (
            f"another program is still reading the earlier state of {store.path}; until it ends and the store is"
            " opened again,"
        )
        outcome = outcome._replace(
            remaining=(*outcome.remaining, f"{still} the file and {store.path}-wal contain the erased data")
        )
    return outcome


def _provable_remains(store: Store, rows: Sequence[Redaction]) -> tuple[str, ...]:
    """What of an erasure stays provable to whoever guesses it: hashes of before there were seals."""
    items = json.dumps([row.item for row in rows if row.log == "judgment_event"])
    judged = store.rows(f"SELECT count(*) FROM judgment_event WHERE rule = 1 AND id {LISTED_CONDITION}", [items])[0][0]
    links = json.dumps([[row.log, int(row.item)] for row in rows if row.log in linked_log_tables(store.conn)])
    others = store.rows(
        "SELECT count(*) FROM event_link WHERE rule = 1 AND (log, event) IN"
        " (SELECT value ->> 0, value ->> 1 FROM json_each(?))",
        [links],
    )[0][0]
    why = "keep an unsalted hash of the name and notes, so anybody who guesses a whole event can confirm the guess"
    return (f"{counted(judged + others, 'event')} recorded by an earlier version {why}",) if judged + others else ()


def find_traces(store: Store, name: str) -> list[str]:
    """The tables in which a name still occurs as a word of other texts, but for those of the program itself."""
    holding, word = [], re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")

    def has_word(text: str | bytes) -> bool:
        return bool(word.search(text if isinstance(text, str) else text.decode(errors="replace")))

    store.conn.create_function("has_word", 1, has_word)
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'document_fts%'"
    for (table,) in store.rows(f"{tables} AND name NOT LIKE 'sqlite%' AND name <> 'feature' ORDER BY name"):
        texts = [f'instr("{column}", :name) AND has_word("{column}")'
                 for _, column, kind, *_ in store.rows(f"PRAGMA table_info({table})")
                 if kind in ("TEXT", "BLOB")]  # fmt: skip
        if texts and store.rows(f'SELECT 1 FROM "{table}" WHERE {" OR ".join(texts)} LIMIT 1', {"name": name}):
            holding.append(table)
    return holding


Way = tuple[Sequence[Redaction], Callable[[Sequence[Redaction]], None]]  # what is erased, and how
Find = Callable[[Store, str, str, Added], Way]  # by the name, what stands for it then, and options of features


def _assessor(store: Store, name: str, instead: str, added: Added) -> Way:
    kinds = dict(store.rows("SELECT name, kind FROM assessor WHERE repeats IS NULL"))
    if name not in kinds:
        people_here = [who for who, kind in kinds.items() if kind not in MODELS]
        raise InputError(f"no assessor {name!r} in this store{name_hint(name, people_here)}")
    if kinds[name] in MODELS:
        raise InputError(f"{name!r} is a {kinds[name]}, not a person")
    names = [one for one in (name, name + REPEAT) if one in person_by_name(store.conn)]
    ids = store.numbers("assessor", "name", names)
    tables = [table for table in tables_of_store(store.conn) if table.personal and table.name not in NAMING]
    cuts = list(_redactions(store, names, tables))
    logs = {row.log for row in cuts}
    copies = [_erase_names(release, names, instead, logs) for release in releases(store)]
    cuts += [Redaction("release", str(one.number), one.digest) for one in copies]

    def apply(rows: Sequence[Redaction]) -> None:
        hers = json.dumps(ids)
        for table in tables:
            never = {name for _, name, _, notnull, *_ in store.rows(f"PRAGMA table_info({table.name})") if notnull}
            blanks = {name: "''" if name in never else "NULL" for name in table.personal.split()}
            if table.name == "judgment_event":
                blanks["evidence"] = "CASE WHEN kind = 'import' THEN evidence END"
            changes = ", ".join(f"{name} = {value}" for name, value in blanks.items())
            store.conn.execute(
                f"UPDATE {table.name} SET {changes} WHERE id {LISTED_CONDITION} AND assessor {LISTED_CONDITION}",
                [json.dumps([row.item for row in rows if row.log == table.name]), hers],
            )
        store.conn.execute("UPDATE origin SET name = ? WHERE kind = 'bundle' AND name = ?", [instead, name])
        for one in names:
            store.conn.execute("UPDATE assessor SET name = ? WHERE name = ?", [one.replace(name, instead, 1), one])
        for here in ("invitation", "assessor_salt"):
            store.conn.execute(f"DELETE FROM {here} WHERE assessor {LISTED_CONDITION}", [hers])

        for release in copies:
            values = [json.dumps(release.kept), json.dumps(release.hashes), release.number]
            store.conn.execute("UPDATE release SET kept = ?, hashes = ? WHERE id = ?", values)

    return cuts, apply


def _erase_names(release: Release, names: Sequence[str], instead: str, logs: Set[str]) -> Release:
    """A release without these names, and without the hashes of the tables in which something is erased."""
    new = {name: name.replace(names[0], instead, 1) for name in names}
    copies = {
        table: [[new.get(value, value) if table in NAMING else value for value in row] for row in rows]
        for table, rows in release.kept.items()
    }
    hashes = {table: digest for table, digest in release.hashes.items() if table not in logs}
    return release._replace(kept=copies, hashes=hashes)


def _redactions(store: Store, names: Sequence[str], tables: Sequence[Table]) -> Iterator[Redaction]:
    array = json.dumps(names)
    yield from _judgment_redactions(store, names)
    for log in linked_log_tables(store.conn).values():
        if log.name not in TABLE:  # those of the core name nobody
            yield from _link_redactions(store, log, names)
    hers = "(SELECT name FROM assessor a WHERE a.id = {0}.assessor)"
    personal = [(table.name, hers.format(table.name)) for table in tables if table.columns]
    for table, where in (("assessor", "name"), ("origin", "kind = 'bundle' AND name"), *personal):
        for (number,) in store.rows(f"SELECT id FROM {table} WHERE {where} {LISTED_CONDITION}", [array]):
            yield Redaction(table, str(number))


def _judgment_redactions(store: Store, names: Sequence[str]) -> Iterator[Redaction]:
    """What is kept of her judgments: of what was hashed whole the hash of what remains, else the seal if any."""
    persons = person_by_name(store.conn)
    columns = ", ".join(f"l.{name}" for name in Event._fields)
    query = (
        f"SELECT {columns}, coalesce(s.event_id, l.supersedes) FROM judgment_log l"
        f" LEFT JOIN judgment_event s ON s.id = l.supersedes WHERE l.assessor {LISTED_CONDITION}"
    )
    for *row, earlier in store.rows(query, [json.dumps(names)]):
        event = event_of(tuple(row))
        person = persons[event.assessor]
        remains = (
            seal_of_event(event, person) if event.rule == 2 else remainder_hash(_erase_content(event), person, earlier)
        )
        if remains:
            yield Redaction("judgment_event", str(event.id), remains)


def _erase_content(event: Event) -> Event:
    evidence = event.evidence if event.kind == "import" else None
    return event._replace(reason="", note="", seconds=None, highlight_terms="", evidence=evidence)


def _link_redactions(store: Store, log: Table, names: Sequence[str]) -> Iterator[Redaction]:
    """What is kept of an item of another log; her name alone is in what was hashed whole of hers."""
    persons = person_by_name(store.conn)
    query = "SELECT event, origin, previous, hash, rule FROM event_link WHERE log = ? ORDER BY event"
    links = store.rows(query, [log.name])
    for item, (event, origin, previous, own, rule) in zip(items_in(store.conn, log, persons), links, strict=True):
        hers = {item.content.get("assessor"), item.content.get("author")} & set(names)
        if rule == 1 and hers:
            remains = remaining_item_hash(log.name, origin, previous, item.remaining_content(persons, names), own)
            yield Redaction(log.name, str(event), remains)
        elif item.sealed and item.content["assessor"] in names:
            yield Redaction(log.name, str(event), item.sealed)


def feature_file_lines(store: Store) -> list[str]:
    """What features keep in files beside a store until it has that, a line for each file.

    No copy of the store has it, no erasure reaches it. Features are asked only where a file may be theirs.

    >>> with Store.memory("nothing") as store:
    ...     feature_file_lines(store)
    []
    """
    remedy = "a killed program left it; delete the folder"
    abandoned = [f"{copy.parent} contains a copy of this store: {remedy}" for copy in abandoned_copies(store.path)]
    return [*abandoned, *_unstored_file_lines(store)]


def _unstored_file_lines(store: Store) -> list[str]:
    path = Path(store.path)
    own = {path.name, *(f"{path.name}-{part}" for part in ("wal", "shm", "journal"))}
    if not path.is_file() or not any(one.name not in own for one in list_files_beside(path, "")):
        return []
    return [*chain.from_iterable(hooks.ask(lambda extension: extension.unstored_files(store)))]


def list_files_beside(path: Path, ending: str) -> list[Path]:
    """The files whose names begin with that of a store and an ending."""
    return sorted(one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}{ending}"))
