"""What a view is: rows for JSON and CSV, the blocks of its page, and what its address asks for, read and checked."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import escape

from cranfield.charts.svg.markup import html_text, join
from cranfield.errors import CranfieldError, DamageError, StoreError, replace_options
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_all
from cranfield.report.blocks import Block, Html, TableBlock, Text
from cranfield.store.pools import pool_numbers
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.text import visible_line

NAMED = 60  # characters of a wrong value that are repeated


class QueryError(Exception):
    """What cannot be answered: 400 where it is not a question, 404 where it asks for what is not there."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class Parameter(NamedTuple):
    """A parameter of a view: its name in the address and its label in the form.

    `read` makes a value of the text or raises a QueryError; `default` is the text where the address has none.
    With `choices` the form offers these; a parameter without label is not in the form.
    """

    name: str
    label: str
    read: Callable[[Store, str], Any]
    default: Callable[[Store], str] = lambda store: ""
    choices: Callable[[Store], Sequence[str]] | None = None
    nothing: str = ""  # what the form calls the choice of none


OPTION = re.compile(
    r"`[^`]*`|(?<![\w-])--(?P<name>[a-z][a-z-]*[a-z])(?: (?P<value>[A-Z]+|people|models|primary)(?![\w-]))?"
)


def name_fields(text: str, parameters: Iterable[Parameter]) -> str:
    """Name fields of a form in place of options of the command line; commands in backticks stay.

    >>> name_fields("choose --policy NAME or --pool N", [Parameter("policy", "Where labels differ", lambda *_: None)])
    'choose “Where labels differ” or pool=N'
    """
    labels = {one.name: one.label for one in parameters if one.label}

    def label(match: re.Match[str]) -> str:
        if match["name"] not in labels:
            return match[0]
        value = match["value"] or ""
        return f"“{labels[match['name']]}{f': {value}' * value.islower()}”"

    return replace_options(OPTION.sub(label, text))


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


def query(store: Store, view: str, parameters: Sequence[Parameter], pairs: Iterable[tuple[str, str]]) -> Query:
    """What is asked of a view; a QueryError where it has no such parameter, or not this value."""
    names = [one.name for one in parameters]
    explicit: dict[str, str] = {}
    for name, text in pairs:
        if name not in names:
            raise QueryError(f"unknown parameter {short_text(name)}; available: {', '.join(names) or 'none'}")
        if name in explicit:
            raise QueryError(f"parameter {name} is given twice")
        explicit |= {name: text} if text else {}
    texts = {one.name: explicit.get(one.name) or one.default(store) for one in parameters}
    values = {one.name: one.read(store, texts[one.name]) if texts[one.name] else None for one in parameters}
    return Query(view, explicit, texts, values)


def short_text(text: str) -> str:
    """A value in a message, shortened."""
    line = visible_line(text)
    return f"'{line[:NAMED]}…'" if len(line) > NAMED else f"'{line}'"


MOST = 10**6  # of a number
LONGEST = 1000  # characters of a text


def number(what: str) -> Parameter:
    """A whole number from 1."""

    def read(store: Store, text: str) -> int:
        value = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MOST)) else 0
        if not 1 <= value <= MOST:
            raise QueryError(f"{what} is {short_text(text)}; expected a whole number from 1 to {MOST:,}")
        return value

    return Parameter(what, what.capitalize(), read)


def _pool(store: Store, text: str) -> int:
    value = number("pool").read(store, text)
    if value not in pool_numbers(store):
        raise QueryError(f"no pool {value} in this store", 404)
    return int(value)


def _pools(store: Store) -> list[str]:
    return [str(number) for number in pool_numbers(store)]


def _topic(store: Store, text: str) -> str:
    if text not in _topics(store):
        raise QueryError(f"no topic {short_text(text)} in this store", 404)
    return text


def _topics(store: Store) -> list[str]:
    return [topic.qid for topic in store.topics()]


def _document(store: Store, text: str) -> str:
    try:
        return store.document(text).docno
    except DamageError:
        raise
    except StoreError:
        raise QueryError(f"no document {short_text(text)} in this store", 404) from None


def _run(store: Store, text: str) -> str:
    if store.numbers("run", "tag", [text])[0] < 0:
        raise QueryError(f"no run {short_text(text)} in this store", 404)
    return text


def _runs(store: Store) -> list[str]:
    return list(run_info(store))


def _measure(store: Store, text: str) -> Measure:
    """A measure that comes with cranfield: an address loads no module."""
    if ":" in text:
        raise QueryError(f"unknown measure {short_text(text)}")
    try:
        return parse_all(text, store.collection.min_relevant)[0]
    except CranfieldError as error:
        raise QueryError(str(error)) from None


def _text(store: Store, text: str) -> str:
    if len(text) > LONGEST:
        raise QueryError(f"{short_text(text)} is too long; expected at most {LONGEST:,} characters")
    return text


PAGE = number("page")._replace(label="", default=lambda store: "1")
POOL = Parameter("pool", "Pool", _pool, lambda store: (_pools(store) or [""])[-1], _pools)
TOPIC = Parameter("topic", "Topic", _topic, lambda store: (_topics(store) or [""])[0], _topics)
DOCNO = Parameter("docno", "Document", _document)
RUN = Parameter("run", "Run", _run, lambda store: (_runs(store) or [""])[0], _runs)
MEASURE = Parameter("measure", "Measure", _measure, lambda store: "AP")
CUTOFF = number("cutoff")._replace(label="Cut-off")
DEPTH = number("depth")
SEARCH = Parameter("search", "Search", _text)


SIZE = 100  # rows of a page


class PageOfRows(NamedTuple):
    """What a page has, from `first` to before `last`, and the links to the pages before and after, if there are any."""

    first: int
    last: int
    links: list[Html]


def page_of_rows(query: Query, whole: int, size: int = SIZE, what: str = "rows") -> PageOfRows:
    """The page that is asked for, of so many rows, or of what else there is."""
    number, most = int(query["page"]), max(1, -(-whole // size))
    if number > most:
        raise QueryError(f"there is no page {number}; the last is {most}", 404)
    first, last = (number - 1) * size, min(number * size, whole)
    return PageOfRows(
        first, last, [_links(query, number, most, f"{first + 1:,} to {last:,} of {whole:,} {what}")] if most > 1 else []
    )


def _links(query: Query, number: int, most: int, here_text: str) -> Html:
    before = _link(query, number - 1, "Previous page", "prev") if number > 1 else ""
    after = _link(query, number + 1, "Next page", "next") if number < most else ""
    here = f"<span>{here_text}; the CSV has all</span>"
    return Html(join(['<nav class="pages" aria-label="Pages of this list">', before, here, after, "</nav>"]))


def _link(query: Query, number: int, text: str, rel: str) -> str:
    return f'<a rel="{rel}" href="{escape(query.address(page=number))}">{text}</a>'


Row = Mapping[str, Any]
Rows = Callable[[Store, Query], Sequence[Row]]
PAGE_ROWS = 200  # rows of a long table on one page


class LookView(NamedTuple):
    """A view of a store.

    `rows` are for CSV, and for JSON where there is no `document`; `parts` are the blocks of the page, by default the
    table of the rows. `entry` is the name of the view in the navigation bar, or of the view to which it belongs.
    A `heavy` view is computed beside the server.
    """

    title: str
    rows: Rows
    parameters: Sequence[Parameter] = ()
    parts: Callable[[Store, Query], Sequence[Block]] | None = None
    document: Callable[[Store, Query], object] | None = None
    heading: Callable[[Store, Query], str] | None = None
    entry: str = ""
    heavy: bool = False

    def blocks(self, store: Store, query: Query) -> Sequence[Block]:
        """The blocks of the page."""
        if self.parts is not None:
            return self.parts(store, query)
        return table_of(query.view, self.title, self.rows(store, query))

    def json(self, store: Store, query: Query) -> object:
        """What the JSON has."""
        return list(self.rows(store, query)) if self.document is None else self.document(store, query)


def table_of(key: str, caption: str, rows: Sequence[Row], empty: str = "There is nothing yet.") -> list[Block]:
    """A table of rows, bounded; a line says what it leaves out."""
    if not rows:
        return [Text(f"{caption}: {empty[0].lower()}{empty[1:]}" if caption else empty)]
    lines = [flatten_row(row) for row in rows[:PAGE_ROWS]]
    cut = len(rows) - len(lines)
    more = f"{cut:,} more rows are not shown; the CSV has all {len(rows):,}."
    return [TableBlock(key, caption, lines), *([Text(more)] if cut else [])]


def flatten_row(row: Row) -> dict[str, object]:
    """A row whose texts are on one line each."""
    return {name: visible_line(value) if isinstance(value, str) else value for name, value in row.items()}


def link_line(places: Sequence[tuple[str, str]]) -> Html:
    """A line of links: what each says, and where to."""
    links = (f'<a href="{escape(href)}">{html_text(text)}</a>' for text, href in places)
    return Html(join(['<p class="leads">', *links, "</p>"]))
