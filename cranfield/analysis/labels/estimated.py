"""What an estimate from a sample of a model's labels says, and the JSON of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cranfield.judging.models.prediction_powered import PoweredEstimate
from cranfield.store.models import AuditSample


class EstimatedScore(NamedTuple):
    """A quantity: the share of relevant documents, or the score of a run; `alone` is without the model."""

    run: str  # empty: of no run
    measure: str
    model: float  # by the model's labels
    tuned: PoweredEstimate
    alone: PoweredEstimate
    trusting: PoweredEstimate


@dataclass(frozen=True)
class AuditEstimate:
    """What is estimated from a sample; `left_out` documents of it cannot be judged."""

    sample: AuditSample
    judged: int
    left_out: int
    scores: Sequence[EstimatedScore]
    topics: int | None = None  # to which it is restricted, those that are judged whole


def without_interval(found: AuditEstimate) -> list[str]:
    """A line on the estimates that have none, by reason."""
    by: dict[str, list[str]] = {}
    for one in found.scores:
        if one.tuned.why:
            by.setdefault(one.tuned.why, []).append(f"{one.run} {one.measure}".strip())
    return [f"{', '.join(names[:3])}{', ...' * (len(names) > 3)}: no interval: {why}" for why, names in by.items()]


def as_document(found: AuditEstimate) -> dict[str, Any]:
    """The JSON."""
    sample = found.sample
    return {
        "model": sample.model, "human": sample.assessor,
        "sample": {
            "number": sample.number, "unit": sample.unit, "seed": sample.seed, "strata": dict(sample.strata),
            "documents": len(sample.pairs), "judged": found.judged, "cannot_judge": found.left_out,
        },
        "scores": [score_document(one) for one in found.scores],
    } | ({} if found.topics is None else {"judged_topics": found.topics})  # fmt: skip


def score_document(one: EstimatedScore) -> dict[str, Any]:
    """An estimate as JSON."""
    each = {"tuned": one.tuned, "people_alone": one.alone, "tuning_1": one.trusting}
    return {"run": one.run or None, "measure": one.measure, "model": one.model} | {
        name: estimate._asdict() for name, estimate in each.items()
    }
