"""Average precision and its relatives: precision at the relevant documents, or at points of recall."""

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import NUMBERS, Alias, gain_of, ideal_rankings, recall_points_option, running_sum


def average_precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Precision at each relevant document, averaged over all relevant documents of the topic.

    A relevant document that was not retrieved counts as precision 0; a topic without any relevant document scores 0.

    >>> from cranfield.metrics.examples import example
    >>> average_precision(example([1, None, 1, 0], unretrieved=[1]))  # (1/1 + 2/3 + 0) / 3
    array([0.55555556])
    >>> average_precision(example([1, 0, 1, 0, 0, 1])).round(3)  # (1/1 + 2/3 + 3/6) / 3
    array([0.722])
    >>> average_precision(example([1, 1, 1, 0, 1, 1, 0, 1], unretrieved=[1, 1])).round(2)  # 5.38 / 8
    array([0.67])
    >>> average_precision(example([0]))
    array([0.])
    """
    hit = r.relevant(rel, cutoff)
    return ratio(r.sum(hit, hit.nth / hit.rank), r.num_relevant(rel))


def average_precision_under(topic: Judged, subsets: Mask, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The same for one topic under each row of `subsets`, a mask (subsets, judgments): (subsets, runs).

    All subsets and runs go down their rankings together, from one relevant document to the next.

    >>> from cranfield.metrics.examples import example
    >>> average_precision_under(example([1, None, 1]), np.array([[True, True], [False, True]]))
    array([[0.83333333],
           [0.33333333]])
    """
    rows = topic.rows((topic.grade >= max(rel, 0)) & topic.is_within(cutoff))
    place = topic.hits((topic.grade >= max(rel, 0)) & topic.is_within(cutoff)).nth - 1
    shape = int(place.max(initial=-1)) + 1, len(topic.tags)
    judgment, rank = np.full(shape, -1), np.ones(shape)
    judgment[place, rows.ranking], rank[place, rows.ranking] = rows.judgment, rows.rank
    weight = np.append(subsets.T.astype(float), np.zeros((1, len(subsets))), axis=0)  # the last is of no judgment
    nth, total = np.zeros((2, len(topic.tags), len(subsets)))
    for step in range(len(judgment)):
        there = weight[judgment[step]]
        nth += there
        total += there * (nth / rank[step][:, None])
    return ratio(total, subsets[:, topic.qrels_grade >= max(rel, 0)].sum(axis=1)).T


AP = Measure(
    "AP", average_precision, under=average_precision_under, synonyms=("map", "MAP", "map_cut_{}"),
    extremes="average precision", explanation="""
AP, average precision: precision and recall of a whole ranking in one number.

Use it to compare systems over a topic set: its mean (MAP) separates systems well and is stable. It misleads where
readers stop early, because it weighs the whole ranking. It also misleads where few documents are judged, because an
unjudged document counts as not relevant. Easy topics dominate its mean if the number of relevant documents differs much
between topics (see gMAP). With a cutoff it still divides by all relevant documents of the topic, so AP@10 cannot reach
1 if there are more than ten. Do not confuse it with AP11 or the area under the precision-recall curve.

Source: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval's map and map_cut.
""")  # fmt: skip


def geometric_average_precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """Average precision; its mean over topics is geometric.

    >>> from cranfield.metrics.examples import example
    >>> geometric_average_precision(example([1, 1]))
    array([1.])

    A measure per topic; over topics with AP 1.0, 0.5 and 0.1, where MAP is 0.53:

    >>> from cranfield.metrics.evaluate import evaluate
    >>> docnos = [f"d{rank:02}" for rank in range(10)]
    >>> run = {qid: {docno: -float(rank) for rank, docno in enumerate(docnos)} for qid in "123"}
    >>> evaluate({"1": {"d00": 1}, "2": {"d01": 1}, "3": {"d09": 1}}, run, ["gMAP", "AP"]).round(2)
       run measure  value
    0  run    gMAP   0.37
    1  run      AP   0.53
    """
    return average_precision(r, rel, cutoff)


GMAP = Measure(
    "gMAP", geometric_average_precision, synonyms=("gm_map", "GMAP"), aggregate="geometric mean",
    extremes="average precision", explanation="""
gMAP, geometric mean average precision: how a system performs on its worst topics.

It computes AP for each topic and takes the geometric mean over topics. Doubling AP from 0.01 to 0.02 therefore counts
as much as doubling it from 0.3 to 0.6. Use it where no topic may fail. It misleads with few topics and with incomplete
judgments, because it depends on values near 0. A floor of 0.00001 replaces smaller values. Do not confuse it with MAP,
which good topics dominate.

Source: Robertson, On GMAP - and other transformations, CIKM 2006; trec_eval's gm_map.
""")  # fmt: skip


def log_odds_of_precision(r: Judged, rel: int = 1) -> Floats:
    """ln((1 + s) / (1 + R - s)), where s is the sum of the precisions at the relevant documents, R their number.

    >>> from cranfield.metrics.examples import example
    >>> log_odds_of_precision(example([1])), log_odds_of_precision(example([0], unretrieved=[1]))  # ln 2, ln 1/2
    (array([0.69314718]), array([-0.69314718]))
    """
    hit = r.relevant(rel)
    s = r.sum(hit, hit.nth / hit.rank)
    return np.log((1 + s) / (1 + r.num_relevant(rel) - s))


YAAP = Measure(
    "YAAP", log_odds_of_precision, synonyms=("yaap",), range=(float("-inf"), float("inf")), extremes="best on top",
    explanation="""
YAAP, yet another average precision: the log odds of average precision.

It stretches AP at both ends: a step near 0 or 1 counts more than a step in the middle. Its values over topics are
closer to a normal distribution. Its mean is misleading, because the measure has no fixed scale: a perfect ranking
scores ln(1 + R), so topics with many relevant documents dominate. Do not confuse it with AP.

Source: trec_eval's yaap.
""")  # fmt: skip


def q_measure(r: Judged, beta: float = 1.0, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """Blend of precision and relative gain at each relevant document, averaged over all relevant documents.

    >>> from cranfield.metrics.examples import example
    >>> q_measure(example([0, 1, 2]))  # rank 2: (1 + 1) / (2 + 3), rank 3: (2 + 3) / (3 + 3)
    array([0.61666667])
    >>> q_measure(example([2], unretrieved=[1])), q_measure(example([2], unretrieved=[1]), cutoff=1)
    (array([0.5]), array([1.]))
    """
    best = ideal_rankings(r, gains)
    hit = r.hits((gain_of(r.grade, gains) > 0) & r.is_within(cutoff))
    gain = running_sum(hit.ranking, gain_of(hit.grade, gains))
    possible = best.first(best.gain, r.topic[hit.ranking], hit.rank)
    ratios = (hit.nth + beta * gain) / (hit.rank + beta * possible)
    relevant = best.sizes[r.topic]
    return ratio(r.sum(hit, ratios), relevant if cutoff is None else np.minimum(relevant, cutoff))


Q = Measure("Q", q_measure, extremes="best on top, equal gains", explanation="""
Q, the Q-measure: average precision for graded judgments.

At each relevant document it blends precision with the cumulative gain relative to the ideal ranking. The option beta is
the weight of the gains; as it approaches 0, the measure becomes AP. Q is as stable as AP and rewards documents with
higher grades more. Like AP, it misleads where judgments are incomplete. Q@k divides by min(k, number of relevant
documents) and can reach 1; AP@k does not. A document is relevant if its grade has a positive gain.

Source: Sakai, New performance metrics based on multigrade relevance: their application to question answering, NTCIR-4,
2004; with beta: Sakai, On penalising late arrival of relevant documents in information retrieval evaluation with graded
relevance, EVIA 2007; Q@k as in Sakai, Metrics, statistics, tests, PROMISE 2013.
""")  # fmt: skip


def interpolated_precision(r: Judged, recall: float, rel: int = 1, rule: str = "trec_eval") -> Floats:
    """Highest precision at any rank where recall is at least x.

    >>> from cranfield.metrics.examples import example
    >>> ranking = example([0, 1, 1, 0], unretrieved=[1, 1])
    >>> interpolated_precision(ranking, 0.25), interpolated_precision(ranking, 0.75)
    (array([0.66666667]), array([0.]))
    >>> ranking = example([1, 0, 1, 0, 0, 1])  # recall 1/3, 2/3, 1
    >>> interpolated_precision(ranking, 0.4), interpolated_precision(ranking, 0.4, rule="exact")
    (array([1.]), array([0.66666667]))
    """
    hit = r.relevant(rel)
    number = np.float64(recall) * r.num_relevant(rel)
    target = (round_half_up(number) if rule == "trec_eval" else ceil_with_tolerance(number))[hit.ranking]
    highest = np.zeros(len(r.retrieved))
    np.maximum.at(highest, hit.ranking, np.where(hit.nth >= target, hit.nth / hit.rank, 0.0))
    return highest


def round_half_up(x: Floats) -> Floats:
    return np.floor(x) + (x % 1 >= 0.5)


def ceil_with_tolerance(x: Floats) -> Floats:
    """The least whole numbers from x on, where x is a product that may be off in its last digits.

    >>> ceil_with_tolerance(np.array([0.1, 0.7]) * 30), ceil_with_tolerance(np.array([0.1, 0.7]) * 3)
    (array([ 3., 21.]), array([1., 3.]))
    """
    return np.ceil(np.round(x, 9))


IPREC = Measure(
    "IPrec", interpolated_precision, synonyms=("iprec_at_recall_{}",), at="recall", extremes="best on top",
    explanation="""
IPrec@x, interpolated precision at a recall point: the best precision at any rank where recall is at least x.

Its values are the points of the precision-recall curve. It misleads at recall 0, where it is the best precision at any
rank. It also misleads on topics with few relevant documents, where neighbouring recall points are reached at the same
document.

A run reaches recall x when it has found enough of the topic's R relevant documents. Two rules define how many are
enough. By default, the number is x R, rounded to the nearest integer (halves up), as in trec_eval 10. The textbook
rule, IPrec(rule="exact")@x, requires at least x R documents and never gives a higher score. For example, 1 of 3
relevant documents is enough for recall 0.4 by default, because 1.2 is rounded to 1. The textbook rule requires 2. A
third rule, which rounds up from 0.1, is not available; trec_eval 9, pytrec_eval and ir_measures use it.

Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's iprec_at_recall.
""")  # fmt: skip


RECALL_POINTS = tuple(point / 10 for point in range(11))


def eleven_point_precision(r: Judged, points: str | None = None, rel: int = 1, rule: str = "trec_eval") -> Floats:
    """Mean interpolated precision at the eleven recall points 0, 0.1, ... 1.

    >>> from cranfield.metrics.examples import example
    >>> eleven_point_precision(example([1, 0, 0, 1]))  # 1 up to recall .7, then 2/4
    array([0.86363636])
    >>> eleven_point_precision(example([1, 0, 0, 1]), points="0.5,1")
    array([0.75])
    >>> ranking = example([1, 0, 1, 0, 0, 1])  # (4 * 1 + 3 * 2/3 + 4 * 1/2) / 11 by the exact rule
    >>> eleven_point_precision(ranking, rule="exact").round(4), eleven_point_precision(ranking).round(4)
    (array([0.7273]), array([0.7879]))
    """
    at = RECALL_POINTS if points is None else [float(point) for point in points.split(",")]
    return np.asarray(np.mean([interpolated_precision(r, point, rel, rule) for point in at], axis=0))


AP11 = Measure(
    "AP11", eleven_point_precision, synonyms=("11pt_avg",), aliases=(Alias("11pt_avg", NUMBERS, recall_points_option),),
    extremes="best on top", explanation="""
AP11, eleven-point average precision: the mean of the interpolated precisions at recall 0, 0.1, ..., 1.

It was the measure of the 1980s and of the first TRECs; use it to compare with papers of that time. It misleads in the
same cases as IPrec, and interpolation raises it: AP11 is higher than AP. As with IPrec, two rules define which document
reaches a recall point: trec_eval's (the default) and the textbook rule, AP11(rule="exact"). The option points sets
other points: AP11(points="0.25,0.5,0.75") is the three-point average of that time. Do not confuse it with AP, which
replaced it.

Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's 11pt_avg.
""")  # fmt: skip
