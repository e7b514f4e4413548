"""The state of the work: everyone's current decisions, whose work is what, and how much of a pool has a label.

People's work and models' labels are kept apart: what nobody has begun and only a model has labelled does not count as
remaining work of people, but as done by the model. What was assigned to people, or begun by one, remains theirs.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from cranfield import text
from cranfield.judging.labels.choice import labels_by_recorded_choice
from cranfield.judging.labels.pairs import JUDGED, Pair, is_adjudication
from cranfield.judging.session.pace import LabelTime, is_very_fast, mean_length
from cranfield.pooling.verify import judged_pairs
from cranfield.store import open_pools
from cranfield.store.assignments import (
    Work,
    all_work_in_pool,
    assignments,
    documents_drawn_for,
    has_assignments,
    pairs_of,
    pooled_documents_by_topic,
    repeats_by_assessor,
    waiting,
    work_under_all_names,
)
from cranfield.store.chain import Event
from cranfield.store.log import REPEAT, assessors, read_events
from cranfield.store.pools import newest_pool_to_judge, pool_record, require_selected_documents
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno, topics_that_count, withdrawal_and_round_filter

LAST = 200  # timed decisions of an assessor from which the pace is estimated
QUEUE = "(queue)"
NOBODY = "(nobody)"  # has the topics that were not assigned while others were
OTHERS = ("model", "panel", "import")  # kinds of assessors whose labels are counted but who have no assigned work
Standing = Mapping[str, Mapping[Pair, Event]]


@dataclass(frozen=True)
class Progress:
    """All that the tables are made from: current decisions by assessor and pair, and whose work is what."""

    standing: Standing
    work: Mapping[str, Work]
    repeats: Mapping[str, Work]
    overlap: frozenset[Pair]
    planned: bool
    min_relevant: int
    to_come: Mapping[str, Mapping[str, int]]  # by assessor and topic: what an open pool may still get
    times: Mapping[str, Sequence[LabelTime]]  # by assessor: the decisions from which the pace is estimated
    length: Mapping[str, float]  # by assessor: the mean length of the documents left, 0 where unknown
    others: Mapping[str, Work]  # models and imports: what they labelled of the pool, or could not judge
    kinds: Mapping[str, str]  # human, model, panel or import

    @property
    def people(self) -> list[str]:
        """The assessors who judge or are to judge."""
        return list(self.work)

    def labels(self, name: str) -> Mapping[Pair, Event]:
        """The current labels of an assessor, without adjudications, which were made with others' labels in sight."""
        return self._labels.get(name, {})

    @cached_property
    def _labels(self) -> dict[str, dict[Pair, Event]]:
        return {
            name: {pair: e for pair, e in events.items() if e.kind in JUDGED and not is_adjudication(e)}
            for name, events in self.standing.items()
        }

    def decisions(self, name: str, qid: str | None = None) -> list[Event]:
        """The decisions of an assessor for which the time is known."""
        events = self.standing.get(name, {}).values()
        final = [event for event in events if event.kind != "later" and not is_adjudication(event)]
        return [event for event in final if event.seconds is not None and qid in (None, event.qid)]

    def paced_decisions(self, name: str, qid: str | None = None) -> list[Event]:
        """The same without very fast ones, which say nothing of a pace."""
        return [event for event in self.decisions(name, qid) if not is_very_fast(event.seconds, event.fast)]

    def repeats_left(self, name: str) -> int:
        """The second showings that an assessor has left."""
        done = self.standing.get(name + REPEAT, {})
        work = self.repeats.get(name, {})
        open_pairs = [(qid, docno) for qid in work for docno in work[qid] if (qid, docno) not in done]
        return len(open_pairs) + sum(done[pair].kind == "later" for pair in pairs_of(work) if pair in done)


def progress_of(store: Store, number: int | None = None) -> Progress:
    """The state of the work in a store: of what is assigned, else of the newest pool; or of one pool only."""
    scope = _selected_scope(store)
    kinds, planned, pool = (
        assessors(store),
        has_assignments(store),
        scope.restrict_work(pooled_documents_by_topic(store, number)),
    )
    pairs = None if number is None else pairs_of(pool)
    standing = _standing(store, pairs, scope)
    people = [name for name, kind in kinds.items() if kind == "human"]
    others = {
        name: _restrict_work(pool, {pair for pair, event in standing.get(name, {}).items() if event.kind in JUDGED})
        for name, kind in kinds.items()
        if kind in OTHERS
    }
    own = {name: scope.restrict_work(_work(store, name, number)) for name in people} if planned else {}
    assigned = {**own, QUEUE: scope.restrict_work(waiting(store, number))} if planned else {}
    work = {name: part for name, whole in assigned.items() if (part := _restrict_work(whole, pairs))}
    more = _topics_begun(_unassigned_work(store, pool), people, standing, others, NOBODY if planned else QUEUE)
    work = {name: {**work.get(name, {}), **more.get(name, {})} for name in dict.fromkeys([*work, *more])}
    twice = repeats_by_assessor(store, own)
    overlap, least = (
        frozenset(pairs_of(scope.restrict_work(documents_drawn_for(store, "overlap")))),
        store.collection.min_relevant,
    )
    others = {name: done for name in others if (done := _restrict_work(pool, standing.get(name, {}).keys()))}
    to_come = _remaining_budgets(store, work, number)
    state = Progress(
        standing,
        work,
        twice,
        overlap=overlap,
        planned=planned,
        min_relevant=least,
        to_come=to_come,
        times={},
        length={},
        others=others,
        kinds=kinds,
    )
    length = cache(lambda docno: len(store.document(docno).text))
    times = {name: [LabelTime(e.seconds or 0.0, length(e.docno)) for e in _last(state, name)] for name in work}
    return replace(
        state, times=times, length={name: mean_length(length, _undecided_docnos(state, name)) for name in work}
    )


class _Scope(NamedTuple):
    """The topics that are asked for, None for all, and the names that documents have now; None: it is withdrawn."""

    qids: Set[str] | None
    names: Mapping[str, str | None]

    def restrict_work(self, work: Work) -> Work:
        """What of some work is asked for, each document once."""
        return {
            qid: list(dict.fromkeys(filter(None, (self.names.get(docno, docno) for docno in docnos))))
            for qid, docnos in work.items()
            if self.qids is None or qid in self.qids
        }


def _selected_scope(store: Store) -> _Scope:
    return _Scope(topics_that_count(store), present_name_by_docno(store))


def _standing(store: Store, pairs: Set[Pair] | None, scope: _Scope) -> dict[str, dict[Pair, Event]]:
    standing: dict[str, dict[Pair, Event]] = {}
    labels = withdrawal_and_round_filter(store).labels
    those = {row for (row,) in store.rows(f"SELECT e.id FROM judgment_event e WHERE {labels or 'true'}")}
    for event in read_events(store, view="current_judgment"):
        docno = scope.names.get(event.docno, event.docno)
        if docno is None or event.id not in those or (scope.qids is not None and event.qid not in scope.qids):
            continue
        own, pair = standing.setdefault(event.assessor, {}), (event.qid, docno)
        if (pairs is None or pair in pairs) and (pair not in own or docno == event.docno):
            own[pair] = event._replace(docno=docno)
    return standing


def _restrict_work(work: Work, pairs: Set[Pair] | None) -> Work:
    part = {qid: [d for d in docnos if pairs is None or (qid, d) in pairs] for qid, docnos in work.items()}
    return {qid: docnos for qid, docnos in part.items() if docnos}


def _last(progress: Progress, name: str) -> list[Event]:
    return sorted(progress.paced_decisions(name), key=lambda event: event.id or 0)[-LAST:]


def _undecided_docnos(progress: Progress, name: str) -> list[str]:
    """The documents that an assessor has left."""
    own = progress.standing.get(name, {})
    return [docno for qid, docnos in progress.work[name].items() for docno in docnos if (qid, docno) not in own]


def _remaining_budgets(store: Store, work: Mapping[str, Work], number: int | None) -> dict[str, dict[str, int]]:
    """What the budgets of open pools leave, of one pool or of all, by the assessor who takes the topic further."""
    if not open_pools.numbers_of_pools_built_in_batches(store):
        return {}
    from cranfield.judging.session.adaptive import remaining_documents_by_topic

    first = {assignment.qid: assignment for assignment in assignments(store) if assignment.role == "first"}
    rest = cache(lambda pool: remaining_documents_by_topic(store, pool_record(store, pool)))

    def remaining_labels(name: str, qid: str) -> int:
        assignment, pool = first.get(qid), number
        if assignment:
            if (assignment.assessor or QUEUE) != name or number not in (None, assignment.pool):
                return 0
            pool = assignment.pool
        return int(rest(pool).get(qid, 0))

    return {name: {qid: remaining_labels(name, qid) for qid in own} for name, own in work.items()}


def _work(store: Store, name: str, number: int | None) -> Work:
    return work_under_all_names(store, name) if number is None else all_work_in_pool(store, name, number)


def _unassigned_work(store: Store, pool: Work) -> Work:
    qids = {one.qid for one in assignments(store)}
    return {qid: docnos for qid, docnos in pool.items() if qid not in qids}


def _topics_begun(
    pool: Work, people: Iterable[str], standing: Standing, others: Mapping[str, Work], rest: str
) -> dict[str, Work]:
    """Without assignments the topics an assessor has begun are theirs; in the others, what nobody labelled waits."""
    own = {name: [e for e in standing.get(name, {}).values() if not is_adjudication(e)] for name in people}
    own_qids = {name: {event.qid for event in decisions} for name, decisions in own.items()}
    work = {name: {qid: pool[qid] for qid in pool if qid in own_qids[name]} for name in own_qids}
    pairs = {pair for labelled in others.values() for pair in pairs_of(labelled)}
    unbegun = {qid: docnos for qid, docnos in pool.items() if not any(qid in qids for qids in own_qids.values())}
    work[rest] = _restrict_work(unbegun, pairs_of(unbegun) - pairs)
    return {name: own for name, own in work.items() if own}


def pool_progress_row(store: Store, number: int | None = None) -> dict[str, Any]:
    """How much of a pool, by default the newest, people labelled, only models labelled, and nobody labelled."""
    pool, scope = pool_record(store, number or newest_pool_to_judge(store)), _selected_scope(store)
    pairs = pairs_of(scope.restrict_work(pooled_documents_by_topic(store, pool.number)))
    require_selected_documents(store, pool, pairs)
    labels = labels_by_recorded_choice(store)
    labelled, by_models = judged_pairs(labels.qrels), judged_pairs(labels.qrels.rows(labels.by_model))
    imports = {number for (number,) in store.rows("SELECT id FROM judgment_event WHERE kind = 'import'")}
    is_imported = np.array([event in imports for event in labels.event.tolist()], bool) & ~labels.by_model
    return {
        "pool": pool.number,
        "method": pool.shown_method,
        "documents": len(pairs),
        "people": len(pairs & labelled - by_models),
        "imported": len(pairs & judged_pairs(labels.qrels.rows(is_imported))),
        "models": len(pairs & by_models),
        "unlabelled": len(pairs - labelled),
    }


def pool_progress_line(row: Mapping[str, Any]) -> str:
    """The same in one line.

    >>> row = {"pool": 1, "method": "depth", "documents": 9, "people": 2, "models": 4, "unlabelled": 3}
    >>> pool_progress_line({**row, "imported": 0})
    'pool 1: depth, 9 documents; 2 labelled by people, 4 only by models, 3 by nobody'
    >>> pool_progress_line({**row, "imported": 1})
    'pool 1: depth, 9 documents; 2 labelled by people (1 label is imported), 4 only by models, 3 by nobody'
    """
    n_imported = row["imported"]
    are = "is" if n_imported == 1 else "are"
    imported = f" ({text.counted(n_imported, 'label')} {are} imported)" if n_imported else ""
    return (
        f"pool {row['pool']}: {row['method']}, {text.counted(row['documents'], 'document')};"
        f" {row['people']} labelled by people{imported}, {row['models']} only by models, {row['unlabelled']} by nobody"
    )


def imported_labels_note(row: Mapping[str, Any], *, is_assigned: bool) -> str:
    """The note that imported labels are not an assessor's work; empty without such labels or assignments.

    >>> imported_labels_note({"imported": 1}, is_assigned=True)
    '1 document in the pool has an imported label; "given" and "left" count only labels by the assigned assessors'
    """
    if not row["imported"] or not is_assigned:
        return ""
    documents = f"{text.counted(row['imported'], 'document')} in the pool {'has' if row['imported'] == 1 else 'have'}"
    label = "an imported label" if row["imported"] == 1 else "imported labels"
    return f'{documents} {label}; "given" and "left" count only labels by the assigned assessors'
