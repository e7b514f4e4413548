"""What a view is: rows for JSON and CSV, the blocks of its page, and what its address asks for, read and checked."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import escape

from cranfield import hooks
from cranfield.charts.svg.markup import html_text, join_markup
from cranfield.errors import CranfieldError, DamageError, StoreError
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.report.blocks import Block, Html, TableBlock, Text
from cranfield.store.pools import pool_numbers
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.cells import readable_cell

NAMED = 60  # characters of a wrong value that are repeated


class QueryError(Exception):
    """An invalid request (status 400), or a request for something that does not exist (404).

    The text may be `translatable`, with values such as `%(name)s`.

    >>> str(QueryError("no run %(name)s in this store", 404, name="'a'"))
    "no run 'a' in this store"
    """

    def __init__(self, text: str, status: int = 400, **values: object) -> None:
        super().__init__(text % values if values else text)
        self.status, self._text, self._values = status, text, values

    def translate_message(self, language: Language) -> str:
        """Translate the message."""
        return language.gettext(self._text, **self._values) if self._values else language.look_up(self._text)


class Parameter(NamedTuple):
    """A parameter of a view: its name in the address and its label in the form.

    `read` makes a value of the text or raises a QueryError; `default` is the text where the address has none.
    With `choices` the form offers these, under the texts of `title_of`. A parameter without label is not in the form.
    """

    name: str
    label: str
    read: Callable[[Store, str], Any]
    default: Callable[[Store], str] = lambda store: ""
    choices: Callable[[Store], Sequence[str]] | None = None
    nothing: str = ""  # what the form calls the choice of none
    title_of: Callable[[str, Language], str] = lambda value, language: value


OPTION = re.compile(
    r"`[^`]*`|(?<![\w-])--(?P<name>[a-z][a-z-]*[a-z])(?: (?P<value>[A-Z]+|people|models|primary)(?![\w-]))?"
)


def name_fields(text: str, parameters: Iterable[Parameter]) -> str:
    """Name fields of a form in place of options of the command line; other options and commands in backticks stay.

    >>> name_fields("choose --policy NAME or --pool N", [Parameter("policy", "Where labels differ", lambda *_: None)])
    'choose “Where labels differ” or --pool N'
    """
    labels = {one.name: one.label for one in parameters if one.label}

    def label(match: re.Match[str]) -> str:
        if match["name"] not in labels:
            return match[0]
        value = match["value"] or ""
        return f"“{labels[match['name']]}{f': {value}' * value.islower()}”"

    return OPTION.sub(label, text)


@dataclass(frozen=True)
class Query:
    """The parameters of a request: as text, of which those `explicit` are in the address, and as values.

    >>> Query("topic", {"topic": "a&b"}).address(page=2)
    '/look/topic?topic=a%26b&page=2'
    """

    view: str
    explicit: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    language: Language = ENGLISH

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def address(self, kind: str = "", **changes: object) -> str:
        """The address of the same view with some parameters changed; `kind` is .json or .csv."""
        return address(self.view + kind, **{**self.explicit, **changes})


def address(view: str, **parameters: object) -> str:
    """The address of a view.

    >>> address("why", topic="51", docno="<d>")
    '/look/why?topic=51&docno=%3Cd%3E'
    """
    return f"/look/{view}" + (f"?{urlencode(parameters)}" if parameters else "")


def parse_view_query(
    store: Store, view: str, parameters: Sequence[Parameter], pairs: Iterable[tuple[str, str]],
    language: Language = ENGLISH,
) -> Query:  # fmt: skip
    """What is asked of a view; a QueryError where it has no such parameter, or not this value."""
    names = [one.name for one in parameters]
    explicit: dict[str, str] = {}
    for name, text in pairs:
        if name not in names:
            known = ", ".join(names) or "none"
            unknown = translatable("unknown parameter %(name)s; available: %(known)s")
            raise QueryError(unknown, name=short_text(name), known=known)
        if name in explicit:
            raise QueryError(translatable("parameter %(name)s is given twice"), name=name)
        explicit |= {name: text} if text else {}
    texts = {one.name: explicit.get(one.name) or one.default(store) for one in parameters}
    values = {one.name: one.read(store, texts[one.name]) if texts[one.name] else None for one in parameters}
    return Query(view, explicit, texts, values, language)


def short_text(text: str) -> str:
    """A value in a message, shortened."""
    line = visible_line(text)
    return f"'{line[:NAMED]}…'" if len(line) > NAMED else f"'{line}'"


MOST = 10**6  # of a number
LONGEST = 1000  # characters of a text
TOO_LONG = translatable("%(value)s is too long; expected at most %(most)s characters")


def number_parameter(what: str) -> Parameter:
    """A whole number from 1."""

    def read(store: Store, text: str) -> int:
        value = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MOST)) else 0
        if not 1 <= value <= MOST:
            wrong = translatable("%(name)s is %(value)s; expected a whole number from 1 to %(most)s")
            raise QueryError(wrong, name=what, value=short_text(text), most=f"{MOST:,}")
        return value

    return Parameter(what, what.capitalize(), read)


def _pool(store: Store, text: str) -> int:
    value = number_parameter("pool").read(store, text)
    if value not in pool_numbers(store):
        raise QueryError(translatable("no pool %(number)s in this store"), 404, number=value)
    return int(value)


def _pools(store: Store) -> list[str]:
    return [str(number) for number in pool_numbers(store)]


def _topic(store: Store, text: str) -> str:
    if text not in _topic_ids(store):
        raise QueryError(translatable("no topic %(name)s in this store"), 404, name=short_text(text))
    return text


def _topic_ids(store: Store) -> list[str]:
    return [topic.qid for topic in store.topics()]


def _document(store: Store, text: str) -> str:
    try:
        return store.document(text).docno
    except DamageError:
        raise
    except StoreError:
        raise QueryError(translatable("no document %(name)s in this store"), 404, name=short_text(text)) from None


def _run(store: Store, text: str) -> str:
    if store.numbers("run", "tag", [text])[0] < 0:
        raise QueryError(translatable("no run %(name)s in this store"), 404, name=short_text(text))
    return text


def _runs(store: Store) -> list[str]:
    return list(run_info(store))


def _measure(store: Store, text: str) -> Measure:
    """A measure that comes with cranfield: an address loads no module."""
    if ":" in text:
        raise QueryError(translatable("unknown measure %(name)s"), name=short_text(text))
    try:
        return parse_measures(text, store.collection.min_relevant)[0]
    except CranfieldError as error:
        raise QueryError(str(error)) from None


def _text(store: Store, text: str) -> str:
    if len(text) > LONGEST:
        raise QueryError(TOO_LONG, value=short_text(text), most=f"{LONGEST:,}")
    return text


PAGE = number_parameter("page")._replace(label="", default=lambda store: "1")
POOL = Parameter("pool", translatable("Pool"), _pool, lambda store: (_pools(store) or [""])[-1], _pools)
TOPIC = Parameter("topic", translatable("Topic"), _topic, lambda store: (_topic_ids(store) or [""])[0], _topic_ids)
DOCNO = Parameter("docno", translatable("Document"), _document)
RUN = Parameter("run", translatable("Run"), _run, lambda store: (_runs(store) or [""])[0], _runs)
MEASURE = Parameter("measure", translatable("Measure"), _measure, lambda store: "AP")
CUTOFF = number_parameter("cutoff")._replace(label=translatable("Cut-off"))
DEPTH = number_parameter("depth")
SEARCH = Parameter("search", translatable("Search"), _text)


SIZE = 100  # rows of a page


class PageOfRows(NamedTuple):
    """What a page has, from `first` to before `last`, and the links to the pages before and after, if there are any."""

    first: int
    last: int
    links: list[Html]


def page_of_rows(query: Query, whole: int, size: int = SIZE, what: str = translatable("rows")) -> PageOfRows:
    """The page that is asked for, of so many rows, or of what else there is."""
    number, most = int(query["page"]), max(1, -(-whole // size))
    if number > most:
        wrong = translatable("there is no page %(number)s; the last page is %(last)s")
        raise QueryError(wrong, 404, number=number, last=most)
    first, last = (number - 1) * size, min(number * size, whole)
    return PageOfRows(
        first,
        last,
        [_page_number_links(query, number, most, _range_text(query, first, last, whole, what))] if most > 1 else [],
    )


def _range_text(query: Query, first: int, last: int, whole: int, what: str) -> str:
    numbers = {"first": f"{first + 1:,}", "last": f"{last:,}", "all": f"{whole:,}"}
    return query.language.gettext(
        "%(first)s to %(last)s of %(all)s %(what)s", **numbers, what=query.language.look_up(what)
    )


def _page_number_links(query: Query, number: int, most: int, here_text: str) -> Html:
    before = _link(query, number - 1, query.language.gettext("Previous page"), "prev") if number > 1 else ""
    after = _link(query, number + 1, query.language.gettext("Next page"), "next") if number < most else ""
    position = query.language.gettext("%(range)s; the CSV has all", range=here_text)
    here = f"<span>{escape(position)}</span>"
    label = query.language.gettext("Pages of this list")
    return Html(join_markup([f'<nav class="pages" aria-label="{escape(label)}">', before, here, after, "</nav>"]))


def _link(query: Query, number: int, text: str, rel: str) -> str:
    return f'<a rel="{rel}" href="{escape(query.address(page=number))}">{text}</a>'


Row = Mapping[str, Any]
Rows = Callable[[Store, Query], Sequence[Row]]
PAGE_ROWS = 200  # rows of a long table on one page


def is_always_shown(store: Store) -> bool:
    """Return True: the test of pages that have something to show in any store."""
    return True


class LookView(NamedTuple):
    """A view of a store.

    `rows` are for CSV, and for JSON where there is no `document`; `parts` are the blocks of the page, by default the
    table of the rows. `entry` is the name of the entry of the navigation that the page marks as current. If the view
    `is_in_menu`, its `group` shows the entry with a link to the view, unless the store has no data for it. A `heavy`
    view is computed beside the server. On a store without rankings a view with data `stands_for` another, by its name.
    Its blocks are `part_of` the page of another; there a view that `leads` comes first if the store has no rankings.
    """

    title: str
    rows: Rows
    parameters: Sequence[Parameter] = ()
    parts: Callable[[Store, Query], Sequence[Block]] | None = None
    document: Callable[[Store, Query], object] | None = None
    heading: Callable[[Store, Query], str] | None = None
    entry: str = ""
    is_in_menu: bool = True
    heavy: bool = False
    group: str = "Results"
    has_data: Callable[[Store], bool] = is_always_shown
    stands_for: str = ""
    part_of: str = ""
    leads: bool = False

    def blocks(self, store: Store, query: Query, empty: str = "") -> Sequence[Block]:
        """The blocks of the page; a table without rows says that it is `empty`."""
        if self.parts is not None:
            return self.parts(store, query)
        rows = [{name: readable_cell(name, value) for name, value in row.items()} for row in self.rows(store, query)]
        caption = self.title if rows or empty else ""  # it repeats the heading
        return table_blocks(query.view, caption, rows, empty or NOTHING_YET, query.language)

    def json(self, store: Store, query: Query) -> object:
        """What the JSON has."""
        return list(self.rows(store, query)) if self.document is None else self.document(store, query)


class NavigationLink(NamedTuple):
    """A link of the navigation, and whether its page or group is the current one."""

    text: str
    href: str
    current: bool


class Navigation(NamedTuple):
    """The links to the groups, the name of the current group, and the links to its pages if there are several."""

    groups: Sequence[NavigationLink]
    group: str
    entries: Sequence[NavigationLink]


NO_NAVIGATION = Navigation((), "", ())


def has_rows(*tables: str) -> Callable[[Store], bool]:
    """Make a test whether a store has rows in all of these tables."""
    return lambda store: all(store.last_row_number(table) for table in tables)


def has_runs(store: Store) -> bool:
    """Whether a store has runs, with or without rankings."""
    return bool(store.last_row_number("run")) or any(hooks.ask(lambda extension: extension.unranked_runs(store)))


def has_only_unranked_runs(store: Store) -> bool:
    """Whether all runs are an extension's, without rankings, so that no documents need to be pooled and judged."""
    return not store.last_row_number("run") and has_runs(store)


NOTHING_YET = translatable("This table has no rows yet.")


def table_blocks(
    key: str, caption: str, rows: Sequence[Row], empty: str = NOTHING_YET, language: Language = ENGLISH
) -> list[Block]:
    """A table of rows, bounded; a line says what it leaves out."""
    if not rows:
        text = language.look_up(empty)
        return [Text(f"{language.look_up(caption)}: {text[0].lower()}{text[1:]}" if caption else text)]
    lines = [flatten_row(row) for row in rows[:PAGE_ROWS]]
    cut = len(rows) - len(lines)
    numbers = {"cut": f"{cut:,}", "all": f"{len(rows):,}"}
    more = language.gettext("%(cut)s more rows are not shown; the CSV file contains all %(all)s.", **numbers)
    return [TableBlock(key, caption, lines), *([Text(more)] if cut else [])]


def flatten_row(row: Row) -> dict[str, object]:
    """A row whose texts are on one line each."""
    return {name: visible_line(value) if isinstance(value, str) else value for name, value in row.items()}


def link_line(places: Sequence[tuple[str, str]], language: Language = ENGLISH) -> Html:
    """A line of links: what each says, and where to."""
    links = (f'<a href="{escape(href)}">{html_text(language.look_up(text))}</a>' for text, href in places)
    return Html(join_markup(['<p class="leads">', *links, "</p>"]))
