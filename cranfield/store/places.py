"""Where features come in: the rows of their tables that a store needs."""

from collections.abc import Iterator

from cranfield import hooks
from cranfield.store.connection import Connection


def places_here(store: Connection, table: str, even_empty: bool = False) -> Iterator[tuple[hooks.Feature, hooks.Row]]:
    """The rows that features add to a table: those whose own table is here, and has something in it or options are
    given, or `even_empty`."""
    known = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for feature, row in hooks.places(table):
        if row.name in known and (
            even_empty or hooks.is_asked(feature) or store.rows(f"SELECT 1 FROM {row.name} LIMIT 1")
        ):
            yield feature, row
