"""The organiser's sections and forms by name, and the answers to what is sent."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cranfield import hooks
from cranfield.errors import CranfieldError
from cranfield.store.store import Store
from cranfield.web.look.table import HOME, NavigationLink, navigation
from cranfield.web.organise.judging import AGREEING, CHECKED, OVERVIEW
from cranfield.web.organise.links import INVITE, LINKS, REVOKE, REVOKING
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest
from cranfield.web.organise.topics import ASSIGN, GIVE, GIVING, SHARING, TOPICS
from cranfield.web.templates import render

SECTIONS: Mapping[str, OrganiserSection] = MappingProxyType(
    {
        "": OVERVIEW,
        "topics": TOPICS,
        "agreement": AGREEING,
        "checks": CHECKED,
        "links": LINKS,
        "assign": SHARING,
        "give": GIVING,
        "revoke": REVOKING,
        **dict(hooks.collect(lambda extension: extension.organiser_pages().items())),
    }
)
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "assign": ASSIGN,
        "give": GIVE,
        "invite": INVITE,
        "revoke": REVOKE,
        **{name: form for section in SECTIONS.values() for name, form in section.forms.items()},
    }
)


def navigation_links(current: str) -> list[NavigationLink]:
    """The bar of these pages."""
    names = {name: section.entry for name, section in SECTIONS.items() if section.entry}
    return [
        NavigationLink(entry, f"/organise/{name}" if name else "/", name == current) for name, entry in names.items()
    ]


LONGEST = 500  # characters of a field that are kept in an address


class FormOutcome(NamedTuple):
    """What a form has done, and the address to go on with, to which what is to be said is added."""

    notice: Done
    address: str


class Content(NamedTuple):
    """What a page shows, or why it cannot."""

    values: Mapping[str, Any]
    wrong: str = ""


def content(store: Store, name: str, fields: tuple[tuple[str, str], ...] = (), period: int = 0) -> Content:
    """What a page shows; what is computed beside the server is kept for a `period` at most."""
    try:
        return Content(SECTIONS[name].values(SectionRequest(store, dict(fields), datetime.now(UTC))))
    except CranfieldError as error:
        return Content({}, str(error))


def live(store: Store, name: str) -> Mapping[str, Any]:
    """What a page shows of this moment."""
    return SECTIONS[name].live(SectionRequest(store, {}, datetime.now(UTC)))


def page(name: str, content: Content, form: str, notice: Done, *, note: str = "", reload: str = "") -> str:
    """A page, with what was done before and from when it is."""
    section = SECTIONS[name]
    about = {
        "navigation": navigation(HOME),
        "entries": navigation_links(name),
        "title": section.title,
        "form": form,
        "done": notice,
    }
    about |= {"note": note, "reload": reload}
    if content.wrong:
        return render("organise.html", **about | {"done": Done(content.wrong, wrong=True)})
    return render(section.template if content.values else "organise.html", **about, **content.values)


def act(store: Store, name: str, fields: Fields, base: str) -> FormOutcome:
    """Do what a form asks, and what is to be known of it; an error leads back to the form, with what was typed in."""
    form, lines = FORMS[name], list[str]()
    try:
        with store.telling(lines.append):
            done = form.act(store, fields, base)
        message = " ".join([done.message, *(f"{line[:1].upper()}{line[1:]}." for line in lines)])
        return FormOutcome(done._replace(message=message), f"/organise/{form.after}?")
    except CranfieldError as error:
        entries = {name: text[:LONGEST] for name, text in fields.items() if name != "form"}
        return FormOutcome(Done(str(error), wrong=True), f"/organise/{form.back}?{urlencode(entries)}&")
