"""The commands as Python functions: they take a store, or runs and judgments in any form, and return DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield.api_inputs import (
    QrelsGiven,
    RunsGiven,
    TeamsGiven,
    judged_in,
    least_relevant,
    qrels_in,
    runs_in,
    source_in,
    store_in,
    warned,
)
from cranfield.errors import InputError
from cranfield.metrics.correlation import correlate
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation.parse import MeasureLike, parse_all

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.verdict import Verdict
    from cranfield.metrics.reusability.results import Reusability

__all__ = ["compare", "correlate", "curve", "evaluate", "leave_one_out", "pool", "read_qrels", "read_runs"]

Labels: TypeAlias = Literal["people", "models", "all"]
Measures: TypeAlias = "MeasureLike | Iterable[MeasureLike]"
DEFAULT = ("AP", "nDCG@10", "P@10")


def evaluate(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    measures: Measures = DEFAULT,
    per_topic: bool = False,
    retrieved_topics_only: bool = False,
    assessor: str | None = None,
    labels: Labels = "all",
) -> DataFrame:
    """Score runs: one row per run and measure, or with `per_topic` per run, topic and measure.

    `runs` is a store, or runs with their judgments as `qrels`. For a store, `assessor` or `labels` select whose
    judgments count, and its scale defines which grades are relevant unless a measure does. Measures are names or
    measure objects of ir_measures; `cranfield.metrics.shapes` returns the same in the forms of ir_measures and
    pytrec_eval.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> evaluate({"q1": {"d1": 1.0}}, qrels, "AP")
       run measure  value
    0  run      AP    0.5
    >>> evaluate({"q1": {"d1": 1.0}}, qrels, "AP", retrieved_topics_only=True)
       run measure  value
    0  run      AP    1.0
    """
    from cranfield.metrics import evaluate as scores

    asked = _asked(measures, runs, qrels)
    return scores.evaluate(judged_in(runs, qrels, assessor, labels), None, asked, per_topic, retrieved_topics_only)


def compare(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    measures: Measures | None = None,
    baseline: str | None = None,
    assessor: str | None = None,
    labels: Labels = "all",
    **how: Any,
) -> DataFrame:
    """Test every pair of runs, or each run against a baseline: one row per pair and measure (AP by default).

    `runs` is a store, or runs with their `qrels`, or a table of scores from `evaluate(..., per_topic=True)`. `how`
    takes test, correction, alpha, samples, seed and zeros, as described in `cranfield.metrics.significance.compare`.

    >>> scores = {"good": {t: {"d": 1.0} for t in "123"}, "poor": {"1": {"d": 1.0}}}
    >>> compare(scores, {topic: {"d": 1} for topic in "123"}, "RR", test="t")[["run_a", "difference", "p"]].round(3)
      run_a  difference      p
    0  good       0.667  0.184
    """
    from cranfield.metrics.significance import compare as compared

    if qrels is None and store_in(runs) is None:
        return compared(runs, None, measures, baseline, **how)  # type: ignore[arg-type]
    asked = _asked("AP" if measures is None else measures, runs, qrels)
    return compared(judged_in(runs, qrels, assessor, labels), None, asked, baseline, **how)


def curve(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    points: Literal["eleven", "raw"] = "eleven",
    rule: Literal["trec_eval", "exact"] = "trec_eval",
    labels: Labels = "all",
) -> DataFrame:
    """The precision-recall curve of each run: run, recall, precision, at eleven recall points, averaged over topics.

    `rule` defines when a recall point is reached: see the measure IPrec. With points="raw" the curve is not
    interpolated: run, query_id, rank, recall, precision, one row per relevant document found.

    >>> curve({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d2": 1}}, points="raw").values.tolist()
    [['run', 'q', 2, 1.0, 0.5]]
    """
    from cranfield.metrics.curve import precision_recall, topic_curves

    if points not in ("eleven", "raw"):
        raise InputError(f"points is {points!r}; expected eleven or raw")
    judged, rel = judged_in(runs, qrels, None, labels), least_relevant(runs, qrels)
    if points == "raw":
        return topic_curves(judged, rel=rel)
    return precision_recall(judged, rel=rel, rule=rule)


def leave_one_out(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    depth: int | None = None,
    units: Mapping[str, Sequence[str]] | None = None,
    measures: Measures = DEFAULT,
    by: Literal["run", "team", "kind", "cluster"] = "run",
    teams: TeamsGiven = None,
    protect: str | None = None,
    relevant_only: bool = False,
    pool: int | None = None,
    assessor: str | None = None,
    labels: Labels = "all",
) -> DataFrame:
    """What each unit of runs loses when the pool is built without it, like `cranfield reusability`.

    One row per unit, run and measure, with the score and rank in full and without the unit, and tau over all runs.
    `runs` is a store, or runs with their `qrels`. `depth` is that of the pool; by default it is the stored pool's, or
    inferred. Units are `by` run, team, kind or cluster, or given in `units`, which must then cover all pooled runs;
    `teams` is a file that states which runs were pooled, or a dict of the runs' teams. `protect` is the second column
    of judgments that did not come from the pool. Notes of the command are warnings here: which runs cannot have been
    pooled, and why there is no verdict.

    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> table = leave_one_out(runs, {"q": {"d1": 1, "d2": 1, "d3": 0}}, 2, measures="P@1")
    >>> table[["unit", "unique", "full", "reduced"]].values.tolist()
    [['a', 1, 1.0, 0.0], ['b', 1, 1.0, 1.0]]
    """
    from cranfield.analysis.reusability import check_protect, reusability_of

    asked = _asked(measures, runs, qrels)
    if units is not None:
        return _loss_table(_left_out(runs, qrels, depth, units, asked, assessor, labels))
    if by not in ("run", "team", "kind", "cluster"):
        raise InputError(f"by is {by!r}; expected run, team, kind or cluster")
    source = source_in(runs, qrels, teams, assessor, labels, pool)
    check_protect(source, protect)
    verdict = reusability_of(source, by, depth, asked, protect, relevant_only)
    for line in _open_questions(verdict):
        warned(line)
    return _loss_table(verdict.found)


def _open_questions(verdict: Verdict) -> list[str]:
    """The command's notes, without the one that all runs were inferred to be pooled."""
    who = verdict.who
    plain = who is not None and who.known_by == "judgments" and not (who.others or who.undecided)
    return [line for line in verdict.notes if not (plain and who and line in who.notes)]


def _left_out(
    runs: RunsGiven,
    qrels: QrelsGiven,
    depth: int | None,
    units: Mapping[str, Sequence[str]],
    asked: tuple[Measure, ...],
    assessor: str | None,
    labels: Labels,
) -> Reusability:
    from cranfield.metrics.reusability.leave_one_out import leave_one_out as left_out

    if depth is None:
        raise InputError("units of your own require the depth of the pool")
    judged = judged_in(runs, qrels, assessor, labels)
    return left_out(judged, units, depth, asked, rel=least_relevant(runs, qrels))


def _loss_table(found: Reusability) -> DataFrame:
    import pandas as pd

    rows = [
        {
            "unit": unit.unit, "run": c.run, "unique": unit.unique, "unique_relevant": unit.unique_relevant,
            "measure": c.measure, "full": c.full, "reduced": c.reduced, "change_percent": c.change_percent,
            "full_rank": c.full_rank, "reduced_rank": c.reduced_rank, "tau": unit.tau[c.measure],
        }
        for unit in found.units
        for c in unit.changes
    ]  # fmt: skip
    return pd.DataFrame(rows)


def pool(
    runs: RunsGiven,
    depth: int | None = None,
    depths: Mapping[str, int] | None = None,
    number: int | None = None,
) -> DataFrame:
    """The depth-k pool of runs: query_id, doc_id, the best rank (depth) and the runs that contributed it.

    `depths` sets depths for single runs. For a store, its contributing runs are pooled, to their own depths if they
    have any, and nothing is stored; without a depth the result is the stored pool of this number, or the newest, with
    strata and probabilities if it is a sample.

    >>> pool({"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0}}}, 1)[["doc_id", "depth"]].values.tolist()
    [['d1', 1], ['d2', 1]]
    """
    from cranfield.api_frames import pool_frame
    from cranfield.api_inputs import contributing_runs, stored_pool_in
    from cranfield.pooling.build import depth_pool

    if depth is None or number is not None:
        return pool_frame(stored_pool_in(runs, number))
    found, own = contributing_runs(runs)
    return pool_frame(depth_pool(found, depth, {**own, **(depths or {})}))


def read_runs(given: RunsGiven | Iterable[str | PathLike[str]]) -> DataFrame:
    """Runs as a table: run, query_id, doc_id, rank, score, in trec_eval's order; from a store, files or any other form.

    >>> read_runs({"a": {"q": {"d1": 1.0, "d2": 2.0}}})[["doc_id", "rank"]].values.tolist()
    [['d2', 1], ['d1', 2]]
    """
    from cranfield.api_frames import runs_frame

    return runs_frame(runs_in(given))


def read_qrels(given: QrelsGiven, assessor: str | None = None, labels: Labels = "all") -> DataFrame:
    """Judgments as a table: query_id, doc_id, relevance, and iteration, stratum or subtopic if there are any.

    For a store, `assessor` or `labels` select whose judgments.

    >>> read_qrels({"q": {"d1": 1}}).values.tolist()
    [['q', 'd1', 1]]
    """
    from cranfield.api_frames import qrels_frame

    return qrels_frame(qrels_in(given, assessor, labels))


def _asked(measures: Measures, runs: RunsGiven, qrels: QrelsGiven) -> tuple[Measure, ...]:
    """The measures; unless they say which grades are relevant, the store's scale does."""
    least = least_relevant(runs, qrels)
    return parse_all(measures, least)
