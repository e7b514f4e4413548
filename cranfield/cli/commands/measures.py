"""`measures` and `trec-eval`: what measures mean, and the scores of trec_eval."""

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.reading_options import NAMED_FORMATS
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


@not_in_python("it prints what trec_eval prints; evaluate returns the same scores")
def trec_eval(
    qrels: Annotated[
        Path, typer.Argument(metavar="QRELS", help="Judgments: qid iteration docno grade."), NAMED_FORMATS
    ],
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run: qid Q0 docno rank score tag; - for standard input.")
    ],
    *,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="trec_eval's name, optionally with parameters (map, P.5,10, ndcg.1=3,2=9, utility.1,-1,0,0; P_10 is "
            "the same as P.10), or official (the default), set, all_trec; may be repeated.",
        ),
        completion.MEASURES,
    ] = None,
    per_topic: Annotated[bool, typer.Option("-q", "--query_eval_wanted", help="Also print each topic.")] = False,
    complete: Annotated[
        bool,
        typer.Option("-c", "--complete_rel_info_wanted", help="Count topics missing from the run, as empty rankings."),
    ] = False,
    no_summary: Annotated[bool, typer.Option("-n", "--nosummary", help="Do not print the summary.")] = False,
    level: Annotated[
        int, typer.Option("-l", "--level_for_rel", min=0, metavar="N", help="The lowest relevant grade.")
    ] = 1,
    most: Annotated[
        int | None,
        typer.Option(
            "-M", "--Max_retrieved_per_topic", min=1, metavar="N", help="Use only the first N documents per topic."
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
            help="Judgments are qrels, preferences (qid group subgroup docno level), or qrels taken as preferences.",
        ),
    ] = RelevanceFormat.qrels,
    size: Annotated[
        int,
        typer.Option(
            "-N",
            "--Number_docs_in_coll",
            min=0,
            metavar="N",
            help="Number of documents in the collection (utility's p4).",
        ),
    ] = 0,
) -> None:
    """Print what trec_eval 10.0 prints, byte for byte: its measures, names, order and rounding.

    Each line has the name of the measure, the topic or "all", and the value.

    Example: cranfield trec-eval -q -c -m all_trec qrels.txt my.run

    Example: cranfield trec-eval -m map -m P.5,10 qrels.txt my.run

    All differences from trec_eval 10.0:

    A topic missing from the run never ends the program. Without -c it does not
    count, as in trec_eval 9. With -c it is an empty ranking: rbp_resid is 0 as
    there, but utility with parameters does not count a made-up document.

    rbp and rbp_resid follow Moffat and Zobel 2008: gains are divided by the
    topic's highest, if that is above 1, and the residual always includes the
    p^n of what follows the last document. (trec_eval reads uninitialised
    memory.)

    With gains less than 1 apart (ndcg.1=0.5,2=0.9) the ideal ranking is the
    best one; trec_eval misorders it. Gains must be 0 or more; ndcg's relatives
    (G, Rndcg, ndcg_rel, dcg, ideal_dcg) accept them, too; set_F's parameter
    must be above 0, -M at least 1, -l at least 0.

    Topics without a grade above -1 score 0, even if they come first, and -l may
    be above every grade; there trec_eval stops or reads past its tables.

    Blank lines and comments are skipped in both files, which may be compressed
    (.gz, .xz, .zst, .bz2, .lz4). Refused, with the line number, are: a score or grade
    that is not a number (trec_eval reads "high" as 0 and 2.9 as 2), a score
    that is NaN or hexadecimal, an id that is not UTF-8, and a document that
    occurs twice in a topic. Nothing is printed then.

    Exit status is 1 for errors in data or measures, 2 for wrong options.

    Repeating -m for one measure combines its parameters. 0/0 prints as on x86:
    -nan. dcg, ideal_dcg and yaap come last.

    Preferences (-R prefs or qrels_prefs) have measures of their own: all_prefs,
    prefs (the default there), or their names; -l, -J and -N do not matter to
    them, and ties of scores are by ascending docno. A document twice in a subgroup is
    refused; preferences of a group that contradict each other are, too, where
    trec_eval aborts.

    Not supported: -o, -D, -T, -Z, -R qrels_jg and the measures of several groups
    of judges.
    """
    from cranfield.formats import read_preferences, read_qrels, read_runs
    from cranfield.formats.whole_files import as_written
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
    as_written("".join(f"{line}\n" for line in output))
