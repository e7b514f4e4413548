"""The table of views, by the name in their address; and a view as a page, as JSON or as CSV.

The bar has the first view of each entry, in this order.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from cranfield import hooks
from cranfield.errors import BusyError, CranfieldError, InputError, UndecidedError, replace_options
from cranfield.formats.text_tables import as_json, separated_writer, without_formulas
from cranfield.report.blocks import Block, Text, as_sentence
from cranfield.results import rows_with_labellers
from cranfield.selection import LeftOut
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.look import judging
from cranfield.web.look.collection import COLLECTION, RUNS
from cranfield.web.look.documents import DOCUMENT, DOCUMENTS, WHY
from cranfield.web.look.judging import ASSIGNED, LINKS, PAIRS, PEOPLE, POOL_VIEW, UNUSUAL
from cranfield.web.look.labels import choice_links
from cranfield.web.look.scores import COMPARE, SYSTEMS
from cranfield.web.look.topics import FIRST_RANKS, HARDNESS, TOPIC_VIEW, TOPICS
from cranfield.web.look.view import LookView, Parameter, Query, QueryError, address, name_fields, query
from cranfield.web.templates import render

from .reusability import REUSABILITY

HOME = "Organise"
VIEWS: Mapping[str, LookView] = MappingProxyType(
    {
        "collection": COLLECTION,
        "documents": DOCUMENTS,
        "document": DOCUMENT,
        "runs": RUNS,
        "topics": TOPICS,
        "topic": TOPIC_VIEW,
        "ranks": FIRST_RANKS,
        "hardness": HARDNESS,
        "pool": POOL_VIEW,
        "systems": SYSTEMS,
        "compare": COMPARE,
        "reusability": REUSABILITY,
        "why": WHY,
        "links": LINKS,
        "work": judging.WORK,
        "pace": judging.PACE,
        "agreement": judging.AGREEMENT,
        "repeats": judging.REPEATS,
        "drift": judging.DRIFT,
        "assigned": ASSIGNED,
        "people": PEOPLE,
        "pairs": PAIRS,
        "unusual": UNUSUAL,
        **dict(hooks.collect(lambda extension: extension.views().items())),
    }
)


class NavigationLink(NamedTuple):
    """A link of the navigation bar."""

    text: str
    href: str
    current: bool


def navigation(current: str = "") -> list[NavigationLink]:
    """The bar of the organiser's pages.

    >>> [(link.text, link.current) for link in navigation("Collection")][:2]
    [('Organise', False), ('Collection', True)]
    """
    first: dict[str, str] = {}
    for name, view in VIEWS.items():
        if view.entry:
            first.setdefault(view.entry, address(name))
    return [NavigationLink(text, href, text == current) for text, href in ({HOME: "/"} | first).items()]


MOST_CHOICES = 1000  # that a form lists; with more a value is typed
HTML, TEXT = "text/html; charset=utf-8", "text/plain; charset=utf-8"
TYPES = {"": HTML, "json": "application/json", "csv": "text/csv; charset=utf-8"}


class ViewResponse(NamedTuple):
    """What is sent: a text, or the values of a page."""

    content: str | Mapping[str, Any]
    media_type: str
    status: int = 200

    def text(self, note: str = "", reload: str = "") -> str:
        """As text; a page with a note on it, and the address that it is reloaded from."""
        if isinstance(self.content, str):
            return self.content
        return render("look.html", **self.content, note=note, reload=reload)


def answer(store: Store, name: str, kind: str, pairs: Iterable[tuple[str, str]]) -> ViewResponse:
    """The view of this name, with the parameters of an address; `kind` is json, csv or nothing for the page."""
    if name not in VIEWS or kind not in TYPES:
        return refuse("There is no such page.", 404, kind)
    view = VIEWS[name]
    try:
        store.catch_up()
        question = query(store, name, view.parameters, pairs)
        return ViewResponse(_content(store, view, question, kind), TYPES[kind])
    except QueryError as error:
        return refuse(_sentence(error), error.status, kind)
    except BusyError as error:
        return refuse(_sentence(error), 503, kind)
    except CranfieldError as error:
        return refuse(_sentence(error), 409, kind)


def _content(store: Store, view: LookView, question: Query, kind: str) -> str | Mapping[str, Any]:
    if kind == "json":
        notes = LeftOut()
        document: Any = view.json(store.select(store.selection, notes), question)
        more = {"left_out": notes.record} if notes.line and isinstance(document, dict) else {}
        if notes.labelled_by and isinstance(document, dict):
            more["labelled_by"] = notes.labelled_by
        return as_json({**document, **more} if more else document)
    if kind == "csv":
        left_out = LeftOut()
        rows = rows_with_labellers(view.rows(store.select(store.selection, left_out), question), left_out)
        return separated_writer(",")(without_formulas(rows), "")
    return _page(store, view, question)


def _page(store: Store, view: LookView, question: Query) -> dict[str, Any]:
    heading = view.heading(store, question) if view.heading else view.title
    parameters = ", ".join(f"{name} {text}" for name, text in question.explicit.items())
    fields = [
        {
            "name": one.name,
            "label": one.label,
            "value": question.texts[one.name],
            "choices": _choices(store, one),
            "nothing": one.nothing,
        }
        for one in view.parameters
        if one.label
    ]
    return values(
        heading, _blocks(store, view, question),
        navigation=navigation(view.entry),
        title=f"{view.title}: {parameters}" if parameters else view.title,
        collection=store.collection.name,
        fields=fields,
        action=f"/look/{question.view}",
        others=[(kind.upper(), question.address(f".{kind}")) for kind in ("json", "csv")],
    )  # fmt: skip


def values(heading: str, blocks: Sequence[Block], **others: Any) -> dict[str, Any]:
    """The values of a page with these blocks; it has no form and is in no collection, unless others say so."""
    bare = {"navigation": navigation(), "title": heading, "collection": "", "fields": [], "action": "", "others": []}
    return bare | others | {"heading": heading, "body": Markup(render("blocks.html.jinja", blocks=blocks))}


def _blocks(store: Store, view: LookView, question: Query) -> list[Block]:
    """The blocks of the page, or why there are none yet."""
    try:
        notes = LeftOut()
        blocks = list(view.blocks(store.select(store.selection, notes), question))
        return [*([Text(f"{notes.line[0].upper()}{notes.line[1:]}.")] if notes.line else []), *blocks]
    except BusyError:
        raise
    except UndecidedError as error:
        choose = "Choose the labels of one assessor, or what counts where labels differ, in the form above"
        names = f"{counted(len(error.names), 'assessor')} gave the same documents different labels"
        text = Text(f"{names}: {', '.join(error.names)}. {choose}.")
        offers = {one.name for one in view.parameters} >= {"assessor", "policy"}
        return [text, choice_links(question, error.names)] if offers else [text]
    except CranfieldError as error:
        return [Text(_sentence(error, view))]


def _choices(store: Store, parameter: Parameter) -> Sequence[str]:
    choices = parameter.choices(store) if parameter.choices else []
    return choices if len(choices) <= MOST_CHOICES else []


def _sentence(error: Exception, view: LookView | None = None) -> str:
    """The message of an error as a sentence; on a page of a view, with fields of its form in place of options."""
    text = error.message if isinstance(error, InputError) else str(error)
    return as_sentence(replace_options(text) if view is None else name_fields(text, view.parameters))


def refuse(text: str, status: int, kind: str = "") -> ViewResponse:
    """Why there is no view: a page with the navigation, or a line of text for a program."""
    if kind:
        return ViewResponse(f"{text}\n", TEXT, status)
    return ViewResponse(values("Nothing to show", [Text(text)]), HTML, status)
