"""What people and models say of answers: whether an answer says a nugget, whether documents support a sentence.

Both are append-only logs like that of judgments: events with who, when and for how many seconds, an id that makes them
happen once, and what they take back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import uuid4

from cranfield.store.decoding import names_of
from cranfield.store.links.linking import link_events
from cranfield.store.store import Store, now

SUPPORT: Mapping[str, float] = MappingProxyType({"not_support": 0.0, "partial_support": 0.5, "support": 1.0})
NuggetItem = tuple[int, int]  # the numbers of an answer and of a nugget
SupportItem = tuple[int, int, tuple[str, ...]]  # the number of an answer, the position of a sentence, and docnos
Item = tuple[Any, ...]  # one of the two


class LabelEvent(NamedTuple):
    """One thing an assessor said; the store gives `at`, `event_id` and `id`."""

    kind: str  # label, retract, later, cannot-judge or note
    item: Item
    assessor: str
    label: str | None = None  # support, partial_support or not_support
    reason: str = ""
    note: str = ""
    evidence: str | None = None
    seconds: float | None = None
    position: int | None = None
    order_seed: int | None = None
    fast: bool = False
    input: str = ""
    supersedes: int | None = None
    at: str = ""
    event_id: str = ""
    id: int | None = None


class LabelLog(NamedTuple):
    """One of the logs: its table, the columns of its items, and how the last of them is written and read."""

    table: str
    columns: tuple[str, ...]
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]

    def append(self, store: Store, events: Iterable[LabelEvent]) -> list[int]:
        """Append events in one transaction, on disk before this returns; their ids."""
        with store.writing():
            numbers = [self._insert(store, event) for event in events]
            link_events(store, self.table, numbers)
            return numbers

    def _insert(self, store: Store, event: LabelEvent) -> int:
        item = dict(zip(self.columns, (*event.item[:-1], self.write(event.item[-1])), strict=True))
        given = event._replace(at=event.at or now(), event_id=event.event_id or uuid4().hex)._asdict()
        columns = ("kind", *self.columns, *OWN)
        found = store.conn.execute(
            f"INSERT INTO {self.table} (assessor, {', '.join(columns)})"
            f" SELECT id, {', '.join(f':{name}' for name in columns)} FROM assessor WHERE name = :assessor",
            {name: value for name, value in {**given, **item}.items() if name in (*columns, "assessor")},
        )
        return int(found.lastrowid or 0)

    def events(self, store: Store, assessor: str, after: int = 0) -> list[LabelEvent]:
        """Everything an assessor said, in the order in which it happened, with an id above `after`."""
        rows = store.rows(
            f"SELECT e.kind, {', '.join(self.columns)}, name, {', '.join(OWN)}, e.id FROM {self.table} e"
            " JOIN assessor a ON a.id = e.assessor WHERE name = ? AND e.id > ? ORDER BY e.id",
            [assessor, after],
        )
        return [self._event(row) for row in rows]

    def _event(self, row: tuple[Any, ...]) -> LabelEvent:
        kind, *rest = row
        item, said = rest[: len(self.columns)], rest[len(self.columns) :]
        event = LabelEvent(kind, self._item(item), *said)
        return event._replace(fast=bool(event.fast))

    def _item(self, row: Sequence[Any]) -> Item:
        return (*row[:-1], self.read(row[-1]))

    def is_recorded(self, store: Store, event_id: str) -> bool:
        """Whether the log has an event of this id."""
        return bool(store.rows(f"SELECT 1 FROM {self.table} WHERE event_id = ?", [event_id]))

    def labels(self, store: Store, assessor: str | None = None) -> dict[Item, str | None]:
        """The current label of each item, by one assessor, or by all: people's before models', then who came first.

        None: it could not be judged, or a model failed. What was never labelled, or put off, is not there.
        """
        rows = store.rows(
            f"SELECT {', '.join(self.columns)}, label FROM (SELECT *, row_number() OVER (PARTITION BY"
            f" {', '.join(self.columns)} ORDER BY label IS NULL, assessor_kind = 'model', assessor) AS nth"
            f" FROM current_{self.table} WHERE kind <> 'later' AND (?1 IS NULL OR name = ?1)) WHERE nth = 1",
            [assessor],
        )
        return {self._item(row[:-1]): row[-1] for row in rows}

    def counts(self, store: Store) -> dict[str, dict[str, int]]:
        """How many current decisions of each kind each assessor has, by name, in the order in which they came."""
        found: dict[str, dict[str, int]] = {}
        rows = store.rows(
            f"SELECT name, kind, count(*) FROM current_{self.table} GROUP BY assessor, kind ORDER BY assessor, kind"
        )
        for name, kind, number in rows:
            found.setdefault(name, {})[kind] = number
        return found


OWN = LabelEvent._fields[3:-1]  # the columns under the same name

NUGGET_LABELS: LabelLog = LabelLog("nugget_event", ("answer", "nugget"), int, int)
CLAIM_LABELS: LabelLog = LabelLog("claim_event", ("answer", "claim"), int, int)
SUPPORT_LABELS: LabelLog = LabelLog(
    "support_event",
    ("answer", "sentence", "citations"),
    lambda docnos: json.dumps(list(docnos), ensure_ascii=False),
    lambda text: names_of(text, "support_event", text, "citations"),
)
