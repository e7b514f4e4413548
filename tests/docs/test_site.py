"""The site in a browser: axe finds nothing, no page is wider than the screen."""

import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.browser import InBrowser, axe_finds
from tests.conftest import ROOT, usually

pytestmark = pytest.mark.daily

FEW = ("measure/choose", "search")  # wide tables, and a page of Furo's own
FOLDERS = "start,build,judge,share,operate,online,explanation,reference"
OTHERS = (
    f"{FOLDERS},measure/[d-z]*,measure/ci.md,architecture.md,extending.md"  # the pages that a quick site leaves out
)
SCREENS = usually([(390, "dark")], [*product((1280, 390), ("light", "dark"))])
FEWER = """() => {
    const seen = {};
    const place = (one) =>
        (one.matches('article') ? '' : place(one.parentElement)) + `${one.tagName}.${one.className} `;
    const alike = 'article :is(tbody tr, p, li, dl.py, span, code):not(th *, h1 *, h2 *, h3 *)';
    for (const one of document.querySelectorAll(alike)) {
        if (one.isConnected) {
            const where = place(one);
            seen[where] = (seen[where] || 0) + 1;
            if (seen[where] > 3) { (one.closest('a') || one).remove(); }
        }
    }
}"""  # what looks like three others: contrast takes axe long


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few pages of it, or all."""
    if find_spec("furo") is None:
        pytest.skip("needs Sphinx and Furo (pip install '.[docs]')")
    folder = tmp_path_factory.mktemp("site")
    few = usually(["-D", f"exclude_patterns={OTHERS}"], ["-W"])
    command = [sys.executable, "-m", "sphinx", "-q", "-d", f"{folder}/doctrees", *few, "docs", f"{folder}/html"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder / "html"


def test_options_and_quotes_are_as_typed(site: Path) -> None:
    """No dash of print where an option has two, no curled quote; what is written so in a page is written so there."""
    pages = {path.stem: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert "--for" in pages["choose"]
    assert [
        name for name, text in pages.items() if re.search("[\u2013\u2014][a-z]|[\u2018\u2019\u201c\u201d]", text)
    ] == []


def test_what_is_typed_can_be_copied(in_browser: InBrowser, site: Path) -> None:
    """Each block of commands has a button, which copies it as it is."""

    def visit(browser: Any) -> None:
        page = browser.new_page()
        page.goto((site / "measure" / "choose.html").as_uri())
        command = page.locator("article div.highlight pre").first.inner_text()
        assert page.locator("button.copybtn").count() == page.locator("article div.highlight").count()
        page.locator("div.highlight").first.hover()
        page.locator("button.copybtn").first.click()
        page.evaluate("document.body.append(document.createElement('textarea'))")
        page.locator("textarea").focus()
        page.keyboard.press("Control+V")
        assert page.locator("textarea").input_value().strip() == command.strip() != ""

    in_browser(visit)


def test_axe_finds_nothing(in_browser: InBrowser, site: Path) -> None:
    """Wide and narrow, light and dark; of what is in the same place of the page, three are enough."""
    pages = usually([site / f"{name}.html" for name in FEW], sorted(site.rglob("*.html")))

    def visit(browser: Any) -> list[str]:
        faults, page = [], browser.new_page()
        for path in pages:
            page.goto(path.as_uri())
            for width in {width for width, _ in SCREENS}:
                page.set_viewport_size({"width": width, "height": 900})
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    faults.append(f"{path.name} is wider than {width}")
            page.evaluate(FEWER)
            for width, scheme in SCREENS:
                page.set_viewport_size({"width": width, "height": 900})
                page.emulate_media(color_scheme=scheme)
                where = f"{path.name} {width} {scheme}"
                faults += [f"{where}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in axe_finds(page)]
        return faults

    assert in_browser(visit) == []
