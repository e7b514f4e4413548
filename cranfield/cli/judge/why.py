"""why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.displays import moment
from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say
from cranfield.text import counted

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
    from cranfield.judging.labels.why import as_document, kinds
    from cranfield.judging.labels.why import why as ask
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = ask(store, qid, docno)
        kind = kinds(store, found)
    rows, read = _rows(found, kind), format is TableFormat.table and output is None
    if read:
        say("\n".join(_lines(found)))
    shown = [_without(row, "evidence") if read else row for row in rows]
    emit(shown, format, output, document=as_document(found), display=Display(digits={"at": moment}, spare=SPARE))
    if read:
        say("\n".join(_evidence(found)))


def _lines(found: Why) -> list[str]:
    """The lines above the events."""
    from cranfield.text import visible_line

    name = visible_line(f"Topic {found.qid}, document {found.docno}")
    verdict = "not in the qrels" if found.grade is None else f"grade {found.grade} in the qrels (policy primary)"
    text = f"Its current text: SHA-256 {found.sha256[:12]}" if found.text else "The store does not have its text"
    return [f"{name}: {verdict}, as {visible_line(found.reason)}.", text + ".", *_pooled(found), *_retrieved(found)]


def _pooled(found: Why) -> list[str]:
    from cranfield.text import visible_line

    lines = []
    for pool in found.pools:
        entry = pool.documents[0]
        by = f"from rank {entry.depth} of {', '.join(entry.runs)}" if entry.runs else "without runs"
        drawn = f", drawn with probability {entry.probability:g}" if entry.probability is not None else ""
        lines.append(visible_line(f"In pool {pool.number} ({pool.method}) {by}{drawn}."))
    return lines or ["In no pool."]


def _retrieved(found: Why) -> list[str]:
    from cranfield.text import visible_line

    places = [f"{rank.tag} ({rank.team}) at {rank.rank}" for rank in found.ranks]
    return (
        [visible_line(f"Retrieved by {counted(len(places), 'run')}: {', '.join(places)}.")]
        if places
        else ["In no run."]
    )


def _evidence(found: Why) -> list[str]:
    """The evidence of the events."""
    from cranfield.judging.labels.why import rests_on
    from cranfield.text import visible_line

    lines = [
        f"{event.assessor} (event {event.id}) {text}" for event, _ in found.events for text in rests_on(found, event)
    ]
    return [visible_line(f"{line}.") for line in lines] or ["No evidence is marked."]


def _without(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}


def _rows(found: Why, kinds: dict[str, str]) -> list[dict[str, Any]]:
    from cranfield.judging.labels.why import rests_on
    from cranfield.text import visible_line

    return [
        {
            "event": event.id,
            "at": event.at,
            "assessor": visible_line(event.assessor),
            "kind of assessor": kinds[event.assessor],
            "kind": event.kind,
            "grade": event.grade,
            "unsure": event.unsure,
            "seconds": event.seconds,
            "text": found.text_of(event),
            "fate": fate,
            "said": visible_line(" ".join(part for part in (event.reason, event.note, event.source) if part)),
            "evidence": visible_line("; ".join(rests_on(found, event))),
        }
        for event, fate in found.events
    ]
