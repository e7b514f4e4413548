"""Asking for the labels of several short texts at once, ten at most, each under an id that the answer repeats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.features.answers.by_model.shared import Subject, open_items, record_labels, task_of
from cranfield.features.answers.judging.task import GRADE_OF
from cranfield.features.answers.store.labels import Item, LabelLog
from cranfield.features.models.asking.grammar import labels_by_id, rows_in, rows_under
from cranfield.features.models.asking.json_answers import Schema, rows_format
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Task
from cranfield.store.store import Store

AT_ONCE = 10  # texts in one question
FIELDS: Mapping[str, Schema] = {"id": {"type": "string"}, "label": {"type": "string", "enum": [*GRADE_OF]}}
LABELS_FORMAT = rows_format("labels", FIELDS)


class Listed(NamedTuple):
    """What is labelled: the prompts, the log, what a text is called, and the placeholder of the list of texts."""

    about: PromptTask
    log: LabelLog
    noun: str  # nugget or claim
    several: str  # nuggets or claims


def open_subjects(
    store: Store, asker: Asker, listed: Listed, items: Mapping[str, Collection[Item]], again: str
) -> list[Subject]:
    """The questions about items that have no label yet; `again`: those that failed as well, or all."""
    left = open_items(listed.log.labels(store, asker.assessor), again)
    return [
        about
        for qid, several in items.items()
        for about in _subjects(qid, listed.several, [item for item in several if left(item)])
    ]


def _subjects(qid: str, noun: str, items: Collection[Item]) -> Iterator[Subject]:
    by_answer: dict[int, list[str]] = {}
    for answer, text in items:
        by_answer.setdefault(answer, []).append(str(text))
    for answer, texts in by_answer.items():
        for at in range(0, len(texts), AT_ONCE):
            yield qid, f"answer {answer}, {noun} {' '.join(texts[at : at + AT_ONCE])}"


def listed_items(subject: str) -> list[Item]:
    """The answer with each text that a question is about.

    >>> listed_items("answer 3, nuggets 1 2")
    [(3, 1), (3, 2)]
    """
    answer, *texts = map(int, re.findall(r"\d+", subject))
    return [(answer, text) for text in texts]


def listing_task(
    asker: Asker,
    listed: Listed,
    text_of: Callable[[int], str | None],
    values_of: Callable[[str, int], Mapping[str, str]],
) -> Task:
    """The task of asking for them: the text of each number, if it is still there, and what else a prompt has."""

    def question(qid: str, subject: str) -> Question:
        items, rows = listed_items(subject), []
        for place, (_, number) in enumerate(items, 1):
            if (text := text_of(number)) is None:
                raise InputError(f"{listed.noun} {number} was replaced or dropped since it was asked about")
            rows.append(json.dumps({"id": f"n{place}", listed.noun: text}, ensure_ascii=False))
        return Question(qid, subject, {**values_of(qid, items[0][0]), listed.several: "\n".join(rows)})

    def parse(question: Question, answer: str) -> list[str]:
        ids = [f"n{place}" for place in range(1, len(listed_items(question.subject)) + 1)]
        rows = rows_under(answer, "labels") if asker.json_answer else rows_in(answer)
        found = labels_by_id(rows, ids, list(GRADE_OF))
        return [found[name] for name in ids]

    return task_of(listed.about, question, parse, record_labels(listed.log, asker.assessor, listed_items))
