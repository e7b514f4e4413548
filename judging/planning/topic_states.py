"""How far each topic is: who has it, until when, what is left, and what of it a second assessor judges."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from cranfield.store.assignments import Assignment, assignments, organised, pooled, sampled, stamp
from cranfield.store.log import first_signs
from cranfield.store.store import Store

UNASSIGNED, OPEN = "not assigned", "open to everyone"
QUEUED, ASSIGNED, CLAIMED, BEGUN = "in the queue", "assigned", "claimed", "in progress"
LAPSED, EMPTY, FINISHED = "claim lapsed", "nothing to judge yet", "finished"


class TopicState(NamedTuple):
    """One half of a topic: all of it for the first assessor, a part for the second."""

    topic: str
    title: str
    role: str
    state: str
    assessor: str | None
    documents: int
    left: int
    since: str | None  # the assessor's first sign on the topic
    until: str | None  # a claim lapses then, if nothing is recorded before
    twice: int  # documents that both assessors judge

    @property
    def assigned(self) -> bool:
        """Whether it was shared out, to somebody or to the queue."""
        return self.state not in (UNASSIGNED, OPEN)


def topic_states(store: Store, moment: datetime) -> list[TopicState]:
    """Every assignment and then, in the order of the topics, what of the newest pool is not assigned."""
    titles = {topic.qid: topic.title for topic in store.topics()}
    given, signs = assignments(store), first_signs(store)
    twice = {qid: len(docnos) for qid, docnos in sampled(store, "overlap").items()}
    known = {one.qid for one in given}
    work = {qid: len(docnos) for qid, docnos in pooled(store).items() if qid not in known}
    free = UNASSIGNED if organised(store) else OPEN
    rest = [
        TopicState(qid, title, "first", free, None, work[qid], work[qid], None, None, 0)
        for qid, title in titles.items()
        if qid in work
    ]
    return [_state(one, titles, signs, twice, moment) for one in given] + rest


def _state(
    one: Assignment,
    titles: Mapping[str, str],
    signs: Mapping[tuple[str, str], str],
    twice: Mapping[str, int],
    moment: datetime,
) -> TopicState:
    since = signs.get((one.qid, one.assessor or ""))
    about = (one.qid, titles.get(one.qid, ""), one.role, state_of(one, moment), one.assessor)
    return TopicState(*about, one.documents, one.unfinished, since, one.lease, twice.get(one.qid, 0))


def state_of(one: Assignment, moment: datetime) -> str:
    """The state of an assignment in words.

    >>> from datetime import UTC
    >>> one, noon = Assignment("q1", "first", "ada", None, 9, 9, 0), datetime(2026, 3, 1, 12, tzinfo=UTC)
    >>> state_of(one, noon), state_of(one._replace(unfinished=3), noon), state_of(one._replace(unfinished=0), noon)
    ('assigned', 'in progress', 'finished')
    >>> state_of(one._replace(lease="2026-03-01T11"), noon), state_of(one._replace(lease="2026-03-02"), noon)
    ('claim lapsed', 'claimed')
    """
    if not one.unfinished:
        return FINISHED if one.documents else EMPTY
    if one.assessor is None:
        return QUEUED
    if one.lease and one.lease < stamp(moment):
        return LAPSED
    if one.unfinished < one.documents:
        return BEGUN
    return CLAIMED if one.lease else ASSIGNED
