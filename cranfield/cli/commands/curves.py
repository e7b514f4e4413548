"""`curve` and `correlate`: precision by recall, and how alike two system rankings are."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.arrays import WhichTopics
from cranfield.cli import completion
from cranfield.cli.common_options import RUNS_AND_QRELS
from cranfield.cli.options import (
    Assessor,
    Format,
    Labels,
    Output,
    Plot,
    SourcePaths,
    Topics,
    measures,
)
from cranfield.cli.tables import SEPARATED, TableFormat, emit, note, say
from cranfield.errors import InputError
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.comparison import Side
    from cranfield.arrays.judged import Judged
    from cranfield.formats.score_files import ScoreTable


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
    *,
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
        completion.RUNS,
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
        _raw_curve(judged, rel, plot, drawn=run or [], format=format, output=output)
    else:
        _eleven_points(judged, rel, rule or Rule.trec_eval, plot=plot, drawn=run or [], format=format, output=output)


def _eleven_points(
    judged: Judged,
    rel: int,
    rule: Rule,
    *,
    plot: Path | None,
    drawn: list[str],
    format: TableFormat,
    output: Path | None,
) -> None:
    from cranfield.metrics.evaluate import precision_recall

    table = precision_recall(judged, rel=rel, rule=rule.value)
    if plot is not None:
        from cranfield.plots.scores import precision_recall_plot
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
    judged: Judged, rel: int, plot: Path | None, *, drawn: list[str], format: TableFormat, output: Path | None
) -> None:
    from cranfield.metrics.evaluate import precision_recall, topic_curves

    table = topic_curves(judged, rel=rel)
    found, rankings = len(table[["run", "query_id"]].drop_duplicates()), len(judged.retrieved)
    if found < rankings:
        note(f"{rankings - found} of {rankings} rankings find no relevant document and have no points")
    if plot is not None:
        from cranfield.plots.scores import topic_curve_plot
        from cranfield.plots.style import save

        save(topic_curve_plot(table, precision_recall(judged, rel=rel), drawn), plot)
    emit([{str(name): cell for name, cell in row.items()} for row in table.to_dict("records")], format, output)


DEFAULT = ["AP", "P@10"]


def correlate(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="A [B...]",
            help="One or two files of scores, written by `evaluate` (JSON, CSV, TSV), trec_eval, MTEB or AutoJudge, or"
            " folders of them; or a store, or a qrels file followed by run files. The first is the truth.",
        ),
        RUNS_AND_QRELS,
    ],
    *,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            callback=measures,
            help="With two files: compare by this measure (by default, by all measures in both). Otherwise: the first"
            " is the truth, and each other measure is compared with it. Several: -m AP,P@10.",
        ),
        completion.MEASURES,
    ] = None,
    other: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            metavar="MEASURE",
            callback=measures,
            help="With two files: the measure of the second file, if it differs; one for each -m, in order.",
        ),
        completion.MEASURES,
    ] = None,
    topics: Topics = WhichTopics.all,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Measure how similar two rankings of the same systems are: Kendall's tau, AP correlation, RBO and others.

    Compares either two files of scores by one measure, such as scores from two sets of judgments, or several measures
    of one source. The first is taken as the truth; tau_AP and the "a" variants depend on it. Check your own system's
    score first, because no coefficient over many systems shows what happens to one.

    A measure is compared with the same measure of the other file, or with the one that --as names:
    cranfield correlate full.json sample.json -m AP --as "AP(judged_only=True)"

    --plot draws a point for each system, and names those whose ranks differ most.

    Example: cranfield correlate qrels.txt runs/*.gz -m AP -m P@10
    """
    from cranfield.analysis.comparison import correlated, correlation_title, table_rows

    pairs = sides(paths, measure or [], other or [], assessor=assessor, labels=labels, topics=topics)
    found = [correlated(truth, estimate) for truth, estimate in pairs]
    if plot is not None:
        from cranfield.plots.rankings import scatter_plot
        from cranfield.plots.style import save

        save(scatter_plot(pairs, [one["coefficients"]["tau_b"] for one in found]), plot)
    if format is TableFormat.table and output is None:
        for number, one in enumerate(found):
            emit(table_rows(one), format, title=("\n" if number else "") + correlation_title(one))
            if one["undefined"]:
                say(f"A dash means undefined: {one['undefined']}.")
    else:
        rows = [
            {"truth": one["truth"], "estimate": one["estimate"], "systems": one["systems"], **row}
            for one in found
            for row in table_rows(one)
        ]
        emit(rows, format, output, document={"comparisons": found})


def sides(
    paths: list[Path],
    measures: list[str],
    others: list[str],
    *,
    assessor: str | None = None,
    labels: LabelledBy = LabelledBy.all,
    topics: WhichTopics = WhichTopics.all,
) -> list[tuple[Side, Side]]:
    """The pairs of truth and estimate to compare; `others` are the measures of the second of two files."""
    from cranfield.analysis.comparison import by_file, evaluated, present, table_of
    from cranfield.source import check_of_store

    tables = [table_of(path) for path in paths] if len(paths) <= 2 else []
    if any(table is not None for table in tables):
        check_of_store(paths[0], assessor, labels)
        if topics is not WhichTopics.all:
            raise InputError("--topics needs runs; files of scores have means, not topics", paths[0])
    if len(tables) == 2 and any(table is not None for table in tables):
        a, b = (present(*pair) for pair in zip(tables, paths, strict=True))
        return _by_measure(paths, a, b, measures, others)
    if others:
        raise typer.BadParameter(
            "for two files of scores only; for one source, -m names both measures", param_hint="--as"
        )
    if len(tables) == 1 and tables[0] is not None:
        return by_file(tables[0], measures or list(tables[0])[:2], paths[0])
    return by_file(evaluated(paths, measures or DEFAULT, assessor, labels, note, topics=topics), [], paths[0])


def _by_measure(
    paths: list[Path], a: ScoreTable, b: ScoreTable, measures: list[str], others: list[str]
) -> list[tuple[Side, Side]]:
    """Each measure of one file against the same measure of the other, or against the one given for it."""
    from cranfield.analysis.comparison import as_written

    if others and len(others) != len(measures):
        raise typer.BadParameter(
            f"{len(others)} of them, but -m names {len(measures)}; expected one for each", param_hint="--as"
        )
    ours = [as_written(a, measure, paths[0]) for measure in measures] or [measure for measure in a if measure in b]
    if not ours:
        raise InputError(
            f"no measure is in both files: {', '.join(a)} there, {', '.join(b)} here; choose with -m and --as",
            paths[1],
        )
    theirs = [as_written(b, measure, paths[1]) for measure in others or ours]
    return [((f"{x} in {paths[0]}", a[x]), (f"{y} in {paths[1]}", b[y])) for x, y in zip(ours, theirs, strict=True)]
