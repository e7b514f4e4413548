"""The organiser's pages of a hostile store in a real browser: nothing executes, nothing is fetched from elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import pytest

from cranfield.web.application import Application
from cranfield.web.look.table import VIEWS
from cranfield.web.server import listen, server_of
from cranfield.web.worker import Worker
from tests.browser import InBrowser
from tests.conftest import usually
from tests.web.look.test_views import ASKED

LIGHT = [name for name, view in VIEWS.items() if not view.heavy]
PAGES = {name: f"/look/{name}?{urlencode(ASKED.get(name, {}))}" for name in LIGHT} | {"organise": "/"}
SCREENS = usually([(390, "dark")], [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
LOOKED_AT = usually({"topic", "documents"}, set(PAGES))  # with axe-core, which takes a second a page


@pytest.fixture(scope="module")
def link(hostile: Path) -> Iterator[str]:
    """The organiser's link to the served store."""
    app, at = Application(Worker.of(hostile)), listen("127.0.0.1", 0)
    server = server_of(app.asgi(at.hosts))
    thread = Thread(target=server.run, kwargs={"sockets": [at.socket]})
    thread.start()
    yield f"{at.base}/enter/{app.access.start_token}"
    server.should_exit = True
    thread.join()
    app.close()


def test_every_page_is_inert_and_accessible(in_browser: InBrowser, link: str) -> None:
    """No dialog, no error of the page or of its policy, no request to elsewhere; axe-core finds nothing; nothing is
    wider than the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    base, wrong = link.partition("/enter")[0], list[Any]()

    def visit(browser: Any) -> None:
        for width, scheme in SCREENS:
            context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
            page = context.new_page()
            watch(page, base, wrong)
            page.goto(link)
            page.get_by_role("navigation", name="Pages", exact=True).wait_for()
            for name, address in PAGES.items():
                page.goto(f"{base}{address}")
                found = axe.run(page).response["violations"] if name in LOOKED_AT else []
                wrong.extend((address, scheme, one["id"]) for one in found)
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    wrong.append((address, width, "too wide"))
            context.close()

    in_browser(visit)
    assert not wrong


def watch(page: Any, base: str, wrong: list[Any]) -> None:
    """Note what a page must not do."""
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda request: None if request.url.startswith((base, "data:")) else wrong.append(request.url))
