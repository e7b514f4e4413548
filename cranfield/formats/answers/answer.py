"""Generated answers: what a run answers to a topic, in sentences that cite documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Sentence(NamedTuple):
    """A sentence of an answer, and the documents that it cites, in order, each with the confidence that was stated."""

    text: str
    citations: Mapping[str, float | None] = {}


class Answer(NamedTuple):
    """An answer of a run to a topic; `documents` is its list of references, which sentences need not all cite."""

    run: str
    qid: str
    sentences: Sequence[Sentence]
    documents: Sequence[str] = ()
    team: str = ""  # empty: not stated
    kind: str = ""
    description: str = ""
    metadata: Mapping[str, object] = {}


class LocatedAnswer(NamedTuple):
    """An answer and the line that it is on."""

    line: int
    answer: Answer
