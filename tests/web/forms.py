"""The forms of pages, filled in: with values that are accepted, with strange ones, and empty."""

import time
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any, NamedTuple

from starlette.testclient import TestClient

Files = Mapping[str, tuple[str, bytes]]
OWN_FIELDS = ("form", "document", "after", "page", "seconds")  # that a page fills in itself
STRANGE = "?\N{EM DASH}zz"
MAX_RELOADS = 400


class FormButton(NamedTuple):
    """A button of a form: where to, its fields with what they have, which of them a person fills in, and its files."""

    action: str
    fields: Mapping[str, str]
    typed: frozenset[str]
    files: tuple[str, ...]
    button: tuple[str, str] = ("", "")

    @property
    def key(self) -> tuple[str, ...]:
        """The address and the button."""
        return self.action, *self.button


class FormsOfPage(HTMLParser):
    """All buttons of the forms of a page.

    >>> page = '<form action="/a"><input name="b" value="c"><input type="file" name="d"><button>Go</button></form>'
    >>> FormsOfPage(page).buttons()
    [FormButton(action='/a', fields={'b': 'c'}, typed=frozenset({'b'}), files=('d',), button=('', ''))]
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._forms = dict[str, tuple[str, dict[str, str], set[str], list[str]]]()
        self._buttons = list[tuple[str, str, tuple[str, str]]]()
        self._form = self._text = self._select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, fields and buttons."""
        has = {name: value or "" for name, value in attrs}
        form = has.get("form", self._form)
        if tag == "form" and has.get("method", "").lower() in ("", "post"):
            self._form = has.get("id") or f"#{len(self._forms)}"
            self._forms[self._form] = has.get("action", ""), {}, set(), []
        elif tag == "option" and self._select:
            _, fields, _, _ = self._forms[self._select.partition("/")[0]]
            name = self._select.partition("/")[2]
            if "selected" in has or not fields[name]:
                fields[name] = has.get("value", "")
        elif form not in self._forms:
            return
        elif tag == "button" and "disabled" not in has and has.get("type") != "button":
            self._buttons.append((form, has.get("formaction", ""), (has.get("name", ""), has.get("value", ""))))
        elif tag in ("input", "textarea", "select") and "name" in has:
            self._take_field(tag, has, form)

    def _take_field(self, tag: str, has: Mapping[str, str], form: str) -> None:
        _, fields, typed, files = self._forms[form]
        name, kind = has["name"], has.get("type", "")
        if kind == "file":
            files.append(name)
        elif kind != "radio" or not fields.get(name):
            fields[name] = has.get("value", "")
        typed |= {name} if kind not in ("hidden", "file") else set()
        self._text = f"{form}/{name}" if tag == "textarea" else self._text
        self._select = f"{form}/{name}" if tag == "select" else self._select

    def handle_data(self, data: str) -> None:
        """Note what a text area has."""
        if self._text:
            form, _, name = self._text.partition("/")
            self._forms[form][1][name] += data

    def handle_endtag(self, tag: str) -> None:
        """A text area, a list of options or a form ends."""
        self._text = "" if tag == "textarea" else self._text
        self._select = "" if tag == "select" else self._select
        self._form = "" if tag == "form" else self._form

    def buttons(self) -> list[FormButton]:
        """The buttons in their order."""
        found = list[FormButton]()
        for form, action, button in self._buttons:
            own, fields, typed, files = self._forms[form]
            found.append(FormButton(action or own, fields, frozenset(typed), tuple(files), button))
        return found


class FilledForm(NamedTuple):
    """The fields and files that a form sends."""

    fields: Mapping[str, str]
    files: Files


def fillings(button: FormButton, values: Mapping[str, str], files: Files) -> Iterator[FilledForm]:
    """Yield what a form sends: refused ones first, then one whose fields have `values`, by name."""
    own = {name: text for name, text in button.fields.items() if name in OWN_FIELDS or name not in button.typed}
    own |= dict([button.button]) if button.button[0] else {}
    typed = [name for name in button.fields if name in button.typed and name not in own]
    empty = dict.fromkeys(button.files, ("empty", b""))
    if typed or button.files:
        yield FilledForm({**own, **dict.fromkeys(typed, "")}, empty)
        yield FilledForm(
            {**own, **dict.fromkeys(typed, STRANGE)}, dict.fromkeys(button.files, ("strange.txt", b"\xff"))
        )
    step = button.action.rpartition("/")[2]
    sent = {name: text for name, text in {**button.fields, **values}.items() if name in typed}
    sent |= {"text": ""} if button.files and "text" in sent else {}  # a file in its place
    content = files.get(step, ("file.txt", b"1"))
    yield FilledForm({**own, **sent}, dict.fromkeys(button.files, content))


def send_form(client: TestClient, button: FormButton, filled: FilledForm) -> Any:
    """Send a form and follow to the page that says what came of it."""
    parts = [(name, content) for name, content in filled.files.items()]
    answer = client.post(button.action, data=dict(filled.fields), files=parts or None)
    for _ in range(MAX_RELOADS):
        where = answer.headers.get("refresh", "").partition("url=")[2]
        if not where:
            break
        time.sleep(0)
        answer = client.get(where)
    return answer
