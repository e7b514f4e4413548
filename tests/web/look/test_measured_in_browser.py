"""Reusability in a real browser: the slider, without script, with hostile names."""

from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest

from cranfield.web.application import Application
from cranfield.web.results import Results, StoreThread
from cranfield.web.server import listen, server_of
from cranfield.web.worker import Worker
from tests.browser import InBrowser
from tests.web.look.hostile import evil
from tests.web.look.measured import DEPTH, measured_store

NUMBERS = "() => [...document.querySelectorAll('[data-depth]:not([hidden]) dd')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The organiser's link to a store whose every name is hostile."""
    path = measured_store(tmp_path_factory.mktemp("hostile") / "m.db", evil)
    app = Application(Worker.of(path))
    app.results = Results(app.reader, StoreThread(app.reader))  # at once: another process takes a second to begin
    at = listen("127.0.0.1", 0)
    server = server_of(app.asgi(at.hosts))
    thread = Thread(target=server.run, kwargs={"sockets": [at.socket]})
    thread.start()
    yield f"{at.base}/enter/{app.access.start_token}"
    server.should_exit = True
    thread.join()
    app.close()


def test_the_slider_shows_what_the_links_show(in_browser: InBrowser, link: str) -> None:
    """By keyboard the slider goes through the depths, to the addresses that the links have without script."""
    base = link.partition("/enter/")[0]

    def opened(browser: Any, **options: Any) -> Any:
        page = browser.new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        page.goto(link)
        page.wait_for_url(f"{base}/")
        page.goto(f"{base}/look/reusability?measures=P@10")
        page.locator("p.others").wait_for()
        return page

    def visit(browser: Any) -> None:
        plain = opened(browser, java_script_enabled=False)
        links = plain.get_by_role("navigation", name="Pool depths").get_by_role("link")
        assert links.all_inner_texts() == [f"{depth}" for depth in range(1, DEPTH + 1)]
        seen = plain.locator("[data-depth]:not([hidden])")
        assert seen.count() == 1
        whole, second = seen.locator("dd").all_inner_texts(), links.nth(1).get_attribute("href")

        page = opened(browser)
        slider = page.get_by_role("slider", name="Pool depth")
        assert slider.get_attribute("aria-valuetext") == f"depth {DEPTH}"
        assert page.evaluate(NUMBERS) == whole
        slider.press("Home")
        slider.press("ArrowRight")
        assert (slider.get_attribute("aria-valuetext"), page.url) == ("depth 2", f"{base}{second}")
        assert page.evaluate(NUMBERS) != whole
        slider.press("End")
        assert page.evaluate(NUMBERS) == whole
        for one in (plain, page):
            one.context.close()

    in_browser(visit)
