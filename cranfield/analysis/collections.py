"""What a store contains, and importing a whole collection into one, which is created where there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Collection as Several
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError, file_named_in_errors
from cranfield.formats import Document
from cranfield.formats.collections import CollectionRequest, WholeCollection, read_collection
from cranfield.judging.labels.choice import labels_by_recorded_choice
from cranfield.judging.labels.shown import Grades, ShownGrades, ShownLabels, shown_grades_of_topic, shown_labels
from cranfield.parallel import Tell, ignore_note
from cranfield.selection import EVERYBODY, Labellers
from cranfield.store.assignments import pooled_documents_by_topic
from cranfield.store.chain import Event
from cranfield.store.collection_settings import has_data, replace_collection
from cranfield.store.connection import atomic_path
from cranfield.store.history import count_feature_rows, importing
from cranfield.store.log import current_decisions_on_topic, scale_in_words
from cranfield.store.named_rows import notes_on_unchanged_records
from cranfield.store.names import Demand, NameMatcher, find_missing_names
from cranfield.store.pools import PooledDocument, newest_built_pool, pool_of_topic
from cranfield.store.qrels import import_qrels
from cranfield.store.releases import releases
from cranfield.store.runs import first_documents, run_info
from cranfield.store.store import Collection, Store, new_collection
from cranfield.store.withdrawals import present_name_by_docno

Advance = Callable[[int], object]


class FolderReader(NamedTuple):
    """How an extension reads folders that hold complete collections.

    `read` is a function of the folder, the path of the new store, the part of the topics (None for all) and what takes
    notes; it returns None for a folder of another kind. `describe_remainder` says what of a folder was not imported;
    empty if nothing. `finish_recipe` adds to a new store what a recipe's folder has next to the recipe. `fill` does the
    same as `read` with an open store, and raises an error if that store has data.
    """

    read: Callable[[str, Path, str | None, Tell], Store | None]
    describe_remainder: Callable[[str], str] = lambda folder: ""
    finish_recipe: Callable[[Path, Store], object] = lambda folder, store: None
    fill: Callable[[str, Store, str | None, Tell], Store | None] = lambda folder, store, split, tell: None


class CollectionImport(NamedTuple):
    """How much of a collection is new in the store."""

    documents: int
    topics: int
    judgments: int


def import_collection(
    store: Store | Path, request: CollectionRequest, assessor: str = "import", advance: Advance | None = None,
    demand: Demand = Demand(),  # noqa: B008 - it never changes
    *, tell: Tell = ignore_note,
) -> CollectionImport:  # fmt: skip
    """Add the collection to a store, all of it or nothing; where there is no store at a path, one is created for it.

    `demand` is of the names in its judgments.
    """
    collection = read_collection(request)
    with _open(store, collection, tell, request.note or ignore_note) as there, file_named_in_errors(request.source):
        return _load(there, collection, request, assessor=assessor, advance=advance, matcher=NameMatcher(there, demand))


def _folder_readers() -> list[FolderReader]:
    return [*filter(None, hooks.ask(lambda extension: extension.folder_reader()))]


def restore_folder(source: str, place: Path | Store, split: str | None, tell: Tell) -> Store | None:
    """A new store of a folder that has all of one, as a feature reads it; nothing of any other folder.

    An open store without data is filled in place of a new one.
    """
    for reader in _folder_readers():
        if isinstance(place, Path):
            found = reader.read(source, place, split, tell)
        else:
            found = reader.fill(source, place, split, tell)
        if found is not None:
            return found
    return None


def notes_on_files_left_over(source: str) -> list[str]:
    """What is said of a folder that has more than was imported."""
    return [line for reader in _folder_readers() if (line := reader.describe_remainder(source))]


@contextmanager
def _open(store: Store | Path, collection: WholeCollection, tell: Tell, note: Tell) -> Iterator[Store]:
    """The store; a new one has the collection's name and scale, and an open store without data takes its scale."""
    if not isinstance(store, Path):
        with store.writing():
            if not has_data(store):
                _take_scale(store, collection, note)
            yield store
    elif store.exists():
        with Store.open(store, tell=tell) as there:
            yield there
    else:
        about = new_collection(
            collection.name, collection.description, collection.licence, scale(collection.grades, collection.qrels), 1
        )
        with atomic_path(store) as part, Store.begin(part, about) as there:
            yield there


def _take_scale(store: Store, collection: WholeCollection, note: Tell) -> None:
    """Give the store the grades of the collection if its own lack some of them."""
    about, grades = store.collection, scale(collection.grades, collection.qrels)
    if not grades.keys() <= about.grades.keys():
        replace_collection(store, about._replace(grades=grades, min_relevant=1))
        note(f"the store now has the grades of the collection: {', '.join(map(str, grades))}")


def _load(
    store: Store,
    collection: WholeCollection,
    request: CollectionRequest,
    *,
    assessor: str,
    advance: Advance | None,
    matcher: NameMatcher,
) -> CollectionImport:
    judgments, number = 0, count()
    with store.writing():
        with importing(store, "corpus", [], collection.origin):
            documents = store.add_documents(_counted_documents(collection.documents, number, advance))
        with importing(store, "topics", [], collection.origin):
            topics = store.add_topics(collection.topics)
        for qrels in collection.qrels:
            _check_scale(qrels, store.collection.grades)
            with importing(store, "qrels", [], collection.origin):
                judgments += import_qrels(store, matcher.qrels(qrels, request.source), assessor)
    same = notes_on_unchanged_records("document", next(number), documents) + notes_on_unchanged_records(
        "topic", len(collection.topics), topics
    )
    for line in [*same, *matcher.notes]:
        if request.note:
            request.note(line)
    return CollectionImport(documents, topics, judgments)


def scale(grades: Mapping[int, str], qrels: Sequence[Qrels]) -> dict[int, str]:
    """The grades with their meanings and those that judgments have; 0 and 1 are always among them.

    >>> scale({2: "perfect"}, [])
    {0: 'not relevant', 1: 'relevant', 2: 'perfect'}
    >>> from cranfield.metrics.inputs import as_qrels
    >>> scale({}, [as_qrels({"q": {"d": 2}})])
    {0: 'not relevant', 1: 'grade 1', 2: 'grade 2'}
    """
    all_grades = {int(grade) for each in qrels for grade in np.unique(each.given_grades)} | {0, 1, *grades}
    labels = {0: "not relevant", 1: "grade 1" if max(all_grades) > 1 and not grades else "relevant", **grades}
    return {grade: labels.get(grade, f"grade {grade}") for grade in sorted(all_grades)}


def _check_scale(qrels: Qrels, grades: Mapping[int, str]) -> None:
    if off := sorted({*np.unique(qrels.given_grades).tolist()} - {*grades}):
        steps = ", ".join(map(str, grades))
        remedy = "import the collection into a new store, which takes its scale"
        raise InputError(f"grade {off[0]} is not on the scale {steps} of this store: {remedy}")


def _counted_documents(
    documents: Iterator[Document], number: count[int], advance: Advance | None
) -> Iterator[Document]:
    for document in documents:
        yield document
        next(number)
        if advance:
            advance(1)


class Overview(NamedTuple):
    """What a store contains, in words and as the JSON document."""

    rows: list[dict[str, str]]
    document: dict[str, Any]


def overview(store: Store) -> Overview:
    """The collection, how much of everything is here, and what is unknown."""
    collection, counts, lacking = (
        store.collection,
        store.counts(),
        {lack.table: lack for lack in find_missing_names(store)},
    )
    counts["qrels_by_models"] = int(labels_by_recorded_choice(store).by_model.sum())
    counts |= count_feature_rows(store)
    bare = counts["document"] > 0 and not store.has("document")
    unknown = {f"unknown_{table}": lacking.get(table) for table in ("document", "topic")}
    words = {name: f"{lack.missing}, first {lack.first!r}" if lack else 0 for name, lack in unknown.items()}
    numbers = {name: lack.missing if lack else 0 for name, lack in unknown.items()}
    what = collection._asdict() | {"grades": scale_in_words(collection.grades)} | counts | words
    what |= {"corpus": "no texts, only docnos"} if bare else {}
    if names := [f"{release.name} of {release.date}" for release in releases(store)]:
        counts, what = counts | {"release": len(names)}, what | {"releases": ", ".join(names)}
    rows = [{"what": name.replace("_", " "), "value": str(value)} for name, value in what.items()]
    return Overview(rows, collection._asdict() | counts | numbers)


RANKS = 10
ALL = 1 << 30
NO_POOL, OPEN, BEGUN, DONE = "nothing pooled", "not begun", "in progress", "judged"
Row = dict[str, Any]


def topic_rows(store: Store, pool: int | None = None) -> list[Row]:
    """One row per topic, as `pool_topic_rows` has them."""
    return pool_topic_rows(store, pool)[0]


def pool_topic_rows(
    store: Store, pool: int | None = None, labellers: Labellers = EVERYBODY
) -> tuple[list[Row], ShownLabels]:
    """One row per topic: the documents of a pool, or of the newest built one, and the labels that count, by grade.

    Judged documents may be outside the pool; unjudged ones are those of the pool. Undecided documents are judged, but
    have no grade because their labels differ and nothing was chosen.

    Parameters
    ----------
    store : Store
        The open store.
    pool : int, optional
        The pool; the newest built one by default.
    labellers : Labellers, optional
        Whose labels count; by default the choice on record.

    Returns
    -------
    tuple of list and ShownLabels
        The rows, and the labels that they count.
    """
    shown, documents = shown_labels(store, labellers), _pooled(store, pool)
    rows = [
        {"topic": topic.qid, "title": topic.title}
        | _count_collection(store.collection, documents.get(topic.qid, ()), shown.by_topic.get(topic.qid, {}))
        for topic in store.topics()
    ]
    return rows, shown


def _pooled(store: Store, pool: int | None) -> Mapping[str, Sequence[str]]:
    """The documents of a pool by topic, by the names that they have now; no two are the same."""
    names = present_name_by_docno(store)
    now = {
        qid: {name for docno in docnos if (name := names.get(docno, docno)) is not None}
        for qid, docnos in pooled_documents_by_topic(store, pool or newest_built_pool(store)).items()
    }
    return {qid: sorted(docnos) for qid, docnos in now.items()}


def _count_collection(about: Collection, documents: Several[str], grades: Grades) -> Row:
    labels = [grade for grade in grades.values() if grade is not None]
    unjudged = sum(docno not in grades for docno in documents)
    return {
        "state": _state(len(documents), unjudged),
        "pooled": len(documents),
        "judged": len(grades),
        "unjudged": unjudged,
        "undecided": len(grades) - len(labels),
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
    undecided: bool = False  # no grade, because labels differ and nothing was chosen


def topic_documents(store: Store, qid: str, pool: int | None, shown: ShownGrades | None = None) -> list[TopicDocument]:
    """The documents that are in a pool or were decided on, best rank in the pool first.

    Parameters
    ----------
    store : Store
        The open store.
    qid : str
        The topic.
    pool : int, optional
        The pool.
    shown : ShownGrades, optional
        The grades; by default those of the choice on record.

    Returns
    -------
    list of TopicDocument
        The documents.
    """
    names = present_name_by_docno(store)
    pool_rows = pool_of_topic(store, pool, qid) if pool is not None else []
    entries = {name: entry for entry in pool_rows if (name := names.get(entry.docno, entry.docno)) is not None}
    decisions: defaultdict[str, list[Event]] = defaultdict(list)
    for event in current_decisions_on_topic(store, qid):
        if (name := names.get(event.docno, event.docno)) is not None:
            decisions[name].append(event)
    grades = (shown_grades_of_topic(store, qid) if shown is None else shown).grades
    documents = [
        TopicDocument(
            docno, entries.get(docno), grades.get(docno), decisions[docno], undecided=grades.get(docno, 0) is None
        )
        for docno in dict.fromkeys([*entries, *decisions])
    ]
    return sorted(documents, key=lambda one: (one.entry is None, one.entry.depth if one.entry else 0, one.docno))


class FirstRanks(NamedTuple):
    """The first documents of a run for a topic, their grades that count, and how many of them are relevant.

    `undecided` says which have no grade because labels differ and nothing was chosen.
    """

    run: str
    docnos: Sequence[str]
    grades: Sequence[int | None]
    relevant: int
    undecided: Sequence[bool]


def first_ranks(store: Store, qid: str, ranks: int = RANKS, shown: ShownGrades | None = None) -> list[FirstRanks]:
    """Those of every run that answers a topic, the run with most relevant documents there first.

    Parameters
    ----------
    store : Store
        The open store.
    qid : str
        The topic.
    ranks : int, optional
        The number of ranks.
    shown : ShownGrades, optional
        The grades; by default those of the choice on record.

    Returns
    -------
    list of FirstRanks
        By run.
    """
    grades = (shown_grades_of_topic(store, qid) if shown is None else shown).grades
    least = store.collection.min_relevant
    names, counting, ranks_of_runs = present_name_by_docno(store), run_info(store), []
    for tag, retrieved in first_documents(store, qid, ALL if names else ranks).items():
        if tag not in counting:
            continue
        docnos = list(dict.fromkeys(filter(None, (names.get(docno, docno) for docno in retrieved))))[:ranks]
        own = [grades.get(docno) for docno in docnos]
        relevant = sum(grade is not None and grade >= least for grade in own)
        is_open = [grades.get(docno, 0) is None for docno in docnos]
        ranks_of_runs.append(FirstRanks(tag, docnos, own, relevant, is_open))
    return sorted(ranks_of_runs, key=lambda one: (-one.relevant, one.run))
