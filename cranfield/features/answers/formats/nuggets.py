"""Nuggets and claims: what good answers say, as JSON objects, one a line, with the labels of answers if there are any.

{"qid": "1", "text": "Lift grows with speed.", "importance": "vital", "author": "qwen", "kind": "model", "by": "people",
"contributors": ["run"], "labels": [{"run": "run", "assessor": "ada", "kind": "human", "label": "support"}]}

The kind is that of the author, human, model or import; `by` is "people" also where a person took over a model's nugget.

Rubrics are a TOML file: for each topic a list of yes/no questions, each a text or a text with a weight.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from cranfield.errors import InputError, Path
from cranfield.features.answers.formats.answers import AnswerFields, records
from cranfield.formats.files import Format, OpenFile, open_file, read_text, report_notes
from cranfield.formats.mappings import parse_toml
from cranfield.formats.table import AUTO, choose_format, format_guess_notes, nothing_read_error
from cranfield.formats.whole_files import write_lines
from cranfield.text import json_value

IMPORTANCES = ("vital", "okay")
LABELS = ("support", "partial_support", "not_support", "failed")  # failed: it could not be judged
KINDS = ("human", "model", "panel", "import")
AUTHOR_KINDS = ("people", "models")


class AnswerLabel(NamedTuple):
    """Whether the answer of a run says a nugget; without an assessor, whoever imports it says."""

    run: str
    label: str
    assessor: str = ""
    kind: str = ""


class PlainNugget(NamedTuple):
    """A nugget for a topic, the runs whose answers contain it, answer labels, and the author.

    If the author or the kind is missing, the import supplies it.
    """

    qid: str
    text: str
    importance: str
    contributors: Sequence[str] = ()
    labels: Sequence[AnswerLabel] = ()
    path: Path = ""
    line: int | None = None
    author: str = ""
    kind: str = ""
    by: str = ""
    unread: Sequence[str] = ()  # fields of its line that say nothing here


def detect_nuggets(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"importance"' in head and b'"nuggets"' not in head


def _nuggets(source: OpenFile) -> Iterator[PlainNugget]:
    for take in records(source):
        qid, text, importance = take.name("qid", "topic_id"), take.name("text", "nugget"), importance_of(take)
        about = take.documents("contributors"), [*_labels(take)], source.path, take.line, take.text("author")
        whose = _one_of(take, "kind", KINDS), _one_of(take, "by", AUTHOR_KINDS)
        yield PlainNugget(qid, text, importance, *about, *whose, unread=tuple(take.fields))


def _labels(take: AnswerFields) -> Iterator[AnswerLabel]:
    for each in take.rows("labels"):
        if not isinstance(each, dict):
            raise take.wrong(f"labels contains {json_value(each)}; expected objects with run, label and assessor")
        one = AnswerFields(dict(each), take.path, take.line)
        kind = _one_of(one, "kind", KINDS)
        yield AnswerLabel(one.name("run", "run_id"), label_of(one, "label"), one.text("assessor"), kind)


def _one_of(take: AnswerFields, name: str, words: Sequence[str]) -> str:
    """One of some words in any case, or nothing."""
    word = take.text(name)
    if word and word.casefold() not in words:
        raise take.wrong(f"{name} is {json_value(word)}; expected one of {', '.join(words)}")
    return word.casefold()


def importance_of(take: AnswerFields) -> str:
    """The importance of a nugget, in any case."""
    word = take.text("importance")
    if word.casefold() not in IMPORTANCES:
        raise take.wrong(f"importance is {json_value(word)}; expected vital or okay")
    return word.casefold()


def label_of(take: AnswerFields, name: str) -> str:
    """A label in any case; any other word is an error, never a label."""
    word = take.text(name)
    if word.casefold() not in LABELS:
        raise take.wrong(f"{name} is {json_value(word)}; expected one of {', '.join(LABELS)}")
    return word.casefold()


def write_nuggets(path: Path, nuggets: Iterable[PlainNugget]) -> None:
    write_lines(path, map(_line, nuggets))


def _line(nugget: PlainNugget) -> str:
    content = {"qid": nugget.qid, "text": nugget.text, "importance": nugget.importance}
    labels = [label._asdict() for label in nugget.labels]
    whose = {"author": nugget.author, "kind": nugget.kind, "by": nugget.by}
    more = {**whose, "contributors": list(nugget.contributors), "labels": labels}
    return json.dumps(content | {name: value for name, value in more.items() if value}, ensure_ascii=False)


def read_nuggets(path: Path, format: str = AUTO) -> list[PlainNugget]:
    """Read nuggets from a file; raise an error if a nugget is repeated with a different importance."""
    with open_file(path) as source:
        row = choose_format("nuggets", format, source)
        nuggets: list[PlainNugget] = list(row.read(source))
        if not nuggets:
            raise nothing_read_error(row, source)
    report_notes({note: [path] for note in format_guess_notes(row, format, source.names)})
    first: dict[tuple[str, str], PlainNugget] = {}
    for nugget in nuggets:
        before = first.setdefault((nugget.qid, " ".join(nugget.text.split())), nugget)
        if before.importance != nugget.importance:
            what = f"nugget {nugget.text!r:.60} is {nugget.importance}, but {before.importance} on line {before.line}"
            raise InputError(what, path, nugget.line)
    return nuggets


NUGGETS = Format(
    "nuggets",
    "jsonl",
    "JSON objects, one a line: qid, text, importance, author, contributors, labels",
    detect=detect_nuggets,
    read=_nuggets,
    write=write_nuggets,
)


def detect_nuggetizer(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"nuggets"' in head


def read_nuggetizer(source: OpenFile) -> Iterator[PlainNugget]:
    """Nuggets as nuggetizer writes them, one topic a line, or with their assignment to an answer, one answer a line.

    {"qid": "1", "query": "...", "nuggets": [{"text": "Lift grows with speed.", "importance": "vital"}]}
    {"qid": "1", "run_id": "run", "nuggets": [{"text": "...", "importance": "vital", "assignment": "support"}]}

    Its traces, queries and answer texts are left out.

    Source: the program nuggetizer of castorini, and the nugget files of the TREC 2024 RAG track.
    """
    for take in records(source):
        qid, run = take.name("qid", "topic_id"), take.text("run_id")
        for at, each in enumerate(take.rows("nuggets"), 1):
            if not isinstance(each, dict):
                raise take.wrong(f"nugget {at} is {json_value(each)}; expected an object with text and importance")
            one = AnswerFields(dict(each), take.path, take.line)
            text, importance = one.name("text"), importance_of(one)
            is_assigned = one.fields.get("assignment") is not None
            if is_assigned and not run:
                raise one.wrong("an assignment without a run_id; expected the run whose answer was labelled")
            labels = [AnswerLabel(run, label_of(one, "assignment"))] if is_assigned else []
            yield PlainNugget(qid, text, importance, contributors=(), labels=labels, path=source.path, line=take.line)


NUGGETIZER = Format(
    "nuggets",
    "nuggetizer",
    "nuggetizer's output: qid, nuggets, and run_id if they are assigned to an answer",
    detect_nuggetizer,
    read_nuggetizer,
)


class PlainClaims(NamedTuple):
    """The claims of a reference answer, or of the answer of a run."""

    qid: str
    run: str
    claims: Sequence[str]
    path: Path = ""
    line: int | None = None


def _claims_by_line(source: OpenFile) -> Iterator[PlainClaims]:
    for take in records(source):
        qid = take.name("qid", "topic_id")
        run = take.name("run", "run_id") if take.fields.keys() & {"run", "run_id"} else ""
        if "claims" not in take.fields:
            raise take.wrong("claims is missing; expected a list of sentences")
        claims = take.rows("claims")
        for claim in claims:
            if not isinstance(claim, str) or not claim.strip() or "\0" in claim:
                raise take.wrong(f"claims contains {json_value(claim)}; expected sentences")
        if not claims and not run:
            raise take.wrong("the claims of the reference answer are missing; expected a list of sentences")
        if take.fields:
            raise take.wrong(f"unknown field {next(iter(take.fields))!r:.40}; expected qid, run and claims")
        yield PlainClaims(qid, run, claims, source.path, take.line)


def read_claims(path: Path) -> list[PlainClaims]:
    """Claims as JSON objects, one a line: the sentences of a reference answer or, with a run, what its answer states.

    {"qid": "1", "claims": ["Wings lift.", "Drag slows."]}
    {"qid": "1", "run": "rag1", "claims": ["Wings lift."]}

    An answer may state nothing: its claims are [].

    The claims of a file; those of one answer twice are an error.
    """
    with open_file(path) as source:
        claims = list(_claims_by_line(source))
        if not claims:
            raise InputError("the file contains no claims", source.path)
    first: dict[tuple[str, str], PlainClaims] = {}
    for one in claims:
        before = first.setdefault((one.qid, one.run), one)
        if before is not one:
            whose = f"of run {one.run!r}" if one.run else "of the reference answer"
            again = f"second claims {whose} for topic {one.qid!r}; the first are on line {before.line}"
            raise InputError(again, one.path, one.line)
    return claims


EXPECTED = 'expected a question, or {question = "...", weight = 2}'


class PlainQuestion(NamedTuple):
    """A question of a rubric, and its weight."""

    text: str
    weight: float = 1.0


class PlainRubric(NamedTuple):
    """The questions of a topic."""

    qid: str
    questions: Sequence[PlainQuestion]
    path: Path = ""
    line: int | None = None


def read_rubrics(path: Path) -> list[PlainRubric]:
    """The rubrics of a file, a table for each topic.

    ["1"]
    questions = ["Does it say what lifts a wing?", {question = "Does it warn of stalling?", weight = 2}]
    """
    text = read_text(path)
    data = parse_toml(text, path)
    rubrics = [_rubric(path, text, qid, table) for qid, table in data.items()]
    if not rubrics:
        raise InputError('the file contains no topic; expected tables such as ["1"] with questions', path)
    return rubrics


def _rubric(path: Path, text: str, qid: str, table: Any) -> PlainRubric:
    head = re.compile(rf"\s*\[\s*[\"\']?{re.escape(qid)}[\"\']?\s*\]")
    line = next((number for number, one in enumerate(text.split("\n"), 1) if head.match(one)), None)
    questions = table.get("questions") if isinstance(table, Mapping) and [*table] == ["questions"] else None
    if not isinstance(questions, list) or not questions:
        raise InputError(f"topic {qid!r} must contain a list named questions, and nothing else", path, line)
    try:
        return PlainRubric(qid, [*_questions(questions)], path, line)
    except InputError as error:
        raise InputError(f"topic {qid!r}: {error}", path, line) from None


def _questions(rows: Sequence[Any]) -> Iterator[PlainQuestion]:
    """The questions, each once.

    >>> [*_questions(["Is it right?", {"question": "Is it short?", "weight": 2}])]
    [PlainQuestion(text='Is it right?', weight=1.0), PlainQuestion(text='Is it short?', weight=2.0)]
    >>> [*_questions([{"question": "Is it right?", "weight": 0}])]
    Traceback (most recent call last):
    cranfield.errors.InputError: the weight 0 of 'Is it right?'; expected a number above 0
    """
    texts = set[str]()
    for row in rows:
        fields: Any = {"question": row} if isinstance(row, str) else row
        if not isinstance(fields, dict) or not {"question"} <= fields.keys() <= {"question", "weight"}:
            raise InputError(f"{row!r:.60}; {EXPECTED}")
        text, weight = fields["question"], fields.get("weight", 1.0)
        if not isinstance(text, str) or not (text := " ".join(text.split())):
            raise InputError(f"{row!r:.60}; {EXPECTED}")
        if type(weight) not in (int, float) or not isfinite(weight) or weight <= 0:
            raise InputError(f"the weight {weight!r:.20} of {text!r:.60}; expected a number above 0")
        if text in texts:
            raise InputError(f"{text!r:.60} is there twice")
        texts.add(text)
        yield PlainQuestion(text, float(weight))
