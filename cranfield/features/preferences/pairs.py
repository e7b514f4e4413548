"""Pairs: which to compare, in what order they are shown, and what the answers amount to.

That is a preference where both orders agree, else a tie; and Copeland's order.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.preferences.store import (
    Choice,
    DocumentPair,
    PreferenceEvent,
    add_pairs,
    check_known,
    document_pair,
    pairs_of,
    that_count,
)
from cranfield.formats.files import STANDARD_STREAM, open_file
from cranfield.judging.labels.choice import decisions_by_given_or_recorded_policy, require_decided_labellers
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.order import sort_by_hash
from cranfield.judging.session.worklist import Counts, Position
from cranfield.pooling.build import fuse
from cranfield.pooling.methods import METHODS
from cranfield.selection import LabelledBy
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted

ANSWERS: Mapping[int, str] = MappingProxyType(
    {1: "the first document is better", 2: "the second document is better", 0: "no difference"}
)
CHOICES: Mapping[int, Choice] = MappingProxyType({1: "first", 2: "second", 0: "equal"})
GRADES = {choice: grade for grade, choice in CHOICES.items()}
PAIR_SEPARATOR = "\x1f"
SHARED = ("reason", "note", "evidence", "seconds", "position", "order_seed", "document_sha256", "input", "fast",
          "supersedes", "event_id", "at", "id")  # fmt: skip


def join(first: str, second: str) -> str:
    """Two documents in the order shown, as one docno."""
    return first + PAIR_SEPARATOR + second


def split(docno: str) -> tuple[str, str]:
    """The two documents of such a docno.

    >>> split(join("d2", "d1"))
    ('d2', 'd1')
    """
    first, _, second = docno.partition(PAIR_SEPARATOR)
    return first, second


def inward(event: PreferenceEvent) -> Event:
    """An event as a session sees it.

    >>> inward(PreferenceEvent("prefer", "q", "d2", "d1", "ada", "second"))[:5]
    ('label', 'q', 'd2\\x1fd1', 'ada', 2)
    """
    same: dict[str, Any] = {name: getattr(event, name) for name in SHARED}
    kind = "label" if event.choice else event.kind
    grade = GRADES[event.choice] if event.choice else None
    return Event(kind, event.qid, join(event.first, event.second), event.assessor, grade, **same)


def outward(event: Event) -> PreferenceEvent:
    """An event of a session as it is written to the log."""
    same: dict[str, Any] = {name: getattr(event, name) for name in SHARED if name != "id"}
    kind = "prefer" if event.kind == "label" else event.kind
    choice = None if event.grade is None else CHOICES[event.grade]
    return PreferenceEvent(kind, event.qid, *split(event.docno), event.assessor, choice, **same)


class Preference(NamedTuple):
    """What an assessor thinks of two documents: `better` is empty where they are tied.

    `consistent`: whether the answers in both orders were the same; where they were not, it is a tie.
    """

    assessor: str
    pair: DocumentPair
    better: str
    consistent: bool = True

    @property
    def worse(self) -> str:
        """The other document; empty where they are tied."""
        return {self.pair.first: self.pair.second, self.pair.second: self.pair.first}.get(self.better, "")


@dataclass(frozen=True)
class ResolvedPreferences:
    """The preferences, and how many pairs have an answer in one order only, or cannot be compared.

    `shown_first` of the answers that the order changed chose the document that was shown first.
    """

    preferences: Sequence[Preference]
    once: int = 0
    cannot: int = 0
    shown_first: int = 0

    @property
    def different(self) -> int:
        """The pairs that got different answers in the two orders."""
        return sum(not one.consistent for one in self.preferences)

    @property
    def rate(self) -> float:
        """The share of pairs whose answers differ; NaN without pairs."""
        return self.different / len(self.preferences) if self.preferences else float("nan")

    def __str__(self) -> str:
        if not self.preferences:
            return "no pair has been judged in both orders yet"
        rate = f"{self.different} with different answers ({self.rate:.0%})"
        return f"{counted(len(self.preferences), 'pair')} judged in both orders, {rate}"


def resolve(current: Iterable[PreferenceEvent]) -> ResolvedPreferences:
    """The preferences of current answers; an imported one counts for both orders.

    >>> answers = [("d1", "d2", "first"), ("d2", "d1", "second"), ("d1", "d3", "first"), ("d3", "d1", "first")]
    >>> events = [PreferenceEvent("prefer", "q", a, b, "ada", choice) for a, b, choice in answers]
    >>> found = resolve(events)
    >>> [(one.pair.second, one.better) for one in found.preferences], found.rate, found.shown_first
    ([('d2', 'd1'), ('d3', '')], 0.5, 2)
    """
    answers: dict[tuple[str, DocumentPair], dict[str, PreferenceEvent]] = {}
    for event in current:
        pair = document_pair(event.qid, event.first, event.second)
        answers.setdefault((event.assessor, pair), {})[event.first] = event
    preferences, once, cannot, shown_first = list[Preference](), 0, 0, 0
    for (assessor, pair), first_answers in answers.items():
        choices = {
            first: {"first": event.first, "second": event.second}.get(event.choice, "")
            for first, event in first_answers.items()
            if event.choice
        }
        is_import = any(event.kind == "import" for event in first_answers.values())
        if any(event.kind == "cannot-judge" for event in first_answers.values()):
            cannot += 1
        elif len(choices) == 2 or (choices and is_import):
            consistent = len(set(choices.values())) == 1
            preferences.append(
                Preference(assessor, pair, next(iter(choices.values())) if consistent else "", consistent)
            )
            shown_first += 0 if consistent else sum(first == better for first, better in choices.items())
        elif choices:
            once += 1
    return ResolvedPreferences(preferences, once, cannot, shown_first)


class CopelandLevel(NamedTuple):
    """The place of a document among those of its topic; 0 is the lowest level."""

    qid: str
    docno: str
    level: int
    score: float
    compared: int
    wins: int
    ties: int


def copeland(preferences: Iterable[Preference]) -> list[CopelandLevel]:
    """The levels of all documents that were compared; several assessors' preferences add up.

    >>> from cranfield.features.preferences.store import DocumentPair
    >>> pairs = [("d1", "d2", "d1"), ("d1", "d3", "d1"), ("d2", "d3", "")]
    >>> given = [Preference("ada", DocumentPair("q", a, b), better) for a, b, better in pairs]
    >>> [(one.docno, one.level, one.score) for one in copeland(given)]
    [('d1', 1, 2.0), ('d2', 0, 0.5), ('d3', 0, 0.5)]
    """
    counts: dict[str, dict[str, list[int]]] = {}
    for one in preferences:
        for docno in one.pair[1:]:
            tally = counts.setdefault(one.pair.qid, {}).setdefault(docno, [0, 0, 0])
            tally[0] += 1
            tally[1] += one.better == docno
            tally[2] += one.better == ""
    return [level for qid, documents in counts.items() for level in _levels(qid, documents)]


def _levels(qid: str, documents: dict[str, list[int]]) -> list[CopelandLevel]:
    score = {docno: wins + ties / 2 for docno, (_, wins, ties) in documents.items()}
    level = {value: number for number, value in enumerate(sorted(set(score.values())))}
    order = sorted(documents, key=lambda docno: (-score[docno], docno))
    return [
        CopelandLevel(qid, docno, level[score[docno]], score[docno], documents[docno][0], *documents[docno][1:])
        for docno in order
    ]


def incomplete(levels: Iterable[CopelandLevel]) -> list[str]:
    """The topics in which not every document was compared with every other."""
    topics: dict[str, list[int]] = {}
    for one in levels:
        topics.setdefault(one.qid, []).append(one.compared)
    return [qid for qid, compared in topics.items() if min(compared) < len(compared) - 1]


ADJACENT, DISPUTED, FILE = "adjacent", "disputed", "file"
MOST = 1_000_000  # documents of a topic that are put in order


def give_pairs(
    store: Store, assessor: str, source: str, topics: Collection[str] | None = None, kind: str = "human"
) -> int:
    """Give an assessor the pairs of a source to compare, besides those given before; how many are new."""
    pairs = [pair for pair in pairs_of_source(store, source) if not topics or pair.qid in topics]
    if not pairs and not pairs_of(store, assessor):
        raise no_pairs(source, topics)
    add_assessor(store, assessor, kind)
    return add_pairs(store, assessor, pairs, source if source in (ADJACENT, DISPUTED) else FILE)


def pairs_of_source(store: Store, source: str) -> list[DocumentPair]:
    """The pairs of a source: adjacent, disputed, or a file."""
    if source == ADJACENT:
        return list(dict.fromkeys(_adjacent(store)))
    if source == DISPUTED:
        return list(dict.fromkeys(_disputes(store)))
    if source != STANDARD_STREAM and not os.path.exists(source):
        raise InputError("no such file; expected a file of pairs, adjacent or disputed", source)
    lines: dict[DocumentPair, int] = {}
    with open_file(source) as file:
        for number, line in file.lines():
            columns = line.split()
            if len(columns) != 3 and columns:
                raise InputError(f"the line has {len(columns)} columns; expected 3: qid docno docno", source, number)
            if columns and columns[1] == columns[2]:
                raise InputError(
                    f"document {columns[1]!r} occurs twice in the pair; expected two different documents",
                    source,
                    number,
                )
            if columns:
                lines.setdefault(document_pair(*columns), number)
    if not lines:
        raise InputError("the file contains no pairs; expected lines with qid docno docno", source)
    pairs = list(lines)
    check_known(store, pairs)
    return that_count(store, pairs)


def no_pairs(source: str, topics: Collection[str] | None = None) -> InputError:
    """The error where a source has no pairs."""
    reasons = {
        ADJACENT: "no two documents of a topic have the same relevant grade",
        DISPUTED: "no two assessors disagree on the order of two documents",
    }
    return InputError(f"{reasons.get(source, f'no pairs in {source}')}{' in these topics' if topics else ''}")


def _adjacent(store: Store) -> Iterator[DocumentPair]:
    require_decided_labellers(store)  # refuses labels that differ
    labels, least = decisions_by_given_or_recorded_policy(store).labels, store.collection.min_relevant
    for qid, ranking in _fuse(store).items():
        groups: dict[int, list[str]] = {}
        for docno in ranking:
            grade = labels.get((qid, docno), least - 1)
            if grade >= least:
                groups.setdefault(grade, []).append(docno)
        yield from (document_pair(qid, *two) for group in groups.values() for two in pairwise(group))


def _fuse(store: Store) -> dict[str, list[str]]:
    """The documents of each topic in the order that all runs together give them."""
    runs = stored_runs(store, [tag for tag, info in run_info(store).items() if info.kind != "fused"])
    if not runs.tags:
        raise InputError("adjacent pairs need runs; import runs with `cranfield import runs`, or give a FILE of pairs")
    fusion = fuse(runs, METHODS["rrf"], depth=MOST, keep=MOST)
    docnos_of: dict[str, list[str]] = {}
    topics, docnos = fusion.topics.names[fusion.topic].tolist(), fusion.docnos.names[fusion.document].tolist()
    for qid, docno in zip(topics, docnos, strict=True):
        docnos_of.setdefault(qid, []).append(docno)
    return docnos_of


def _disputes(store: Store) -> Iterator[DocumentPair]:
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for (qid, docno), labels in apply_policy(store, whose=LabelledBy.people).by_pair.items():
        for vote in labels.votes:
            if vote.grade is not None:
                grades.setdefault(qid, {}).setdefault(vote.assessor, {})[docno] = vote.grade
    for qid, assessor_grades in grades.items():
        for one, other in combinations(assessor_grades.values(), 2):
            for a, b in combinations(sorted(one.keys() & other.keys()), 2):
                if (one[a] - one[b]) * (other[a] - other[b]) < 0:
                    yield document_pair(qid, a, b)


def showings(pairs: Iterable[DocumentPair], seed: int) -> list[Pair]:
    """Both showings of each pair, in order.

    >>> both = showings([DocumentPair("q", "d1", "d2"), DocumentPair("q", "d1", "d3")], 0)
    >>> [docno.split(chr(31)) for _, docno in both]
    [['d2', 'd1'], ['d3', 'd1'], ['d1', 'd3'], ['d1', 'd2']]
    """
    topics: dict[str, list[DocumentPair]] = {}
    for pair in pairs:
        topics.setdefault(pair.qid, []).append(pair)
    rounds = [_round(several, seed, again) for again in (False, True) for several in topics.values()]
    return [showing for one in rounds for showing in one]


def _round(pairs: Iterable[DocumentPair], seed: int, again: bool) -> list[Pair]:
    by_name = {join(pair.first, pair.second): pair for pair in pairs}
    order = sort_by_hash(by_name, "pairs again" if again else "pairs", seed)
    return [(by_name[name].qid, _orient(by_name[name], seed, again)) for name in order]


def _orient(pair: DocumentPair, seed: int, again: bool) -> str:
    first, second = sort_by_hash(pair[1:], f"first of {join(pair.first, pair.second)}", seed)
    return join(second, first) if again else join(first, second)


class Showings:
    """The showings of an assessor, and what is still open among them."""

    def __init__(self, pairs: Iterable[DocumentPair], seed: int, state: AssessorState) -> None:
        self.all = showings(pairs, seed)
        self._state = state
        self._places = {showing: number for number, showing in enumerate(self.all, 1)}

    def __contains__(self, showing: object) -> bool:
        return showing in self._places

    def place(self, showing: Pair | None) -> Position:
        """The number of a showing, from 1, of all."""
        return Position(self._places[showing] if showing else 0, len(self.all))

    def next(self) -> Pair | None:
        """What undo restored, else the first undecided showing, else the one put off longest ago."""
        if self._state.focus in self._places:
            return self._state.focus
        decisions = [(showing, self._state.decision(showing)) for showing in self.all]
        first = next((showing for showing, decision in decisions if decision is None), None)
        later = [
            (decision.id or 0, showing) for showing, decision in decisions if decision and decision.kind == "later"
        ]
        return first or min(later, default=(0, None))[1]

    def counts(self) -> Counts:
        """How many showings are in each state."""
        kinds = [decision.kind for showing in self.all if (decision := self._state.decision(showing))]
        judged, later, cannot = (kinds.count(kind) for kind in ("label", "later", "cannot-judge"))
        return Counts(judged, later, cannot, len(self.all) - judged - later - cannot)
