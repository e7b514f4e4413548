"""Adjudicating in a real browser: by keyboard, with hostile notes, evidence and reasons, and for a screen reader."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cranfield.judging.labels.evidence import dumped, quoted
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor, append, events
from cranfield.store.store import Store
from cranfield.web.results import Results, StoreThread
from tests.browser import InBrowser
from tests.conftest import usually
from tests.web.test_in_browser import DOCNOS, HELD, HOSTILE, TEXT, Served, judging

ODD = f"\u202e{HOSTILE} javascript:alert(1) {{{{ 7 * 7 }}}}"


def _disagree(store: Store) -> None:
    """Two people whose notes and evidence would be executed if they could."""
    evidence = dumped([quoted(TEXT, HOSTILE)])
    for grade, name in ((0, "ada"), (2, f"bob {HOSTILE}")):
        add_assessor(store, name)
        append(store, *(Event("label", "q1", d, name, grade=grade, note=ODD, evidence=evidence) for d in DOCNOS[:2]))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A served store with two disagreements, and the link of an adjudicator."""
    found = Served(tmp_path / "s.db")
    found.worker.wait(_disagree)
    found.app.results.close()
    found.app.results = Results(found.worker, StoreThread(found.worker))  # another process would take seconds to start
    found.link = f"{found.at.base}/enter/{found.worker.wait(partial(invite, assessor='eve', role='adjudicate'))}"
    yield found
    found.close()


def _case(page: Any, number: int) -> None:
    """Wait until a case is shown, and has been for a moment."""
    page.get_by_text(f"disagreement {number} of 2").first.wait_for()
    page.wait_for_timeout(HELD)


def test_hostile_notes_evidence_and_reasons_by_keyboard(in_browser: InBrowser, served: Served) -> None:
    """All of it is text; a reason is typed, the grade given, the answer undone and repeated: nothing is executed.

    axe finds nothing on this page, and nothing is wider than it.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe, which is not here").Axe()

    def visit(browser: Any) -> list[Any]:
        wrong = []
        with judging(browser, served, to="adjudicate", bypass_csp=True) as page:
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
                wrong += [one["id"] for one in axe.run(page).response["violations"]]
                wrong += [width] * (page.evaluate("document.documentElement.scrollWidth") > width)
        return wrong

    assert in_browser(visit) == []
    mine = [event for event in served.worker.wait(events) if event.assessor == "eve" and event.kind == "adjudicate"]
    assert [(event.docno, event.grade, event.note) for event in mine] == [(DOCNOS[0], 1, HOSTILE)] * 2
