"""A model's labels in a store beside people's: how far they can be used in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Floats, Qrels, Runs
from cranfield.errors import InputError
from cranfield.features.models.analysis.estimate import model_labels
from cranfield.features.models.usability import (
    ALPHA,
    OverRating,
    Ranking,
    RunBias,
    Use,
    by_grade,
    by_length,
    by_rank,
    mean_scores,
    order_of_runs,
    over_rating,
    run_bias,
    single_labels,
    verdict,
)
from cranfield.judging.agreement.agreement import Coefficient, matrix_of_qrels, overall
from cranfield.judging.labels.diff import (
    LabelChanges,
    Side,
    SystemChanges,
    in_common,
    label_changes,
    on_common_topics,
    side,
    system_changes,
    top_left,
)
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse_all
from cranfield.store.chain import Event
from cranfield.store.corpus import listed_of
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors, events
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store

COEFFICIENTS = ("raw agreement", "Cohen kappa", "Cohen kappa quadratic", "Krippendorff alpha ordinal")
QUADRATIC = "Cohen kappa quadratic"
CIRCULAR, RANKER = "circular", "other model"


class BiasedRun(NamedTuple):
    """The bias of a run by one measure, and whether the run is of a model's family itself."""

    run: str
    measure: str
    family: str  # "circular": that of the judge; "other model": another one's; else empty
    bias: RunBias

    @property
    def favoured(self) -> bool:
        """Whether its scores are too high by more than those of other runs, beyond chance."""
        return self.bias.own > 0 and self.bias.p < ALPHA


class RepeatedLabels(NamedTuple):
    """How many documents the model labelled more than once, and how many of those got another grade the last time."""

    documents: int
    changed: int


@dataclass(frozen=True)
class ModelAudit:
    """What an audit finds, on the documents that both the model and people labelled."""

    model: str
    human: str
    topics: int
    labels: LabelChanges
    agreement: Sequence[Coefficient]
    ceiling: Sequence[Coefficient]  # of people with each other; empty where no document has two of their labels
    over: Sequence[OverRating]
    runs: Sequence[BiasedRun]
    systems: SystemChanges | None
    uses: Sequence[Use]
    repeated: RepeatedLabels

    @property
    def verdict(self) -> str:
        """What the labels can be used for, in a sentence."""
        return verdict(self.uses)


DRAW = "; `cranfield model audit draw` draws documents for a person to judge"


def audit(
    store: Store,
    model: str,
    *,
    human: str | None = None,
    measures: MeasureLike | Iterable[MeasureLike] = "AP",
    families: Mapping[str, str] | None = None,
    family: str | None = None,
    seed: int = 0,
) -> ModelAudit:
    """Compare the labels of a model with those of a person, or of all people by the primary policy.

    `families` says of runs which family of models they are of, `family` of which the judge is (its own name if not
    given).
    """
    model_labels(store, model)
    people, machine = in_common(_people(store, human), side(store, f"assessor:{model}"), DRAW)
    matrix = matrix_of_qrels(
        {"people": people.qrels, "model": machine.qrels},
        tuple(store.collection.grades), store.collection.min_relevant,
    )  # fmt: skip
    agreement, ceiling = overall(matrix, COEFFICIENTS, seed=seed), _ceiling(store, seed)
    runs, parsed = stored_runs(store), parse_all(measures, store.collection.min_relevant)
    over = _over(store, runs, people, machine)
    biased = _biased(
        runs,
        people.qrels,
        machine.qrels,
        measures=parsed,
        families=_families(runs, families, family or model),
        seed=seed,
    )
    systems = system_changes(runs, people.qrels, machine.qrels, parsed) if len(runs.tags) > 1 else None
    uses = _uses(agreement, ceiling, over, runs=biased, systems=systems, topics=len(matrix.topics))
    labels = label_changes(people, machine)
    found = (labels, agreement, ceiling, over, biased, systems, uses)
    return ModelAudit(model, human or "people", len(matrix.topics), *found, repeated_labels(events(store, model)))


def repeated_labels(log: Iterable[Event]) -> RepeatedLabels:
    """The labels given more than once: the last one beside that before it. What failed before is no label.

    >>> log = [Event("label", "q", docno, "qwen", grade=grade) for docno, grade in (("a", 1), ("b", 0), ("a", 0))]
    >>> repeated_labels(log)
    RepeatedLabels(documents=1, changed=1)
    """
    grades: dict[tuple[str, str], list[int | None]] = {}
    for event in log:
        if event.kind in ("label", "import"):
            grades.setdefault((event.qid, event.docno), []).append(event.grade)
    twice = [several for several in grades.values() if len(several) > 1]
    return RepeatedLabels(len(twice), sum(several[-1] != several[-2] for several in twice))


def _people(store: Store, human: str | None) -> Side:
    if human is None:
        return side(store, f"labels:{LabelledBy.people}")
    if assessors(store).get(human) == "model":
        raise InputError(f"{human!r} is a model, too; --human names a person")
    return side(store, f"assessor:{human}")


def _ceiling(store: Store, seed: int) -> list[Coefficient]:
    """How far people agree with each other; of the two who share most documents, where there are more."""
    matrix = matrix_of_store(store, whose=LabelledBy.people)
    pairs = [(a, b) for at, a in enumerate(matrix.assessors) for b in matrix.assessors[at + 1 :]]
    shared = [(int(matrix.between(two).both.sum()), two) for two in pairs]
    most, two = max(shared, key=lambda one: one[0], default=(0, ()))
    return overall(matrix.between(two), COEFFICIENTS, seed=seed) if most else []


def _over(store: Store, runs: Runs, people: Side, machine: Side) -> list[OverRating]:
    grades = people.labels
    pairs, other = list(grades), machine.labels
    human = np.array([grades[pair] for pair in pairs], float)
    model = np.array([other[pair] for pair in pairs], float)
    known = listed_of(store, [docno for _, docno in pairs])
    found = [known[docno].length if docno in known else None for _, docno in pairs]
    groups = [*by_grade(human), *by_length(np.array([length or np.nan for length in found], float))]
    if runs.tags:
        groups += by_rank(_best_ranks(runs, people.qrels, pairs))
    return over_rating(model, human, [qid for qid, _ in pairs], iter(groups), _scale(store))


def _scale(store: Store) -> tuple[float, float]:
    """The lowest and the highest grade."""
    return min(store.collection.grades), max(store.collection.grades)


def _best_ranks(runs: Runs, qrels: Qrels, pairs: Sequence[tuple[str, str]]) -> Floats:
    """By pair: the best rank at which a run has it; NaN where none has."""
    judged = judge(runs, qrels)
    best = np.full(len(qrels), np.nan)
    np.fmin.at(best, judged.qrels_row[judged.judgment], judged.rank)
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    rank = dict(zip(names, best.tolist(), strict=True))
    return np.array([rank[pair] for pair in pairs])


def _families(runs: Runs, families: Mapping[str, str] | None, own: str) -> dict[str, str]:
    unknown = [tag for tag in families or {} if tag not in runs.tags]
    if unknown:
        raise InputError(f"there is no run {unknown[0]!r} whose family could be {(families or {})[unknown[0]]!r}")
    return {tag: CIRCULAR if family == own else RANKER for tag, family in (families or {}).items()}


def _biased(
    runs: Runs, people: Qrels, machine: Qrels, *, measures: Sequence[Measure], families: Mapping[str, str], seed: int
) -> list[BiasedRun]:
    """The bias of every run by every measure, the most favoured first."""
    if len(runs.tags) < 2:
        return []
    both = on_common_topics(judge(runs, people), judge(runs, machine))
    by_people, by_model = (score(one, measures) for one in both)
    found = [
        BiasedRun(tag, str(measure), families.get(tag, ""), bias)
        for place, measure in enumerate(measures)
        for tag, bias in zip(runs.tags, run_bias(by_model[..., place], by_people[..., place], seed), strict=True)
    ]
    return sorted(found, key=lambda one: (-one.bias.own, one.run))


def _uses(
    agreement: Sequence[Coefficient],
    ceiling: Sequence[Coefficient],
    over: Sequence[OverRating],
    *,
    runs: Sequence[BiasedRun],
    systems: SystemChanges | None,
    topics: int,
) -> list[Use]:
    kappa, people = ({one.coefficient: one.interval for one in found} for found in (agreement, ceiling))
    rankings = [
        Ranking(name, systems.tau[name], systems.claims[name].reversed, _favoured(runs, name))
        for name in (systems.tau if systems else ())
        if systems
    ]
    return [
        order_of_runs(rankings, topics),
        mean_scores(over[0]),
        single_labels(kappa[QUADRATIC], people.get(QUADRATIC)),
    ]


def _favoured(runs: Sequence[BiasedRun], measure: str) -> list[str]:
    return [one.run for one in runs if one.measure == measure and one.favoured]


def as_document(found: ModelAudit) -> dict[str, Any]:
    """The JSON."""
    return {
        "model": found.model,
        "human": found.human,
        "topics": found.topics,
        "verdict": found.verdict,
        "uses": [one._asdict() for one in found.uses],
        "grades": [{"human": a, "model": b, "labels": times} for (a, b), times in found.labels.grades.items()],
        "agreement": [one.document() for one in found.agreement],
        "agreement_of_people": [one.document() for one in found.ceiling],
        "repeated": found.repeated._asdict(),
        "over_rating": [one._asdict() for one in found.over],
        "runs": [bias_row(one) for one in found.runs],
        "systems": [_systems(found.systems, name) for name in (found.systems.tau if found.systems else ())],
    }


def bias_row(one: BiasedRun) -> dict[str, Any]:
    """The bias of a run as a row."""
    return {"run": one.run, "measure": one.measure, "family": one.family or None, **one.bias._asdict()}


def _systems(systems: SystemChanges | None, name: str) -> dict[str, Any]:
    assert systems is not None
    changes = systems.of(name)
    return {
        "measure": name, "tau": systems.tau[name], "tau_ap": systems.tau_ap[name],
        "top_5_left": top_left(changes), "top_10_left": top_left(changes, 10), "claims": systems.claims[name]._asdict(),
    }  # fmt: skip
