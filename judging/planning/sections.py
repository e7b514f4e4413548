"""The tables of progress: by assessor, by topic, of answers, the time left, and what looks unusual."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from statistics import fmean, median
from typing import Any, NamedTuple

from cranfield.judging.labels.pairs import JUDGED, Pair
from cranfield.judging.planning.progress import Progress
from cranfield.judging.session.pace import ENOUGH, LabelTime, forecast_time_left, is_very_fast
from cranfield.store.assignments import (
    Assignment,
    Work,
    assignments,
    documents_drawn_for,
    format_timestamp,
    has_assignments,
    pooled_documents_by_topic,
)
from cranfield.store.chain import Event
from cranfield.store.log import REPEAT, first_signs
from cranfield.store.store import Store
from cranfield.store.withdrawals import settled_by_people

Row = dict[str, Any]


class ProgressTable(NamedTuple):
    """A table of progress that a feature adds."""

    title: str
    rows: list[Row]


def labels_by_thirds(labels: Iterable[Event]) -> list[list[Event]]:
    """The first, second and last third of each topic's labels; a topic with fewer than nine labels has no thirds."""
    by_topic: dict[str, list[Event]] = {}
    for event in labels:
        if event.position is not None:
            by_topic.setdefault(event.qid, []).append(event)
    thirds: list[list[Event]] = [[], [], []]
    for topic_events in by_topic.values():
        sorted_events = sorted(topic_events, key=lambda event: (event.position, event.id))
        for place, event in enumerate(sorted_events if len(sorted_events) >= 9 else []):
            thirds[place * 3 // len(sorted_events)].append(event)
    return thirds


UNASSIGNED, OPEN = "not assigned", "open to everyone"
QUEUED, ASSIGNED, CLAIMED, BEGUN = "in the queue", "assigned", "claimed", "in progress"
LAPSED, EMPTY, FINISHED = "claim lapsed", "nothing to judge yet", "finished"


class TopicState(NamedTuple):
    """One half of a topic: all of it for the first assessor, a part for the second."""

    topic: str
    title: str
    role: str
    state: str
    assessor: str | None
    documents: int
    left: int
    since: str | None  # the assessor's first sign on the topic
    until: str | None  # a claim lapses then, if nothing is recorded before
    twice: int  # documents that both assessors judge

    @property
    def assigned(self) -> bool:
        """Whether it was shared out, to somebody or to the queue."""
        return self.state not in (UNASSIGNED, OPEN)


def topic_states(store: Store, moment: datetime) -> list[TopicState]:
    """Every assignment and what of the newest pool is not assigned, in the order of the topics."""
    titles = {topic.qid: topic.title for topic in store.topics()}
    plan, signs = assignments(store), first_signs(store)
    twice = {qid: len(docnos) for qid, docnos in documents_drawn_for(store, "overlap").items()}
    qids = {one.qid for one in plan}
    work = {qid: docnos for qid, docnos in pooled_documents_by_topic(store).items() if qid not in qids}
    settled = settled_by_people(store)
    free = UNASSIGNED if has_assignments(store) else OPEN
    rest = [
        TopicState(
            qid,
            title,
            "first",
            state=free,
            assessor=None,
            documents=len(work[qid]),
            left=sum((qid, docno) not in settled for docno in work[qid]),
            since=None,
            until=None,
            twice=0,
        )
        for qid, title in titles.items()
        if qid in work
    ]
    place = {qid: at for at, qid in enumerate(titles)}
    return sorted(
        [*(_state(one, titles, signs, twice, moment) for one in plan), *rest],
        key=lambda one: (place.get(one.topic, len(place)), one.role),
    )


def _state(
    one: Assignment,
    titles: Mapping[str, str],
    signs: Mapping[tuple[str, str], str],
    twice: Mapping[str, int],
    moment: datetime,
) -> TopicState:
    since = signs.get((one.qid, one.assessor or ""))
    about = (one.qid, titles.get(one.qid, ""), one.role, state_in_words(one, moment), one.assessor)
    return TopicState(*about, one.documents, one.unfinished, since, one.lease, twice.get(one.qid, 0))


def state_in_words(one: Assignment, moment: datetime) -> str:
    """The state of an assignment in words.

    >>> from datetime import UTC
    >>> one, noon = Assignment("q1", "first", "ada", None, 9, 9, 0), datetime(2026, 3, 1, 12, tzinfo=UTC)
    >>> [state_in_words(one._replace(unfinished=number), noon) for number in (9, 3, 0)]
    ['assigned', 'in progress', 'finished']
    >>> [state_in_words(one._replace(lease=lease), noon) for lease in ("2026-03-01T11", "2026-03-02")]
    ['claim lapsed', 'claimed']
    """
    if not one.unfinished:
        return FINISHED if one.documents else EMPTY
    if one.assessor is None:
        return QUEUED
    if one.lease and one.lease < format_timestamp(moment):
        return LAPSED
    if one.unfinished < one.documents:
        return BEGUN
    return CLAIMED if one.lease else ASSIGNED


def work_rows(progress: Progress) -> list[Row]:
    """One row per assessor and topic; models and imports, whose labels are only counted, come last."""
    rows = []
    for name, work in [*progress.work.items(), *progress.others.items()]:
        for qid, docnos in work.items():
            seconds = [e.seconds for e in progress.paced_decisions(name, qid) if e.seconds is not None]
            about = {"assessor": name, "kind": progress.kinds.get(name), "topic": qid}
            counts = _count_work(progress, name, {qid: docnos})
            rows.append({**about, **counts, "median seconds": median(seconds) if seconds else None})
    return rows


def _count_work(progress: Progress, name: str, work: Work) -> dict[str, int]:
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
    """One row per assessor: the pace, how long the rest takes (see `pace`), and what that is based on.

    repeats: second showings left. Very fast labels count as judged, but not as pace.
    """
    everybody = [one for name in progress.people for one in progress.times[name]]
    rows = []
    for name, work in progress.work.items():
        counts, own = _count_work(progress, name, work), progress.times[name]
        basis, whose = (own, "own") if len(own) >= ENOUGH else (everybody, "everybody's")
        again = progress.repeats_left(name)
        rest = _hours_left(counts["remaining"] + counts["later"] + again, basis, progress.length[name], whose)
        rows.append({"assessor": name, **counts, "repeats": again, **_pace(progress.decisions(name)), **rest})
    return rows


def _pace(decisions: Sequence[Event]) -> Row:
    timed = [event for event in decisions if event.seconds is not None]
    seconds = [event.seconds or 0.0 for event in timed if not is_very_fast(event.seconds, event.fast)]
    return {
        "median seconds": median(seconds) if seconds else None,
        "per active hour": round(3600 / fmean(seconds)) if sum(seconds) else None,
        "active hours": round(sum(event.seconds or 0.0 for event in timed) / 3600, 2),
        "fast": len(timed) - len(seconds),
    }


def _hours_left(documents: int, basis: Sequence[LabelTime], length: float, whose: str) -> Row:
    """The hours left; None before there are enough decisions."""
    if not documents:
        return {"hours left": 0.0, "from": 0.0, "to": 0.0, "basis": "nothing is left"}
    seconds_left = (
        forecast_time_left(basis, documents, length or fmean(one.characters for one in basis)) if basis else None
    )
    if seconds_left is None:
        return {"hours left": None, "from": None, "to": None, "basis": f"fewer than {ENOUGH} timed decisions"}
    low, likely, high = (round(seconds / 3600, 2) for seconds in seconds_left)
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
                agreement = _agreement_cells(progress, one, other, pairs)
                rows.append({"assessors": f"{one}, {other}", "sample": sample, **agreement})
    return rows


def _agreement_cells(progress: Progress, one: str, other: str, pairs: Iterable[Pair]) -> Row:
    first, second = progress.labels(one), progress.labels(other)
    grades = [(first[pair].grade or 0, second[pair].grade or 0) for pair in pairs]
    least = progress.min_relevant
    return {
        "pairs": len(grades),
        "same grade": fmean(a == b for a, b in grades),
        "same relevance": fmean((a >= least) == (b >= least) for a, b in grades),
        "mean difference": fmean(b - a for a, b in grades),
    }


def agreement_with_others(progress: Progress, assessor: str) -> list[Row]:
    """One row per other person with labels in common: the shares of equal grades and of equal relevance.

    mean difference: how much lower this assessor's grades are than the other person's.
    """
    own = progress.labels(assessor).keys()
    others = {other: own & progress.labels(other).keys() for other in progress.people if other != assessor}
    return [
        {"with": other, **_agreement_cells(progress, assessor, other, pairs)}
        for other, pairs in others.items()
        if pairs
    ]


def repeat_rows(progress: Progress) -> list[Row]:
    """One row per assessor: self-agreement on the documents shown twice."""
    rows = []
    for name, twice in progress.repeats.items():
        number = sum(map(len, twice.values()))
        both = progress.labels(name).keys() & progress.labels(name + REPEAT).keys()
        if number:
            agreement = _agreement_cells(progress, name, name + REPEAT, both) if both else {}
            none = dict.fromkeys(("same grade", "same relevance", "mean difference"))
            rows.append({"assessor": name, "planned": number, "pairs": 0, **none, **agreement})
    return rows


def drift_rows(progress: Progress) -> list[Row]:
    """One row per assessor and third of their topics, in the order judged: do grades or seconds change along the way?

    In a blind order the shares should be similar. Topics with fewer than nine labels have no thirds.
    """
    rows = []
    for name in progress.people:
        for number, part in enumerate(labels_by_thirds(progress.labels(name).values()), 1):
            if part:
                rows.append({"assessor": name, "third": number, **_summary(progress, part)})
    return rows


def _summary(progress: Progress, labels: Sequence[Event]) -> Row:
    grades, timed = [e.grade or 0 for e in labels], [e for e in labels if not is_very_fast(e.seconds, e.fast)]
    seconds = [e.seconds for e in timed if e.seconds is not None]
    return {
        "labels": len(labels),
        "relevant": fmean(grade >= progress.min_relevant for grade in grades),
        "mean grade": fmean(grades),
        "median seconds": median(seconds) if seconds else None,
        "fast": sum(is_very_fast(e.seconds, e.fast) for e in labels),
        "unsure": sum(e.unsure for e in labels),
    }


SECTIONS = {
    "work": work_rows,
    "pace": pace_rows,
    "agreement": agreement_rows,
    "repeats": repeat_rows,
    "drift": drift_rows,
}
