"""Runs and judgments in memory: sorted columns of integers over vocabularies of names.

The canonical order of a ranking is trec_eval's: score descending, ties by docno descending in byte
order; the rank column of a run file is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Names = NDArray[np.object_]


class Vocabulary:
    """Names and their integers; names kept elsewhere are loaded when first asked for.

    >>> docnos = Vocabulary(["d1", "d2", "d9"])
    >>> docnos.codes(["d9", "d5"])
    array([ 2, -1])
    >>> Vocabulary(lambda: ["a", "b"]).names.tolist()
    ['a', 'b']
    """

    def __init__(self, names: Sequence[str] | Names | Callable[[], Sequence[str] | Names]) -> None:
        self._names = names

    @cached_property
    def names(self) -> Names:
        """The names, in the order of their integers."""
        names = self._names() if callable(self._names) else self._names
        return np.asarray(names, dtype=object)

    def codes(self, names: Sequence[str] | Names) -> Ints:
        """The integer of each name, -1 for a name that is not here."""
        import pandas as pd

        return np.asarray(pd.Index(self.names).get_indexer(pd.Index(np.asarray(names, dtype=object))), dtype=np.int64)

    def translate(self, codes: Ints, target: Vocabulary) -> Ints:
        """The same names as integers of `target`, -1 where it has none; nothing is loaded if it is the same."""
        return codes if self is target else target.codes(self.names)[codes]


@dataclass(frozen=True, eq=False)
class Runs:
    """Many runs: one row per retrieved document, in canonical order within each (run, topic).

    `run`, `topic`, `document` are integers into `tags`, `topics`, `docnos`; rows are grouped by run, then topic.
    """

    tags: tuple[str, ...]
    topics: Vocabulary
    docnos: Vocabulary
    run: Ints
    topic: Ints
    document: Ints
    score: Floats

    def __len__(self) -> int:
        return len(self.run)

    @cached_property
    def starts(self) -> Ints:
        """The row at which each ranking starts."""
        if not len(self):
            return np.zeros(0, np.int64)
        changed = (np.diff(self.run) != 0) | (np.diff(self.topic) != 0)
        return np.concatenate([[0], np.flatnonzero(changed) + 1])

    @cached_property
    def rank(self) -> Ints:
        """The rank of each row, from 1."""
        lengths = np.diff(self.starts, append=len(self))
        return np.arange(len(self)) - np.repeat(self.starts, lengths) + 1

    def rows(self, keep: Mask | Ints) -> Runs:
        """The same runs with only these rows."""
        return replace(
            self, run=self.run[keep], topic=self.topic[keep], document=self.document[keep], score=self.score[keep]
        )

    def select(self, tags: Sequence[str]) -> Runs:
        """Only these runs, in the order they are here."""
        wanted = np.isin(np.asarray(self.tags, dtype=object), np.asarray(list(tags), dtype=object))
        renumbered = np.cumsum(wanted) - 1
        kept = self.rows(wanted[self.run])
        return replace(kept, tags=tuple(np.asarray(self.tags, dtype=object)[wanted]), run=renumbered[kept.run])


def canonical(
    tags: Sequence[str], topics: Vocabulary, docnos: Vocabulary, run: Ints, topic: Ints, document: Ints, score: Floats
) -> Runs:
    """Runs with their rows sorted into canonical order.

    >>> docnos = Vocabulary(["d1", "d10", "d9"])
    >>> rows = np.zeros(3, np.int64)
    >>> runs = canonical(["r"], Vocabulary(["q"]), docnos, rows, rows, np.arange(3), np.array([.5, 1., 1.]))
    >>> [docnos.names[d] for d in runs.document]
    ['d9', 'd10', 'd1']
    """
    runs = Runs(tuple(tags), topics, docnos, run, topic, document, score)
    if _in_order(runs):
        return runs
    order = np.argsort(docnos.names, kind="stable")
    byte_order = np.empty(len(order), np.int64)
    byte_order[order] = np.arange(len(order))
    return runs.rows(np.lexsort((-byte_order[document], -score, topic, run)))


def _in_order(runs: Runs) -> bool:
    """Whether rows are grouped and strictly by descending score, so that no tie needs a look."""
    group = runs.run * (int(runs.topic.max(initial=0)) + 1) + runs.topic
    step = np.diff(group)
    return bool(np.all((step > 0) | ((step == 0) & (np.diff(runs.score) < 0))))


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments: one row per (topic, document), sorted by both; `iteration` is the qrels' second column, where kept."""

    topics: Vocabulary
    docnos: Vocabulary
    topic: Ints
    document: Ints
    grade: Ints
    iteration: Names | None = None

    def __len__(self) -> int:
        return len(self.topic)

    def rows(self, keep: Mask | Ints) -> Qrels:
        """The same judgments with only these rows."""
        iteration = None if self.iteration is None else self.iteration[keep]
        return replace(
            self, topic=self.topic[keep], document=self.document[keep], grade=self.grade[keep], iteration=iteration
        )

    @cached_property
    def judged_topics(self) -> Ints:
        """The topics that have a judgment, ascending."""
        return np.unique(self.topic)

    @property
    def sources(self) -> Names:
        """The second column of each judgment, empty where it was not kept."""
        return np.full(len(self), "", object) if self.iteration is None else self.iteration

    @property
    def qids(self) -> list[str]:
        """The ids of the topics that have a judgment, in byte order."""
        return sorted(self.topics.names[self.judged_topics].tolist())
