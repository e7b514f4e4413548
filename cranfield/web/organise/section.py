"""What a page of the organiser and a form are, and what is said on the page that follows a form, once."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.report.blocks import Block
from cranfield.store.store import Store
from cranfield.web.language import ENGLISH, Language
from cranfield.web.look.page_text import PageLink
from cranfield.web.look.table import VIEWS
from cranfield.web.look.view import Query, address, is_always_shown

LONGEST = 200  # characters of a name
Fields = Mapping[str, str]


class SectionRequest(NamedTuple):
    """A store, what the address or a form has typed in, and the time."""

    store: Store
    fields: Fields
    moment: datetime
    language: Language = ENGLISH

    def field(self, name: str, default: str = "") -> str:
        """What is typed into a field."""
        return self.fields.get(name, default)


class Done(NamedTuple):
    """What a form has done, or what was wrong; a link is shown once, with whose it is."""

    message: str
    link: str = ""
    whose: str = ""
    wrong: bool = False
    links: Sequence[tuple[str, str]] = ()  # of several people: the name, and the link
    fields: Mapping[str, str] = {}  # with which the next page is opened
    remedies: Sequence[PageLink] = ()  # pages where one can go on


class Form(NamedTuple):
    """What a form does, the page to go on with, and the page of the form, to which an error leads back."""

    act: Callable[[Store, Fields, str, Language], Done]
    after: str
    back: str


class SetUpStep(NamedTuple):
    """An optional step of the set-up that a page has the form of: what it is for, and what was done in it so far."""

    title: str
    about: str
    state: Callable[[Store], str]


class OrganiserSection(NamedTuple):
    """A page: its title, its template, and what that shows; with `entry` it is in its `group` of the navigation, unless
    the store has no data for it.

    The values of a `heavy` page are computed beside the server, from nothing that was typed in, and sent from there;
    `live` are those of them that have to be of this moment. The page has `forms`, by the name in their address.
    With a `step` it is part of the set-up of a collection.
    """

    title: str
    template: str
    values: Callable[[SectionRequest], Mapping[str, Any]]
    entry: str = ""
    heavy: bool = False
    live: Callable[[SectionRequest], Mapping[str, Any]] = lambda request: {}
    forms: Mapping[str, Form] = {}
    step: SetUpStep | None = None
    group: str = "People"
    has_data: Callable[[Store], bool] = is_always_shown


def parse_name_field(text: str) -> str:
    """The name that is typed into a field; an error where it is too long for one."""
    name = text.strip()
    if len(name) > LONGEST:
        raise InputError(f"the name has {len(name):,} characters; expected at most {LONGEST}")
    return name


class ViewTable(NamedTuple):
    """A view on a page of the organiser, which its name and parameters also give as JSON and CSV, with a heading."""

    name: str
    blocks: Sequence[Block]
    parameters: Mapping[str, str] = {}
    heading: str = ""

    def address(self, kind: str) -> str:
        """The address of the view as a kind of file."""
        return address(f"{self.name}.{kind}", **self.parameters)

    @property
    def label(self) -> str:
        """What tells this table from others on the page."""
        return " ".join([self.name, *self.parameters.values()])


def view_table(store: Store, name: str, empty: str, language: Language = ENGLISH) -> ViewTable:
    """The table of a view, or a text if it is empty."""
    return ViewTable(name, VIEWS[name].blocks(store, Query(name, {}, language=language), empty))


MOST = 100  # that nobody has seen yet


class Notices:
    """What forms have done, by a name that nobody can guess, until it is shown.

    >>> notices = Notices()
    >>> name = notices.keep(Done("done"))
    >>> notices.take(name).message, notices.take(name).message, notices.take("").message
    ('done', '', '')
    """

    def __init__(self) -> None:
        self._notices: OrderedDict[str, Done] = OrderedDict()

    def keep(self, notice: Done) -> str:
        """Keep something to say; the name by which it is taken."""
        name = secrets.token_urlsafe(16)
        self._notices[name] = notice
        while len(self._notices) > MOST:
            self._notices.popitem(last=False)
        return name

    def take(self, name: str) -> Done:
        """What is to be said, this once."""
        return self._notices.pop(name, Done(""))
