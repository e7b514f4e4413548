"""What people would have said of everything that a model labelled, estimated from a sample that they judged.

What was withdrawn or is not asked for is left out of the sample and of what it was drawn from: within the rest, which
was not chosen by what the sample has, it is as random as before. A document that was renamed is in the sample where the
label that counts of it was drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf, nan
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.rankings import Floats, Ints, Runs
from cranfield.errors import InputError
from cranfield.features.models.calls import AuditedPair, AuditSample, add_audit, audit_sample
from cranfield.features.models.corrected import (
    FEWEST,
    RECALL,
    PoweredEstimate,
    Sums,
    check_linear,
    estimate_mean,
    gains,
    relevant_grade,
    sampled_score,
    tuned_score,
)
from cranfield.features.models.sample import ALL, draw_pairs, draw_topics, strata
from cranfield.judging.labels.diff import Side, align_topics, read_side
from cranfield.judging.labels.pairs import Pair, PairLabels, events_that_count, labels_by_pair, pair_of
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.selection import MODELS
from cranfield.store.log import assessors, read_events
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno
from cranfield.text import counted


class EstimatedScore(NamedTuple):
    """A quantity: the share of relevant documents, or the score of a run; `alone` is without the model."""

    run: str  # empty: of no run
    measure: str
    model: float  # by the model's labels
    estimate: PoweredEstimate
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

    @property
    def labels_line(self) -> str:
        """Whose labels the estimates are made of, in a line."""
        return f"sample {self.sample.number} of the labels of {self.sample.model}, judged by {self.sample.assessor}"


def missing_interval_lines(estimate: AuditEstimate) -> list[str]:
    """A line on the estimates that have none, by reason."""
    by: dict[str, list[str]] = {}
    for one in estimate.scores:
        if one.estimate.why:
            by.setdefault(one.estimate.why, []).append(f"{one.run} {one.measure}".strip())
    return [f"{', '.join(names[:3])}{', ...' * (len(names) > 3)}: no interval: {why}" for why, names in by.items()]


def as_document(estimate: AuditEstimate) -> dict[str, Any]:
    """The JSON."""
    sample = estimate.sample
    return {
        "model": sample.model, "human": sample.assessor,
        "sample": {
            "number": sample.number, "labels": sample.labels, "unit": sample.unit, "seed": sample.seed,
            "strata": dict(sample.strata), "documents": len(sample.pairs), "judged": estimate.judged,
            "cannot_judge": estimate.left_out,
        },
        "scores": [score_document(one) for one in estimate.scores],
    } | ({} if estimate.topics is None else {"judged_topics": estimate.topics})  # fmt: skip


def score_document(one: EstimatedScore) -> dict[str, Any]:
    """An estimate as JSON."""
    each = {"tuned": one.estimate, "people_alone": one.alone, "tuning_1": one.trusting}
    return {"run": one.run or None, "measure": one.measure, "model": one.model} | {
        name: estimate._asdict() for name, estimate in each.items()
    }


RELEVANT = "relevant"  # the share of relevant documents


def check_model(store: Store, model: str) -> None:
    """An error where the store has no such model."""
    kinds = assessors(store)
    if kinds.get(model) not in MODELS:
        models = ", ".join(sorted(name for name, kind in kinds.items() if kind in MODELS))
        which = f"its models are {models}" if models else "import labels with --kind model"
        raise InputError(f"{model!r} is not a model in this store; {which}")


def model_labels(store: Store, model: str) -> dict[Pair, int]:
    """The labels of a model; an error where the store has no such model."""
    check_model(store, model)
    if not (labels := read_side(store, f"assessor:{model}").labels):
        raise InputError(f"{model!r} has no labels in this store")
    return labels


def draw_audit(
    store: Store, model: str, assessor: str, size: int, *, by: str = "grade", unit: str = "pair", seed: int = 0
) -> AuditSample:
    """Draw a sample of what a model labelled and record it, for a person to judge."""
    labels = model_labels(store, model)
    if assessors(store).get(assessor, "human") != "human":
        raise InputError(f"{assessor!r} is not a person; only a person can judge a sample of a model's labels")
    past = labels_by_pair(store, (assessor,))
    sizes, pairs = draw_topics(labels, size, seed) if unit == "topic" else draw_pairs(labels, size, seed, by)
    if labelled := sum((pair.qid, pair.docno) in past and bool(past[pair.qid, pair.docno].votes) for pair in pairs):
        were = f"{counted(labelled, 'document')} of the sample"
        raise InputError(
            f"{assessor!r} had labelled {were} before the sample was drawn; choose another --assessor or --seed"
        )
    return audit_sample(
        store,
        add_audit(
            store, model, assessor, unit=unit, by="" if unit == "topic" else by, seed=seed, strata=sizes, pairs=pairs
        ),
    )


def estimate(
    store: Store,
    *,
    model: str | None = None,
    number: int | None = None,
    measures: MeasureLike | Iterable[MeasureLike] = (),
    relevant: Mapping[str, int] | None = None,
    judged_topics_only: bool = False,
) -> AuditEstimate:
    """Estimate the share of relevant documents and scores by measures from a sample, the newest if none is given.

    `relevant` is how many documents of each topic are relevant, which recall needs. With `judged_topics_only` the
    estimate is about the topics whose part of the sample is judged whole.
    """
    whole = audit_sample(store, number, model)
    labels, machine = model_labels(store, whole.model), read_side(store, f"assessor:{whole.model}")
    _check_same(store, whole)
    sample, topics = _restrict(_rename_sample(store, whole), labels, "counts any more; draw another sample"), None
    if fewer := len(whole.pairs) - len(sample.pairs):
        store.left_out.others["documents of the sample"] = fewer
    if judged_topics_only:
        topics = _judged_topics(store, sample)
        labels = {pair: grade for pair, grade in labels.items() if pair[0] in topics}
        sample = _restrict(sample, labels, "is judged on these topics; judge more of the sample")
        machine = machine.select_pairs(labels.keys())
    human, left_out = _human(store, sample)
    each_measure = parse_measures(measures, store.collection.min_relevant) if measures else []
    sides = _Labelled(store, sample, labels, human=human, machine=machine, relevant=relevant)
    scores = sides.estimate_topics(each_measure) if sample.unit == "topic" else sides.estimate_pairs(each_measure)
    return AuditEstimate(sample, len(human), left_out, scores, None if topics is None else len(topics))


def _judged_topics(store: Store, sample: AuditSample) -> set[str]:
    """The topics of which the sample has documents that are all judged."""
    if sample.unit == "topic":
        raise InputError(
            "a partly judged sample of topics is not random, because its topics are judged one after the other"
        )
    ballots = _settlements(store, sample)
    partial_topics = {pair.qid for pair in sample.pairs if pair[:2] not in ballots}
    whole = {pair.qid for pair in sample.pairs} - partial_topics
    if not whole:
        raise InputError(f"no topic of sample {sample.number} is fully judged yet")
    return whole


def _rename_sample(store: Store, sample: AuditSample) -> AuditSample:
    """A sample by the names that documents have now; of two that are one, the one whose label by the model counts."""
    if not any(present_name_by_docno(store).values()):
        return sample
    then = {event.id: pair_of(event) for event in read_events(store, sample.model)}
    pair_then = {pair[:2]: pair for pair in sample.pairs}
    counting = [event for event in events_that_count(store) if event.assessor == sample.model]
    present = {pair_of(event): pair_then.get(then[event.id]) for event in counting}
    return sample._replace(pairs=[AuditedPair(*pair, was.stratum) for pair, was in sorted(present.items()) if was])


def _restrict(sample: AuditSample, labels: Mapping[Pair, int], lack: str) -> AuditSample:
    """A sample restricted to some labels: within them it is as random as before; an error that ends with `lack`."""
    pairs = [pair for pair in sample.pairs if pair[:2] in labels]
    if sample.unit == "topic":
        sizes = {ALL: len({qid for qid, _ in labels})}
    else:
        sizes = dict(sorted(Counter(strata(labels, sample.by).values()).items()))
    if empty := sorted(sizes.keys() - {pair.stratum for pair in pairs}):
        of = "" if empty[0] == ALL else f" of the stratum {sample.by} {empty[0]}"
        raise InputError(f"no document{of} in sample {sample.number} {lack}")
    return sample._replace(strata=sizes, pairs=pairs)


def _settlements(store: Store, sample: AuditSample) -> dict[Pair, PairLabels]:
    """What the person said of each document of the sample that is judged, or cannot be."""
    labels = labels_by_pair(store, (sample.assessor,))
    return {pair[:2]: labels[pair[:2]] for pair in sample.pairs if pair[:2] in labels and labels[pair[:2]].decisions}


def _check_same(store: Store, sample: AuditSample) -> None:
    """An error where the model's labels, whether they count or not, are not those that the sample was drawn from."""
    current = read_events(store, sample.model, "current_judgment")
    labels = {pair_of(event) for event in current if event.grade is not None}
    units = len({qid for qid, _ in labels}) if sample.unit == "topic" else len(labels)
    size, missing = sum(sample.strata.values()), [pair for pair in sample.pairs if pair[:2] not in labels]
    if units != size or missing:
        raise InputError(
            f"the labels of {sample.model!r} have changed since sample {sample.number} was drawn from"
            f" {counted(size, sample.unit)} (now {units}); draw another sample"
        )


def _human(store: Store, sample: AuditSample) -> tuple[dict[Pair, int], int]:
    """The labels of the person who judged the sample, and how much of it cannot be judged; an error if she is not
    done."""
    ballots = _settlements(store, sample)
    labels = {pair: vote.grade for pair, ballot in ballots.items() for vote in ballot.votes if vote.grade is not None}
    size = len(ballots)
    if size < len(sample.pairs):
        raise InputError(
            f"{len(sample.pairs) - size} of {len(sample.pairs)} documents of sample {sample.number} are not"
            " judged. A partly judged sample is not random, because its topics are judged one after the"
            f" other. Judge the rest with `cranfield judge --assessor {sample.assessor} --audit"
            f" {sample.number}`, or estimate for the fully judged topics with --judged-topics-only"
        )
    return labels, len(sample.pairs) - len(labels)


@dataclass(frozen=True)
class _Labelled:
    """The labels of the model and of the person."""

    store: Store
    sample: AuditSample
    labels: dict[Pair, int]
    human: dict[Pair, int]
    machine: Side
    relevant: Mapping[str, int] | None = None

    @property
    def rel(self) -> int:
        """The lowest relevant grade."""
        return self.store.collection.min_relevant

    def estimate_pairs(self, measures: Sequence[Measure]) -> list[EstimatedScore]:
        """Each pair that the model labelled is a unit."""
        for measure in measures:
            check_linear(measure, recall=self.relevant is not None)
        pairs = list(self.labels)
        model = np.array([self.labels[pair] for pair in pairs])
        human = np.array([self.human.get(pair, np.nan) for pair in pairs])
        group = self._strata(pairs)
        judged = ~np.isnan(human)
        sizes, sizes_judged = np.bincount(group), np.bincount(group[judged], minlength=int(group.max(initial=0)) + 1)
        weight = np.asarray((sizes / np.maximum(sizes_judged, 1))[group])  # pairs of its stratum that each stands for
        share = np.where(judged, human >= self.rel, np.nan), (model >= self.rel).astype(float)
        each = np.full(len(pairs), 1 / len(pairs))
        sums = Sums(share[0] * each, share[1] * each, weight, (0 * each, each))
        scores = [score_of("", RELEVANT, sums, estimate_mean(*share, group).tuning)]
        runs = stored_runs(self.store)
        for measure in measures if runs.tags else ():
            worth = _Worth.from_runs(runs, self.machine, measure, tuple(self.store.collection.grades), pairs)
            share_of = self._shares(measure, pairs)
            tuning = estimate_mean(np.where(judged, worth.alike(human), np.nan), worth.alike(model), group).tuning
            for run, tag in enumerate(runs.tags):
                values = np.where(judged, worth.values(run, human), np.nan)
                by_model, ends = worth.values(run, model), worth.ends(run)
                sums = Sums(values * share_of, by_model * share_of, weight, (ends[0] * share_of, ends[1] * share_of))
                scores.append(score_of(tag, str(measure), sums, tuning))
        return scores

    def _shares(self, measure: Measure, pairs: Sequence[Pair]) -> Floats:
        """By what the worth of each pair is divided: the number of relevant documents of its topic, for recall."""
        if measure.name != RECALL:
            return np.ones(len(pairs))
        totals = self.relevant or {}
        if missing := sorted({qid for qid, _ in pairs} - totals.keys()):
            raise InputError(f"the --relevant file lacks the number of relevant documents for topic {missing[0]!r}")
        judged = Counter(qid for (qid, _), grade in self.human.items() if grade >= relevant_grade(measure))
        if wrong := [qid for qid, number in sorted(judged.items()) if number > totals[qid]]:
            has, number_given = counted(judged[wrong[0]], "relevant document"), totals[wrong[0]]
            raise InputError(
                f"the sample contains {has} for topic {wrong[0]!r}, but --relevant states only {number_given}"
            )
        return np.array([1 / totals[qid] if totals[qid] else 0.0 for qid, _ in pairs])

    def _strata(self, pairs: Sequence[Pair]) -> Ints:
        """The number of the stratum of each pair."""
        names = strata(self.labels, self.sample.by)
        place = {name: number for number, name in enumerate(sorted(set(names.values())))}
        return np.array([place[names[pair]] for pair in pairs], np.int64)

    def estimate_topics(self, measures: Sequence[Measure]) -> list[EstimatedScore]:
        """Each topic is a unit; people judged all its documents, or none."""
        runs = stored_runs(self.store)
        if not runs.tags or not measures:
            raise InputError(
                "a sample of topics is used to estimate run scores; name a measure with -m, and import runs"
            )
        whose = read_side(self.store, f"assessor:{self.sample.assessor}")
        people, machine = whose.select_pairs(set(self.human)), self.machine
        by_model = join_runs_and_qrels(runs, machine.qrels)
        is_sampled = [qid in set(people.qrels.topics.names[people.qrels.topic]) for qid in by_model.qids]
        human_judged, _ = align_topics(join_runs_and_qrels(runs, people.qrels), by_model)
        all_topics, human = score(by_model, measures), np.full((len(runs.tags), len(is_sampled), len(measures)), np.nan)
        human[:, np.array(is_sampled)] = score(human_judged, measures)
        return [
            mean_estimates(tag, measure, human[run, :, place], all_topics[run, :, place])
            for place, measure in enumerate(measures)
            for run, tag in enumerate(runs.tags)
        ]


@dataclass(frozen=True)
class _Worth:
    """What each pair adds to the score of each run, by grade: their sum is the score."""

    rank: Ints  # (runs, pairs), 0: not retrieved
    gain: Floats  # (grades, ranks + 1), the first for what is not retrieved
    grades: Sequence[int]
    topics: int

    @classmethod
    def from_runs(
        cls, runs: Runs, machine: Side, measure: Measure, grades: Sequence[int], pairs: Sequence[Pair]
    ) -> _Worth:
        """Of all runs by a measure."""
        judged = join_runs_and_qrels(runs, machine.qrels)
        place = {pair: number for number, pair in enumerate(pairs)}
        row = np.array([place[pair] for pair in machine.pairs], np.int64)
        rank = np.zeros((len(runs.tags), len(pairs)), np.int64)
        rank[judged.ranking // len(judged.qids), row[judged.qrels_row[judged.judgment]]] = judged.rank
        values = gains(measure, sorted(grades), int(rank.max(initial=1)))
        gain = np.hstack([np.zeros((len(values), 1)), values])
        return cls(rank, gain, sorted(grades), len(judged.qids))

    def values(self, run: int, grade: Ints | Floats) -> Floats:
        """What the pairs add with these grades."""
        return np.asarray(self.gain[self._place(grade), self.rank[run]] / self.topics)

    def ends(self, run: int) -> tuple[Floats, Floats]:
        """The least and the most that the pairs can add."""
        columns = self.gain[:, self.rank[run]] / self.topics
        return columns.min(axis=0), columns.max(axis=0)

    def alike(self, grade: Ints | Floats) -> Floats:
        """What pairs would add at the first rank."""
        return np.asarray(self.gain[self._place(grade), 1])

    def _place(self, grade: Ints | Floats) -> Ints:
        """The row of each grade, of any where there is none."""
        return np.searchsorted(self.grades, np.nan_to_num(grade, nan=self.grades[0]))


def score_of(run: str, measure: str, sums: Sums, tuning: float) -> EstimatedScore:
    """All three estimates of a sum."""
    estimates = (tuned_score(sums, tuning), sampled_score(sums, 0.0), sampled_score(sums, 1.0))
    return EstimatedScore(run, measure, float(sums.model.sum()), *estimates)


def mean_estimates(run: str, measure: Measure, human: Floats, model: Floats) -> EstimatedScore:
    """All three estimates of a mean over topics; NaN where people did not judge one."""
    topics, (least, most) = len(model), measure.range
    if isinf(least) or isinf(most):
        each = [estimate_mean(human, model, tuning=lam) for lam in (None, 0.0, 1.0)]
        if each[0].sampled < min(FEWEST, topics):
            each = [one._replace(value=nan) for one in each]
        estimates = (one._replace(low=nan, high=nan, why=f"{measure.name} has no upper bound") for one in each)
        return EstimatedScore(run, str(measure), float(model.mean()), *estimates)
    ends = (np.full(topics, least / topics), np.full(topics, most / topics))
    weight = np.full(topics, topics / max(int(np.count_nonzero(~np.isnan(human))), 1))
    sums = Sums(human / topics, model / topics, weight, ends)
    return score_of(run, str(measure), sums, estimate_mean(human, model).tuning)
