"""The nuggets of a store, and how many answers say each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from cranfield.errors import InputError
from cranfield.store.answers.labels import NUGGET_LABELS
from cranfield.store.answers.nuggets import counted_labels, counted_nuggets
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store

COLUMNS = {"support": 1.0, "partial": 0.5, "no": 0.0, "failed": None}


def nugget_rows(
    store: Store,
    topics: Collection[str] | None = None,
    assessor: str | None = None,
    whose: LabelledBy = LabelledBy.all,
    tell: Callable[[str], None] = lambda line: None,
    nuggets: LabelledBy | None = None,
) -> list[dict[str, Any]]:
    """A row for each nugget: what it says, whose it is, and how many answers have which label.

    `nuggets` chooses people's, models' or all; by default people's where there are any.
    """
    chosen = counted_nuggets(store, nuggets)
    listed = [one for one in chosen.nuggets if not topics or one.qid in topics]
    if not listed:
        raise InputError("no nuggets in this store; `cranfield answers nuggets make` adds some", store.path)
    labels = counted_labels(store, NUGGET_LABELS, assessor, whose, chosen.numbers)
    for line in filter(None, (chosen.said(), labels.said("nugget"))):
        tell(line)
    said = Counter((nugget, label) for (_, nugget), label in labels.labels.items())
    return [
        {
            "query_id": one.qid,
            "nugget": one.text,
            "importance": one.importance,
            "author": one.author,
            "by": one.by,
            "contributors": ", ".join(one.contributors),
            **{name: said[one.number, label] for name, label in COLUMNS.items()},
        }
        for one in listed
    ]
