"""Pools in a store: built, taken further, extended.

A stored pool never changes, what is added makes a new one that holds it; but one that is open grows in its own rows
while it is judged (see cranfield/open_pool.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.holdings import Pool, PooledDocument, add_pool, run_info, stored_pool, stored_runs
from cranfield.log import Event, events, qrels_of
from cranfield.store import Store

from .build import check_sizes, whole
from .designs import check_design
from .growing import Growing, grow, grown
from .methods import METHODS
from .protocol import Method
from .retrieved import Retrieved, by_topic

BATCH = 10  # how many documents of a topic an adaptive method lets wait for judgment


class Wanted(NamedTuple):
    """A pool to be made: as the command line asks for it."""

    method: str = "depth"
    depth: int = 100  # how far down the runs are considered
    budget: int | None = None
    total: int | None = None
    batch: int | None = None
    seed: int = 0
    options: Mapping[str, object] = {}
    runs: tuple[str, ...] | None = None
    per_team: int | None = None


class Made(NamedTuple):
    """What came of it: the pool, None where there was nothing to add; one line; what the builder should know."""

    pool: Pool | None
    line: str
    notes: list[str]


def make(store: Store, wanted: Wanted, before: Pool | None = None) -> Made:
    """Build the wanted pool and store it; what `before` holds stays in it."""
    method = method_named(wanted.method)
    options = method.filled(wanted.options)
    check_sizes(method, wanted.budget, wanted.total, wanted.batch, options)
    about = contributing(run_info(store), wanted.runs, wanted.per_team)
    depths = {tag: info.depth for tag, info in about.items()}
    topics = by_topic(stored_runs(store, list(about)), wanted.depth, depths)
    check_design(method, topics, options, wanted.budget, wanted.total, wanted.seed)
    growing, stop = _taken_up(store, method, options, wanted, topics, before) if method.adaptive else ([], None)
    documents = [document for topic in growing for document in topic.pooled()]
    if not method.adaptive:
        documents = whole(method, topics, options, wanted.budget, wanted.total, wanted.seed)
    documents = _holding(before, documents)
    batches: dict[str, list[int]] = dict(before.parameters.get("batches", {})) if before else {}
    batches |= {t.topic.qid: [*batches.get(t.topic.qid, ()), len(t.new)] for t in growing if t.new}
    pool = Pool(method.name, _parameters(wanted, list(about), options, batches, before, method), documents)
    pool = pool._replace(seed=wanted.seed if method.random else None)
    notes = [*_notes(store, wanted, topics), *_waiting(store, method, pool, stop)]
    if len(documents) == len(before.documents if before else ()):
        there = f"pool {before.number} has {len(documents)} documents" if before else "no pool was made"
        return Made(None, f"nothing to add: {there}", notes)
    number = add_pool(store, pool)
    return Made(pool._replace(number=number), _line(number, pool, wanted, before), notes)


def _taken_up(
    store: Store,
    method: Method,
    options: Mapping[str, Any],
    wanted: Wanted,
    topics: Sequence[Retrieved],
    before: Pool | None,
) -> tuple[list[Growing], str | None]:
    """Every topic of an adaptive pool with its next documents, or why it gets none."""
    known, settled = judgments(store), _settled(store)
    growing = grown(method, options, topics, before, known, settled, wanted.batch or BATCH, wanted.seed)
    return growing, grow(growing, method, options, wanted.budget, wanted.total)


def method_named(name: str) -> Method:
    """A row of the table."""
    if name not in METHODS:
        raise InputError(f"there is no method {name!r}; there are {', '.join(METHODS)}")
    return METHODS[name]


def contributing(
    about: Mapping[str, RunInfo], tags: Sequence[str] | None = None, per_team: int | None = None
) -> dict[str, RunInfo]:
    """The runs to pool: those marked as pooled, or those named; of each team the first few in the order they came.

    >>> about = {"a1": RunInfo("a"), "b1": RunInfo("b", pooled=False), "a2": RunInfo("a")}
    >>> list(contributing(about)), list(contributing(about, per_team=1)), list(contributing(about, ["b1"]))
    (['a1', 'a2'], ['a1'], ['b1'])
    >>> contributing(about, ["a1", "a1"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: run 'a1' is named twice
    """
    for tag, times in Counter(tags or ()).items():
        if tag not in about:
            raise InputError(f"there is no run {tag!r} in this store")
        if times > 1:
            raise InputError(f"run {tag!r} is named twice")
    chosen = {tag: info for tag, info in about.items() if (info.pooled if tags is None else tag in tags)}
    if not chosen:
        raise InputError("no run here contributes to pools; `cranfield import runs` or `search` add some")
    taken = Counter[str]()
    for tag, info in list(chosen.items()):
        taken[info.team] += 1
        if per_team is not None and taken[info.team] > per_team:
            del chosen[tag]
    return chosen


def judgments(store: Store) -> dict[str, dict[str, bool]]:
    """Whether each judged document is relevant, by topic."""
    qrels, least = qrels_of(store), store.collection.min_relevant
    found: dict[str, dict[str, bool]] = {}
    for qid, docno, grade in zip(
        qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True
    ):
        found.setdefault(qid, {})[docno] = grade >= least
    return found


def _settled(store: Store) -> set[tuple[str, str]]:
    """The pairs that nobody needs to look at: labelled, or said to be beyond judging."""
    standing: list[Event] = events(store, view="current_judgment")
    return {(event.qid, event.docno) for event in standing if event.kind != "later"}


def _holding(before: Pool | None, documents: Sequence[PooledDocument]) -> list[PooledDocument]:
    """These documents and what the earlier pool holds besides."""
    found = {(d.qid, d.docno): d for d in before.documents} if before else {}
    found.update({(d.qid, d.docno): d for d in documents})
    return sorted(found.values(), key=lambda d: d[:2])


def _parameters(
    wanted: Wanted,
    tags: list[str],
    options: Mapping[str, Any],
    batches: Mapping[str, list[int]],
    before: Pool | None,
    method: Method,
) -> dict[str, Any]:
    """What a pool was made from. `depth` is for pools that hold all documents to it, else None."""
    whole = method.name == "depth" and wanted.budget is None and wanted.total is None
    optional = {
        "considered": None if whole else wanted.depth,
        "budget": wanted.budget,
        "total": wanted.total,
        "options": dict(options),
        "batches": dict(batches),
        "holds": before.number if before else None,
    }
    given = {name: value for name, value in optional.items() if value not in (None, {})}
    return {"depth": wanted.depth if whole else None, "runs": tags, **given}


def _notes(store: Store, wanted: Wanted, topics: Sequence[Retrieved]) -> Iterator[str]:
    silent = [topic.qid for topic in store.topics() if topic.qid not in {found.qid for found in topics}]
    if silent:
        yield f"no run answered {len(silent)} of the topics, which have no pool: {', '.join(silent[:5])}"
    short = [topic for topic in topics if len(topic) < (wanted.budget or 0)]
    if short:
        least = min(short, key=len)
        yield (
            f"a budget of {wanted.budget} is more than {len(short)} of {len(topics)} topics have"
            f" to depth {wanted.depth} (topic {least.qid}: {len(least)} documents); all of theirs may come"
        )
    there = sum(map(len, topics))
    if there < (wanted.total or 0):
        yield f"a total of {wanted.total} is more than the {there} documents to depth {wanted.depth}; all may come"


def _waiting(store: Store, method: Method, pool: Pool, stop: str | None) -> Iterator[str]:
    if stop:
        yield f"judging may stop: {stop}"
    elif method.adaptive:
        settled = _settled(store)
        waiting = sum((d.qid, d.docno) not in settled for d in pool.documents)
        compete = pool.parameters.get("options", {}).get("scope") == "global"
        then = "build again when some are judged" if compete else "`cranfield judge` takes the pool further"
        yield f"{waiting} documents wait for judgment; {then}"


def _line(number: int, pool: Pool, wanted: Wanted, before: Pool | None) -> str:
    """What was made, in one line."""
    topics = len({document.qid for document in pool.documents})
    how = f"depth {wanted.depth}" if pool.method == "depth" else f"{pool.method} to depth {wanted.depth}"
    if wanted.budget is not None or wanted.total is not None:
        how += f", {wanted.budget} a topic" if wanted.total is None else f", {wanted.total} in all"
    line = f"pool {number}: {len(pool.documents)} documents for {topics} topics"
    line += f" from {len(pool.parameters['runs'])} runs, {how}"
    if before:
        line += f"; {len(pool.documents) - len(before.documents)} are new, the others are those of pool {before.number}"
    return line


def latest(store: Store, wanted: Wanted) -> Pool | None:
    """The newest pool, if it is an earlier stage of the wanted one: the same method, options and seed, no run lost."""
    if not store.counts()["pool"]:
        return None
    pool, method = stored_pool(store), method_named(wanted.method)
    options = pool.parameters.get("options")  # a pool that the method itself has made has them
    if not method.adaptive or pool.method != method.name or options is None:
        return None
    asked = method.filled(wanted.options), wanted.seed if method.random else None
    about = contributing(run_info(store), wanted.runs, wanted.per_team)
    return pool if (method.filled(options), pool.seed) == asked and set(pool.parameters["runs"]) <= set(about) else None


def extend(
    store: Store,
    number: int | None = None,
    depth: int | None = None,
    budget: int | None = None,
    total: int | None = None,
    batch: int | None = None,
    runs: Sequence[str] | None = None,
) -> Made:
    """Take a pool further: with more runs, to a greater depth, on a larger budget; what is not given stays as it was.

    By default the runs come in that were imported since and contribute to pools. What a sample is drawn from cannot
    change, or its probabilities would be wrong: a sample takes a larger budget and nothing else.
    """
    before = stored_pool(store, number)
    method, old = method_named(before.method), before.parameters
    if method.fixed or (method.samples and (depth or runs)):
        raise InputError(f"pool {before.number} is a sample ({method.name}): {_refusal(method)}")
    about = run_info(store)
    added = [tag for tag, info in about.items() if info.pooled] if runs is None else list(runs)
    contributing(about, added)
    kept = set(old["runs"]) if method.samples else {*old["runs"], *added}
    resized = budget is not None or total is not None
    wanted = Wanted(
        before.method,
        depth or old["depth"] or old.get("considered", 100),
        budget if resized else old.get("budget"),
        total if resized else old.get("total"),
        batch,
        before.seed or 0,
        old.get("options", {}),
        tuple(tag for tag in about if tag in kept),
    )
    return make(store, wanted, before)


def _refusal(method: Method) -> str:
    if method.fixed:
        return "it was drawn for its size; build a larger one, judgments stay"
    return "with other runs or depths its probabilities would be wrong; build a new one, judgments stay"
