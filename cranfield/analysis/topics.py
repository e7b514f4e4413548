"""How far each topic is judged; of one topic its documents with all labels, and the first ranks of its runs."""

from collections import defaultdict
from collections.abc import Collection as Several
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.store.assignments import pooled
from cranfield.store.chain import Event
from cranfield.store.log import standing_of_topic
from cranfield.store.pools import PooledDocument, pool_of_topic
from cranfield.store.qrels import counted, qrels_of_topic
from cranfield.store.runs import first_documents
from cranfield.store.store import Collection, Store

RANKS = 10
NO_POOL, OPEN, BEGUN, DONE = "nothing pooled", "not begun", "in progress", "judged"
Row = dict[str, Any]


def topic_rows(store: Store, pool: int | None = None) -> list[Row]:
    """One row per topic: the documents of a pool, or of the newest, and the labels that count, by grade.

    Judged documents may be outside the pool; unjudged ones are those of the pool.
    """
    qrels, documents, about = counted(store).qrels, pooled(store, pool), store.collection
    grades: defaultdict[str, dict[str, int]] = defaultdict(dict)
    columns = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist())
    for qid, docno, grade in zip(*columns, strict=True):
        grades[qid][docno] = grade
    return [
        {"topic": topic.qid, "title": topic.title} | _counts(about, documents.get(topic.qid, ()), grades[topic.qid])
        for topic in store.topics()
    ]


def _counts(about: Collection, documents: Several[str], grades: Mapping[str, int]) -> Row:
    labels = list(grades.values())
    unjudged = sum(docno not in grades for docno in documents)
    return {
        "state": _state(len(documents), unjudged),
        "pooled": len(documents),
        "judged": len(labels),
        "unjudged": unjudged,
        "relevant": sum(grade >= about.min_relevant for grade in labels),
        **{f"grade {grade}": labels.count(grade) for grade in sorted(about.grades)},
    }


def _state(documents: int, unjudged: int) -> str:
    """How far a topic is.

    >>> _state(0, 0), _state(3, 3), _state(3, 1), _state(3, 0)
    ('nothing pooled', 'not begun', 'in progress', 'judged')
    """
    if not documents:
        return NO_POOL
    return DONE if not unjudged else OPEN if unjudged == documents else BEGUN


class TopicDocument(NamedTuple):
    """A document of a topic: how it came into the pool, its grade that counts, and everybody's current decision."""

    docno: str
    entry: PooledDocument | None
    grade: int | None
    decisions: Sequence[Event]


def topic_documents(store: Store, qid: str, pool: int | None) -> list[TopicDocument]:
    """The documents that are in a pool or were decided on, best rank in the pool first."""
    entries = {entry.docno: entry for entry in pool_of_topic(store, pool, qid)} if pool is not None else {}
    decisions: defaultdict[str, list[Event]] = defaultdict(list)
    for event in standing_of_topic(store, qid):
        decisions[event.docno].append(event)
    grades = qrels_of_topic(store, qid)
    found = [
        TopicDocument(docno, entries.get(docno), grades.get(docno), decisions[docno])
        for docno in dict.fromkeys([*entries, *decisions])
    ]
    return sorted(found, key=lambda one: (one.entry is None, one.entry.depth if one.entry else 0, one.docno))


class FirstRanks(NamedTuple):
    """The first documents of a run for a topic, their grades that count, and how many of them are relevant."""

    run: str
    docnos: Sequence[str]
    grades: Sequence[int | None]
    relevant: int


def first_ranks(store: Store, qid: str, ranks: int = RANKS) -> list[FirstRanks]:
    """Those of every run that answers a topic, the run with most relevant documents there first."""
    grades, least = qrels_of_topic(store, qid), store.collection.min_relevant
    found = []
    for tag, docnos in first_documents(store, qid, ranks).items():
        own = [grades.get(docno) for docno in docnos]
        relevant = sum(grade is not None and grade >= least for grade in own)
        found.append(FirstRanks(tag, docnos, own, relevant))
    return sorted(found, key=lambda one: (-one.relevant, one.run))
