"""What is asked of the runs of the round that is open: its topics, its documents, and what was judged before it."""

import json
from collections.abc import Collection, Iterator
from functools import partial
from typing import Literal

import numpy as np

from cranfield.features.tasks.checking import Pair, RunRules
from cranfield.features.tasks.store import task_of
from cranfield.formats import Document, Topic
from cranfield.store.labels import current_labels
from cranfield.store.rounds import Round, round_condition, rounds, topics_of
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_document_numbers


def rules_of(store: Store, team: str, tag: str = "") -> RunRules:
    """What is asked of a run of a team: the topics and documents of the round that is open."""
    task, one = task_of(store), rounds(store)[-1]
    missing: Literal["error", "warn"] = "warn" if task.missing == "warn" else "error"
    topics = [topic.qid for topic in round_topics(store)]
    unknown = partial(_unknown, store, one) if store.has("document") or one.documents is not None else None
    return RunRules(
        topics=topics,
        unknown=unknown,
        tag=tag,
        team=team,
        most=task.documents,
        missing=missing,
        judged=_judged(store, one),
    )


def round_topics(store: Store) -> list[Topic]:
    """The topics of the round that is open."""
    numbers = [number for (number,) in store.rows("SELECT id FROM topic WHERE removed = 0 ORDER BY id")]
    counts = topics_of(store, rounds(store)[-1])[np.array(numbers, int) - 1]
    return [topic for topic, here in zip(store.topics(), counts, strict=True) if here]


def _unknown(store: Store, one: Round, docnos: Collection[str]) -> Collection[str]:
    """Those of some docnos that are none of the corpus or, where a round has its own documents, of those."""
    if one.documents is not None:
        names = sorted(docnos)
        here = np.isin(np.array(store.numbers("document", "docno", names)), one.documents)
        return [docno for docno, is_here in zip(names, here, strict=True) if not is_here]
    rows = store.rows(
        f"SELECT value FROM json_each(?) WHERE NOT EXISTS ({_query_for_present(store)})", [json.dumps(sorted(docnos))]
    )
    return [docno for (docno,) in rows]


def _query_for_present(store: Store) -> str:
    """SQL for a document by its present name, whose text may have come under an earlier one."""
    of_other_name = f"o.document = d.id AND {store.has_text('x')}"
    other = f"SELECT 1 FROM other_name o JOIN document x ON x.id = o.other WHERE {of_other_name}"
    return (
        "SELECT 1 FROM document d WHERE d.docno = value AND d.removed = 0 AND d.id NOT IN (SELECT old FROM renamed)"
        f" AND ({store.has_text('d')} OR EXISTS ({other}))"
    )


def round_documents(store: Store) -> Iterator[Document]:
    """The documents of the round that is open, its own or all, by their present names; without those withdrawn."""
    own, present = rounds(store)[-1].documents, _present_docnos(store)
    gone = {docno for (docno,) in store.rows("SELECT docno FROM document WHERE removed <> 0")}
    again = f"SELECT docno FROM document WHERE {store.has_text()} AND id IN (SELECT new FROM renamed)"
    texts = {docno for (docno,) in store.rows(again)}  # that came under the present name as well
    names = None if own is None else {*store.names_by_number("document", "docno", own.tolist()).values()}
    for document in store.documents():
        docno = present.get(document.docno, document.docno)
        if gone & {docno, document.docno} or (docno != document.docno and docno in texts):
            continue
        if names is None or docno in names:
            yield document._replace(docno=docno)


def _present_docnos(store: Store) -> dict[str, str]:
    """By each earlier name of a document the present one."""
    now = present_document_numbers(store)
    if now is None:
        return {}
    old = np.flatnonzero(now != np.arange(len(now)))
    names = store.names_by_number("document", "docno", [*(old + 1).tolist(), *(now[old] + 1).tolist()])
    return {names[one + 1]: names[int(now[one]) + 1] for one in old.tolist()}


def _judged(store: Store, one: Round) -> frozenset[Pair]:
    """The pairs that were judged in an earlier round, documents by their present names."""
    if one.number == 1:
        return frozenset()
    qrels, now = (
        current_labels(store, round_condition(store, 1, one.number - 1)).qrels,
        present_document_numbers(store, one.number),
    )
    documents = qrels.document if now is None else now[qrels.document]
    pairs = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[documents], strict=True)
    return frozenset((qid.encode(), docno.encode()) for qid, docno in pairs)
