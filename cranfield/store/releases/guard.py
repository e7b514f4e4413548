"""What releases have stays: who wants to remove it is told which release that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.store.rows.named_rows import NAMES

if TYPE_CHECKING:
    from cranfield.store.store import Store

EARLIER = (
    "(SELECT {what} FROM earlier_{table} e WHERE e.{table} = :row AND e.release >= r.id ORDER BY e.release LIMIT 1)"
)
WITHOUT_TEXT = {table: f"EXISTS {EARLIER.format(what='1', table=table)}" for table in NAMES}
REMOVED = {table: f"coalesce({EARLIER.format(what='removed', table=table)}, 0)" for table in NAMES}


def refuse_released(store: Store, table: str, row: int, what: str) -> None:
    """Refuse to remove a row that a release has; of a document, its text."""
    but = WITHOUT_TEXT[table] if table == "document" else REMOVED[table] if table == "topic" else "0"
    holds = f"json_extract(last, '$.{table}') >= :row AND NOT {but}"
    found = store.rows(f"SELECT name FROM release r WHERE {holds} ORDER BY id LIMIT 1", {"row": row})
    if found:
        raise StoreError(f"{what} cannot be removed: release {found[0][0]} has it, and releases never change")
