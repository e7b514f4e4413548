"""No page shows a command or an option of the command line: who organises in a browser has no shell."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from starlette.testclient import TestClient

from cranfield.features.tasks.store import describe
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.access import Visitor
from cranfield.web.application import Application
from cranfield.web.look.table import VIEWS
from cranfield.web.open_sessions import invited_roles
from cranfield.web.organise.table import FORMS, SECTIONS
from cranfield.web.results import Worker
from tests.features.collecting.corpora import store_of as corpus_of
from tests.features.tasks.track import description
from tests.judging.cases import store_of
from tests.stores import new_file
from tests.web.look.measured import measured_store
from tests.web.serving import computing_here
from tests.web.test_on_a_phone import answered_store, briefed_store, judged_store

pytestmark = pytest.mark.full

SHELL = re.compile(r"(?<![\w-])--[a-z][\w-]*|\bcranfield [a-z]|`[^`]*`")


def empty_store(path: Path) -> None:
    """A store that `init` made."""
    new_file(path)


def pooled_store(path: Path) -> None:
    """A pool that is not assigned and has no labels."""
    store_of({"q1": ["d1", "d2"], "q2": ["d1"]}, path).close()


def assigned_store(path: Path) -> None:
    """A pool that is assigned and has no labels."""
    with store_of({"q1": ["d1", "d2"], "q2": ["d1"]}, path) as store:
        assign_topics_to_assessors(store, ["ada", "bo"], overlap=0.5)


def complete_store(path: Path) -> None:
    """Runs, a pool and labels by one person."""
    measured_store(path)


def learnt_store(path: Path) -> None:
    """A pool by active learning, and a shared task."""
    with corpus_of(path) as store:
        build(store, PoolRequest("cal", 20, 12, options={"first": 4, "sample": 9}))
        describe(store, description())


STATES: tuple[Callable[[Path], None], ...] = (
    empty_store, pooled_store, assigned_store, complete_store, judged_store, briefed_store, answered_store,
    learnt_store,
)  # fmt: skip


class VisibleText(HTMLParser):
    """The text that a page shows, and what its controls and tooltips say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines, self._unseen = list[str](), 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Skip scripts and styles; keep what attributes say to people."""
        self._unseen += tag in ("script", "style")
        self.lines += [value or "" for name, value in attrs if name in ("title", "placeholder", "aria-label", "alt")]

    def handle_endtag(self, tag: str) -> None:
        """A script or a style ends."""
        self._unseen -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        """Text between elements."""
        self.lines += [] if self._unseen else [data]


def shell_words(page: str) -> list[str]:
    """What of a page is for a shell, with its surroundings."""
    text = " ".join(" ".join(VisibleText(page).lines).split())
    return [text[max(0, found.start() - 90) : found.end() + 30] for found in SHELL.finditer(text)]


def test_shell_words_are_found() -> None:
    """Options, commands and backquotes are; versions, names and scripts are not."""
    page = '<p title="use --by">Run <code>cranfield pool build</code></p><script>--x</script> cranfield 0.1 -- a-b'
    assert len(shell_words(page)) == 2


def addresses() -> Iterator[str]:
    """All pages of the organiser, some with parameters."""
    yield from ("/", *(f"/organise/{name}" for name in SECTIONS if name))
    for name, view in VIEWS.items():
        yield f"/look/{name}"
        yield from (f"/look/{name}?{one.name}=people" for one in view.parameters if one.name == "labels")
        yield from (f"/look/{name}?{one.name}=common" for one in view.parameters if one.name == "topics")
    more: Mapping[str, Mapping[str, str]] = {
        "/look/why": {"topic": "q1", "docno": "d01"}, "/look/document": {"docno": "d01"},
        "/organise/give": {"topic": "q1", "role": "first"}, "/organise/assign": {"to": "assessors", "overlap": "x"},
    }  # fmt: skip
    yield from (f"{path}?{urlencode(fields)}" for path, fields in more.items())


@pytest.mark.parametrize("make", STATES)
def test_no_page_has_words_for_a_shell(make: Callable[[Path], None], tmp_path: Path) -> None:
    """All pages of the organiser, what their forms refuse, and the first page of each link."""
    make(tmp_path / "s.db")
    found = dict[str, list[str]]()
    with closing(computing_here(Application(Worker.worker_of_store(tmp_path / "s.db")))) as app:
        asgi = app.asgi(["testserver"])
        client = TestClient(asgi)
        client.get(f"/enter/{app.access.start_token}")
        form = Visitor(app.access.start_token, None).form_token(app.access.key)
        pages = {address: client.get(address) for address in addresses()}
        for name in FORMS:
            pages[f"POST {name}"] = client.post(f"/organise/{name}", data={"form": form})
        for role in invited_roles():
            own = TestClient(asgi)
            token = app.worker.run_and_wait(partial(_invite, role=role))
            own.get(f"/enter/{token}")
            pages[f"/{role}"] = own.get(f"/{quote(role)}")
        for address, answer in pages.items():
            assert answer.status_code < 500, address
            if words := shell_words(answer.text):
                found[address] = words
    assert not found


def _invite(store: Store, role: str) -> str:
    return invite(store, "ada", role=role)
