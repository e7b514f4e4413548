"""depths: what each depth of the pool would have cost and changed.

JSON: {"by", "depth", "topics", "no_verdict", "rows": [{"depth", "judged", "relevant", "measure", "tau",
"mean_change_percent", "max_change_percent", "max_rank_drop"}]}; `depth` beside `by` is the pool's own; changes are of a
unit's own score, absolute; `no_verdict` is null, or says why these runs do not account for the pool.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.arrays.which_topics import WhichTopics
from cranfield.cli.displays import CHANGES
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
from cranfield.cli.tables import SEPARATED, TableFormat, emit, note, notes, say
from cranfield.store.labelled_by import LabelledBy


def depths(
    paths: SourcePaths,
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
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.source import open_source

    source = with_contributors(open_source(paths, teams, assessor, labels, pool, note, topics), depth)
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
        from cranfield.plots.depths import depths_plot
        from cranfield.plots.style import save

        save(depths_plot(document), plot)
