"""TREC RAG 2025 and 2026: metadata, references, answer; citations are positions from 0, or docnos.

{"metadata": {"team_id": "t", "run_id": "r", "narrative_id": 1, "narrative": "...", "type": "automatic"},
 "references": ["d1", "d2"], "answer": [{"text": "Wings lift.", "citations": [0]}]}

Report files of TREC AutoJudge are the same with more fields, which are kept as metadata.

Source: the guidelines of the TREC Retrieval-Augmented Generation tracks of 2025 and 2026; autojudge-base 1.0.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from cranfield.formats.answers.answer import Answer, LocatedAnswer
from cranfield.formats.answers.fields import AnswerFields, positions, records, with_cited
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"metadata"' in head and b'"answer"' in head


def read(source: OpenFile) -> Iterator[LocatedAnswer]:
    for take in records(source):
        yield LocatedAnswer(take.line, answer_of(take, "answer", ("narrative_id", "topic_id")))


def answer_of(take: AnswerFields, sentences: str, topic: tuple[str, ...]) -> Answer:
    """The answer of a record whose metadata say of which run and topic it is."""
    about, documents = take.inside("metadata"), take.documents()
    run, team, qid = about.name("run_id"), about.text("team_id"), about.name(*topic)
    kind, description = about.text("type"), about.text("run_desc") or about.text("description")
    found = take.sentences(sentences, documents)
    return Answer(
        run, qid, found, with_cited(documents, found), team, kind, description, {**take.rest(), **about.rest()}
    )


def metadata_of(answer: Answer, topic: str) -> dict[str, object]:
    """What is written of an answer's run and topic."""
    said = {"team_id": answer.team or answer.run, "run_id": answer.run, topic: answer.qid}
    more = {"type": answer.kind, "run_desc": answer.description}
    return said | dict(answer.metadata) | {name: value for name, value in more.items() if value}


def write(path: Path, answers: Iterable[Answer]) -> None:
    write_lines(path, (_line(path, answer) for answer in answers))


def _line(path: Path, answer: Answer) -> str:
    documents = with_cited(answer.documents, answer.sentences)
    about: dict[str, object] = {"metadata": metadata_of(answer, "narrative_id"), "references": documents}
    return json.dumps(
        about | {"answer": positions(answer.sentences, documents, path, ANSWERS.name)}, ensure_ascii=False
    )


ANSWERS = Format(
    "answers",
    "rag25",
    "TREC RAG 2025 and 2026, reports of AutoJudge: metadata, references, answer",
    detect,
    read,
    write,
)
