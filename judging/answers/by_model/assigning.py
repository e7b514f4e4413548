"""Asking which nuggets the answers say: an answer with ten nuggets at most per question."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping

from cranfield.errors import InputError
from cranfield.judging.answers.assigning import Assigning
from cranfield.judging.answers.by_model.shared import Subject, open_items, record_labels, task_of, topics_of
from cranfield.judging.answers.reading import AnswersRead
from cranfield.judging.answers.task import GRADE_OF
from cranfield.judging.models.asking.grammar import labels_by_id, rows_in, rows_under
from cranfield.judging.models.asking.json_answers import Schema, rows_format
from cranfield.judging.models.asking.planned import PlannedAsking
from cranfield.judging.models.asking.prompt import PromptTask
from cranfield.judging.models.asking.task import Asker, Question, Task
from cranfield.store.answers.labels import NUGGET_LABELS, Item
from cranfield.store.answers.nuggets import current_nuggets
from cranfield.store.store import Store

AT_ONCE = 10  # nuggets in one question
FIELDS: Mapping[str, Schema] = {"id": {"type": "string"}, "label": {"type": "string", "enum": [*GRADE_OF]}}
ASSIGNMENT = PromptTask(
    "nugget-assignment", frozenset({"query", "nuggets", "response"}), quoted=frozenset({"nuggets", "response"}),
    scaled=False, json_format=rows_format("labels", FIELDS),
)  # fmt: skip


def assigning_asked(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask about the nuggets of answers that have no label yet; `again`: those that failed as well, or all."""
    items = Assigning(store, 0, topics)
    if not (found := items.items()):
        raise InputError(items.none)
    left = open_items(NUGGET_LABELS.labels(store, asker.assessor), again)
    subjects = [
        about for qid, several in found.items() for about in _subjects(qid, [item for item in several if left(item)])
    ]
    return PlannedAsking(store, asker, assignment_task(store, asker), subjects, bool(again))


def _subjects(qid: str, items: Collection[Item]) -> Iterator[Subject]:
    by_answer: dict[int, list[str]] = {}
    for answer, nugget in items:
        by_answer.setdefault(answer, []).append(str(nugget))
    for answer, nuggets in by_answer.items():
        for at in range(0, len(nuggets), AT_ONCE):
            yield qid, f"answer {answer}, nuggets {' '.join(nuggets[at : at + AT_ONCE])}"


def assigned_items(subject: str) -> list[Item]:
    """The answer with each nugget that a question is about.

    >>> assigned_items("answer 3, nuggets 1 2")
    [(3, 1), (3, 2)]
    """
    answer, *nuggets = map(int, re.findall(r"\d+", subject))
    return [(answer, nugget) for nugget in nuggets]


def assignment_task(store: Store, asker: Asker) -> Task:
    """The task of asking for labels of nuggets."""
    read, topics = AnswersRead(store, 0), topics_of(store)
    known = {nugget.number: nugget for nugget in current_nuggets(store)}

    def question(qid: str, subject: str) -> Question:
        items = assigned_items(subject)
        if gone := [number for _, number in items if number not in known]:
            raise InputError(f"nugget {gone[0]} was reworded, merged or dropped since it was asked about")
        rows = [{"id": f"n{place}", "nugget": known[number].text} for place, (_, number) in enumerate(items, 1)]
        values = {
            "query": topics[qid].title, "response": "\n".join(read.sentences(items[0][0])),
            "nuggets": "\n".join(json.dumps(row, ensure_ascii=False) for row in rows),
        }  # fmt: skip
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[str]:
        ids = [f"n{place}" for place in range(1, len(assigned_items(question.subject)) + 1)]
        rows = rows_under(answer, "labels") if asker.json_answer else rows_in(answer)
        found = labels_by_id(rows, ids, list(GRADE_OF))
        return [found[name] for name in ids]

    return task_of(ASSIGNMENT, question, parse, record_labels(NUGGET_LABELS, asker.assessor, assigned_items))
