"""Practice in a real browser: the document stays, Enter goes on, u undoes, and everything is in sight."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.briefing.store import practice_of
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from tests.browser import PHONE, InBrowser, axe_finds
from tests.web.test_on_a_phone import briefed_store, served
from tests.web.test_reading import COVERED, DESK, LANDSCAPE

pytestmark = pytest.mark.full

HELD = 200  # ms for which a key is meant for the page before


@pytest.mark.parametrize("size", [PHONE, DESK, LANDSCAPE], ids=["phone", "desk", "landscape"])
def test_practice_by_keys(in_browser: InBrowser, tmp_path: Path, size: dict[str, int]) -> None:
    """Grade, read why, undo, grade again, go on, finish, and begin to judge; nothing is covered on the way."""
    briefed_store(tmp_path / "s.db")
    seen = list[str]()
    with served(tmp_path / "s.db") as (app, base):
        token = app.worker.run_and_wait(partial(invite, assessor="ada"))

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=size) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{token}")
                page.wait_for_url("**/practice")

                def press(key: str, url: str) -> None:
                    page.wait_for_timeout(HELD)
                    page.keyboard.press(key)
                    page.wait_for_url(f"**{url}")
                    seen.append(page.inner_text("#document h1"))
                    assert page.evaluate("scrollY") == 0  # the right grade is in sight
                    assert page.evaluate(COVERED) == []
                    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
                    assert axe_finds(page) == []

                press("2", "/practice?graded=1")
                assert page.locator("#right").is_visible()
                assert "why d1" in page.inner_text("#right")
                press("u", "/practice?again=1")
                press("1", "/practice?graded=1")
                press("Enter", "/practice?")
                press("u", "/practice?again=1")
                press("1", "/practice?graded=1")
                page.locator("#document").click()  # Enter goes on wherever the focus is
                press("Enter", "/practice?")
                press("2", "/practice?graded=2")
                press("Enter", "/practice?")
                page.get_by_role("link", name="Begin judging").click()
                page.wait_for_url("**/judge")

        in_browser(visit)
        assert app.worker.run_and_wait(partial(practice_of, assessor="ada")) == [("q1", "d1", 1, 1), ("q1", "d2", 2, 0)]
    assert len({*seen[:3]}) == 1
    assert seen[-1] == "Practice is done"


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_the_document_begins_on_the_first_screen(
    in_browser: InBrowser, tmp_path: Path, size: dict[str, int], has_script: bool
) -> None:
    """A long topic is open before the first document; it scrolls to its end in less than half of the screen."""
    briefed_store(tmp_path / "s.db")
    with Store.open(tmp_path / "s.db") as store, store.writing():
        store.conn.execute("UPDATE topic SET narrative = ?", ["A relevant document says why a wing lifts. " * 60])
    with served(tmp_path / "s.db") as (app, base):
        token = app.worker.run_and_wait(partial(invite, assessor="ada"))

        def visit(browser: Any) -> None:
            with browser.new_context() as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{token}")
                page.wait_for_url("**/practice")
                cookies = context.cookies()
            with browser.new_context(viewport=size, java_script_enabled=has_script) as context:
                context.add_cookies(cookies)
                page = context.new_page()
                page.goto(f"{base}/practice")
                topic, heading = page.locator("#topic"), page.locator("#document h1")
                assert topic.get_attribute("open") is not None
                assert heading.bounding_box()["y"] < size["height"] * 0.85
                assert page.evaluate("scrollY") == 0
                topic.evaluate("(topic) => { topic.scrollTop = topic.scrollHeight; }")
                box, end = topic.bounding_box(), topic.locator(".text").last.bounding_box()
                assert end["y"] + end["height"] <= box["y"] + box["height"] + 1

        in_browser(visit)
