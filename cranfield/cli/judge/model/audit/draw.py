"""model audit draw."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


class Unit(StrEnum):
    """What is drawn."""

    pair = "pair"
    topic = "topic"


class Strata(StrEnum):
    """What divides the labels into strata."""

    grade = "grade"
    topic = "topic"


def draw(
    path: StorePath,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model whose labels to check.")],
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Who judges the sample.")],
    size: Annotated[int, typer.Option(min=2, help="The number of documents to draw, or of topics with --unit topic.")],
    by: Annotated[Strata, typer.Option(help="Draw within the model's grades, or within topics.")] = Strata.grade,
    unit: Annotated[
        Unit, typer.Option(help="Draw single documents, or whole topics, as AP and nDCG need.")
    ] = Unit.pair,
    seed: Annotated[int, typer.Option(help="Random seed of the sample.")] = 0,
) -> None:
    """Draw a random sample of what a model labelled, for a person to judge without seeing its labels.

    The store keeps the sample with the sizes of the strata it was drawn from. When it is judged, `model audit estimate`
    estimates from it what people would have said of everything that the model labelled, and `model audit report` says
    what its labels can be used for.

    Example: cranfield model audit draw track.db --model qwen --assessor ada --size 200
    """
    from cranfield.analysis.labels.model_estimate import draw_audit
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path) as store:
        sample = draw_audit(store, model, assessor, size, by.value, unit.value, seed)
    topics = counted(len({pair.qid for pair in sample.pairs}), "topic")
    say(f"Sample {sample.number}: {counted(len(sample.pairs), 'document')} of {topics}, for {assessor} to judge:")
    say(f"cranfield judge {path} --assessor {assessor} --audit {sample.number}")
