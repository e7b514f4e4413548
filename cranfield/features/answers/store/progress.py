"""How far the labelling of answers is."""

from collections import Counter
from typing import Any

from cranfield.features.answers.store.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.store.log import assessors
from cranfield.store.store import Store


def answer_rows(store: Store) -> list[dict[str, Any]]:
    """One row per task and assessor: the nuggets of each author, and the labels of nuggets and of citations.

    >>> from cranfield.formats import Topic
    >>> from cranfield.features.answers.store.nuggets import NuggetEdit, edit_nuggets
    >>> from cranfield.store.log import add_assessor
    >>> store = Store.memory("one nugget")
    >>> added = store.add_topics([Topic("q", "lift")]), add_assessor(store, "ada")
    >>> edit_nuggets(store, [NuggetEdit("vital", "q", "ada", "wings lift")])
    [1]
    >>> answer_rows(store)
    [{'task': 'make nuggets', 'assessor': 'ada', 'kind': 'human', 'done': 1, 'later': 0, 'cannot judge': 0}]
    >>> store.close()
    """
    authors = Counter(nugget.author for nugget in current_nuggets(store))
    tasks = {
        "make nuggets": {name: {"label": number} for name, number in authors.items()},
        "assign nuggets": NUGGET_LABELS.counts(store),
        "support": SUPPORT_LABELS.counts(store),
        "claims": CLAIM_LABELS.counts(store),
    }
    kinds = assessors(store)
    return [
        {"task": task, "assessor": name, "kind": kinds[name], "done": counts.get("label", 0),
         "later": counts.get("later", 0), "cannot judge": counts.get("cannot-judge", 0)}
        for task, by in tasks.items()
        for name, counts in by.items()
    ]  # fmt: skip
