"""Asking which nuggets the answers say."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cranfield.errors import InputError
from cranfield.features.answers.by_model.listing import LABELS_FORMAT, Listed, listing_task, open_subjects
from cranfield.features.answers.by_model.shared import topics_of
from cranfield.features.answers.judging.assigning import Assigning
from cranfield.features.answers.judging.reading import AnswersRead
from cranfield.features.answers.store.labels import NUGGET_LABELS
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Task
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store

ASSIGNMENT = PromptTask(
    "nugget-assignment", frozenset({"query", "nuggets", "response"}), quoted=frozenset({"nuggets", "response"}),
    scaled=False, json_format=LABELS_FORMAT,
)  # fmt: skip
NUGGETS = Listed(ASSIGNMENT, NUGGET_LABELS, "nugget", "nuggets")


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

    def values(qid: str, answer: int) -> Mapping[str, str]:
        return {"query": topics[qid].title, "response": "\n".join(read.sentences(answer))}

    return listing_task(asker, NUGGETS, texts.get, values)
