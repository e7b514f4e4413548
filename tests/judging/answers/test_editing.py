"""Nuggets made and edited: alone, by two people at once, undone and redone, and typed at the keyboard."""

import io
from collections.abc import Callable, Iterator

import pytest

from cranfield.errors import InputError
from cranfield.judging.answers.edit_history import ChangedError
from cranfield.judging.answers.editing import NuggetEditing, NuggetSeen
from cranfield.judging.frontends.plain_editing import PlainEditing
from cranfield.store.answers.nuggets import current_nuggets, nugget_edits
from cranfield.store.store import Store
from tests.judging.answers.cases import RUNS, answered


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory("answers") as opened:
        yield answered(opened)


def seen(session: NuggetEditing, *places: int) -> list[NuggetSeen]:
    return [NuggetSeen(one.number, one.edit) for one in session.view.nuggets if one.number in places]


def one_seen(session: NuggetEditing, place: int) -> NuggetSeen:
    return seen(session, place)[0]


def texts(session: NuggetEditing) -> str:
    return " ".join(f"{one.text}:{one.importance}" for one in session.view.nuggets)


def test_nuggets_come_from_the_answer_on_screen(store: Store) -> None:
    session = NuggetEditing(store, "ada")
    session.add("e1", "  first\tof all ", "vital")
    session.go("q1", 2)
    session.add("e2", "second")
    session.add("e2", "second")
    session.merge("e3", seen(session, 5, 6), "both")
    *_, merged = current_nuggets(store, "q1")
    assert (merged.text, merged.importance, merged.author) == ("both", "vital", "ada")
    assert len(merged.contributors) == 2
    assert set(merged.contributors) < set(RUNS)
    assert len(nugget_edits(store, "q1")) == 6


def test_two_people_do_not_overwrite_each_other(store: Store) -> None:
    ada, bob = NuggetEditing(store, "ada"), NuggetEditing(store, "bob")
    before = one_seen(ada, 1)
    bob.reword("b1", before, "lift grows fast")
    acts: list[Callable[[], None]] = [
        lambda: ada.drop("a1", before),
        lambda: ada.reword("a2", before, "mine"),
        lambda: ada.merge("a3", [before, *seen(ada, 2)], "mine"),
    ]
    for act in acts:
        with pytest.raises(ChangedError, match="reworded, merged or dropped meanwhile; nothing was recorded"):
            act()
    weighed = one_seen(ada, 2)
    bob.weigh("b2", weighed, "vital")
    with pytest.raises(ChangedError, match="this nugget has become vital meanwhile"):
        ada.weigh("a4", weighed, "okay")
    ada.reword("a5", one_seen(ada, 5), "lift grows faster")
    bob.undo("b3")
    with pytest.raises(ChangedError, match="somebody else has changed this nugget since; nothing was undone"):
        bob.undo("b4")
    assert texts(ada) == "lift grows faster:vital with speed:okay so what:okay"


def test_everything_can_be_undone_and_redone(store: Store) -> None:
    session = NuggetEditing(store, "ada")
    steps = [texts(session)]
    acts: list[Callable[[], None]] = [
        lambda: session.add("e1", "new"),
        lambda: session.weigh("e2", one_seen(session, 5), "vital"),
        lambda: session.merge("e3", seen(session, 1, 5), "merged"),
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
                      (" lift  grows", "the topic has this nugget already")):  # fmt: skip
        with pytest.raises(InputError, match=why):
            session.add("e1", text)
    with pytest.raises(InputError, match="'grave' is not an importance; expected vital or okay"):
        session.add("e1", "text", "grave")
    with pytest.raises(InputError, match="choose two nuggets or more"):
        session.merge("e1", seen(session, 1), "text")
    assert len(nugget_edits(store, "q1")) == 3


def test_at_the_keyboard_every_command_answers(store: Store) -> None:
    typed = [
        *("n lift falls", "v 4", "o 1 2", "e 1 lift rises", "m 1,4 lift rises and falls", "d 2", "u", "U"),
        *("]", "[", "[", "N", "N", "P", "P", "t", "?", "", "x", "v", "v 9", "e 1", "n lift rises and falls"),
        *("q", "n never"),
    ]
    out = io.StringIO()
    PlainEditing(NuggetEditing(store, "ada"), io.StringIO("\n".join(typed)), out).run()
    said = [line.strip() for line in out.getvalue().splitlines()]
    assert said.count("Not recorded: this is answer 1 of 3; there is none before it") == 1
    for line in ("Recorded: nugget 4 is vital. u undoes it.", "Recorded: 2 nuggets merged. u undoes it.",
                 "Recorded: nugget 2 dropped. u undoes it.", "Undone. U redoes it.", "Recorded: redone. u undoes it.",
                 "Answer 2 of 3:", "Not recorded: this is the last topic", "Not recorded: this is the first topic",
                 "Not recorded: there is no nugget 9; this topic has 2 nuggets",
                 "Not recorded: give the numbers and the words: e 1 TEXT rewords the first nugget",
                 "Not recorded: the topic has this nugget already", "2 nuggets: 1 vital, 1 okay"):  # fmt: skip
        assert line in said, line
    assert not [tag for tag in RUNS if tag in out.getvalue()]
    assert [one.text for one in current_nuggets(store, "q1")] == ["lift rises and falls", "so what"]
