"""evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.arrays.which_topics import WhichTopics
from cranfield.cli.displays import of_scores
from cranfield.cli.options import (
    Answers,
    Assessor,
    Cluster,
    Format,
    LabelledTopicsOnly,
    Labels,
    Measures,
    Nuggets,
    Output,
    Plot,
    SourcePaths,
    Topics,
)
from cranfield.cli.tables import TableFormat, emit, note, notes
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.arrays.judged import Judged, Unmet
    from cranfield.metrics.evaluate import RunScores
    from cranfield.metrics.measure import Measure


def _no_stream(path: Path | None) -> Path | None:
    """Refuse the standard output, which has the table."""
    if str(path) == "-":
        raise typer.BadParameter("expected a file; the standard output has the table")
    return path


def evaluate(
    paths: SourcePaths,
    measure: Measures = None,
    per_topic: Annotated[
        bool, typer.Option("--per-topic", "-q", help="Also show each topic, before the run's mean, 'all'.")
    ] = False,
    retrieved_topics_only: Annotated[
        bool,
        typer.Option(
            "--retrieved-topics-only", help="Average only over the topics for which the run retrieved documents."
        ),
    ] = False,
    topics: Topics = WhichTopics.all,
    answers: Answers = False,
    labelled_topics_only: LabelledTopicsOnly = False,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    nuggets: Nuggets = None,
    cluster: Cluster = None,
    plot: Plot = None,
    score_rows: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=_no_stream,
            help="Also write the scores of each topic, and the means, as score rows of TREC AutoJudge (JSON lines).",
        ),
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Score runs against judgments, sorted by the first measure.

    Means are over the topics of the judgments: a topic that is missing from a run counts as an empty ranking.
    `cranfield measures` lists the measures. --plot draws the scores of each run over topics, with a panel for each
    measure.

    With --answers, generated answers are scored by the labels of nuggets and citations. A topic that a run does not
    answer counts as an empty answer. A label that failed or is missing makes a score NaN, and the mean of its run;
    people's labels count where there are any, else models', never both. The same holds of nuggets, unless --nuggets
    says otherwise; one that a model wrote is people's once a person has worded or weighed it.

    Example: cranfield evaluate qrels.txt runs/*.gz -m AP -m P@10
    """
    from cranfield.analysis.evaluation import evaluation
    from cranfield.arrays.judged import Unmet

    if answers:
        from cranfield.analysis.answers.evaluation import evaluated

        scores, measures = evaluated(paths, measure, assessor, labels, note, labelled_topics_only, nuggets)
        unmet = Unmet()
    elif labelled_topics_only or nuggets:
        name = "--labelled-topics-only" if labelled_topics_only else "--nuggets"
        raise typer.BadParameter("works with --answers", param_hint=name)
    else:
        scores, measures, unmet = _of_rankings(paths, measure, assessor, labels)
    counted = scores.counted(retrieved_topics_only, topics)
    rows, document = evaluation(scores, measures, per_topic, counted)
    notes(scores.topics_answered(unmet).said(topics, retrieved_topics_only))
    if score_rows is not None:
        _write_rows(score_rows, evaluation(scores, measures, True, counted)[1])
    emit(rows, format, output, document=document, display=of_scores(rows))
    if plot is not None:
        from cranfield.metrics.evaluate import topic_table
        from cranfield.plots.scores import score_distribution
        from cranfield.plots.style import save

        save(score_distribution(topic_table(scores, measures, counted)), plot)


def _write_rows(path: Path, document: dict[str, Any]) -> None:
    from cranfield.formats.score_files import write_score_rows
    from cranfield.text import counted

    if undefined := write_score_rows(path, document["scores"]):
        note(f"{counted(undefined, 'undefined score')} left out of {path}")


def _of_rankings(
    paths: list[Path], measure: list[str] | None, assessor: str | None, labels: LabelledBy
) -> tuple[RunScores, tuple[Measure, ...], Unmet]:
    """The scores of the rankings of a source, and what else the runs have."""
    from cranfield.analysis.evaluation import MEASURES, unseen
    from cranfield.arrays.blocks import JudgedBlocks
    from cranfield.arrays.judged import Unmet
    from cranfield.metrics.evaluate import joined, scored
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.parallel import in_blocks
    from cranfield.source import each_judged, min_relevant

    measures = parse_all(measure or MEASURES, min_relevant(paths[0]))
    said: dict[str, None] = {}
    judged = each_judged(paths, assessor, labels, note)
    if isinstance(judged, JudgedBlocks):
        notes(unseen(judged.bare, measures))
        return scored(judged, measures), measures, judged.bare.unmet
    unmet = Unmet()

    def parts() -> Iterator[tuple[Judged]]:
        nonlocal unmet
        for part in judged:
            unmet = unmet.joined(part.unmet)
            said.update(dict.fromkeys(unseen(part, measures)))
            yield (part,)

    scores = list(in_blocks(scored, parts(), (measures,)))
    notes(said)
    return joined(scores, judged.tags), measures, unmet
