"""curve."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.arrays.which_topics import WhichTopics
from cranfield.cli.options import (
    Format,
    Labels,
    Output,
    Plot,
    SourcePaths,
    Topics,
)
from cranfield.cli.tables import SEPARATED, TableFormat, emit, note
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.arrays.judged import Judged


class Points(StrEnum):
    """The points of a precision-recall curve."""

    eleven = "eleven"
    raw = "raw"


class Rule(StrEnum):
    """How many relevant documents reach a recall point."""

    trec_eval = "trec_eval"
    exact = "exact"


def curve(
    paths: SourcePaths,
    points: Annotated[
        Points,
        typer.Option(
            help="Interpolate at eleven recall points and average over topics, or show the raw curve of each topic."
        ),
    ] = Points.eleven,
    rule: Annotated[
        Rule | None,
        typer.Option(
            help="For eleven points: recall x is reached by x R documents, rounded (trec_eval) or rounded up (exact)."
        ),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG",
            help="With --plot: draw this run as a line; may be repeated. [default: the best, the median and the worst,"
            " or all of a few]",
        ),
    ] = None,
    topics: Topics = WhichTopics.all,
    labels: Labels = LabelledBy.all,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show the precision-recall curve of each run, interpolated at 11 recall points or raw.

    Interpolated precision at recall x is the highest precision at any rank at or below the one where the share x of the
    R relevant documents is found. trec_eval, and therefore the default, rounds x R, halves up: with 1 of 3 found,
    recall .4 is reached. The textbook rule, --rule exact, requires 2 of 3 there, and never gives a higher value.
    --points raw does not interpolate: it has a point for each relevant document that a run finds, topic by topic.

    --plot draws the interpolated curves in one panel, with the range of the runs that are not drawn as lines; with
    --points raw, one panel per run with a line for each topic.

    Example: cranfield curve qrels.txt runs/*.gz --rule exact --plot curves.svg
    """
    from cranfield.source import min_relevant, open_judged

    if points is Points.raw and rule is not None:
        raise typer.BadParameter("for the interpolated curve only, not for --points raw", param_hint="--rule")
    if run and plot is None:
        raise typer.BadParameter("chooses what --plot draws; give that as well", param_hint="--run")
    judged, rel = open_judged(paths, None, labels, note, topics), min_relevant(paths[0])
    if points is Points.raw:
        _raw_curve(judged, rel, plot, run or [], format, output)
    else:
        _eleven_points(judged, rel, rule or Rule.trec_eval, plot, run or [], format, output)


def _eleven_points(
    judged: Judged, rel: int, rule: Rule, plot: Path | None, drawn: list[str], format: TableFormat, output: Path | None
) -> None:
    from cranfield.metrics.curve import precision_recall

    table = precision_recall(judged, rel=rel, rule=rule.value)
    if plot is not None:
        from cranfield.plots.curves import precision_recall_plot
        from cranfield.plots.style import save

        save(precision_recall_plot(table, drawn), plot)
    emit(_wide(table, format), format, output, document=table.to_dict("records"))


def _wide(table: DataFrame, format: TableFormat) -> list[dict[str, Any]]:
    """One row per recall point; for people, who may have many runs, one row per run."""
    rows, columns = ("recall", "run") if format in SEPARATED else ("run", "recall")
    wide = (
        table.assign(recall=table["recall"].map("{:.1f}".format))
        .pivot(index=rows, columns=columns, values="precision")
        .reset_index()
    )
    return [{str(name): value for name, value in row.items()} for row in wide.to_dict("records")]


def _raw_curve(
    judged: Judged, rel: int, plot: Path | None, drawn: list[str], format: TableFormat, output: Path | None
) -> None:
    from cranfield.metrics.curve import precision_recall, topic_curves

    table = topic_curves(judged, rel=rel)
    found, rankings = len(table[["run", "query_id"]].drop_duplicates()), len(judged.retrieved)
    if found < rankings:
        note(f"{rankings - found} of {rankings} rankings find no relevant document and have no points")
    if plot is not None:
        from cranfield.plots.curves import topic_curve_plot
        from cranfield.plots.style import save

        save(topic_curve_plot(table, precision_recall(judged, rel=rel), drawn), plot)
    emit([{str(name): cell for name, cell in row.items()} for row in table.to_dict("records")], format, output)
