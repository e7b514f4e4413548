"""Documents as assessors see them, in a real browser: laid out, in any direction, inert, and marked where they say."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.documents.showing import asked_fields
from cranfield.features.documents.store.documents import keep_shown
from cranfield.formats import Document
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.store import Store
from cranfield.text import visible_text
from cranfield.web.offline_page import write_page
from tests.browser import InBrowser, axe_finds
from tests.conftest import usually
from tests.stores import filled, new_file, new_store
from tests.web.look.test_in_browser import watch
from tests.web.offline import CLOCK, opened
from tests.web.test_in_browser import StoreServer, judging

pytestmark = pytest.mark.full

HOSTILE = '<img src="http://192.0.2.1/x.png" onerror="alert(1)"><script src="//192.0.2.1/x.js"></script>'
TABLE = "Bicycle part  Price\nChain & <b>   12.50"
RIGHT = "مرحبا می‌خواهم bicycle شين ١٢"
PROSE = (
    "It is a truth that everybody in the world will acknowledge, whatever\n"
    "they know of it, that a chain in want of oil must squeak and be heard."
)
PIECES = ("Prices", TABLE, RIGHT, PROSE, f"[image: {HOSTILE}]")
TEXT = "\n\n".join(PIECES)
MARKED = ("Chain & <b>", "می‌خواهم bicycle", "whatever\nthey know")  # in the table, right to left, in a flow
SELECT = """(words) => {
    const texts = document.createTreeWalker(document.querySelector("#text"), NodeFilter.SHOW_TEXT), found = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) found.push(node);
    const whole = found.map((node) => node.data).join(""), start = whole.indexOf(words), range = document.createRange();
    const place = (at) => { for (const one of found) { if (at <= one.length) return [one, at]; at -= one.length; } };
    range.setStart(...place(start)); range.setEnd(...place(start + words.length));
    getSelection().removeAllRanges(); getSelection().addRange(range);
}"""


def layout() -> list[list[Any]]:
    """Of the text, without its prose, which flows by itself."""
    start = {piece: TEXT.index(piece) for piece in PIECES}
    at, half = start[TABLE], start[TABLE] + len("Bicycle part  Price")
    cells = [[at, half, "tr"], [at, at + 12, "th"], [at + 14, half, "th"], [half + 1, at + len(TABLE), "tr"],
             [half + 1, half + 12, "td"], [half + 15, at + len(TABLE), "td"]]  # fmt: skip
    return [
        [0, len("Prices"), "h1"],
        [at, at + len(TABLE), "table"],
        *cells,
        [start[RIGHT], start[RIGHT] + len(RIGHT), "p", {"dir": "rtl", "lang": "ar"}],
        [start[PIECES[-1]], len(TEXT), "image", {"src": "http://192.0.2.1/x.png"}],
    ]


def make(path: Path) -> None:
    """A store of documents with layout and fields, all hostile."""
    about = {"author": HOSTILE, "price": 12.5, "layout": layout()}
    documents = [Document(f"d{at}", "On\u202eoil", TEXT, f"http://192.0.2.1/{at}", about) for at in range(2)]
    with new_store(path, topics={"q1": "oil"}) as store:
        keep_shown(store, asked_fields("author, price:number, url:link"))
        filled(store, documents=documents, pool={"q1": ["d0", "d1"]})


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[StoreServer]:
    serving = StoreServer(tmp_path / "s.db", make)
    yield serving
    serving.close()


def mark_evidence(page: Any) -> None:
    """Mark words as evidence, each with the key for it."""
    for number, words in enumerate(MARKED, 1):
        page.evaluate(SELECT, words)
        page.keyboard.press("e")
        page.locator(".quotes li").nth(number - 1).wait_for()
        assert page.locator("#text").evaluate("one => one.textContent") == visible_text(TEXT)


def laid_out(page: Any) -> Any:
    """What is seen of the layout and of the fields."""
    return page.evaluate("""() => {
        const seen = (name) => [...document.querySelectorAll(`#text ${name}`)];
        const right = seen("[lang=ar]")[0];
        const fields = document.querySelector(".fields").innerText.split("\\n").map((one) => one.trim());
        const cells = seen("th, td").map((one) => one.textContent);
        return [cells, getComputedStyle(right).direction, seen(".flow").length, fields];
    }""")


SEEN: list[Any] = [
    ["Bicycle part", "Price", "Chain & <b>", "12.50"], "rtl", 1,
    [f"author {HOSTILE}", "price 12.5", "url http://192.0.2.1/0"],
]  # fmt: skip


def test_evidence_comes_back_character_for_character(in_browser: InBrowser, serving: StoreServer) -> None:
    """From a table, a paragraph from right to left, and prose that flows; nothing is asked of any other machine."""
    requests: list[str] = []

    def visit(browser: Any) -> list[Any]:
        with judging(browser, serving) as page:
            page.on("request", lambda request: requests.append(request.url))
            page.get_by_text("document 1 of").first.wait_for()
            mark_evidence(page)
            layout: list[Any] = laid_out(page)
            page.keyboard.press("1")
            page.get_by_text("document 2 of").first.wait_for()
            return layout

    cells, direction, flows, fields = in_browser(visit)
    assert [cells, direction, flows] == SEEN[:3]
    assert sorted(one[:-1] for one in fields) == sorted(one[:-1] for one in SEEN[3])
    label = serving.labels()[0]
    marks = json.loads(label.evidence or "")
    assert [mark["quote"] for mark in marks] == list(MARKED)
    assert [TEXT[mark["start"] : mark["end"]] for mark in marks] == list(MARKED)
    assert requests
    assert [url for url in requests if not url.startswith(serving.at.base)] == []


def test_the_organiser_sees_the_same(in_browser: InBrowser, serving: StoreServer) -> None:
    """A page of the organiser is laid out too, or has the lines as they are; a hostile one asks nobody for anything."""
    wrong, base = list[Any](), serving.at.base

    def visit(browser: Any) -> list[Any]:
        with browser.new_context() as context:
            page = context.new_page()
            watch(page, base, wrong)
            page.goto(f"{base}/enter/{serving.app.access.start_token}")
            page.wait_for_url(f"{base}/")
            page.goto(f"{base}/look/document?docno=d0")
            text = page.get_by_role("region", name="Text of the document")
            counts = [text.locator(name).count() for name in ("h2", "th", "[lang=ar]", ".flow", "img")]
            whole = [text.evaluate("one => one.textContent")]
            page.get_by_role("link", name="Show the lines as they are").click()
            page.get_by_role("link", name="Show the formatted text").wait_for()
            whole += [text.evaluate("one => one.textContent"), text.locator("h2, table, .flow").count()]
            return [counts, whole]

    assert in_browser(visit) == [[1, 2, 1, 1, 0], [visible_text(TEXT), visible_text(TEXT), 0]]
    assert wrong == []


def test_the_offline_page_shows_the_same(in_browser: InBrowser, tmp_path: Path) -> None:
    """Its file is laid out as well, with fields; evidence marked on it is that of the text."""
    make(tmp_path / "s.db")

    def visit(browser: Any) -> list[Any]:
        with opened(browser, tmp_path / "ada.html", CLOCK) as offline:
            offline.page.locator(".place").wait_for()
            mark_evidence(offline.page)
            layout: list[Any] = laid_out(offline.page)
            offline.judge(["1"], {})
            offline.at("q1", 2)
            offline.download(tmp_path / "ada.jsonl")
            return layout

    with Store.open(tmp_path / "s.db") as store:
        assign_topics_to_assessors(store, ["ada"])
        write_page(store, tmp_path / "ada.html", "ada")
    cells, direction, flows, fields = in_browser(visit)
    assert [cells, direction, flows, len(fields)] == [*SEEN[:3], 3]
    lines = [json.loads(line) for line in (tmp_path / "ada.jsonl").read_text("utf-8").splitlines()]
    marks = next(line["evidence"] for line in lines if line.get("kind") == "label")
    assert [mark["quote"] for mark in marks] == list(MARKED)


def test_anybody_can_read_it(in_browser: InBrowser, serving: StoreServer) -> None:
    """axe finds nothing, wide and narrow, light and dark, laid out or as it is, also for the organiser; a wide table
    scrolls by itself."""

    def visit(browser: Any) -> list[str]:
        problems = []
        for width, scheme in usually([(360, "dark")], list(product((1280, 390, 360), ("light", "dark")))):
            viewport = {"width": width, "height": 800}
            with browser.new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True) as context:
                page = context.new_page()
                page.goto(serving.link)
                page.wait_for_url("**/judge")
                page.goto(f"{serving.at.base}/enter/{serving.app.access.start_token}")
                page.wait_for_url(f"{serving.at.base}/")
                look = "look/document?docno=d0"
                for address in ("judge?lines", "judge?auto", look, f"{look}&lines=lines"):
                    page.goto(f"{serving.at.base}/{address}")
                    wrong = axe_finds(page)
                    problems += [f"{width} {one['id']} {one['nodes'][0]['html'][:99]}" for one in wrong]
                    if page.evaluate("document.documentElement.scrollWidth") > width:
                        problems.append(f"{address} is wider than {width}")
        return problems

    assert in_browser(visit) == []


def test_the_invisible_strings_in_a_browser(in_browser: InBrowser, shared: Path, tmp_path: Path) -> None:
    """All 39 as the rules have them; what is marked is read as its number."""
    lines = (shared / "texts" / "invisible.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]

    def begin(path: Path) -> None:
        text = "\n\n".join(case["text"] for case in cases)
        new_file(path, documents={"d": text}, topics={"q1": "strings"}, pool={"q1": ["d"]})

    serving = StoreServer(tmp_path / "s.db", begin)

    def visit(browser: Any) -> str:
        with judging(browser, serving) as page:
            return str(page.locator("#text").evaluate("one => one.textContent"))

    texts = in_browser(visit)
    serving.close()
    assert texts == visible_text("\n\n".join(case["text"] for case in cases))
    assert [case["name"] for case in cases if visible_text(case["text"]) not in texts] == []
    assert [case["name"] for case in cases if ("<U+" in visible_text(case["text"])) == (case["shown"] == "whole")] == []
