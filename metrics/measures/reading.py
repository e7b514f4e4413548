"""What a reader gains who goes down the ranking and stops, at a relevant document or with some probability."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import PAIRS, Alias, gain_of, persistence, persistence_and_gains, running_sum


def reciprocal_rank(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """1 over the rank of the first relevant document, 0 if there is none.

    >>> from cranfield.metrics.examples import example
    >>> reciprocal_rank(example([None, 0, 1, 1]))
    array([0.33333333])
    >>> reciprocal_rank(example([None, 0, 1, 1]), cutoff=2)
    array([0.])

    MRR is its mean over topics: with the first relevant documents at ranks 1, 3 and 2,

    >>> (sum(reciprocal_rank(example(ranking)) for ranking in ([1], [0, 0, 1], [0, 1])) / 3).round(2)
    array([0.61])
    """
    hit = r.relevant(rel, cutoff)
    return r.sum(hit, (hit.nth == 1) / hit.rank)


RR = Measure(
    "RR", reciprocal_rank, synonyms=("recip_rank", "MRR", "mrr", "mrr_cut_{}"), extremes="one way", explanation="""
RR, reciprocal rank: how far down the first relevant document is.

For known-item search and question answering, where one right answer is enough. It misleads where there is more to
find, and it is a coarse scale: from rank 1 to 2 costs half, from 10 to 20 a twentieth. RR@10 (MS MARCO's MRR@10) is
0 below rank 10 and is not the same number as RR.

Source: Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000; trec_eval's recip_rank.
""")  # fmt: skip


def expected_reciprocal_rank(r: Judged, max_grade: int | None = None, cutoff: int | None = None) -> Floats:
    """1 over the rank at which a reader is satisfied, as expected if each grade has its chance to satisfy.

    >>> from cranfield.metrics.examples import example
    >>> expected_reciprocal_rank(example([2, None, 2]))  # 3/4 / 1 + (1 - 3/4) * 3/4 / 3
    array([0.8125])
    >>> expected_reciprocal_rank(example([2, None, 2]), max_grade=3)  # 3/8 / 1 + (1 - 3/8) * 3/8 / 3
    array([0.453125])
    >>> expected_reciprocal_rank(example([0, 0]))
    array([0.])
    """
    hit = r.relevant_hits(cutoff)
    highest = r.highest_grade if max_grade is None else max_grade
    chance = 2.0 ** (np.minimum(hit.grade, highest) - highest) - 2.0**-highest
    return r.sum(hit, product_above(hit.nth, 1 - chance) * chance / hit.rank)


def product_above(nth: Ints, values: Floats) -> Floats:
    """Per hit: the product of the values above it in its ranking, 1 for the first, by doubling the reach."""
    product = np.where(nth > 1, np.roll(values, 1), 1.0)
    reach = 1
    while reach < nth.max(initial=0):
        further = np.flatnonzero(nth > reach)
        product[further] *= product[further - reach]
        reach *= 2
    return product


ERR = Measure("ERR", expected_reciprocal_rank, synonyms=("err",), extremes="one way", explanation="""
ERR, expected reciprocal rank: a reader goes down the ranking until a document satisfies her.

For graded judgments where one good document is enough: a second one after a perfect one is worth little. The higher
the grade, the likelier she stops: (2^grade - 1) / 2^max_grade. It misleads where several documents are needed, and
between collections: max_grade, by default the highest grade in the judgments, scales it. Give it where the scale has
a grade that nobody assigned; a higher grade than max_grade counts as max_grade. (gdeval takes 4 always.)

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009.
""")  # fmt: skip


def normalised_reciprocal_rank(r: Judged, max_grade: int | None = None, cutoff: int | None = None) -> Floats:
    """Expected reciprocal rank, divided by that of the best ranking of the judged documents.

    >>> from cranfield.metrics.examples import example
    >>> normalised_reciprocal_rank(example([0, 2])), normalised_reciprocal_rank(example([2, 0]))
    (array([0.5]), array([1.]))
    >>> normalised_reciprocal_rank(example([0]))
    array([0.])
    """
    best = expected_reciprocal_rank(r.ideal(), max_grade, cutoff)
    return ratio(expected_reciprocal_rank(r, max_grade, cutoff), r.spread_topics(best))


NERR = Measure("nERR", normalised_reciprocal_rank, synonyms=("nerr",), extremes="best on top", explanation="""
nERR, normalised expected reciprocal rank: ERR relative to the best ranking that the judgments allow.

It lets a topic score 1 even if its best document has a low grade. It misleads by hiding that there was nothing good to
find. The ideal ranking is cut at the same k. Not to be confused with NERR8 to NERR11 of cwl_eval and ir_measures ("not,
but nearly" ERR), which are not normalised. max_grade is as in ERR.

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009; normalised, as
in NTCIREVAL: Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011.
""")  # fmt: skip


def rank_biased_precision(
    r: Judged, *, p: float = 0.8, gains: str = "binary", rel: int = 1, cutoff: int | None = None, normalize: bool = True
) -> Floats:
    """The relevant documents per document read, for a reader who continues with probability p.

    >>> from cranfield.metrics.examples import example
    >>> rank_biased_precision(example([1, None, 1]), p=0.5)  # 1/2 * (1 + 1/4)
    array([0.625])
    >>> rank_biased_precision(example([1, None, 2]), p=0.5, gains="linear")  # 1/2 * (1/2 + 2/2 * 1/4)
    array([0.375])
    >>> rank_biased_precision(example([1, None, 2]), p=0.5, gains="linear", normalize=False)  # 1/2 * (1 + 2 * 1/4)
    array([0.75])
    """
    if gains == "binary":
        hit = r.relevant(rel, cutoff)
        return (1 - p) * r.sum(hit, p ** (hit.rank - 1.0))
    hit = r.judged(cutoff)
    highest = r.spread_topics(_highest_gain(r, gains))[hit.ranking] if normalize else 1.0
    return (1 - p) * r.sum(hit, gain_of(hit.grade, gains) / highest * p ** (hit.rank - 1.0))


def _highest_gain(r: Judged, gains: str) -> Floats:
    """Per topic: the highest gain of its judgments, at least 1."""
    highest = np.ones(len(r.qids))
    np.maximum.at(highest, r.qrels_topic, gain_of(r.qrels_grade, gains))
    return highest


RBP = Measure(
    "RBP", rank_biased_precision, aliases=(Alias("rbp", PAIRS, persistence_and_gains),), extremes="rank-biased",
    difference="sum of binary gains", explanation="""
RBP, rank-biased precision: the gain per document read of a reader who continues with probability p.

It does not need the number of relevant documents, so topics and collections of unknown completeness can be compared,
and the effect of unjudged documents can be bounded. p=0.5 is an impatient reader, 0.95 a patient one: different values
of p are different measures. It misleads by never reaching 1 on a finite ranking. Gains are binary, by rel;
gains="linear", "exp" or a list make it graded: then each gain is divided by the topic's highest (or by 1, if that is
greater), and rel has no effect. With normalize=False gains count as they are, and values above 1 are possible: ranx's
rbp.80 is RBP(p=0.8,gains="linear",normalize=False). The score of a ranking with unjudged documents is a lower bound:
RBPresid is how much more it may be.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008. (The rbp
of trec_eval 10.0, RBP(p=0.9,gains="linear") here, reads uninitialised memory and is no reference.)
""")  # fmt: skip


def rank_biased_residual(r: Judged, p: float = 0.8, cutoff: int | None = None) -> Floats:
    """The weight of all ranks that are unjudged or empty.

    >>> from cranfield.metrics.examples import example
    >>> rank_biased_residual(example([1, None, 0]), p=0.5)  # 1/4 of the second, 1/8 of all after the third
    array([0.375])
    >>> rank_biased_residual(example([]))
    array([1.])
    """
    hit = r.judged(cutoff)
    return 1 - (1 - p) * r.sum(hit, p ** (hit.rank - 1.0))


RBPRESID = Measure(
    "RBPresid", rank_biased_residual, synonyms=("RBPResid",), tells_unjudged=True,
    aliases=(Alias("rbp_resid", r"(?:p=)?[\d.]+", persistence),), explanation="""
RBPresid: how much higher RBP would be if everything unknown were relevant.

RBP is a lower bound; RBP + RBPresid is the upper one. The residual counts the unjudged documents, at their ranks, and
everything below the end of the ranking (p^n). A grade of -1 counts as unjudged, a lower one (junk, spam) as judged.
Where the residual exceeds the difference between two systems, that difference is not established. It misleads if read
as a likely error: it is the greatest possible one. Not to be confused with a confidence interval.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, section 4.
(trec_eval 10.0's rbp_resid leaves p^n out where everything retrieved is judged, and takes all negative grades as
unjudged.)
""")  # fmt: skip


def inverse_squares(r: Judged, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803 - the paper's T
    """The gains of the retrieved documents, each weighted by the inverse square of its rank + 2T - 1.

    >>> from cranfield.metrics.examples import example
    >>> inverse_squares(example([1, None, 1])).round(4)  # (1/4 + 1/16) / (pi^2/6 - 1)
    array([0.4845])
    >>> inverse_squares(example([1, None, 1], unretrieved=[2])).round(4)  # gains of 1/2
    array([0.2423])
    """
    from scipy.special import zeta

    hit = r.relevant_hits()
    weight = (hit.rank + 2 * T - 1.0) ** -2 / zeta(2, 2 * T)
    return r.sum(hit, weight * share_of_best(r, hit.grade, max_grade))


def share_of_best(r: Judged, grade: Ints, max_grade: int | None) -> Floats:
    """Grades divided by the highest of the scale."""
    highest = max(r.highest_grade if max_grade is None else max_grade, 1)
    return np.minimum(grade, highest) / highest


INSQ = Measure("INSQ", inverse_squares, extremes="one way", explanation="""
INSQ, inverse squares: the gain per document read of a reader who is more likely to continue the further she has
come.

A weighted precision like RBP, with a longer tail: rank i weighs 1 / (i + 2T - 1)^2, where T is how much gain she wants.
It misleads by never reaching 1 on a finite ranking, and between collections: a gain is the grade divided by max_grade,
by default the highest grade in the judgments. INST also takes into account what she has found so far.

Source: Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012. The weights sum to 1
over all ranks, as there; cwl_eval cuts the ranks at 1000 and so gives slightly more (0.16% for T=1).
""")  # fmt: skip


def adaptive_inverse_squares(r: Judged, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803
    """The gains of the retrieved documents, each weighted by the probability that it is read, per document read.

    >>> from cranfield.metrics.examples import example
    >>> adaptive_inverse_squares(example([0, 1])).round(4)  # she sees rank 2 with 4/9, and 2.147 documents in all
    array([0.2071])
    >>> adaptive_inverse_squares(example([0, 0]))
    array([0.])
    """
    from scipy.special import zeta

    hit = r.relevant_hits()
    gain = share_of_best(r, hit.grade, max_grade)
    missing = T - running_sum(hit.ranking, gain)
    # Between two gains the chances to go on telescope: from a + 1 to b documents, (a / b)^2 with these a and b.
    after = hit.rank + T + missing - 1
    since = np.where(hit.nth > 1, np.roll(after, 1), 2 * T)
    target = np.where(hit.nth > 1, np.roll(missing, 1), T)
    until = hit.rank + T + target - 1
    arrives = (since / until) ** 2
    reach = product_above(hit.nth, arrives)
    comes = reach * arrives
    read = reach * since**2 * (zeta(2, np.where(hit.nth > 1, since + 1, since)) - zeta(2, until + 1))
    last = np.append(hit.nth[1:] == 1, True)[: len(hit.nth)]
    rest = np.where(last, comes * after**2 * zeta(2, after + 1), 0.0)
    return ratio(r.sum(hit, comes * gain), r.sum(hit, read + rest))


INST = Measure("INST", adaptive_inverse_squares, extremes="one way", explanation="""
INST: the gain per document read of a reader who wants gain T and is more likely to stop the more she has found.

An adaptive INSQ: at rank i, when T_i of the wanted gain is still missing, she continues with probability ((i + T + T_i
- 1) / (i + T + T_i))^2. T is the number of relevant documents that the topic needs, say 1 for a fact, 10 for a survey;
state it, since different T are different measures. It misleads as INSQ does: it never reaches 1, and a gain is the
grade divided by max_grade, by default the highest grade in the judgments.

Source: Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR 2015; Moffat, Bailey,
Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015. All ranks count, as there;
cwl_eval cuts them at 1000 and so gives slightly more.
""")  # fmt: skip


def bejeweled_player(r: Judged, cutoff: int, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803
    """The gain of a reader who stops once she has gained T, or after k documents, per document read.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([1, 0, 2, 2])  # gains 1/2, 0, 1, 1
    >>> bejeweled_player(ranking, cutoff=4)  # 3/2 after rank 3
    array([0.5])
    >>> bejeweled_player(ranking, cutoff=2), bejeweled_player(ranking, cutoff=4, T=2.5)  # 1/2 in 2, 5/2 in 4
    (array([0.25]), array([0.625]))
    >>> bejeweled_player(example([None]), cutoff=4)
    array([0.])
    """
    hit = r.relevant_hits(cutoff)
    gain = share_of_best(r, hit.grade, max_grade)
    enough = np.round(running_sum(hit.ranking, gain), 9) >= T
    read = np.full(len(r.retrieved), cutoff)
    np.minimum.at(read, hit.ranking[enough], hit.rank[enough])
    return np.asarray(r.sum(hit, gain * (hit.rank <= read[hit.ranking])) / read)


BPM = Measure("BPM", bejeweled_player, explanation="""
BPM@k, the Bejeweled player model: the gain per document read of a reader who stops when she has enough or is tired.

She reads until she has gained T, or to rank k, whichever comes first, and the score is her gain divided by the number
of documents read. A gain is the grade divided by max_grade, by default the highest grade in the judgments, so that T=1
is one best document: then, with binary grades, BPM@k is RR@k. It misleads where gains are graded: a better document may
be the one that is enough, and the mean of fewer documents may be lower; so a better ranking can score less. It never
exceeds 1. This is the static model: in the dynamic one T and k move with what she reads.

Source: Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating Web search with a Bejeweled player model, SIGIR 2017; as cwl_eval
and ir_measures have it (whose sums of gains fall short of T by a rounding: ten gains of .1 are not 1 there).
""")  # fmt: skip


def compatibility(r: Judged, p: float = 0.95, normalize: bool = True) -> Floats:
    """The rank-biased overlap with the best ideal ranking, divided by the overlap of that ranking with itself.

    >>> from cranfield.metrics.examples import example
    >>> compatibility(example([2, 1, 1, 0])), compatibility(example([1, 2]), p=0.5).round(3)
    (array([1.]), array([0.333]))
    >>> compatibility(example([None, 0]))
    array([0.])
    """
    hit, number = r.relevant_hits(), r.count(r.qrels_grade > 0)
    depth = np.maximum(r.retrieved, number)
    agreement = np.cumsum(p ** np.arange(depth.max(initial=0)) / np.arange(1, depth.max(initial=0) + 1))
    agreement = np.concatenate([[0.0], agreement])  # of one document that both have from rank 1 to each depth
    both = np.maximum(hit.rank, _ideal_rank(r))
    overlap = r.sum(hit, agreement[depth[hit.ranking]] - agreement[both - 1])
    if not normalize:
        return ratio(overlap, (1 - p**depth) / (1 - p))
    before = np.concatenate([[0.0], np.cumsum(agreement)])  # the ideal's documents enter at ranks 1, 2, ...
    return ratio(overlap, number * agreement[depth] - before[number])


def _ideal_rank(r: Judged) -> Ints:
    """Per relevant row: its rank in the ideal ranking closest to its own."""
    hit = r.relevant_hits()
    rank = np.zeros(len(hit.rank), np.int64)
    for grade in np.unique(hit.grade):
        same = hit.grade == grade
        better = r.count(r.qrels_grade > grade)[hit.ranking[same]]
        rank[same] = better + r.hits(r.grade == grade).nth
    return rank


COMPAT = Measure("Compat", compatibility, extremes="best on top", explanation="""
Compat, compatibility: how similar the ranking is to the closest ideal ranking, by rank-biased overlap.

For judgments whose order alone counts: preferences, or grades in many steps. The ideal ranking has all documents with a
positive grade, the better grades first, and orders equals as the ranking does. p is the reader's patience: 0.95 looks
at some 20 documents, 0.8 at 5. It misleads where there are few grades and many relevant documents, since then most
orders are ideal. The score is divided by that of the ideal ranking itself, since ideal rankings are finite;
normalize=False omits this.

Source: Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021 (and ICTIR 2020, Offline evaluation
without gain). RBO here is cut at the depth of the longer ranking, as in the authors' program and in ir_measures, which
both take a missing document's score as 0 when they break ties in the ideal: with scores below 0 they differ from this.
""")  # fmt: skip
