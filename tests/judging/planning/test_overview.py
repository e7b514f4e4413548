"""The state at a glance: topics, people, forecasts, and what needs attention."""

from datetime import UTC, datetime, timedelta

import pytest

from cranfield.errors import StoreError
from cranfield.judging.planning import overview
from cranfield.judging.planning.assign import organise
from cranfield.judging.planning.overview import days_left, totals, working
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import pace_rows, topic_states
from cranfield.store.assignments import claim, give, stamp
from cranfield.store.chain import Event
from cranfield.store.invitations import Invitation
from cranfield.store.log import add_assessor, append, assessors, last_signs
from tests.judging.cases import store_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_topics_have_a_state() -> None:
    """Open to everyone, then queued, claimed, begun, lapsed or finished; what was left out is nobody's."""
    with store_of() as store:
        assert {one.state for one in topic_states(store, NOON)} == {"open to everyone"}
        organise(store, topics=["q1", "q2"], lease=3600)
        claim(store, "ada", NOON)
        assert [one.state for one in topic_states(store, NOON)] == ["claimed", "in the queue", "not assigned"]
        append(store, Event("label", "q1", "d1", "ada", grade=1, at=stamp(NOON)))
        assert [topic_states(store, moment)[0].state for moment in (NOON, NOON + DAY)] == [
            "in progress",
            "claim lapsed",
        ]
        append(store, *(Event("label", "q1", docno, "ada", grade=1, at=stamp(NOON)) for docno in ("d2", "d3")))
        give(store, "q2", "first", "bo")
        found = topic_states(store, NOON + DAY)
        assert [(one.state, one.assessor, one.left) for one in found] == [
            ("finished", "ada", 0), ("assigned", "bo", 2), ("not assigned", None, 1),
        ]  # fmt: skip


def test_nobody_has_both_halves_of_a_topic() -> None:
    """Agreement with oneself is none."""
    with store_of() as store:
        organise(store, ["ada", "bo"], overlap=1.0)
        first, second = (one.assessor for one in topic_states(store, NOON)[:2])
        with pytest.raises(StoreError, match="agreement needs two different ones"):
            give(store, "q1", "second", first)
        assert topic_states(store, NOON)[1].assessor == second


def test_labels_that_differ_are_to_be_settled() -> None:
    """An adjudication settles them; who gave the same grade does not disagree."""
    with store_of() as store:
        for name in ("ada", "bo", "eve"):
            add_assessor(store, name)
        append(store, *(Event("label", "q1", docno, "ada", grade=1) for docno in ("d1", "d2", "d3")))
        append(store, *(Event("label", "q1", docno, "bo", grade=int(docno == "d3")) for docno in ("d1", "d2", "d3")))
        assert [one.text[:11] for one in overview.of_disagreements(progress_of(store))] == ["2 documents"]
        append(store, *(Event("adjudicate", "q1", docno, "eve", grade=0) for docno in ("d1", "d2")))
        assert not list(overview.of_disagreements(progress_of(store)))


def test_topics_are_for_people() -> None:
    """Work that a model had would be nobody's."""
    with store_of() as store:
        add_assessor(store, "oracle", "model")
        with pytest.raises(StoreError, match="another kind"):
            organise(store, ["ada", "oracle"])
        assert {one.state for one in topic_states(store, NOON)} == {"open to everyone"}


def test_people_the_days_left_and_what_needs_attention() -> None:
    """A forecast in days is of the pace of last week, and there is none while somebody with work rests."""
    with store_of() as store:
        organise(store, ["ada", "bo"], topics=["q1", "q2"])
        append(store, Event("label", "q1", "d1", "ada", grade=1, at=stamp(NOON - 4 * DAY)))
        state, moment = progress_of(store), NOON
        pace = pace_rows(state)
        assert totals(pace) == {"documents": 6, "judged": 1, "cannot judge": 0, "later": 0, "remaining": 5}
        assert days_left(state, pace, moment) == "no date: 1 document to be judged by nobody"
        people = working(last_signs(store), assessors(store), pace, moment)
        assert [(one.assessor, one.now, one.left) for one in people] == [("ada", False, 2), ("bo", False, 2)]
        links = [Invitation("bo", "2026", "2026-02-01", None), Invitation("ada", "2026", "2026-03-02", None)]
        told = [one.text for one in overview.of_people(people, links, moment)]
        assert told == [
            "ada has 2 documents left; last sign on 2026-02-25",
            "ada has 2 documents left; the link expires on 2026-03-02",
            "bo has 2 documents left; no link is valid any more",
        ]
        told = [one.text for one in overview.of_topics(topic_states(store, moment))]
        assert told == ["1 topic of the pool is assigned to nobody"]
        organise(store, ["ada"])
        state = progress_of(store)
        assert days_left(state, pace_rows(state), moment) == "no date: nothing judged in the last 7 days by bo"
        append(store, *(Event("label", "q2", docno, "bo", grade=0, at=stamp(NOON)) for docno in ("d2", "d4")))
        state = progress_of(store)
        assert days_left(state, pace_rows(state), moment) == "about 12 days to the end at the pace of the last 7 days"
