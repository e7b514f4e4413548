"""Asking which questions an answer would answer, and whether it evades; and what each answer's last ones are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from cranfield.features.answers.by_model.shared import one_by_one, task_of
from cranfield.features.answers.judging.reading import AnswersRead
from cranfield.features.models.asking.grammar import AnswerError, rows_in, rows_under
from cranfield.features.models.asking.json_answers import rows_format
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Task
from cranfield.features.models.calls import Call, calls
from cranfield.store.decoding import json_of
from cranfield.store.store import Store

COUNT = 3  # questions of an answer
LONGEST = 600  # characters of a question or a statement
QUESTIONS = PromptTask(
    "questions", frozenset({"response", "count"}), quoted=frozenset({"response"}), scaled=False,
    json_format=rows_format("questions", {"text": {"type": "string"}, "evasive": {"type": "boolean"}}),
)  # fmt: skip


class AnswerQuestion(NamedTuple):
    """A question that an answer would answer, and whether the model found the answer evasive."""

    text: str
    evasive: bool


def questions_asked(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask for the questions of the answers of which this model was not asked yet."""
    return one_by_one(store, asker, questions_task(store, asker), topics, again)


def questions_task(store: Store, asker: Asker) -> Task:
    """The task of asking for questions; the log of calls is the record of them."""
    read = AnswersRead(store, 0)

    def question(qid: str, subject: str) -> Question:
        values = {"response": "\n".join(read.sentences(int(subject))), "count": str(COUNT)}
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[AnswerQuestion]:
        return questions_in(answer, asker.json_answer)

    return task_of(QUESTIONS, question, parse, lambda store, question, reply: None)


def questions_in(answer: str, as_json: bool = False) -> list[AnswerQuestion]:
    """The questions that a model gives, no more and no fewer than it was asked for.

    >>> questions_in('[{"text": "Why fly?", "evasive": false}]')
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: 1 of 3 questions
    """
    rows = rows_under(answer, "questions") if as_json else rows_in(answer)
    found = [_question(row) for row in rows]
    if len(found) != COUNT:
        raise AnswerError(f"{len(found)} of {COUNT} questions")
    return found


def _question(row: object) -> AnswerQuestion:
    text, evasive = text_of(row, "question"), row.get("evasive") if isinstance(row, dict) else None
    if not isinstance(evasive, bool):
        raise AnswerError(f"{row!r:.60} has no evasive, true or false")
    return AnswerQuestion(text, evasive)


def text_of(row: object, noun: str) -> str:
    """The text of a row, without needless blanks."""
    text = row.get("text") if isinstance(row, dict) else None
    if not isinstance(text, str) or not 0 < len(" ".join(text.split())) <= LONGEST:
        raise AnswerError(f"{row!r:.60} is not a {noun}: a text of at most {LONGEST} characters")
    return " ".join(text.split())


def last_questions(store: Store, assessor: str) -> dict[tuple[str, int], list[AnswerQuestion]]:
    """What a model last made of each answer, by topic and answer; a later failure takes nothing back."""
    return {
        (call.qid, int(call.subject)): questions_in(call.answer, "response_format" in _parameters(call))
        for call in calls(store, assessor, QUESTIONS.name)
        if call.outcome == "ok"
    }


def _parameters(call: Call) -> dict[str, Any]:
    return json_of(dict, call.parameters, "model_call", call.subject, "parameters")
