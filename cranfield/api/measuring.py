"""Runs and judgments as tables."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.options.arguments import check_arguments
from cranfield.selection import Labellers
from cranfield.view import (
    Labels,
    QrelsGiven,
    RunsGiven,
    load_given_qrels,
    load_given_runs,
    parse_labelled_by,
)

if TYPE_CHECKING:
    from pandas import DataFrame

else:
    DataFrame = lazy_type("pandas", "DataFrame")

__all__ = [
    "read_qrels",
    "read_runs",
]  # fmt: skip


@check_arguments
def read_runs(given: RunsGiven | Iterable[str | PathLike[str]]) -> DataFrame:
    """Read runs as a table, from a store, files or any other form.

    Parameters
    ----------
    given : runs, store or paths
        The runs in any form that `evaluate` accepts.

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

    return runs_frame(load_given_runs(given))


@check_arguments
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
        The judgments in any form that `evaluate` accepts.
    assessor : str, optional
        The only assessor whose labels count (stores only).
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count (stores only).
    policy : str, optional
        Policy for documents with differing labels (stores only).
    format : str
        The format of a file, if it cannot be detected, such as sample-eval.

    Returns
    -------
    DataFrame
        Columns query_id, doc_id and relevance. Columns iteration, stratum and subtopic are present if the judgments
        have them.

    Raises
    ------
    InputError
        If the judgments cannot be read, or if `format` is given without a file.

    Examples
    --------
    >>> read_qrels({"q": {"d1": 1}}).values.tolist()
    [['q', 'd1', 1]]
    """
    from cranfield.api.frames import qrels_frame
    from cranfield.formats import read_qrels as read_file

    if format != "auto":
        if not isinstance(given, str | PathLike):
            raise InputError("format is given without a file; expected a path to judgments")
        return qrels_frame(read_file(Path(given), format=format, fractions=True))
    return qrels_frame(load_given_qrels(given, Labellers(assessor, parse_labelled_by(labels), policy)))
