"""`model panel`: the labels of several models combined."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.tables import TableFormat, emit, note, say
from cranfield.hooks import named
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.panel import Panel


class PanelMethod(StrEnum):
    """How labels are combined."""

    majority = "majority"
    mean = "mean"
    dawid_skene = "dawid-skene"


def panel(
    path: StorePath,
    judge: Annotated[
        list[str], typer.Option(metavar="NAME", help="A model whose labels count; repeat it."), completion.ASSESSORS
    ],
    assessor: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the panel's labels."), completion.ASSESSORS
    ],
    *,
    of: Annotated[
        str,
        typer.Option(metavar="LABELS", help="Which labels: documents, nuggets, support, claims, ..."),
        completion.single(lambda ctx: [name for name, kind in named("models.audits").items() if kind.panel]),
    ] = "documents",
    method: Annotated[
        PanelMethod, typer.Option(help="The commonest label, the nearest to the mean, or by how often each judge errs.")
    ] = PanelMethod.majority,
    printer: Printer,
) -> None:
    """Combine the labels of several models into those of a panel, and measure how far the models agree.

    The panel is an assessor like a model: audited like one (`model audit report`), and never counted where a person has
    labelled. In a tie, majority takes the lower label; mean rounds halves up. dawid-skene estimates from the labels
    alone how often each judge gives which label where another is right, and trusts those more that err less; it takes
    mistakes that the judges share for the truth. What fewer than half of the judges have labelled cannot be judged. Run
    it again after new labels: only what has changed is recorded.

    Example: cranfield model panel track.db --judge qwen --judge llama --judge mistral --assessor panel
    """
    from cranfield.features.models.panel import as_document, panel
    from cranfield.store.store import Store

    with Store.open(path) as store:
        result = panel(store, judge, assessor, method=method.value, labels=of)
    rows = [_row(one) for one in result.judges]
    title = f"{assessor}: {method.value} of {counted(len(judge), 'judge')}, {of}"
    printer.emit(rows, title=title, document=as_document(result))
    if printer.for_people:
        _agreement(result)
    if result.undecided:
        note(f"{result.undecided:,} without a label by most of the judges, left out")


def _row(one: Any) -> dict[str, Any]:
    known = {"accuracy": one.accuracy} if one.accuracy == one.accuracy else {}
    return {"judge": one.judge, "labels": one.labels, "failed": one.failed, "with_panel": one.with_panel, **known}


def _agreement(result: "Panel") -> None:
    say()
    rows = [
        {"judges": ", ".join(one.judges), "coefficient": one.coefficient, "units": one.units, "value": one.value}
        for one in result.agreement
    ]
    emit(rows, TableFormat.table, title="agreement of the judges")
    say(f"\n{counted(result.labelled, 'label')}; {result.new:,} recorded, new or changed, with what cannot be judged.")
