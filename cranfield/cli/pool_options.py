"""Options for making pools: the method, its options, and the size of the pool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.tables import note, say

if TYPE_CHECKING:
    from cranfield.pooling.method import Method
    from cranfield.pooling.stored.request import PoolResult

Considered = Annotated[int, typer.Option(min=1, help="Number of documents considered per run and topic.")]
Budget = Annotated[int | None, typer.Option(min=1, help="Maximum number of documents per topic.")]
Total = Annotated[int | None, typer.Option(min=1, help="Number of documents over all topics, distributed among them.")]
Batch = Annotated[
    int | None,
    typer.Option(
        min=1, help="Adaptive methods: number of documents per topic awaiting judgment at a time; 10 by default."
    ),
]


def method_called(name: str) -> Method:
    from cranfield.pooling.methods.table import METHODS

    if name not in METHODS:
        raise typer.BadParameter(f"unknown method {name!r}; available: {', '.join(METHODS)}", param_hint="--method")
    return METHODS[name]


def options_of(given: list[str]) -> dict[str, str]:
    wrong = [text for text in given if "=" not in text]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r}; expected NAME=VALUE", param_hint="--option")
    return dict(text.split("=", 1) for text in given)


def tell_made(path: Path, made: PoolResult) -> None:
    from cranfield.store.names.unknown import strangers_among
    from cranfield.store.store import Store

    docnos = sorted({document.docno for document in made.pool.documents}) if made.pool else []
    with Store.open(path) as store:
        unknown = strangers_among(store, "document", docnos, "documents of this pool")
    say(made.line)
    for text in (*made.notes, *(f"{line}; assessors cannot read them" for line in unknown)):
        note(text)
