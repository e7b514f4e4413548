"""What many runs retrieved for one topic, as arrays: what pooling methods look at."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask, Names, Runs
from cranfield.errors import InputError


class Corpus(Protocol):
    """All documents that have a text, in byte order of docnos, and the topics that have one."""

    docnos: Names

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each document."""

    @property
    def qids(self) -> Sequence[str]:
        """The topics."""

    def knows(self, qid: str) -> bool:
        """Whether a word of the topic tells documents apart."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The documents that runs retrieved for a topic down to the considered depth; or, in a `corpus`, all of it.

    Documents are 0..n-1 in byte order of docnos, so that ties by docno descending are ties by integer descending. Runs
    are 0..S-1 in byte order of tags, whatever order they came in; `priority` is the place they came at. A run that did
    not answer the topic is there, with nothing retrieved. The columns `run`, `document`, `ranks`, `scores` hold one row
    per retrieved document; `rank` and `score` are the same as matrices, made when first asked for.
    """

    qid: str
    docnos: Names
    tags: tuple[str, ...]
    teams: tuple[str, ...]
    priority: Ints
    run: Ints
    document: Ints
    ranks: Ints
    scores: Floats
    corpus: Corpus | None = None
    budget: int | None = None  # of the topic, where all of a corpus are candidates

    def __len__(self) -> int:
        return len(self.docnos)

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """Runs x documents: the rank, 0 where a run did not retrieve a document within the considered depth."""
        matrix = np.zeros((len(self.tags), len(self)), np.int32)
        matrix[self.run, self.document] = self.ranks
        return matrix

    @cached_property
    def score(self) -> Floats:
        """Runs x documents: the score as submitted, nan where not retrieved."""
        matrix = np.full((len(self.tags), len(self)), np.nan)
        matrix[self.run, self.document] = self.scores
        return matrix

    @cached_property
    def retrieved(self) -> Mask:
        """Runs x documents: whether retrieved."""
        return self.rank > 0

    @cached_property
    def best(self) -> Ints:
        """The best rank of each document."""
        best = np.full(len(self), np.iinfo(np.int64).max)
        np.minimum.at(best, self.document, self.ranks)
        return best

    @cached_property
    def lengths(self) -> Ints:
        """How many documents each run retrieved."""
        return np.bincount(self.run, minlength=len(self.tags))

    @cached_property
    def lists(self) -> list[Ints]:
        """The documents of each run in rank order."""
        order = np.lexsort((self.ranks, self.run))
        return np.split(self.document[order], np.cumsum(self.lengths)[:-1])

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each document, by docno."""
        if self.corpus is not None and self.docnos is self.corpus.docnos:
            return self.corpus.numbers
        return {docno: number for number, docno in enumerate(self.docnos.tolist())}

    def total(self, values: Floats) -> Floats:
        """The sum over runs of a value per retrieved document.

        Summed from the smallest on, so that documents at the same ranks in other runs get the same sum to the last bit.
        """
        order = np.lexsort((values, self.document))
        return np.bincount(self.document[order], values[order], len(self)).astype(float)

    def contributors(self, document: int) -> tuple[str, ...]:
        """The runs that retrieved a document, in the order they came."""
        runs = self.run[slice(*np.searchsorted(self.document, [document, document + 1]))]
        return tuple(self.tags[run] for run in runs[np.argsort(self.priority[runs])])


def select_candidates(topics: Sequence[Candidates], qids: Collection[str] | None) -> list[Candidates]:
    """Those that a pool is of: all, unless it says which.

    >>> from cranfield.metrics.inputs import as_runs
    >>> several = candidates_by_topic(as_runs({"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}}))
    >>> [topic.qid for topic in select_candidates(several, ["2"])], len(select_candidates(several, None))
    (['2'], 2)
    """
    return [topic for topic in topics if qids is None or topic.qid in qids]


def candidates_by_topic(
    runs: Runs,
    depth: int | None = None,
    depths: Mapping[str, int | None] | None = None,
    teams: Mapping[str, str] | None = None,
) -> list[Candidates]:
    """What runs retrieved, topic by topic in byte order of qids; topics that no run answered are not there.

    Only the first `depth` documents of a ranking are considered, all by default; `depths` gives single runs a depth of
    their own. A run without a team is one.

    >>> from cranfield.metrics.inputs import as_runs
    >>> runs = as_runs({"b": {"q": {"d1": 3.0, "d9": 2.0}}, "a": {"q": {"d9": 0.5}}})
    >>> [topic] = candidates_by_topic(runs)
    >>> topic.tags, topic.docnos.tolist(), topic.rank.tolist()
    (('a', 'b'), ['d1', 'd9'], [[0, 1], [1, 2]])
    >>> candidates_by_topic(runs, 1)[0].contributors(1)
    ('a',)
    """
    tags = runs.tags
    twice = sorted({tag for tag in tags if tags.count(tag) > 1})
    if twice:
        raise InputError(f"duplicate run {twice[0]!r}; every run needs its own tag")
    limit = np.iinfo(np.int64).max if depth is None else depth
    own = np.array([(depths or {}).get(tag) or limit for tag in runs.tags], np.int64)
    considered = runs.rank <= own[runs.run]
    priority = np.array(sorted(range(len(tags)), key=tags.__getitem__), np.int64)
    run = np.argsort(priority)[runs.run[considered]]
    used, document = _docno_codes(runs, runs.document[considered])
    order = np.argsort((runs.topic[considered] * max(len(used), 1) + document) * max(len(tags), 1) + run, kind="stable")
    topic, document, run = runs.topic[considered][order], document[order], run[order]
    rank, score = runs.rank[considered][order], runs.score[considered][order]
    names = tuple(tags[run] for run in priority)
    of = tuple((teams or {}).get(tag, tag) for tag in names)
    bounds = np.flatnonzero(np.diff(topic, prepend=-1, append=-1))
    candidates = []
    for start, end in pairwise(bounds):
        part = slice(start, end)
        first = np.diff(document[part], prepend=-1) != 0
        docnos = used[document[part][first]]
        qid = runs.topics.names[topic[start]]
        columns = (run[part], np.cumsum(first) - 1, rank[part], score[part])
        candidates.append(Candidates(qid, docnos, names, of, priority, *columns))
    return sorted(candidates, key=lambda topic: topic.qid)


def drop_topic_runs(topic: Candidates, left_out: Mask) -> tuple[Candidates, Ints]:
    """A topic without some of the runs, and what number each of its documents had.

    >>> from cranfield.pooling.examples import example
    >>> rest, number = drop_topic_runs(example("a b c", "b d"), np.array([True, False]))
    >>> rest.tags, rest.docnos.tolist(), number, rest.rank.tolist()
    (('r2',), ['b', 'd'], array([1, 3]), [[1, 2]])
    """
    remain = ~left_out
    rows = remain[topic.run]
    number, document = np.arange(len(topic)), topic.document[rows]
    if topic.corpus is None:
        number, document = np.unique(document, return_inverse=True)
    tags, teams = (tuple(np.array(names, object)[remain]) for names in (topic.tags, topic.teams))
    rest = replace(
        topic,
        docnos=topic.docnos if topic.corpus is not None else topic.docnos[number],
        tags=tags,
        teams=teams,
        priority=np.argsort(np.argsort(topic.priority[remain])),
        run=(np.cumsum(remain) - 1)[topic.run[rows]],
        document=document,
        ranks=topic.ranks[rows],
        scores=topic.scores[rows],
    )
    return rest, number


def corpus_candidates(
    topics: Sequence[Candidates], corpus: Corpus, tags: Sequence[str], budget: int | None = None
) -> list[Candidates]:
    """The topics of a corpus that have a text, with all its documents; what runs retrieved without a text is left out.

    A topic without a text is there if a run answered it, and has what runs retrieved; `tags` are all runs.
    """
    nothing, names = np.zeros(0, np.int64), tuple(sorted(tags))
    priority = np.array(sorted(range(len(tags)), key=tags.__getitem__), np.int64)
    empty = Candidates("", nothing.astype(object), names, names, priority=priority,
                       run=nothing, document=nothing, ranks=nothing, scores=np.zeros(0))  # fmt: skip
    candidates_of_topic = {qid: replace(empty, qid=qid) for qid in corpus.qids} | {topic.qid: topic for topic in topics}
    return [_add_corpus_documents(candidates_of_topic[qid], corpus, budget) for qid in sorted(candidates_of_topic)]


def _add_corpus_documents(topic: Candidates, corpus: Corpus, budget: int | None) -> Candidates:
    number = np.array([corpus.numbers.get(docno, -1) for docno in topic.docnos.tolist()], np.int64)
    there = number[topic.document] >= 0
    return replace(
        topic,
        docnos=corpus.docnos,
        run=topic.run[there],
        document=number[topic.document[there]],
        ranks=topic.ranks[there],
        scores=topic.scores[there],
        corpus=corpus,
        budget=budget,
    )


def _docno_codes(runs: Runs, document: Ints) -> tuple[Names, Ints]:
    """The docnos that occur, in byte order, and the number of each row's among them."""
    used = np.flatnonzero(np.bincount(document))
    names = runs.docnos.names[used]
    order = np.argsort(names, kind="stable")
    place = np.zeros(int(document.max(initial=-1)) + 1, np.int64)
    place[used[order]] = np.arange(len(used))
    return names[order], place[document]
