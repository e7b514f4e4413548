"""Rubrics as a TOML file: for each topic a list of yes/no questions, each a text or a text with a weight."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import Path, read_text
from cranfield.formats.mappings import toml_of

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
    data = toml_of(text, path)
    rubrics = [_rubric(path, text, qid, table) for qid, table in data.items()]
    if not rubrics:
        raise InputError('no topic; expected tables such as ["1"] with questions', path)
    return rubrics


def _rubric(path: Path, text: str, qid: str, table: Any) -> PlainRubric:
    head = re.compile(rf"\s*\[\s*[\"\']?{re.escape(qid)}[\"\']?\s*\]")
    line = next((number for number, one in enumerate(text.split("\n"), 1) if head.match(one)), None)
    questions = table.get("questions") if isinstance(table, Mapping) and [*table] == ["questions"] else None
    if not isinstance(questions, list) or not questions:
        raise InputError(f"topic {qid!r} has no list of questions and nothing else", path, line)
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
    known = set[str]()
    for row in rows:
        fields: Any = {"question": row} if isinstance(row, str) else row
        if not isinstance(fields, dict) or not {"question"} <= fields.keys() <= {"question", "weight"}:
            raise InputError(f"{row!r:.60}; {EXPECTED}")
        text, weight = fields["question"], fields.get("weight", 1.0)
        if not isinstance(text, str) or not (text := " ".join(text.split())):
            raise InputError(f"{row!r:.60}; {EXPECTED}")
        if type(weight) not in (int, float) or not isfinite(weight) or weight <= 0:
            raise InputError(f"the weight {weight!r:.20} of {text!r:.60}; expected a number above 0")
        if text in known:
            raise InputError(f"{text!r:.60} is there twice")
        known.add(text)
        yield PlainQuestion(text, float(weight))
