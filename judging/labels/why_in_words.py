"""Why a line of the qrels is what it is, in sentences and as rows of a table."""

from __future__ import annotations

from typing import Any

from cranfield.judging.labels.why import Why, kinds, rests_on
from cranfield.store.store import Store
from cranfield.text import counted, visible_line


def verdict(found: Why) -> str:
    """The grade that counts, and why that one."""
    grade = "not in the qrels" if found.grade is None else f"grade {found.grade} in the qrels (policy primary)"
    return f"{grade}, as {visible_line(found.reason)}."


def text_there(found: Why) -> str:
    """Whether the store has the text of the document."""
    text = f"Its current text: SHA-256 {found.sha256[:12]}" if found.text else "The store does not have its text"
    return f"{text}."


def pooled(found: Why) -> list[str]:
    """The pools that have the document, and the runs that brought it in."""
    lines = []
    for pool in found.pools:
        entry = pool.documents[0]
        by = f"from rank {entry.depth} of {', '.join(entry.runs)}" if entry.runs else "without runs"
        drawn = f", drawn with probability {entry.probability:g}" if entry.probability is not None else ""
        lines.append(visible_line(f"In pool {pool.number} ({pool.method}) {by}{drawn}."))
    return lines or ["In no pool."]


def retrieved(found: Why) -> list[str]:
    """The runs that retrieved the document."""
    places = [f"{rank.tag} ({rank.team}) at {rank.rank}" for rank in found.ranks]
    by = f"Retrieved by {counted(len(places), 'run')}: {', '.join(places)}." if places else "In no run."
    return [visible_line(by)]


def evidence(found: Why) -> list[str]:
    """The evidence of the events."""
    lines = [
        f"{event.assessor} (event {event.id}) {text}" for event, _ in found.events for text in rests_on(found, event)
    ]
    return [visible_line(f"{line}.") for line in lines] or ["No evidence is marked."]


def event_rows(store: Store, found: Why) -> list[dict[str, Any]]:
    """One row per event, in the order they happened."""
    kind = kinds(store, found)
    return [
        {
            "event": event.id,
            "at": event.at,
            "assessor": visible_line(event.assessor),
            "kind of assessor": kind[event.assessor],
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
