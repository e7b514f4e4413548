"""Judging in a real browser that is interrupted: the Back button, a second tab, and a link that has ended."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.store.invitations import invite, revoke
from tests.browser import InBrowser
from tests.web.test_in_browser import StoreServer, judging, place

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("serve")]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[StoreServer]:
    """A served store with one assessor."""
    with closing(StoreServer(tmp_path / "s.db")) as served:
        yield served


def grade(page: Any, value: int) -> None:
    """Press the button of a grade."""
    page.locator(f'.grades button[value="{value}"]').click()


@pytest.mark.parametrize("script", [True, False])
def test_the_back_button_after_a_grade(in_browser: InBrowser, served: StoreServer, script: bool) -> None:
    """The label stays. A grade on the page of before is not recorded for the document that is shown now."""

    def visit(browser: Any) -> None:
        with judging(browser, served, expected="403", java_script_enabled=script) as page:
            place(page, 1)
            grade(page, 1)
            place(page, 2)
            page.go_back()
            page.goto(f"{served.at.base}/judge")
            place(page, 2)
            page.reload()
            place(page, 2)
            grade(page, 2)
            place(page, 3)

    in_browser(visit)
    labels = served.labels()
    assert [event.grade for event in labels] == [1, 2]
    assert len({event.docno for event in labels}) == 2


def test_two_tabs_of_one_assessor(in_browser: InBrowser, served: StoreServer) -> None:
    """The tab that is out of date records nothing and shows the next document; both tabs go on from there."""

    def visit(browser: Any) -> None:
        with judging(browser, served) as page:
            place(page, 1)
            other = page.context.new_page()
            other.goto(f"{served.at.base}/judge")
            place(other, 1)
            grade(page, 1)
            place(page, 2)
            grade(other, 2)
            other.locator("#said").get_by_text("out of date").wait_for()
            place(other, 2)
            grade(other, 2)
            place(other, 3)
            grade(page, 0)
            page.locator("#said").get_by_text("out of date").wait_for()
            place(page, 3)

    in_browser(visit)
    labels = served.labels()
    assert [event.grade for event in labels] == [1, 2]
    assert len({event.docno for event in labels}) == 2


def test_a_link_that_is_revoked_while_its_page_is_open(in_browser: InBrowser, served: StoreServer) -> None:
    """The open page records nothing more. It and the link say whose link it was, how it ended and whom to ask."""
    found = list[str]()

    def visit(browser: Any) -> None:
        with judging(browser, served, expected="403") as page:
            place(page, 1)
            grade(page, 1)
            place(page, 2)
            served.worker.run_and_wait(partial(revoke, assessor="ada"))
            page.keyboard.press("2")
            page.get_by_text("was revoked on").first.wait_for()
            found.append(page.inner_text("body"))
            page.goto(served.link)
            found.append(page.inner_text("body"))

    in_browser(visit)
    assert ["This link for ada, to judge topics, was revoked on" in text for text in found] == [True, True]
    assert ["Ask the organiser, who sent you the link, for a new one." in text for text in found] == [True, True]
    assert [event.grade for event in served.labels()] == [1]


def test_a_link_that_has_expired(in_browser: InBrowser, served: StoreServer) -> None:
    """The page says whose link it was, that it has expired and whom to ask."""
    token = served.worker.run_and_wait(lambda store: invite(store, "eve", timedelta(seconds=-5)))

    def visit(browser: Any) -> str:
        page = browser.new_page()
        page.goto(f"{served.at.base}/enter/{token}")
        text: str = page.inner_text("body")
        page.close()
        return text

    text = in_browser(visit)
    assert "This link for eve, to judge topics, expired on" in text
    assert "Ask the organiser, who sent you the link, for a new one." in text
