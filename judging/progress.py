"""How far the judging is: per assessor and topic what is done, how long the rest takes, and what looks odd.

Times are active seconds of decisions that stand; a note or a label taken back is not counted a second time. Nothing
here ranks assessors: haste and drift are reasons to talk, not scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import fmean, median, stdev
from typing import Any

from cranfield.assignments import REPEAT, Work, assignments, organised, repeats_of, sampled, work_of
from cranfield.log import Event, assessors, events
from cranfield.store import Store

from .ledger import JUDGED, Pair, pair_of
from .votes import is_adjudication

ENOUGH = 5  # timed decisions before anything is said about the time that is left
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
    return Progress(standing, work, twice, overlap, planned, store.collection.min_relevant)


def _planned(store: Store, people: Iterable[str]) -> dict[str, Work]:
    """Everybody's assigned work; what nobody has claimed is the queue's."""
    pool = {qid: docnos for qid, docnos in work_of_nobody(store).items() if docnos}
    work = {name: work_of(store, name) for name in people}
    return {name: own for name, own in work.items() if own} | ({QUEUE: pool} if pool else {})


def work_of_nobody(store: Store) -> Work:
    """The topics in the queue, each with its documents (the second role's with as many as it has)."""
    drawn = sampled(store, "overlap")
    waiting: Work = {}
    for given in assignments(store):
        if given.assessor is None:
            names = drawn.get(given.qid, []) if given.role == "second" else [""] * given.unfinished
            waiting[given.qid] = waiting.get(given.qid, []) + list(names)
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
    own = progress.standing.get(name, {})
    states = Counter(own[qid, d].kind if (qid, d) in own else "" for qid, docnos in work.items() for d in docnos)
    return {
        "documents": states.total(),
        "judged": sum(states[kind] for kind in JUDGED),
        "later": states["later"],
        "cannot judge": states["cannot-judge"],
        "remaining": states[""],
    }


def pace_rows(progress: Progress) -> list[Row]:
    """A row an assessor: how fast, and how long the rest takes, with what that is based on.

    The rest is the mean of the active seconds, times the documents left, as sums follow means; the range is what 90 %
    of such means would lie in, were the documents alike. It knows nothing of topics that are harder than those so far.
    """
    everybody = [e.seconds for name in progress.people for e in progress.decisions(name) if e.seconds is not None]
    rows = []
    for name, work in progress.work.items():
        own = [e.seconds for e in progress.decisions(name) if e.seconds is not None]
        counts = _counts(progress, name, work)
        left = counts["remaining"] + counts["later"]
        basis, whose = (own, "own") if len(own) >= ENOUGH else (everybody, "everybody's")
        rows.append({"assessor": name, **counts, **_pace(own), **_left(left, basis, whose)})
    return rows


def _pace(seconds: Sequence[float]) -> Row:
    return {
        "median seconds": median(seconds) if seconds else None,
        "per active hour": round(3600 / fmean(seconds)) if sum(seconds) else None,
        "active hours": round(sum(seconds) / 3600, 2),
        "fast": sum(each < FAST for each in seconds),
    }


def _left(documents: int, seconds: Sequence[float], whose: str) -> Row:
    """The hours left; None before there are enough decisions to say so."""
    if len(seconds) < ENOUGH and documents:
        return {"hours left": None, "from": None, "to": None, "basis": f"fewer than {ENOUGH} timed decisions"}
    if not documents:
        return {"hours left": 0.0, "from": 0.0, "to": 0.0, "basis": "nothing is left"}
    mean, error = fmean(seconds), 1.645 * stdev(seconds) / sqrt(len(seconds))
    hours = [round(documents * max(each, 0.0) / 3600, 2) for each in (mean, mean - error, mean + error)]
    return {"hours left": hours[0], "from": hours[1], "to": hours[2], "basis": f"{whose} {len(seconds)} decisions"}


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
