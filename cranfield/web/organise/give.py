"""One topic: who has it, giving it to somebody else, and taking it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.errors import InputError
from cranfield.judging.planning.sections import TopicState, topic_states
from cranfield.store.assignments import Role, give
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import visible_line

from .section import Asked, Done, Fields, Form, Section, name_in

ROLES: tuple[Role, ...] = ("first", "second")


def _values(asked: Asked) -> Mapping[str, Any]:
    one = _found(asked)
    return {
        "one": one,
        "until": f"{one.until[:16].replace('T', ' ')} UTC" if one.until else "",
        "known": [name for name, kind in assessors(asked.store).items() if kind == "human"],
        "typed": asked.field("assessor"),
    }


def _found(asked: Asked) -> TopicState:
    topic, role = asked.field("topic"), asked.field("role")
    for one in topic_states(asked.store, asked.moment):
        if (one.topic, one.role) == (topic, role) and one.assigned:
            return one
    raise InputError(f"topic {topic!r} has no {role or 'such'} assessor; share it out first")


def _give(store: Store, fields: Fields, base: str) -> Done:
    qid, name, role = fields.get("topic", ""), name_in(fields.get("assessor", "")), _role(fields)
    back = "back" in fields
    if not back and not name:
        raise InputError("no assessor is named; type a name, or put the topic into the queue")
    give(store, qid, role, None if back else name)
    whose = "in the queue" if back else f"{visible_line(name)}'s"
    what = "The second assessment of topic" if role == "second" else "Topic"
    return Done(f"{what} {visible_line(qid)} is now {whose}. What was recorded stays.")


def _role(fields: Fields) -> Role:
    for role in ROLES:
        if fields.get("role") == role:
            return role
    raise InputError(f"the role is {fields.get('role', '')!r}; expected first or second")


GIVING = Section("Change an assignment", "organise_give.html", _values)
GIVE = Form(_give, after="topics", back="give")
