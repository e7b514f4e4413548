"""What questions about answers share: which are open, what is recorded, asking in rounds, and several labels at once.

The labels of short texts are asked for at once, of ten at most, each under an id that the answer repeats.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.answers.judging.tasks import GRADE_OF, AnswersRead
from cranfield.features.answers.store.labels import Item, LabelEvent, LabelLog
from cranfield.features.models.asking.grammar import labels_by_id, rows_in, rows_under
from cranfield.features.models.asking.limits import UNLIMITED, AskingTally, AskLimits
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import (
    GOT_ERROR,
    Asker,
    Question,
    Reply,
    Schema,
    Task,
    reason_of,
    rows_format,
)
from cranfield.features.models.calls import last_outcomes
from cranfield.formats import Topic
from cranfield.store.store import Store

Parse = Callable[[Question, str], Any]
Record = Callable[[Store, Question, Reply], None]
Subject = tuple[str, str]  # a topic, and what is asked about
Plan = Callable[[Store, Asker, Collection[str] | None, str, Collection[Subject]], PlannedAsking]


class QuestionKind(NamedTuple):
    """What a model is asked: the task, its prompt by default, and what the questions are about.

    The plan takes the topics, whether to ask again, and what was asked about just now.
    """

    about: PromptTask
    prompt: str
    plan: Plan
    noun: str


def task_of(about: PromptTask, question: Callable[[str, str], Question], parse: Parse, record: Record) -> Task:
    """A task of which each reply is recorded by itself."""

    def record_all(store: Store, answers: Sequence[tuple[Question, Reply]]) -> None:
        for one in answers:
            record(store, *one)

    return Task(about, question, parse, record_all)


def is_open_question(outcome: str | None, again: str) -> bool:
    """Whether a question with this last outcome is to be asked: a new one, one that got an error, or as `again` has it.

    >>> [is_open_question(outcome, "") for outcome in (None, "error", "unparsable", "ok")]
    [True, True, False, False]
    """
    return outcome in (None, "error") or again == "all" or (again == "failed" and outcome != "ok")


def one_by_one(
    store: Store, asker: Asker, task: Task, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask one question about each answer with sentences of which this model was not asked yet."""
    read, last = AnswersRead(store, 0, topics), last_outcomes(store, asker.assessor, task.name)
    subjects = [
        (qid, str(answer))
        for qid, answers in read.to_read().items()
        for answer in answers
        if read.sentences(answer) and is_open_question(last.get((qid, str(answer))), again)
    ]
    return PlannedAsking(store, asker, task, subjects, bool(again))


def open_items(store: Store, log: LabelLog, assessor: str, again: str) -> Callable[[Item], bool]:
    """Whether to ask about an item: it has no decision, or got an error; `again`: it failed as well, or any."""
    labels, errors = log.labels(store, assessor), log.unjudged_because(store, assessor, GOT_ERROR)

    def is_open(item: Item) -> bool:
        return again == "all" or item not in labels or item in errors or (again == "failed" and labels[item] is None)

    return is_open


def record_labels(log: LabelLog, assessor: str, items: Callable[[str], Sequence[Item]]) -> Record:
    """Append the labels of the items of a subject, or that there are none; a failure takes no label back."""

    def record(store: Store, question: Question, reply: Reply) -> None:
        all_items, earlier = items(question.subject), {}
        if reply.outcome == "error":
            earlier = log.labels(store, assessor)
        how: dict[str, Any] = {"input": "model", "evidence": json.dumps({"call": reply.call})}
        if reply.outcome == "ok":
            labels = zip(all_items, reply.value, strict=True)
            events = [LabelEvent("label", item, assessor, label, **how) for item, label in labels]
        else:
            reason, unlabelled = reason_of(reply), [item for item in all_items if item not in earlier]
            events = [LabelEvent("cannot-judge", item, assessor, reason=reason, **how) for item in unlabelled]
        log.append(store, events)

    return record


def topics_of(store: Store) -> dict[str, Topic]:
    """The topics by qid."""
    return {topic.qid: topic for topic in store.topics()}


def line_of_prompt(asker: Asker) -> str:
    """What the line with the number begins with; an error for a prompt without one."""
    if not asker.prompt.line:
        raise InputError(
            "the key line is missing; expected the text that begins the line with the number", asker.prompt.path
        )
    return asker.prompt.line


def ask_in_rounds(
    plan: Callable[[str, Collection[Subject]], PlannedAsking],
    again: str = "",
    limits: AskLimits = UNLIMITED,
    advance: Callable[[int], None] = lambda done: None,
) -> AskingTally:
    """Ask until nothing is left, where what is asked depends on the answers; `plan` gets what was asked so far."""
    total, before = AskingTally(cost=0.0 if limits.price else None), set[Subject]()
    while True:
        asking = plan(again, before)
        new = [about for about in asking.subjects if about not in before]
        if not new or total.stopped:
            return total
        tally = replace(asking, subjects=new).run(limits.less(total.answered, total.tokens, total.cost), advance)
        if tally.stopped:
            tally.remaining += asking.later or 0
        before.update(new)
        total.add(tally)


MAX_TEXTS_ASKED = 10  # texts in one question
FIELDS: Mapping[str, Schema] = {"id": {"type": "string"}, "label": {"type": "string", "enum": [*GRADE_OF]}}
LABELS_FORMAT = rows_format("labels", FIELDS)


class LabelledKind(NamedTuple):
    """What is labelled: the prompts, the log, what a text is called, and the placeholder of the list of texts."""

    about: PromptTask
    log: LabelLog
    noun: str  # nugget, claim, ...
    several: str  # the same of several
    labels: tuple[str, ...] = (*GRADE_OF,)


def open_subjects(
    store: Store, asker: Asker, kind: LabelledKind, items: Mapping[str, Collection[Item]], again: str
) -> list[Subject]:
    """The questions about items that have no label yet; `again`: those that failed as well, or all."""
    is_open = open_items(store, kind.log, asker.assessor, again)
    return [
        about
        for qid, several in items.items()
        for about in _subjects(qid, kind.several, [item for item in several if is_open(item)])
    ]


def _subjects(qid: str, noun: str, items: Collection[Item]) -> Iterator[Subject]:
    texts_by_answer: dict[int, list[str]] = {}
    for answer, text in items:
        texts_by_answer.setdefault(answer, []).append(str(text))
    for answer, texts in texts_by_answer.items():
        for at in range(0, len(texts), MAX_TEXTS_ASKED):
            yield qid, f"answer {answer}, {noun} {' '.join(texts[at : at + MAX_TEXTS_ASKED])}"


def listed_items(subject: str) -> list[Item]:
    """The answer with each text that a question is about.

    >>> listed_items("answer 3, nuggets 1 2")
    [(3, 1), (3, 2)]
    """
    answer, *texts = map(int, re.findall(r"\d+", subject))
    return [(answer, text) for text in texts]


def listing_task(
    asker: Asker,
    kind: LabelledKind,
    text_of: Callable[[int], str | None],
    values_of: Callable[[str, Sequence[Item]], Mapping[str, str]],
) -> Task:
    """The task of asking for them: the text of each number, if it is still there, and what else a prompt has."""

    def question(qid: str, subject: str) -> Question:
        items, rows = listed_items(subject), []
        for place, (_, number) in enumerate(items, 1):
            if (text := text_of(number)) is None:
                raise InputError(f"{kind.noun} {number} was replaced or dropped after the request")
            rows.append(json.dumps({"id": f"n{place}", kind.noun: text}, ensure_ascii=False))
        return Question(qid, subject, {**values_of(qid, items), kind.several: "\n".join(rows)})

    def parse(question: Question, answer: str) -> list[str]:
        ids = [f"n{place}" for place in range(1, len(listed_items(question.subject)) + 1)]
        rows = rows_under(answer, "labels") if asker.json_answer else rows_in(answer)
        label_of = labels_by_id(rows, ids, kind.labels)
        return [label_of[name] for name in ids]

    return task_of(kind.about, question, parse, record_labels(kind.log, asker.assessor, listed_items))
