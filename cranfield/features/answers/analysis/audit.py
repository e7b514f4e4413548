"""A model's labels of nuggets, citations or claims beside people's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.features.answers.store.answers import stored_answers
from cranfield.features.answers.store.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS, Item, LabelLog
from cranfield.features.answers.store.nuggets import counted_labels
from cranfield.features.models.usability import OverRating, by_grade, over_rating
from cranfield.judging.agreement.agreement import Coefficient, LabelMatrix, overall
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors
from cranfield.store.store import Store

LOGS: Mapping[str, LabelLog] = {"nuggets": NUGGET_LABELS, "support": SUPPORT_LABELS, "claims": CLAIM_LABELS}
COEFFICIENTS = ("raw agreement", "Cohen kappa", "Cohen kappa quadratic", "Krippendorff alpha ordinal")
GRADES = (0, 1, 2)  # no support, partial support, support
Known = Mapping[Item, float | None]


@dataclass(frozen=True)
class AnswerAudit:
    """What an audit finds. `failed` of the items that people labelled the model could not label."""

    what: str
    model: str
    human: str
    topics: int
    items: int
    failed: int
    grades: Mapping[tuple[int, int], int]  # (people's, the model's)
    agreement: Sequence[Coefficient]
    ceiling: Sequence[Coefficient]  # of the two people who share most items; empty where none has two of their labels
    over: Sequence[OverRating]


def audit_answers(store: Store, what: str, model: str, human: str | None = None, seed: int = 0) -> AnswerAudit:
    """Compare a model's labels of nuggets, support or claims with those of a person, or of all people."""
    log, kinds = LOGS[what], assessors(store)
    for name, wanted in ((model, True), (human, False)):
        if name is not None and (name not in kinds or (kinds[name] == "model") != wanted):
            raise InputError(f"{name!r} is not a {'model' if wanted else 'person'} of this store")
    theirs = counted_labels(store, log, human, LabelledBy.people).labels
    machine = counted_labels(store, log, model, LabelledBy.models).labels
    asked = [item for item, label in theirs.items() if label is not None and item in machine]
    both = [item for item in asked if machine[item] is not None]
    if not both:
        raise InputError(f"nothing has labels of {what} by both {model!r} and {human or 'people'}")
    matrix = _matrix(store, {"people": theirs, "model": machine}, both)
    people, of_model = matrix.grades.T
    topics = [qid for qid, _ in matrix.units]
    return AnswerAudit(
        what, model, human or "people", topics=len(matrix.topics), items=len(both), failed=len(asked) - len(both),
        grades=Counter(zip(people.astype(int).tolist(), of_model.astype(int).tolist(), strict=True)),
        agreement=overall(matrix, COEFFICIENTS, seed=seed), ceiling=_ceiling(store, log, seed),
        over=over_rating(of_model, people, topics, by_grade(people), (min(GRADES), max(GRADES))),
    )  # fmt: skip


def _matrix(store: Store, labels: Mapping[str, Known], items: Sequence[Item]) -> LabelMatrix:
    """Labels side by side, as grades 0 to 2; NaN where there is none."""
    qids = {answer.number: answer.qid for answer in stored_answers(store)}
    units = sorted((qids[item[0]], str(item), item) for item in items)
    columns = [_grades(known, [item for *_, item in units]) for known in labels.values()]
    return LabelMatrix(tuple(labels), [(qid, name) for qid, name, _ in units], np.column_stack(columns), GRADES)


def _grades(known: Known, items: Sequence[Item]) -> Floats:
    found = [known.get(item) for item in items]
    return np.array([np.nan if label is None else 2 * label for label in found])


def _ceiling(store: Store, log: LabelLog, seed: int) -> list[Coefficient]:
    names = [name for name in log.counts(store) if assessors(store)[name] != "model"]
    labels = {name: counted_labels(store, log, name, LabelledBy.people).labels for name in names}
    shared = [
        (sum(labels[a][item] is not None and labels[b].get(item) is not None for item in labels[a]), (a, b))
        for a, b in combinations(names, 2)
    ]
    most, two = max(shared, key=lambda one: one[0], default=(0, ()))
    if not most:
        return []
    items = list(dict.fromkeys(item for name in two for item in labels[name]))
    return overall(_matrix(store, {name: labels[name] for name in two}, items), COEFFICIENTS, seed=seed)


def as_document(found: AnswerAudit) -> dict[str, Any]:
    """The JSON."""
    return {
        "labels": found.what, "model": found.model, "human": found.human, "topics": found.topics, "items": found.items,
        "failed": found.failed,
        "grades": [{"people": a, "model": b, "items": number} for (a, b), number in sorted(found.grades.items())],
        "agreement": [one.document() for one in found.agreement],
        "between_people": [one.document() for one in found.ceiling],
        "over_rating": [over_row(one) for one in found.over],
    }  # fmt: skip


def over_row(one: OverRating) -> dict[str, Any]:
    """How far the model's labels are above people's, as a row."""
    return {"people": one.group if one.by else "all", "items": one.documents, "over": one.over, "low": one.low,
            "high": one.high}  # fmt: skip
