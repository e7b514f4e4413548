"""What the organiser can look at: every view as a page, as JSON and as CSV, of a store whose every name is hostile."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import cycle

import pytest
from starlette.testclient import TestClient

from cranfield.store.invitations import invite
from cranfield.web.application import Application
from cranfield.web.look.table import VIEWS, navigation
from cranfield.web.worker import Worker
from tests.web.look.hostile import evil, hostile_store

ASKED = {
    "document": {"docno": evil("d0")},
    "why": {"topic": evil("q0"), "docno": evil("d0")},
    "documents": {"search": f"text {evil('d1')}"},
}
INERT = {"script", "img", "iframe", "object", "svg:script", "style", "base", "embed", "b"}


class Elements(HTMLParser):
    """The names of the elements of a page and of their attributes, its links, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.links, self.text = set[str](), set[str](), list[str](), ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note them."""
        if (tag, dict(attrs).get("src")) != ("script", "/assets/page.js"):
            self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]

    def handle_data(self, data: str) -> None:
        """Text between elements."""
        self.text += data


@pytest.fixture(scope="module")
def organiser() -> Iterator[TestClient]:
    """The organiser's browser on that store."""
    app = Application(Worker(hostile_store))
    client = TestClient(app.asgi(["testserver"]))
    assert client.get(f"/enter/{app.access.start_token}").status_code == 200
    client.worker = app.worker  # type: ignore[attr-defined]
    yield client
    app.close()


@pytest.mark.parametrize("name", [name for name, view in VIEWS.items() if not view.heavy])
def test_a_view_is_an_inert_page_and_json_and_csv(organiser: TestClient, name: str) -> None:
    """Nothing of the data becomes an element, an attribute or a link to elsewhere."""
    page = organiser.get(f"/look/{name}", params=ASKED.get(name))
    assert page.status_code == 200
    found = Elements(page.text)
    assert not found.tags & INERT
    assert not {name for name in found.attributes if name.startswith("on")} | found.attributes & {"style"}
    assert all(link.startswith(("/", "#", "data:,")) and not link.startswith("//") for link in found.links)
    assert not set(found.text) & {"\x1b", "\u202e"}
    assert organiser.get(f"/look/{name}.json", params=ASKED.get(name)).headers["content-type"] == "application/json"
    assert organiser.get(f"/look/{name}.csv", params=ASKED.get(name)).headers["content-type"].startswith("text/csv")


def test_links_lead_to_pages(organiser: TestClient) -> None:
    """Whatever the names in them are."""
    asked = [organiser.get(f"/look/{name}", params=ASKED.get(name)).text for name in ("documents", "topics", "topic")]
    links = {link for page in asked for link in Elements(page).links if link.startswith("/look/") and "?" in link}
    assert len(links) > 10
    assert {organiser.get(link).status_code for link in links} == {200}


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("secrets", 404, "no such page"),
        ("collection.xml", 404, "no such page"),
        ("collection?depth=2", 400, "unknown parameter &#39;depth&#39;; available: none"),
        ("collection.json?depth=2", 400, "Unknown parameter 'depth'"),
        ("topic?topic=1&topic=2", 400, "given twice"),
        ("topic?topic=9", 404, "no topic &#39;9&#39;"),
        ("topic?pool=9", 404, "no pool 9"),
        ("topic?pool=-1", 400, "pool is &#39;-1&#39;; expected a whole number"),
        ("topic?page=9", 404, "There is no page 9; the last is 1"),
        ("document?docno=9", 404, "no document &#39;9&#39;"),
        ("document?docno=%00", 404, "no document"),
        ("log?by=moon", 400, "by is &#39;moon&#39;; expected one of variant, run, position, query"),
        ("log?experiment=none", 404, "no experiment &#39;none&#39;"),
        ("log?by=query", 200, "No query has enough users"),
        ("log?by=position", 200, "0.0000"),
        ("document.csv", 400, "No document is given"),
        ("why.json?topic=", 400, "expected topic= and docno="),
        ("why?docno=9", 404, "no document &#39;9&#39;"),
        (f"documents?search={'w' * 1001}", 400, "too long"),
        ("documents?search=*%22)+OR+NEAR(", 200, "No document has any of these words"),
    ],
)
def test_a_wrong_question_is_told(organiser: TestClient, address: str, status: int, told: str) -> None:
    """In the page, or in a line of text for a program."""
    answer = organiser.get(f"/look/{address}")
    assert (answer.status_code, told.lower() in answer.text.lower()) == (status, True)


def test_the_bar_leads_to_every_entry(organiser: TestClient) -> None:
    """Each of its pages names itself as the current one."""
    for link in navigation():
        page = organiser.get(link.href).text
        assert re.findall(r'aria-current="page">([^<]+)<', page) == [link.text]


def test_views_are_for_the_organiser(organiser: TestClient) -> None:
    """Neither a stranger nor an assessor sees any, whether it exists or not."""
    stranger, assessor = TestClient(organiser.app), TestClient(organiser.app)
    link = organiser.worker.wait(lambda store: invite(store, evil("ada")))  # type: ignore[attr-defined]
    assert assessor.get(f"/enter/{link}").status_code == 200
    pages = [
        f"/look/{name}{kind}" for name, kind in zip((*VIEWS, "secrets"), cycle(("", ".json", ".csv")), strict=False)
    ]
    assert {assessor.get(page).status_code for page in pages} == {403}
    assert {stranger.get(page).status_code for page in pages[:3]} == {403}
