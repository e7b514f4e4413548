"""What a page without a server has acknowledged is on disk, also where the browser is killed at any moment."""

import json
import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from cranfield.judging.planning.assign import organise
from cranfield.store.bundles.bundle import merge_bundle
from cranfield.store.log import current
from cranfield.web.offline_page import write_page
from tests.browser import ARGUMENTS, InBrowser
from tests.conftest import EVERY_RUN, usually
from tests.judging.cases import store_of
from tests.judging.frontends.test_conformance import FILLED
from tests.web.offline import CLOCK, opened
from tests.web.test_offline import work_of

KILLS = usually(3, 20)
MOST = 12  # labels of one sitting
JUDGING = """async () => {
    for (;;) {
        document.querySelector(".grades button").click();
        do await new Promise((done) => setTimeout(done)); while (sending);
        console.log("acknowledged", document.querySelector("progress").value);
    }
}"""


@contextmanager
def program(data: Path, browser: Any) -> Iterator[tuple[Any, Callable[[], None]]]:
    """A browser that keeps its data in a folder: a page of it, and what kills it with all its processes."""
    command = [
        "chromium",
        "--headless=new",
        *ARGUMENTS,
        "--no-first-run",
        f"--user-data-dir={data}",
        "--remote-debugging-port=0",
    ]
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as started:

        def kill() -> None:
            with suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)

        try:
            address = next(line.split()[-1] for line in started.stderr or () if line.startswith("DevTools listening"))
            page = browser.browser_type.connect_over_cdp(address).contexts[0].new_page()
            page.add_init_script(CLOCK)
            yield page, kill
        finally:
            kill()


def sitting(browser: Any, data: Path, path: Path, after: int) -> tuple[int, int]:
    """How many labels a page has when it is opened, and has acknowledged when it is killed `after` so many."""
    heard: list[int] = []
    with program(data, browser) as (page, kill):

        def hear(message: Any) -> None:
            heard.append(int(message.text.split()[-1]))
            if len(heard) == after:
                kill()

        page.on("console", hear)
        page.goto(path.as_uri())
        page.locator(".place").wait_for()
        there = page.evaluate("log.lines.length")
        with suppress(Exception):  # the browser is gone
            page.evaluate(JUDGING) if after else None
    return there, heard[-1] if after else there


def test_no_acknowledged_label_is_lost(in_browser: InBrowser, tmp_path: Path) -> None:
    """A browser is killed while somebody judges, over and over: what it had acknowledged is there when it is opened."""
    moments = [random.randint(1, MOST) if EVERY_RUN else number + 1 for number in range(KILLS)]
    path, data = tmp_path / "ada.html", tmp_path / "browser"

    def visit(browser: Any) -> list[tuple[int, int]]:
        return [sitting(browser, data, path, moment) for moment in [*moments, 0]]

    with store_of({"q1": [f"d{number:03}" for number in range(2 * MOST * KILLS)]}) as store:
        organise(store, ["ada"])
        write_page(store, path, "ada")
    sittings = in_browser(visit)
    for (_, acknowledged), (there, _) in pairwise(sittings):
        assert there >= acknowledged
    assert sittings[-1][0] >= sum(moments)


def test_what_an_older_page_kept_is_taken_over(in_browser: InBrowser, tmp_path: Path) -> None:
    """Its labels were in localStorage: they are there, once, and in the download."""
    path = tmp_path / "ada.html"
    lines: list[str] = []

    def visit(browser: Any) -> None:
        with opened(browser, path) as page:
            page.judge("12", FILLED)
            lines.extend(page.page.evaluate("log.lines"))
            name = page.page.evaluate("log.name")
        older = {f"{name} {number}": line for number, line in enumerate(lines, 1)} | {f"{name} saved": "2"}
        with opened(browser, path, f"{CLOCK}; Object.assign(localStorage, {json.dumps(older)})") as page:
            page.at("q1", 3)
            page.judge("0", FILLED)
            page.page.reload()
            page.at("q2", 1)
            page.page.locator("header").get_by_text("3 not downloaded yet").wait_for()
            page.download(tmp_path / "ada.jsonl")

    with work_of() as store:
        write_page(store, path, "ada")
        in_browser(visit)
        assert (tmp_path / "ada.jsonl").read_text().splitlines()[1:3] == lines
        assert merge_bundle(store, tmp_path / "ada.jsonl").new == 3
        assert sorted(event.grade or 0 for event in current(store, "ada").values()) == [0, 1, 2]


CANNOT = {
    "it has no IndexedDB": "Object.defineProperty(window, 'indexedDB', { value: undefined })",
    "it does not tell when something is on disk": (
        "Object.defineProperty(IDBTransaction.prototype, 'durability', { value: undefined })"
    ),
    "not in a private window": (
        "IDBFactory.prototype.open = () => { throw new DOMException('not in a private window', 'InvalidStateError'); }"
    ),
}


def test_where_nothing_is_kept_it_does_not_start(in_browser: InBrowser, tmp_path: Path) -> None:
    """It says why; there is no document to judge, and nothing to download."""

    def visit(browser: Any) -> None:
        for why, script in CANNOT.items():
            with opened(browser, tmp_path / "ada.html", script) as page:
                said = page.page.locator("#unkept")
                said.get_by_text("This page does not start").wait_for()
                assert why in said.inner_text()
                assert not page.page.locator(".place, button:visible").count()

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
    in_browser(visit)


def test_what_is_not_downloaded_is_said(in_browser: InBrowser, tmp_path: Path) -> None:
    """It is worked out from the log, so it is right after a loss; the end of a topic reminds of it."""

    def visit(browser: Any) -> None:
        with opened(browser, tmp_path / "ada.html") as page:
            header = page.page.locator("header")
            header.get_by_text("nothing to download yet").wait_for()
            page.judge("12", FILLED)
            header.get_by_text("2 not downloaded yet", exact=True).wait_for()
            page.judge("0", FILLED)
            header.get_by_text("3 not downloaded yet; topic q1 is done: download now").wait_for()
            assert "Topic q1 is done: download your work now." in page.page.locator("#announced").inner_text()
            page.download(tmp_path / "ada.jsonl")
            page.page.reload()
            header.get_by_text("everything is in your last download").wait_for()
            page.judge("u", FILLED)
            header.get_by_text("1 not downloaded yet", exact=True).wait_for()
            page.page.evaluate("log.change((lines) => answer(lines.delete(3)))")  # as after a loss
            page.page.evaluate("log.change((lines) => answer(lines.delete(4)))")
            page.page.reload()
            header.get_by_text("2 not downloaded yet", exact=True).wait_for()

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
    in_browser(visit)
