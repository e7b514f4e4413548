"""What comes when, without any user interface and without waiting: the clock is told what time it is."""

import pytest

from cranfield.errors import BusyError
from cranfield.judging.session.active_time import FAST
from cranfield.judging.session.controller import HELD, SOON, Controller
from cranfield.judging.session.view import View
from tests.judging.cases import Clock, at, session_of, store_of


def test_keys_that_come_too_early() -> None:
    """Before the document is drawn, hardly after it, and as long as the key repeats; then the label is a fast one."""
    clock = Clock()
    controller = Controller(session_of(store_of()), clock)
    assert (controller.early(), controller.fast()) == (True, True)
    controller.drawn()
    for _ in range(5):
        clock.now += HELD / 2
        assert controller.early()
    clock.now += 2 * HELD
    assert (controller.early(), controller.fast()) == (False, False)
    controller.drawn()
    clock.now += (HELD + FAST) / 2
    assert (controller.early(), controller.fast()) == (False, True)
    controller.hide()
    assert controller.early()


def test_a_new_topic_comes_before_its_documents() -> None:
    """New when it comes up first, another one when it was there before, the same between two of its documents."""
    session = session_of(store_of({"q1": ["d1", "d2"], "q2": ["d3"]}))
    controller = Controller(session)
    topics = [controller.next().topic]
    for command in ("grade 0", "next_topic", "next_topic", "grade 1", "grade 1"):
        name, *values = command.split()
        getattr(at(session), name)(*map(int, values))
        topics.append(controller.next().topic)
    assert topics == ["new", "same", "new", "other", "other", "same"]


def test_time_begins_when_the_document_is_there() -> None:
    """Not while a page lies over it, and once."""
    clock, store = Clock(), store_of()
    session = session_of(store, clock=clock)
    controller = Controller(session)
    controller.next()
    clock.now += 30
    controller.drawn(document=False)
    clock.now += 20
    controller.drawn()
    clock.now += 7
    controller.drawn()
    clock.now += 1
    at(session).grade(1)
    assert [seconds for _, seconds in session._work.state.timed] == [8]


def test_the_reminder_is_given_once_and_after_the_grade() -> None:
    """Of a near-duplicate with another grade; not where the decision is none to be reminded of."""
    words = " ".join(f"word{number}" for number in range(100))
    session = session_of(store_of({"q1": ["d1", "d2", "d3"]}, texts={"d1": words, "d2": f"{words} more"}))
    controller = Controller(session)
    at(session).grade(0)
    controller.next(remind=True)
    assert controller.reminder() == ""
    at(session).grade(2)
    controller.next(remind=True)
    assert (controller.reminder(), controller.reminder()) == (
        "a 99 % similar document (1) was graded 0: keep 2 or revise",
        "",
    )


def test_what_waits_is_told_when_it_takes_long() -> None:
    """Until then nothing; what follows is done once it is on disk."""
    clock, session = Clock(), session_of(store_of())
    controller, busy, then = Controller(session, clock), iter([True, True]), list[View]()

    def grade(about: object) -> View:
        if next(busy, False):
            raise BusyError("another program is writing")
        return session.view

    assert not controller.perform("1", grade, lambda: then.append(session.view))
    assert controller.waited() is None
    clock.now += 2 * SOON
    assert not controller.retry()
    assert controller.waited() == pytest.approx(2 * SOON)
    assert controller.retry()
    assert (controller.waited(), controller.waiting, len(then)) == (None, None, 1)
