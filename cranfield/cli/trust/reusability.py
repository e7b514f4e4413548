"""reusability."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import (
    Assessor,
    By,
    Format,
    Labels,
    Measures,
    Output,
    PoolDepth,
    PoolNumber,
    Protect,
    SourcePaths,
    Teams,
    UnitKind,
)
from cranfield.cli.tables import TableFormat, emit, note, notes
from cranfield.store.labelled_by import LabelledBy


def reusability(
    paths: SourcePaths,
    by: By = UnitKind.run,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measure: Measures = None,
    teams: Teams = None,
    protect: Protect = None,
    relevant_only: Annotated[
        bool, typer.Option("--relevant-only", help="Take out relevant uniques only, an older practice, to compare.")
    ] = False,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
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
    from cranfield.analysis.reusability import MEASURES, change_rows, check_protect, pool_line, reusability_of
    from cranfield.analysis.verdict import verdict_rows
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.source import open_source

    source = open_source(paths, teams, assessor, labels, pool, note)
    check_protect(source, protect, paths[0])
    asked = parse_all(measure or MEASURES, source.min_relevant)
    told = reusability_of(source, by.value, depth, asked, protect, relevant_only)
    found = told.found
    notes(told.notes)
    if format is TableFormat.table:
        emit(change_rows(found, found.measures[:1]), format, output, title=pool_line(found))
        for name in found.measures if output is None and not found.no_verdict else ():
            typer.echo()
            emit(verdict_rows(told, name), format)
    else:
        emit(change_rows(found), format, output, document=told.to_json())
