"""Run files read quickly, in blocks, several at a time; whatever is unusual is left to the slower reading of tables.

`read_rankings` gives what judgments need of a run, without a vocabulary of all that was retrieved: of a document that
nobody judged only its place in the ranking counts; docnos are compared where scores tie. `read_run` gives all that
was retrieved, its docnos in byte order: names are compared as numbers of eight bytes, and sorted rather than hashed,
which finds equal ones and their order at once.
"""

import codecs
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.join import Rankings
from cranfield.arrays.rankings import (
    Floats,
    Ints,
    Runs,
    Vocabulary,
    ascending_order,
    descending_order,
    distinct_rows,
    group_order,
    sort_runs,
    tied_rows,
)
from cranfield.errors import Path
from cranfield.formats.arrow import (
    TextVocabulary,
    codes_of,
    concatenate_texts,
    has_one_tag,
    last_tag,
    normalise_separators,
    number_array,
    parse_table,
    text_array,
)
from cranfield.formats.files import BLOCK_BYTES, LONG_LINE_BYTES, Digest, is_seekable_text, open_file
from cranfield.formats.fingerprints import Bytes, Places, Texts, Words, fingerprints
from cranfield.formats.runs import RankCounts, count_ranks
from cranfield.formats.runs.files import TREC, TREC_LAYOUT
from cranfield.formats.runs.united import KEYS, LONGEST, OrderedVocabulary, UnorderedRun, hashes
from cranfield.formats.table import AUTO, choose_format
from cranfield.parallel import map_in_threads


class Piece(NamedTuple):
    """Some lines of a file, read when asked for; none where a line is too long."""

    path: Path
    start: int
    end: int

    def read(self) -> bytes:
        with open(self.path, "rb", buffering=0) as file:
            file.seek(self.start)
            return file.read(self.end - self.start)


def file_pieces(path: Path) -> Iterator[Piece]:
    """The pieces of a plain file."""
    size = os.path.getsize(path)
    with open(path, "rb", buffering=0) as file:
        start = len(codecs.BOM_UTF8) if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else 0
        while start < size:
            file.seek(start + BLOCK_BYTES)
            following = file.read(LONG_LINE_BYTES)
            rest = following.find(b"\n") + 1 or len(following)
            is_cut = len(following) == LONG_LINE_BYTES and not following.endswith(b"\n", 0, rest)
            end = start + BLOCK_BYTES + rest
            yield Piece(path, start, start if is_cut else end)
            start = end


def read_blocks_of_lines(stream: Any) -> Iterator[bytes]:
    r"""The lines of a stream, many at a time; a piece is empty where a line is longer than two blocks.

    >>> import io
    >>> list(read_blocks_of_lines(io.BytesIO(b"1 Q0 d1 1 2.0 a\n1 Q0 d2 2 1.0 a")))
    [b'1 Q0 d1 1 2.0 a\n', b'1 Q0 d2 2 1.0 a']
    """
    rest = b""
    while data := stream.read(BLOCK_BYTES):
        end = data.rfind(b"\n") + 1
        if end:
            yield b"".join((rest, memoryview(data)[:end]))
            rest = data[end:]
        elif len(rest) > BLOCK_BYTES:
            yield b""
        else:
            rest += data
    if rest:
        yield rest


PART = 1 << 16  # rows that are ordered at a time, and what for stays in the caches of a processor
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SPREAD = np.uint64(0xD6E8FEB86659FD93)  # odd: topics stay apart
Numbers = NDArray[np.int32]
T = TypeVar("T")
Several = Callable[[Callable[[Any], T], Iterable[Any]], Iterable[T]]


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
    key: Words  # the same for the same document of the same topic, and hardly ever for two
    docno: list[Words]
    tag: str
    first: str  # docno
    rank: Numbers


def places(docnos: Vocabulary) -> Places:
    """Where the docnos of runs are in a vocabulary."""
    return Places(docnos.texts if isinstance(docnos, TextVocabulary) else text_array(docnos.names.tolist()))


def read_rankings(path: Path, places: Places, alone: bool = True) -> tuple[Rankings, RankCounts] | None:
    """The run of a file, with the rows of these docnos, and its ranks; None where the file needs a closer look.

    `alone`: no other file is read meanwhile, so that several blocks of this one are parsed at a time.
    """
    several = map_in_threads if alone else map
    with open_file(path) as source:
        if source.head.startswith(UTF_16) or choose_format("run", AUTO, source) is not TREC:
            return None
        texts = file_pieces(path) if is_seekable_text(path) else read_blocks_of_lines(source.buffer)
        blocks = _all_or_none(several(partial(_parse, places), texts))
    return _join_blocks(blocks, several) if blocks else None


def _all_or_none(parts: Iterable[T | None]) -> list[T]:
    """All of them, or none where one needs a closer look."""
    whole = list[T]()
    for part in parts:
        if part is None:
            return []
        whole.append(part)
    return whole


def _parse(places: Places, piece: bytes | Piece) -> Block | None:
    data = piece.read() if isinstance(piece, Piece) else piece
    if not data or b"\0" in data:
        return None
    regular = normalise_separators(data, tabs=False)
    table, tag = parse_table(regular, TREC_LAYOUT, "docno", whole_ranks=True), last_tag(regular)
    if table is None:
        return None
    qid, docno, score = table["qid"], Bytes.from_texts(table["docno"]), table["score"]
    if (
        tag is None
        or not has_one_tag(regular, tag, len(score))
        or np.isnan(score).any()
        or docno.length.max() > LONGEST
    ):
        return None
    topic, words = codes_of(qid), docno.words()
    prints, topic_prints = fingerprints(words), fingerprints(Bytes.from_texts(qid.dictionary).words())[topic]
    if (prints == topic_prints).any():  # documents with their topic's id are counted where all rows are kept
        return None
    key = prints + SPREAD * topic_prints
    document = places.find_texts(docno, words, prints)
    return Block(
        qid.dictionary.to_pylist(),
        topic,
        document,
        score=score,
        key=key,
        docno=words,
        tag=tag,
        first=str(table["docno"][0]),
        rank=table["rank"],
    )


class RunRows(NamedTuple):
    """The rows of a whole run; `order` is where they are by topic, None if they are so."""

    topic: Numbers
    document: Numbers
    score: Floats
    key: Words
    docno: Texts
    order: Ints | None

    def canonical_numbers(self, part: slice) -> Numbers | None:
        """The documents of some whole topics by descending score and descending docno; None where one may be twice.

        Of documents whose scores tie, the order is the right one where it matters to judgments.
        """
        rows = np.arange(part.start, part.stop) if self.order is None else self.order[part]
        if _has_equal_keys(self.key[rows]):
            return None
        order = descending_order(self.topic[rows], self.score[rows])
        rows = rows if order is None else rows[order]
        document = self.document[rows]
        ties, stretch = _ties_that_matter(document, *tied_rows(self.topic[rows], self.score[rows]))
        if len(ties):
            words = [~column for column in self.docno.words(rows[ties])]
            document[ties] = document[ties[ascending_order(stretch, words)]]
        return document


def _ties_that_matter(document: Numbers, ties: Ints, stretch: Ints) -> tuple[Ints, Ints]:
    """Of tied rows, those of stretches with a document that is known; the stretches numbered from 0."""
    matters = np.bincount(stretch, document[ties] >= 0) > 0
    rows = matters[stretch]
    return ties[rows], (np.cumsum(matters) - 1)[stretch[rows]]


def _join_blocks(blocks: list[Block], several: Several[Numbers | None]) -> tuple[Rankings, RankCounts] | None:
    """One run of its blocks, in canonical order; None where tags differ or a document may be in a topic twice."""
    if len({block.tag for block in blocks}) > 1:
        return None
    tag, first, (qids, topic) = blocks[-1].tag, blocks[0].first, topics_of(blocks)
    rank = np.concatenate([block.rank for block in blocks])
    order = group_order(topic) if np.any(topic[1:] < topic[:-1]) else None
    document, score, key = (np.concatenate([block[column] for block in blocks]) for column in (2, 3, 4))
    ranks = count_ranks(topic, rank, score)
    lines = RunRows(topic, document, score, key=key, docno=Texts([block.docno for block in blocks]), order=order)
    blocks.clear()
    topic = topic if order is None else topic[order]
    start = np.append(0, np.flatnonzero(topic[1:] != topic[:-1]) + 1)
    parts = _all_or_none(several(lines.canonical_numbers, _topic_slices(start, len(topic))))
    if not parts:
        return None
    document = np.concatenate(parts)
    row = np.flatnonzero(document >= 0)
    rankings = Rankings(
        (tag,), Vocabulary(qids), np.zeros_like(start), topic=topic[start].astype(np.int64),
        length=np.diff(start, append=len(topic)), row=row, document=document[row].astype(np.int64), first=first,
    )  # fmt: skip
    return rankings, ranks


def _topic_slices(start: Ints, size: int) -> Iterator[slice]:
    """All rows in parts of whole topics, of which these are the starts.

    >>> list(_topic_slices(np.array([0, 3, PART + 1, PART + 9]), PART + 20))
    [slice(0, 3, None), slice(3, 65556, None)]
    """
    at = np.searchsorted(start, np.arange(0, size, PART), "right") - 1
    cuts = [*np.unique(start[at]).tolist(), size]
    return map(slice, cuts[:-1], cuts[1:])


def topics_of(blocks: Sequence[HasTopics]) -> tuple[list[str], Numbers]:
    """The ids of all topics in the order of first use, and the topic of each row."""
    codes = dict[str, int]()
    block_topics = [np.array([codes.setdefault(qid, len(codes)) for qid in block.qids], np.int32) for block in blocks]
    return [*codes], np.concatenate([code[block.topic] for code, block in zip(block_topics, blocks, strict=True)])


class ParsedLines(NamedTuple):
    """The rows of some lines: topics as integers into `qids`."""

    qids: list[str]
    topic: NDArray[np.int32]
    docno: Any
    score: Floats
    tag: str
    rank: Numbers


def read_run(
    path: Path, format_name: str, alone: bool, digest: Digest
) -> tuple[Runs | UnorderedRun, RankCounts] | None:
    """The run of a file and its ranks; None where it needs a closer look: a header, several tags, a document twice.

    `alone`: no other file is read meanwhile, so that several blocks of this one are parsed at a time. Otherwise
    `united_runs` puts its lines in order, together with those of other files: their docnos are mostly the same.
    """
    with open_file(path, digest=digest) as source:
        if source.head.startswith(UTF_16) or source.head.lstrip()[:1] in (b"", b"#"):
            return None
        if choose_format("run", format_name, source) is not TREC:
            return None
        texts = read_blocks_of_lines(source.buffer)
        blocks = list(map_in_threads(_parsed_lines, texts) if alone else map(_parsed_lines, texts))
    parts = [block for block in blocks if block is not None]
    if len(parts) < len(blocks) or len({block.tag for block in parts}) != 1:
        return None
    try:
        return _joined_blocks(parts) if alone else _unordered_run(parts)
    except OverflowError:
        return None


def _parsed_lines(data: bytes) -> ParsedLines | None:
    if not data or b"\0" in data:
        return None
    regular = normalise_separators(data, tabs=False)
    table, tag = parse_table(regular, TREC_LAYOUT, "docno", whole_ranks=True), last_tag(regular)
    if table is None:
        return None
    qid, score = table["qid"], table["score"]
    if tag is None or not has_one_tag(regular, tag, len(score)) or np.isnan(score).any():
        return None
    return ParsedLines(qid.dictionary.to_pylist(), codes_of(qid), table["docno"], score, tag, table["rank"])


def _joined_blocks(blocks: list[ParsedLines]) -> tuple[Runs, RankCounts] | None:
    """One run of its blocks; None where a document is in a topic twice."""
    tag, score = blocks[-1].tag, np.concatenate([block.score for block in blocks])
    qids, codes = topics_of(blocks)
    topic, ranks = codes.astype(np.int64), count_ranks(codes, np.concatenate([block.rank for block in blocks]), score)
    texts = [block.docno for block in blocks]
    blocks.clear()
    order, is_new = distinct_rows(Texts([Bytes.from_texts(text).words() for text in texts]).all_words())
    if _has_repeats(codes, order, is_new):
        return None
    document = _number_rows(order, is_new)
    first = order[is_new]
    docnos = OrderedVocabulary(concatenate_texts(texts).take(number_array(first)))
    run = np.broadcast_to(0, len(topic))
    return sort_runs([tag], Vocabulary(qids), docnos, run=run, topic=topic, document=document, score=score), ranks


def _unordered_run(blocks: Sequence[ParsedLines]) -> tuple[UnorderedRun, RankCounts] | None:
    """The lines of one run; None where a document may be in a topic twice."""
    score = np.concatenate([block.score for block in blocks])
    qids, topic = topics_of(blocks)
    spread = SPREAD * np.arange(1, len(qids) + 1, dtype=np.uint64)
    keys, docnos, parts = os.urandom(KEYS), [block.docno for block in blocks], list[Words]()
    for texts in docnos:
        if (part := hashes(keys, texts)) is None:
            return None
        parts.append(part)
    if _has_equal_keys(np.concatenate(parts) + spread[topic]):
        return None
    ranks = count_ranks(topic, np.concatenate([block.rank for block in blocks]), score)
    return UnorderedRun((blocks[-1].tag,), Vocabulary(qids), topic, docnos, score), ranks


def _number_rows(order: Ints, is_new: NDArray[np.bool_]) -> Ints:
    """Number the distinct rows from 0 in their order, and return the number of each row.

    >>> _number_rows(np.array([1, 0, 2]), np.array([True, True, False])).tolist()
    [1, 0, 1]
    """
    place = np.empty(len(order), np.int32)
    place[order] = np.cumsum(is_new, dtype=np.int32) - 1
    return place.astype(np.int64)


def _has_repeats(topic: Numbers, order: Ints, is_new: NDArray[np.bool_]) -> bool:
    """Whether two rows have the same document and topic; the rows of a document stand together in `order`.

    Most files have their topics one after the other, so that the topics of each document already ascend.

    >>> rows, is_new = np.array([0, 2, 1, 3]), np.array([True, False, True, False])
    >>> _has_repeats(np.array([0, 0, 1, 1]), rows, is_new), _has_repeats(np.array([1, 0, 0, 0]), rows, is_new)
    (False, True)
    """
    ordered = topic[order]
    ascends = ordered[1:] > ordered[:-1]
    ascends |= is_new[1:]
    if ascends.all():
        return False
    return _has_equal_keys(ordered.astype(np.int64) * len(order) + np.cumsum(is_new))


def _has_equal_keys(keys: NDArray[np.generic]) -> bool:
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())
