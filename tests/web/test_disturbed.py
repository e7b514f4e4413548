"""What happens to a served store meanwhile: it is locked, deleted, served twice; a topic passes to somebody else."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.store.assignments import Plan, add_plan, give
from cranfield.store.log import events
from cranfield.web.application import Application
from cranfield.web.commands import LATE
from cranfield.web.worker import Worker, opened
from tests.judging.cases import store_of
from tests.web.browser import Browser, Page


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small store in a file."""
    store_of(path=tmp_path / "s.db").close()
    return tmp_path / "s.db"


@pytest.fixture
def browser(path: Path) -> Iterator[Browser]:
    """A browser on it."""
    with closing(Browser(partial(opened, path))) as found:
        yield found


def test_while_another_program_writes(browser: Browser, path: Path) -> None:
    """A label has to come again, and is recorded once; pages are shown meanwhile."""
    grade = browser.page.keys["1"]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = browser.client.post(grade.action, data=grade.fields)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert browser.get().keys
        other.execute("ROLLBACK")
    browser.send(grade)
    browser.send(grade)
    assert [event.grade for event in browser.worker.wait(events)] == [1]


def test_a_store_that_is_gone(browser: Browser, path: Path) -> None:
    """Nothing is acknowledged that would not be kept."""
    path.unlink()
    grade = browser.page.keys["1"]
    answer = browser.client.post(grade.action, data=grade.fields)
    assert (answer.status_code, "the store was deleted" in answer.text) == (409, True)


def test_two_servers_on_one_store(browser: Browser, path: Path) -> None:
    """Both work: the links are those of the store, and a page of one is out of date when the other has recorded."""
    with closing(Application(Worker.of(path))) as other:
        client = TestClient(other.asgi(["testserver"]), cookies=dict(browser.client.cookies))
        stale = Page(client.get("/judge").text)
        browser.press("1")
        assert LATE in client.post(stale.keys["0"].action, data=stale.keys["0"].fields).text
        fresh = Page(client.get("/judge").text).keys["0"]
        client.post(fresh.action, data=fresh.fields)
    assert [event.grade for event in browser.worker.wait(events)] == [1, 0]


def test_a_topic_that_passes_to_somebody_else(browser: Browser) -> None:
    """What is sent for it after that is not recorded, and the page goes on with what is left."""
    browser.worker.wait(lambda store: add_plan(store, Plan(1), dict.fromkeys(("q1", "q2", "q3"), "ada"), {}))
    grade = browser.get().keys["1"]
    browser.worker.wait(lambda store: give(store, "q1", "first", "bo"))
    page = browser.send(grade)
    assert "no longer yours" in page.text
    assert not browser.worker.wait(events)
    assert page.keys
