"""The pages that follow a form, in a language from right to left in which every text is marked.

Each form of each page is sent as it would be accepted, with strange values and empty, by the organiser, by assessors
with every kind of link, and by teams.
"""

from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from cranfield.features.collecting.finding.store import allow
from cranfield.store.invitations import invite
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.language import Language
from cranfield.web.open_sessions import judging_roles
from cranfield.web.organise.table import SECTIONS
from cranfield.web.results import Worker
from tests.features.organising.served import DOCUMENTS, RUN, TOPICS, Organiser
from tests.features.tasks.track import Track, run_lines
from tests.web.english_texts import kind_of_text, normalise_text
from tests.web.forms import STRANGE, FormsOfPage, fillings, send_form
from tests.web.serving import computing_here
from tests.web.test_on_a_phone import answered_store, briefed_store, judged_store
from tests.web.test_translated_pages import is_data, pseudo, untranslated  # noqa: F401

pytestmark = pytest.mark.daily
VALUES = {
    "assessor": "ada", "assessors": "ada\nbo", "team": "uva", "name": "ada", "topic": "q1", "qid": "q1",
    "text": "wing flutter",
    "kind": "automatic", "to": "assessors", "overlap": "0.5", "grade": "1", "size": "3", "priority": "1",
    "reason": "a test", "note": "a test", "words": "text", "terms": "wing", "criterion": "about wings",
    "keys": 'undo = "z"', "search": "wing", "question": "Does it count?", "query": "wings", "answer": "It does.",
    "tag": "a", "revoke": "uva", "other": "torn", "contact": "x@y.org", "message": "Thank you.",
}  # fmt: skip
FILES = {
    "documents": ("corpus.jsonl", DOCUMENTS),
    "topics": ("topics.tsv", TOPICS),
    "runs": ("a.run", RUN),
    "qrels": ("q.txt", b"q1 0 d1 1\nq1 0 d2 0\n"),
    "votes": ("v.csv", b"assessor,qid,docno,grade\nada,q1,d1,1\nbo,q1,d1,0\n"),
    "preferences": ("p.txt", b"q1 0 NA d1 1\nq1 0 NA d2 0\n"),
    "submit": ("a.run", run_lines("a")),
}
NO_TEXTS = ("text/csv", "application/")  # of files to download


def in_memory(make: Callable[[Path], None], path: Path) -> Store:
    """A store in memory with the content of a file, whose jobs run in this process."""
    make(path)
    with Store.open(path) as store:
        store.conn.execute("PRAGMA journal_mode = DELETE")
    store = Store(":memory:")
    store.conn.deserialize(path.read_bytes())
    store.set_pragmas()
    return store


class FormWalk:
    """Sends the forms of pages, and keeps what each page and each answer says, with the address."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self.pages = list[tuple[str, str]]()

    def visit(self, *addresses: str) -> None:
        """Send each form of these pages; after a form others may be on its page."""
        for address in addresses:
            seen, text = set[tuple[str, ...]](), self._read(address)
            while unseen := [one.key for one in FormsOfPage(text).buttons() if one.key not in seen]:
                seen.add(unseen[0])
                text = self._send(address, unseen[0], text)

    def _read(self, address: str) -> str:
        text = self._client.get(address).text
        self.pages.append((address, text))
        return text

    def _send(self, address: str, key: tuple[str, ...], text: str) -> str:
        """Send a form in each way; returns the page as it is then."""
        number = 0
        while button := next((one for one in FormsOfPage(text).buttons() if one.key == key), None):
            sent = [*fillings(button, VALUES, FILES)]
            if number == len(sent):
                break
            answer = send_form(self._client, button, sent[number])
            number += 1
            assert answer.status_code < 500 or "retry-after" in answer.headers, (key, answer.text)
            if not answer.headers.get("content-type", "").startswith(NO_TEXTS):
                self.pages.append((f"{address}, {' '.join(key)}, {number}", answer.text))
            is_here = answer.status_code == 200 and str(answer.url.path) == address.partition("?")[0]
            text = answer.text if is_here else self._read(address)
        return text


def english_texts(pages: Iterable[tuple[str, str]], store: Callable[[Any], Any]) -> str:
    """The texts of pages that are neither translated nor of a kind that stays English, a line each."""
    found = dict[str, str]()
    for address, page in pages:
        assert 'lang="ar-XB" dir="rtl"' in page, (address, page)
        found |= {text: found.get(text, address) for text in untranslated(page)}
    data = normalise_text(store(lambda store: " ".join(store.conn.iterdump())).replace("''", "'").replace("_", " "))
    names = ["strange.txt", "file.txt", "empty", "s.toml", *(name for name, _ in FILES.values())]
    data += normalise_text(
        " ".join([STRANGE, repr(STRANGE), *VALUES.values(), *FILES, *(f"{name} {name}:0" for name in names)])
    )
    unknown = {
        text: address for text, address in found.items() if not is_data(text, data) and kind_of_text(text) is None
    }
    return "\n".join(f"{address}: {text}" for text, address in sorted(unknown.items(), key=str))


ORGANISED = [f"/organise/{name}" for name in SECTIONS if name]
MORE = ["/organise/give?topic=q1&role=first", "/organise/revoke?assessor=ada", "/organise/person?assessor=ada"]


@pytest.mark.parametrize("make", [judged_store, briefed_store, answered_store])
def test_answers_to_the_organiser_are_translated(
    make: Callable[[Path], None],
    tmp_path: Path,
    pseudo: Language,  # noqa: F811
) -> None:
    """The outcome of every form, done or refused."""
    with closing(Organiser(lambda: in_memory(make, tmp_path / "s.db"), tmp_path, language=pseudo)) as organiser:
        computing_here(organiser.app)
        walk = FormWalk(organiser.client)
        walk.visit(*ORGANISED, *MORE)
        wrong = english_texts(walk.pages, organiser.worker.run_and_wait)
    assert not wrong, f"\n{wrong}"


def test_the_set_up_of_a_collection_is_translated(tmp_path: Path, pseudo: Language) -> None:  # noqa: F811
    """From an empty store to links: each step refused and done."""
    (tmp_path / "corpus.jsonl").write_bytes(DOCUMENTS)
    with closing(Organiser(lambda: Store.memory("small"), tmp_path, language=pseudo)) as organiser:
        computing_here(organiser.app)
        walk = FormWalk(organiser.client)
        walk.visit("/organise/setup", "/organise/setup", "/organise/deliver")
        wrong = english_texts(walk.pages, organiser.worker.run_and_wait)
        assert organiser.counts()["pool"], organiser.counts()
    assert not wrong, f"\n{wrong}"


@pytest.mark.parametrize("make", [judged_store, briefed_store, answered_store])
def test_answers_to_assessors_are_translated(
    make: Callable[[Path], None],
    tmp_path: Path,
    pseudo: Language,  # noqa: F811
) -> None:
    """The pages of every role after every form."""
    make(tmp_path / "s.db")
    with closing(computing_here(Application(Worker.worker_of_store(tmp_path / "s.db"), language=pseudo))) as app:
        asgi, pages = app.asgi(["testserver"]), list[tuple[str, str]]()
        for name in ("ada", "bo"):
            app.worker.run_and_wait(partial(add_assessor, name=name))
        app.worker.run_and_wait(partial(allow, assessor="ada"))
        for role in judging_roles():
            client = TestClient(asgi)
            client.get(f"/enter/{app.worker.run_and_wait(partial(invite, assessor='ada', role=role.name))}")
            first = f"/{quote(role.name)}"
            addresses = [first, *[f"{first}/labels"] * bool(role.open_sessions), f"{first}?topic=q1"]
            walk = FormWalk(client)
            walk.visit(*addresses)
            pages += walk.pages
        wrong = english_texts(pages, app.worker.run_and_wait)
    assert not wrong, f"\n{wrong}"


def test_answers_to_teams_are_translated(pseudo: Language) -> None:  # noqa: F811
    """The pages of a team and of the organiser of a task, in each phase."""
    with closing(Track(language=pseudo)) as track:
        computing_here(track.app)
        pages = list[tuple[str, str]]()
        organiser = track.client()
        organiser.get(f"/enter/{track.app.access.start_token}")
        for phase in ("announced", "topics", "open", "closed", "results"):
            walk = FormWalk(track.as_team("cuni"))
            walk.visit("/team", "/team/submit", "/team/runs/a", "/leaderboard")
            pages += walk.pages
            track.phase(phase)
            if phase == "open":
                track.upload("udel", run_lines("b"))
        walk = FormWalk(organiser)
        walk.visit("/organise/task")
        wrong = english_texts([*pages, *walk.pages], track.do)
    assert not wrong, f"\n{wrong}"
