"""Topics in development: tried by search and learning, kept with their labels or dropped with a reason."""

import io
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.errors import InputError, StoreError
from cranfield.features.collecting.finding.development import (
    candidate,
    candidates,
    decide,
    label,
    next_document,
    propose,
)
from cranfield.features.collecting.finding.store import allow, record_search
from cranfield.formats import Topic
from cranfield.store.invitations import invite
from cranfield.store.log import read_events
from cranfield.store.quick_look import known_names
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.topics import drop, keep, list_candidates, save_set
from cranfield.topics import propose as topics_try
from cranfield.web.application import Application
from cranfield.web.results import Worker
from tests.browser import PHONE, InBrowser
from tests.conftest import Cranfield
from tests.features.briefing.test_briefing import Visit, visit
from tests.features.collecting.corpora import store_of
from tests.web.test_on_a_phone import served

FLOW = Topic("7", "flow nozzle", "what flows", "jets too")


def try_topics(store: Store, most: int = 25) -> None:
    """ada tries the topic on flow, and judges some of its documents."""
    propose(store, FLOW, "ada")
    for _ in range(most):
        docno = next_document(store, candidate(store, "7"))
        assert docno is not None
        label(store, "7", "ada", docno, grade=int(docno.startswith("flow")))


def test_a_topic_that_is_kept_brings_its_labels() -> None:
    """Ten documents by search, then learnt ones, which are of the subject; only then is it a topic."""
    with store_of(run=False) as store:
        try_topics(store)
        [one] = candidates(store, "ada")
        assert next_document(store, one) is None
        assert sum(docno.startswith("flow") for docno, _ in one.labels[10:]) >= 10
        assert one.says(1).startswith("many: at least 20 of 25")
        assert ([topic.qid for topic in store.topics()], read_events(store)) == (["1", "2"], [])
        decide(store, "7", "later", "")
        decide(store, "7", "keep", "clear")
        assert store.topics()[-1] == FLOW
        labels = read_events(store)
        assert [(one.docno, one.grade) for one in labels] == list(one.labels)
        assert [(one.order_policy, one.position) for one in labels[:2]] == [("development", 1), ("development", 2)]
        for act in (partial(decide, store, "7", "drop", "x"), partial(propose, store, FLOW, "ada")):
            with pytest.raises((StoreError, InputError), match=r"this decision is final|not in development"):
                act()
        verify(store)


def test_what_is_wrong_is_said() -> None:
    with store_of(run=False) as store:
        try_topics(store, 1)
        for act, message in (
            (partial(propose, store, Topic("1", "wing"), "ada"), "is already in the store"),
            (partial(propose, store, Topic("8", "..."), "ada"), "needs an id and a title"),
            (partial(propose, store, FLOW, "bo"), "is developed by ada"),
            (partial(label, store, "7", "ada", "flow00", grade=9), "9 is not a grade here; the grades are 0, 1"),
            (partial(label, store, "8", "ada", "flow00", grade=1), "no topic in development '8'"),
            (partial(decide, store, "7", "drop", " "), "needs a reason"),
        ):
            with pytest.raises((StoreError, InputError), match=message):
                act()


def test_by_command(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of ideas, judged line by line, one dropped and one kept; the same in Python."""
    path, ideas = tmp_path / "s.db", tmp_path / "ideas.tsv"
    store_of(path, run=False).close()
    ideas.write_text("7\tflow nozzle\n8\theat flame\n")
    assert cranfield("topics", "try", path, ideas, "--assessor", "ada").out == "2 topics in development, by ada\n"
    assert known_names(path, "topic in development") == ["7", "8"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1\nx\n0\nq\n")))
    refusal = cranfield("topics", "try", path, "gone.tsv", "--assessor", "ada")
    assert refusal.err == "error: gone.tsv: neither a file nor a topic in development\n"
    output = cranfield("topics", "try", path, "7", "--assessor", "ada")
    assert "topic 7: 2 documents judged, few: at least 1 of 2" in output.out
    assert "'x' is not a grade of this store" in output.err
    assert cranfield("topics", "drop", path, "8").code == 2
    assert cranfield("topics", "drop", path, "8", "--reason", "dull").code == 0
    result = cranfield("topics", "keep", path, "7")
    save_set(path, "easy", ["1"])
    assert "only 2 documents were judged, which is too few" in result.err
    rows = json.loads(cranfield("topics", "list", path, "--candidates", "--format", "json").out)
    assert [(row["topic"], row["state"], row["reason"], row["sets"]) for row in rows] == [
        ("1", "topic", "", "easy"), ("2", "topic", "", ""), ("7", "keep", "", ""), ("8", "drop", "dull", "")
    ]  # fmt: skip
    topics_try(path, Topic("9", "wing lift"), assessor="bo")
    drop(path, "9", reason="as 1")
    topics_try(path, Topic("10", "wing drag"), assessor="bo")
    with pytest.warns(UserWarning, match="only 0 documents were judged"):
        keep(path, "10")
    assert list_candidates(path).frame["state"].tolist() == ["topic", "topic", "keep", "keep", "drop", "drop"]
    with Store.open(path) as store:
        assert [topic.qid for topic in store.topics()] == ["1", "2", "7", "10"]


@pytest.fixture
def app() -> Iterator[Application]:
    """A served store with a run and a pool, of which no page of development tells."""
    application = Application(Worker(store_of))
    yield application
    application.close()


def test_a_digit_gives_the_grade(in_browser: InBrowser, tmp_path: Path) -> None:
    """As on the page for judging: of a document of a topic in development, and of one that was found; -1 is no 1."""
    with store_of(tmp_path / "s.db", run=False) as store:
        propose(store, FLOW, "ada")
        allow(store, "ada")
        record_search(store, "ada", "1", "x", engine="text", docnos=["wing00"], seconds=0.1, event_id="e")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            develop: tuple[str, str, str] = ("develop", "/develop?topic=7", "document 2 of 25")
            judge: tuple[str, str, str] = ("judge", "/search?search=1&rank=1", "you gave 1")
            for role, address, then in (develop, judge):
                with browser.new_context(viewport=PHONE) as context:
                    page = context.new_page()
                    page.goto(f"{base}/enter/{app.worker.run_and_wait(partial(invite, assessor='ada', role=role))}")
                    page.goto(base + address)
                    page.wait_for_timeout(200)  # before, a decision is meant for what was there before
                    page.keyboard.press("-")
                    page.keyboard.press("1")
                    page.wait_for_timeout(200)
                    assert not page.get_by_text(then).count()
                    page.keyboard.press("1")
                    page.get_by_text(then).wait_for()

        in_browser(visit)


def test_in_the_browser(app: Application) -> None:
    """Tried, judged, put off, kept; a link for judging leads nowhere near it."""
    ada = Visit(app, app.worker.run_and_wait(partial(invite, assessor="ada", role="develop")))
    about = "A topic that you keep joins the collection with your labels; a topic that you drop does not."
    assert about in ada.client.get("/develop").text
    page = ada.send("/develop", "/develop/try", topic="7", title="flow nozzle", description="", narrative="")
    assert "document 1 of 25" in page
    assert about in page
    page = ada.send("/develop?topic=7", "/develop/label", grade="1")
    assert "document 2 of 25" in page
    assert about not in page
    assert "few: at least 1 of 1" in page
    assert not [word for word in ("poor", "shop") if word in page]
    ada.send("/develop?topic=7", "/develop/later", reason="so far")
    assert "The topic is kept" in ada.send("/develop?topic=7", "/develop/keep", reason="clear")
    assert "7: <bdi>flow nozzle" in ada.client.get("/develop").text
    organiser: TestClient = Visit(app, app.access.start_token).client
    assert "clear" in organiser.get("/organise/candidates").text
    assert visit(app, "bo").client.get("/develop").status_code == 403
    assert app.worker.run_and_wait(lambda store: [topic.qid for topic in store.topics()]) == ["1", "2", "7"]
