"""The organiser's pages in a real browser: nothing executes, nothing is fetched from elsewhere, also without script."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from cranfield.formats import Document
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.look.table import VIEWS
from cranfield.web.results import Worker
from tests.browser import InBrowser, axe_finds
from tests.conftest import usually
from tests.web.look.hostile import evil
from tests.web.look.measured import DEPTH, measured_store
from tests.web.look.test_views import PARAMETERS
from tests.web.serving import Serving, computing_here

pytestmark = pytest.mark.full

LIGHT = [name for name, view in VIEWS.items() if not view.heavy]
PAGES = {name: f"/look/{name}?{urlencode(PARAMETERS.get(name, {}))}" for name in LIGHT} | {"organise": "/"}
SCREENS = usually([(390, "dark")], [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
LOOKED_AT = usually({"topic", "documents"}, set(PAGES))  # with axe-core, which takes a second a page


@pytest.fixture(scope="module")
def link(hostile: Path) -> Iterator[str]:
    """The organiser's link to the served store."""
    with closing(Serving(Application(Worker.worker_of_store(hostile)))) as serving:
        yield f"{serving.at.base}/enter/{serving.app.access.start_token}"


def test_every_page_is_inert_and_accessible(in_browser: InBrowser, link: str) -> None:
    """No dialog, no error of the page or of its policy, no request to elsewhere; axe-core finds nothing; nothing is
    wider than the screen."""
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
                problems = axe_finds(page) if name in LOOKED_AT else []
                wrong.extend((address, scheme, one["id"]) for one in problems)
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


BROKEN_WORDS = """() => {
  const broken = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.parentElement.closest("td, th") || !node.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of node.data.matchAll(/\\S{2,12}(?=\\s|$)/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1 && !/-/.test(word)) broken.push(word);
    }
  }
  return broken;
}"""
COLUMNS = 15
TABLES = ("/look/document?docno=wide", "/look/runs", "/look/topics", "/look/pool", "/organise/topics")


FOLDED_TABLES = """() => [...document.querySelectorAll("main .scroll > table")].every((table) => {
  table.classList.add("folded");
  return getComputedStyle(table).display === "table";
})"""


def wide_document(docno: str) -> Document:
    """A document with a table of many columns."""
    words, regions, text = ["measurement"] * COLUMNS, list[list[Any]](), ""
    for row in range(3):
        start = len(text)
        cells = [[start + at * 12, start + at * 12 + 11, "th" if row == 0 else "td"] for at in range(COLUMNS)]
        text += " ".join(words) + "\n"
        regions += [[start, len(text) - 1, "tr"], *cells]
    return Document(docno, text=text, metadata={"layout": [[0, len(text) - 1, "table"], *regions]})


def test_no_table_breaks_its_words(in_browser: InBrowser, tmp_path: Path) -> None:
    """A table that is too wide scrolls in its box: a cell is no column of letters, in views and in documents."""
    with Store.open(measured_store(tmp_path / "s.db")) as store:
        store.add_documents([wide_document("wide")])
    broken = dict[Any, Any]()

    def visit(browser: Any) -> None:
        for width, height in ((1280, 800), (390, 844), (844, 390)):
            with browser.new_context(viewport={"width": width, "height": height}) as context:
                page = context.new_page()
                page.goto(link)
                page.get_by_role("navigation", name="Pages", exact=True).wait_for()
                for address in (
                    "/look/document?docno=wide",
                    "/look/runs",
                    "/look/topics",
                    "/look/pool",
                    "/organise/topics",
                ):
                    page.goto(f"{base}{address}")
                    broken[width, address] = page.evaluate(BROKEN_WORDS)
                    assert page.locator("td").count(), address
                    assert page.evaluate(FOLDED_TABLES), address
                    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address

    with closing(Serving(computing_here(Application(Worker.worker_of_store(tmp_path / "s.db"))))) as serving:
        base, link = serving.at.base, f"{serving.at.base}/enter/{serving.app.access.start_token}"
        in_browser(visit)
    assert {place: words for place, words in broken.items() if words} == {}


NUMBERS = "() => [...document.querySelectorAll('[data-depth]:not([hidden]) dd')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def measured_link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The organiser's link to a store whose every name is hostile."""
    path = measured_store(tmp_path_factory.mktemp("hostile") / "m.db", evil)
    with closing(Serving(computing_here(Application(Worker.worker_of_store(path))))) as serving:
        yield f"{serving.at.base}/enter/{serving.app.access.start_token}"


def test_the_slider_shows_what_the_links_show(in_browser: InBrowser, measured_link: str) -> None:
    """By keyboard the slider goes through the depths, to the addresses that the links have without script."""
    base = measured_link.partition("/enter/")[0]

    def opened(browser: Any, **options: Any) -> Any:
        page = browser.new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        page.goto(measured_link)
        page.wait_for_url(f"{base}/")
        page.goto(f"{base}/look/reusability?measures=P@10")
        page.locator("p.others").wait_for()
        return page

    def visit(browser: Any) -> None:
        plain = opened(browser, java_script_enabled=False)
        links = plain.get_by_role("navigation", name="Pool depths").get_by_role("link")
        assert links.all_inner_texts() == [f"{depth}" for depth in range(1, DEPTH + 1)]
        panels = plain.locator("[data-depth]:not([hidden])")
        assert panels.count() == 1
        whole, second = panels.locator("dd").all_inner_texts(), links.nth(1).get_attribute("href")

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
