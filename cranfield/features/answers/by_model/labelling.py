"""Asking for labels: the nuggets that answers say, claims that documents say, sentences that citations support.

All kinds of labels, these and those of whole answers, are in one table: people give them at the keyboard, or a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.features.answers.by_model import whole
from cranfield.features.answers.by_model.shared import (
    LABELS_FORMAT,
    LabelledKind,
    QuestionKind,
    Subject,
    line_of_prompt,
    listing_task,
    open_items,
    open_subjects,
    record_labels,
    task_of,
    topics_of,
)
from cranfield.features.answers.judging.labelling import Begin
from cranfield.features.answers.judging.tasks import GRADE_OF, LABELS, AnswersRead, Assigning, Attributing, Supporting
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    Item,
    LabelLog,
)
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Task, number_format, number_of
from cranfield.selection import LabelledBy
from cranfield.store.decoding import decode_names
from cranfield.store.store import Store

ASSIGNMENT = PromptTask(
    "nugget-assignment", frozenset({"query", "nuggets", "response"}), quotes=frozenset({"nuggets", "response"}),
    graded=False, json_format=LABELS_FORMAT,
)  # fmt: skip
NUGGETS = LabelledKind(ASSIGNMENT, NUGGET_LABELS, "nugget", "nuggets")


def plan_assigning(
    store: Store,
    asker: Asker,
    topics: Collection[str] | None = None,
    again: str = "",
    nuggets: LabelledBy | None = None,
) -> PlannedAsking:
    """Ask about the nuggets of answers that have no label yet; `again`: those that failed as well, or all."""
    subjects = open_subjects(store, asker, NUGGETS, Assigning(store, 0, topics, nuggets).to_label(), again)
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


def plan_attributing(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask about the claims that have no label yet; `again`: those that failed as well, or all."""
    subjects = open_subjects(store, asker, CLAIMS, Attributing(store, 0, topics).to_label(), again)
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
    quotes=frozenset({"sentence", "passage"}),
    graded=False,
    json_format=number_format(LABELS),
)


def plan_supporting(
    store: Store,
    asker: Asker,
    *,
    topics: Collection[str] | None = None,
    again: str = "",
    each: bool = False,
    before: Collection[Subject] = (),
) -> PlannedAsking:
    """Ask about citations without a label, but those `before` just now.

    With `each` what is asked depends on the labels, so ask once more until nothing is left.
    """
    line_of_prompt(asker)
    items = Supporting(store, 0, topics, each)
    by_topic = items.to_label()
    labels = SUPPORT_LABELS.labels(store, asker.assessor)
    is_open = open_items(store, SUPPORT_LABELS, asker.assessor, again)
    labelled = {item for _, about in before for item in supported_items(about)}

    def is_due(item: Item) -> bool:
        return item not in labelled and is_open(item)

    if each:
        grades = {item: GRADE_OF.get(label or "") for item, label in labels.items() if not is_due(item)}
        by_topic = {qid: items.due(qid, grades) for qid in by_topic}
    subjects = [
        (qid, f"answer {item[0]}, sentence {item[1]}: {json.dumps(item[2])}")
        for qid, several in by_topic.items()
        for item in several
        if is_due(item)
    ]
    return PlannedAsking(store, asker, support_task(store, asker), subjects, bool(again), later=None if each else 0)


def supported_items(subject: str) -> list[Item]:
    """The sentence and the documents that a question is about.

    >>> supported_items('answer 3, sentence 1: ["d1", "d2"]')
    [(3, 1, ('d1', 'd2'))]
    """
    where, _, docnos = subject.partition(": ")
    answer, sentence = map(int, re.findall(r"\d+", where))
    return [(answer, sentence, tuple(decode_names(docnos, "model_request", subject, "subject")))]


def support_task(store: Store, asker: Asker) -> Task:
    """The task of asking for labels of support."""
    items, topics = Supporting(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        [item] = supported_items(subject)
        document, docnos = items.document(item), item[2]
        values = {
            "query": topics[qid].title, "sentence": document.title.removeprefix("Sentence: "), "passage": document.text,
        }  # fmt: skip
        return Question(qid, subject, values, docnos[0] if len(docnos) == 1 else None)

    def parse(question: Question, answer: str) -> list[str]:
        return [LABELS[number_of(answer, asker, LABELS)]]

    return task_of(SUPPORT, question, parse, record_labels(SUPPORT_LABELS, asker.assessor, supported_items))


class AnsweredKind(NamedTuple):
    """A kind of labels: what a model is asked and how, what it is of, the prompt; what people do, and the log of both.

    `options` are those of the kind, which both take.
    """

    about: PromptTask
    asks: Callable[..., PlannedAsking]
    noun: str
    prompt: str
    does: Callable[..., Any]
    log: LabelLog
    options: Mapping[str, Any] = MappingProxyType({})

    def plan(
        self, store: Store, asker: Asker, topics: Collection[str] | None, again: str, before: Collection[Subject]
    ) -> PlannedAsking:
        """What a model is to be asked, after what it was asked just now."""
        after = {"before": before} if self.about is SUPPORT else {}
        return self.asks(store, asker, topics=topics, again=again, **after, **self.options)

    @property
    def questions(self) -> QuestionKind:
        """What a model is asked."""
        return QuestionKind(self.about, self.prompt, self.plan, self.noun)

    @property
    def begin(self) -> Begin:
        """What people do."""
        return partial(self.does, **self.options)


def answered_kind(name: str, **options: Any) -> AnsweredKind:
    """A kind of labels by its prompt, with its options.

    >>> answered_kind("answers", baseline="bm25").noun
    'pairs of answers'
    """
    return KINDS[name]._replace(options=options)


KINDS = {
    kind.prompt: kind
    for kind in (
        AnsweredKind(ASSIGNMENT, plan_assigning, "nuggets in answers", "assignment", Assigning, NUGGET_LABELS),
        AnsweredKind(SUPPORT, plan_supporting, "citations", "support", Supporting, SUPPORT_LABELS),
        AnsweredKind(ATTRIBUTION, plan_attributing, "claims", "attribution", Attributing, CLAIM_LABELS),
        AnsweredKind(whole.RUBRIC, whole.plan_rating, "rubrics", "rubric", Rating, RUBRIC_LABELS),
        AnsweredKind(
            whole.CORRECTNESS, whole.plan_correcting, "correctness", "correctness", Correcting, CORRECTNESS_LABELS
        ),
        AnsweredKind(
            whole.COMPARISON, whole.plan_comparing, "pairs of answers", "answers", Comparing, COMPARISON_LABELS
        ),
    )
}
