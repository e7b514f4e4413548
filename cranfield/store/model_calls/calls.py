"""Requests to models and their calls: what was sent, what came back, what it cost.

A request is on disk before it is sent, and its call with what follows from it when it has come back. So a request
without a call is one of which nobody knows whether it was answered, and paid.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cranfield.store.links.linking import link_events
from cranfield.store.store import Store, now


class About(NamedTuple):
    """What a model is asked: who asks, for which task, about what."""

    assessor: str
    task: str
    qid: str
    subject: str


class Call(NamedTuple):
    """An answer of a model, or a failure to get one; names for numbers."""

    assessor: str
    task: str
    qid: str
    subject: str
    docno: str | None
    prompt_sha256: str
    document_sha256: str | None
    model: str
    answered_by: str
    host: str
    parameters: str  # JSON
    request_sha256: str
    answer: str
    reasoning: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float
    attempt: int
    status: int | None
    outcome: str
    reason: str
    parser: int
    characters_cut: int
    addresses_judge: bool
    request: int | None = None
    reused: int | None = None
    at: str = ""
    id: int | None = None


_NAMED = ("assessor", "qid", "docno", "prompt_sha256")
_OWN = tuple(name for name in Call._fields if name not in (*_NAMED, "id"))
_INSERT = (
    f"INSERT INTO model_call (assessor, topic, document, prompt, {', '.join(_OWN)}) VALUES"
    " ((SELECT id FROM assessor WHERE name = :assessor), (SELECT id FROM topic WHERE qid = :qid),"
    " (SELECT id FROM document WHERE docno = :docno), (SELECT id FROM prompt WHERE sha256 = :prompt_sha256),"
    f" {', '.join(':' + name for name in _OWN)})"
)
_SELECT = (
    f"SELECT a.name, c.task, t.qid, c.subject, d.docno, p.sha256,"
    f" {', '.join('c.' + name for name in Call._fields[6:])} FROM model_call c JOIN assessor a ON a.id = c.assessor"
    " JOIN topic t ON t.id = c.topic LEFT JOIN document d ON d.id = c.document JOIN prompt p ON p.id = c.prompt"
)
_ABOUT = "assessor = (SELECT id FROM assessor WHERE name = ?1) AND task = ?2"


def add_request(store: Store, about: About, request_sha256: str) -> int:
    """Record that something is about to be sent; its number."""
    with store.writing():
        return int(
            store.conn.execute(
                "INSERT INTO model_request (at, assessor, task, topic, subject, request_sha256) VALUES"
                " (?, (SELECT id FROM assessor WHERE name = ?), ?, (SELECT id FROM topic WHERE qid = ?), ?, ?)",
                [now(), *about, request_sha256],
            ).lastrowid
            or 0
        )


def add_call(store: Store, call: Call) -> int:
    """Record a call, in the transaction of what follows from it; its number."""
    with store.writing():
        number = int(store.conn.execute(_INSERT, call._replace(at=call.at or now())._asdict()).lastrowid or 0)
        link_events(store, "model_call", [number])
        return number


def answered(store: Store, request_sha256: str) -> Call | None:
    """The last answer to a request, by whomever it was asked; None where there is none."""
    where = "c.request_sha256 = ? AND c.outcome <> 'error' AND c.reused IS NULL ORDER BY c.id DESC LIMIT 1"
    found = store.rows(f"{_SELECT} WHERE {where}", [request_sha256])
    return _call(found[0]) if found else None


def calls(store: Store, assessor: str | None = None, task: str | None = None) -> list[Call]:
    """All calls, in the order they were recorded; perhaps those of an assessor or a task."""
    where = "a.name = coalesce(?, a.name) AND c.task = coalesce(?, c.task) ORDER BY c.id"
    return [_call(row) for row in store.rows(f"{_SELECT} WHERE {where}", [assessor, task])]


def _call(row: tuple[Any, ...]) -> Call:
    call = Call(*row)
    return call._replace(addresses_judge=bool(call.addresses_judge))


class SentRequest(NamedTuple):
    """A request as it was recorded, and whether its call is."""

    about: About
    request_sha256: str
    called: bool


def sent_request(store: Store, number: int) -> SentRequest | None:
    """A request by its number."""
    found = store.rows(
        "SELECT a.name, r.task, t.qid, r.subject, r.request_sha256,"
        " EXISTS (SELECT 1 FROM model_call c WHERE c.request = r.id) FROM model_request r"
        " JOIN assessor a ON a.id = r.assessor JOIN topic t ON t.id = r.topic WHERE r.id = ?",
        [number],
    )
    return SentRequest(About(*found[0][:4]), found[0][4], bool(found[0][5])) if found else None


def mean_tokens(store: Store, assessor: str, task: str) -> float | None:
    """How many tokens the answers of an assessor have on average; None where none is known."""
    [(found,)] = store.rows(f"SELECT avg(tokens_out) FROM model_call WHERE {_ABOUT}", [assessor, task])
    return None if found is None else float(found)


def last_outcomes(store: Store, assessor: str, task: str) -> dict[tuple[str, str], str]:
    """The outcome of the last call about each topic and subject."""
    rows = store.rows(
        f"SELECT t.qid, c.subject, c.outcome FROM model_call c JOIN topic t ON t.id = c.topic WHERE c.{_ABOUT}"
        " ORDER BY c.id",
        [assessor, task],
    )
    return {(qid, subject): outcome for qid, subject, outcome in rows}


def assessors_asked(store: Store, task: str) -> list[str]:
    """The assessors with answers to a task, in the order they came."""
    rows = store.rows(
        "SELECT name FROM assessor WHERE id IN (SELECT assessor FROM model_call WHERE task = ? AND outcome = 'ok')"
        " ORDER BY id",
        [task],
    )
    return [name for (name,) in rows]


def in_doubt(store: Store, assessor: str, task: str) -> set[tuple[str, str]]:
    """Topic and subject of what was sent without a call of it, and not asked again since: it may have been paid."""
    rows = store.rows(
        f"SELECT DISTINCT t.qid, r.subject FROM model_request r JOIN topic t ON t.id = r.topic WHERE r.{_ABOUT}"
        " AND NOT EXISTS (SELECT 1 FROM model_call c WHERE c.assessor = r.assessor AND c.task = r.task"
        " AND c.topic = r.topic AND c.subject = r.subject AND (c.request >= r.id"
        " OR c.request IS NULL AND c.at >= r.at))",
        [assessor, task],
    )
    return {(qid, subject) for qid, subject in rows}


def texts_missing(store: Store) -> set[str]:
    """The docnos of the documents that have no text, or a blank one."""
    rows = store.rows("SELECT docno FROM document WHERE trim(coalesce(title, '') || coalesce(text, '')) = ''")
    return {docno for (docno,) in rows}
