"""Preferences as a file: trec_eval's form, Copeland's levels as qrels, or a table.

A file of trec_eval has a group per assessor, whose preferences must not contradict each other, not even by way of
others: a over b, b over c, c over a. Those in such a circle get groups of their own, one each, which are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Qrels, Vocabulary
from cranfield.errors import InputError
from cranfield.formats.preferences import PreferenceLine
from cranfield.judging.preferences.copeland import CopelandLevel
from cranfield.judging.preferences.resolve import Preference, Resolved, resolve
from cranfield.store.log import assessors
from cranfield.store.preferences import current_preferences
from cranfield.store.store import Store

BETTER, WORSE = 2.0, 1.0  # levels; 0 would say that a document is not relevant


class ExportedPreferences(NamedTuple):
    """The lines, and how many preferences are in a circle."""

    lines: list[PreferenceLine]
    circular: int


def resolved(store: Store, names: Sequence[str] = ()) -> Resolved:
    """The preferences of these assessors or, if none is named, of all people or, without any, of all."""
    kinds = assessors(store)
    for name in names:
        if name not in kinds:
            raise InputError(f"no assessor {name!r} in this store; available: {', '.join(kinds) or 'none'}")
    current = current_preferences(store)
    people = [event for event in current if kinds[event.assessor] != "model"]
    found = resolve([event for event in current if event.assessor in names] if names else people or current)
    if not found.preferences:
        raise InputError(f"{found}; `cranfield judge --pairs` compares pairs")
    return found


def as_rows(preferences: Iterable[Preference]) -> list[dict[str, Any]]:
    """One row per pair and assessor."""
    return [
        {
            "query_id": one.pair.qid, "doc_id": one.pair.first, "other_doc_id": one.pair.second,
            "assessor": one.assessor, "better": one.better or None, "consistent": one.consistent,
        }
        for one in preferences
    ]  # fmt: skip


def as_lines(preferences: Sequence[Preference]) -> ExportedPreferences:
    """The lines of a file of trec_eval; a tie is two documents of the same level.

    >>> from cranfield.store.preferences import DocumentPair
    >>> exported = as_lines([Preference("ada", DocumentPair("q", "d1", "d2"), "d2")])
    >>> [(one.group, one.subgroup, one.docno, one.level) for one in exported.lines], exported.circular
    ([('ada', '1', 'd1', 1.0), ('ada', '1', 'd2', 2.0)], 0)
    """
    circular = {one for group in _groups(preferences) for one in in_circles(group)}
    lines: list[PreferenceLine] = []
    for number, one in enumerate(preferences, 1):
        name = "_".join(one.assessor.split())
        group = f"{name}:{number}" if one in circular else name
        for docno in one.pair[1:]:
            level = BETTER if docno == one.better else WORSE
            lines.append(PreferenceLine(len(lines) + 1, one.pair.qid, group, str(number), docno, level))
    return ExportedPreferences(lines, len(circular))


def _groups(preferences: Sequence[Preference]) -> Iterator[list[Preference]]:
    found: dict[tuple[str, str], list[Preference]] = {}
    for one in preferences:
        found.setdefault((one.assessor, one.pair.qid), []).append(one)
    yield from found.values()


def in_circles(preferences: Sequence[Preference]) -> list[Preference]:
    """Those of one assessor and topic that lead back to where they begin.

    >>> from cranfield.store.preferences import DocumentPair
    >>> pairs = [("a", "b", "a"), ("b", "c", "b"), ("a", "c", "c"), ("c", "d", "c")]
    >>> given = [Preference("ada", DocumentPair("q", a, b), better) for a, b, better in pairs]
    >>> [one.better for one in in_circles(given)]
    ['a', 'b', 'c']
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    decided = [one for one in preferences if one.better]
    place = {docno: number for number, docno in enumerate(sorted({d for one in decided for d in one.pair[1:]}))}
    above, below = ([place[getattr(one, side)] for one in decided] for side in ("better", "worse"))
    graph = coo_array((np.ones(len(decided)), (above, below)), shape=(len(place), len(place)))
    _, part = connected_components(graph, connection="strong") if decided else (0, np.zeros(0))
    return [one for one, a, b in zip(decided, above, below, strict=True) if part[a] == part[b]]


def as_qrels(levels: Sequence[CopelandLevel]) -> Qrels:
    """Copeland's levels as judgments, whose second column says what they are."""
    qids, docnos = sorted({one.qid for one in levels}), sorted({one.docno for one in levels})
    topics, documents = Vocabulary(qids), Vocabulary(docnos)
    order = sorted(levels, key=lambda one: (one.qid, one.docno))
    return Qrels(
        topics, documents, topics.codes([one.qid for one in order]), documents.codes([one.docno for one in order]),
        np.array([one.level for one in order], np.int64), np.array(["copeland"] * len(order), object),
    )  # fmt: skip
