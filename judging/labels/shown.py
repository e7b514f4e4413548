"""The grades that pages show: a document whose labels differ has none until somebody chooses whose labels count."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from cranfield.judging.labels.choice import (
    Undecided,
    choose_labels,
    given_or_recorded_labellers,
    grades_of_document,
    grades_of_topic,
    labellers_line,
    resolve_labellers,
    undecided_pairs,
)
from cranfield.judging.labels.pairs import Pair
from cranfield.selection import EVERYBODY, Labellers
from cranfield.store.store import Store

NOTHING_UNDECIDED = Undecided([], [])
Grades = Mapping[str, int | None]


class ShownGrades(NamedTuple):
    """The grades of labelled documents, None where labels differ and nothing decides, and these pairs."""

    grades: Grades
    undecided: Undecided = NOTHING_UNDECIDED


class ShownLabels(NamedTuple):
    """By topic the grade of each labelled document, the undecided pairs, and whose labels count."""

    by_topic: Mapping[str, Grades]
    undecided: Undecided
    line: str


def open_pairs(
    store: Store, labellers: Labellers = EVERYBODY, qid: str | None = None, among: Collection[Pair] | None = None
) -> Undecided:
    """The pairs whose labels differ, where neither the page nor the store has a choice.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        The choice of the page.
    qid : str, optional
        The only topic to look at.
    among : collection of (qid, docno), optional
        The only pairs to look at.

    Returns
    -------
    Undecided
        The pairs and the assessors whose labels differ.
    """
    chosen = resolve_labellers(store, labellers)
    if chosen.assessor is not None or chosen.policy is not None:
        return NOTHING_UNDECIDED
    return undecided_pairs(store, labellers, qid, among)


def shown_labels(store: Store, labellers: Labellers = EVERYBODY) -> ShownLabels:
    """The grades of all labelled documents.

    Parameters
    ----------
    store : Store
        The open store.
    labellers : Labellers, optional
        The choice of the page.

    Returns
    -------
    ShownLabels
        The grades by topic, the undecided pairs, and whose labels count.
    """
    labels = choose_labels(store, given_or_recorded_labellers(store, labellers))
    undecided, qrels = open_pairs(store, labellers), labels.qrels
    by_topic = dict[str, dict[str, int | None]]()
    columns = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist())
    for qid, docno, grade in zip(*columns, strict=True):
        by_topic.setdefault(str(qid), {})[str(docno)] = grade
    for qid, docno in undecided.items:
        by_topic.setdefault(qid, {})[docno] = None
    counting = labels.rows(_are_decided(by_topic, *columns[:2])) if undecided.items else labels
    return ShownLabels(by_topic, undecided, labellers_line(store, counting, resolve_labellers(store, labellers)))


def _are_decided(by_topic: Mapping[str, Grades], qids: np.ndarray, docnos: np.ndarray) -> np.ndarray:
    pairs = zip(qids.tolist(), docnos.tolist(), strict=True)
    return np.array([by_topic[qid][docno] is not None for qid, docno in pairs], bool)


def shown_grades_of_topic(store: Store, qid: str, labellers: Labellers = EVERYBODY) -> ShownGrades:
    """The grades of a topic's labelled documents.

    Parameters
    ----------
    store : Store
        The open store.
    qid : str
        The topic.
    labellers : Labellers, optional
        The choice of the page.

    Returns
    -------
    ShownGrades
        The grade of each document, and the undecided pairs.
    """
    undecided = open_pairs(store, labellers, qid)
    grades = grades_of_topic(store, qid, labellers)
    return ShownGrades(grades | dict.fromkeys((docno for _, docno in undecided.items), None), undecided)


def shown_grades_of_document(store: Store, docno: str, labellers: Labellers = EVERYBODY) -> ShownGrades:
    """The grades of a document in each topic that has a label of it.

    Parameters
    ----------
    store : Store
        The open store.
    docno : str
        The document, by its present name or an earlier one.
    labellers : Labellers, optional
        The choice of the page.

    Returns
    -------
    ShownGrades
        The grade in each topic, and the undecided pairs.
    """
    grades = grades_of_document(store, docno, labellers)
    undecided = open_pairs(store, labellers, among={(qid, docno) for qid in grades})
    return ShownGrades(grades | dict.fromkeys((qid for qid, _ in undecided.items), None), undecided)
