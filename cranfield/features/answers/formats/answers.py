"""Generated answers: sentences that cite documents, in the formats of TREC RAG and RAGTIME."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from sys import float_info
from typing import Any, NamedTuple

from cranfield.errors import InputError, Path
from cranfield.formats import jsonl
from cranfield.formats.files import Format, OpenFile, open_file, report_notes
from cranfield.formats.records import why_not_json
from cranfield.formats.table import AUTO, choose_format, format_guess_notes, nothing_read_error
from cranfield.formats.whole_files import write_lines
from cranfield.text import json_value


class Sentence(NamedTuple):
    """A sentence in an answer, and the documents that it cites, in order, each with its stated confidence."""

    text: str
    citations: Mapping[str, float | None] = {}


class Answer(NamedTuple):
    """A run's answer to a topic; `documents` lists its references, including references that no sentence cites."""

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


@dataclass
class AnswerFields:
    """The fields of a record, or of an object in it; what is taken is gone, the rest is metadata."""

    fields: dict[str, Any]
    path: Path
    line: int

    def wrong(self, what: str) -> InputError:
        """An error of this line."""
        return InputError(what, self.path, self.line)

    def name(self, *names: str) -> str:
        """A name under the first of these fields that is there; a whole number is one, too."""
        value = next((self.fields.pop(name) for name in names if self.fields.get(name) is not None), None)
        text = str(value) if type(value) in (str, int) else ""
        if not text.strip() or "\0" in text:
            what = f"{names[0]} is {json_value(value)}" if value is not None else f"no {' or '.join(names)}"
            raise self.wrong(f"{what}; expected a name")
        return text.strip()

    def text(self, name: str) -> str:
        """A text, empty where there is none."""
        value = self.fields.pop(name, None)
        if not isinstance(value, str | None):
            raise self.wrong(f"{name} is {json_value(value)}; expected text")
        return value or ""

    def nested_fields(self, name: str) -> AnswerFields:
        """An object in this one."""
        value = self.fields.pop(name, None)
        if not isinstance(value, dict):
            raise self.wrong(f"{name} is {json_value(value)}; expected an object")
        return AnswerFields(dict(value), self.path, self.line)

    def rows(self, name: str) -> list[Any]:
        """A list, empty where there is none."""
        value = self.fields.pop(name, None)
        if not isinstance(value, list | None):
            raise self.wrong(f"{name} is {json_value(value)}; expected a list")
        return value or []

    def documents(self, name: str = "references") -> list[str]:
        """A list of docnos."""
        docnos = self.rows(name)
        for docno in docnos:
            if not isinstance(docno, str) or not docno.strip() or "\0" in docno:
                raise self.wrong(f"{name} has {json_value(docno)}; expected docnos")
        return docnos

    def sentences(self, name: str, documents: Sequence[str] | None) -> list[Sentence]:
        """The sentences, whose citations are among `documents` unless that is None."""
        if name not in self.fields:
            raise self.wrong(f"{name} is missing; expected a list of sentences")
        return [self._sentence(at, each, documents) for at, each in enumerate(self.rows(name), 1)]

    def _sentence(self, at: int, value: object, documents: Sequence[str] | None) -> Sentence:
        text = value.get("text") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(text, str):
            raise self.wrong(f"sentence {at} is {json_value(value)}; expected an object with text and citations")
        if not text.strip():
            raise self.wrong(f"sentence {at} is empty")
        cites = value.get("citations")
        if isinstance(cites, list | None):
            return Sentence(text, {self._citation(at, one, documents): None for one in cites or []})
        if not isinstance(cites, dict):
            raise self.wrong(f"the citations of sentence {at} are {json_value(cites)}; expected a list or an object")
        for docno, sure in cites.items():
            if type(sure) not in (int, float) or not abs(sure) <= float_info.max:
                raise self.wrong(
                    f"sentence {at} cites {json_value(docno)} with confidence {json_value(sure)}; expected a number"
                )
        ranked: list[tuple[str, float]] = sorted(cites.items(), key=lambda pair: -pair[1])
        return Sentence(text, dict(ranked))

    def _citation(self, at: int, one: object, documents: Sequence[str] | None) -> str:
        """The document that a citation names or, by its position from 0, points at."""
        if type(one) is int and documents is not None:
            if 0 <= one < len(documents):
                return documents[one]
            right = f"positions 0 to {len(documents) - 1}" if documents else "no documents"
            raise self.wrong(f"sentence {at} cites position {one}; references contains {right}")
        if not isinstance(one, str) or not one.strip() or "\0" in one:
            raise self.wrong(
                f"sentence {at} cites {json_value(one)}; expected a docno{' or a position' * (documents is not None)}"
            )
        if documents and one not in documents:
            raise self.wrong(f"sentence {at} cites {json_value(one, 60)}, which is not among the references")
        return one

    def remaining_fields(self) -> Mapping[str, object]:
        """What was not taken."""
        for name, value in self.fields.items():
            if not isinstance(value, str) and (reason := why_not_json(value)):
                raise self.wrong(f"{name} {reason}")
        return self.fields


def records(source: OpenFile) -> Iterator[AnswerFields]:
    """The objects of a file, one a line."""
    for line, fields in jsonl.read_json_objects(source):
        yield AnswerFields(dict(fields), source.path, line)


def list_references(documents: Sequence[str], sentences: Sequence[Sentence]) -> list[str]:
    """The list of references, or where there is none, what the sentences cite, in order.

    >>> list_references([], [Sentence("a", {"d2": None}), Sentence("b", {"d1": None, "d2": None})])
    ['d2', 'd1']
    """
    return list(dict.fromkeys(documents or [docno for sentence in sentences for docno in sentence.citations]))


def positions(sentences: Sequence[Sentence], documents: Sequence[str], path: Path, format: str) -> list[dict[str, Any]]:
    """Sentences as formats write them whose citations are positions; a confidence is refused."""
    if any(sure is not None for sentence in sentences for sure in sentence.citations.values()):
        raise InputError(f"{format} cannot store the confidence of citations; choose the format ragtime", path)
    place = {docno: at for at, docno in enumerate(documents)}
    return [
        {"text": sentence.text, "citations": [place[docno] for docno in sentence.citations]} for sentence in sentences
    ]


def detect_rag24(head: bytes, path: str) -> bool:
    """Whether what says of which run and topic an answer is stands beside it."""
    return head.lstrip().startswith(b"{") and b'"topic_id"' in head and b'"metadata"' not in head


def read_rag24(source: OpenFile) -> Iterator[LocatedAnswer]:
    """TREC RAG 2024: run_id, topic_id, topic, references, response_length, answer; citations are positions from 0.

    {"run_id": "r", "topic_id": "1", "topic": "...", "references": ["d1", "d2"], "response_length": 3,
     "answer": [{"text": "Wings lift.", "citations": [0, 1]}]}

    Source: the guidelines of the TREC 2024 Retrieval-Augmented Generation track.
    """
    for take in records(source):
        run, qid, documents = take.name("run_id"), take.name("topic_id"), take.documents()
        sentences = take.sentences("answer", documents)
        yield LocatedAnswer(
            take.line,
            Answer(run, qid, sentences, list_references(documents, sentences), metadata=take.remaining_fields()),
        )


def write_rag24(path: Path, answers: Iterable[Answer]) -> None:
    write_lines(path, (_rag24_line(path, answer) for answer in answers))


def _rag24_line(path: Path, answer: Answer) -> str:
    documents = list_references(answer.documents, answer.sentences)
    words = sum(len(sentence.text.split()) for sentence in answer.sentences)
    about = {"run_id": answer.run, "topic_id": answer.qid, "topic": "", "references": documents}
    fields = about | {"response_length": words} | dict(answer.metadata)
    return json.dumps(fields | {"answer": positions(answer.sentences, documents, path, RAG24.name)}, ensure_ascii=False)


RAG24 = Format(
    "answers",
    "rag24",
    "TREC RAG 2024: run_id, topic_id, references, answer",
    detect=detect_rag24,
    read=read_rag24,
    write=write_rag24,
)


def detect_rag25(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"metadata"' in head and b'"answer"' in head


def read_rag25(source: OpenFile) -> Iterator[LocatedAnswer]:
    """TREC RAG 2025 and 2026: metadata, references, answer; citations are positions from 0, or docnos.

    {"metadata": {"team_id": "t", "run_id": "r", "narrative_id": 1, "narrative": "...", "type": "automatic"},
     "references": ["d1", "d2"], "answer": [{"text": "Wings lift.", "citations": [0]}]}

    Report files of TREC AutoJudge are the same with more fields, which are kept as metadata.

    Source: the guidelines of the TREC Retrieval-Augmented Generation tracks of 2025 and 2026; autojudge-base 1.0.0.
    """
    for take in records(source):
        yield LocatedAnswer(take.line, answer_of(take, "answer", ("narrative_id", "topic_id")))


def answer_of(take: AnswerFields, sentences: str, topic: tuple[str, ...]) -> Answer:
    """The answer of a record whose metadata say of which run and topic it is."""
    about, documents = take.nested_fields("metadata"), take.documents()
    run, team, qid = about.name("run_id"), about.text("team_id"), about.name(*topic)
    kind, description = about.text("type"), about.text("run_desc") or about.text("description")
    parts = take.sentences(sentences, documents)
    return Answer(
        run,
        qid,
        parts,
        documents=list_references(documents, parts),
        team=team,
        kind=kind,
        description=description,
        metadata={**take.remaining_fields(), **about.remaining_fields()},
    )


def metadata_of(answer: Answer, topic: str) -> dict[str, object]:
    """What is written of an answer's run and topic."""
    about = {"team_id": answer.team or answer.run, "run_id": answer.run, topic: answer.qid}
    more = {"type": answer.kind, "run_desc": answer.description}
    return about | dict(answer.metadata) | {name: value for name, value in more.items() if value}


def write_rag25(path: Path, answers: Iterable[Answer]) -> None:
    write_lines(path, (_rag25_line(path, answer) for answer in answers))


def _rag25_line(path: Path, answer: Answer) -> str:
    documents = list_references(answer.documents, answer.sentences)
    about: dict[str, object] = {"metadata": metadata_of(answer, "narrative_id"), "references": documents}
    return json.dumps(about | {"answer": positions(answer.sentences, documents, path, RAG25.name)}, ensure_ascii=False)


RAG25 = Format(
    "answers",
    "rag25",
    "TREC RAG 2025 and 2026, reports of AutoJudge: metadata, references, answer",
    detect=detect_rag25,
    read=read_rag25,
    write=write_rag25,
)


def detect_ragtime(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"metadata"' in head and b'"responses"' in head


def read_ragtime(source: OpenFile) -> Iterator[LocatedAnswer]:
    """TREC RAGTIME: metadata, responses; citations are docnos, or docnos with a confidence.

    {"metadata": {"team_id": "t", "run_id": "r", "topic_id": "1"},
     "responses": [{"text": "Wings lift.", "citations": {"d1": 0.9, "d2": 0.4}}]}

    The first citation of a sentence is the one with the highest confidence. Report files of TREC AutoJudge are the same
    with more fields, which are kept as metadata.

    Source: autojudge-base 1.0.0, whose reports are those of the tracks RAGTIME and NeuCLIR.
    """
    for take in records(source):
        yield LocatedAnswer(take.line, answer_of(take, "responses", ("topic_id", "narrative_id", "request_id")))


def write_ragtime(path: Path, answers: Iterable[Answer]) -> None:
    write_lines(path, (_ragtime_line(answer) for answer in answers))


def _ragtime_line(answer: Answer) -> str:
    fields: dict[str, object] = {"metadata": metadata_of(answer, "topic_id"), "references": list(answer.documents)}
    responses = [
        {"text": one.text, "citations": list(cites) if None in cites.values() else dict(cites)}
        for one in answer.sentences for cites in [one.citations]
    ]  # fmt: skip
    return json.dumps(fields | {"responses": responses}, ensure_ascii=False)


RAGTIME = Format(
    "answers",
    "ragtime",
    "TREC RAGTIME, reports of AutoJudge: metadata, responses",
    detect=detect_ragtime,
    read=read_ragtime,
    write=write_ragtime,
)


class AnswerPlace(NamedTuple):
    """Where an answer is."""

    path: Path
    line: int


class Answers(NamedTuple):
    """Read the answers in files, in file order, each with its place in the file."""

    answers: Sequence[Answer]
    places: Sequence[AnswerPlace]


def read_answers(paths: Sequence[Path], format: str = AUTO) -> Answers:
    """Read the answers in files; refuse a run's second answer to a topic, and a run that two teams claim."""
    guesses: dict[str, list[Path]] = {}
    pairs = [each for path in paths for each in _read_answers(path, format, guesses)]
    first: dict[tuple[str, str], AnswerPlace] = {}
    teams: dict[str, str] = {}
    for answer, place in pairs:
        before = first.setdefault((answer.run, answer.qid), place)
        if before is not place:
            where = f"line {before.line}" + (f" of {before.path}" if before.path != place.path else "")
            raise InputError(
                f"second answer of run {answer.run!r} to topic {answer.qid!r}; the first is on {where}", *place
            )
        if teams.setdefault(answer.run, answer.team) != answer.team:
            raise InputError(
                f"run {answer.run!r} has team {answer.team!r}, but team {teams[answer.run]!r} on an earlier line",
                *place,
            )
    report_notes(guesses)
    return Answers([answer for answer, _ in pairs], [place for _, place in pairs])


def _read_answers(path: Path, format: str, guesses: dict[str, list[Path]]) -> list[tuple[Answer, AnswerPlace]]:
    with open_file(path) as source:
        row = choose_format("answers", format, source)
        answers = [(answer, AnswerPlace(path, line)) for line, answer in row.read(source)]
        if not answers:
            raise nothing_read_error(row, source)
    for note in format_guess_notes(row, format, source.names):
        guesses.setdefault(note, []).append(path)
    return answers
