"""The logs that share a chain, and what their events say, with names for numbers.

Of an answer that is its run, topic and hash; of a nugget its words; of an event that is taken back its id; of a prompt
its hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from sqlite3 import Connection
from types import MappingProxyType
from typing import Any

LABEL = (
    "SELECT e.id, e.event_id, e.at, e.kind, r.tag, t.qid, w.sha256, {item}, a.name, a.kind, e.label, e.reason, e.note,"
    " e.evidence, e.seconds, e.position, e.order_seed, e.fast, e.input, s.event_id FROM {table} e"
    " JOIN answer w ON w.id = e.answer JOIN answer_run r ON r.id = w.run JOIN topic t ON t.id = w.topic"
    " JOIN assessor a ON a.id = e.assessor LEFT JOIN {table} s ON s.id = e.supersedes {more}"
)
SAID: Mapping[str, str] = MappingProxyType(
    {
        "nugget_edit": (
            "SELECT e.id, e.event_id, e.at, e.kind, t.qid, n.id, n.at, n.text, w.name, w.kind, n.contributors, n.place,"
            " a.name, a.kind, e.replaces, e.seconds, e.input, s.event_id FROM nugget_edit e JOIN nugget n"
            " ON n.id = e.nugget JOIN topic t ON t.id = n.topic JOIN assessor w ON w.id = n.author"
            " JOIN assessor a ON a.id = e.assessor LEFT JOIN nugget_edit s ON s.id = e.supersedes"
        ),
        "nugget_event": LABEL.format(
            table="nugget_event", item="n.id, n.text", more="JOIN nugget n ON n.id = e.nugget"
        ),
        "claim": (
            "SELECT c.id, c.at, t.qid, r.tag, w.sha256, c.position, c.text, a.name, a.kind, c.version, c.evidence,"
            " c.import FROM claim c JOIN topic t ON t.id = c.topic JOIN assessor a ON a.id = c.author"
            " LEFT JOIN answer w ON w.id = c.answer LEFT JOIN answer_run r ON r.id = w.run"
        ),
        "claim_event": LABEL.format(table="claim_event", item="c.id, c.text", more="JOIN claim c ON c.id = e.claim"),
        "support_event": LABEL.format(table="support_event", item="e.sentence, e.citations", more=""),
        "preference_event": (
            "SELECT e.id, e.event_id, e.at, e.kind, t.qid, f.docno, d.docno, a.name, a.kind, e.choice, e.reason,"
            " e.note, e.evidence, e.seconds, e.position, e.order_seed, e.document_sha256, e.input, e.fast, s.event_id"
            " FROM preference_event e JOIN topic t ON t.id = e.topic JOIN document f ON f.id = e.first"
            " JOIN document d ON d.id = e.second JOIN assessor a ON a.id = e.assessor"
            " LEFT JOIN preference_event s ON s.id = e.supersedes"
        ),
        "model_call": (
            "SELECT e.id, e.at, e.request, e.reused, a.name, a.kind, e.task, t.qid, d.docno, e.subject, p.sha256,"
            " e.document_sha256, e.model, e.answered_by, e.host, e.parameters, e.request_sha256, e.answer, e.reasoning,"
            " e.finish_reason, e.tokens_in, e.tokens_out, e.cost, e.seconds, e.attempt, e.status, e.outcome, e.reason,"
            " e.parser, e.characters_cut, e.addresses_judge FROM model_call e JOIN assessor a ON a.id = e.assessor"
            " JOIN topic t ON t.id = e.topic JOIN prompt p ON p.id = e.prompt LEFT JOIN document d ON d.id = e.document"
        ),
    }
)


def said_in(conn: Connection, log: str, first: int = 1) -> Iterator[tuple[Any, ...]]:
    """What the events of a log say, in their order from that with the id `first`, which each begins with."""
    row = "c" if log == "claim" else "e"
    return iter(conn.execute(f"{SAID[log]} WHERE {row}.id >= ? ORDER BY {row}.id", [first]))
