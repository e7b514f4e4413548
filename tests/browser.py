"""Debian's chromium, started once in a process of the tests; without it what needs it is skipped."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
Visit = Callable[[Any], Any]  # what to do with a browser
InBrowser = Callable[[Visit], Any]


@pytest.fixture(scope="session")
def in_browser() -> Iterator[InBrowser]:
    """Call a function with the browser, in a thread of its own, so that its event loop disturbs no other."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs chromium, which is not here (apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (pip install '.[browser]')")
    with ThreadPoolExecutor(1) as thread:
        driver = thread.submit(lambda: playwright.sync_playwright().start()).result()
        browser = thread.submit(lambda: driver.chromium.launch(executable_path=program, args=ARGUMENTS)).result()
        yield lambda visit: thread.submit(visit, browser).result()
        thread.submit(lambda: (browser.close(), driver.stop())).result()
