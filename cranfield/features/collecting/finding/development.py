"""Topics in development: their texts, 25 labels each by search and active learning, and what becomes of them.

A topic that is tried is not a topic of the store yet, so that no pool, run or score can be seen of it. Its author
judges 10 documents of a full-text search for its title, then what a classifier finds from these labels. A topic that is
kept brings its texts, which stand from then on, and its labels, of the order `development`.

Source: Voorhees and Harman, TREC-6 to TREC-8: assessors search for their candidates, judge some 25 documents, and too
rich and too poor ones are dropped.
"""

import json
from typing import NamedTuple
from uuid import uuid4

from cranfield.errors import InputError, StoreError
from cranfield.features.collecting.finding.engines import OwnLearner, full_text
from cranfield.features.collecting.vectors import corpus_of, topic_text
from cranfield.formats import Topic
from cranfield.search.index import split_words
from cranfield.store.chain import Event
from cranfield.store.decoding import decode_json_column
from cranfield.store.links import append_item
from cranfield.store.log import add_assessor, append, is_recorded
from cranfield.store.store import Store, document_hash
from cranfield.store.topic_sets import topic_sets
from cranfield.text import counted, name_hint

MAX_FOUND_DOCUMENTS, ALL = 10, 25  # documents that a full-text search finds, and that are judged in all
RICH = 15  # relevant ones of these: more is told
STATES = ("keep", "drop", "later")


class Candidate(NamedTuple):
    """A topic in development: its texts, who tries it, the labels so far in their order, and what became of it."""

    topic: Topic
    author: str
    labels: tuple[tuple[str, int], ...]
    state: str  # trying, keep, drop, later
    reason: str

    def says(self, least: int) -> str:
        """How rich the topic is, as far as its labels tell; no number, since 25 documents give none.

        >>> Candidate(Topic("1", "x"), "ada", (("d", 1),) * 25, "trying", "").says(1)
        'many: at least 25 of 25; this is too many, because almost every system would find some'
        >>> Candidate(Topic("1", "x"), "ada", (("d", 0),) * 25, "trying", "").says(1)
        'none of 25: the collection may lack relevant documents, or neither search nor learning found them'
        """
        relevant, of = sum(grade >= least for _, grade in self.labels), len(self.labels)
        if not of:
            return "no labels yet"
        if not relevant:
            warning = ": the collection may lack relevant documents, or neither search nor learning found them"
            return f"none of {of}{warning if of >= ALL else ''}"
        much = "few" if relevant <= 3 else "some" if relevant <= RICH else "many"
        rich = "; this is too many, because almost every system would find some" if relevant > RICH else ""
        return f"{much}: at least {relevant} of {of}{rich}"


def candidates(store: Store, author: str | None = None) -> list[Candidate]:
    """All topics in development, or those of an author, as they were first tried."""
    rows = store.rows("SELECT qid, author, texts, state, reason FROM candidate ORDER BY qid")
    labels: dict[str, dict[str, int]] = {}
    for qid, docno, grade in store.rows(
        "SELECT e.qid, d.docno, e.grade FROM candidate_event e JOIN document d ON d.id = e.document"
        " WHERE e.kind = 'label' ORDER BY e.id"
    ):
        labels.setdefault(qid, {})[docno] = grade
    return [
        Candidate(
            Topic(qid, *decode_json_column(list, texts, "candidate", qid, "texts")),
            who,
            tuple(labels.get(qid, {}).items()),
            state,
            reason,
        )
        for qid, who, texts, state, reason in rows
        if texts and author in (None, who)  # erased ones have none
    ]


def candidate(store: Store, qid: str, author: str | None = None) -> Candidate:
    """One of them, that is still open to change."""
    topic = next((one for one in candidates(store) if one.topic.qid == qid), None)
    if topic is None:
        qids = [one.topic.qid for one in candidates(store)]
        raise InputError(f"no topic in development {qid!r}{name_hint(qid, qids, '`cranfield topics try` adds topics')}")
    if author not in (None, topic.author):
        raise StoreError(f"topic {qid} is developed by {topic.author}")
    return topic


def propose(store: Store, topic: Topic, author: str, event_id: str = "") -> None:
    """Take up a topic in development, or change its texts, which are of one that is kept or dropped for good."""
    if not topic.qid.strip() or not split_words(topic.title):
        raise InputError(f"topic {topic.qid!r} needs an id and a title")
    if topic.qid in {one.qid for one in store.topics()}:
        raise InputError(f"topic {topic.qid!r} is already in the store, so it is not in development")
    if before := next((one for one in candidates(store) if one.topic.qid == topic.qid), None):
        _open(before, author)
    with store.writing():
        add_assessor(store, author)
        texts = json.dumps([topic.title, topic.description, topic.narrative], ensure_ascii=False)
        _append(store, "try", topic.qid, author, event_id, texts=texts)


def _open(one: Candidate, author: str) -> None:
    if one.author != author:
        raise StoreError(f"topic {one.topic.qid} is developed by {one.author}")
    if one.state in ("keep", "drop"):
        raise StoreError(
            f"topic {one.topic.qid} was {'kept' if one.state == 'keep' else 'dropped'}; this decision is final"
        )


def next_document(store: Store, one: Candidate) -> str | None:
    """The document to judge next; None where 25 are judged, or nothing is left."""
    labels = dict(one.labels)
    if len(labels) >= ALL or one.state in ("keep", "drop"):
        return None
    query = " OR ".join(split_words(one.topic.title))
    hits = [docno for docno in full_text(store, query, MAX_FOUND_DOCUMENTS) if docno not in labels]
    if hits and len(labels) < MAX_FOUND_DOCUMENTS:
        return hits[0]
    least, corpus = store.collection.min_relevant, corpus_of(store)
    own = OwnLearner(
        corpus.replace_topics({one.topic.qid: topic_text(one.topic)}),
        one.topic.qid,
        {docno: grade >= least for docno, grade in labels.items()},
    )
    return next(iter(own.best(1)), None)


def label(store: Store, qid: str, author: str, docno: str, *, grade: int, event_id: str = "") -> None:
    """Record a grade; the same event is recorded once."""
    one = candidate(store, qid, author)
    _open(one, author)
    if grade not in store.collection.grades:
        raise InputError(f"{grade} is not a grade here; the grades are {', '.join(map(str, store.collection.grades))}")
    with store.writing():
        _append(store, "label", qid, author, event_id, docno=docno, grade=grade)


def decide(store: Store, qid: str, state: str, reason: str, author: str | None = None) -> Candidate:
    """Keep, drop or put off a topic in development, with a reason; one that is kept is a topic of the store."""
    one = candidate(store, qid, author)
    _open(one, one.author)
    if state == "drop" and not reason.strip():
        raise InputError(f"dropping topic {qid} needs a reason")
    with store.writing():
        _append(store, state, qid, one.author, "", reason=reason.strip())
        if state == "keep":
            store.add_topics([one.topic])
            append(store, *(_event(store, one, *label) for label in enumerate(one.labels, 1)))
    return one


def _event(store: Store, one: Candidate, place: int, labelled: tuple[str, int]) -> Event:
    docno, grade = labelled
    document = store.document(docno)
    return Event("label", one.topic.qid, docno, one.author, grade, order_policy="development", position=place,
                 document_sha256=document_hash(document.text, document.metadata), event_id=uuid4().hex)  # fmt: skip


def _append(
    store: Store, kind: str, qid: str, author: str, event_id: str, *, texts: str = "",
    docno: str | None = None, grade: int | None = None, reason: str = "",
) -> None:  # fmt: skip
    if not is_recorded(store, event_id, "candidate_event"):
        append_item(
            store, "candidate_event", event_id=event_id, kind=kind, qid=qid, assessor=author, texts=texts,
            document=docno, grade=grade, reason=reason,
        )  # fmt: skip


def candidate_rows(store: Store) -> list[dict[str, object]]:
    """A row for each topic in development."""
    least = store.collection.min_relevant
    return [
        {
            "topic": one.topic.qid, "title": one.topic.title, "author": one.author, "state": one.state,
            "judged": len(one.labels), "relevant": one.says(least), "reason": one.reason,
        }
        for one in candidates(store)
    ]  # fmt: skip


def topic_rows(store: Store) -> list[dict[str, object]]:
    """A row for each topic of the store, with its sets, and for each in development."""
    trials, sets = {str(row["topic"]): row for row in candidate_rows(store)}, topic_sets(store)
    there = {one.qid: one.title for one in store.topics()}
    empty = {"author": "", "state": "topic", "judged": 0, "relevant": "", "reason": ""}
    rows = [{"topic": qid, "title": title, **empty} for qid, title in there.items() if qid not in trials]
    return [
        {**row, "sets": " ".join(one.name for one in sets if row["topic"] in one.topics)}
        for row in [*rows, *trials.values()]
    ]


def summary(store: Store, one: Candidate) -> str:
    """What is known of a topic in a line."""
    says = one.says(store.collection.min_relevant)
    return f"topic {one.topic.qid}: {counted(len(one.labels), 'document')} judged, {says}"
