"""What a run's score can become, whatever its unjudged documents turn out to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.diagnosis.bounds_ap import average_precision_bounds
from cranfield.metrics.diagnosis.bounds_counts import bounds_by_count
from cranfield.metrics.diagnosis.bounds_ndcg import ndcg_bounds
from cranfield.metrics.diagnosis.possible_grades import levels
from cranfield.metrics.diagnosis.unjudged_ranks import labelled, unjudged_ranks
from cranfield.metrics.evaluate import AGGREGATES
from cranfield.metrics.measure import Extremes, Measure
from cranfield.metrics.measures.rbpresid import RBPRESID

Bounds = tuple[Floats, Floats]
Method = Callable[[Judged, Measure, int | None], Bounds | None]


def one_way(judged: Judged, measure: Measure, depth: int | None) -> Bounds:
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
    where, best, cutoff = unjudged_ranks(judged, depth), levels(judged, measure)[-1], measure.options.get("cutoff")
    seen = where.rank <= (cutoff if isinstance(cutoff, int) else np.inf)
    choices = (np.zeros_like(seen), seen, ~seen, np.ones_like(seen))
    return _extremes(judged, measure, depth, (best * chosen for chosen in choices))


def by_highest_gain(judged: Judged, measure: Measure, depth: int | None) -> Bounds:
    """With a given highest gain graded RBP is a sum: so all have that gain, or the last alone has it, or none."""
    where = unjudged_ranks(judged, depth)
    last = np.append(np.diff(where.ranking) != 0, True)[: len(where.ranking)]
    some = [grade * chosen for grade in levels(judged, measure) for chosen in (np.ones_like(last), last)]
    return _extremes(judged, measure, depth, some)


def rank_biased(judged: Judged, measure: Measure, depth: int | None) -> Bounds:
    """RBP's: a sum with binary gains; then its residual is the weight of all that is unknown."""
    if measure.options["gains"] != "binary":
        return by_highest_gain(judged, measure, depth)
    low, high = one_way(judged, measure, depth)
    if depth is not None or measure.options["cutoff"] is not None:
        return low, high
    return low, low + RBPRESID.set(p=measure.options["p"]).scores(judged)


def _extremes(judged: Judged, measure: Measure, depth: int | None, labels: Iterable[Ints]) -> Bounds:
    """The least and the greatest score under these labels of the unjudged documents."""
    where = unjudged_ranks(judged, depth)
    scores = np.array([measure.scores(labelled(judged, where, grades)) for grades in labels])
    return scores.min(axis=0), scores.max(axis=0)


def _by_options(function: Callable[..., Bounds]) -> Method:
    """A function that takes the measure's options instead of the measure."""

    def found(judged: Judged, measure: Measure, depth: int | None) -> Bounds:
        own = {name: value for name, value in measure.settings.items() if name in measure.defaults}
        return function(judged, **own, depth=depth)

    return found


METHODS: Mapping[Extremes, Method] = {
    "one way": one_way,
    "best on top": bounds_by_count,
    "best on top, equal gains": bounds_by_count,
    "average precision": _by_options(average_precision_bounds),
    "nDCG": _by_options(ndcg_bounds),
    "rank-biased": rank_biased,
}


def bounds(judged: Judged, measure: Measure, depth: int | None = None) -> Bounds | None:
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
    >>> from cranfield.metrics.notation.parse import parse
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
    found = bounds(judged, measure, depth)
    if found is None:
        return np.nan, np.nan
    low, high = (float(AGGREGATES[measure.aggregate](values)) for values in found)
    return low, high
