"""Documents and topics as vectors, compared by the cosine of their angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats

from cranfield.search.index import Model, Query, Score, Terms, best


def _positive(cosines: Floats, digits: int = 9) -> Floats:
    """Cosines above 0, rounded so that noise of the linear algebra decides no rank; -inf elsewhere."""
    rounded = np.round(cosines, digits)
    return np.where(rounded > 0, rounded, -np.inf)


def _cosines(documents: Any, row: Any) -> Floats:
    return np.asarray((documents @ row.T).toarray(), float).ravel()


def tfidf() -> Model:
    """The cosine of vectors of (1 + ln tf) × idf, as scikit-learn weighs them.

    Misleads with documents of very different length: the cosine favours short ones.

    Source: Salton and Buckley, Term-weighting approaches in automatic text retrieval, 1988.
    """
    return lambda terms: lambda query: _positive(_cosines(terms.vectors[0], terms.vector(query)))


def rocchio(feedback: int = 10, size: int = 50, beta: float = 0.75) -> Model:
    """TF-IDF again, with the topic moved towards the mean of the documents it ranks first.

    Of the moved vector the `size` heaviest terms count, ties in byte order.

    Source: Rocchio, Relevance feedback in information retrieval, 1971, without its term for non-relevant documents.
    """

    def model(terms: Terms) -> Score:
        documents = terms.vectors[0]

        def score(query: Query) -> Floats:
            row = terms.vector(query)
            first = best(_positive(_cosines(documents, row)), feedback)
            moved = row.toarray().ravel() + beta * np.asarray(documents[first].mean(axis=0)).ravel()
            moved[np.argsort(-moved, kind="stable")[size:]] = 0
            return _positive(documents @ moved / np.linalg.norm(moved))

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
        reduced = _unit(documents @ axes)
        return lambda query: _positive(reduced @ _unit(terms.vector(query) @ axes).ravel(), 6)

    return model


def _unit(rows: Floats) -> Floats:
    """The rows at length 1; a row that is nothing but rounding noise becomes 0."""
    from sklearn.preprocessing import normalize

    return np.asarray(normalize(np.round(rows, 9)))
