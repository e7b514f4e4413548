"""Scores, comparisons, curves and correlations: what `cranfield evaluate`, `compare`, `curve`, `correlate` show."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.errors import InputError
from cranfield.metrics.correlation.correlate import correlate as correlate_scores
from cranfield.selection import Labellers
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


__all__ = [
    "correlate",
    "read_qrels",
    "read_runs",
]  # fmt: skip

correlate = checked(correlate_scores)
correlate.__module__ = __name__  # where other processes find it


@checked
def read_runs(given: RunsGiven | Iterable[str | PathLike[str]]) -> DataFrame:
    """Runs as a table: run, query_id, doc_id, rank, score, in trec_eval's order; from a store, files or any other form.

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
    """Judgments as a table: query_id, doc_id, relevance, and iteration, stratum or subtopic if there are any.

    For a store, `assessor` or `labels` select whose judgments; `policy` decides where they differ. `format` names that
    of a file where its columns do not show it, such as sample-eval.

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
