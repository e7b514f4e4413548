"""model audit estimate."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import Format, Measures, Output, StorePath
from cranfield.cli.tables import TableFormat, emit, note, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.analysis.labels.estimated import EstimatedScore

CAUTION = (
    "Intervals are about the documents that the model labelled, and take the person to be right. Worth: how many times"
    " as many labels of people would be as exact without the model."
)
WITHIN_GRADES = (
    " The sample was drawn within the model's grades, which helps every estimate; worth is what the labels add to it."
)


def estimate(
    path: StorePath,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model whose sample to use. [default: of the newest sample]")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The number of the sample. [default: the newest]")
    ] = None,
    measure: Measures = None,
    relevant: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="How many documents of each topic are relevant, lines of qid and number: R needs that.",
        ),
    ] = None,
    judged_topics_only: Annotated[
        bool,
        typer.Option(
            "--judged-topics-only", help="Estimate for the topics whose part of the sample is judged whole, no others."
        ),
    ] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Estimate what people would have said of everything that a model labelled, from a judged sample.

    The estimate takes the mean of the model's labels and corrects it by how much people differ on the sample; tuning
    says how much weight the model gets, chosen so that the interval is narrowest. In large samples it is then never
    wider than without the model; with full weight (tuning 1) it can be. Both are shown beside it.

    From a sample of documents it estimates the share of relevant documents and measures that are sums over labels (P,
    CG, DCG, RBP, and R with --relevant); AP, nDCG and others need a sample of topics. A sample that is judged in part
    says nothing of topics that are not judged yet: --judged-topics-only estimates for the others.

    Example: cranfield model audit estimate track.db --model qwen -m P@10
    """
    from cranfield.analysis.labels.estimated import as_document, without_interval
    from cranfield.analysis.labels.model_estimate import estimate
    from cranfield.formats.relevant_counts import read_relevant_counts
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path) as store:
        counts = None if relevant is None else read_relevant_counts(relevant)
        found = estimate(store, model, sample, measure or (), counts, judged_topics_only)
    for line in without_interval(found):
        note(line)
    rows = [_row(one) for one in found.scores]
    if format is not TableFormat.table or output is not None:
        emit(_full_rows(found.scores), format, output, document=as_document(found))
        return
    of = counted(sum(found.sample.strata.values()), "document" if found.sample.unit == "pair" else "topic")
    whose = f"sample {found.sample.number} of the labels of {found.sample.model}, judged by {found.sample.assessor}"
    only = "" if found.topics is None else f", of {counted(found.topics, 'topic')} judged whole"
    emit(rows, format, title=f"{whose}: {counted(found.judged, 'document')}; of {of}{only}")
    if found.left_out:
        say(f"{counted(found.left_out, 'document')} of the sample cannot be judged and count as not drawn.")
    say(f"\n{CAUTION}{WITHIN_GRADES if found.sample.by == 'grade' else ''}")


def _row(one: EstimatedScore) -> dict[str, Any]:
    tuned, alone, trusting = one.tuned, one.alone, one.trusting
    worth = "-" if isnan(tuned.worth) else f"{tuned.worth:.2f}"
    return {
        "run": one.run, "measure": one.measure, "model": one.model, "estimate": tuned.value, "low": tuned.low,
        "high": tuned.high, "tuning": f"{tuned.tuning:.2f}", "worth": worth,
        "people alone": alone.value, "± alone": (alone.high - alone.low) / 2,
        "± tuning 1": (trusting.high - trusting.low) / 2,
    }  # fmt: skip


def _full_rows(scores: Sequence[EstimatedScore]) -> list[dict[str, Any]]:
    rows = []
    for one in scores:
        row = {"run": one.run, "measure": one.measure, "model": one.model, **one.tuned._asdict()}
        for name, found in (("people_alone", one.alone), ("tuning_1", one.trusting)):
            row |= {f"{name}_value": found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        rows.append(row)
    return rows
