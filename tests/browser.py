"""Debian's chromium, started once in a process of the tests; without it what needs it is skipped.

Its headless shell opens a page with a third of the work, as it draws no window around it.
"""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
SMALL_TEXT = """() => {
  const SEEN = { visibilityProperty: true };
  const found = new Set(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const own = node.parentElement, style = getComputedStyle(own);
    const unseen = own.closest("script, style, title, desc, noscript") || !own.checkVisibility(SEEN);
    if (!node.textContent.trim() || unseen || style.color === "rgba(0, 0, 0, 0)") continue;
    const size = parseFloat(style.fontSize) * (own.ownerSVGElement ? own.getScreenCTM().a : 1);
    if (size < 11.95) found.add(`${size.toFixed(1)} ${own.tagName} ${node.textContent.trim().slice(0, 30)}`);
  }
  return [...found];
}"""
CONTROLS = "a[href], button, input, select, summary, textarea"
OUT_OF_REACH = """(controls) => [...document.querySelectorAll(controls)].filter((one) => {
  if (one.matches(".skip, [type=hidden], :disabled") || !one.checkVisibility({ visibilityProperty: true })) return;
  one.scrollIntoView({ block: "center", inline: "center" });
  const { left, top, width, height } = one.getClientRects()[0];
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return !hit || !(one.contains(hit) || hit.closest("label")?.contains(one));
}).map((one) => one.outerHTML.slice(0, 80))"""
Visit = Callable[[Any], Any]  # what to do with a browser
InBrowser = Callable[[Visit], Any]


def misfits(page: Any) -> list[str]:
    """What is wrong with a page on a telephone: it is wider, has text below 12 pixels or with backquotes, as commands
    have in a terminal, or a control out of reach.
    """
    page.set_viewport_size(PHONE)
    width = page.evaluate("document.documentElement.scrollWidth")
    wide = [f"{width} pixels wide"] if width > PHONE["width"] else []
    backquotes = [line for line in page.inner_text("body").splitlines() if "`" in line]
    return [*wide, *backquotes, *page.evaluate(SMALL_TEXT), *page.evaluate(OUT_OF_REACH, CONTROLS)]


def axe_finds(page: Any) -> list[dict[str, Any]]:
    """What axe-core finds wrong with a page; without it the test is skipped."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    violations: list[dict[str, Any]] = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return violations


def evaluate_again(page: Any, script: str) -> Any:
    """The value of a script on a page that may just load itself again; then it is evaluated on the new page."""
    from playwright.sync_api import Error

    try:
        return page.evaluate(script)
    except Error as error:
        if "navigation" not in str(error):
            raise
        page.wait_for_load_state()
        return page.evaluate(script)


def fits_a_phone(page: Any) -> None:
    """Fail where anything is wrong with a page on a telephone."""
    assert misfits(page) == []


@pytest.fixture(scope="session")
def in_browser() -> Iterator[InBrowser]:
    """Call a function with the browser, in a thread of its own, so that its event loop disturbs no other."""
    if PROGRAM is None:
        pytest.skip("needs chromium, which is not here (apt-get install chromium-headless-shell)")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (pip install '.[browser]')")
    with ThreadPoolExecutor(1) as thread:
        driver = thread.submit(lambda: playwright.sync_playwright().start()).result()
        browser = thread.submit(lambda: driver.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)).result()
        yield lambda visit: thread.submit(visit, browser).result()
        thread.submit(lambda: (browser.close(), driver.stop())).result()
