"""Dicts converted to Runs or Qrels directly, where they are plain: ids are text, scores and grades are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import BEYOND, Floats, Ints, Mask, Qrels, Runs, Vocabulary, canonical

NUMBERS = (int, float, np.integer, np.floating)


class PlainRows(NamedTuple):
    """One row per topic and document: their numbers, and the score or grade.

    Anything else gives None: frames.py then converts what it can, and says what is wrong.
    """

    topics: Vocabulary
    docnos: Vocabulary
    topic: Ints
    document: Ints
    value: Floats | Ints


def plain_runs(given: Mapping[str, Any]) -> Runs | None:
    """The runs of a dict {tag: {qid: {docno: score}}}, in canonical order; None where it is not plain.

    >>> runs = plain_runs({"bm25": {"q1": {"d1": 1.0, "d2": 2}}})
    >>> runs.docnos.names[runs.document]
    array(['d2', 'd1'], dtype=object)
    >>> plain_runs({"bm25": {1: {"d1": 1.0}}}), plain_runs({"bm25": {"q1": {"d1": float("nan")}}})
    (None, None)
    """
    runs = list(given.values())
    if not _are_text(given) or not all(isinstance(run, Mapping) for run in runs):
        return None
    rows = _rows(list(chain.from_iterable(run.items() for run in runs)))
    if rows is None or np.isnan(rows.value).any():
        return None
    run = np.repeat(np.arange(len(runs)), [sum(map(len, run.values())) for run in runs])
    return canonical(list(given), rows.topics, rows.docnos, run, rows.topic, rows.document, rows.value.astype(float))


def plain_qrels(given: Mapping[str, Any]) -> Qrels | None:
    """The judgments of a dict {qid: {docno: grade}}; None where it is not plain, or a grade is none.

    >>> plain_qrels({"q1": {"d1": 1, "d2": 0.0}}).grade
    array([1, 0])
    >>> plain_qrels({"q1": {"d1": 0.5}})
    """
    rows = _rows(list(given.items()))
    if rows is None or not are_grades(rows.value).all():
        return None
    topics, docnos, topic, document, value = rows
    return Qrels(topics, docnos, topic, document, value.astype(np.int64)).rows(np.lexsort((document, topic)))


def _rows(lists: list[tuple[Any, Any]]) -> PlainRows | None:
    """Pairs of a topic and its dict, row by row; a topic without documents has none."""
    if not all(isinstance(documents, Mapping) for _, documents in lists):
        return None
    qids = [qid for qid, documents in lists if documents]
    docnos = list(chain.from_iterable(documents for _, documents in lists))
    value = _plain_numbers(list(chain.from_iterable(documents.values() for _, documents in lists)))
    if value is None or not _are_text(qids) or not _are_text(docnos):
        return None
    topics, names = Vocabulary(sorted(set(qids))), Vocabulary(sorted(set(docnos)))
    topic = np.repeat(topics.codes(qids), [len(documents) for _, documents in lists if documents])
    return PlainRows(topics, names, topic, names.codes(docnos), value)


def _are_text(ids: Iterable[object]) -> bool:
    return set(map(type, ids)) <= {str}


def _plain_numbers(values: list[object]) -> Floats | Ints | None:
    """The numbers; None where one is none, or a whole number of more than 64 bits."""
    if not all(issubclass(kind, NUMBERS) for kind in set(map(type, values))):
        return None
    found = np.array(values)
    return found if found.dtype.kind in "biuf" else None


def are_grades(numbers: Floats | Ints) -> Mask:
    """Whether each is a grade: a whole number of at most 18 digits, as in files.

    >>> are_grades(np.array([2.0, 0.5, np.nan, 1e18])), are_grades(np.array([2**63, 1], np.uint64))
    (array([ True, False, False, False]), array([False,  True]))
    """
    with np.errstate(invalid="ignore"):  # of infinity
        return np.asarray((numbers % 1 == 0) & (numbers < BEYOND) & (numbers > -BEYOND))
