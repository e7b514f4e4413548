"""`reusability`, `depths` and `stability`: how far scores hold for other runs, depths and topics."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield import hooks
from cranfield.arrays import WhichTopics
from cranfield.cli.options import (
    Assessor,
    By,
    Cluster,
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
    Topics,
    UnitKind,
)
from cranfield.cli.tables import CHANGES, LEFT_OUT, SEPARATED, TableFormat, emit, note, notes, of_left_out, say
from cranfield.store.labelled_by import LabelledBy


def reusability(
    paths: SourcePaths,
    *,
    by: By = UnitKind.run,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measure: Measures = None,
    teams: Teams = None,
    protect: Protect = None,
    relevant_only: Annotated[
        bool,
        typer.Option(
            "--relevant-only", help="Remove only relevant unique documents, an older practice, for comparison."
        ),
    ] = False,
    topics: Topics = WhichTopics.all,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    cluster: Cluster = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Measure how fair the collection is to a system that was not pooled: leave out each unit and see what it loses.

    Read the change of its own score first: about 1 per cent is within the noise of assessors and topics; 6 per cent or
    more calls for care. Read Kendall's tau last, because it hardly changes when a single unit moves: even at a tau of
    .99 the left-out run may have lost most of its score.

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
    from cranfield.analysis.headline import headline, level
    from cranfield.analysis.reusability import (
        MEASURES,
        change_rows,
        check_protect,
        pool_line,
        reusability_of,
        worst_first,
    )
    from cranfield.analysis.verdict import verdict_rows
    from cranfield.metrics.notation import parse_all
    from cranfield.source import open_source, told_topics

    if other := hooks.instead("reusability"):
        of_pools = {"depth": depth, "pool": pool, "teams": teams, "protect": protect, "relevant_only": relevant_only,
                    "plot": plot}  # fmt: skip
        found = other.run(
            paths, by.value, measures=measure, assessor=assessor, labels=labels, tell=note, topics=topics,
            of_pools=of_pools,
        )  # fmt: skip
        _show_others(found, format, output)
        return
    source = open_source(paths, teams=teams, assessor=assessor, labels=labels, pool=pool, tell=note)
    check_protect(source, protect, paths[0])
    source = told_topics(source, topics)
    asked = parse_all(measure or MEASURES, source.min_relevant)
    verdict = reusability_of(source, by.value, depth, asked, protect=protect, relevant_only=relevant_only)
    lost = verdict.found
    notes(verdict.notes)
    if plot is not None:
        from cranfield.plots.rankings import rank_plot
        from cranfield.plots.style import save

        save(rank_plot(verdict.to_json()), plot)
    if format is TableFormat.table:
        changes = worst_first(change_rows(lost, lost.measures[:1]))
        rows, display = of_left_out(changes, lost.measures[0])
        emit(rows, format, output, title=pool_line(lost), display=display)
        if output is None and not lost.no_verdict:
            say()
            say(headline(verdict), level(verdict))
        for name in lost.measures if output is None and not lost.no_verdict else ():
            say()
            emit(verdict_rows(verdict, name), format)
    else:
        emit(change_rows(lost), format, output, document=verdict.to_json(), display=LEFT_OUT)


def _show_others(found: Any, format: TableFormat, output: Path | None) -> None:
    """What each unit loses of something else than a pool, which a feature found."""
    if format is TableFormat.table:
        rows, display = of_left_out(found.rows, found.found.measures[0])
        emit(rows, format, output, title=found.title, display=display)
    else:
        emit(found.rows, format, output, document=found.to_json(), display=LEFT_OUT)


def depths(
    paths: SourcePaths,
    *,
    by: By = UnitKind.run,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    every: Annotated[bool, typer.Option("--all", help="Show every depth, not a selection of 30.")] = False,
    measure: Measures = None,
    teams: Teams = None,
    protect: Protect = None,
    topics: Topics = WhichTopics.all,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    cluster: Cluster = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show for each pool depth what judging would have cost, and how fair it would have been to left-out systems.

    One row per depth: the documents to judge, the relevant ones among them, Kendall's tau with the ranking by the whole
    collection, and how much of its own score a left-out unit would have lost. Judging could have stopped where the
    losses stop falling. What deeper pools would find is not estimated: see `cranfield pool forecast`.

    --plot draws losses and tau against the documents to judge, by each measure.

    Example: cranfield depths track.db --by team --plot depths.svg
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.depths import (
        HOW_TO_READ,
        MOST,
        depth_document,
        leave_out_setting,
        rows,
        spread_depths,
        title,
    )
    from cranfield.analysis.reusability import contributors
    from cranfield.metrics.notation import parse_all
    from cranfield.source import open_source

    source = with_contributors(
        open_source(paths, teams=teams, assessor=assessor, labels=labels, pool=pool, tell=note, topics=topics), depth
    )
    measures = parse_all(measure or ["AP"], source.min_relevant)
    setting = leave_out_setting(source, by.value, depth, protect)
    document = depth_document(source, setting, measures, spread_depths(setting.depth, setting.depth if every else MOST))
    lack = document["no_verdict"]
    notes([*contributors(source).notes, *([f"no verdict: {lack}"] if lack else [])])
    shown = rows(document, format not in SEPARATED)
    emit(shown, format, output, title=title(document), document=document, display=CHANGES)
    if format is TableFormat.table and output is None:
        say(f"\n{HOW_TO_READ}")
    if plot is not None:
        from cranfield.plots.pools import depths_plot
        from cranfield.plots.style import save

        save(depths_plot(document), plot)


def stability(
    paths: SourcePaths,
    *,
    measure: Measures = None,
    topics: Topics = WhichTopics.all,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    cluster: Cluster = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
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
    from cranfield.source import min_relevant, open_blocks

    judged, rel = open_blocks(paths, assessor, labels, note, topics), min_relevant(paths[0])
    document = stability_of(judged, parse_all(measure or ["AP"], rel))
    emit(
        stability_rows(document, format not in SEPARATED),
        format,
        output=output,
        title=stability_title(document),
        document=document,
    )
    if format is TableFormat.table and output is None:
        for measured in document["measures"]:
            say("\n" + "\n".join(stability_sentences(measured, document["topics"])))
    if plot is not None:
        from cranfield.plots.rankings import stability_plot
        from cranfield.plots.style import save

        save(stability_plot(document), plot)
