"""The corpus as vectors, from which active learning learns, and their cache beside the store.

    w(t, d) = (1 + ln tf) ln(N / df)        terms of at least two documents, title and text together, unit length

Terms are the stems of the search; numbers have 32 bits. The vectors of a store are kept in STORE.features/, a folder
for each state of its corpus, named by a hash of all its texts; they are mapped into memory, so that what is ready for
one process is for all. The folder can be deleted: it is made again when it is needed.

Source: Abualsaud et al., A system for efficient high-recall retrieval, SIGIR 2018 (HiCAL has these weights).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask, Names
from cranfield.errors import InputError
from cranfield.search.index import Index, split_words, stem
from cranfield.store.corpus import refuse_part
from cranfield.store.withdrawals import present_name_by_docno, topics_that_count

Floats32 = NDArray[np.float32]

if TYPE_CHECKING:
    from concurrent.futures import Future

    from scipy.sparse import csr_matrix

    from cranfield.formats import Document, Topic
    from cranfield.store.store import Store

VERSION = 1  # of how vectors are made
BLOCK = 50_000  # documents that are scored at a time, so that other threads get their turn
PARTS = ("data", "indices", "indptr", "idf")


class Vectors(NamedTuple):
    """A row a document, a column a term; the terms in order, and the logarithm of N / df of each."""

    docnos: tuple[str, ...]
    rows: csr_matrix
    terms: tuple[str, ...]
    idf: Floats32


def vectors_of(documents: Iterable[Document]) -> Vectors:
    """The vectors of documents, in byte order of docnos.

    A term that one document has alone, or all, says nothing.

    >>> from types import SimpleNamespace as Record
    >>> texts = {"a": "wing wing", "b": "wing flow", "c": "flow"}
    >>> corpus = [Record(docno=docno, title="", text=text) for docno, text in texts.items()]
    >>> found = vectors_of(corpus)
    >>> found.terms, found.rows.toarray().astype(float).round(2).tolist()
    (('flow', 'wing'), [[0.0, 1.0], [0.71, 0.71], [1.0, 0.0]])
    """
    index = Index(documents)
    stems = index.terms("stems")
    counts = stems.counts.tocsc()
    frequency = np.diff(counts.indptr)
    columns = np.flatnonzero(frequency >= 2)
    names = np.array(sorted(stems.code, key=stems.code.__getitem__), object)
    idf: Floats32 = np.log(len(index.docnos) / frequency[columns]).astype(np.float32)
    rows = counts[:, columns].tocsr().astype(np.float32)
    rows.data = (1 + np.log(rows.data)).astype(np.float32)
    return Vectors(tuple(index.docnos), _unit(rows, idf), tuple(names[columns].tolist()), idf)


def _unit(rows: csr_matrix, idf: Floats32) -> csr_matrix:
    """Weighted by idf, each row of length 1; an empty one stays empty."""
    rows.data *= idf[rows.indices]
    squares = np.add.reduceat(np.append(rows.data**2, 0), np.minimum(rows.indptr[:-1], len(rows.data)))
    length = np.sqrt(np.where(np.diff(rows.indptr) > 0, squares, 1))
    rows.data /= np.repeat(np.where(length > 0, length, 1), np.diff(rows.indptr)).astype(np.float32)
    rows.sort_indices()
    return rows


class VectorCorpus:
    """The documents of a corpus as vectors, and the texts of topics: a Corpus of pooling."""

    def __init__(self, vectors: Vectors, texts: Mapping[str, str]) -> None:
        self._vectors, self.texts = vectors, dict(texts)
        self.docnos: Names = np.array(vectors.docnos, object)
        self.rows = vectors.rows
        self.apart: Mapping[str, Collection[str]] = {}  # documents of random draws, by topic
        self.left_out: Collection[str] = ()  # documents that are withdrawn, or are there under their new name
        self.samples: dict[bytes, tuple[Ints, Ints]] = {}  # by what decided them: batches, and their samples
        self.ready: dict[bytes, Future[Floats]] = {}  # scores that are worked out ahead

    def replace_topics(self, texts: Mapping[str, str], apart: Mapping[str, Collection[str]] = {}) -> VectorCorpus:
        """The same documents, and all that is known of them, with other topics."""
        corpus = copy(self)
        corpus.texts, corpus.apart = dict(texts), apart
        return corpus

    @property
    def qids(self) -> list[str]:
        """The topics that have a text."""
        return sorted(self.texts)

    def counting(self) -> Mask:
        """Which documents count, and so may be proposed: all but those that are left out."""
        mask = np.ones(len(self.docnos), bool)
        mask[[self.numbers[docno] for docno in self.left_out if docno in self.numbers]] = False
        return mask

    def prepare(self) -> None:
        """Work out what copies share."""
        _ = self.numbers, self._column

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The row of each document."""
        return {docno: number for number, docno in enumerate(self._vectors.docnos)}

    @cached_property
    def _column(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self._vectors.terms)}

    def vector(self, text: str) -> csr_matrix:
        """A text as a vector, a row; without a known term an empty one."""
        from scipy.sparse import csr_matrix

        terms = [self._column[term] for word in split_words(text) for term in stem(word) if term in self._column]
        column, count = np.unique(np.array(terms, np.int64), return_counts=True)
        data = (1 + np.log(count)).astype(np.float32)
        row = csr_matrix((data, column, np.array([0, len(column)])), shape=(1, self.rows.shape[1]))
        return _unit(row, self._vectors.idf)

    def topic(self, qid: str) -> csr_matrix:
        """The vector of a topic; an empty one where it has no text."""
        return self.vector(self.texts.get(qid, ""))

    def knows(self, qid: str) -> bool:
        """Whether a word of the topic is in two documents or more."""
        return bool(self.topic(qid).nnz)

    def score(self, weight: Floats32) -> Floats:
        """The product of each document with weights of terms, to six decimals."""
        starts = range(0, self.rows.shape[0], BLOCK)
        parts = [self._rows(start, start + BLOCK) @ weight for start in starts]
        return np.asarray(np.round(np.concatenate([np.zeros(0), *parts]), 6), float)

    def _rows(self, start: int, end: int) -> csr_matrix:
        """Some rows, as views."""
        from scipy.sparse import csr_matrix

        at = self.rows.indptr[start : end + 1]
        part = slice(at[0], at[-1])
        shape = (len(at) - 1, self.rows.shape[1])
        return csr_matrix((self.rows.data[part], self.rows.indices[part], at - at[0]), shape=shape, copy=False)


def topic_text(topic: Topic) -> str:
    """All fields of a topic."""
    return " ".join(part for part in (topic.title, topic.description, topic.narrative) if part.strip())


def corpus_of(store: Store) -> VectorCorpus:
    """The corpus of a store, from its cache where that is of these texts, with the topics that count."""
    counting = topics_that_count(store)
    topics = (topic for topic in store.topics() if counting is None or topic.qid in counting)
    texts = {topic.qid: text for topic in topics if (text := topic_text(topic))}
    apart: dict[str, set[str]] = {}
    for qid, docno in store.rows(
        "SELECT qid, docno FROM pooled WHERE pool IN (SELECT id FROM pool WHERE method = 'draw')"
    ):
        apart.setdefault(qid, set()).add(docno)
    corpus = _documents(store).replace_topics(texts, apart)
    now = present_name_by_docno(store)
    corpus.left_out = {old for old, new in now.items() if new is None or new in corpus.numbers}
    return corpus


_LOADED: dict[str, VectorCorpus] = {}  # the last one; threads may set it
_STATES: dict[tuple[object, ...], str] = {}  # the last one


def _documents(store: Store) -> VectorCorpus:
    if not store.has("document"):
        wrong = "active learning needs texts, and this store has only docnos; `cranfield import corpus` adds texts"
        raise InputError(wrong, store.path)
    refuse_part(store)
    name = _state(store)
    corpus = _LOADED.get(name)
    if corpus is None:
        if _is_in_memory(store):
            vectors = vectors_of(store.documents())
        else:
            folder = Path(f"{store.path}.features") / name
            if not folder.is_dir():
                _write(vectors_of(store.documents()), folder)
            vectors = _read(folder)
        corpus = VectorCorpus(vectors, {})
        corpus.prepare()
        _LOADED.clear()
        _LOADED[name] = corpus
    return corpus


def _is_in_memory(store: Store) -> bool:
    return store.path == ":memory:"


def _state(store: Store) -> str:
    """A hash of all documents that have a text; worked out anew when the log of the store tells of other documents."""
    if _is_in_memory(store) or store.rows("SELECT 1 FROM unrecorded WHERE kind = 'document' LIMIT 1"):
        return _hash_of_texts(store)
    [numbers] = store.rows(
        "SELECT (SELECT origin FROM collection), (SELECT max(id) FROM document),"
        " (SELECT max(id) FROM change WHERE kind = 'document'),"
        " (SELECT group_concat(id) FROM import WHERE last_event IS NULL)"
    )
    key = (store.path, store.as_of, *numbers)
    state = _STATES.get(key)
    if state is None:
        state = _hash_of_texts(store)
        _STATES.clear()
        _STATES[key] = state
    return state


def _hash_of_texts(store: Store) -> str:
    digest = sha256(f"{VERSION}".encode())
    for docno, title, text in store.conn.execute(
        f"SELECT docno, title, sha256 FROM document WHERE {store.has_text()} ORDER BY docno"
    ):
        digest.update(json.dumps([docno, title, text]).encode())
    return digest.hexdigest()[:32]


def _write(vectors: Vectors, folder: Path) -> None:
    """Write vectors into a folder, which is there when it is whole."""
    folder.parent.mkdir(exist_ok=True)
    part = Path(mkdtemp(dir=folder.parent))
    rows = vectors.rows
    arrays: tuple[Any, ...] = (rows.data, rows.indices, rows.indptr, vectors.idf)
    for name, array in zip(PARTS, arrays, strict=True):
        np.save(part / f"{name}.npy", array)
    part.joinpath("names.json").write_text(json.dumps([vectors.docnos, vectors.terms]))
    for old in folder.parent.iterdir():
        if old.name not in (part.name, folder.name):
            shutil.rmtree(old, ignore_errors=True)
    try:
        part.rename(folder)
    except OSError:  # another process was faster
        shutil.rmtree(part)


def _read(folder: Path) -> Vectors:
    from scipy.sparse import csr_matrix

    data, indices, indptr, idf = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in PARTS)
    docnos, terms = json.loads(folder.joinpath("names.json").read_text())
    rows = csr_matrix((data, indices, indptr), shape=(len(docnos), len(terms)), copy=False)
    return Vectors(tuple(docnos), rows, tuple(terms), np.asarray(idf))


def rows_used(rows: csr_matrix) -> tuple[csr_matrix, NDArray[np.integer[Any]]]:
    """The columns that rows use, alone, and which they are."""
    from scipy.sparse import csr_matrix

    used, column = np.unique(rows.indices, return_inverse=True)
    return csr_matrix((rows.data, column, rows.indptr), shape=(rows.shape[0], len(used))), used
