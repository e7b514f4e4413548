"""Judging, adjudicating and organising in a real browser: by keyboard, mouse and touch, and for a screen reader."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cranfield.formats import Document, Topic
from cranfield.judging.labels.pairs import dump_evidence, find_quotation
from cranfield.store.assignments import assignments
from cranfield.store.chain import Event
from cranfield.store.invitations import invitations, invite
from cranfield.store.log import add_assessor, append, criteria, read_events, set_guidelines
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.organise.table import SECTIONS
from cranfield.web.results import Worker
from tests.browser import PHONE, InBrowser, axe_finds, evaluate_again, fits_a_phone
from tests.conftest import usually
from tests.judging.cases import pool_of, store_of
from tests.stores import new_store
from tests.web.look.test_in_browser import SCREENS, watch
from tests.web.serving import Serving, computing_here

pytestmark = pytest.mark.full

DOCNOS = [f"d{number:02}" for number in range(usually(4, 50))]
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"
TEXT = f"{HOSTILE} {{{{ 7 * 7 }}}}\n" + " Clean the chain first. " * 500 + " \U0001f600 the last tyre"  # two blocks
SCALE = {0: "not <b>relevant", 1: "relevant", 2: 'highly" onclick="alert(1)'}
OPEN = """() => document.querySelectorAll("details, #find").forEach(one => { one.open = true; one.hidden = false; })"""
BY_HAND = usually(2, 49)
HELD = 200  # ms that a document has to be seen before it can be decided on


def hostile_store(path: Path) -> None:
    """A store whose every text would be executed if it could."""
    documents = [Document(docno, HOSTILE, TEXT) for docno in DOCNOS]
    topics = [Topic("q1", HOSTILE, HOSTILE, f"</div>{HOSTILE}")]
    pool = pool_of({"q1": DOCNOS})
    with new_store(path, HOSTILE, grades=SCALE, documents=documents, topics=topics, pool=pool) as store:
        set_guidelines(store, HOSTILE)


class StoreServer(Serving):
    """A served store: the link of an assessor, and the log."""

    def __init__(self, path: Path, make: Callable[[Path], None] = hostile_store) -> None:
        make(path)
        self.worker = Worker.worker_of_store(path)
        super().__init__(Application(self.worker))
        self.link = f"{self.at.base}/enter/{self.worker.run_and_wait(partial(invite, assessor='ada'))}"

    def labels(self) -> list[Event]:
        return [event for event in self.worker.run_and_wait(read_events) if event.kind == "label"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[StoreServer]:
    """A served store of documents, the first of which is hostile."""
    with closing(StoreServer(tmp_path / "s.db")) as served:
        yield served


def wrong_of(message: Any, expected: str) -> bool:
    """Whether the console reports an error other than the expected one."""
    return message.type == "error" and expected not in message.text


@contextmanager
def judging(
    browser: Any, served: StoreServer, expected: str = "-", to: str = "judge", script: str = "", **options: Any
) -> Iterator[Any]:
    """The page of judging, on which nothing goes wrong and nothing of a document is executed."""
    context = browser.new_context(**options)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("console", lambda message: wrong.append(message.text) if wrong_of(message, expected) else None)
    page.add_init_script(script)
    page.goto(served.link)
    page.wait_for_url(f"**/{to}")
    yield page
    context.close()
    assert not wrong


def place(page: Any, number: int) -> None:
    """Wait until a document is shown, and has been for a moment."""
    page.get_by_text(f"document {number} of").first.wait_for()
    page.wait_for_timeout(HELD)


def test_by_keyboard_alone(in_browser: InBrowser, served: StoreServer) -> None:
    """A digit for each document; undo, and a key held down, which counts once."""

    def visit(browser: Any) -> None:
        with judging(browser, served) as page:
            for number in range(1, len(DOCNOS) + 1):
                place(page, number)
                page.keyboard.press("1")
            page.get_by_role("heading", name="Everything is done").wait_for()
            page.keyboard.press("u")
            place(page, len(DOCNOS))
            for _ in range(3):
                page.keyboard.down("2")
            page.get_by_role("heading", name="Everything is done").wait_for()

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [1] * len(DOCNOS) + [2]


def test_marks_notes_and_reasons_by_key(in_browser: InBrowser, served: StoreServer) -> None:
    """What was found at the end of a long text is evidence; notes and criteria are typed; a reason is given."""

    def visit(browser: Any) -> None:
        with judging(browser, served) as page:
            place(page, 1)
            page.locator(".rest").wait_for(state="detached")
            page.keyboard.press("/")
            page.keyboard.type("LAST  tyre")
            page.keyboard.press("Enter")
            assert page.locator("#found").text_content() == "match 1 of 1"
            page.keyboard.press("e")
            page.locator("mark.evidence").wait_for()
            page.keyboard.press("c")
            page.keyboard.type(HOSTILE)
            page.keyboard.press("Enter")
            page.locator("summary", has_text="Your criteria (1)").wait_for()
            page.keyboard.press("e")
            page.keyboard.type("no such words")
            page.keyboard.press("Enter")
            page.locator("#said").get_by_text("Not recorded: the document does not contain").wait_for()
            page.keyboard.press("e")
            assert page.locator("[name=words]").input_value() == "no such words"
            page.locator("[name=words]").fill("nor these")
            page.keyboard.press("Escape")
            page.keyboard.press("1")
            page.locator("#said").get_by_text("nor these").wait_for()
            assert page.locator("[name=words]").input_value() == "nor these"
            page.evaluate("document.querySelector('[name=words]').value = ''")
            page.keyboard.press("n")
            page.keyboard.type(f"1 of mine {HOSTILE}")
            page.keyboard.press("Escape")
            page.keyboard.press("m")  # what was typed is kept first
            page.get_by_text("marked as unsure").wait_for()
            assert page.locator(".note").text_content() == f"Your note: 1 of mine {HOSTILE}"
            page.keyboard.press("x")
            page.keyboard.press("1")  # the first reason, not the grade
            place(page, 2)
            page.keyboard.press("l")
            page.get_by_role("button", name="Judge again").focus()
            page.keyboard.press("Enter")
            place(page, 1)

    in_browser(visit)
    log = served.worker.run_and_wait(read_events)
    assert (log[-1].kind, log[-1].reason) == ("cannot-judge", "unreadable")
    assert log[-1].note == f"1 of mine {HOSTILE}"
    assert log[-1].evidence is None  # which belongs to labels
    mark = {"start": len(TEXT) - len("last tyre"), "end": len(TEXT), "quote": "last tyre"}
    assert json.loads(log[0].evidence or "") == [mark]


def test_single_keys_can_be_turned_off(in_browser: InBrowser, served: StoreServer) -> None:
    """The switch is in the help, and is remembered; buttons go on working, and so does find."""

    def visit(browser: Any) -> None:
        with judging(browser, served) as page:
            place(page, 1)
            page.keyboard.press("?")
            page.keyboard.press("Space")
            page.keyboard.press("Escape")
            page.reload()
            place(page, 1)
            page.keyboard.press("1")
            page.locator("#more > summary").click()
            page.get_by_role("button", name="Find").click()
            page.keyboard.type("script")
            for count in (1, 2, 1):
                page.keyboard.press("Enter")
                assert f"match {count} of 2" in page.locator("#found").text_content()
            page.locator('.grades button[value="0"]').dblclick()
            place(page, 2)

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [0]


@pytest.mark.parametrize(
    ("options", "way"),
    [
        ({"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, "tap"),
        pytest.param({"java_script_enabled": False}, "click", marks=pytest.mark.daily),
        pytest.param({}, "click", marks=pytest.mark.daily),
    ],
    ids=["touch", "without script", "mouse"],
)
def test_by_hand(in_browser: InBrowser, served: StoreServer, options: dict[str, Any], way: str) -> None:
    """The buttons do by touch, by mouse, and as plain forms."""

    def visit(browser: Any) -> None:
        with judging(browser, served, **options) as page:
            for number in range(1, BY_HAND + 1):
                place(page, number)
                button = page.locator('.grades button[value="0"]')
                button.tap() if way == "tap" else button.click()
            place(page, BY_HAND + 1)

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [0] * BY_HAND


def test_without_script_nothing_is_missing(in_browser: InBrowser, served: StoreServer) -> None:
    """The whole text behind a link; words typed as evidence; a note; a reason; a decision judged again."""

    def panel(page: Any, name: str) -> Any:
        if name in ("Evidence", "Recent"):
            page.locator("#more > summary").click()
        page.locator("summary", has_text=name).click()
        return page.locator("details[open]:not(#more)", has_text=name)

    def visit(browser: Any) -> None:
        with judging(browser, served, java_script_enabled=False) as page:
            assert not page.get_by_text("the last tyre").count()
            page.get_by_role("link", name="Show the rest").click()
            page.get_by_text("the last tyre").wait_for()
            panel(page, "Evidence").get_by_role("textbox").fill("the LAST tyre")
            page.get_by_role("button", name="Mark as evidence").click()
            page.locator("mark.evidence", has_text="the last tyre").wait_for()
            panel(page, "Note").get_by_role("textbox").fill("mine")
            page.get_by_role("button", name="Keep the note").click()
            page.get_by_text("Your note: mine").wait_for()
            panel(page, "Note").get_by_role("textbox").fill("mine\nalone")
            page.locator("summary", has_text="Your criteria").click()
            page.get_by_label("New criterion for relevance").fill("chains")
            page.keyboard.press("Enter")  # presses no button
            page.locator('.grades button[value="1"]').click()
            place(page, 2)
            panel(page, "Recent").get_by_role("button", name="Judge again").click()
            place(page, 1)
            page.locator('.grades button[value="2"]').click()
            place(page, 2)
            page.go_back()
            page.go_forward()
            place(page, 2)

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [1, 2]
    assert [event.note for event in served.labels()] == ["mine\nalone", "mine\nalone"]
    diary = served.worker.run_and_wait(lambda store: criteria(store, "q1", "ada"))
    assert [one.text for one in diary] == ["chains"]


def test_the_page_goes_on_when_the_server_is_back(in_browser: InBrowser, served: StoreServer) -> None:
    """A label given while the server is gone is sent again by itself.

    One from a tab that is out of date is refused; what was typed there can be copied.
    """

    def visit(browser: Any) -> None:
        with judging(browser, served, expected="ERR_INTERNET_DISCONNECTED") as page:
            place(page, 1)
            other = page.context.new_page()
            other.goto(f"{served.at.base}/judge")
            place(other, 1)
            page.bring_to_front()
            page.context.set_offline(True)
            page.keyboard.press("1")
            page.get_by_text("The server cannot be reached").wait_for()
            page.context.set_offline(False)
            place(page, 2)
            other.keyboard.press("n")
            other.keyboard.type("mine")
            other.keyboard.press("Escape")
            other.keyboard.press("2")
            other.locator("#said").get_by_text("out of date").wait_for()
            other.locator("#said").get_by_text("Not recorded: mine", exact=True).wait_for()
            assert "mine" in other.locator("#announced").inner_text()
            place(other, 2)

    in_browser(visit)
    assert [event.grade for event in served.labels()] == [1]


def test_what_is_typed_while_an_answer_is_on_its_way(in_browser: InBrowser, served: StoreServer) -> None:
    """It stays in its field or, when another document is shown, is listed; no key of it decides anything."""

    def visit(browser: Any) -> None:
        with judging(browser, served, expected="ERR_INTERNET_DISCONNECTED") as page:
            place(page, 1)
            for key, text, after in (
                ("m", "1 u", "Your next label will be marked as unsure."),
                ("1", " late 0", "Not recorded: 1 u 2 late 0"),
            ):
                page.context.set_offline(True)
                page.keyboard.press(key)
                page.get_by_text("The server cannot be reached").wait_for()
                page.keyboard.press("n")
                page.keyboard.type(text)
                page.context.set_offline(False)
                page.get_by_text(after, exact=True).wait_for()
                page.keyboard.type(" 2")
                assert page.locator("[name=note]").input_value() == ("1 u 2" if key == "m" else " 2")
                page.keyboard.press("Escape")

    in_browser(visit)
    assert [(event.grade, event.note) for event in served.labels()] == [(1, "1 u 2")]


def test_anybody_can_use_it(in_browser: InBrowser, served: StoreServer) -> None:
    """axe finds nothing on the pages of judging and organising, wide and narrow, light and dark; nothing is cut off."""
    organiser = f"{served.at.base}/enter/{served.app.access.start_token}"

    def visit(browser: Any) -> list[str]:
        problems = []
        for width, scheme in usually([(390, "dark")], list(product((1280, 390), ("light", "dark")))):
            viewport = {"width": width, "height": 800}
            with browser.new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True) as context:
                page = context.new_page()
                for link, end in ((served.link, "**/judge"), (organiser, f"{served.at.base}/")):
                    page.goto(link)
                    page.wait_for_url(end)
                    if width == PHONE["width"] and end == "**/judge":  # the organiser's reloads until it is complete
                        fits_a_phone(page)
                    page.evaluate(OPEN)
                    wrong = axe_finds(page)
                    problems += [
                        f"{width} {scheme} {end}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in wrong
                    ]
                    if evaluate_again(page, "document.documentElement.scrollWidth") > width:
                        problems.append(f"{end} is wider than {width}")
        return problems

    assert in_browser(visit) == []


ODD = f"\u202e{HOSTILE} javascript:alert(1) {{{{ 7 * 7 }}}}"


def _disagree(store: Store) -> None:
    """Two people whose notes and evidence would be executed if they could."""
    evidence = dump_evidence([find_quotation(TEXT, HOSTILE)])
    for grade, name in ((0, "ada"), (2, f"bob {HOSTILE}")):
        add_assessor(store, name)
        append(store, *(Event("label", "q1", d, name, grade=grade, note=ODD, evidence=evidence) for d in DOCNOS[:2]))


@pytest.fixture
def served_disputes(tmp_path: Path) -> Iterator[StoreServer]:
    """A served store with two disagreements, and the link of an adjudicator."""
    served = StoreServer(tmp_path / "s.db")
    served.worker.run_and_wait(_disagree)
    computing_here(served.app)
    served.link = (
        f"{served.at.base}/enter/{served.worker.run_and_wait(partial(invite, assessor='eve', role='adjudicate'))}"
    )
    yield served
    served.close()


def _case(page: Any, number: int) -> None:
    """Wait until a case is shown, and has been for a moment."""
    page.get_by_text(f"disagreement {number} of 2").first.wait_for()
    page.wait_for_timeout(HELD)


def test_hostile_notes_evidence_and_reasons_by_keyboard(in_browser: InBrowser, served_disputes: StoreServer) -> None:
    """All of it is text; a reason is typed, the grade given, the answer undone and repeated: nothing is executed.

    axe finds nothing on this page, and nothing is wider than it.
    """

    def visit(browser: Any) -> list[Any]:
        wrong = []
        with judging(browser, served_disputes, to="adjudicate", bypass_csp=True) as page:
            _case(page, 1)
            assert page.locator(".labels li").count() == 2
            assert HOSTILE in page.locator(".labels").inner_text()
            page.keyboard.press("n")
            page.keyboard.type(HOSTILE)
            page.keyboard.press("Escape")
            page.keyboard.press("1")
            _case(page, 2)
            assert HOSTILE in page.locator("#said").inner_text()
            for key, number in (("u", 1), ("U", 2)):
                page.keyboard.press(key)
                _case(page, number)
            page.keyboard.press("l")
            sizes = product((1280, 390), ("light", "dark"))
            for width, scheme in usually([(390, "dark")], [*sizes]):
                page.set_viewport_size({"width": width, "height": 800})
                page.emulate_media(color_scheme=scheme)
                wrong += [one["id"] for one in axe_finds(page)]
                wrong += [width] * (page.evaluate("document.documentElement.scrollWidth") > width)
        return wrong

    assert in_browser(visit) == []
    mine = [
        event
        for event in served_disputes.worker.run_and_wait(read_events)
        if event.assessor == "eve" and event.kind == "adjudicate"
    ]
    assert [(event.docno, event.grade, event.note) for event in mine] == [(DOCNOS[0], 1, HOSTILE)] * 2


PARAMETERS = {"give": "?topic=q1&role=first", "assign": "?to=assessors&assessors=ada", "revoke": "?assessor=bo"}
PAGES = {name: f"/organise/{name}{PARAMETERS.get(name, '')}" if name else "/" for name in SECTIONS}
LOOKED_AT = usually(["topics"], list(PAGES))  # with axe-core, which takes a second a page


@pytest.fixture
def served_organiser() -> Iterator[tuple[Application, str]]:
    """A small served store, and the beginning of its addresses."""
    with closing(Serving(Application(Worker(store_of)))) as serving:
        yield serving.app, serving.at.base


HIDDEN_COLUMNS = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length"


@pytest.mark.parametrize("script", usually([True], [True, False]))
def test_organising_by_hand(in_browser: InBrowser, served_organiser: tuple[Application, str], script: bool) -> None:
    """Every step says what it did, once; loading a page again does nothing again."""
    app, base = served_organiser
    wrong = list[Any]()

    def visit(browser: Any) -> None:
        with browser.new_context(java_script_enabled=script) as context:
            page = context.new_page()
            watch(page, base, wrong)
            page.goto(f"{base}/enter/{app.access.start_token}")
            page.get_by_role("link", name="People").first.wait_for()
            page.goto(f"{base}/organise/topics")
            assert page.evaluate(HIDDEN_COLUMNS) == 0
            page.get_by_label("Assessors, one per line").fill("ada\nbo")
            page.get_by_role("button", name="Show who would judge what").click()
            page.get_by_role("button", name="Assign 3 topics").click()
            page.get_by_text("The topics are assigned").wait_for()
            assert page.evaluate(HIDDEN_COLUMNS) == 0
            page.get_by_role("link", name="change").first.click()
            page.get_by_label("Give the topic to").fill("eve")
            page.get_by_role("button", name="Give", exact=True).click()
            page.get_by_text("is now assigned to eve").wait_for()
            page.reload()
            assert not page.get_by_text("is now assigned to eve").count()
            page.goto(f"{base}/organise/links")
            page.get_by_label("Invite").fill("bo")
            page.get_by_label("Valid for").fill("14d")
            page.get_by_role("button", name="Make a link").click()
            assert page.get_by_label("The link").input_value().startswith(f"{base}/enter/")
            if script:
                page.get_by_role("button", name="Copy").click()
                page.get_by_role("button", name="Copied").wait_for()
            page.reload()
            assert not page.get_by_label("The link").count()
            page.get_by_role("link", name="revoke").first.click()
            page.get_by_role("button", name="Revoke 1 valid link").click()
            page.get_by_text("1 link of bo revoked").wait_for()

    in_browser(visit)
    assert not wrong
    assert [one.assessor for one in app.worker.run_and_wait(assignments)].count("eve") == 1
    assert [bool(one.revoked) for one in app.worker.run_and_wait(invitations)] == [True]


def test_anybody_can_organise(in_browser: InBrowser, served_organiser: tuple[Application, str]) -> None:
    """axe finds nothing, and nothing is wider than the screen."""
    app, base = served_organiser
    wrong = list[Any]()

    def visit(browser: Any) -> None:
        for width, scheme in SCREENS:
            with browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme) as context:
                page = context.new_page()
                page.goto(f"{base}/enter/{app.access.start_token}")
                page.get_by_role("link", name="People").first.wait_for()
                for address in (PAGES[name] for name in LOOKED_AT):
                    page.goto(base + address)
                    wrong.extend((address, scheme, one["id"]) for one in axe_finds(page))
                    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                        wrong.append((address, width, "too wide"))

    in_browser(visit)
    assert not wrong
