"""Which disagreements matter: the effect that settling each one differently would have on the system ranking.

Every grade that somebody gave a pair, and that the qrels do not have, is tried in its place, while all other labels
stay as they are. For that the scores are exact. The approximation is in trying one at a time: disagreements that move
nothing individually may do so together. So it shows where to begin, not where to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.judging.labels.pairs import Pair
from cranfield.metrics.correlation.coefficients import orders
from cranfield.metrics.evaluate import AGGREGATES
from cranfield.metrics.measure import Measure

ROWS = 2_000_000  # judged positions scored at once
DIGITS = 10  # decimals; scores that differ less are tied


class Effect(NamedTuple):
    """The effect of the worst settlement of a disagreement: the greater, the earlier it should be settled."""

    moves_top: bool = False  # whether the runs at the top, or their order, change
    swaps: int = 0  # pairs of runs that swap places
    spread: float = 0.0  # largest difference between the score changes of two runs


class Regrading(NamedTuple):
    """A judgment of a topic (a row of the `qrels_...` columns of Judged) that becomes another grade."""

    judgment: int
    grade: int


def effects(
    judged: Judged,
    disputes: Mapping[Pair, Sequence[int]],
    pairs: Sequence[Pair],
    measure: Measure,
    *,
    top: int = 5,
    progress: Callable[[int], object] | None = None,
) -> dict[Pair, Effect]:
    """The effect of each disputed pair, given the other grades it might have; `pairs` are those of the judgments.

    A pair without a judgment has no effect, as it cannot be regraded. The highest grade, to which ERR is relative, is
    that of all judgments and disputes, and stays fixed.
    """
    highest = max((grade for grades in disputes.values() for grade in grades), default=0)
    judged = replace(judged, highest_grade=max(judged.highest_grade, highest))
    row = {pair: number for number, pair in enumerate(pairs)}
    base = measure.scores(judged).reshape(judged.shape)
    found: dict[Pair, Effect] = dict.fromkeys(disputes, Effect())
    for topic in np.unique(judged.qrels_topic).tolist():
        of_topic = np.flatnonzero(judged.qrels_topic == topic)
        first, qid = int(of_topic[0]), judged.qids[topic]
        asked = [(pair, Regrading(row[pair] - first, grade)) for pair, grades in disputes.items() if pair[0] == qid
                 for grade in grades if pair in row]  # fmt: skip
        scores = flipped_scores(judged.at(np.array([topic])), [flip for _, flip in asked], measure)
        for (pair, _), column in zip(asked, scores.T, strict=True):
            effect = _effect(base, topic, column, measure=measure, tags=judged.tags, top=top)
            found[pair] = max(found[pair], effect)
        if progress:
            progress(1)
    return found


def flipped_scores(judged: Judged, flips: Sequence[Regrading], measure: Measure) -> Floats:
    """The scores (runs, regradings) on one topic, each regrading on its own.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> flipped_scores(example([0, 1]), [Regrading(0, 1), Regrading(1, 0)], parse("AP"))
    array([[1., 0.]])
    """
    judged, flips = _without_idle(judged, flips, measure)
    size = max(1, ROWS // max(len(judged.rank), 1))
    parts = [flips[start : start + size] for start in range(0, len(flips), size)]
    scores = [measure.scores(_variants(judged, part)).reshape(len(judged.tags), len(part)) for part in parts]
    return np.hstack([np.empty((len(judged.tags), 0)), *scores])


def _without_idle(judged: Judged, flips: Sequence[Regrading], measure: Measure) -> tuple[Judged, Sequence[Regrading]]:
    """Without the judgments that no regrading changes and that count like unjudged ones: much less to score."""
    if measure.sees_nonrelevant:
        return judged, flips
    keep: Mask = judged.qrels_grade > 0
    keep[[flip.judgment for flip in flips]] = True
    place = np.cumsum(keep) - 1
    return judged.only(keep), [Regrading(int(place[flip.judgment]), flip.grade) for flip in flips]


def _variants(judged: Judged, flips: Sequence[Regrading]) -> Judged:
    """One topic as many: each with one judgment regraded."""
    many, judgments = len(flips), len(judged.qrels_grade)
    variant = np.arange(many)
    grades = np.tile(judged.qrels_grade, many)
    grades[variant * judgments + [flip.judgment for flip in flips]] = [flip.grade for flip in flips]
    ranking = (judged.ranking[:, None] * many + variant).ravel()
    order = np.argsort(ranking, kind="stable")

    def spread(values: Ints) -> Ints:
        return np.asarray(np.repeat(values, many)[order])

    judgment = (judged.judgment[:, None] + variant * judgments).ravel()[order]
    return replace(
        judged, qids=tuple(map(str, variant)), ranking=ranking[order], rank=spread(judged.rank),
        judgment=judgment, grade=grades[judgment], retrieved=np.repeat(judged.retrieved, many),
        qrels_topic=np.repeat(variant, judgments), qrels_grade=grades, qrels_row=np.tile(judged.qrels_row, many),
        qrels_stratum=None, subtopics=None,
    )  # fmt: skip


def _effect(
    base: Floats, topic: int, scores: Floats, *, measure: Measure, tags: Sequence[str], top: int
) -> Effect:  # fmt: skip
    changed = base.copy()
    changed[:, topic] = scores
    before, after = (np.round(AGGREGATES[measure.aggregate](it), DIGITS) for it in (base, changed))
    swaps = int(np.sum(orders(before) * orders(after) < 0)) // 2
    moves_top = best(before, tags, top) != best(after, tags, top)
    return Effect(moves_top, swaps, float(np.nan_to_num(np.ptp(after - before))))


def best(scores: Floats, tags: Sequence[str], top: int) -> list[str]:
    """The best runs, best first; tied runs by name, undefined ones last.

    >>> best(np.array([0.1, np.nan, 0.3, 0.1]), ["b", "x", "c", "a"], 3)
    ['c', 'a', 'b']
    """
    values = np.nan_to_num(-scores, nan=np.inf).tolist()
    return [tag for _, tag in sorted(zip(values, tags, strict=True))[:top]]
