"""`measures` and `trec-eval`: what measures mean, and the scores of trec_eval."""

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import NAMED_FORMATS, Printer
from cranfield.cli.tables import say
from cranfield.commands.measures import MeasureAdvice, MeasureDescription, list_measures
from cranfield.results import Result

if TYPE_CHECKING:
    from cranfield.metrics.tasks import Advice, SearchTask


def show_measures(result: Result, *, printer: Printer) -> None:
    """Print the measures; a description or advice as prose for people."""
    if isinstance(result, MeasureAdvice) and printer.is_for_terminal:
        say("\n\n".join(map(_prose, result.tasks)))
    elif isinstance(result, MeasureDescription):
        printer.describe(result.measure, result.about)
    else:
        show_table(result, printer)


measures = command(list_measures, show_measures, "metrics")


def _prose(task: "SearchTask") -> str:
    """What a task needs, and the command that measures it."""
    from cranfield.metrics import parse

    examples = {"rankings": "cranfield evaluate qrels.txt a.run", "answers": "cranfield evaluate track.db --answers"}
    advice = [(parse(one.measure).of, shlex.quote(one.measure)) for one in task.advice]
    commands = [
        " ".join([f"  {command}", *(f"-m {name}" for of, name in advice if of == what)])
        for what, command in examples.items()
        if what in dict(advice)
    ]
    about = [f"{task.name}: {task.description}", *map(_paragraph, task.advice), *filter(None, [task.note])]
    return "\n\n".join([*about, "\n".join(commands)])


def _paragraph(advice: "Advice") -> str:
    return f"  {advice.measure}\n    {advice.why}\n    Misleads: {advice.misleads}\n    Source: {advice.source}"


class RelevanceFormat(StrEnum):
    """What the judgments are."""

    qrels = "qrels"
    prefs = "prefs"
    qrels_prefs = "qrels_prefs"


@not_in_python("it prints trec_eval's output; evaluate returns the same scores")
def trec_eval(
    qrels: Annotated[
        Path, typer.Argument(metavar="QRELS", help="Judgments: qid iteration docno grade."), NAMED_FORMATS
    ],
    run: Annotated[
        Path,
        typer.Argument(metavar="RUN", help="Run file with lines qid Q0 docno rank score tag; - for standard input."),
    ],
    *,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="Measure by trec_eval's name, optionally with parameters: map, P.5,10, ndcg.1=3,2=9 or"
            " utility.1,-1,0,0. P_10 means P.10. The sets official (the default), set and all_trec are also accepted."
            " May be repeated.",
        ),
        completion.MEASURES,
    ] = None,
    per_topic: Annotated[
        bool, typer.Option("-q", "--query_eval_wanted", help="Print the value of each topic.")
    ] = False,
    complete: Annotated[
        bool,
        typer.Option(
            "-c", "--complete_rel_info_wanted", help="Count topics that are missing from the run as empty rankings."
        ),
    ] = False,
    no_summary: Annotated[bool, typer.Option("-n", "--nosummary", help="Do not print the summary.")] = False,
    level: Annotated[
        int, typer.Option("-l", "--level_for_rel", min=0, metavar="N", help="The lowest relevant grade.")
    ] = 1,
    most: Annotated[
        int | None,
        typer.Option(
            "-M", "--Max_retrieved_per_topic", min=1, metavar="N", help="Number of top documents per topic to use."
        ),
    ] = None,
    judged_only: Annotated[
        bool, typer.Option("-J", "--Judged_docs_only", help="Remove unjudged documents from the rankings.")
    ] = False,
    kind: Annotated[
        RelevanceFormat,
        typer.Option(
            "-R",
            "--Rel_info_format",
            help="Kind of judgments: qrels, preferences (lines qid group subgroup docno level), or qrels used as"
            " preferences.",
        ),
    ] = RelevanceFormat.qrels,
    size: Annotated[
        int,
        typer.Option(
            "-N",
            "--Number_docs_in_coll",
            min=0,
            metavar="N",
            help="Number of documents in the collection (p4 of utility).",
        ),
    ] = 0,
) -> None:
    """Print the output of trec_eval 10.0, byte for byte.

    The measures, their names, their order and the rounding are the same as in trec_eval. Each line contains the
    measure, the topic or "all", and the value.

    Example: cranfield trec-eval -q -c -m all_trec qrels.txt my.run

    Example: cranfield trec-eval -m map -m P.5,10 qrels.txt my.run

    All differences from trec_eval 10.0:

    A topic that is missing from the run never stops the program. Without -c, such a topic is ignored, as in trec_eval
    9. With -c, it counts as an empty ranking. In that case rbp_resid is 0, as in trec_eval, but utility with parameters
    does not count an artificial document.

    rbp and rbp_resid follow Moffat and Zobel 2008. Gains are divided by the
    topic's highest gain if it is above 1. The residual always includes p^n for
    the ranks after the last document. (trec_eval reads uninitialised memory.)

    If gains differ by less than 1 (ndcg.1=0.5,2=0.9), the ideal ranking is the
    best possible one; trec_eval orders it wrongly. Gains must be 0 or more. The
    related measures G, Rndcg, ndcg_rel, dcg and ideal_dcg also accept gains.
    The parameter of set_F must be above 0, -M at least 1, and -l at least 0.

    Topics without a grade above -1 score 0, even if they come first. The value of -l may exceed every grade. In both
    cases, trec_eval stops or reads past its tables.

    Blank lines and comments are skipped in both files, which may be compressed
    (.gz, .xz, .zst, .bz2, .lz4). The command refuses a score that is NaN or
    hexadecimal, and a score or grade that is not a number. (trec_eval reads
    "high" as 0 and 2.9 as 2.) It also refuses an id that is not UTF-8, and a
    document that occurs twice in a topic. The error gives the line number, and
    nothing is printed.

    Exit status is 1 for errors in data or measures, 2 for wrong options.

    Repeating -m for one measure combines its parameters. 0/0 is printed as
    -nan, as on x86. dcg, ideal_dcg and yaap come last.

    Preferences (-R prefs or qrels_prefs) have their own measures: all_prefs,
    prefs (the default) or their names. The options -l, -J and -N have no effect
    on them. Tied scores are ordered by ascending docno. The command refuses a
    document that occurs twice in a subgroup. It also refuses contradictory
    preferences in a group, for which trec_eval aborts.

    Not supported: -o, -D, -T, -Z, -R qrels_jg and the measures for several
    judge groups.
    """
    from cranfield.formats import read_preferences, read_qrels, read_runs
    from cranfield.formats.whole_files import print_unformatted
    from cranfield.metrics.trec_eval import (
        TrecEvalOptions,
        evaluation,
        lines_of,
        preference_evaluation,
        preference_lines,
    )

    settings = TrecEvalOptions(
        level, complete, most, judged_only=judged_only, size=size, per_topic=per_topic, summary=not no_summary
    )
    if kind is RelevanceFormat.qrels:
        lines = lines_of(measure or ["official"])
        judgments, runs = read_qrels(qrels, format="trec"), read_runs([run], format="trec")
        output = evaluation(runs, judgments, lines, settings)
    else:
        names = preference_lines(measure or ["prefs"])
        preferences, runs = read_preferences(qrels, kind.value), read_runs([run], format="trec")
        output = preference_evaluation(runs, preferences, names, settings)
    print_unformatted("".join(f"{line}\n" for line in output))
