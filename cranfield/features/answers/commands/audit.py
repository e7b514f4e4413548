"""`model audit answers`: a model's labels of answers beside people's."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say, signed


class AnswerLabels(StrEnum):
    """Labels of answers."""

    nuggets = "nuggets"
    support = "support"
    claims = "claims"


def answers(
    path: StorePath,
    labels: Annotated[AnswerLabels, typer.Argument(metavar="LABELS", help="Which labels: nuggets, support or claims.")],
    model: Annotated[str, typer.Option(metavar="NAME", help="The model whose labels to check.")],
    *,
    human: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The person to compare it with. [default: all people]"),
        completion.ASSESSORS,
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the intervals.")] = 0,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare a model's labels of answers with people's, on what both labelled.

    Agreement is shown beside that of people with each other, and how far the model's labels are above people's, where 2
    is support, 1 partial support and 0 no support. What the model failed to label is counted, and no label.

    Example: cranfield model audit answers track.db nuggets --model qwen
    """
    from cranfield.features.answers.analysis.audit import as_document, audit_answers, over_row
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path) as store:
        found = audit_answers(store, labels.value, model, human, seed)
    people = {one.coefficient: one.interval.value for one in found.ceiling}
    rows = [
        {"coefficient": one.coefficient, "value": one.interval.value, "low": one.interval.low,
         "high": one.interval.high, "between people": people.get(one.coefficient)}
        for one in found.agreement
    ]  # fmt: skip
    if format is not TableFormat.table or output is not None:
        emit(rows, format, output, document=as_document(found))
        return
    both = f"{counted(found.items, 'label')} of {counted(found.topics, 'topic')} that both gave"
    emit(rows, format, title=f"{found.what}: agreement of {found.model} with {found.human} on {both}")
    say()
    emit(
        [{"people": str(a)} | {f"-> {b}": found.grades.get((a, b), 0) for b in range(3)} for a in range(3)],
        format, title=f"labels of {found.human}, and of {found.model}",
    )  # fmt: skip
    say()
    emit(
        list(map(over_row, found.over)), format, title="how far the model's labels are above people's",
        display=Display(digits={name: signed(2) for name in ("over", "low", "high")}),
    )  # fmt: skip
    if found.failed:
        say(f"\n{counted(found.failed, 'label')} that people gave, and {found.model} failed to give, left out.")
