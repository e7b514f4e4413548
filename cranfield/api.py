"""Commands as functions: a store, or runs and judgments in any shape, in; DataFrames out."""

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
    """The scores of runs: one row a run and measure, or with `per_topic` a run, topic and measure.

    `runs` is a store, or runs, and then `qrels` their judgments. Of a store `assessor` or `labels` say whose judgments
    count, and its scale which grades are relevant, where a measure does not. Measures are names, or measure objects of
    ir_measures; `cranfield.metrics.shapes` has the same in the shapes of ir_measures and pytrec_eval.

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
    """Test every pair of runs, or each run against a baseline: one row a pair and measure (AP, if not told).

    `runs` is a store, or runs with their `qrels`, or a table of scores as `evaluate(..., per_topic=True)` gives it.
    `how`: test, correction, alpha, samples, seed, zeros, as `cranfield.metrics.significance.compare` says.

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
    """The precision-recall curve of each run: run, recall, precision, at eleven points of recall, a mean over topics.

    `rule` says what reaches a point of recall: see the measure IPrec. With points="raw" it is not interpolated: run,
    query_id, rank, recall, precision, a row a relevant document found.

    >>> curve({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d2": 1}}, points="raw").values.tolist()
    [['run', 'q', 2, 1.0, 0.5]]
    """
    from cranfield.metrics.curve import precision_recall, topic_curves

    if points not in ("eleven", "raw"):
        raise InputError(f"points is {points!r}, where one of eleven, raw is right")
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
    """What each unit of runs loses when its pool is built without it, as `cranfield reusability` finds it.

    One row a unit, run and measure, with its score and rank in full and without the unit, and tau of all runs. `runs`
    is a store, or runs with their `qrels`. `depth` is the pool's; a store's is known, and of others it is found out.
    Units are `by` run, team, kind or cluster, or as given in `units`, which have to be all that was pooled; `teams` is
    a file that says who was pooled, or a dict of the runs' teams. `protect` is the second column of judgments that came
    otherwise. What the command notes is a warning: who cannot have been pooled, and why there can be no verdict.

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
        raise InputError(f"by is {by!r}, where one of run, team, kind, cluster is right")
    source = source_in(runs, qrels, teams, assessor, labels, pool)
    check_protect(source, protect)
    told = reusability_of(source, by, depth, asked, protect, relevant_only)
    for line in _open_questions(told):
        warned(line)
    return _loss_table(told.found)


def _open_questions(told: Verdict) -> list[str]:
    """What the command notes; but not that the judgments show all runs to have been pooled."""
    who = told.who
    plain = who is not None and who.known_by == "judgments" and not (who.others or who.undecided)
    return [line for line in told.notes if not (plain and who and line in who.notes)]


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
        raise InputError("units of your own need the depth of the pool")
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
    """The depth-k pool of runs: query_id, doc_id, the best rank (depth) and the runs that brought it.

    `depths` gives single runs a depth of their own. Of a store, the runs that contribute are pooled, to their own
    depths where they have any, and nothing is stored; without a depth it is the pool that the store has, by its number
    or the newest, with strata and probabilities where it is a sample.

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
    """Runs as a table: run, query_id, doc_id, rank, score, in trec_eval's order; of a store, files or any other shape.

    >>> read_runs({"a": {"q": {"d1": 1.0, "d2": 2.0}}})[["doc_id", "rank"]].values.tolist()
    [['d2', 1], ['d1', 2]]
    """
    from cranfield.api_frames import runs_frame

    return runs_frame(runs_in(given))


def read_qrels(given: QrelsGiven, assessor: str | None = None, labels: Labels = "all") -> DataFrame:
    """Judgments as a table: query_id, doc_id, relevance, and iteration, stratum or subtopic where there are any.

    `assessor` or `labels` say whose, of a store.

    >>> read_qrels({"q": {"d1": 1}}).values.tolist()
    [['q', 'd1', 1]]
    """
    from cranfield.api_frames import qrels_frame

    return qrels_frame(qrels_in(given, assessor, labels))


def _asked(measures: Measures, runs: RunsGiven, qrels: QrelsGiven) -> tuple[Measure, ...]:
    """The measures; where they do not say which grade is relevant, the store's scale does, if it has another than 1."""
    least = least_relevant(runs, qrels)
    return parse_all(measures, least)
