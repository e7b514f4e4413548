"""What a reader gains who goes down the ranking and stops, at a relevant document or with some probability."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import PAIRS, Alias, gain_of, persistence_and_gains, persistence_option, running_sum


def reciprocal_rank(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """1 / rank of the first relevant document; 0 without a relevant document.

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
RR, reciprocal rank: 1 divided by the rank of the first relevant document.

Use it for known-item search and question answering, where one right answer is enough. It misleads where there is more
to find. Its scale is coarse: a drop from rank 1 to rank 2 costs 0.5, and a drop from rank 10 to rank 20 costs only
0.05. RR@10 (MS MARCO's MRR@10) is 0 if the first relevant document is below rank 10, so it differs from RR.

Source: Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000; trec_eval's recip_rank.
""")  # fmt: skip


def expected_reciprocal_rank(r: Judged, max_grade: int | None = None, cutoff: int | None = None) -> Floats:
    """Expected value of 1 / rank at which a reader is satisfied, with a probability for each grade.

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
ERR, expected reciprocal rank: a reader goes down the ranking until a document satisfies them.

Use it for graded judgments where one good document is enough: a second document after a perfect one adds little. The
probability that a grade satisfies the reader is (2^grade - 1) / 2^max_grade. It misleads where several documents are
needed. It also misleads across collections, because max_grade scales it. max_grade is by default the highest grade in
the judgments. Set it if nobody assigned the highest grade of the scale; a grade above max_grade counts as max_grade.
gdeval always uses 4.

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009.
""")  # fmt: skip


def normalised_reciprocal_rank(r: Judged, max_grade: int | None = None, cutoff: int | None = None) -> Floats:
    """Expected reciprocal rank, divided by its value for the best ranking of the judged documents.

    >>> from cranfield.metrics.examples import example
    >>> normalised_reciprocal_rank(example([0, 2])), normalised_reciprocal_rank(example([2, 0]))
    (array([0.5]), array([1.]))
    >>> normalised_reciprocal_rank(example([0]))
    array([0.])
    """
    best = expected_reciprocal_rank(r.ideal(), max_grade, cutoff)
    return ratio(expected_reciprocal_rank(r, max_grade, cutoff), r.values_by_ranking(best))


NERR = Measure("nERR", normalised_reciprocal_rank, synonyms=("nerr",), extremes="best on top", explanation="""
nERR, normalised expected reciprocal rank: ERR relative to the best ranking that the judgments allow.

A topic can score 1 even if its best document has a low grade. It misleads because it hides that there was nothing good
to find. The option max_grade is the same as in ERR. The ideal ranking is cut at the same k. Do not confuse it with
NERR8 to NERR11 of cwl_eval and ir_measures ("not, but nearly" ERR), which are not normalised.

Source: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009; normalised, as
in NTCIREVAL: Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011.
""")  # fmt: skip


def rank_biased_precision(
    r: Judged, *, p: float = 0.8, gains: str = "binary", rel: int = 1, cutoff: int | None = None, normalize: bool = True
) -> Floats:
    """Relevant documents per document read, for a reader who continues with probability p.

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
    highest = r.values_by_ranking(_highest_gain(r, gains))[hit.ranking] if normalize else 1.0
    return (1 - p) * r.sum(hit, gain_of(hit.grade, gains) / highest * p ** (hit.rank - 1.0))


def _highest_gain(r: Judged, gains: str) -> Floats:
    """Per topic: the highest gain of its judgments, at least 1."""
    highest = np.ones(len(r.qids))
    np.maximum.at(highest, r.qrels_topic, gain_of(r.qrels_grade, gains))
    return highest


RBP = Measure(
    "RBP", rank_biased_precision, aliases=(Alias("rbp", PAIRS, persistence_and_gains),), extremes="rank-biased",
    difference="sum of binary gains", explanation="""
RBP, rank-biased precision: the gain per document read, for a reader who continues with probability p.

It does not need the number of relevant documents. Topics and collections with unknown completeness can therefore be
compared, and the effect of unjudged documents can be bounded. With p=0.5 the reader is impatient, and with p=0.95 the
reader is patient; different values of p are different measures. It misleads because it never reaches 1 on a finite
ranking.

Gains are binary by default: 1 from grade rel on. gains="linear", "exp" or a list makes them graded, and rel then has no
effect. Each graded gain is divided by the topic's highest gain (or by 1, if that is greater). With normalize=False the
gains are not divided, and values above 1 are possible. For example, ranx's rbp.80 is
RBP(p=0.8,gains="linear",normalize=False). The score of a ranking with unjudged documents is a lower bound; RBPresid is
the largest possible increase.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008. trec_eval
10.0 is not a reference: its rbp, which corresponds to RBP(p=0.9,gains="linear"), reads uninitialised memory.
""")  # fmt: skip


def rank_biased_residual(r: Judged, p: float = 0.8, cutoff: int | None = None) -> Floats:
    """Total weight of the ranks that are unjudged or empty.

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
    aliases=(Alias("rbp_resid", r"(?:p=)?[\d.]+", persistence_option),), explanation="""
RBPresid: how much higher RBP would be if everything unknown were relevant.

RBP is a lower bound, and RBP + RBPresid is the upper bound. The residual counts the unjudged documents at their ranks,
and everything below the end of the ranking (p^n). Grade -1 counts as unjudged, and lower grades (junk, spam) count as
judged. If the residual exceeds the difference between two systems, that difference is not established. It misleads if
read as a likely error: it is the greatest possible error. Do not confuse it with a confidence interval.

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, section 4.
trec_eval 10.0's rbp_resid omits p^n if everything retrieved is judged, and treats all negative grades as unjudged.
""")  # fmt: skip


def inverse_squares(r: Judged, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803 - the paper's T
    """Sum of the retrieved documents' gains, each weighted by 1 / (rank + 2T - 1)^2.

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
INSQ, inverse squares: the gain per document read, for a reader who becomes more likely to continue at each rank.

It is a weighted precision like RBP, with a longer tail: rank i weighs 1 / (i + 2T - 1)^2. The option T is the gain that
the reader wants. It misleads because it never reaches 1 on a finite ranking. It also misleads across collections,
because a gain is the grade divided by max_grade. max_grade is by default the highest grade in the judgments. INST also
depends on the gain found so far.

Source: Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012. As in the paper, the
weights sum to 1 over all ranks. cwl_eval cuts the ranks at 1,000 and therefore gives slightly more (0.16% for T=1).
""")  # fmt: skip


def adaptive_inverse_squares(r: Judged, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803
    """Gain per document read, with each gain weighted by the probability that the document is read.

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
INST: the gain per document read, for a reader who wants gain T and becomes more likely to stop as the gain grows.

It is an adaptive INSQ. At rank i, where T_i of the wanted gain is still missing, the reader continues with probability
((i + T + T_i - 1) / (i + T + T_i))^2. The option T is the number of relevant documents that the topic needs, for
example 1 for a fact or 10 for a survey. Report T, because different values of T are different measures. Like INSQ, it
misleads because it never reaches 1 and because a gain is the grade divided by max_grade. By default max_grade is the
highest grade in the judgments.

Source: Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR 2015; Moffat, Bailey,
Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015. As in the papers, all
ranks count. cwl_eval cuts the ranks at 1,000 and therefore gives slightly more.
""")  # fmt: skip


def bejeweled_player(r: Judged, cutoff: int, T: float = 1.0, max_grade: int | None = None) -> Floats:  # noqa: N803
    """Gain per document read, for a reader who stops after gaining T or after k documents.

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
BPM@k, the Bejeweled player model: the gain per document read, for a reader who stops when satisfied or tired.

The reader stops after gaining T or at rank k, whichever comes first. The score is the gain divided by the number of
documents read. A gain is the grade divided by max_grade, by default the highest grade in the judgments, so T=1 is one
best document. With T=1 and binary grades, BPM@k is RR@k. It misleads where gains are graded: a better document may end
the reading sooner, and the mean over fewer documents may be lower. A better ranking can therefore score less. The score
never exceeds 1. This is the static model; in the dynamic model, T and k change during the reading.

Source: Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating Web search with a Bejeweled player model, SIGIR 2017; the variant
of cwl_eval and ir_measures. Their sums of gains have rounding errors: ten gains of 0.1 do not reach 1.
""")  # fmt: skip


def compatibility(r: Judged, p: float = 0.95, normalize: bool = True) -> Floats:
    """Rank-biased overlap with the closest ideal ranking, divided by the overlap of the ideal ranking with itself.

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

Use it for judgments where only the order counts: preferences, or grades in many steps. The ideal ranking has all
documents with a positive grade, better grades first. Documents of equal grades keep the order of the ranking. The
option p is the reader's patience: with p=0.95 the reader looks at about 20 documents, and with p=0.8 at 5. It misleads
with few grades and many relevant documents, because most orders are then ideal. The score is divided by the score of
the ideal ranking itself, because ideal rankings are finite; normalize=False omits this division.

Source: Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021 (and ICTIR 2020, Offline evaluation
without gain). RBO is cut at the depth of the longer ranking, as in the authors' program and in ir_measures. To break
ties in the ideal ranking, both give missing documents the score 0, so their results differ if scores are below 0.
""")  # fmt: skip
