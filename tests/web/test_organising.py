"""The organiser's pages: what they show, and that nobody else sees them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from cranfield.text import visible_line
from cranfield.web.look.query import Query
from cranfield.web.look.table import VIEWS
from cranfield.web.organise_page import SHOWN
from tests.judging.cases import store_of
from tests.web.browser import Browser

HOSTILE = "<b>eve\x1b[2J"


class Organiser(Browser):
    """A browser that is in with the start-up token beside that of an assessor."""

    def __init__(self) -> None:
        super().__init__(store_of)
        self.own = TestClient(self.client.app)
        assert self.own.get(f"/enter/{self.app.access.start_token}").status_code == 200

    def post(self, action: str, assessor: str) -> str:
        """Send a form of the page; the page that comes of it."""
        form = re.findall(r'name="form" value="(\w+)"', self.own.get("/").text)[0]
        return self.own.post(f"/organise/{action}", data={"form": form, "assessor": assessor}).text


@pytest.fixture
def organiser() -> Iterator[Organiser]:
    """An organiser's and an assessor's browser on a small store."""
    opened = Organiser()
    yield opened
    opened.close()


def test_the_page_shows_the_state_of_judging(organiser: Organiser) -> None:
    """What an assessor records is on the organiser's next page."""
    organiser.press("1")
    page = organiser.own.get("/").text
    assert "Work, by assessor and topic" in page
    assert 'href="/look/work.csv"' in page


@pytest.mark.parametrize("name", SHOWN)
def test_a_view_is_json_and_csv(organiser: Organiser, name: str) -> None:
    """Both have the rows of the view."""
    organiser.press("1")
    rows = organiser.worker.wait(lambda store: VIEWS[name].rows(store, Query(name)))
    assert organiser.own.get(f"/look/{name}.json").json() == [dict(row) for row in rows]
    found = list(csv.DictReader(io.StringIO(organiser.own.get(f"/look/{name}.csv").text)))
    assert [*map(list, found)] == [list(row) for row in rows]


def test_an_assessor_is_not_the_organiser(organiser: Organiser) -> None:
    """Neither tables nor links are for assessors; the organiser's link is not one to judge with."""
    assert organiser.client.get("/look/work.json").status_code == 403
    form = organiser.page.forms["/judge/stay"].fields["form"]
    sent = {"form": form, "assessor": "bo"}
    assert organiser.client.post("/organise/invite", data=sent).status_code == 403
    assert organiser.client.get("/", follow_redirects=False).headers["location"] == "/judge"
    assert organiser.own.get("/judge").status_code == 403
    assert organiser.own.get("/look/secrets.json").status_code == 404


def test_links_are_made_and_revoked(organiser: Organiser) -> None:
    """A link is shown once and works; revoked, it does not. A name is text."""
    link = re.findall(r'value="(http\S+)"', organiser.post("invite", HOSTILE))[0]
    stranger = TestClient(organiser.client.app)
    assert stranger.get(link).status_code == 200
    page = organiser.own.get("/").text
    assert link not in page
    assert "<b>" not in page
    assert visible_line(HOSTILE).replace("<", "&lt;").replace(">", "&gt;") in page
    assert "1 link of" in organiser.post("revoke", HOSTILE)
    assert stranger.get("/judge").status_code == 403
    assert "has no invitation" in organiser.post("revoke", "nobody")
