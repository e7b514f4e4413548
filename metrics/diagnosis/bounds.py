"""What a run's score can become, whatever its unjudged documents turn out to be."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.diagnosis.unjudged import (
    Depth,
    UnjudgedRanks,
    assign_grades,
    grades_of_distinct_gain,
    possible_grades,
    unjudged_ranks,
)
from cranfield.metrics.evaluate import AGGREGATES
from cranfield.metrics.measure import Extremes, Measure
from cranfield.metrics.measures.discounted_gain import discounted_gain, rank_discount
from cranfield.metrics.measures.reading import RBPRESID
from cranfield.metrics.options import gain_of


def average_precision_bounds(
    judged: Judged, rel: int = 1, cutoff: int | None = None, depth: Depth = None
) -> tuple[Floats, Floats]:
    """Per ranking the least and the greatest AP; `depth` is how far down unjudged documents may be relevant.

    Counting unjudged documents as not relevant is no lower bound of AP: one more relevant document far down the
    ranking, or beyond the cutoff, adds more to the number of relevant documents than to the sum of precisions. For m
    relevant documents among the unjudged ones, AP is greatest if they are the topmost and least if they are the lowest,
    since moving one up moves up all precisions; so it is enough to try every m.

        AP(m) = (N + sum of what each adds) / (R + m)
        the document at rank u adds (1 + relevant above u) / u + sum of 1/v over relevant v below u

    The bounds range over the labels of this run's unjudged documents to a depth; all other unjudged documents stay not
    relevant, and more relevant documents that the run does not retrieve would lower both bounds. That AP can fall:
    Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, section 4.

    >>> from cranfield.metrics.examples import example
    >>> average_precision_bounds(example([1, 1, 1, None]))  # now 1; no label of the last makes it less
    (array([1.]), array([1.]))
    >>> low, high = average_precision_bounds(example([1, None, None, None]))  # now 1, at least (1 + 2/4) / 2
    >>> low, high
    (array([0.75]), array([1.]))
    """
    unknown, hit = unjudged_ranks(judged, depth), judged.relevant(rel, cutoff)
    total, end = judged.num_relevant(rel), int(judged.retrieved.max(initial=0)) if cutoff is None else cutoff
    limits = np.array(
        [
            _bounds(hit.rank[hit.ranking == i], unknown.rank[unknown.ranking == i], int(total[i]), end)
            for i in range(len(judged.retrieved))
        ]
    ).reshape(-1, 2)
    return limits[:, 0], limits[:, 1]


def _bounds(relevant: Ints, unknown: Ints, total: int, end: int) -> tuple[float, float]:
    """Of one ranking, from the ranks of what is relevant, within the cutoff, and of what is unjudged."""
    above = np.searchsorted(relevant, unknown)
    tail = np.append(np.cumsum((1 / relevant)[::-1])[::-1], 0.0)  # the sum of 1/v from the i-th relevant on
    counts = unknown <= end
    reciprocal = counts / unknown
    alone = (1 + above) * reciprocal + tail[above] * counts
    now = float(np.sum(np.arange(1, len(relevant) + 1) / relevant))
    downwards = alone + np.arange(len(unknown)) * reciprocal
    below = np.cumsum(reciprocal[::-1])[::-1] - reciprocal
    upwards = (alone + below * counts)[::-1]
    sizes = total + np.arange(len(unknown) + 1)
    low, high = (ratio(now + np.append(0.0, np.cumsum(adds)), sizes) for adds in (upwards, downwards))
    return float(low.min()), float(high.max())


MOST = 500  # counts of a ranking that are tried; with one grade to give, as many unjudged documents


def bounds_by_count(judged: Judged, measure: Measure, depth: Depth) -> tuple[Floats, Floats] | None:
    """The least and the greatest score; None where gains differ that may not, or there are too many counts.

    Bounds of measures that, for a given number of labels of each grade, are greatest with the best on top.

    They are least with the best at the bottom, so it is enough to try every count in both orders. A count determines
    the number of relevant documents and the ideal ranking; and when a better label changes places with a worse one
    above it, whatever stands between them,

        Rprec, RprecMult, IPrec, AP11, YAAP, binG: the nth relevant document is at no lower rank, for each n, which is
            all they ask for; so in Q and nDCGrel where gains are equal (if not, a poor document far up may lower them)
        nERR: let a < b be the probabilities to stop, a at rank u, b at v. Of what reaches u, ERR gains
            (b - a) (1/u - M - Q/v), where for M, what is gained between, and Q, the probability to get to v,
            M + Q/v <= 1/(u + 1)
        RnDCG: it is DCG at given ranks
        Compat: at each depth the overlap is the lesser of two numbers, of documents of at least some grade, and of
            those above it and of what room is left for it in the ideal; neither falls

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> bounds_by_count(example([None, 1, 0, None]), parse("Rprec"), None)  # now 0; 1 if the first is relevant, too
    (array([0.]), array([1.]))
    """
    grades, where = grades_of_distinct_gain(judged, measure), unjudged_ranks(judged, depth)
    unknown = [where.rank[where.ranking == topic] for topic in range(len(judged.qids))]
    if measure.extremes == "best on top, equal gains" and len(grades) > 2:
        return None
    if any(comb(len(ranks) + len(grades) - 1, len(ranks)) > MOST for ranks in unknown):
        return None
    relevant = judged.select_judgments(judged.qrels_grade > 0)
    scores = [_scores(relevant, measure, topic, ranks, grades) for topic, ranks in enumerate(unknown)]
    return np.array([each.min() for each in scores]), np.array([each.max() for each in scores])


def _scores(judged: Judged, measure: Measure, topic: int, ranks: Ints, grades: Ints) -> Floats:
    """The scores of one topic for every count, the best on top, then at the bottom."""
    upwards = np.array(list(combinations_with_replacement(grades, len(ranks))), grades.dtype)
    labels = np.concatenate([upwards, upwards[:, ::-1]])
    times, places = np.nonzero(labels)
    ranked = UnjudgedRanks(times, ranks[places])
    return measure.scores(assign_grades(_copy_topic(judged, topic, len(labels)), ranked, labels[times, places]))


def _copy_topic(judged: Judged, topic: int, times: int) -> Judged:
    """A topic of one run, so many times over."""
    one = judged.select_topics(np.array([topic]))
    copy = np.arange(times)
    return replace(
        one, qids=one.qids * times, ranking=np.repeat(copy, len(one.rank)), rank=np.tile(one.rank, times),
        grade=np.tile(one.grade, times), retrieved=np.tile(one.retrieved, times),
        judgment=np.add.outer(copy * len(one.qrels_grade), one.judgment).ravel(),
        qrels_topic=np.repeat(copy, len(one.qrels_grade)), qrels_grade=np.tile(one.qrels_grade, times),
        qrels_row=np.tile(one.qrels_row, times), qrels_stratum=None, subtopics=None,
    )  # fmt: skip


CLOSE = 1e-12


def ndcg_bounds(
    judged: Judged, *, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges",
    depth: Depth = None,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Per ranking the least and the greatest nDCG with the ideal ranking recomputed.

    Two questions have two answers. With the present ideal ranking, nDCG is least with all unjudged documents not
    relevant and greatest with all at the best grade, which may exceed 1. With the ideal ranking recomputed from the
    labels, as after judging, a new relevant document raises the ideal as well, so nDCG can fall. For a given number of
    documents at each grade the sum of gains is greatest with the best grades on top, and least with them at the bottom.
    Both the gain and the ideal are then sums over the steps between grades, of a function of how many documents are at
    that grade or above,

        nDCG = (DCG + sum over h of step_h W(m_h)) / (sum over h of step_h D(R_h + m_h)),   m_1 >= m_2 >= ...

    (W, D: discounts of the first m unjudged ranks, of the first n ranks; R_h: judged at grade h or above), so that the
    best counts for a guess t of the ratio are found by dynamic programming over h, and t by Dinkelbach's method. The
    middle grades matter: the greatest nDCG may need them.

    The bounds range over the labels of this run's unjudged documents to a depth; other documents stay as they are.
    Source of the ratio's method: Dinkelbach, On nonlinear fractional programming, Management Science 13(7), 1967.

    >>> from cranfield.metrics.examples import example
    >>> low, high = ndcg_bounds(example([2, None]))  # now 1; with [2, 2] 1, with [2, 1] 1
    >>> low, high
    (array([1.]), array([1.]))
    >>> ndcg_bounds(example([1, None], unretrieved=[2]))[0].round(3)  # now 1 / 2.63; as [1, 2]: 2.26 / 3.76
    array([0.38])
    """
    level = np.unique(gain_of(possible_grades(judged), gains))
    unknown, dcg = unjudged_ranks(judged, depth), discounted_gain(judged, gains, cutoff, base, discount)
    ranks = np.arange(1, len(judged.qrels_grade) + len(unknown.rank) + 1)
    ideal = np.append(0.0, np.cumsum(_discount_weights(ranks, cutoff, base, discount)))
    own = gain_of(judged.qrels_grade, gains)
    bounds = np.zeros((len(judged.retrieved), 2))
    for i, topic in enumerate(judged.topic):
        weights = _discount_weights(unknown.rank[unknown.ranking == i], cutoff, base, discount)
        counts = [int(np.sum(own[judged.qrels_topic == topic] >= gain)) for gain in level[1:]]
        ideals = [ideal[min_grade_counts : min_grade_counts + len(weights) + 1] for min_grade_counts in counts]
        bounds[i] = [
            _extreme_ndcg(dcg[i], np.diff(level), order, ideals, sign)
            for order, sign in ((weights[::-1], -1), (weights, 1))
        ]
    return bounds[:, 0], bounds[:, 1]


def _discount_weights(rank: Ints, cutoff: int | None, base: float, discount: str) -> Floats:
    """What a gain of 1 is worth at each rank: nothing below the cutoff."""
    return np.where(rank <= (np.inf if cutoff is None else cutoff), 1 / rank_discount(rank, base, discount), 0.0)


def _extreme_ndcg(gain: float, step: Floats, weights: Floats, ideals: list[Floats], sign: int) -> float:
    """The greatest ratio, or the least with sign -1; `weights` has the discounts in the order labels are given out."""
    sums = np.append(0.0, np.cumsum(weights))

    def bound_at(counts: Ints) -> float:
        best = sum(s * d[m] for s, d, m in zip(step, ideals, counts, strict=True))
        return float(gain + step @ sums[counts]) / best if best else 0.0

    value = bound_at(np.zeros(len(step), np.int64))
    while True:
        counts = _best_counts([sign * s * (sums - value * d) for s, d in zip(step, ideals, strict=True)])
        better = bound_at(counts)
        if sign * (better - value) <= CLOSE:
            return value
        value = better


def _best_counts(worth: list[Floats]) -> Ints:
    """The counts m_1 >= m_2 >= ... with the greatest sum of worth[h][m_h].

    >>> _best_counts([np.array([0.0, 2.0, 1.0]), np.array([0.0, 1.0, 5.0])])
    array([2, 2])
    """
    choices: list[Ints] = []  # per level from the highest: the best count up to each limit
    before = np.zeros_like(worth[0])
    for values in reversed(worth):
        total = values + before
        before = np.maximum.accumulate(total)
        rises = np.append(True, np.diff(before) > 0)
        choices.append(np.maximum.accumulate(np.where(rises, np.arange(len(total)), 0)))
    counts = [len(worth[0]) - 1]
    for best in reversed(choices):
        counts.append(int(best[counts[-1]]))
    return np.array(counts[1:], np.int64)


Bounds = tuple[Floats, Floats]
Method = Callable[[Judged, Measure, Depth], Bounds | None]


def monotone_bounds(judged: Judged, measure: Measure, depth: Depth) -> Bounds:
    """Each label moves the score one way, whatever the others are: so the best to the cutoff, or below it, or not.

    P, Utility, NumRelRet, Hits, CG, DCG, SDCG, INSQ and binary RBP are sums over documents; RR and Success ask for the
    first; IDCG and NumRel are sums, NumQ and NumRet stay. R, R_cap, F, SetAP: a relevant document that counts as found
    raises the numerator by no less a share than the denominator, since no more are found than there are; another one
    raises the denominator alone. ERR: a better document at rank i gives 1/i to those whom it satisfies, and they would
    have had 1/(i + 1) at most. INST: with c_i the chance to see rank i, a_i = i + T + T_i and r_i the gains, more gain
    at rank k gives c_k times as much, and takes at most the sum over j >= k of 2 (a_j - 1) / (a_j (2 a_j - 1)) c_j
    times as much, because the c_i r_i below j sum to c_(j+1) a_j^2 / (2 a_j - 1) at most; and that is at most c_k.
    (Both from the end, by induction.)
    """
    where, best, cutoff = (
        unjudged_ranks(judged, depth),
        grades_of_distinct_gain(judged, measure)[-1],
        measure.options.get("cutoff"),
    )
    within = where.rank <= (cutoff if isinstance(cutoff, int) else np.inf)
    choices = (np.zeros_like(within), within, ~within, np.ones_like(within))
    return _score_extremes(judged, measure, depth, (best * choice for choice in choices))


def rank_biased(judged: Judged, measure: Measure, depth: Depth) -> Bounds:
    """RBP's: a sum with binary gains; then its residual is the weight of all that is unknown."""
    if measure.options["gains"] != "binary":
        # with a given highest gain it is a sum: so all have that gain, or the last alone has it, or none
        where = unjudged_ranks(judged, depth)
        last = np.append(np.diff(where.ranking) != 0, True)[: len(where.ranking)]
        some = [
            grade * choice
            for grade in grades_of_distinct_gain(judged, measure)
            for choice in (np.ones_like(last), last)
        ]
        return _score_extremes(judged, measure, depth, some)
    low, high = monotone_bounds(judged, measure, depth)
    if depth is not None or measure.options["cutoff"] is not None:
        return low, high
    return low, low + RBPRESID.set(p=measure.options["p"]).scores(judged)


def _score_extremes(judged: Judged, measure: Measure, depth: Depth, labels: Iterable[Ints]) -> Bounds:
    """The least and the greatest score under these labels of the unjudged documents."""
    where = unjudged_ranks(judged, depth)
    scores = np.array([measure.scores(assign_grades(judged, where, grades)) for grades in labels])
    return scores.min(axis=0), scores.max(axis=0)


def _adapt_options(function: Callable[..., Bounds]) -> Method:
    """A function that takes the measure's options instead of the measure."""

    def bounds_of(judged: Judged, measure: Measure, depth: Depth) -> Bounds:
        own = {name: value for name, value in measure.settings.items() if name in measure.defaults}
        return function(judged, **own, depth=depth)

    return bounds_of


METHODS: Mapping[Extremes, Method] = {
    "one way": monotone_bounds,
    "best on top": bounds_by_count,
    "best on top, equal gains": bounds_by_count,
    "average precision": _adapt_options(average_precision_bounds),
    "nDCG": _adapt_options(ndcg_bounds),
    "rank-biased": rank_biased,
}


def bounds(judged: Judged, measure: Measure, depth: Depth = None) -> Bounds | None:
    """Per ranking of one run the least and the greatest score; None where they are not known for the measure.

    The bounds are exact, that is, reached by some labels, for measures whose row states their `extremes`; for other
    measures there are none. They range over all labels, up to the highest grade of the collection (or rel or max_grade,
    where that is higher), of the run's unjudged documents down to a depth: at the pool's depth this is what the score
    could have been, had the run been pooled. Documents unjudged below that depth or in other runs stay unjudged. Bounds
    say what is possible, not what is likely; they are far apart as soon as many documents are unjudged, and then only
    judging helps.

    RBP with binary gains, without a depth or a cutoff, is bounded by Moffat and Zobel's residual, where ranks after the
    end of the ranking count as unjudged, too.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> run = example([1, None, 0, None], unretrieved=[1])
    >>> bounds(run, parse("P@4")), bounds(run, parse("P@4"), depth=2)
    ((array([0.25]), array([0.75])), (array([0.25]), array([0.5])))
    >>> bounds(run, parse("R@2"))  # the last may be relevant, too: at least 1 of 3, at best 2 of 3
    (array([0.33333333]), array([0.66666667]))
    >>> bounds(run, parse("Bpref")) is None
    True
    """
    if measure.sees_nonrelevant or measure.extremes is None:
        return None
    return METHODS[measure.extremes](judged, measure, depth)


def mean_bounds(judged: Judged, measure: Measure, depth: int | None = None) -> tuple[float, float]:
    """The least and the greatest score of one run over topics; NaN where they are not known.

    Topics are labelled one by one, so that the least mean is the mean of the least.
    """
    by_topic = bounds(judged, measure, depth)
    if by_topic is None:
        return np.nan, np.nan
    low, high = (float(AGGREGATES[measure.aggregate](values)) for values in by_topic)
    return low, high
