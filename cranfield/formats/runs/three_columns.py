"""Runs of three columns: topic, document, and a rank or a score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.layout import split_first_lines
from cranfield.formats.named import RankedLine, check_ranks, unread_table
from cranfield.text import counted


def has_three_columns(head: bytes, path: str) -> bool:
    r"""Whether the first line has three columns.

    >>> has_three_columns(b"1048585\t7187158\t1\n", "run"), has_three_columns(b"1 0 d1 1", "run")
    (True, False)
    """
    return len(next(iter(split_first_lines(head, 3)), [])) == 3


def read_three_columns(source: OpenFile, last: str) -> Iterator[tuple[int, list[bytes]]]:
    """The lines of a file with three columns, each with its number."""
    for line, text in enumerate(source.data().splitlines(), 1):
        values = text.split()
        if not values or text.startswith(b"#"):
            continue
        if len(values) != 3:
            columns = "1 column" if len(values) == 1 else f"{len(values)} columns"
            raise InputError(f"{columns}; expected 3, as on the first line: qid docno {last}", source.path, line)
        yield line, values


def read_msmarco(source: OpenFile) -> UnreadTable:
    """MS MARCO runs: `qid docno rank`, ordered by rank; a run is named after its file.

    Ranks are whole numbers. Where the format was detected, the ranks of each topic begin with 0 or 1 and have no gaps:
    whole scores have gaps, and would be read in reverse order.
    """
    rows, ranked = list[tuple[int, bytes]](), list[RankedLine]()
    for line, (qid, docno, rank) in read_three_columns(source, "rank"):
        ranked.append(RankedLine(line, qid, rank))
        rows.append((line, b"\t".join([b"-" + rank, qid, docno])))
    check_ranks(source, ranked, NAMED_SCORES)
    table, topics = (
        unread_table(source, "run", place_lines_at_numbers(rows)),
        _count_falling_topics(ranked) if source.is_guessed else 0,
    )
    if not topics:
        return table
    where = f"from line to line in {counted(topics, 'topic')}"
    what = f"the numbers fall {where}, but are read as ranks, so the last document is the best"
    return replace(table, notes=(f"{what}; {NAMED_SCORES}",))


def _count_falling_topics(lines: Iterable[RankedLine]) -> int:
    """The number of topics with several lines if the ranks fall in all of them, as scores do; otherwise 0."""
    ranks: dict[object, int] = {}
    falling = set[object]()
    for _, topic, text in lines:
        rank = int(text)
        if topic in ranks:
            if rank > ranks[topic]:
                return 0
            falling.add(topic)
        ranks[topic] = rank
    return len(falling)


def read_scores(source: OpenFile) -> UnreadTable:
    """Runs of three columns, `qid docno score`; a run is named after its file."""
    rows = (
        (line, b"\t".join([score, qid, docno])) for line, (qid, docno, score) in read_three_columns(source, "score")
    )
    return unread_table(source, "run", place_lines_at_numbers(rows))


def place_lines_at_numbers(rows: Iterable[tuple[int, bytes]]) -> bytes:
    r"""Lines at their numbers, with empty lines between.

    >>> place_lines_at_numbers([(1, b"a"), (3, b"b")])
    b'a\n\nb'
    """
    lines = list[bytes]()
    for line, text in rows:
        lines += [b""] * (line - len(lines) - 1)
        lines.append(text)
    return b"\n".join(lines)


NAMED_SCORES = "if the last column is a score, use --input-format qid-docno-score (--format of import runs)"


MSMARCO = Format("run", "msmarco", "qid docno rank, the format of MS MARCO runs", has_three_columns, read_msmarco)


SCORES = Format(
    "run",
    "qid-docno-score",
    "qid docno score; used only if you name this format",
    lambda head, path: False,
    read_scores,
)
