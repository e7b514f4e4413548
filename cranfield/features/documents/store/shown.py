"""Which fields of its documents a store shows."""

from collections.abc import Sequence

from cranfield.store.store import Store


def keep_shown(store: Store, fields: Sequence[tuple[str, str]]) -> None:
    """Keep the names and types of the fields."""
    with store.writing():
        store.conn.executemany("INSERT INTO shown_field (name, type) VALUES (?, ?)", fields)


def shown_of(store: Store) -> list[tuple[str, str]]:
    """The names and types, in their order."""
    return [(name, kind) for name, kind in store.rows("SELECT name, type FROM shown_field ORDER BY id")]
