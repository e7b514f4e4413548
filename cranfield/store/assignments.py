"""Who judges what: plans, assignments, and claims with a lease.

An assignment is a topic: all of its pooled documents for the first assessor; for the second a sample of them and, where
it was so planned, what the first cannot judge. One that belongs to nobody is in the queue; an assessor who claims it
has it for as long as a lease runs, and every event of hers on the topic renews it. What is settled stays settled: when
a lapsed claim passes to somebody else, only the rest does.
"""

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from cranfield.errors import StoreError
from cranfield.store.chain import add_person
from cranfield.store.log import REPEAT, add_assessor, assessors
from cranfield.store.pools import COUNTS, has_withdrawals
from cranfield.store.store import Store
from cranfield.store.withdrawals import drop_renamed

Role = Literal["first", "second"]
Work = dict[str, list[str]]  # docnos by qid


class Plan(NamedTuple):
    """How work was distributed; `seed` drew the overlap (a share of the pairs) and the repeats (so many per topic)."""

    pool: int
    overlap: float = 0.0
    repeats: int = 0
    seed: int = 0
    lease: int = 24 * 3600  # seconds
    made: str = ""
    pinned: bool = False  # whether its topics stay with its pool; else they are of the newest, whatever comes


class DrawnPair(NamedTuple):
    """A document drawn beforehand, for "overlap" or "repeat"."""

    qid: str
    docno: str
    purpose: str


class Assignment(NamedTuple):
    """A topic and who judges it; `assessor` None: in the queue; `lease` None: for good."""

    qid: str
    role: str
    assessor: str | None
    lease: str | None
    documents: int
    unfinished: int
    repeats: int
    cannot_judge: bool = False  # of a second assessor: whether what the first cannot judge is hers, too
    pool: int = 0  # whose documents


def add_plan(
    store: Store,
    plan: Plan,
    first: Mapping[str, str | None],
    second: Mapping[str, str | None],
    *,
    sample: Iterable[DrawnPair] = (),
    cannot_judge: bool = False,
) -> int:
    """Record a plan, its samples and its assignments, in one transaction; its number.

    With `cannot_judge` the second assessors get what the first cannot judge, besides the sample.
    """
    with store.writing():
        number = int(store.rows("SELECT coalesce(max(id), 0) + 1 FROM plan")[0][0])
        time = plan.made or format_timestamp(datetime.now(UTC))
        row = {"id": number, **plan._asdict(), "made": time}
        store.db.table("plan").insert(row)
        for assessor in dict.fromkeys([*first.values(), *second.values()]):
            if assessor is not None:
                _register_assessor(store, assessor)
        for role, names in (("first", first), ("second", second)):
            store.conn.executemany(
                "INSERT INTO assignment (plan, topic, role, assessor, cannot_judge) VALUES (?,"
                " (SELECT id FROM topic WHERE qid = ?), ?, (SELECT id FROM assessor WHERE name = ?), ?)",
                [(number, qid, role, name, cannot_judge and role == "second") for qid, name in names.items()],
            )
        store.conn.executemany(
            "INSERT INTO sampled (plan, topic, document, purpose) VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
            " (SELECT id FROM document WHERE docno = ?), ?)",
            [(number, *pair) for pair in sample],
        )
    return number


def _register_assessor(store: Store, assessor: str) -> None:
    """Make an assessor known and, if documents are to be shown twice, the name that keeps their second labels."""
    if not assessor.strip():
        raise StoreError(f"{assessor!r} is not a valid assessor name")
    add_assessor(store, assessor)
    if (kind := assessors(store)[assessor]) != "human":
        raise StoreError(f"assessor {assessor!r} has kind {kind}; expected a person (kind human)")
    if store.rows("SELECT 1 FROM plan WHERE repeats > 0") and assessor + REPEAT not in assessors(store):
        add_person(store.conn, assessor + REPEAT, kind, assessor)


def plans(store: Store) -> list[Plan]:
    """Every plan, in the order they were made."""
    rows = [Plan(*row) for row in store.rows(f"SELECT {', '.join(Plan._fields)} FROM plan ORDER BY id")]
    return [plan._replace(pinned=bool(plan.pinned)) for plan in rows]


def assignments(store: Store) -> list[Assignment]:
    """Every assignment, by topic, with how much of it is still to do."""
    rows = store.rows(
        "SELECT qid, role, name, g.lease, (SELECT count(*) FROM assigned WHERE assignment = g.id),"
        " (SELECT count(*) FROM unfinished WHERE assignment = g.id),"
        " (SELECT count(*) FROM sampled s WHERE s.topic = g.topic AND s.purpose = 'repeat' AND g.role = 'first'),"
        " cannot_judge, CASE plan.pinned WHEN 1 THEN plan.pool ELSE (SELECT max(id) FROM pool) END"
        " FROM assignment g JOIN topic ON topic.id = g.topic JOIN plan ON plan.id = g.plan"
        " LEFT JOIN assessor ON assessor.id = g.assessor ORDER BY g.topic, g.role"
    )
    return [Assignment(*row)._replace(cannot_judge=bool(row[-2])) for row in rows]


def first_assessors(store: Store) -> dict[str, set[str]]:
    """By topic: everybody whose the topic is, or was for a time; the view `qrels` prefers their labels."""
    names: dict[str, set[str]] = {}
    for qid, name in store.rows(
        "SELECT qid, name FROM assignment g JOIN holder h ON h.assignment = g.id"
        " JOIN topic t ON t.id = g.topic JOIN assessor a ON a.id = h.assessor WHERE g.role = 'first'"
    ):
        names.setdefault(qid, set()).add(name)
    return names


def documents_drawn_for(store: Store, purpose: str) -> Work:
    """The documents that were drawn for "overlap" or "repeat"."""
    return _group_by_topic(
        store.rows(
            "SELECT qid, docno FROM sampled s JOIN topic t ON t.id = s.topic JOIN document d ON d.id = s.document"
            " WHERE purpose = ? ORDER BY t.id, docno",
            [purpose],
        )
    )


CLAIM = """
UPDATE assignment SET assessor = :me, lease = :until WHERE id = (
    SELECT g.id FROM assignment g WHERE (g.assessor IS NULL OR g.lease < :now)
    AND (:topics IS NULL OR g.topic IN (SELECT topic.id FROM topic JOIN json_each(:topics) ON qid = value))
    AND EXISTS (SELECT 1 FROM unfinished u WHERE u.assignment = g.id)
    AND NOT EXISTS (
        SELECT 1 FROM assignment o JOIN holder h ON h.assignment = o.id
        WHERE o.topic = g.topic AND o.id <> g.id AND h.assessor = :me
    ) ORDER BY g.role, g.id LIMIT 1
) RETURNING (SELECT qid FROM topic WHERE topic.id = assignment.topic)
"""
OWN = """
SELECT qid, g.id FROM assignment g JOIN topic ON topic.id = g.topic
WHERE g.assessor = :me AND EXISTS (SELECT 1 FROM unfinished u WHERE u.assignment = g.id)
    AND (:topics IS NULL OR qid IN (SELECT value FROM json_each(:topics))) ORDER BY g.role, g.id LIMIT 1
"""


def claim_topic(
    store: Store, assessor: str, now: datetime | None = None, topics: Sequence[str] | None = None
) -> str | None:
    """The topic an assessor works on next: one of hers that is not finished, else one from the queue; None if none.

    Only of these `topics`, where any are given.

    Coming back renews her lease. What she put off or did not reach is hers until the lease has run out and somebody
    else has claimed the topic; what she finished is hers for good. Nobody gets both roles of one topic.
    """
    moment = now or datetime.now(UTC)
    with store.writing():
        _register_assessor(store, assessor)
        me = store.numbers("assessor", "name", [assessor])[0]
        plan = store.rows("SELECT lease FROM plan ORDER BY id DESC LIMIT 1")
        until = format_timestamp(moment + timedelta(seconds=int(plan[0][0]) if plan else Plan(0).lease))
        only = json.dumps(list(topics)) if topics else None
        if own := store.rows(OWN, {"me": me, "topics": only}):
            renew = "UPDATE assignment SET lease = max(lease, ?) WHERE id = ? AND lease IS NOT NULL"
            store.conn.execute(renew, [until, own[0][1]])
            return str(own[0][0])
        rows = store.conn.execute(
            CLAIM, {"me": me, "until": until, "now": format_timestamp(moment), "topics": only}
        ).fetchall()
    return str(rows[0][0]) if rows else None


def format_timestamp(moment: datetime) -> str:
    """A moment as the store writes it, so that text compares as time does."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def give_assignment(store: Store, qid: str, role: Role, assessor: str | None) -> None:
    """Give an assignment to somebody for good, or back to the queue; what others have settled stays theirs."""
    with store.writing():
        if assessor is not None:
            _register_assessor(store, assessor)
            other = next((g for g in assignments(store) if g.qid == qid and g.role != role), None)
            if other and other.assessor == assessor:
                raise StoreError(
                    f"{assessor!r} is the {other.role} assessor of topic {qid!r}; expected a different assessor, "
                    "because agreement needs two"
                )
        update = store.conn.execute(
            "UPDATE assignment SET assessor = (SELECT id FROM assessor WHERE name = ?), lease = NULL"
            " WHERE role = ? AND topic = (SELECT id FROM topic WHERE qid = ?)",
            [assessor, role, qid],
        )
        if not update.rowcount:
            raise StoreError(f"topic {qid!r} has no {role} assessor yet; assign one with `cranfield assign`")


SETTLED = """(
    EXISTS (SELECT 1 FROM settled s WHERE s.topic = d.topic AND s.document = d.document AND s.assessor = h.assessor)
    OR (d.topic, d.document, h.assessor) IN (SELECT topic, document, assessor FROM settled_by_other_name)
)"""  # whether `h`, who had the assignment of a document `d`, has settled it
WORK = f"""
SELECT qid, docno FROM assigned d JOIN topic t ON t.id = d.topic JOIN document x ON x.id = d.document
JOIN holder mine ON mine.assignment = d.assignment AND mine.assessor = :me
WHERE (EXISTS (SELECT 1 FROM holder h WHERE h.assignment = d.assignment AND h.assessor = :me AND {SETTLED})
    OR (d.assessor = :me AND NOT EXISTS (SELECT 1 FROM holder h WHERE h.assignment = d.assignment AND {SETTLED}))
) AND (:pool IS NULL OR d.pool = :pool)
ORDER BY t.id, docno
"""


def work_of(store: Store, assessor: str, pool: int | None = None) -> Work:
    """The documents that are an assessor's to judge, or that she has judged, by topic; of one pool or of all.

    Where nothing was ever assigned that is the whole of a pool, the newest where none is given. Each document is there
    under one name; not if she has judged it under another that is not there.
    """
    every = drop_renamed(store, assessor, work_under_all_names(store, assessor, pool))
    return {qid: docnos for qid, docnos in every.items() if docnos}


def work_under_all_names(store: Store, assessor: str, pool: int | None = None) -> Work:
    """The same with what she has judged under another name."""
    if not has_assignments(store):
        return pooled_documents_by_topic(store, pool)
    me = store.numbers("assessor", "name", [assessor])[0]
    return _group_by_topic(store.rows(WORK, {"me": me, "pool": pool}))


POOLED_CONDITION = """(
    SELECT a.id AS assignment, a.topic, a.role, a.assessor, p.document, p.pool
    FROM assignment a JOIN plan ON plan.id = a.plan AND plan.pinned = 0
    JOIN pool_document p ON p.topic = a.topic AND p.pool = :pool
    WHERE (a.role = 'first' OR EXISTS (
        SELECT 1 FROM sampled s WHERE s.topic = a.topic AND s.document = p.document AND s.purpose = 'overlap'
    ) OR a.cannot_judge AND EXISTS (SELECT 1 FROM given_up g WHERE g.topic = a.topic AND g.document = p.document)
    OR (a.topic, p.document, a.cannot_judge) IN (SELECT topic, document, cannot_judge FROM second_by_other_name))
    AND NOT EXISTS (
        SELECT 1 FROM left_out_of_pools o WHERE o.pool = p.pool AND o.topic = p.topic AND o.document = p.document
    )
)"""  # as the view `assigned`, of the topics that stay with no pool: what they have in the one that is named


def work_in_pool(store: Store, assessor: str, pool: int) -> Work:
    """All that is an assessor's to judge, and what her topics that stay with no pool have in this one, as `work_of`."""
    return drop_renamed(store, assessor, all_work_in_pool(store, assessor, pool))


def all_work_in_pool(store: Store, assessor: str, pool: int) -> Work:
    """The same with what she has judged under another name."""
    values = {"me": store.numbers("assessor", "name", [assessor])[0], "pool": pool}
    there = _group_by_topic(store.rows(WORK.replace("assigned d", f"{POOLED_CONDITION} d"), values))
    return _join_work(work_under_all_names(store, assessor), there)


def _join_work(one: Work, other: Work) -> Work:
    return {qid: [*dict.fromkeys([*one.get(qid, ()), *other.get(qid, ())])] for qid in {**one, **other}}


def pools_to_do(store: Store, assessor: str) -> list[int]:
    """The pools of an assessor's work, those first in which something is still to do, then the newest."""
    rows = store.rows(
        "SELECT pool, max(EXISTS (SELECT 1 FROM unfinished u WHERE u.assignment = d.assignment AND u.assessor = :me))"
        " AS open FROM assigned d JOIN holder h ON h.assignment = d.assignment AND h.assessor = :me"
        " GROUP BY pool ORDER BY open DESC, pool DESC",
        {"me": store.numbers("assessor", "name", [assessor])[0]},
    )
    return [pool for pool, _ in rows]


def pooled_documents_by_topic(store: Store, number: int | None = None) -> Work:
    """The documents of a pool, or of the newest, by topic, without what was withdrawn and what only that brought."""
    which = "(SELECT max(id) FROM pool)" if number is None else ":number"
    counts = f"pool = {which} AND {COUNTS}" if has_withdrawals(store) else f"pool = {which}"
    rows = store.rows(f"SELECT qid, docno FROM pooled WHERE {counts} ORDER BY qid, docno", {"number": number})
    return _group_by_topic(rows)


QUEUED = f"""
SELECT qid, docno FROM assigned d JOIN topic t ON t.id = d.topic JOIN document x ON x.id = d.document
WHERE d.assessor IS NULL AND NOT EXISTS (SELECT 1 FROM holder h WHERE h.assignment = d.assignment AND {SETTLED})
ORDER BY t.id, docno
"""


def waiting(store: Store, pool: int | None = None) -> Work:
    """The documents that are in the queue, by topic; those of a second assessor's besides the first's. With a pool also
    what the topics that stay with no pool have in this one."""
    queue = _group_by_topic(store.rows(QUEUED))
    if pool is None:
        return queue
    return _join_work(
        queue, _group_by_topic(store.rows(QUEUED.replace("assigned d", f"{POOLED_CONDITION} d"), {"pool": pool}))
    )


def pairs_of(work: Work) -> set[tuple[str, str]]:
    """The pairs of some work.

    >>> sorted(pairs_of({"q1": ["d1", "d2"]}))
    [('q1', 'd1'), ('q1', 'd2')]
    """
    return {(qid, docno) for qid, docnos in work.items() for docno in docnos}


def has_assignments(store: Store) -> bool:
    """Whether work was ever assigned here."""
    return bool(store.rows("SELECT 1 FROM assignment LIMIT 1"))


def other_holder(store: Store, assessor: str, qid: str) -> str:
    """Whose an assigned topic is in an assessor's stead, in words; empty where it is hers or was never assigned."""
    has = "SELECT a.name FROM assignment g JOIN topic t ON t.id = g.topic LEFT JOIN assessor a ON a.id = g.assessor"
    names = [name for (name,) in store.rows(f"{has} WHERE t.qid = ? ORDER BY g.role", [qid])]
    if not names or assessor in names or _is_auditor(store, assessor, qid):
        return ""
    return "it is assigned to somebody else" if names[0] else "it is back in the queue"


def _is_auditor(store: Store, assessor: str, qid: str) -> bool:
    """Whether an assessor judges a sample of a model's labels in this topic."""
    if not store.has_rows("audit"):
        return False
    hers = "SELECT 1 FROM audit u JOIN assessor a ON a.id = u.assessor WHERE a.name = ? AND u.id IN"
    return bool(
        store.rows(
            f"{hers} (SELECT audit FROM audited x JOIN topic t ON t.id = x.topic WHERE qid = ?)", [assessor, qid]
        )
    )


def repeats_of(store: Store, assessor: str) -> Work:
    """The documents that an assessor is to be shown a second time, by topic; only such as are her own work."""
    own = work_of(store, assessor) if documents_drawn_for(store, "repeat") else {}
    return repeats_by_assessor(store, {assessor: own})[assessor]


def repeats_by_assessor(store: Store, work: Mapping[str, Work]) -> dict[str, Work]:
    """The documents to be shown a second time of some assessors' whole work, by assessor."""
    sample = documents_drawn_for(store, "repeat")
    seconds = "SELECT name, qid FROM assignment g JOIN topic t ON t.id = g.topic JOIN assessor a ON a.id = g.assessor"
    second = store.rows(f"{seconds} WHERE role = 'second'")
    return {
        name: _shared_work(sample, own, {qid for whose, qid in second if whose == name}) for name, own in work.items()
    }


def _shared_work(sample: Work, own: Work, second: Set[str]) -> Work:
    both = {qid: sorted(set(sample.get(qid, ())) & set(docnos)) for qid, docnos in own.items()}
    return {qid: docnos for qid, docnos in both.items() if docnos and qid not in second}


def _group_by_topic(pairs: Sequence[tuple[str, str]]) -> Work:
    work: Work = {}
    for qid, docno in pairs:
        work.setdefault(qid, []).append(docno)
    return work
