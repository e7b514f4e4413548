"""`curve` and `correlate`: precision by recall, and how alike two system rankings are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.arrays import WhichTopics
from cranfield.cli import completion
from cranfield.cli.build import command
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.reading_options import RUNS_AND_QRELS
from cranfield.cli.tables import note, say
from cranfield.commands import curves
from cranfield.errors import InputError
from cranfield.options import JudgedOptions, Option
from cranfield.options.values import measures_of
from cranfield.store.reading import Reading

if TYPE_CHECKING:
    from cranfield.analysis.comparison import Side
    from cranfield.call_view import CallView
    from cranfield.formats.score_files import ScoreTable


CurveRuns = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="TAG",
        help="With --plot: draw this run as a line; may be repeated. [default: the best, the median and the worst, or"
        " all of a few]",
    ),
    completion.RUNS,
]


def show_curve(result: curves.RecallCurve, *, run: CurveRuns = None, plot: Plot = None, printer: Printer) -> None:
    """Print the points; draw them on request."""
    if run and plot is None:
        raise typer.BadParameter("chooses what --plot draws; give that as well", param_hint="--run")
    if result.is_raw:
        drawable, rankings = len(result.frame[["run", "query_id"]].drop_duplicates()), result.n_rankings
        if drawable < rankings:
            note(f"{rankings - drawable} of {rankings} rankings find no relevant document and have no points")
    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(runs=run or ()), plot)
    rows = result.rows()
    is_by_recall = printer.is_separated and not result.is_raw  # for people, who may have many runs, a row for each run
    printer.emit(result.wide_rows(by_recall=True) if is_by_recall else result.typeset.rows, document=rows)


curve = command(curves.curve, show_curve)


class CorrelateOptions(JudgedOptions):
    """What is compared."""

    measures: Annotated[
        Sequence[str],
        Option(
            "With two files: compare by this measure (by default, by all measures in both). Otherwise: the first is the"
            " truth, and each other measure is compared with it. Several: -m AP,P@10.",
            "-m", "--measure", metavar="MEASURE", complete="measures", parse=measures_of,
        ),
    ] = ()  # fmt: skip
    others: Annotated[
        Sequence[str],
        Option(
            "With two files: the measure of the second file, if it differs; one for each -m, in order.",
            "--as", metavar="MEASURE", complete="measures", parse=measures_of,
        ),
    ] = ()  # fmt: skip


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
    options: CorrelateOptions,
    plot: Plot = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Measure how similar two rankings of the same systems are: Kendall's tau, AP correlation, RBO and others.

    Compares either two files of scores by one measure, such as scores from two sets of judgments, or several measures
    of one source. The first is taken as the truth; tau_AP and the "a" variants depend on it. Check your own system's
    score first, because no coefficient over many systems shows what happens to one.

    A measure is compared with the same measure of the other file, or with the one that --as names:
    cranfield correlate full.json sample.json -m AP --as "AP(judged_only=True)"

    --plot draws a point for each system, and names those whose ranks differ most.

    Example: cranfield correlate qrels.txt runs/*.gz -m AP -m P@10

    Example: cranfield correlate full.json shallow.json
    """
    from cranfield.analysis.comparison import coefficients, correlation_title, table_rows
    from cranfield.call_view import CallView

    pairs = sides(CallView.view_of_places(paths, options, reading, note), options)
    comparisons = [coefficients(truth, estimate) for truth, estimate in pairs]
    if plot is not None:
        from cranfield.charts.rankings import scatter_plot
        from cranfield.charts.style import save

        save(scatter_plot(pairs, [one["coefficients"]["tau_b"] for one in comparisons]), plot)
    if printer.is_for_terminal:
        for number, one in enumerate(comparisons):
            printer.emit(table_rows(one), title=("\n" if number else "") + correlation_title(one))
            if one["undefined"]:
                say(f"A dash means undefined: {one['undefined']}.")
    else:
        rows = [
            {"truth": one["truth"], "estimate": one["estimate"], "systems": one["systems"], **row}
            for one in comparisons
            for row in table_rows(one)
        ]
        printer.emit(rows, document={"comparisons": comparisons})


def sides(view: CallView, options: CorrelateOptions) -> list[tuple[Side, Side]]:
    """The pairs of truth and estimate to compare; the other measures are those of the second of two files."""
    from cranfield.analysis.comparison import pair_by_file, present, score_table, table_of
    from cranfield.source import check_of_store

    paths, measures, others = view.paths, list(options.measures), list(options.others)
    tables = [table_of(path) for path in paths[:2]]
    if len(paths) > 2:
        if all(table is not None for table in tables):
            raise InputError("a third file; two files of scores are compared at a time", paths[2])
        tables = []
    if any(table is not None for table in tables):
        check_of_store(paths[0], options.labellers)
        if options.ignore_own_id:
            raise InputError("--ignore-own-id needs runs; files of scores have means, not documents", paths[0])
        if options.which_topics is not WhichTopics.all:
            raise InputError("--topics needs runs; files of scores have means, not topics", paths[0])
    if len(tables) == 2 and any(table is not None for table in tables):
        a, b = (present(*pair) for pair in zip(tables, paths, strict=True))
        return _measure_pairs(paths, a, b, measures, others)
    if others:
        raise typer.BadParameter(
            "for two files of scores only; for one source, -m names both measures", param_hint="--as"
        )
    if len(tables) == 1 and tables[0] is not None:
        return pair_by_file(tables[0], measures or list(tables[0])[:2], paths[0])
    return pair_by_file(score_table(view, measures or ["AP", "P@10"]), [], paths[0])


def _measure_pairs(
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
