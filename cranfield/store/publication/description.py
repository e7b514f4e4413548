"""The description of a collection for its publication, and its split, as a store keeps them: JSON by field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.errors import DamageError
from cranfield.store.decoding import shortened
from cranfield.store.store import Store

SPLIT = "split"


def stored_description(store: Store) -> dict[str, Any]:
    """What was set, by field.

    >>> with Store.memory("tiny") as store:
    ...     keep_description(store, {"title": "Tiny", "language": ["en"], "doi": ""})
    ...     keep_description(store, {"title": ""})
    ...     stored_description(store)
    {'language': ['en']}
    """
    rows = store.rows("SELECT field, value FROM publication WHERE field <> ? ORDER BY field", [SPLIT])
    return {field: _value(field, value) for field, value in rows}


def stored_split(store: Store) -> tuple[str, ...] | None:
    """The topics of the split test, of a collection that was published in splits; those that are still there.

    >>> from cranfield.formats import Topic
    >>> with Store.memory("tiny") as store:
    ...     added = store.add_topics([Topic("q1", "one"), Topic("q2", "two")])
    ...     keep_split(store, ["q2", "q9"])
    ...     stored_split(store), stored_description(store)
    (('q2',), {})
    """
    found = [_value(field, value) for field, value in store.rows("SELECT * FROM publication WHERE field = ?", [SPLIT])]
    known = {topic.qid for topic in store.topics()} if found else set()
    return tuple(qid for qid in found[0] if qid in known) if found else None


def keep_split(store: Store, qids: Sequence[str]) -> None:
    """Keep the topics of the split test; the others are train."""
    with store.writing():
        values = [SPLIT, json.dumps([*qids], ensure_ascii=False)]
        store.conn.execute("INSERT OR REPLACE INTO publication VALUES (?, ?)", values)


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
