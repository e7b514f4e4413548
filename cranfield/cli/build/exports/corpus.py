"""export corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.dropped_fields import DocumentField, Dropping
from cranfield.cli.export_options import OutputFile, SafeCsv, TextFormat, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document


def corpus(
    path: StorePath,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[DocumentField] | None,
        typer.Option(help="Drop this field, if the format has no place for it; may be repeated."),
    ] = None,
    safe_csv: SafeCsv = False,
) -> None:
    """Write the documents: as jsonl, trec, smart, tsv, csv or a beir folder.

    Example: cranfield export corpus track.db corpus.tsv --format tsv --drop metadata
    """
    from cranfield.formats import write_corpus
    from cranfield.store.store import Store

    if safe_csv and format not in ("csv", "tsv"):
        raise typer.BadParameter("--safe-csv is for --format csv and tsv", param_hint="--safe-csv")

    with Store.open(path) as store:
        refuse_empty(path, "corpus", store.has("document"))
        dropping = Dropping(drop or [], "document")
        documents = dropping(store.documents())
        write_corpus(out, map(_without_formulas, documents) if safe_csv else documents, format)
    summary(out, counted(dropping.count, "document"))
    for text in dropping.notes:
        note(text)


def _without_formulas(document: Document) -> Document:
    from cranfield.formats.text_tables import no_formula

    docno, title, text, url = map(no_formula, document[:4])
    return document._replace(docno=docno, title=title, text=text, url=url)
