"""What classic collections come in: SMART's files, and files of blocks.

SMART: `.I id` starts a record, `.T` `.A` `.B` `.W` ... start its parts. Real files start a part twice within a record
(Cranfield's document 576): what follows is appended, never put in place of the first. Ids are those of the file;
cranqrel numbers the topics of cran.qry by their position instead.

Of blocks, a line with an id starts each, a line or a mark ends it. There is nothing to detect them by; a recipe says
where blocks start and end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from cranfield.errors import InputError, Path
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import LIMITS, Format, OpenFile, limit_message, open_file
from cranfield.formats.layout import Layout, excerpt
from cranfield.formats.records import Document, Fields, LocatedTopic, Topic, document_from_fields, topic_from_fields
from cranfield.formats.whole_files import check_words, refuse_extra_fields, write_lines
from cranfield.text import counted

_ID = re.compile(r"\.I\s+(\S+)\s*$")
_MARK = re.compile(r"\.([A-Z])\s*$")
SMART_METADATA = {
    "A": "author",
    "B": "bibliography",
    "C": "categories",
    "K": "keywords",
    "N": "note",
    "X": "references",
}


class SmartRecord(NamedTuple):
    """The lines of each part of a record."""

    line: int
    id: str
    parts: dict[str, list[str]]

    def text(self, mark: str) -> str:
        """A part as it stands, without blank lines around it."""
        return "\n".join(self.parts.get(mark, ())).strip("\n")

    def title(self, mark: str) -> str:
        """A part as one line."""
        return " ".join(self.text(mark).split())

    def fields(self, **ours: str) -> Fields:
        """Fields of its own, and those parts that are neither title nor text, by name; none that is empty."""
        parts = {SMART_METADATA.get(mark, mark): self.text(mark) for mark in self.parts if mark not in "TW"}
        return {name: text for name, text in {**ours, **parts}.items() if text}


def detect_smart(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b".I ")


def read_smart_corpus(source: OpenFile) -> Iterator[Document]:
    for record in smart_records(source):
        fields = record.fields(docno=record.id, title=record.title("T"), text=record.text("W"))
        yield document_from_fields(fields, source.path, record.line, source.names)


def read_smart_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    """Topics; where there is no `.T`, the text is the title."""
    for record in smart_records(source):
        title, text = record.title("T"), record.text("W")
        title, text = (title, text) if title else (record.title("W"), "")
        fields = record.fields(qid=record.id, title=title, description=text)
        yield LocatedTopic(record.line, topic_from_fields(fields, source.path, record.line, source.names))


def smart_records(source: OpenFile) -> Iterator[SmartRecord]:
    """The records, one at a time."""
    record, part, size, most = None, None, 0, LIMITS.get().document
    for line, text in source.lines():
        size += len(text) + 1
        if size > most and record:
            raise InputError(limit_message(f"record {record.id}", "document"), source.path, record.line)
        if start := _ID.match(text):
            if record:
                yield record
            record, part, size = SmartRecord(line, start[1], {}), None, 0
        elif record and (mark := _MARK.match(text)):
            part = record.parts.setdefault(mark[1], [])
        elif part is not None:
            part.append(text)
        elif text.strip():
            raise InputError(
                "text outside a part; expected .I before a record, and .T or .W before a part", source.path, line
            )
    if record:
        yield record


def write_smart_corpus(path: Path, documents: Iterable[Document]) -> None:
    write_lines(
        path, _record_lines(path, ((d.docno, {"T": d.title, "W": d.text}, d.url, d.metadata) for d in documents))
    )


def write_smart_topics(path: Path, topics: Iterable[Topic]) -> None:
    write_lines(path, _record_lines(path, (_topic_parts(path, each) for each in topics)))


Parts = tuple[str, dict[str, str], str, Mapping[str, object]]


def _topic_parts(path: Path, topic: Topic) -> Parts:
    refuse_extra_fields(path, f"topic {topic.qid}", "SMART", narrative=topic.narrative)
    parts = {"T": topic.title, "W": topic.description} if topic.description else {"W": topic.title}
    return topic.qid, parts, "", topic.metadata


def _record_lines(path: Path, records: Iterable[Parts]) -> Iterator[str]:
    marks = {name: mark for mark, name in SMART_METADATA.items()}
    for name, parts, url, metadata in records:
        check_words(path, id=[name])
        others = {key: value for key, value in metadata.items() if key not in marks}
        refuse_extra_fields(path, name, "SMART", url=url, metadata=others)
        yield f".I {name}"
        for mark, text in {**parts, **{marks[key]: str(value) for key, value in metadata.items()}}.items():
            if text:
                _check_part(path, name, mark, text)
                yield f".{mark}\n{text}"


def _check_part(path: Path, name: str, mark: str, text: str) -> None:
    """Refuse a text that would be read as something else."""
    lines = text.split("\n")
    if text != text.strip("\n") or "\r" in text or any(_ID.match(line) or _MARK.match(line) for line in lines):
        raise InputError(
            f"the .{mark} of {name} cannot be written, because one of its lines looks like a mark or would be lost",
            path,
        )


SMART_CORPUS = Format(
    "corpus",
    "smart",
    "SMART's .I .T .A .B .W .X",
    detect=detect_smart,
    read=read_smart_corpus,
    write=write_smart_corpus,
)
SMART_TOPICS = Format(
    "topics", "smart", "SMART's .I .W (.T .A .B)", detect=detect_smart, read=read_smart_topics, write=write_smart_topics
)


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


class ClassicRecord(NamedTuple):
    """The id of a block, and its lines."""

    line: int
    id: str
    lines: list[str]


def block_documents(path: Path, rule: BlockRule) -> Iterator[Document]:
    """A document of each block."""
    with open_file(path, whole=False) as source:
        for block in _blocks_without_skipped(source, rule):
            lines = (line.strip() for line in block.lines)
            text = "\n".join(line for line in lines if line or not rule.double_spaced).strip("\n")
            title, blank, rest = text.partition("\n\n") if rule.paragraph_title else ("", "", text)
            yield Document(block.id, " ".join(title.split()), rest.strip("\n") if blank or not title else "")


def block_topics(path: Path, rule: BlockRule) -> list[Topic]:
    """A topic of each block; its text is the title."""
    with open_file(path) as source:
        return [
            Topic(block.id, " ".join(" ".join(block.lines).split())) for block in _blocks_without_skipped(source, rule)
        ]


def relevant_pairs(path: Path, rule: BlockRule) -> UnreadTable:
    """The docnos of each block, relevant to the topic of its id."""
    with open_file(path) as source:
        pairs = [
            (block.id, docno)
            for block in _blocks_without_skipped(source, rule)
            for docno in " ".join(block.lines).split()
        ]
    return UnreadTable(path, "".join(f"{qid} {docno}\n" for qid, docno in pairs).encode(), PAIRS)


def counted_pairs(path: Path) -> UnreadTable:
    """The docnos of lists that begin with an id and how many there are, whatever the lines, as LISA's.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("1 2 3392\\n 3396\\n2 1 7", file=file, flush=True)
    ...     [(row.qid, row.docno) for row in counted_pairs(file.name).rows()]
    [('1', '3392'), ('1', '3396'), ('2', '7')]
    """
    with open_file(path) as source:
        pairs = list(_read_counted_lists(source))
    return UnreadTable(path, "".join(f"{qid} {docno}\n" for qid, docno in pairs).encode(), PAIRS)


def listed_pairs(path: Path) -> UnreadTable:
    """The docnos of lists of one line each, an id and its docnos, as TIME's; a topic may have none.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("1  268 288\\n\\n2 \\n3  7", file=file, flush=True)
    ...     [(row.qid, row.docno) for row in listed_pairs(file.name).rows()]
    [('1', '268'), ('1', '288'), ('3', '7')]
    """
    with open_file(path) as source:
        rows = (text.split() for _, text in source.lines())
        pairs = "".join(f"{qid} {docno}\n" for qid, *docnos in filter(None, rows) for docno in docnos)
    return UnreadTable(path, pairs.encode(), PAIRS)


def _read_counted_lists(source: OpenFile) -> Iterator[tuple[str, str]]:
    words = ((line, word) for line, text in source.lines() for word in text.split())
    for line, qid in words:
        _, number = next(words, (line, ""))
        docnos = [docno for _, (_, docno) in zip(range(int(number) if number.isdecimal() else 0), words, strict=False)]
        if number != str(len(docnos)):
            what = (
                f"the list of topic {qid} contains {counted(len(docnos), 'docno')}; expected {excerpt(number.encode())}"
            )
            raise InputError(what, source.path, line)
        yield from ((qid, docno) for docno in docnos)


def _blocks_without_skipped(source: OpenFile, rule: BlockRule) -> Iterator[ClassicRecord]:
    """The blocks that are kept; what should have been left out and was not there is an error."""
    ids, absent = set[str](), {*rule.repeated, *rule.skip}
    for block in _read_blocks(source, rule):
        if block.id in rule.skip or (block.id in ids and block.id in rule.repeated):
            absent.discard(block.id)
            continue
        ids.add(block.id)
        yield block
    if absent:
        raise InputError(f"the file lacks a block {min(absent)!r}, which the recipe skips", source.path)


def _read_blocks(source: OpenFile, rule: BlockRule) -> Iterator[ClassicRecord]:
    start, outside = re.compile(rule.start), list[int]()
    for segment in _split_segments(source, rule, start):
        (line, first), *rest = segment
        if opening := start.fullmatch(first):
            yield ClassicRecord(line, opening[1], [text for _, text in rest])
        else:
            outside += [line for line, text in segment if text.strip()]
    if len(outside) != rule.outside:
        what = (
            f"found {counted(len(outside), 'line')} of text outside blocks; expected {rule.outside}, as in the recipe"
        )
        raise InputError(what, source.path, outside[0] if outside else None)


def _split_segments(source: OpenFile, rule: BlockRule, start: Pattern) -> Iterator[list[tuple[int, str]]]:
    """The lines up to each end or, where there is none, up to each next start; none is blank before the first text."""
    end = re.compile(f"(?:{rule.end})$") if rule.end else None
    segment, size = list[tuple[int, str]](), 0
    stop = re.compile(rule.stop) if rule.stop else None
    lines = takewhile(lambda line: not (stop and stop.fullmatch(line[1].rstrip())), source.lines())
    for line, full in lines:
        text = full.rstrip()
        ending = end.search(text) if end else None
        if segment and not end and start.fullmatch(text):
            yield segment
            segment, size = [], 0
        segment += [(line, text[: ending.start()] if ending else text)] if segment or text else []
        size += len(text)
        if size > LIMITS.get().document:
            raise InputError(limit_message("a block", "document"), source.path, segment[0][0])
        if segment and ending:
            yield segment
            segment, size = [], 0
    if segment and end:
        raise InputError("a block without an end", source.path, segment[0][0])
    if segment:
        yield segment
