"""The pictures of judging and adjudicating: the full screen of a terminal, and the pages of a served store."""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from threading import Thread
from typing import Any

IMAGES = Path(__file__).resolve().parent / "images"
WORDS, MANY = "Words", 300  # of a PNG, what its page said first
KEYS = ("escape", "2", "0", "0", "1", "0")  # the assessor of the picture has read the topic and judged some documents
EVIDENCE = "nobody looked at the cover"  # what the assessor of the browser takes as evidence in the seventh document
LABELS = {  # what two assessors say of two documents of the first topic: grade, note, evidence
    "bw-001": (
        (1, "Finds the hole; the cause only at the end", "Nine times in ten the glass is still sitting there"),
        (2, "Leads from the hole to what made it", "a hole in one leads to the culprit in the other"),
    ),
    "bw-006": (
        (1, "One cause, told in passing", "nobody looked at the cover"),
        (2, "Where to look, and how to tell causes apart", "Compare the old tubes"),
    ),
}
PATIENCE = 180_000  # milliseconds: a machine may be busy
SECONDS = 12.0  # from key to key


def screens(path: Path) -> None:
    """The full screen after a few judgments, and of a disagreement, at a time that stands still."""
    from cranfield.analysis.labels import ranked_disputes
    from cranfield.judging.adjudication.adjudication import Adjudication
    from cranfield.judging.frontends.terminal.terminal import AdjudicationTerminal, Terminal
    from cranfield.judging.planning.overview import work_to_judge_or_none
    from cranfield.judging.session.session import Session
    from cranfield.store.store import Store

    with Store.open(path) as store:
        now = [0.0]
        pool = work_to_judge_or_none(store, "ada", None)
        assert pool is not None
        session = Session(store, "ada", pool, clock=lambda: now[0])
        asyncio.run(
            _screen(Terminal(session, clock=lambda: now[0]), now, KEYS, verb="judge", name="ada", picture="judging.svg")
        )
        _disagree(store)
        case = Adjudication(store, "eve", ranked_disputes(store), clock=lambda: now[0])
        settling = AdjudicationTerminal(case, clock=lambda: now[0])
        asyncio.run(_screen(settling, now, ("escape",), verb="adjudicate", name="eve", picture="adjudicating.svg"))


async def _screen(terminal: Any, now: list[float], keys: Sequence[str], *, verb: str, name: str, picture: str) -> None:
    """A full screen after some keys."""
    async with terminal.run_test(size=(120, 34)) as pilot:
        await pilot.pause(1)
        for key in keys:
            now[0] += SECONDS
            await pilot.press(key)
            await pilot.pause(0.5)
        svg = terminal.export_screenshot(title=f"cranfield {verb} workshop.db --assessor {name}")
    (IMAGES / picture).write_text(_without_requests(svg), encoding="utf-8")


def _disagree(store: Any) -> None:
    """Two people label some documents differently, with notes and evidence."""
    from cranfield.judging.labels.pairs import dump_evidence, find_quotation
    from cranfield.store.chain import Event
    from cranfield.store.log import add_assessor, append

    for place, name in enumerate(("bob", "cyd")):
        add_assessor(store, name)
        for docno, labels in LABELS.items():
            grade, note, words = labels[place]
            evidence = dump_evidence([find_quotation(store.document(docno).text, words)] if words else [])
            append(store, Event("label", "W01", docno, name, grade=grade, note=note, evidence=evidence))


def _without_requests(svg: str) -> str:
    """A picture that asks for no font of another host, and whose names are the same each time."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg)


def photograph(page: Any, picture: Path) -> None:
    """What a page shows, in few colours; the picture has the page's first words, too."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    page.screenshot(path=picture)
    info = PngInfo()
    info.add_text(WORDS, " ".join(page.evaluate("document.body.innerText").split()[:MANY]), zip=True)
    Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True, pnginfo=info)


def words_of(picture: Path) -> list[str]:
    """The words that a picture shows; of a figure without numbers, as ticks depend on matplotlib's version."""
    from PIL import Image

    if picture.suffix == ".png":
        with Image.open(picture) as image:
            return str(image.info.get(WORDS, "")).split()
    texts = re.findall(r"<text[^>]*>([^<]*)<", picture.read_text(encoding="utf-8"))
    return re.findall(r"[^\W\d_]+", unescape(" ".join(texts)))


@contextmanager
def serving(store: Path, clock: Callable[[], float] = lambda: 0.0) -> Iterator[tuple[Callable[..., str], Any]]:
    """A served store: what makes the link of a person, and its thread."""
    from cranfield.store.invitations import invite
    from cranfield.web.application import Application
    from cranfield.web.open_sessions import OpenSessions
    from cranfield.web.results import Worker
    from cranfield.web.server import listen, server_of

    worker = Worker.worker_of_store(store)
    app = Application(worker, worker.run_and_wait(lambda opened: OpenSessions(opened, clock=clock)))
    at = listen("127.0.0.1", 0)
    server = server_of(app.asgi(at.hosts))
    thread = Thread(target=server.run, kwargs={"sockets": [at.socket]})
    thread.start()
    try:
        yield (
            lambda name, **more: f"{at.base}/enter/{worker.run_and_wait(lambda opened: invite(opened, name, **more))}",
            worker,
        )
    finally:
        server.should_exit = True
        thread.join()
        app.close()


def judging_pages(store: Path, browser: Any) -> None:
    """The page of judging after a few judgments, with evidence: on a wide screen, and dark on a narrow one."""
    now = [0.0]
    with serving(store, lambda: now[0]) as (link, worker):
        _judge(browser, link("ada"), now)
        worker.run_and_wait(_disagree)
        _adjudicate(browser, link("eve", role="adjudicate"))


def _judge(browser: Any, link: str, now: list[float]) -> None:
    """Judge in a browser, and take its pictures."""
    wide = browser.new_page(viewport={"width": 1280, "height": 800})
    wide.set_default_timeout(PATIENCE)
    wide.goto(link)
    wide.wait_for_url("**/judge")
    for number, grade in enumerate("000100", 1):
        wide.get_by_text(f"document {number} of").first.wait_for()
        wide.wait_for_timeout(300)
        now[0] += SECONDS
        wide.keyboard.press(grade)
    wide.get_by_text("document 7 of").first.wait_for()
    for key in ("/", *EVIDENCE, "Enter", "Escape", "e"):
        wide.keyboard.press(key)
    wide.locator("mark.evidence").wait_for()
    wide.evaluate("getSelection().removeAllRanges()")
    wide.evaluate("scrollTo(0, 0)")
    photograph(wide, IMAGES / "browser.png")
    narrow = browser.new_page(viewport={"width": 390, "height": 780}, color_scheme="dark", device_scale_factor=2)
    narrow.goto(link)
    narrow.wait_for_url("**/judge")
    photograph(narrow, IMAGES / "browser-phone.png")


def _adjudicate(browser: Any, link: str) -> None:
    """The first disagreement in a browser."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    page.goto(link)
    page.get_by_text("disagreement 1 of 2").first.wait_for()
    photograph(page, IMAGES / "adjudicating.png")
