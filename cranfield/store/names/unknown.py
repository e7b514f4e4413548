"""Names that runs and judgments use and a store does not have, and names that differ from its own in writing only."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from cranfield.arrays.rankings import Qrels, Runs, occurring
from cranfield.store.rows.named_rows import NAMES, TEXT
from cranfield.store.store import Store

PLACE = {"document": "in the corpus", "topic": "among the topics"}
PADDING = re.compile(r"(?<!\d)0+(?=\d)")


class Lack(NamedTuple):
    """How many documents or topics that something names are unknown, of how many, and the first of them."""

    table: str
    missing: int
    of: int
    first: str

    def sentence(self, what: str) -> str:
        """The same in words.

        >>> Lack("document", 46, 3250, "0003").sentence("documents that runs or judgments name")
        "46 of 3250 documents that runs or judgments name are not in the corpus, the first is '0003'"
        >>> Lack("topic", 1, 3, "01").sentence("topics in q.txt")
        "1 of 3 topics in q.txt is not among the topics, the first is '01'"
        """
        verb = "is" if self.missing == 1 else "are"
        return f"{self.missing} of {self.of} {what} {verb} not {PLACE[self.table]}, the first is {self.first!r}"


def lacks(store: Store) -> list[Lack]:
    """What runs and judgments name and the store does not have; nothing where no corpus or no topics were added."""
    found = []
    for table, name in NAMES.items():
        unknown = store.rows(f"SELECT count(*), min(id) FROM unknown_{table}")[0]
        of = store.count(table)
        if 0 < unknown[0] < of:
            first = store.rows(f"SELECT {name} FROM {table} WHERE id = ?", [unknown[1]])[0][0]
            found.append(Lack(table, unknown[0], of, first))
    return found


def every_unknown(store: Store, table: str) -> list[str]:
    """The names that runs and judgments use and nobody added."""
    return [name for (name,) in store.rows(f"SELECT {NAMES[table]} FROM unknown_{table} ORDER BY id")]


def strangers(store: Store, named: Runs | Qrels, what: str) -> list[str]:
    """What is said of judgments or runs of a store that name documents or topics which it does not have."""
    columns = (("document", named.docnos, named.document), ("topic", named.topics, named.topic))
    return [
        line
        for table, names, codes in columns
        for line in strangers_among(store, table, names.names[occurring(codes)].tolist(), f"{table}s {what}")
    ]


def strangers_among(store: Store, table: str, names: Sequence[str], what: str) -> list[str]:
    """The same of single names; nothing where no corpus, or no topics, were added."""
    unknown = unknown_names(store, table, names) if store.has(table) else []
    return [Lack(table, len(unknown), len(names), unknown[0]).sentence(what)] if unknown else []


def unknown_names(store: Store, table: str, names: Sequence[str]) -> list[str]:
    """Those of the names that stand for no document with a text, or for no topic that was added, in byte order."""
    found = store.rows(
        f"SELECT value FROM json_each(?) AS wanted LEFT JOIN {table} ON {NAMES[table]} = value"
        f" WHERE {TEXT[table]} IS NULL ORDER BY value",
        [json.dumps(list(names))],
    )
    return [name for (name,) in found]


def plain(name: str) -> str:
    """A name without what is a matter of writing: zeros before a number, case, blanks.

    >>> plain("0003"), plain("FT 911-001"), plain("q10"), plain("0")
    ('3', 'ft911-1', 'q10', '0')
    """
    return PADDING.sub("", "".join(name.split()).casefold())


def written_otherwise(store: Store, table: str, names: Sequence[str]) -> dict[str, str]:
    """For names that the store does not have: the only one of its own that differs from each in writing alone."""
    wanted = {plain(name) for name in names}
    own: dict[str, list[str]] = {}
    for (name,) in store.conn.execute(f"SELECT {NAMES[table]} FROM {table} WHERE {TEXT[table]} IS NOT NULL"):
        if plain(name) in wanted:
            own.setdefault(plain(name), []).append(name)
    return {name: own[plain(name)][0] for name in names if len(own.get(plain(name), ())) == 1}
