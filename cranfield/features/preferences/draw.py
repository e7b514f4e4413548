"""Which pairs to compare, and in what order they are shown."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from cranfield.errors import InputError
from cranfield.features.preferences.resolve import joined
from cranfield.features.preferences.store import DocumentPair, add_pairs, check_known, document_pair, pairs_of
from cranfield.formats.files import STANDARD_STREAM, opened
from cranfield.judging.labels.derive import derive
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.order import by_hash
from cranfield.judging.session.worklist import Counts, Position
from cranfield.pooling.build import fuse
from cranfield.pooling.methods.table import METHODS
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import add_assessor
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store

ADJACENT, DISPUTED, FILE = "adjacent", "disputed", "file"
MOST = 1_000_000  # documents of a topic that are put in order


def give_pairs(
    store: Store, assessor: str, source: str, topics: Collection[str] | None = None, kind: str = "human"
) -> int:
    """Give an assessor the pairs of a source to compare, besides those given before; how many are new."""
    drawn = [pair for pair in drawn_pairs(store, source) if not topics or pair.qid in topics]
    if not drawn and not pairs_of(store, assessor):
        raise nothing_drawn(source, topics)
    add_assessor(store, assessor, kind)
    return add_pairs(store, assessor, drawn, source if source in (ADJACENT, DISPUTED) else FILE)


def drawn_pairs(store: Store, source: str) -> list[DocumentPair]:
    """The pairs of a source: adjacent, disputed, or a file."""
    if source == ADJACENT:
        return list(dict.fromkeys(_adjacent(store)))
    if source == DISPUTED:
        return list(dict.fromkeys(_disputed(store)))
    if source != STANDARD_STREAM and not os.path.exists(source):
        raise InputError("no such file, and neither adjacent nor disputed", source)
    found = read_pairs(source)
    check_known(store, found)
    return found


def nothing_drawn(source: str, topics: Collection[str] | None = None) -> InputError:
    """The error where a source has no pairs."""
    reasons = {
        ADJACENT: "no two documents of a topic have the same relevant grade",
        DISPUTED: "no two assessors order two documents of a topic differently",
    }
    return InputError(f"{reasons.get(source, f'no pairs in {source}')}{' in these topics' if topics else ''}")


def read_pairs(path: str) -> list[DocumentPair]:
    """The pairs of a file of lines `qid docno docno`."""
    found: dict[DocumentPair, int] = {}
    with opened(path) as source:
        for number, line in source.lines():
            columns = line.split()
            if len(columns) != 3 and columns:
                raise InputError(f"{len(columns)} columns where pairs have 3: qid docno docno", path, number)
            if columns and columns[1] == columns[2]:
                raise InputError(f"document {columns[1]!r} beside itself; expected two documents", path, number)
            if columns:
                found.setdefault(document_pair(*columns), number)
    if not found:
        raise InputError("no pairs; expected lines of qid docno docno", path)
    return list(found)


def _adjacent(store: Store) -> Iterator[DocumentPair]:
    labels, least = derive(store).labels, store.collection.min_relevant
    for qid, ranking in _fused(store).items():
        groups: dict[int, list[str]] = {}
        for docno in ranking:
            grade = labels.get((qid, docno), least - 1)
            if grade >= least:
                groups.setdefault(grade, []).append(docno)
        yield from (document_pair(qid, *two) for group in groups.values() for two in pairwise(group))


def _fused(store: Store) -> dict[str, list[str]]:
    """The documents of each topic in the order that all runs together give them."""
    runs = stored_runs(store, [tag for tag, info in run_info(store).items() if info.kind != "fused"])
    if not runs.tags:
        raise InputError("adjacent pairs need runs; `cranfield import runs` adds some, or give a FILE of pairs")
    fused = fuse(runs, METHODS["rrf"], depth=MOST, keep=MOST)
    found: dict[str, list[str]] = {}
    topics, docnos = fused.topics.names[fused.topic].tolist(), fused.docnos.names[fused.document].tolist()
    for qid, docno in zip(topics, docnos, strict=True):
        found.setdefault(qid, []).append(docno)
    return found


def _disputed(store: Store) -> Iterator[DocumentPair]:
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for (qid, docno), labels in derive(store, whose=LabelledBy.people).by_pair.items():
        for vote in labels.votes:
            if vote.grade is not None:
                grades.setdefault(qid, {}).setdefault(vote.assessor, {})[docno] = vote.grade
    for qid, by_assessor in grades.items():
        for one, other in combinations(by_assessor.values(), 2):
            yield from (document_pair(qid, *two) for two in _reversed(one, other))


def _reversed(one: dict[str, int], other: dict[str, int]) -> Iterator[Sequence[str]]:
    for a, b in combinations(sorted(one.keys() & other.keys()), 2):
        if (one[a] - one[b]) * (other[a] - other[b]) < 0:
            yield a, b


def showings(pairs: Iterable[DocumentPair], seed: int) -> list[Pair]:
    """Both showings of each pair, in order.

    >>> shown = showings([DocumentPair("q", "d1", "d2"), DocumentPair("q", "d1", "d3")], 0)
    >>> [docno.split(chr(31)) for _, docno in shown]
    [['d2', 'd1'], ['d3', 'd1'], ['d1', 'd3'], ['d1', 'd2']]
    """
    topics: dict[str, list[DocumentPair]] = {}
    for pair in pairs:
        topics.setdefault(pair.qid, []).append(pair)
    rounds = [_round(several, seed, again) for again in (False, True) for several in topics.values()]
    return [shown for one in rounds for shown in one]


def _round(pairs: Iterable[DocumentPair], seed: int, again: bool) -> list[Pair]:
    named = {joined(pair.first, pair.second): pair for pair in pairs}
    order = by_hash(named, "pairs again" if again else "pairs", seed)
    return [(named[name].qid, _oriented(named[name], seed, again)) for name in order]


def _oriented(pair: DocumentPair, seed: int, again: bool) -> str:
    first, second = by_hash(pair[1:], f"first of {joined(pair.first, pair.second)}", seed)
    return joined(second, first) if again else joined(first, second)


class Showings:
    """The showings of an assessor, and what is still open among them."""

    def __init__(self, pairs: Iterable[DocumentPair], seed: int, state: AssessorState) -> None:
        self.all = showings(pairs, seed)
        self._state = state
        self._places = {shown: number for number, shown in enumerate(self.all, 1)}

    def __contains__(self, shown: object) -> bool:
        return shown in self._places

    def place(self, shown: Pair | None) -> Position:
        """The number of a showing, from 1, of all."""
        return Position(self._places[shown] if shown else 0, len(self.all))

    def next(self) -> Pair | None:
        """What undo restored, else the first undecided showing, else the one put off longest ago."""
        if self._state.focus in self._places:
            return self._state.focus
        decisions = [(shown, self._state.decision(shown)) for shown in self.all]
        undecided = next((shown for shown, decision in decisions if decision is None), None)
        later = [(decision.id or 0, shown) for shown, decision in decisions if decision and decision.kind == "later"]
        return undecided or min(later, default=(0, None))[1]

    def counts(self) -> Counts:
        """How many showings are in each state."""
        kinds = [decision.kind for shown in self.all if (decision := self._state.decision(shown))]
        judged, later, cannot = (kinds.count(kind) for kind in ("label", "later", "cannot-judge"))
        return Counts(judged, later, cannot, len(self.all) - judged - later - cannot)
