"""Nuggets assigned to answers, and citations labelled: what is recorded, in which order, and what never shows."""

import io
from collections.abc import Iterator
from functools import partial

import pytest

from cranfield.errors import InputError
from cranfield.judging.answers.assigning import Assigning
from cranfield.judging.answers.labelling import AnswerLabelling
from cranfield.judging.answers.supporting import Supporting, without_text
from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.frontends.plain_labelling import PlainLabelling
from cranfield.judging.session.work import PassedOnError
from cranfield.store.answers.labels import NUGGET_LABELS, SUPPORT_LABELS, LabelEvent
from cranfield.store.answers.nuggets import NuggetEdit, edit_nuggets
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from tests.judging.answers.cases import RUNS, answered


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory("answers") as opened:
        yield answered(opened)


def assigning(store: Store, name: str = "ada", **more: object) -> AnswerLabelling:
    return AnswerLabelling(store, name, Assigning, NUGGET_LABELS, **more)  # type: ignore[arg-type]


def supporting(store: Store, each: bool = False) -> AnswerLabelling:
    return AnswerLabelling(store, "ada", partial(Supporting, each=each), SUPPORT_LABELS)


def given(session: AnswerLabelling, *grades: int) -> None:
    for grade in grades:
        session.grade(session.about(), grade)


def test_answers_come_whole_and_in_an_order_of_the_seed(store: Store) -> None:
    session = assigning(store, seed=3)
    seen = []
    while not session.view.done:
        seen.append(session.pair)
        given(session, 2)
    items = [event.item for event in NUGGET_LABELS.events(store, "ada")]
    by_answer = list(dict.fromkeys(answer for answer, _ in items))
    assert [nugget for _, nugget in items] == [1, 2, 3] * 3 + [4] * 3
    assert sorted(by_answer) == [1, 2, 3, 4, 5, 6]
    assert len(set(seen)) == 12
    assert by_answer != [event.item[0] for event in NUGGET_LABELS.events(_labelled(store, seed=4), "bob")][::3]


def _labelled(store: Store, seed: int) -> Store:
    session = assigning(store, "bob", seed=seed)
    while not session.view.done:
        given(session, 0)
    return store


def test_a_session_goes_on_where_the_last_one_stopped(store: Store) -> None:
    first = assigning(store, seed=5)
    given(first, 2, 1)
    first.later(first.about())
    first.note(first.about(), "why")
    first.undo(first.about())
    again = assigning(store)
    assert (again.pair, again.view.can_redo, again.view.total.judged) == (first.pair, True, 2)
    again.redo(again.about())
    again.undo(again.about())
    again.undo(again.about())
    again.cannot_judge(again.about(), "unreadable")
    assert list(NUGGET_LABELS.labels(store, "ada").values()) == ["support", None]


def test_a_command_acts_once_and_never_on_the_next_item(store: Store) -> None:
    session = assigning(store)
    about = session.about()
    for _ in range(2):
        session.grade(about, 2)
    with pytest.raises(InputError, match="no longer on screen"):
        session.grade(about._replace(event_id="another"), 0)
    assert len(NUGGET_LABELS.events(store, "ada")) == 1


def test_a_nugget_that_somebody_changed_is_not_labelled(store: Store) -> None:
    session = assigning(store)
    edit_nuggets(store, [NuggetEdit("vital", "q1", "zoe", "lift grows fast", replaces=(1,))])
    with pytest.raises(PassedOnError, match=r"reworded, merged or dropped meanwhile; nothing was recorded"):
        session.grade(session.about(), 2)
    assert session.view.document
    assert session.view.document.title == "Nugget: lift grows fast"
    assert not NUGGET_LABELS.labels(store)


def test_people_go_before_models_and_failures_are_no_labels(store: Store) -> None:
    add_assessor(store, "qwen", "model")
    said = [
        LabelEvent("label", (1, 1), "qwen", "not_support"),
        LabelEvent("cannot-judge", (1, 2), "qwen", reason="cut"),
    ]
    NUGGET_LABELS.append(store, said)
    session = assigning(store, topics=["q1"])
    assert NUGGET_LABELS.labels(store) == {(1, 1): "not_support", (1, 2): None}
    while not session.view.done:
        given(session, 2)
    assert set(NUGGET_LABELS.labels(store).values()) == {"support"}
    assert NUGGET_LABELS.labels(store, "qwen") == {(1, 1): "not_support", (1, 2): None}


def test_first_citations_or_the_sets_that_measures_need(store: Store) -> None:
    assert without_text(store, None, each=False) == 6
    session = supporting(store)
    assert (session.view.position.of, session.view.overall.of) == (6, 12)
    given(session, 2)
    each = supporting(store, each=True)
    given(each, 2, 1, 0)
    sets = [event.item[2] for event in SUPPORT_LABELS.events(store, "ada")]
    assert sets == [("d1",), ("d1", "d2", "d3"), ("d2",), ("d1", "d3")]
    again = supporting(store, each=True)
    assert again.view == each.view


def test_no_run_reaches_the_assessor(store: Store) -> None:
    out = io.StringIO()
    for session in (assigning(store), supporting(store, each=True)):
        typed = io.StringIO("2\ns\nl\nt\nd\ng\n?\nu\nU\nx other: no\n" * 9)
        PlainLabelling(session, typed, out, 80, DEFAULT, "").run()
    assert "Nugget 9 of 9" in out.getvalue()
    assert "Sentence: Drag too." in out.getvalue()
    assert not [word for word in (*RUNS, "d1", "d2", "vital", "okay") if word in out.getvalue()]


def test_without_answers_or_nuggets_it_says_what_is_missing() -> None:
    with Store.memory("empty") as store:
        with pytest.raises(InputError, match="no topic has both answers and nuggets"):
            assigning(store)
        with pytest.raises(InputError, match="no sentence of an answer cites a document that has a text"):
            supporting(store)
        with pytest.raises(InputError, match="topic 'q7' has no answers"):
            assigning(store, topics=["q7"])
