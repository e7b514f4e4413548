"""Judging in the browser: what is sent twice, late, from two windows, after a restart; what happens meanwhile."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from html import unescape
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.errors import BusyError
from cranfield.formats import Document
from cranfield.judging.labels.pairs import evidence_of
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.session.session import Session
from cranfield.store.assignments import Plan, add_plan, give_assignment
from cranfield.store.chain import Event
from cranfield.store.erasing import erase
from cranfield.store.invitations import invite
from cranfield.store.log import append, criteria, read_events
from cranfield.store.store import Store
from cranfield.text import visible_text
from cranfield.web.application import Application
from cranfield.web.commands import LATE
from cranfield.web.offline_page import write_page
from cranfield.web.results import Worker, open_at_once
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, at, given_away, session_of, store_of
from tests.stores import new_store
from tests.web.browser import Browser, Page

BLOCKS = re.compile(r'<div class="block".*?>(.*?)</div>', re.DOTALL)
TAGS = re.compile(r"<.*?>")
REST = re.compile(r'data-rest="(.*?)"')


def in_order(store: Store, assessor: str) -> Session:
    return session_of(store, assessor)


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser on a small store."""
    with closing(Browser(store_of, begin=in_order)) as browser:
        yield browser


def log_of(browser: Browser) -> list[Event]:
    return browser.worker.run_and_wait(read_events)


def test_a_label_is_on_record_before_the_next_document(browser: Browser) -> None:
    """The answer to a grade shows the next document; the label is in the log, with how it came."""
    page = browser.press("1")
    assert "Recorded: topic q1, document 1: grade 1, relevant." in page.text
    assert "text of d2" in page.text
    assert [(one.docno, one.grade, one.input) for one in log_of(browser)] == [("d1", 1, "browser")]


def test_what_is_out_of_date_is_not_recorded(browser: Browser) -> None:
    """The same request again changes nothing; another grade from a page gone back to is refused, also after undo."""
    before = browser.page
    grade = before.keys["1"]
    browser.send(grade)
    again = browser.send(grade)
    assert len(log_of(browser)) == 1
    assert "text of d2" in again.text
    assert LATE not in again.text
    assert LATE in browser.send(before.keys["2"]).text
    browser.get()
    assert "<li>Undone.</li>" in browser.press("u").text
    assert LATE in browser.send(before.keys["2"]).text
    assert [one.kind for one in log_of(browser)] == ["label", "retract"]
    older = browser.page.keys["2"]
    browser.press("m")
    assert LATE in browser.send(older, note="mine").text  # neither the note nor the grade that came with it
    assert [one.kind for one in log_of(browser)] == ["label", "retract", "note"]


def test_what_is_recorded_elsewhere_makes_a_page_out_of_date(browser: Browser) -> None:
    """In another window, or in the terminal; the next page goes on from there."""
    first, second = browser.page, browser.get()
    browser.send(first.keys["0"])
    assert LATE in browser.send(second.keys["1"]).text
    stale = browser.get()
    browser.worker.run_and_wait(lambda store: at(session_of(store)).grade(2))
    assert LATE in browser.send(stale.keys["1"]).text
    assert "text of d3" in browser.get().text
    assert [(one.docno, one.grade) for one in log_of(browser)] == [("d1", 0), ("d2", 2)]


def test_a_page_survives_a_restart_of_the_server(tmp_path: Path) -> None:
    """A request that was on its way when the server died is recorded once by the next server."""
    path = tmp_path / "s.db"
    browser = Browser(lambda: store_of(path=path), begin=in_order)
    grade = browser.page.keys["1"]
    browser.close()
    worker = Worker.worker_of_store(path)
    client = TestClient(Application(worker).asgi(["testserver"]), cookies=dict(browser.client.cookies))
    for _ in range(2):
        assert client.post(grade.action, data=grade.fields, headers={"x-part": "1"}).status_code == 200
    assert [one.grade for one in worker.run_and_wait(read_events)] == [1]
    worker.close()


def test_the_quick_answer_is_the_part_that_changes(browser: Browser) -> None:
    """With script, the answer has no head, and shows the next document."""
    grade = browser.page.keys["1"]
    answer = browser.client.post(grade.action, data=grade.fields, headers={"x-part": "1"}, follow_redirects=False)
    assert (answer.status_code, "<html" in answer.text, "text of d2" in answer.text) == (200, False, True)
    plain = browser.client.post("/judge/undo", data=Page(answer.text).keys["u"].fields, follow_redirects=False)
    assert (plain.status_code, plain.headers["location"]) == (303, "/judge")


def test_a_page_gives_nothing_away() -> None:
    """No run, depth, docno, address or metadata is in any page, unless the docno was asked for, which is on record."""
    docnos = [f"secret-docno-{number}" for number in range(4)]
    texts = {docno: f"text {number}" for number, docno in enumerate(docnos)}
    browser = Browser(lambda: store_of({"q1": docnos[:2], "q2": docnos[2:]}, texts=texts), begin=in_order)
    pages = [browser.page, browser.press("1"), browser.press("s"), browser.press("N"), browser.press("u")]
    secrets = (SECRET_RUN, str(SECRET_DEPTH), "secret.example", "secret-docno")
    assert given_away([page.text for page in pages], secrets) == set()
    assert "Document id: secret-docno" in browser.press("i").text
    assert log_of(browser)[-1].docno_shown
    browser.close()


def test_a_document_without_a_text_says_what_it_has() -> None:
    """A title is what the document has; without a title, the store may lack the document."""
    documents = [Document("d1", "On wings", ""), Document("d2", "", "")]
    store_of_titles = partial(new_store, documents=documents, topics=["q1"], pool={"q1": ["d1", "d2"]})
    browser = Browser(store_of_titles, begin=in_order)
    first, second = browser.page.text, browser.press("1").text
    assert "This document has only a title." in first
    assert "The store has no text" not in first
    assert "The store has no text for this document." in second
    browser.close()


def test_a_selection_becomes_evidence(browser: Browser) -> None:
    """A selection is counted in UTF-16 units of the text as shown; the log has the stored characters."""
    browser.fill("evidence", {"start": "5", "end": "7"})
    assert 'evidence">of</mark>' in browser.page.text
    assert log_of(browser)[-1].evidence == '[{"start": 5, "end": 7, "quote": "of"}]'
    browser.press("E")
    assert log_of(browser)[-1].evidence is None


@pytest.mark.full
def test_reminders_come_with_the_decision() -> None:
    """Of a near-duplicate with another grade; of a break, once; what is left is a range, after five labels."""
    words, docnos = " ".join(f"word{number}" for number in range(100)), [f"d{number}" for number in range(8)]
    store = partial(store_of, {"q1": docnos}, texts={"d0": words, "d1": f"{words} more"})
    clock = partial(next, count(0.0, 30.0))  # half a minute passes whenever it is looked at
    browser = Browser(store, begin=lambda store, assessor: session_of(store, assessor, clock=clock))
    first, second = browser.press("0").text, browser.press("2").text
    reminder = "Check: a 99% similar document (1) was graded 0: keep 2 or revise (Undo)."
    assert (reminder in first, reminder in second) == (False, True)
    pages = [browser.press(key).text for key in "111u1u1u1u1u1u1u1u1"]
    assert sum("50 minutes without a break" in page for page in pages) == 1
    assert "left overall" not in first + second
    assert re.search(r"(about|up to|\d to) .*left overall", pages[-1])
    browser.close()


def texts(page: str) -> list[str]:
    return [unescape(TAGS.sub("", block)) for block in BLOCKS.findall(page)]


def test_a_long_text_arrives_in_pieces() -> None:
    """The page has the beginning; its links lead to the rest, of which nothing is missing. A plain link has it all."""
    long = "Clean the chain \U0001f600 <b>first</b>.\n" * 4000 + "x" * 20_000 + " end\t."
    browser = Browser(lambda: store_of({"q1": ["d1", "d2"]}, texts={"d1": long}), begin=in_order)
    page, pieces = browser.page.text, texts(browser.page.text)
    assert len(pieces) == 1
    while more := REST.search(page):
        page = browser.client.get(more[1]).text
        pieces += texts(page)
    assert "".join(pieces) == visible_text(long)
    assert "".join(texts(browser.client.get("/judge?all").text)) == visible_text(long)
    assert "".join(texts(browser.get().text)) == visible_text(long)  # as long as it is on screen
    end = len(visible_text(long).encode("utf-16-le")) // 2
    browser.fill("evidence", {"start": str(end - 10), "end": str(end)})
    assert json.loads(log_of(browser)[-1].evidence or "")[0]["quote"] == "x end\t."
    browser.close()


def test_the_address_of_a_text_is_of_use_to_its_own_page_alone() -> None:
    """It names the document as no one else can, and works only while that is on screen."""
    browser = Browser(lambda: store_of({"q1": ["a-secret", "b"]}, texts={"a-secret": "long " * 5000}), begin=in_order)
    address = (REST.search(browser.page.text) or [""])[1]
    assert "secret" not in address
    for wrong in ("/judge/text/a-secret/1", address[:-1] + "x"):
        assert browser.client.get(wrong).status_code == 409
    assert browser.client.get(address).status_code == 200
    browser.press("1")
    assert (refusal := browser.client.get(address)).status_code == 409
    assert given_away([refusal.text], ["long", "secret"]) == set()
    browser.close()


def test_a_new_topic_is_open_and_said(browser: Browser) -> None:
    """Where the topic is folded it is not while it is new."""
    new = '<details id="topic" data-key="t" open>'
    assert new in browser.page.text
    assert new not in browser.press("1").text
    page = browser.press("N")
    assert "Next topic: title of q2." in page.text
    assert new in page.text


def test_a_text_is_inert() -> None:
    """Markup of a document is text."""
    hostile = {"d1": "<script>alert(1)</script><img src=x onerror=alert(1)> \u202ejavascript:\x1b[2J"}
    browser = Browser(lambda: store_of({"q1": ["d1"]}, texts=hostile), begin=in_order)
    assert "&lt;script&gt;alert(1)" in browser.page.text
    assert "<img" not in browser.page.text
    assert "\u202e" not in browser.page.text
    browser.close()


@pytest.mark.parametrize(
    ("command", "values", "message"),
    [
        ("evidence", {"words": "not there"}, "the document does not contain"),
        ("evidence", {"start": "x", "end": "2"}, "expected a whole number"),
        ("criterion", {"criterion": " "}, "a criterion needs a text"),
        ("cannot-judge", {"reason": "dull"}, "expected one of the reasons"),
        ("cannot-judge", {}, "enter a reason why the document cannot be judged"),
    ],
)
def test_what_is_wrong_is_said(browser: Browser, command: str, values: dict[str, str], message: str) -> None:
    """An error of the session is a line of the page; nothing is recorded."""
    page = browser.fill(command, values)
    assert "Not recorded: " in page.text
    assert message in page.text
    assert not log_of(browser)


def test_what_is_typed_comes_with_whatever_is_pressed(browser: Browser) -> None:
    """A note, a criterion and evidence are recorded before what another button does; unchanged they are nothing new.

    Words that the document does not contain are refused, and with them the command; what else was typed is recorded.
    """
    page = browser.send(browser.page.keys["1"], note="two\r\nlines", criterion="mine", words="not there")
    assert "Not recorded: the document does not contain" in page.text
    page = browser.send(browser.page.keys["1"], words="of d1")
    assert "Recorded: topic q1, document 1: grade 1" in page.text
    assert [(one.kind, one.note) for one in log_of(browser)] == [*[("note", "two\nlines")] * 2, ("label", "two\nlines")]
    assert [quote.quote for quote in evidence_of(log_of(browser)[-1])] == ["of d1"]
    assert browser.worker.run_and_wait(lambda store: [one.text for one in criteria(store, "q1", "ada")]) == ["mine"]
    for key in ("u", "m", "2"):
        browser.press(key)
    assert [one.kind for one in log_of(browser)] == ["note", "note", "label", "retract", "note", "label"]
    assert log_of(browser)[-1].note == "two\nlines"


@pytest.mark.parametrize("busy", [0, 1, 2])
def test_what_is_typed_is_recorded_once(browser: Browser, monkeypatch: pytest.MonkeyPatch, busy: int) -> None:
    """Also where another program writes between the note and the grade, and the request is sent again, or twice."""
    grade, tries = browser.page.keys["1"], count()

    def interrupted(store: Store, *added: Event) -> None:
        if next(tries) == busy:
            raise BusyError("somebody is writing")
        append(store, *added)

    monkeypatch.setattr("cranfield.judging.session.recording.append", interrupted)
    answers = [
        browser.client.post(grade.action, data={**grade.fields, "note": "mine", "words": "text"}) for _ in range(3)
    ]
    assert [answer.status_code for answer in answers] == [503, 200, 200]
    assert [(one.kind, one.note) for one in log_of(browser)] == [*[("note", "mine")] * 2, ("label", "mine")]
    assert LATE not in answers[-1].text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small store in a file."""
    store_of(path=tmp_path / "s.db").close()
    return tmp_path / "s.db"


@pytest.fixture
def disturbed_browser(path: Path) -> Iterator[Browser]:
    with closing(Browser(partial(open_at_once, path))) as browser:
        yield browser


def test_while_another_program_writes(disturbed_browser: Browser, path: Path) -> None:
    """A label has to come again, and is recorded once; pages are shown meanwhile."""
    grade = disturbed_browser.page.keys["1"]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = disturbed_browser.client.post(grade.action, data=grade.fields)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert disturbed_browser.get().keys
        other.execute("ROLLBACK")
    disturbed_browser.send(grade)
    disturbed_browser.send(grade)
    assert [event.grade for event in disturbed_browser.worker.run_and_wait(read_events)] == [1]


def test_a_store_that_is_gone(disturbed_browser: Browser, path: Path) -> None:
    """Nothing is acknowledged that would not be kept."""
    path.unlink()
    grade = disturbed_browser.page.keys["1"]
    answer = disturbed_browser.client.post(grade.action, data=grade.fields)
    assert (answer.status_code, "its file was moved, replaced or deleted" in answer.text) == (410, True)
    assert str(path.parent) not in answer.text


@pytest.mark.full
def test_two_servers_on_one_store(disturbed_browser: Browser, path: Path) -> None:
    """Both work: the links are those of the store, and a page of one is out of date when the other has recorded."""
    with closing(Application(Worker.worker_of_store(path))) as other:
        client = TestClient(other.asgi(["testserver"]), cookies=dict(disturbed_browser.client.cookies))
        stale = Page(client.get("/judge").text)
        disturbed_browser.press("1")
        assert LATE in client.post(stale.keys["0"].action, data=stale.keys["0"].fields).text
        fresh = Page(client.get("/judge").text).keys["0"]
        client.post(fresh.action, data=fresh.fields)
    assert [event.grade for event in disturbed_browser.worker.run_and_wait(read_events)] == [1, 0]


def test_a_name_of_somebody_who_was_erased(disturbed_browser: Browser) -> None:
    """Its next owner sees nothing of the other's session, and cannot undo there."""
    disturbed_browser.send(disturbed_browser.page.keys["1"], note="a secret")
    disturbed_browser.worker.run_and_wait(lambda store: erase(store, "assessor", "ada", "asked for it"))
    assert disturbed_browser.client.get("/judge").status_code == 403
    token = disturbed_browser.worker.run_and_wait(lambda store: invite(store, "ada"))
    disturbed_browser.client.get(f"/enter/{token}")
    page = disturbed_browser.get()
    assert ("a secret" in page.text, "/judge/undo" in page.actions) == (False, False)


@pytest.mark.full
def test_a_topic_that_passes_to_somebody_else(disturbed_browser: Browser) -> None:
    """What is sent for it after that is not recorded, and the page goes on with what is left."""
    disturbed_browser.worker.run_and_wait(
        lambda store: add_plan(store, Plan(1), dict.fromkeys(("q1", "q2", "q3"), "ada"), {})
    )
    grade = disturbed_browser.get().keys["1"]
    disturbed_browser.worker.run_and_wait(lambda store: give_assignment(store, "q1", "first", "bo"))
    page = disturbed_browser.send(grade)
    assert "no longer yours" in page.text
    assert not disturbed_browser.worker.run_and_wait(read_events)
    assert page.keys


def test_own_decisions() -> None:
    """Any can be found again by topic, grade, doubt and note, and judged again, however long ago."""
    browser = Browser(partial(store_of, {"q1": [f"d{number:02}" for number in range(23)]}), begin=in_order)
    browser.fill("note", {"note": "ask about this"})
    browser.press("m")
    for number in range(22):
        browser.press("1" if number else "0")
    counts = {"": 22, "grade=1": 21, "grade=0": 1, "unsure=1": 1, "noted=1": 1, "topic=q1": 22, "topic=x": 0}
    for query, number in counts.items():
        assert browser.client.get(f"/judge/labels?{query}").text.count("<li>") == number
    notes = Page(browser.client.get("/judge/labels?noted=1").text)
    assert "ask about this" in notes.text
    assert "document 1 of" in browser.send(notes.forms["/judge/again"], number="22").text
    browser.close()


def test_the_words_of_the_topic_are_marked() -> None:
    """One key marks them with their inflections, and unmarks them; what was marked is part of the label."""
    texts = {"d1": "two titles, untitled", "d2": "nothing"}
    browser = Browser(partial(store_of, {"q1": ["d1", "d2"]}, texts=texts), begin=in_order)
    assert '<mark class="highlighted">titles</mark>, untitled' in browser.press("k").text
    assert "<mark" not in browser.press("k").text
    browser.press("k")
    browser.press("1")
    assert log_of(browser)[-1].highlight_terms.startswith("titl, ")
    browser.close()


def test_keys_of_ones_own(browser: Browser) -> None:
    """They are those of a key file, with its errors, and stay in this browser."""

    def keep(text: str) -> None:
        browser.send(browser.page.forms["/judge/stay"]._replace(action="/judge/keys"), keys=text)

    keep('later = "y"')
    assert "y" in browser.page.keys
    assert "s" not in browser.page.keys
    keep('undo = "1"')
    assert "The keys are unchanged: undo has the key" in browser.page.text
    assert "y" in browser.get().keys
    keep("")
    assert "s" in browser.page.keys


def test_a_near_duplicate_stands_beside_the_document() -> None:
    """Before the grade, where one was graded; the words that differ are marked; it goes with the document."""
    words = " ".join(f"word{number}" for number in range(100))
    texts = {"d1": f"{words} <b>last</b>", "d2": f"{words} other", "d3": "quite another"}
    browser = Browser(partial(store_of, {"q1": list(texts)}, texts=texts), begin=in_order)
    assert "Show both" not in browser.page.text
    page = browser.press("2")
    assert "98% of this document also appears in document 1, which you graded 2" in page.text
    both = browser.press("=").text
    assert "Document 1, which you graded 2" in both
    assert '<mark class="highlighted">&lt;b&gt;last&lt;/b&gt;</mark>' in both
    assert '<mark class="highlighted">other</mark>' in both
    assert "which you graded 2</h2>" not in browser.press("=").text
    browser.press("=")
    assert "which you graded" not in browser.press("1").text
    assert [event.grade for event in log_of(browser)] == [2, 1]
    browser.close()


def test_no_key_is_the_beginning_of_a_grade(tmp_path: Path) -> None:
    """Of 0 to 10, 1 and 0 could be 10 or two labels: grades have buttons alone, also in a page without a server."""
    grades = {grade: f"level {grade}" for grade in range(11)}
    graded = partial(new_store, grades=grades, documents=["d1"], topics=["q1"], pool={"q1": ["d1"]})
    with graded() as store:
        assign_topics_to_assessors(store, ["ada"])
        write_page(store, tmp_path / "ada.html", "ada")
    assert not re.search('data-key="[0-9]', (tmp_path / "ada.html").read_text())
    with closing(Browser(graded)) as browser:
        assert not {"0", "1", "10"} & browser.page.keys.keys()
        assert "grade 10, level 10" in browser.press("/judge/grade 10").text
