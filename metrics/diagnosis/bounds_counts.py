"""Bounds of measures that, for a given number of labels of each grade, are greatest with the best on top."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.diagnosis.possible_grades import levels
from cranfield.metrics.diagnosis.unjudged_ranks import UnjudgedRanks, labelled, unjudged_ranks
from cranfield.metrics.measure import Measure

MOST = 500  # counts of a ranking that are tried; with one grade to give, as many unjudged documents


def bounds_by_count(judged: Judged, measure: Measure, depth: int | None) -> tuple[Floats, Floats] | None:
    """The least and the greatest score; None where gains differ that may not, or there are too many counts.

    Bounds of measures that, for a given number of labels of each grade, are greatest with the best on top.

    They are least with the best at the bottom, so it is enough to try every count in both orders. A count determines
    the number of relevant documents and the ideal ranking; and when a better label changes places with a worse one
    above it, whatever stands between them,

        Rprec, RprecMult, IPrec, AP11, YAAP, binG: the nth relevant document is at no lower rank, for each n, which is all
            they ask for; so in Q and nDCGrel where gains are equal (if not, a poor document far up may lower them)
        nERR: let a < b be the probabilities to stop, a at rank u, b at v. Of what reaches u, ERR gains
            (b - a) (1/u - M - Q/v), where for M, what is gained between, and Q, the probability to get to v,
            M + Q/v <= 1/(u + 1)
        RnDCG: it is DCG at given ranks
        Compat: at each depth the overlap is the lesser of two numbers, of documents of at least some grade, and of those
            above it and of what room is left for it in the ideal; neither falls

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation.parse import parse
    >>> bounds_by_count(example([None, 1, 0, None]), parse("Rprec"), None)  # now 0; 1 if the first is relevant, too
    (array([0.]), array([1.]))
    """
    grades, where = levels(judged, measure), unjudged_ranks(judged, depth)
    unknown = [where.rank[where.ranking == topic] for topic in range(len(judged.qids))]
    if measure.extremes == "best on top, equal gains" and len(grades) > 2:
        return None
    if any(comb(len(ranks) + len(grades) - 1, len(ranks)) > MOST for ranks in unknown):
        return None
    relevant = judged.only(judged.qrels_grade > 0)
    scores = [_scores(relevant, measure, topic, ranks, grades) for topic, ranks in enumerate(unknown)]
    return np.array([each.min() for each in scores]), np.array([each.max() for each in scores])


def _scores(judged: Judged, measure: Measure, topic: int, ranks: Ints, grades: Ints) -> Floats:
    """The scores of one topic for every count, the best on top, then at the bottom."""
    upwards = np.array(list(combinations_with_replacement(grades, len(ranks))), np.int64)
    labels = np.concatenate([upwards, upwards[:, ::-1]])
    times, places = np.nonzero(labels)
    ranked = UnjudgedRanks(times, ranks[places])
    return measure.scores(labelled(_copies(judged, topic, len(labels)), ranked, labels[times, places]))


def _copies(judged: Judged, topic: int, times: int) -> Judged:
    """A topic of one run, so many times over."""
    one = judged.at(np.array([topic]))
    copy = np.arange(times)
    return replace(
        one, qids=one.qids * times, ranking=np.repeat(copy, len(one.rank)), rank=np.tile(one.rank, times),
        grade=np.tile(one.grade, times), retrieved=np.tile(one.retrieved, times),
        judgment=np.add.outer(copy * len(one.qrels_grade), one.judgment).ravel(),
        qrels_topic=np.repeat(copy, len(one.qrels_grade)), qrels_grade=np.tile(one.qrels_grade, times),
        qrels_row=np.tile(one.qrels_row, times), qrels_stratum=None, subtopics=None,
    )  # fmt: skip
