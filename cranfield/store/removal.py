"""Taking back a mistaken run, topic, pool or import: refused where labels depend on it, logged, and nothing rewritten.

Rows of documents and topics that nobody added and nothing names any more stay, marked as removed, for their numbers are
places in every ranking's vocabulary. The judgment log stays as well: an import of judgments is undone by one event per
judgment.
"""

import json
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import Ints
from cranfield.errors import StoreError
from cranfield.store.chain import Event
from cranfield.store.decoding import parse_pool_parameters
from cranfield.store.history import Import, import_numbered, runs_extended_by_import
from cranfield.store.log import append
from cranfield.store.named_documents import (
    LISTED_CONDITION,
    retrieved_document_numbers,
    select_numbers,
    unnamed_documents,
)
from cranfield.store.releases import refuse_released
from cranfield.store.store import Store, now
from cranfield.store.tables import tables_of_store
from cranfield.text import counted, name_hint

BARE_DOCUMENT = "title = NULL, text = NULL, url = NULL, metadata = NULL, sha256 = NULL, import = NULL"
BARE_TOPIC = "title = NULL, description = NULL, narrative = NULL, metadata = NULL, import = NULL, removed = 1"


class Gone(NamedTuple):
    """The rankings that went with a run or topic: how many, and the numbers of the documents in them."""

    rankings: int
    retrieved: Ints


class Removal(NamedTuple):
    """What was taken back: what is logged of it, what is said, and the numbers of the documents that it named."""

    what: dict[str, Any]
    message: str
    documents: Ints = np.zeros(0, np.int64)


def _remove_nothing(store: Store, tag: str) -> Sequence[Removal]:
    return ()


def _no_documents(store: Store, subject: object) -> Ints:
    return np.zeros(0, np.int64)


class Removers(NamedTuple):
    """What an extension does when something is removed; each default does nothing.

    `imports` are functions by the kind of an import: of the store, the import and the reason. Each undoes the import.
    `run` is a function of the store and a tag, which removes what the run has next to its ranking.
    `finish_import` deletes what else came with an import that was undone and logged; it returns the documents that
    these rows named. `used_documents` returns those of some documents that the extension's rows name.
    """

    imports: Mapping[str, Callable[[Store, Import, str], Removal]] = {}
    run: Callable[[Store, str], Sequence[Removal]] = _remove_nothing
    finish_import: Callable[[Store, Import], Ints] = _no_documents
    used_documents: Callable[[Store, Ints], Ints] = _no_documents


def _removers() -> list[Removers]:
    return [*filter(None, hooks.ask(lambda extension: extension.removers()))]


def remove(store: Store, kind: str, names: Sequence[str], reason: str = "") -> list[str]:
    """Remove runs (by tag), topics (by qid), pools or imports (by number), all of them or none; one line for each.

    >>> from cranfield.store.runs import add_runs, run_info
    >>> from cranfield.metrics.inputs import as_runs
    >>> with Store.memory("two runs") as store:
    ...     add_runs(store, as_runs({"a": {"q": {"d1": 1.0}}, "b": {"q": {"d1": 2.0, "d2": 1.0}}}))
    ...     remove(store, "run", ["b"]), list(run_info(store)), store.counts()["document"]
    2
    (['run b: removed, with 1 ranking and 1 document that nothing else refers to'], ['a'], 1)
    """
    with store.writing():
        lines = [REMOVERS[kind](store, name, reason) for name in names]
        # Topics that nobody added and nothing names any more.
        naming = ("standing_event", *(table.name for table in tables_of_store(store.conn) if table.names_topics))
        topics = "UNION ALL ".join(f"SELECT topic FROM {table} WHERE topic IS NOT NULL " for table in naming)
        store.conn.execute(f"UPDATE topic SET removed = 1 WHERE title IS NULL AND id NOT IN ({topics})")
    store.forget()
    return lines


def _remove_run(store: Store, tag: str, reason: str) -> str:
    """Remove the rankings of a run, and what else it has."""
    others = [*chain.from_iterable(removers.run(store, tag) for removers in _removers())]
    ranking = [] if others and not store.rows("SELECT 1 FROM run WHERE tag = ?", [tag]) else [tag]
    removals = [_plan_run_removal(store, tag, reason) for tag in ranking]
    for other in others:
        _log_removal(store, "run", tag, other.what, reason)
    words = "".join(f"{other.message} and " for other in others)
    return f"run {tag}: removed, with {words}{_describe_swept(store, removals, [other.documents for other in others])}"


def _names(store: Store, query: str) -> list[str]:
    return [name for (name,) in store.rows(query)]


def _plan_run_removal(store: Store, tag: str, reason: str) -> Gone:
    rows = _select_row_dicts(store, "SELECT * FROM run WHERE tag = ?", [tag])
    if not rows:
        raise StoreError(f"no run {tag!r} in this store{name_hint(tag, _names(store, 'SELECT tag FROM run'))}")
    number = rows[0]["id"]
    _refuse_pooled(store, tag)
    refuse_released(store, "run", number, f"run {tag!r}")
    names = retrieved_document_numbers(store, "run = ?", [number])
    rankings = store.conn.execute("DELETE FROM ranking WHERE run = ?", [number]).rowcount
    store.conn.execute("DELETE FROM run WHERE id = ?", [number])
    _log_removal(store, "run", tag, {**rows[0], "rankings": rankings}, reason)
    return Gone(rankings, names)


def _refuse_pooled(store: Store, tag: str) -> None:
    pools = store.rows(
        "SELECT id FROM pool WHERE EXISTS (SELECT 1 FROM json_each(parameters, '$.runs') WHERE value = :tag)"
        " OR EXISTS (SELECT 1 FROM json_each(parameters, '$.decides') WHERE value = :tag)"
        " OR EXISTS (SELECT 1 FROM pool_document, json_each(runs) WHERE pool = pool.id AND value = :tag) ORDER BY id",
        {"tag": tag},
    )
    for (pool,) in pools:
        reason = _describe_dependents(store, pool)
        why = f", and {reason}" if reason else f"; remove pool {pool} first"
        raise StoreError(f"run {tag!r} cannot be removed: pool {pool} was made from it{why}")


def _remove_topic(store: Store, qid: str, reason: str) -> str:
    return f"topic {qid}: removed, with {_describe_swept(store, [_plan_topic_removal(store, qid, reason)])}"


def _plan_topic_removal(store: Store, qid: str, reason: str) -> Gone:
    rows = _select_row_dicts(store, "SELECT * FROM topic WHERE qid = ? AND removed = 0", [qid])
    if not rows:
        raise StoreError(
            f"no topic {qid!r} in this store{name_hint(qid, _names(store, 'SELECT qid FROM topic WHERE removed = 0'))}"
        )
    number = rows[0]["id"]
    _refuse_judged_topic(store, number, qid)
    refuse_released(store, "topic", number, f"topic {qid!r}")
    names = retrieved_document_numbers(store, "topic = ?", [number])
    rankings = store.conn.execute("DELETE FROM ranking WHERE topic = ?", [number]).rowcount
    store.conn.execute(f"UPDATE topic SET {BARE_TOPIC} WHERE id = ?", [number])
    _log_removal(store, "topic", qid, {**rows[0], "rankings": rankings}, reason)
    return Gone(rankings, names)


def _refuse_judged_topic(store: Store, number: int, qid: str) -> None:
    """Refuse to take away a topic that was judged or pooled, or that is all that a run answered."""
    stays = f"topic {qid!r} cannot be removed"
    judged = store.rows("SELECT count(*) FROM standing_event WHERE topic = ?", [number])[0][0]
    if judged:
        raise StoreError(f"{stays}: it was judged ({counted(judged, 'event')} in the log)")
    for use in (use for tables in hooks.tables_of_features().values() for use in tables.topic_uses):
        if rows := store.rows(use.query, [number])[0][0]:
            raise StoreError(f"{stays}: {use.message.format(counted(rows, use.noun))}")
    pools = store.rows("SELECT pool, count(*) FROM pool_document WHERE topic = ? GROUP BY pool", [number])
    if pools:
        pooled = f"pool {pools[0][0]} contains {counted(pools[0][1], 'document')} for this topic"
        raise StoreError(f"{stays}: {pooled}; remove that pool first")
    alone = store.rows(
        "SELECT tag FROM run JOIN ranking ON run = run.id GROUP BY run HAVING count(*) = 1 AND max(topic) = ?", [number]
    )
    if alone:
        raise StoreError(f"{stays}: run {alone[0][0]!r} answers no other topic; remove that run first")


def _remove_pool(store: Store, name: str, reason: str) -> str:
    number = _parse_number(name, "pool")
    rows = _select_row_dicts(store, "SELECT * FROM pool WHERE id = ?", [number])
    if not rows:
        numbers = ", ".join(str(one) for (one,) in store.rows("SELECT id FROM pool ORDER BY id"))
        raise StoreError(f"no pool {number} in this store; {f'its pools are {numbers}' if numbers else 'it has none'}")
    if why := _describe_dependents(store, number):
        raise StoreError(f"pool {number} cannot be removed: {why}")
    refuse_released(store, "pool", number, f"pool {number}")
    documents = store.conn.execute("DELETE FROM pool_document WHERE pool = ?", [number]).rowcount
    for table in ("pool_heard", "pool_step"):
        store.conn.execute(f"DELETE FROM {table} WHERE pool = ?", [number])
    store.conn.execute("DELETE FROM pool WHERE id = ?", [number])
    what = {**rows[0], "parameters": parse_pool_parameters(rows[0]["parameters"], number), "documents": documents}
    _log_removal(store, "pool", str(number), what, reason)
    return f"pool {number}: removed, with {counted(documents, 'document')}"


def _describe_dependents(store: Store, number: int) -> str:
    """What depends on a pool, if anything does."""
    own = store.rows("SELECT count(*) FROM standing_event WHERE pool = ?", [number])[0][0]
    later = store.rows(
        "SELECT count(*) FROM standing_event e JOIN pool_document p ON p.topic = e.topic AND p.document = e.document"
        " AND p.pool = :pool WHERE e.pool IS NULL AND (SELECT created FROM pool WHERE id = :pool) <= coalesce("
        "(SELECT i.at FROM import i WHERE e.id BETWEEN i.first_event AND i.last_event), e.at) AND NOT EXISTS (SELECT 1"
        " FROM pool_document o WHERE o.pool <> :pool AND o.topic = e.topic AND o.document = e.document)",
        {"pool": number},
    )[0][0]
    if own or later:
        return f"{counted(own + later, 'judgment')} came from it"
    if store.rows("SELECT 1 FROM judgment_event WHERE pool = ? LIMIT 1", [number]):
        return "the judgment log refers to it"
    if store.rows("SELECT 1 FROM plan WHERE pool = ?", [number]):
        return "its topics were assigned"
    larger = store.rows("SELECT id FROM pool WHERE json_extract(parameters, '$.holds') = ?", [number])
    return f"pool {larger[0][0]} includes it; remove that pool first" if larger else ""


def _remove_import(store: Store, name: str, reason: str) -> str:
    one = import_numbered(store, _parse_number(name, "import"))
    if store.rows("SELECT 1 FROM removal WHERE kind = 'import' AND name = ?", [str(one.number)]):
        raise StoreError(f"import {one.number} was already removed")
    why = reason or f"import {one.number}"
    removers = _removers()
    take_back = ChainMap(TAKE_BACK, *(dict(added.imports) for added in removers))
    if one.kind not in take_back:
        raise StoreError(f"import {one.number} is of {one.kind}, whose feature is not installed; install it first")
    removal = take_back[one.kind](store, one, why)
    what = {"kind": one.kind, "files": one.files, "at": one.at, **removal.what}
    _log_removal(store, "import", str(one.number), what, reason)
    documents = [removal.documents, *(added.finish_import(store, one) for added in removers)]
    swept = mark_unused_documents(store, np.unique(np.concatenate(documents)))
    more = f", with {counted(swept, 'document')} that nothing else refers to" if swept else ""
    return f"import {one.number}: {removal.message}{more}"


def _take_back_corpus(store: Store, one: Import, reason: str) -> Removal:
    """Documents lose their text; those that runs name are known by their docnos alone, the others are gone."""
    ours = "SELECT id FROM document WHERE import = ?"
    for table, what in (("standing_event", "judged"), ("pool_document", "pooled")):
        some = f"SELECT count(DISTINCT document) FROM {table} WHERE document IN ({ours})"
        if several := store.rows(some, [one.number])[0][0]:
            used = f"{counted(several, 'document')} from it {'was' if several == 1 else 'were'} {what}"
            raise StoreError(f"import {one.number} cannot be removed: {used}")
    numbers = np.array([number for (number,) in store.rows(ours, [one.number])], np.int64)
    for number in numbers[:1].tolist():
        refuse_released(store, "document", number, f"import {one.number}")
    store.conn.execute(f"UPDATE document SET {BARE_DOCUMENT} WHERE import = ?", [one.number])
    swept = mark_unused_documents(store, numbers)
    still = f"; runs still refer to {len(numbers) - swept} of them" if swept < len(numbers) else ""
    return Removal({"documents": len(numbers)}, f"{counted(len(numbers), 'document')} removed{still}")


def _take_back_topics(store: Store, one: Import, reason: str) -> Removal:
    qids = [qid for (qid,) in store.rows("SELECT qid FROM topic WHERE import = ? ORDER BY id", [one.number])]
    swept = _describe_swept(store, [_plan_topic_removal(store, qid, reason) for qid in qids])
    return Removal({"topics": len(qids)}, f"{counted(len(qids), 'topic')} removed, with {swept}")


def _take_back_runs(store: Store, one: Import, reason: str) -> Removal:
    if longer := runs_extended_by_import(store, one.number):
        raise StoreError(f"import {one.number} cannot be removed: it extended run {longer[0]!r}; remove that run")
    tags = [tag for (tag,) in store.rows("SELECT tag FROM run WHERE import = ? ORDER BY id", [one.number])]
    swept = _describe_swept(store, [_plan_run_removal(store, tag, reason) for tag in tags])
    return Removal({"runs": len(tags)}, f"{counted(len(tags), 'run')} removed, with {swept}")


def _retract_judgments(store: Store, one: Import, reason: str) -> Removal:
    """An event for each that takes it back."""
    standing = "SELECT document FROM standing_event WHERE id BETWEEN ? AND ?"
    documents = [document for (document,) in store.rows(standing, [one.first_event, one.last_event])]
    adjudications = store.rows(
        "SELECT count(*) FROM standing_event a WHERE a.kind = 'adjudicate' AND EXISTS (SELECT 1 FROM standing_event e"
        " WHERE e.id BETWEEN ? AND ? AND e.topic = a.topic AND e.document = a.document)",
        [one.first_event, one.last_event],
    )[0][0]
    # For each event of the import that still stands, append one that takes it back, by the same assessor.
    rows = store.rows(
        "SELECT id, qid, docno, assessor FROM judgment_log WHERE id BETWEEN ? AND ?"
        " AND id IN (SELECT id FROM standing_event) ORDER BY id",
        [one.first_event, one.last_event],
    )
    note = f"import {one.number} removed"
    append(store, *(Event("retract", q, d, who, supersedes=number, note=note) for number, q, d, who in rows))
    mark_unused_documents(store, np.array(documents, np.int64))
    later = [str(number) for (number,) in store.rows("SELECT id FROM pool WHERE created >= ? ORDER BY id", [one.at])]
    built = "pool {} was" if len(later) == 1 else "pools {} were"
    rests = f"; {built.format(', '.join(later))} built while these judgments counted" if later else ""
    remain = counted(adjudications, "adjudication on them remains", "adjudications on them remain")
    stay = f"; {remain}" if adjudications else ""
    message = f"{counted(len(documents), 'judgment')} retracted, with one event each{stay}{rests}"
    return Removal({"judgments": len(documents)}, message)


REMOVERS: dict[str, Callable[[Store, str, str], str]] = {
    "run": _remove_run,
    "topic": _remove_topic,
    "pool": _remove_pool,
    "import": _remove_import,
}
TAKE_BACK: dict[str, Callable[[Store, Import, str], Removal]] = {
    "corpus": _take_back_corpus,
    "topics": _take_back_topics,
    "runs": _take_back_runs,
    "qrels": _retract_judgments,
    "votes": _retract_judgments,
}


def _parse_number(name: str, what: str) -> int:
    if not name.isascii() or not name.isdecimal() or len(name) > 9:
        raise StoreError(f"{name!r}; expected the number of the {what}")
    return int(name)


def _select_row_dicts(store: Store, sql: str, values: Sequence[object]) -> list[dict[str, Any]]:
    cursor = store.conn.execute(sql, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _log_removal(store: Store, kind: str, name: str, what: dict[str, Any], reason: str) -> None:
    fields = json.dumps({key: value for key, value in what.items() if value is not None}, ensure_ascii=False)
    insert = "INSERT INTO removal (at, kind, name, what, reason) VALUES (?, ?, ?, ?, ?)"
    store.conn.execute(insert, [now(), kind, name, fields, reason])


def _describe_swept(store: Store, removals: Sequence[Gone], documents: Sequence[Ints] = ()) -> str:
    """What went with runs or topics, or with answers that named documents."""
    gone_names = np.unique(np.concatenate([np.zeros(0, np.int64), *(each.retrieved for each in removals), *documents]))
    swept, rankings = mark_unused_documents(store, gone_names), sum(each.rankings for each in removals)
    more = f" and {counted(swept, 'document')} that nothing else refers to" if swept else ""
    return f"{counted(rankings, 'ranking')}{more}"


def mark_unused_documents(store: Store, numbers: Ints) -> int:
    """Mark those of the documents as removed that have no text and that nothing names any more; how many."""
    bare = f"SELECT id FROM document WHERE text IS NULL AND removed = 0 AND id {LISTED_CONDITION}"
    loose = unnamed_documents(store, select_numbers(store, bare, numbers))
    store.conn.execute(f"UPDATE document SET removed = 1 WHERE id {LISTED_CONDITION}", [json.dumps(loose.tolist())])
    return len(loose)
