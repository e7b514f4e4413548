"""Active time: one rule for the terminal, the browser and the page without a server, by clocks that are told it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from textual.events import AppBlur, AppFocus

from cranfield.judging.session.active_time import IDLE, ActiveTime
from cranfield.store.log import events
from cranfield.store.store import Store
from cranfield.web.offline_page import write_page
from cranfield.web.open_sessions import OpenSessions
from cranfield.web.templates import asset
from tests.browser import InBrowser
from tests.judging.cases import Clock, session_of, store_of
from tests.judging.frontends.test_conformance import FILLED
from tests.judging.screen import Step, on_the_screen
from tests.web.browser import Browser
from tests.web.offline import opened
from tests.web.test_in_browser import Served, judging, place
from tests.web.test_offline import work_of

Steps = list[tuple[float, str]]
AWAY: Steps = [(10, "leave"), (50, "back"), (53.5, "seconds")]
RULE: Mapping[str, tuple[Steps, float]] = {
    "reading": ([(20, "seconds"), (100, "seconds")], 100),
    "just below the pause": ([(IDLE - 0.5, "seconds")], IDLE - 0.5),
    "a pause": ([(20, "seconds"), (20 + IDLE, "seconds"), (25 + IDLE, "seconds")], 25),
    "another window in front": (AWAY, 13.5),
    "twice away": ([*AWAY, (60, "leave"), (61, "leave"), (62, "back"), (64, "seconds")], 22),
    "a pause, then away": ([(IDLE, "leave"), (IDLE + 1, "back"), (IDLE + 3, "seconds")], 2),
    "back without a word": ([(10, "leave"), (50, "seconds"), (52, "seconds")], 12),
    "another document": ([(10, "seconds"), (20, "start"), (23, "seconds")], 3),
    "another document while away": ([(10, "leave"), (20, "start"), (30, "back"), (33, "seconds")], 3),
}
BY_SCRIPT = """([idle, steps]) => {
    let now = 0, found;
    const time = new ActiveTime(idle, () => now);
    for (const [moment, what] of steps) { now = moment; found = time[what](); }
    return found;
}"""
WATCH = "performance.now = () => 1000 * (window.moment ?? 0)"
AT = """([moment, what]) => {
    window.moment = moment;
    document.hasFocus = () => what !== "blur";
    if (what) dispatchEvent(new Event(what));
}"""


def by_python(steps: Steps) -> float:
    """The active seconds after some steps."""
    clock = Clock()
    begin = clock.now
    time = ActiveTime(clock, IDLE)
    for moment, what in steps:
        clock.now = begin + moment
        found = getattr(time, what)()
    return float(found)


def test_the_rule_is_the_same_in_both_languages(in_browser: InBrowser) -> None:
    """What passes without the page in front, or without a sign of life for the length of a pause, does not count."""

    def visit(browser: Any) -> list[float]:
        page = browser.new_page()
        page.add_script_tag(content=asset("active_time.js"))
        found = [page.evaluate(BY_SCRIPT, [IDLE, steps]) for steps, _ in RULE.values()]
        page.close()
        return found

    expected = [seconds for _, seconds in RULE.values()]
    assert [by_python(steps) for steps, _ in RULE.values()] == expected
    assert in_browser(visit) == expected


def test_in_the_terminal() -> None:
    """The terminal tells when another window is in front of it."""
    store, clock = store_of(), Clock()

    def after(seconds: float) -> Callable[[], None]:
        return lambda: setattr(clock, "now", clock.now + seconds)

    away: list[Step] = [after(10), AppBlur(), after(40), AppFocus(), after(3.5), "1"]
    on_the_screen(session_of(store, clock=clock), *away, after(IDLE + 5), "d", after(2), "1")
    assert [event.seconds for event in events(store)] == [13.5, 2.0]


def test_in_a_page_without_a_server(in_browser: InBrowser, tmp_path: Path) -> None:
    """Another window in front; a pause; the time until a page is opened again."""

    def visit(browser: Any) -> None:
        with opened(browser, tmp_path / "ada.html", WATCH) as one:
            one.at("q1", 1)
            for step in ((10, "blur"), (50, "focus"), (53.5, "")):
                one.page.evaluate(AT, step)
            one.judge(["1"], FILLED)
            for step in ((53.5 + IDLE, "scroll"), (60 + IDLE, "")):
                one.page.evaluate(AT, step)
            one.judge(["1"], FILLED)
            one.page.reload()
            one.at("q1", 3)
            one.page.evaluate(AT, (4, ""))
            one.judge(["1"], FILLED)
            one.download(tmp_path / "ada.jsonl")

    with work_of() as store:
        write_page(store, tmp_path / "ada.html", "ada")
    in_browser(visit)
    lines = [json.loads(line) for line in (tmp_path / "ada.jsonl").read_text().splitlines()[1:]]
    assert [line["seconds"] for line in lines] == [13.5, 6.5, 4]


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[tuple[Served, Clock]]:
    """A served store, and its clock."""
    clock = Clock()
    found = Served(tmp_path / "s.db")
    found.app.sessions = found.worker.wait(lambda store: OpenSessions(store, clock))
    yield found, clock
    found.close()


def test_in_the_browser(in_browser: InBrowser, timed: tuple[Served, Clock]) -> None:
    """Another window in front; a reload, and minutes without any page; a pause."""
    served, clock = timed
    begin = clock.now

    def visit(browser: Any) -> None:
        def at(page: Any, moment: float, what: str = "", passed: float = 0) -> None:
            clock.now = begin + passed + moment
            page.evaluate(AT, (moment, what))

        with judging(browser, served, script=WATCH) as page:
            place(page, 1)
            for moment, what in ((10, "blur"), (50, "focus"), (53.5, "")):
                at(page, moment, what)
            page.keyboard.press("1")
            page.get_by_text("document 2 of").first.wait_for()
            at(page, 58.5)
            page.keyboard.press("m")
            page.locator("[aria-pressed=true]").first.wait_for()
            at(page, 60.5)
            page.reload()
            place(page, 2)
            at(page, 3.5, passed=60.5 + 420)
            page.keyboard.press("1")
            page.get_by_text("document 3 of").first.wait_for()
            at(page, 4 + IDLE, "scroll", passed=480.5)
            at(page, 7 + IDLE, passed=480.5)
            page.keyboard.press("1")
            page.get_by_text("document 4 of").first.wait_for()

    in_browser(visit)
    assert [event.seconds for event in served.labels()] == [13.5, 5 + 2 + 3.5, 3]


def timed_browser(clock: Clock) -> Browser:
    """A browser without script on a store whose session has this clock."""

    def begin(store: Store, assessor: str) -> Any:
        return session_of(store, assessor, clock=clock)

    return Browser(store_of, begin=begin)


def test_without_script() -> None:
    """Only a pause shows; the rest of a text that is asked for is a sign of life, a page loaded again is none."""
    clock = Clock()
    browser = timed_browser(clock)
    for seconds, address in ((20, "/judge?all"), (30, "/judge"), (2, "")):
        clock.now += seconds
        browser.client.get(address) if address else browser.press("1")
    clock.now += IDLE
    browser.press("1")
    assert [event.seconds for event in browser.worker.wait(events)] == [22, 0]
    browser.close()


@pytest.mark.parametrize(
    ("reports", "seconds"),
    [
        ([("one", "5"), ("one", "8"), ("one", "6")], 8),
        ([("one", "5"), ("two", "2.5")], 7.5),
        ([("one", "5000")], 100),
        ([("one", "-5"), ("one", "1e9"), ("one", "nan"), ("one", "")], 0),
    ],
    ids=["one page", "two pages", "more than has passed", "no numbers"],
)
def test_what_a_page_reports_is_checked(reports: list[tuple[str, str]], seconds: float) -> None:
    """Again or late it replaces what the same page reported; it is never more than has passed since the document came.

    It counts for the document on screen and from this visitor's own pages alone.
    """
    clock = Clock()
    browser = timed_browser(clock)
    clock.now += 100
    fields = browser.page.forms["/judge/stay"].fields
    for page, value in reports:
        browser.client.post("/active/judge", data={**fields, "page": page, "seconds": value})
        browser.client.post("/active/judge", data={**fields, "document": "another", "page": "x", "seconds": "50"})
    assert browser.client.post("/active/judge", data={"form": "x", "seconds": "50"}).status_code == 403
    browser.get()
    browser.press("1")
    assert [event.seconds for event in browser.worker.wait(events)] == [seconds]
    browser.close()
