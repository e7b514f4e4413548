"""Active time: one rule for the terminal, the browser and the page without a server, by clocks that are told it."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, TextIO

import pytest
from textual.events import AppBlur, AppFocus

from cranfield.analysis.labels import ranked_disputes
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.judging.editing import NuggetEditing
from cranfield.features.answers.judging.labelling import AnswerLabelling
from cranfield.features.answers.pages import LABELLING, LabellingLink, OpenEditing
from cranfield.features.answers.plain import PlainEditing, PlainLabelling
from cranfield.features.answers.screen import EditTerminal, LabellingTerminal
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.nuggets import nugget_edits
from cranfield.features.preferences.screen import PreferenceTerminal
from cranfield.features.preferences.session import PlainPreferences, PreferenceSession
from cranfield.features.preferences.store import add_pairs, document_pair, preference_events
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.frontends.plain import LineMode, PlainAdjudication, PlainJudging
from cranfield.judging.frontends.terminal.terminal import AdjudicationTerminal, Terminal
from cranfield.judging.session.pace import IDLE, ActiveTime
from cranfield.judging.session.recording import Recording
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, read_events
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.commands import Fields
from cranfield.web.offline_page import write_page
from cranfield.web.open_sessions import OpenAdjudications, OpenSessions, open_tasks
from cranfield.web.results import Worker
from cranfield.web.templates import asset_text
from tests.browser import InBrowser
from tests.features.answers.stores import three_run_store
from tests.judging.adjudication.test_conformance import dispute
from tests.judging.cases import Clock, session_of, store_of
from tests.judging.frontends.test_conformance import FILLED
from tests.judging.screen import on_the_screen
from tests.web.browser import Browser
from tests.web.offline import opened
from tests.web.test_in_browser import StoreServer, judging, place
from tests.web.test_offline import work_of
from tests.web.test_tasks import HIDDEN, Editor, with_claims

pytestmark = pytest.mark.full

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


METHODS = {"back": "return_to_front"}  # of Python, where the name in the script is another


def by_python(steps: Steps) -> float:
    """The active seconds after some steps."""
    clock = Clock()
    begin = clock.now
    time = ActiveTime(clock, IDLE)
    for moment, what in steps:
        clock.now = begin + moment
        seconds = getattr(time, METHODS.get(what, what))()
    return float(seconds)


def test_the_rule_is_the_same_in_both_languages(in_browser: InBrowser) -> None:
    """What passes without the page in front, or without a sign of life for the length of a pause, does not count."""

    def visit(browser: Any) -> list[float]:
        page = browser.new_page()
        page.add_script_tag(content=asset_text("active_time.js"))
        results = [page.evaluate(BY_SCRIPT, [IDLE, steps]) for steps, _ in RULE.values()]
        page.close()
        return results

    expected = [seconds for _, seconds in RULE.values()]
    assert [by_python(steps) for steps, _ in RULE.values()] == expected
    assert in_browser(visit) == expected


class Screen(NamedTuple):
    """Something to decide on: the store, its session, its full screen and line mode."""

    store: Store
    session: Recording
    terminal: type[Terminal]
    plain: Callable[..., LineMode]


def judging_documents(clock: Clock) -> Screen:
    store = store_of()
    return Screen(store, session_of(store, clock=clock), Terminal, PlainJudging)


def adjudicating(clock: Clock) -> Screen:
    store = dispute()
    session = Adjudication(store, "eve", ranked_disputes(store), clock=clock)
    return Screen(store, session, AdjudicationTerminal, PlainAdjudication)


def comparing(clock: Clock) -> Screen:
    store = with_pairs()
    return Screen(store, PreferenceSession(store, "ada", clock=clock), PreferenceTerminal, PlainPreferences)


def with_pairs() -> Store:
    """Every pair of the pooled documents is ada's to compare."""
    store = store_of()
    add_assessor(store, "ada")
    add_pairs(store, "ada", [document_pair("q1", "d1", other) for other in ("d2", "d3")], "asked")
    return store


def labelling(task: LabellingLink) -> Callable[[Clock], Screen]:
    def begin(clock: Clock) -> Screen:
        store = with_claims()
        session = AnswerLabelling(store, "ada", task.begin, task.log, clock=clock)
        return Screen(store, session, LabellingTerminal, PlainLabelling)

    return begin


SCREENS: Mapping[str, Callable[[Clock], Screen]] = {
    "judge": judging_documents,
    "adjudicate": adjudicating,
    "prefer": comparing,
    **{role: labelling(task) for role, task in LABELLING.items()},
}
PAUSES = [(10, AppBlur()), (50, AppFocus()), (53.5, "1"), (58.5 + IDLE, "?"), (60.5 + IDLE, "escape"), (61 + IDLE, "1")]


def step_through(clock: Clock, steps: Sequence[tuple[float, Any]]) -> Iterator[Any]:
    begin = clock.now
    for moment, step in steps:
        yield partial(setattr, clock, "now", begin + moment)
        yield step


def typed_at(clock: Clock, lines: Sequence[tuple[float, str]]) -> TextIO:
    source, steps = StringIO(), step_through(clock, lines)

    def readline() -> str:
        next(steps, lambda: None)()
        return f"{line}\n" if (line := next(steps, "")) else ""

    source.readline = readline  # type: ignore[assignment, method-assign]
    return source


@pytest.mark.parametrize("role", SCREENS)
def test_in_the_terminal(role: str) -> None:
    """The terminal tells when another window is in front of it; a pause ends with any key."""
    clock = Clock()
    screen = SCREENS[role](clock)
    on_the_screen(screen.session, *step_through(clock, PAUSES), terminal=screen.terminal)
    assert seconds_of(screen.store, role) == [13.5, 2.5]
    screen.store.close()


@pytest.mark.parametrize("role", SCREENS)
def test_in_lines(role: str) -> None:
    """Any line is a sign of life."""
    clock = Clock()
    screen = SCREENS[role](clock)
    lines = typed_at(clock, [(100, "?"), (200, "t"), (200.5, "1"), (201 + IDLE, "?"), (203 + IDLE, "1")])
    screen.plain(screen.session, lines, StringIO(), width=80, keys=DEFAULT, guidelines="").run()
    assert seconds_of(screen.store, role) == [200.5, 2]
    screen.store.close()


def seconds_of(store: Store, role: str) -> list[float | None]:
    """The seconds of everything that was decided, in order."""
    if role in LABELLING:
        return [event.seconds for event in LABELLING[role].log.events(store, "ada")]
    if role == "prefer":
        return [event.seconds for event in preference_events(store, "ada")]
    return [event.seconds for event in read_events(store, "eve" if role == "adjudicate" else "ada")]


@pytest.mark.parametrize("role", SCREENS)
def test_what_a_page_of_any_task_reports(role: str) -> None:
    """A page with script says how long it was in front, whatever is decided on it."""
    clock = Clock()
    store = {"judge": store_of, "adjudicate": dispute, "prefer": with_pairs}.get(role, with_claims)
    browser = Browser(store, "eve" if role == "adjudicate" else "ada", role=role)
    app, wait = browser.app, browser.worker.run_and_wait
    app.sessions, app.adjudications = wait(lambda store: (OpenSessions(store, clock), OpenAdjudications(store, clock)))
    app.tasks = wait(lambda store: open_tasks(store, clock))
    browser.get()
    clock.now += 100
    fields = browser.page.forms[f"/{role}/stay"].fields
    assert browser.client.post(f"/active/{role}", data={**fields, "seconds": "7.5"}).status_code == 200
    clock.now += 10
    browser.send(browser.page.keys["1"], seconds="9.5")
    seconds = wait(lambda store: seconds_of(store, role))
    assert seconds[-1] == 9.5
    browser.close()


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
def timed(tmp_path: Path) -> Iterator[tuple[StoreServer, Clock]]:
    clock = Clock()
    served = StoreServer(tmp_path / "s.db")
    served.app.sessions = served.worker.run_and_wait(lambda store: OpenSessions(store, clock))
    yield served, clock
    served.close()


def test_in_the_browser(in_browser: InBrowser, timed: tuple[StoreServer, Clock]) -> None:
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
            page.get_by_text("marked as unsure").wait_for()
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
    assert [event.seconds for event in browser.worker.run_and_wait(read_events)] == [22, 0]
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
    assert [event.seconds for event in browser.worker.run_and_wait(read_events)] == [seconds]
    browser.close()


def edit_seconds(store: Store) -> list[float | None]:
    """The seconds of ada's edits."""
    return [edit.seconds for edit in nugget_edits(store, "q1") if edit.assessor == "ada"]


def test_editing_nuggets_in_the_terminal() -> None:
    """By the same rule: another window in front, a pause, what is typed."""
    clock = Clock()
    steps = [*PAUSES[:2], (53, "n"), (53.2, "x"), (53.5, "enter"), (58.5 + IDLE, "?"), (61 + IDLE, "u")]

    async def typed(app: EditTerminal) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for step in step_through(clock, steps):
                if callable(step):
                    step()
                elif isinstance(step, str):
                    await pilot.press(step)
                else:
                    app.post_message(step)
                    await pilot.pause()

    with three_run_store() as store:
        asyncio.run(typed(EditTerminal(NuggetEditing(store, "ada", clock=clock))))
        assert edit_seconds(store) == [13.5, 2.5]


def test_editing_nuggets_in_lines() -> None:
    clock = Clock()
    with three_run_store() as store:
        session = NuggetEditing(store, "ada", clock=clock)
        lines = typed_at(clock, [(100, "?"), (200, "t"), (200.5, "n x"), (201 + IDLE, "?"), (203 + IDLE, "u")])
        PlainEditing(session, lines, StringIO()).run()
        assert edit_seconds(store) == [200.5, 2]


class HeardEditing(OpenEditing):
    """Keeps the seconds of each report of a page, once it is taken in."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        super().__init__(store, clock)
        self.heard: SimpleQueue[str] = SimpleQueue()

    def active(self, assessor: str, fields: Fields) -> None:
        super().active(assessor, fields)
        self.heard.put(fields["seconds"])

    def wait_for(self, seconds: str) -> None:
        """Wait until a page has reported this."""
        while self.heard.get(timeout=60) != seconds:
            pass


def test_editing_nuggets_in_the_browser(in_browser: InBrowser, tmp_path: Path) -> None:
    """Another window in front, a pause; a page that is loaded again, after minutes without any."""
    clock, served = Clock(), StoreServer(tmp_path / "s.db")
    begin = clock.now
    served.worker.run_and_wait(answered_too)
    editing = served.worker.run_and_wait(lambda store: HeardEditing(store, clock))
    served.app.open_pages["nuggets"] = editing
    served.link = (
        f"{served.at.base}/enter/{served.worker.run_and_wait(partial(invite, assessor='ada', role='nuggets'))}"
    )

    def visit(browser: Any) -> None:
        def at(page: Any, moment: float, what: str = "", passed: float = 0) -> None:
            clock.now = begin + passed + moment
            page.evaluate(AT, (moment, what))

        def add(page: Any, text: str) -> None:
            page.locator("#add input[name=text]").fill(text)
            page.get_by_role("button", name="Add as okay").click()
            page.locator(f"input[value='{text}']").wait_for()

        with judging(browser, served, to="nuggets", script=WATCH) as page:
            for moment, what in ((10, "blur"), (50, "focus"), (53.5, "")):
                at(page, moment, what)
            add(page, "one")
            at(page, 60)
            page.reload()
            editing.wait_for("6.500")
            at(page, 3, passed=480)
            add(page, "two")
            at(page, 4 + IDLE, "scroll", passed=480)
            at(page, 7 + IDLE, passed=480)
            add(page, "three")

    try:
        in_browser(visit)
        assert served.worker.run_and_wait(edit_seconds) == [13.5, 6.5 + 3, 3]
    finally:
        served.close()


def answered_too(store: Store) -> None:
    """Answers to q1, in a store that has documents."""
    add_answers(store, [Answer(run, "q1", [Sentence("Lift grows.")], []) for run in ("one", "two")])


def test_editing_nuggets_without_script() -> None:
    """Only a pause shows; what a page reports is of its topic alone, and never more than has passed."""
    clock, worker = Clock(), Worker(three_run_store)
    app = Application(worker)
    app.open_pages["nuggets"] = worker.run_and_wait(lambda store: OpenEditing(store, clock))
    ada = Editor(app, worker, "ada")
    clock.now += 20
    ada.send("add", text="one")
    clock.now += IDLE
    ada.send("add", text="two")
    clock.now += 30
    fields = ada.fields()
    for entries in ({"topic": "q2", "seconds": "9"}, {"seconds": "7"}):
        assert ada.client.post("/active/nuggets", data={**fields, **entries}).status_code == 200
    ada.send("add", again=2, text="three", seconds="8")
    clock.now += 1
    ada.send("add", text="four", seconds="1000")
    assert ada.client.post("/active/judge", data=fields).status_code == 403
    assert worker.run_and_wait(edit_seconds) == [20, 0, 8, 1]
    worker.close()


def test_a_late_report_of_a_page_is_not_counted_again() -> None:
    """Its time went with the edit that it sent; another page of the same topic goes on from what was counted."""
    clock, worker = Clock(), Worker(three_run_store)
    app = Application(worker)
    app.open_pages["nuggets"] = worker.run_and_wait(lambda store: OpenEditing(store, clock))
    ada = Editor(app, worker, "ada")
    first, other = ada.fields(), dict(HIDDEN.findall(ada.client.get("/nuggets").text))
    assert first["page"] != other["page"]
    clock.now += 100
    ada.client.post("/active/nuggets", data={**other, "seconds": "5"})
    ada.client.post("/nuggets/add", data={**first, "text": "one", "seconds": "13.5"})
    clock.now += 100
    ada.client.post("/active/nuggets", data={**first, "seconds": "10"})
    ada.client.post("/nuggets/add", data={**other, "text": "two", "seconds": "12"})
    assert worker.run_and_wait(edit_seconds) == [18.5, 7]
    worker.close()
