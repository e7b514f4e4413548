"""A message in a real browser: it stands above the document, covers nothing, and goes with one click."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.briefing.messages import open_messages, send_message
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import append
from tests.browser import PHONE, InBrowser, axe_finds
from tests.web.test_on_a_phone import briefed_store, served
from tests.web.test_reading import COVERED, DESK, LANDSCAPE

pytestmark = pytest.mark.full


@pytest.mark.parametrize("size", [PHONE, DESK, LANDSCAPE], ids=["phone", "desk", "landscape"])
def test_a_message_is_dismissed_and_judging_goes_on(
    in_browser: InBrowser, tmp_path: Path, size: dict[str, int]
) -> None:
    briefed_store(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):
        token = app.worker.run_and_wait(partial(invite, assessor="ada"))
        app.worker.run_and_wait(lambda store: append(store, Event("label", "q1", "d1", "ada", 1)))  # no practice then
        app.worker.run_and_wait(lambda store: send_message(store, ["ada"], "See the new guidelines. \n" * 40, "e"))

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=size) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{token}")
                page.wait_for_url("**/judge")
                assert "See the new guidelines." in page.inner_text("form.notice")
                assert page.locator(".clamped").bounding_box()["height"] < 100
                assert page.get_by_role("link", name="Whole message").count() == 1
                assert page.evaluate(COVERED) == []
                assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
                assert axe_finds(page) == []
                page.get_by_role("button", name="Dismiss").click()
                page.wait_for_selector("form.notice", state="detached")
                assert page.locator("#part").count() == 1
                assert page.locator("#document").count() == 1
                assert page.evaluate(COVERED) == []

        in_browser(visit)
        assert app.worker.run_and_wait(partial(open_messages, assessor="ada")) == []
