"""Which runs are significantly below the best run, and what unjudged documents leave of that."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from cranfield.analysis.comparison import outcomes_under_pool
from cranfield.analysis.outcomes import (
    DEFAULT_DEPTH,
    CompareSetting,
    judged_by_cutoff,
    measure_cutoff,
    worst_case_bounds_note,
)
from cranfield.analysis.pool_model import find_pool
from cranfield.arrays.judged import Judged
from cranfield.errors import CranfieldError
from cranfield.metrics.forecast.outcomes import Outcome
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.counts import JUDGED
from cranfield.metrics.significance.best import compare_with_best, correct_for_best
from cranfield.metrics.significance.pairs import Correction
from cranfield.parallel import progress_bar
from cranfield.view import View


class BestRunOutcomes(NamedTuple):
    """Per measure, the outcome of each run that is, or may be, below the best run; notes; the tests that gave p."""

    below: Mapping[str, Mapping[str, Outcome]]
    notes: Sequence[str] = ()
    p_tests: frozenset[str] = frozenset()


def outcomes_below_best(
    view: View, judged: Judged, measures: Sequence[Measure], best: Mapping[str, str]
) -> BestRunOutcomes:
    """Find the runs significantly below the best run: paired t test, corrected for all pairs of runs.

    Where documents of either run are unjudged, the rule of `compare` decides: the difference is significant, not
    decided, or due to unjudged documents.

    Parameters
    ----------
    view : View
        The runs, the judgments and the pool.
    judged : Judged
        The judged positions of these runs.
    measures : sequence of Measure
        The measures; those without a mean over topics have no outcomes.
    best : mapping
        The best run by each measure, by the measure's name.

    Returns
    -------
    BestRunOutcomes
        By measure and run: significant, not decided, or due to unjudged documents. Other runs are absent.
    """
    tables = {
        str(measure): _comparison_with_best(judged, measure, best) for measure in measures if str(measure) in best
    }
    tested = [measure for measure in measures if len(tables.get(str(measure), ()))]
    below = {str(measure): _as_judged(tables[str(measure)]) for measure in tested}
    p_tests = frozenset(name for measure in tested for name in tables[str(measure)]["p_test"].dropna())
    some = _runs_in_question(judged, tested, best, view.pool_depth)
    if not some:
        return BestRunOutcomes(below, p_tests=p_tests)
    numbers = np.array([judged.tags.index(tag) for tag in some])
    table = pd.concat([tables[str(measure)] for measure in tested], ignore_index=True)
    table = table[table["run_a"].isin(some)].reset_index(drop=True)
    correction = Correction("pairs", "Bonferroni over all pairs", partial(correct_for_best, runs=len(judged.tags)))
    with progress_bar("simulating labels"):
        compared = outcomes_under_pool(
            view, judged.select_runs(numbers), tuple(tested), table, CompareSetting(), pool=find_pool(view),
            correction=correction,
        )  # fmt: skip
    for row in compared.table.to_dict("records"):
        found, outcome = below[row["measure"]], Outcome(row["outcome"])
        found.pop(row["run_a"], None)
        is_open = outcome == Outcome.UNDECIDED
        if is_open or (row["difference"] < 0 and outcome in (Outcome.SIGNIFICANT, Outcome.UNJUDGED)):
            found[row["run_a"]] = outcome
    return BestRunOutcomes(below, [*filter(None, [worst_case_bounds_note(compared, "")])], p_tests)


def _comparison_with_best(judged: Judged, measure: Measure, best: Mapping[str, str]) -> pd.DataFrame:
    if measure.aggregate != "mean" or measure.name == JUDGED.name:
        return pd.DataFrame()
    try:
        return compare_with_best(judged, measure, best[str(measure)])
    except CranfieldError:  # one run or one topic
        return pd.DataFrame()


def _as_judged(table: pd.DataFrame) -> dict[str, Outcome]:
    rows = table.loc[table["significant"] & (table["difference"] < 0), "run_a"].astype(str)
    return dict.fromkeys(rows, Outcome.SIGNIFICANT)


def _runs_in_question(
    judged: Judged, measures: Sequence[Measure], best: Mapping[str, str], depth: int | None
) -> list[str]:
    """The runs with unjudged documents within a cutoff, and the best ones; all where a best run has some."""
    if not measures or not judged.has_nonrelevant:
        return []
    cutoffs = [measure_cutoff(measure, depth or DEFAULT_DEPTH) for measure in measures]
    shares = judged_by_cutoff(judged, [min(cutoff, depth or cutoff) for cutoff in cutoffs])
    is_full = np.all([np.nan_to_num(share, nan=1.0).min(axis=1, initial=1.0) >= 1 for share in shares.values()], axis=0)
    has_unjudged = {tag for tag, full in zip(judged.tags, is_full.tolist(), strict=True) if not full}
    best_tags = {best[str(measure)] for measure in measures}
    if not has_unjudged:
        return []
    return [tag for tag in judged.tags if has_unjudged & best_tags or tag in has_unjudged | best_tags]
