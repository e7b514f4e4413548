"""Asking for the nuggets of answers, one answer after the other, as each question has the nuggets so far.

A question names these by number, and a nugget is never changed: an answer that comes later, in a batch file, finds the
question as it was asked, whatever people did to the nuggets meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from cranfield.errors import InputError
from cranfield.features.answers.by_model.shared import Subject, is_left, task_of, topics_of
from cranfield.features.answers.judging.reading import AnswersRead
from cranfield.features.answers.store.nuggets import (
    IMPORTANCES,
    Nugget,
    NuggetEdit,
    current_nuggets,
    edit_nuggets,
    nugget_texts,
)
from cranfield.features.models.asking.grammar import AnswerError, rows_in, rows_under
from cranfield.features.models.asking.json_answers import rows_format
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Reply, Task
from cranfield.features.models.calls import in_doubt, last_outcomes
from cranfield.store.store import Store

MOST = 30  # nuggets of a topic, after which no more are asked for
LONGEST_NUGGET = 200  # characters of a nugget
MAKING = PromptTask(
    "nugget-making", frozenset({"query", "nuggets", "response"}), frozenset({"description", "narrative"}),
    frozenset({"nuggets", "response"}), False,
    rows_format("nuggets", {"text": {"type": "string"}, "importance": {"type": "string", "enum": [*IMPORTANCES]}}),
)  # fmt: skip


def making_asked(
    store: Store,
    asker: Asker,
    topics: Collection[str] | None = None,
    again: str = "",
    asked: Collection[Subject] = (),
) -> PlannedAsking:
    """Ask for the nuggets of the next answer to each topic that was not `asked` about just now."""
    outcomes = last_outcomes(store, asker.assessor, MAKING.name)
    known = {_shown(subject)[0]: outcome for (_, subject), outcome in outcomes.items()}
    sent = {_shown(subject)[0]: subject for _, subject in in_doubt(store, asker.assessor, MAKING.name)}
    done = {_shown(subject)[0] for _, subject in asked}
    subjects: list[Subject] = []
    later = 0
    for qid, answers in AnswersRead(store, 0, topics).listed().items():
        left = [answer for answer in answers if answer not in done and is_left(known.get(answer), again)]
        nuggets = current_nuggets(store, qid)
        if left and len(nuggets) < MOST:
            subjects.append((qid, sent.get(left[0]) or _subject(left[0], nuggets)))
            later += len(left) - 1
    return PlannedAsking(store, asker, making_task(store, asker), subjects, bool(again), later=later)


def check_batch(again: str) -> None:
    """Refuse to ask for all once more by batch files: each would be about the first answer to each topic."""
    if again == "all":
        raise InputError("--again all has no batch file, as every one would ask the same; use --again failed, or --url")


def _subject(answer: int, nuggets: Collection[Nugget]) -> str:
    return f"answer {answer}, nuggets {' '.join(str(nugget.number) for nugget in nuggets) or 'none'}"


def _shown(subject: str) -> tuple[int, list[int]]:
    """The answer that a question is about, and the nuggets that it has.

    >>> _shown("answer 3, nuggets 1 2"), _shown("answer 3, nuggets none")
    ((3, [1, 2]), (3, []))
    """
    answer, *nuggets = map(int, re.findall(r"\d+", subject))
    return answer, nuggets


def making_task(store: Store, asker: Asker) -> Task:
    """The task of asking for nuggets."""
    read, topics = AnswersRead(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        topic, (answer, nuggets) = topics[qid], _shown(subject)
        values = {
            "query": topic.title, "description": topic.description, "narrative": topic.narrative,
            "nuggets": "\n".join(nugget_texts(store, nuggets)) or "(none)",
            "response": "\n".join(read.sentences(answer)),
        }  # fmt: skip
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[tuple[str, str]]:
        return new_nuggets(rows_under(answer, "nuggets") if asker.json_answer else rows_in(answer))

    def record(store: Store, question: Question, reply: Reply) -> None:
        """Write down the nuggets that are new, as coming from the run of the answer."""
        there = {nugget.text.casefold() for nugget in current_nuggets(store, question.qid)}
        run = (read.answer(_shown(question.subject)[0]).run,)
        new: dict[str, NuggetEdit] = {}
        for text, importance in reply.value or ():
            if text.casefold() not in there:
                edit = NuggetEdit(importance, question.qid, asker.assessor, text, contributors=run, input="model")
                new.setdefault(text.casefold(), edit)
        edit_nuggets(store, new.values())

    return task_of(MAKING, question, parse, record)


def new_nuggets(rows: Collection[object]) -> list[tuple[str, str]]:
    """The texts and importances of new nuggets.

    >>> new_nuggets([{"text": "wings give lift", "importance": "vital"}])
    [('wings give lift', 'vital')]
    >>> new_nuggets([{"text": "wings give lift", "importance": "high"}])
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: 'high' is not an importance; expected vital, okay
    """
    found = []
    for row in rows:
        if not isinstance(row, dict) or not {"text", "importance"} <= row.keys():
            raise AnswerError(f"{row!r:.60} has no text and importance")
        text, importance = row["text"], row["importance"]
        if not isinstance(text, str) or not 0 < len(" ".join(text.split())) <= LONGEST_NUGGET:
            raise AnswerError(f"{text!r:.60} is not a nugget: a text of at most {LONGEST_NUGGET} characters")
        if importance not in IMPORTANCES:
            raise AnswerError(f"{importance!r:.60} is not an importance; expected {', '.join(IMPORTANCES)}")
        found.append((" ".join(text.split()), importance))
    return found
