"""The organiser's pages in a real browser: sharing out, passing on, inviting and revoking; and for a screen reader."""

from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest

from cranfield.store.assignments import assignments
from cranfield.store.invitations import invitations
from cranfield.web.application import Application
from cranfield.web.organise.table import SECTIONS
from cranfield.web.server import listen, server_of
from cranfield.web.worker import Worker
from tests.browser import InBrowser
from tests.conftest import usually
from tests.judging.cases import store_of
from tests.web.look.test_in_browser import SCREENS, watch

ASKED = {"give": "?topic=q1&role=first", "assign": "?to=assessors&assessors=ada", "revoke": "?assessor=bo"}
PAGES = {name: f"/organise/{name}{ASKED.get(name, '')}" if name else "/" for name in SECTIONS}
LOOKED_AT = usually(["topics"], list(PAGES))  # with axe-core, which takes a second a page


@pytest.fixture
def served() -> Iterator[tuple[Application, str]]:
    """A small served store, and the beginning of its addresses."""
    app, at = Application(Worker(store_of)), listen("127.0.0.1", 0)
    server = server_of(app.asgi(at.hosts))
    thread = Thread(target=server.run, kwargs={"sockets": [at.socket]})
    thread.start()
    yield app, at.base
    server.should_exit = True
    thread.join()
    app.close()


@pytest.mark.parametrize("script", usually([True], [True, False]))
def test_organising_by_hand(in_browser: InBrowser, served: tuple[Application, str], script: bool) -> None:
    """Every step says what it did, once; loading a page again does nothing again."""
    app, base = served
    wrong = list[Any]()

    def visit(browser: Any) -> None:
        with browser.new_context(java_script_enabled=script) as context:
            page = context.new_page()
            watch(page, base, wrong)
            page.goto(f"{base}/enter/{app.access.start_token}")
            page.get_by_role("link", name="Topics").first.wait_for()
            page.goto(f"{base}/organise/topics")
            page.get_by_label("Assessors, one per line").fill("ada\nbo")
            page.get_by_role("button", name="Show who gets what").click()
            page.get_by_role("button", name="Assign 3 topics").click()
            page.get_by_text("The topics are assigned").wait_for()
            page.get_by_role("link", name="change").first.click()
            page.get_by_label("Give it to").fill("eve")
            page.get_by_role("button", name="Give", exact=True).click()
            page.get_by_text("is now eve's").wait_for()
            page.reload()
            assert not page.get_by_text("is now eve's").count()
            page.goto(f"{base}/organise/links")
            page.get_by_label("Invite").fill("bo")
            page.get_by_label("Valid for").fill("14d")
            page.get_by_role("button", name="Make a link").click()
            assert page.get_by_label("The link").input_value().startswith(f"{base}/enter/")
            if script:
                page.get_by_role("button", name="Copy").click()
                page.get_by_role("button", name="Copied").wait_for()
            page.reload()
            assert not page.get_by_label("The link").count()
            page.get_by_role("link", name="revoke").first.click()
            page.get_by_role("button", name="Revoke 1 valid link").click()
            page.get_by_text("1 link of bo revoked").wait_for()

    in_browser(visit)
    assert not wrong
    assert [one.assessor for one in app.worker.wait(assignments)].count("eve") == 1
    assert [bool(one.revoked) for one in app.worker.wait(invitations)] == [True]


def test_anybody_can_organise(in_browser: InBrowser, served: tuple[Application, str]) -> None:
    """axe finds nothing, and nothing is wider than the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    app, base = served
    wrong = list[Any]()

    def visit(browser: Any) -> None:
        for width, scheme in SCREENS:
            with browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{app.access.start_token}")
                page.get_by_role("link", name="Topics").first.wait_for()
                for address in (PAGES[name] for name in LOOKED_AT):
                    page.goto(base + address)
                    wrong.extend((address, scheme, one["id"]) for one in axe.run(page).response["violations"])
                    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                        wrong.append((address, width, "too wide"))

    in_browser(visit)
    assert not wrong
