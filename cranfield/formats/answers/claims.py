"""Claims as JSON objects, one a line: the sentences of a reference answer or, with a run, what its answer states.

{"qid": "1", "claims": ["Wings lift.", "Drag slows."]}
{"qid": "1", "run": "rag1", "claims": ["Wings lift."]}

An answer may state nothing: its claims are [].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.answers.fields import AnswerFields, records
from cranfield.formats.files import OpenFile, Path, opened


class PlainClaims(NamedTuple):
    """The claims of a reference answer, or of the answer of a run."""

    qid: str
    run: str
    claims: Sequence[str]
    path: Path = ""
    line: int | None = None


def read(source: OpenFile) -> Iterator[PlainClaims]:
    for take in records(source):
        qid = take.name("qid", "topic_id")
        run = take.name("run", "run_id") if take.fields.keys() & {"run", "run_id"} else ""
        yield PlainClaims(qid, run, _claims(take, bool(run)), source.path, take.line)


def _claims(take: AnswerFields, may_be_none: bool) -> list[str]:
    if "claims" not in take.fields:
        raise take.wrong("no claims; expected a list of sentences")
    found = take.listed("claims")
    for claim in found:
        if not isinstance(claim, str) or not claim.strip() or "\0" in claim:
            raise take.wrong(f"claims has {claim!r:.40}; expected sentences")
    if not found and not may_be_none:
        raise take.wrong("no claims of a reference answer; expected a list of sentences")
    return found


def read_claims(path: Path) -> list[PlainClaims]:
    """The claims of a file; those of one answer twice are an error."""
    with opened(path) as source:
        found = list(read(source))
        if not found:
            raise InputError("no claims in the file", source.path)
    first: dict[tuple[str, str], PlainClaims] = {}
    for one in found:
        before = first.setdefault((one.qid, one.run), one)
        if before is not one:
            whose = f"of run {one.run!r}" if one.run else "of the reference answer"
            again = f"duplicate claims {whose} to topic {one.qid!r}, first on line {before.line}"
            raise InputError(again, one.path, one.line)
    return found
