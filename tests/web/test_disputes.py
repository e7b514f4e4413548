"""Disagreements on the organiser's pages: a list by effect, and a page on which one is settled under a chosen name."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from cranfield.analysis.labels import ranked_disputes
from cranfield.judging.labels.policies import apply_policy
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.application import Application
from cranfield.web.look.table import answer
from cranfield.web.results import Worker
from tests.judging.cases import store_of
from tests.web.browser import Browser
from tests.web.look.hostile import evil

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
CASE = {"topic": "q1", "document": "d1"}


class Visit:
    """Somebody's browser, which sends the form of a page, twice as after an impatient click."""

    def __init__(self, app: Application, token: str) -> None:
        self.client = TestClient(app.asgi(["testserver"]))
        assert self.client.get(f"/enter/{token}").status_code == 200

    def send(self, page: str, to: str, **fields: str) -> str:
        data = dict(HIDDEN.findall(self.client.get(page).text)) | fields
        text = self.client.post(to, data=data).text
        self.client.post(to, data=data)
        return text


def disputed_store() -> Store:
    store = store_of()
    for name in ("ada", "bo", "kim"):
        add_assessor(store, name)
    append(
        store,
        Event("label", "q1", "d1", "ada", 1, note=evil("cause")),
        Event("label", "q1", "d1", "bo", 0),
        Event("label", "q1", "d2", "ada", 1),
        Event("label", "q1", "d2", "kim", 0),
        Event("label", "q1", "d3", "ada", 1),
        Event("label", "q1", "d3", "bo", 1),
    )
    return store


@pytest.fixture
def app() -> Iterator[Application]:
    app = Application(Worker(disputed_store))
    yield app
    app.close()


@pytest.fixture
def organiser(app: Application) -> Visit:
    return Visit(app, app.access.start_token)


def page(store: Store, **parameters: str) -> str:
    return answer(store, "disputes", "", parameters.items()).text()


def test_the_list_has_the_disputes_of_the_command_in_their_order() -> None:
    with disputed_store() as store:
        every = page(store)
        places = [every.index(f">{one.pair[1]}<") for one in ranked_disputes(store)]
        assert places == sorted(places)
        assert len(places) == 2
        assert ">d3<" not in every
        of_kim = page(store, assessor="kim")
        assert ">d2<" in of_kim
        assert ">d1<" not in of_kim
        assert "No disagreement matches this choice." in page(store, state="settled")
        assert "No disagreement matches this choice." in page(store, topic="q2")
        assert "<script>alert" not in every


def test_a_name_is_chosen_before_anything_can_be_settled(organiser: Visit) -> None:
    address = "/organise/settle?" + urlencode(CASE)
    unnamed = organiser.client.get(address).text
    assert "Your name as adjudicator" in unnamed
    assert 'name="grade"' not in unnamed
    assert "<script>alert" not in unnamed
    assert 'name="grade"' not in organiser.client.get(f"{address}&adjudicator=ada").text
    named = organiser.client.get(f"{address}&adjudicator=eve").text
    assert named.count('<button name="grade"') == 4
    assert ">ada<" not in named


@pytest.mark.parametrize("chosen", [{}, {"topic": "q1"}, {"document": "d1"}])
def test_a_disagreement_is_chosen_before_it_is_settled(organiser: Visit, chosen: dict[str, str]) -> None:
    unchosen = organiser.client.get(f"/organise/settle?{urlencode(chosen)}").text
    assert "Choose the topic and the document first" in unchosen
    assert 'href="/look/disputes"' in unchosen
    case = organiser.client.get("/organise/settle?" + urlencode(CASE | {"adjudicator": "eve"})).text
    sent = dict(HIDDEN.findall(case)) | {"topic": "", "document": "", "grade": "1"} | chosen
    assert "no disagreement is chosen" in organiser.client.post("/organise/settle", data=sent).text


def test_settling_is_an_adjudication_that_is_recorded_once(app: Application, organiser: Visit) -> None:
    """It counts in the qrels, keeps the labels seen, and leaves the list."""
    address = "/organise/settle?" + urlencode(CASE | {"adjudicator": "eve"})
    text = organiser.send(address, "/organise/settle", grade="1", reason="names a cause")
    assert "Topic q1, document d1: settled." in text
    assert "adjudicator=eve" in text
    made = app.worker.run_and_wait(lambda store: [one for one in read_events(store) if one.kind == "adjudicate"])
    assert [(one.assessor, one.grade, one.note) for one in made] == [("eve", 1, "names a cause")]
    assert '"labels_seen"' in (made[0].evidence or "")
    assert app.worker.run_and_wait(apply_policy).labels["q1", "d1"] == 1
    assert ">d1<" not in app.worker.run_and_wait(page)
    assert ">d1<" in app.worker.run_and_wait(lambda store: page(store, state="settled"))
    assert "Settled by eve: 1" in organiser.client.get(address).text
    app.worker.run_and_wait(verify)


def test_an_answer_is_undone_by_whoever_gave_it(app: Application, organiser: Visit) -> None:
    """Once, however often the button is pressed; the case is open again, and another answer can follow."""
    address = "/organise/settle?" + urlencode(CASE | {"adjudicator": "eve"})
    assert "Undo this answer" in organiser.send(address, "/organise/settle", grade="1")
    assert "Undo this answer" not in organiser.client.get(address.replace("eve", "kim")).text
    text = organiser.send(address, "/organise/settle", answer="undo")
    assert "Topic q1, document d1: undone." in text
    assert 'name="grade"' in text
    assert ">d1<" in app.worker.run_and_wait(page)
    organiser.send(address, "/organise/settle", grade="0")
    made = app.worker.run_and_wait(lambda store: [one for one in read_events(store) if one.assessor == "eve"])
    assert [(one.kind, one.grade) for one in made] == [("adjudicate", 1), ("retract", None), ("adjudicate", 0)]
    app.worker.run_and_wait(verify)


def test_a_case_that_cannot_be_judged_needs_a_reason(app: Application, organiser: Visit) -> None:
    """The answer leaves the document without a label."""
    address = "/organise/settle?" + urlencode(CASE | {"adjudicator": "eve"})
    assert "cannot judge needs a reason; type it first" in organiser.send(
        address, "/organise/settle", answer="cannot-judge"
    )
    text = organiser.send(address, "/organise/settle", answer="cannot-judge", reason="only half of the text is here")
    assert "Settled by eve: cannot judge. <bdi>only half of the text is here</bdi>" in text
    decided = app.worker.run_and_wait(apply_policy)
    assert ("q1", "d1") not in decided.labels
    assert decided.state(("q1", "d1")) == "cannot-judge"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"adjudicator": ""}, "no adjudicator is named"),
        ({"adjudicator": "ada"}, "ada labelled this document"),
        ({"document": "d3"}, "people do not disagree on this document"),
        ({"grade": "9"}, "9"),
    ],
)
def test_a_wrong_settlement_is_refused(
    app: Application, organiser: Visit, fields: dict[str, str], message: str
) -> None:
    page_of_case = organiser.client.get("/organise/settle?" + urlencode(CASE | {"adjudicator": "eve"})).text
    sent = dict(HIDDEN.findall(page_of_case)) | {"grade": "1"} | fields
    text = organiser.client.post("/organise/settle", data=sent).text
    assert message in text
    assert not [one for one in app.worker.run_and_wait(lambda store: [*read_events(store)]) if one.kind == "adjudicate"]


def test_another_answer_to_a_settled_case_is_refused(app: Application, organiser: Visit) -> None:
    app.worker.run_and_wait(lambda store: append(store, Event("adjudicate", "q1", "d1", "kim", 0)))
    address = "/organise/settle?" + urlencode(CASE | {"adjudicator": "eve", "topic": "q1"})
    assert 'name="grade"' not in organiser.client.get(address).text


def test_assessors_neither_see_nor_settle_disputes(app: Application) -> None:
    ada = Visit(app, app.worker.run_and_wait(lambda store: invite(store, "ada")))
    pages = ("/look/disputes", "/organise/settle", "/look/live", "/look/person", "/look/timeline")
    assert {ada.client.get(one).status_code for one in pages} == {403}


@pytest.mark.parametrize("make", [disputed_store, store_of])
def test_finished_adjudication_says_so_once(make: Callable[[], Store]) -> None:
    """With a full bar, or without a bar where there was nothing to settle."""
    with closing(Browser(make, "eve", role="adjudicate")) as browser:
        page = browser.page
        while 'name="grade"' in page.text:
            page = browser.press("1")
        text = page.text
    assert text.count("Everything is done") == 1
    bars = re.findall(r'<progress max="(\d+)" value="(\d+)"', text)
    assert bars == ([("2", "2")] if make is disputed_store else [])
