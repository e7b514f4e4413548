"""What a page of the organiser and a form are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.report.blocks import Block, rounded
from cranfield.store.store import Store
from cranfield.web.look.query import Query
from cranfield.web.look.table import VIEWS
from cranfield.web.look.view import table_of

LONGEST = 200  # characters of a name
Fields = Mapping[str, str]


class Asked(NamedTuple):
    """A store, what the address or a form has typed in, and the time."""

    store: Store
    fields: Fields
    moment: datetime

    def field(self, name: str, default: str = "") -> str:
        """What is typed into a field."""
        return self.fields.get(name, default)


class Section(NamedTuple):
    """A page: its title, its template, and what that shows; with `entry` it is in the bar of these pages.

    The values of a `heavy` page are computed beside the server, from nothing that was typed in, and sent from there;
    `live` are those of them that have to be of this moment.
    """

    title: str
    template: str
    values: Callable[[Asked], Mapping[str, Any]]
    entry: str = ""
    heavy: bool = False
    live: Callable[[Asked], Mapping[str, Any]] = lambda asked: {}


class Done(NamedTuple):
    """What a form has done, or what was wrong; a link is shown once, with whose it is."""

    said: str
    link: str = ""
    whose: str = ""
    wrong: bool = False


class Form(NamedTuple):
    """What a form does, the page to go on with, and the page of the form, to which an error leads back."""

    act: Callable[[Store, Fields, str], Done]
    after: str
    back: str


def name_in(text: str) -> str:
    """The name that is typed into a field; an error where it is too long for one."""
    name = text.strip()
    if len(name) > LONGEST:
        raise InputError(f"a name of {len(name):,} characters; expected at most {LONGEST}")
    return name


class ViewTable(NamedTuple):
    """A view on a page of the organiser, which its name also gives as JSON and CSV."""

    name: str
    blocks: Sequence[Block]


def view_table(store: Store, name: str, empty: str = "There is nothing yet.") -> ViewTable:
    """The table of a view, its shares with two decimals."""
    view, query = VIEWS[name], Query(name, {})
    if view.parts:
        return ViewTable(name, view.parts(store, query))
    rows = [{key: _rounded(value) for key, value in row.items()} for row in view.rows(store, query)]
    return ViewTable(name, table_of(name, view.title, rows, empty))


def _rounded(value: Any) -> Any:
    return rounded(value) if isinstance(value, float) else value
