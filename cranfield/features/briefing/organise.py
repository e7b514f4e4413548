"""The organiser's page of practice and questions."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from cranfield.features.briefing.store import answer, gold, questions, results
from cranfield.report.blocks import TableBlock
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.commands import whole
from cranfield.web.organise.section import Asked, Done, Fields, Form, OrganiserSection

HEADS = {"above": "too high", "below": "too low"}


def _values(asked: Asked) -> Mapping[str, Any]:
    every, rows = questions(asked.store), results(asked.store)
    shown = [row | {"assessor": visible_line(str(row["assessor"]))} for row in rows]
    return {
        "open": [one for one in every if not one.answer],
        "answered": [one for one in every if one.answer],
        "gold": len(gold(asked.store)),
        "event": uuid4().hex,
        "blocks": [TableBlock("practice", "What assessors gave while they practised", shown, heads=HEADS)]
        if shown
        else [],
    }


def _answer(store: Store, fields: Fields, base: str) -> Done:
    asked = answer(store, whole(fields, "question"), fields.get("text", ""), fields.get("event", "")[:64])
    said = f"The answer to {visible_line(asked.assessor)} stands with topic {visible_line(asked.qid)}"
    return Done(f"{said}: everybody who judges it sees it.")


BRIEFING = OrganiserSection("Practice and questions", "briefing/organise.html", _values, entry="Questions")
ANSWER = Form(_answer, "briefing", "briefing")
