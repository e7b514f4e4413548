"""Asking for labels of whole answers: are they right, do they meet a rubric, which of two is better."""

import re
from collections.abc import Collection, Mapping, Sequence

from cranfield.features.answers.by_model.shared import (
    LABELS_FORMAT,
    LabelledKind,
    line_of_prompt,
    listing_task,
    open_items,
    open_subjects,
    record_labels,
    task_of,
    topics_of,
)
from cranfield.features.answers.judging.tasks import BETTER, YES_NO
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.store.labels import COMPARISON_LABELS, CORRECTNESS_LABELS, RUBRIC_LABELS, Item
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Task, number_format, number_of, rows_format
from cranfield.store.store import Store

CORRECTNESS = PromptTask(
    "correctness", frozenset({"claims", "response"}), frozenset({"query"}), frozenset({"claims", "response"}), False,
    LABELS_FORMAT,
)  # fmt: skip
CORRECT = LabelledKind(CORRECTNESS, CORRECTNESS_LABELS, "claim", "claims")


def plan_correcting(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask whether answers say the claims of reference answers, and these what answers state; each by itself."""
    task = Correcting(store, 0, topics)
    by_topic = task.to_label()
    subjects = [
        about
        for own in (False, True)
        for about in open_subjects(
            store, asker, CORRECT,
            {qid: [item for item in items if task.is_stated(item) == own] for qid, items in by_topic.items()}, again,
        )
    ]  # fmt: skip
    return PlannedAsking(store, asker, correctness_task(store, asker), subjects, bool(again))


def correctness_task(store: Store, asker: Asker) -> Task:
    """The task of asking for labels of correctness."""
    task, topics = Correcting(store, 0), topics_of(store)

    def text(number: int) -> str | None:
        return task.claims[number].text if number in task.claims else None

    def values(qid: str, items: Sequence[Item]) -> Mapping[str, str]:
        read = task.read(items[0]).partition("\n\n")[2]  # without what it is called
        return {"query": topics[qid].title, "response": read}

    return listing_task(asker, CORRECT, text, values)


RUBRIC = PromptTask(
    "rubric", frozenset({"query", "questions", "response"}), quotes=frozenset({"response"}), graded=False,
    json_format=rows_format(
        "labels", {"id": {"type": "string"}, "label": {"type": "string", "enum": [*YES_NO.labels.values()]}}
    ),
)  # fmt: skip
RUBRICS = LabelledKind(RUBRIC, RUBRIC_LABELS, "question", "questions", (*YES_NO.labels.values(),))


def plan_rating(store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = "") -> PlannedAsking:
    """Plan requests for unlabelled rubric questions. `again` adds questions whose label failed, or all questions."""
    subjects = open_subjects(store, asker, RUBRICS, Rating(store, 0, topics).to_label(), again)
    return PlannedAsking(store, asker, rubric_task(store, asker), subjects, bool(again))


def rubric_task(store: Store, asker: Asker) -> Task:
    """The task of asking about questions of rubrics."""
    task, topics = Rating(store, 0), topics_of(store)

    def text(number: int) -> str | None:
        return task.questions[number].text if number in task.questions else None

    def values(qid: str, items: Sequence[Item]) -> Mapping[str, str]:
        return {"query": topics[qid].title, "response": "\n".join(task.answers.sentences(items[0][0]))}

    return listing_task(asker, RUBRICS, text, values)


COMPARISON = PromptTask(
    "answer-preference", frozenset({"query", "first", "second"}), frozenset({"description", "narrative"}),
    quotes=frozenset({"first", "second"}), graded=False, json_format=number_format(sorted(BETTER.labels)),
)  # fmt: skip


def plan_comparing(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = "", baseline: str | None = None
) -> PlannedAsking:
    """Ask about both orders of every two answers to a topic, pair by pair, so that a limit leaves whole pairs."""
    line_of_prompt(asker)
    by_topic = Comparing(store, 0, topics, baseline).to_label()
    is_open = open_items(store, COMPARISON_LABELS, asker.assessor, again)
    subjects = [
        (qid, f"answers {item[0]} {item[1]}")
        for qid, items in by_topic.items()
        for item in sorted(items, key=lambda item: (min(item), max(item), item))
        if is_open(item)
    ]
    return PlannedAsking(store, asker, comparison_task(store, asker), subjects, bool(again))


def compared_answers(subject: str) -> list[Item]:
    """The two answers that a question is about, in the order shown.

    >>> compared_answers("answers 5 3")
    [(5, 3)]
    """
    first, second = map(int, re.findall(r"\d+", subject))
    return [(first, second)]


def comparison_task(store: Store, asker: Asker) -> Task:
    """The task of asking which of two answers is better."""
    task, topics = Comparing(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        topic, [two] = topics[qid], compared_answers(subject)
        first, second = ("\n".join(task.answers.sentences(answer)) for answer in two)
        values = {"query": topic.title or topic.description, "description": topic.description,
                  "narrative": topic.narrative, "first": first, "second": second}  # fmt: skip
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[str]:
        return [BETTER.labels[number_of(answer, asker, sorted(BETTER.labels))]]

    return task_of(COMPARISON, question, parse, record_labels(COMPARISON_LABELS, asker.assessor, compared_answers))
