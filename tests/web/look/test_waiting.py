"""A view that takes long: the page says so and reloads itself; it states its time if the store has changed since."""

from collections.abc import Callable, Iterator
from threading import Semaphore
from typing import Any

import pytest
from starlette.testclient import TestClient

from cranfield.formats import Topic
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.other_process import Hear
from cranfield.web.results import WAITING, Results, StoreThread
from cranfield.web.worker import Worker


class Gate(StoreThread):
    """Computes what it is let through."""

    def __init__(self, reader: Worker) -> None:
        super().__init__(reader)
        self.go = Semaphore(0)

    def run(self, compute: Callable[..., Any], *asked: Any, hear: Hear) -> Any:
        """Say how far it is, and wait."""
        hear("step 2 of 3")
        self.go.acquire()
        return super().run(compute, *asked, hear=hear)

    def close(self) -> None:
        """Let everything through."""
        self.go.release(100)


class Case:
    """The organiser's browser on an empty store, and the gate."""

    def __init__(self) -> None:
        self.app = Application(Worker(lambda: Store.memory("s")))
        self.gate = Gate(self.app.reader)
        self.app.results = Results(self.app.reader, self.gate, patience=0)
        self.client = TestClient(self.app.asgi(["testserver"]))
        self.client.get(f"/enter/{self.app.access.start_token}")

    def passed(self) -> None:
        """Let one through, and wait for it."""
        self.gate.go.release()
        self.app.results._thread.submit(lambda: None).result()


@pytest.fixture
def case() -> Iterator[Case]:
    """A browser and a gate."""
    found = Case()
    yield found
    found.app.close()


def test_a_page_waits_for_its_content(case: Case) -> None:
    """It reloads itself until it is complete; afterwards it states its time, if the store has changed."""
    first = case.client.get("/look/pool")
    assert (first.status_code, first.headers["refresh"]) == (202, "2")
    assert "This page takes a while. Now: " in first.text
    assert 'href="/look/pool"' in first.text
    case.passed()
    whole = case.client.get("/look/pool")
    assert (whole.status_code, "refresh" in whole.headers, "As of" in whole.text) == (200, False, False)
    case.app.worker.wait(lambda store: store.add_topics([Topic("q", "title")]))
    assert "; the store has changed since." in case.client.get("/look/pool").text


def test_a_program_waits_and_gets_what_is_current(case: Case) -> None:
    """JSON is answered when it is there."""
    case.gate.go.release()
    assert case.client.get("/look/pool.json").status_code == 409
    assert case.client.get("/look/pool.json").text.startswith("No pool in this store")


def test_too_many_views_at_once(case: Case) -> None:
    """What cannot wait is told to come again."""
    codes = [case.client.get(f"/look/systems?measures=P@{cutoff}").status_code for cutoff in range(1, WAITING + 2)]
    assert codes == [202] * WAITING + [503]
