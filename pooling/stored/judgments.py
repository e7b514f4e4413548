"""The judgments of a store, and which of them are new to an adaptive pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.pooling.adaptive import Known
from cranfield.pooling.candidates import Candidates
from cranfield.store.chain import Event
from cranfield.store.log import events
from cranfield.store.open_pools import Step, heard
from cranfield.store.pools import Pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store


def judgments(store: Store) -> dict[str, dict[str, bool]]:
    """Whether each judged document is relevant, by topic."""
    qrels, least = qrels_of(store), store.collection.min_relevant
    found: dict[str, dict[str, bool]] = {}
    for qid, docno, grade in zip(
        qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True
    ):
        found.setdefault(qid, {})[docno] = grade >= least
    return found


def settled_pairs(store: Store) -> set[tuple[str, str]]:
    """The pairs that need no judgment: labelled, or marked as impossible to judge."""
    standing: list[Event] = events(store, view="current_judgment")
    return {(event.qid, event.docno) for event in standing if event.kind != "later"}


def news(
    store: Store, before: Pool | None, topics: Sequence[Candidates], judged: Known
) -> dict[str, dict[str, bool | None]]:
    """What a pool has not learned yet: judgments of its topics' documents that are new, or other than they were."""
    last = heard(store, before.number, [topic.qid for topic in topics]) if before else {}
    return {topic.qid: _changed(topic, last.get(topic.qid, {}), judged.get(topic.qid, {})) for topic in topics}


def _changed(topic: Candidates, last: Mapping[str, bool], now: Mapping[str, bool]) -> dict[str, bool | None]:
    docnos = {*last, *(docno for docno in now if docno in topic.numbers)}
    return {docno: now.get(docno) for docno in sorted(docnos) if now.get(docno) != last.get(docno)}


def with_news(steps: Sequence[Step], news: Mapping[str, Mapping[str, bool | None]]) -> list[Step]:
    """These steps, the first of them with what was new then; none where there are none."""
    if not steps:
        return []
    first = {step.qid: step for step in steps if step.number == 1}
    for qid, changed in news.items():
        if changed:
            first[qid] = first.get(qid, Step(1, qid, None))._replace(heard=changed)
    return [*first.values(), *(step for step in steps if step.number > 1)]
