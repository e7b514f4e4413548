"""What assessors search for and find, in the store: who may, their searches, and the labels of what they found.

Such a label has the order `search`, the number of the search as its seed, and the rank in it as its position. It was
not given blind, and that is never forgotten.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from cranfield import __version__
from cranfield.errors import InputError, StoreError
from cranfield.judging.session.work import topic_transaction
from cranfield.store.assignments import other_holder
from cranfield.store.chain import Event
from cranfield.store.decoding import decode_json_column
from cranfield.store.links import append_item
from cranfield.store.log import add_assessor, append, is_recorded
from cranfield.store.store import Store, document_hash, now
from cranfield.store.withdrawals import other_names_by_docno, topics_that_count
from cranfield.text import counted, name_hint

SEARCH_ORDERS = ("search", "development")  # orders of labels that were found otherwise than by a pool
OWN = """
SELECT d.docno, e.grade, e.order_policy, e.at FROM current_event c JOIN judgment_event e ON e.id = c.id
JOIN document d ON d.id = e.document WHERE e.grade IS NOT NULL
    AND c.topic = (SELECT id FROM topic WHERE qid = ?) AND c.assessor = (SELECT id FROM assessor WHERE name = ?)
ORDER BY e.id
"""


class Search(NamedTuple):
    """A search of an assessor: what was asked, of which engine, and what was shown."""

    id: int
    at: str
    qid: str
    query: str
    engine: str
    shown: tuple[str, ...]

    def docno(self, rank: int) -> str:
        """The document at a rank, from 1."""
        if not 0 < rank <= len(self.shown):
            raise InputError(f"this search found {len(self.shown)} documents, so there is no document at rank {rank}")
        return self.shown[rank - 1]


class SearcherLabel(NamedTuple):
    """A label of the assessor who searches, and how she came to it."""

    grade: int
    order: str
    at: str


def allow(store: Store, assessor: str) -> None:
    """Let an assessor search, and judge what is found."""
    with store.writing():
        add_assessor(store, assessor)
        store.conn.execute(
            "INSERT OR IGNORE INTO searcher SELECT id, ? FROM assessor WHERE name = ?", [now(), assessor]
        )


def may_search(store: Store, assessor: str) -> bool:
    """Whether the organiser allows it."""
    query = "SELECT 1 FROM searcher s JOIN assessor a ON a.id = s.assessor WHERE a.name = ?"
    return bool(store.rows(query, [assessor]))


def check(store: Store, assessor: str, qid: str = "") -> None:
    """An error where an assessor may not search, or a topic is somebody else's."""
    if not may_search(store, assessor):
        raise StoreError(
            "the organiser has not allowed you to search; `cranfield assessor invite STORE NAME --search` allows it"
        )
    if qid and qid not in (qids := [topic.qid for topic in store.topics()]):
        raise InputError(f"no topic {qid!r} in this store{name_hint(qid, qids)}")
    if qid and (taker := other_holder(store, assessor, qid)):
        raise StoreError(f"topic {qid} belongs to {taker}")


def own_labels(store: Store, assessor: str, qid: str) -> dict[str, SearcherLabel]:
    """The labels of one assessor for one topic, by docno; nobody else's."""
    return {docno: SearcherLabel(*rest) for docno, *rest in store.rows(OWN, [qid, assessor])}


def known_labels(store: Store, assessor: str, qid: str) -> dict[str, SearcherLabel]:
    """The same by every name that a document has or had."""
    own, others = own_labels(store, assessor, qid), other_names_by_docno(store)
    return {name: label for docno, label in own.items() for name in others.get(docno, ())} | own


def record_search(
    store: Store,
    assessor: str,
    qid: str,
    query: str,
    *,
    engine: str,
    docnos: Sequence[str],
    seconds: float,
    event_id: str,
) -> int:
    """Record a search with what is shown; its number. The same event is recorded once."""
    check(store, assessor, qid)
    with store.writing():
        before = store.rows("SELECT id FROM search_event WHERE event_id = ?", [event_id])
        if before:
            return int(before[0][0])
        return append_item(
            store, "search_event", event_id=event_id, topic=qid, assessor=assessor, query=query, engine=engine,
            version=__version__, shown=json.dumps([*docnos]), seconds=round(seconds, 3),
        )  # fmt: skip


def searches(store: Store, assessor: str, qid: str | None = None) -> list[Search]:
    """The searches of an assessor, the first one first; of one topic, or of all."""
    rows = store.rows(
        "SELECT s.id, s.at, t.qid, s.query, s.engine, s.shown FROM search_event s JOIN topic t ON t.id = s.topic"
        " JOIN assessor a ON a.id = s.assessor WHERE a.name = ? AND ? IN ('', t.qid) ORDER BY s.id",
        [assessor, qid or ""],
    )
    return [
        Search(number, at, of, text, engine, tuple(decode_json_column(list, docnos, "search_event", number, "shown")))
        for number, at, of, text, engine, docnos in rows
    ]


def search_of(store: Store, assessor: str, number: int) -> Search:
    """A search of this assessor by its number."""
    matches = [one for one in searches(store, assessor) if one.id == number]
    if not matches:
        raise InputError(f"search {number} belongs to another assessor or does not exist")
    return matches[0]


def judge_found(store: Store, assessor: str, search: Search, rank: int, *, grade: int, event_id: str) -> None:
    """Record a grade of a document that a search has shown; the same event is recorded once.

    What was judged in a pool is judged again there, in its order.
    """
    check(store, assessor, search.qid)
    docno = search.docno(rank)
    if is_recorded(store, event_id):
        return
    with topic_transaction(store, assessor, search.qid):
        own = known_labels(store, assessor, search.qid).get(docno)
        if own and own.order not in SEARCH_ORDERS:
            raise InputError("you judged this document when it was given to you; change its label there")
        document = store.document(docno)
        sha = document_hash(document.text, document.metadata)
        append(store, Event("label", search.qid, docno, assessor, grade, order_policy="search", order_seed=search.id,
                            position=rank, document_sha256=sha, input="browser", event_id=event_id))  # fmt: skip


def found_apart(store: Store) -> dict[tuple[str, str], str]:
    """How judged pairs were found that somebody found by searching, or while a topic was developed."""
    rows = store.rows(
        "SELECT DISTINCT t.qid, d.docno, e.order_policy FROM judgment_event e JOIN topic t ON t.id = e.topic"
        " JOIN document d ON d.id = e.document JOIN current_event c ON c.id = e.id"
        " WHERE e.order_policy IN ('search', 'development') AND e.grade IS NOT NULL"
    )
    return {(qid, docno): how for qid, docno, how in rows}


def search_rows(store: Store) -> list[dict[str, object]]:
    """A row for each assessor and topic with searches: how many, what was judged of what they found, and relevant."""
    rows = store.rows(
        "SELECT a.name, t.qid, count(*) FROM search_event s JOIN assessor a ON a.id = s.assessor"
        " JOIN topic t ON t.id = s.topic GROUP BY a.id, t.id ORDER BY a.id, t.id"
    )
    least, table, qids = store.collection.min_relevant, [], topics_that_count(store)
    for name, qid, number in rows:
        if qids is not None and qid not in qids:
            continue
        grades = [one.grade for one in own_labels(store, name, qid).values() if one.order == "search"]
        relevant = sum(grade >= least for grade in grades)
        table.append({"assessor": name, "topic": qid, "searches": number, "judged": len(grades), "relevant": relevant})
    return table


class QueryCount(NamedTuple):
    """One of an assessor's searches: how many documents it was the first to show, and how many are relevant."""

    search: Search
    new: int
    relevant: int


def query_counts(every: list[Search], own: Mapping[str, SearcherLabel], least: int) -> list[QueryCount]:
    """What each of the searches of a topic gave."""
    docnos, counts = set[str](), []
    for search in every:
        good = sum(docno in own and own[docno].grade >= least for docno in search.shown)
        counts.append(QueryCount(search, len({*search.shown} - docnos), good))
        docnos |= {*search.shown}
    return counts


def last_relevant_words(own: Mapping[str, SearcherLabel], every: list[Search], least: int) -> str:
    """How long ago the last relevant document was found, and what came since; empty where there is none."""
    last = max((label.at for label in own.values() if label.grade >= least), default="")
    if not last:
        return ""
    minutes = int((datetime.fromisoformat(now()) - datetime.fromisoformat(last)).total_seconds() // 60)
    after = sum(label.at > last for label in own.values())
    times = sum(search.at > last for search in every)
    when = f"{minutes} min ago" if minutes else "just now"
    did = f"judged {counted(after, 'document')} and searched {counted(times, 'time')}"
    return f"You found your last relevant document {when}; since then you {did}."
