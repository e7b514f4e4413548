"""Copeland's order of the documents of a topic: by the comparisons won, a tie as half a win.

    score = wins + ties / 2        level = how many lower scores the topic has

It misleads where not every document was compared with every other: one that was compared more often can win more. The
levels are an order within a topic and no grades: level 2 of one topic says nothing about level 2 of another.

Source: Copeland, A reasonable social welfare function, 1951; for preferences between documents Carterette, Bennett,
Chickering and Dumais, Here or there: preference judgments for relevance, ECIR 2008.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cranfield.judging.preferences.resolve import Preference


class CopelandLevel(NamedTuple):
    """The place of a document among those of its topic; 0 is the lowest level."""

    qid: str
    docno: str
    level: int
    score: float
    compared: int
    wins: int
    ties: int


def copeland(preferences: Iterable[Preference]) -> list[CopelandLevel]:
    """The levels of all documents that were compared; several assessors' preferences add up.

    >>> from cranfield.store.preferences import DocumentPair
    >>> pairs = [("d1", "d2", "d1"), ("d1", "d3", "d1"), ("d2", "d3", "")]
    >>> given = [Preference("ada", DocumentPair("q", a, b), better) for a, b, better in pairs]
    >>> [(one.docno, one.level, one.score) for one in copeland(given)]
    [('d1', 1, 2.0), ('d2', 0, 0.5), ('d3', 0, 0.5)]
    """
    counts: dict[str, dict[str, list[int]]] = {}
    for one in preferences:
        for docno in one.pair[1:]:
            compared = counts.setdefault(one.pair.qid, {}).setdefault(docno, [0, 0, 0])
            compared[0] += 1
            compared[1] += one.better == docno
            compared[2] += one.better == ""
    return [level for qid, documents in counts.items() for level in _levels(qid, documents)]


def _levels(qid: str, documents: dict[str, list[int]]) -> list[CopelandLevel]:
    score = {docno: wins + ties / 2 for docno, (_, wins, ties) in documents.items()}
    level = {value: number for number, value in enumerate(sorted(set(score.values())))}
    order = sorted(documents, key=lambda docno: (-score[docno], docno))
    return [
        CopelandLevel(qid, docno, level[score[docno]], score[docno], documents[docno][0], *documents[docno][1:])
        for docno in order
    ]


def incomplete(levels: Iterable[CopelandLevel]) -> list[str]:
    """The topics in which not every document was compared with every other."""
    topics: dict[str, list[int]] = {}
    for one in levels:
        topics.setdefault(one.qid, []).append(one.compared)
    return [qid for qid, compared in topics.items() if min(compared) < len(compared) - 1]
