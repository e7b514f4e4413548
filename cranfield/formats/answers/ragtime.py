"""TREC RAGTIME: metadata, responses; citations are docnos, or docnos with a confidence.

{"metadata": {"team_id": "t", "run_id": "r", "topic_id": "1"},
 "responses": [{"text": "Wings lift.", "citations": {"d1": 0.9, "d2": 0.4}}]}

The first citation of a sentence is the one with the highest confidence. Report files of TREC AutoJudge are the same
with more fields, which are kept as metadata.

Source: autojudge-base 1.0.0, whose reports are those of the tracks RAGTIME and NeuCLIR.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cranfield.formats.answers.answer import Answer, LocatedAnswer, Sentence
from cranfield.formats.answers.fields import records
from cranfield.formats.answers.rag25 import answer_of, metadata_of
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"metadata"' in head and b'"responses"' in head


def read(source: OpenFile) -> Iterator[LocatedAnswer]:
    for take in records(source):
        yield LocatedAnswer(take.line, answer_of(take, "responses", ("topic_id", "narrative_id", "request_id")))


def write(path: Path, answers: Iterable[Answer]) -> None:
    write_lines(path, (_line(answer) for answer in answers))


def _line(answer: Answer) -> str:
    fields: dict[str, object] = {"metadata": metadata_of(answer, "topic_id"), "references": list(answer.documents)}
    return json.dumps(fields | {"responses": [_written(each) for each in answer.sentences]}, ensure_ascii=False)


def _written(sentence: Sentence) -> dict[str, Any]:
    cited = sentence.citations
    return {"text": sentence.text, "citations": list(cited) if None in cited.values() else dict(cited)}


ANSWERS = Format("answers", "ragtime", "TREC RAGTIME, reports of AutoJudge: metadata, responses", detect, read, write)
