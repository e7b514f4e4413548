"""BM25 in its variants, from the library bm25s."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats

from cranfield.search.index import Model, Query, Score, Terms

BATCH = 100_000  # terms


def bm25(method: str, k1: float, b: float, delta: float = 0.5) -> Model:
    """BM25 by bm25s: "lucene", "robertson", "atire", "bm25l" or "bm25+"; `delta` is for the last two.

    Misleads by its name: k1, b, the idf and the analysis all differ between "BM25" systems.
    bm25s leaves the factor k1 + 1 out of "lucene", as Lucene does; ranks do not change.

    Source: Robertson et al., Okapi at TREC-3, 1994; Lù, BM25S, 2024; Lv and Zhai, 2011 (BM25L and BM25+).
    """

    def model(terms: Terms) -> Score:
        from bm25s import BM25

        scorer: Any = BM25(k1=k1, b=b, delta=delta, method=method, dtype="float64", csc_backend="scipy")
        scorer.index(_TermCorpus(terms), create_empty_token=False, show_progress=False)

        def score(query: Query) -> Floats:
            tokens = np.repeat(list(query), np.array(list(query.values()), int))
            return terms.matching(query, scorer.get_scores_from_ids(tokens))

        return score

    return model


class _TermCorpus:
    """The documents as bm25s wants them: lists of term numbers, which are there only while it looks at them."""

    def __init__(self, terms: Terms) -> None:
        self.counts, self.vocab = terms.counts, dict(terms.code)

    @property
    def ids(self) -> _TermCorpus:
        """The documents; `vocab` has the numbers of the terms."""
        return self

    def __len__(self) -> int:
        return int(self.counts.shape[0])

    def __iter__(self) -> Iterator[list[int]]:
        ends = np.concatenate([[0], np.cumsum(np.asarray(self.counts.sum(axis=1)).ravel())])
        first = 0
        while first < len(self):
            last = max(first + 1, int(np.searchsorted(ends, ends[first] + BATCH, "right")) - 1)
            batch = self.counts[first:last]
            tokens = np.repeat(batch.indices, batch.data).tolist()
            places = (ends[first : last + 1] - ends[first]).tolist()
            yield from (tokens[start:end] for start, end in pairwise(places))
            first = last
