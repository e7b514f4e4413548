"""Nuggets edited and assigned, citations labelled: what is recorded, in which order, and what never shows."""

import asyncio
import io
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from textual.widgets import Static

from cranfield.errors import InputError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.judging.editing import ChangedError, NuggetEditing, NuggetSeen
from cranfield.features.answers.judging.labelling import AnswerLabelling
from cranfield.features.answers.judging.tasks import Assigning, Supporting
from cranfield.features.answers.plain import PlainEditing, PlainLabelling
from cranfield.features.answers.screen import EditTerminal
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.labels import NUGGET_LABELS, SUPPORT_LABELS, LabelEvent
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets, nugget_edits
from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.session.work import PassedOnError
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from tests.features.answers.stores import RUNS, three_run_store
from tests.stores import new_store


@pytest.fixture
def store() -> Iterator[Store]:
    with three_run_store() as store:
        yield store


def on_screen(session: NuggetEditing, *places: int) -> list[NuggetSeen]:
    return [NuggetSeen(one.number, one.edit) for one in session.view.nuggets if one.number in places]


def one_seen(session: NuggetEditing, place: int) -> NuggetSeen:
    return on_screen(session, place)[0]


def texts(session: NuggetEditing) -> str:
    return " ".join(f"{one.text}:{one.importance}" for one in session.view.nuggets)


def test_nuggets_come_from_the_answer_on_screen(store: Store) -> None:
    session = NuggetEditing(store, "ada")
    session.add("e1", "  first\tof all ", "vital")
    session.go("q1", 2)
    session.add("e2", "second")
    session.add("e2", "second")
    session.merge("e3", on_screen(session, 5, 6), "both")
    *_, both = current_nuggets(store, "q1")
    assert (both.text, both.importance, both.author) == ("both", "vital", "ada")
    assert len(both.contributors) == 2
    assert set(both.contributors) < set(RUNS)
    assert len(nugget_edits(store, "q1")) == 6


def test_editing_begins_at_a_topic_with_answers() -> None:
    """Topics without answers can be chosen; what was edited last comes first."""
    with new_store(topics=["q1", "q2", "q3"]) as store:
        assert NuggetEditing(store, "ada").qid == "q1"
        add_answers(store, [Answer("a", "q2", [Sentence("Lift grows.")])])
        session = NuggetEditing(store, "ada")
        assert (session.qid, session.view.answers.of) == ("q2", 1)
        session.go("q3")
        session.add("e1", "a fact")
        assert NuggetEditing(store, "ada").qid == "q3"


def test_two_people_do_not_overwrite_each_other(store: Store) -> None:
    ada, bob = NuggetEditing(store, "ada"), NuggetEditing(store, "bob")
    before = one_seen(ada, 1)
    bob.reword("b1", before, "lift grows fast")
    acts: list[Callable[[], None]] = [
        lambda: ada.drop("a1", before),
        lambda: ada.reword("a2", before, "mine"),
        lambda: ada.merge("a3", [before, *on_screen(ada, 2)], "mine"),
    ]
    for act in acts:
        with pytest.raises(ChangedError, match="else has reworded, merged or dropped this nugget; nothing was"):
            act()
    second = one_seen(ada, 2)
    bob.weigh("b2", second, "vital")
    with pytest.raises(ChangedError, match="somebody else has marked this nugget as vital"):
        ada.weigh("a4", second, "okay")
    ada.reword("a5", one_seen(ada, 5), "lift grows faster")
    bob.undo("b3")
    with pytest.raises(ChangedError, match="somebody else has changed this nugget since your edit; nothing was undone"):
        bob.undo("b4")
    assert texts(ada) == "lift grows faster:vital with speed:okay so what:okay"


def test_everything_can_be_undone_and_redone(store: Store) -> None:
    session = NuggetEditing(store, "ada")
    steps = [texts(session)]
    acts: list[Callable[[], None]] = [
        lambda: session.add("e1", "new"),
        lambda: session.weigh("e2", one_seen(session, 5), "vital"),
        lambda: session.merge("e3", on_screen(session, 1, 5), "merged"),
        lambda: session.drop("e4", one_seen(session, 2)),
        lambda: session.reword("e5", one_seen(session, 3), "so that"),
    ]
    for act in acts:
        act()
        steps.append(texts(session))
    assert len(set(steps)) == 6
    for number, step in enumerate(reversed(steps[:-1])):
        session.undo(f"u{number}")
        assert texts(session) == step
    again = NuggetEditing(store, "ada")
    for number, step in enumerate(steps[1:]):
        again.redo(f"r{number}")
        assert texts(again) == step
    again.undo("u9")
    again.add("e6", "another")
    with pytest.raises(InputError, match="there is nothing to redo in this topic"):
        again.redo("r9")


def test_what_is_no_nugget_is_refused(store: Store) -> None:
    session = NuggetEditing(store, "ada")
    for text, why in (("", "has 1 to 1000 characters; this one has 0"), ("x" * 1001, "this one has 1001"),
                      (" lift  grows", "the topic already has this nugget")):  # fmt: skip
        with pytest.raises(InputError, match=why):
            session.add("e1", text)
    with pytest.raises(InputError, match="'grave' is not an importance; expected vital or okay"):
        session.add("e1", "text", "grave")
    with pytest.raises(InputError, match="choose two nuggets or more"):
        session.merge("e1", on_screen(session, 1), "text")
    assert len(nugget_edits(store, "q1")) == 3


def test_at_the_keyboard_every_command_answers(store: Store) -> None:
    commands = [
        *("n lift falls", "v 4", "o 1 2", "e 1 lift rises", "m 1,4 lift rises and falls", "d 2", "u", "U"),
        *("]", "[", "[", "N", "N", "P", "P", "t", "?", "", "x", "v", "v 9", "e 1", "n lift rises and falls"),
        *("q", "n never"),
    ]
    out = io.StringIO()
    PlainEditing(NuggetEditing(store, "ada"), io.StringIO("\n".join(commands)), out).run()
    lines = [line.strip() for line in out.getvalue().splitlines()]
    assert lines.count("Not recorded: this is answer 1 of 3; there is no answer before it") == 1
    for line in ("Recorded: nugget 4 is vital. u undoes it.", "Recorded: 2 nuggets merged. u undoes it.",
                 "Recorded: nugget 2 dropped. u undoes it.", "Undone. U redoes it.", "Recorded: redone. u undoes it.",
                 "Answer 2 of 3:", "Not recorded: this is the last topic", "Not recorded: this is the first topic",
                 "Not recorded: there is no nugget 9; this topic has 2 nuggets",
                 "Not recorded: expected numbers and words: e 1 TEXT rewords the first nugget",
                 "Not recorded: the topic already has this nugget", "2 nuggets: 1 vital, 1 okay"):  # fmt: skip
        assert line in lines, line
    assert not [tag for tag in RUNS if tag in out.getvalue()]
    assert [one.text for one in current_nuggets(store, "q1")] == ["lift rises and falls", "so what"]


KEYS = ("n", "x", "enter", "v", "9", "enter", "backspace", "4", "enter", "]", "u", "?", "z", "q")


def test_every_key_of_the_full_screen() -> None:
    notes, screens = list[str](), list[str]()

    async def press(app: EditTerminal) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for key in KEYS:
                await pilot.press(key)
                notes.append(str(app.query_one("#status", Static).content))
                screens.append(
                    "\n".join([app.nuggets.text, app.answer.text, str(app.query_one("#place", Static).content)])
                )

    with three_run_store() as store:
        app = EditTerminal(NuggetEditing(store, "ada"))
        asyncio.run(press(app))
        assert (app.failure, app.status) == (None, 0)
        assert [(one.text, one.importance) for one in current_nuggets(store, "q1")][3:] == [("x", "okay")]
        assert {edit.input for edit in nugget_edits(store, "q1", after=3)} == {"key"}
    assert list(dict.fromkeys(filter(None, notes))) == [
        "Recorded: nugget added. u undoes it.",
        "! there is no nugget 9; this topic has 4 nuggets",
        "Recorded: nugget 4 is vital. u undoes it.",
        "Undone. U redoes it.",
        "! z has no effect; ? lists the keys",
    ]
    assert any("Answer 2 of 3" in text for text in screens)
    assert any("make nuggets vital" in text for text in screens)
    assert not [tag for tag in RUNS if any(tag in text for text in screens)]


def assigning(store: Store, name: str = "ada", **more: object) -> AnswerLabelling:
    return AnswerLabelling(store, name, Assigning, NUGGET_LABELS, **more)  # type: ignore[arg-type]


def supporting(store: Store, each: bool = False) -> AnswerLabelling:
    return AnswerLabelling(store, "ada", partial(Supporting, each=each), SUPPORT_LABELS)


def give(session: AnswerLabelling, *grades: int) -> None:
    for grade in grades:
        session.grade(session.command_target(), grade)


def give_all(session: AnswerLabelling, grade: int) -> list[object]:
    """The same label for what is left; what that was."""
    pairs: list[object] = []
    while not session.view.done:
        pairs.append(session.pair)
        give(session, grade)
    return pairs


def test_answers_come_whole_and_in_an_order_of_the_seed(store: Store) -> None:
    pairs = give_all(assigning(store, seed=3), 2)
    items = [event.item for event in NUGGET_LABELS.events(store, "ada")]
    by_answer = list(dict.fromkeys(answer for answer, _ in items))
    assert [nugget for _, nugget in items] == [1, 2, 3] * 3 + [4] * 3
    assert sorted(by_answer) == [1, 2, 3, 4, 5, 6]
    assert len(set(pairs)) == 12
    give_all(assigning(store, "bob", seed=4), 0)
    assert by_answer != [event.item[0] for event in NUGGET_LABELS.events(store, "bob")][::3]


def test_a_session_goes_on_where_the_last_one_stopped(store: Store) -> None:
    first = assigning(store, seed=5)
    give(first, 2, 1)
    first.later(first.command_target())
    first.note(first.command_target(), "why")
    first.undo(first.command_target())
    again = assigning(store)
    assert (again.pair, again.view.can_redo, again.view.total.judged) == (first.pair, True, 2)
    again.redo(again.command_target())
    again.undo(again.command_target())
    again.undo(again.command_target())
    again.cannot_judge(again.command_target(), "unreadable")
    assert list(NUGGET_LABELS.labels(store, "ada").values()) == ["support", None]


def test_a_command_acts_once_on_the_item_on_screen_as_it_was(store: Store) -> None:
    """Never on the next one, nor on a nugget that somebody changed."""
    session = assigning(store)
    edit_nuggets(store, [NuggetEdit("vital", "q1", "zoe", "lift grows fast", replaces=(1,))])
    with pytest.raises(PassedOnError, match=r"nugget has just been reworded, merged or dropped; nothing was recorded"):
        session.grade(session.command_target(), 2)
    assert session.view.document
    assert session.view.document.title == "Nugget: lift grows fast"
    assert not NUGGET_LABELS.labels(store)
    about = session.command_target()
    for _ in range(2):
        session.grade(about, 2)
    with pytest.raises(InputError, match="no longer on screen"):
        session.grade(about._replace(event_id="another"), 0)
    assert len(NUGGET_LABELS.events(store, "ada")) == 1


def test_people_go_before_models_and_failures_are_no_labels(store: Store) -> None:
    add_assessor(store, "qwen", "model")
    by_model = [
        LabelEvent("label", (1, 1), "qwen", "not_support"),
        LabelEvent("cannot-judge", (1, 2), "qwen", reason="cut"),
    ]
    NUGGET_LABELS.append(store, by_model)
    session = assigning(store, topics=["q1"])
    assert NUGGET_LABELS.labels(store) == {(1, 1): "not_support", (1, 2): None}
    give_all(session, 2)
    assert set(NUGGET_LABELS.labels(store).values()) == {"support"}
    assert NUGGET_LABELS.labels(store, "qwen") == {(1, 1): "not_support", (1, 2): None}


def test_first_citations_or_the_sets_that_measures_need(store: Store) -> None:
    assert Supporting(store, 0, each=False).without_text == 6
    session = supporting(store)
    assert (session.view.position.of, session.view.overall.of) == (6, 12)
    give(session, 2)
    each = supporting(store, each=True)
    give(each, 2, 1, 0)
    sets = [event.item[2] for event in SUPPORT_LABELS.events(store, "ada")]
    assert sets == [("d1",), ("d1", "d2", "d3"), ("d2",), ("d1", "d3")]
    again = supporting(store, each=True)
    assert again.view == each.view


@pytest.mark.full
def test_no_run_reaches_the_assessor(store: Store) -> None:
    out = io.StringIO()
    for session in (assigning(store), supporting(store, each=True)):
        keys = io.StringIO("2\ns\nl\nt\nd\ng\n?\nu\nU\nx other: no\n" * 9)
        PlainLabelling(session, keys, out, width=80, keys=DEFAULT, guidelines="").run()
    assert "Nugget 9 of 9" in out.getvalue()
    assert "Sentence: Drag too." in out.getvalue()
    assert not [word for word in (*RUNS, "d1", "d2", "vital", "okay") if word in out.getvalue()]


def test_without_answers_or_nuggets_it_says_what_is_missing() -> None:
    with new_store() as store:
        with pytest.raises(InputError, match="no topic has both answers and nuggets"):
            assigning(store)
        with pytest.raises(InputError, match="no sentence of an answer cites a document that has a text"):
            supporting(store)
        with pytest.raises(InputError, match="topic 'q7' has no answers"):
            assigning(store, topics=["q7"])
