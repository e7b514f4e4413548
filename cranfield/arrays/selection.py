"""Which rows of runs and judgments count: topics, documents and pairs that are left out, and names that changed."""

from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays.left_out import noted
from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs

PAIR = 1 << 32  # above every document: a pair is topic * PAIR + document


@dataclass(frozen=True, eq=False)
class Selection:
    """What counts, over the numbers of topics and documents of some runs and judgments.

    `topics` is a mask of the topics that count. `document` is the number by which each document goes now, -1 for one
    that is left out. `earlier` are the pairs judged before, as `pair_keys` gives them. A ranking
    ends at `most`. What is None changes nothing.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs, qrels = as_runs({"q": {"old": 3.0, "gone": 2.0, "new": 1.0}}), as_qrels({"q": {"old": 1}})
    >>> number = {name: at for at, name in enumerate(runs.docnos.names)}
    >>> document = np.array([number["new"] if name == "old" else number[name] for name in number])
    >>> document[number["gone"]] = -1
    >>> kept = Selection(document=document).of_runs(runs)
    >>> kept.docnos.names[kept.document].tolist(), kept.score
    (['new'], array([3.]))
    """

    topics: Mask | None = None
    document: Ints | None = None
    earlier: Ints | None = None
    most: int | None = None

    @property
    def changes_nothing(self) -> bool:
        """Whether all counts as it is."""
        return self.topics is None and self.document is None and self.earlier is None and self.most is None

    def of_runs(self, runs: Runs) -> Runs:
        """The rows that count; how many were judged earlier is noted for each run."""
        if self.changes_nothing:
            return runs
        if self.topics is not None:
            runs = runs.rows(self.topics[runs.topic])
        if self.document is not None:
            runs = _first_of_each(replace(runs, document=self.document[runs.document]))
        if self.earlier is not None:
            known = self._known(runs.topic, runs.document)
            number = np.bincount(runs.run[known], minlength=len(runs.tags))
            noted().rows.update(zip(runs.tags, number.tolist(), strict=True))
            runs = runs.rows(~known)
        return runs if self.most is None else runs.rows(runs.rank <= self.most)

    def rows_of(self, qrels: Qrels) -> Ints:
        """Which judgments count, by topic and document; of two of one document now, the one by its present name."""
        now = qrels.document if self.document is None else self.document[qrels.document]
        counts = now >= 0
        if self.topics is not None:
            counts &= self.topics[qrels.topic]
        if self.earlier is not None:
            counts &= ~self._known(qrels.topic, now)
        rows = np.flatnonzero(counts)
        order = rows[np.lexsort((now[rows] != qrels.document[rows], now[rows], qrels.topic[rows]))]
        return order[_first(qrels.topic[order], now[order])]

    def of_qrels(self, qrels: Qrels) -> Qrels:
        """These judgments, by the present names of their documents."""
        kept = qrels.rows(self.rows_of(qrels))
        return kept if self.document is None else replace(kept, document=self.document[kept.document])

    def _known(self, topic: Ints, document: Ints) -> Mask:
        keys = np.zeros(0, np.int64) if self.earlier is None else self.earlier
        known: Mask = np.isin(topic * PAIR + document, keys)
        return known


def pair_keys(topic: Ints, document: Ints) -> Ints:
    """Pairs as Selection has them.

    >>> pair_keys(np.array([1, 0]), np.array([0, 5])).tolist()
    [5, 4294967296]
    """
    return np.unique(topic * PAIR + document)


def _first_of_each(runs: Runs) -> Runs:
    """Without documents that are left out, and without the second of two that go by one name now."""
    runs = runs.rows(runs.document >= 0)
    order = np.lexsort((runs.rank, runs.document, runs.groups))
    return runs.rows(np.sort(order[_first(runs.groups[order], runs.document[order])]))


def _first(topic: Ints, document: Ints) -> Mask:
    """Of sorted pairs, the first of each."""
    first: Mask = (np.diff(topic, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0)
    return first
