"""TREC RAG 2024: run_id, topic_id, topic, references, response_length, answer; citations are positions from 0.

{"run_id": "r", "topic_id": "1", "topic": "...", "references": ["d1", "d2"], "response_length": 3,
 "answer": [{"text": "Wings lift.", "citations": [0, 1]}]}

Source: the guidelines of the TREC 2024 Retrieval-Augmented Generation track.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from cranfield.formats.answers.answer import Answer, LocatedAnswer
from cranfield.formats.answers.fields import positions, records, with_cited
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines


def detect(head: bytes, path: str) -> bool:
    """Whether what says of which run and topic an answer is stands beside it."""
    return head.lstrip().startswith(b"{") and b'"topic_id"' in head and b'"metadata"' not in head


def read(source: OpenFile) -> Iterator[LocatedAnswer]:
    for take in records(source):
        run, qid, documents = take.name("run_id"), take.name("topic_id"), take.documents()
        sentences = take.sentences("answer", documents)
        yield LocatedAnswer(
            take.line, Answer(run, qid, sentences, with_cited(documents, sentences), metadata=take.rest())
        )


def write(path: Path, answers: Iterable[Answer]) -> None:
    write_lines(path, (_line(path, answer) for answer in answers))


def _line(path: Path, answer: Answer) -> str:
    documents = with_cited(answer.documents, answer.sentences)
    words = sum(len(sentence.text.split()) for sentence in answer.sentences)
    said = {"run_id": answer.run, "topic_id": answer.qid, "topic": "", "references": documents}
    fields = said | {"response_length": words} | dict(answer.metadata)
    return json.dumps(
        fields | {"answer": positions(answer.sentences, documents, path, ANSWERS.name)}, ensure_ascii=False
    )


ANSWERS = Format("answers", "rag24", "TREC RAG 2024: run_id, topic_id, references, answer", detect, read, write)
