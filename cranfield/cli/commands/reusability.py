"""`reusability`, `depths`, `stability`, `diagnose`, `report`: how far scores hold for other runs, depths, topics."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield import hooks
from cranfield.cli import completion, in_python
from cranfield.cli.common_options import ONLY_READ, Plot, Printer, SourcePaths
from cranfield.cli.reading_options import RUNS_AND_QRELS
from cranfield.cli.tables import BAD, CHANGES, GOOD, LEFT_OUT, UNSURE, TableFormat, note, notes, of_left_out, say
from cranfield.errors import InputError
from cranfield.formats.whole_files import write_text
from cranfield.options import Option
from cranfield.options.trusting import (
    DepthsOptions,
    DiagnoseOptions,
    ReusabilityOptions,
    StabilityOptions,
    WriteReportOptions,
)
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.metrics.diagnosis.decisive import RunComparison
    from cranfield.metrics.diagnosis.diagnose import Diagnosis


def reusability(paths: SourcePaths, *, options: ReusabilityOptions, plot: Plot = None, printer: Printer) -> None:
    """Measure how fair the collection is to a system that was not pooled: leave out each unit and see what it loses.

    Read the change of its own score first: below 1 per cent the collection is fair, up to 6 per cent compare with care,
    and above it is unfair. These bounds are conventions; `cranfield stability` measures how far topics move the scores.
    Read Kendall's tau last, because it hardly changes when a single unit moves: even at a tau of .99 the left-out run
    may have lost most of its score.

    There are numbers but no verdict if these runs do not account for the pool: if more than a third of the judged
    documents, or of the relevant ones, did not come from them, if more than a third of the pool is unjudged, or of the
    topics were judged otherwise. Below that the verdict says what it leaves open. --teams states which runs were
    pooled, --protect which judgments did not come from the pool.

    A stored pool that was not built to a depth k is rebuilt without each unit, by the same method; documents that it
    then requests and nobody judged are "missed": their grades are drawn 20 times from a model of the judged ones, and
    scores are means with 95 per cent intervals. If the pool cannot be reproduced with all units, the reason is given
    instead of numbers.

    With --answers, what is left out are the nuggets that come from the answers of a run or team alone, and all answers
    are scored without them. Nuggets whose origin is not on record stay.

    --plot draws each run's rank with and without its own unit's contribution, by each measure.

    Example: cranfield reusability qrels.txt runs/*.gz --by run --depth 100
    """
    from cranfield.analysis.change_rows import change_rows, pool_line, worst_first
    from cranfield.analysis.headline import headline
    from cranfield.analysis.reusability import verdict_of
    from cranfield.analysis.verdict import verdict_rows
    from cranfield.source import chosen_source

    if other := hooks.instead("reusability"):
        _show_others(other.run(paths, options, tell=note, others=plot), printer)
        return
    verdict = verdict_of(chosen_source(paths, options, note), options, paths[0])
    results = verdict.left_out
    notes(verdict.notes)
    if plot is not None:
        from cranfield.charts.rankings import rank_plot
        from cranfield.charts.style import save

        save(rank_plot(verdict.to_json()), plot)
    if printer.format is TableFormat.table:
        changes = worst_first(change_rows(results, results.measures[:1]))
        rows, display = of_left_out(changes, results.measures[0])
        printer.emit(rows, title=pool_line(results), display=display)
        if printer.for_people and not results.no_verdict:
            say()
            say(headline(verdict))
        for name in results.measures if printer.for_people and not results.no_verdict else ():
            say()
            printer.emit(verdict_rows(verdict, name))
    else:
        printer.emit(change_rows(results), document=verdict.to_json(), display=LEFT_OUT)


def _show_others(losses: Any, printer: Printer) -> None:
    """What each unit loses of something else than a pool, which a feature found."""
    if printer.format is TableFormat.table:
        rows, display = of_left_out(losses.rows, losses.left_out.measures[0])
        printer.emit(rows, title=losses.title, display=display)
    else:
        printer.emit(losses.rows, document=losses.to_json(), display=LEFT_OUT)


def depths(paths: SourcePaths, *, options: DepthsOptions, plot: Plot = None, printer: Printer) -> None:
    """Show for each pool depth what judging would have cost, and how fair it would have been to left-out systems.

    One row per depth: the documents to judge, the relevant ones among them, Kendall's tau with the ranking by the whole
    collection, and how much of its own score a left-out unit would have lost. Judging could have stopped where the
    losses stop falling. What deeper pools would find is not estimated: see `cranfield pool forecast`.

    --plot draws losses and tau against the documents to judge, by each measure.

    Example: cranfield depths track.db --by team --plot depths.svg
    """
    from cranfield.analysis.depths import HOW_TO_READ, depths_document, rows, title
    from cranfield.source import chosen_source

    document, lines = depths_document(chosen_source(paths, options, note), options)
    lack = document["no_verdict"]
    notes([*lines, *([f"no verdict: {lack}"] if lack else [])])
    table = rows(document, not printer.is_separated)
    printer.emit(table, title=title(document), document=document, display=CHANGES)
    if printer.for_people:
        say(f"\n{HOW_TO_READ}")
    if plot is not None:
        from cranfield.charts.pools import depths_plot
        from cranfield.charts.style import save

        save(depths_plot(document), plot)


def stability(paths: SourcePaths, *, options: StabilityOptions, plot: Plot = None, printer: Printer) -> None:
    """Measure how far the ranking of systems depends on the topics: the noise floor for any other change.

    One row per number of topics: how often two disjoint sets of that size disagree on which of two systems is better;
    the difference in means from which on they rarely do, where at least 20 pairs differ so much; Kendall's tau between
    the rankings by the two sets; and the discriminative power: the share of pairs of systems that differ significantly
    by one set (paired t test, .05, uncorrected).

    --plot draws the same numbers, and how often the two sets disagree by the difference of the two systems.

    Example: cranfield stability qrels.txt runs/*.gz -m AP
    """
    from cranfield.analysis.comparison import stability_of, stability_rows, stability_sentences, stability_title
    from cranfield.metrics.notation import parse_all
    from cranfield.source import chosen_blocks, min_relevant

    judged, rel = chosen_blocks(paths, options, note), min_relevant(paths[0])
    document = stability_of(judged, parse_all(options.measures, rel))
    rows = stability_rows(document, not printer.is_separated)
    printer.emit(rows, title=stability_title(document), document=document)
    if printer.for_people:
        for each in document["measures"]:
            say("\n" + "\n".join(stability_sentences(each, document["topics"])))
    if plot is not None:
        from cranfield.charts.rankings import stability_plot
        from cranfield.charts.style import save

        save(stability_plot(document), plot)


@in_python("write_report")
def report(
    paths: SourcePaths,
    out: Annotated[
        Path, typer.Argument(metavar="OUT.html", help="The page; with .md or .json, only the reusability card.")
    ],
    *,
    options: WriteReportOptions,
) -> None:
    """Write a report on a collection: what it contains, the scores of its runs, and its reusability card.

    The report is a single HTML file that needs no network; the same source gives the same bytes. The card shows the
    effect of leaving each unit out of the pool, of the pool's depth, and of the choice of topics. For a store without
    runs or judgments, the report covers what there is.

    Example: cranfield report track.db report.html --by team
    """
    from cranfield.report.page import report_on

    report_on(paths, out, options, tell=note, tell_pooled=note)


class DiagnoseCommand(DiagnoseOptions):
    """The same, and whom to beat."""

    against: Annotated[
        str | None,
        Option(
            "Test whether the new run is better than this one, and list what to judge to decide it.",
            metavar="TAG",
            complete="run",
            before="by",
        ),
    ] = None
    pool_out: Annotated[
        Path | None,
        Option("Write the documents to judge: a table of qid and docno.", metavar="FILE", before="by"),
    ] = None
    store_pool: Annotated[
        bool, Option("Add the documents to judge to the store, as a pool.", before="by")
    ] = False  # fmt: skip


def diagnose(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE... NEWRUN",
            help="A store, or a qrels file and the known runs; then the new run: a file, or the tag of a stored run.",
        ),
        RUNS_AND_QRELS,
        ONLY_READ,
        completion.RUNS,
    ],
    *,
    options: DiagnoseCommand,
    printer: Printer,
) -> None:
    """Report whether a collection is fair to a new system that did not contribute to it.

    Read the verdict first, at the end: how much pooled runs with as many
    unjudged documents lost when they were left out. Then the share judged
    by rank, and what the scores could become. With --against: whether more
    judgments could still change which run is better to the pool's depth,
    how probable that is, and the shortest list to judge that would decide
    it; by the first measure that allows this.

    Bounds of a score, low and high, are exact; - where unknown. What is
    possible by a measure is in cranfield measures NAME.

    Example: cranfield diagnose qrels.txt runs/*.gz new.run --against bm25
    """
    from cranfield.analysis.diagnosis import diagnosis_of, open_case

    if len(paths) < 2:
        raise typer.BadParameter("give a store or a qrels file, and then the new run", param_hint="SOURCE... NEWRUN")
    if (options.pool_out or options.store_pool) and options.against is None:
        raise typer.BadParameter("--pool-out and --store-pool require --against TAG", param_hint="--against")
    _check_places(paths[0], options.pool_out, options.store_pool)
    diagnosis = diagnosis_of(
        open_case(paths, options, note), options, against=options.against, path=paths[0], tell=note
    )
    _tell(diagnosis, printer)
    if diagnosis.comparison is not None:
        quiet = printer.format is not TableFormat.table
        _hand_out(diagnosis.comparison, paths[0], options.pool_out, options.store_pool, quiet=quiet)


def _check_places(source: Path, pool_out: Path | None, to_store: bool) -> None:
    """Refuse an output for the list that cannot be written."""
    from cranfield.source import is_store

    if to_store and not is_store(source):
        raise InputError("not a store, so no pool can be added; --pool-out FILE writes the list", source)
    if pool_out is not None and not pool_out.absolute().parent.is_dir():
        raise InputError("no such folder", pool_out.parent)


def _tell(diagnosis: "Diagnosis", printer: Printer) -> None:
    """Print the table of scores; as a table on the standard output, also the others and what they mean."""
    from cranfield.metrics.diagnosis.diagnose import as_document
    from cranfield.metrics.diagnosis.presentation import (
        how_to_read,
        nearest_rows,
        profile_rows,
        score_rows,
        title,
        verdict,
    )

    whole = {**as_document(diagnosis), "verdict": verdict(diagnosis)}
    if not printer.for_people:
        printer.emit(score_rows(diagnosis), title=title(diagnosis), document=whole)
        return
    say(f"{title(diagnosis)}\n")
    printer.emit(profile_rows(diagnosis))
    printer.emit(score_rows(diagnosis), title="\nscores, and what they could become")
    for line in how_to_read(diagnosis):
        say(f"  {line}")
    if diagnosis.expected_losses and diagnosis.gaps.unjudged:
        printer.emit(
            nearest_rows(diagnosis), title="\nlosses of the pooled runs with the most similar gaps, when left out"
        )
    for line in verdict(diagnosis):
        say()
        say(line, _meaning(line), until=".")


def _meaning(line: str) -> str:
    """The colour of a verdict, "" for other lines.

    >>> [_meaning(line) for line in ("Verdict: fair to", "Verdict: not fair. Its", "Verdict: unknown. It", "All")]
    ['good', 'bad', 'unsure', '']
    """
    if not line.startswith("Verdict: "):
        return ""
    verdict = line.removeprefix("Verdict: ")
    return GOOD if verdict.startswith("fair") else BAD if verdict.startswith("not fair") else UNSURE


def _hand_out(comparison: "RunComparison", source: Path, pool_out: Path | None, to_store: bool, quiet: bool) -> None:
    """Write the list to a file or to the store as a pool; messages go to stderr if the output is for programs."""
    from cranfield.analysis.diagnosis import pool_text, store_pool

    if pool_out is not None:
        write_text(pool_out, pool_text(comparison))
        typer.echo(f"{counted(len(comparison.to_judge), 'document')} to judge in {pool_out}", err=quiet)
    if to_store:
        typer.echo(store_pool(source, comparison), err=quiet)
