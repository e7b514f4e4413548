"""Comparisons with the best run: it is chosen by the scores that are tested, so p has to be corrected for all pairs."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.metrics.measure import Measure
from cranfield.metrics.significance.compare import compare

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.arrays.judged import Judged

ALPHA = 0.05


def correct_for_best(p: Floats, runs: int) -> Floats:
    """Correct p values of comparisons with the best of several runs, for every pair that could have been compared.

    Which run is the best is known only from the scores. The pairs with it are not those with a run that was named
    before: a correction for `runs - 1` comparisons finds a false difference too often.

    Parameters
    ----------
    p : array of floats
        The p value of each comparison with the best run, not corrected.
    runs : int
        The number of runs among which the best was found.

    Returns
    -------
    array of floats
        p times the number of pairs of runs, at most 1 (Bonferroni).

    References
    ----------
    Dunn, Multiple comparisons among means, JASA 56, 1961.

    Examples
    --------
    >>> correct_for_best(np.array([0.01, 0.2]), 3).round(4)
    array([0.03, 0.6 ])
    """
    return np.minimum(1.0, p * comb(runs, 2))


def compare_with_best(judged: Judged, measure: Measure, best: str) -> DataFrame:
    """Compare every run with the best one; p is corrected for all pairs of runs.

    p is by the paired t test, and by the sign test where all differences are equal (`p_test`).

    Unjudged documents count as not relevant. `cranfield.analysis.best_run` says which differences are not decided, or
    due to unjudged documents.

    Parameters
    ----------
    judged : Judged
        The rankings with their judgments.
    measure : Measure
        The measure by which `best` is the best run.
    best : str
        The tag of the best run.

    Returns
    -------
    DataFrame
        The columns of `compare` with `best` as `run_b`, where `p_corrected` and `significant` (at .05) are corrected
        for all pairs of runs.

    Raises
    ------
    InputError
        If there are fewer than two runs or topics.

    Examples
    --------
    >>> from cranfield.metrics import RR
    >>> from cranfield.metrics.inputs import join_judged
    >>> qrels = {topic: {"d": 1} for topic in "123"}
    >>> runs = {"good": {topic: {"d": 1.0} for topic in "123"}, "poor": {"1": {"d": 1.0}}, "same": {"1": {"d": 1.0}}}
    >>> table = compare_with_best(join_judged(qrels, runs), RR, "good")
    >>> table[["run_a", "difference", "p", "p_corrected"]].round(3).values.tolist()
    [['poor', -0.667, 0.184, 0.551], ['same', -0.667, 0.184, 0.551]]
    """
    table = compare(judged, measures=[measure], baseline=best, correction="none")
    corrected = correct_for_best(table["p"].to_numpy(float), len(judged.tags))
    return table.assign(p_corrected=corrected, significant=corrected <= ALPHA)
