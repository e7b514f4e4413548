"""Long tables and texts, a page at a time."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import escape

from cranfield.report.blocks import Html
from cranfield.report.components.markup import joined

from .query import Query, QueryError

SIZE = 100  # rows of a page


class Page(NamedTuple):
    """What a page has, from `first` to before `last`, and the links to the pages before and after, if there are any."""

    first: int
    last: int
    links: list[Html]


def pages(query: Query, whole: int, size: int = SIZE, what: str = "rows") -> Page:
    """The page that is asked for, of so many rows, or of what else there is."""
    number, most = int(query["page"]), max(1, -(-whole // size))
    if number > most:
        raise QueryError(f"there is no page {number}; the last is {most}", 404)
    first, last = (number - 1) * size, min(number * size, whole)
    return Page(
        first, last, [_links(query, number, most, f"{first + 1:,} to {last:,} of {whole:,} {what}")] if most > 1 else []
    )


def _links(query: Query, number: int, most: int, said: str) -> Html:
    before = _link(query, number - 1, "Previous page", "prev") if number > 1 else ""
    after = _link(query, number + 1, "Next page", "next") if number < most else ""
    here = f"<span>{said}; the CSV has all</span>"
    return Html(joined(['<nav class="pages" aria-label="Pages of this list">', before, here, after, "</nav>"]))


def _link(query: Query, number: int, text: str, rel: str) -> str:
    return f'<a rel="{rel}" href="{escape(query.address(page=number))}">{text}</a>'
