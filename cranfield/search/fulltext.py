"""The store's own full-text index as a system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import CranfieldError

from cranfield.search.index import Index, plain, words


def full_text(index: Index, queries: Sequence[str]) -> Iterator[Floats]:
    """BM25 as SQLite's FTS5 counts it: documents with any of the words.

    FTS5 gives a word that most documents have next to no weight, and fixes k1 1.2 and b 0.75.
    Source: https://www.sqlite.org/fts5.html#the_bm25_function
    """
    if index.match is None:
        raise CranfieldError("the system fts5 needs the full-text index of a store; leave it out")
    code = {docno: number for number, docno in enumerate(index.docnos)}
    for text in queries:
        scores = np.full(len(code), -np.inf)
        expression = any_word(text)
        for docno, score in index.match(expression) if expression else ():
            if docno in code:
                scores[code[docno]] = score
        yield scores


def any_word(text: str) -> str:
    """The FTS5 expression for any word of the text; each is quoted, so that none is an operator.

    >>> any_word('the wing AND "flutter" NEAR wing')
    '"wing" OR "flutter" OR "near"'
    >>> any_word("of the")
    ''
    """
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(words(text)) if plain(word))
