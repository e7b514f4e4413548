"""A run file with all that it retrieved, read in blocks; its docnos are found in byte order.

Names are compared as numbers of eight bytes, and sorted rather than hashed: that finds equal ones and their order at
once. Whatever is unusual is left to the slower reading of tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.order import ascending
from cranfield.arrays.rankings import Floats, Ints, Runs, Vocabulary, canonical, occurring
from cranfield.formats.arrow import ArrowVocabulary, codes_of, has_one_tag, last_tag, made_regular, merged, parsed, view
from cranfield.formats.arrow_texts import Bytes, Texts, Words
from cranfield.formats.files import Digest, Path, opened
from cranfield.formats.pieces import pieces
from cranfield.formats.runs.blocks import UTF_16, topics_of
from cranfield.formats.runs.trec import LAYOUT, RUN
from cranfield.formats.table import chosen
from cranfield.parallel import several_at_a_time


class Lines(NamedTuple):
    """The rows of some lines: topics as integers into `qids`."""

    qids: list[str]
    topic: NDArray[np.int32]
    docno: Any
    score: Floats
    tag: str


class OrderedVocabulary(ArrowVocabulary):
    """The names of an Arrow array of different texts, which are in byte order.

    >>> import pyarrow as pa
    >>> OrderedVocabulary(pa.array(["D1", "d10", "d9"])).in_byte_order(np.array([2, 0, 2]))
    array([0, 2])
    """

    def in_byte_order(self, codes: Ints) -> Ints:
        """The integers that occur in `codes`, each once."""
        return occurring(codes)


def read_run(path: Path, format_name: str, alone: bool, digest: Digest) -> Runs | None:
    """The run of a file; None where it needs a closer look: a header, several tags, a document twice.

    `alone`: no other file is read meanwhile, so that several blocks of this one are parsed at a time.
    """
    import pyarrow as pa

    with opened(path, digest=digest) as source:
        if source.head.startswith(UTF_16) or source.head.lstrip()[:1] in (b"", b"#"):
            return None
        if chosen("run", format_name, source) is not RUN:
            return None
        texts = pieces(source.stream.buffer)
        blocks = list(several_at_a_time(_parsed, texts) if alone else map(_parsed, texts))
    known = [block for block in blocks if block is not None]
    try:
        return _joined(known) if len(known) == len(blocks) and len({block.tag for block in known}) == 1 else None
    except pa.ArrowInvalid:
        return None


def _parsed(data: bytes) -> Lines | None:
    import pyarrow as pa

    if not data or b"\0" in data:
        return None
    regular = made_regular(data, tabs=False)
    try:
        table, tag = parsed(regular, LAYOUT, "docno"), last_tag(regular)
    except pa.ArrowInvalid:
        return None
    qid, score = merged(table["qid"]), view(merged(table["score"]))
    if tag is None or not has_one_tag(regular, tag, len(table)) or np.isnan(score).any():
        return None
    return Lines(qid.dictionary.to_pylist(), codes_of(qid), merged(table["docno"]), score, tag)


def _joined(blocks: list[Lines]) -> Runs | None:
    """One run of its blocks; None where a document is in a topic twice."""
    import pyarrow as pa

    tag, score = blocks[-1].tag, np.concatenate([block.score for block in blocks])
    qids, codes = topics_of(blocks)
    topic = codes.astype(np.int64)
    texts = [block.docno for block in blocks]
    blocks.clear()
    first, document = _in_order(Texts([Bytes.of(text).words() for text in texts]).every())
    if _repeats(topic * len(first) + document):
        return None
    docnos = OrderedVocabulary(pa.concat_arrays(texts).take(pa.array(first)))
    return canonical([tag], Vocabulary(qids), docnos, np.broadcast_to(0, len(topic)), topic, document, score)


def _in_order(words: Sequence[Words]) -> tuple[Ints, Ints]:
    """Of texts given as columns of words: where each different one is first, in byte order, and the place of each.

    >>> _in_order([np.array([9, 4, 9], np.uint64), np.array([0, 2, 0], np.uint64)])
    (array([1, 0]), array([1, 0, 1]))
    """
    order = ascending(np.zeros(len(words[0]), np.int64), words)
    is_new = np.arange(len(order)) == 0
    for column in words:
        ordered = column[order]
        is_new[1:] |= ordered[1:] != ordered[:-1]
    place = np.empty_like(order)
    place[order] = np.cumsum(is_new) - 1
    return order[is_new], place


def _repeats(keys: Ints) -> bool:
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())
