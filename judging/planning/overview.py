"""The state of judging at a glance: how much is done, who is working, what an organiser or an assessor has to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cranfield.judging.labels.pairs import Pair, is_adjudication
from cranfield.judging.planning import sections as states
from cranfield.judging.planning.assign import restrict_pool_to_work
from cranfield.judging.planning.checks import CHECKS
from cranfield.judging.planning.forecast import count_labels_left
from cranfield.judging.planning.progress import Progress
from cranfield.judging.planning.sections import TopicState
from cranfield.judging.session.adaptive import mend
from cranfield.judging.session.order import with_repeats
from cranfield.judging.session.pace import IDLE
from cranfield.judging.session.work import documents_by_topic
from cranfield.store.assignments import (
    assignments,
    claim_topic,
    format_timestamp,
    has_assignments,
    pools_to_do,
    repeats_of,
    work_in_pool,
    work_of,
)
from cranfield.store.invitations import Invitation
from cranfield.store.pools import Pool, newest_pool_to_judge, stored_pool
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cranfield.store.assignments import Work
    from cranfield.store.store import Store


SILENT = 3  # days without a sign of somebody who has work
SOON = 2  # days before a link expires
NEVER = "never"  # which is later than any date
DISAGREEMENTS = "disagreements"


class Attention(NamedTuple):
    """A line, and what it is about: the name of an organiser's page or DISAGREEMENTS, with the place there."""

    text: str
    about: str
    place: str = ""


def topic_notes(topics: Sequence[TopicState]) -> Iterator[Attention]:
    """Topics that nobody will judge as things are."""
    topics_by_state: dict[str, list[TopicState]] = {}
    for one in topics:
        topics_by_state.setdefault(one.state, []).append(one)
    for one in topics_by_state.get(states.LAPSED, ()):
        rest = counted(one.left, "document")
        yield Attention(f"{one.assessor}'s claim on topic {one.topic} has lapsed with {rest} left to judge", "topics")
    if free := topics_by_state.get(states.UNASSIGNED):
        is_ = "is" if len(free) == 1 else "are"
        yield Attention(f"{counted(len(free), 'topic')} in the pool {is_} not assigned", "topics", "share")
    if free := topics_by_state.get(states.OPEN):
        yield Attention("No topic is assigned, so everyone with a link judges the whole pool", "topics", "share")
    if not topics:
        yield Attention("There is no pool yet", "pool")


def absence_notes(people: Sequence[Working], links: Sequence[Invitation], moment: datetime) -> Iterator[Attention]:
    """People with work who have not been seen for days, or whose links have ended or soon do."""
    silent, soon = (format_timestamp(moment + timedelta(days=days)) for days in (-SILENT, SOON))
    for one in people:
        if not one.left:
            continue
        rest = f"{counted(one.left, 'document')} left"
        if one.last and one.last < silent:
            yield Attention(f"{one.assessor} has {rest}; last sign on {one.last[:10]}", "topics")
        own = [link for link in links if link.assessor == one.assessor]
        ends = [link.expires or NEVER for link in own if link.state(format_timestamp(moment)) == "valid"]
        if own and max(ends, default="") < soon:
            until = f"the link expires on {max(ends)[:10]}" if ends else "no link is valid"
            yield Attention(f"{one.assessor} has {rest}; {until}", "links")


def disagreement_notes(progress: Progress, links: Sequence[Invitation], moment: datetime) -> Iterator[Attention]:
    """Documents whose labels by people or imports differ, and that nobody has settled.

    The line advises to invite an adjudicator unless one has a valid link.
    """
    grades: dict[Pair, set[int | None]] = {}
    for name in (name for name, kind in progress.kinds.items() if kind in ("human", "import")):
        for pair, event in progress.labels(name).items():
            grades.setdefault(pair, set()).add(event.grade)
    answers = {pair for own in progress.standing.values() for pair, event in own.items() if is_adjudication(event)}
    if number := sum(len(labels) > 1 for pair, labels in grades.items() if pair not in answers):
        have = "has labels that differ and is" if number == 1 else "have labels that differ and are"
        unsettled = f"{counted(number, 'document')} {have} not settled"
        if any(link.role == "adjudicate" and link.state(format_timestamp(moment)) == "valid" for link in links):
            yield Attention(unsettled, DISAGREEMENTS)
        else:
            yield Attention(f"{unsettled}; invite an adjudicator", "links?role=adjudicate")


def label_notes(progress: Progress) -> Iterator[Attention]:
    """What the checks find: one line per check."""
    for check in CHECKS.values():
        findings = list(check.find(progress))
        if findings:
            whose = list(dict.fromkeys(f"topic {one.topic}" if one.topic else one.assessor for one in findings))
            more = f" and {len(whose) - 3} more" if len(whose) > 3 else ""
            yield Attention(f"{check.title}: {', '.join(whose[:3])}{more}", "checks", check.name)


class PoolOf(Protocol):
    """Reads a pool by its number, or the newest."""

    def __call__(self, store: Store, number: int | None = None) -> Pool: ...


def work_to_judge_or_none(
    store: Store, assessor: str, topics: Sequence[str] | None = None, pool_of: PoolOf = stored_pool
) -> Pool | None:
    """The pool, narrowed to what is assigned to the assessor or claimed from the queue; with second showings.

    It is the newest pool or, of the assigned pools, the most recent one with something to do. What is done is included.
    None if there is nothing for this assessor, and never was. `topics` are those to claim from, and some
    of them are in the pool; `pool_of` reads pools.
    """
    if not has_assignments(store):
        return pool_of(store, newest_pool_to_judge(store))
    mend(store)
    claim_topic(store, assessor, topics=topics)
    return work_without_claiming(store, assessor, topics=topics, pool_of=pool_of)


def work_without_claiming(
    store: Store,
    assessor: str,
    number: int | None = None,
    topics: Collection[str] | None = None,
    pool_of: PoolOf = stored_pool,
) -> Pool | None:
    """What is the assessor's already, of one pool or of the first that has any, of these topics; nothing is claimed."""
    numbers = pools_to_do(store, assessor) if number is None else [number]
    own = ((number, work_of(store, assessor, number)) for number in numbers)
    some = ((number, work) for number, work in own if work and (not topics or work.keys() & set(topics)))
    return next((_assessor_part_of_pool(store, assessor, pool_of(store, number), work) for number, work in some), None)


def topics_missing_from_work(
    store: Store, work: Pool | None, topics: Collection[str] | None, number: int | None
) -> list[str]:
    """The topics that are not in somebody's part of a pool; an error where they are not even in the whole of it."""
    own = {document.qid for document in work.documents} if work else set()
    missing = [qid for qid in topics or () if qid not in own]
    if missing:
        documents_by_topic(stored_pool(store, number or newest_pool_to_judge(store)), missing)
    return missing


def assigned_work_in_pool(store: Store, assessor: str, number: int) -> Pool | None:
    """The same for one pool: the assessor's own part, and topics that were never assigned. Nothing is claimed.

    Topics that follow the newest pool are the assessor's in any pool that is named.
    """
    pool = stored_pool(store, number)
    if not has_assignments(store):
        return pool
    qids = {one.qid for one in assignments(store)}
    free = [document for document in pool.documents if document.qid not in qids]
    own = _assessor_part_of_pool(store, assessor, pool, work_in_pool(store, assessor, number)).documents
    return pool._replace(documents=[*own, *free]) if own or free else None


def _assessor_part_of_pool(store: Store, assessor: str, pool: Pool, work: Work) -> Pool:
    """An assessor's part of a pool, with second showings."""
    return with_repeats(restrict_pool_to_work(pool, work), repeats_of(store, assessor))


class Working(NamedTuple):
    """An assessor: the last sign, whether that is now, and the documents left, of those put off."""

    assessor: str
    last: str
    now: bool
    left: int


def working_people(
    signs: Mapping[str, str], kinds: Mapping[str, str], pace: Iterable[Mapping[str, Any]], moment: datetime
) -> list[Working]:
    """The people with work or labels, the latest sign first."""
    rest = {row["assessor"]: count_labels_left(row) for row in pace}
    since = format_timestamp(moment - timedelta(seconds=IDLE))
    people = [name for name, kind in kinds.items() if kind == "human" and (name in signs or rest.get(name))]
    rows = [Working(name, signs.get(name, ""), signs.get(name, "") >= since, rest.get(name, 0)) for name in people]
    return sorted(rows, key=lambda one: one.last, reverse=True)
