"""Runs of several files as one batch."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.join import GrowingColumn
from cranfield.arrays.rankings import Floats, Ints, Runs, Vocabulary, occurring_codes, sort_runs
from cranfield.formats.arrow import (
    TextVocabulary,
    array_of_texts,
    number_array,
    text_array,
    text_buffers,
    unite_texts,
)
from cranfield.formats.fingerprints import Bytes, Words, fingerprints
from cranfield.formats.runs import scanner_in_c

LINES_AT_ONCE = 1 << 22  # of runs whose docnos are united at a time
LONGEST = 256  # bytes of a docno that is read quickly
KEYS = 2 * LONGEST  # bytes: 8 for each 4 of the longest name that the scanner takes


class OrderedVocabulary(TextVocabulary):
    """The names of an array of different texts, which are in byte order.

    >>> import pyarrow as pa
    >>> OrderedVocabulary(pa.array(["D1", "d10", "d9"])).sorted_codes(np.array([2, 0, 2]))
    array([0, 2])
    """

    def sorted_codes(self, codes: Ints) -> Ints:
        """The integers that occur in `codes`, each once."""
        return occurring_codes(codes)


class UnorderedRun(NamedTuple):
    """A run of one file: its lines in their order, without a document that is in a topic twice.

    `topic` has the topic of each line as an integer into `topics`, and `docnos` its docno, in arrays of texts.
    """

    tags: tuple[str, ...]
    topics: Vocabulary
    topic: Any
    docnos: Sequence[Any]
    score: Floats

    def with_documents(self, docnos: Vocabulary, document: Ints) -> Runs:
        """The run in canonical order, with the document of each line as an integer into `docnos`."""
        run = np.broadcast_to(0, len(document))
        return sort_runs(
            self.tags, self.topics, docnos, run=run, topic=self.topic.astype(np.int64), document=document,
            score=self.score,
        )  # fmt: skip


FileRun = Runs | UnorderedRun


def united_runs(runs: Iterable[FileRun], codes: type[np.int32] | type[np.int64]) -> Runs:
    """The runs of files, each over its own names, as one batch, its integers of this kind; four bytes are for keeping.

    >>> from cranfield.metrics.inputs import as_runs
    >>> both = united_runs([as_runs({tag: {"q": {"d1": 2.0, tag: 1.0}}}) for tag in "ba"], np.int32)
    >>> both.tags, both.run, both.docnos.names[both.document].tolist()
    (('b', 'a'), array([0, 0, 1, 1], dtype=int32), ['d1', 'b', 'd1', 'a'])
    """
    tags, lengths, qids = list[str](), list[int](), dict[str, int]()
    docnos: TextVocabulary = OrderedVocabulary(text_array([]))
    topic, document, score = GrowingColumn(codes), GrowingColumn(codes), GrowingColumn(np.float64)
    for batch in _batches(runs):
        names, ordered = _ordered_runs(batch)
        docnos, place = _extend_vocabulary(docnos, names)
        for run in ordered:
            numbers = [qids.setdefault(qid, len(qids)) for qid in run.topics.names.tolist()]
            topic.add(np.array(numbers, np.int64)[run.topic])
            document.add(run.document if place is None else place[run.document])
            score.add(run.score)
            tags += run.tags
            lengths += np.bincount(run.run, minlength=len(run.tags)).tolist()
        batch.clear()
    topics = Vocabulary(sorted(qids))
    of: Any = np.repeat(np.arange(len(tags), dtype=codes), lengths)
    topic_codes: Any = topics.codes([*qids]).astype(codes)[topic.joined()]
    return Runs(
        tuple(tags), topics, docnos, run=of, topic=topic_codes, document=document.joined(), scores=score.joined()
    )


def _batches(runs: Iterable[FileRun]) -> Iterator[list[FileRun]]:
    """The runs, some at a time: together they have so many lines, or are the last."""
    batch, lines = list[FileRun](), 0
    for run in runs:
        batch.append(run)
        lines += len(run.topic)
        if lines >= LINES_AT_ONCE:
            yield batch
            batch, lines = [], 0
    if batch:
        yield batch


def _extend_vocabulary(known: TextVocabulary, names: TextVocabulary) -> tuple[TextVocabulary, Ints | None]:
    """Both together, the known names first, and the integer of each name among them; None if it stays the same."""
    if not len(known.texts):
        return names, None
    both, places = unite_distinct_texts([known.texts, names.texts])
    return both, places[1].astype(np.int64)


def _ordered_runs(batch: Sequence[FileRun]) -> tuple[TextVocabulary, Iterable[Runs]]:
    """The docnos of some runs, in byte order if any run needs that, and the runs over them, one by one."""
    texts = [
        run.docnos
        if isinstance(run, UnorderedRun)
        else [run.docnos.texts if isinstance(run.docnos, TextVocabulary) else text_array(run.docnos.names.tolist())]
        for run in batch
    ]
    docnos, codes = unite_distinct_texts([block for blocks in texts for block in blocks])
    place = np.arange(len(docnos.texts))
    if any(isinstance(run, UnorderedRun) for run in batch):
        order = docnos.sorted_codes(place)
        place[order] = np.arange(len(order))
        docnos = OrderedVocabulary(docnos.texts.take(number_array(order)))
    remaining = iter(codes)
    documents = ([place[code] for code in islice(remaining, len(blocks))] for blocks in texts)
    return docnos, (
        _recode_run(docnos, run, np.concatenate(several)) for run, several in zip(batch, documents, strict=True)
    )


def _recode_run(docnos: Vocabulary, run: FileRun, place: Ints) -> Runs:
    """A run over these docnos, given the integer of each of its names or, if it is not in order yet, of each line."""
    if isinstance(run, UnorderedRun):
        return run.with_documents(docnos, place)
    return Runs(
        run.tags, run.topics, docnos, run=run.run, topic=run.topic, document=place[run.document], scores=run.score
    )


def unite_distinct_texts(texts: Sequence[Any]) -> tuple[TextVocabulary, Sequence[NDArray[np.int32]]]:
    """What `unite_texts` gives, in a third of the time where there is a compiled scanner and names are not long."""
    scanner = scanner_in_c()
    found = None if scanner is None else scanner.unite(os.urandom(KEYS), tuple(map(text_buffers, texts)))
    if found is None:
        return unite_texts(texts)
    numbers, data, offsets = found
    ends = np.cumsum([len(each) for each in texts])
    return TextVocabulary(array_of_texts(offsets, data)), np.split(np.frombuffer(numbers, np.int32), ends[:-1])


def hashes(keys: bytes, texts: Any) -> Words | None:
    """A number for each text, the same for the same text and the same keys; None if a text is longer than 256 bytes.

    >>> import pyarrow as pa
    >>> found = hashes(os.urandom(KEYS), pa.array(["d1", "d10", "d1"]))
    >>> found is not None and [bool(number == found[0]) for number in found]
    [True, False, True]
    >>> hashes(bytes(KEYS), pa.array(["d" * 257])) is None
    True
    """
    if scanner := scanner_in_c():
        found = scanner.hashes(keys, text_buffers(texts))
        return None if found is None else np.frombuffer(found, np.uint64)
    names = Bytes.from_texts(texts)
    return None if names.length.max(initial=0) > LONGEST else fingerprints(names.words())
