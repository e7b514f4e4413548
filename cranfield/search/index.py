"""The corpus as counted terms: its words are counted once, and every analysis is a map of those words to terms."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.extras import require_extra

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from cranfield.formats import Document

LONG_RUN = re.compile(r"[^\w\s]{30}(?=[^\w\s])")  # sorting a long one of accents takes the square of its length
Spell = Callable[[str], list[str]]
Query = Mapping[int, float]  # the weight of each term, mostly how often the topic says it
Match = Callable[[str], Iterable[tuple[str, float]]]  # (docno, score) of the best documents for an FTS5 expression
Score = Callable[[Query], Floats]  # one score a document; -inf for a document that is not retrieved
Model = Callable[["Terms"], Score]
Ranker = Callable[["Index", Sequence[str]], Iterator[Floats]]  # scores of all documents for each query text


def split_words(text: str) -> list[str]:
    """The words of a text: stretches of letters and digits, case folded.

    Misleads for languages that do not part words by spaces; the character n-grams help there.

    >>> split_words("Mach-2 flow, it's ﬁne")
    ['mach', '2', 'flow', 'it', 's', 'fine']
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", LONG_RUN.sub(r"\g<0> ", text))
    return re.findall(r"[^\W_]+", text.casefold())


@cache
def stop_words() -> frozenset[str]:
    """Words too common to search for: NLTK's English list, as bm25s has it."""
    require_extra("search", "a search", "bm25s")
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)


def index_terms(word: str) -> list[str]:
    """The word itself, unless it is a stop word.

    >>> index_terms("flows"), index_terms("the")
    (['flows'], [])
    """
    return [] if word in stop_words() else [word]


def stem(word: str) -> list[str]:
    """The stem of the word (Snowball English), unless it is a stop word.

    >>> stem("boundaries"), stem("the")
    (['boundari'], [])
    """
    return [] if word in stop_words() else [_stemmer()(word)]


@cache
def _stemmer() -> Callable[[str], str]:
    require_extra("search", "a search", "Stemmer")
    from Stemmer import Stemmer

    return Stemmer("english").stemWord  # type: ignore[no-any-return]


def grams(word: str, n: int = 4) -> list[str]:
    """The runs of n characters of the word between blanks: spellings of one word share most of them.

    Source: McNamee and Mayfield, Character n-gram tokenization for European language text retrieval, 2004 (n = 4).

    >>> grams("wing"), grams("a"), grams("x")
    ([' win', 'wing', 'ing '], [], [' x '])
    """
    if word in stop_words():
        return []
    text = f" {word} "
    return [text[start : start + n] for start in range(max(1, len(text) - n + 1))]


ANALYSES: dict[str, tuple[Spell, int, int]] = {  # what becomes of a word; how often a title counts, and a text
    "words": (index_terms, 1, 1),
    "stems": (stem, 1, 1),
    "grams": (grams, 1, 1),
    "titles": (stem, 1, 0),
    "weighted": (stem, 3, 1),
}


class Index:
    """Documents in byte order of their docnos, so that no ranking depends on the order they came in.

    They are gone through and not kept: in memory are their docnos, their words, and how often each has which.
    """

    def __init__(self, documents: Iterable[Document], match: Match | None = None) -> None:
        self.documents = documents
        self.match = match
        self._terms: dict[str, Terms] = {}

    @cached_property
    def docnos(self) -> list[str]:
        """The docnos, in this order."""
        return sorted(document.docno for document in self.documents)

    @cached_property
    def _count_words(self) -> tuple[list[str], csr_matrix, csr_matrix]:
        """Every word, and how often each document has it in its title and in its text."""
        docnos, vocabulary = list[str](), dict[str, int]()
        titles, texts = _Counts(vocabulary), _Counts(vocabulary)
        for document in self.documents:
            docnos.append(document.docno)
            titles.add(document.title)
            texts.add(document.text)
        order = sorted(range(len(docnos)), key=docnos.__getitem__)
        self.docnos = [docnos[number] for number in order]
        return list(vocabulary), titles.rows(order), texts.rows(order)

    def terms(self, analysis: str) -> Terms:
        """The documents under one of ANALYSES, made once."""
        if analysis not in self._terms:
            spell, title_weight, text_weight = ANALYSES[analysis]
            vocabulary, titles, texts = self._count_words
            counts = title_weight * titles + text_weight * texts if text_weight else title_weight * titles
            self._terms[analysis] = _counts_of_terms(vocabulary, counts, spell)
        return self._terms[analysis]


class _Counts:
    """How often each text has each word, in eight bytes a word of a text."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self.vocabulary = vocabulary
        self.columns, self.counts, self.starts = array("i"), array("i"), array("q", [0])

    def add(self, text: str) -> None:
        """Count one more text; new words come at the end of the vocabulary."""
        codes = self.vocabulary
        terms = Counter(codes.setdefault(word, len(codes)) for word in split_words(text))
        self.columns.extend(terms.keys())
        self.counts.extend(terms.values())
        self.starts.append(len(self.columns))

    def rows(self, order: Sequence[int]) -> csr_matrix:
        """The texts as rows in this order, the words as columns."""
        from scipy.sparse import csr_matrix

        parts = (np.asarray(self.counts), np.asarray(self.columns), np.asarray(self.starts))
        rows = csr_matrix(parts, shape=(len(self.starts) - 1, len(self.vocabulary)))
        return rows if order == sorted(order) else rows[np.asarray(order, np.int64)]


def _counts_of_terms(vocabulary: list[str], counts: csr_matrix, spell: Spell) -> Terms:
    from scipy.sparse import csr_matrix

    occurs = np.asarray(counts.sum(axis=0)).ravel() > 0
    spellings = [spell(word) if here else [] for word, here in zip(vocabulary, occurs.tolist(), strict=True)]
    code = {term: number for number, term in enumerate(sorted({term for terms in spellings for term in terms}))}
    columns = np.array([code[term] for terms in spellings for term in terms], dtype=np.int64)
    rows = np.repeat(np.arange(len(spellings)), [len(terms) for terms in spellings])
    to_terms = csr_matrix((np.ones(len(rows), np.int32), (rows, columns)), shape=(len(vocabulary), len(code)))
    product = (counts @ to_terms).tocsr()
    product.eliminate_zeros()
    product.sort_indices()
    return Terms(code, product, spell)


class Terms:
    """How often each document (row) has each term (column)."""

    def __init__(self, code: dict[str, int], counts: csr_matrix, spell: Spell) -> None:
        self.code, self.counts, self.spell = code, counts, spell

    @cached_property
    def lengths(self) -> Floats:
        """The number of terms of each document."""
        return np.asarray(self.counts.sum(axis=1), float).ravel()

    @cached_property
    def share(self) -> Floats:
        """The share of each term among all terms of the corpus."""
        return np.asarray(self.counts.sum(axis=0) / self.lengths.sum(), float).ravel()

    @cached_property
    def _postings(self) -> Any:
        return self.counts.tocsc()

    def query(self, text: str) -> Query:
        """The terms of a query text with their counts; terms that no document has are left out."""
        codes = (self.code.get(term) for word in split_words(text) for term in self.spell(word))
        return Counter(code for code in codes if code is not None)

    def documents_with_term(self, term: int) -> tuple[Ints, Floats]:
        """The documents that have the term, and how often."""
        here = slice(*self._postings.indptr[term : term + 2])
        return self._postings.indices[here], self._postings.data[here]

    def sum(self, query: Query, weigh: Callable[[int, Ints, Floats], Floats]) -> Floats:
        """Per document: the sum over the query's terms of its weight times weigh(term, documents, counts)."""
        total = np.zeros(len(self.lengths))
        for term, weight in query.items():
            documents, counts = self.documents_with_term(term)
            total[documents] += weight * weigh(term, documents, counts)
        return total

    def matching(self, query: Query, scores: Floats) -> Floats:
        """The scores of documents that have a term of the query; -inf elsewhere."""
        matches: Mask = np.zeros(len(self.lengths), bool)
        for term in query:
            matches[self.documents_with_term(term)[0]] = True
        return np.where(matches, scores, -np.inf)

    @cached_property
    def vectors(self) -> tuple[Any, Any]:
        """The documents as unit vectors of (1 + ln tf) × idf weights, and what makes such vectors of counts."""
        from sklearn.feature_extraction.text import TfidfTransformer

        transformer = TfidfTransformer(sublinear_tf=True).fit(self.counts)
        return transformer.transform(self.counts), transformer

    def vector(self, query: Query) -> Any:
        """The query as such a vector, a row."""
        from scipy.sparse import csr_matrix

        row = (list(query.values()), ([0] * len(query), list(query)))
        return self.vectors[1].transform(csr_matrix(row, shape=(1, len(self.code)), dtype=float))


def ranker_of_model(analysis: str, model: Model) -> Ranker:
    """A ranker with one model over one analysis; a query without a known term retrieves nothing."""

    def rank(index: Index, queries: Sequence[str]) -> Iterator[Floats]:
        terms = index.terms(analysis)
        score = cache(lambda: model(terms))  # not before a query has terms: a corpus may have none at all
        for text in queries:
            query = terms.query(text)
            yield score()(query) if query else np.full(len(index.docnos), -np.inf)

    return rank


def best_documents(scores: Floats, depth: int) -> Ints:
    """The documents retrieved at ranks up to `depth`: scores descending, ties by docno descending.

    >>> best_documents(np.array([1.0, 2.0, -np.inf, 1.0]), depth=2)
    array([1, 3])
    """
    retrieved = np.flatnonzero(scores > -np.inf)
    if len(retrieved) > depth:
        last = np.partition(scores[retrieved], -depth)[-depth]
        retrieved = retrieved[scores[retrieved] >= last]
    return retrieved[np.lexsort((-retrieved, -scores[retrieved]))[:depth]]
