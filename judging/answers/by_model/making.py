"""Asking for the nuggets of answers, one answer after the other, as each question has the nuggets so far."""

from __future__ import annotations

from collections.abc import Collection

from cranfield.judging.answers.by_model.shared import Subject, task_of, topics_of
from cranfield.judging.answers.reading import AnswersRead
from cranfield.judging.models.asking.grammar import AnswerError, rows_in, rows_under
from cranfield.judging.models.asking.json_answers import rows_format
from cranfield.judging.models.asking.planned import PlannedAsking
from cranfield.judging.models.asking.prompt import PromptTask
from cranfield.judging.models.asking.task import Asker, Question, Reply, Task
from cranfield.store.answers.nuggets import IMPORTANCES, NuggetEdit, current_nuggets, edit_nuggets
from cranfield.store.model_calls.calls import last_outcomes
from cranfield.store.store import Store

MOST = 30  # nuggets of a topic, after which no more are asked for
LONGEST = 200  # characters of a nugget
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
    read, known = AnswersRead(store, 0, topics), last_outcomes(store, asker.assessor, MAKING.name)
    subjects: list[Subject] = []
    for qid, answers in read.listed().items():
        left = [(qid, str(answer)) for answer in answers if (qid, str(answer)) not in asked]
        left = [about for about in left if is_left(known.get(about), again)]
        if left and len(current_nuggets(store, qid)) < MOST:
            subjects.append(left[0])
    return PlannedAsking(store, asker, _task(store, asker, read), subjects, bool(again))


def is_left(outcome: str | None, again: str) -> bool:
    """Whether a question with this last outcome is to be asked."""
    return outcome is None or again == "all" or (again == "failed" and outcome != "ok")


def _task(store: Store, asker: Asker, read: AnswersRead) -> Task:
    topics = topics_of(store)

    def question(qid: str, subject: str) -> Question:
        topic = topics[qid]
        values = {
            "query": topic.title, "description": topic.description, "narrative": topic.narrative,
            "nuggets": "\n".join(nugget.text for nugget in current_nuggets(store, qid)) or "(none)",
            "response": "\n".join(read.sentences(int(subject))),
        }  # fmt: skip
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[tuple[str, str]]:
        return new_nuggets(rows_under(answer, "nuggets") if asker.json_answer else rows_in(answer))

    def record(store: Store, question: Question, reply: Reply) -> None:
        """Write down the nuggets that are new, as coming from the run of the answer."""
        there = {nugget.text.casefold() for nugget in current_nuggets(store, question.qid)}
        run = (read.answer(int(question.subject)).run,)
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
    cranfield.judging.models.asking.grammar.AnswerError: 'high' is not an importance; expected vital, okay
    """
    found = []
    for row in rows:
        if not isinstance(row, dict) or not {"text", "importance"} <= row.keys():
            raise AnswerError(f"{row!r:.60} has no text and importance")
        text, importance = row["text"], row["importance"]
        if not isinstance(text, str) or not 0 < len(" ".join(text.split())) <= LONGEST:
            raise AnswerError(f"{text!r:.60} is not a nugget: a text of at most {LONGEST} characters")
        if importance not in IMPORTANCES:
            raise AnswerError(f"{importance!r:.60} is not an importance; expected {', '.join(IMPORTANCES)}")
        found.append((" ".join(text.split()), importance))
    return found
