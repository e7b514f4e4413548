"""Bundles: one assessor's work in a file of its own, to be judged elsewhere and brought back.

A bundle is a small store. It has her topics, the documents she is to judge and her own events; it has no runs, no
ranks, no URLs, and nobody else's labels. Bringing it back adds the events that are not here yet, known by their ids,
so doing it twice does no harm, and two people's bundles cannot touch each other. Nothing in a bundle is trusted:
check.py reads it and checks it before anything is taken.
"""

from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from cranfield import hooks
from cranfield.errors import StoreError
from cranfield.formats import Document
from cranfield.store.assignments import Work, assignments, format_timestamp, pools_to_do, repeats_of, work_of
from cranfield.store.bundles.check import UntrustedStore, check
from cranfield.store.bundles.page import is_compressed_store, is_download, is_html, keep
from cranfield.store.bundles.page_log import CheckedDownload, judged
from cranfield.store.chain import Event, add_origin, add_person, begin, link_events, person_by_name, store_origin
from cranfield.store.connection import atomic_path
from cranfield.store.log import OUTWEIGHED, REPEAT, append, insert, read_events
from cranfield.store.pools import Pool, PooledDocument, add_pool, pool_record
from cranfield.store.store import Store, now
from cranfield.store.withdrawals import pairs_settled_under_other_name, settled_pairs


class BundleCounts(NamedTuple):
    """What is in a bundle."""

    topics: int
    documents: int  # that are still to be judged
    repeats: int  # second showings that are still to be judged
    events: int


class MergeCounts(NamedTuple):
    """What came back: the events that were new, and how many of them an already newer decision of hers outweighs."""

    assessor: str
    new: int
    known: int
    outdated: int
    recorded: bool  # whether the store knows that it made this bundle; an earlier version did not keep that


def write_bundle(store: Store, path: str | PathLike[str], assessor: str, unjudged: bool = False) -> BundleCounts:
    """Put what is assigned to an assessor, or was judged by her, into a new file; it stays hers until given away.

    With `unjudged` only what nobody has judged yet, as what a late run still needs.
    """
    work = work_of(store, assessor) if any(one.assessor == assessor for one in assignments(store)) else {}
    if not work:
        raise StoreError(f"no topic is assigned to {assessor!r}; assign one with `cranfield assign`")
    pairs = settled_pairs(store) if unjudged else pairs_settled_under_other_name(store, assessor)
    if not (work := _drop_pairs(work, pairs)):
        raise StoreError(f"{assessor!r} has already judged all assigned documents")
    about = store.collection._replace(created=now())
    with atomic_path(path) as part, Store.begin(part, about) as bundle:
        bundle.conn.execute("PRAGMA journal_mode = DELETE")  # one file, whatever happens
        with bundle.writing():
            outcome = _fill_bundle(store, bundle, work, assessor, pairs)
            rows = bundle.rows(
                "SELECT id, kind, ?, made FROM origin WHERE id = ?", [assessor, store_origin(bundle.conn)]
            )
        with store.writing():  # known before it is there
            store.conn.executemany("INSERT INTO origin VALUES (?, ?, ?, ?)", rows)
    with store.writing():  # what left the house does not lapse
        keep(store, assessor, work)
    return outcome


def _drop_pairs(work: Work, pairs: Set[tuple[str, str]]) -> Work:
    remaining = {qid: [docno for docno in docnos if (qid, docno) not in pairs] for qid, docnos in work.items()}
    return {qid: docnos for qid, docnos in remaining.items() if docnos}


def _fill_bundle(store: Store, bundle: Store, work: Work, assessor: str, pairs: Set[tuple[str, str]]) -> BundleCounts:
    numbers = sorted(pools_to_do(store, assessor))
    pools = {number: _drop_pairs(work_of(store, assessor, number), pairs) for number in numbers}
    pools = {number: part for number, part in pools.items() if part}
    docnos = sorted({docno for docnos in work.values() for docno in docnos})
    bundle.add_documents(map(_assessor_document, map(store.document, docnos)))
    for pictures in filter(None, hooks.ask(lambda extension: extension.pictures())):
        pictures.copy(store, bundle)
    bundle.add_topics(topic for topic in store.topics() if topic.qid in work)
    guidelines = store.rows("SELECT guidelines FROM collection")[0][0]
    bundle.conn.execute("UPDATE collection SET created = ?, guidelines = ?", [store.collection.created, guidelines])
    for number in range(1, max(pools) + 1):
        _blind_pool(store, bundle, number, pools.get(number, {}))
    names = [assessor, assessor + REPEAT]
    persons = person_by_name(store.conn)
    for name, kind in store.rows("SELECT name, kind FROM assessor ORDER BY id"):
        if name in names:
            add_person(bundle.conn, name, kind, names[0] if name != names[0] else None, persons[name])
    _add_plans(store, bundle, pools, repeats_of(store, assessor), assessor)
    begin(bundle.conn, "bundle")
    own = [event for name in names for event in read_events(store, name) if event.docno in work.get(event.qid, ())]
    used = {event.origin for event in own}
    there = {name for (name,) in bundle.rows("SELECT id FROM origin")}
    rows = [row for row in store.rows("SELECT id, kind, name, made FROM origin") if row[0] in used - there]
    bundle.conn.executemany("INSERT INTO origin VALUES (?, ?, ?, ?)", rows)
    _append_new_events(
        bundle, sorted(own, key=lambda event: event.id or 0), {event.id: event.event_id for event in own}
    )
    _add_criteria(bundle, [row for row in _criterion_rows(store, names) if row[1] in work])
    bundle.conn.execute("INSERT INTO bundle VALUES (1, ?, ?)", [assessor, format_timestamp(datetime.now(UTC))])
    pairs = {(qid, docno) for qid, docnos in work.items() for docno in docnos}
    repeats = {(qid, docno) for qid, docnos in repeats_of(bundle, assessor).items() for docno in docnos}
    again = repeats - _settled_repeats(bundle, assessor)
    return BundleCounts(len(work), len(pairs - settled_pairs(bundle)), len(again), len(own))


def _settled_repeats(bundle: Store, assessor: str) -> set[tuple[str, str]]:
    settled = (
        "SELECT qid, docno FROM settled s JOIN assessor a ON a.id = s.assessor"
        " JOIN topic t ON t.id = s.topic JOIN document d ON d.id = s.document WHERE a.name = ?"
    )
    return set(bundle.rows(settled, [assessor + REPEAT]))


def _assessor_document(document: Document) -> Document:
    """A document with what an assessor sees of it, by which labels know it, and nothing else."""
    visible = {name: value for name, value in document.metadata.items() if name in ("layout", "shown")}
    return document._replace(url="", metadata=visible)


def _blind_pool(store: Store, bundle: Store, number: int, work: Work) -> None:
    """A pool under its own number, so that events have it: the assessor's part, and nothing of where it is from."""
    if not work:
        bundle.conn.execute("INSERT INTO pool VALUES (?, '', '{}', NULL, '', '')", [number])
        return
    blind = [PooledDocument(qid, docno, 0, ()) for qid, docnos in work.items() for docno in docnos]
    add_pool(bundle, Pool(pool_record(store, number).method, {}, blind))


def _add_plans(store: Store, bundle: Store, pools: Mapping[int, Work], repeats: Work, assessor: str) -> None:
    """In a bundle all work is the assessor's, and it does not show what overlaps with others; each topic stays with its
    pool where there are several."""
    newest, *how = store.rows("SELECT max(id), repeats, seed, lease FROM plan")[0]
    for plan, (pool, work) in enumerate(pools.items(), newest - len(pools) + 1):
        bundle.conn.execute(
            "INSERT INTO plan (id, made, pool, overlap, repeats, seed, lease, pinned) VALUES (?, '', ?, 0, ?, ?, ?, ?)",
            [plan, pool, *how, len(pools) > 1],
        )
        bundle.conn.executemany(
            "INSERT INTO assignment (plan, topic, role, assessor) VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
            " 'first', (SELECT id FROM assessor WHERE name = ?))",
            [(plan, qid, assessor) for qid in work],
        )
        bundle.conn.executemany(
            "INSERT INTO sampled (plan, topic, document, purpose) VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
            " (SELECT id FROM document WHERE docno = ?), 'repeat')",
            [(plan, qid, docno) for qid in work for docno in repeats.get(qid, ())],
        )


# Bringing it back


def merge_bundle(store: Store, path: str | PathLike[str]) -> MergeCounts:
    """Add the events of a bundle that are not here yet, in one transaction: all of them or, if one is wrong, none.

    A bundle is a store, or what was downloaded from a page.
    """
    if is_html(path):
        raise StoreError(f"{path}: this is the page itself; expected the file that its Download button saves")
    if is_compressed_store(path):
        raise StoreError(f"{path}: the bundle is compressed; decompress it first")
    if is_download(path):
        with store.writing():
            return _merge_page(store, judged(store, path))
    try:
        with UntrustedStore(path) as foreign, foreign.copy_to_memory() as bundle, store.writing():
            theirs = check(store, bundle, foreign)
            names = [theirs.assessor, theirs.assessor + REPEAT]
            standing = _last_decisions(store, names)
            anew = {}
            used = {event.origin for event in theirs.new}
            there = {name for (name,) in store.rows("SELECT id FROM origin")}
            for origin, kind, at in bundle.rows("SELECT id, kind, made FROM origin"):
                if origin in used and kind == "earlier":
                    anew[origin] = add_origin(store.conn, kind, Path(path).name)
                elif origin in used - there:
                    store.conn.execute("INSERT INTO origin VALUES (?, 'bundle', ?, ?)", [origin, theirs.assessor, at])
            _append_new_events(
                store, theirs.new, {number: event.event_id for number, event in theirs.events.items()}, anew
            )
            stale = _prefer_later_decisions(store, theirs.new, standing)
            present = {*_criterion_rows(store, names)}
            _add_criteria(store, [row for row in _criterion_rows(bundle, names) if row not in present])
            counts = len(theirs.new), len(theirs.events) - len(theirs.new), stale
            return MergeCounts(theirs.assessor, *counts, theirs.recorded)
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from error


def _merge_page(store: Store, download: CheckedDownload) -> MergeCounts:
    """Add what was judged on a page. Its chain is made here: each new event follows the one on the line above."""
    page, new = download.page, {event.event_id for event in download.new}
    names = [page.assessor, page.assessor + REPEAT]
    standing = _last_decisions(store, names)
    if not download.recorded:
        store.conn.execute("INSERT INTO origin VALUES (?, 'bundle', ?, ?)", [page.page, page.assessor, page.made])
    numbers = dict(store.rows("SELECT event_id, id FROM judgment_event"))
    hashes = dict(store.rows("SELECT event_id, hash FROM judgment_event WHERE origin = ?", [page.page]))
    lines, before = {event.id: event.event_id for event in download.events}, ""
    for event in download.events:
        if event.event_id in new:
            earlier = numbers[lines[event.supersedes]] if (event.supersedes or 0) < 0 else event.supersedes
            (link,) = link_events(store.conn, [event._replace(supersedes=earlier)], page.page, before)
            numbers[event.event_id], hashes[event.event_id] = insert(store, link), link.hash
        before = hashes.get(event.event_id, "")
    stale = _prefer_later_decisions(store, download.new, standing)
    present = {*_criterion_rows(store, names)}
    _add_criteria(store, [row for row in download.criteria if row not in present])
    return MergeCounts(page.assessor, len(new), len(download.events) - len(new), stale, download.recorded)


def _append_new_events(
    store: Store, new: Sequence[Event], ids: Mapping[int | None, str], anew: Mapping[str, str] | None = None
) -> None:
    """Append the new events; what one supersedes is known by its event id, as numbers differ between stores.

    `anew` has the origins whose chains are made anew here, and the origin that stands for each.
    """
    numbers: dict[str, int] = dict(store.rows("SELECT event_id, id FROM judgment_event"))
    for event in new:
        earlier = None if event.supersedes is None else numbers[ids[event.supersedes]]
        copy = event._replace(supersedes=earlier)
        links = link_events(store.conn, [copy], anew[event.origin]) if anew and event.origin in anew else [copy]
        numbers[event.event_id] = insert(store, *links)


Standing = dict[tuple[str, str, str], Event]


def _last_decisions(store: Store, names: Sequence[str]) -> Standing:
    current = [event for name in names for event in read_events(store, name, "current_judgment")]
    return {(event.qid, event.docno, event.assessor): event for event in current}


def _prefer_later_decisions(store: Store, new: Sequence[Event], before: Standing) -> int:
    """Where she decided a pair here after she did in the bundle, the later decision counts: the other is retracted.

    The retract has an id made from that of the event, so that merging in any order and any number of times is the same.
    """
    numbers = dict(store.rows("SELECT event_id, id FROM judgment_event"))
    taken_back = {event.supersedes for event in new if event.kind == "retract"}
    decisions = [event for event in new if event.kind in ("label", "later", "cannot-judge")]
    old = [event for event in decisions if event.id not in taken_back and _is_older(event, before)]
    for event in old:
        retract = Event("retract", event.qid, event.docno, event.assessor, reason="decided again outside the bundle")
        retraction = retract._replace(supersedes=numbers[event.event_id], at=format_timestamp(datetime.now(UTC)))
        append(store, retraction._replace(event_id=event.event_id + OUTWEIGHED))
    return len(old)


def _is_older(event: Event, before: Standing) -> bool:
    now = before.get((event.qid, event.docno, event.assessor))
    return now is not None and now.at > event.at


def _criterion_rows(store: Store, names: Sequence[str]) -> list[tuple[Any, ...]]:
    rows = store.rows("SELECT at, qid, assessor, text FROM criteria ORDER BY id")
    return [row for row in rows if row[2] in names]


def _add_criteria(store: Store, rows: Sequence[tuple[Any, ...]]) -> None:
    store.conn.executemany(
        "INSERT INTO criterion (at, topic, assessor, text) VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
        " (SELECT id FROM assessor WHERE name = ?), ?)",
        rows,
    )
