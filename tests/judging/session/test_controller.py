"""What comes when, without any user interface and without waiting: commands twice, late, at random, second showings."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield.errors import BusyError, InputError
from cranfield.judging.planning.assign import assign_topics_to_assessors, restrict_pool_to_work
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import repeat_rows
from cranfield.judging.session.command import REASONS, CommandTarget, LateError
from cranfield.judging.session.controller import HELD, SOON, Controller
from cranfield.judging.session.order import order_named, order_with_repeats, with_repeats
from cranfield.judging.session.pace import FAST
from cranfield.judging.session.session import Session
from cranfield.judging.session.view import SessionView
from cranfield.store.assignments import repeats_of, work_of
from cranfield.store.log import REPEAT, criteria, current_decisions, read_events
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.conftest import usually
from tests.judging.cases import POOLED, SCALE, Clock, at, comparable, on_screen, session_of, store_of


def test_keys_that_come_too_early() -> None:
    """Before the document is drawn, hardly after it, and as long as the key repeats; then the label is a fast one."""
    clock = Clock()
    controller = Controller(session_of(store_of()), clock)
    assert (controller.is_too_early(), controller.is_fast_decision()) == (True, True)
    controller.appear()
    for _ in range(5):
        clock.now += HELD / 2
        assert controller.is_too_early()
    clock.now += 2 * HELD
    assert (controller.is_too_early(), controller.is_fast_decision()) == (False, False)
    controller.appear()
    clock.now += (HELD + FAST) / 2
    assert (controller.is_too_early(), controller.is_fast_decision()) == (False, True)
    controller.hide_document()
    assert controller.is_too_early()


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
    controller.appear(document=False)
    clock.now += 20
    controller.appear()
    clock.now += 7
    controller.appear()
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
        "a 99% similar document (1) was graded 0: keep 2 or revise",
        "",
    )


def test_what_waits_is_told_when_it_takes_long() -> None:
    """Until then nothing; what follows is done once it is on disk."""
    clock, session = Clock(), session_of(store_of())
    controller, busy, then = Controller(session, clock), iter([True, True]), list[SessionView]()

    def grade(about: object) -> SessionView:
        if next(busy, False):
            raise BusyError("another program is writing")
        return session.view

    assert not controller.perform("1", grade, lambda: then.append(session.view))
    assert controller.waiting_time() is None
    clock.now += 2 * SOON
    assert not controller.retry()
    assert controller.waiting_time() == pytest.approx(2 * SOON)
    assert controller.retry()
    assert (controller.waiting_time(), controller.waiting, len(then)) == (None, None, 1)


def test_waiting_is_mentioned_from_a_fixed_time_on() -> None:
    clock, session = Clock(), session_of(store_of())
    controller, clock.now = Controller(session, clock), 0.0

    def wait(about: object) -> SessionView:
        raise BusyError("another program is writing")

    assert not controller.perform("1", wait, lambda: None)
    times = [SOON / 2, SOON, 2 * SOON]
    mentioned = []
    for clock.now in times:
        mentioned.append(controller.waiting_time())
    assert mentioned == [None, SOON, 2 * SOON]


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
    "mark_topic": Session.mark_topic,
}
COMMANDS = RECORDED | NO_EVENT


def prepare(store: Store) -> Session:
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
    session = prepare(store)
    about, before = session.command_target(), state(session, store)
    COMMANDS[name](session, about)
    after = state(session, store)
    assert after != before
    assert COMMANDS[name](session, about) is session.view
    assert state(session, store) == after


@pytest.mark.parametrize("name", RECORDED)
def test_an_event_is_recorded_once_whatever_session_it_comes_to(name: str) -> None:
    """Also after a restart, and in another window that still shows the document: its id is in the log."""
    store = store_of()
    first = prepare(store)
    second = session_of(store)
    about = first.command_target()
    COMMANDS[name](first, about)
    count = len(read_events(store))
    assert read_events(store)[-1].event_id == about.event_id
    for session in (second, session_of(store)):
        COMMANDS[name](session, about)
    assert len(read_events(store)) == count


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_arrives_late_is_not_done_to_the_next_document(name: str) -> None:
    """It is refused: its document is not on screen any more."""
    store = store_of()
    session = prepare(store)
    late = session.command_target()
    at(session).grade(2)
    before = state(session, store)
    with pytest.raises(LateError, match="no longer on screen, so nothing was recorded"):
        COMMANDS[name](session, late)
    assert state(session, store) == before


def test_what_arrives_when_all_is_done() -> None:
    """The last document's grade, once more with another id, is for nothing."""
    store = store_of({"q1": ["d1"]})
    session = session_of(store)
    about = session.command_target()
    session.grade(about, 1)
    with pytest.raises(LateError):
        session.grade(about._replace(event_id="another"), 0)
    assert [event.grade for event in read_events(store)] == [1]
    assert session.command_target().pair is None


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
    assert [event.grade for event in read_events(store)] == [1]


Pair = tuple[str, str]

EVERY_COMMAND = st.one_of(
    st.tuples(st.just("grade"), st.sampled_from([*SCALE, 3])),
    st.tuples(st.just("cannot_judge"), st.sampled_from(["unreadable", "no reason"])),
    st.tuples(st.just("note"), st.sampled_from(["", "1", "a note"])),
    st.tuples(st.sampled_from(["later", "toggle_unsure", "undo", "undo", "redo", "next_topic", "restart", "other"])),
)


class Model:
    """What a session should do, in the plainest way."""

    def __init__(self) -> None:
        self.standing: list[tuple[Pair, Any]] = []
        self.undone: list[tuple[Pair, Any]] = []
        self.notes: dict[Pair, tuple[str, bool]] = {}
        self.brought_back: Pair | None = None
        self.worked_on: str | None = None
        self.left: str | None = None

    def state(self, pair: Pair) -> Any:
        return next((what for known, what in reversed(self.standing) if known == pair), None)

    def open(self, qid: str) -> bool:
        return any(self.state((qid, docno)) in (None, "later") for docno in POOLED[qid])

    def screen(self) -> Pair | None:
        if self.brought_back and not self.left:
            return self.brought_back
        for qid in (self.left, self.worked_on, *POOLED):
            if qid and self.open(qid):
                pairs = [(qid, docno) for docno in POOLED[qid]]
                latest_first = dict.fromkeys(pair for pair, _ in reversed(self.standing) if pair in pairs)
                put_off = [pair for pair in latest_first if self.state(pair) == "later"]
                return next((pair for pair in pairs if self.state(pair) is None), None) or put_off[-1]
        return None

    def do(self, name: str, *values: Any) -> bool:
        """Whether the command is taken."""
        if name in ("restart", "other"):
            self.left = None if name == "restart" else self.left
            return True
        is_done = bool(getattr(self, name)(*values))
        if is_done and name != "next_topic":
            self.left = None
        return is_done

    def decide(self, what: Any) -> bool:
        pair = self.screen()
        if pair:
            self.standing.append((pair, what))
            self.undone, self.brought_back, self.worked_on = [], None, pair[0]
        return pair is not None

    def grade(self, grade: int) -> bool:
        pair = self.screen() or ("", "")
        if grade not in SCALE or not self.decide((grade, self.notes.get(pair, ("", False))[1])):
            return False
        self.mark(pair, unsure=False)
        return True

    def mark(self, pair: Pair, unsure: bool) -> None:
        if pair in self.notes:
            self.notes[pair] = (self.notes[pair][0], unsure)

    def later(self) -> bool:
        return self.decide("later")

    def cannot_judge(self, reason: str) -> bool:
        return reason == "unreadable" and self.decide("cannot-judge")

    def draft(self, text: str | None, toggle: bool) -> bool:
        pair = self.screen()
        if pair:
            note, unsure = before = self.notes.get(pair, ("", False))
            self.notes[pair] = (note if text is None else text, unsure != toggle)
            self.undone = self.undone if self.notes[pair] == before else []
            self.worked_on = pair[0]
            self.brought_back = self.brought_back if self.brought_back == pair else None
        return pair is not None

    def note(self, text: str) -> bool:
        return self.draft(text, toggle=False)

    def toggle_unsure(self) -> bool:
        return self.draft(None, toggle=True)

    def undo(self) -> bool:
        if not self.standing:
            return False
        self.undone.append(self.standing.pop())
        self.brought_back, what = self.undone[-1]
        self.worked_on = self.brought_back[0]
        if isinstance(what, tuple):
            self.mark(self.brought_back, what[1])
        return True

    def redo(self) -> bool:
        if not self.undone:
            return False
        self.standing.append(self.undone.pop())
        self.brought_back, self.worked_on = None, self.standing[-1][0][0]
        if isinstance(self.standing[-1][1], tuple):
            self.mark(self.standing[-1][0], unsure=False)
        return True

    def next_topic(self) -> bool:
        pair, qids = self.screen(), list(POOLED)
        here = qids.index(pair[0]) if pair else 0
        others = [qid for qid in qids[here + 1 :] + qids[:here] if self.open(qid)]
        if pair and others:
            self.left = others[0]
        return bool(pair and others)


def do(session: Session, other: Session, name: str, *values: Any) -> bool:
    try:
        if name == "other":
            at(other).grade(2)
        elif name != "restart":
            getattr(at(session), name)(*values)
    except InputError:
        return name == "other"
    return True


def states(session: Session) -> dict[Pair, Any]:
    events = current_decisions(session._store, session.assessor)
    return {pair: (e.grade, e.unsure) if e.kind == "label" else e.kind for pair, e in events.items()}


@settings(max_examples=usually(25, 75), deadline=None)
@given(st.lists(EVERY_COMMAND, max_size=40))
@example([("grade", 1), ("later",), ("later",), ("later",), ("later",)])  # put off again, and again
@example([("grade", 1), ("undo",), ("next_topic",), ("note", "1"), ("restart",)])  # away from what undo brought back
def test_a_session_does_what_the_model_does(commands: list[tuple[Any, ...]]) -> None:
    """The same screen, the same refusals, the same labels after every command; restarts and others change nothing."""
    with store_of() as store:
        session, other, model = session_of(store), session_of(store, "bob"), Model()
        for command in commands:
            session = session_of(store) if command == ("restart",) else session
            assert do(session, other, *command) == model.do(*command)
            pair = model.screen()
            assert on_screen(session) == pair
            assert (session.view.note, session.view.unsure) == model.notes.get(pair or ("", ""), ("", False))
            assert (session.view.can_undo, session.view.can_redo) == (bool(model.standing), bool(model.undone))
            assert states(session) == dict(model.standing)
            assert sum(session.view.total) == 6
            assert session.view.total.remaining == 6 - len(dict(model.standing))


LONG = {"q1": [f"d{number:02}" for number in range(40)]}


def session(store: Store) -> Session:
    pool = restrict_pool_to_work(stored_pool(store), work_of(store, "ada"))
    return Session(store, "ada", with_repeats(pool, repeats_of(store, "ada")), clock=Clock())


def test_shown_twice_counted_once() -> None:
    """Every document is shown once, the drawn ones twice and far apart; the qrels have the first labels."""
    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada"], repeats=4, seed=1)
    judging, docnos = session(store), []
    while (document := judging.view.document) is not None:
        docnos.append(document.docno)
        judging = session(store) if len(docnos) % 7 == 0 else judging  # stopped and begun anew
        at(judging).grade(int(document.docno in docnos[:-1]))
    twice = sorted(docno for docno in set(docnos) if docnos.count(docno) == 2)
    assert set(docnos) == set(LONG["q1"])
    assert twice == repeats_of(store, "ada")["q1"]
    assert len(twice) == 4 == len(docnos) - 40
    for docno in twice:
        first = docnos.index(docno)
        assert docnos.index(docno, first + 1) - first > 10
    assert (len(qrels_of(store)), set(qrels_of(store).grade.tolist())) == (40, {0})
    (row,) = repeat_rows(progress_of(store))
    assert (row["planned"], row["pairs"], row["same grade"]) == (4, 4, 0)


def test_undo_later_and_notes_work_on_a_second_showing() -> None:
    """It is taken back, put off and decided again like any document, without touching the first label."""
    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada"], repeats=20)
    judging, docnos = session(store), set()
    while (document := judging.view.document) is not None and document.docno not in docnos:
        docnos.add(document.docno)
        at(judging).grade(2)
    assert document is not None
    assert document.text == f"text of {document.docno}"
    at(judging).note("seen before?")
    at(judging).grade(0)
    second: Any = current_decisions(store, "ada" + REPEAT)
    assert [(event.grade, event.note) for event in second.values()] == [(0, "seen before?")]
    at(judging).undo()
    assert current_decisions(store, "ada" + REPEAT) == {}
    at(judging).later()
    assert [event.kind for event in current_decisions(store, "ada" + REPEAT).values()] == ["later"]
    assert {event.grade for event in current_decisions(store, "ada").values()} == {2}


def test_without_repeats_nothing_changes() -> None:
    """The pool and every order are as they were."""
    store = store_of(LONG)
    pool = stored_pool(store)
    assert with_repeats(pool, {}) == pool
    for name in ("hash", "docid", "priority"):
        once, twice = order_named(name).arrange, order_with_repeats(order_named(name)).arrange
        assert once is not None
        assert twice is not None
        assert once(pool.documents, "q1", 3) == twice(pool.documents, "q1", 3)
    assert order_with_repeats(order_named("adaptive")).arrange is None
