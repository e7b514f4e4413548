"""How a pool came to be: the pools it was made from, and what was known at each step in which it grew.

An adaptive pool can be rebuilt only from the judgments that it learned, in the order it learned them.
They are kept with it, so that a label changed later, or a policy, does not change what the pool is the answer to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.store.pools import open_pool
from cranfield.store.pools.pools import Pool, bare_pool, stored_pool
from cranfield.store.store import Store


class Step(NamedTuple):
    """A topic at a step of its pool: how many documents might come, and the judgments that were new.

    Where topics compete, `room` is that of all. It is None for a topic that only heard.
    """

    number: int
    qid: str
    room: int | None
    heard: Mapping[str, bool | None] = {}  # document -> relevant; None: the judgment was retracted


class Stage(NamedTuple):
    """A pool, and the steps in which it grew beyond the pool that it holds."""

    pool: Pool
    steps: Sequence[Step] = ()


def line(store: Store, number: int | None = None) -> list[Pool]:
    """A pool, or the newest, after all that it was made from, the first one first; without their documents."""
    found, which = list[Pool](), number
    while True:
        pool = bare_pool(store, which)
        found.append(pool)
        if (which := pool.parameters.get("holds")) is None:
            return found[::-1]
        if which >= (pool.number or 0):
            raise StoreError(f"pool {pool.number} claims to hold pool {which}; expected an earlier one")


def stages(store: Store, number: int | None = None) -> list[Stage]:
    """A pool, or the newest, after all that it was made from, the first one first.

    Only those that are needed to rebuild it have their documents: the last one, and around a list that decides.
    """
    pools = line(store, number)
    lists = [pool for pool in pools if "decides" in pool.parameters]
    needed = {pools[-1].number, *(pool.number for pool in lists), *(pool.parameters.get("holds") for pool in lists)}
    whole = [stored_pool(store, pool.number) if pool.number in needed else pool for pool in pools]
    return [Stage(pool, steps(store, pool.number or 0)) for pool in whole]


def budgeted(store: Store, number: int | None = None) -> list[Stage]:
    """The stages of a pool, or of the newest, if it is not all that its runs have to some depth; else none.

    A pool of depth k that holds one of more runs or of a greater depth is not.
    """
    if not store.rows("SELECT 1 FROM pool LIMIT 1"):
        return []
    found = [pool.parameters for pool in line(store, number)]
    plain = found[-1].get("depth") and all(_within(made, found[-1]) for made in found)
    return [] if plain else stages(store, number)


def depth_sizes(store: Store, number: int | None) -> dict[str, int]:
    """How many documents of each topic a pool of depth k has; nothing of one that others were put in by hand."""
    if number is None or any("decides" in pool.parameters for pool in line(store, number)):
        return {}
    return open_pool.sizes(store, number)


def _within(earlier: Mapping[str, Any], newest: Mapping[str, Any]) -> bool:
    """Whether all that a pool has, down to some depth, is in that of a later one."""
    return (earlier.get("depth") or newest["depth"] + 1) <= newest["depth"] and {*earlier.get("runs", ())} <= {
        *newest.get("runs", ())
    }


def steps(store: Store, pool: int) -> list[Step]:
    """The steps of a pool, in order."""
    rooms = "SELECT step, qid, room FROM pool_step s JOIN topic t ON t.id = s.topic WHERE pool = ?"
    news = (
        "SELECT step, qid, docno, relevant FROM pool_heard h JOIN topic t ON t.id = h.topic"
        " JOIN document d ON d.id = h.document WHERE pool = ? ORDER BY step, qid, docno"
    )
    room: dict[tuple[int, str], int] = {(step, qid): room for step, qid, room in store.rows(rooms, [pool])}
    heard: dict[tuple[int, str], dict[str, bool | None]] = {}
    for step, qid, docno, relevant in store.rows(news, [pool]):
        heard.setdefault((step, qid), {})[docno] = None if relevant is None else bool(relevant)
    return [Step(*key, room.get(key), heard.get(key, {})) for key in sorted({*room, *heard})]


def add_steps(store: Store, pool: int, steps: Iterable[Step]) -> None:
    """Say how a pool grew; the numbers go on from those it has."""
    last = store.rows("SELECT coalesce(max(step), 0) FROM pool_step WHERE pool = ?", [pool])[0][0]
    rooms, news = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for step in steps:
        if step.room is not None:
            rooms.append((pool, last + step.number, step.qid, step.room))
        news += [(pool, last + step.number, step.qid, docno, relevant) for docno, relevant in step.heard.items()]
    topic, document = "(SELECT id FROM topic WHERE qid = ?)", "(SELECT id FROM document WHERE docno = ?)"
    with store.writing():
        store.conn.executemany(f"INSERT INTO pool_step VALUES (?, ?, {topic}, ?)", rooms)
        store.conn.executemany(f"INSERT INTO pool_heard VALUES (?, ?, {topic}, {document}, ?)", news)


def heard(store: Store, pool: int | None, qids: Sequence[str] | None = None) -> dict[str, dict[str, bool]]:
    """What a pool knows since its last step, by topic and document; of some topics only, if they are named."""
    found: dict[str, dict[str, bool]] = {}
    which = "" if qids is None else "AND topic IN (SELECT topic.id FROM json_each(:qids) JOIN topic ON qid = value)"
    rows = store.rows(
        "WITH RECURSIVE line (id) AS ("
        " SELECT :pool UNION SELECT json_extract(parameters, '$.holds') FROM pool JOIN line USING (id)"
        ") SELECT qid, docno, relevant FROM pool_heard h JOIN line ON line.id = h.pool"
        f" JOIN topic t ON t.id = h.topic JOIN document d ON d.id = h.document WHERE true {which} ORDER BY pool, step",
        {"pool": pool, "qids": json.dumps(list(qids or ()))},
    )
    for qid, docno, relevant in rows:
        if relevant is None:
            found.get(qid, {}).pop(docno, None)
        else:
            found.setdefault(qid, {})[docno] = bool(relevant)
    return found
