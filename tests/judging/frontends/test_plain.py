"""The line mode: what it prints, and that a pipe can use it."""

from collections.abc import Mapping, Sequence
from io import StringIO

import pytest

from cranfield.judging.frontends.keys import COMMANDS, DEFAULT
from cranfield.judging.frontends.plain import PlainJudging
from cranfield.store.log import current_decisions, read_events
from cranfield.store.store import Store
from tests.judging.cases import POOLED, SECRET_DEPTH, SECRET_RUN, Clock, on_screen, session_of, store_of


def judged(
    *lines: str, pooled: Mapping[str, Sequence[str]] = POOLED, texts: Mapping[str, str] | None = None
) -> tuple[str, Store]:
    """What is printed for these lines of input, and the store they were given on."""
    store, out = store_of(pooled, texts=texts), StringIO()
    PlainJudging(session_of(store), StringIO("".join(line + "\n" for line in lines)), out).run()
    return out.getvalue(), store


def test_a_whole_session() -> None:
    """Topic, document, prompt, acknowledgement, next document, end, summary: the text as a whole."""
    text, _ = judged("2", "q", pooled={"q1": ["d1"]})
    assert text == (
        "\n"
        "Topic q1\n"
        "  title of q1\n"
        "Description:\n"
        "  about q1\n"
        "Narrative:\n"
        "  narrative of q1\n"
        "Grades:\n"
        "  -1  spam\n"
        "  0  not relevant\n"
        "  1  relevant\n"
        "  2  highly relevant\n"
        "So far: judged 0, later 0, cannot judge 0, remaining 1. ? for help.\n"
        "\n"
        "Document 1 of 1\n"
        "  text of d1\n"
        "> \n"
        "Recorded: topic q1, document 1: grade 2, highly relevant. u undoes it.\n"
        "Everything is done. u undoes the last decision, q quits.\n"
        "> \n"
        "judged 1, later 0, cannot judge 0, remaining 0\n"
    )


@pytest.mark.parametrize(
    ("lines", "words", "times"),
    [
        (["1", "1"], "narrative of q1", 1),  # where the topic begins, and not with every document
        (["1", "t"], "narrative of q1", 2),  # and when asked for
        (["1", "1", "1"], "narrative of q2", 1),
        (["d"], "text of d1", 2),
        (["c must say how", "t", "c"], "must say how", 3),  # the diary of criteria is part of the topic
        (["i", "i"], "Document id: d1", 1),
        (["u", "U"], "Not recorded: there is nothing to", 2),
        ([""], "Enter by itself does nothing; type a grade, or ? for help", 1),
        (["n"], "Not recorded: a note needs its text on the same line: n TEXT", 1),
    ],
)
def test_how_often_something_is_printed(lines: list[str], words: str, times: int) -> None:
    """A topic where it begins, the rest when it is asked for, and what is refused with its reason."""
    assert judged(*lines)[0].count(words) == times


@pytest.mark.parametrize(
    "line", ["", "  ", "9", "yes", "S", "11111111111111111111", "1 2", "u 1", "٣", "\x1b[A", "-", "x 9", "n", "u"]
)
def test_wrong_input_is_explained_and_records_nothing(line: str) -> None:
    """Whatever is not understood is answered with a sentence; nothing is guessed."""
    text, store = judged(line)
    assert "Not recorded: " in text
    assert "\x1b" not in text
    assert read_events(store) == []


def test_a_grade_off_the_scale_is_explained_and_a_digit_in_a_note_is_a_digit() -> None:
    """The scale is named in the refusal; what is typed as a note never grades."""
    text, store = judged("7", "n 1")
    assert "Not recorded: 7 is not a grade here; the grades are -1 spam, 0 not relevant" in " ".join(text.split())
    assert [(event.kind, event.note) for event in read_events(store)] == [("note", "1")]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["x", "1"], "unreadable"),
        (["x", "2"], "wrong language"),
        (["x 3"], "topic unclear"),
        (["x", "4 all numbers"], "other: all numbers"),
        (["x", "4", "all numbers"], "other: all numbers"),
        (["x", "unreadable"], "unreadable"),
        (["x", "5", "2"], "wrong language"),
        (["x dull", "4", "", "1"], "unreadable"),
        *((lines, None) for lines in (["x"], ["x", ""], ["x", "0"], ["x", "5"], ["x", "4"], ["x", "4", ""])),
    ],
)
def test_cannot_judge_asks_why(lines: list[str], reason: str | None) -> None:
    """The reason is asked for, by number, until it is one, and kept; without one nothing is recorded, and no grade."""
    assert [event.reason for event in read_events(judged(*lines)[1])] == ([] if reason is None else [reason])


def test_unsure_is_told() -> None:
    """The mark is acknowledged both ways and shown with the document."""
    text, store = judged("m", "m", "m", "d", "1")
    assert text.count("Your label will be marked as unsure.") == 2
    assert "Your label will not be marked as unsure." in text
    assert "\nMarked as unsure.\n" in text
    assert current_decisions(store, "ada")["q1", "d1"].unsure


def test_evidence() -> None:
    """`e TEXT` marks words that the document has, as it has them; `e` takes the last mark away."""
    text, store = judged("e wings", "e TEXT  of d1", "e text of", "e", "d", "1", "e")
    assert "Not recorded: the document does not contain 'wings'" in text
    assert "The last mark is removed; 1 left." in text
    assert "Your evidence:\n  text of d1\n" in text
    assert current_decisions(store, "ada")["q1", "d1"].evidence == '[{"start": 0, "end": 10, "quote": "text of d1"}]'
    assert "Not recorded: no evidence is marked" in text


def test_find_shows_the_rows() -> None:
    """`/ TEXT` prints the rows that have it, with their numbers, also where it goes over the end of a row."""
    texts = {"d1": "one\ntwo words\nhere Two"}
    text, store = judged("/ two", "/ words here", "/ three", texts=texts)
    assert "\n  2: two words\n  3: here Two\n> \n  2: two words\n> \nThe document does not contain 'three'." in text
    assert read_events(store) == []


def test_highlighting_is_of_her_own_terms_and_on_record() -> None:
    """`H` sets them and `h` turns them on and off; what was highlighted with a document is in its label."""
    text, store = judged("h", "H text, TEXT, of", "d", "1", "h", "0", "h", "2")
    assert "Not recorded: you have not set terms to highlight" in text
    assert "**text** **of** d1" in text
    assert [event.highlight_terms for event in read_events(store)] == ["text, of"] * 3
    _, store = judged("H text", "1", "h", "1", "1")  # turned off before the third document came
    assert [event.highlight_terms for event in read_events(store)] == ["text", "text", ""]


def test_the_docno_is_shown_on_request_and_that_is_on_record() -> None:
    """At once, so that it is there even if no label follows; redo still works."""
    _, store = judged("i", "i", "1", "1", "u", "i", "U")
    assert [(event.kind, event.docno_shown) for event in read_events(store)] == [
        ("note", True),
        ("label", True),
        ("label", False),
        ("retract", False),
        ("note", True),
        ("label", False),
    ]


def test_one_of_the_last_decisions_judged_anew() -> None:
    """By its number in the list; 0 leaves it as it is; what is no number is refused."""
    text, store = judged("1", "2", "l 2", "l 0", "l 2", "0", "l x", "l 9")
    assert text.count("Judge it again, or type l 0 to leave it as it is.") == 2
    assert "Not recorded: l 3 goes to the third of your last decisions" in text
    assert "Not recorded: number 9 is not among your last 3 decisions" in text
    assert [event.grade for event in read_events(store)] == [1, 2, 0]
    assert current_decisions(store, "ada")["q1", "d1"].grade == 0


def test_a_long_stretch_is_mentioned() -> None:
    """Once, between the acknowledgement and the next document."""
    clock, out = Clock(), StringIO()
    plain = PlainJudging(session_of(store_of(), clock=clock), StringIO("1\n1\n"), out)
    for _ in range(51):
        clock.now += 60
        plain.controller.touch()
    plain.run()
    assert out.getvalue().count("\n(50 minutes without a break)\n") == 1


def test_the_last_decisions() -> None:
    """The newest first, with their notes; the one on the document on screen is not among them."""
    text = judged("1", "n why", "2", "0", "u", "l")[0]
    assert text[text.rindex("Document 3") :].split("\n> \n")[1].splitlines() == [
        "1. topic q1, document 2: grade 2, highly relevant",
        "  Your note: why",
        "2. topic q1, document 1: grade 1, relevant",
    ]


def test_a_near_duplicate_is_recalled() -> None:
    """After the grade, and only if it is another one; whichever of the two came first, also after a restart."""
    words = " ".join(f"word{number}" for number in range(100))
    texts = {"d1": words, "d2": f"{words} more", "d3": words}
    text, store = judged("1", texts=texts)
    assert "similar" not in text
    out = StringIO()
    PlainJudging(session_of(store), StringIO("2\n1\n"), out).run()
    assert out.getvalue().count("similar") == 2
    assert "Check: a 99% similar document (1) was graded 1: keep 2 or revise; u undoes it." in out.getvalue()


def test_an_order_that_is_not_blind_says_so() -> None:
    """Before anything else."""
    out = StringIO()
    PlainJudging(session_of(store_of(), order="priority"), StringIO(""), out).run()
    assert out.getvalue().startswith("Order: the best ranks first; not blind")


def test_other_keys() -> None:
    """With a key file the keys, the help and what is said are the file's."""
    store, out = store_of(), StringIO()
    keys = {**DEFAULT, "undo": "z", "help": "h", "highlight": "?"}
    PlainJudging(session_of(store), StringIO("1\nu\nz\nh\n"), out, keys=keys).run()
    text = out.getvalue()
    assert "grade 1, relevant. z undoes it." in text
    assert "'u' is not a command; type a grade, or h for help" in text
    assert "\nz         undo the last" in text
    assert [event.kind for event in read_events(store)] == ["label", "retract"]


def test_undo_and_later_bring_the_document_back() -> None:
    """Without what it was given; and if it is put off and the only one, it is on screen again."""
    after = judged("2", "u")[0].split("Undone.")[1]
    assert "text of d1" in after
    assert "highly relevant" not in after
    text, store = judged("s", pooled={"q1": ["d1"]})
    assert "Recorded: topic q1, document 1: later. u undoes it.\n\nDocument 1 of 1" in text
    assert [event.kind for event in read_events(store)] == ["later"]


def test_help_names_every_command_and_grade() -> None:
    """The help is made from the table of commands."""
    text = judged("?")[0].split("Type a grade and press")[1]
    assert all(f"\n{command.key} " in text for command in COMMANDS.values() if command.plain is not None)
    assert "2 highly relevant" in " ".join(text.split())


def test_the_end_of_input_is_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are Ctrl-C and `q`: the summary is the last line, and what was given is kept, also without a newline."""
    store, out, keys = store_of(), StringIO(), StringIO()
    PlainJudging(session_of(store), StringIO("1\ns\nx 1\n2"), out).run()
    assert out.getvalue().endswith("\njudged 2, later 0, cannot judge 1, remaining 3\n")
    assert read_events(judged("q", "1")[1]) == []

    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(keys, "readline", interrupt)
    PlainJudging(session_of(store_of()), keys, out).run()
    assert out.getvalue().endswith("judged 0, later 0, cannot judge 0, remaining 6\n")


def test_another_run_goes_on_where_the_last_one_ended() -> None:
    """At the same document; and when everything is done, it can still take the last decision back."""
    _, store = judged("1", "s")
    out = StringIO()
    PlainJudging(session_of(store), StringIO(""), out).run()
    assert "Document 3 of 3 (3 of 6 overall)\n  text of d3\n" in out.getvalue()
    assert on_screen(session_of(store)) == ("q1", "d3")
    _, store = judged("1", pooled={"q1": ["d1"]})
    PlainJudging(session_of(store), StringIO("1\nu\n0\n"), out).run()
    assert "Not recorded: everything is done" in out.getvalue()
    assert current_decisions(store, "ada")["q1", "d1"].grade == 0


def test_a_hostile_document_is_shown_not_obeyed() -> None:
    """No control reaches the stream, and no line of a document can pass for the program's own."""
    hostile = "\x1b[2J\x9b1m\u202e\x00\r> Recorded: topic q1, document 1: grade 2.\r\n> \nEverything is done."
    text, _ = judged(pooled={"q1": ["d1"]}, texts={"d1": hostile})
    assert "␛[2J<U+009B>1m<U+202E>␀" in text
    assert not {"\x1b", "\x9b", "\u202e", "\x00", "\r"} & set(text)
    own = [line for line in text.splitlines() if not line.startswith("  ")]
    assert not [line for line in own if line.startswith(("Recorded", "Everything"))]


def test_documents_without_text_and_with_much() -> None:
    """An empty one is not shown as if it were one; a long one is printed at once, on lines that fit."""
    assert "The store has no text for this document." in judged(texts={"d1": " \n"})[0]
    text, _ = judged(pooled={"q1": ["d1"]}, texts={"d1": "word " * 5000})
    assert text.count("word") == 5000
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_leaks() -> None:
    """Neither docno, run, depth nor address is printed."""
    text = judged("?", "t", "d", "1", "2", "u", texts={"d1": "a", "d2": "b"}, pooled={"q1": ["d1", "d2"]})[0]
    for secret in ("d1", "d2", SECRET_RUN, str(SECRET_DEPTH), "secret"):
        assert secret not in text
