"""At 390 pixels no message covers what is decided on, and wide tables in documents keep their words whole."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.formats import Document
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append
from tests.browser import PHONE, InBrowser
from tests.judging.cases import pool_of
from tests.stores import new_store
from tests.web.test_in_browser import HELD
from tests.web.test_on_a_phone import served

pytestmark = pytest.mark.daily

SCALE = {
    0: "not relevant: the document says nothing that answers the question, or nothing new",
    1: "relevant: the document answers a part of the question, and says from where it knows that",
}
WORDS = ["Manufacturer", "Description", "Availability", "Warranty", "Compatibility", "Measurements", "Recommended"]
ROW = "  ".join(WORDS)
TEXT = f"{ROW}\n{ROW}"
COVERED = """(chosen) => {
  const box = document.querySelector(chosen).getBoundingClientRect(), covered = [];
  for (let y = Math.max(box.top + 2, 1); y < Math.min(box.bottom, innerHeight); y += 4)
    for (const x of [box.left + 8, (box.left + box.right) / 2])
      if (document.elementFromPoint(x, y)?.closest(".said")) covered.push([Math.round(x), Math.round(y)]);
  return covered;
}"""
HIDDEN_MESSAGE = """() => [...document.querySelectorAll("#said li")].filter((one) => {
  const { left, top, bottom } = one.getBoundingClientRect();
  return [top + 3, bottom - 3].some((y) => !one.contains(document.elementFromPoint(left + 10, y)));
}).map((one) => one.textContent)"""
LINES_OF_CELLS = """() => [...document.querySelectorAll(".block td, .block th")].map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return new Set([...words.getClientRects()].map((line) => Math.round(line.top))).size;
})"""


def layout() -> list[list[Any]]:
    """The layout of a table of two rows and seven columns."""
    regions: list[list[Any]] = [[0, len(TEXT), "table"]]
    for start in (0, len(ROW) + 1):
        regions.append([start, start + len(ROW), "tr"])
        for word in WORDS:
            place = start + ROW.index(word)
            regions.append([place, place + len(word), "td"])
    return regions


def wordy_store(path: Path) -> None:
    """Grades of many words, documents with a wide table, and two people who disagree."""
    docnos = [f"d{number}" for number in range(5)]
    documents = [Document(docno, "Prices", TEXT, metadata={"layout": layout()}) for docno in docnos]
    pool = pool_of({"q1": docnos})
    with new_store(path, "bikes", grades=SCALE, documents=documents, topics={"q1": "tyres"}, pool=pool) as store:
        for grade, name in enumerate(("bo", "cy")):
            add_assessor(store, name)
            append(store, *(Event("label", "q1", docno, name, grade, seconds=9.0) for docno in docnos))


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize(("role", "below"), [("judge", "aside"), ("adjudicate", ".labels li")])
def test_the_message_covers_nothing(in_browser: InBrowser, tmp_path: Path, role: str, below: str, script: bool) -> None:
    """After a decision "Recorded ..." can be read whole, and lies over neither the topic nor label A."""
    wordy_store(tmp_path / "s.db")
    found = dict[str, Any]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=PHONE, java_script_enabled=script) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{app.worker.run_and_wait(partial(invite, assessor='ada', role=role))}")
                page.locator(".grades button").first.wait_for()
                if script:  # which takes no decision on a document that was not seen
                    page.wait_for_timeout(HELD)
                page.locator(".grades button").first.click()
                page.get_by_text("Recorded").first.wait_for()
                found["lines"] = page.locator("#said li").first.bounding_box()["height"] / 22
                found["covered"] = page.evaluate(COVERED, below)
                found["hidden"] = page.evaluate(HIDDEN_MESSAGE)

        in_browser(visit)
    assert found["lines"] > 2, "the message should need more than a line"
    assert found["covered"] == []
    assert found["hidden"] == []


@pytest.mark.parametrize("width", [PHONE["width"], 1280])
def test_a_wide_table_keeps_its_words(in_browser: InBrowser, tmp_path: Path, width: int) -> None:
    """A table of seven columns has a line a cell, scrolls by itself, and makes no page wider."""
    wordy_store(tmp_path / "s.db")
    lines, wide = list[int](), list[bool]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with browser.new_context(viewport=PHONE | {"width": width}) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{app.worker.run_and_wait(partial(invite, assessor='ada'))}")
                page.locator(".block table").first.wait_for()
                lines.extend(page.evaluate(LINES_OF_CELLS))
                wide.append(page.evaluate("document.documentElement.scrollWidth > innerWidth"))

        in_browser(visit)
    assert lines == [1] * 2 * len(WORDS)
    assert wide == [False]
