"""Engines for assessors who search: full text, what an assessor's own labels taught, and more like a document.

None of them knows runs, pools or what others judged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.errors import InputError
from cranfield.search.index import split_words

if TYPE_CHECKING:
    from cranfield.features.collecting.vectors import VectorCorpus
    from cranfield.store.store import Store

SHOWN = 20  # documents of a search
LONGEST = 1000  # characters of a query
TERM = re.compile(r'-?"[^"]*"?|\S+')
FOUND = """
SELECT d.docno FROM document_fts JOIN document d ON d.id = document_fts.rowid
WHERE document_fts MATCH ? AND d.removed = 0 AND {complete}
AND d.id NOT IN (SELECT item FROM withdrawn WHERE what = 'document')
ORDER BY rank, d.docno LIMIT ?
"""


def expression(query: str) -> str:
    """What somebody typed as an FTS5 expression: all words, "a phrase", one OR other, not -this; never a syntax error.

    >>> expression('wing "lift of a" OR drag -jet')
    '(("wing") AND ("lift of a" OR "drag")) NOT ("jet")'
    >>> expression('OR "unclosed (brackets* AND')
    '(("unclosed brackets and"))'
    >>> expression("-jet")
    Traceback (most recent call last):
    cranfield.errors.InputError: the query contains no words to search for
    """
    groups, exclusions, either = list[list[str]](), list[str](), False
    for term in TERM.findall(query[:LONGEST]):
        spelt = f'"{" ".join(split_words(term))}"'
        if term in ("OR", "AND", "NOT") or spelt == '""':
            either = term == "OR"
        elif term.startswith("-"):
            exclusions.append(spelt)
        elif either and groups:
            groups[-1].append(spelt)
            either = False
        else:
            groups.append([spelt])
            either = False
    if not groups:
        raise InputError("the query contains no words to search for")
    every = " AND ".join(f"({' OR '.join(group)})" for group in groups)
    return f"({every})" + (f" NOT ({' OR '.join(exclusions)})" if exclusions else "")


def full_text(store: Store, query: str, most: int = SHOWN) -> list[str]:
    """The documents that BM25 ranks first, of those that have what the query asks for."""
    found = FOUND.format(complete=store.complete_import_condition("d"))
    return [docno for (docno,) in store.rows(found, [expression(query), most])]


class OwnLearner(NamedTuple):
    """What can be found from one assessor's labels of one topic alone; it needs no store, so any thread may ask."""

    corpus: VectorCorpus
    qid: str
    labels: Mapping[str, bool]  # by docno, whether relevant

    def best(self, most: int = SHOWN, without: Collection[str] = ()) -> list[str]:
        """The likeliest relevant documents of those that have no label."""
        from cranfield.features.collecting.learning import Learner

        numbers = self.corpus.numbers
        judged = {numbers[docno]: relevant for docno, relevant in self.labels.items() if docno in numbers}
        scores = Learner(self.corpus, self.qid, seed=0).scores(judged, self._open(judged), len(judged))
        return self._first(scores, [*judged, *(numbers[docno] for docno in without if docno in numbers)], most)

    def similar_documents(self, docno: str, most: int = SHOWN) -> list[str]:
        """The documents whose words are most like those of one."""
        if docno not in self.corpus.numbers:
            raise InputError("this document has no text, so similar documents cannot be found")
        number = self.corpus.numbers[docno]
        weight = np.asarray(self.corpus.rows[[number]].toarray(), np.float32)[0]
        return self._first(self.corpus.score(weight), [number], most)

    def _open(self, numbers: Collection[int]) -> Mask:
        mask = self.corpus.counting()
        mask[[*numbers]] = False
        return mask

    def _first(self, scores: Floats, numbers: Collection[int], most: int) -> list[str]:
        from cranfield.features.collecting.learning import ranked

        best = ranked(scores, self._open(numbers), most)
        return [str(docno) for docno in self.corpus.docnos[best]]
