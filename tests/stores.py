"""A store, made in one place: empty, or with what a test needs, each part in the plainest form."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from cranfield.formats import Document, RunInfo, Topic
from cranfield.judging.labels.export import ExportCounts, LabelRule, export_derived
from cranfield.judging.labels.policies import State
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.build import depth_pool
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.pools import Pool, PooledDocument, add_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store, new_collection, now

Grades = Mapping[tuple[str, str], int | None]


class Parts(TypedDict, total=False):
    """What is in a store, added in this order."""

    documents: Mapping[str, str] | Iterable[str | Document]  # docnos with their texts, docnos, or documents
    topics: Mapping[str, str] | Iterable[str | Topic]  # qids with their titles, qids, or topics
    people: Iterable[str]
    models: Iterable[str]
    runs: Any  # whatever is taken for runs: by tag and qid, documents with scores
    teams: Mapping[str, str | RunInfo]  # those of runs, where the tag is not the team's name as well
    qrels: Mapping[str, Any]  # by assessor, whatever is taken for qrels; hers is the kind import, unless she is known
    pool: Mapping[str, Sequence[str]] | Pool | int  # by qid, docnos; or a pool; or the depth of one of all runs
    labels: Mapping[str, Grades]  # by assessor, grades of topics and documents; None is of one that cannot be judged


class CollectionFields(Parts, total=False):
    """What its collection is, and what is in it."""

    grades: Mapping[int, str]
    min_relevant: int
    description: str
    licence: str


def filled(store: Store, **parts: Unpack[Parts]) -> Store:
    """The store, with these parts added.

    >>> with filled(new_store(), documents=["d1"], topics={"q1": "wings"}, labels={"ada": {("q1", "d1"): 1}}) as store:
    ...     store.document("d1").text, [topic.title for topic in store.topics()], store.counts()["qrels"]
    ('text of d1', ['wings'], 1)
    """
    if "documents" in parts:
        store.add_documents(documents_of(parts["documents"]))
    if "topics" in parts:
        store.add_topics(topics_of(parts["topics"]))
    for kind, names in (("human", parts.get("people", ())), ("model", parts.get("models", ()))):
        for name in names:
            add_assessor(store, name, kind)
    if len(parts.get("runs", ())):
        teams = parts.get("teams", {}).items()
        about = {tag: team if isinstance(team, RunInfo) else RunInfo(team) for tag, team in teams}
        add_runs(store, as_runs(parts["runs"]), about)
    for name, qrels in parts.get("qrels", {}).items():
        import_qrels(store, as_qrels(qrels), name)
    if "pool" in parts:
        add_pool(store, _pool_of(parts["pool"], parts.get("runs")))
    for name, grades in parts.get("labels", {}).items():
        add_assessor(store, name)
        kinds = {pair: "label" if grade is not None else "cannot-judge" for pair, grade in grades.items()}
        append(store, *(Event(kinds[pair], *pair, name, grade=grade) for pair, grade in grades.items()))
    return store


def add_unfinished_import(store: Store, documents: Mapping[str, str] | Iterable[str | Document]) -> None:
    """Add documents of an import that was killed before its end.

    >>> with new_store() as store:
    ...     add_unfinished_import(store, ["d1"])
    ...     store.has("document"), store.rows("SELECT docno FROM document")
    (False, [('d1',)])
    """
    insert = "INSERT INTO import (at, kind, files, first_event) VALUES (?, 'corpus', '[\"corpus.jsonl\"]', 1)"
    with store.writing():
        store.importing = store.conn.execute(insert, [now()]).lastrowid
        store.add_documents(documents_of(documents))
        store.importing = None


def documents_of(documents: Mapping[str, str] | Iterable[str | Document]) -> Iterable[Document]:
    """Documents; what is only a docno has the text "text of DOCNO"."""
    if isinstance(documents, Mapping):
        return [Document(docno, text=text) for docno, text in documents.items()]
    return (Document(one, text=f"text of {one}") if isinstance(one, str) else one for one in documents)


def topics_of(topics: Mapping[str, str] | Iterable[str | Topic]) -> Iterable[Topic]:
    """Topics; what is only a qid has the title "title QID"."""
    if isinstance(topics, Mapping):
        return [Topic(qid, title) for qid, title in topics.items()]
    return (Topic(one, f"title {one}") if isinstance(one, str) else one for one in topics)


def _pool_of(pool: Mapping[str, Sequence[str]] | Pool | int, runs: Any) -> Pool:
    if isinstance(pool, Pool):
        return pool
    if isinstance(pool, int):
        found = as_runs(runs)
        return Pool("depth", {"depth": pool, "runs": list(found.tags)}, depth_pool(found, pool))
    documents = [PooledDocument(qid, docno, 1, ("r",)) for qid, docnos in pool.items() for docno in docnos]
    return Pool("depth", {"depth": 1}, documents)


def new_store(path: Path | str | None = None, name: str = "small", **about: Unpack[CollectionFields]) -> Store:
    """An open store of these parts: in memory, or in a file that is written when all is in it."""
    return _in_memory(name, **about) if path is None else Store.open(new_file(path, name, **about))


def new_file(path: Path | str, name: str = "small", **about: Unpack[CollectionFields]) -> Path:
    """The path of such a store in a file, closed."""
    with _in_memory(name, **about) as store:
        return write_store(store.conn.serialize(), path)


def write_store(content: bytes, path: Path | str) -> Path:
    """The path of a store that was serialised."""
    Path(path).write_bytes(content[:18] + b"\2\2" + content[20:])  # a log is written ahead, as in any file of a store
    return Path(path)


def _in_memory(
    name: str,
    grades: Mapping[int, str] | None = None,
    min_relevant: int = 1,
    description: str = "",
    licence: str = "",
    **parts: Unpack[Parts],
) -> Store:
    about = new_collection(name, description, licence, grades, min_relevant)
    return filled(Store.begin(":memory:", about), **parts)


def derive_and_export(
    store: Store, path: Path, *, missing: Mapping[State, int] | None = None, **rule: Any
) -> ExportCounts:
    """Write the qrels of a rule to a file; return what was left out."""
    return export_derived(store, path, LabelRule(**rule).decide(store), missing=missing)
