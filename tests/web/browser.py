"""A browser without script: it follows links, fills in forms and presses buttons, as the page has them."""

from collections.abc import Callable, Mapping
from functools import partial
from html.parser import HTMLParser
from itertools import count
from typing import NamedTuple

from starlette.testclient import TestClient

from cranfield.judging.session.session import Session
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.open_sessions import OpenAdjudications, OpenSessions
from cranfield.web.results import Worker


class Button(NamedTuple):
    """A button, or a form that Enter sends: where to, with which fields."""

    action: str
    fields: dict[str, str]


class Page(HTMLParser):
    """The forms of a page: the button of each key, and the form of each command."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.forms, self.keys = text, dict[str, Button](), dict[str, Button]()
        self.actions = set[str]()  # of the buttons that can be pressed
        self._form = ""  # the action of the form that is being read
        self._ids = dict[str, str]()  # the actions of forms that have an id
        self._text: Callable[[str], None] | None = None  # what takes the content of a text area
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, their fields, and buttons that can be pressed."""
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = has["action"]
            self.forms[self._form] = Button(self._form, {})
            self._ids[has.get("id", "")] = self._form
        elif tag == "input" and "name" in has and has.get("type") not in ("radio", "checkbox"):
            self._fields(has)[has["name"]] = has.get("value", "")
        elif tag == "textarea":
            self._text = partial(self._fields(has).__setitem__, has["name"])
        elif tag == "button" and has.get("form") == "about" and "disabled" not in has:
            self.actions.add(has["formaction"])
            own = {has["name"]: has["value"]} if "name" in has else {}
            button = Button(has["formaction"], self.forms[has["formaction"].rpartition("/")[0] + "/stay"].fields | own)
            key = has.get("data-key") or f"{has['formaction']} {has.get('value', '')}".rstrip()
            self.keys[key] = button

    def handle_data(self, data: str) -> None:
        """Note what a text area holds; its first line break is none."""
        if self._text:
            self._text(data.removeprefix("\n"))

    def handle_endtag(self, tag: str) -> None:
        """A text area ends."""
        if tag == "textarea":
            self._text = None

    def _fields(self, has: Mapping[str, str]) -> dict[str, str]:
        return self.forms[self._ids.get(has.get("form", "-"), self._form)].fields


class Browser:
    """An assessor's browser on a served store."""

    def __init__(
        self,
        make: Callable[[], Store],
        assessor: str = "ada",
        begin: Callable[[Store, str], Session] | None = None,
        role: str = "judge",
    ) -> None:
        self.role = role
        self.worker = Worker(make)
        clock = partial(next, count(1000.0))  # a second passes whenever it is looked at
        sessions = self.worker.run_and_wait(lambda store: OpenSessions(store, clock, begin))
        adjudications = self.worker.run_and_wait(lambda store: OpenAdjudications(store, clock))
        self.app = Application(self.worker, sessions, adjudications=adjudications)
        self.client = TestClient(self.app.asgi(["testserver"]))
        self.token = self.worker.run_and_wait(lambda store: invite(store, assessor, role=role))
        assert self.client.get(f"/enter/{self.token}").status_code == 200
        self.page = self.get()

    def get(self) -> Page:
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
        action = f"/{self.role}/{command}"
        if action in self.page.actions:
            return self.send(Button(action, self.page.forms[f"/{self.role}/stay"].fields), **values)
        form = self.page.forms.get(action)
        return self.send(form, **values) if form else self.page

    def close(self) -> None:
        self.app.close()
