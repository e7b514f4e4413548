"""`reusability`, `depths` and `stability`: how far scores hold for other runs, depths and topics."""

from typing import Any

from cranfield import hooks
from cranfield.cli.options import Plot, Printer, SourcePaths
from cranfield.cli.tables import CHANGES, LEFT_OUT, TableFormat, note, notes, of_left_out, say
from cranfield.options.trusting import DepthsOptions, ReusabilityOptions, StabilityOptions


def reusability(paths: SourcePaths, *, options: ReusabilityOptions, plot: Plot = None, printer: Printer) -> None:
    """Measure how fair the collection is to a system that was not pooled: leave out each unit and see what it loses.

    Read the change of its own score first: about 1 per cent is within the noise of assessors and topics, up to 6
    per cent compare with care, and above it is unfair. Read Kendall's tau last, because it hardly changes when a
    single unit moves: even at a tau of .99 the left-out run may have lost most of its score.

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
    from cranfield.analysis.headline import headline
    from cranfield.analysis.reusability import change_rows, pool_line, verdict_of, worst_first
    from cranfield.analysis.verdict import level, verdict_rows
    from cranfield.source import chosen_source

    if other := hooks.instead("reusability"):
        _show_others(other.run(paths, options, tell=note, others=plot), printer)
        return
    verdict = verdict_of(chosen_source(paths, options, note), options, paths[0])
    lost = verdict.found
    notes(verdict.notes)
    if plot is not None:
        from cranfield.plots.rankings import rank_plot
        from cranfield.plots.style import save

        save(rank_plot(verdict.to_json()), plot)
    if printer.format is TableFormat.table:
        changes = worst_first(change_rows(lost, lost.measures[:1]))
        rows, display = of_left_out(changes, lost.measures[0])
        printer.emit(rows, title=pool_line(lost), display=display)
        if printer.for_people and not lost.no_verdict:
            say()
            say(headline(verdict), level(verdict))
        for name in lost.measures if printer.for_people and not lost.no_verdict else ():
            say()
            printer.emit(verdict_rows(verdict, name))
    else:
        printer.emit(change_rows(lost), document=verdict.to_json(), display=LEFT_OUT)


def _show_others(found: Any, printer: Printer) -> None:
    """What each unit loses of something else than a pool, which a feature found."""
    if printer.format is TableFormat.table:
        rows, display = of_left_out(found.rows, found.found.measures[0])
        printer.emit(rows, title=found.title, display=display)
    else:
        printer.emit(found.rows, document=found.to_json(), display=LEFT_OUT)


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

    document, told = depths_document(chosen_source(paths, options, note), options)
    lack = document["no_verdict"]
    notes([*told, *([f"no verdict: {lack}"] if lack else [])])
    shown = rows(document, not printer.separated)
    printer.emit(shown, title=title(document), document=document, display=CHANGES)
    if printer.for_people:
        say(f"\n{HOW_TO_READ}")
    if plot is not None:
        from cranfield.plots.pools import depths_plot
        from cranfield.plots.style import save

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
    rows = stability_rows(document, not printer.separated)
    printer.emit(rows, title=stability_title(document), document=document)
    if printer.for_people:
        for measured in document["measures"]:
            say("\n" + "\n".join(stability_sentences(measured, document["topics"])))
    if plot is not None:
        from cranfield.plots.rankings import stability_plot
        from cranfield.plots.style import save

        save(stability_plot(document), plot)
