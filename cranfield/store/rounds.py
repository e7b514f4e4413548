"""Rounds of a store: which there are, and which of them a topic, an import, a run or a judgment is of.

A store without rounds is in its first one, which is called 1. A judgment is of the round of its import, if that was
said, or else of the last round that was opened before it.
"""

import hashlib
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints, Mask
from cranfield.errors import StoreError
from cranfield.store.decoding import decode_names
from cranfield.store.named_rows import NamedRows
from cranfield.text import name_hint


class Round(NamedTuple):
    """A round: its number in the order, its topics and documents (None: all), and the first event of its judgments."""

    number: int
    name: str
    opened: str
    first_event: int
    topics: tuple[str, ...] | None = None
    documents: Ints | None = None
    closed: str = ""


FIRST = Round(1, "1", "", 1)


def rounds(store: NamedRows) -> list[Round]:
    """The rounds in their order; the first alone where none was ever opened or closed."""
    ends = dict(store.rows("SELECT id, closed FROM round_end"))
    rows = store.rows("SELECT id, name, opened, first_event, topics, documents FROM round ORDER BY id")
    return [
        Round(
            number=number, name=name, opened=opened, first_event=first_event,
            topics=None if topics is None else decode_names(topics, "round", number, "topics"),
            documents=None if documents is None else np.frombuffer(documents, "<i4").astype(np.int64),
            closed=ends.get(number, ""),
        )
        for number, name, opened, first_event, topics, documents in rows
    ] or [FIRST]  # fmt: skip


def round_named(store: NamedRows, name: str) -> Round:
    """A round by its name; for an unknown one the nearest is named."""
    by_name = {one.name: one for one in rounds(store)}
    if name not in by_name:
        raise StoreError(f"{store.path}: no round {name!r} in this store{name_hint(name, by_name)}")
    return by_name[name]


def round_names(store: NamedRows) -> dict[int, str]:
    """The names of the rounds by their numbers; none where no round was ever opened or closed."""
    return dict(store.rows("SELECT id, name FROM round"))


def topics_of(store: NamedRows, one: Round) -> Mask:
    """The topics of a round, a mask over all: those said, or all whose import is not of a later one.

    A topic that was never imported has come with the first run or judgment of it.
    """
    counts = np.ones(store.last_row_number("topic"), bool)
    if one.topics is not None:
        counts[:] = False
        counts[np.array(store.numbers("topic", "qid", one.topics), np.int64) - 1] = True
        return counts
    later = {number for number, of in import_rounds(store).items() if of > one.number}
    for number, source in store.rows("SELECT id, import FROM topic WHERE import IS NOT NULL OR removed = 1"):
        counts[number - 1] = source is not None and source not in later
    judged = f"SELECT topic FROM judgment_event e WHERE e.kind <> 'retract' AND {round_condition(store, 1, one.number)}"
    come = "SELECT topic FROM ranking JOIN run ON run.id = run WHERE coalesce(round, 1) <= ?"
    ever = "SELECT topic FROM ranking UNION SELECT topic FROM judgment_event"
    to_come = f"SELECT id FROM topic WHERE title IS NULL AND id IN ({ever}) AND id NOT IN ({come} UNION {judged})"
    for (number,) in store.rows(to_come, [one.number]):
        counts[number - 1] = False
    return counts


def import_rounds(store: NamedRows) -> dict[int, int]:
    """The round of each import: that which was said, or the last that was open then."""
    own, all_rounds = dict(store.rows("SELECT id, round FROM round_import")), rounds(store)
    numbers = {}
    for number, at in store.rows("SELECT id, at FROM import"):
        numbers[number] = own.get(number) or max(
            [1, *(one.number for one in all_rounds if one.opened <= at and one.opened)]
        )
    return numbers


def round_condition(store: NamedRows, first: int, last: int) -> str:
    """The condition, in SQL, that a judgment event `e` is of a round from `first` to `last`; what takes back always is.

    >>> from cranfield.store.store import Store
    >>> with Store.memory("one round") as store:
    ...     round_condition(store, 1, 1)
    "(e.kind = 'retract' OR (e.id >= 1))"
    """
    all_rounds = rounds(store)
    start = next((one.first_event for one in all_rounds if one.number >= first), 1)
    end = next((one.first_event for one in all_rounds if one.number > last), None)
    within = f"e.id >= {start}" + (f" AND e.id < {end}" if end else "")
    spans = store.rows(
        "SELECT i.first_event, i.last_event, r.round FROM round_import r JOIN import i USING (id)"
        " WHERE i.last_event >= i.first_event"
    )
    for begin, finish, number in spans:
        inside = f"e.id BETWEEN {begin} AND {finish}"
        within = f"({within}) OR {inside}" if first <= number <= last else f"({within}) AND NOT {inside}"
    return f"(e.kind = 'retract' OR ({within}))"


def round_of_new_runs(store: NamedRows, name: str | None = None) -> int | None:
    """The round of new runs: the named one, or the open one; None for the first, where none is named."""
    if name is not None:
        return round_named(store, name).number
    last = rounds(store)[-1]
    return last.number if last.number > 1 else None


def refuse_changed_rounds(store: NamedRows) -> None:
    """Raise StoreError if the documents of a round are not those of its recorded hash."""
    for name, documents, recorded in store.rows("SELECT name, documents, documents_sha256 FROM round ORDER BY id"):
        if (None if documents is None else hashlib.sha256(documents).hexdigest()) != recorded:
            raise StoreError(f"round {name}: the documents differ from the recorded documents")
