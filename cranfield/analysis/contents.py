"""What a store contains: how much of everything, how far each topic is judged; of one its documents and first ranks."""

from collections import defaultdict
from collections.abc import Collection as Several
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cranfield import hooks
from cranfield.store.assignments import pooled
from cranfield.store.chain import Event
from cranfield.store.log import spelled, standing_of_topic
from cranfield.store.names import lacks
from cranfield.store.pools import PooledDocument, pool_of_topic
from cranfield.store.qrels import counted, qrels_of_topic
from cranfield.store.releases import releases
from cranfield.store.runs import first_documents
from cranfield.store.store import Collection, Store


class Overview(NamedTuple):
    """What a store contains, in words and as the JSON document."""

    rows: list[dict[str, str]]
    document: dict[str, Any]


def overview(store: Store) -> Overview:
    """The collection, how much of everything is here, and what is unknown."""
    collection, counts, lacking = store.collection, store.counts(), {lack.table: lack for lack in lacks(store)}
    counts["qrels_by_models"] = int(counted(store).by_model.sum())
    for count in hooks.rows("store.counts"):
        counts |= count(store)
    bare = counts["document"] > 0 and not store.has("document")
    unknown = {f"unknown_{table}": lacking.get(table) for table in ("document", "topic")}
    shown = {name: f"{lack.missing}, first {lack.first!r}" if lack else 0 for name, lack in unknown.items()}
    lacked = {name: lack.missing if lack else 0 for name, lack in unknown.items()}
    what = collection._asdict() | {"grades": spelled(collection.grades)} | counts | shown
    what |= {"corpus": "none; only the docnos of documents are known"} if bare else {}
    if names := [f"{release.name} of {release.date}" for release in releases(store)]:
        counts, what = counts | {"release": len(names)}, what | {"releases": ", ".join(names)}
    rows = [{"what": name.replace("_", " "), "value": str(value)} for name, value in what.items()]
    return Overview(rows, collection._asdict() | counts | lacked)


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
