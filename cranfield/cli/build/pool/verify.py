"""pool verify."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import Format, Labels, Output, PoolNumber, SourcePaths, Teams
from cranfield.cli.tables import TableFormat, emit, note
from cranfield.store.labelled_by import LabelledBy


def verify(
    paths: SourcePaths,
    teams: Teams = None,
    depth: Annotated[int | None, typer.Option(min=1, help="The pool's depth; found out by default.")] = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    examples: Annotated[int, typer.Option(min=0, help="How many exceptions to show of each kind.")] = 5,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check whether the runs, pooled anew, give the judgments; find the depth and who contributed.

    On a store with a pool its runs are taken, with --teams those marked as pooled. Else contributors are found out: the
    depth is the one at which the runs without a gap explain most judgments, and these are they. A run with a gap cannot
    have been pooled; one without that brought nothing of its own stays undecided.

    Documents of one score count by docno descending, as in trec_eval. "tie rule" is how the pool itself was made, where
    that shows; on files also their order of lines and their rank column are tried, which a store does not keep.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.analysis.closure import verified
    from cranfield.pooling.verify.verify import summary
    from cranfield.source import open_source

    closure, ties = verified(open_source(paths, teams, labels=labels, pool=pool, tell=note), paths, depth)
    found = [*summary(closure, examples), *ties.rows()]
    rows = [{"what": name, "found": str(value)} for name, value in found]
    emit(rows, format, output, document={**closure._asdict(), "ties": ties.to_json()})
