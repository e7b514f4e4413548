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
    depth: Annotated[int | None, typer.Option(min=1, help="The pool's depth; inferred by default.")] = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    examples: Annotated[int, typer.Option(min=0, help="How many exceptions of each kind to show.")] = 5,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check whether pooling the runs again reproduces the judgments; infer the depth and the contributing runs.

    With a stored pool its runs are used, with --teams the runs marked as pooled. Otherwise the contributors are
    inferred: the depth is the one at which the runs without gaps explain the most judgments, and those runs are the
    contributors. A run with an unjudged document above that depth was not pooled; a run without one and without unique
    documents remains undecided. Gaps where scores tie across the depth do not count, and where some topics were judged
    otherwise, up to half of them are set aside: "runs without a gap" and "topics without a gap" count all of these.

    Documents with equal scores are ordered by docno descending, as in trec_eval. "tie rule" is the order that the pool
    itself used, where this can be inferred; for files their line order and rank column are tried as well, which a store
    does not keep.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.analysis.closure import verified
    from cranfield.pooling.verify.verify import summary
    from cranfield.source import open_source

    closure, ties = verified(open_source(paths, teams, labels=labels, pool=pool, tell=note), paths, depth)
    found = [*summary(closure, examples), *ties.rows()]
    rows = [{"what": name, "found": str(value)} for name, value in found]
    emit(rows, format, output, document={**closure._asdict(), "gaps": closure.gaps.to_json(), "ties": ties.to_json()})
