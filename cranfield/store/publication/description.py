"""The description of a collection for its publication, as a store keeps it: JSON by field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cranfield.errors import DamageError
from cranfield.store.decoding import shortened
from cranfield.store.store import Store


def stored_description(store: Store) -> dict[str, Any]:
    """What was set, by field.

    >>> with Store.memory("tiny") as store:
    ...     keep_description(store, {"title": "Tiny", "language": ["en"], "doi": ""})
    ...     keep_description(store, {"title": ""})
    ...     stored_description(store)
    {'language': ['en']}
    """
    rows = store.rows("SELECT field, value FROM publication ORDER BY field")
    return {field: _value(field, value) for field, value in rows}


def _value(field: object, text: object) -> Any:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, str | list):
        raise DamageError("publication", field, f"value is not a JSON text or list: {shortened(text)}")
    return found


def keep_description(store: Store, values: Mapping[str, Any]) -> None:
    """Set fields in one transaction; an empty value removes what was set."""
    with store.writing():
        for field, value in values.items():
            store.conn.execute("DELETE FROM publication WHERE field = ?", [field])
            if value:
                store.conn.execute(
                    "INSERT INTO publication VALUES (?, ?)", [field, json.dumps(value, ensure_ascii=False)]
                )
