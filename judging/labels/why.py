"""Why a line of the qrels is what it is: every event behind it, whose label counts, the pools, the runs; in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from cranfield.errors import DamageError, StoreError
from cranfield.judging.labels.choice import (
    PRIMARY,
    decisions_of,
    given_or_recorded_labellers,
    resolve_labellers,
    undecided_pairs,
)
from cranfield.judging.labels.pairs import (
    JUDGED,
    Evidence,
    Standing,
    events_that_count,
    evidence_of,
    is_adjudication,
)
from cranfield.judging.labels.policies import find_policy
from cranfield.selection import EVERYBODY, MODELS, Labellers
from cranfield.store.assignments import first_assessors
from cranfield.store.chain import Event
from cranfield.store.decoding import decode_json_column, short_value
from cranfield.store.log import REPEAT, assessors, events_of
from cranfield.store.pools import Pool, pools_with_document
from cranfield.store.runs import Rank, ranks
from cranfield.store.store import Store, document_hash
from cranfield.store.withdrawals import other_names_by_docno, present_name_by_docno, withdrawals
from cranfield.text import counted, join_words, visible_line

Fate = Literal["counts", "stands", "replaced", "taken back", "a second showing", "-"]


@dataclass(frozen=True)
class Why:
    """All that is known about a pair; `counts` are the events behind its grade in the qrels, none if it has no line.

    `chosen` is the policy, or the assessor whose labels alone count, and `recorded` whether it is the store's choice.
    """

    qid: str
    docno: str
    grade: int | None
    counts: Sequence[Event]
    chosen: Labellers
    recorded: bool
    reason: str
    text: str
    sha256: str  # of the document as it is shown
    events: Sequence[tuple[Event, Fate]]
    pools: Sequence[Pool]
    ranks: Sequence[Rank]
    undecided: bool = False  # labels differ, and neither the call nor the store says which counts

    def text_of(self, event: Event) -> str:
        """Whether an event was about the text as it is now."""
        if event.document_sha256 is None:
            return "not recorded"
        return "as now" if event.document_sha256 == self.sha256 else "changed since"

    def has(self, mark: Evidence) -> bool:
        """Whether a marked passage is still there in the text as it is now."""
        return self.text[mark.start : mark.end] == mark.quote


RECORD_CHOICE = "`cranfield store labels` records a choice"


class _Decision(NamedTuple):
    grade: int | None
    grounds: Sequence[Event]  # on which it rests
    chosen: Labellers


def explain_grade(store: Store, qid: str, docno: str, rule: str | None = None) -> Why:
    """All that the store knows about a pair, and why its grade is in the qrels that `export qrels` writes.

    Parameters
    ----------
    store : Store
        The open store.
    qid : str
        The topic.
    docno : str
        The document.
    rule : str, optional
        The policy; by default the choice on record, otherwise primary.

    Returns
    -------
    Why
        The grade, the events, the pools and the ranks.

    Raises
    ------
    StoreError
        The store does not have the topic or the document.
    InputError
        The policy is unknown or does not decide between the labels.
    """
    _check_document_in_store(store, qid, docno)
    chosen = given_or_recorded_labellers(store, Labellers(policy=rule))
    names = [docno, *other_names_by_docno(store).get(docno, ())]
    log = sorted((e for name in names for e in events_of(store, qid, name)), key=lambda event: event.id or 0)
    standing = {event.id for name in names for event in events_of(store, qid, name, "current_judgment")}
    decision, current = _decide(store, log, chosen), [event for event in log if event.id in standing]
    numbers = {event.id for event in decision.grounds}
    counts = [event for event in log if event.id in numbers]
    document, recorded = store.document(docno), resolve_labellers(store, EVERYBODY) != EVERYBODY
    recorded &= rule is None
    return Why(
        qid, docno,
        decision.grade,
        counts=counts,
        chosen=chosen,
        recorded=recorded,
        reason=_explain_label(store, qid, docno, decision, current) + _other_names(store, docno),
        text=document.text,
        sha256=document_hash(document.text, document.metadata),
        events=[(event, _event_status(event, counts, standing, log)) for event in log],
        pools=[pool for name in names for pool in pools_with_document(store, qid, name)],
        ranks=sorted((one for name in names for one in ranks(store, qid, name)), key=lambda one: one.rank),
        undecided=rule is None and not recorded and bool(undecided_pairs(store, qid=qid, among=[(qid, docno)]).items),
    )  # fmt: skip


def _decide(store: Store, log: Sequence[Event], chosen: Labellers) -> _Decision:
    decisions = decisions_of(store, chosen, Standing(events_that_count(store, log), first_assessors(store)))
    for pair, grade in decisions.labels.items():
        return _Decision(grade, decisions.supporting_events(pair), chosen)
    return _Decision(None, (), chosen)


def _check_document_in_store(store: Store, qid: str, docno: str) -> None:
    for table, column, name in (("topic", "qid", qid), ("document", "docno", docno)):
        if store.numbers(table, column, [name])[0] < 0:
            raise StoreError(f"there is no {table} {name!r}")


def _other_names(store: Store, docno: str) -> str:
    """The other names of a document, under which it was judged, too."""
    names = present_name_by_docno(store)
    older = [old for old, new in names.items() if new == docno]
    now = f"; the document is now called {names[docno]}" if names.get(docno) else ""
    return now + (f"; it was called {', '.join(older)} before, and the labels with that name count" if older else "")


def _explain_label(store: Store, qid: str, docno: str, decision: _Decision, standing: Sequence[Event]) -> str:
    """Why this label and no other, in words."""
    if not decision.grounds:
        names = (("topic", qid), ("document", docno))
        reasons = (one for one in withdrawals(store) if (one.what, one.name) in names)
        withdrawal = next((f"{one.what} {one.name} is withdrawn: {one.reason}" for one in reasons), "")
        return withdrawal or _explain_no_label(standing, decision.chosen.assessor)
    there = assessors(store)
    labels = [event for event in standing if event.kind in JUDGED and there[event.assessor] != "repeat"]
    people = [event for event in labels if there[event.assessor] not in MODELS] or labels
    counts = decision.grounds[0]
    if counts.kind == "adjudicate":
        return f"an adjudication overrides {counted(len(labels) - 1, 'other label')}"
    if len(labels) == 1:
        return "it is the only label" + (", a model's" if there[counts.assessor] in MODELS else "")
    if decision.chosen.assessor is not None:
        are = "is" if len(labels) == 2 else "are"
        return f"{counts.assessor} gave it; {counted(len(labels) - 1, 'other label')} {are} not used"
    if len(people) == 1:
        return "it is the only label that is not a model's"
    return _explain_policy_label(store, qid, decision, labels=len(labels), people=len(people))


def _explain_policy_label(store: Store, qid: str, decision: _Decision, *, labels: int, people: int) -> str:
    counts, rule = decision.grounds[0], decision.chosen.policy or PRIMARY
    if not find_policy(rule).takes_first:
        votes = join_words([f"{event.grade} ({event.assessor})" for event in decision.grounds])
        return f"policy {rule} derives {decision.grade} from the labels {votes}"
    if counts.assessor in first_assessors(store).get(qid, ()):
        return f"{counts.assessor} is the topic's first assessor among the {labels} assessors who labelled it"
    return f"{counts.assessor} joined this store before {counted(people - 1, 'other assessor')} who labelled it"


def _explain_no_label(standing: Sequence[Event], assessor: str | None) -> str:
    if assessor is not None and not any(event.assessor == assessor for event in standing):
        return f"{assessor} gave no label"
    if any(is_adjudication(event) for event in standing):
        return "an adjudicator recorded that it cannot be judged"
    states = ", ".join(sorted({event.kind for event in standing if event.kind not in JUDGED}))
    return f"there is no current label ({states})" if states else "there is no current label"


def _event_status(event: Event, counts: Sequence[Event], standing: set[int | None], log: Sequence[Event]) -> Fate:
    if event.id in {behind.id for behind in counts}:
        return "counts"
    if event.kind in ("note", "retract"):
        return "-"
    if event.assessor.endswith(REPEAT) and event.id in standing:
        return "a second showing"
    if any(later.kind == "retract" and later.supersedes == event.id for later in log):
        return "taken back"
    return "stands" if event.id in standing else "replaced"


def as_document(account: Why) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "qid": account.qid,
        "docno": account.docno,
        "policy": None if account.chosen.assessor else account.chosen.policy,
        "assessor": account.chosen.assessor,
        "grade": None if account.undecided else account.grade,
        "undecided": account.undecided,
        "counts": [event.event_id for event in account.counts],
        "reason": account.reason,
        "document_sha256": account.sha256,
        "events": [_event(account, event, fate) for event, fate in account.events],
        "pools": [_pool(pool) for pool in account.pools],
        "runs": [rank._asdict() for rank in account.ranks],
    }


def _event(account: Why, event: Event, fate: Fate) -> dict[str, Any]:
    marks = [mark._asdict() | {"in_text": account.has(mark)} for mark in marked_passages(event)]
    return event._asdict() | {"fate": fate, "text": account.text_of(event), "passages": marks}


def marked_passages(event: Event) -> tuple[Evidence, ...]:
    """The passages that an event marks; adjudications and imports use the field for something else."""
    return () if _is_import_or_adjudication(event) else evidence_of(event)


def _is_import_or_adjudication(event: Event) -> bool:
    return event.kind == "import" or is_adjudication(event)


def describe_grounds(account: Why, event: Event) -> Iterator[str]:
    """What an event rests on, in words; of drafts only the last one."""
    last = next(later for later, _ in reversed(account.events) if later.assessor == event.assessor)
    if event.kind == "note" and event is not last:
        return
    if event.input == "page":
        yield "judged it on an offline page"
    if event.input == "model":
        rests = decode_json_column(dict, event.evidence, "judgment_event", event.id, "evidence")
        votes = rests.get("panel")
        grades = ", ".join(f"{name} {grade}" for name, grade in votes.items()) if isinstance(votes, dict) else ""
        yield f"combined from {grades}" if grades else f"answered in call {rests.get('call')}"
    for mark in marked_passages(event):
        yield f'marked "{mark.quote}"' + ("" if account.has(mark) else ", which is no longer at this place in the text")
    if _is_import_or_adjudication(event):
        number = {other.event_id: other.id for other, _ in account.events}
        content = decode_json_column(dict, event.evidence, "judgment_event", event.id, "evidence")
        try:
            labels_seen = [(one["label"], one["grade"], number[one["event"]]) for one in content.get("labels_seen", ())]
            subtopics = dict(content.get("subtopics", {})).items()
        except (KeyError, TypeError, ValueError):
            wrong = f"evidence names no labels: {short_value(event.evidence)}"
            raise DamageError("judgment_event", event.id, wrong) from None
        yield from (f"saw {letter}: grade {grade} (event {seen})" for letter, grade, seen in labels_seen)
        yield from (f"gave grade {grade} for subtopic {name}" for name, grade in subtopics)
    if event.highlight_terms and event.kind != "note":
        yield f"had these terms highlighted: {event.highlight_terms}"


def _pool(pool: Pool) -> dict[str, Any]:
    entry = pool.documents[0]._asdict()
    document = {
        "number": pool.number,
        "method": pool.shown_method,
        "parameters": dict(pool.parameters),
        "seed": pool.seed,
    }
    return document | {name: entry[name] for name in ("depth", "runs", "stratum", "probability")}


def verdict(account: Why) -> str:
    """The grade that counts, and why that one."""
    chosen = account.chosen
    whose = f"labels by {chosen.assessor}" if chosen.assessor else f"policy {chosen.policy}"
    whose += ", the store's choice" if account.recorded else ""
    if account.undecided:
        would = f"{whose} would give {account.grade}, as {visible_line(account.reason)}"
        return (
            f"it has no grade in the qrels, because labels differ without a recorded choice ({would}); {RECORD_CHOICE}."
        )
    qrels_words = "not" if account.grade is None else f"grade {account.grade}"
    grade = f"{qrels_words} in the qrels ({whose})"
    return f"{grade}, as {visible_line(account.reason)}."


def text_availability(account: Why) -> str:
    """Whether the store has the text of the document."""
    text = f"Its current text: SHA-256 {account.sha256[:12]}" if account.text else "The store does not have its text"
    return f"{text}."


def pool_lines(account: Why) -> list[str]:
    """The pools that have the document, and the runs that brought it in."""
    lines = []
    for pool in account.pools:
        entry = pool.documents[0]
        by = f"from rank {entry.depth} of {', '.join(entry.runs)}" if entry.runs else "without runs"
        sampling = f", drawn with probability {entry.probability:g}" if entry.probability is not None else ""
        lines.append(visible_line(f"In pool {pool.number} ({pool.shown_method}) {by}{sampling}."))
    return lines or ["In no pool."]


def retrieving_run_lines(account: Why) -> list[str]:
    """The runs that retrieved the document."""
    places = [f"{rank.tag} ({rank.team}) at {rank.rank}" for rank in account.ranks]
    by = f"Retrieved by {counted(len(places), 'run')}: {', '.join(places)}." if places else "In no run."
    return [visible_line(by)]


def evidence_lines(account: Why) -> list[str]:
    """The evidence of the events."""
    lines = [
        f"{event.assessor} (event {event.id}) {text}"
        for event, _ in account.events
        for text in describe_grounds(account, event)
    ]
    return [visible_line(f"{line}.") for line in lines] or ["No evidence is marked."]


def event_rows(store: Store, account: Why) -> list[dict[str, Any]]:
    """One row per event, in the order they happened."""
    there = assessors(store)
    kind = {event.assessor: there[event.assessor] for event, _ in account.events}
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
            "text": account.text_of(event),
            "fate": fate,
            "said": visible_line(" ".join(part for part in (event.reason, event.note, event.source) if part)),
            "evidence": visible_line("; ".join(describe_grounds(account, event))),
        }
        for event, fate in account.events
    ]
