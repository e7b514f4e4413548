"""Commands that arrive twice or late: each names its pair and its event, so they do no harm."""

from collections.abc import Callable

import pytest

from cranfield.errors import BusyError
from cranfield.judging.session.command import CommandTarget, LateError
from cranfield.judging.session.controller import Controller
from cranfield.judging.session.reasons import REASONS
from cranfield.judging.session.session import Session
from cranfield.store.log import criteria, events
from cranfield.store.store import Store
from tests.judging.cases import at, comparable, on_screen, session_of, store_of

Command = Callable[[Session, CommandTarget], object]

RECORDED: dict[str, Command] = {
    "grade": lambda session, about: session.grade(about, 1),
    "later": Session.later,
    "cannot_judge": lambda session, about: session.cannot_judge(about, REASONS[0]),
    "note": lambda session, about: session.note(about, "why"),
    "toggle_unsure": Session.toggle_unsure,
    "quote": lambda session, about: session.quote(about, "text"),
    "mark": lambda session, about: session.mark(about, 0, 4),
    "unmark": Session.unmark,
    "undo": Session.undo,
    "redo": Session.redo,
    "toggle_docno": Session.toggle_docno,
}
NO_EVENT: dict[str, Command] = {
    "next_topic": Session.next_topic,
    "again": lambda session, about: session.again(about, 1),
    "criterion": lambda session, about: session.criterion(about, "says why"),
    "terms": lambda session, about: session.terms(about, "lift"),
    "toggle_highlight": Session.toggle_highlight,
}
COMMANDS = RECORDED | NO_EVENT


def prepared(store: Store) -> Session:
    """A session in which every command can be given."""
    session = session_of(store)
    for _ in range(3):
        at(session).grade(0)
    at(session).undo()
    at(session).quote("of")
    at(session).terms("wings")
    if session.view.can_redo:
        return session
    at(session).grade(0)
    at(session).undo()
    return session


def state(session: Session, store: Store) -> object:
    """All there is to see, and all that is on disk."""
    diary = [one.text for one in criteria(store, "q1", "ada")]
    return session.view, on_screen(session), [*comparable(store)], diary


def test_every_command_is_tried() -> None:
    """A command is a method that says what it is about."""
    methods = {name: getattr(Session, name) for name in dir(Session) if not name.startswith("_")}
    assert {name for name, method in methods.items() if hasattr(method, "__wrapped__")} == {*COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_arrives_twice_is_done_once(name: str) -> None:
    """The second time nothing is recorded, nothing is toggled back and no other document comes."""
    store = store_of()
    session = prepared(store)
    about, before = session.about(), state(session, store)
    COMMANDS[name](session, about)
    after = state(session, store)
    assert after != before
    assert COMMANDS[name](session, about) is session.view
    assert state(session, store) == after


@pytest.mark.parametrize("name", RECORDED)
def test_an_event_is_recorded_once_whatever_session_it_comes_to(name: str) -> None:
    """Also after a restart, and in another window that still shows the document: its id is in the log."""
    store = store_of()
    first = prepared(store)
    second = session_of(store)
    about = first.about()
    COMMANDS[name](first, about)
    count = len(events(store))
    assert events(store)[-1].event_id == about.event_id
    for session in (second, session_of(store)):
        COMMANDS[name](session, about)
    assert len(events(store)) == count


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_arrives_late_is_not_done_to_the_next_document(name: str) -> None:
    """It is refused: its document is not on screen any more."""
    store = store_of()
    session = prepared(store)
    late = session.about()
    at(session).grade(2)
    before = state(session, store)
    with pytest.raises(LateError, match="no longer on screen; nothing was recorded"):
        COMMANDS[name](session, late)
    assert state(session, store) == before


def test_what_arrives_when_all_is_done() -> None:
    """The last document's grade, once more with another id, is for nothing."""
    store = store_of({"q1": ["d1"]})
    session = session_of(store)
    about = session.about()
    session.grade(about, 1)
    with pytest.raises(LateError):
        session.grade(about._replace(event_id="another"), 0)
    assert [event.grade for event in events(store)] == [1]
    assert session.about().pair is None


def test_a_command_that_could_not_be_shown_is_not_recorded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is on disk, but another program kept the next document away: the same command then only shows it."""
    store, busy = store_of(), iter([True, True])
    session = session_of(store)
    show = session._show

    def shown(anew: bool = True) -> object:
        if next(busy, False):
            raise BusyError("another program is writing")
        return show(anew)

    monkeypatch.setattr(session, "_show", shown)
    controller = Controller(session)
    assert not controller.perform("1", lambda about: session.grade(about, 1), lambda: None)
    assert (session.behind, on_screen(session)) == (True, ("q1", "d1"))
    assert not controller.retry()
    assert controller.retry()
    assert (session.behind, on_screen(session)) == (False, ("q1", "d2"))
    assert [event.grade for event in events(store)] == [1]
