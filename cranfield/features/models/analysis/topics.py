"""What people would have said of all labels that a model gave answers, estimated from the topics that they labelled.

A sample is of topics, drawn at random from those that the model labelled; a person labels the answers of all runs to
them, without seeing the model's labels. A score of a run is then estimated as that of documents by topic is: of these
topics, a finite number, with an interval (Angelopoulos et al., PPI++, arXiv 2311.01453, 2023; of a finite population).
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from cranfield.errors import InputError
from cranfield.features.models.analysis.estimate import (
    AuditEstimate,
    EstimatedScore,
    check_model,
    estimate,
    mean_estimates,
)
from cranfield.features.models.audited import Asked, AuditedKind, ScoredBy
from cranfield.features.models.calls import AuditSample, add_audit, audit_sample
from cranfield.features.models.extension import audited_kinds
from cranfield.features.models.sample import ALL, some_topics
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import counted, join_words


def kind_of(labels: str) -> AuditedKind:
    """A kind of labels of which topics can be drawn; an error for others."""
    kinds = audited_kinds()
    of = [name for name, kind in kinds.items() if kind.scored_by]
    if labels not in of:
        raise InputError(f"labels of {labels!r} cannot be sampled; expected documents, {join_words(of, 'or')}")
    return kinds[labels]


def draw_topics_of(store: Store, labels: str, model: str, assessor: str, *, size: int, seed: int = 0) -> AuditSample:
    """Draw topics of those that a model labelled and record them, for a person to label."""
    kind = kind_of(labels)
    check_model(store, model)
    if assessors(store).get(assessor, "human") != "human":
        raise InputError(f"{assessor!r} is not a person; only a person can judge a sample of a model's labels")
    topics = sorted(_score(kind, store, model, None).qids)
    sample = some_topics(topics, size, seed)
    qids = _score(kind, store, assessor, None).qids if assessor in assessors(store) else ()
    if labelled := sum(qid in qids for qid in sample):
        were = f"{counted(labelled, 'topic')} of the sample"
        raise InputError(
            f"{assessor!r} had labelled {were} before the sample was drawn; choose another --assessor or --seed"
        )
    number = add_audit(
        store, model, assessor, unit="topic", by="", seed=seed, strata={ALL: len(topics)}, labels=labels, topics=sample
    )
    return audit_sample(store, number)


def estimate_sample(
    store: Store,
    *,
    model: str | None = None,
    number: int | None = None,
    measures: Asked = None,
    relevant: Mapping[str, int] | None = None,
    judged_topics_only: bool = False,
) -> AuditEstimate:
    """Estimate from a sample of whatever labels, the newest if none is given; the last two are of documents alone."""
    sample = audit_sample(store, number, model)
    if not sample.topics:
        only = judged_topics_only
        return estimate(
            store, model=model, number=number, measures=measures or (), relevant=relevant, judged_topics_only=only
        )
    if relevant or judged_topics_only:
        raise InputError(
            f"sample {sample.number} is a sample of topics for labels of {sample.labels}; use it only with --measure"
        )
    # the scores of the runs by people on all topics that the model labelled
    kind = kind_of(sample.labels)
    machine, people = (_score(kind, store, name, measures) for name in (sample.model, sample.assessor))
    if machine.labelled != sample.strata[ALL]:
        raise InputError(
            f"the labels of {sample.model!r} have changed since sample {sample.number} was drawn from"
            f" {counted(sample.strata[ALL], 'topic')} (now {machine.labelled}); draw another sample"
        )
    topics = [qid for qid in sample.topics if qid in machine.qids]
    if not topics:
        raise InputError(f"all topics of sample {sample.number} have been withdrawn; draw another sample")
    if fewer := len(sample.topics) - len(topics):
        store.left_out.others["topics of the sample"] = fewer
    sample = sample._replace(topics=topics, strata={ALL: len(machine.qids)})
    scores = [_estimate(sample, machine, people, run, place) for place in range(len(machine.measures))
              for run in range(len(machine.scores.tags))]  # fmt: skip
    return AuditEstimate(sample, len(sample.topics), 0, scores)


def _score(kind: AuditedKind, store: Store, assessor: str, measures: Asked) -> ScoredBy:
    assert kind.scored_by is not None
    return kind.scored_by(store, assessor, measures)


def _estimate(sample: AuditSample, machine: ScoredBy, people: ScoredBy, run: int, place: int) -> EstimatedScore:
    """Of a run by a measure, on the topics where it is defined; labels that are missing are an error."""
    tag, measure, scores = machine.scores.tags[run], machine.measures[place], machine.scores
    at = [number for number, qid in enumerate(scores.qids) if qid in machine.qids]
    is_sampled = [scores.qids[number] in sample.topics for number in at]
    _refuse_missing(sample.model, machine, at, run, place)
    _refuse_missing(
        sample.assessor, people, [one for one, inside in zip(at, is_sampled, strict=True) if inside], run, place
    )
    by_model = scores.values[run, at, place]
    human_scores = np.where(is_sampled, people.scores.values[run, at, place], np.nan)
    is_defined = ~np.isnan(by_model)
    return mean_estimates(tag, measure, human_scores[is_defined], by_model[is_defined])


def _refuse_missing(who: str, by: ScoredBy, at: Collection[int], run: int, place: int) -> None:
    """An error where a score lacks labels, or they failed."""
    failures = by.scores.failed
    assert failures is not None
    missing: Sequence[str] = [by.scores.qids[topic] for topic in at if failures[run, topic, place]]
    if missing:
        what = f"{by.measures[place]} of {by.scores.tags[run]!r} on {counted(len(missing), 'topic')}"
        raise InputError(f"{what} lacks labels by {who!r}, first on {missing[0]!r}; label all answers to these topics")
