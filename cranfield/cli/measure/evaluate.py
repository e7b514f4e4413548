"""evaluate, curve, measures, reusability."""

from __future__ import annotations

from enum import StrEnum
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import (
    Assessor,
    By,
    Format,
    Labels,
    Measures,
    Output,
    Plot,
    PoolDepth,
    PoolNumber,
    Protect,
    SourcePaths,
    Teams,
    Unit,
)
from cranfield.cli.tables import TableFormat, emit, note, notes
from cranfield.errors import InputError
from cranfield.store.whose import Whose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.arrays.judged import Judged
    from cranfield.arrays.rankings import Floats, Mask
    from cranfield.metrics.evaluate import Scores
    from cranfield.metrics.measure import Measure

    Cells = tuple[dict[str, str], Floats]  # what the scores are of, and one score a measure


class Points(StrEnum):
    """Where a precision-recall curve has its points."""

    eleven = "eleven"
    raw = "raw"


class Rule(StrEnum):
    """Which found documents reach a recall point."""

    trec_eval = "trec_eval"
    exact = "exact"


ALL = "all"  # the query_id of a mean, as trec_eval has it
DEFAULT = ["AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "Judged@10"]
REUSABILITY_DEFAULT = ["AP", "nDCG@10", "P@10"]


def chosen(names: list[str] | None, default: list[str], min_relevant: int) -> tuple[Measure, ...]:
    """The measures asked for; on a store, where they do not say which grade is relevant, its scale does."""
    from cranfield.metrics.notation import parse_all

    return parse_all(names or default, rel=min_relevant if min_relevant != 1 else None)


def evaluate(
    paths: SourcePaths,
    measure: Measures = None,
    per_topic: Annotated[
        bool, typer.Option("--per-topic", "-q", help="A line for each topic as well, before the run's mean, all.")
    ] = False,
    retrieved_topics_only: Annotated[
        bool, typer.Option("--retrieved-topics-only", help="Average over the topics a run answered.")
    ] = False,
    assessor: Assessor = None,
    labels: Labels = Whose.all,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Score runs against judgments; the best run by the first measure stands first.

    A mean is over the topics of the judgments: one that a run left out counts as empty. `cranfield measures` lists
    the measures.

    Example: cranfield evaluate qrels.txt runs/*.gz -m AP -m P@10
    """
    from cranfield.metrics.evaluate import joined, scored
    from cranfield.source import each_judged, min_relevant

    measures = chosen(measure, DEFAULT, min_relevant(paths[0]))
    said: dict[str, None] = {}
    judged = each_judged(paths, assessor, labels, note)
    parts: list[Scores] = []
    for part in judged:
        said.update(dict.fromkeys(unseen(part, measures)))
        parts.append(scored(part, measures))
    scores = joined(parts, judged.tags)
    notes(said)
    rows, document = evaluation(scores, measures, per_topic, retrieved_topics_only)
    emit(rows, format, output, document=document)
    if plot is not None:
        from cranfield.metrics.evaluate import topic_table
        from cranfield.plots.plots import save, score_distribution

        save(score_distribution(topic_table(scores, measures, scores.counted(retrieved_topics_only))), plot)


def unseen(judged: Judged, measures: tuple[Measure, ...]) -> Iterator[str]:
    """What is to be said of what some of these measures cannot see."""
    from cranfield.metrics import strata

    if judged.qrels_stratum is not None and any(measure.by_strata for measure in measures):
        line = strata.blind(judged)
        yield from [line] if line else []


def evaluation(
    scores: Scores, measures: tuple[Measure, ...], per_topic: bool = False, retrieved_topics_only: bool = False
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows with a column for each measure, best run first, and the same as the JSON document.

    By topic, a run's rows are its topics and then its mean, whose query_id is all.
    """
    import numpy as np

    from cranfield.metrics.evaluate import aggregate

    names, counted = [str(measure) for measure in measures], scores.counted(retrieved_topics_only)
    found = zip(scores.tags, aggregate(scores.values, measures, counted), strict=True)
    cells = [({"run": tag}, mean) for tag, mean in found]
    if per_topic:
        cells = _with_topics(cells, scores, counted)
    rows = [key | dict(zip(names, values.tolist(), strict=True)) for key, values in cells]
    singly = [key | {"measure": n, "value": row[n]} for (key, _), row in zip(cells, rows, strict=True) for n in names]
    if not per_topic:
        rows.sort(key=lambda row: (-np.nan_to_num(row[names[0]], nan=-np.inf), row["run"]))
    return rows, {"topics": len(scores.qids), "scores": singly}


def _with_topics(means: list[Cells], scores: Scores, counted: Mask) -> list[Cells]:
    """Each mean after the scores of the topics that it is of."""
    if ALL in scores.qids:
        raise InputError(f"a topic is called '{ALL}', which is what the mean is called: with --per-topic, rename it")
    return [
        ({**key, "query_id": qid}, values)
        for (key, mean), by_topic, mask in zip(means, scores.values, counted, strict=True)
        for qid, values in [*compress(zip(scores.qids, by_topic, strict=True), mask), (ALL, mean)]
    ]


def curve(
    paths: SourcePaths,
    points: Annotated[
        Points, typer.Option(help="Eleven points of recall, a mean over topics, or each topic's curve as it is.")
    ] = Points.eleven,
    rule: Annotated[
        Rule | None,
        typer.Option(help="Of eleven points: what reaches a recall x: x R rounded (trec_eval), or no fewer (exact)."),
    ] = None,
    labels: Labels = Whose.all,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """The precision-recall curve of each run: interpolated at 11 points of recall, or as it is.

    Interpolated precision at recall x is the best precision at any rank from where the share x of the R relevant
    documents is found. trec_eval, and so the default, takes x R rounded, halves up: with 1 of 3 found, recall .4 is
    reached. The textbooks' rule, --rule exact, wants 2 of 3 there, and never gives more. --points raw does not
    interpolate: it has a point at each relevant document that a run finds, topic by topic.

    Example: cranfield curve qrels.txt runs/*.gz --rule exact --plot curves.svg
    """
    from cranfield.source import min_relevant, open_judged

    if points is Points.raw and rule is not None:
        raise typer.BadParameter("of the interpolated curve; --points raw has none", param_hint="--rule")
    judged, rel = open_judged(paths, labels=labels, tell=note), min_relevant(paths[0])
    if points is Points.raw:
        _raw_curve(judged, rel, plot, format, output)
    else:
        _eleven_points(judged, rel, rule or Rule.trec_eval, plot, format, output)


def _eleven_points(
    judged: Judged, rel: int, rule: Rule, plot: Path | None, format: TableFormat, output: Path | None
) -> None:
    from cranfield.metrics.curve import precision_recall

    table = precision_recall(judged, rel=rel, rule=rule.value)
    wide = table.pivot(index="recall", columns="run", values="precision").reset_index()
    rows = [{str(name): value for name, value in row.items()} for row in wide.to_dict("records")]
    emit([{**row, "recall": f"{row['recall']:.1f}"} for row in rows], format, output, document=table.to_dict("records"))
    if plot is not None:
        from cranfield.plots.plots import precision_recall_plot, save

        save(precision_recall_plot(table), plot)


def _raw_curve(judged: Judged, rel: int, plot: Path | None, format: TableFormat, output: Path | None) -> None:
    from cranfield.metrics.curve import precision_recall, topic_curves

    table = topic_curves(judged, rel=rel)
    drawn, rankings = len(table[["run", "query_id"]].drop_duplicates()), len(judged.retrieved)
    if drawn < rankings:
        none = f"{rankings - drawn} of {rankings} rankings find nothing relevant and have no point"
        typer.echo(f"note: {none}", err=True)
    emit([{str(name): cell for name, cell in row.items()} for row in table.to_dict("records")], format, output)
    if plot is not None:
        from cranfield.plots.plots import save, topic_curve_plot

        save(topic_curve_plot(table, precision_recall(judged, rel=rel)), plot)


def measures(
    name: Annotated[str | None, typer.Argument(metavar="[MEASURE]", help="All about this one.")] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the measures, or tell all about one: what it is for, when it misleads, its source.

    A measure of your own is a function in a Python module, here or installed, that registers it under a name:
    cranfield.metrics.register("FirstTwo", first_two). Then -m mine:FirstTwo names it in every command, as does a path,
    -m folder/mine.py:FirstTwo. docs/measures.md tells what the function is given, and gives examples.

    Example: cranfield measures nDCG
    """
    from cranfield.metrics import MEASURES
    from cranfield.metrics.notation import parse

    if name is None:
        emit([row(measure) for measure in MEASURES], format, output)
    else:
        typer.echo(parse(name).about)


def row(measure: Measure) -> dict[str, str]:
    """What the table of measures says of one."""
    low, high = ("" if abs(bound) == float("inf") else f"{bound:g}" for bound in measure.range)
    return {
        "measure": measure.name,
        "options": ", ".join(measure.defaults),
        "range": f"{low}..{high}",
        "trec_eval": ", ".join(measure.synonyms).replace("{}", "k"),
        "what": measure.description,
    }


def reusability(
    paths: SourcePaths,
    by: By = Unit.run,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measure: Measures = None,
    teams: Teams = None,
    protect: Protect = None,
    relevant_only: Annotated[
        bool, typer.Option("--relevant-only", help="Take out relevant uniques only, an older practice, to compare.")
    ] = False,
    assessor: Assessor = None,
    labels: Labels = Whose.all,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Tell how fair the collection is to a system that was not pooled: leave each one out and see what it loses.

    Read the change of its own score first: about 1 per cent is within the noise of assessors and topics, 6 per cent
    and more calls for care. Kendall's tau comes last, since it hardly sees one unit move: a change of the pool that
    leaves it at .99 may cost the left-out run most of its score.

    There are numbers but no verdict where these runs are not the pool: where most of the judged documents, or of the
    relevant ones, lie outside what they explain, or most of the pool is not judged. --teams tells who was pooled,
    --protect which judgments came otherwise.

    A stored pool that is not of depth k is built anew without each, as it was built; what it wants then and nobody
    judged is "missed". Where it cannot be built anew with everybody in it, there are no numbers, only why.

    Example: cranfield reusability qrels.txt runs/*.gz --by run --depth 100
    """
    from cranfield.analysis.reusability import change_rows, pool_line, study
    from cranfield.analysis.verdict import reading
    from cranfield.source import open_source

    source = open_source(paths, teams, assessor, labels, pool, note)
    if protect is not None and protect not in source.qrels.sources:
        raise InputError(f"no judgment has {protect!r} in the second column", paths[0])
    asked = chosen(measure, REUSABILITY_DEFAULT, source.min_relevant)
    told = study(source, by.value, depth, asked, protect, relevant_only)
    found = told.found
    notes(told.notes)
    if format is TableFormat.table:
        emit(change_rows(found, found.measures[:1]), format, output, title=pool_line(found))
        for name in found.measures if output is None and not found.no_verdict else ():
            typer.echo()
            emit(reading(told, name), format)
    else:
        emit(change_rows(found), format, output, document=told.to_json())
