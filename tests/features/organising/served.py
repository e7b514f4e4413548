"""A served store with the organiser's browser, which sends the forms of set-up and delivery."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import wait
from html import unescape
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from cranfield.features.organising.pages import SetUpPages
from cranfield.store.store import Store
from cranfield.web.application import Application, FileAccess
from cranfield.web.language import ENGLISH, Language
from cranfield.web.results import Worker

DOCUMENTS = b"".join(
    b'{"docno": "d%d", "title": "wing %d", "text": "shock wave over wing %d"}\n' % (n, n, n) for n in range(6)
)
TOPICS = b"q1\tshock waves\nq2\twings\n"
RUN = b"".join(b"q%d Q0 d%d %d %d.5 a\n" % (q, d, d + 1, 9 - d) for q in (1, 2) for d in range(4))
Files = Sequence[tuple[str, bytes]]


class Organiser:
    """The organiser's browser on a store; jobs run in this process, on the store's own thread."""

    def __init__(
        self,
        make: Callable[[], Store],
        files: Path | None = None,
        largest_upload: int = 1 << 20,
        language: Language = ENGLISH,
    ) -> None:
        self.worker = Worker(make)
        self.app = Application(self.worker, files=FileAccess(files, largest_upload), language=language)
        self.guard = self.app.asgi(["testserver"])
        owners = [getattr(close, "__self__", None) for close in self.app.closing]
        [self.jobs] = [pages.jobs for pages in owners if isinstance(pages, SetUpPages)]
        self.client = TestClient(self.guard)
        assert self.client.get(f"/enter/{self.app.access.start_token}").status_code == 200
        self.form = re.findall(r'name="form" value="(\w+)"', self.client.get("/organise/links").text)[0]

    def page(self, name: str = "setup") -> str:
        """A page once nothing is under way."""
        deadline = time.monotonic() + 60
        while "reloads until" in (text := self.client.get(f"/organise/{name}").text):
            assert time.monotonic() < deadline, text
            self._wait_for_job()
        return text

    def upload(self, kind: str, files: Files, client: TestClient | None = None, **fields: str) -> str:
        """Send files; the page that comes of it."""
        answer = self.send_files(kind, files, client, **fields)
        assert answer.status_code == 200, answer.text
        return self._settled(answer)

    def send_files(self, kind: str, files: Files, client: TestClient | None = None, **fields: str) -> Any:
        """The answer to files that are sent."""
        parts = [("files", (name, content)) for name, content in files] or [("files", ("", b""))]
        data = {"form": self.form, **fields}
        return (client or self.client).post(f"/organise/upload/{kind}", data=data, files=parts)

    def send(self, action: str, **fields: str) -> str:
        """Send a form without files; the page that comes of it."""
        answer = self.client.post(f"/organise/{action}", data={"form": self.form, **fields})
        assert answer.status_code == 200, answer.text
        return self._settled(answer)

    def _settled(self, answer: Any) -> str:
        """The page that comes of a form, loaded again as it asks for."""
        deadline = time.monotonic() + 60
        while where := answer.headers.get("refresh", "").partition("url=")[2]:
            assert time.monotonic() < deadline, answer.text
            self._wait_for_job()
            answer = self.client.get(where)
        return str(answer.text)

    def _wait_for_job(self) -> None:
        """Wait for its end; requests meanwhile would only slow it down."""
        if self.jobs._future is not None:
            wait([self.jobs._future], timeout=60)

    def counts(self) -> Mapping[str, int]:
        """What the store has."""
        return self.worker.run_and_wait(lambda store: store.counts())

    def rows(self, sql: str) -> list[Any]:
        """What a query finds."""
        return self.worker.run_and_wait(lambda store: store.rows(sql))

    def close(self) -> None:
        self.app.close()


def notice(page: str) -> str:
    """What a page says of the last form."""
    return unescape(re.sub(r"<[^>]+>", "", re.findall(r'id="notice">(.*?)</p>', page, re.DOTALL)[0]))
