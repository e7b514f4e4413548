"""Scores, comparisons, curves and correlations: what `cranfield evaluate`, `compare`, `curve`, `correlate` show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import hooks
from cranfield.api.arguments import checked
from cranfield.api.frames import wide
from cranfield.api.keywords import of_runs
from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import Judged
from cranfield.errors import InputError, give_warning
from cranfield.lazy import type_in
from cranfield.metrics.correlation.correlate import correlate as correlate_scores
from cranfield.options import CompareOptions
from cranfield.results import Result, with_labellers
from cranfield.selection import Labellers
from cranfield.store.reading import Reading
from cranfield.view import (
    Labels,
    QrelsGiven,
    RunsGiven,
    labels_by,
    qrels_in,
    runs_in,
)

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.metrics.forecast.comparisons import FamilyOutcomes
else:
    DataFrame = type_in("pandas", "DataFrame")

__all__ = [
    "compare",
    "correlate",
    "read_qrels",
    "read_runs",
]  # fmt: skip

correlate = checked(correlate_scores)
correlate.__module__ = __name__  # where other processes find it


@checked
@of_runs(CompareOptions, "compare", third="measures")
def compare(qrels: QrelsGiven, runs: RunsGiven, options: CompareOptions, reading: Reading) -> DataFrame:
    """Test every pair of runs, or each run against a baseline: one row per pair and measure (AP by default).

    The difference of the means is a - b, with its interval low..high, and p before and after the correction. With
    `pivot`, the differences with one row per measure and run a, and one column per run b.

    `qrels` are judgments for the `runs`; alone it is a store or a table of scores from `evaluate(..., per_topic=True)`.
    test, correction, alpha, samples, seed and zeros are described in `cranfield.metrics.significance.compare`.

    `outcome` says what unjudged documents leave of a difference: significant, not significant, not decided, or due to
    unjudged documents; `significant` holds for the first alone. A model of the pooled runs decides: those of a store,
    or `pool_runs`, which are not compared. Without them a difference stands only if it is significant at its least and
    at its greatest value on every topic.
    `labels_of`, as in `evaluate`, says whose labels scored.
    `judged_a` and `judged_b` are the judged shares of the first `judged_cutoff` documents. `drawn` names labelled draws
    of unjudged documents. Scores hold no judgments: with a column `judged` below 1 they are not decided, without
    the column "not checked".

    With `answers` the generated answers of a store are compared (by V_strict), with the `nuggets` of people where there
    are any, or as `evaluate` has it. `cluster` and `topics` are those of `evaluate`.

    >>> scores = {"good": {t: {"d": 1.0} for t in "123"}, "poor": {"1": {"d": 1.0}, "2": {"e": 1.0}, "3": {"e": 1.0}}}
    >>> table = compare({topic: {"d": 1, "e": 0} for topic in "123"}, scores, measures="RR", test="t")
    >>> table[["run_a", "difference", "p"]].round(3)
      run_a  difference      p
    0  good       0.667  0.184
    """
    table = _compared(runs, qrels, options, reading).table
    if options.pivot:
        return wide(table, ["measure", "run_a"], "run_b", "difference")
    return with_labellers(table, reading.left_out)


class ComparedTable(NamedTuple):
    """A comparison and what conditions look at.

    Parameters
    ----------
    table : DataFrame
        The comparison.
    families : mapping or None
        The outcomes by measure; None where the documents of the runs are not known.
    lack : str
        What an undecided condition lacks, in words.
    """

    table: DataFrame
    families: Mapping[str, FamilyOutcomes] | None = None
    lack: str = ""


@of_runs(CompareOptions, "compare", third="measures")
def compare_with_families(
    qrels: QrelsGiven, runs: RunsGiven, options: CompareOptions, reading: Reading
) -> ComparedTable:
    """The table of `compare`, and what conditions look at."""
    return _compared(runs, qrels, options, reading)


def _compared(runs: RunsGiven, qrels: QrelsGiven, options: CompareOptions, reading: Reading) -> ComparedTable:
    from cranfield.analysis.comparison import of_common_topics, open_judged_subject, outcomes_of, respelled_topics
    from cranfield.analysis.outcomes import add_outcomes_of_scores, lack_of_model, pool_note
    from cranfield.call_view import CallView
    from cranfield.metrics.significance.compare import compare as tested

    runs = runs.frame if isinstance(runs, Result) else runs
    runs, qrels = _read_pipes(list(runs) if isinstance(runs, Iterator) else runs, qrels)
    view = CallView.of_objects(runs, qrels, options, reading)
    how = options.among("baseline", "test", "correction", "alpha", "samples", "seed", "zeros")
    if other := hooks.instead("compare", reading.added):
        scores: Any = other.run(view, options, tell=give_warning)
        return ComparedTable(tested(scores, None, **how))
    if qrels is None and not view.is_stored:
        if options.ignore_own_id:
            raise InputError("ignore_own_id needs runs; a table of scores has no documents")
        scores = of_common_topics(runs) if options.which is WhichTopics.common else runs  # type: ignore[arg-type]
        for line in respelled_topics(scores):
            give_warning(line)
        table = tested(scores, None, measures=options.measures, **how)  # type: ignore[arg-type]
        return ComparedTable(add_outcomes_of_scores(table, scores))
    opened = open_judged_subject(view, options)
    table = tested(view.blocks, None, measures=opened.measures, **how)
    if isinstance(runs, Judged):
        return ComparedTable(table)
    compared = outcomes_of(opened, table, options)
    assert compared is not None
    option = "" if view.is_stored else "pool_runs"
    for line in [*compared.notes, *filter(None, [pool_note(compared, option)])]:
        give_warning(line)
    return ComparedTable(compared.table, compared.families, lack_of_model(compared, option))


def _read_pipes(runs: RunsGiven, qrels: QrelsGiven) -> tuple[RunsGiven, QrelsGiven]:
    """The runs and the judgments, read where they come from pipes, which can be read only once."""
    from cranfield.metrics.inputs import as_qrels, as_runs

    if any(map(_is_pipe, runs if isinstance(runs, list | tuple) else [runs])):
        runs = as_runs(runs)  # type: ignore[arg-type]
    return runs, as_qrels(qrels) if _is_pipe(qrels) else qrels  # type: ignore[arg-type]


def _is_pipe(given: object) -> bool:
    return (
        isinstance(given, str | PathLike)
        and Path(given).exists()
        and not (Path(given).is_file() or Path(given).is_dir())
    )


@checked
def read_runs(given: RunsGiven | Iterable[str | PathLike[str]]) -> DataFrame:
    """Read runs as a table, from a store, files or any other form.

    Parameters
    ----------
    given : runs, store or paths
        The runs in any form that `evaluate` takes.

    Returns
    -------
    DataFrame
        Columns run, query_id, doc_id, rank and score, in trec_eval's order.

    Examples
    --------
    >>> read_runs({"a": {"q": {"d1": 1.0, "d2": 2.0}}})[["doc_id", "rank"]].values.tolist()
    [['d2', 1], ['d1', 2]]
    """
    from cranfield.api.frames import runs_frame

    return runs_frame(runs_in(given))


@checked
def read_qrels(
    given: QrelsGiven,
    *,
    assessor: str | None = None,
    labels: Labels = "all",
    policy: str | None = None,
    format: str = "auto",
) -> DataFrame:
    """Read judgments as a table, from a store, a file or any other form.

    Parameters
    ----------
    given : judgments or store
        The judgments in any form that `evaluate` takes.
    assessor : str, optional
        Of a store: count only the labels of this assessor.
    labels : {"people", "models", "all"}
        Of a store: whose labels count.
    policy : str, optional
        Of a store: what counts where labels differ.
    format : str
        The format of a file whose columns do not show it, such as sample-eval.

    Returns
    -------
    DataFrame
        Columns query_id, doc_id and relevance; also iteration, stratum or subtopic if there are any.

    Raises
    ------
    InputError
        If the judgments cannot be read, or a `format` is given for what is not a file.

    Examples
    --------
    >>> read_qrels({"q": {"d1": 1}}).values.tolist()
    [['q', 'd1', 1]]
    """
    from cranfield.api.frames import qrels_frame
    from cranfield.formats import read_qrels as read_file

    if format != "auto":
        if not isinstance(given, str | PathLike):
            raise InputError("format is that of a file of judgments; other judgments have none")
        return qrels_frame(read_file(Path(given), format=format, fractions=True))
    return qrels_frame(qrels_in(given, Labellers(assessor, labels_by(labels), policy)))
