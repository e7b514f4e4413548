"""report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import By, Labels, Measures, PoolDepth, PoolNumber, Protect, SourcePaths, Teams, UnitKind
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
    from cranfield.report.writing import check_suffix, write_report

    check_suffix(out)
    subject = subject_of(paths, teams, labels, note, depth, pool)
    notes(subject.source.contributors.notes if subject.source and subject.source.contributors else ())
    if subject.source:
        check_protect(subject.source, protect, paths[0])
    measures = parse_all(measure or MEASURES, subject.source.min_relevant if subject.source else 1)
    made_by = command(paths, by, depth, measure, teams, protect, out.suffix, labels, pool)
    asked = Asked(measures, by.value, depth, protect, made_by)
    write_report(out, subject, asked, card_only)


def command(
    paths: Sequence[Path], by: UnitKind, depth: int | None, measures: Sequence[str] | None, teams: Path | None,
    protect: str | None, suffix: str, labels: LabelledBy = LabelledBy.all, pool: int | None = None,
) -> str:  # fmt: skip
    """The command that makes the report, without the folders of this machine.

    >>> command([Path("/x/track.db")], UnitKind.team, None, ["AP"], None, None, ".html")
    'cranfield report track.db OUT.html --by team -m AP'
    >>> command([Path("/x/qrels"), Path("/x/a"), Path("/x/b")], UnitKind.run, 7, None, Path("/x/t.tsv"), "0.5", ".md")
    'cranfield report qrels RUNS... OUT.md --by run --depth 7 --teams t.tsv --protect 0.5'
    """
    import shlex

    words = [shlex.quote(paths[0].name), *(["RUNS..."] if len(paths) > 1 else []), f"OUT{suffix}", "--by", by.value]
    given: list[tuple[str, object]] = [("--depth", depth), ("--pool", pool)]
    given += [("-m", name) for name in measures or ()]
    given += [("--teams", teams and teams.name), ("--protect", protect)]
    given += [("--labels", None if labels is LabelledBy.all else labels.value)]
    words += [word for name, value in given if value is not None for word in (name, shlex.quote(str(value)))]
    return " ".join(["cranfield report", *words])
