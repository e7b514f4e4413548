"""Baseline search: simple systems over a corpus, so that one builder's pool is still a varied one.

SYSTEMS is the table. Systems differ in ranker, in analysis (words, stems, character n-grams, titles alone) and in
the part of the topic they search for. They are ordinary textbook rankers and no match for a tuned system: a pool
from them alone favours documents that share words with the topic, and a system that finds others loses by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.errors import CranfieldError

from cranfield.search.bm25 import bm25
from cranfield.search.fulltext import full_text
from cranfield.search.index import Ranker, over
from cranfield.search.likelihood import dirichlet, jelinek_mercer, rm3
from cranfield.search.vectors import lsa, rocchio, tfidf


@dataclass(frozen=True)
class System:
    """A named ranker and the part of the topic it searches for."""

    name: str
    family: str  # systems of a family find much the same documents
    field: str  # title, description, narrative or title+description
    description: str
    rank: Ranker
    needs_store: bool = False


# fmt: off
SYSTEMS: tuple[System, ...] = (
    System("fts5", "bm25", "title", "BM25 of the store's own full-text index.", full_text, needs_store=True),
    System("bm25", "bm25", "title", "BM25 over stems (Lucene's idf, k1 1.2, b 0.75).",
           over("stems", bm25("lucene", 1.2, 0.75))),
    System("bm25-words", "bm25", "description", "BM25 over unstemmed words (Lucene's idf, k1 0.9, b 0.4).",
           over("words", bm25("lucene", 0.9, 0.4))),
    System("bm25-titles", "bm25", "title", "BM25 over the stems of the documents' titles alone.",
           over("titles", bm25("lucene", 1.2, 0.75))),
    System("bm25-weighted", "bm25", "title+description", "BM25 over stems, with a word in a title counted three times.",
           over("weighted", bm25("lucene", 1.2, 0.75))),
    System("bm25l", "bm25", "title+description", "BM25L over stems, kinder to long documents.",
           over("stems", bm25("bm25l", 1.5, 0.75, 0.5))),
    System("bm25plus", "bm25", "narrative", "BM25+ over unstemmed words, for the narrative.",
           over("words", bm25("bm25+", 1.2, 0.75, 1.0))),
    System("ql-dirichlet", "likelihood", "title", "Query likelihood over stems with Dirichlet smoothing (mu 1000).",
           over("stems", dirichlet())),
    System("ql-jelinek-mercer", "likelihood", "title+description",
           "Query likelihood over stems with Jelinek-Mercer smoothing (lambda 0.7).",
           over("stems", jelinek_mercer())),
    System("rm3", "likelihood", "title", "Query likelihood with 50 feedback terms from its first 10 documents (RM3).",
           over("stems", rm3())),
    System("tfidf", "vectors", "description", "TF-IDF cosine over stems.", over("stems", tfidf())),
    System("rocchio", "vectors", "title+description", "TF-IDF cosine moved towards its first 10 documents (Rocchio).",
           over("stems", rocchio())),
    System("chargrams", "vectors", "title", "TF-IDF cosine over character 4-grams, tolerant of misspellings.",
           over("grams", tfidf())),
    System("lsa", "vectors", "title+description", "Latent semantic analysis: the cosine in 100 dimensions.",
           over("stems", lsa())),
)
# fmt: on


def systems_called(names: Sequence[str] | None, stored: bool = True) -> list[System]:
    """The systems of these names, in their order, each once; all by default, of which fts5 needs a store."""
    if names is None:
        return [system for system in SYSTEMS if stored or not system.needs_store]
    table = {system.name: system for system in SYSTEMS}
    for name in names:
        if name not in table:
            raise CranfieldError(f"unknown system {name!r}; available: {', '.join(table)}")
    return [table[name] for name in dict.fromkeys(names)]
