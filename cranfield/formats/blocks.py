r"""Files of blocks, as classic collections have them: a line with an id starts each, a line or a mark ends it.

There is nothing to detect them by; a recipe says where blocks start and end.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import LIMITS, OpenFile, Path, opened, too_much
from cranfield.formats.layout import Layout, shown
from cranfield.formats.records import Document, Topic
from cranfield.text import counted

Pattern = re.Pattern[str]

PAIRS = Layout("pairs have", ("qid", "docno"), number=None)


class BlockRule(NamedTuple):
    """Where blocks start and end, and which are left out.

    `start` matches a whole line, and its group is the id; `end` matches the end of a line, whose text before it belongs
    to the block. Without `end`, the next start ends a block. `repeated` are ids that occur again, of which the first
    block is kept; of the ids in `skip` none is. `outside` is how many lines of text stand outside blocks. With
    `paragraph_title`, what precedes the first blank line is the title. `stop` matches the line that ends the file, if
    there is one; with `double_spaced`, blank lines are left out.
    """

    start: str
    end: str = ""
    repeated: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    outside: int = 0
    paragraph_title: bool = False
    stop: str = ""
    double_spaced: bool = False


class Block(NamedTuple):
    """The id of a block, and its lines."""

    line: int
    id: str
    lines: list[str]


def block_documents(path: Path, rule: BlockRule) -> Iterator[Document]:
    """A document of each block."""
    with opened(path, whole=False) as source:
        for block in _chosen(source, rule):
            lines = (line.strip() for line in block.lines)
            text = "\n".join(line for line in lines if line or not rule.double_spaced).strip("\n")
            title, blank, rest = text.partition("\n\n") if rule.paragraph_title else ("", "", text)
            yield Document(block.id, " ".join(title.split()), rest.strip("\n") if blank or not title else "")


def block_topics(path: Path, rule: BlockRule) -> list[Topic]:
    """A topic of each block; its text is the title."""
    with opened(path) as source:
        return [Topic(block.id, " ".join(" ".join(block.lines).split())) for block in _chosen(source, rule)]


def relevant_pairs(path: Path, rule: BlockRule) -> UnreadTable:
    """The docnos of each block, relevant to the topic of its id."""
    with opened(path) as source:
        found = [(block.id, docno) for block in _chosen(source, rule) for docno in " ".join(block.lines).split()]
    return UnreadTable(path, "".join(f"{qid} {docno}\n" for qid, docno in found).encode(), PAIRS)


def counted_pairs(path: Path) -> UnreadTable:
    """The docnos of lists that begin with an id and how many there are, whatever the lines, as LISA's.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("1 2 3392\\n 3396\\n2 1 7", file=file, flush=True)
    ...     [(row.qid, row.docno) for row in counted_pairs(file.name).rows()]
    [('1', '3392'), ('1', '3396'), ('2', '7')]
    """
    with opened(path) as source:
        found = list(_counted(source))
    return UnreadTable(path, "".join(f"{qid} {docno}\n" for qid, docno in found).encode(), PAIRS)


def listed_pairs(path: Path) -> UnreadTable:
    """The docnos of lists of one line each, an id and its docnos, as TIME's; a topic may have none.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("1  268 288\\n\\n2 \\n3  7", file=file, flush=True)
    ...     [(row.qid, row.docno) for row in listed_pairs(file.name).rows()]
    [('1', '268'), ('1', '288'), ('3', '7')]
    """
    with opened(path) as source:
        rows = (text.split() for _, text in source.lines())
        pairs = "".join(f"{qid} {docno}\n" for qid, *docnos in filter(None, rows) for docno in docnos)
    return UnreadTable(path, pairs.encode(), PAIRS)


def _counted(source: OpenFile) -> Iterator[tuple[str, str]]:
    words = ((line, word) for line, text in source.lines() for word in text.split())
    for line, qid in words:
        _, number = next(words, (line, ""))
        docnos = [docno for _, (_, docno) in zip(range(int(number) if number.isdecimal() else 0), words, strict=False)]
        if number != str(len(docnos)):
            what = f"the list of topic {qid} has {len(docnos)} docnos where it says {shown(number.encode())}"
            raise InputError(what, source.path, line)
        yield from ((qid, docno) for docno in docnos)


def _chosen(source: OpenFile, rule: BlockRule) -> Iterator[Block]:
    """The blocks that are kept; what should have been left out and was not there is an error."""
    seen, left = set[str](), {*rule.repeated, *rule.skip}
    for block in _blocks(source, rule):
        if block.id in rule.skip or (block.id in seen and block.id in rule.repeated):
            left.discard(block.id)
            continue
        seen.add(block.id)
        yield block
    if left:
        raise InputError(f"no further block {min(left)!r}, which the recipe leaves out", source.path)


def _blocks(source: OpenFile, rule: BlockRule) -> Iterator[Block]:
    start, outside = re.compile(rule.start), list[int]()
    for segment in _segments(source, rule, start):
        (line, first), *rest = segment
        if found := start.fullmatch(first):
            yield Block(line, found[1], [text for _, text in rest])
        else:
            outside += [line for line, text in segment if text.strip()]
    if len(outside) != rule.outside:
        what = f"{counted(len(outside), 'line')} of text outside blocks where the recipe says {rule.outside}"
        raise InputError(what, source.path, outside[0] if outside else None)


def _segments(source: OpenFile, rule: BlockRule, start: Pattern) -> Iterator[list[tuple[int, str]]]:
    """The lines up to each end or, where there is none, up to each next start; none is blank before the first text."""
    end = re.compile(f"(?:{rule.end})$") if rule.end else None
    segment, size = list[tuple[int, str]](), 0
    stop = re.compile(rule.stop) if rule.stop else None
    lines = takewhile(lambda line: not (stop and stop.fullmatch(line[1].rstrip())), source.lines())
    for line, full in lines:
        text = full.rstrip()
        found = end.search(text) if end else None
        if segment and not end and start.fullmatch(text):
            yield segment
            segment, size = [], 0
        segment += [(line, text[: found.start()] if found else text)] if segment or text else []
        size += len(text)
        if size > LIMITS.get().document:
            raise InputError(too_much("a block", "document"), source.path, segment[0][0])
        if segment and found:
            yield segment
            segment, size = [], 0
    if segment and end:
        raise InputError("a block without an end", source.path, segment[0][0])
    if segment:
        yield segment
