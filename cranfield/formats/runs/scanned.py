"""TREC runs read by the compiled scanner, which gives what judgments need of a run; scanner.c says how.

It is there where a C compiler was when cranfield was installed, and CRANFIELD_NO_SCANNER=1 switches it off. Whatever
it does not know gives None: then a file is read in blocks (`blocks.py`) or as a table, with the same results.
"""

import codecs
import os
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.join import Judgments, Rankings
from cranfield.arrays.rankings import Ints, Vocabulary
from cranfield.errors import Path
from cranfield.formats.files import is_seekable_text, open_file
from cranfield.formats.runs import RankCounts, scanner_in_c
from cranfield.formats.runs.files import TREC
from cranfield.formats.table import AUTO, choose_format
from cranfield.parallel import map_in_threads

PIECE = 1 << 23  # bytes
HEAD = 1 << 12  # bytes
WHOLE = 1 << 27  # bytes of a file whose topics are mixed, and which is scanned as a whole
KEYS = 2 * 256  # bytes: 8 for each 4 of the longest name


class JudgedNames(NamedTuple):
    """Names in parts, first the judged qids, then the docnos judged for each: their bytes, where each name starts in
    them, where the slots of each part start, and the keys of the hash; and in which slot each is.
    """

    names: tuple[bytes, bytes, bytes, bytes]
    slots: bytes


class ScannedPiece(NamedTuple):
    """What the scanner gives of some lines: of each topic its id and how many rows it has; which rows were judged."""

    qids: list[str]
    lengths: list[int]
    row: Ints
    judgment: Ints
    tag: str
    first: str  # docno
    ranks: RankCounts


def names_for_scanner(judgments: Judgments) -> JudgedNames | None:
    r"""The judged docnos of each topic as the scanner looks them up; None without a scanner.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> found = names_for_scanner(Judgments(as_qrels({"q1": {"d1": 1, "d2": 0}})))
    >>> found is None or scan(found, b"q1 Q0 d3 1 2 r\nq1 Q0 d2 2 1 r\n").row.tolist() == [1]
    True
    """
    scanner = scanner_in_c()
    if scanner is None:
        return None
    qids, topic, docnos = judgments.pairs
    names = [name.encode("utf-8", "surrogatepass") for name in chain(qids, docnos.tolist())]
    offsets = np.fromiter(accumulate(map(len, names), initial=0), np.int64, len(names) + 1)
    sizes = np.append(len(qids), np.bincount(topic, minlength=len(qids)))
    starts = np.append(0, np.cumsum(1 << np.ceil(np.log2(2 * sizes.clip(1))).astype(np.int64)))
    table = (b"".join(names), offsets.tobytes(), starts.tobytes(), os.urandom(KEYS))
    return JudgedNames(table, scanner.slots(sizes.tobytes(), table))


def scan_file(names: JudgedNames, alone: bool, path: Path) -> tuple[Rankings, RankCounts] | None:
    """The run of a file, with the rows of the judged documents, and its ranks; None where the file needs a closer look.

    `alone`: no other file is read meanwhile, so that several pieces of this one are scanned at a time.
    """
    with open_file(path) as source:
        head = source.head[: source.head.rfind(b"\n", 0, HEAD) + 1] or source.head
        if (
            choose_format("run", AUTO, replace(source, head=head)) is not TREC
        ):  # a scanner knows the others from the rest
            return None
        several = map_in_threads if alone else map
        size = WHOLE if has_mixed_topics(head) else PIECE
        if is_seekable_text(path):
            with open(path, "rb", buffering=0) as file:
                return _join_pieces(several(partial(scan, names), read_whole_topics(file, size)))
        return _join_pieces(several(partial(scan, names), read_whole_topics(source.buffer, size)))


def has_mixed_topics(head: bytes) -> bool:
    r"""Whether a topic of these lines comes again.

    >>> has_mixed_topics(b"1 Q0 d1 1 2 r\n2 Q0 d1 1 2 r\n1 Q0 d2 2 1 r\n")
    True
    >>> has_mixed_topics(b"1 Q0 d1 1 2 r\n1 Q0 d2 2 1 r\n")
    False
    """
    qids = [qid for qid, _ in groupby(line.split(None, 1)[:1] for line in head.splitlines())]
    return len({*map(tuple, qids)}) < len(qids)


def read_whole_topics(stream: Any, size: int) -> Iterator[bytes]:
    """All bytes of a stream in pieces of about this size that end with a topic's last line."""
    waiting, data = list[bytes](), stream.read(size).removeprefix(codecs.BOM_UTF8)
    while more := stream.read(size):
        start = last_topic_offset(data)
        if start:
            yield b"".join([*waiting, memoryview(data)[:start]])
            waiting.clear()
        waiting.append(data[start:])
        data = more
    yield b"".join([*waiting, data])


def last_topic_offset(data: bytes) -> int:
    r"""Where the topic of the last whole line begins; 0 where that may be before the second line.

    >>> last_topic_offset(b"0 d1 1 2 r\n1 Q0 d1 1 2 r\n2 Q0 d1 1 2 r\n2 Q0 d2 2 1 r\n2 Q0")
    25
    >>> last_topic_offset(b"1 Q0 d1 1 2 r\n1")
    0
    """
    last = data.rfind(b"\n", 0, max(data.rfind(b"\n"), 0))
    qid = _qid_after(data, last)
    start = bisect_left(range(last + 1), True, key=lambda at: _qid_after(data, data.find(b"\n", at)) == qid)
    return data.find(b"\n", start) + 1 if start else 0


def _qid_after(data: bytes, end: int) -> list[bytes]:
    """The first word of the line after the one with this end."""
    return data[end + 1 : data.find(b"\n", end + 1)].split(None, 1)[:1]


def scan(names: JudgedNames, data: bytes) -> ScannedPiece | None:
    """What some lines have of the judged documents; None where one of them is unusual."""
    try:
        data.isascii() or data.decode()
    except UnicodeDecodeError:
        return None
    scanner = scanner_in_c()
    assert scanner
    columns = scanner.scan(data, *names)
    if columns is None:
        return None
    qids, lengths, row, judgment, tag, first, ranks = columns
    return ScannedPiece(
        qids, lengths, np.frombuffer(row, np.int64), judgment=np.frombuffer(judgment, np.int64), tag=tag, first=first,
        ranks=RankCounts(*ranks),
    )  # fmt: skip


def _join_pieces(several: Iterator[ScannedPiece | None]) -> tuple[Rankings, RankCounts] | None:
    """One run of its pieces; None where one is missing, a topic comes again or tags differ."""
    parts = list[ScannedPiece]()
    for part in several:
        if part is None:
            return None
        parts.append(part)
    qids = [qid for part in parts for qid in part.qids]
    if len({*qids}) < len(qids) or len({part.tag for part in parts}) > 1:
        return None
    length = np.array([size for part in parts for size in part.lengths], np.int64)
    starts = accumulate((sum(part.lengths) for part in parts), initial=0)
    row = np.concatenate([part.row + start for part, start in zip(parts, starts, strict=False)])
    judgment = np.concatenate([part.judgment for part in parts])
    tags, topics, topic, nothing = (parts[-1].tag,), Vocabulary(qids), np.arange(len(qids)), np.zeros(0, np.int64)
    rankings = Rankings(
        tags,
        topics,
        0 * topic,
        topic=topic,
        length=length,
        row=row,
        document=nothing,
        first=parts[0].first,
        judgment=judgment,
    )
    return rankings, RankCounts(*map(sum, zip(*(part.ranks for part in parts), strict=True)))
