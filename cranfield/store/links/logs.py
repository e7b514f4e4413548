"""The logs that share a chain, and what their events say, with names for numbers.

Of an answer that is its run, topic and hash; of a nugget its words; of an event that is taken back its id; of a prompt
its hash.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from sqlite3 import Connection
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.store.chain import Person, seal

LABEL = (
    "SELECT e.id, e.event_id, e.at, e.kind, r.tag AS run, t.qid, w.sha256 AS answer, {item}, a.name AS assessor,"
    " a.kind AS assessor_kind, e.label, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed, e.fast,"
    " e.input, coalesce(s.event_id, e.supersedes) AS supersedes FROM {table} e"
    " JOIN answer w ON w.id = e.answer JOIN answer_run r ON r.id = w.run JOIN topic t ON t.id = w.topic"
    " JOIN assessor a ON a.id = e.assessor LEFT JOIN {table} s ON s.id = e.supersedes {more}"
)
SAID: Mapping[str, str] = MappingProxyType(
    {
        "nugget_edit": (
            "SELECT e.id, e.event_id, e.at, e.kind, t.qid, n.id AS nugget, n.at AS written, n.text, w.name AS author,"
            " w.kind AS author_kind, n.contributors, n.place, a.name AS assessor, a.kind AS assessor_kind, e.replaces,"
            " e.seconds, e.input, coalesce(s.event_id, e.supersedes) AS supersedes FROM nugget_edit e"
            " JOIN nugget n ON n.id = e.nugget"
            " JOIN topic t ON t.id = n.topic JOIN assessor w ON w.id = n.author"
            " JOIN assessor a ON a.id = e.assessor LEFT JOIN nugget_edit s ON s.id = e.supersedes"
        ),
        "nugget_event": LABEL.format(
            table="nugget_event", item="n.id AS nugget, n.text", more="JOIN nugget n ON n.id = e.nugget"
        ),
        "claim": (
            "SELECT e.id, e.at, t.qid, r.tag AS run, w.sha256 AS answer, e.position, e.text, a.name AS author,"
            " a.kind AS author_kind, e.version, e.evidence, e.import FROM claim e JOIN topic t ON t.id = e.topic"
            " JOIN assessor a ON a.id = e.author LEFT JOIN answer w ON w.id = e.answer"
            " LEFT JOIN answer_run r ON r.id = w.run"
        ),
        "claim_event": LABEL.format(
            table="claim_event", item="c.id AS claim, c.text", more="JOIN claim c ON c.id = e.claim"
        ),
        "support_event": LABEL.format(table="support_event", item="e.sentence, e.citations", more=""),
        "preference_event": (
            "SELECT e.id, e.event_id, e.at, e.kind, t.qid, f.docno AS first, d.docno AS second, a.name AS assessor,"
            " a.kind AS assessor_kind, e.choice, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed,"
            " e.document_sha256, e.input, e.fast, coalesce(s.event_id, e.supersedes) AS supersedes"
            " FROM preference_event e"
            " JOIN topic t ON t.id = e.topic JOIN document f ON f.id = e.first"
            " JOIN document d ON d.id = e.second JOIN assessor a ON a.id = e.assessor"
            " LEFT JOIN preference_event s ON s.id = e.supersedes"
        ),
        "erasure": "SELECT e.id, e.at, e.kind, e.name, e.what, e.reason, e.sha256 FROM erasure e",
        "change": "SELECT e.id, e.at, e.kind, e.name, e.said, e.sealed FROM change e",
        "model_call": (
            "SELECT e.id, e.at, e.request, e.reused, a.name AS assessor, a.kind AS assessor_kind, e.task, t.qid,"
            " d.docno, e.subject, p.sha256 AS prompt, e.document_sha256, e.model, e.answered_by, e.host, e.parameters,"
            " e.request_sha256, e.answer, e.reasoning, e.finish_reason, e.tokens_in, e.tokens_out, e.cost, e.seconds,"
            " e.attempt, e.status, e.outcome, e.reason, e.parser, e.characters_cut, e.addresses_judge"
            " FROM model_call e JOIN assessor a ON a.id = e.assessor"
            " JOIN topic t ON t.id = e.topic JOIN prompt p ON p.id = e.prompt LEFT JOIN document d ON d.id = e.document"
        ),
    }
)
SEALED: Mapping[str, tuple[str, ...]] = MappingProxyType(  # the columns that are personal
    {"nugget_edit": ("seconds",)}
    | dict.fromkeys(
        ("nugget_event", "claim_event", "support_event", "preference_event"), ("reason", "note", "evidence", "seconds")
    )
)


class Item(NamedTuple):
    """What an item of a log says: all of it, with names for numbers, and its seal."""

    log: str
    said: Mapping[str, Any]
    sealed: str

    def rest(self, known: Mapping[str, Person], without: Collection[str] = ()) -> dict[str, Any]:
        """What remains once what these assessors wrote is erased."""
        personal = SEALED.get(self.log, ()) if self.said.get("assessor") not in without else ()
        return self.open(known) | {name: self.said[name] for name in personal}

    def open(self, known: Mapping[str, Person]) -> dict[str, Any]:
        """What is not personal, with an id for each assessor; without its number, which is its place in one table."""
        left_out = ("id", "assessor_kind", "author_kind", *SEALED.get(self.log, ()))
        said = {name: value for name, value in self.said.items() if name not in left_out}
        return said | {who: known[said[who]].uid for who in ("assessor", "author") if who in said}


def said_in(conn: Connection, log: str, first: int = 1) -> Iterator[dict[str, Any]]:
    """What the events of a log say, by name, in their order from that with the id `first`."""
    found = conn.execute(f"{SAID[log]} WHERE e.id >= ? ORDER BY e.id", [first])
    names = [column[0] for column in found.description]
    return (dict(zip(names, row, strict=True)) for row in found)


def items_in(conn: Connection, log: str, known: Mapping[str, Person], first: int = 1) -> Iterator[Item]:
    """The items of a log, as they are hashed."""
    for said in said_in(conn, log, first):
        personal = {name: said[name] for name in SEALED.get(log, ())}
        sealed = seal(known[said["assessor"]], said["event_id"], personal) if personal else ""
        yield Item(log, said, sealed)
