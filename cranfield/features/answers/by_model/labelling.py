"""Asking for labels: the nuggets that answers say, claims that documents say, sentences that citations support."""

import json
import re
from collections.abc import Collection, Mapping, Sequence

from cranfield.errors import InputError
from cranfield.features.answers.by_model.shared import (
    LABELS_FORMAT,
    LabelledKind,
    Subject,
    line_of_prompt,
    listing_task,
    open_items,
    open_subjects,
    record_labels,
    task_of,
    topics_of,
)
from cranfield.features.answers.judging.tasks import GRADE_OF, LABELS, AnswersRead, Assigning, Attributing, Supporting
from cranfield.features.answers.store.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS, Item
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Task, number_format, number_of
from cranfield.store import LabelledBy
from cranfield.store.decoding import names_of
from cranfield.store.store import Store

ASSIGNMENT = PromptTask(
    "nugget-assignment", frozenset({"query", "nuggets", "response"}), quoted=frozenset({"nuggets", "response"}),
    scaled=False, json_format=LABELS_FORMAT,
)  # fmt: skip
NUGGETS = LabelledKind(ASSIGNMENT, NUGGET_LABELS, "nugget", "nuggets")


def assigning_asked(
    store: Store,
    asker: Asker,
    topics: Collection[str] | None = None,
    again: str = "",
    nuggets: LabelledBy | None = None,
) -> PlannedAsking:
    """Ask about the nuggets of answers that have no label yet; `again`: those that failed as well, or all."""
    items = Assigning(store, 0, topics, nuggets)
    if not (found := items.items()):
        raise InputError(items.none)
    subjects = open_subjects(store, asker, NUGGETS, found, again)
    return PlannedAsking(store, asker, assignment_task(store, asker), subjects, bool(again))


def assignment_task(store: Store, asker: Asker) -> Task:
    """The task of asking for labels of nuggets."""
    read, topics = AnswersRead(store, 0), topics_of(store)
    texts = {nugget.number: nugget.text for nugget in current_nuggets(store)}

    def values(qid: str, items: Sequence[Item]) -> Mapping[str, str]:
        return {"query": topics[qid].title, "response": "\n".join(read.sentences(items[0][0]))}

    return listing_task(asker, NUGGETS, texts.get, values)


ATTRIBUTION = PromptTask(
    "claim-attribution", frozenset({"claims", "passages"}), frozenset({"query"}), frozenset({"claims", "passages"}),
    False, LABELS_FORMAT,
)  # fmt: skip
CLAIMS = LabelledKind(ATTRIBUTION, CLAIM_LABELS, "claim", "claims")


def attributing_asked(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask about the claims that have no label yet; `again`: those that failed as well, or all."""
    items = Attributing(store, 0, topics)
    if not (found := items.items()):
        raise InputError(items.none)
    subjects = open_subjects(store, asker, CLAIMS, found, again)
    return PlannedAsking(store, asker, attribution_task(store, asker), subjects, bool(again))


def attribution_task(store: Store, asker: Asker) -> Task:
    """The task of asking for labels of claims."""
    items, topics = Attributing(store, 0), topics_of(store)

    def text(number: int) -> str | None:
        claim = items.claim(number)
        return claim.text if claim else None

    def values(qid: str, about: Sequence[Item]) -> Mapping[str, str]:
        return {"query": topics[qid].title, "passages": items.documents(about[0][0])}

    return listing_task(asker, CLAIMS, text, values)


SUPPORT = PromptTask(
    "support",
    frozenset({"sentence", "passage"}),
    frozenset({"query"}),
    quoted=frozenset({"sentence", "passage"}),
    scaled=False,
    json_format=number_format(LABELS),
)


def supporting_asked(
    store: Store,
    asker: Asker,
    *,
    topics: Collection[str] | None = None,
    again: str = "",
    each: bool = False,
    asked: Collection[Subject] = (),
) -> PlannedAsking:
    """Ask about citations without a label that were not `asked` about just now.

    With `each` what is asked depends on the labels, so ask once more until nothing is left.
    """
    line_of_prompt(asker)
    items = Supporting(store, 0, topics, each)
    if not (found := items.items()):
        raise InputError(items.none)
    labels = SUPPORT_LABELS.labels(store, asker.assessor)
    is_open, done = open_items(labels, again), {item for _, about in asked for item in supported_items(about)}

    def left(item: Item) -> bool:
        return item not in done and is_open(item)

    if each:
        grades = {item: GRADE_OF.get(label or "") for item, label in labels.items() if not left(item)}
        found = {qid: items.needed(qid, grades) for qid in found}
    subjects = [
        (qid, f"answer {item[0]}, sentence {item[1]}: {json.dumps(item[2])}")
        for qid, several in found.items()
        for item in several
        if left(item)
    ]
    return PlannedAsking(store, asker, support_task(store, asker), subjects, bool(again), later=None if each else 0)


def supported_items(subject: str) -> list[Item]:
    """The sentence and the documents that a question is about.

    >>> supported_items('answer 3, sentence 1: ["d1", "d2"]')
    [(3, 1, ('d1', 'd2'))]
    """
    where, _, docnos = subject.partition(": ")
    answer, sentence = map(int, re.findall(r"\d+", where))
    return [(answer, sentence, tuple(names_of(docnos, "model_request", subject, "subject")))]


def support_task(store: Store, asker: Asker) -> Task:
    """The task of asking for labels of support."""
    items, topics = Supporting(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        [item] = supported_items(subject)
        shown, docnos = items.shown(item), item[2]
        values = {
            "query": topics[qid].title, "sentence": shown.title.removeprefix("Sentence: "), "passage": shown.text,
        }  # fmt: skip
        return Question(qid, subject, values, docnos[0] if len(docnos) == 1 else None)

    def parse(question: Question, answer: str) -> list[str]:
        return [LABELS[number_of(answer, asker, LABELS)]]

    return task_of(SUPPORT, question, parse, record_labels(SUPPORT_LABELS, asker.assessor, supported_items))
