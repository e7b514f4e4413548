"""The tables of progress: per assessor and topic what is done, how long the rest takes, and what looks odd.

What an open pool may still get on its budget counts as remaining, for the assessor who takes the topic further. Times
are active seconds of current decisions; a note or an undone label is not counted twice. Nothing here ranks assessors:
haste and drift are reasons to talk, not scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean, median
from typing import Any

from cranfield.judging.labels.pairs import JUDGED, Pair
from cranfield.judging.planning.progress import Progress
from cranfield.judging.planning.thirds import thirds
from cranfield.judging.session.active_time import FAST
from cranfield.judging.session.pace import ENOUGH, Taken, forecast
from cranfield.store.assignments import REPEAT, Work
from cranfield.store.chain import Event

Row = dict[str, Any]


def work_rows(progress: Progress) -> list[Row]:
    """One row per assessor and topic; models and imports, whose labels are only counted, come last."""
    rows = []
    for name, work in [*progress.work.items(), *progress.others.items()]:
        for qid, docnos in work.items():
            seconds = [e.seconds for e in progress.decisions(name, qid) if e.seconds is not None]
            about = {"assessor": name, "kind": progress.kinds.get(name), "topic": qid}
            counts = _counts(progress, name, {qid: docnos})
            rows.append({**about, **counts, "median seconds": median(seconds) if seconds else None})
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
    """One row per assessor: the pace, how long the rest takes (see `pace`), and what that is based on."""
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
    """The hours left; None before there are enough decisions."""
    if not documents:
        return {"hours left": 0.0, "from": 0.0, "to": 0.0, "basis": "nothing is left"}
    found = forecast(basis, documents, length or fmean(one.characters for one in basis)) if basis else None
    if found is None:
        return {"hours left": None, "from": None, "to": None, "basis": f"fewer than {ENOUGH} timed decisions"}
    low, likely, high = (round(seconds / 3600, 2) for seconds in found)
    return {"hours left": likely, "from": low, "to": high, "basis": f"{whose} {len(basis)} decisions"}


def agreement_rows(progress: Progress) -> list[Row]:
    """One row per pair of people with labels in common: the shares of equal grades and of equal relevance.

    "planned" are pairs of the overlap drawn beforehand, which estimate agreement; others overlap by chance.
    """
    rows = []
    for one, other in combinations(progress.people, 2):
        both = progress.labels(one).keys() & progress.labels(other).keys()
        for sample, pairs in (("planned", both & progress.overlap), ("unplanned", both - progress.overlap)):
            if pairs:
                agreement = _same(progress, one, other, pairs)
                rows.append({"assessors": f"{one}, {other}", "sample": sample, **agreement})
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
    """One row per assessor: self-agreement on the documents shown twice."""
    rows = []
    for name, twice in progress.repeats.items():
        planned = sum(map(len, twice.values()))
        both = progress.labels(name).keys() & progress.labels(name + REPEAT).keys()
        if planned:
            agreement = _same(progress, name, name + REPEAT, both) if both else {}
            none = dict.fromkeys(("same grade", "same relevance", "mean difference"))
            rows.append({"assessor": name, "planned": planned, "pairs": 0, **none, **agreement})
    return rows


def drift_rows(progress: Progress) -> list[Row]:
    """One row per assessor and third of their topics, in the order judged: do grades or seconds change along the way?

    In a blind order the shares should be similar. Topics with fewer than nine labels have no thirds.
    """
    rows = []
    for name in progress.people:
        for number, found in enumerate(thirds(progress.labels(name).values()), 1):
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


SECTIONS = {
    "work": work_rows,
    "pace": pace_rows,
    "agreement": agreement_rows,
    "repeats": repeat_rows,
    "drift": drift_rows,
}
