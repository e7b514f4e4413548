"""The organiser's sections and forms by name, and the answers to what is sent."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cranfield import hooks
from cranfield.errors import CranfieldError
from cranfield.report.blocks import as_sentence
from cranfield.store.connection import StoreGoneError
from cranfield.store.store import Store
from cranfield.web.language import ENGLISH, Language
from cranfield.web.look.page_text import page_text, without_folder
from cranfield.web.look.view import NO_NAVIGATION, Navigation
from cranfield.web.organise.choosing import CHOOSE, CHOOSING
from cranfield.web.organise.judging import AGREEING, CHECKED, OVERVIEW
from cranfield.web.organise.links import INVITE, LINKS, REVOKE, REVOKING
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, ViewTable
from cranfield.web.organise.settling import SETTLE, SETTLING
from cranfield.web.organise.topics import ASSIGN, GIVE, GIVING, SHARING, TOPICS
from cranfield.web.templates import render_page
from cranfield.web.translated_blocks import translate_blocks, translate_value

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
        "settle": SETTLING,
        "choice": CHOOSING,
        **dict(hooks.collect_from_extensions(lambda extension: extension.organiser_pages().items())),
    }
)
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "assign": ASSIGN,
        "give": GIVE,
        "invite": INVITE,
        "revoke": REVOKE,
        "settle": SETTLE,
        "choice": CHOOSE,
        **{name: form for section in SECTIONS.values() for name, form in section.forms.items()},
    }
)


SETUP = "/organise/setup"  # the page that fills a store, whose steps are its fragments; a feature has it
LONGEST = 500  # characters of a field that are kept in an address


class FormOutcome(NamedTuple):
    """What a form has done, and the address to go on with, to which what is to be said is added."""

    notice: Done
    address: str


class Content(NamedTuple):
    """What a page shows, or why it cannot."""

    values: Mapping[str, Any]
    wrong: str = ""


def content(
    store: Store, name: str, fields: tuple[tuple[str, str], ...] = (), period: int = 0, language: Language = ENGLISH
) -> Content:
    """What a page shows; what is computed beside the server is kept for a `period` at most."""
    try:
        return Content(SECTIONS[name].values(SectionRequest(store, dict(fields), datetime.now(UTC), language)))
    except CranfieldError as error:
        return Content({}, without_folder(str(error), store.path))


def live(store: Store, name: str, language: Language = ENGLISH) -> Mapping[str, Any]:
    """What a page shows of this moment."""
    return SECTIONS[name].live(SectionRequest(store, {}, datetime.now(UTC), language))


def page_html(
    name: str,
    content: Content,
    form: str,
    notice: Done,
    *,
    language: Language,
    navigation: Navigation = NO_NAVIGATION,
    note: str = "",
    reload: str = "",
) -> str:
    """A page, with the navigation, what was done before, and from when it is."""
    section = SECTIONS[name]
    about: dict[str, Any] = {
        "navigation": navigation,
        "title": language.look_up(section.title),
        "form": form,
        "done": notice,
    }
    about |= {
        "note": note,
        "reload": reload,
        "remedies": notice.remedies,
        "setup": SETUP if "setup" in SECTIONS else "",
    }
    if content.wrong:
        text, links = page_text(content.wrong)
        wrong = Done(language.translate_message(text), wrong=True)
        return render_page("organise.html", language, **about | {"done": wrong, "remedies": links})
    values = {key: _translated(language, value) for key, value in content.values.items()}
    return render_page(section.template if values else "organise.html", language, **about, **values)


def _translated(language: Language, value: Any) -> Any:
    """A value of a page whose blocks are in the language."""
    if isinstance(value, ViewTable):
        blocks = translate_blocks(language, value.blocks)
        return value._replace(blocks=blocks, heading=language.look_up(value.heading))
    if isinstance(value, list):
        return [_translated(language, one) for one in value]
    return translate_value(language, value)


def submit_form(store: Store, name: str, fields: Fields, base: str, language: Language = ENGLISH) -> FormOutcome:
    """Do what a form asks, and what is to be known of it; an error leads back to the form, with what was typed in."""
    form, lines = FORMS[name], list[str]()
    try:
        with store.telling(lines.append):
            done = form.act(store, fields, base, language)
        notes = [page_text(line) for line in lines]
        texts = [as_sentence(language.translate_message(note.text)) for note in notes]
        remedies = dict.fromkeys([*done.remedies, *(link for note in notes for link in note.links)])
        query = f"{urlencode(done.fields)}&" if done.fields else ""
        notice = done._replace(message=" ".join([done.message, *texts]), remedies=tuple(remedies))
        return FormOutcome(notice, f"/organise/{form.after}?{query}")
    except StoreGoneError:
        raise
    except CranfieldError as error:
        entries = {name: text[:LONGEST] for name, text in fields.items() if name != "form"}
        text, links = page_text(without_folder(str(error), store.path))
        refused = Done(language.translate_message(text), wrong=True, remedies=links)
        return FormOutcome(refused, f"/organise/{form.back}?{urlencode(entries)}&")
