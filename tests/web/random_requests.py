"""Random requests to the web application: right ones, nearly right ones and nonsense, of everybody, and what must hold.

Whatever comes: no error of the server, the headers of every answer, and in the log only what somebody asked for with a
form of their own page.
"""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlencode

from cranfield.store.invitations import invite, revoke
from cranfield.store.log import read_events
from cranfield.web.access import Visitor, WrongTokens
from cranfield.web.application import ASSETS, Application
from cranfield.web.commands import COMMANDS
from cranfield.web.guard import HEADERS, LARGEST
from cranfield.web.look.table import VIEWS
from cranfield.web.organise.table import FORMS, SECTIONS
from cranfield.web.results import Worker
from tests.judging.cases import store_of
from tests.web.browser import Page

HOST, PORT = "127.0.0.1:8765", 8765
TYPED = ("text", "note", "criterion", "assessor", "words")  # fields of forms
ODD = [
    "", "0", "-1", "1" * 400, "../..", "..%2f", "%00", "\0", "\r\nx: y", "\u202e", "é", "%ff", "<b>", "'", "=1+1", "🙂",
    "//x",
]  # fmt: skip
METHODS = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"]
HOSTS = [HOST] * 40 + ["evil.example", "127.0.0.1:x", "", "[::1]", "localhost"]
HEADS = [
    ("origin", "https://evil.example"), ("origin", "null"), ("origin", f"http://{HOST}"), ("x-part", "1"),
    ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-origin"), ("x-forwarded-for", "10.0.0.1"),
    ("content-type", "text/plain"), ("content-length", "-1"), ("accept", "\xff"), ("range", "bytes=0-1"),
    ("host", "evil.example"), ("cookie", "a=b; c"),
]  # fmt: skip
BODIES = [b"\xff\xfe=", b"&" * 1000, b"a" * (LARGEST + 1), b"form=%zz&%", b"{}"]
FOREIGN = {("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")}
Headers = list[tuple[str, str]]


class PageRequest(NamedTuple):
    """A request."""

    method: str
    path: str
    query: str
    headers: Headers
    body: bytes
    who: str  # whose cookie it has
    fields: Mapping[str, str]


class PageReply(NamedTuple):
    """An answer."""

    status: int
    headers: dict[str, str]
    text: str


class Requests:
    """A small served store, its visitors, and what is wrong with the answers to random requests."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.app = Application(Worker(store_of))
        self.asgi = self.app.asgi(["127.0.0.1", "localhost", "::1"])
        self.tokens = {"organiser": self.app.access.start_token, "nobody": "", "liar": "x" * 43}
        for name in ("ada", "bo", "cy", "eve"):
            self.tokens[name] = self.app.worker.run_and_wait(partial(invite, assessor=name))
        self.tokens["judy"] = self.app.worker.run_and_wait(partial(invite, assessor="judy", role="adjudicate"))
        self.app.worker.run_and_wait(partial(revoke, assessor="cy"))
        self.statuses: Counter[int] = Counter()
        self.recorded, self.shown = 0, dict[str, Page]()
        self.heard: list[str] = []  # what the server says of its own errors

    def run(self, number: int) -> list[str]:
        """Send so many requests; what is wrong."""
        handler = logging.Handler()
        handler.emit = lambda record: self.heard.append(record.getMessage())  # type: ignore[method-assign]
        loggers = [logging.getLogger(name) for name in ("cranfield.web", "asyncio")]
        for logger in loggers:
            logger.addHandler(handler)
        try:
            return asyncio.run(self._run(number))
        finally:
            for logger in loggers:
                logger.removeHandler(handler)

    async def _run(self, number: int) -> list[str]:
        wrong = []
        for _ in range(number):
            self.app.access.wrong = WrongTokens() if self.draw.random() < 0.9 else self.app.access.wrong
            request = await self._drawn()
            answer = await self.ask(request)
            if answer is not None:
                self.statuses[answer.status] += 1
                wrong += [f"{text}: {request}"[:1000] for text in self._wrong(request, answer)]
        return wrong

    # What is sent

    async def _drawn(self) -> PageRequest:
        draw = self.draw
        who = draw.choice([*self.tokens, "ada", "ada", "bo", "organiser"])
        request = await self._form(who) if draw.random() < 0.6 else self._any(who)
        if draw.random() < 0.3:
            request = request._replace(headers=[*request.headers, *draw.choices(HEADS, k=draw.randint(1, 3))])
        return request._replace(body=draw.choice(BODIES)) if draw.random() < 0.1 else request

    def _base(self, who: str) -> Headers:
        of = "application/x-www-form-urlencoded"
        role = {"organiser": "organiser", "judy": "adjudicate"}.get(who, "judge")
        cookie = f"cranfield-{PORT}-{role}={self.tokens[who]}"
        return [("host", self.draw.choice(HOSTS)), ("cookie", cookie), ("content-type", of)]

    def _any(self, who: str) -> PageRequest:
        """Some method, some path, some fields."""
        draw = self.draw
        fields = {name: draw.choice(ODD) for name in ("form", "page", "assessor", "grade")}
        query = urlencode({self._parameter(): draw.choice([*ODD, "q1", "d1"])}) if draw.random() < 0.4 else ""
        body = urlencode(fields).encode()
        route = draw.choice(self.asgi.app.routes)  # type: ignore[attr-defined]
        method = draw.choice(METHODS if draw.random() < 0.3 else sorted(route.methods))
        return PageRequest(
            method, self._path(route.path), query, headers=self._base(who), body=body, who=who, fields=fields
        )

    def _parameter(self) -> str:
        view = VIEWS[self.draw.choice([*VIEWS])]
        return self.draw.choice(["all", "x", *(one.name for one in view.parameters)])

    def _path(self, path: str) -> str:
        """The path of a route with right or odd names in it, or an odd path."""
        draw = self.draw
        names = {
            "token": ["x", *self.tokens.values()], "command": [*COMMANDS], "name": [*VIEWS, *ASSETS, *SECTIONS, *FORMS],
            "kind": ["csv", "json"], "role": ["judge", "prefer"], "document": ["x" * 32], "block": ["0", "1"],
        }  # fmt: skip
        for name, values in names.items():
            value = draw.choice(values) if draw.random() < 0.7 else draw.choice(ODD)
            path = path.replace(f"{{{name}}}", quote(value, safe="%"))
        return path if draw.random() < 0.9 else path + draw.choice(["/", "/..", "%2f", "//", ";x", "%0d%0ax:y", "/x/y"])

    async def _form(self, who: str) -> PageRequest:
        """A form of the page that somebody sees, or saw some time ago, often with something wrong."""
        page = self.shown.get(who)
        if page is None or self.draw.random() < 0.6:
            own = {"ada": "/judge", "bo": "/judge", "judy": "/adjudicate"}
            start = own.get(who) or f"/organise/{self.draw.choice([*SECTIONS])}"
            answer = await self.ask(
                PageRequest(
                    "GET", start, "", headers=[("host", HOST), self._base(who)[1]], body=b"", who=who, fields={}
                )
            )
            assert answer is not None
            page = self.shown[who] = Page(answer.text) if answer.status == 200 else Page("")
            if answer.status == 403 and who in ("ada", "bo"):  # the organiser has revoked the link
                self.tokens[who] = await self.app.worker.run(partial(invite, assessor=who))
        forms = [*page.keys.values(), *page.forms.values()]
        if not forms:
            return self._any(who)
        action, entries = self.draw.choice(forms)
        fields = {**entries, **{name: self.draw.choice(["a note", "bo", *ODD]) for name in TYPED}}
        for _ in range(self.draw.choice([0, 0, 1, 2])):
            fields[self.draw.choice([*fields])] = self.draw.choice(ODD)
        if self.draw.random() < 0.05:
            who = self.draw.choice([*self.tokens])  # a form of somebody else
        return PageRequest(
            "POST",
            action,
            "",
            headers=self._base(who),
            body=urlencode(fields).encode("utf-8", "replace"),
            who=who,
            fields=fields,
        )

    # What comes of it

    async def ask(self, request: PageRequest) -> PageReply | None:
        """Send a request as a server passes it on; None where the browser leaves before it is answered."""
        parts, start, leaves = [request.body[:7], request.body[7:]], dict[str, Any](), self.draw.random() < 0.02
        text = bytearray()

        async def receive() -> dict[str, Any]:
            if not parts or leaves:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message: Any) -> None:
            start.update(message if message["type"] == "http.response.start" else {})
            text.extend(message.get("body", b""))

        await self.asgi(scope(request), receive, send)
        if not start:
            return None if leaves else PageReply(0, {}, "")
        return PageReply(start["status"], {n.decode(): v.decode() for n, v in start["headers"]}, text.decode())

    def _wrong(self, request: PageRequest, answer: PageReply) -> list[str]:
        new = self.app.worker.run_and_wait(lambda store: read_events(store, after=self.recorded))
        self.recorded = new[-1].id or 0 if new else self.recorded
        messages, self.heard = self.heard, []
        decisions = [event for event in new if event.kind != "note"]
        values, graded = answer.headers.values(), request.path.endswith("/grade")
        errors = {
            "an error of the server": answer.status == 0 or answer.status >= 500 or "Traceback" in answer.text,
            "headers are missing": not HEADERS.items() <= answer.headers.items(),
            "a header was let in": any("\n" in value or "\r" in value for value in values),
            "a token is shown": any(token and token in answer.text for token in self.tokens.values()),
            "too many events": len(decisions) > 1 or len(new) > 2,  # a note may come with any command
            "an event of nobody's": any(not self._asked(request, event.assessor) for event in new),
            "a wrong grade": graded and any(str(event.grade) != request.fields["grade"] for event in decisions),
        }
        return [*(text for text, holds in errors.items() if holds), *messages]

    def _asked(self, request: PageRequest, assessor: str) -> bool:
        """Whether somebody has sent a form of their own page for what was recorded under their name."""
        form = Visitor(self.tokens[request.who], assessor).form_token(self.app.access.key)
        mine = request.who == assessor and request.fields.get("form") == form and request.method == "POST"
        return mine and not FOREIGN & set(request.headers) and ("host", "evil.example") not in request.headers

    def close(self) -> None:
        self.app.close()


def scope(request: PageRequest) -> dict[str, Any]:
    """A request as a server passes it on."""
    return {
        "type": "http", "http_version": "1.1", "method": request.method, "scheme": "http", "root_path": "",
        "path": unquote(request.path), "raw_path": request.path.encode(), "query_string": request.query.encode(),
        "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in request.headers],
        "client": ("10.0.0.7", 4711), "server": ("127.0.0.1", PORT),
    }  # fmt: skip
