"""What models are and were asked: settings, which do not change; requests and calls; samples of their labels to audit.

A setting is what an assessor of kind model is for a task: a model, a prompt and parameters. A request is on disk before
it is sent, and its call, what came back and what it cost, with what follows from it when it has come back. So a request
without a call is one of which nobody knows whether it was answered, and paid.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.store.decoding import decode_json_column
from cranfield.store.links import link_events
from cranfield.store.log import add_assessor, assessors
from cranfield.store.store import Store, now, sha256


class StoredPrompt(NamedTuple):
    """A prompt as a store keeps it."""

    sha256: str
    name: str
    task: str
    version: int
    content: str  # JSON
    source: str


class ModelSetting(NamedTuple):
    """An assessor that is a model: what answers, asked with which prompt and parameters."""

    assessor: str
    task: str
    model: str
    prompt: StoredPrompt
    parameters: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The kind of its assessor."""
        return "panel" if self.prompt.task == "panel" else "model"


def setting_of(store: Store, assessor: str, task: str) -> ModelSetting | None:
    """What an assessor is for a task; None where it was never asked."""
    rows = store.rows(
        "SELECT s.model, s.parameters, p.sha256, p.name, p.task, p.version, p.content, p.source FROM model_setting s"
        " JOIN assessor a ON a.id = s.assessor JOIN prompt p ON p.id = s.prompt WHERE a.name = ? AND s.task = ?",
        [assessor, task],
    )
    if not rows:
        return None
    model, parameters, *prompt = rows[0]
    values = decode_json_column(dict, parameters, "model_setting", (assessor, task), "parameters")
    return ModelSetting(assessor, task, model, StoredPrompt(*prompt), values)


def refuse_changed(store: Store) -> None:
    """An error for a prompt whose hash is not that of its content."""
    for name, content, was in store.rows("SELECT name, content, sha256 FROM prompt ORDER BY id"):
        if sha256(content) != was:
            raise StoreError(f"the prompt {name} differs from the prompt that was sent to models")


def check_setting(store: Store, setting: ModelSetting) -> None:
    """An error where the assessor is something else already: a person, imported labels, another setting."""
    kind = assessors(store).get(setting.assessor)
    earlier = setting_of(store, setting.assessor, setting.task)
    if earlier is None and kind is not None and (kind != setting.kind or _has_labels(store, setting)):
        what = {"human": "a person", "panel": "a panel"}.get(kind, "the source of imported labels")
        raise InputError(f"{setting.assessor!r} is {what}; give the model another name with --assessor")
    for what, before, after in _differences(earlier, setting):
        if before != after:
            raise InputError(
                f"{setting.assessor!r} used the {what} {before}, not {after}. An assessor is one model, one"
                " prompt and one set of parameters; give another name with --assessor"
            )


def _has_labels(store: Store, setting: ModelSetting) -> bool:
    """Whether a name has labels that no call gave."""
    return bool(
        store.rows(
            "SELECT 1 FROM judgment_event e JOIN assessor a ON a.id = e.assessor WHERE a.name = ?1 AND NOT EXISTS"
            " (SELECT 1 FROM model_setting s WHERE s.assessor = a.id) LIMIT 1",
            [setting.assessor],
        )
    )


def _differences(old: ModelSetting | None, new: ModelSetting) -> list[tuple[str, object, object]]:
    if old is None:
        return []
    before, after = (f"{one.name} {one.sha256[:8]}" for one in (old.prompt, new.prompt))
    others = [name for name in {**old.parameters, **new.parameters} if _value_of(old, name) != _value_of(new, name)]
    return [
        ("model", old.model, new.model),
        ("prompt", before, after),
        *((f"parameter {name}", _value_of(old, name), _value_of(new, name)) for name in sorted(others)),
    ]


def _value_of(setting: ModelSetting, name: str) -> str:
    """The value of a parameter."""
    return json.dumps(setting.parameters[name], sort_keys=True) if name in setting.parameters else "none"


def introduce(store: Store, setting: ModelSetting) -> None:
    """Make an assessor and its prompt known, so that calls can refer to them; an error if it is something else."""
    with store.writing():
        check_setting(store, setting)
        add_assessor(store, setting.assessor, setting.kind)
        if not store.rows("SELECT 1 FROM prompt WHERE sha256 = ?", [setting.prompt.sha256]):
            columns = "sha256, name, task, version, content, source"
            store.conn.execute(f"INSERT INTO prompt ({columns}) VALUES (?, ?, ?, ?, ?, ?)", setting.prompt)


def keep_setting(store: Store, setting: ModelSetting) -> None:
    """Record what an assessor is for a task, once; the same again changes nothing, another one is an error."""
    with store.writing():
        introduce(store, setting)
        if setting_of(store, setting.assessor, setting.task) is None:
            store.conn.execute(
                "INSERT INTO model_setting (assessor, task, model, prompt, parameters, made) VALUES"
                " ((SELECT id FROM assessor WHERE name = ?), ?, ?, (SELECT id FROM prompt WHERE sha256 = ?), ?, ?)",
                [setting.assessor, setting.task, setting.model, setting.prompt.sha256,
                 json.dumps(setting.parameters, sort_keys=True), now()],
            )  # fmt: skip


class CallTarget(NamedTuple):
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
_OWN_COLUMNS = tuple(name for name in Call._fields if name not in (*_NAMED, "id"))
_INSERT = (
    f"INSERT INTO model_call (assessor, topic, document, prompt, {', '.join(_OWN_COLUMNS)}) VALUES"
    " ((SELECT id FROM assessor WHERE name = :assessor), (SELECT id FROM topic WHERE qid = :qid),"
    " (SELECT id FROM document WHERE docno = :docno), (SELECT id FROM prompt WHERE sha256 = :prompt_sha256),"
    f" {', '.join(':' + name for name in _OWN_COLUMNS)})"
)
_SELECT = (
    f"SELECT a.name, c.task, t.qid, c.subject, d.docno, p.sha256,"
    f" {', '.join('c.' + name for name in Call._fields[6:])} FROM model_call c JOIN assessor a ON a.id = c.assessor"
    " JOIN topic t ON t.id = c.topic LEFT JOIN document d ON d.id = c.document JOIN prompt p ON p.id = c.prompt"
)
CALL_CONDITION = "assessor = (SELECT id FROM assessor WHERE name = ?1) AND task = ?2"


def add_requests(store: Store, requests: Iterable[tuple[CallTarget, str]]) -> list[int]:
    """Record what is about to be sent, each with its hash; their numbers."""
    row = (
        "INSERT INTO model_request (at, assessor, task, topic, subject, request_sha256) VALUES"
        " (?, (SELECT id FROM assessor WHERE name = ?), ?, (SELECT id FROM topic WHERE qid = ?), ?, ?)"
    )
    with store.writing():
        moment = now()
        return [int(store.conn.execute(row, [moment, *about, sha256]).lastrowid or 0) for about, sha256 in requests]


def add_calls(store: Store, calls: Iterable[Call]) -> list[int]:
    """Record calls, in the transaction of what follows from them; their numbers."""
    with store.writing():
        moment = now()
        rows = (call._replace(at=call.at or moment)._asdict() for call in calls)
        numbers = [int(store.conn.execute(_INSERT, row).lastrowid or 0) for row in rows]
        link_events(store, "model_call", numbers)
        return numbers


def answer_to(store: Store, request_sha256: str) -> Call | None:
    """The last answer to a request, by whomever it was asked; None where there is none."""
    where = "c.request_sha256 = ? AND c.outcome <> 'error' AND c.reused IS NULL ORDER BY c.id DESC LIMIT 1"
    rows = store.rows(f"{_SELECT} WHERE {where}", [request_sha256])
    return _call(rows[0]) if rows else None


def calls(store: Store, assessor: str | None = None, task: str | None = None) -> list[Call]:
    """All calls, in the order they were recorded; perhaps those of an assessor or a task."""
    where = "a.name = coalesce(?, a.name) AND c.task = coalesce(?, c.task) ORDER BY c.id"
    return [_call(row) for row in store.rows(f"{_SELECT} WHERE {where}", [assessor, task])]


def _call(row: tuple[Any, ...]) -> Call:
    call = Call(*row)
    return call._replace(addresses_judge=bool(call.addresses_judge))


class SentRequest(NamedTuple):
    """A request as it was recorded, whether its call is, and whether it or a later one about the same has an answer."""

    about: CallTarget
    request_sha256: str
    has_call: bool
    has_answer: bool


def sent_request(store: Store, number: int) -> SentRequest | None:
    """A request by its number."""
    rows = store.rows(
        "SELECT a.name, r.task, t.qid, r.subject, r.request_sha256,"
        " EXISTS (SELECT 1 FROM model_call c WHERE c.request = r.id),"
        " EXISTS (SELECT 1 FROM model_call c WHERE c.assessor = r.assessor AND c.task = r.task AND c.topic = r.topic"
        " AND c.subject = r.subject AND c.request >= r.id AND c.outcome <> 'error') FROM model_request r"
        " JOIN assessor a ON a.id = r.assessor JOIN topic t ON t.id = r.topic WHERE r.id = ?",
        [number],
    )
    return SentRequest(CallTarget(*rows[0][:4]), rows[0][4], *map(bool, rows[0][5:])) if rows else None


class MeanUse(NamedTuple):
    """What answers take on average; None where that is not known."""

    tokens_out: float | None
    cost: float | None


def mean_use(store: Store, assessor: str, task: str) -> MeanUse:
    """That of the answers of an assessor."""
    where = f"{CALL_CONDITION} AND outcome <> 'error'"
    return MeanUse(*store.rows(f"SELECT avg(tokens_out), avg(cost) FROM model_call WHERE {where}", [assessor, task])[0])


def last_outcomes(store: Store, assessor: str, task: str) -> dict[tuple[str, str], str]:
    """The outcome of the last call about each topic and subject."""
    rows = store.rows(
        f"SELECT t.qid, c.subject, c.outcome FROM model_call c JOIN topic t ON t.id = c.topic WHERE c.{CALL_CONDITION}"
        " ORDER BY c.id",
        [assessor, task],
    )
    return {(qid, subject): outcome for qid, subject, outcome in rows}


def assessors_with_calls(store: Store, task: str) -> list[str]:
    """The assessors with answers to a task, in the order they came."""
    rows = store.rows(
        "SELECT name FROM assessor WHERE id IN (SELECT assessor FROM model_call WHERE task = ? AND outcome = 'ok')"
        " ORDER BY id",
        [task],
    )
    return [name for (name,) in rows]


def unconfirmed_calls(store: Store, assessor: str, task: str) -> set[tuple[str, str]]:
    """Topic and subject of what was sent without a call of it, and not asked again since: it may have been paid."""
    rows = store.rows(
        f"SELECT DISTINCT t.qid, r.subject FROM model_request r JOIN topic t ON t.id = r.topic WHERE r.{CALL_CONDITION}"
        " AND NOT EXISTS (SELECT 1 FROM model_call c WHERE c.assessor = r.assessor AND c.task = r.task"
        " AND c.topic = r.topic AND c.subject = r.subject AND (c.request >= r.id"
        " OR c.request IS NULL AND c.at >= r.at))",
        [assessor, task],
    )
    return {(qid, subject) for qid, subject in rows}


def texts_missing(store: Store) -> set[str]:
    """The docnos of the documents that have no text, or a blank one."""
    blank = "trim(coalesce(title, '') || coalesce(text, '')) = ''"
    rows = store.rows(f"SELECT docno FROM document WHERE {blank} OR NOT ({store.complete_import_condition()})")
    return {docno for (docno,) in rows}


class AuditedPair(NamedTuple):
    """A document of a sample, and its stratum."""

    qid: str
    docno: str
    stratum: str


class AuditSample(NamedTuple):
    """A sample: of whose labels, who judges it, what was drawn, and from how many units by stratum."""

    number: int
    model: str
    assessor: str
    unit: str  # pair or topic
    by: str  # what divides the strata: grade, topic, or nothing
    seed: int
    made: str
    strata: Mapping[str, int]
    pairs: Sequence[AuditedPair]
    labels: str = "documents"
    topics: Sequence[str] = ()  # of labels of something else


def add_audit(
    store: Store,
    model: str,
    assessor: str,
    *,
    unit: str,
    by: str,
    seed: int,
    strata: Mapping[str, int],
    pairs: Sequence[AuditedPair] = (),
    labels: str = "documents",
    topics: Sequence[str] = (),
) -> int:
    """Record a sample in one transaction; its number."""
    with store.writing():
        add_assessor(store, assessor)
        row = "(SELECT id FROM assessor WHERE name = ?)"
        number = store.conn.execute(
            "INSERT INTO audit (model, assessor, unit, strata_by, seed, made)"
            f" VALUES ({row}, {row}, ?, ?, ?, ?) RETURNING id",
            [model, assessor, unit, by, seed, now()],
        ).fetchone()[0]
        store.conn.executemany(
            "INSERT INTO audit_stratum VALUES (?, ?, ?)", [(number, name, units) for name, units in strata.items()]
        )
        store.conn.executemany(
            "INSERT INTO audited VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
            " (SELECT id FROM document WHERE docno = ?), ?)",
            [(number, *pair) for pair in pairs],
        )
        store.conn.executemany(
            "INSERT INTO audited_topic VALUES (?, (SELECT id FROM topic WHERE qid = ?), ?)",
            [(number, qid, labels) for qid in topics],
        )
    return int(number)


def audit_sample(store: Store, number: int | None = None, model: str | None = None) -> AuditSample:
    """A sample by its number, or the newest, perhaps of one model; an error where there is none.

    >>> with Store.memory("nothing") as store:
    ...     audit_sample(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: the store contains no sample of labels by a model; draw one with `cranfield model
    audit draw`
    """
    rows = store.rows(
        "SELECT u.id, m.name, a.name, unit, strata_by, seed, made FROM audit u JOIN assessor m ON m.id = u.model"
        " JOIN assessor a ON a.id = u.assessor WHERE u.id = coalesce(?1, u.id) AND m.name = coalesce(?2, m.name)"
        " ORDER BY u.id DESC LIMIT 1",
        [number, model],
    )
    if not rows:
        which, whose = f"sample {number}" if number else "sample", repr(model) if model else "a model"
        raise InputError(
            f"the store contains no {which} of labels by {whose}; draw one with `cranfield model audit draw`"
        )
    sizes = store.rows("SELECT stratum, units FROM audit_stratum WHERE audit = ? ORDER BY stratum", [rows[0][0]])
    pairs = store.rows(
        "SELECT qid, docno, stratum FROM audited u JOIN topic t ON t.id = u.topic JOIN document d ON d.id = u.document"
        " WHERE audit = ? ORDER BY t.id, docno",
        [rows[0][0]],
    )
    topics = store.rows(
        "SELECT labels, qid FROM audited_topic u JOIN topic t ON t.id = u.topic WHERE audit = ? ORDER BY t.id",
        [rows[0][0]],
    )
    of = (topics[0][0], [qid for _, qid in topics]) if topics else ()
    about: list[Any] = [*rows[0], dict(sizes), [AuditedPair(*pair) for pair in pairs], *of]
    return AuditSample(*about)
