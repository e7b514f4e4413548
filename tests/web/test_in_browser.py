"""Judging in a real browser: by keyboard, by mouse, by touch, without script, and for a screen reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cranfield.store.events import Event
from cranfield.store.invitations import invite
from cranfield.store.log import events
from cranfield.web.application import Application
from cranfield.web.server import listen, server_of
from cranfield.web.worker import Worker
from tests.browser import InBrowser
from tests.conftest import usually
from tests.judging.cases import store_of

DOCNOS = [f"d{number:02}" for number in range(usually(4, 50))]
HOSTILE = dict.fromkeys(
    DOCNOS, "<script>alert(1)</script><img src=x onerror=alert(1)>" + " Clean the chain first. " * 200
)
HELD = 200  # ms that a document has to be seen before it can be decided on


class Served:
    """A served store: the link of an assessor, and the log."""

    def __init__(self, path: Path) -> None:
        store_of({"q1": DOCNOS}, path=path, texts=HOSTILE).close()
        self.worker = Worker.of(path)
        self.app = Application(self.worker)
        self.at = listen("127.0.0.1", 0)
        self.link = f"{self.at.base}/enter/{self.worker.wait(partial(invite, assessor='ada'))}"
        self.server = server_of(self.app.asgi(self.at.hosts))
        self.thread = Thread(target=self.server.run, kwargs={"sockets": [self.at.socket]})
        self.thread.start()

    def labels(self) -> list[Event]:
        """The labels on record."""
        return [event for event in self.worker.wait(events) if event.kind == "label"]

    def close(self) -> None:
        """Stop."""
        self.server.should_exit = True
        self.thread.join()
        self.app.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A served store of documents, the first of which is hostile."""
    found = Served(tmp_path / "s.db")
    yield found
    found.close()


@contextmanager
def judging(browser: Any, served: Served, **options: Any) -> Iterator[Any]:
    """The page of judging, on which nothing goes wrong and nothing of a document is executed."""
    context = browser.new_context(**options)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(served.link)
    page.wait_for_url("**/judge")
    yield page
    context.close()
    assert not wrong


def place(page: Any, number: int) -> None:
    """Wait until a document is shown, and has been for a moment."""
    page.get_by_text(f"document {number} of").first.wait_for()
    page.wait_for_timeout(HELD)


def test_by_keyboard_alone(in_browser: InBrowser, served: Served) -> None:
    """A digit for each document; undo, and a key held down, which counts once."""

    def visit(browser: Any) -> None:
        with judging(browser, served) as page:
            for number in range(1, len(DOCNOS) + 1):
                place(page, number)
                page.keyboard.press("1")
            page.get_by_role("heading", name="Everything is done").wait_for()
            page.keyboard.press("u")
            place(page, len(DOCNOS))
            for _ in range(3):
                page.keyboard.down("2")
            page.get_by_role("heading", name="Everything is done").wait_for()

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [1] * len(DOCNOS) + [2]


def test_marks_notes_and_reasons_by_key(in_browser: InBrowser, served: Served) -> None:
    """What was found is evidence; a note is typed; a document that cannot be judged has a reason."""

    def visit(browser: Any) -> None:
        with judging(browser, served) as page:
            place(page, 1)
            page.keyboard.press("/")
            page.keyboard.type("SCRIPT")
            page.keyboard.press("Enter")
            assert page.locator("#found").text_content() == "match 1 of 2"
            page.keyboard.press("e")
            page.locator("mark.evidence").wait_for()
            page.keyboard.press("n")
            page.keyboard.type("1 of mine")
            page.get_by_role("button", name="Keep the note").click()
            page.get_by_text("Your note: 1 of mine").wait_for()
            page.keyboard.press("m")
            page.locator("button[aria-pressed=true]").wait_for()
            page.keyboard.press("x")
            page.keyboard.press("Space")
            page.keyboard.press("Enter")
            place(page, 2)

    in_browser(visit)
    found = served.worker.wait(events)[-1]
    assert (found.kind, found.reason, found.note) == ("cannot-judge", "unreadable", "1 of mine")
    assert found.evidence is None  # which belongs to labels
    assert any((one.evidence or "").endswith('"quote": "script"}]') for one in served.worker.wait(events))


@pytest.mark.parametrize(
    ("options", "way"),
    [
        ({"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, "tap"),
        ({"java_script_enabled": False}, "click"),
        ({}, "click"),
    ],
    ids=["touch", "without script", "mouse"],
)
def test_by_hand(in_browser: InBrowser, served: Served, options: dict[str, Any], way: str) -> None:
    """The buttons do by touch, by mouse, and as plain forms."""

    def visit(browser: Any) -> None:
        with judging(browser, served, **options) as page:
            for number in (1, 2):
                place(page, number)
                button = page.locator('.grades button[value="0"]')
                button.tap() if way == "tap" else button.click()
            place(page, 3)

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [0, 0]


def test_the_page_goes_on_when_the_server_is_back(in_browser: InBrowser, served: Served) -> None:
    """A label given while the server is gone is sent again by itself."""

    def visit(browser: Any) -> None:
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(served.link)
            page.wait_for_url("**/judge")
            place(page, 1)
            context.set_offline(True)
            page.keyboard.press("1")
            page.get_by_text("The server cannot be reached").wait_for()
            context.set_offline(False)
            place(page, 2)

    in_browser(visit)
    assert len(served.labels()) == 1


def test_anybody_can_use_it(in_browser: InBrowser, served: Served) -> None:
    """axe finds nothing on the pages of judging and organising, wide and narrow, light and dark; nothing is cut off."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe, which is not here").Axe()
    organiser = f"{served.at.base}/enter/{served.app.access.start_token}"

    def visit(browser: Any) -> list[str]:
        found = []
        for width, scheme in usually([(390, "dark")], list(product((1280, 390), ("light", "dark")))):
            viewport = {"width": width, "height": 800}
            with browser.new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True) as context:
                page = context.new_page()
                for link, end in ((served.link, "**/judge"), (organiser, f"{served.at.base}/")):
                    page.goto(link)
                    page.wait_for_url(end)
                    wrong = axe.run(page).response["violations"]
                    found += [f"{width} {scheme} {end}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in wrong]
                    if page.evaluate("document.documentElement.scrollWidth") > width:
                        found.append(f"{end} is wider than {width}")
        return found

    assert in_browser(visit) == []
