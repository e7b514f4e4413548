"""Nuggets and support by a model: the same items as people's, in the same logs, as an assessor of kind model.

An answer of the model that cannot be read gives no label: all that it was about "cannot be judged", with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from cranfield.errors import InputError
from cranfield.formats import Topic
from cranfield.judging.answers.assigning import Assigning
from cranfield.judging.answers.reading import AnswersRead
from cranfield.judging.answers.supporting import Supporting
from cranfield.judging.answers.task import GRADE_OF, LABELS
from cranfield.judging.models.asking.asking import UNLIMITED, AskLimits, Tally
from cranfield.judging.models.asking.grammar import AnswerError, labels_by_id, number_on_line, rows_in
from cranfield.judging.models.asking.planned import PlannedAsking
from cranfield.judging.models.asking.prompt import PromptTask
from cranfield.judging.models.asking.task import Asker, Question, Reply, Task
from cranfield.store.answers.labels import NUGGET_LABELS, SUPPORT_LABELS, Item, LabelEvent, LabelLog
from cranfield.store.answers.nuggets import IMPORTANCES, Nugget, NuggetEdit, current_nuggets, edit_nuggets
from cranfield.store.model_calls.calls import last_outcomes
from cranfield.store.store import Store

AT_ONCE = 10  # nuggets in one question
MOST = 30  # nuggets of a topic, after which no more are asked for
LONGEST = 200  # characters of a nugget
MAKING = PromptTask(
    "nugget-making", frozenset({"query", "nuggets", "response"}), frozenset({"description", "narrative"}),
    frozenset({"nuggets", "response"}), scaled=False,
)  # fmt: skip
ASSIGNMENT = PromptTask(
    "nugget-assignment", frozenset({"query", "nuggets", "response"}), quoted=frozenset({"nuggets", "response"}),
    scaled=False,
)  # fmt: skip
SUPPORT = PromptTask(
    "support", frozenset({"sentence", "passage"}), frozenset({"query"}), frozenset({"sentence", "passage"}), False
)
Parse = Callable[[Question, str], Any]
Record = Callable[[Store, Question, Reply], None]
Subject = tuple[str, str]  # a topic, and what is asked about
About = dict[Subject, list[Item]]


def _task(about: PromptTask, question: Callable[[str, str], Question], parse: Parse, record: Record) -> Task:
    return Task(about.name, about.needs, question, parse, record, about.quoted, about.optional, about.scaled)


# Assigning nuggets


def assigning_asked(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask which nuggets the answers say: an answer with ten nuggets at most per question."""
    items = Assigning(store, 0, topics)
    found = items.items()
    if not found:
        raise InputError(items.none)
    left = _open(NUGGET_LABELS.labels(store, asker.assessor), again)
    about: About = {}
    for qid, several in found.items():
        by_answer: dict[int, list[Item]] = {}
        for item in filter(left, several):
            by_answer.setdefault(item[0], []).append(item)
        for answer, items_of in by_answer.items():
            for at in range(0, len(items_of), AT_ONCE):
                these = items_of[at : at + AT_ONCE]
                about[qid, f"answer {answer}, nuggets {' '.join(str(nugget) for _, nugget in these)}"] = these
    read, known = AnswersRead(store, 0, topics), {nugget.number: nugget for nugget in current_nuggets(store)}
    question = partial(_assignment, about, _topics(store), read, known)
    record = partial(_record, NUGGET_LABELS, asker.assessor, about)
    task = _task(ASSIGNMENT, question, partial(_labels, about), record)
    return PlannedAsking(store, asker, task, [*about], bool(again))


def _assignment(
    about: About, topics: Mapping[str, Topic], read: AnswersRead, known: Mapping[int, Nugget], qid: str, subject: str
) -> Question:
    items = about[qid, subject]
    rows = [{"id": f"n{place}", "nugget": known[number].text} for place, (_, number) in enumerate(items, 1)]
    values = {
        "query": topics[qid].title, "response": "\n".join(read.sentences(items[0][0])),
        "nuggets": "\n".join(json.dumps(row, ensure_ascii=False) for row in rows),
    }  # fmt: skip
    return Question(qid, subject, values)


def _labels(about: About, question: Question, answer: str) -> list[str]:
    """The label of each nugget, in their order."""
    ids = [f"n{place}" for place in range(1, len(about[question.qid, question.subject]) + 1)]
    found = labels_by_id(answer, ids, list(GRADE_OF))
    return [found[name] for name in ids]


# Support


def supporting_asked(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = "", each: bool = False
) -> PlannedAsking:
    """Ask whether cited documents support sentences; with `each` what is asked depends on the labels, so ask once more
    until nothing is left."""
    if not asker.prompt.line:
        raise InputError("line is missing: what the line with the number begins with", asker.prompt.path)
    items = Supporting(store, 0, topics, each)
    if not (found := items.items()):
        raise InputError(items.none)
    labels = SUPPORT_LABELS.labels(store, asker.assessor)
    left = _open(labels, again)
    if each:
        grades = {item: GRADE_OF.get(label or "") for item, label in labels.items() if not left(item)}
        found = {qid: items.needed(qid, grades) for qid in found}
    about: About = {
        (qid, f"answer {item[0]}, sentence {item[1]}: {json.dumps(item[2])}"): [item]
        for qid, several in found.items()
        for item in several
        if left(item)
    }
    question = partial(_support, about, _topics(store), items)
    record = partial(_record, SUPPORT_LABELS, asker.assessor, about)
    parse = partial(_support_label, asker.prompt.line)
    return PlannedAsking(store, asker, _task(SUPPORT, question, parse, record), [*about], bool(again))


def _support(about: About, topics: Mapping[str, Topic], items: Supporting, qid: str, subject: str) -> Question:
    [item] = about[qid, subject]
    shown, docnos = items.shown(item), item[2]
    values = {
        "query": topics[qid].title, "sentence": shown.title.removeprefix("Sentence: "), "passage": shown.text,
    }  # fmt: skip
    return Question(qid, subject, values, docnos[0] if len(docnos) == 1 else None)


def _support_label(line: str, question: Question, answer: str) -> list[str]:
    return [LABELS[number_on_line(answer, line, {grade: grade for grade in LABELS})]]


def _open(labels: Mapping[Item, str | None], again: str) -> Callable[[Item], bool]:
    """Whether an item is to be asked about: one without a decision, or again one that failed, or any."""

    def is_open(item: Item) -> bool:
        return again == "all" or item not in labels or (again == "failed" and labels[item] is None)

    return is_open


def _record(log: LabelLog, assessor: str, items: About, store: Store, question: Question, reply: Reply) -> None:
    """Append the labels, or that there are none; a failure to get an answer takes no label back."""
    here, known = items[question.qid, question.subject], {}
    if reply.outcome == "error":
        known = log.labels(store, assessor)
    how: dict[str, Any] = {"input": "model", "evidence": json.dumps({"call": reply.call})}
    if reply.outcome == "ok":
        events = [
            LabelEvent("label", item, assessor, label, **how) for item, label in zip(here, reply.value, strict=True)
        ]
    else:
        reason = f"{reply.outcome}: {reply.reason}"
        events = [
            LabelEvent("cannot-judge", item, assessor, reason=reason, **how) for item in here if item not in known
        ]
    log.append(store, events)


# Making nuggets


def making_asked(
    store: Store,
    asker: Asker,
    topics: Collection[str] | None = None,
    again: str = "",
    asked: Collection[Subject] = (),
) -> PlannedAsking:
    """Ask for the nuggets of the next answer to each topic that was not `asked` about just now.

    The answers to a topic are asked about one after the other, as each question has the nuggets so far.
    """
    read, known = AnswersRead(store, 0, topics), last_outcomes(store, asker.assessor, MAKING.name)
    if not read.ordered:
        raise InputError("no topic has answers; `cranfield import answers` adds answers")
    subjects: list[Subject] = []
    for qid, answers in read.ordered.items():
        left = [(qid, str(answer)) for answer in answers if (qid, str(answer)) not in asked]
        left = [about for about in left if _is_left(known.get(about), again)]
        if left and len(current_nuggets(store, qid)) < MOST:
            subjects.append(left[0])
    question, record = partial(_making, store, _topics(store), read), partial(_add, asker.assessor, read)
    return PlannedAsking(store, asker, _task(MAKING, question, _nuggets, record), subjects, bool(again))


def _is_left(outcome: str | None, again: str) -> bool:
    return outcome is None or again == "all" or (again == "failed" and outcome != "ok")


def _making(store: Store, topics: Mapping[str, Topic], read: AnswersRead, qid: str, subject: str) -> Question:
    topic = topics[qid]
    values = {
        "query": topic.title, "description": topic.description, "narrative": topic.narrative,
        "nuggets": "\n".join(nugget.text for nugget in current_nuggets(store, qid)) or "(none)",
        "response": "\n".join(read.sentences(int(subject))),
    }  # fmt: skip
    return Question(qid, subject, values)


def _nuggets(question: Question, answer: str) -> list[tuple[str, str]]:
    """The texts and importances of new nuggets.

    >>> _nuggets(Question("q", "1", {}), '[{"text": "wings give lift", "importance": "vital"}]')
    [('wings give lift', 'vital')]
    >>> _nuggets(Question("q", "1", {}), '[{"text": "wings give lift", "importance": "high"}]')
    Traceback (most recent call last):
    cranfield.judging.models.asking.grammar.AnswerError: 'high' is not an importance; expected vital, okay
    """
    found = []
    for row in rows_in(answer):
        if not isinstance(row, dict) or not {"text", "importance"} <= row.keys():
            raise AnswerError(f"{row!r:.60} has no text and importance")
        text, importance = row["text"], row["importance"]
        if not isinstance(text, str) or not 0 < len(" ".join(text.split())) <= LONGEST:
            raise AnswerError(f"{text!r:.60} is not a nugget: a text of at most {LONGEST} characters")
        if importance not in IMPORTANCES:
            raise AnswerError(f"{importance!r:.60} is not an importance; expected {', '.join(IMPORTANCES)}")
        found.append((" ".join(text.split()), importance))
    return found


def _add(assessor: str, read: AnswersRead, store: Store, question: Question, reply: Reply) -> None:
    """Write down the nuggets that are new, as coming from the run of the answer."""
    there = {nugget.text.casefold() for nugget in current_nuggets(store, question.qid)}
    run = (read.answer(int(question.subject)).run,)
    new: dict[str, NuggetEdit] = {}
    for text, importance in reply.value or ():
        if text.casefold() not in there:
            edit = NuggetEdit(importance, question.qid, assessor, text, contributors=run, input="model")
            new.setdefault(text.casefold(), edit)
    edit_nuggets(store, new.values())


def _topics(store: Store) -> dict[str, Topic]:
    return {topic.qid: topic for topic in store.topics()}


def in_rounds(
    plan: Callable[[str, Collection[Subject]], PlannedAsking],
    again: str = "",
    limits: AskLimits = UNLIMITED,
    advance: Callable[[int], None] = lambda done: None,
) -> Tally:
    """Ask until nothing is left, where what is asked depends on the answers; `plan` gets what was asked so far."""
    total, asked = Tally(cost=0.0 if limits.price else None), set[Subject]()
    while True:
        planned = plan("" if asked else again, asked)
        left = [about for about in planned.subjects if about not in asked]
        if not left or total.stopped:
            return total
        tally = replace(planned, subjects=left).run(limits.less(total), advance)
        asked.update(left)
        total.add(tally)
