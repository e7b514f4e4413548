"""A browser without script: it follows links, fills in forms and presses buttons, as the page has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html.parser import HTMLParser
from itertools import count
from typing import NamedTuple

from starlette.testclient import TestClient

from cranfield.judging.session.session import Session
from cranfield.store.invitations import Role, invite
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.open_adjudications import OpenAdjudications
from cranfield.web.open_sessions import OpenSessions
from cranfield.web.worker import Worker


class Button(NamedTuple):
    """A button, or a form that Enter sends: where to, with which fields."""

    action: str
    fields: dict[str, str]


class Page(HTMLParser):
    """The forms of a page: the button of each key, and the form of each command."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.forms, self.keys = text, dict[str, Button](), dict[str, Button]()
        self._form = ""  # the action of the form that is being read
        self._about: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, their hidden fields, and buttons that can be pressed."""
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = has["action"]
            self.forms[self._form] = Button(self._form, {})
        elif tag == "input" and has.get("type") == "hidden":
            self.forms[self._form].fields[has["name"]] = has.get("value", "")
        elif tag == "button" and has.get("form") == "about" and "disabled" not in has:
            own = {has["name"]: has["value"]} if "name" in has else {}
            pressed = Button(has["formaction"], self.forms[has["formaction"].rpartition("/")[0] + "/stay"].fields | own)
            key = has.get("data-key") or f"{has['formaction']} {has['value']}"
            self.keys[key] = pressed


class Browser:
    """An assessor's browser on a served store."""

    def __init__(
        self,
        make: Callable[[], Store],
        assessor: str = "ada",
        begin: Callable[[Store, str], Session] | None = None,
        role: Role = "judge",
    ) -> None:
        self.role = role
        self.worker = Worker(make)
        clock = partial(next, count(1000.0))  # a second passes whenever it is looked at
        sessions = self.worker.wait(lambda store: OpenSessions(store, clock, begin))
        adjudications = self.worker.wait(lambda store: OpenAdjudications(store, clock))
        self.app = Application(self.worker, sessions, adjudications=adjudications)
        self.client = TestClient(self.app.asgi(["testserver"]))
        self.token = self.worker.wait(lambda store: invite(store, assessor, role=role))
        assert self.client.get(f"/enter/{self.token}").status_code == 200
        self.page = self.get()

    def get(self) -> Page:
        """The page as it is now."""
        answer = self.client.get(f"/{self.role}")
        assert answer.status_code == 200, answer.text
        self.page = Page(answer.text)
        return self.page

    def send(self, button: Button, **more: str) -> Page:
        """Send a form and follow to the page."""
        answer = self.client.post(button.action, data={**button.fields, **more})
        assert answer.status_code == 200, answer.text
        self.page = Page(answer.text)
        return self.page

    def press(self, key: str) -> Page:
        """Press the button of a key, if it is there and can be pressed."""
        return self.send(self.page.keys[key]) if key in self.page.keys else self.page

    def fill(self, command: str, values: Mapping[str, str]) -> Page:
        """Fill in the form of a command, if the page has it."""
        form = self.page.forms.get(f"/{self.role}/{command}")
        return self.send(form, **values) if form else self.page

    def close(self) -> None:
        """Close the store."""
        self.app.close()
