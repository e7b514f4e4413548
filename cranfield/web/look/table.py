"""The table of views, by the name in their address; and a view as a page, as JSON or as CSV.

The navigation has the first view of each entry, in this order.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from cranfield import hooks
from cranfield.errors import BusyError, CranfieldError, InputError, UndecidedError, replace_options
from cranfield.formats.text_tables import as_json, quote_formulas, separated_writer
from cranfield.report.blocks import Block, Text, as_sentence
from cranfield.results import add_labellers_to_rows
from cranfield.selection import LeftOut
from cranfield.store.store import Store
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look import judging
from cranfield.web.look.agreement import PAIRS
from cranfield.web.look.collection import COLLECTION, RUNS
from cranfield.web.look.disputes import DISPUTES
from cranfield.web.look.documents import DOCUMENT, DOCUMENTS, WHY
from cranfield.web.look.judging import ASSIGNED, LINKS, PEOPLE, POOL_VIEW, UNUSUAL
from cranfield.web.look.labels import choice_links
from cranfield.web.look.live_scores import LIVE_SCORES
from cranfield.web.look.page_text import page_blocks, sentence_blocks, without_folder
from cranfield.web.look.person import PERSON
from cranfield.web.look.scores import COMPARE, SYSTEMS
from cranfield.web.look.timeline import TIMELINE
from cranfield.web.look.topics import FIRST_RANKS, HARDNESS, TOPIC_VIEW, TOPICS
from cranfield.web.look.view import (
    NO_NAVIGATION,
    LookView,
    Navigation,
    Parameter,
    Query,
    QueryError,
    address,
    link_line,
    parse_view_query,
)
from cranfield.web.templates import render_page
from cranfield.web.translated_blocks import translate_blocks

from .reusability import REUSABILITY

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
        "live": LIVE_SCORES,
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
        "person": PERSON,
        "timeline": TIMELINE,
        "disputes": DISPUTES,
        "labelling": judging.LABELLING,
        "pairs": PAIRS,
        "unusual": UNUSUAL,
        **dict(hooks.collect_from_extensions(lambda extension: extension.views().items())),
    }
)


ADJUDICATOR_LINK = "/organise/links?role=adjudicate"
MOST_CHOICES = 1000  # that a form lists; with more a value is typed
HTML, TEXT = "text/html; charset=utf-8", "text/plain; charset=utf-8"
TYPES = {"": HTML, "json": "application/json", "csv": "text/csv; charset=utf-8"}


class ViewResponse(NamedTuple):
    """What is sent: a text, or the values of a page."""

    content: str | Mapping[str, Any]
    media_type: str
    status: int = 200

    def text(
        self,
        navigation: Navigation = NO_NAVIGATION,
        note: str = "",
        reload: str = "",
        language: Language = ENGLISH,
    ) -> str:
        """As text; a page with the navigation, with a note on it, and the address that it is reloaded from."""
        if isinstance(self.content, str):
            return self.content
        return render_page("look.html", language, **self.content, navigation=navigation, note=note, reload=reload)


def shown_view(store: Store, name: str) -> str:
    """Return the view to show: on a store without rankings, the one that stands for it, if there is one with data."""
    if not store.last_row_number("run"):
        return next((other for other, view in VIEWS.items() if view.stands_for == name and view.has_data(store)), name)
    return name


def _sibling_links(store: Store, name: str) -> list[Block]:
    """Links between a view of rankings and those that stand for it on other stores, where this store has both."""
    base = VIEWS[name].stands_for or name
    others = [other for other, view in VIEWS.items() if view.stands_for == base and view.has_data(store)]
    if not others or not store.last_row_number("run"):
        return []
    return [link_line([(VIEWS[one].title, address(one)) for one in (base, *others) if one != name])]


def _added_blocks(store: Store, question: Query, leads: bool) -> list[Block]:
    """The blocks of views that are part of this page, each under its title, before its own or after."""
    blocks: list[Block] = []
    for name, view in VIEWS.items():
        if view.part_of == question.view and view.has_data(store):
            if (view.leads and not store.last_row_number("run")) != leads:
                continue
            known = [one.name for one in view.parameters if one.name != "page"]
            pairs = [pair for pair in question.texts.items() if pair[0] in known]
            own = parse_view_query(store, name, view.parameters, pairs, question.language)
            blocks += [Text(view.title, 2), *view.blocks(store, own)]
    return blocks


def answer(
    store: Store, name: str, kind: str, pairs: Iterable[tuple[str, str]], language: Language = ENGLISH
) -> ViewResponse:
    """The view of this name, with the parameters of an address; `kind` is json, csv or nothing for the page."""
    if name not in VIEWS or kind not in TYPES:
        return refusal_page(translatable("There is no such page."), 404, kind, language)
    view = VIEWS[name]
    try:
        store.catch_up()
        question = parse_view_query(store, name, view.parameters, pairs, language)
        return ViewResponse(_content(store, view, question, kind), TYPES[kind])
    except QueryError as error:
        return refusal_page(error.translate_message(ENGLISH if kind else language), error.status, kind, language)
    except BusyError as error:
        return refusal_page(_error_message(store, error), 503, kind, language)
    except CranfieldError as error:
        return refusal_page(_error_message(store, error), 409, kind, language)


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
        rows = add_labellers_to_rows(view.rows(store.select(store.selection, left_out), question), left_out)
        return separated_writer(",")(quote_formulas(rows), "")
    return _page(store, view, question)


def _page(store: Store, view: LookView, question: Query) -> dict[str, Any]:
    language = question.language
    title = language.look_up(view.title)
    heading = view.heading(store, question) if view.heading else title
    parameters = ", ".join(f"{name} {text}" for name, text in question.explicit.items())
    fields = [
        {
            "name": one.name,
            "label": language.look_up(one.label),
            "value": question.texts[one.name],
            "choices": [
                (value, one.title_of(value, language) if value else language.look_up(one.nothing))
                for value in _choices(store, one)
            ],
        }
        for one in view.parameters
        if one.label
    ]
    return page_values(
        heading, page_blocks(_blocks(store, view, question), view.parameters, question.language), question.language,
        title=f"{title}: {parameters}" if parameters else title,
        collection=store.collection.name,
        fields=fields,
        action=f"/look/{question.view}",
        others=[(kind.upper(), question.address(f".{kind}")) for kind in ("json", "csv")],
    )  # fmt: skip


def page_values(heading: str, blocks: Sequence[Block], language: Language, **others: Any) -> dict[str, Any]:
    """The values of a page with these blocks; it has no form and is in no collection, unless others say so."""
    bare = {"title": heading, "collection": "", "fields": [], "action": "", "others": []}
    return (
        bare
        | others
        | {
            "heading": heading,
            "body": Markup(render_page("blocks.html.jinja", language, blocks=translate_blocks(language, blocks))),
        }
    )


def _blocks(store: Store, view: LookView, question: Query) -> list[Block]:
    """The blocks of the page, or why there are none yet."""
    try:
        notes = LeftOut()
        selected = store.select(store.selection, notes)
        blocks = [
            *_sibling_links(store, question.view),
            *_added_blocks(selected, question, leads=True),
            *view.blocks(selected, question),
            *_added_blocks(selected, question, leads=False),
        ]
        return [*([Text(f"{notes.line[0].upper()}{notes.line[1:]}.")] if notes.line else []), *blocks]
    except BusyError:
        raise
    except UndecidedError as error:
        is_of_documents = not view.stands_for and question.texts.get("of", "documents") == "documents"
        names = {"number": len(error.names), "names": ", ".join(error.names)}
        differ = (
            question.language.gettext(
                "%(number)s assessors gave the same documents different labels: %(names)s.", **names
            )
            if is_of_documents
            else question.language.gettext(
                "%(number)s assessors gave the same items different labels: %(names)s.", **names
            )
        )
        choose = question.language.gettext("In the form above, choose one assessor or a policy for labels that differ.")
        text = Text(f"{differ} {choose}")
        offers = {one.name for one in view.parameters} >= {"assessor", "policy"}
        settle = link_line(
            [(translatable("Make a link for an adjudicator, who settles the differences"), ADJUDICATOR_LINK)],
            question.language,
        )
        return [text, choice_links(question, error.names), settle] if offers else [text, settle]
    except CranfieldError as error:
        return sentence_blocks(_error_message(store, error), view.parameters, question.language)


def _choices(store: Store, parameter: Parameter) -> Sequence[str]:
    choices = parameter.choices(store) if parameter.choices else []
    return choices if len(choices) <= MOST_CHOICES else []


def _error_message(store: Store, error: Exception) -> str:
    """The message of an error, without the path of the store's file."""
    return error.message if isinstance(error, InputError) else without_folder(str(error), store.path)


def refusal_page(text: str, status: int, kind: str = "", language: Language = ENGLISH) -> ViewResponse:
    """Why there is no view: a page with the navigation, or a line of text for a program."""
    if kind:
        return ViewResponse(f"{as_sentence(replace_options(text))}\n", TEXT, status)
    blocks = sentence_blocks(text, language=language)
    return ViewResponse(page_values(language.gettext("Nothing to show"), blocks, language), HTML, status)
