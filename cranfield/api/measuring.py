"""Scores, comparisons, curves and correlations: what `cranfield evaluate`, `compare`, `curve`, `correlate` show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from cranfield import hooks
from cranfield.api.frames import wide
from cranfield.api.inputs import (
    DEFAULT,
    Labels,
    Measures,
    QrelsGiven,
    RunsGiven,
    Topics,
    asked_for,
    blocks_in,
    connected,
    labels_by,
    least_relevant,
    qrels_in,
    released,
    runs_in,
    store_alone,
    store_in,
    topics_that,
    warned,
)
from cranfield.arrays import WhichTopics
from cranfield.errors import InputError
from cranfield.metrics.correlation.correlate import correlate

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["compare", "correlate", "curve", "evaluate", "measures", "read_qrels", "read_runs"]


def evaluate(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    measures: Measures = DEFAULT,
    per_topic: bool = False,
    retrieved_topics_only: bool = False,
    assessor: str | None = None,
    labels: Labels = "all",
    pivot: bool = False,
    release: str | None = None,
    cluster: str | None = None,
    topics: Topics = "all",
    **added: Any,
) -> DataFrame:
    """Score runs: run, measure, value; with `per_topic` also query_id; with `pivot` one column per measure.

    `runs` is a store, or runs with their judgments as `qrels`. For a store, `assessor` or `labels` select whose
    judgments count, and its scale defines which grades are relevant unless a measure does; `release` names one of its
    releases, which "track.db@1.0" does as well. Measures are names or
    measure objects of ir_measures; `cranfield.metrics.shapes` returns the same in the forms of ir_measures and
    pytrec_eval.

    With `answers` the generated answers of a store are scored, by V_strict, V, A and W unless measures say otherwise;
    with `labelled_topics_only` on the topics on which no label is missing. `nuggets` chooses whose nuggets; by default
    people's where there are any, else models'.

    A topic that a run did not answer is 0 for it, and a warning says so; topics="common" takes the topics that all
    runs answered, and `retrieved_topics_only` of each run its own.

    `cluster` computes it in the workers of a Dask cluster, tcp://HOST:PORT, or in N processes, local:N.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> runs = {"a": {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}, "b": {"q1": {"d1": 1.0}}}
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # b did not answer q2
    ...     evaluate(runs, qrels, measures="AP")
    ...     evaluate(runs, qrels, measures="AP", topics="common")
    ...     evaluate(runs, qrels, measures=["AP", "P@1"], per_topic=True, pivot=True)
      run measure  value
    0   a      AP    0.5
    1   b      AP    0.5
      run measure  value
    0   a      AP    1.0
    1   b      AP    1.0
                   AP  P@1
    run query_id
    a   q1        1.0  1.0
        q2        0.0  0.0
    b   q1        1.0  1.0
        q2        0.0  0.0
    """
    from cranfield.metrics import evaluate as scores

    with connected(cluster), hooks.giving("evaluate", added):
        runs = released(runs, release)
        if other := hooks.instead("evaluate"):
            found = _of_others(
                other,
                runs,
                qrels,
                measures=measures,
                per_topic=per_topic,
                retrieved_topics_only=retrieved_topics_only,
                assessor=assessor,
                labels=labels,
                topics=topics,
            )
        else:
            asked = asked_for(measures, runs, qrels)
            judged = blocks_in(runs, qrels, assessor=assessor, labels=labels, topics=topics, own=retrieved_topics_only)
            found = scores.evaluate(judged, None, asked, per_topic, retrieved_topics_only)
        keys = ["run", "query_id"] if per_topic else ["run"]
        return wide(found, keys, "measure", "value") if pivot else found


def _of_others(
    other: hooks.Step, runs: RunsGiven, qrels: QrelsGiven, *, measures: Measures, per_topic: bool,
    retrieved_topics_only: bool, assessor: str | None, labels: Labels, topics: Topics,
) -> DataFrame:  # fmt: skip
    """The scores of what else a store has, which a feature finds."""
    from cranfield.metrics.evaluate import run_table, topic_table

    place, named = store_alone(other, runs, qrels), None if measures is DEFAULT else measures
    scores, asked, _ = other.run([place], named, assessor=assessor, labels=labels_by(labels), tell=warned)
    for line in scores.topics_answered().said(topics_that(topics), retrieved_topics_only):
        warned(line)
    counted = scores.counted(retrieved_topics_only, topics_that(topics))
    table: DataFrame = (
        topic_table(scores, asked, counted)
        if per_topic
        else run_table(scores.tags, asked, scores.means(asked, counted))
    )
    return table


def compare(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    measures: Measures | None = None,
    baseline: str | None = None,
    assessor: str | None = None,
    labels: Labels = "all",
    pivot: bool = False,
    cluster: str | None = None,
    topics: Topics = "all",
    **how: Any,
) -> DataFrame:
    """Test every pair of runs, or each run against a baseline: one row per pair and measure (AP by default).

    The difference of the means is a - b, with its interval low..high, and p before and after the correction. With
    `pivot`, the differences with one row per measure and run a, and one column per run b.

    `runs` is a store, or runs with their `qrels`, or a table of scores from `evaluate(..., per_topic=True)`. `how`
    takes test, correction, alpha, samples, seed and zeros, as described in `cranfield.metrics.significance.compare`.

    With `answers` the generated answers of a store are compared (by V_strict), with the `nuggets` of people where there
    are any, or as `evaluate` has it. `cluster` and `topics` are those of `evaluate`.

    >>> scores = {"good": {t: {"d": 1.0} for t in "123"}, "poor": {"1": {"d": 1.0}, "2": {"e": 1.0}, "3": {"e": 1.0}}}
    >>> table = compare(scores, {topic: {"d": 1} for topic in "123"}, measures="RR", test="t")
    >>> table[["run_a", "difference", "p"]].round(3)
      run_a  difference      p
    0  good       0.667  0.184
    """
    from cranfield.metrics.significance.compare import compare as tested

    added = {name: how.pop(name) for name in hooks.fields("compare") if name in how}
    with connected(cluster), hooks.giving("compare", added):
        if other := hooks.instead("compare"):
            place = store_alone(other, runs, qrels)
            scores = other.run(
                [place], measures, assessor=assessor, labels=labels_by(labels), tell=warned, topics=topics_that(topics)
            )
            found = tested(scores, None, measures=None, baseline=baseline, **how)
        else:
            found = _compared(
                runs, qrels, measures, baseline=baseline, assessor=assessor, labels=labels, topics=topics, how=how
            )
        return wide(found, ["measure", "run_a"], "run_b", "difference") if pivot else found


def _compared(
    runs: RunsGiven,
    qrels: QrelsGiven,
    measures: Measures | None,
    *,
    baseline: str | None,
    assessor: str | None,
    labels: Labels,
    topics: Topics,
    how: Mapping[str, Any],
) -> DataFrame:
    from cranfield.analysis.comparison import of_common_topics
    from cranfield.metrics.significance.compare import compare as compared

    if qrels is None and store_in(runs) is None:
        scores = of_common_topics(runs) if topics_that(topics) is WhichTopics.common else runs  # type: ignore[arg-type]
        return compared(scores, None, measures=measures, baseline=baseline, **how)  # type: ignore[arg-type]
    asked = asked_for("AP" if measures is None else measures, runs, qrels)
    return compared(
        blocks_in(runs, qrels, assessor=assessor, labels=labels, topics=topics),
        None,
        measures=asked,
        baseline=baseline,
        **how,
    )


def curve(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    points: Literal["eleven", "raw"] = "eleven",
    rule: Literal["trec_eval", "exact"] = "trec_eval",
    labels: Labels = "all",
    pivot: bool = False,
    topics: Topics = "all",
) -> DataFrame:
    """The precision-recall curve of each run: run, recall, precision, at eleven recall points, averaged over topics.

    With `pivot`, one row per recall point and one column per run. `topics` is that of `evaluate`.

    `rule` defines when a recall point is reached: see the measure IPrec. With points="raw" the curve is not
    interpolated: run, query_id, rank, recall, precision, one row per relevant document found.

    >>> curve({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d2": 1}}, points="raw").values.tolist()
    [['run', 'q', 2, 1.0, 0.5]]
    """
    from cranfield.metrics.evaluate import precision_recall, topic_curves

    if points not in ("eleven", "raw"):
        raise InputError(f"points is {points!r}; expected eleven or raw")
    judged, rel = blocks_in(runs, qrels, assessor=None, labels=labels, topics=topics).whole, least_relevant(runs, qrels)
    if points == "raw":
        return topic_curves(judged, rel=rel)
    found = precision_recall(judged, rel=rel, rule=rule)
    return wide(found, ["recall"], "run", "precision") if pivot else found


def read_runs(given: RunsGiven | Iterable[str | PathLike[str]]) -> DataFrame:
    """Runs as a table: run, query_id, doc_id, rank, score, in trec_eval's order; from a store, files or any other form.

    >>> read_runs({"a": {"q": {"d1": 1.0, "d2": 2.0}}})[["doc_id", "rank"]].values.tolist()
    [['d2', 1], ['d1', 2]]
    """
    from cranfield.api.frames import runs_frame

    return runs_frame(runs_in(given))


def read_qrels(given: QrelsGiven, *, assessor: str | None = None, labels: Labels = "all") -> DataFrame:
    """Judgments as a table: query_id, doc_id, relevance, and iteration, stratum or subtopic if there are any.

    For a store, `assessor` or `labels` select whose judgments.

    >>> read_qrels({"q": {"d1": 1}}).values.tolist()
    [['q', 'd1', 1]]
    """
    from cranfield.api.frames import qrels_frame

    return qrels_frame(qrels_in(given, assessor, labels))


def measures() -> DataFrame:
    """The measures: measure, options, range, trec_eval's name, what it measures. `cranfield measures NAME` says more.

    >>> measures().set_index("measure").loc["RR", "range"]
    '0..1'
    """
    import pandas as pd

    from cranfield.metrics import every_measure

    return pd.DataFrame([measure.row for measure in every_measure()])
