"""export qrels."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFile
from cranfield.cli.options import Labels, PoolNumber, StorePath
from cranfield.cli.tables import note, summary
from cranfield.store.labelled_by import LabelledBy, said

MissingGrade = Annotated[
    int | None,
    typer.Option(max=-1, metavar="GRADE", help="Write these pairs with this negative grade. [default: leave out]"),
]


class QrelsFormat(StrEnum):
    """The formats in which qrels are written."""

    trec = "trec"
    beir = "beir"
    subtopics = "subtopics"
    sample_eval = "sample-eval"
    grade_stratum = "grade-stratum"


class Unsure(StrEnum):
    """How labels that are marked as unsure are treated."""

    counted = "count"
    leave_out = "leave-out"


def qrels(
    path: StorePath,
    out: OutputFile,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="How several labels become one, such as median-low.")
    ] = "primary",
    assessor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Whose labels count, in order of precedence; may be repeated. [default: all]"
        ),
    ] = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    unsure: Annotated[Unsure, typer.Option(help="How to treat labels that are marked as unsure.")] = Unsure.counted,
    later: MissingGrade = None,
    cannot_judge: MissingGrade = None,
    unlabelled: MissingGrade = None,
    format: Annotated[
        QrelsFormat,
        typer.Option(help="Output format; strata come from the pool, subtopics from imported labels."),
    ] = QrelsFormat.trec,
) -> None:
    """Write the judgments as qrels, and report what was left out and why.

    If OUT is a file, OUT.manifest.json beside it documents the qrels: policy, assessors, pool, scale, counts, checksum.
    Where several assessors labelled a document, --policy decides: single, primary, majority-tie-low, majority-tie-high,
    median-low, mean-rounded, min, max, or adjudicated-else-POLICY, where POLICY is one of these. A model's label counts
    only where no person gave one, unless --assessor names the model; --labels people excludes models. --pool selects
    the pool whose unlabelled pairs are counted.

    Example: cranfield export qrels track.db qrels.txt --policy adjudicated-else-median-low --format sample-eval
    """
    from cranfield.judging.labels.derive import State
    from cranfield.judging.labels.export import export_qrels
    from cranfield.store.names.unknown import strangers
    from cranfield.store.qrels import qrels_of
    from cranfield.store.store import Store

    asked: dict[State, int | None] = {"later": later, "cannot-judge": cannot_judge, "unlabelled": unlabelled}
    missing = {state: grade for state, grade in asked.items() if grade is not None}
    with Store.open(path) as store:
        done = export_qrels(store, out, assessor, policy, unsure is Unsure.counted, missing, labels, pool, format)
        summary(out, str(done))
        for text in done.notes:
            note(text)
        for text in strangers(store, qrels_of(store), "that are judged"):
            note(text)
    if whose := said(labels, done.labels, done.models, assessor or ()):
        note(whose)
