"""The columns of a log as SQLite takes them, a value at a time, and the lists that are there under the same name.

A list under the name of an earlier one is the same list, or wrong. Where the log was empty the names are indexed after
the lists, which takes a third of the time: names come in no order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from sqlite3 import Connection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.formats.parts import BadLine, LogPart
from cranfield.features.online.interactions import KINDS, Actions
from cranfield.features.online.store.read import has_log, list_actions, list_columns
from cranfield.store.erasing import LISTED_CONDITION
from cranfield.store.store import Store

STATEMENT_ROWS = 32  # rows of a statement
Row = tuple[Any, ...]
COLUMNS = "id, name, at, experiment, arm, user, session, query, topic, first, documents, teams, propensities, import"


def lists_with(part: LogPart, mask: Mask) -> Mask:
    """The lists of which something is known of a document."""
    return np.bincount(part.impression[mask], minlength=len(part)) > 0


def optional(numbers: Ints, mask: Mask | None = None) -> list[int | None]:
    """Numbers, and None for those that are unknown."""
    return _or_none(numbers, numbers >= 0 if mask is None else mask)


def numeric(numbers: Floats) -> list[float | None]:
    """Numbers, and None for NaN."""
    return _or_none(numbers, ~np.isnan(numbers))


def _or_none(numbers: NDArray[Any], mask: Mask) -> list[Any]:
    values = numbers.astype(object)
    values[~mask] = None
    return list(values.tolist())


class NumberedPart(NamedTuple):
    """A part with the numbers of the rows that its lists refer to; -1 for none."""

    part: LogPart
    experiment: Ints
    arms: Ints
    topics: Ints
    query: Ints
    documents: Ints  # of each document shown
    visits: NDArray[np.void]  # with the number of each list

    def rows(self, keep: Mask) -> NumberedPart:
        """Only these lists."""
        if keep.all():
            return self
        part, documents = self.part.rows(keep), keep[self.part.impression]
        return NumberedPart(
            part, self.experiment[keep], self.arms[keep], topics=self.topics[keep], query=self.query[keep],
            documents=self.documents[documents], visits=self.visits[keep],
        )  # fmt: skip

    @property
    def blobs(self) -> tuple[Iterable[bytes], Iterable[bytes | None], Iterable[bytes | None]]:
        """The documents, teams and propensities of each list."""
        part = self.part
        has_teams, probable = lists_with(part, part.team >= 0), lists_with(part, ~np.isnan(part.propensity))
        return (
            blobs(self.documents.astype("<i4").tobytes(), part.bounds, 4),
            blobs_or_none(part.team.tobytes(), part.bounds, 1, has_teams),
            blobs_or_none(part.propensity.astype("<f8").tobytes(), part.bounds, 8, probable),
        )

    def lists(self, importing: int | None) -> list[Row]:
        """A row for each list, of the import of this number."""
        part, visits = self.part, self.visits
        return list(
            zip(
                visits["number"].tolist(), part.id, part.at.tolist(), self.experiment.tolist(), optional(self.arms),
                optional(visits["user"], part.user.codes >= 0), optional(visits["session"], part.session.codes >= 0),
                self.query.tolist(), optional(self.topics), part.first.tolist(), *self.blobs, repeat(importing),
            )
        )  # fmt: skip

    def actions(self) -> list[Row]:
        """A row for each action."""
        actions, bounds = self.part.actions, self.part.bounds
        starts = np.searchsorted(actions.impression, actions.impression)
        is_positioned = actions.position >= 0
        document = np.full(len(actions), -1)
        document[is_positioned] = self.documents[
            bounds[actions.impression[is_positioned]] + actions.position[is_positioned]
        ]
        return list(
            zip(
                self.visits["number"][actions.impression].tolist(), (np.arange(len(actions)) - starts + 1).tolist(),
                numeric(actions.at), [KINDS[kind] for kind in actions.kind.tolist()], optional(document),
                optional(actions.position + 1, is_positioned), numeric(actions.seconds), numeric(actions.value),
                strict=True,
            )
        )  # fmt: skip

    def attributes(self) -> Iterator[Row]:
        """A row for each attribute of a list; those of its documents are one array."""
        part, numbers = self.part, self.visits["number"].tolist()
        for name, (values, of) in part.attributes.items():
            texts = np.array([*values.names, ""], object)[values.codes]
            if of == "list":
                yield from ((numbers[row], name, of, texts[row]) for row in np.flatnonzero(values.codes >= 0).tolist())
                continue
            for row in np.flatnonzero(lists_with(part, values.codes >= 0)).tolist():
                entries = texts[part.bounds[row] : part.bounds[row + 1]].tolist()
                yield numbers[row], name, of, json.dumps(entries, ensure_ascii=False)


def differing(store: Store, batch: NumberedPart, earlier: Ints) -> Mask:
    """Which lists are others than the stored ones of these numbers: compared as columns, since most are the same."""
    ids, place = np.unique(earlier, return_inverse=True)
    where, values = f"m.id {LISTED_CONDITION}", [json.dumps(ids.tolist())]
    theirs, their_blobs = list_columns(store, where, values)
    part = batch.part
    ours = {
        "at": part.at, "experiment": batch.experiment, "arm": np.maximum(batch.arms, 0), "query": batch.query,
        "topic": np.maximum(batch.topics, 0), "first": part.first, "user": batch.visits["user"],
        "session": batch.visits["session"], "has_user": part.user.codes >= 0, "has_session": part.session.codes >= 0,
    }  # fmt: skip
    wrong = np.zeros(len(part), bool)
    for name, column in ours.items():
        wrong |= theirs[name][place] != column
    for blob_of, blob_there in zip(batch.blobs, their_blobs, strict=True):
        same = (blob == blob_there[row] for blob, row in zip(blob_of, place.tolist(), strict=False))
        wrong |= ~np.fromiter(same, bool, len(part))
    return wrong | _other_actions(part, list_actions(store, where, values, ids, np.arange(len(ids))), place)


def _other_actions(part: LogPart, earlier: Actions, place: Ints) -> Mask:
    """The lists whose actions are others than those of the stored lists at these places."""
    actions, n = part.actions, len(part)
    times = np.bincount(actions.impression, minlength=n)
    wrong: Mask = times != np.bincount(earlier.impression, minlength=int(place.max(initial=0)) + 1)[place]
    order = np.lexsort((actions.at, actions.impression))
    order = order[~wrong[actions.impression[order]]]
    row = actions.impression[order]
    nth = np.arange(len(row)) - np.searchsorted(row, row)
    theirs = np.searchsorted(earlier.impression, place[row]) + nth
    for name in ("kind", "position", "at", "seconds", "value"):
        one, other = getattr(actions, name)[order], getattr(earlier, name)[theirs]
        wrong[row[(one != other) & ~(np.isnan(one) & np.isnan(other))]] = True
    return wrong


def blobs(data: bytes, bounds: Ints, size: int) -> Iterator[bytes]:
    """The bytes of each list, whose entries have a size.

    >>> list(blobs(b"abcdef", np.array([0, 1, 3]), 2)), list(blobs(b"abcdef", np.array([0, 1, 2, 3]), 2))
    ([b'ab', b'cdef'], [b'ab', b'cd', b'ef'])
    """
    lengths = np.unique(np.diff(bounds))
    if len(lengths) == 1 and lengths[0]:
        return iter(np.frombuffer(data, f"V{lengths[0] * size}").tolist())
    return (data[start:end] for start, end in pairwise((bounds * size).tolist()))


def blobs_or_none(data: bytes, bounds: Ints, size: int, present: Mask) -> Iterator[bytes | None]:
    """The bytes of the lists that have some; None for the others."""
    if not present.any():
        return repeat(None, len(present))
    return (
        blob if has_blob else None for blob, has_blob in zip(blobs(data, bounds, size), present.tolist(), strict=True)
    )


def insert(conn: Connection, table: str, width: int, rows: Sequence[Row]) -> None:
    """Insert rows, many with one statement, which takes half the time."""
    row, most = f"({', '.join('?' * width)})", len(rows) - len(rows) % STATEMENT_ROWS
    for batch_size, some in ((STATEMENT_ROWS, rows[:most]), (1, rows[most:])):
        sql = f"INSERT INTO {table} VALUES {', '.join([row] * batch_size)}"
        starts = range(0, len(some), batch_size)
        conn.executemany(sql, (list(chain.from_iterable(some[start : start + batch_size])) for start in starts))


Content = tuple[Row, list[Row]]  # a list and its actions, without its number and its import
PARTS = (
    "another time", "another experiment", "another arm", "another user", "another session", "another query",
    "another topic", "another page", "other documents", "other teams", "other propensities",
)  # fmt: skip
NAMES_AT_ONCE = 100_000  # names in memory as Python has them


def dropped_index(store: Store) -> str:
    """Drop the index of names from an empty log; the statement that makes it again, empty where it stays."""
    if has_log(store):
        return ""
    store.make_table("impression")
    [(index,)] = store.rows("SELECT sql FROM sqlite_master WHERE name = 'impression_name'")
    store.conn.execute("DROP INDEX impression_name")
    return str(index)


def hashes(names: Sequence[str]) -> Ints:
    """A number for each name, by which this process finds equal ones."""
    return np.fromiter(map(hash, names), np.int64, len(names))


def unindexed_repeats(store: Store, codes: Ints) -> dict[int, int]:
    """The lists whose name an earlier one has, and that one, by number; the hashes are of the lists from 1 on."""
    sorted_codes = np.sort(codes)
    twice = np.unique(sorted_codes[1:][sorted_codes[1:] == sorted_codes[:-1]])
    repeats: dict[int, int] = {}
    for start in range(0, len(twice), NAMES_AT_ONCE):
        alike = np.flatnonzero(np.isin(codes, twice[start : start + NAMES_AT_ONCE])) + 1
        first: dict[str, int] = {}
        for number, name in _numbers_and_names(store, "id", alike.tolist()):
            if first.setdefault(name, number) != number:
                repeats[number] = first[name]
    return repeats


def numbers_by_name(store: Store, names: Sequence[str]) -> dict[str, int]:
    """The lists of these names that are there, by name, and their numbers."""
    return {name: number for number, name in _numbers_and_names(store, "name", names)}


def _numbers_and_names(store: Store, column: str, values: Sequence[object]) -> Iterable[tuple[int, str]]:
    sql = f"SELECT id, name FROM impression WHERE {column} {LISTED_CONDITION} ORDER BY id"
    return store.conn.execute(sql, [json.dumps(values)])


def contents(store: Store, numbers: Sequence[int]) -> dict[int, Content]:
    """What is stored of lists, by number."""
    values = [json.dumps(numbers)]
    actions = actions_by_list(
        store.conn.execute(f"SELECT * FROM action WHERE impression {LISTED_CONDITION} ORDER BY 1, 2", values)
    )
    rows = store.conn.execute(f"SELECT {COLUMNS} FROM impression WHERE id {LISTED_CONDITION}", values)
    return {row[0]: (row[2:-1], actions.get(row[0], [])) for row in rows}


def actions_by_list(actions: Iterable[Row]) -> dict[int, list[Row]]:
    """The actions of each list, without its number."""
    actions_of_list: dict[int, list[Row]] = {}
    for number, *action in actions:
        actions_of_list.setdefault(number, []).append(tuple(action))
    return actions_of_list


def other_content(line: int, name: str, content: Content, earlier: Content) -> BadLine:
    """The line of a list whose name another one has, and the first thing that it says otherwise."""
    differ = (what for what, one, other in zip(PARTS, content[0], earlier[0], strict=True) if one != other)
    message = f"id {name!r} is already in the log with {next(differ, 'other actions')}"
    return BadLine(line, "ids with different content", message)
