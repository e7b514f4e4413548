"""Methods with a fixed order: the first documents of every run, or the runs fused by ranks or scores."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cmp_to_key, partial
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import (
    FixedOrder,
    Method,
    MethodOption,
    ScoredOrder,
    order_by_score,
    topic_random_generator,
)
from cranfield.text import counted


def first_ranks(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """All documents, those that stand first in some run first, ties by docno descending.

    A ranking shorter than k gives what it has.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b", "c", depth=1)
    >>> docnos_of(topic, DEPTH.start(topic).next(9))
    'c a'
    """
    return FixedOrder(np.lexsort((-np.arange(len(topic)), topic.best)))


DEPTH = Method(
    "depth", "the first k documents of every run", first_ranks, by_depth=True,
    source="Sparck Jones and van Rijsbergen 1975", explanation="""
Depth-k pooling: the union of the first k documents of every contributing run.

    d is in the pool  <=>  min_s r_s(d) <= k

Each document's membership depends on single runs, so the pool without a run can be computed exactly. The cost is known
only after the runs are submitted. Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975; TREC
since 1992.
""")  # fmt: skip


def order_by_best_rank(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Ties within a depth by docno descending, or at random.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> docnos_of(topic, TAKE.start(topic).order)
    'b a d c'
    """
    tie = (
        -np.arange(len(topic))
        if options["ties"] == "docno"
        else topic_random_generator(seed, topic.qid).permutation(len(topic))
    )
    return FixedOrder(np.lexsort((tie, topic.best)))


TAKE = Method(
    "take", "by the best rank in any run", order_by_best_rank,
    (MethodOption("ties", "docno", "rule that breaks ties within a depth", ("docno", "random")),), random=True,
    source="Lipani et al., ECIR 2017", explanation="""
take-N: documents in order of their best rank in any run, until the budget is spent.

    d comes by min_s r_s(d)

This is depth-k pooling that may stop inside a depth. Strengths: it is simple, and as fair as depth-k. Weaknesses: it
takes the first documents of weak runs before the second documents of strong runs, and the order within a depth is
arbitrary. Source: TakeN and FairTake by Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury, Fixed-cost pooling strategies
based on IR evaluation measures, ECIR 2017.
""")  # fmt: skip


def order_by_reciprocal_ranks(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """b: 1/62 + 1/61, a: 1/61, d: 1/62, c: 1/63; with c = 0, b: 3/2, a: 1, d: 1/2, c: 1/3.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> docnos_of(topic, RRF.start(topic).order), docnos_of(topic, RRF.start(topic, {"c": 0}).order)
    ('b a d c', 'b a d c')
    >>> tied = example("a b", "b a")
    >>> docnos_of(tied, RRF.start(tied).order)
    'b a'
    """
    return ScoredOrder(topic.total(1 / (options["c"] + topic.ranks)))


RRF = Method(
    "rrf", "by the sum of reciprocal ranks", order_by_reciprocal_ranks,
    (MethodOption("c", 60, "constant added to the rank; a larger value gives the first ranks less weight", low=0),),
    source="Cormack, Clarke and Büttcher, SIGIR 2009", explanation="""
Reciprocal rank fusion.

    score(d) = sum over runs that retrieved d of  1 / (c + r_s(d)),   c = 60

Strengths: it uses only ranks and needs no tuning. Of the methods with a budget, it was the least unfair to left-out
teams on TREC-8. Weaknesses: it finds fewer relevant documents than methods that use judgments. Source: Cormack, Clarke
and Büttcher, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods, SIGIR 2009.
""")  # fmt: skip


def order_by_votes(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Ties by docno descending: rank does not count.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> docnos_of(topic, VOTES.start(topic).order)
    'b d c a'
    """
    return ScoredOrder(np.bincount(topic.document, minlength=len(topic)).astype(float))


VOTES = Method(
    "votes", "by the number of runs that retrieved them", order_by_votes, source="Aslam and Montague, SIGIR 2001",
    explanation="""
Votes: documents in order of the number of runs that retrieved them within the considered depth.

    score(d) = |{s : d in s}|

Strengths: it needs neither ranks nor scores. Weaknesses: a document that only one run retrieved comes last, even at
rank 1, and near-duplicate runs outvote the others. Source: the approval vote of Aslam and Montague, Models for
metasearch, SIGIR 2001.
""")  # fmt: skip


def points(topic: Candidates, size: int = 0) -> Floats:
    """The Borda points of each document; `size` is n, by default how many documents there are.

    r1 gives 4, 3, 2 and 1 to d; r2 gives 4 to b, 3 to d, and 1.5 each to a and c.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> points(topic).tolist()
    [5.5, 7.0, 3.5, 4.0]
    >>> docnos_of(topic, BORDA.start(topic).order)
    'b a d c'

    In a collection of 10 r1 leaves 4 each to what it did not retrieve, r2 leaves 4.5:

    >>> points(topic, 10).tolist()
    [14.5, 19.0, 12.5, 13.0]
    """
    n = size or len(topic)
    if n < len(topic):
        raise InputError(
            f"option n is {n}, but the runs retrieved {counted(len(topic), 'document')} for topic {topic.qid!r}"
        )
    rest = (n - topic.lengths + 1) / 2
    own = n + 1 - topic.ranks - rest[topic.run]
    return topic.total(own) + float(rest.sum())


def order_by_points(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Documents by points, ties by docno descending."""
    return ScoredOrder(points(topic, options["n"]))


BORDA = Method(
    "borda", "by the sum of points for ranks", order_by_points,
    (
        MethodOption(
            "n", 0, "collection size in documents; 0 counts the documents that at least one run retrieved", low=0
        ),
    ),
    source="Aslam and Montague, SIGIR 2001", explanation="""
Borda count: a run gives its first document n points, the next n - 1, and divides the remaining points equally.

    score(d) = sum over runs of  n + 1 - r_s(d)         where retrieved
                                 (n - |s| + 1) / 2      where not: the mean of the points left

n is the number of documents that at least one run retrieved. With n=SIZE it is the size of the collection, as in an
election with all documents as candidates. A retrieved document then gains about n/2, so the number of runs decides
first. Ranks decide among documents with equal numbers of runs.

Strengths: it uses only ranks, and documents that a run did not retrieve also receive points. Weaknesses: differences
deep in a ranking weigh as much as differences at its top. Source: Aslam and Montague, Models for metasearch, SIGIR
2001.
""")  # fmt: skip


def majority_order(topic: Candidates) -> Ints:
    """All documents, sorted by majority; ties by docno descending.

    b beats a in r2 and r3, a beats c in r1 and r3; d and e meet in no run's list but r2's votes against r3's: a tie.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d", "b a e")
    >>> docnos_of(topic, majority_order(topic))
    'b a e d c'
    """
    places = np.ascontiguousarray(np.where(topic.retrieved, topic.rank, len(topic) + 1).T)

    def compare(one: int, other: int) -> int:
        mine, theirs = places[one], places[other]
        return int(np.count_nonzero(theirs < mine) - np.count_nonzero(mine < theirs)) or other - one

    return np.array(sorted(order_by_score(points(topic)).tolist(), key=cmp_to_key(compare)), np.int64)


def order_by_majority(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Documents sorted by majority."""
    return FixedOrder(majority_order(topic))


CONDORCET = Method(
    "condorcet", "by pairwise majority of the runs", order_by_majority, source="Montague and Aslam, CIKM 2002",
    explanation="""
Condorcet fusion: a document ranks before another if more runs rank it above than below.

A run that retrieved only one of two documents votes for it. A run that retrieved neither does not vote. A majority may
be circular (a beats b beats c beats a), and the order then depends on the start of the sort. The sort starts from the
Borda order, so its result is always the same. Strengths: the scale and depth of a run do not matter. Weaknesses:
near-duplicate runs are a majority. It takes O(n log n) comparisons of O(S); the tournament of all pairs would take O(n²
S). Source: Montague and Aslam, Condorcet fusion for improved retrieval, CIKM 2002.
""")  # fmt: skip


def order_by_discounts(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """b: 1/log2(3) + 1, a: 1, d: 1/log2(3), c: 1/2.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example("a b c", "b d")
    >>> docnos_of(topic, DCG.start(topic).order)
    'b a d c'
    """
    return ScoredOrder(topic.total(1 / np.log2(topic.ranks + 1)))


DCG = Method(
    "dcg", "by the sum of nDCG's rank discounts", order_by_discounts, source="Lipani et al., ECIR 2017", explanation="""
DCG-weighted pooling: documents in order of the sum of their rank discounts.

    score(d) = sum over runs that retrieved d of  log 2 / log(r_s(d) + 1)

Strengths: it spends the budget on the ranks that matter for nDCG. Weaknesses: like all fusion methods, it follows the
majority of runs. Source: Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury, Fixed-cost pooling strategies based on IR
evaluation measures, ECIR 2017.
""")  # fmt: skip


def min_max(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """(s - min) / (max - min): the last document of a run gets 0, as if not retrieved."""
    low, high = _min_scores(score, run, length), -_min_scores(-score, run, length)
    return _ratio(score - low[run], (high - low)[run], 1.0)


def maximum(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """s / max: keeps the zero of the scores, so that the largest one must be above 0, unless all are equal."""
    low, high = _min_scores(score, run, length), -_min_scores(-score, run, length)
    if ((high <= 0) & (low < high)).any():
        number = int(np.argmax((high <= 0) & (low < high)))
        raise InputError(
            f"the largest score of a topic is {high[number]:g}; expected a positive score; use norm=min-max"
        )
    return np.where(low[run] == high[run], 1.0, score / np.where(high == 0, 1, high)[run])


def total(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """(s - min) / sum of (s - min): every run has one unit to give, so that long runs give less to each."""
    above = score - _min_scores(score, run, length)[run]
    return _ratio(above, np.bincount(run, above, len(length))[run], 1 / length[run])


def zmuv(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """(s - mean) / deviation: zero mean, unit variance; below the mean counts for less than not retrieved."""
    mean = _ratio(np.bincount(run, score, len(length)), length, 0.0)
    apart = score - mean[run]
    apart[np.abs(apart) <= 1e-12 * np.abs(mean[run])] = 0  # what rounding leaves of a constant
    deviation = np.sqrt(_ratio(np.bincount(run, apart**2, len(length)), length, 0.0))
    return _ratio(apart, deviation[run], 0.0)


def score_of_rank(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """1 - (r - 1) / |s|: scores do not count, only their order."""
    return 1 - (rank - 1) / length[run]


def borda_points(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """1 - (r - 1) / n of n candidates, for the rows of `add_unretrieved`: (n - |s| + 1) / 2n where not retrieved."""
    return 1 - (rank - 1) / np.bincount(run, minlength=len(length))[run]


def raw(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """The scores as submitted: right only where all runs share a scale."""
    return score


def _min_scores(score: Floats, run: Ints, length: Ints) -> Floats:
    least = np.full(len(length), np.inf)
    np.minimum.at(least, run, score)
    return least


def _ratio(above: Floats | Ints, below: Floats | Ints, otherwise: float | Floats) -> Floats:
    """The quotient, and something else where it would be by 0."""
    return np.where(below == 0, otherwise, above / np.where(below == 0, 1, below))


RANK_NORMALISATIONS = ("rank", "borda")  # scores do not count
NORMALISATIONS: dict[str, Callable[[Floats, Ints, Ints, Ints], Floats]] = {
    "min-max": min_max,
    "max": maximum,
    "sum": total,
    "zmuv": zmuv,
    "rank": score_of_rank,
    "borda": borda_points,
    "none": raw,
}


def normalized_scores(topic: Candidates, name: str) -> Floats:
    """The normalised score of each retrieved document, in the order of the topic's columns.

    A run whose scores are all equal (or that retrieved one document) says only what it retrieved; the usual formulas
    divide 0 by 0 there. Here each of its documents counts as if it stood first: 1 with min-max and max, an equal share
    with sum; zmuv gives 0, the mean.

    >>> from cranfield.pooling.examples import example
    >>> topic = example({"a": 4.0, "b": 2.0, "c": 0.0}, {"b": 7.0, "c": 7.0})
    >>> for name in NORMALISATIONS:
    ...     values = normalized_scores(topic, name)
    ...     print(f"{name:7}", values[topic.run == 0].round(2), values[topic.run == 1].round(2))
    min-max [1.  0.5 0. ] [1. 1.]
    max     [1.  0.5 0. ] [1. 1.]
    sum     [0.67 0.33 0.  ] [0.5 0.5]
    zmuv    [ 1.22  0.   -1.22] [0. 0.]
    rank    [1.   0.67 0.33] [0.5 1. ]
    borda   [1.   0.67 0.33] [0.5 1. ]
    none    [4. 2. 0.] [7. 7.]
    """
    if name not in RANK_NORMALISATIONS and not np.isfinite(topic.scores).all():
        row = int(np.argmin(np.isfinite(topic.scores)))
        where = f"run {topic.tags[topic.run[row]]!r}, topic {topic.qid!r}"
        raise InputError(f"{where}: a score is {topic.scores[row]}; expected a finite score; use norm=rank")
    return NORMALISATIONS[name](topic.scores, topic.run, topic.ranks, topic.lengths)


def add_unretrieved(topic: Candidates) -> Candidates:
    """The topic as if each run had retrieved all documents, at the mean of the ranks that it left.

    >>> from cranfield.pooling.examples import example
    >>> add_unretrieved(example("a b", "c")).rank.tolist(), add_unretrieved(example("a b", "c")).ranks.tolist()
    ([[1, 2, 3], [2, 2, 1]], [1.0, 2.0, 3.0, 2.5, 2.5, 1.0])
    """
    n, runs = len(topic), len(topic.tags)
    ranks = np.where(topic.retrieved, topic.rank, ((topic.lengths + 1 + n) / 2)[:, None])
    return replace(
        topic, run=np.repeat(np.arange(runs), n), document=np.tile(np.arange(n), runs), ranks=ranks.ravel(),
        scores=np.zeros(n * runs),
    )  # fmt: skip


Combine = Callable[[Candidates, Floats], Floats]


def votes(topic: Candidates) -> Floats:
    """How many runs retrieved each document."""
    return np.bincount(topic.document, minlength=len(topic)).astype(float)


def median(topic: Candidates, values: Floats) -> Floats:
    """The median of each document's values: the mean of the middle two where their number is even."""
    order = values[np.lexsort((values, topic.document))]
    count = np.bincount(topic.document, minlength=len(topic))
    start = np.cumsum(count) - count
    return np.asarray((order[start + (count - 1) // 2] + order[start + count // 2]) / 2)


def extreme(topic: Candidates, values: Floats, sign: int) -> Floats:
    """The largest value of each document, or with sign -1 the smallest."""
    extremes: Floats = np.full(len(topic), -np.inf)
    np.maximum.at(extremes, topic.document, sign * values)
    return np.asarray(sign * extremes)


FAMILY: dict[str, tuple[str, Combine]] = {
    "combsum": ("by the sum of normalised scores", Candidates.total),
    "combmnz": (
        "by the sum of normalised scores, times the number of runs",
        lambda t, values: t.total(values) * votes(t),
    ),
    "combanz": ("by the mean of normalised scores", lambda t, values: t.total(values) / votes(t)),
    "combmed": ("by the median of normalised scores", median),
    "combmax": ("by the largest normalised score", partial(extreme, sign=1)),
    "combmin": ("by the smallest normalised score", partial(extreme, sign=-1)),
}


def fuse_scores(combine: Combine, topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Documents by their combined score, ties by docno descending.

    min-max: r1 gives a 1, b .5, c 0; r2, whose scores are all equal, gives 1 to b and d.

    >>> from cranfield.pooling.examples import example, docnos_of
    >>> topic = example({"a": 4.0, "b": 2.0, "c": 0.0}, {"b": 7.0, "d": 7.0})
    >>> {method.name: docnos_of(topic, method.start(topic).order) for method in COMB[:3]}
    {'combsum': 'b d a c', 'combmnz': 'b d a c', 'combanz': 'd a b c'}
    >>> {method.name: docnos_of(topic, method.start(topic).order) for method in COMB[3:]}
    {'combmed': 'd a b c', 'combmax': 'd b a c', 'combmin': 'd a b c'}
    """
    topic = add_unretrieved(topic) if options["norm"] == "borda" else topic
    return ScoredOrder(combine(topic, normalized_scores(topic, options["norm"])))


COMB_DESCRIPTION = """
CombSUM and its family: documents in order of their combined normalised scores.

    SUM   the sum                       MAX   the largest
    MNZ   the sum times the number      MIN   the smallest
    ANZ   the mean                      MED   the median

Each is computed over the runs that retrieved the document. The option norm makes scores comparable, topic by topic:

    min-max  (s - min) / (max - min)             Lee, SIGIR 1997
    max      s / max                             Lee, SIGIR 1995
    sum      (s - min) / sum of (s - min)        Montague and Aslam, CIKM 2001
    zmuv     (s - mean) / standard deviation     Montague and Aslam, CIKM 2001
    rank     1 - (r - 1) / |s|                   Renda and Straccia, SAC 2003
    borda    1 - (r - 1) / n of n candidates     Renda and Straccia, SAC 2003
    none     s

With borda, a run that did not retrieve a document adds (n - |s| + 1) / 2n, the mean of the remaining values.

Strengths: it uses scores, which can carry more information than ranks. Weaknesses: scores have to be comparable, and a
run with constant scores adds no information (see `normalized_scores`). ANZ, MIN and MED favour documents that a single
run retrieved. Source: Fox and Shaw, Combination of multiple searches, TREC-2, 1994. The number in MNZ is the number of
runs that retrieved the document, as in all later work, not the number of non-zero scores.
"""
COMB = tuple(
    Method(
        name,
        description,
        partial(fuse_scores, combine),
        (MethodOption("norm", "min-max", "normalisation that makes scores comparable", tuple(NORMALISATIONS)),),
        source="Fox and Shaw, TREC-2, 1994",
        explanation=COMB_DESCRIPTION,
    )
    for name, (description, combine) in FAMILY.items()
)
