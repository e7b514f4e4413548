"""Judging without a server: the page in a real browser, what it keeps on disk, and its download back in the store."""

import json
import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from cranfield.judging.labels.pairs import ADJUDICATION, evidence_of
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.bundles.bundle import merge_bundle
from cranfield.store.chain import Event
from cranfield.store.log import Criterion, append, criteria, current_decisions, set_guidelines
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.offline_page import write_page
from tests.browser import ARGUMENTS, PROGRAM, InBrowser, axe_finds
from tests.conftest import usually
from tests.judging.cases import POOLED, comparable, session_of, store_of
from tests.judging.frontends.test_conformance import FILLED, SCRIPTS, TEXTS, perform
from tests.web.offline import CLOCK, Offline, opened

pytestmark = pytest.mark.full

SHORT = "m 2 n e 0 u U s x4 H h 1 c N 1 l2 1 u u U -1 1 1 u"
EVERY = [key for name in SCRIPTS if name != "docno" for key in [*SCRIPTS[name].split(), "u", "u", "u"]]
KEYS = usually(SHORT.split(), EVERY)  # a page does not have docnos


def work_of() -> Store:
    """A store whose work is ada's."""
    store = store_of(texts=TEXTS)
    assign_topics_to_assessors(store, ["ada"])
    return store


def decisions_of(events: list[Event]) -> list[Event]:
    """Events without what differs between front ends."""
    return [event._replace(input="", event_id="", seconds=None) for event in events]


def by_session(keys: list[str]) -> tuple[list[Event], list[Criterion]]:
    """The log and the criteria of the same keys in a session."""
    store = store_of(texts=TEXTS)
    session = session_of(store, order="hash")
    perform(keys, session)
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
        merge = merge_bundle(store, tmp_path / "ada.jsonl")
        log, diary = by_session(KEYS)
        assert decisions_of(list(comparable(store))) == decisions_of(log)
        assert merge.new == len(log)
        assert [one._replace(at="") for qid in POOLED for one in criteria(store, qid, "ada")] == diary
        assert verify(store).events == len(log)


def test_undo_takes_back_no_adjudication(in_browser: InBrowser, tmp_path: Path) -> None:
    """As in a session: what ada settled as an adjudicator is decided, and is not the decision that undo means."""
    disabled: list[bool] = []

    def visit(browser: Any) -> None:
        with opened(browser, tmp_path / "ada.html") as page:
            page.at("q1", 2)
            disabled.append(page.page.locator("[formaction=undo]").is_disabled())

    with work_of() as store:
        first = session_of(store, order="hash").pair
        assert first
        append(store, Event("cannot-judge", *first, "ada", reason="torn", source=ADJUDICATION))
        write_page(store, tmp_path / "ada.html", "ada")
        in_browser(visit)
    assert disabled == [True]


WATCH = "performance.now = () => 1000 * (window.moment ?? 0)"
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
EVERY_PART = ["1", "e", "c", "n", "l0"]  # a document with evidence, a criterion, a note, and something that is said
CLEAR = """() => new Promise((done, failed) => {
    const cleared = indexedDB.deleteDatabase(log.name);
    cleared.onsuccess = done;
    cleared.onerror = cleared.onblocked = failed;
})"""
TYPE = """(values) => {
    const field = (name) => document.querySelector(`#part [name=${name}]`);
    for (const [name, value] of Object.entries(values)) field(name).value = value;
}"""
FULL = """(full) => {
    window.put ??= IDBObjectStore.prototype.put;
    const fail = () => { throw new DOMException("no room", "QuotaExceededError"); };
    IDBObjectStore.prototype.put = full ? fail : window.put;
}"""


def test_what_is_kept(in_browser: InBrowser, tmp_path: Path) -> None:
    """Work is there after a reload and in a second window; what cannot be kept is said, and can be downloaded.

    All that is typed comes with whatever is pressed; what another window makes out of date can be copied.
    Time while the page is hidden is not active time.
    """

    def visit(browser: Any) -> None:
        path = tmp_path / "ada.html"
        with opened(browser, path) as one:
            one.judge(["1", "-1"], FILLED)
            one.page.reload()
            one.at("q1", 3)
            two = Offline(one.page.context.new_page(), path)
            one.page.evaluate(TYPE, {"note": "half a note"})
            two.judge(["u"], FILLED)
            one.page.locator("#said").get_by_text("Another window with this page recorded a decision.").wait_for()
            one.page.locator("#said").get_by_text("Not recorded: half a note", exact=True).wait_for()
            two.page.close()
            one.at("q1", 2)
            one.page.evaluate(TYPE, {"criterion": "chains", "note": "mine", "words": "not there"})
            one.judge(["0"], FILLED)
            one.page.locator("#said").get_by_text("Not recorded: the document does not contain").wait_for()
            assert one.page.locator("[name=words]").input_value() == "not there"
            one.page.evaluate(TYPE, {"words": "text of"})
            one.page.evaluate(CLEAR)
            one.judge(["2"], FILLED)
            one.page.reload()
            one.at("q1", 3)
            one.page.evaluate(FULL, True)
            one.judge(["0"], FILLED)
            one.page.get_by_text("Not recorded: this browser did not save your action. Why: no room").wait_for()
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
            assert "judged 1" in four.page.locator("[data-fill=counts]").text_content()
            four.download(tmp_path / "timed.jsonl")

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
        in_browser(visit)
        assert merge_bundle(store, tmp_path / "ada.jsonl").new == 7
        assert {event.grade for event in current_decisions(store, "ada").values()} == {0, 1, 2}
        (noted,) = [event for event in current_decisions(store, "ada").values() if event.note]
        assert (noted.grade, [quote.quote for quote in evidence_of(noted)]) == (2, ["text of"])
        assert [one.text for one in criteria(store, "q1", "ada")] == ["chains"]
    assert json.loads((tmp_path / "timed.jsonl").read_text().splitlines()[1])["seconds"] == 15


def test_anybody_can_use_it(in_browser: InBrowser, tmp_path: Path) -> None:
    """axe finds nothing in either theme, wide or narrow; nothing is cut off; without script it says what it needs."""

    def visit(browser: Any) -> list[str]:
        problems = []
        for width, scheme in usually([(390, "dark")], list(product((1280, 390), ("light", "dark")))):
            look: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
            with opened(browser, tmp_path / "ada.html", bypass_csp=True, **look) as one:
                for keys in usually([EVERY_PART], [EVERY_PART, [*"0s222222"]]):
                    one.judge(keys, FILLED)
                    problems += [wrong["id"] for wrong in axe_finds(one.page)]
                if one.page.evaluate("document.documentElement.scrollWidth") > width:
                    problems.append(f"wider than {width}")
        with browser.new_context(java_script_enabled=False) as context:
            bare = context.new_page()
            bare.goto((tmp_path / "ada.html").as_uri())
            assert bare.locator("body").inner_text().startswith("This page needs JavaScript")
        return problems

    with work_of() as store:
        set_guidelines(store, "Read all of it.")
        write_page(store, tmp_path / "ada.html", "ada")
    assert in_browser(visit) == []


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
    own = ["--no-first-run", f"--user-data-dir={data}", "--remote-debugging-port=0"]
    command, output = [str(PROGRAM), "--headless=new", *ARGUMENTS, *own], subprocess.DEVNULL
    with subprocess.Popen(command, start_new_session=True, stdout=output, stderr=subprocess.PIPE, text=True) as process:

        def kill() -> None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        try:
            address = next(line.split()[-1] for line in process.stderr or () if line.startswith("DevTools listening"))
            page = browser.browser_type.connect_over_cdp(address).contexts[0].new_page()
            page.add_init_script(CLOCK)
            yield page, kill
        finally:
            kill()


def sitting(browser: Any, data: Path, path: Path, after: int) -> tuple[int, int]:
    """How many labels a page has when it is opened, and has acknowledged when it is killed `after` so many."""
    statuses: list[int] = []
    with program(data, browser) as (page, kill):

        def hear(message: Any) -> None:
            statuses.append(int(message.text.split()[-1]))
            if len(statuses) == after:
                kill()

        page.on("console", hear)
        page.goto(path.as_uri())
        page.locator(".place").wait_for()
        there = page.evaluate("log.lines.length")
        with suppress(Exception):  # the browser is gone
            page.evaluate(JUDGING) if after else None
    return there, statuses[-1] if after else there


def test_no_acknowledged_label_is_lost(in_browser: InBrowser, tmp_path: Path) -> None:
    """A browser is killed while somebody judges, over and over: what it had acknowledged is there when it is opened."""
    moments = [usually(number + 1, random.randint(1, MOST)) for number in range(KILLS)]
    path, data = tmp_path / "ada.html", tmp_path / "browser"

    def visit(browser: Any) -> list[tuple[int, int]]:
        return [sitting(browser, data, path, moment) for moment in [*moments, 0]]

    with store_of({"q1": [f"d{number:03}" for number in range(2 * MOST * KILLS)]}) as store:
        assign_topics_to_assessors(store, ["ada"])
        write_page(store, path, "ada")
    sittings = in_browser(visit)
    for (_, labels), (there, _) in pairwise(sittings):
        assert there >= labels
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
        assert sorted(event.grade or 0 for event in current_decisions(store, "ada").values()) == [0, 1, 2]


CANNOT = {
    "it has no IndexedDB": "Object.defineProperty(window, 'indexedDB', { value: undefined })",
    "it does not report when data is on disk": (
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
                warning = page.page.locator("#unkept")
                warning.get_by_text("This page cannot start").wait_for()
                assert why in warning.inner_text()
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
            header.get_by_text("everything is in your last download").wait_for()  # the page has recorded it
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
