"""A disagreement settled by the organiser: the labels side by side, by letter, and the form with the final grade."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import Dispute, disputes, lettered_labels
from cranfield.judging.labels.choice import decisions_by_given_or_recorded_policy
from cranfield.judging.labels.pairs import PairLabels, assessors_that_count, labels_by_pair
from cranfield.judging.session.view import document_heading
from cranfield.selection import LabelledBy
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.commands import integer_field
from cranfield.web.language import Language, translatable
from cranfield.web.look.view import address
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, parse_name_field
from cranfield.web.templates import ShownText

LONGEST_REASON = 10_000
ORDER = "list"  # the adjudicator chose the case from a list


def _find_dispute(store: Store, qid: str, docno: str) -> tuple[Dispute, PairLabels] | None:
    """The disagreement on a document between people, with all that was recorded of it; None if there is none."""
    by_pair = labels_by_pair(store, assessors_that_count(store, None, LabelledBy.people))
    pair = (qid, docno)
    found = disputes({pair: by_pair[pair]}) if pair in by_pair else []
    return (found[0], decisions_by_given_or_recorded_policy(store).by_pair.get(pair, by_pair[pair])) if found else None


def _values(request: SectionRequest) -> Mapping[str, Any]:
    store, name = request.store, request.field("adjudicator").strip()
    qid, docno = request.field("topic"), request.field("document")
    back = address("disputes", adjudicator=name) if name else address("disputes")
    values: dict[str, Any] = {"back": back, "adjudicator": name, "topic": None, "labels": []}
    if not qid or not docno:
        return values
    found = _find_dispute(store, qid, docno)
    if found is None:
        raise InputError(translatable("people do not disagree on this document"))
    dispute, recorded = found
    document = store.document(docno)
    grades = store.collection.grades
    return values | {
        "topic": next(topic for topic in store.topics() if topic.qid == qid),
        "document": docno,
        "heading": document_heading(document),
        "blocks": ShownText.titled(document).blocks(),
        "labels": [one.display(grades) for one in lettered_labels(dispute, 0)],
        "settled": [(visible_line(one.assessor), one.grade, one.note or one.reason) for one in recorded.adjudications],
        "grades": grades,
        "can_undo": name in {one.assessor for one in recorded.adjudications},
        "is_own": name in {vote.assessor for vote in dispute.votes},
        "reason": request.field("reason"),
        "event": uuid4().hex,
    }


def _settle(store: Store, fields: Fields, base: str, language: Language) -> Done:
    name, qid, docno = (
        parse_name_field(fields.get("adjudicator", "")),
        fields.get("topic", ""),
        fields.get("document", ""),
    )
    reason, event = fields.get("reason", ""), fields.get("event", "")[:64]
    if not name:
        raise InputError(translatable("no adjudicator is named; type your name first"))
    if not qid or not docno:
        raise InputError(translatable("no disagreement is chosen; choose one from the list of disagreements"))
    if len(reason) > LONGEST_REASON:
        raise InputError(f"the reason has {len(reason):,} characters; expected at most {LONGEST_REASON:,}")
    found = _find_dispute(store, qid, docno)
    if found is None:
        raise InputError(translatable("people do not disagree on this document"))
    if name in {vote.assessor for vote in found[0].votes}:
        raise InputError(f"{visible_line(name)} labelled this document; somebody else has to settle it")
    session = Adjudication(store, name, [found[0]], ids=lambda: event or uuid4().hex, order_policy=ORDER)
    session.input = "browser"
    answer, names = fields.get("answer", ""), {"topic": visible_line(qid), "document": visible_line(docno)}
    if not session.knows(event):
        _record(session, fields, answer, reason)
    if answer == "undo":
        outcome = language.gettext("Topic %(topic)s, document %(document)s: undone.", **names)
    else:
        outcome = language.gettext("Topic %(topic)s, document %(document)s: settled.", **names)
    return Done(outcome, fields={"adjudicator": name, "topic": qid, "document": docno})


def _record(session: Adjudication, fields: Fields, answer: str, reason: str) -> None:
    target = session.command_target()
    if answer == "undo":
        session.undo(target)
    elif session.pair is None:
        raise InputError(translatable("this disagreement is settled already; the answer is kept"))
    elif answer == "cannot-judge":
        if not reason.strip():
            raise InputError(translatable("cannot judge needs a reason; type it first"))
        session.cannot_judge(target, reason)
    else:
        session.grade(target, integer_field(fields, "grade"), why=reason)


SETTLING = OrganiserSection(
    translatable("Settle a disagreement"), "organise_settle.html", _values, entry=translatable("Disagreements")
)
SETTLE = Form(_settle, after="settle", back="settle")
