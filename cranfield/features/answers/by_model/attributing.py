"""Asking whether the documents of answers say claims."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cranfield.errors import InputError
from cranfield.features.answers.by_model.listing import LABELS_FORMAT, Listed, listing_task, open_subjects
from cranfield.features.answers.by_model.shared import topics_of
from cranfield.features.answers.judging.attributing import Attributing
from cranfield.features.answers.store.labels import CLAIM_LABELS
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Task
from cranfield.store.store import Store

ATTRIBUTION = PromptTask(
    "claim-attribution", frozenset({"claims", "passages"}), frozenset({"query"}), frozenset({"claims", "passages"}),
    False, LABELS_FORMAT,
)  # fmt: skip
CLAIMS = Listed(ATTRIBUTION, CLAIM_LABELS, "claim", "claims")


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

    def values(qid: str, answer: int) -> Mapping[str, str]:
        return {"query": topics[qid].title, "passages": items.documents(answer)}

    return listing_task(asker, CLAIMS, text, values)
