"""Asking what answers state: each answer once, as single statements that can be checked."""

from __future__ import annotations

import json
from collections.abc import Collection

from cranfield.features.answers.by_model.shared import one_by_one, task_of, topics_of
from cranfield.features.answers.judging.reading import AnswersRead
from cranfield.features.answers.store.labels import ClaimSet, add_claims
from cranfield.features.answers.by_model.questioning import text_of
from cranfield.features.models.asking.grammar import rows_in, rows_under
from cranfield.features.models.asking.json_answers import rows_format
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Reply, Task
from cranfield.store.store import Store

STATING = PromptTask(
    "statements", frozenset({"response"}), frozenset({"query"}), frozenset({"response"}), False,
    rows_format("statements", {"text": {"type": "string"}}),
)  # fmt: skip


def stating_asked(store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = "") -> PlannedAsking:
    """Ask for the statements of the answers of which this model was not asked yet."""
    return one_by_one(store, asker, statement_task(store, asker), topics, again)


def statement_task(store: Store, asker: Asker) -> Task:
    """The task of asking for statements."""
    read, topics = AnswersRead(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        values = {"query": topics[qid].title, "response": "\n".join(read.sentences(int(subject)))}
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[str]:
        return statements(rows_under(answer, "statements") if asker.json_answer else rows_in(answer))

    def record(store: Store, question: Question, reply: Reply) -> None:
        if reply.outcome == "ok":
            call = json.dumps({"call": reply.call})
            add_claims(store, [ClaimSet(question.qid, int(question.subject), reply.value, asker.assessor, call)])

    return task_of(STATING, question, parse, record)


def statements(rows: Collection[object]) -> list[str]:
    """The texts of statements; an answer may make none.

    >>> statements([{"text": "Wings  lift."}])
    ['Wings lift.']
    >>> statements([{}])
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: {} is not a statement: a text of at most 600 characters
    """
    return [text_of(row, "statement") for row in rows]
