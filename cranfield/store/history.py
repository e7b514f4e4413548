"""What was imported into a store and what was removed, in the order it happened."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from cranfield.errors import BusyError, StoreError
from cranfield.hooks import tables_of_features
from cranfield.selection import Labellers
from cranfield.store.connection import DatabaseError
from cranfield.store.decoding import decode_json_column, decode_names
from cranfield.store.import_lock import is_import_running
from cranfield.store.label_choice import label_choices
from cranfield.store.links import linked_events, links_not_retracted
from cranfield.store.named_rows import BriefWriting
from cranfield.store.rounds import round_named
from cranfield.store.store import Store, now
from cranfield.store.tables import linked_log_tables
from cranfield.store.withdrawals import withdrawn_by
from cranfield.text import counted

IMPORTS = {"corpus": {"document": "document"}, "topics": {"topic": "topic"}, "runs": {"run": "run"}}
LABEL_CHOICE = "labels"  # what a recorded choice is about
COUNTED = ("document", "ranking", "topic", "run", "judgment")


class Import(NamedTuple):
    """An import: the events from its first to its last are its judgments."""

    number: int
    at: str
    kind: str  # corpus, topics, runs, qrels, votes, answers, ...
    files: tuple[str, ...]
    first_event: int
    last_event: int


class Happening(NamedTuple):
    """A line of a store's history."""

    at: str
    number: str
    what: str
    name: str
    holds: str
    reason: str = ""
    by: str = ""  # who decided it, where that was said


@contextmanager
def importing(
    store: Store, kind: str, files: Sequence[str | os.PathLike[str]], origin: str = "", round: str | None = None
) -> Iterator[int]:
    """One import, all or nothing: what is added meanwhile has its number. Of the files their names are kept.

    `origin` is what came from no files, as the id of a collection. Without a `round` it is of the last one opened.

    >>> from cranfield.formats import Topic
    >>> with Store.memory("one topic") as store:
    ...     with importing(store, "topics", ["topics.xml"]) as number:
    ...         store.add_topics([Topic("1", "a title")])
    ...     import_numbered(store, number).files
    1
    ('topics.xml',)
    """
    names = [origin] if origin else [os.path.basename(file) for file in files]
    if store.brief is not None:
        with _importing_briefly(store, store.brief, kind, names, round):
            yield 0
        return
    with store.writing():
        if kind == "corpus" and unfinished_imports(store) and is_import_running(store.path):
            raise BusyError("another program imports documents into this store; try again when it has finished")
        store.importing = number = _begin_import(store, kind, names, round)
        try:
            yield number
        finally:
            store.importing = None
        end_import(store, number)


@contextmanager
def _importing_briefly(
    store: Store, brief: BriefWriting, kind: str, names: Sequence[str], round: str | None
) -> Iterator[None]:
    """One import in several transactions, undone as a whole where one fails."""
    is_ended = False

    def begin() -> None:
        if store.importing is None:
            with store.writing():
                number = _begin_import(store, kind, names, round)
            store.importing = number

    def check() -> None:
        number = store.importing
        if number is not None and not is_ended and number not in unfinished_imports(store):
            raise StoreError(f"import {number} was undone by another server of this store; nothing of it is stored")

    def finish() -> None:
        nonlocal is_ended
        if store.importing is not None and not is_ended:
            end_import(store, store.importing, 0)
            is_ended = True

    brief.begin, brief.check, brief.finish = begin, check, finish
    try:
        yield
        if store.importing is not None and not is_ended:
            with store.writing():
                check()
                finish()
    except BaseException as error:
        number, store.importing = store.importing, None
        if number is not None:
            _undo_failed_import(store, brief, number, error)
        raise
    finally:
        store.importing = None
        brief.reset()


def _undo_failed_import(store: Store, brief: BriefWriting, number: int, error: BaseException) -> None:
    """Undo an import after an error, or report that what it stored remains, uncounted, until the next start."""
    try:
        brief.undo(store, number)
    except (DatabaseError, OSError):
        raise StoreError(
            f"{error}; import {number} does not count, and the next start of the server removes its stored part"
        ) from error


def _begin_import(store: Store, kind: str, names: Sequence[str], round: str | None) -> int:
    row = (now(), kind, json.dumps(names, ensure_ascii=False), _last_event(store) + 1)
    insert = "INSERT INTO import (at, kind, files, first_event) VALUES (?, ?, ?, ?)"
    number = int(store.conn.execute(insert, row).lastrowid or 0)
    if round is not None:
        store.conn.execute("INSERT INTO round_import VALUES (?, ?)", [number, round_named(store, round).number])
    return number


def end_import(store: Store, number: int, n_events: int | None = None) -> None:
    """End an import; its judgments are the events since it began, or the first so many of them."""
    last = "?" if n_events is None else "first_event - 1 + ?"
    with store.writing():
        value = _last_event(store) if n_events is None else n_events
        store.conn.execute(f"UPDATE import SET last_event = {last} WHERE id = ?", [value, number])


def unfinished_imports(store: Store) -> list[int]:
    """The numbers of imports in several transactions that were begun and neither ended nor undone."""
    return [number for (number,) in store.rows("SELECT id FROM import WHERE last_event IS NULL ORDER BY id")]


def _last_event(store: Store) -> int:
    return int(store.rows("SELECT coalesce(max(id), 0) FROM judgment_event")[0][0])


def imports(store: Store) -> list[Import]:
    """Every import, the first one first."""
    rows = store.rows("SELECT id, at, kind, files, first_event, last_event FROM import ORDER BY id")
    return [
        Import(number, at, kind, decode_names(files, "import", number, "files"), *ids)
        for number, at, kind, files, *ids in rows
    ]


def import_numbered(store: Store, number: int) -> Import:
    """An import by its number."""
    matches = [one for one in imports(store) if one.number == number]
    if not matches:
        raise StoreError(f"no import {number} in this store; list the imports with `cranfield store history`")
    return matches[0]


def outdated_search_runs(store: Store, tags: Sequence[str]) -> list[str]:
    """Those of these runs that are older than the newest corpus or topics."""
    return _older_runs(store, tags, "('corpus', 'topics')")


def runs_before_corpus(store: Store, tags: Sequence[str]) -> list[str]:
    """Those of these runs that are older than the newest corpus."""
    return _older_runs(store, tags, "('corpus')")


def _older_runs(store: Store, tags: Sequence[str], kinds: str) -> list[str]:
    newest = f"(SELECT max(at) FROM import WHERE kind IN {kinds})"
    among = "tag IN (SELECT value FROM json_each(?))"
    older = store.rows(f"SELECT tag FROM run WHERE imported < {newest} AND {among} ORDER BY id", [json.dumps(tags)])
    return [tag for (tag,) in older]


def history(store: Store) -> list[Happening]:
    """What was imported, removed and withdrawn, and which labels were chosen, oldest first."""
    additions = [
        Happening(one.at, f"import {one.number}", one.kind, ", ".join(one.files), _remaining_content(store, one))
        for one in imports(store)
    ]
    removals = [
        Happening(
            at,
            f"removal {number}",
            kind,
            name=name,
            holds=_counts_in_words(decode_json_column(dict, what, "removal", number, "what")),
            reason=reason,
        )
        for number, at, kind, name, what, reason in store.rows(
            "SELECT id, at, kind, name, what, reason FROM removal ORDER BY id"
        )
    ]
    return sorted(additions + removals + _withdrawal_rows(store) + _choice_rows(store), key=lambda line: line.at)


def _choice_rows(store: Store) -> list[Happening]:
    return [
        Happening(at, f"choice {number}", LABEL_CHOICE, _choice_in_words(labellers), holds="", reason=reason)
        for number, at, labellers, reason in label_choices(store)
    ]


def _choice_in_words(chosen: Labellers) -> str:
    if chosen.assessor:
        return f"labels by {chosen.assessor}"
    return f"policy {chosen.policy}" if chosen.policy else "no choice is recorded"


def _withdrawal_rows(store: Store) -> list[Happening]:
    rows = store.rows("SELECT at, id, what, name, restores, reason FROM withdrawal ORDER BY id")
    by = withdrawn_by(store)
    return [
        Happening(
            at=at,
            number=f"withdrawal {number}",
            what=what,
            name=name,
            holds="" if restores is None else f"ends {restores}",
            reason=reason,
            by=by.get(number, ""),
        )
        for at, number, what, name, restores, reason in rows
    ]


def _remaining_content(store: Store, one: Import) -> str:
    if tables := IMPORTS.get(one.kind) or _feature_tables().get(one.kind):
        names = runs_extended_by_import(store, one.number) if one.kind == "runs" else []
        longer = [f"{counted(len(names), 'run')} extended"] if names else []
        return ", ".join([_remaining_part_words(store, one, table, noun) for table, noun in tables.items()] + longer)
    span = [one.first_event, one.last_event]
    standing = store.rows("SELECT count(*) FROM standing_event WHERE id BETWEEN ? AND ?", span)[0][0]
    every = store.rows("SELECT count(*) FROM judgment_event WHERE id BETWEEN ? AND ?", span)[0][0]
    return _count_still_in_force(standing, every, "judgment")


def runs_extended_by_import(store: Store, number: int) -> list[str]:
    """The runs to which an import added topics."""
    parts = "SELECT 1 FROM json_each(metadata, '$.extended') WHERE json_extract(value, '$.import') = ?"
    return [tag for (tag,) in store.rows(f"SELECT tag FROM run WHERE EXISTS ({parts}) ORDER BY id", [number])]


def _feature_tables() -> dict[str, Mapping[str, str]]:
    return {kind: tables for part in tables_of_features().values() for kind, tables in part.imports.items()}


def count_feature_rows(store: Store) -> dict[str, int]:
    """Count what the tables of features have, by name, without tables that have no row.

    >>> with Store.memory("empty") as store:
    ...     count_feature_rows(store)
    {}
    """
    declared = {name: table for part in tables_of_features().values() for name, table in part.counts.items()}
    counts = {name: store.rows(f"SELECT count(*) FROM {table}")[0][0] for name, table in declared.items()}
    return {name: count for name, count in counts.items() if count}


def _remaining_part_words(store: Store, one: Import, table: str, noun: str) -> str:
    if table in linked_log_tables(store.conn):
        return _count_still_in_force(
            len(links_not_retracted(store, table, one.number)), len(linked_events(store, table, one.number)), noun
        )
    return counted(store.rows(f"SELECT count(*) FROM {table} WHERE import = ?", [one.number])[0][0], noun)


def _count_still_in_force(standing: int, every: int, noun: str) -> str:
    return counted(every, noun) if standing == every else f"{standing} of {counted(every, noun)}"


def _counts_in_words(what: dict[str, Any]) -> str:
    nouns = dict.fromkeys((*COUNTED, *(noun for tables in _feature_tables().values() for noun in tables.values())))
    return ", ".join(counted(what[f"{noun}s"], noun) for noun in nouns if f"{noun}s" in what)
