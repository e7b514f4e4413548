"""log/: the judgment log, the assessors, the pools, and by what the log can be verified."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.formats.published.parquet import write_table
from cranfield.formats.published.tables import JUDGMENTS
from cranfield.formats.whole_files import write_lines, write_text
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.store.chain import Event
from cranfield.store.published.contents import Assessor, assessors
from cranfield.store.published.log import LogState, events_with_commitments, log_states

JUDGED, ASSESSORS, STATE = "log/judgments.parquet", "log/assessors.tsv", "log/log.json"
COLLECTION = "collection.json"  # has the SHA-256 of the other files: so the head stands for all of them
VERIFY = (
    "head is the SHA-256 of the chains, sorted and joined by newlines; each of them is the commitment of an event.",
    "A commitment is the SHA-256 of all that the event said when it was recorded, of the commitment before it in its"
    " chain, and of a random id that is not published: what was left out cannot be guessed from it.",
    "With the store, its publisher can show what an event said, and that the log has this head:"
    " cranfield store verify track.db --manifest log/log.json",
    "Without the store it can be verified that the number of events, their commitments and the head are those of"
    " another copy of this log, but not that what is said of an event is what was committed to.",
)


def write_log(asked: Publishing) -> Sequence[PublishedTable]:
    rows = (_event_row(event, commitment) for event, commitment in events_with_commitments(asked.store))
    written = write_table(asked.within(JUDGED), JUDGMENTS, rows)
    write_assessors(asked)
    return [PublishedTable(written, "judgments", JUDGMENTS)]


def write_assessors(asked: Publishing) -> None:
    """Write who the assessors are."""
    lines = ("\t".join([one.name, one.kind, one.repeats or "", str(one.events)]) for one in assessors(asked.store))
    write_lines(asked.within(ASSESSORS), ["assessor\tkind\trepeats\tevents", *lines])


def write_head(asked: Publishing, collection: str) -> None:
    """Write the head of the log and, where there is one, the SHA-256 of collection.json."""
    document = log_document(asked) | ({COLLECTION: collection} if collection else {})
    write_text(asked.within(STATE), json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def read_assessors(path: Path) -> Iterator[Assessor]:
    """The assessors of a published log; their events are not counted."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != len(Assessor._fields):
            raise InputError(f"{len(cells)} columns; expected {len(Assessor._fields)}", path, number)
        if number > 1:
            yield Assessor(cells[0], cells[1], cells[2] or None, 0)


def _event_row(event: Event, commitment: str) -> tuple[Any, ...]:
    return (
        event.id, event.at, event.kind, event.qid, event.docno, event.assessor, event.grade, event.unsure, event.reason,
        event.note, event.evidence, event.source, event.seconds, event.position, event.order_policy, event.order_seed,
        event.document_sha256, event.pool, event.supersedes, event.input, event.fast, event.highlight_terms,
        event.docno_shown, commitment,
    )  # fmt: skip


def event_of_row(row: Sequence[Any]) -> Event:
    """The event of a row, as a store that imports it has it: the commitment is its id."""
    number, at, kind, qid, docno, assessor, *rest, commitment = row
    (
        grade, unsure, reason, note, evidence, source, seconds, position, order_policy, order_seed, digest, pool,
        supersedes, given, fast, highlight_terms, docno_shown,
    ) = rest  # fmt: skip
    return Event(
        kind, qid, docno, assessor, grade, unsure, reason or "", note or "", evidence, source or "", seconds, position,
        order_policy or "", order_seed, digest, pool, supersedes, at, commitment, number, given or "", fast,
        highlight_terms or "", docno_shown,
    )  # fmt: skip


def log_document(asked: Publishing) -> dict[str, Any]:
    """log.json: the head of the log, those of logs that were published before, and what they are good for."""
    states = [_state(state) for state in log_states(asked.store)]
    return {
        "as": asked.options.log,
        "log": states[-1] if states else None,
        "earlier": states[:-1],
        "verification": list(VERIFY),
    }


def _state(state: LogState) -> dict[str, Any]:
    return {"events": state.events, "head": state.head, "chains": list(state.chains)}


LOG_PART = Part("log", write_log, lambda options: options.log != "no")
