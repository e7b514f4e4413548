"""Adaptive pools that grow while they are judged: the labels so far decide what is proposed next.

When every pooled document of a topic is decided, the pooling method proposes the next batch from the judgments so far,
and the batch is stored in the pool before it is shown. So the pool is always complete, its budget is kept, and other
assessors see the same documents. Looking and proposing happen in one transaction, so only one session makes a batch of
the same judgments; a second one finds the pool grown. Nothing else is remembered: a session that was killed between a
label and the batch that follows from it makes that batch when it is started again.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from cranfield.errors import InputError
from cranfield.judging.labels.choice import decided_relevance, labels_by_recorded_choice
from cranfield.judging.session.worklist import Decided, Provider
from cranfield.pooling.adaptive import (
    GrowingTopic,
    Known,
    grow_topics,
    growing_topics,
    has_stopping_rule,
    own_batch_size,
    pass_all_judgments,
    pool_size_limits,
    stopping_reason,
)
from cranfield.pooling.candidates import Candidates, Corpus, candidates_by_topic, corpus_candidates
from cranfield.pooling.method import CorpusState
from cranfield.pooling.methods import method_named
from cranfield.pooling.stored.growth import docnos_by_topic
from cranfield.pooling.stored.request import add_labels_to_first_steps, judgments, unlearned_judgments
from cranfield.store import open_pools
from cranfield.store.assignments import assignments
from cranfield.store.open_pools import PoolStep, add_steps
from cranfield.store.pools import Pool, PooledDocument, pool_record, pool_with_present_names
from cranfield.store.runs import run_info
from cranfield.store.store import Store

LARGE = 20_000  # documents, from which on a batch is worked out before the last one is judged


class AdaptiveBatches(Provider):
    """The batches of an open pool, for one assessor; `given` is what of it was theirs when the session began."""

    def __init__(self, store: Store, assessor: str, pool: Pool, work: Mapping[str, Sequence[PooledDocument]]) -> None:
        self._store, self._assessor, self._pool = store, assessor, pool._replace(documents=())
        self._docnos = {qid: [document.docno for document in documents] for qid, documents in work.items()}
        self._sizes = topic_size_limits(store, pool)
        self._there = open_pools.pool_sizes_by_topic(store, pool.number or 0)
        self._prepared = ("", "")  # for what the next batch is worked out

    @property
    def _number(self) -> int:
        return self._pool.number or 0

    def size(self, qid: str) -> int:
        """What was given and, if the topic is theirs to judge, what the budget leaves for more."""
        hers = open_pools.can_extend_topic(self._store, self._assessor, self._number, qid)
        more = self._sizes.get(qid, 0) - self._there.get(qid, 0) if hers else 0
        return len(self._docnos[qid]) + max(more, 0)

    def pool(self) -> int | None:
        """The pool of the documents: that of the session, or the one the organiser has since made from it."""
        return self._pool.number

    def batch(self, qid: str, grades: Decided) -> list[str]:
        """What is in the pool and undecided, else the next batch, which is stored in the pool first."""
        waiting = self._waiting(qid, grades)
        if len(waiting) == 1:
            last = waiting[0]
            if (
                self._prepared != (qid, last)
                and self._store.last_row_number("document") >= LARGE
                and self._may_grow(qid)
            ):
                self._prepared = qid, last
                for relevant in (True, False):
                    prepare(self._store, self._number, qid, {last: relevant})
        if waiting or not self._may_grow(qid):
            return waiting
        with self._store.writing():
            while not (waiting := self._waiting(qid, grades)) and self._grow(qid):
                pass
            return waiting

    def _waiting(self, qid: str, grades: Decided) -> list[str]:
        """What is left for this assessor: not what they have judged, even in another pool."""
        hers = open_pools.docnos_to_judge(self._store, self._assessor, self._number, qid) if self._follow() else []
        decisions = open_pools.decided_docnos(self._store, self._assessor, qid)
        docnos = dict.fromkeys([*self._docnos[qid], *hers])
        return [
            docno for docno in docnos if docno not in grades and (docno not in decisions or docno in self._docnos[qid])
        ]

    def _may_grow(self, qid: str) -> bool:
        """Whether this assessor may extend the topic, and there is budget left."""
        hers = self._follow() and open_pools.can_extend_topic(self._store, self._assessor, self._number, qid)
        return hers and len(open_pools.docnos(self._store, self._number, qid)) < self._sizes.get(qid, 0)

    def _grow(self, qid: str) -> list[str]:
        return grow(self._store, self._number, qid, self._sizes[qid]) if self._may_grow(qid) else []

    def _follow(self) -> bool:
        """Whether the pool is open, or the one that was made from it, which then becomes the session's own."""
        if (number := open_pools.latest_successor_pool(self._store, self._number)) == self._pool.number:
            return True
        later = pool_record(self._store, number)
        if follows := open_pools.is_open(self._store, later):
            self._pool, self._sizes = later, topic_size_limits(self._store, later)
        return follows


def remaining_documents_by_topic(store: Store, pool: Pool) -> dict[str, int]:
    """How many more documents each topic of a pool may get; none where it is not open, or judging may stop."""
    if not open_pools.is_open(store, pool) or _may_stop(store, pool):
        return {}
    there = open_pools.pool_sizes_by_topic(store, pool.number or 0)
    return {qid: max(size - there.get(qid, 0), 0) for qid, size in topic_size_limits(store, pool).items()}


def topic_size_limits(store: Store, pool: Pool) -> dict[str, int]:
    """How many documents each topic of an open pool may get, by its budget and its runs."""
    method, parameters = method_named(pool.method), pool.parameters
    depths = _depths(store, pool)
    available = open_pools.count_available(store, depths) if depths else {}
    if method.corpus is not None:
        corpus = method.corpus(store)
        available = dict.fromkeys(sorted({*available, *corpus.qids}), len(corpus.docnos))
    available = {qid: size for qid, size in available.items() if qid in parameters.get("topics", available)}
    options = parameters.get("options", {})
    parts = pool_size_limits(
        method, options, list(available.values()), parameters.get("budget"), parameters.get("total")
    )
    return dict(zip(available, cast("list[int]", parts), strict=True))


def _depths(store: Store, pool: Pool) -> dict[str, int]:
    """How deep each contributing run is considered."""
    about, depth = run_info(store), int(pool.parameters["considered"])
    return {tag: about[tag].depth or depth for tag in pool.parameters["runs"]}


def grow(store: Store, number: int, qid: str, size: int) -> list[str]:
    """Propose the next batch of a topic of an open pool from all judgments so far, and store it in the pool.

    The topic gets no more than `size` documents in all, and none once the method has found that judging may stop.
    Returns the new documents.
    """
    pool = pool_record(store, number)
    there = open_pools.present_docnos(store, number, qid)
    if len(there) >= size or _may_stop(store, pool):
        return []
    relevance = {qid: decided_relevance(store, qid)}
    [topic] = _resumed_topics(pool, [_candidates_of_topic(store, pool, qid)], {qid: there}, relevance)
    topic.room = pool.parameters.get("batch") or _usual_batch_size(pool, topic)
    new = grow_topics([topic], [size]).get(qid, [])
    if new:
        batches = {**pool.parameters["batches"], qid: topic.batches}
        open_pools.add(store, pool._replace(parameters={**pool.parameters, "batches": batches}), topic.pooled())
        latest = unlearned_judgments(store, pool, *_topics_for_next_batch(store, pool, topic, relevance))
        add_steps(store, number, add_labels_to_first_steps([PoolStep(1, qid, topic.room)], latest))
    return [str(topic.topic.docnos[document]) for document in new]


def prepare(store: Store, number: int, qid: str, more: Mapping[str, bool]) -> None:
    """Have the next batch of a topic worked out beside, as if there were more judgments."""
    pool = pool_record(store, number)
    if method_named(pool.method).corpus is None:
        return
    relevance = {**decided_relevance(store, qid), **more}
    pooled = {qid: open_pools.present_docnos(store, number, qid)}
    [topic] = _resumed_topics(pool, [_candidates_of_topic(store, pool, qid)], pooled, {qid: relevance})
    cast("CorpusState", topic.state).prepare()


def _usual_batch_size(pool: Pool, topic: GrowingTopic) -> int:
    first = pool.parameters["batches"].get(topic.topic.qid)
    return own_batch_size(topic) if topic.listens or not first else int(first[0])


def _topics_for_next_batch(
    store: Store, pool: Pool, topic: GrowingTopic, relevance: Known
) -> tuple[list[Candidates], Known]:
    """The topics that matter for the next batch of one, and their judgments: all topics where judging may stop."""
    if not has_stopping_rule(method_named(pool.method), pool.parameters.get("options", {})):
        return [topic.topic], relevance
    return [_candidates_of_topic(store, pool, qid) for qid in topic_size_limits(store, pool)], _judgments(store)


def _may_stop(store: Store, pool: Pool) -> bool:
    """Whether the method was asked to say when judging may stop, and says so; it looks at all topics for that."""
    method, options = method_named(pool.method), pool.parameters.get("options", {})
    if not has_stopping_rule(method, options):
        return False
    topics = [_candidates_of_topic(store, pool, qid) for qid in topic_size_limits(store, pool)]
    topics_now = _resumed_topics(
        pool, topics, docnos_by_topic(pool_with_present_names(store, pool.number).documents), _judgments(store)
    )
    return stopping_reason(method, options, topics_now) is not None


def _judgments(store: Store) -> Known:
    """All judgments, by the choice on record; that those of a topic are decided is checked where it grows."""
    return judgments(store, labels_by_recorded_choice(store).qrels)


def _candidates_of_topic(store: Store, pool: Pool, qid: str) -> Candidates:
    method, depths = method_named(pool.method), _depths(store, pool)
    topics = []
    if depths:
        topics = candidates_by_topic(
            open_pools.topic_runs(store, qid, list(depths), max(depths.values())), None, depths
        )
    if method.corpus is not None:
        topics = corpus_candidates(topics, method.corpus(store), list(depths), pool.parameters.get("budget"))
    return next(topic for topic in topics if topic.qid == qid)


def _resumed_topics(
    pool: Pool, topics: Sequence[Candidates], docnos: Mapping[str, Sequence[str]], labels: Known
) -> list[GrowingTopic]:
    """Topics in their current state, with all judgments taken in."""
    method, parameters = method_named(pool.method), pool.parameters
    growing = growing_topics(
        method,
        parameters.get("options", {}),
        topics,
        in_pool=docnos,
        batches=parameters.get("batches", {}),
        seed=pool.seed or 0,
    )
    for topic in growing:
        pass_all_judgments(topic, labels.get(topic.topic.qid, {}))
        topic.take_up()
    return growing


def mend(store: Store) -> None:
    """Give assigned topics whose pooled documents are all settled their next batch.

    A session that is killed before it could do so leaves topics in this state. They would count as finished, nobody
    could claim them, and an assessor given one would find nothing to do.
    """
    if not open_pools.numbers_of_pools_built_in_batches(store):
        return
    with store.writing():
        added_by_pool: dict[int, list[str]] = {}
        for assignment in assignments(store):
            if assignment.role == "first" and not assignment.unfinished and assignment.pool is not None:
                added_by_pool.setdefault(assignment.pool, []).append(assignment.qid)
        for number, qids in added_by_pool.items():
            if open_pools.is_open(store, pool := pool_record(store, number)):
                most = topic_size_limits(store, pool)
                for qid in qids:
                    grow(store, number, qid, most.get(qid, 0))


def corpus_of(method: str, store: Store) -> Corpus:
    """The corpus from which a method proposes documents; an error where it proposes what runs retrieved."""
    corpus = method_named(method).corpus
    if corpus is None:
        raise InputError(f"{method} proposes documents from the runs, not from a corpus")
    return corpus(store)


class StoredCorpora:
    """The corpus of a store from which a method proposes, by its name; in another process the store is opened again."""

    def __init__(self, store: Store) -> None:
        self._store: Store | None = store
        self._path, self._release = store.path, store.as_of

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_store": None}

    def __call__(self, method: str) -> Corpus:
        if self._store is not None:
            return self._store.later(partial(corpus_of, method))()
        with Store.open(self._path, self._release) as again:
            return corpus_of(method, again)
