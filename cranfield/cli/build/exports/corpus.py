"""export corpus."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.dropped_fields import DocumentField, Dropping
from cranfield.cli.export_options import OutputFile, TextFormat, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted


def corpus(
    path: StorePath,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[DocumentField] | None,
        typer.Option(help="Drop this field, if the format has no place for it; may be repeated."),
    ] = None,
) -> None:
    """Write the documents: as jsonl, trec, smart, tsv, csv or a beir folder.

    Example: cranfield export corpus track.db corpus.tsv --format tsv --drop metadata
    """
    from cranfield.formats import write_corpus
    from cranfield.store.store import Store

    with Store.open(path) as store:
        refuse_empty(path, "corpus", store.has("document"))
        dropping = Dropping(drop or [], "document")
        write_corpus(out, dropping(store.documents()), format)
    summary(out, counted(dropping.count, "document"))
    for text in dropping.notes:
        note(text)
