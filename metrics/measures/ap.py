"""AP, average precision: one number for a whole ranking, precision and recall together."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.measure import Measure


def average_precision(r: Judged, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The precision at each relevant document, averaged over all relevant documents of the topic.

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


def average_precision_under(topic: Judged, kept: Mask, rel: int = 1, cutoff: int | None = None) -> Floats:
    """The same for one topic under each row of `kept`, a mask (subsets, judgments): (subsets, runs).

    All subsets and runs go down their rankings together, from one relevant document to the next.

    >>> from cranfield.metrics.examples import example
    >>> average_precision_under(example([1, None, 1]), np.array([[True, True], [False, True]]))
    array([[0.83333333],
           [0.33333333]])
    """
    rows = topic.rows((topic.grade >= max(rel, 0)) & topic.within(cutoff))
    place = topic.hits((topic.grade >= max(rel, 0)) & topic.within(cutoff)).nth - 1
    shape = int(place.max(initial=-1)) + 1, len(topic.tags)
    judgment, rank = np.full(shape, -1), np.ones(shape)
    judgment[place, rows.ranking], rank[place, rows.ranking] = rows.judgment, rows.rank
    weight = np.append(kept.T.astype(float), np.zeros((1, len(kept))), axis=0)  # the last is of no judgment
    nth, total = np.zeros((2, len(topic.tags), len(kept)))
    for step in range(len(judgment)):
        there = weight[judgment[step]]
        nth += there
        total += there * (nth / rank[step][:, None])
    return ratio(total, kept[:, topic.qrels_grade >= max(rel, 0)].sum(axis=1)).T


AP = Measure(
    "AP", average_precision, under=average_precision_under, synonyms=("map", "MAP", "map_cut_{}"),
    extremes="average precision", difference="average precision", explanation="""
AP, average precision: one number for a whole ranking, precision and recall together.

Use it to compare systems over a topic set; its mean (MAP) separates systems well and is stable. It misleads where
readers stop early, since it weighs the whole ranking; where judgments are few, since an unjudged document counts as not
relevant; and where topics differ much in their relevant documents, since easy topics dominate the mean (see gMAP). With
a cutoff it still divides by all relevant documents of the topic, so AP@10 cannot reach 1 where there are more than ten.
Not to be confused with the area under the precision-recall curve, nor with AP11.

Source: Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval's map and map_cut.
""")  # fmt: skip
