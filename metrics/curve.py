"""Precision-recall curves: interpolated at eleven recall points and averaged over topics, or by topic without
interpolation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.evaluate import aggregate, score
from cranfield.metrics.inputs import QrelsLike, RunsLike, as_judged
from cranfield.metrics.measures.ap11 import RECALL_POINTS
from cranfield.metrics.measures.iprec import IPREC

if TYPE_CHECKING:
    from pandas import DataFrame


def curve(judged: Judged, rel: int = 1, rule: str = "trec_eval") -> Floats:
    """The precision of each run at each of the eleven points, as an array (runs, 11); for the rules see IPrec.

    They show where one system is better than another, early or late, which no single number can. They mislead near
    recall 1, where few topics have points, and between the points of topics with few relevant documents (see IPrec).

    >>> from cranfield.metrics.examples import example
    >>> curve(example([1, 0, 1, 0])).round(2).tolist()[0]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67]
    >>> curve(example([1, 0, 1, 0]), rule="exact").round(2).tolist()[0]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67, 0.67, 0.67]
    """
    points = [IPREC.set(recall=point, rel=rel, rule=rule) for point in RECALL_POINTS]
    return aggregate(score(judged, points), points)


def precision_recall(
    runs: RunsLike | Judged, qrels: QrelsLike | None = None, rel: int = 1, rule: str = "trec_eval"
) -> DataFrame:
    """The interpolated curve, a mean over topics, as a table: run, recall, precision."""
    import pandas as pd

    judged = as_judged(runs, qrels)
    tags = np.repeat(np.array(judged.tags, dtype=object), len(RECALL_POINTS))
    recall = np.tile(RECALL_POINTS, len(judged.tags))
    return pd.DataFrame({"run": tags, "recall": recall, "precision": curve(judged, rel, rule).ravel()})


def topic_curves(runs: RunsLike | Judged, qrels: QrelsLike | None = None, rel: int = 1) -> DataFrame:
    """The curves of single topics, not interpolated: a point at each relevant document found.

    Columns run, query_id, rank, recall, precision; a topic for which a run finds nothing has no point.

    >>> found = {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> topic_curves(found, {"q": {"d1": 1, "d3": 1}})[["rank", "recall", "precision"]].round(2).values.tolist()
    [[1.0, 0.5, 1.0], [3.0, 1.0, 0.67]]
    """
    import pandas as pd

    judged = as_judged(runs, qrels)
    hit = judged.relevant(rel)
    run, topic = np.divmod(hit.ranking, max(len(judged.qids), 1))
    return pd.DataFrame(
        {
            "run": np.array(judged.tags, dtype=object)[run],
            "query_id": np.array(judged.qids, dtype=object)[topic],
            "rank": hit.rank,
            "recall": hit.nth / judged.num_relevant(rel)[hit.ranking],
            "precision": hit.nth / hit.rank,
        }
    )
