"""Importing a whole collection into a store, which is created where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError, blaming
from cranfield.formats import Document
from cranfield.formats.collections import Wanted, WholeCollection, read_collection
from cranfield.source import Tell
from cranfield.store.connection import placed
from cranfield.store.history import importing
from cranfield.store.named_rows import said_of_unchanged
from cranfield.store.names import Demand, NameMatcher
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store, new_collection

Advance = Callable[[int], object]


class CollectionImport(NamedTuple):
    """How much of a collection is new in the store."""

    documents: int
    topics: int
    judgments: int


def import_collection(
    store: Store | Path, wanted: Wanted, assessor: str = "import", advance: Advance | None = None,
    demand: Demand = Demand(),  # noqa: B008 - it never changes
) -> CollectionImport:  # fmt: skip
    """Add the collection to a store, all of it or nothing; where there is no store at a path, one is created for it.

    `demand` is of the names in its judgments.
    """
    found = read_collection(wanted)
    with _opened(store, found) as there, blaming(wanted.source):
        return _load(there, found, wanted, assessor=assessor, advance=advance, matcher=NameMatcher(there, demand))


def restored(source: str, path: Path, split: str | None, tell: Tell) -> Store | None:
    """A new store of a folder that has all of one, as a feature reads it; nothing of any other folder."""
    found = (restore(source, path, split, tell) for restore in hooks.rows("collections.whole"))
    return next(filter(None, found), None)


def left(source: str) -> list[str]:
    """What is said of a folder that has more than was imported."""
    return [line for said in hooks.rows("collections.left") if (line := said(source))]


@contextmanager
def _opened(store: Store | Path, found: WholeCollection) -> Iterator[Store]:
    """The store; a new one has the collection's name and scale."""
    if not isinstance(store, Path):
        yield store
    elif store.exists():
        with Store.open(store) as there:
            yield there
    else:
        about = new_collection(found.name, found.description, found.licence, scale(found.grades, found.qrels), 1)
        with placed(store) as part, Store.begin(part, about) as there:
            yield there


def _load(
    store: Store,
    found: WholeCollection,
    wanted: Wanted,
    *,
    assessor: str,
    advance: Advance | None,
    matcher: NameMatcher,
) -> CollectionImport:
    judgments, came = 0, count()
    with store.writing():
        with importing(store, "corpus", [], found.origin):
            documents = store.add_documents(_told(found.documents, came, advance))
        with importing(store, "topics", [], found.origin):
            topics = store.add_topics(found.topics)
        for qrels in found.qrels:
            _check_scale(qrels, store.collection.grades)
            with importing(store, "qrels", [], found.origin):
                judgments += import_qrels(store, matcher.qrels(qrels, wanted.source), assessor)
    same = said_of_unchanged("document", next(came), documents) + said_of_unchanged("topic", len(found.topics), topics)
    for line in [*same, *matcher.notes]:
        if wanted.note:
            wanted.note(line)
    return CollectionImport(documents, topics, judgments)


def scale(grades: Mapping[int, str], qrels: Sequence[Qrels]) -> dict[int, str]:
    """The grades with their meanings and those that judgments have; 0 and 1 are always among them.

    >>> scale({2: "perfect"}, [])
    {0: 'not relevant', 1: 'relevant', 2: 'perfect'}
    >>> from cranfield.metrics.inputs import as_qrels
    >>> scale({}, [as_qrels({"q": {"d": 2}})])
    {0: 'not relevant', 1: 'grade 1', 2: 'grade 2'}
    """
    found = {int(grade) for each in qrels for grade in np.unique(each.given)} | {0, 1, *grades}
    named = {0: "not relevant", 1: "grade 1" if max(found) > 1 and not grades else "relevant", **grades}
    return {grade: named.get(grade, f"grade {grade}") for grade in sorted(found)}


def _check_scale(qrels: Qrels, grades: Mapping[int, str]) -> None:
    if off := sorted({*np.unique(qrels.given).tolist()} - {*grades}):
        known = ", ".join(map(str, grades))
        remedy = "import the collection into a new store, which takes its scale"
        raise InputError(f"grade {off[0]} is not on the scale {known} of this store: {remedy}")


def _told(documents: Iterator[Document], came: count[int], advance: Advance | None) -> Iterator[Document]:
    for document in documents:
        yield document
        next(came)
        if advance:
            advance(1)
