"""What a submitted run has to be: the rules of NIST's checkers, and more; each error has its line.

NIST's: six fields, one tag of the right characters, a known topic, Q0, a rank that is a whole number, no document twice
for a topic, not too many of them, every topic answered. Besides: scores are finite numbers, documents exist, the tag is
that of the form. What decides nothing, or may be meant, is a warning: ranks that contradict scores, tied scores,
documents that were judged before. Source: TREC's check_input.pl, TREC 2020.

A file that was sent is unpacked within bounds, a line at a time, whatever its sender had in mind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import isfinite
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.extras import MissingExtraError
from cranfield.formats.runs.files import metadata_of, team_of
from cranfield.text import counted, visible_line

FIELDS = ("qid", "Q0", "docno", "rank", "score", "tag")
TAG = re.compile(r"[A-Za-z0-9_.-]{1,20}")
A_TAG = "1 to 20 of A-Z a-z 0-9 _ . -"
MOST_ERRORS = 25  # shown; the others are counted
LONGEST = 1000  # bytes of a line
SHOWN = 60  # characters of what was found
LINES = 20_000  # whose documents are looked up at a time
HEADER = 100_000  # bytes of comment lines at the start
Pair = tuple[bytes, bytes]


class SubmissionError(NamedTuple):
    """What is wrong with a run: the line (None where it is none's), what was found, and what is right."""

    line: int | None
    found: str
    expected: str
    lines: int = 1  # with this error; the first is `line`

    def __str__(self) -> str:
        """The error as one line.

        >>> print(SubmissionError(2, "second field '0'", "Q0", 11124))
        line 2 and 11,123 others: second field '0'; expected Q0
        """
        others = f" and {self.lines - 1:,} others" if self.lines > 2 else " and another" if self.lines == 2 else ""
        where = "" if self.line is None else f"line {self.line}{others}: "
        right = f"; expected {self.expected}" if self.expected else ""
        return f"{where}{self.found}{right}"

    def as_json(self) -> dict[str, Any]:
        """The error as an answer has it: the number of lines where there are several."""
        return {name: value for name, value in self._asdict().items() if name != "lines" or value != 1}


class RunRules(NamedTuple):
    """What is asked of a run: `unknown` says which of some docnos do not exist, `judged` are pairs judged before."""

    topics: Sequence[str]
    unknown: Callable[[Collection[str]], Collection[str]] | None = None
    tag: str = ""
    team: str = ""
    most: int = 1000
    missing: Literal["error", "warn"] = "error"
    judged: Container[Pair] = frozenset[Pair]()


class CheckedRun(NamedTuple):
    """What was found: the first errors and how many more there are, warnings, and what the run is."""

    errors: tuple[SubmissionError, ...]
    more: int
    warnings: tuple[str, ...]
    tag: str
    topics: int
    documents: int
    metadata: Mapping[str, Any]

    @classmethod
    def from_error(cls, error: InputError) -> CheckedRun:
        """What is found where an error ends all checks."""
        wrong, _, right = error.message.partition("; expected ")
        return cls(
            errors=(SubmissionError(error.line, wrong, right),),
            more=0,
            warnings=(),
            tag="",
            topics=0,
            documents=0,
            metadata={},
        )

    def as_json(self) -> dict[str, Any]:
        """The answer to who sent it."""
        errors = [error.as_json() for error in self.errors]
        return {"errors": errors, "warnings": list(self.warnings)} | ({"more": self.more} if self.more else {})

    def lines(self) -> list[str]:
        """The errors, then the warnings."""
        more = [f"{counted(self.more, 'more error')}"] if self.more else []
        return [*map(str, self.errors), *more, *(f"warning: {text}" for text in self.warnings)]


def check_run(lines: Iterable[bytes], rules: RunRules) -> CheckedRun:
    r"""Check a run, line by line; lines end in LF or CRLF, and blank ones are nobody's.

    >>> found = check_run([b"1 Q0 d1 1 2.5 a\n", b"1 Q0 d1 x nan b\r\n", b"3 Q0 d2 1 1 a"], RunRules(["1", "2"]))
    >>> for error in found.errors:
    ...     print(error)
    line 2: tag 'b'; expected 'a', the tag on the first line
    line 2: rank 'x'; expected a whole number
    line 2: score 'nan'; expected a finite number
    line 2: document 'd1' occurs again for topic '1' (first on line 1); expected each document once
    line 3: topic '3'; expected one of the 2 topics
    no document for topic '2'; expected a document for each of the 2 topics
    """
    check, rows = _Check(rules), enumerate(lines, 1)
    while not check.full and (some := list(islice(rows, LINES))):
        check.take(some)
    return check.end()


class _Check:
    """A check under way."""

    def __init__(self, rules: RunRules) -> None:
        self.rules = rules
        self.tag = rules.tag.encode()
        self.qids = {qid.encode(): number for number, qid in enumerate(rules.topics)}
        self.lines_of: dict[bytes, dict[bytes, int]] = {}  # by topic: the documents, and the line of each
        self.known, self.strangers = set[bytes](), set[bytes]()
        self.errors, self.all = list[SubmissionError](), 0  # equal errors are one
        self.places = dict[tuple[str, str], int]()  # of errors of lines, by what they say
        self.shown = 0  # lines of the errors
        self.header, self.before = list[bytes](), True  # the first lines, if they are comments
        self.rows = list[tuple[int, int, float]]()  # topic, rank, score
        self.judged = self.lines = 0
        self.most = max(len(rules.topics), 1) * rules.most  # lines

    @property
    def full(self) -> bool:
        """Whether there are more lines than any run has, so that the rest need not be read."""
        return self.lines > self.most

    def take(self, lines: Iterable[tuple[int, bytes]]) -> None:
        split = [(number, fields) for number, line in lines if (fields := self._fields(line))]
        self._look_up({fields[2] for _, fields in split if len(fields) == len(FIELDS)})
        for number, fields in split:
            for wrong, right in self._wrong(number, fields):
                self.add(number, wrong, right)

    def add(self, number: int | None, wrong: str, right: str) -> None:
        self.all += 1
        place = None if number is None else self.places.get((wrong, right))
        if place is not None:
            self.shown += 1
            self.errors[place] = self.errors[place]._replace(lines=self.errors[place].lines + 1)
        elif len(self.errors) < MOST_ERRORS:
            self.shown += 1
            if number is not None:
                self.places[wrong, right] = len(self.errors)
            self.errors.append(SubmissionError(number, wrong, right))

    def _fields(self, line: bytes) -> Sequence[bytes]:
        """The fields of a line: none where it is blank or of the header; all of it as one where it is no line."""
        broken = b"\r" in line.rstrip(b"\r\n")
        if self.before and line.startswith(b"#") and not broken:
            self.header.append(line)
            return ()
        fields = (line,) if broken or len(line) > LONGEST else line.split()
        self.before = self.before and not fields
        return fields

    def _look_up(self, docnos: set[bytes]) -> None:
        """Learn which documents exist; those whose names are not UTF-8 do not."""
        new, unknown = {docno for docno in docnos - self.known - self.strangers if _is_text(docno)}, set[bytes]()
        if self.rules.unknown is not None and new:
            unknown = {name.encode() for name in self.rules.unknown([docno.decode() for docno in new])}
        self.strangers |= unknown
        self.known |= new - unknown

    def _wrong(self, number: int, fields: Sequence[bytes]) -> Iterator[tuple[str, str]]:
        self.lines += 1
        if self.full or len(fields) != len(FIELDS):
            yield from self._no_row(fields)
            return
        qid, q0, docno, rank, score, tag = fields
        if tag != self.tag:
            yield from self._wrong_tag(tag)
        topic = self.qids.get(qid)
        if topic is None:
            yield f"topic {_quote(qid)}", f"one of the {counted(len(self.qids), 'topic')}"
        if q0 != b"Q0":
            yield f"second field {_quote(q0)}", "Q0"
        if not rank.isdigit():
            yield f"rank {_quote(rank)}", "a whole number"
        value = _number(score)
        if value is None:
            yield f"score {_quote(score)}", "a finite number"
        if docno in self.strangers:
            yield f"document {_quote(docno)}", "a docno of the collection"
        elif docno not in self.known:
            yield f"document {_quote(docno)}", "UTF-8"
        there = self.lines_of.setdefault(qid, {})
        if first := there.get(docno):
            yield (
                f"document {_quote(docno)} occurs again for topic {_quote(qid)} (first on line {first})",
                "each document once",
            )
            return
        there[docno] = number
        if len(there) == self.rules.most + 1:
            yield f"more than {self.rules.most:,} documents for topic {_quote(qid)}", f"at most {self.rules.most:,}"
        self.judged += (qid, docno) in self.rules.judged
        if topic is not None and value is not None and rank.isdigit():
            self.rows.append((topic, int(rank[:9]), value))

    def _no_row(self, fields: Sequence[bytes]) -> Iterator[tuple[str, str]]:
        """What is wrong with a line that is no row of a run, or the first too many."""
        if self.lines == self.most + 1:
            topics = counted(len(self.qids), "topic")
            yield f"more than {self.most:,} lines", f"at most {self.rules.most:,} for each of the {topics}"
        elif not self.full:
            if b"\r" in fields[0].rstrip(b"\r\n"):
                yield "a CR without LF", "lines that end in LF or CRLF"
                return
            too_long = len(fields) == 1 and len(fields[0]) > LONGEST
            wrong = f"a line of more than {LONGEST} bytes" if too_long else counted(len(fields), "field")
            yield wrong, f"six: {' '.join(FIELDS)}"

    def _wrong_tag(self, tag: bytes) -> Iterator[tuple[str, str]]:
        if self.tag:
            whose = "the tag in the form" if self.rules.tag else "the tag on the first line"
            yield f"tag {_quote(tag)}", f"{_quote(self.tag)}, {whose}"
        elif TAG.fullmatch(_text(tag)):
            self.tag = tag
        else:
            yield f"tag {_quote(tag)}", A_TAG
            self.tag = tag

    def end(self) -> CheckedRun:
        warnings = list(self._warnings())
        missing = [qid for qid in self.rules.topics if qid.encode() not in self.lines_of]
        if not self.lines_of:
            self.add(None, "no lines with documents", f"lines with six fields: {' '.join(FIELDS)}")
        elif self.rules.missing == "warn" and missing:
            qids = ", ".join(missing[:SHOWN]) + (", ..." if len(missing) > SHOWN else "")
            warnings.insert(0, f"no document for {counted(len(missing), 'topic')}: {qids}")
        else:
            for qid in missing:
                self.add(
                    None,
                    f"no document for topic {qid!r}",
                    f"a document for each of the {counted(len(self.qids), 'topic')}",
                )
        metadata = self._metadata()
        return CheckedRun(
            errors=tuple(self.errors),
            more=self.all - self.shown,
            warnings=tuple(warnings),
            tag=_text(self.tag),
            topics=len(self.rules.topics) - len(missing),
            documents=sum(map(len, self.lines_of.values())),
            metadata=metadata,
        )

    def _metadata(self) -> Mapping[str, Any]:
        """What the header says, if there is one that can be read and agrees with the form."""
        if sum(map(len, self.header)) > HEADER:
            self.add(1, f"comments of more than {HEADER:,} bytes", "a shorter ir_metadata header, or no header")
            return {}
        try:
            header = metadata_of(b"".join(self.header), "")
        except MissingExtraError:
            raise
        except InputError as error:
            self.add(error.line, error.message, "a readable ir_metadata header, or no header")
            return {}
        pairs = (("tag", str(header.get("tag") or ""), _text(self.tag)), ("team", team_of(header), self.rules.team))
        for what, value, own in pairs:
            if value and own and value != own:
                self.add(1, f"{what} {value!r:.{SHOWN}} in the header", f"{own!r}, or no {what} in the header")
        return header

    def _warnings(self) -> Iterator[str]:
        topic, rank, score = (np.array(column) for column in (zip(*self.rows, strict=True) if self.rows else [[]] * 3))
        order = np.lexsort((-score, rank, topic))
        same = topic[order][1:] == topic[order][:-1]
        against = topic[order[1:][same & (score[order][1:] > score[order][:-1])]]  # ranked below a lower score
        if len(against):
            where = counted(len(np.unique(against)), "topic")
            yield f"ranks contradict scores in {where} ({counted(len(against), 'row')}); the scores decide the order"
        if tied := len(score) - len(np.unique(np.column_stack([topic, score]), axis=0)):
            yield (
                f"{counted(tied, 'row has a tied score', 'rows have tied scores')}; ties are broken by descending docno"
            )
        if self.judged:
            yield (
                f"{counted(self.judged, 'document was', 'documents were')} judged in an earlier round; the pool and"
                " the scores ignore such documents"
            )


def _number(text: bytes) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) and b"_" not in text else None


def _is_text(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _quote(name: bytes) -> str:
    text = visible_line(_text(name[: 4 * SHOWN]))
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
