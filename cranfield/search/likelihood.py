"""Query likelihood: how much likelier the topic's words are in a document than in the corpus; and RM3 on top of it."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats

from cranfield.search.index import Model, Query, Score, Terms, best


def dirichlet(mu: float = 1000.0) -> Model:
    """Query likelihood with Dirichlet smoothing: Σ ln p(w|d) / p(w|C), p(w|d) = (tf + μ p(w|C)) / (|d| + μ).

    Dividing by p(w|C), the same for all documents, changes no rank. Scores may be negative. Misleads on very long
    topics, where Jelinek-Mercer is the steadier smoothing; μ should exceed the usual length of a document.

    Source: Zhai and Lafferty, A study of smoothing methods for language models, SIGIR 2001 and TOIS 2004.
    """

    def model(terms: Terms) -> Score:
        shorter = np.log(mu / (terms.lengths + mu))

        def score(query: Query) -> Floats:
            seen = terms.sum(query, lambda term, _, tf: np.log1p(tf / (mu * terms.share[term])))
            return terms.matching(query, seen + sum(query.values()) * shorter)

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
            seen = terms.sum(
                query, lambda term, here, tf: np.log1p(odds * tf / (terms.lengths[here] * terms.share[term]))
            )
            return terms.matching(query, seen)

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
        return lambda query: first(expanded(terms, query, first(query), feedback, size, original))

    return model


def expanded(terms: Terms, query: Query, scores: Floats, feedback: int, size: int, original: float) -> Query:
    """`original` p(w|q) + (1 - `original`) p(w|R), where p(w|R) ∝ Σ p(w|d) p(q|d) over the `feedback` first documents.

    Of p(w|R) the `size` likeliest terms count, ties in byte order. All weights sum to 1.
    """
    documents = best(scores, feedback)
    likelihood = np.exp(scores[documents] - scores[documents].max())
    relevance = terms.counts[documents].T @ (likelihood / likelihood.sum() / terms.lengths[documents])
    kept = np.argsort(-relevance, kind="stable")[:size]
    weights = dict.fromkeys(query, 0.0) | {
        int(term): (1 - original) * float(relevance[term] / relevance[kept].sum()) for term in kept if relevance[term]
    }
    total = sum(query.values())
    return {term: weight + original * query.get(term, 0.0) / total for term, weight in weights.items()}
