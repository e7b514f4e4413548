"""why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say
from cranfield.text import moment

SPARE = ("text", "unsure", "kind of assessor", "seconds", "said", "at")

if TYPE_CHECKING:
    from cranfield.judging.labels.why import Why


def why(
    path: StorePath,
    qid: Annotated[str, typer.Argument(metavar="QID", help="The topic.")],
    docno: Annotated[str, typer.Argument(metavar="DOCNO", help="The document.")],
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Explain a line of the qrels: every event behind it, pools, runs, and whether the text has changed since.

    For organizers only, because it shows what assessors must not see. "counts" marks the label that the policy primary
    puts into the qrels: an adjudication, else people before models, else the topic's first assessor, else the earliest
    label. The evidence of each event follows: marked passages, and labels that an adjudicator saw.

    Example: cranfield why track.db 51 DOC-17
    """
    from cranfield.judging.labels import why_in_words
    from cranfield.judging.labels.why import as_document
    from cranfield.judging.labels.why import why as ask
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = ask(store, qid, docno)
        rows = why_in_words.event_rows(store, found)
    read = format is TableFormat.table and output is None
    if read:
        say("\n".join(_lines(found)))
    shown = [_without(row, "evidence") if read else row for row in rows]
    emit(shown, format, output, document=as_document(found), display=Display(digits={"at": moment}, spare=SPARE))
    if read:
        say("\n".join(why_in_words.evidence(found)))


def _lines(found: Why) -> list[str]:
    """The lines above the events."""
    from cranfield.judging.labels.why_in_words import pooled, retrieved, text_there, verdict
    from cranfield.text import visible_line

    name = visible_line(f"Topic {found.qid}, document {found.docno}")
    return [f"{name}: {verdict(found)}", text_there(found), *pooled(found), *retrieved(found)]


def _without(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
