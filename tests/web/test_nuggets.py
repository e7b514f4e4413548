"""Nuggets in the browser: made, edited and merged without script, by two people at once, and blind to the runs."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.store.answers.labels import NUGGET_LABELS
from cranfield.store.answers.nuggets import Nugget, NuggetEdit, current_nuggets, edit_nuggets, nugget_edits
from cranfield.store.invitations import invite
from cranfield.store.log import admit
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.worker import Worker
from tests.judging.answers.cases import RUNS, answered
from tests.judging.cases import given_away
from tests.web.browser import Browser, Page

HIDDEN = re.compile(r'<input type="hidden" name="(form|page|topic|answer)" value="([^"]*)">')


class Editor:
    """Somebody's browser, which sends forms as a page has them."""

    def __init__(self, app: Application, worker: Worker, name: str) -> None:
        self.worker, self.client = worker, TestClient(app.asgi(["testserver"]))
        token = worker.wait(partial(invite, assessor=name, role="nuggets"))
        assert self.client.get(f"/enter/{token}").status_code == 200
        self.text = self.client.get("/nuggets").text

    def fields(self) -> dict[str, str]:
        """What every form of the page has."""
        return dict(HIDDEN.findall(self.text))

    def send(self, command: str, again: int = 1, **fields: Any) -> str:
        sent = self.fields() | fields
        for _ in range(again):
            answer = self.client.post(f"/nuggets/{command}", data=sent)
            assert answer.status_code == 200, answer.text
            self.text = answer.text
        return self.text

    def nuggets(self) -> list[Nugget]:
        return self.worker.wait(lambda store: current_nuggets(store, "q1"))

    def about(self, place: int) -> dict[str, Any]:
        one = self.nuggets()[place]
        return {"nugget": one.number, "edit": one.edit}


@pytest.fixture
def worker() -> Iterator[Worker]:
    opened = Worker(lambda: answered(Store.memory("answers")))
    yield opened
    opened.close()


def test_every_form_of_the_page(worker: Worker) -> None:
    ada = Editor(Application(worker), worker, "ada")
    assert "Recorded: nugget added." in ada.send("add", again=2, text="wings <lift>", importance="vital")
    assert "wings &lt;lift&gt;" in ada.text
    ada.send("go", to_answer=2)
    ada.send("add", text="from the second", importance="okay")
    assert "Recorded: the nugget is okay." in ada.send("weigh", **ada.about(3), text="wings <lift>", importance="okay")
    ada.send("weigh", **ada.about(3), text="wings lift", importance="vital")
    ada.send("reword", **ada.about(1), text="with the speed")
    ada.send("drop", **ada.about(2))
    ticked: dict[str, Any] = {f"merge-{one.number}": one.edit for one in ada.nuggets()[2:]}
    assert "Recorded: 2 nuggets merged." in ada.send("merge", **ticked, text="wings lift a lot")
    ada.send("undo")
    assert "Recorded: redone." in ada.send("redo")
    texts = [(one.text, one.importance, len(one.contributors)) for one in ada.nuggets()]
    assert texts == [("lift grows", "vital", 0), ("with the speed", "okay", 0), ("wings lift a lot", "vital", 2)]
    assert worker.wait(lambda store: {edit.input for edit in nugget_edits(store, "q1", after=3)}) == {"browser"}
    assert "Topic q2, 2 of 2" in ada.send("go", to_topic="q2")
    assert "Topic q1, 1 of 2" in ada.client.get("/nuggets?topic=q1&answer=3").text
    assert given_away([ada.text], RUNS) == set()
    assert "by <bdi>zoe</bdi>" in ada.text


def test_a_models_nugget_has_its_author_and_can_be_kept(worker: Worker) -> None:
    """It says that a model wrote it; kept as it is, it counts as people's."""
    worker.wait(lambda store: admit(store, "qwen", "model"))
    worker.wait(lambda store: edit_nuggets(store, [NuggetEdit("vital", "q1", "qwen", "its own")]))
    ada = Editor(Application(worker), worker, "ada")
    assert "by <bdi>qwen, a model</bdi>" in ada.text
    assert "Keep as vital" in ada.text
    *_, its = ada.nuggets()
    text = ada.send("weigh", nugget=its.number, edit=its.edit, importance="vital")
    assert "by <bdi>qwen</bdi>" in text
    assert not any(one.by_model for one in ada.nuggets())


def test_a_conflict_keeps_what_was_typed(worker: Worker) -> None:
    app = Application(worker)
    ada, bob = Editor(app, worker, "ada"), Editor(app, worker, "bob")
    seen = ada.about(0)
    bob.send("drop", **seen)
    told = ada.send("reword", **seen, text="lift rises fast")
    assert "Not recorded: this nugget has been reworded, merged or dropped meanwhile; nothing was recorded" in told
    assert 'value="lift rises fast" data-key="n"' in told
    assert len(ada.nuggets()) == 2


def test_what_is_refused(worker: Worker) -> None:
    app = Application(worker)
    ada = Editor(app, worker, "ada")
    assert "Not recorded: choose two nuggets or more to merge" in ada.send("merge", text="x")
    assert "Not recorded: nugget is &#39;&#39;; expected a whole number" in ada.send("drop")
    assert ada.client.post("/nuggets/add", data={"text": "x"}).status_code == 403
    assert ada.client.post("/nuggets/rob", data=dict(HIDDEN.findall(ada.text))).status_code == 404
    assert ada.client.get("/nuggets?topic=nowhere").status_code == 409
    assert ada.client.get("/judge").status_code == 403
    judge = TestClient(app.asgi(["testserver"]))
    judge.get(f"/enter/{worker.wait(partial(invite, assessor='eve'))}")
    assert judge.get("/nuggets").status_code == 403


def of_both(store: Store) -> None:
    """A model's nugget besides people's."""
    admit(store, "qwen", "model")
    edit_nuggets(store, [NuggetEdit("vital", "q1", "qwen", "its own")])


CHOICES = re.compile(r"<(?:strong|a href=\"([^\"]*)\")>(people|models|all)<")


def test_whose_nuggets_are_edited_can_be_chosen(worker: Worker) -> None:
    """As --nuggets does; what is not shown is said, and the choice holds for the next page."""
    ada = Editor(Application(worker), worker, "ada")
    assert CHOICES.findall(ada.text) == []
    worker.wait(of_both)
    ada.text = ada.client.get("/nuggets").text
    links = [("/nuggets?nuggets=people", "people"), ("/nuggets?nuggets=models", "models"), ("", "all")]
    assert CHOICES.findall(ada.text) == links
    assert "4 nuggets: 2 vital, 2 okay" in ada.text
    for whose, there, counts in (
        ("people", {"lift grows"}, "3 nuggets: 1 vital, 2 okay; 1 by others not shown"),
        ("models", {"its own"}, "1 nugget: 1 vital, 0 okay; 3 by others not shown"),
        ("all", {"its own", "lift grows"}, "4 nuggets: 2 vital, 2 okay"),
    ):
        ada.client.get(f"/nuggets?nuggets={whose}")
        ada.text = ada.client.get("/nuggets").text
        assert {text for text in ("its own", "lift grows") if f'value="{text}"' in ada.text} == there
        assert f">{counts}<" in ada.text
    told = ada.client.get("/nuggets?nuggets=robots")
    assert (told.status_code, "expected people, models or all" in told.text) == (409, True)


def test_whose_nuggets_are_assigned_can_be_chosen() -> None:
    """By default people's, as on the command line."""

    def made() -> Store:
        store = answered(Store.memory("answers"))
        of_both(store)
        return store

    browser = Browser(made, role="assign")
    assert CHOICES.findall(browser.page.text)[0] == ("", "people")
    seen = {}
    for whose in ("all", "models", "people"):
        browser.page = Page(browser.client.get(f"/assign?nuggets={whose}").text)
        assert ("", whose) in CHOICES.findall(browser.page.text)
        seen[whose] = int(re.findall(r"remaining (\d+)", browser.page.text)[0])
    assert seen == {"people": 12, "models": 3, "all": 15}
    browser.client.get("/assign?nuggets=models")
    browser.get()
    assert "Nugget: its own" in browser.page.text
    browser.press("2")
    [event] = browser.worker.wait(lambda store: NUGGET_LABELS.events(store, "ada"))
    assert (event.item[1], event.label) == (5, "support")
    assert browser.client.get("/assign?nuggets=robots").status_code == 409
    browser.close()
    alone = Browser(lambda: answered(Store.memory("answers")), role="assign")
    assert CHOICES.findall(alone.page.text) == []
    assert "no nugget is by models" in alone.client.get("/assign?nuggets=models").text
    alone.close()
