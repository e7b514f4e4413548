"""Adjudicating in the browser: by whom, what the page gives away, and two adjudicators at once."""

from collections.abc import Iterator
from functools import partial

import pytest
from starlette.testclient import TestClient

from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import events
from cranfield.store.store import Store
from cranfield.web import results
from cranfield.web.commands import LATE
from tests.judging.cases import SECRET_RUN, at, given_away, session_of, store_of
from tests.web.browser import Browser, Page

NAMES = {"ada.lovelace": (0, 1, 1), "bob.smith": (2, 0, 1)}


def disputed() -> Store:
    """Two people disagree on two of three documents; both wrote notes, and one marked evidence."""
    store = store_of({"q1": ["d1", "d2"], "q2": ["d3"]})
    for name, grades in NAMES.items():
        session = session_of(store, name)
        for grade in grades:
            at(session).note(f"a note for {grade}")
            at(session).grade(grade)
    return store


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The browser of an adjudicator."""
    opened = Browser(disputed, "eve.jones", role="adjudicate")
    yield opened
    opened.close()


def answers(browser: Browser) -> list[Event]:
    """The adjudications on record."""
    return [event for event in browser.worker.wait(events) if event.kind == "adjudicate"]


def another(browser: Browser, name: str) -> tuple[TestClient, Page]:
    """The browser of another adjudicator on the same server, and its page."""
    client = TestClient(browser.app.asgi(["testserver"]))
    client.get(f"/enter/{browser.worker.wait(partial(invite, assessor=name, role='adjudicate'))}")
    return client, Page(client.get("/adjudicate").text)


def test_an_answer_is_on_record_with_its_reason(browser: Browser) -> None:
    """Labels and notes are in sight; the answer comes with the reason, and the next case after it."""
    assert "a note for 2" in browser.page.text
    browser.fill("note", {"note": "it <says> so"})
    page = browser.press("2")
    assert "Recorded: topic q1, disagreement 1: grade 2, highly relevant: it &lt;says&gt; so." in page.text
    (answer,) = answers(browser)
    assert (answer.docno, answer.note, answer.input, answer.assessor) == ("d1", "it <says> so", "browser", "eve.jones")
    assert browser.press("u").text.count("disagreement 1 of 2") == 1
    browser.press("U")
    assert len(answers(browser)) == 2


def test_the_page_gives_nothing_away(browser: Browser) -> None:
    """Neither names nor docnos nor runs, before an answer, after it, and where somebody else settled the case."""
    texts = [browser.page.text, browser.press("1").text, browser.press("1").text]
    client, page = another(browser, "fay.miller")
    texts += [page.text, client.get("/adjudicate").text]
    assert given_away(texts, (*NAMES, "eve.jones", "fay.miller", SECRET_RUN, ">d1<", '"d1"', "secret")) == set()


def test_each_link_has_one_role(browser: Browser) -> None:
    """An assessor's link does not reach adjudication, an adjudicator's neither judging nor the organiser's pages."""
    for path in ("/judge", "/look/topics", "/look/topics.csv", "/organise/links"):
        assert browser.client.get(path).status_code == 403
    assert browser.client.get("/").url.path == "/adjudicate"
    form = browser.page.keys["1"]
    assert browser.client.post("/judge/grade", data=form.fields).status_code == 403
    browser.client.cookies.clear()
    browser.client.get(f"/enter/{browser.worker.wait(partial(invite, assessor='ada'))}")
    assert browser.client.get("/adjudicate").status_code == 403
    assert not answers(browser)


def test_a_repeated_answer_is_one_and_a_late_one_is_none(browser: Browser) -> None:
    """A double click, and a page that is out of date."""
    first, other = browser.page.keys["1"], browser.page.keys["2"]
    browser.send(first)
    assert "disagreement 2 of 2" in browser.send(first).text
    assert LATE in browser.send(other).text
    assert [answer.grade for answer in answers(browser)] == [1]


def test_the_second_of_two_adjudicators_is_told(browser: Browser) -> None:
    """Whoever comes second overwrites nothing: before the page is loaded again, and after."""
    client, page = another(browser, "fay")
    browser.press("1")
    shown = Page(client.get("/adjudicate").text)
    assert "<strong>Settled:</strong> <bdi>grade 1, relevant, by another adjudicator</bdi>" in shown.text
    grade = page.keys["2"]
    text = client.post(grade.action, data=grade.fields).text
    assert "Not recorded: another adjudicator has settled this case; their answer stays" in text
    assert "disagreement 2 of 2" in text
    assert [answer.grade for answer in answers(browser)] == [1]


def test_new_disagreements_come_with_the_next_page(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """What assessors say meanwhile counts; the case on screen stays."""
    monkeypatch.setattr(results, "GOOD_FOR", 0)
    before = browser.page.forms["/adjudicate/stay"].fields["document"]
    browser.worker.wait(lambda store: at(session_of(store, "cyd", topics=["q2"])).grade(-1))
    page = browser.get()
    assert "of 3" in page.text
    assert page.forms["/adjudicate/stay"].fields["document"] == before


def test_nothing_to_settle() -> None:
    """The page says so."""
    browser = Browser(store_of, "eve", role="adjudicate")
    assert "No disagreement is left to settle" in browser.page.text
    browser.close()
