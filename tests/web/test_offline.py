"""Judging without a server: the page in a real browser, and its download back in the store."""

import json
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import InputError
from cranfield.judging.planning.assign import organise
from cranfield.store.bundles.bundle import merge_bundle
from cranfield.store.chain import Event
from cranfield.store.log import Criterion, criteria, current, set_guidelines
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.offline_page import write_page
from tests.browser import InBrowser
from tests.conftest import usually
from tests.judging.cases import POOLED, at, comparable, session_of, store_of
from tests.judging.frontends.test_conformance import COMMANDS, FILLED, SCRIPTS, TEXTS
from tests.web.offline import Offline, opened

SHORT = "m 2 n e 0 u U s x4 H h 1 c N 1 l2 1 u u U -1 1 1 u"
EVERY = [key for name in SCRIPTS if name != "docno" for key in [*SCRIPTS[name].split(), "u", "u", "u"]]
KEYS = usually(SHORT.split(), EVERY)  # a page does not have docnos


def work_of() -> Store:
    """A store whose work is ada's."""
    store = store_of(texts=TEXTS)
    organise(store, ["ada"])
    return store


def told(events: list[Event]) -> list[Event]:
    """Events without what differs between front ends."""
    return [event._replace(input="", event_id="", seconds=None) for event in events]


def by_session(keys: list[str]) -> tuple[list[Event], list[Criterion]]:
    """The log and the criteria of the same keys in a session."""
    store = store_of(texts=TEXTS)
    session = session_of(store, order="hash")
    for key in keys:
        with suppress(InputError):
            COMMANDS[key](session) if key in COMMANDS else at(session).grade(int(key))
    diary = [one._replace(at="") for qid in POOLED for one in criteria(store, qid, "ada")]
    return list(comparable(store)), diary


def test_the_same_keys_give_the_same_log(in_browser: InBrowser, tmp_path: Path) -> None:
    """What is brought back from a page is what the session records, and the chain holds."""

    def visit(browser: Any) -> None:
        with opened(browser, tmp_path / "ada.html") as page:
            page.judge(KEYS, FILLED)
            page.download(tmp_path / "ada.jsonl")

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
        in_browser(visit)
        merged = merge_bundle(store, tmp_path / "ada.jsonl")
        log, diary = by_session(KEYS)
        assert told(list(comparable(store))) == told(log)
        assert merged.new == len(log)
        assert [one._replace(at="") for qid in POOLED for one in criteria(store, qid, "ada")] == diary
        assert verify(store).events == len(log)


WATCH = "performance.now = () => 1000 * (window.moment ?? 0)"
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOWN = ["1", "e", "c", "n", "l0"]  # a document with evidence, a criterion, a note, and something that is said
CLEAR = """() => new Promise((done, failed) => {
    const cleared = indexedDB.deleteDatabase(log.name);
    cleared.onsuccess = done;
    cleared.onerror = cleared.onblocked = failed;
})"""
FULL = """(full) => {
    window.put ??= IDBObjectStore.prototype.put;
    const fail = () => { throw new DOMException("no room", "QuotaExceededError"); };
    IDBObjectStore.prototype.put = full ? fail : window.put;
}"""


def test_what_is_kept(in_browser: InBrowser, tmp_path: Path) -> None:
    """Work is there after a reload and in a second window; what cannot be kept is said, and can be downloaded.

    Time while the page is hidden is not active time.
    """

    def visit(browser: Any) -> None:
        path = tmp_path / "ada.html"
        with opened(browser, path) as one:
            one.judge(["1", "-1"], FILLED)
            one.page.reload()
            one.at("q1", 3)
            two = Offline(one.page.context.new_page(), path)
            two.judge(["u"], FILLED)
            one.page.locator("#said").get_by_text("Another window with this page recorded something.").wait_for()
            two.page.close()
            one.at("q1", 2)
            one.page.evaluate(CLEAR)
            one.judge(["2"], FILLED)
            one.page.reload()
            one.at("q1", 3)
            one.page.evaluate(FULL, True)
            one.judge(["0"], FILLED)
            one.page.get_by_text("Not recorded: this browser did not keep it. Why: no room").wait_for()
            one.at("q1", 3)
            one.page.evaluate(FULL, False)
            one.judge(["0"], FILLED)
            one.at("q2", 1)
            one.download(tmp_path / "ada.jsonl")
        with opened(browser, path, WATCH) as four:
            four.at("q1", 1)
            for moment, hidden in ((10, True), (500, False)):
                four.page.evaluate(f"window.moment = {moment}")
                four.page.evaluate(HIDE, hidden)
            four.page.evaluate("window.moment = 505")
            four.judge(["1"], FILLED)
            assert "judged 1" in four.page.locator("header").inner_text()
            four.download(tmp_path / "timed.jsonl")

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
        in_browser(visit)
        assert merge_bundle(store, tmp_path / "ada.jsonl").new == 5
        assert {event.grade for event in current(store, "ada").values()} == {0, 1, 2}
    assert json.loads((tmp_path / "timed.jsonl").read_text().splitlines()[1])["seconds"] == 15


def test_anybody_can_use_it(in_browser: InBrowser, tmp_path: Path) -> None:
    """axe finds nothing in either theme, wide or narrow; nothing is cut off; without script it says what it needs."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe, which is not here").Axe()

    def visit(browser: Any) -> list[str]:
        found = []
        for width, scheme in usually([(390, "dark")], list(product((1280, 390), ("light", "dark")))):
            look: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
            with opened(browser, tmp_path / "ada.html", bypass_csp=True, **look) as one:
                for keys in usually([SHOWN], [SHOWN, [*"0s222222"]]):
                    one.judge(keys, FILLED)
                    found += [wrong["id"] for wrong in axe.run(one.page).response["violations"]]
                if one.page.evaluate("document.documentElement.scrollWidth") > width:
                    found.append(f"wider than {width}")
        with browser.new_context(java_script_enabled=False) as context:
            bare = context.new_page()
            bare.goto((tmp_path / "ada.html").as_uri())
            assert bare.locator("body").inner_text().startswith("This page needs JavaScript")
        return found

    with work_of() as store:
        set_guidelines(store, "Read all of it.")
        write_page(store, tmp_path / "ada.html", "ada")
    assert in_browser(visit) == []
