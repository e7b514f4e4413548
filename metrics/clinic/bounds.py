"""What a run's score can become, whatever its unjudged documents turn out to be.

Exact for P, R, RR, Success, RBP with binary gains, DCG, AP and nDCG (with the ideal made anew); for other measures
there are none. Bounded are the labels, up to the highest grade of the collection (or rel, where that is higher), of the
documents that the run has unjudged down to a depth: at the pool's depth that is what the score could have been, had the
run been pooled. What nobody judged below that depth or in other runs stays as it is. Bounds say what is possible, not
what is likely; where they are far apart, which they are as soon as many documents are unjudged, only judging helps.

RBP without a depth is bounded by Moffat and Zobel's residual: also the ranks after the end of the ranking count as
unjudged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cranfield.judged import Judged
from cranfield.metrics.evaluate import mean
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measure import Measure
from cranfield.metrics.rbpresid import rank_biased_residual
from cranfield.rankings import Floats

from .bounds_ap import average_precision_bounds
from .bounds_ndcg import ndcg_bounds
from .holes import holes, labelled

Bounds = tuple[Floats, Floats]
ONE_BY_ONE = {"P", "R", "RR", "Success", "RBP", "DCG"}  # each label moves them one way, whatever the others are
OF_THEIR_OWN: dict[str, Callable[..., Bounds]] = {"AP": average_precision_bounds, "nDCG": ndcg_bounds}


def bounds(judged: Judged, measure: Measure, depth: int | None = None) -> Bounds | None:
    """Per ranking of one run the least and the greatest score; None where they are not known for the measure.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.measure import parse
    >>> run = example([1, None, 0, None], unretrieved=[1])
    >>> bounds(run, parse("P@4")), bounds(run, parse("P@4"), depth=2)
    ((array([0.25]), array([0.75])), (array([0.25]), array([0.5])))
    >>> bounds(run, parse("R@2"))  # the last may be relevant, too: at least 1 of 3, at best 2 of 3
    (array([0.33333333]), array([0.66666667]))
    >>> bounds(run, parse("Bpref")) is None
    True
    """
    options: dict[str, Any] = {name: value for name, value in measure.settings.items() if name != "judged_only"}
    if measure.sees_nonrelevant:
        return None
    if measure.name in OF_THEIR_OWN:
        return OF_THEIR_OWN[measure.name](judged, **options, depth=depth)
    if measure.name not in ONE_BY_ONE or (measure.name == "RBP" and measure.options["gains"] != "binary"):
        return None
    if measure.name == "RBP" and depth is None:
        kept = {name: value for name, value in options.items() if name in ("p", "cutoff")}
        return measure.scores(judged), measure.scores(judged) + rank_biased_residual(judged, **kept)
    return _one_by_one(judged, measure, depth)


def _one_by_one(judged: Judged, measure: Measure, depth: int | None) -> Bounds:
    """Least if only what lies below the cutoff, and raises nothing but R, is relevant; greatest if all else is."""
    where, cutoff = holes(judged, depth), measure.options["cutoff"]
    seen = where.rank <= (np.inf if not isinstance(cutoff, int) else cutoff)
    best, worst = best_grade(judged, measure), 0
    low, high = (measure.scores(labelled(judged, where, np.where(good, best, worst))) for good in (~seen, seen))
    return low, high


def best_grade(judged: Judged, measure: Measure) -> int:
    """The grade that adds most to the measure, among those up to the highest of the collection."""
    if "gains" in measure.defaults and measure.name != "RBP":
        gain = gain_of(np.arange(max(judged.highest_grade, 1) + 1), str(measure.options["gains"]))
        return int(np.argmax(gain))
    rel = measure.options["rel"]
    return max(judged.highest_grade, rel if isinstance(rel, int) else 1)


def mean_bounds(judged: Judged, measure: Measure, depth: int | None = None) -> tuple[float, float]:
    """The least and the greatest mean over topics of one run; NaN where they are not known.

    Topics are labelled one by one, so that the least mean is the mean of the least.
    """
    found = bounds(judged, measure, depth)
    if found is None or measure.aggregate != "mean":
        return np.nan, np.nan
    return float(mean(found[0])), float(mean(found[1]))
