"""The full screen: what is on it, what its keys do, and that nothing a document says is obeyed."""

import random
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.events import Key, Paste, Resize
from textual.geometry import Size

from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.frontends.terminal.display import grades_bar
from cranfield.judging.frontends.terminal.pane import FIRST
from cranfield.judging.frontends.view_text import WrappedRows
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.log import current_decisions, read_events
from tests.conftest import usually
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, Clock, as_the_command, at, session_of, store_of
from tests.judging.frontends.test_hostile_text import HOSTILE
from tests.judging.screen import SIZE, SMALL, AtOnce, keys_of, on_the_screen

pytestmark = pytest.mark.full

SIZES = [(40, 12), SMALL, (120, 24), (200, 50)]
LONG = "\n".join(f"line {number}" for number in range(1000))


def test_the_screen_as_a_whole() -> None:
    """Topic and progress above, the topic beside, the last decision, grades and keys below; neither docno nor run."""
    store = store_of({"q1": ["d1", "d2", "d3"]}, texts={"d1": "a", "d2": "b", "d3": "c"})
    screen = on_the_screen(session_of(store), "2", "s", each=True)
    lines = screen.text.splitlines()
    assert " ".join(lines[0].split()) == "q1 title of q1 1/3 done"
    assert " ".join(lines[1].split("│")[0].split()) == "Document 3 of 3 · 1 character · 1 later all"
    assert lines[2].split("│")[0].strip() == "c"
    assert "narrative of q1" in screen.text
    assert " ".join(lines[-4].split()) == "Document 2: later u undoes it"
    assert lines[-3] == "-1 spam   0 not relevant   1 relevant   2 highly relevant"
    assert lines[-2].startswith("u undo  s later  x cannot judge  t topic  m unsure  n note")
    assert lines[-1].endswith("? help  q quit")
    for secret in (SECRET_RUN, str(SECRET_DEPTH), "secret", "d1", "d3", "https"):
        assert secret not in "".join(screen.after)


@pytest.mark.parametrize("size", SIZES)
def test_a_new_topic_is_read_first(size: tuple[int, int]) -> None:
    """At every size it lies over its first document; no digit grades until it is put away."""
    store = store_of({"q1": ["d1"], "q2": ["d2"]})
    screen = on_the_screen(session_of(store), "1", "escape", "1", "1", size=size, topics=True, each=True)
    begin, refusal, document, next_topic, again = screen.after
    assert "narrative of q1" in begin
    assert "Read this topic first" in begin
    assert "text of" not in begin
    assert "first; Esc continues" in begin
    assert "Esc go on to the document" in " ".join(begin.split())
    assert "! close this page first; Esc goes to the document" in " ".join(refusal.split())
    assert "text of d1" in document
    assert "narrative of q2" in next_topic
    assert "text of" not in next_topic + again
    assert all(len(line) <= size[0] for text in screen.after for line in text.splitlines())
    assert [event.grade for event in read_events(store)] == [1]


@pytest.mark.parametrize("size", SIZES[:: usually(3, 1)])
def test_a_long_topic_is_scrolled(size: tuple[int, int]) -> None:
    """All of it can be read at every size, with t at any time; the footer and the help name the key."""
    words = [f"w{number}" for number in range(300)]
    store = store_of({"q1": ["d1"]})
    store.db.execute("UPDATE topic SET narrative = ?", [" ".join(words)])
    pages = ["pagedown"] * (14 if size[1] == 12 else 5)
    screen = on_the_screen(
        session_of(store), "escape", "t", *pages, "home", "end", "t", "?", size=size, topics=True, each=True
    )
    assert "t topic" in screen.after[1]
    assert set(words) <= set(" ".join(screen.after[2:-4]).split())
    assert "Topic q1" in screen.after[-4]
    assert "So far: judged 0" in screen.after[-3]
    assert "text of d1" in screen.after[-2]
    assert read_events(store) == []
    assert "t      show the whole topic" in on_the_screen(session_of(store), "?").text


def test_the_topic_beside_the_document() -> None:
    """Where there is room T takes it away and brings it back; cut short it names the key that shows all of it."""
    beside = on_the_screen(session_of(store_of()), "T", "T", each=True)
    assert ["narrative" in text for text in beside.after] == [True, False, True]
    narrow = on_the_screen(session_of(store_of()), "escape", "T", size=SMALL, each=True)
    assert "! the screen is too narrow; press t to see the topic" in narrow.text
    store = store_of({"q1": ["d1"]})
    assert "t shows all of it" not in on_the_screen(session_of(store), "escape", size=(120, 24)).text
    store.db.execute("UPDATE topic SET narrative = ?", ["of many words " * 100])
    text = on_the_screen(session_of(store), "escape", size=(120, 24)).text
    assert "text of d1" in text
    assert "... t shows all of it" in text


def test_nothing_is_said_of_the_rest_before_ten_labels() -> None:
    """From ten labels on, their mean tells how long the rest will take."""
    clock = Clock()
    store = store_of({"q1": [f"d{number:02}" for number in range(14)]})

    def a_minute_passes() -> None:
        clock.now += 60

    keys = [step for _ in range(11) for step in (a_minute_passes, "1")]
    after = on_the_screen(session_of(store, clock=clock), *keys, each=True).after[::2]
    assert ["left" in text for text in after] == [False] * 10 + [True, True]
    assert "11/14 done, about 3 min left" in after[-1]


@pytest.mark.parametrize("key", ["n", "/", "H", "c"])
def test_digits_in_a_line_do_not_grade(key: str) -> None:
    """While a text is typed, every key is a letter of it: digits, commands, and what is pasted."""
    store = store_of()
    screen = on_the_screen(session_of(store), key, *keys_of("1 2 u s x q"), "escape", each=True)
    assert "1 2 u s x q" in screen.after[-2]
    assert {event.kind for event in read_events(store)} <= {"note"}


def test_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Esc keeps one, to be changed; after a pause in typing it is on disk; what is pasted is one line, with marks."""
    store = store_of()
    on_the_screen(session_of(store), "n", *keys_of("half"), "escape", "n", *keys_of(" more"), "enter", "1")
    assert current_decisions(store, "ada")["q1", "d1"].note == "half more"
    on_the_screen(session_of(store), "n", Paste("a\x1b[31m\tb\nc"), "escape")
    on_the_screen(session_of(store), AtOnce(("n", "d", "space", "1", "enter")), "1")  # on a slow line
    notes = [event.note for event in read_events(store)]
    assert notes == ["half", "half more", "half more", "a␛[31m b c", "a␛[31m b cd 1", "a␛[31m b cd 1"]
    monkeypatch.setattr("cranfield.judging.frontends.terminal.terminal.PAUSE", 0.001)
    on_the_screen(session_of(store), "n", *keys_of("half"), lambda: None)
    assert read_events(store)[-1].note == "half"


def test_the_key_of_the_screen_that_is_not_there_yet() -> None:
    """Within 150 ms of the draw a grade is ignored, also while the key repeats; within 400 ms it is marked as fast."""
    clock, store = Clock(), store_of()
    session = session_of(store)

    def pass_by(seconds: float) -> Callable[[], object]:
        return lambda: setattr(clock, "now", clock.now + seconds)

    keys = ("1", pass_by(0.1), "1", pass_by(0.1), "1", pass_by(0.2), "1", pass_by(1.0), "2", pass_by(0.3), "0")
    screen = on_the_screen(session, *keys, clock=clock, each=True)
    assert "! 1 was ignored, because the document has only" in screen.after[1]
    assert [(event.grade, event.fast) for event in read_events(store)] == [(1, False), (2, False), (0, True)]
    assert session.summary.endswith("; 1 graded in under 0.4 s")
    ahead = store_of()
    on_the_screen(session_of(ahead), AtOnce(("1", "1", "1")))  # typed ahead, they were meant for the document before
    assert len(read_events(ahead)) == 1


@pytest.mark.parametrize(
    ("key", "refusal"),
    [
        ("9", "9; expected a grade"),
        ("z", "z has no effect"),
        ("]", "you have not searched in this document"),
        (Paste("1"), "pasted text is ignored; press the keys instead"),
        (Key("alt+x", "x"), "alt+x has no effect"),
        (Key("alt+1", "1"), "alt+1 has no effect"),  # with which some terminals change windows
    ],
)
def test_other_keys_explain_themselves(key: str | Key | Paste, refusal: str) -> None:
    """A key that means nothing says so, and does nothing; so does pasted text where no line is open."""
    store = store_of()
    assert f"! {refusal}" in on_the_screen(session_of(store), lambda: None, key).text
    assert read_events(store) == []


def test_enter_and_space_only_scroll() -> None:
    """They page down, and at the end they do nothing; d goes back to the top."""
    store = store_of({"q1": ["d1"]}, texts={"d1": LONG})
    after = on_the_screen(session_of(store), "space", "end", "enter", "space", "d", each=True).after
    assert "line 0" in after[0]
    assert "line 40" in after[1]
    assert all("line 999" in text for text in after[2:5])
    assert after[5] == after[0]
    assert read_events(store) == []


def test_find() -> None:
    """/ finds, ] and [ go on and back, round the end; a word that is not there is told."""
    store = store_of({"q1": ["d1"]}, texts={"d1": LONG})
    screen = on_the_screen(
        session_of(store), "/", *keys_of("LINE 50"), "enter", "]", "[", "[", "/", *keys_of("zz"), "enter", each=True
    )
    hits = [text for text in screen.after if "found" in text]
    assert [text[text.index("found") :].split("\n")[0].split()[1] for text in hits] == ["1", "2", "1", "11"]
    assert "line 509" in hits[-1]
    assert "! the document does not contain 'zz'" in screen.text


def test_evidence_is_of_the_document_itself() -> None:
    """What is marked on the screen is kept by its place in the text as it is stored."""
    text = "First\tone.\r\nThe \x1b[1mse\xadcond one. Third."
    store = store_of({"q1": ["d1"]}, texts={"d1": text})
    session = session_of(store)
    screen = on_the_screen(session, "e", "down", "enter", "e", "down", "down", "enter")
    assert [mark.quote for mark in session.marks] == ["The \x1b[1mse\xadcond one.", "Third."]
    assert all(text[mark.start : mark.end] == mark.quote for mark in session.marks)
    assert "evidence 2" in screen.text
    assert "┃" in screen.text
    on_the_screen(session, "e", "backspace", "escape", "1")
    assert "Third" not in (current_decisions(store, "ada")["q1", "d1"].evidence or "")


def test_digits_while_marking_or_reasoning_do_not_grade() -> None:
    """They are explained, or choose a reason."""
    store = store_of()
    screen = on_the_screen(session_of(store), "e", "1", "escape", "x", "0", "escape", "x", "2", each=True)
    assert "! you are marking a sentence" in screen.after[2]
    assert "! type the number of a reason" in screen.after[5]
    assert [(event.kind, event.reason) for event in read_events(store)] == [("cannot-judge", "wrong language")]


def test_undo_shows_the_document_without_its_grade() -> None:
    """And a label given anew is seen; the last decision begins with what it is about, so that it is no key."""
    screen = on_the_screen(session_of(store_of({"q1": ["d1"]})), "2", "u", "0", each=True)
    _, end, back, again = screen.after
    assert "Everything is done. u undoes the last decision" in end
    assert "1: " not in back
    assert "text of d1" in back
    assert "1: grade 0, not relevant" in again
    screen = on_the_screen(session_of(store_of({"q1": ["d1", "d2", "d3"]})), "escape", "1", "0", size=SMALL, each=True)
    assert any(line.startswith("Document 2: grade 0") for line in screen.text.splitlines())
    assert all("0 not relevant   1 relevant" in after for after in screen.after)


def test_undo_is_told_and_a_topic_seen_before_is_not_in_the_way() -> None:
    """At 80 by 24 per topic lies over its document when it comes up first; undo goes back to the document itself."""
    store = store_of({"q1": ["d1"], "q2": ["d2"]})
    *_, back, again, on = on_the_screen(
        session_of(store), "escape", "1", "escape", "u", "2", "1", size=SMALL, each=True
    ).after
    assert "text of d1" in back
    assert "another topic: q1; undone; U redoes it" in back
    assert "text of d2" in again
    assert "another topic: q2" in again
    assert "Everything is done" in on
    assert [event.grade for event in read_events(store) if event.kind == "label"] == [1, 2, 1]


def test_one_of_the_last_decisions_is_judged_anew() -> None:
    """It is chosen from the list; Esc leaves it as it is, a digit gives another label."""
    store = store_of()
    keys = ("1", "2", "l", "down", "enter", "escape", "l", "down", "down", "up", "down", "enter", "0")
    screen = on_the_screen(session_of(store), *keys, each=True)
    assert "> 2. topic q1, document 1: grade 1, relevant" in screen.after[4]
    assert "text of d1" in screen.after[5]
    assert "judge it again, or Esc to leave it as it is" in screen.after[5]
    assert "text of d3" in screen.after[6]
    assert "1: grade 0, not relevant" in screen.text
    assert "text of d3" in screen.text
    assert current_decisions(store, "ada")["q1", "d1"].grade == 0
    assert "! you are not judging an earlier decision again" in on_the_screen(session_of(store), "escape").text


def test_titles_of_any_length() -> None:
    """A long one on two lines, as long as it is not beside the document; a topic without words is shown by its id."""
    store = store_of({"q1": ["d1"]})
    title = "what similarity laws must be obeyed when constructing aeroelastic models of heated high speed aircraft ."
    store.db.execute("UPDATE topic SET title = ?", [title])
    first, second, place, *_ = on_the_screen(session_of(store), "escape", size=SMALL).text.splitlines()
    assert " ".join([first, second.removesuffix("0/1 done")]).split() == ["q1", *title.split()]
    assert "Document 1 of 1" in place
    assert "Document 1 of 1" in on_the_screen(session_of(store)).text.splitlines()[1]
    store.db.execute("UPDATE topic SET title = NULL, description = NULL, narrative = NULL")
    assert "Topic q1" in on_the_screen(session_of(store)).text


def test_long_grades_are_cut_and_short_ones_are_not() -> None:
    """What there is of room is for the longest."""
    scale = dict(
        enumerate(["no: not at all", "of a high degree of relevance", "fully", "a complete answer to the question"])
    )
    view = replace(session_of(store_of()).view, grades=scale)
    assert grades_bar(view, 60) == (
        "0 no   1 of a high degree of relevance   2 fully\n3 a complete answer to the question"
    )
    assert grades_bar(view, 30) == "0 no   1 of a high degree …\n2 fully   3 a complete answer…"


@pytest.mark.parametrize("width", [80, 60, 40, 20])
def test_every_grade_has_its_place(width: int) -> None:
    """However many there are and whatever they are called; each begins with its key."""
    for scale in ({n: f"so many words, of the grade {n}" for n in range(8)}, dict.fromkeys(range(-1, 5), "much" * 9)):
        lines = grades_bar(replace(session_of(store_of()).view, grades=scale), width).splitlines()
        assert max(map(len, lines)) <= width
        keys = [part.split()[0] for line in lines for part in line.split("   ")]
        assert (keys, len(lines) <= 2) == ([str(grade) for grade in scale], True)


def test_the_next_topic_of_the_queue_comes_by_itself() -> None:
    """Claimed when the one before is done; there is no need to begin again."""
    store = store_of()
    assign_topics_to_assessors(store)
    keys = ("escape", "1", "1", "1", "1", "escape", "2", "2", "escape", "0")
    screen = on_the_screen(as_the_command(store), *keys, size=SMALL, each=True)
    assert "Topic q2" in screen.after[4]
    assert "! close this page first; Esc" in screen.after[5]
    assert "Everything is done" in screen.text
    assert [event.qid for event in read_events(store)] == ["q1", "q1", "q1", "q2", "q2", "q3"]


def test_pages() -> None:
    """Help, guidelines and the last decisions are pages; Esc puts them away."""
    keys = ("1", "g", "escape", "l", "escape", "?", "q")
    after = on_the_screen(session_of(store_of()), *keys, guidelines="be\x1b fair", each=True).after
    assert "be␛ fair" in after[2]
    assert "topic q1, document 1: grade 1, relevant" in after[4]
    assert "mark your next label as unsure" in after[6]
    assert "text of d2" in after[7]


@pytest.mark.parametrize(("quit_key", "keys"), [("q", ["q"]), ("z", ["q", "z"])])
def test_the_first_page_can_be_quit(quit_key: str, keys: list[str]) -> None:
    """As any document can: a new topic is not a page that the key only closes."""
    own_keys = {**DEFAULT, "quit": quit_key, **({"later": "w"} if quit_key != "q" else {})}
    screen = on_the_screen(session_of(store_of()), *keys, keys=own_keys, topics=True, each=True)
    assert f"{quit_key} quit" in screen.after[0]
    assert screen.terminal.return_code == 0  # None where nothing ended the program
    assert all("text of" not in text for text in screen.after)


def test_the_topic_can_be_quit_when_it_is_opened_again() -> None:
    """The key that opened it closes it; the key that quits ends the program, as on a document."""
    screen = on_the_screen(session_of(store_of()), "t", "t", "t", "q", each=True)
    assert "q quit" in screen.after[1]
    assert "text of d1" in screen.after[2]
    assert screen.terminal.return_code == 0


def test_other_keys() -> None:
    """With a key file the footer, the help and the keys are the file's."""
    store = store_of()
    keys = {**DEFAULT, "later": "w", "help": "h", "highlight": "?"}
    screen = on_the_screen(session_of(store), "w", "s", "h", keys=keys, each=True)
    assert "w later" in screen.after[0]
    assert "! s has no effect; h lists the keys" in screen.after[2]
    assert "w      later: the document comes back" in screen.text
    assert [event.kind for event in read_events(store)] == ["later"]


def test_a_near_duplicate_is_recalled_after_the_grade() -> None:
    """Two documents that are almost the same and were graded differently: said when both are graded."""
    words = [f"word{number}" for number in range(100)]
    texts = {"d1": " ".join(words), "d2": " ".join([*words[:99], "other"]), "d3": "quite another"}
    store = store_of({"q1": ["d1", "d2", "d3"]}, texts=texts)
    first, second, third, back = on_the_screen(session_of(store), "1", "2", "u", each=True).after
    assert "similar" not in first + second + back
    assert "Check: a 98% similar document (1) was graded 1: keep 2 or revise (u)" in third


@pytest.mark.parametrize("size", [SMALL, (120, 40)])
def test_hostile_documents(size: tuple[int, int]) -> None:
    """Titles, texts, topics, notes, criteria and guidelines of the worst kind: no control reaches the screen."""
    worst = "".join(text for text, _ in HOSTILE.values() if text != "\ud83d") + "[/] [bold]x ${a} \\[b]"
    store = store_of({"q1": ["d1"]}, texts={"d1": worst})
    store.db.execute("UPDATE document SET title = ?", [worst])
    store.db.execute("UPDATE topic SET title = :worst, description = :worst, narrative = :worst", {"worst": worst})
    session = session_of(store)
    at(session).note(worst)
    at(session).criterion(worst)
    keys = ("escape", "i", "e", "enter", "g", "escape", "1", "l", "escape", "u", "?", "escape", "t")
    screen = on_the_screen(session, *keys, size=size, guidelines=worst, each=True)
    output = "".join(screen.after)
    assert "␛[31mred" in output
    assert "[bold]x" in output
    assert not [c for c in output if not c.isprintable() and c not in "\n\u200c"]  # one is in a Persian word


TEXTS = {
    "no text": "", "white space": " \n ", "a megabyte on a line": "word " * 200_000,
    "one word of a megabyte": "x" * 1_000_000, "wide": "漢字" * 300_000, "100,000 lines": "a line\n" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("size", [*TEXTS][:: usually(2, 1)])
def test_documents_of_all_sizes(size: str) -> None:
    """They are there at once, can be paged to their end, searched and graded."""
    text = TEXTS[size]
    store = store_of({"q1": ["d1"]}, texts={"d1": text})
    screen = on_the_screen(
        session_of(store), "space", "end", "/", "zz", "enter", "d", "e", "escape", "1", size=SMALL, each=True
    )
    assert screen.terminal.failure is None
    assert ("! there is no text to mark" in screen.after[-3]) == (not text.strip())
    assert current_decisions(store, "ada")["q1", "d1"].grade == 1


def test_only_what_is_seen_is_wrapped_at_once() -> None:
    """A document of a million rows does not keep the assessor waiting."""
    store = store_of({"q1": ["d1"]}, texts={"d1": "a line\n" * 1_000_000})
    session = session_of(store)
    began = time.process_time()
    rows = WrappedRows(session.view.document.text if session.view.document else "", 80)
    rows.grow(FIRST)
    assert time.process_time() - began < 0.05
    assert len(rows.spans) == FIRST


def test_a_resize_keeps_the_place() -> None:
    """What was at the top stays there when the screen gets narrower, and the topic goes from beside it."""
    text = " ".join(f"w{number}" for number in range(5000))
    session = session_of(store_of({"q1": ["d1"]}, texts={"d1": text}))
    small = Resize(Size(*SMALL), Size(*SMALL))
    _, wide, narrow = on_the_screen(session, "pagedown", small, each=True).after
    top = wide.splitlines()[2].split()[0]
    assert top not in ("w0", "w1")
    assert top in narrow.splitlines()[2]
    assert "narrative" in wide
    assert "narrative" not in narrow
    assert max(map(len, narrow.splitlines())) <= 80


@pytest.mark.parametrize("size", usually([(1, 1)], [(1, 1), (20, 5), (200, 3)]))
def test_a_terminal_of_any_size(size: tuple[int, int]) -> None:
    """It may become very small in the middle of anything, and large again."""
    store = store_of({"q1": ["d1"]}, texts={"d1": LONG})
    small, large = (Resize(Size(*one), Size(*one)) for one in (size, SIZE))
    keys = ("t", small, "space", "escape", "e", large, "down", small, "escape", "n", small, "a", large, "escape")
    screen = on_the_screen(session_of(store), *keys, small, "l", "escape", "?", large, "escape", "1")
    assert screen.terminal.failure is None
    assert [(event.kind, event.grade, event.note) for event in read_events(store)] == [
        ("note", None, "a"),
        ("label", 1, "a"),
    ]


def test_no_colour_is_ever_used() -> None:
    """All that is marked is marked by signs and by the letters' weight: NO_COLOR changes nothing."""
    session = session_of(store_of())
    screen = on_the_screen(
        session, "H", *keys_of("text"), "enter", "/", *keys_of("of"), "enter", "e", "enter", each=True
    )
    assert screen.colours == set()


def test_what_fails_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that breaks is told in one line by the command, not drawn over the screen."""
    store = store_of()
    session = session_of(store)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(session, "grade", fail)
    screen = on_the_screen(session, "1")
    assert str(screen.terminal.failure) == "the disk is gone"


def test_random_keys() -> None:
    """Whatever is typed, the screen stands and the log makes sense."""
    keys = random.Random(usually(9, 3)).choices(
        [*"012-9suUxmne/][hHcgltTidN?", "enter", "escape", "space", "down", "backspace"], k=usually(60, 120)
    )
    store = store_of()
    screen = on_the_screen(session_of(store), *keys, size=SMALL, each=True)
    assert screen.terminal.failure is None
    assert len(read_events(store)) > 3


def test_the_time_of_a_document_is_its_own() -> None:
    """It begins when the document is drawn, not with the page of its topic; a page in between takes nothing away."""
    clock, store = Clock(), store_of()

    def ten_seconds() -> None:
        clock.now += 10

    keys = (ten_seconds, "escape", ten_seconds, "g", ten_seconds, "escape", ten_seconds, "1")
    on_the_screen(session_of(store, clock=clock), *keys, size=SMALL)
    assert read_events(store)[0].seconds == 30


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
def test_leaving_at_once_keeps_a_note(key: str) -> None:
    """Ctrl-C in the middle of a note ends the program, and the note is there."""
    store = store_of()
    on_the_screen(session_of(store), "n", *keys_of("half"), key)
    assert read_events(store)[-1].note == "half"
