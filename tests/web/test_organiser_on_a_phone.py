"""The organiser's pages on a phone: wide tables fade where they continue, rows stay low, and no choice is cut."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.store import Store
from tests.browser import CONTROLS, OUT_OF_REACH, PHONE, InBrowser
from tests.conftest import usually
from tests.features.tasks.test_in_browser import PAGES as TASK_PAGES
from tests.features.tasks.test_in_browser import results_out
from tests.features.tasks.track import Track, run_lines, serve
from tests.web.test_on_a_phone import OF_ORGANISER, answered_store, judged_store, pooled, served

pytestmark = pytest.mark.full

ADDRESSES = usually(["/", "/organise/links", "/organise/topics", "/look/assigned"], OF_ORGANISER)
WIDE = """() => [...document.querySelectorAll(".scroll")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 2)"""
UNFADED = f"""() => ({WIDE})().filter((box) => !getComputedStyle(box).maskImage.includes("gradient"))
  .map((box) => box.querySelector("table")?.id ?? box.outerHTML.slice(0, 80))"""
HARD_BARS = f"""() => {{
  const root = getComputedStyle(document.documentElement), probe = document.createElement("i");
  const color = (name) => {{ probe.style.color = `var(--${{name}})`; return getComputedStyle(probe).color; }};
  document.body.append(probe);
  const faint = [color("paper"), color("grid"), "rgba(0, 0, 0, 0)"];
  return ({WIDE})().flatMap((box) => getComputedStyle(box).backgroundImage.match(/rgba?\\([^)]*\\)/g) ?? [])
    .filter((shade) => !faint.includes(shade));
}}"""
HIGH_ROWS = """(most) => [...document.querySelectorAll("tbody tr")]
  .filter((row) => row.checkVisibility() && row.getBoundingClientRect().height > most).map((row) => row.innerText)"""
CUT_CELLS = """(table) => [...document.querySelectorAll(`#${table} td`)]
  .filter((cell) => cell.getBoundingClientRect().right > innerWidth).map((cell) => cell.innerText)"""
CUT_CHOICES = """() => [...document.querySelectorAll("main select")].filter((one) => one.checkVisibility())
  .filter((one) => {
    const whole = one.cloneNode(true);
    whole.style.cssText = "position: absolute; width: max-content; min-width: 0; max-width: none";
    one.parentElement.append(whole);
    const isCut = one.offsetWidth < whole.offsetWidth;
    whole.remove();
    return isCut;
  }).map((one) => one.name)"""
BROKEN_DATES = """() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), broken = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.parentElement.closest("td, dd")) continue;
    for (const { 0: date, index } of node.data.matchAll(/\\d{4}-\\d\\d-\\d\\d( \\d\\d:\\d\\d)?/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + date.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(date);
    }
  }
  return broken;
}"""


def labelled_by_a_model(path: Path) -> None:
    """The labels of two people, and those of a model."""
    judged_store(path)
    with Store.open(path) as store:
        add_assessor(store, "canary", "model")
        append(store, *(Event("label", "q1", docno, "canary", 1, seconds=None) for docno in pooled(store)[:3]))


def open_organiser(browser: Any, base: str, token: str, **options: Any) -> Any:
    """A page of the organiser on a phone."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{base}/enter/{token}")
        page.locator("main").wait_for()
        cookies = context.cookies()
    context = browser.new_context(viewport=PHONE, **options)
    context.add_cookies(cookies)
    return context.new_page()


def test_a_wide_table_fades(in_browser: InBrowser, tmp_path: Path) -> None:
    """On every page; without a script no dark bar covers the text."""
    judged_store(tmp_path / "s.db")
    unfaded, bars, wide = dict[str, list[str]](), dict[str, list[str]](), 0
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            nonlocal wide
            page = open_organiser(browser, base, app.access.start_token)
            for address in ADDRESSES:
                page.goto(base + address)
                page.wait_for_load_state()
                wide += page.evaluate(f"({WIDE})().length")
                unfaded[address], bars[address] = page.evaluate(UNFADED), page.evaluate(HARD_BARS)
            page.context.close()
            page = open_organiser(browser, base, app.access.start_token, java_script_enabled=False)
            page.goto(f"{base}/")
            assert page.evaluate(f"({WIDE})().length")
            bars["no script"] = page.evaluate(HARD_BARS)
            page.context.close()

        in_browser(visit)
    assert wide > 2
    assert {address: tables for address, tables in unfaded.items() if tables} == {}
    assert {address: shades for address, shades in bars.items() if shades} == {}


def test_rows_about_people_are_low(in_browser: InBrowser, tmp_path: Path) -> None:
    """Small print does not become a column of words, where nobody has a forecast yet."""
    answered_store(tmp_path / "s.db")
    high = list[str]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            page = open_organiser(browser, base, app.access.start_token)
            page.goto(f"{base}/")
            page.get_by_text("fewer than 10 timed labels").first.wait_for()
            high.extend(page.evaluate(HIGH_ROWS, 80))
            page.context.close()

        in_browser(visit)
    assert high == []


def test_the_verdict_on_a_model_is_in_sight(in_browser: InBrowser, tmp_path: Path) -> None:
    """Each model is a card, whose verdict is not beside the screen."""
    labelled_by_a_model(tmp_path / "s.db")
    cut = list[str]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            page = open_organiser(browser, base, app.access.start_token)
            page.goto(f"{base}/look/models")
            page.locator("#models td[data-head=verdict]").wait_for()
            cut.extend(page.evaluate(CUT_CELLS, "models"))
            assert page.evaluate(OUT_OF_REACH, CONTROLS) == []
            page.context.close()

        in_browser(visit)
    assert cut == []


def test_dates_of_a_task_stay_whole(in_browser: InBrowser) -> None:
    """The organiser and the teams read each date in one line, with its time zone."""
    broken, unfaded = dict[str, list[str]](), dict[str, list[str]]()
    with closing(Track()) as track, serve(track) as base:
        track.upload("cuni", run_lines("run0"))
        results_out(track)

        def visit(browser: Any) -> None:
            page = open_organiser(browser, base, track.app.access.start_token)
            page.goto(f"{base}/team/enter/{track.tokens['cuni']}")
            page.wait_for_url(f"{base}/team")
            for address in TASK_PAGES:
                page.goto(base + address)
                broken[address], unfaded[address] = page.evaluate(BROKEN_DATES), page.evaluate(UNFADED)
                assert page.evaluate(OUT_OF_REACH, CONTROLS) == []
            received = page.locator("#submissions td[data-head=received]").all_inner_texts()
            assert received
            assert all(text.endswith(" UTC") for text in received)
            page.context.close()

        in_browser(visit)
    assert {address: dates for address, dates in broken.items() if dates} == {}
    assert {address: tables for address, tables in unfaded.items() if tables} == {}


def test_no_choice_is_cut(in_browser: InBrowser, tmp_path: Path) -> None:
    """A select box is as wide as its longest choice."""
    answered_store(tmp_path / "s.db")
    cut = dict[str, list[str]]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            page = open_organiser(browser, base, app.access.start_token)
            for address in usually([f"/look/answer-{name}" for name in ("systems", "compare")], OF_ORGANISER):
                page.goto(base + address)
                cut[address] = page.evaluate(CUT_CHOICES)
            page.context.close()

        in_browser(visit)
    assert {address: names for address, names in cut.items() if names} == {}
