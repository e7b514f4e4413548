"""From an empty folder to exported qrels in a real browser: one organiser, five assessors, one command: serve."""

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.browser import InBrowser, axe_finds, misfits
from tests.features.organising.served import DOCUMENTS, RUN, TOPICS
from tests.stores import new_store
from tests.web.look.test_in_browser import watch

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("serve")]
PEOPLE = ("ada", "bo", "cy", "di", "ed")
CLICKS = 13  # of the organiser, from the first page to the file, with those that choose files and copy the links
TOPICS_OF_FIVE = TOPICS + b"q3\twing flutter\nq4\tboundary layers\nq5\theat\n"
RUN_OF_FIVE = RUN + RUN.replace(b"q1 ", b"q3 ").replace(b"q2 ", b"q4 ") + RUN[: len(RUN) // 2].replace(b"q1 ", b"q5 ")


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """The one command: a server on a file that does not exist; the organiser's link."""
    command = [sys.executable, "-m", "cranfield", "serve", str(path), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield re.findall(r"organiser: (\S+)", server.stdout.readline())[0]
        finally:
            server.terminate()


class OrganiserPage:
    """A page whose clicks are counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.clicks = page, 0

    def click(self, button: str) -> None:
        """Press a button, and wait until the step has finished."""
        self.clicks += 1
        self.page.get_by_role("button", name=button, exact=True).click()
        self.page.locator("#notice, #documents").first.wait_for()
        self.page.get_by_text("This page reloads until").wait_for(state="detached", timeout=120_000)

    def copy(self, button: str, field: str) -> str:
        """Press a button that copies a field; returns the part of the field that is selected."""
        self.clicks += 1
        self.page.get_by_role("button", name=button, exact=True).click()
        self.page.get_by_role("button", name="Copied", exact=True).wait_for()
        selected = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
        return str(self.page.locator(field).evaluate(selected))

    def follow(self, *links: str) -> None:
        """Follow links in the navigation, one after the other."""
        for link in links:
            self.clicks += 1
            self.page.get_by_role("link", name=link, exact=True).click()

    def upload(self, step: str, name: str, content: bytes, button: str) -> None:
        """Choose a file, which takes a click, and send it."""
        self.clicks += 1
        file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        self.page.locator(f"#{step} [type=file]").set_input_files(file)
        self.click(button)
        self.page.locator("#notice", has_text="imported").wait_for(timeout=120_000)


def wait_for_forecast(page: Any) -> None:
    """Load the page until it has the forecast, which the first page after an upload may lack on a slow machine."""
    while not page.locator("#forecast").count():
        page.get_by_text("The forecast is being computed.").wait_for()
        page.reload()


def judge_everything(browser: Any, link: str, grade: str) -> None:
    """One assessor judges all that the link leads to, by keyboard."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    page.wait_for_url("**/judge")
    done = page.get_by_role("heading", name="Everything is done")
    for _ in range(100):
        page.locator(".grades, h1").first.wait_for()
        if done.count():
            break
        page.wait_for_timeout(250)
        page.keyboard.press(grade)
        page.wait_for_timeout(150)
    done.wait_for()
    context.close()


def test_nothing_but_serve(in_browser: InBrowser, tmp_path: Path) -> None:
    """Thirteen clicks of the organiser lead to a zip of qrels; the store verifies."""
    path, wrong, found = tmp_path / "new.db", list[Any](), dict[str, Any]()

    def visit(browser: Any) -> None:
        with serving(path) as link:
            context = browser.new_context(accept_downloads=True)
            page = context.new_page()
            watch(page, link.partition("/enter")[0], wrong)
            page.goto(link)
            page.get_by_label("Name of the collection").wait_for()
            found["first"] = axe_finds(page)
            page.get_by_label("Name of the collection").fill("Wings")
            organiser = OrganiserPage(page)
            organiser.click("Create the collection")
            organiser.upload("documents", "corpus.jsonl", DOCUMENTS, "Upload the documents")
            organiser.upload("topics", "topics.tsv", TOPICS_OF_FIVE, "Add the topics")
            organiser.upload("runs", "a.run", RUN_OF_FIVE, "Upload the runs")
            wait_for_forecast(page)
            found["forecast"] = page.locator("#forecast").inner_text()
            organiser.click("Build the pool")
            page.locator("#people textarea").fill("\n".join(PEOPLE))
            organiser.click("Assign the topics")
            links = [one.input_value() for one in page.locator(".one input[readonly]").all()]
            found["set-up"] = axe_finds(page)
            found["copied"] = organiser.copy("Copy all links", "#all-links")
            for number, one in enumerate(links):
                judge_everything(browser, one, str(number % 3))
            organiser.follow("Results", "Deliver")
            page.locator("#qrels").wait_for()
            found["deliver"] = axe_finds(page)
            with page.expect_download() as download:
                page.locator("#qrels").get_by_role("button").click()
            found["clicks"] = organiser.clicks + 1
            found["zip"] = Path(download.value.path()).read_bytes()
            found["name"] = download.value.suggested_filename
            found["misfits"] = misfits(page)
            page.goto(f"{link.partition('/enter')[0]}/organise/setup?step=people")
            found["misfits"] += misfits(page)
            context.close()

    in_browser(visit)
    assert not wrong
    assert [found["first"], found["set-up"], found["deliver"], found["misfits"]] == [[], [], [], []]
    assert found["forecast"].startswith("Forecast: 20 documents for 5 topics.")
    assert found["clicks"] == CLICKS
    assert [line.partition(": ")[0] for line in found["copied"].splitlines() if line] == [*PEOPLE]
    assert found["name"] == "new-qrels.zip"
    with zipfile.ZipFile(io.BytesIO(found["zip"])) as archive:
        lines = archive.read("qrels.txt").decode().splitlines()
        assert "qrels.txt.manifest.json" in archive.namelist()
    with Store.open(path) as store:
        assert len(lines) == len(qrels_of(store)) == 20
        verify(store)


def test_a_person_is_erased_after_a_confirmation(in_browser: InBrowser, tmp_path: Path) -> None:
    """The organiser chooses ada, reads what would be lost, types the name, and erases; no page is wrong or too wide."""
    path, wrong, found = tmp_path / "track.db", list[Any](), list[Any]()
    grades = {0: "not", 1: "relevant"}
    with new_store(path, documents=["d1"], people=["ada", "bo"], topics={"q1": "wings"}, grades=grades) as store:
        append(store, Event("label", "q1", "d1", "ada", grade=1, note="my secret remark"))

    def visit(browser: Any) -> None:
        with serving(path) as link:
            context = browser.new_context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            watch(page, link.partition("/enter")[0], wrong)
            page.goto(link)
            page.wait_for_url("**/")
            page.goto(f"{link.partition('/enter')[0]}/organise/deliver")
            page.get_by_role("link", name="Choose a person to erase").click()
            page.get_by_label("Assessor").select_option("ada")
            page.get_by_label("Reason").fill("asked for it")
            found.append([axe_finds(page), misfits(page)])
            page.get_by_role("button", name="Show what would be erased").click()
            page.get_by_text("You cannot undo this").wait_for()
            found.append([axe_finds(page), misfits(page)])
            page.get_by_label("type the name ada").fill("bo")
            page.get_by_role("button", name="Erase the data").click()
            page.locator("#notice", has_text="Not done.").wait_for()
            page.get_by_label("Assessor").select_option("ada")
            page.get_by_label("Reason").fill("asked for it")
            page.get_by_role("button", name="Show what would be erased").click()
            page.get_by_label("type the name ada").fill("ada")
            page.get_by_role("button", name="Erase the data").click()
            page.locator("#notice", has_text="The data of ada were erased").wait_for(timeout=60_000)
            found.append([axe_finds(page), misfits(page)])
            context.close()

    in_browser(visit)
    assert not wrong
    assert found == [[[], []]] * 3
    with Store.open(path) as store:
        assert store.rows("SELECT name FROM assessor ORDER BY name") == [("bo",), ("erased 1",)]
        verify(store)
    assert b"my secret remark" not in path.read_bytes()
