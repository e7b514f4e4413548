"""pool forecast.

JSON: {"depth", "to", "runs", "teams", "new": [...], "fit": {"c", "s", "first", "last", "residual"},
"prediction": {"first", "last", "predicted", "low", "high"}, "back_test": the same and "observed",
"bound": {"found", "by_one", "by_two", "estimate", "low", "high"},
"topics": [{"query_id", "judged", "relevant", "share", "level", "by_one", "missing", "deeper_half", "recent",
"recent_of", "prediction", "back_test"}]}.

`new` has the relevant documents that depth 1, 2, ... brought; predictions are new relevant documents over the depths
`first` to `last`. `fit`, `prediction` and `back_test` are null where there are too few depths, of a topic where there
are fewer than 20 or fewer than 40 relevant documents; `recent` and `recent_of` where there is no log of judgments.
`missing` is Chao's lower bound less what was found.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import (
    Assessor,
    Confidence,
    Format,
    Labels,
    Output,
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
        int | None, typer.Option(min=2, help="Forecast down to this depth; twice the pool's if not told.")
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="How many of the last judgments of a topic to look at.")] = 50,
    confidence: Confidence = 0.95,
    topics: Annotated[
        bool, typer.Option("--topics", help="Forecast rich topics by depth, too, each with its back-test.")
    ] = False,
    teams: Teams = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Tell how complete the judgments are: what more depth would bring, what nobody found, which topics overflow.

    Look at the back-test first: the second half of the depths as the first half predicts it, beside what came. Then
    the topics: "many" and "too many" relevant ones among the judged ones mean that there are more; "missing" is how
    many at least no team found, if teams search independently of each other. --topics needs a pool of 20 depths and 40
    relevant documents of a topic: with less a power law says nothing.

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
    order = judged_in_order(paths, source.qrels, source.min_relevant, assessor, labels)
    found = look_ahead(source.runs, source.qrels, members, depth, to, source.min_relevant, order, last, confidence)
    emit(rows(found, topics), format, output, title=title(found), document=document(found, to or 2 * depth))
    if format is TableFormat.table and output is None:
        say("\n" + "\n".join(lines(found, confidence)))
