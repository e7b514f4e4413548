"""What all questions about answers share: which are open, what is recorded, and asking in rounds."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield.errors import InputError
from cranfield.features.answers.judging.reading import AnswersRead
from cranfield.features.answers.store.labels import Item, LabelEvent, LabelLog
from cranfield.features.models.asking.asking import Tally
from cranfield.features.models.asking.limits import UNLIMITED, AskLimits
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Reply, Task
from cranfield.features.models.calls import last_outcomes
from cranfield.formats import Topic
from cranfield.store.store import Store

Parse = Callable[[Question, str], Any]
Record = Callable[[Store, Question, Reply], None]
Subject = tuple[str, str]  # a topic, and what is asked about


def task_of(about: PromptTask, question: Callable[[str, str], Question], parse: Parse, record: Record) -> Task:
    """A task whose prompts are those of another record."""
    return Task(about.name, about.needs, question, parse, record, about.quoted, about.optional, about.scaled)


def is_left(outcome: str | None, again: str) -> bool:
    """Whether a question with this last outcome is to be asked."""
    return outcome is None or again == "all" or (again == "failed" and outcome != "ok")


def one_by_one(
    store: Store, asker: Asker, task: Task, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask one question about each answer with sentences of which this model was not asked yet."""
    read, known = AnswersRead(store, 0, topics), last_outcomes(store, asker.assessor, task.name)
    subjects = [
        (qid, str(answer))
        for qid, answers in read.listed().items()
        for answer in answers
        if read.sentences(answer) and is_left(known.get((qid, str(answer))), again)
    ]
    return PlannedAsking(store, asker, task, subjects, bool(again))


def open_items(labels: Mapping[Item, str | None], again: str) -> Callable[[Item], bool]:
    """Whether an item is to be asked about: one without a decision, or again one that failed, or any."""

    def is_open(item: Item) -> bool:
        return again == "all" or item not in labels or (again == "failed" and labels[item] is None)

    return is_open


def record_labels(log: LabelLog, assessor: str, items: Callable[[str], Sequence[Item]]) -> Record:
    """Append the labels of the items of a subject, or that there are none; a failure takes no label back."""

    def record(store: Store, question: Question, reply: Reply) -> None:
        here, known = items(question.subject), {}
        if reply.outcome == "error":
            known = log.labels(store, assessor)
        how: dict[str, Any] = {"input": "model", "evidence": json.dumps({"call": reply.call})}
        if reply.outcome == "ok":
            labels = zip(here, reply.value, strict=True)
            events = [LabelEvent("label", item, assessor, label, **how) for item, label in labels]
        else:
            reason, left = f"{reply.outcome}: {reply.reason}", [item for item in here if item not in known]
            events = [LabelEvent("cannot-judge", item, assessor, reason=reason, **how) for item in left]
        log.append(store, events)

    return record


def topics_of(store: Store) -> dict[str, Topic]:
    """The topics by qid."""
    return {topic.qid: topic for topic in store.topics()}


def line_of_prompt(asker: Asker) -> str:
    """What the line with the number begins with; an error for a prompt without one."""
    if not asker.prompt.line:
        raise InputError("line is missing: what the line with the number begins with", asker.prompt.path)
    return asker.prompt.line


def in_rounds(
    plan: Callable[[str, Collection[Subject]], PlannedAsking],
    again: str = "",
    limits: AskLimits = UNLIMITED,
    advance: Callable[[int], None] = lambda done: None,
) -> Tally:
    """Ask until nothing is left, where what is asked depends on the answers; `plan` gets what was asked so far."""
    total, asked = Tally(cost=0.0 if limits.price else None), set[Subject]()
    while True:
        planned = plan(again, asked)
        left = [about for about in planned.subjects if about not in asked]
        if not left or total.stopped:
            return total
        tally = replace(planned, subjects=left).run(limits.less(total.answered, total.tokens), advance)
        if tally.stopped:
            tally.remaining += planned.later or 0
        asked.update(left)
        total.add(tally)
