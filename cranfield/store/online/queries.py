"""The queries of a log, and the topics that they are."""

from __future__ import annotations

from typing import NamedTuple

from cranfield.store.online.read import same_text
from cranfield.store.store import Store


class LoggedQuery(NamedTuple):
    """What users typed, however often, and how many of them."""

    text: str
    lists: int
    users: int


def unmatched_queries(store: Store, number: int | None = None) -> list[LoggedQuery]:
    """The queries that are no topic's title, those of the most users first; perhaps of one import alone.

    Spellings that differ in case and blanks are one query, of the users of the most frequent at least; a list without a
    user counts as that of its session, and without a session as nobody's.
    """
    rows = store.rows(
        "SELECT q.text, count(*), count(DISTINCT coalesce(user, -1 - session)) FROM impression m"
        " JOIN query q ON q.id = m.query WHERE m.topic IS NULL AND m.import = coalesce(?, m.import) GROUP BY q.id"
        " ORDER BY 2 DESC, q.id",
        [number],
    )
    titles = store.rows("SELECT title FROM topic WHERE title <> '' AND removed = 0")
    known = {same_text(title) for (title,) in titles}
    found: dict[str, LoggedQuery] = {}
    for text, lists, users in rows:
        if (key := same_text(text)) and key not in known:
            before = found.get(key, LoggedQuery(" ".join(text.split()), 0, 0))
            found[key] = LoggedQuery(before.text, before.lists + lists, max(before.users, users))
    return sorted(found.values(), key=lambda one: (-one.users, -one.lists, one.text))
