"""Qrels from the judgment log, with a count of everything that is not in them."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

import numpy as np

from cranfield.formats import write_qrels
from cranfield.holdings import Pool, stored_pool
from cranfield.log import Event, events, qrels_of
from cranfield.rankings import Qrels
from cranfield.store import Store

from .ledger import Pair, pair_of


class Exported(NamedTuple):
    """What was written and, of the pairs of the newest pool, what was not."""

    labels: int
    unsure: int  # of the labels: how many are marked so
    outside: int  # of the labels: how many are of pairs that are not in the pool
    pooled: int
    cannot_judge: int
    later: int
    unlabelled: int  # nobody said anything

    def __str__(self) -> str:
        """One line that leaves nothing out.

        >>> print(Exported(2, 1, 0, 5, 1, 0, 2))
        2 labels written (1 unsure, 0 outside the pool); of 5 pooled pairs 1 cannot be judged, 0 later, 2 unlabelled
        """
        return (
            f"{self.labels} labels written ({self.unsure} unsure, {self.outside} outside the pool); of {self.pooled}"
            f" pooled pairs {self.cannot_judge} cannot be judged, {self.later} later, {self.unlabelled} unlabelled"
        )


def export_qrels(store: Store, path: str | PathLike[str], assessor: str | None = None) -> Exported:
    """Write the qrels of a store, or one assessor's current labels, as TREC qrels sorted by topic and document.

    A pair without a label is left out, never written as 0; what was left out is counted. Where one assessor put a pair
    off and another could not judge it, it counts as the latter.
    """
    qrels = _sorted(qrels_of(store, assessor))
    write_qrels(path, qrels)
    return _summary(_pairs(qrels), _pooled(store), events(store, assessor, "current_judgment"))


def _sorted(qrels: Qrels) -> Qrels:
    """In byte order of qid, then docno."""
    order = sorted(range(len(qrels)), key=_pairs(qrels).__getitem__)
    return qrels.rows(np.array(order, np.int64))


def _pairs(qrels: Qrels) -> list[Pair]:
    topics, documents = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    return list(zip(topics.tolist(), documents.tolist(), strict=True))


def _pooled(store: Store) -> set[Pair]:
    """The pairs of the newest pool; none where there is no pool."""
    pool: Pool | None = stored_pool(store) if store.counts()["pool"] else None
    return {(document.qid, document.docno) for document in pool.documents} if pool else set()


def _summary(labelled: list[Pair], pooled: set[Pair], standing: list[Event]) -> Exported:
    written = set(labelled)
    missing = pooled - written
    unsure = {pair_of(event) for event in standing if event.unsure} & written
    cannot = {pair_of(event) for event in standing if event.kind == "cannot-judge"} & missing
    later = {pair_of(event) for event in standing if event.kind == "later"} & missing - cannot
    return Exported(
        labels=len(written),
        unsure=len(unsure),
        outside=len(written - pooled),
        pooled=len(pooled),
        cannot_judge=len(cannot),
        later=len(later),
        unlabelled=len(missing - cannot - later),
    )
