"""A run file in blocks: what judgments need of it, without a vocabulary of all that was retrieved.

Of a document that nobody judged only its place in the ranking counts. Blocks are parsed one by one, several at a time;
docnos are compared where scores tie. Whatever is unusual is left to the reading of the whole file.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.join import Rankings
from cranfield.arrays.order import descending, tied
from cranfield.arrays.rankings import Floats, Ints, Vocabulary
from cranfield.formats.arrow import (
    ArrowVocabulary,
    codes_of,
    last_tag,
    made_regular,
    merged,
    parsed,
    view,
)
from cranfield.formats.arrow_texts import Places, Texts, fingerprints
from cranfield.formats.files import Path, opened
from cranfield.formats.runs.trec import LAYOUT, RUN
from cranfield.formats.table import AUTO, chosen
from cranfield.parallel import several_at_a_time

BLOCK = 1 << 22  # bytes
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SPREAD = np.uint64(0xD6E8FEB86659FD93)  # odd: topics stay apart
Numbers = NDArray[np.int32]


class HasTopics(Protocol):
    """Rows of some lines: the topic of each as an integer into `qids`."""

    @property
    def qids(self) -> list[str]: ...

    @property
    def topic(self) -> Numbers: ...


class Block(NamedTuple):
    """The rows of some lines: topics as integers into `qids`, documents as integers into a vocabulary or -1."""

    qids: list[str]
    topic: Numbers
    document: Numbers
    score: Floats
    key: NDArray[np.uint64]  # the same for the same document of the same topic, and hardly ever for two
    docno: Any
    tag: str


def read_rankings(path: Path, docnos: Vocabulary, alone: bool = True) -> Rankings | None:
    """The run of a file, with the rows of these docnos; None where the file needs a closer look.

    `alone`: no other file is read meanwhile, so that several blocks of this one are parsed at a time.
    """
    import pyarrow as pa

    texts = docnos.texts if isinstance(docnos, ArrowVocabulary) else pa.array(docnos.names, "str")
    work = partial(_parsed, Places(texts))
    with opened(path) as source:
        if source.head.startswith(UTF_16) or chosen("run", AUTO, source) is not RUN:
            return None
        lines = pieces(source.stream.buffer)
        blocks = _complete(several_at_a_time(work, lines) if alone else map(work, lines))
    return _joined(blocks) if blocks else None


def pieces(stream: Any) -> Iterator[bytes]:
    r"""The lines of a stream, many at a time; a piece is empty where a line is longer than two blocks.

    >>> import io
    >>> list(pieces(io.BytesIO(b"1 Q0 d1 1 2.0 a\n1 Q0 d2 2 1.0 a")))
    [b'1 Q0 d1 1 2.0 a\n', b'1 Q0 d2 2 1.0 a']
    """
    rest = b""
    while data := stream.read(BLOCK):
        end = data.rfind(b"\n") + 1
        if end:
            yield rest + data[:end]
            rest = data[end:]
        elif len(rest) > BLOCK:
            yield b""
        else:
            rest += data
    if rest:
        yield rest


def _complete(blocks: Iterable[Block | None]) -> list[Block]:
    """All of them, or none where one needs a closer look."""
    found = list[Block]()
    for block in blocks:
        if block is None:
            return []
        found.append(block)
    return found


def _parsed(known: Places, data: bytes) -> Block | None:
    import pyarrow as pa

    if not data or b"\0" in data:
        return None
    regular = made_regular(data, tabs=False)
    try:
        table = parsed(regular, LAYOUT, "docno")
        tag = last_tag(regular)
    except pa.ArrowInvalid:
        return None
    qid, docno, score = merged(table["qid"]), merged(table["docno"]), view(merged(table["score"]))
    if tag is None or np.isnan(score).any():
        return None
    topic, prints = codes_of(qid), fingerprints(docno)
    key = prints + SPREAD * fingerprints(qid.dictionary)[topic]
    return Block(qid.dictionary.to_pylist(), topic, known.of(docno, prints), score, key, docno, tag)


def _joined(blocks: list[Block]) -> Rankings | None:
    """One run of its blocks, in canonical order; None where a document may be in a topic twice."""
    docnos, tag = Texts([block.docno for block in blocks]), blocks[-1].tag
    qids, topic = topics_of(blocks)
    if _repeats(np.concatenate([block.key for block in blocks])):
        return None
    document = np.concatenate([block.document for block in blocks])
    score = np.concatenate([block.score for block in blocks])
    blocks.clear()
    document, topic = _in_canonical_order(document, topic, score, docnos)
    start = np.append(0, np.flatnonzero(topic[1:] != topic[:-1]) + 1)
    row = np.flatnonzero(document >= 0)
    return Rankings(
        (tag,), Vocabulary(qids), np.zeros_like(start), topic[start].astype(np.int64),
        np.diff(start, append=len(topic)), row, document[row].astype(np.int64),
    )  # fmt: skip


def _in_canonical_order(document: Numbers, topic: Numbers, score: Floats, docnos: Texts) -> tuple[Numbers, Numbers]:
    """Documents and topics by topic, descending score and descending docno; of ties, where it matters to judgments."""
    order = descending(topic, score)
    ordered = document if order is None else document[order]
    if order is not None:
        topic, score = topic[order], score[order]
    rows, stretch = tied(topic, score)
    matters = np.bincount(stretch, ordered[rows] >= 0)[stretch] > 0
    rows, stretch = rows[matters], stretch[matters]
    came = rows if order is None else order[rows]
    ordered[rows] = document[came[_highest_first(stretch, docnos.words(came))]]
    return ordered, topic


def _highest_first(stretch: Ints, words: NDArray[np.uint64]) -> Ints:
    """The order by stretch and by descending words."""
    differs = (words != words[:1]).any(axis=0)
    return np.lexsort((*words[:, differs].T[::-1], -stretch))[::-1]


def topics_of(blocks: Sequence[HasTopics]) -> tuple[list[str], Numbers]:
    """The ids of all topics in the order of first use, and the topic of each row."""
    codes = dict[str, int]()
    of_block = [np.array([codes.setdefault(qid, len(codes)) for qid in block.qids], np.int32) for block in blocks]
    return [*codes], np.concatenate([code[block.topic] for code, block in zip(of_block, blocks, strict=True)])


def _repeats(keys: NDArray[np.uint64]) -> bool:
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())
