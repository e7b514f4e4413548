"""Every page of the organiser in a real browser: no text is covered, and no page is wider than the screen.

The pages are read and their forms are sent, on stores with work of several kinds, on a phone and on a desk.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from cranfield.formats import Document, Topic
from cranfield.store.store import Store
from cranfield.web.organise.section import Done
from cranfield.web.organise.table import SECTIONS
from tests.browser import PHONE, InBrowser, evaluate_again
from tests.web.test_on_a_phone import OF_ORGANISER, answered_store, briefed_store, judged_store, served
from tests.web.test_reading import COVERED, DESK, WORDY

pytestmark = pytest.mark.daily

SENT = """() => [...document.forms].filter((form) => form.method === "post" && !form.action.includes("/download/"))"""
SEND = f"""(number) => {{
  const form = ({SENT})()[number];
  form.noValidate = true;
  setTimeout(() => form.requestSubmit());
}}"""
FORMS = {
    "empty_store": 5,
    "unpooled_store": 7,
    "judged_store": 12,
    "briefed_store": 12,
    "answered_store": 7,
}  # at least
SAYING = {f"/organise/{name}" for name, section in SECTIONS.items() if not section.heavy}  # show messages of forms
MESSAGE = "#notice, .notice, main.message"


def empty_store(path: Path) -> None:
    """A collection with a name."""
    Store.create(path, "empty").close()


def unpooled_store(path: Path) -> None:
    """Documents and topics with long texts, and no runs."""
    with Store.create(path, WORDY) as store:
        store.add_documents(Document(f"d{number}", f"{number} {WORDY}", f"{WORDY}\n" * 5) for number in range(3))
        store.add_topics(Topic(f"a-long-topic-{number}", WORDY, WORDY, WORDY) for number in range(3))


def problems(page: Any, width: int) -> list[str]:
    """The covered texts of a page, and its width if it is wider than the screen."""
    found = list(evaluate_again(page, COVERED))
    wide = evaluate_again(page, "document.documentElement.scrollWidth")
    return found + [f"{wide} pixels wide"] * (wide > width)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("make", [empty_store, unpooled_store, judged_store, briefed_store, answered_store])
def test_no_text_is_covered(
    in_browser: InBrowser, tmp_path: Path, make: Callable[[Path], None], size: dict[str, int]
) -> None:
    """A long message, and the message after each form as it is on the page, show with the whole page."""
    make(tmp_path / "s.db")
    wrong, sent, width = dict[str, list[str]](), list[str](), size["width"]
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=size) as context:
                page = context.new_page()
                page.set_default_timeout(60_000)
                page.goto(f"{base}/enter/{app.access.start_token}")
                page.locator("main").wait_for()
                for address in OF_ORGANISER:
                    keep = partial(app.notices.keep, Done(f"{WORDY}. " * 3, wrong="give" in address))
                    said = urlencode({"said": keep()})
                    page.goto(f"{base}{address}{'&' if '?' in address else '?'}{said}#notice")
                    assert page.locator("#notice").is_visible() or address.partition("?")[0] not in SAYING, address
                    wrong[address] = problems(page, width)
                for address in OF_ORGANISER:
                    page.goto(base + address)
                    for number in range(evaluate_again(page, f"({SENT})().length")):
                        page.goto(base + address)
                        if number >= evaluate_again(page, f"({SENT})().length"):
                            break  # the form went with what it did
                        with page.expect_navigation():
                            page.evaluate(SEND, number)
                        page.get_by_text("This page reloads until").wait_for(state="detached")
                        page.locator(MESSAGE).first.wait_for()
                        wrong[f"{address}, form {number}"] = problems(page, width)
                        sent.append(f"{address}, form {number}")

        in_browser(visit)
    assert {address: texts for address, texts in wrong.items() if texts} == {}
    assert len(sent) >= FORMS[make.__name__], sent
