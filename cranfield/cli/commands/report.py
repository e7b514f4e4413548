"""`diagnose` and `report`: is the collection fair to a new run, and all that is known of it on one page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.common_options import ONLY_READ, RUNS_AND_QRELS
from cranfield.cli.options import Printer, SourcePaths
from cranfield.cli.tables import BAD, GOOD, UNSURE, TableFormat, note, say
from cranfield.errors import InputError
from cranfield.formats.whole_files import write_text
from cranfield.options.option import Option
from cranfield.options.trusting import DiagnoseOptions, WriteReportOptions
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.metrics.diagnosis.decisive import RunComparison
    from cranfield.metrics.diagnosis.diagnose import Diagnosis


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
    from cranfield.analysis.diagnosis import diagnosed, opened

    if len(paths) < 2:
        raise typer.BadParameter("give a store or a qrels file, and then the new run", param_hint="SOURCE... NEWRUN")
    if (options.pool_out or options.store_pool) and options.against is None:
        raise typer.BadParameter("--pool-out and --store-pool require --against TAG", param_hint="--against")
    _check_places(paths[0], options.pool_out, options.store_pool)
    found = diagnosed(opened(paths, options, note), options, against=options.against, path=paths[0], tell=note)
    _tell(found, printer)
    if found.comparison is not None:
        quiet = printer.format is not TableFormat.table
        _hand_out(found.comparison, paths[0], options.pool_out, options.store_pool, quiet=quiet)


def _check_places(source: Path, pool_out: Path | None, stored: bool) -> None:
    """Refuse an output for the list that cannot be written."""
    from cranfield.source import is_store

    if stored and not is_store(source):
        raise InputError("not a store, so no pool can be added; --pool-out FILE writes the list", source)
    if pool_out is not None and not pool_out.absolute().parent.is_dir():
        raise InputError("no such folder", pool_out.parent)


def _tell(found: "Diagnosis", printer: Printer) -> None:
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

    whole = {**as_document(found), "verdict": verdict(found)}
    if not printer.for_people:
        printer.emit(score_rows(found), title=title(found), document=whole)
        return
    say(f"{title(found)}\n")
    printer.emit(profile_rows(found))
    printer.emit(score_rows(found), title="\nscores, and what they could become")
    for line in how_to_read(found):
        say(f"  {line}")
    if found.expected and found.gaps.unjudged:
        printer.emit(nearest_rows(found), title="\nlosses of the pooled runs with the most similar gaps, when left out")
    for line in verdict(found):
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


def _hand_out(comparison: "RunComparison", source: Path, pool_out: Path | None, stored: bool, quiet: bool) -> None:
    """Write the list to a file or to the store as a pool; messages go to stderr if the output is for programs."""
    from cranfield.analysis.diagnosis import pool_text, store_pool

    if pool_out is not None:
        write_text(pool_out, pool_text(comparison))
        typer.echo(f"{counted(len(comparison.to_judge), 'document')} to judge in {pool_out}", err=quiet)
    if stored:
        typer.echo(store_pool(source, comparison), err=quiet)
