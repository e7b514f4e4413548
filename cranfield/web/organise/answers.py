"""A page of the organiser, and what a form does."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlencode

from cranfield.errors import CranfieldError
from cranfield.store.store import Store
from cranfield.web.look.table import HOME, navigation
from cranfield.web.templates import rendered

from .section import Asked, Done, Fields
from .table import FORMS, SECTIONS, entries

LONGEST = 500  # characters of a field that are kept in an address


class Outcome(NamedTuple):
    """What a form has done, and the address to go on with, to which what is to be said is added."""

    done: Done
    address: str


def page(store: Store, name: str, fields: Fields, form: str, done: Done) -> tuple[str, int]:
    """A page and its status; a page that cannot be made says why."""
    section, asked = SECTIONS[name], Asked(store, fields, datetime.now(UTC))
    about = {
        "navigation": navigation(HOME),
        "entries": entries(name),
        "title": section.title,
        "form": form,
        "done": done,
    }
    try:
        return rendered(section.template, **about, **section.values(asked)), 200
    except CranfieldError as error:
        return rendered("organise.html", **about | {"done": Done(str(error), wrong=True)}), 404


def act(store: Store, name: str, fields: Fields, base: str) -> Outcome:
    """Do what a form asks; an error leads back to the form, with what was typed in."""
    form = FORMS[name]
    try:
        return Outcome(form.act(store, fields, base), f"/organise/{form.after}?")
    except CranfieldError as error:
        typed = {name: text[:LONGEST] for name, text in fields.items() if name != "form"}
        return Outcome(Done(str(error), wrong=True), f"/organise/{form.back}?{urlencode(typed)}&")
