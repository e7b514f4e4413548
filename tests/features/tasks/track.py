"""A small track: its store, teams with links, and a client that comes as one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from starlette.testclient import TestClient

from cranfield.features.tasks.description import TEMPLATE
from cranfield.features.tasks.store import accept_terms, begin_phase, describe, invite_team, task_of
from cranfield.formats import Document
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.language import ENGLISH, Language
from cranfield.web.results import Worker
from tests.stores import new_store
from tests.web.browser import Page
from tests.web.serving import Serving

HOSTILE = '<script>alert(1)</script>"\u202e'
QIDS = ("1", "2", "3")
DOCNOS = tuple(f"d{number}" for number in range(1, 9))
TOKENS = ("cuni", "udel", "uni3", "uni4")


def description(**changes: str) -> str:
    """The description of a task whose dates are around now; changes are of whole lines, by what they say."""
    now = datetime.now(UTC)
    text = TEMPLATE
    for name, days in (("topics", -2), ("open", -1), ("close", 1), ("results", 2)):
        at = (now + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
        text = "\n".join(f"{name} = {at}" if one.startswith(f"{name} = 2027") else one for one in text.splitlines())
    for name, value in changes.items():
        start = f"{name} = "
        text = "\n".join(f"{start}{value}" if one.startswith(start) else one for one in text.splitlines())
    return text.replace('"""\nTopics and documents may be used for research only.\n"""', '"Be fair."') + "\n"


def collection(qids: Sequence[str] = QIDS) -> Store:
    """A store with topics and documents."""
    documents = [Document(docno, docno, f"text of {docno}") for docno in DOCNOS]
    titles = {qid: f"topic {qid}" for qid in qids}
    return new_store(name=HOSTILE, grades={0: "not", 1: "relevant"}, documents=documents, topics=titles)


def run_lines(tag: str, docnos: Sequence[str] = DOCNOS[:3], qids: Sequence[str] = QIDS) -> bytes:
    """A run that ranks these documents for each topic."""
    rows = ((qid, docno, rank) for qid in qids for rank, docno in enumerate(docnos, 1))
    return "".join(f"{qid} Q0 {docno} {rank} {10 - rank} {tag}\n" for qid, docno, rank in rows).encode()


@contextmanager
def serve(track: Track) -> Iterator[str]:
    """A server of a track in a thread; its address."""
    serving = Serving(track.app)
    try:
        yield serving.at.base
    finally:
        serving.stop()


class Track:
    """A served track: `as_team` comes with a team's cookie, `upload` as a program with its token."""

    def __init__(self, text: str = "", qids: Sequence[str] = QIDS, language: Language = ENGLISH) -> None:
        self.worker = Worker(partial(collection, qids))
        self.app = Application(self.worker, language=language)
        self.do(lambda store: describe(store, text or description()))
        self.tokens = {name: self.do(partial(invite_team, name=name, contact=f"{name}@x.org")) for name in TOKENS}
        self.asgi = self.app.asgi(["testserver"])
        first, *others = TOKENS
        page = Page((browser := self.as_team(first)).get("/team").text)
        if "/team/terms" in page.forms:
            browser.post("/team/terms", data=page.forms["/team/terms"].fields)
        for name in others:
            self.accept(name)

    def accept(self, name: str) -> None:
        """Accept the terms for a team."""
        self.do(lambda store: accept_terms(store, name, task_of(store).terms))

    def do(self, act: Any) -> Any:
        """Do something with the store, in its thread."""
        return self.worker.run_and_wait(act)

    def phase(self, name: str) -> None:
        self.do(lambda store: begin_phase(store, name, "a test"))

    def client(self) -> TestClient:
        """A browser without cookies."""
        return TestClient(self.asgi, base_url="http://testserver")

    def as_team(self, name: str) -> TestClient:
        """A browser that came with the team's link."""
        client = self.client()
        assert client.get(f"/team/enter/{self.tokens[name]}").status_code == 200
        return client

    def upload(self, team: str, run: bytes, meta: str = "", **more: Any) -> Any:
        """The answer to a program of a team that sends a run."""
        files: Mapping[str, Any] = {"run": ("../../etc/passwd", run)} | ({"meta": ("m", meta.encode())} if meta else {})
        headers = {"authorization": f"Bearer {self.tokens[team]}"} | more.pop("headers", {})
        return self.client().post("/submit", files=files, headers=headers, **more)

    def close(self) -> None:
        self.app.close()
