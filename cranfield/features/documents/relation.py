"""From passages to documents: a document has the score of its best passage, and the highest grade of its passages.

The document of a passage is what its metadata say, else what stands before the last # of its name; a name without one
is a document's already. Never the other way: a grade of a document says nothing of any one passage.

Source: Dai and Callan, Deeper text understanding for IR with contextual neural language modeling, SIGIR 2019 (MaxP).
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np

from cranfield.arrays.rankings import Ints, Qrels, Runs, Vocabulary, sort_runs
from cranfield.errors import InputError
from cranfield.features.documents.store.documents import documents_of
from cranfield.store.store import Store
from cranfield.text import counted

SEPARATOR = "#"


class Relation(NamedTuple):
    """What a store says of its passages: the document of each, and how many each document has; empty for files."""

    document: Mapping[str, str] = {}
    passages: Mapping[str, int] = {}

    @classmethod
    def from_store(cls, store: Store) -> Self:
        """That of a store."""
        document = documents_of(store)
        return cls(document, Counter(document.values()))

    def related_documents(self, docnos: Vocabulary) -> tuple[Vocabulary, Ints]:
        """The documents of docnos, and the place of each docno's among them.

        >>> documents, place = Relation({"x": "d2"}).related_documents(Vocabulary(["d1#0", "d1#1", "x", "d2"]))
        >>> documents.names.tolist(), place
        (['d1', 'd2'], array([0, 0, 1, 1]))
        """
        names = [self.document.get(name) or name.rpartition(SEPARATOR)[0] or name for name in docnos.names.tolist()]
        number = {name: at for at, name in enumerate(sorted(set(names)))}
        return Vocabulary(list(number)), np.array([number[name] for name in names], np.int64)

    def check(self, *rows: Runs | Qrels) -> None:
        """Refuse runs and judgments in which no name is a passage's."""
        names = (name for one in rows for name in one.docnos.names[np.unique(one.document)])
        if not self.document and not any(SEPARATOR in name for name in names):
            raise InputError(f"no docno contains {SEPARATOR}, so there are no passages here; omit --of documents")


def best_passages(runs: Runs, relation: Relation) -> Runs:
    """Rankings of documents: each document once, with the score of its best passage, in canonical order.

    >>> from cranfield.metrics.inputs import as_runs
    >>> found = best_passages(as_runs({"a": {"q": {"d1#0": 3.0, "d2#7": 2.0, "d1#4": 1.0}}}), Relation())
    >>> found.docnos.names[found.document].tolist(), found.score
    (['d1', 'd2'], array([3., 2.]))
    """
    runs = runs.loaded
    docnos, place = relation.related_documents(runs.docnos)
    document = place[runs.document]
    best = np.sort(np.unique(runs.groups * len(docnos.names) + document, return_index=True)[1])
    return sort_runs(
        runs.tags, runs.topics, docnos,
        run=runs.run[best], topic=runs.topic[best], document=document[best], score=runs.score[best],
    )  # fmt: skip


class JudgedOfPassages(NamedTuple):
    """Judgments of documents, and how many of them are 0 though some of their passages were not judged."""

    qrels: Qrels
    partial: int

    def notes(self) -> list[str]:
        """What has to be said of them."""
        if not self.partial:
            return []
        are = f"{counted(self.partial, 'judgment')} of documents {'is' if self.partial == 1 else 'are'} not relevant"
        return [f"{are} although some passages are unjudged: no judged passage is relevant"]


def highest_grades(qrels: Qrels, relation: Relation) -> JudgedOfPassages:
    """Judgments of documents: the highest grade of the passages that were judged; without any there is none.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> passages = as_qrels({"q": {"d1#0": 0, "d1#1": 2, "d2#0": 0, "d3#0": 0, "d4#0": -1}})
    >>> found = highest_grades(passages, Relation(passages={"d1": 3, "d2": 2, "d3": 1}))
    >>> found.qrels.docnos.names[found.qrels.document].tolist(), found.qrels.grade, found.partial
    (['d1', 'd2', 'd3'], array([2, 0, 0]), 1)
    """
    judged = qrels.rows(qrels.judged)
    docnos, place = relation.related_documents(judged.docnos)
    document = place[judged.document]
    order = np.lexsort((document, judged.topic))
    topic, document, grade = judged.topic[order], document[order], judged.grade[order]
    first = np.flatnonzero((np.diff(topic, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0))
    best = np.maximum.reduceat(grade, first) if len(first) else grade
    there = np.array([relation.passages.get(name, 0) for name in docnos.names.tolist()], np.int64)
    some = np.diff(first, append=len(grade)) < there[document[first]]
    documents = Qrels(
        judged.topics, docnos, topic[first], document[first], best, minus_one_judged=judged.minus_one_judged
    )
    return JudgedOfPassages(documents, int(np.count_nonzero(some & (best <= 0))))


def said_of_short(runs: Runs, depth: int) -> list[str]:
    """That rankings have fewer documents than `depth`, a line for the run of which that is most often so.

    >>> from cranfield.metrics.inputs import as_runs
    >>> said_of_short(as_runs({"a": {"1": {"d": 1.0}, "2": {"d": 1.0, "e": 2.0}}}), 2)
    ['a: 1 of 2 topics has under 2 documents; for 1,000 documents others retrieve 10,000 passages']
    """
    lengths = np.diff(runs.starts, append=len(runs))
    topics_of = np.bincount(runs.run[runs.starts], minlength=len(runs.tags))
    short = np.bincount(runs.run[runs.starts], weights=lengths < depth, minlength=len(runs.tags)).astype(int)
    if not short.any():
        return []
    worst = int(np.argmax(short))
    have = "has" if short[worst] == 1 else "have"
    topics = f"{short[worst]:,} of {counted(int(topics_of[worst]), 'topic')} {have} under {depth:,} documents"
    more = f" (and {counted(int((short > 0).sum()) - 1, 'other run')})" if (short > 0).sum() > 1 else ""
    return [f"{runs.tags[worst]}{more}: {topics}; for 1,000 documents others retrieve 10,000 passages"]
