"""BM25 in its variants, from the library bm25s."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats

from .index import Model, Query, Score, Terms


def bm25(method: str, k1: float, b: float, delta: float = 0.5) -> Model:
    """BM25 by bm25s: "lucene", "robertson", "atire", "bm25l" or "bm25+"; `delta` is for the last two.

    Misleads by its name: k1, b, the idf and the analysis all differ between "BM25" systems.
    bm25s leaves the factor k1 + 1 out of "lucene", as Lucene does; ranks do not change.

    Source: Robertson et al., Okapi at TREC-3, 1994; Lù, BM25S, 2024; Lv and Zhai, 2011 (BM25L and BM25+).
    """

    def model(terms: Terms) -> Score:
        from bm25s import BM25

        scorer: Any = BM25(k1=k1, b=b, delta=delta, method=method, dtype="float64")
        scorer.index((_tokens(terms), dict(terms.code)), create_empty_token=False, show_progress=False)

        def score(query: Query) -> Floats:
            tokens = np.repeat(list(query), np.array(list(query.values()), int))
            return terms.matching(query, scorer.get_scores_from_ids(tokens))

        return score

    return model


def _tokens(terms: Terms) -> list[list[int]]:
    """The documents as lists of term numbers again, as bm25s wants them."""
    tokens = np.repeat(terms.counts.indices, terms.counts.data.astype(int))
    ends = np.cumsum(terms.lengths).astype(int)
    return [document.tolist() for document in np.split(tokens, ends[:-1])]
