"""A model's labels in a store beside people's: how far they can be used in their place.

One audit for all kinds of labels: an AuditedKind compares labels of one kind, as a Comparison. The rest is the same.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.features.models.audited import Asked, Comparison, RepeatedLabels
from cranfield.features.models.extension import audited_kinds
from cranfield.features.models.panel import names_of_judge
from cranfield.features.models.usability import (
    ALPHA,
    ENOUGH,
    Ranking,
    RatingBias,
    Resampled,
    RunBias,
    Use,
    group_by_grade,
    honest_scores,
    mean_scores,
    order_of_runs,
    rating_bias,
    resample,
    run_bias,
    single_labels,
    verdict,
)
from cranfield.judging.agreement.agreement import Coefficient, Interval, LabelMatrix, overall_agreement
from cranfield.judging.labels.choice import is_at_chance, resolve_labellers
from cranfield.judging.labels.diff import SystemChanges, changes_of_scores, count_leaving_top
from cranfield.judging.labels.differences import NO_DIFFERENCES, LabelDifferences, differences_line
from cranfield.judging.labels.policies import find_policy as policy_named
from cranfield.selection import MODELS, LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import join_words, name_hint

COEFFICIENTS = ("raw agreement", "Cohen kappa", "Cohen kappa quadratic", "Krippendorff alpha ordinal")
QUADRATIC = "Cohen kappa quadratic"
CIRCULAR, RANKER = "circular", "other model"
DOCUMENTS = "documents"


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


@dataclass(frozen=True)
class ModelAudit:
    """What an audit finds, on what both the model and people labelled."""

    labels: str  # documents, nuggets, ...
    model: str
    human: str
    people: tuple[str, ...]  # whose labels the model's were compared with
    policy: str | None  # what decided where these differed
    topics: int
    items: int
    failed: int
    grades: Mapping[tuple[int, int], int]  # how often people's label and the model's were these
    agreement: Sequence[Coefficient]
    ceiling: Sequence[Coefficient]  # of people with each other; empty where nothing has two of their labels
    over: Sequence[RatingBias]
    runs: Sequence[BiasedRun]
    systems: SystemChanges | None
    uses: Sequence[Use]
    repeated: RepeatedLabels
    differences: LabelDifferences = NO_DIFFERENCES  # between the labels of these people

    @property
    def verdict(self) -> str:
        """What the labels can be used for, in a sentence."""
        return verdict(self.uses, self.kappa)

    @property
    def people_line(self) -> str:
        """Whose labels the model's are compared with, and by which policy, in a line."""
        line = f"compared with labels by {join_words(self.people)}"
        if self.differences.documents:
            return f"{line}; {differences_line(self.differences, self.policy)}"
        if self.policy:
            return f"{line}; policy: {self.policy}"
        return f"{line}; no label differs" if len(self.people) > 1 else line

    @property
    def kappa(self) -> Interval | None:
        """Quadratic kappa with people; None where nothing was compared."""
        return next((one.interval for one in self.agreement if one.coefficient == QUADRATIC), None)

    @property
    def at_chance(self) -> bool:
        """Whether the model agrees with people no better than chance."""
        return self.kappa is not None and is_at_chance(self.kappa)


def audit(
    store: Store,
    model: str,
    *,
    human: str | None = None,
    policy: str | None = None,
    measures: Asked = None,
    families: Mapping[str, str] | None = None,
    family: str | None = None,
    labels: str = DOCUMENTS,
    seed: int = 0,
) -> ModelAudit:
    """Compare the labels of a model with people's.

    Parameters
    ----------
    store : Store
        The open store.
    model : str
        The model or panel whose labels are audited.
    human : str, optional
        The person whose labels count. By default the choice that the store has on record, otherwise all people.
    policy : str, optional
        The policy that decides where labels of people differ.
    measures : measure, or iterable of measures, optional
        The measures of the runs.
    families : mapping of str to str, optional
        The family of models that each run uses.
    family : str, optional
        The family of the judge, next to its own name, its model's name and the names of a panel's judges.
    labels : str, default "documents"
        The kind of labels.
    seed : int, default 0
        Seed of the intervals.

    Returns
    -------
    ModelAudit
        What the labels can be used for, and the findings.

    Raises
    ------
    UndecidedError
        If labels of people differ and nothing was chosen.
    InputError
        If the kind of labels, the model or the person is unknown, or both a person and a policy are given.
    """
    kinds = audited_kinds()
    if labels not in kinds:
        raise InputError(f"labels of {labels!r} cannot be audited; expected one of {', '.join(kinds)}")
    chosen = _chosen_people(store, human, policy)
    of = kinds[labels].compare(store, model, chosen, measures)
    people, machine = of.matrix.grades.T
    agreement, ceiling = (
        overall_agreement(matrix, COEFFICIENTS, seed=seed) if matrix else [] for matrix in (of.matrix, of.ceiling)
    )
    scale, groups = of.matrix.scale, [*group_by_grade(people), *of.groups]
    over = rating_bias(machine, people, of.matrix.topic, iter(groups), (scale[0], scale[-1])) if of.ordered else []
    own = names_of_judge(store, model) | ({family} if family else set())
    families = families or {}
    if unknown := [tag for tag in families if tag not in of.tags]:
        hint = name_hint(unknown[0], of.tags)
        raise InputError(
            f"this audit contains no run {unknown[0]!r}, so the family {families[unknown[0]]!r} does not apply{hint}"
        )
    own_names = {name.casefold() for name in own}
    family_of_run = {tag: CIRCULAR if name.casefold() in own_names else RANKER for tag, name in families.items()}
    runs, (systems, steady) = biased_runs(of, family_of_run, seed), _systems_of(of, seed)
    return ModelAudit(
        labels,
        model,
        chosen.assessor or "people",
        people=tuple(of.people),
        differences=of.differences,
        policy=chosen.policy,
        topics=len(of.matrix.topics),
        items=len(people),
        failed=of.failures,
        grades=Counter(zip(people.astype(int).tolist(), machine.astype(int).tolist(), strict=True)),
        agreement=agreement,
        ceiling=ceiling,
        over=over,
        runs=runs,
        systems=systems,
        uses=_uses(agreement, ceiling, over, runs=runs, systems=systems, steady=steady, n_runs=len(of.tags)),
        repeated=of.repeats,
    )


def _chosen_people(store: Store, human: str | None, policy: str | None) -> Labellers:
    """The person or the policy of the command, otherwise those on record; a recorded model chooses no person."""
    if human is not None and policy is not None:
        raise InputError("--human and --policy cannot be used together: a person has only one label for each document")
    if human is not None and assessors(store).get(human) in MODELS:
        raise InputError(f"{human!r} is a model; name a person with --human")
    if policy is not None:
        policy_named(policy)
    if human is None and policy is None:
        return resolve_labellers(store, Labellers(kind=LabelledBy.people))
    return Labellers(human, LabelledBy.people, policy)


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


def two_who_share_most(matrix: LabelMatrix) -> LabelMatrix | None:
    """The labels of the two assessors who labelled most of the same; None where no two did."""
    overlaps = [
        (int(matrix.select_assessors(two).has_two_labels.sum()), two) for two in combinations(matrix.assessors, 2)
    ]
    most, two = max(overlaps, key=lambda one: one[0], default=(0, ()))
    return matrix.select_assessors(two) if most else None


def biased_runs(of: Comparison, families: Mapping[str, str] = MappingProxyType({}), seed: int = 0) -> list[BiasedRun]:
    """The bias of every run by every measure, the most favoured first; of a single run it is not known."""
    if len(of.tags) < 2 or not of.measures:
        return []
    people, machine = of.matrix.grades.T
    human_scores, by_model = of.score(people), of.score(machine)
    honest = honest_scores(of.score, machine, people, seed, tie=None if of.ordered else float(np.mean(of.matrix.scale)))
    runs = [
        BiasedRun(tag, str(measure), families.get(tag, ""), bias)
        for place, measure in enumerate(of.measures)
        for tag, bias in zip(
            of.tags, run_bias(by_model[..., place], human_scores[..., place], honest[..., place]), strict=True
        )
    ]
    return sorted(runs, key=lambda one: (-one.bias.own, one.run))


def _systems_of(of: Comparison, seed: int = 0) -> tuple[SystemChanges | None, Mapping[str, Resampled]]:
    """What happens to the system ranking on the topics on which all runs are scored by both, if there are any.

    And how steady tau is, by measure, where it is high enough.
    """
    if len(of.tags) < 2 or not of.measures:
        return None, {}
    human_scores, by_model = (of.score(labels) for labels in of.matrix.grades.T)
    is_labelled_twice = ~np.isnan(human_scores + by_model).any(axis=(0, 2))
    if not is_labelled_twice.any():
        return None, {}
    people, machine = (scores[:, is_labelled_twice] for scores in (human_scores, by_model))
    systems = changes_of_scores(of.tags, of.measures, people, machine)
    steady = {
        name: resample(people[..., at], machine[..., at], seed)
        for at, name in enumerate(map(str, of.measures))
        if systems.tau[name] >= ENOUGH
    }
    return systems, steady


def _uses(
    agreement: Sequence[Coefficient],
    ceiling: Sequence[Coefficient],
    over: Sequence[RatingBias],
    *,
    runs: Sequence[BiasedRun],
    systems: SystemChanges | None,
    steady: Mapping[str, Resampled],
    n_runs: int,
) -> list[Use]:
    kappa, people = ({one.coefficient: one.interval for one in coefficients} for coefficients in (agreement, ceiling))
    names = dict.fromkeys(one.measure for one in runs)
    rankings = [
        Ranking(name, *((systems.tau[name], systems.claims[name].reversed) if systems else (np.nan, 0)),
                [one.run for one in runs if one.measure == name and one.favoured],
                *([steady[name]] if name in steady else [])) for name in names
    ]  # fmt: skip
    uses = [
        order_of_runs(rankings, systems.topics if systems else 0, n_runs),
        *map(mean_scores, over[:1]),
        single_labels(kappa[QUADRATIC], people.get(QUADRATIC)),
    ]
    if not is_at_chance(kappa[QUADRATIC]):
        return uses
    return [
        one._replace(usable=False, why=f"the model's agreement with people is no better than chance; {one.why}")
        if one.usable
        else one
        for one in uses
    ]


def as_document(result: ModelAudit) -> dict[str, Any]:
    """The JSON."""
    return {
        "labels": result.labels,
        "model": result.model,
        "human": result.human,
        "labelled_by": {"assessors": list(result.people), "policy": result.policy, "line": result.people_line},
        "topics": result.topics,
        "items": result.items,
        "failed": result.failed,
        "verdict": result.verdict,
        "at_chance": result.at_chance,
        "uses": [one._asdict() for one in result.uses],
        "grades": [{"human": a, "model": b, "items": times} for (a, b), times in sorted(result.grades.items())],
        "agreement": [one.document() for one in result.agreement],
        "agreement_of_people": [one.document() for one in result.ceiling],
        "repeated": result.repeated._asdict(),
        "over_rating": [one._asdict() for one in result.over],
        "runs": [bias_row(one) for one in result.runs],
        "systems": [_systems(result.systems, name) for name in (result.systems.tau if result.systems else ())],
    }


def bias_row(one: BiasedRun) -> dict[str, Any]:
    """The bias of a run as a row."""
    return {"run": one.run, "measure": one.measure, "family": one.family or None, **one.bias._asdict()}


def _systems(systems: SystemChanges | None, name: str) -> dict[str, Any]:
    assert systems is not None
    changes = systems.changes_of_measure(name)
    return {
        "measure": name, "tau": systems.tau[name], "tau_ap": systems.tau_ap[name],
        "top_5_left": count_leaving_top(changes), "top_10_left": count_leaving_top(changes, 10),
        "claims": systems.claims[name]._asdict(),
    }  # fmt: skip
