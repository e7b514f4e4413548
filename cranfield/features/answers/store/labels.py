"""What people and models say of answers: whether they say a nugget, whether documents support a sentence; and claims.

Labels are append-only logs like that of judgments: events with who, when and for how many seconds, an id that makes
them happen once, and what they take back.

Claims are what the reference answer to a topic says, sentence by sentence, and what answers state. They are never
changed. An author who says anew what an answer states adds another version, and the last one counts; people's count
before models'. An author may find that an answer states nothing. Whether the documents of an answer say a claim is a
label of its own log.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.answers.formats.nuggets import PlainClaims
from cranfield.features.answers.store.answers import answers_that_count
from cranfield.store.decoding import decode_names
from cranfield.store.links import append_items
from cranfield.store.log import add_external_assessor
from cranfield.store.store import Store

SUPPORT: Mapping[str, float] = MappingProxyType(
    {"not_support": 0.0, "partial_support": 0.5, "support": 1.0, "no": 0.0, "yes": 1.0, "second": 0.0, "equal": 0.5,
     "first": 1.0}
)  # fmt: skip
NuggetItem = tuple[int, int]  # the numbers of an answer and of a nugget
SupportItem = tuple[int, int, tuple[str, ...]]  # the number of an answer, the position of a sentence, and docnos
Item = tuple[Any, ...]  # one of the two, or an answer with a claim, a question of a rubric, or another answer


class LabelEvent(NamedTuple):
    """One thing an assessor said; the store gives `at`, `event_id` and `id`."""

    kind: str  # label, retract, later, cannot-judge or note
    item: Item
    assessor: str
    label: str | None = None  # one of those of its log: support, partial_support, not_support; yes, no; ...
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


class CurrentLabel(NamedTuple):
    """The last word of an assessor on an item."""

    item: Item
    assessor: str
    assessor_kind: str  # human, model, panel or import
    kind: str  # label, later or cannot-judge
    label: str | None
    seconds: float | None
    at: str
    input: str

    @property
    def settles(self) -> bool:
        """Whether it settles what others said."""
        return self.input.startswith(ADJUDICATED)


NOT_BY_HAND = ("", "import", "model")  # inputs of events that nobody recorded in this program
ADJUDICATED = "adjudicated, "  # how the input of an event begins that settles what others said


class LabelLog(NamedTuple):
    """One of the logs: its table, the columns of its items, how the last of them is written and read, and how many of
    them, from the first, are answers."""

    table: str
    columns: tuple[str, ...]
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    answers: int = 1

    def append(self, store: Store, events: Iterable[LabelEvent]) -> list[int]:
        """Append events in one transaction, on disk before this returns; their ids."""
        return append_items(store, self.table, map(self._row, events))

    def _row(self, event: LabelEvent) -> dict[str, Any]:
        item = dict(zip(self.columns, (*event.item[:-1], self.write(event.item[-1])), strict=True))
        fields = event._asdict()
        return item | {name: fields[name] for name in ("kind", "assessor", *OWN)}

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
        item, others = rest[: len(self.columns)], rest[len(self.columns) :]
        event = LabelEvent(kind, self._item(item), *others)
        return event._replace(fast=bool(event.fast))

    def _item(self, row: Sequence[Any]) -> Item:
        return (*row[:-1], self.read(row[-1]))

    def labels(self, store: Store, assessor: str | None = None) -> dict[Item, str | None]:
        """The current label of each item, by one assessor, or by all: people's before models', then who came first.

        None: it could not be judged, or a model failed. What was never labelled, or put off, is not there.
        """
        rows = store.rows(
            f"SELECT {', '.join(self.columns)}, label FROM (SELECT *, row_number() OVER (PARTITION BY"
            f" {', '.join(self.columns)} ORDER BY label IS NULL, assessor_kind IN ('model', 'panel'), assessor) AS nth"
            f" FROM current_{self.table} WHERE kind <> 'later' AND (?1 IS NULL OR name = ?1)) WHERE nth = 1",
            [assessor],
        )
        return {self._item(row[:-1]): row[-1] for row in rows}

    def current(self, store: Store, answers: Collection[int] | None = None) -> list[CurrentLabel]:
        """The last word of each assessor on each item of answers that count, in the order in which it was recorded.

        With `answers`, only on items that begin with one of them.
        """
        counting = answers_that_count(store)
        where = "" if answers is None else "WHERE answer IN (SELECT value FROM json_each(?))"
        rows = store.rows(
            f"SELECT {', '.join(self.columns)}, name, assessor_kind, kind, label, seconds, at, input"
            f" FROM current_{self.table} {where} ORDER BY id",
            [] if answers is None else [json.dumps([*answers])],
        )
        width = len(self.columns)
        found = (CurrentLabel(self._item(row[:width]), *row[width:]) for row in rows)
        return [one for one in found if counting.keys() >= {*one.item[: self.answers]}]

    def last_signs(self, store: Store) -> dict[str, str]:
        """When each assessor last recorded something in this program, in UTC."""
        rows = store.rows(
            f"SELECT a.name, max(e.at) FROM {self.table} e JOIN assessor a ON a.id = e.assessor"
            " WHERE e.input NOT IN (SELECT value FROM json_each(?)) GROUP BY a.id",
            [json.dumps(NOT_BY_HAND)],
        )
        return dict(rows)

    def unjudged_because(self, store: Store, assessor: str, reason: str) -> set[Item]:
        """The items that a model cannot judge, for a reason that begins with these words."""
        rows = store.rows(
            f"SELECT {', '.join(self.columns)} FROM current_{self.table}"
            " WHERE kind = 'cannot-judge' AND name = ? AND assessor_kind = 'model' AND substr(reason, 1, ?) = ?",
            [assessor, len(reason), reason],
        )
        return {self._item(row) for row in rows}

    def counts(self, store: Store) -> dict[str, dict[str, int]]:
        """How many current decisions of each kind each assessor has on answers that count, in the order they came."""
        numbers: dict[str, dict[str, int]] = {}
        count = " AND ".join(f"{name} IN (SELECT value FROM json_each(?1))" for name in self.columns[: self.answers])
        rows = store.rows(
            f"SELECT name, kind, count(*) FROM current_{self.table} WHERE {count}"
            " GROUP BY assessor, kind ORDER BY assessor, kind",
            [json.dumps([*answers_that_count(store)])],
        )
        for name, kind, number in rows:
            numbers.setdefault(name, {})[kind] = number
        return numbers


OWN = LabelEvent._fields[3:-1]  # the columns under the same name

NUGGET_LABELS: LabelLog = LabelLog("nugget_event", ("answer", "nugget"), int, int)
CLAIM_LABELS: LabelLog = LabelLog("claim_event", ("answer", "claim"), int, int)
CORRECTNESS_LABELS: LabelLog = LabelLog("correctness_event", ("answer", "claim"), int, int)
RUBRIC_LABELS: LabelLog = LabelLog("rubric_event", ("answer", "rubric"), int, int)
COMPARISON_LABELS: LabelLog = LabelLog("comparison_event", ("answer", "other"), int, int, answers=2)
SUPPORT_LABELS: LabelLog = LabelLog(
    "support_event",
    ("answer", "sentence", "citations"),
    lambda docnos: json.dumps(list(docnos), ensure_ascii=False),
    lambda text: decode_names(text, "support_event", text, "citations"),
)


class Claim(NamedTuple):
    """A claim that counts; `answer` None: of the reference answer."""

    number: int
    qid: str
    answer: int | None
    text: str
    author: str


class ClaimSet(NamedTuple):
    """All that an author says an answer claims, or the reference answer to a topic; no texts: it states nothing."""

    qid: str
    answer: int | None
    texts: Sequence[str]
    author: str
    evidence: str | None = None


def add_claims(store: Store, sets: Iterable[ClaimSet]) -> list[int]:
    """Append claims in one transaction; the numbers of their rows, of which a set without texts has one.

    >>> from cranfield.formats import Topic
    >>> from cranfield.store.log import add_assessor
    >>> store = Store.memory("claims")
    >>> store.add_topics([Topic("q", "lift")]), add_assessor(store, "ada")
    (1, None)
    >>> add_claims(store, [ClaimSet("q", None, ["Wings lift.", "Drag slows."], "ada")])
    [1, 2]
    >>> add_claims(store, [ClaimSet("q", None, ["Wings lift."], "ada")])
    [3]
    >>> [(claim.number, claim.text) for claim in current_claims(store)]
    [(3, 'Wings lift.')]
    >>> store.close()
    """
    with store.writing():
        return [number for one in sets for number in append_items(store, "claim", _rows(store, one))]


def _rows(store: Store, one: ClaimSet) -> list[dict[str, Any]]:
    [(version,)] = store.rows(
        "SELECT coalesce(max(version), 0) + 1 FROM claim WHERE topic = (SELECT id FROM topic WHERE qid = ?)"
        " AND answer IS ? AND author = (SELECT id FROM assessor WHERE name = ?)",
        [one.qid, one.answer, one.author],
    )
    common = {"topic": one.qid, "answer": one.answer, "author": one.author, "version": version,
              "evidence": one.evidence, "import": store.importing}  # fmt: skip
    texts = list(enumerate(one.texts, 1)) or [(0, "")]
    return [{**common, "position": place, "text": " ".join(text.split())} for place, text in texts]


def current_claims(store: Store) -> list[Claim]:
    """The claims that count, by topic and answer, in their order."""
    rows = store.rows("SELECT id, qid, answer, text, name FROM current_claim ORDER BY topic, answer, position")
    return [Claim(*row) for row in rows]


def answers_without_claims(store: Store) -> set[int]:
    """The answers of which it counts that they state nothing."""
    return {answer for (answer,) in store.rows("SELECT answer FROM latest_claim WHERE position = 0")}


def import_claims(store: Store, claims: Sequence[PlainClaims], author: str, kind: str = "human") -> int:
    """Add the claims of files in one transaction, as an author's; how many. An answer that is not here is an error."""
    answers = {(run, qid): number for run, qid, number in store.rows(
        "SELECT r.tag, t.qid, a.id FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic"
    )}  # fmt: skip
    topics = {topic.qid for topic in store.topics()}
    with store.writing():
        add_external_assessor(store, author, kind)
        for one in claims:
            if one.qid not in topics:
                raise InputError(f"topic {one.qid!r} is not in the store", one.path, one.line)
            if one.run and (one.run, one.qid) not in answers:
                what = f"run {one.run!r} has no answer to topic {one.qid!r} in this store"
                raise InputError(what, one.path, one.line)
        sets = [ClaimSet(one.qid, answers[one.run, one.qid] if one.run else None, one.claims, author) for one in claims]
        add_claims(store, sets)
        return sum(len(one.texts) for one in sets)
