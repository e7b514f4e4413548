"""What each assessor says of each pair (topic, document), from the log: the input of every policy."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.arrays.rankings import Pair as Pair  # noqa: PLC0414 - of judging, for its modules
from cranfield.arrays.selection import PAIR
from cranfield.errors import DamageError, InputError, StoreError
from cranfield.selection import MODELS, LabelledBy
from cranfield.store.assignments import first_assessors
from cranfield.store.chain import Event
from cranfield.store.decoding import are_marks, decode_json_column, short_value
from cranfield.store.log import SAYS, assessors, read_events
from cranfield.store.pools import pool_within_selected_topics
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdrawal_and_round_filter
from cranfield.text import name_hint, visible_position_map

if TYPE_CHECKING:
    from cranfield.judging.agreement.agreement import LabelMatrix

JUDGED = ("label", "adjudicate", "import")


def pair_of(event: Event) -> Pair:
    """The topic and document that an event is about."""
    return event.qid, event.docno


ADJUDICATION = "adjudication"  # the source of a cannot-judge that is an adjudication, which has no grade


def is_adjudication(event: Event) -> bool:
    """Whether an event settles what others said: a grade, or that it cannot be judged.

    >>> is_adjudication(Event("cannot-judge", "q", "d", "eve", source=ADJUDICATION))
    True
    >>> is_adjudication(Event("cannot-judge", "q", "d", "ada"))
    False
    """
    return event.kind == "adjudicate" or (event.kind == "cannot-judge" and event.source == ADJUDICATION)


def is_adjudicator_event(event: Event) -> bool:
    """Whether an event belongs to somebody's work as an adjudicator: an answer, a note, or the undoing of either.

    >>> is_adjudicator_event(Event("note", "q", "d", "eve", source=ADJUDICATION))
    True
    >>> is_adjudicator_event(Event("note", "q", "d", "eve"))
    False
    """
    return event.kind == "adjudicate" or event.source == ADJUDICATION


@dataclass(frozen=True)
class PairLabels:
    """The current events of one pair, those of each kind in the order of the assessors."""

    events: tuple[Event, ...]

    @property
    def votes(self) -> list[Event]:
        """The labels."""
        return [event for event in self.events if event.kind in ("label", "import")]

    @property
    def adjudications(self) -> list[Event]:
        """What settles the pair."""
        return [event for event in self.events if is_adjudication(event)]

    def has(self, kind: str) -> bool:
        """Whether anyone put it off ("later") or could not judge it ("cannot-judge")."""
        return any(event.kind == kind for event in self.events)

    @property
    def decisions(self) -> list[Event]:
        """The labels, and the events that say it cannot be judged; adjudications are neither."""
        return [event for event in self.events if event.kind != "later" and not is_adjudication(event)]

    def drop_model_labels_beside_peoples(self, models: Collection[str]) -> "PairLabels":
        """Without the labels and adjudications of these models where anyone else gave one.

        Labels of unknown provenance, such as qrels of an earlier track, count as people's.
        """
        lower = [
            event
            for labels in (self.votes, self.adjudications)
            if any(event.assessor not in models for event in labels)
            for event in labels
            if event.assessor in models
        ]
        return PairLabels(tuple(event for event in self.events if event not in lower))


def can_labels_differ(store: Store) -> bool:
    """Whether a store has two people, or two models: labels of a person and of a model do not count as different."""
    kinds = "SELECT count(*) > 1 FROM assessor WHERE repeats IS NULL GROUP BY kind IN ('model', 'panel')"
    return any(several for (several,) in store.rows(kinds))


def models_among(kinds: Mapping[str, str]) -> list[str]:
    """The assessors that are models or panels of models; `kinds` has the kind of each assessor.

    >>> models_among({"ada": "human", "m1": "model"})
    ['m1']
    """
    return [name for name, kind in kinds.items() if kind in MODELS]


def assessors_that_count(
    store: Store, names: Sequence[str] | None, whose: LabelledBy = LabelledBy.all
) -> dict[str, str]:
    """The kind of each assessor named, or of all, where the labels of that kind count.

    The order is that of the names, or that in which the assessors came. The names that hold the second labels of
    documents shown twice count only where they are named.
    """
    there = assessors(store)
    for name in names or ():
        if name not in there:
            raise StoreError(f"no assessor {name!r} in this store{name_hint(name, there)}")
    for name in names or ():
        if not whose.counts(there[name]):
            raise StoreError(
                f"{name!r} is not a {'model' if whose is LabelledBy.models else 'person'}, so --labels excludes it"
            )
    if names:
        return {name: there[name] for name in names}
    return {name: kind for name, kind in there.items() if kind != "repeat" and whose.counts(kind)}


class Standing(NamedTuple):
    """What stood at a moment: the current events, and by topic everybody whose it was until then."""

    events: Sequence[Event]
    first: Mapping[str, set[str]]


def last_decisions(log: Iterable[Event]) -> list[Event]:
    """Of the events of a log up to a moment, the last word of each assessor on each pair that was not taken back.

    >>> label, other = Event("label", "q", "d", "ada", 1, id=1), Event("label", "q", "d", "ada", 0, id=2)
    >>> back = Event("retract", "q", "d", "ada", supersedes=2, id=3)
    >>> [event.id for log in ([label, other], [label, other, back]) for event in last_decisions(log)]
    [2, 1]
    """
    log = list(log)
    retractions = {event.supersedes for event in log if event.kind == "retract"}
    last = {
        (*pair_of(event), event.assessor): event for event in log if event.kind in SAYS and event.id not in retractions
    }
    return sorted(last.values(), key=lambda event: event.id or 0)


def labels_by_pair(
    store: Store, names: Iterable[str], as_named: bool = False, pool: int | None = None, then: Standing | None = None
) -> dict[Pair, PairLabels]:
    """The current events of these assessors by pair, in one pool or in all, sorted by topic and document in byte order.

    The events of a pair are in the order of the names; unless `as_named`, the first assessor a topic was assigned to
    comes first. `then` is what stood at an earlier moment; of now it is what counts, by the present names of documents.
    """
    order = {name: place for place, name in enumerate(names)}
    current, holders = then or Standing(events_that_count(store), first_assessors(store))
    first = {} if as_named else holders
    there = None if pool is None else {(d.qid, d.docno) for d in pool_within_selected_topics(store, pool).documents}
    by_pair: dict[Pair, list[Event]] = {}
    for event in current:
        if event.assessor in order and (there is None or pair_of(event) in there):
            by_pair.setdefault(pair_of(event), []).append(event)

    def place(event: Event) -> tuple[bool, int]:
        return event.assessor not in first.get(event.qid, ()), order[event.assessor]

    return {pair: PairLabels(tuple(sorted(by_pair[pair], key=place))) for pair in sorted(by_pair)}


def events_that_count(store: Store, log: Sequence[Event] | None = None) -> Sequence[Event]:
    """The current events that count, now or at the end of a log; those of some rounds alone if these are asked for."""
    counting = withdrawal_and_round_filter(store)
    if counting.labels or log is not None:
        where = counting.labels or "true"
        numbers = {number for (number,) in store.rows(f"SELECT id FROM judgment_event e WHERE {where}")}
        current = last_decisions(event for event in (read_events(store) if log is None else log) if event.id in numbers)
    else:
        current = read_events(store, view="current_judgment")
    selection, dropped = counting.selection, counting.dropped
    if selection.changes_nothing and dropped is None:
        return current
    topic, document = (
        dict(zip(names, (number - 1 for number in store.numbers(table, column, names)), strict=True))
        for table, column, names in (
            ("topic", "qid", sorted({event.qid for event in current})),
            ("document", "docno", sorted({event.docno for event in current})),
        )
    )
    earlier = frozenset() if selection.earlier is None else frozenset(selection.earlier.tolist())

    def counts(event: Event) -> bool:
        of, about = topic[event.qid], document[event.docno]
        now = about if selection.document is None else int(selection.document[about])
        return (
            now >= 0
            and (selection.topics is None or bool(selection.topics[of]))
            and (dropped is None or not dropped[about])
            and of * PAIR + now not in earlier
        )

    current = [event for event in current if counts(event)]
    return current if selection.document is None else rename_events(store, current, selection.document)


def rename_events(store: Store, current: Iterable[Event], now: Ints) -> list[Event]:
    """Events by the names that documents have `now`; where two are one, the last word of each assessor on that one."""
    current = sorted(current, key=lambda event: event.id or 0)
    names = sorted({event.docno for event in current})
    number = dict(zip(names, (row - 1 for row in store.numbers("document", "docno", names)), strict=True))
    later = now[np.array([*number.values()], np.int64)]
    present = dict(zip(names, store.docnos.names_at(np.maximum(later, 0)).tolist(), strict=True))
    last: dict[tuple[str, str, str], Event] = {}
    for event in current:
        if now[number[event.docno]] >= 0:
            key = event.qid, present[event.docno], event.assessor
            if key not in last or event.kind != "later":
                last[key] = event._replace(docno=key[1])
    return sorted(last.values(), key=lambda event: event.id or 0)


def matrix_of_store(
    store: Store, names: Sequence[str] | None = None, whose: LabelledBy = LabelledBy.all, pool: int | None = None
) -> "LabelMatrix":
    """The current labels of a store: of the assessors named or of all, in one pool or on all documents.

    Adjudications do not count as labels; nor do a panel's, which are made of others' labels, unless it is named.
    """
    collection = store.collection
    kinds = assessors_that_count(store, names, whose)
    among = tuple(name for name, kind in kinds.items() if names or kind != "panel")
    by_pair = labels_by_pair(store, among, pool=pool)
    place = {name: column for column, name in enumerate(among)}
    grades = np.full((len(by_pair), len(among)), np.nan)
    for row, ballot in enumerate(by_pair.values()):
        for vote in ballot.votes:
            grades[row, place[vote.assessor]] = np.nan if vote.grade is None else vote.grade
    from cranfield.judging.agreement.agreement import LabelMatrix

    matrix = LabelMatrix(among, list(by_pair), grades, tuple(collection.grades), collection.min_relevant)
    columns = zip(among, matrix.grades.T, strict=True)
    return matrix.select_assessors([name for name, column in columns if names or not np.isnan(column).all()])


SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+|\n\s*\n\s*")
LONGEST = 600  # characters of what counts as a sentence


class Evidence(NamedTuple):
    """A quotation: the characters from `start` to `end` (exclusive) of the document's text."""

    start: int
    end: int
    quote: str


def find_quotation(text: str, words: str) -> Evidence:
    r"""Where these words are in a text; white space and case may differ, the quotation is the text's own.

    >>> find_quotation("Clean the  chain\nfirst.", "the CHAIN first")
    Evidence(start=6, end=22, quote='the  chain\nfirst')
    >>> find_quotation("Clean the chain.", "the brake")
    Traceback (most recent call last):
    cranfield.errors.InputError: the document does not contain 'the brake'
    """
    pattern = r"\s+".join(map(re.escape, words.split()))
    match = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE) if pattern else None
    if match is None:
        raise InputError(f"the document does not contain {words[:60]!r}")
    return Evidence(match.start(), match.end(), match[0])


def dump_evidence(evidence: Sequence[Evidence]) -> str | None:
    """As it is kept in the log.

    >>> dump_evidence([Evidence(0, 5, "Clean")]), dump_evidence([])
    ('[{"start": 0, "end": 5, "quote": "Clean"}]', None)
    """
    return json.dumps([one._asdict() for one in evidence], ensure_ascii=False) if evidence else None


def evidence_of(event: Event) -> tuple[Evidence, ...]:
    """From the log; a model's label has none, but the number of its call.

    >>> note = Event("note", "q", "d", "ada", evidence='[{"start": 0, "end": 5, "quote": "Clean"}]', id=7)
    >>> evidence_of(note), evidence_of(note._replace(evidence=None))
    ((Evidence(start=0, end=5, quote='Clean'),), ())
    >>> evidence_of(note._replace(evidence='{"call": 5}', input="model"))
    ()
    >>> evidence_of(note._replace(evidence="[7]"))
    Traceback (most recent call last):
    cranfield.errors.DamageError: table judgment_event, row 7: evidence marks no passages: '[7]'
    """
    if event.input == "model":
        return ()
    marks = decode_json_column(list, event.evidence, "judgment_event", event.id, "evidence")
    if not are_marks(marks):
        wrong = f"evidence marks no passages: {short_value(event.evidence)}"
        raise DamageError("judgment_event", event.id, wrong)
    return tuple(Evidence(**one) for one in marks)


def visible_marks(marks: Sequence[Evidence], text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    r"""Where marks of a text are in `visible(text)`, from an offset on.

    >>> list(visible_marks([Evidence(2, 3, "b")], "a\tb", start=10))
    [(18, 19)]
    """
    of = visible_position_map(text) if marks else int
    yield from ((start + of(mark.start), start + of(mark.end)) for mark in marks)


def sentences(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    r"""Where sentences begin and end, as far as full stops and blank lines show.

    >>> text = "It is 1.5 mm. Clean\nit!\n\nThen oil it"
    >>> [text[start:end] for start, end in sentences(text)]
    ['It is 1.5 mm.', 'Clean\nit!', 'Then oil it']
    """
    for between in SENTENCE_BREAK.finditer(text, start):
        yield from _split_long_span(text, start, between.start())
        start = between.end()
    yield from _split_long_span(text, start, len(text))


def _split_long_span(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split what is too long for a sentence; skip what is blank."""
    while end - start > LONGEST:
        gap = text.rfind(" ", start + 1, start + LONGEST)
        cut = gap if gap > 0 else start + LONGEST
        yield start, cut
        start = cut + (gap > 0)
    ink = text[start:end].strip()
    if ink:
        first = text.index(ink[0], start)
        yield first, first + len(ink)
