"""Rankers: BM25, query likelihood, vectors, and the store's own full-text index."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import CranfieldError
from cranfield.search.index import Index, Model, Query, Score, Terms, best_documents, index_terms, split_words

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
    def ids(self) -> "_TermCorpus":
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


def dirichlet(mu: float = 1000.0) -> Model:
    """Query likelihood with Dirichlet smoothing: Σ ln p(w|d) / p(w|C), p(w|d) = (tf + μ p(w|C)) / (|d| + μ).

    Dividing by p(w|C), the same for all documents, changes no rank. Scores may be negative. Misleads on very long
    topics, where Jelinek-Mercer is the steadier smoothing; μ should exceed the usual length of a document.

    Source: Zhai and Lafferty, A study of smoothing methods for language models, SIGIR 2001 and TOIS 2004.
    """

    def model(terms: Terms) -> Score:
        shorter = np.log(mu / (terms.lengths + mu))

        def score(query: Query) -> Floats:
            weights = terms.sum(query, lambda term, _, tf: np.log1p(tf / (mu * terms.share[term])))
            return terms.matching(query, weights + sum(query.values()) * shorter)

        return score

    return model


def jelinek_mercer(lam: float = 0.7) -> Model:
    """Query likelihood with Jelinek-Mercer smoothing: p(w|d) = (1 - λ) tf / |d| + λ p(w|C).

    Scored as Σ ln p(w|d) / (λ p(w|C)), which ranks the same and is 0 for a word the document has not.
    λ near 0.1 suits topics of two or three words, near 0.7 those of a sentence.

    Source: Zhai and Lafferty, SIGIR 2001 and TOIS 2004.
    """

    def model(terms: Terms) -> Score:
        odds = (1 - lam) / lam

        def score(query: Query) -> Floats:
            weights = terms.sum(
                query, lambda term, here, tf: np.log1p(odds * tf / (terms.lengths[here] * terms.share[term]))
            )
            return terms.matching(query, weights)

        return score

    return model


def rm3(feedback: int = 10, size: int = 50, original: float = 0.5, mu: float = 1000.0) -> Model:
    """Relevance model 3: the topic's words mixed with those of the documents it ranks first, ranked again.

    Retrieves documents that share no word with the topic. Misleads where the first documents are off the topic:
    expansion helps on average and harms single topics badly.

    Source: Lavrenko and Croft, Relevance-based language models, SIGIR 2001; Abdul-Jaleel et al., UMass at TREC 2004.
    """

    def model(terms: Terms) -> Score:
        first = dirichlet(mu)(terms)
        return lambda query: first(expand(terms, query, first(query), feedback=feedback, size=size, original=original))

    return model


def expand(terms: Terms, query: Query, scores: Floats, *, feedback: int, size: int, original: float) -> Query:
    """`original` p(w|q) + (1 - `original`) p(w|R), where p(w|R) ∝ Σ p(w|d) p(q|d) over the `feedback` first documents.

    Of p(w|R) the `size` likeliest terms count, ties in byte order. All weights sum to 1.
    """
    documents = best_documents(scores, feedback)
    likelihood = np.exp(scores[documents] - scores[documents].max())
    relevance = terms.counts[documents].T @ (likelihood / likelihood.sum() / terms.lengths[documents])
    top = np.argsort(-relevance, kind="stable")[:size]
    weights = dict.fromkeys(query, 0.0) | {
        int(term): (1 - original) * float(relevance[term] / relevance[top].sum()) for term in top if relevance[term]
    }
    total = sum(query.values())
    return {term: weight + original * query.get(term, 0.0) / total for term, weight in weights.items()}


def _round_positive(cosines: Floats, digits: int = 9) -> Floats:
    """Cosines above 0, rounded so that noise of the linear algebra decides no rank; -inf elsewhere."""
    scores = np.round(cosines, digits)
    return np.where(scores > 0, scores, -np.inf)


def _cosines(documents: Any, row: Any) -> Floats:
    return np.asarray((documents @ row.T).toarray(), float).ravel()


def tfidf() -> Model:
    """The cosine of vectors of (1 + ln tf) × idf, as scikit-learn weighs them.

    Misleads with documents of very different length: the cosine favours short ones.

    Source: Salton and Buckley, Term-weighting approaches in automatic text retrieval, 1988.
    """
    return lambda terms: lambda query: _round_positive(_cosines(terms.vectors[0], terms.vector(query)))


def rocchio(feedback: int = 10, size: int = 50, beta: float = 0.75) -> Model:
    """TF-IDF again, with the topic moved towards the mean of the documents it ranks first.

    Of the moved vector the `size` heaviest terms count, ties in byte order.

    Source: Rocchio, Relevance feedback in information retrieval, 1971, without its term for non-relevant documents.
    """

    def model(terms: Terms) -> Score:
        documents = terms.vectors[0]

        def score(query: Query) -> Floats:
            row = terms.vector(query)
            first = best_documents(_round_positive(_cosines(documents, row)), feedback)
            vector = row.toarray().ravel() + beta * np.asarray(documents[first].mean(axis=0)).ravel()
            vector[np.argsort(-vector, kind="stable")[size:]] = 0
            return _round_positive(documents @ vector / np.linalg.norm(vector))

        return score

    return model


def lsa(dimensions: int = 100) -> Model:
    """Latent semantic analysis: the cosine in the space of the largest singular vectors of the TF-IDF matrix.

    Retrieves documents without a word of the topic. In a small corpus the dimensions are at most a quarter of the
    documents and of the terms: with as many as either it would be TF-IDF again. The same corpus gives the same run
    on one machine; other linear algebra, or another number of threads, differs by up to 1e-9. Six digits are kept,
    so that this shows, at worst, as a last digit here and there.

    Source: Deerwester et al., Indexing by latent semantic analysis, 1990.
    """

    def model(terms: Terms) -> Score:
        from sklearn.utils.extmath import randomized_svd

        documents = terms.vectors[0]
        size = max(1, min(dimensions, *(extent // 4 for extent in documents.shape)))
        axes = randomized_svd(documents, size, random_state=0)[2].T
        coordinates = _normalize_rows(documents @ axes)
        return lambda query: _round_positive(coordinates @ _normalize_rows(terms.vector(query) @ axes).ravel(), 6)

    return model


def _normalize_rows(rows: Floats) -> Floats:
    """The rows at length 1; a row that is nothing but rounding noise becomes 0."""
    from sklearn.preprocessing import normalize

    return np.asarray(normalize(np.round(rows, 9)))


def full_text(index: Index, queries: Sequence[str]) -> Iterator[Floats]:
    """BM25 as SQLite's FTS5 counts it: documents with any of the words.

    FTS5 gives a word that most documents have next to no weight, and fixes k1 1.2 and b 0.75.
    Source: https://www.sqlite.org/fts5.html#the_bm25_function
    """
    if index.match is None:
        raise CranfieldError("the system fts5 needs the full-text index of a store; omit fts5")
    code = {docno: number for number, docno in enumerate(index.docnos)}
    for text in queries:
        scores = np.full(len(code), -np.inf)
        expression = match_any_word(text)
        for docno, score in index.match(expression) if expression else ():
            if docno in code:
                scores[code[docno]] = score
        yield scores


def match_any_word(text: str) -> str:
    """The FTS5 expression for any word of the text; each is quoted, so that none is an operator.

    >>> match_any_word('the wing AND "flutter" NEAR wing')
    '"wing" OR "flutter" OR "near"'
    >>> match_any_word("of the")
    ''
    """
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(split_words(text)) if index_terms(word))
