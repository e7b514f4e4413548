"""How far the judging is: per assessor and topic what is done, how long the rest takes, and what looks odd.

What an open pool may still get on its budget counts as remaining, with whoever takes the topic further. Times are
active seconds of decisions that stand; a note or a label taken back is not counted a second time. Nothing here ranks
assessors: haste and drift are reasons to talk, not scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from statistics import fmean, median
from typing import Any

from cranfield import open_pool
from cranfield.assignments import REPEAT, Work, assignments, organised, repeats_of, sampled, work_of
from cranfield.log import Event, assessors, events
from cranfield.store import Store

from .ledger import JUDGED, Pair, pair_of
from .pace import ENOUGH, Taken, forecast, typical
from .votes import is_adjudication

LAST = 200  # timed decisions of an assessor from which her pace is taken
FAST = 0.4  # seconds: quicker than anybody reads
QUEUE = "(queue)"
Row = dict[str, Any]
Standing = Mapping[str, Mapping[Pair, Event]]


@dataclass(frozen=True)
class Progress:
    """All that the tables are made of: what stands by assessor and pair, and whose work is what."""

    standing: Standing
    work: Mapping[str, Work]
    repeats: Mapping[str, Work]
    overlap: frozenset[Pair]
    planned: bool
    min_relevant: int
    to_come: Mapping[str, Mapping[str, int]]  # by assessor and topic: what an open pool may still get
    taken: Mapping[str, Sequence[Taken]]  # by assessor: the decisions from which her pace is taken
    length: Mapping[str, float]  # by assessor: the mean length of what she has left, 0 where nobody knows

    @property
    def people(self) -> list[str]:
        """Who judges or is to judge."""
        return list(self.work)

    def labels(self, name: str) -> dict[Pair, Event]:
        """The labels of an assessor that stand; an adjudication is none, as it was made with others' in sight."""
        found = self.standing.get(name, {}).items()
        return {pair: event for pair, event in found if event.kind in JUDGED and not is_adjudication(event)}

    def decisions(self, name: str, qid: str | None = None) -> list[Event]:
        """What an assessor settled and how long it took is known."""
        found = self.standing.get(name, {}).values()
        settled = [event for event in found if event.kind != "later" and not is_adjudication(event)]
        return [event for event in settled if event.seconds is not None and qid in (None, event.qid)]


def progress_of(store: Store) -> Progress:
    """The state of the work in a store."""
    standing: dict[str, dict[Pair, Event]] = {}
    for event in events(store, view="current_judgment"):
        standing.setdefault(event.assessor, {})[pair_of(event)] = event
    people = [name for name, kind in assessors(store).items() if kind == "human"]
    planned = organised(store)
    work = _planned(store, people) if planned else _found(work_of(store, ""), people, standing)
    twice = {name: repeats_of(store, name) for name in people if planned}
    overlap = frozenset((qid, docno) for qid, docnos in sampled(store, "overlap").items() for docno in docnos)
    least, to_come = store.collection.min_relevant, _to_come(store, work)
    state, length = Progress(standing, work, twice, overlap, planned, least, to_come, {}, {}), _lengths(store)
    taken = {name: [Taken(e.seconds or 0.0, length(e.docno)) for e in _last(state, name)] for name in work}
    return replace(state, taken=taken, length={name: typical(length, _waiting(state, name)) for name in work})


def _lengths(store: Store) -> Callable[[str], int]:
    return cache(lambda docno: len(store.document(docno).text))


def _last(progress: Progress, name: str) -> list[Event]:
    return sorted(progress.decisions(name), key=lambda event: event.id or 0)[-LAST:]


def _waiting(progress: Progress, name: str) -> list[str]:
    """The documents that an assessor has left, as far as it is known which."""
    own = progress.standing.get(name, {})
    return [
        docno for qid, docnos in progress.work[name].items() for docno in docnos if docno and (qid, docno) not in own
    ]


def _to_come(store: Store, work: Mapping[str, Work]) -> dict[str, dict[str, int]]:
    """What the budget of an open pool leaves, with everybody who takes the topic further."""
    if not store.counts()["pool"] or not open_pool.is_open(store, pool := open_pool.newest(store)):
        return {}
    from .live import sizes

    there = open_pool.sizes(store, pool.number or 0)
    rest = {qid: max(size - there.get(qid, 0), 0) for qid, size in sizes(store, pool).items()}
    first = {given.qid: given.assessor or QUEUE for given in assignments(store) if given.role == "first"}
    return {name: {qid: rest.get(qid, 0) for qid in own if first.get(qid, name) == name} for name, own in work.items()}


def _planned(store: Store, people: Iterable[str]) -> dict[str, Work]:
    """Everybody's assigned work; what nobody has claimed is the queue's."""
    pool = {qid: docnos for qid, docnos in work_of_nobody(store).items() if docnos}
    work = {name: work_of(store, name) for name in people}
    return {name: own for name, own in work.items() if own} | ({QUEUE: pool} if pool else {})


def work_of_nobody(store: Store) -> Work:
    """The topics in the queue, each with as many nameless documents as it has."""
    waiting: Work = {}
    for given in assignments(store):
        if given.assessor is None:
            waiting[given.qid] = [*waiting.get(given.qid, ()), *[""] * given.unfinished]
    return waiting


def _found(pool: Work, people: Iterable[str], standing: Standing) -> dict[str, Work]:
    """Without assignments the topics an assessor has begun are hers, and the others wait."""
    own = {name: [e for e in standing.get(name, {}).values() if not is_adjudication(e)] for name in people}
    begun = {name: {event.qid for event in found} for name, found in own.items()}
    work = {name: {qid: pool[qid] for qid in pool if qid in begun[name]} for name in begun}
    waiting = {qid: docnos for qid, docnos in pool.items() if not any(qid in qids for qids in begun.values())}
    return {name: own for name, own in work.items() if own} | ({QUEUE: waiting} if waiting else {})


def work_rows(progress: Progress) -> list[Row]:
    """A row an assessor and topic."""
    rows = []
    for name, work in progress.work.items():
        for qid, docnos in work.items():
            seconds = [e.seconds for e in progress.decisions(name, qid) if e.seconds is not None]
            counts = _counts(progress, name, {qid: docnos})
            rows.append(
                {"assessor": name, "topic": qid, **counts, "median seconds": median(seconds) if seconds else None}
            )
    return rows


def _counts(progress: Progress, name: str, work: Work) -> dict[str, int]:
    own, more = progress.standing.get(name, {}), progress.to_come.get(name, {})
    states = Counter(own[qid, d].kind if (qid, d) in own else "" for qid, docnos in work.items() for d in docnos)
    states[""] += sum(more.get(qid, 0) for qid in work)
    return {
        "documents": states.total(),
        "judged": sum(states[kind] for kind in JUDGED),
        "later": states["later"],
        "cannot judge": states["cannot-judge"],
        "remaining": states[""],
    }


def pace_rows(progress: Progress) -> list[Row]:
    """A row an assessor: how fast, and how long the rest takes (see `pace`), with what that is based on."""
    everybody = [one for name in progress.people for one in progress.taken[name]]
    rows = []
    for name, work in progress.work.items():
        counts, own = _counts(progress, name, work), progress.taken[name]
        basis, whose = (own, "own") if len(own) >= ENOUGH else (everybody, "everybody's")
        left = _left(counts["remaining"] + counts["later"], basis, progress.length[name], whose)
        rows.append({"assessor": name, **counts, **_pace(progress.decisions(name)), **left})
    return rows


def _pace(decisions: Sequence[Event]) -> Row:
    seconds = [event.seconds for event in decisions if event.seconds is not None]
    return {
        "median seconds": median(seconds) if seconds else None,
        "per active hour": round(3600 / fmean(seconds)) if sum(seconds) else None,
        "active hours": round(sum(seconds) / 3600, 2),
        "fast": sum(each < FAST for each in seconds),
    }


def _left(documents: int, basis: Sequence[Taken], length: float, whose: str) -> Row:
    """The hours left; None before there are enough decisions to say so."""
    if not documents:
        return {"hours left": 0.0, "from": 0.0, "to": 0.0, "basis": "nothing is left"}
    found = forecast(basis, documents, length or fmean(one.characters for one in basis)) if basis else None
    if found is None:
        return {"hours left": None, "from": None, "to": None, "basis": f"fewer than {ENOUGH} timed decisions"}
    low, likely, high = (round(seconds / 3600, 2) for seconds in found)
    return {"hours left": likely, "from": low, "to": high, "basis": f"{whose} {len(basis)} decisions"}


def agreement_rows(progress: Progress) -> list[Row]:
    """A row for each two people with labels in common: the shares of equal grades and of equal relevance.

    "planned" are pairs of the overlap drawn beforehand, which estimate agreement; others are accidents.
    """
    rows = []
    for one, other in combinations(progress.people, 2):
        both = progress.labels(one).keys() & progress.labels(other).keys()
        for sample, pairs in (("planned", both & progress.overlap), ("unplanned", both - progress.overlap)):
            if pairs:
                told = _same(progress, one, other, pairs)
                rows.append({"assessors": f"{one}, {other}", "sample": sample, **told})
    return rows


def _same(progress: Progress, one: str, other: str, pairs: Iterable[Pair]) -> Row:
    first, second = progress.labels(one), progress.labels(other)
    grades = [(first[pair].grade or 0, second[pair].grade or 0) for pair in pairs]
    least = progress.min_relevant
    return {
        "pairs": len(grades),
        "same grade": fmean(a == b for a, b in grades),
        "same relevance": fmean((a >= least) == (b >= least) for a, b in grades),
        "mean difference": fmean(b - a for a, b in grades),
    }


def repeat_rows(progress: Progress) -> list[Row]:
    """A row an assessor: how far she agrees with herself on the documents that she was shown twice."""
    rows = []
    for name, twice in progress.repeats.items():
        planned = sum(map(len, twice.values()))
        both = progress.labels(name).keys() & progress.labels(name + REPEAT).keys()
        if planned:
            told = _same(progress, name, name + REPEAT, both) if both else {}
            none = dict.fromkeys(("same grade", "same relevance", "mean difference"))
            rows.append({"assessor": name, "planned": planned, "pairs": 0, **none, **told})
    return rows


def drift_rows(progress: Progress) -> list[Row]:
    """A row an assessor and third of her topics, in the order she judged: do grades or seconds change along the way?

    In a blind order the shares should be alike. Topics with fewer than nine labels have no thirds.
    """
    rows = []
    for name in progress.people:
        thirds = _thirds(progress.labels(name).values())
        for number, found in enumerate(thirds, 1):
            if found:
                rows.append({"assessor": name, "third": number, **_summary(progress, found)})
    return rows


def _summary(progress: Progress, found: Sequence[Event]) -> Row:
    grades, seconds = [e.grade or 0 for e in found], [e.seconds for e in found if e.seconds is not None]
    return {
        "labels": len(found),
        "relevant": fmean(grade >= progress.min_relevant for grade in grades),
        "mean grade": fmean(grades),
        "median seconds": median(seconds) if seconds else None,
        "fast": sum(e.fast or (e.seconds is not None and e.seconds < FAST) for e in found),
        "unsure": sum(e.unsure for e in found),
    }


def _thirds(labels: Iterable[Event]) -> list[list[Event]]:
    by_topic: dict[str, list[Event]] = {}
    for event in labels:
        if event.position is not None:
            by_topic.setdefault(event.qid, []).append(event)
    thirds: list[list[Event]] = [[], [], []]
    for found in by_topic.values():
        ordered = sorted(found, key=lambda event: (event.position, event.id))
        for place, event in enumerate(ordered if len(ordered) >= 9 else []):
            thirds[place * 3 // len(ordered)].append(event)
    return thirds


SECTIONS = {
    "work": work_rows,
    "pace": pace_rows,
    "agreement": agreement_rows,
    "repeats": repeat_rows,
    "drift": drift_rows,
}
