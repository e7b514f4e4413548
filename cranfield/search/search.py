"""Baseline runs: systems of the table over a corpus and topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays.rankings import Floats, Runs, Vocabulary, canonical
from cranfield.errors import CranfieldError

from cranfield.search.index import Index, best
from cranfield.search.table import System, systems_called

if TYPE_CHECKING:
    from cranfield.formats import Document, Topic

Search = Callable[[str, int], Iterable[tuple[str, float]]]  # the store's search(match, limit): (docno, score)


def search(
    documents: Iterable[Document],
    topics: Sequence[Topic],
    systems: Sequence[str] | None = None,
    depth: int = 1000,
    fts: Search | None = None,
    progress: Callable[[int], object] | None = None,
) -> Runs:
    """One run per system, tagged with its name: at most `depth` documents per topic, only those that match.

    `systems` None is all of them, without fts5 where there is no `fts` (the store's search). The corpus is analysed
    once for all; its documents are gone through, at most twice, and not kept, and their order does not matter.
    `progress` is called with 1 as each system is done. Scores of different systems are on different scales, and of
    query likelihood often negative.

    >>> from types import SimpleNamespace as Record
    >>> corpus = [Record(docno="d1", title="", text="shock waves"), Record(docno="d2", title="", text="")]
    >>> topics = [Record(qid="1", title="wave", description="", narrative=""),
    ...           Record(qid="2", title="the", description="", narrative="")]
    >>> runs = search(corpus, topics, ["bm25", "tfidf"])
    >>> runs.tags, runs.topic.tolist(), [runs.docnos.names[d] for d in runs.document]
    (('bm25', 'tfidf'), [0, 0], ['d1', 'd1'])
    """
    if depth < 1:
        raise CranfieldError(f"the depth is {depth}; expected at least 1")
    chosen = systems_called(systems, fts is not None)
    index = Index(documents, None if fts is None else lambda match: fts(match, depth))
    rankings = list(_rankings(chosen, index, topics, depth, progress))
    run, topic, document, score = (np.concatenate(column) for column in zip(_EMPTY, *rankings, strict=True))
    tags, qids = [system.name for system in chosen], [each.qid for each in topics]
    return canonical(tags, Vocabulary(qids), Vocabulary(index.docnos), run, topic, document, score)


Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_EMPTY = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def _rankings(
    systems: Sequence[System],
    index: Index,
    topics: Sequence[Topic],
    depth: int,
    progress: Callable[[int], object] | None,
) -> Iterator[Columns]:
    """The columns run, topic, document and score of each ranking."""
    for run, system in enumerate(systems):
        queries = [query_text(topic, system.field) for topic in topics]
        for topic, scores in enumerate(system.rank(index, queries)):
            yield _columns(run, topic, scores, depth)
        if progress is not None:
            progress(1)


def _columns(run: int, topic: int, scores: Floats, depth: int) -> Columns:
    documents = best(scores, depth)
    size = len(documents)
    return np.full(size, run), np.full(size, topic), documents, scores[documents]


def query_text(topic: Topic, field: str) -> str:
    """The text of the topic's field; where that is empty, of the first of title, description, narrative that is not.

    >>> from types import SimpleNamespace as Record
    >>> topic = Record(title="wing flutter", description="", narrative=" ")
    >>> query_text(topic, "narrative"), query_text(topic, "title+description")
    ('wing flutter', 'wing flutter')
    """
    parts = {"title": topic.title, "description": topic.description, "narrative": topic.narrative}
    wanted = " ".join(parts[name] for name in field.split("+")).strip()
    return wanted or next((text.strip() for text in parts.values() if text.strip()), "")
