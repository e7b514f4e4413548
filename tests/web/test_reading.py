"""The layout of the pages of links: nothing is covered, one header everywhere, the topic folds, a slow server shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.formats import Document, Topic
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append, read_events, set_guidelines
from cranfield.web.application import Application
from tests.browser import PHONE, InBrowser, axe_finds
from tests.conftest import usually
from tests.judging.cases import pool_of
from tests.stores import new_store
from tests.web.test_in_browser import HELD
from tests.web.test_on_a_phone import ANSWERS, BEFORE, PEOPLE, answered_store, briefed_store, judged_store, served

pytestmark = pytest.mark.full

LANDSCAPE, DESK = {"width": 844, "height": 390}, {"width": 1280, "height": 800}
WORDY = "what similarity laws must be obeyed when constructing aeroelastic models of heated high speed aircraft"
GRADES = {grade: f"{name}: {WORDY}" for grade, name in enumerate(("not relevant", "related", "highly relevant", "all"))}
COVERED = """() => {
  const found = [], roots = [document.documentElement, document.body];
  const framed = (one) => one && (/sticky|fixed/.test(getComputedStyle(one).position) || framed(one.parentElement));
  const seen = (own) => !own.closest("script, .unseen, .skip") && own.checkVisibility({ visibilityProperty: true });
  const clipped = (box, one) => {
    for (; one; one = one.parentElement) {
      if (getComputedStyle(one).overflow === "visible" || roots.includes(one)) continue;
      const clip = one.getBoundingClientRect();
      box = { left: Math.max(box.left, clip.left), right: Math.min(box.right, clip.right),
        top: Math.max(box.top, clip.top), bottom: Math.min(box.bottom, clip.bottom) };
    }
    return box;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), lines = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const own = node.parentElement;
    if (!node.textContent.trim() || !seen(own)) continue;
    lines.selectNodeContents(node);
    for (let number = 0; number < lines.getClientRects().length; number += 1) {
      const line = () => lines.getClientRects()[number];
      if (!framed(own)) scrollBy({ top: line().top - innerHeight / 2, behavior: "instant" });
      const box = clipped(line(), own), y = (box.top + box.bottom) / 2;
      if (box.right - box.left < 3 || box.bottom - box.top < 6 || y < 0 || y > innerHeight) continue;
      const places = [box.left + 1, (box.left + box.right) / 2, box.right - 1];
      const hits = places.map((x) => document.elementFromPoint(x, y));
      const over = hits.find((hit) => !hit || !(own.contains(hit) || hit.contains(own)));
      if (over !== undefined) found.push([node.textContent.trim(), number, over?.outerHTML.slice(0, 60)].join(" | "));
    }
  }
  scrollTo({ top: 0, behavior: "instant" });
  return found;
}"""
PRESS_AT_ONCE = """() => document.getElementById("part").addEventListener("shown", () => setTimeout(() => {
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "3", bubbles: true }));
}))"""
MEASURE = "(one) => [one.offsetTop, one.offsetHeight, getComputedStyle(one.firstElementChild).font]"
ROWS = """() => {
  const rows = new Map();
  for (const one of document.querySelectorAll(".grades button")) {
    const { top, width } = one.getBoundingClientRect();
    rows.set(Math.round(top), [...rows.get(Math.round(top)) ?? [], width]);
  }
  const whole = document.querySelector(".grades").getBoundingClientRect().width;
  return [...rows.values()].map((row) => row.length > 1 || row[0] > 0.9 * whole ? "full" : "alone");
}"""


def wordy_store(path: Path, grades: dict[int, str] = GRADES) -> None:
    """Long titles, grades and notes; two topics of two documents; two people who disagree about the first one."""
    docnos = [f"d{number}" for number in range(4)]
    documents = [Document(docno, f"{docno} {WORDY}", f"{WORDY}\n" * 6) for docno in docnos]
    topics = [Topic(f"a-long-topic-{number}", f"{number} {WORDY}", WORDY, WORDY) for number in (1, 2)]
    pool = pool_of({topics[0].qid: docnos[:2], topics[1].qid: docnos[2:]})
    with new_store(path, "wings", grades=grades, documents=documents, topics=topics, pool=pool) as store:
        set_guidelines(store, WORDY)
        for grade, name in enumerate(("bo", "cy")):
            add_assessor(store, name)
            append(store, *(Event("label", topics[0].qid, d, name, grade, note=WORDY, seconds=9.0) for d in docnos[:2]))


@contextmanager
def page_of(browser: Any, app: Application, base: str, role: str, **options: Any) -> Iterator[Any]:
    """The page of ada's link, on which no script fails."""
    with browser.new_context(**options) as context:
        page, wrong = context.new_page(), list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{base}/enter/{app.worker.run_and_wait(partial(invite, assessor='ada', role=role))}")
        page.wait_for_url(lambda url: "/enter/" not in url)
        page.locator("header, main.message").first.wait_for()
        yield page
        assert not wrong


def act(page: Any, *keys: str) -> None:
    """Press keys on a document that has been seen, and wait for what the page says."""
    page.wait_for_timeout(HELD)
    page.evaluate("document.getElementById('announced').textContent = ''")
    for key in keys:
        page.keyboard.press(key) if len(key) == 1 or key in ("Escape", "Tab", "Enter") else page.keyboard.type(key)
    page.wait_for_function("!['', 'Saving...'].includes(document.getElementById('announced').textContent)")


ACTIONS = {
    "judge": {
        "grade": "1", "undo": "u", "later": "s", "cannot judge": "x1", "undo again": "u", "next topic": "N",
        "grade in another topic": "2",
    },
    "adjudicate": {"grade": "1", "undo": "u", "later": "s", "cannot judge": "x1", "undo again": "u"},
}  # fmt: skip


@pytest.mark.parametrize("role", ACTIONS)
@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["portrait", "landscape"])
def test_no_text_is_covered_after_any_action(
    in_browser: InBrowser, tmp_path: Path, role: str, viewport: dict[str, int]
) -> None:
    """Each visible text, brought into the middle, is what is there: before any action, and with what is said of it."""
    wordy_store(tmp_path / "s.db")
    covered, said = dict[str, list[str]](), dict[str, str]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, role, viewport=viewport, is_mobile=True, bypass_csp=True) as page:
                covered["at first"] = page.evaluate(COVERED)
                for name, keys in ACTIONS[role].items():
                    act(page, *keys)
                    said[name] = page.locator("#said").inner_text()
                    covered[name] = page.evaluate(COVERED)
                page.keyboard.press("n")
                page.keyboard.type(WORDY)
                page.keyboard.press("Tab")
                act(page, "Enter")
                covered["note"] = page.evaluate(COVERED)
                page.keyboard.press("t")
                covered["topic"] = page.evaluate(COVERED)
                page.route(f"**/{role}/grade", lambda route: route.abort())
                page.wait_for_timeout(HELD)
                page.keyboard.press("1")
                page.locator("#lost", has_text="cannot be reached").wait_for()
                covered["server away"] = page.evaluate(COVERED)

        in_browser(visit)
    assert {name: texts for name, texts in covered.items() if texts} == {}
    assert "Recorded: topic a-long-topic-1" in said["grade"]
    assert said["undo"] == "Undone."
    assert role == "adjudicate" or "Next topic: 2 what similarity" in said["next topic"]


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["portrait", "landscape"])
def test_no_text_is_covered_without_script(in_browser: InBrowser, tmp_path: Path, viewport: dict[str, int]) -> None:
    """The same of plain forms, whose messages stay until the next page."""
    wordy_store(tmp_path / "s.db")
    covered = dict[str, list[str]]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, "judge", viewport=viewport, java_script_enabled=False) as page:
                for name, button in {"grade": ".grades button >> nth=1", "undo": "[formaction$=undo]"}.items():
                    page.locator(button).click()
                    page.locator("#said li").first.wait_for()
                    covered[name] = page.evaluate(COVERED)

        in_browser(visit)
    assert covered == {"grade": [], "undo": []}


def test_a_correction_is_in_sight(in_browser: InBrowser, tmp_path: Path) -> None:
    """After a practice grade on a telephone, the right grade is above the buttons, and Enter leads on."""
    briefed_store(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, "judge", viewport=PHONE, is_mobile=True) as page:
                page.wait_for_timeout(HELD)
                page.keyboard.press("1")
                page.locator("[data-press=Enter]").wait_for()
                correction = page.locator("#right").bounding_box()
                assert correction["y"] >= 0
                assert correction["y"] + correction["height"] <= page.locator(".dock").bounding_box()["y"]
                page.wait_for_timeout(HELD)
                page.keyboard.press("Enter")
                page.get_by_text("Practice 2 of").wait_for()

        in_browser(visit)


def test_a_message_goes_and_one_of_what_was_refused_stays(in_browser: InBrowser, tmp_path: Path) -> None:
    """The strip of messages gives its room back; what was typed and not recorded stays, to be copied."""
    wordy_store(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, "judge", viewport=PHONE, bypass_csp=True) as page:
                page.clock.install()
                page.reload()
                page.clock.run_for(1000)
                page.keyboard.press("1")
                page.locator("#said li", has_text="Recorded").wait_for()
                page.clock.run_for(60_000)
                page.locator("#said").wait_for(state="hidden")
                page.keyboard.press("e")
                page.keyboard.type("no such words")
                page.keyboard.press("Enter")
                page.locator("#said li", has_text="Not recorded").wait_for()
                page.clock.run_for(60_000)
                assert page.locator("#said li", has_text="Not recorded").is_visible()

        in_browser(visit)


@pytest.mark.parametrize(
    ("make", "roles"), [(judged_store, PEOPLE), (briefed_store, BEFORE), (answered_store, ANSWERS)]
)
@pytest.mark.parametrize("viewport", [DESK, PHONE, LANDSCAPE], ids=["desk", "portrait", "landscape"])
def test_one_header(in_browser: InBrowser, tmp_path: Path, make: Any, roles: tuple[str, ...], viewport: Any) -> None:
    """Every role has a header of one line, as high and in the same type as the others; axe finds nothing."""
    headers, wrong, idle = dict[str, list[Any]](), dict[str, list[str]](), list[str]()
    make(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            for role in roles:
                with page_of(browser, app, base, role, viewport=viewport, bypass_csp=True) as page:
                    if page.locator("main.message").count():  # the store has nothing for this role
                        idle.append(role)
                        continue
                    headers[role] = page.locator("header").evaluate(MEASURE)
                    assert page.locator("header > .place").inner_text()
                    if usually(viewport == LANDSCAPE, True):
                        wrong[role] = [one["id"] for one in axe_finds(page)]

        in_browser(visit)
    assert {role: problems for role, problems in wrong.items() if problems} == {}
    assert not {"judge", "adjudicate", "prefer", "search", "develop", "practice", "nuggets", "support"} & {*idle}
    heights = {1280: 48, 390: 44, 844: 40}
    sizes = {tuple(header[:2]) for header in headers.values()}
    assert sizes == {(0, heights[viewport["width"]])}
    assert len({header[2] for header in headers.values()}) == 1


def test_no_grade_is_alone_in_a_row(in_browser: InBrowser, tmp_path: Path) -> None:
    """Two to eleven grades fill their rows on a telephone, upright and on its side."""
    alone = list[tuple[int, int]]()

    def visit(browser: Any) -> None:
        for number in range(2, 12):
            wordy_store(path := tmp_path / f"{number}.db", {grade: f"grade {grade}" for grade in range(number)})
            with served(path) as (app, base), page_of(browser, app, base, "judge", viewport=PHONE) as page:
                for viewport in (PHONE, LANDSCAPE):
                    page.set_viewport_size(viewport)
                    alone.extend((number, viewport["width"]) for row in page.evaluate(ROWS) if row == "alone")

    in_browser(visit)
    assert alone == []


@pytest.mark.parametrize("viewport", [DESK, PHONE, LANDSCAPE], ids=["desk", "portrait", "landscape"])
def test_the_topic_folds_with_one_key(in_browser: InBrowser, tmp_path: Path, viewport: Any) -> None:
    """Its title is there once, open or folded to a line; it stays as it is until there is another topic."""
    wordy_store(tmp_path / "s.db")
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            def is_open() -> bool:
                shown: bool = page.locator("#topic h3").first.is_visible()
                assert page.get_by_text(f"{WORDY}", exact=False).locator("visible=true").count() >= 1
                assert page.locator("#topic h2").locator("visible=true").count() == 1
                if not shown:
                    assert page.locator("#topic").bounding_box()["height"] <= 46
                return shown

            with page_of(browser, app, base, "judge", viewport=viewport, bypass_csp=True) as page:
                assert is_open()
                page.keyboard.press("t")
                assert not is_open()
                act(page, "1")
                assert not is_open()
                page.keyboard.press("t")
                assert is_open()
                page.keyboard.press("t")
                act(page, "N") if page.get_by_text("document 2 of 2").count() else None
                assert is_open()

        in_browser(visit)


def test_a_slow_server_shows_and_a_dropped_key_says_so(in_browser: InBrowser, tmp_path: Path) -> None:
    """The page says at once that it saves; a key that is pressed meanwhile is named, then and afterwards."""
    wordy_store(tmp_path / "s.db")
    waited = list[float]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, "judge", viewport=DESK, bypass_csp=True) as page:
                held = list[Any]()
                page.route("**/judge/grade", lambda route: held.append(route))  # noqa: PLW0108 - playwright sets an attribute
                page.wait_for_timeout(HELD)
                page.evaluate("""() => {
                    addEventListener("keydown", () => { window.pressed ??= performance.now(); }, true);
                    new MutationObserver(() => { window.shown ??= performance.now(); })
                      .observe(document.getElementById("busy"), { attributes: true });
                }""")
                page.keyboard.press("1")
                page.locator("#busy", has_text="Saving...").wait_for()
                waited.append(page.evaluate("shown - pressed"))
                page.keyboard.press("2")
                page.locator("#busy", has_text='"2" was ignored').wait_for()
                page.evaluate(PRESS_AT_ONCE)
                held[0].continue_()
                page.locator("#said li", has_text='"2" was ignored').wait_for()
                assert page.locator("#busy").is_hidden()
                page.locator("#said li", has_text='"3" was ignored').wait_for()

        in_browser(visit)
        labels = [event.grade for event in app.worker.run_and_wait(read_events) if event.assessor == "ada"]
    assert labels == [1]
    assert waited[0] >= 0


WATCH = """() => {
  const busy = document.getElementById("busy");
  const key = () => new KeyboardEvent("keydown", { key: "0", bubbles: true });
  sessionStorage.texts = "";
  new MutationObserver(() => {
    sessionStorage.texts += `${busy.textContent}|`;
    if (busy.textContent === "Saving...") document.body.dispatchEvent(key());
  }).observe(busy, { childList: true });
}"""


def test_a_slow_plain_form_shows_too(in_browser: InBrowser, tmp_path: Path) -> None:
    """A practice grade that takes long is being saved; a second grade is ignored, and the page says so."""
    briefed_store(tmp_path / "s.db")
    texts = list[str]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, "judge", viewport=PHONE, bypass_csp=True) as page:
                held = list[Any]()
                page.route("**/practice/grade", lambda route: held.append(route))  # noqa: PLW0108 - as above
                page.wait_for_timeout(HELD)
                page.evaluate(WATCH)
                page.keyboard.press("1")
                page.wait_for_timeout(500)
                held[0].continue_()
                page.locator("#right").wait_for()
                texts.extend(page.evaluate("sessionStorage.texts").split("|"))
                assert len(held) == 1

        in_browser(visit)
    assert texts == ["Saving...", "Saving... The second press was ignored.", ""]


LONG = "the boundary layer grows; " * 8000  # 208,000 characters, and a match over each place where a search may pause
TYPE = """(words) => {
  const field = document.getElementById("words"), matchAll = String.prototype.matchAll;
  window.read = 0;
  String.prototype.matchAll = function (pattern) { window.read += this.length; return matchAll.call(this, pattern); };
  for (const letter of words) {
    field.value += letter;
    field.dispatchEvent(new Event("input"));
  }
  return window.read;
}"""


def test_ten_letters_are_looked_for_once(in_browser: InBrowser, tmp_path: Path) -> None:
    """Typing reads nothing of a long text; after a pause it is read once, and Enter does not wait for the pause."""
    documents = [Document("d1", "", LONG)]
    new_store(tmp_path / "s.db", documents=documents, topics=["q1"], pool=pool_of({"q1": ["d1"]})).close()
    read, found = list[int](), list[str]()
    with served(tmp_path / "s.db") as (app, base):

        def visit(browser: Any) -> None:
            with page_of(browser, app, base, "judge", viewport=DESK, bypass_csp=True) as page:
                page.locator(".rest").wait_for(state="detached")
                page.keyboard.press("/")
                read.append(page.evaluate(TYPE, "boundary la"))
                page.locator("#found", has_text="8000 matches").wait_for()
                read.append(page.evaluate("window.read"))
                page.evaluate(TYPE, "yer")
                page.keyboard.press("Enter")
                found.append(page.locator("#found").inner_text())

        in_browser(visit)
    assert read[0] == 0
    assert len(LONG) <= read[1] < 1.1 * len(LONG)
    assert found == ["match 1 of 8000"]
