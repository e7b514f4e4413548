"""The site in a browser: axe finds nothing, no page is wider than the screen."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.browser import InBrowser
from tests.conftest import ROOT, usually

FEW = ("choosing", "search")  # wide tables, and a page of Furo's own
OTHERS = "*reference*,guides,gallery.md,recipes.md,tutorial.md,[m-p]*.md,[a-b]*.md,[d-h]*.md,json.md,sql.md,build"
SCREENS = usually([(390, "dark")], [*product((1280, 390), ("light", "dark"))])


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


def test_axe_finds_nothing(in_browser: InBrowser, site: Path) -> None:
    """Wide and narrow, light and dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    pages = usually([site / f"{name}.html" for name in FEW], sorted(site.rglob("*.html")))

    def visit(browser: Any) -> list[str]:
        found = []
        for width, scheme in SCREENS:
            page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
            for path in pages:
                page.goto(path.as_uri())
                wrong = axe.run(page).response["violations"]
                found += [f"{path.name} {width} {scheme}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in wrong]
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    found.append(f"{path.name} is wider than {width}")
        return found

    assert in_browser(visit) == []
