"""pool forecast.

JSON: {"depth", "to", "runs", "teams", "teams_given", "new": [...], "fit": {"c", "s", "first", "last", "residual"},
"prediction": {"first", "last", "predicted"}, "back_test": the same and "observed",
"bound": {"found", "by_one", "by_two", "estimate"},
"topics": [{"query_id", "judged", "relevant", "share", "level", "by_one", "missing", "deeper_half", "recent",
"recent_of", "prediction", "back_test"}]}.

`teams_given` is false where each run counts as its own team. `new` lists the number of new relevant documents at depth
1, 2, ...; predictions are new relevant documents over the depths `first` to `last`. `fit`, `prediction` and `back_test`
are null where there are too few depths; for a topic, where there are fewer than 20 depths or 40 relevant documents;
`recent` and `recent_of` are null where there is no log of judgments. `missing` is Chao's lower bound minus what was
found.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import (
    Assessor,
    Format,
    Labels,
    Output,
    Plot,
    PoolDepth,
    PoolNumber,
    SourcePaths,
    Teams,
)
from cranfield.cli.tables import TableFormat, emit, note, notes, say
from cranfield.store.labelled_by import LabelledBy


def forecast(
    paths: SourcePaths,
    depth: PoolDepth = None,
    to: Annotated[
        int | None, typer.Option(min=2, help="Forecast to this depth; twice the pool's depth by default.")
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="Number of most recent judgments per topic to consider.")] = 50,
    topics: Annotated[
        bool, typer.Option("--topics", help="Also forecast rich topics by depth, each with its back-test.")
    ] = False,
    teams: Teams = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Estimate how complete the judgments are: what deeper pools would find, what no team found, which topics are rich.

    Read the back-test first: it predicts the second half of the depths from the first half, next to what was found. The
    forecast is as good as that; it has no interval, since those of a power law hold too seldom on real pools.
    Then the topics: "many" and "too many" relevant documents among the judged ones mean that there are more; "missing"
    is a lower bound on the relevant documents that no team found, assuming that teams search independently. --topics
    needs a pool of depth 20 and 40 relevant documents in a topic; with fewer, a power law cannot be fitted.

    --plot draws the new relevant documents by depth with the fitted curve, and what each topic may lack.

    Example: cranfield pool forecast qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.forecast import document, judged_in_order, lines, rows, title
    from cranfield.analysis.reusability import contributors, depth_of, units
    from cranfield.pooling.forecast.forecast import forecast as look_ahead
    from cranfield.source import open_source

    source = open_source(paths, teams, assessor, labels, pool, note)
    source = with_contributors(source, depth)
    who, depth = contributors(source), depth_of(source, depth)
    notes(who.notes)
    members = units(source.about, who.runs, "team")
    order = judged_in_order(paths[0], source.qrels, source.min_relevant, assessor, labels)
    found = look_ahead(source.runs, source.qrels, members, depth, to, source.min_relevant, order, last)
    if plot is not None:
        from cranfield.plots.forecast import forecast_plot
        from cranfield.plots.style import save

        save(forecast_plot(found, to or 2 * depth), plot)
    emit(rows(found, topics), format, output, title=title(found), document=document(found, to or 2 * depth))
    if format is TableFormat.table and output is None:
        say("\n" + "\n".join(lines(found)))
