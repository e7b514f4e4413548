"""Answers in a real browser: the organiser's pages on a store of answers, and labels settled on a telephone."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cranfield.features.answers.formats.nuggets import PlainClaims
from cranfield.features.answers.store.labels import NUGGET_LABELS, import_claims
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.results import Worker
from tests.browser import PHONE, InBrowser, axe_finds, misfits
from tests.features.answers.stores import RUNS, answered_store, labelled_answers_store
from tests.web.look.test_in_browser import watch
from tests.web.serving import Serving, computing_here
from tests.web.test_in_browser import HELD

pytestmark = pytest.mark.full

CHOSEN = "assessor=ada"
PAGES = (
    "/",
    "/organise/agreement",
    f"/look/systems?{CHOSEN}",
    f"/look/compare?{CHOSEN}&measure=A",
    f"/look/reusability?{CHOSEN}",
    "/look/topics",
    "/look/topic?topic=q1",
    "/look/runs",
    f"/look/models?{CHOSEN}",
    f"/look/audit?of=nuggets&model=llm&{CHOSEN}",
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Serving, str]]:
    """A server of a store of answers, and the token of somebody who settles labels."""
    with labelled_answers_store(tmp_path / "a.db") as store:
        token = invite(store, "zoe", role="settle-answers")
    with closing(Serving(computing_here(Application(Worker.worker_of_store(tmp_path / "a.db"))))) as serving:
        yield serving, token


def test_the_organisers_pages_of_answers(in_browser: InBrowser, served: tuple[Serving, str]) -> None:
    """No error, no request to elsewhere, nothing that axe-core finds; on a telephone nothing is too wide or small."""
    serving, _ = served
    base, wrong = serving.at.base, list[Any]()

    def visit(browser: Any) -> None:
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
            page = context.new_page()
            watch(page, base, wrong)
            page.goto(f"{base}/enter/{serving.app.access.start_token}")
            page.get_by_role("navigation", name="Pages", exact=True).wait_for()
            for address in PAGES:
                page.set_viewport_size({"width": 1280, "height": 800})
                page.goto(f"{base}{address}")
                wrong.extend((address, scheme, one["id"]) for one in axe_finds(page))
                wrong.extend((address, scheme, what) for what in misfits(page))
            context.close()

    in_browser(visit)
    assert wrong == []


def test_the_pages_are_found_by_their_links(in_browser: InBrowser, served: tuple[Serving, str]) -> None:
    """From the overview to the systems, the labels that differ, a choice of labels, and an answer."""
    serving, _ = served

    def visit(browser: Any) -> None:
        page = browser.new_page()
        page.goto(f"{serving.at.base}/enter/{serving.app.access.start_token}")
        page.get_by_text("108 of 108 items by people").wait_for()
        page.get_by_role("link", name="Results").click()
        page.get_by_text("2 assessors gave the same items different labels: ada, bob.").wait_for()
        page.get_by_role("link", name="labels by ada").click()
        page.locator("#scores-table").wait_for()
        assert [run for run in RUNS if page.locator("#scores-table th", has_text=run).count() != 1] == []
        page.locator("table.heatmap thead a", has_text="q1").first.click()
        page.get_by_role("heading", name="Answers", exact=True).wait_for()
        assert page.locator(".answers article").count() == len(RUNS)
        tops = page.locator(".answers article").evaluate_all("(all) => all.map((one) => one.offsetTop)")
        assert len({*tops}) == 1, "the answers are not side by side"
        page.context.close()

    in_browser(visit)


def test_labels_are_settled_on_a_telephone(in_browser: InBrowser, served: tuple[Serving, str], tmp_path: Path) -> None:
    """With the thumb; nothing of the page is out of reach, and each settlement is on disk."""
    serving, token = served
    wrong = list[Any]()

    def visit(browser: Any) -> None:
        context = browser.new_context(viewport=PHONE, has_touch=True)
        page = context.new_page()
        watch(page, serving.at.base, wrong)
        page.goto(f"{serving.at.base}/enter/{token}")
        page.get_by_text("18 left").wait_for()
        wrong.extend(misfits(page))
        wrong.extend(one["id"] for one in axe_finds(page))
        for left in (17, 16):
            page.wait_for_timeout(HELD)
            page.locator("[name=grade][value='1']").tap()
            page.get_by_text(f"{left} left").wait_for()
        context.close()

    in_browser(visit)
    assert wrong == []
    with Store.open(tmp_path / "a.db") as store:
        settled = [one for one in NUGGET_LABELS.current(store) if one.settles]
    assert [(one.assessor, one.label) for one in settled] == [("zoe", "partial_support")] * 2


def test_claims_are_read_in_three_sizes(in_browser: InBrowser, tmp_path: Path) -> None:
    """Nothing of the page is too wide, too small or wrong; after a key the next claim is on screen."""
    long = "The lift of a swept wing grows with the angle of attack until the flow separates at the leading edge."
    with answered_store(tmp_path / "c.db") as store:
        import_claims(store, [PlainClaims("1", "a", [long, "Drag grows."]), PlainClaims("1", "", ["Lift."])], "kim")
        token = invite(store, "zoe", role="claims")
    wrong = list[Any]()

    def visit(browser: Any) -> None:
        for width, height in ((1280, 800), (390, 844), (844, 390)):
            context = browser.new_context(viewport={"width": width, "height": height})
            page = context.new_page()
            watch(page, serving.at.base, wrong)
            page.goto(f"{serving.at.base}/enter/{token}")
            page.get_by_role("heading", name="Claim: ").wait_for()
            wrong.extend((width, what) for what in misfits(page))
            wrong.extend((width, one["id"]) for one in axe_finds(page))
            left = page.get_by_text(re.compile(r"^\d left$")).inner_text() if width != 844 else ""
            page.wait_for_timeout(HELD)
            page.keyboard.press("2")
            page.locator("#announced", has_text="Recorded: ").wait_for(state="attached")
            if left:
                page.get_by_text(f"{int(left[0]) - 1} left", exact=True).wait_for()
            context.close()

    with closing(Serving(computing_here(Application(Worker.worker_of_store(tmp_path / "c.db"))))) as serving:
        in_browser(visit)
    assert wrong == []
