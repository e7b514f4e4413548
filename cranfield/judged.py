"""The one place where runs meet judgments.

`judge` joins Runs and Qrels into Judged: the judged positions of every ranking, which is all that a measure ever sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from cranfield.rankings import Floats, Ints, Mask, Qrels, Runs, Subtopics, Vocabulary

TABLE_SIZE = 1 << 26  # up to which judgments are looked up in a table of topics x documents


@dataclass(frozen=True, eq=False)
class Hits:
    """Some rows of Judged: the ranking of each, its rank from 1, its grade, and that it is the nth of its ranking."""

    ranking: Ints
    rank: Ints
    grade: Ints
    nth: Ints


@dataclass(frozen=True, eq=False)
class Judged:
    """The judged positions of a batch of rankings, one ranking for every (run, topic of the qrels).

    Rows ascend by ranking, then rank. Ranking number = run * len(qids) + topic, so that an array over
    rankings reshapes to (runs, topics). A topic that a run did not answer is an empty ranking.
    A negative grade counts as unjudged, as in trec_eval.
    """

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    ranking: Ints  # per row
    rank: Ints  # per row, from 1
    grade: Ints  # per row
    judgment: Ints  # per row: which judgment, a row of the `qrels_...` columns
    retrieved: Ints  # per ranking: how many documents it retrieved, judged or not
    qrels_topic: Ints  # per judgment, ascending
    qrels_grade: Ints  # per judgment
    qrels_row: Ints  # per judgment: its row in the Qrels it came from
    highest_grade: int  # of the collection, 0 if there is none; leaving judgments out does not change it
    qrels_stratum: Ints | None = None  # per judgment, where the judged documents were sampled
    subtopics: Subtopics | None = None  # where subtopics were judged

    @property
    def shape(self) -> tuple[int, int]:
        """(runs, topics)."""
        return len(self.tags), len(self.qids)

    @cached_property
    def topic(self) -> Ints:
        """The topic of each ranking."""
        return np.tile(np.arange(len(self.qids)), len(self.tags))

    def hits(self, keep: Mask) -> Hits:
        """The rows where `keep` holds, numbered within each ranking."""
        ranking = self.ranking[keep]
        return Hits(ranking, self.rank[keep], self.grade[keep], _numbered(ranking))

    def relevant(self, rel: int = 1, cutoff: int | None = None) -> Hits:
        """The retrieved documents of at least grade `rel` (never a negative one), at ranks up to `cutoff`."""
        return self.hits((self.grade >= max(rel, 0)) & self.within(cutoff))

    def judged(self, cutoff: int | None = None) -> Hits:
        """The retrieved documents that were judged, at ranks up to `cutoff`."""
        return self.hits((self.grade >= 0) & self.within(cutoff))

    def within(self, cutoff: int | None) -> Mask:
        """Per row: is its rank within the cutoff? None is no cutoff."""
        return np.ones(len(self.rank), bool) if cutoff is None else self.rank <= cutoff

    def sum(self, hits: Hits, values: ArrayLike = 1.0) -> Floats:
        """Per ranking: the sum of `values` over its hits."""
        weights = np.broadcast_to(np.asarray(values, float), hits.ranking.shape)
        return np.bincount(hits.ranking, weights, minlength=len(self.retrieved)).astype(float, copy=False)

    def running(self, keep: Mask) -> Ints:
        """Per row: how many rows with `keep` its ranking has up to and with this one."""
        total = np.cumsum(keep)
        start = np.arange(len(self.ranking)) - _numbered(self.ranking) + 1
        return np.asarray(total - total[start] + keep[start])

    def count(self, keep: Mask) -> Ints:
        """Per ranking: how many judgments of its topic `keep` (a mask over judgments) holds for."""
        return np.bincount(self.qrels_topic[keep], minlength=len(self.qids))[self.topic]

    def num_relevant(self, rel: int = 1) -> Ints:
        """Per ranking: the documents of at least grade `rel` that its topic has."""
        return self.count(self.qrels_grade >= max(rel, 0))

    def num_nonrelevant(self, rel: int = 1) -> Ints:
        """Per ranking: the documents judged below grade `rel` that its topic has."""
        return self.count((self.qrels_grade >= 0) & (self.qrels_grade < rel))

    def ideal(self) -> Judged:
        """The best ranking of each topic: all its judged documents by descending grade, as a batch of one run."""
        order = np.lexsort((-self.qrels_grade, self.qrels_topic))
        topic = self.qrels_topic[order]
        sizes = np.bincount(topic, minlength=len(self.qids))
        return replace(
            self, tags=("ideal",), ranking=topic, rank=_numbered(topic), grade=self.qrels_grade[order],
            judgment=order, retrieved=sizes,
        )  # fmt: skip

    def condensed(self) -> Judged:
        """The rankings without what nobody judged: ranks close up. What there was to find stays.

        >>> from cranfield.metrics.examples import example
        >>> example([None, 2, -1, 0], unretrieved=[1]).condensed().rank
        array([1, 2])
        """
        kept = self.grade >= 0
        ranking = self.ranking[kept]
        return replace(
            self, ranking=ranking, rank=_numbered(ranking), grade=self.grade[kept], judgment=self.judgment[kept],
            retrieved=np.bincount(ranking, minlength=len(self.retrieved)),
        )  # fmt: skip

    def of_topics(self, per_topic: Floats) -> Floats:
        """One value a topic, spread to every ranking."""
        return per_topic[self.topic]

    def at(self, topics: Ints) -> Judged:
        """The same runs on fewer topics, given by ascending number."""
        renumbered = np.full(len(self.qids), -1)
        renumbered[topics] = np.arange(len(topics))
        fewer = self.only(renumbered[self.qrels_topic] >= 0)
        return replace(
            fewer, qids=tuple(self.qids[topic] for topic in topics), qrels_topic=renumbered[fewer.qrels_topic],
            ranking=fewer.ranking // len(self.qids) * len(topics) + renumbered[fewer.qrels_topic[fewer.judgment]],
            retrieved=self.retrieved.reshape(self.shape)[:, topics].ravel(),
        )  # fmt: skip

    def only(self, keep: Mask) -> Judged:
        """The same rankings under fewer judgments: those where `keep` (a mask over judgments) holds.

        What is left out becomes unjudged; the ranks stay. A topic left without judgments stays, with none.
        """
        renumbered = np.cumsum(keep) - 1
        rows = keep[self.judgment]
        return replace(
            self, ranking=self.ranking[rows], rank=self.rank[rows], grade=self.grade[rows],
            judgment=renumbered[self.judgment[rows]], qrels_topic=self.qrels_topic[keep],
            qrels_grade=self.qrels_grade[keep], qrels_row=self.qrels_row[keep],
            qrels_stratum=None if self.qrels_stratum is None else self.qrels_stratum[keep],
            subtopics=self.subtopics and self.subtopics.of(keep, len(keep)),
        )  # fmt: skip


def _numbered(groups: Ints) -> Ints:
    """1, 2, 3, ... within each stretch of equal values."""
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    return np.asarray(np.arange(len(groups)) - np.repeat(starts, np.diff(starts, append=len(groups))) + 1)


def ratio(numerator: ArrayLike, denominator: ArrayLike, undefined: float = 0.0) -> Floats:
    """The quotient, and `undefined` where the denominator is 0.

    >>> ratio([1, 1], [2, 0])
    array([0.5, 0. ])
    """
    top, bottom = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    return np.asarray(np.divide(top, bottom, out=np.full(top.shape, undefined), where=bottom != 0))


def judge(runs: Runs, qrels: Qrels) -> Judged:
    """Where runs meet judgments: the judged positions of every ranking.

    Topics are the qrels' own, in byte order of their ids; documents nobody judged only count in `retrieved`.
    """
    qids = qrels.qids
    wanted = Vocabulary(qids)
    qrels_topic = qrels.topics.translate(qrels.topic, wanted)
    qrels_row = np.lexsort((qrels.document, qrels_topic))
    qrels_topic, qrels_document = qrels_topic[qrels_row], qrels.document[qrels_row]
    documents, qrels_document = np.unique(qrels_document, return_inverse=True)
    judgment_of = _places(qrels_topic * len(documents) + qrels_document, len(qids) * len(documents))

    lengths = np.diff(runs.starts, append=len(runs))
    topic = runs.topics.translate(runs.topic[runs.starts], wanted)  # per ranking of the runs
    ranking = runs.run[runs.starts] * len(qids) + topic
    retrieved = np.zeros(len(runs.tags) * len(qids), np.int64)
    retrieved[ranking[topic >= 0]] = lengths[topic >= 0]

    document = runs.docnos.translate_among(runs.document, qrels.docnos, documents)
    of = np.repeat(np.where(topic >= 0, np.arange(len(topic)), -1), lengths)  # per row: its ranking of the runs
    rows = np.flatnonzero((document >= 0) & (of >= 0))
    judgment = judgment_of(topic[of[rows]] * len(documents) + document[rows])
    rows, judgment = rows[judgment >= 0], judgment[judgment >= 0]
    of = of[rows]
    order = np.argsort(ranking[of], kind="stable") if np.any(np.diff(ranking[topic >= 0]) < 0) else slice(None)
    rows, of, judgment = rows[order], of[order], judgment[order]
    return Judged(
        tuple(runs.tags), tuple(qids), ranking[of], rows - runs.starts[of] + 1,
        qrels.grade[qrels_row][judgment], judgment, retrieved,
        qrels_topic, qrels.grade[qrels_row], qrels_row, int(qrels.grade.max(initial=0)),
        None if qrels.stratum is None else np.unique(qrels.stratum, return_inverse=True)[1][qrels_row],
        qrels.subtopics and qrels.subtopics.of(qrels_row, len(qrels)),
    )  # fmt: skip


def _places(keys: Ints, size: int) -> Callable[[Ints], Ints]:
    """A function that gives the place of each of its keys among ascending `keys`, all below `size`; -1 for none.

    >>> for size in (10, 10 * TABLE_SIZE):
    ...     print(_places(np.array([2, 5]), size)(np.array([5, 3, 9])))
    [ 1 -1 -1]
    [ 1 -1 -1]
    """
    if size > TABLE_SIZE:
        return lambda wanted: _found(keys, wanted)
    table = np.full(size, -1)
    table[keys] = np.arange(len(keys))
    return lambda wanted: table[wanted]


def _found(keys: Ints, wanted: Ints) -> Ints:
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, at, -1)
