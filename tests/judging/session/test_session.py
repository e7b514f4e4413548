"""The session: what each command records, and what is shown next."""

import hashlib
from collections.abc import Mapping
from dataclasses import FrozenInstanceError

import pytest

from cranfield.errors import InputError, StoreError
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.session.session import Session
from cranfield.judging.session.work import PassedOnError
from cranfield.judging.session.worklist import Provider
from cranfield.store.assignments import give_assignment
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, assessors, current_decisions, read_events
from cranfield.store.pools import add_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.withdrawals import restore, withdraw
from tests.judging.cases import (
    POOLED,
    SCALE,
    SECRET_DEPTH,
    SECRET_RUN,
    Clock,
    at,
    on_screen,
    pool_of,
    session_of,
    store_of,
)


def finish(session: Session, grade: int = 0) -> None:
    while not session.view.done:
        at(session).grade(grade)


def test_the_digit_is_the_grade() -> None:
    """The number given is the grade recorded, whatever its place on the scale; one off the scale records nothing."""
    store = store_of()
    session = session_of(store)
    with pytest.raises(InputError, match="7 is not a grade here; the grades are -1 spam, 0 not relevant"):
        at(session).grade(7)
    assert (read_events(store), on_screen(session)) == ([], ("q1", "d1"))
    for grade in SCALE:
        at(session).grade(grade)
    assert [event.grade for event in read_events(store, "ada")] == [*SCALE]


def test_topics_come_one_after_the_other() -> None:
    """All documents of a topic come before the next topic, in the store's order of topics."""
    session = session_of(store_of())
    pairs = []
    while not session.view.done:
        pairs.append(on_screen(session))
        at(session).grade(1)
    assert pairs == [(qid, docno) for qid, docnos in POOLED.items() for docno in docnos]


def test_nothing_judged_is_nothing() -> None:
    """Unjudged, later, cannot-judge and unsure are states of their own; none of them is grade 0."""
    store = store_of()
    session = session_of(store)
    at(session).later()
    at(session).cannot_judge("unreadable")
    assert len(qrels_of(store)) == 0
    assert session.view.total._asdict() == {"judged": 0, "later": 1, "cannot_judge": 1, "remaining": 4}
    at(session).toggle_unsure()
    at(session).grade(0)
    assert qrels_of(store).grade.tolist() == [0]
    assert current_decisions(store, "ada")["q1", "d3"].unsure


def test_later_comes_back_at_the_end_of_its_topic() -> None:
    """What was put off comes back after the topic's last new document, first put off first, and again if put off."""
    session = session_of(store_of())
    docnos = []
    for grade in (None, None, 1, None, 1):
        docnos.append(on_screen(session))
        at(session).later() if grade is None else at(session).grade(grade)
    assert docnos == [("q1", docno) for docno in ("d1", "d2", "d3", "d1", "d2")]
    assert on_screen(session) == ("q1", "d1")


def test_cannot_judge_needs_a_reason_that_is_known() -> None:
    """One of those listed, or "other" and what it is, which is kept; the document does not come back."""
    store = store_of({"q1": ["d1"]})
    session = session_of(store)
    for reason in ("", "boring", "other", "other:  "):
        with pytest.raises(InputError, match="expected one of the reasons unreadable, wrong language, topic unc"):
            at(session).cannot_judge(reason)
    assert read_events(store) == []
    assert at(session).cannot_judge("other: a table of numbers").done
    assert current_decisions(store, "ada")["q1", "d1"].reason == "other: a table of numbers"


def test_an_event_tells_how_it_came_about() -> None:
    """Order, seed, position, hash of the text, pool and active seconds are in the log with every event."""
    store, clock = store_of(), Clock()
    session = session_of(store, order="hash", seed=9, clock=clock, ids=lambda: "an-id")
    clock.now += 4.5
    pair = on_screen(session)
    at(session).grade(2)
    (event,) = read_events(store, "ada")
    assert pair == (event.qid, event.docno)
    assert (event.order_policy, event.order_seed, event.position, event.pool, event.seconds) == ("hash", 9, 1, 1, 4.5)
    assert event.document_sha256 == hashlib.sha256(f"text of {event.docno}".encode()).hexdigest()
    assert event.event_id == "an-id"


def test_the_position_counts_what_was_shown_before() -> None:
    """A document that comes back later is recorded at the place where it came back."""
    store = store_of({"q1": ["d1", "d2", "d3"]})
    session = session_of(store)
    at(session).later()
    finish(session)
    assert [event.position for event in read_events(store, "ada")] == [1, 2, 3, 3]


def test_idle_time_does_not_count() -> None:
    """An hour away from the keyboard is not an hour of judging; each sign of life counts, and time never shrinks."""
    store, clock = store_of(), Clock()
    session = session_of(store, clock=clock, idle=60.0)
    clock.now += 20
    session.touch()
    clock.now += 3600
    at(session).grade(1)
    clock.now += 5
    at(session).note("read twice")
    clock.now += 5
    at(session).grade(1)
    clock.now -= 100
    at(session).grade(1)
    assert [event.seconds for event in read_events(store, "ada")] == [20.0, 5.0, 10.0, 0.0]


def test_undo_goes_back_across_topics_and_sessions() -> None:
    """Undo takes back every decision there ever was, last first, each time with its document on screen."""
    store = store_of()
    finish(session_of(store), grade=2)
    session = session_of(store)
    back: list[object] = []
    for _ in range(6):
        session = session_of(store) if len(back) % 2 else session
        at(session).undo()
        back.append(on_screen(session))
    assert back == [(qid, docno) for qid, docnos in reversed(POOLED.items()) for docno in reversed(docnos)]
    assert current_decisions(store, "ada") == {}
    with pytest.raises(InputError, match="nothing to undo"):
        at(session).undo()


def test_undo_is_an_event() -> None:
    """It names what it takes back, a later and a cannot-judge as well as a label; nothing is erased."""
    store = store_of()
    session = session_of(store)
    at(session).later()
    at(session).cannot_judge("unreadable")
    at(session).grade(1)
    at(session_of(store)).undo()
    assert [(event.kind, event.supersedes) for event in read_events(store)][2:] == [("label", None), ("retract", 3)]
    session.refresh()
    for docno, counts in (("d2", (0, 1, 0, 5)), ("d1", (0, 0, 0, 6))):
        at(session).undo()
        assert (on_screen(session), session.view.total) == (("q1", docno), counts)


def test_redo_brings_back_until_something_else_is_recorded() -> None:
    """Redo repeats what undo took back, in order, in a new session as well; a new decision or note ends that."""
    store = store_of()
    session = session_of(store)
    at(session).grade(1)
    at(session).grade(2)
    at(session).undo()
    at(session).undo()
    at(session).redo()
    session = session_of(store)
    at(session).redo()
    assert {pair: event.grade for pair, event in current_decisions(store, "ada").items()} == {
        ("q1", "d1"): 1,
        ("q1", "d2"): 2,
    }
    at(session).undo()
    at(session).note("hm")
    with pytest.raises(InputError, match="nothing to redo"):
        at(session).redo()


def test_undo_of_a_rejudgment_makes_the_earlier_label_current() -> None:
    """A document judged in two windows: the earlier label counts again, in a new session too, but is not shown."""
    store = store_of({"q1": ["d1"]})
    session, other = session_of(store), session_of(store)
    at(session).grade(1)
    at(other).grade(2)
    at(session).undo()
    assert current_decisions(store, "ada")["q1", "d1"].grade == 1
    assert on_screen(session_of(store)) == ("q1", "d1")
    assert (session.view.counts.judged, session.view.last, session.view.can_undo) == (1, None, True)


def test_a_decision_further_back_is_judged_anew() -> None:
    """Without undoing those since; its note is there, its grade is not shown, and a note alone does not leave it."""
    store = store_of()
    session = session_of(store)
    at(session).note("hm")
    at(session).grade(0)
    at(session).grade(1)
    at(session).grade(2)
    view = at(session).again(3)
    assert (on_screen(session), view.note, view.position.number) == (("q1", "d1"), "hm", 1)
    assert at(session).toggle_unsure().document == view.document
    assert "grade 0" not in repr(session.view)
    assert [one.decision.number for one in session.recent()] == [3, 2]
    at(session).grade(2)
    assert on_screen(session) == ("q2", "d2")
    assert current_decisions(store, "ada")["q1", "d1"].grade == 2
    at(session).undo()
    assert current_decisions(store, "ada")["q1", "d1"].grade == 0
    assert at(session).redo().total.judged == 3


def test_what_is_judged_anew_may_stay_as_it_is() -> None:
    """Nothing is recorded by looking; another session knows nothing of it."""
    store = store_of()
    session = session_of(store)
    for number in (0, 1):
        with pytest.raises(
            InputError, match=r"you are not judging an earlier decision again|number 1 is not among your last 0"
        ):
            at(session).again(number)
    at(session).grade(0)
    at(session).again(1)
    assert on_screen(session_of(store)) == ("q1", "d2")
    at(session).again(0)
    assert on_screen(session) == ("q1", "d2")
    at(session).again(1)
    at(session).next_topic()
    assert on_screen(session) == ("q2", "d2")
    assert len(read_events(store)) == 1


def test_a_note_goes_with_the_decision_and_survives() -> None:
    """A note is on disk when it is made, is there after a restart, and is in the label's event."""
    store = store_of()
    at(session_of(store)).note("  mentions it only in passing ")
    session = session_of(store)
    assert session.view.note == "mentions it only in passing"
    assert at(session).grade(1).note == ""
    assert current_decisions(store, "ada")["q1", "d1"].note == "mentions it only in passing"


def test_a_label_given_anew_keeps_no_old_mark() -> None:
    """The mark is on or off, for the document on screen only, and comes back with undo; not with a label given anew."""
    store = store_of({"q1": ["d1", "d2"]})
    session = session_of(store)
    at(session).note("hm")
    assert [at(session).toggle_unsure().unsure for _ in range(3)] == [True, False, True]
    first = on_screen(session)
    assert not at(session).grade(1).unsure
    for again in (session, session_of(store)):
        assert (at(again).again(1).unsure, again.view.note, on_screen(again)) == (False, "hm", first)
        assert not at(again).grade(2).unsure
        assert [event.unsure for event in current_decisions(store, "ada").values()] == [False]
    at(session).again(1)
    at(session).toggle_unsure()
    at(session).grade(0)
    assert [event.unsure for event in current_decisions(store, "ada").values()] == [True]
    assert not at(session).undo().done
    assert session.view.unsure


def test_assessors_are_independent() -> None:
    """What one assessor does changes neither the view nor the labels of another."""
    store = store_of()
    ada, bob = session_of(store, "ada"), session_of(store, "bob")
    before = bob.view
    at(ada).grade(2)
    at(ada).later()
    assert session_of(store, "bob").view == before
    at(bob).grade(0)
    assert current_decisions(store, "ada")["q1", "d1"].grade == 2
    assert current_decisions(store, "bob")["q1", "d1"].grade == 0
    assert at(bob).undo().total == (0, 0, 0, 6)
    assert current_decisions(store, "ada")["q1", "d1"].grade == 2


def test_a_label_belongs_to_the_document_shown() -> None:
    """Two orders of the same pool, as in NTCIR's WWW tasks, never mix up which document a label is about."""
    store = store_of()
    for assessor, order in (("ada", "docid"), ("bob", "hash")):
        session = session_of(store, assessor, order=order, seed=3)
        while not session.view.done:
            _, docno = on_screen(session) or ("", "")
            at(session).grade(1 if docno == "d2" else 0)
    for assessor in ("ada", "bob"):
        labels = {pair: event.grade for pair, event in current_decisions(store, assessor).items()}
        assert labels == {(q, d): int(d == "d2") for q, docnos in POOLED.items() for d in docnos}


def test_nothing_leaks() -> None:
    """Neither run, depth, address, metadata nor another's label is anywhere in the view, which a skin cannot change."""
    store = store_of()
    bob = session_of(store, "bob")
    at(bob).note("bob's own note")
    at(bob).grade(2)
    view = session_of(store).view
    for secret in (SECRET_RUN, str(SECRET_DEPTH), "secret.example", "bob", "depth", "score", "rank"):
        assert secret not in repr(view)
    with pytest.raises(FrozenInstanceError):
        view.note = "x"  # type: ignore[misc]


def test_position_and_counts() -> None:
    """The place in the topic and overall, how many are in each state, and the decision before this document."""
    session = session_of(store_of())
    at(session).toggle_unsure()
    at(session).grade(2)
    assert session.view.last == ("q1", 1, "grade 2, highly relevant (unsure)")
    at(session).cannot_judge("wrong language")
    assert session.view.last == ("q1", 2, "cannot judge, wrong language")
    at(session).grade(1)
    at(session).grade(1)
    view = session.view
    assert (view.position, view.overall) == ((2, 2), (5, 6))
    assert (view.counts, view.total) == ((1, 0, 0, 1), (3, 0, 1, 2))


def test_order_and_seed_are_remembered() -> None:
    """A session that is not told goes on in the order and with the seed of the last one."""
    store = store_of({"q1": [f"d{number}" for number in range(30)]})
    first = session_of(store, order="hash", seed=5)
    at(first).grade(1)
    second = session_of(store, order=None)
    assert (second.order, second.seed) == ("hash", 5)
    assert on_screen(second) == on_screen(first)


def test_some_topics_only() -> None:
    """A session can be narrowed to topics; one that is not in the pool is refused by name."""
    store = store_of()
    session = session_of(store, topics=["q2"])
    assert on_screen(session) == ("q2", "d2")
    assert session.view.total.remaining == 2
    with pytest.raises(InputError, match="topic 'q9' is not in the pool; available: q1, q2, q3"):
        session_of(store, "bob", topics=["q9"])
    assert list(assessors(store)) == ["ada"]


def test_what_is_withdrawn_meanwhile_is_not_shown() -> None:
    """A document or a topic leaves an open session, also the one on screen, and comes back when it counts again."""
    store = store_of()
    session = session_of(store, topics=["q1", "q2"])
    qid, docno = session.command_target().pair or ("", "")
    withdraw(store, "document", [docno], "twice")
    assert (qid, session.refresh().position) == ("q1", (1, 2))
    withdraw(store, "topic", ["q1"], "unclear")
    at(session).grade(1)
    assert (session.command_target().pair or "")[0] == "q2"
    withdraw(store, "topic", ["q2"], "unclear")
    assert session.refresh().done
    restore(store, "topic", ["q1", "q2"])
    restore(store, "document", [docno])
    assert (session.refresh().total.remaining, session.view.total.judged) == (4, 1)


def test_next_topic_leaves_a_topic_open() -> None:
    """The topic left is there again when the others are done; nothing is recorded by leaving. Another one is needed."""
    store = store_of({"q1": ["d1", "d2"], "q2": ["d2", "d4"]})
    session = session_of(store)
    at(session).later()
    at(session).next_topic()
    assert on_screen(session) == ("q2", "d2")
    assert len(read_events(store)) == 1
    at(session).grade(1)
    assert on_screen(session_of(store)) == ("q2", "d4")
    at(session).grade(1)
    with pytest.raises(InputError, match="no other topic"):
        at(session).next_topic()
    assert on_screen(session) == ("q1", "d2")


def test_a_larger_pool_asks_only_for_what_is_new() -> None:
    """Labels belong to topic and document: a second pool shows what it adds. When all is done, only undo is left."""
    store = store_of({"q1": ["d1", "d2"]})
    finish(session_of(store))
    store.ensure_docnos(["d9"])
    add_pool(store, pool_of({"q1": ["d1", "d2", "d9"]}))
    session = session_of(store)
    assert on_screen(session) == ("q1", "d9")
    at(session).grade(1)
    assert read_events(store)[-1].pool == 2
    with pytest.raises(InputError, match="everything is done"):
        at(session).grade(1)
    assert not at(session).undo().done


def test_the_name_of_a_model_is_refused() -> None:
    """A person does not judge under the name of a model or an import."""
    store = store_of()
    add_assessor(store, "llm", "model")
    with pytest.raises(StoreError, match="assessor 'llm' has kind"):
        session_of(store, "llm")
    with pytest.raises(InputError, match="needs a name"):
        session_of(store, " ")


def test_labels_under_her_name_from_elsewhere_count() -> None:
    """An adjudication by the assessor settles the pair: it is not shown again, and undo leaves it alone."""
    store = store_of({"q1": ["d1", "d2"]})
    add_assessor(store, "ada")
    append(store, Event("adjudicate", "q1", "d1", "ada", grade=1))
    session = session_of(store)
    assert on_screen(session) == ("q1", "d2")
    assert not session.view.can_undo


def test_an_event_that_fails_changes_nothing() -> None:
    """When the log refuses an event, the session shows and counts what the log has; the command can be given again."""
    store = store_of()
    session = session_of(store)
    at(session).grade(1)
    view, about = session.view, session.command_target()
    store.conn.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON judgment_event BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with pytest.raises(Exception, match="full"):
        session.grade(about, 2)
    assert session.view == view
    assert len(read_events(store)) == 1
    store.conn.execute("DROP TRIGGER full")
    assert session.grade(about, 2).position.number == 3


def test_how_a_document_was_shown_belongs_to_its_label() -> None:
    """Input, terms highlighted and the docno, though it is hidden again, are in the label; the next one has none.

    Showing the docno changes nothing of what the assessor said, so what was undone can still be redone.
    """
    store = store_of()
    session = session_of(store)
    session.input = "key"
    at(session).terms("lift, Lift , drag")
    at(session).toggle_highlight()
    at(session).toggle_docno()
    at(session).toggle_docno()
    at(session).grade(1, fast=True)
    at(session).grade(0)
    first, second = current_decisions(store, "ada").values()
    assert (first.input, first.fast, first.highlight_terms, first.docno_shown) == ("key", True, "lift, drag", True)
    assert (second.input, second.fast, second.highlight_terms, second.docno_shown) == ("key", False, "", False)
    at(session).undo()
    assert at(session).toggle_docno().can_redo
    assert at(session).redo().last == ("q1", 2, "grade 0, not relevant")


def test_evidence_is_a_place_in_the_text_and_goes_with_the_label_only() -> None:
    """Marked by place or by words, each once; it survives, and what is put off keeps it for later."""
    store = store_of({"q1": ["d1"]}, texts={"d1": "Clean the\nchain first."})
    session = session_of(store)
    at(session).mark(0, 5)
    at(session).quote("THE chain")
    at(session).mark(0, 5)
    assert [mark.quote for mark in session_of(store).marks] == ["the\nchain", "Clean"]
    at(session).later()
    assert current_decisions(store, "ada")["q1", "d1"].evidence is None
    at(session).unmark()
    at(session).grade(1)
    assert current_decisions(store, "ada")["q1", "d1"].evidence == '[{"start": 6, "end": 15, "quote": "the\\nchain"}]'


def test_a_provider_may_go_beyond_the_pool() -> None:
    """An open pool grows while it is judged: what the provider asks for is judged, counted, undone and resumed."""

    class Grows(Provider):
        def batch(self, qid: str, grades: Mapping[str, int | None]) -> list[str]:
            docnos = ["d1", "d4", "d5"]
            return docnos[:1] if "d1" not in grades else docnos[1:] if qid == "q1" else []

    store = store_of()
    session = session_of(store, order="adaptive", provider=Grows(), topics=["q1"])
    at(session).grade(0)
    assert {docno for docno in ("d4", "d5") if (on_screen(session) or ("", ""))[1] == docno}
    at(session).grade(1)
    again = session_of(store, order=None, provider=Grows(), topics=["q1"])
    assert on_screen(again) == on_screen(session)
    at(again).grade(2)
    assert {docno for _, docno in current_decisions(store, "ada")} == {"d1", "d4", "d5"}
    assert at(again).undo().position.number == 3


def test_a_topic_that_somebody_else_takes_is_left() -> None:
    store = store_of()
    assign_topics_to_assessors(store, ["ada"])
    session = session_of(store)
    at(session).grade(2)
    give_assignment(store, "q1", "first", "bob")
    with pytest.raises(PassedOnError, match="topic q1 is no longer yours"):
        at(session).grade(1)
    assert on_screen(session) == ("q2", "d2")
    assert [event.qid for event in read_events(store)] == ["q1"]
