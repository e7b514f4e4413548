"""Distribution of work: topics to assessors or to a queue, and the samples drawn before anyone judges.

One assessor judges a whole topic ("to insure the best consistency", TREC-1 in NIST SP 500-207). Agreement is estimated
on a random sample of pairs that a second assessor judges too; drawn beforehand, so that nobody can choose what is
compared. What one assessor cannot judge another may be able to: that, too, is decided beforehand. How far assessors
agree with themselves is estimated on a few documents that they are shown twice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import floor
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.judging.session.order import has_room_for_repeats, sort_by_hash
from cranfield.store.assignments import (
    Assignment,
    DrawnPair,
    Plan,
    Work,
    add_plan,
    assignments,
    claim_topic,
    repeats_of,
    work_of,
)
from cranfield.store.pools import Pool, newest_pool_to_judge, stored_pool
from cranfield.store.store import Store
from cranfield.text import name_hint

Takers = Mapping[str, str | None]  # the assessor by topic; None: the queue

__all__ = ["assign_topics_to_assessors", "claim_topic", "repeats_of", "restrict_pool_to_work", "shares", "work_of"]


class Distribution(NamedTuple):
    """Who is to judge what, before it is recorded: the fields are those that `add_plan` records."""

    plan: Plan
    first: Takers
    second: Takers
    pairs: Sequence[DrawnPair]
    cannot_judge: bool


def assign_topics_to_assessors(
    store: Store,
    assessors: Sequence[str] = (),
    topics: Sequence[str] = (),
    *,
    overlap: float = 0.0,
    repeats: int = 0,
    seed: int = 0,
    lease: int = Plan(0).lease,
    cannot_judge: bool = False,
    number: int | None = None,
) -> list[Assignment]:
    """Assign the topics of the newest pool that nobody has yet, or those named; without assessors, to the queue.

    With `number` it uses that pool, and stays with it when others are built.

    Topics are dealt so that everyone gets about the same number of documents; the sample for second assessors is dealt
    likewise, never to the topic's first. With `cannot_judge` every topic has a second assessor, who gets what the first
    cannot judge as soon as that is recorded.
    """
    work = plan_distribution(
        store, assessors, topics, overlap=overlap, repeats=repeats, seed=seed, lease=lease, cannot_judge=cannot_judge,
        number=number,
    )  # fmt: skip
    add_plan(store, work.plan, work.first, work.second, sample=work.pairs, cannot_judge=work.cannot_judge)
    return assignments(store)


def plan_distribution(
    store: Store,
    assessors: Sequence[str],
    topics: Sequence[str],
    *,
    overlap: float,
    repeats: int,
    seed: int,
    lease: int,
    cannot_judge: bool,
    number: int | None = None,
) -> Distribution:
    """What `organise` is going to record."""
    pool = stored_pool(store, number or newest_pool_to_judge(store))
    work = _unassigned_work(store, pool, topics)
    check_overlap(overlap)
    if repeats < 0:
        raise InputError(f"the number of repeats is {repeats}; expected at least 0")
    if repeated_names := [name for name, number in Counter(assessors).items() if number > 1]:
        raise InputError(f"assessor {repeated_names[0]!r} is named twice; expected different names")
    twice = _overlap(work, overlap, seed)
    first = shares(work, assessors)
    sample: Work = {}
    for pair in twice:
        sample.setdefault(pair.qid, []).append(pair.docno)
    second = shares({qid: sample.get(qid, []) for qid in work if cannot_judge or qid in sample}, assessors, first)
    # some documents of each topic that is long enough for the first label to be forgotten
    repeated = {qid: sort_by_hash(docnos, f"repeat {qid}", seed)[:repeats] for qid, docnos in work.items()}
    fit = {qid: docnos for qid, docnos in repeated.items() if has_room_for_repeats(len(work[qid]), len(docnos))}
    pairs = [*twice, *(DrawnPair(qid, docno, "repeat") for qid, docnos in fit.items() for docno in docnos)]
    plan = Plan(pool.number or 0, overlap, repeats, seed, lease, pinned=number is not None)
    return Distribution(plan, first, second, pairs, cannot_judge)


def check_overlap(share: float) -> None:
    """Refuse what is no share."""
    if not 0 <= share <= 1:
        raise InputError(f"the overlap is {share:.0%}; expected 0% to 100%")


def _unassigned_work(store: Store, pool: Pool, topics: Sequence[str]) -> Work:
    pooled: Work = {}
    for document in pool.documents:
        pooled.setdefault(document.qid, []).append(document.docno)
    qids = {assignment.qid for assignment in assignments(store)}
    for qid in topics:
        if qid not in pooled:
            raise InputError(f"topic {qid!r} is not in the pool{name_hint(qid, pooled)}")
        if qid in qids:
            raise InputError(f"topic {qid!r} is already assigned; give it to another assessor with --give {qid}=NAME")
    work = {topic.qid: pooled[topic.qid] for topic in store.topics() if topic.qid in pooled}
    free = {qid: docnos for qid, docnos in work.items() if qid not in qids and (not topics or qid in topics)}
    if not free:
        raise InputError(
            "every topic of the pool is already assigned; give a topic to another assessor with --give QID=NAME"
        )
    return free


def shares(
    work: Work, assessors: Sequence[str], avoid: Mapping[str, str | None] | None = None
) -> dict[str, str | None]:
    """Who gets which topic: the largest topic first, never to those it is to `avoid`.

    Each goes to the assessor with the fewest documents so far, and of those to the one with the fewest topics.

    >>> work = {"q1": ["d1", "d2", "d3"], "q2": ["d1"], "q3": ["d4", "d5"]}
    >>> shares(work, ["ada", "bob"])
    {'q1': 'ada', 'q2': 'bob', 'q3': 'bob'}
    >>> shares(work, ["ada"], avoid={"q1": "ada"})
    {'q1': None, 'q2': 'ada', 'q3': 'ada'}
    >>> shares(work, [])
    {'q1': None, 'q2': None, 'q3': None}
    """
    load = dict.fromkeys(assessors, (0, 0))
    takers: dict[str, str | None] = {}
    for qid in sorted(work, key=lambda qid: -len(work[qid])):
        fit = [name for name in assessors if name != (avoid or {}).get(qid)]
        takers[qid] = min(fit, key=load.__getitem__, default=None)
        if (taker := takers[qid]) is not None:
            documents, topics = load[taker]
            load[taker] = (documents + len(work[qid]), topics + 1)
    return {qid: takers[qid] for qid in work}


def _overlap(work: Work, share: float, seed: int) -> list[DrawnPair]:
    """A simple random sample of all pairs, rounded to the nearest number of pairs, at least one if any is asked for."""
    pairs = {f"{qid}\t{docno}": (qid, docno) for qid, docnos in work.items() for docno in docnos}
    number = max(floor(share * len(pairs) + 0.5), 1) if share else 0
    return [DrawnPair(*pairs[key], "overlap") for key in sort_by_hash(pairs, "overlap", seed)[:number]]


def restrict_pool_to_work(pool: Pool, work: Mapping[str, Sequence[str]]) -> Pool:
    """The part of a pool that is somebody's work: what a session gets.

    >>> from cranfield.store.pools import PooledDocument
    >>> pool = Pool("depth", {}, [PooledDocument("q1", "d1", 1, ("a",)), PooledDocument("q1", "d2", 1, ("a",))])
    >>> [document.docno for document in restrict_pool_to_work(pool, {"q1": ["d2"]}).documents]
    ['d2']
    """
    own = {qid: set(docnos) for qid, docnos in work.items()}
    return pool._replace(documents=[d for d in pool.documents if d.qid in own and d.docno in own[d.qid]])


def parse_percentage(text: str) -> float:
    """A share as written on the command line.

    >>> parse_percentage("10%"), parse_percentage("0.1")
    (0.1, 0.1)
    """
    try:
        return float(text.rstrip("% ")) / (100 if "%" in text else 1)
    except ValueError as error:
        raise InputError(f"{text!r}; expected a share such as 10% or 0.1") from error
