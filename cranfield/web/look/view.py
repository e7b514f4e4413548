"""What a view is: rows for JSON and CSV, and the blocks of its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import escape

from cranfield.report.blocks import Block, Html, Table, Text
from cranfield.report.components.markup import joined, said
from cranfield.store.store import Store
from cranfield.text import visible_line

from .query import Parameter, Query

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
    shown = [on_one_line(row) for row in rows[:PAGE_ROWS]]
    left = len(rows) - len(shown)
    more = f"{left:,} more rows are not shown; the CSV has all {len(rows):,}."
    return [Table(key, caption, shown), *([Text(more)] if left else [])]


def on_one_line(row: Row) -> dict[str, object]:
    """A row whose texts are on one line each."""
    return {name: visible_line(value) if isinstance(value, str) else value for name, value in row.items()}


def leads(places: Sequence[tuple[str, str]]) -> Html:
    """A line of links: what each says, and where to."""
    links = (f'<a href="{escape(href)}">{said(text)}</a>' for text, href in places)
    return Html(joined(['<p class="leads">', *links, "</p>"]))
