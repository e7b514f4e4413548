"""report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.arrays.which_topics import WhichTopics
from cranfield.cli.options import (
    By,
    Labels,
    Measures,
    PoolDepth,
    PoolNumber,
    Protect,
    SourcePaths,
    Teams,
    Topics,
    UnitKind,
)
from cranfield.cli.tables import note, notes
from cranfield.store.labelled_by import LabelledBy


def report(
    paths: SourcePaths,
    out: Annotated[
        Path, typer.Argument(metavar="OUT.html", help="The page; with .md or .json, only the reusability card.")
    ],
    by: By = UnitKind.run,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measure: Measures = None,
    teams: Teams = None,
    protect: Protect = None,
    topics: Topics = WhichTopics.all,
    labels: Labels = LabelledBy.all,
    card_only: Annotated[
        bool, typer.Option("--card-only", help="Write only the reusability card, as OUT.md and OUT.json always do.")
    ] = False,
) -> None:
    """Write a report on a collection: what it contains, the scores of its runs, and its reusability card.

    The report is a single HTML file that needs no network; the same source gives the same bytes. The card shows the
    effect of leaving each unit out of the pool, of the pool's depth, and of the choice of topics. For a store without
    runs or judgments, the report covers what there is.

    Example: cranfield report track.db report.html --by team
    """
    from cranfield.analysis.reusability import MEASURES, check_protect
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.report.page import Asked
    from cranfield.report.subject import subject_of
    from cranfield.report.writing import check_suffix, command, write_report

    check_suffix(out)
    subject = subject_of(paths, teams, labels, note, depth, pool, topics)
    notes(subject.source.contributors.notes if subject.source and subject.source.contributors else ())
    if subject.source:
        check_protect(subject.source, protect, paths[0])
    measures = parse_all(measure or MEASURES, subject.source.min_relevant if subject.source else 1)
    made_by = command(paths, by.value, depth, measure, teams, protect, out.suffix, labels, pool, topics)
    asked = Asked(measures, by.value, depth, protect, made_by)
    write_report(out, subject, asked, card_only)
