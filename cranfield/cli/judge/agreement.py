"""agreement."""

from __future__ import annotations

from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.lists import names
from cranfield.cli.options import Format, Labels, Output, PoolNumber
from cranfield.cli.tables import TableFormat, emit, say
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.judging.agreement.agreement import Coefficient
    from cranfield.judging.agreement.label_matrix import LabelMatrix

LEAST = 100  # the fewest resamples for which a 95 % interval is meaningful


class Grouping(StrEnum):
    """What a row stands for."""

    overall = "overall"
    pair = "pair"
    topic = "topic"


def agreement(
    paths: Annotated[
        list[Path], typer.Argument(metavar="STORE", help="A store, or two or more qrels files of the same documents.")
    ],
    assessor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="An assessor to compare; may be repeated. [default: all]"),
    ] = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    by: Annotated[
        Grouping, typer.Option(help="One table for all, or one row per pair of assessors, or one per topic.")
    ] = (Grouping.overall),
    binary: Annotated[bool, typer.Option("--binary", help="Compare relevant or not instead of grades.")] = False,
    coefficient: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            callback=names,
            help="A coefficient, such as overlap, or several: overlap,prevalence. [default: several]",
        ),
    ] = None,
    scale: Annotated[
        str, typer.Option(help="The grades of qrels files, as 0,1,2,3; labels with other grades are left out.")
    ] = "",
    min_relevant: Annotated[
        int, typer.Option(help="The lowest relevant grade of qrels files; a store defines its own.")
    ] = 1,
    resamples: Annotated[
        int, typer.Option(min=0, help="Number of bootstrap resamples of topics for intervals; 0 for no intervals.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of the resamples.")] = 0,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Measure how far assessors agree on the documents that several of them labelled.

    Read prevalence, raw agreement and overlap before any kappa. Intervals are 95 per cent bootstrap intervals over
    topics; there are none with fewer than 10 topics, which say little about others, nor if more than 5 per cent of
    the resamples are undefined. Undefined coefficients, such as those of an assessor who gave every document the same
    grade, are marked as undefined.

    Example: cranfield agreement track.db --assessor ada --assessor bob
    """
    from cranfield.analysis.labels.agreement import labels_to_compare
    from cranfield.judging.agreement.agreement import by_pair, by_topic, overall

    if 0 < resamples < LEAST:
        raise typer.BadParameter(f"intervals need {LEAST} or more resamples; 0 for none", param_hint="--resamples")
    grades = parse_scale(scale) if len(paths) > 1 else None
    panel, models = labels_to_compare(paths, assessor, labels, pool, grades, min_relevant)
    panel = panel.binary() if binary else panel
    if by is Grouping.overall:
        found = overall(panel, coefficient, resamples, seed)
        rows = [_row(one, format, resamples > 0) for one in found]
    else:
        if format is not TableFormat.json:  # the table has no room for more coefficients and intervals
            coefficient, resamples = coefficient or _brief(panel, by), 0
        found = by_pair(panel, coefficient, resamples, seed) if by is Grouping.pair else by_topic(panel, coefficient)
        rows = _wide(found, by, format)
    emit(rows, format, output, _title(panel), [one.document() for one in found])
    if format is TableFormat.table and output is None:
        headings = [] if by is Grouping.overall else list(dict.fromkeys(one.coefficient for one in found))
        say("\n" + "\n".join([*_legend(headings), *_no_intervals(found), *_remarks(panel, models)]))


def parse_scale(text: str) -> list[int] | None:
    """The grades of a scale, as given on the command line.

    >>> parse_scale("0,1,2"), parse_scale("")
    ([0, 1, 2], None)
    """
    try:
        return [int(grade) for grade in text.split(",")] if text else None
    except ValueError as error:
        raise typer.BadParameter(f"{text!r}; expected a list such as 0,1,2,3", param_hint="--scale") from error


def _brief(panel: LabelMatrix, by: Grouping) -> list[str]:
    from cranfield.judging.agreement import AGREEMENTS

    two = by is Grouping.pair or len(panel.assessors) == 2
    return [it.name for it in AGREEMENTS.values() if it.brief and (two or not it.for_two)]


def _row(found: Coefficient, format: TableFormat, intervals: bool) -> dict[str, Any]:
    from cranfield.judging.agreement import AGREEMENTS

    cells: dict[str, Any] = {"value": _shown(found.interval.value, format)}
    if intervals:
        cells |= {"low": found.interval.low, "high": found.interval.high}
    if intervals and format in (TableFormat.csv, TableFormat.tsv):
        cells |= {"no interval": found.interval.why}
    return {"coefficient": found.coefficient, **cells, "reading": AGREEMENTS[found.coefficient].reading}


def _no_intervals(several: Sequence[Coefficient]) -> list[str]:
    """Which defined coefficients have no interval, and why."""
    defined = [found for found in several if not isnan(found.interval.value)]
    reasons: dict[str, list[str]] = {}
    for found in defined:
        reasons.setdefault(found.interval.why, []).append(found.coefficient)
    whose = {why: "" if len(names) == len(defined) else f" of {', '.join(names)}" for why, names in reasons.items()}
    return [f"No interval{whose[why]}: {why}." for why in reasons if why]


def _wide(several: Sequence[Coefficient], by: Grouping, format: TableFormat) -> list[dict[str, Any]]:
    """One row per pair of assessors or topic, one column per coefficient."""
    from cranfield.judging.agreement import AGREEMENTS

    rows: dict[Any, dict[str, Any]] = {}
    for found in several:
        pair = dict(zip(("assessor", "and"), found.assessors, strict=False))
        about = pair if by is Grouping.pair else {"topic": found.topic}
        row = rows.setdefault((found.assessors, found.topic), {**about, "documents": found.units})
        name = found.coefficient
        heading = AGREEMENTS[name].heading if format is TableFormat.table else ""
        row[heading or name] = _shown(found.interval.value, format)
    return list(rows.values())


def _shown(value: float, format: TableFormat) -> float | str:
    """A number; for people a word if it is undefined."""
    for_programs = format in (TableFormat.csv, TableFormat.tsv, TableFormat.json)
    return value if for_programs or not isnan(value) else "undefined"


def _title(panel: LabelMatrix) -> str:
    names = ", ".join(panel.assessors) if len(panel.assessors) < 6 else f"{len(panel.assessors)} assessors"
    documents, topics = int(panel.both.sum()), len(panel.of(panel.both).topics)
    return f"{names}: {counted(documents, 'document')} with two labels or more, of {counted(topics, 'topic')}"


def _legend(names: Sequence[str]) -> list[str]:
    """What the short column heads stand for.

    >>> _legend(["overlap", "Gwet AC1", "prevalence"])
    ['AC1: Gwet AC1; relevant: prevalence.']
    """
    from cranfield.judging.agreement import AGREEMENTS

    headings = [f"{AGREEMENTS[name].heading}: {name}" for name in names if AGREEMENTS[name].heading]
    return ["; ".join(headings) + "."] if headings else []


def _remarks(panel: LabelMatrix, models: Sequence[str]) -> list[str]:
    from cranfield.judging.agreement.agreement import CAUTION, constant

    remarks = [CAUTION]
    if models:
        out = "choose assessors with --assessor NAME, or leave models out with --labels people"
        remarks.append(f"These assessors are models: {', '.join(models)}; {out}.")
    if same := constant(panel):
        remarks.append(
            f"Gave every document the same grade, so that kappa and alpha are not informative: {', '.join(same)}."
        )
    for name, grades in (panel.outside or {}).items():
        grades_of_name = ", ".join(f"{grade:g} ({times}x)" for grade, times in grades.items())
        remarks.append(f"Left out because they are not on the scale: labels of {name}: {grades_of_name}.")
    return remarks
