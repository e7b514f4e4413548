"""A rehearsal: what judging a pool would cost and yield, with simulated assessors on judged data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.judging.adjudication.cases import best_runs
from cranfield.judging.agreement import grades_as_labels
from cranfield.judging.agreement.agreement import select_coefficients
from cranfield.judging.labels.policies import Policy
from cranfield.judging.planning.assign import check_overlap
from cranfield.metrics.correlation.coefficients import kendall_tau, tau_ap
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.leave_one_out import means


@dataclass(frozen=True, eq=False)
class SimulatedWork:
    """The documents of one assessor, in the order judged: the position of the true grade on the scale.

    `grades` is the number of grades, `shares` how often each is the true one in the whole collection.
    """

    truth: Ints
    grades: int
    shares: Floats

    @property
    def progress(self) -> Floats:
        """How much of the work is done when a document is judged: from 0 to nearly 1."""
        return np.arange(len(self.truth)) / max(len(self.truth), 1)


@dataclass(frozen=True)
class SimulatedAssessor:
    """A kind of assessor: `errs` gives the labels, `rate` is the error rate."""

    name: str
    about: str
    errs: Callable[[SimulatedWork, float, np.random.Generator], Ints]
    rate: float

    def judge(self, work: SimulatedWork, random: np.random.Generator) -> Ints:
        """The labels, as positions on the scale.

        >>> work = SimulatedWork(np.array([0, 1, 2]), 3, np.full(3, 1 / 3))
        >>> assessor_named("strict:1").judge(work, np.random.default_rng(0))
        array([0, 0, 1])
        >>> assessor_named("oracle").judge(work, np.random.default_rng(0))
        array([0, 1, 2])
        """
        return self.errs(work, self.rate, random)


def _draw_errors(work: SimulatedWork, rate: Floats | float, random: np.random.Generator) -> Mask:
    """The documents on which an error happens."""
    return np.asarray(random.random(len(work.truth)) < rate)


def _move_grades(work: SimulatedWork, where: Mask, step: Ints | int) -> Ints:
    return np.clip(work.truth + np.where(where, step, 0), 0, work.grades - 1)


def _strict(work: SimulatedWork, rate: float, random: np.random.Generator) -> Ints:
    return _move_grades(work, _draw_errors(work, rate, random), -1)


def _lenient(work: SimulatedWork, rate: float, random: np.random.Generator) -> Ints:
    return _move_grades(work, _draw_errors(work, rate, random), 1)


def _neighbouring_grade(work: SimulatedWork, where: Mask, random: np.random.Generator) -> Ints:
    """The next grade up or down where an error happens; at an end of the scale the only neighbour."""
    step = np.where(random.random(len(work.truth)) < 0.5, -1, 1)
    step = np.where(work.truth == 0, 1, np.where(work.truth == work.grades - 1, -1, step))
    return _move_grades(work, where, step)


def _oracle(work: SimulatedWork, rate: float, random: np.random.Generator) -> Ints:
    return _neighbouring_grade(work, _draw_errors(work, rate, random), random)


def _tire(work: SimulatedWork, rate: float, random: np.random.Generator) -> Ints:
    return _neighbouring_grade(work, _draw_errors(work, rate * work.progress, random), random)


def _random(work: SimulatedWork, rate: float, random: np.random.Generator) -> Ints:
    guess = random.choice(work.grades, size=len(work.truth), p=work.shares)
    return np.where(_draw_errors(work, rate, random), guess, work.truth)


SIMULATED: Mapping[str, SimulatedAssessor] = MappingProxyType(
    {
        it.name: it
        for it in (
            SimulatedAssessor(
                "oracle", "assigns the true grade or, at the given rate, a neighbouring grade", _oracle, 0.0
            ),
            SimulatedAssessor("strict", "lowers grades by one, at the given rate", _strict, 0.3),
            SimulatedAssessor("lenient", "raises grades by one, at the given rate", _lenient, 0.05),
            SimulatedAssessor(
                "tired",
                "makes the same errors as the oracle, at a rate that rises from 0 to the given rate",
                _tire,
                0.2,
            ),
            SimulatedAssessor(
                "random", "assigns random grades with the true frequencies, at the given rate", _random, 1.0
            ),
        )
    }
)


def assessor_named(name: str) -> SimulatedAssessor:
    """The assessor with this name, optionally with a rate: strict, strict:0.5.

    >>> assessor_named("tired:0.5").rate, assessor_named("random").rate
    (0.5, 1.0)
    >>> assessor_named("strict:often")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'strict:often'; expected a rate from 0 to 1 after the colon
    >>> assessor_named("lazy")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'lazy' is not a simulated assessor; expected one of oracle, strict, lenient, tired,
    random
    """
    kind, colon, rate = name.partition(":")
    if kind not in SIMULATED:
        raise InputError(f"{kind!r} is not a simulated assessor; expected one of {', '.join(SIMULATED)}")
    if not colon:
        return SIMULATED[kind]
    try:
        number = float(rate)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise InputError(f"{name!r}; expected a rate from 0 to 1 after the colon")
    return replace(SIMULATED[kind], name=name, rate=number)


Generator = np.random.Generator


@dataclass(frozen=True)
class RehearsalSetting:
    """What is rehearsed: who judges, the share that all of them judge, how long a judgment takes."""

    assessors: Sequence[SimulatedAssessor]
    overlap: float = 0.1
    seconds: float = 80.0
    min_relevant: int = 1


@dataclass(frozen=True)
class RehearsalPlan:
    """What it costs. `unknown` documents of the pool have no true grade: they cost time, but cannot be simulated."""

    topics: int
    documents: int
    unknown: int
    twice: int  # judged by all
    assessors: int
    seconds: float

    @property
    def judgments(self) -> int:
        """The number of labels given."""
        return self.documents + self.unknown + self.twice * (self.assessors - 1)

    @property
    def hours(self) -> float:
        """The hours that takes, all assessors together."""
        return self.judgments * self.seconds / 3600


@dataclass(frozen=True)
class Rehearsal:
    """The results: agreement by coefficient; and by policy, measure and finding, over the repetitions."""

    plan: RehearsalPlan
    agreement: dict[str, list[float]]
    systems: dict[tuple[str, str], list[dict[str, float]]]


def rehearse(
    judged: Judged,
    setting: RehearsalSetting,
    policies: Sequence[Policy],
    measures: Sequence[Measure],
    *,
    unknown: int = 0,
    repeats: int = 10,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Rehearsal:
    """Simulate all judgments; the grades of `judged` are taken as the truth."""
    if not len(judged.qrels_grade):
        raise InputError("the pool has no judged document; expected at least one")
    check_overlap(setting.overlap)
    if not (setting.assessors and policies):
        raise InputError(
            f"no {'policy' if setting.assessors else 'simulated assessor'} is given; expected at least one"
        )
    scale = np.unique([*judged.qrels_grade, 0, setting.min_relevant])
    agreement: dict[str, list[float]] = {}
    systems: dict[tuple[str, str], list[dict[str, float]]] = {}
    truth = means(score(judged, measures), measures)
    for generator in np.random.default_rng(seed).spawn(repeats):
        labels, first, everybody = simulate_labels(judged, setting, scale, generator)
        for coefficient in select_coefficients(None, labels[everybody].shape[1]):
            matrix = grades_as_labels(labels[everybody], scale.tolist(), setting.min_relevant)
            value = coefficient.value(coefficient.tally(matrix).sum(axis=0), matrix.scale)
            agreement.setdefault(coefficient.name, []).append(float(value))
        for policy in policies:
            graded = replace_grades(judged, decide(policy, labels, first, scale))
            estimate = means(score(graded, measures), measures)
            for place, measure in enumerate(measures):
                about = compare(truth[:, place], estimate[:, place], judged.tags)
                systems.setdefault((policy.name, str(measure)), []).append(about)
        if progress:
            progress(1)
    plan = RehearsalPlan(
        len(np.unique(judged.qrels_topic)), len(judged.qrels_grade), unknown, twice=_n_judged_by_all(judged, setting),
        assessors=len(setting.assessors), seconds=setting.seconds,
    )  # fmt: skip
    return Rehearsal(plan, agreement, systems)


def _n_judged_by_all(judged: Judged, setting: RehearsalSetting) -> int:
    return round(setting.overlap * len(judged.qrels_grade)) if len(setting.assessors) > 1 else 0


def simulate_labels(
    judged: Judged, setting: RehearsalSetting, scale: Ints, random: Generator
) -> tuple[Floats, Ints, Mask]:
    """The labels (documents, assessors), NaN where there is none; each document's first assessor; which all judged."""
    documents, assessors = len(judged.qrels_grade), len(setting.assessors)
    truth = np.searchsorted(scale, judged.qrels_grade)
    shares = np.bincount(truth, minlength=len(scale)) / documents
    turn = random.permutation(len(judged.qids)) % assessors
    first = turn[judged.qrels_topic]
    everybody = np.zeros(documents, bool)
    everybody[random.choice(documents, _n_judged_by_all(judged, setting), replace=False)] = True
    labels = np.full((documents, assessors), np.nan)
    for column, assessor in enumerate(setting.assessors):
        own = np.flatnonzero((first == column) | everybody)
        own = own[np.lexsort((random.random(len(own)), judged.qrels_topic[own]))]
        work = SimulatedWork(truth[own], len(scale), shares)
        labels[own, column] = scale[assessor.judge(work, random)]
    return labels, first, everybody


def decide(policy: Policy, labels: Floats, first: Ints, scale: Ints) -> Ints:
    """The grade of each document under a policy; every document has a label.

    >>> from cranfield.judging.labels.policies import find_policy
    >>> labels, first = np.array([[0, 1], [np.nan, 1]]), np.array([1, 1])
    >>> decide(find_policy("primary"), labels, first, [0, 1]), decide(find_policy("min"), labels, first, [0, 1])
    (array([1, 1]), array([0, 1]))
    """
    documents, assessors = labels.shape
    columns = (first[:, None] + np.arange(assessors)) % assessors
    rotated_labels = labels[np.arange(documents)[:, None], columns]
    kinds, kind = np.unique(np.nan_to_num(rotated_labels, nan=np.inf), axis=0, return_inverse=True)
    steps = [int(grade) for grade in scale]
    grades = [policy.grade([int(grade) for grade in row if np.isfinite(grade)], steps) for row in kinds]
    return np.array([-1 if grade is None else grade for grade in grades], np.int64)[kind.ravel()]


def replace_grades(judged: Judged, grades: Ints) -> Judged:
    """The same judged positions with other grades, one for each judgment.

    >>> from cranfield.metrics.examples import example
    >>> replace_grades(example([0, 1]), np.array([1, 0])).grade
    array([1, 0])
    """
    return replace(judged, qrels_grade=grades, grade=grades[judged.judgment])


def compare(truth: Floats, estimate: Floats, tags: Sequence[str], top: int = 5) -> dict[str, float]:
    """How the system ranking changes."""
    before, after = best_runs(truth, tags, top), best_runs(estimate, tags, top)
    return {
        "tau": kendall_tau(truth, estimate),
        "tau_ap": tau_ap(truth, estimate),
        "max_change": float(np.max(np.abs(estimate - truth))),
        "top_left": float(len(set(before) - set(after))),
        "best_lost": float(before[:1] != after[:1]),
    }


def mean_and_range(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, lowest and highest of the defined values; NaN where there are none.

    >>> mean_and_range([1.0, float("nan"), 3.0])
    (2.0, 1.0, 3.0)
    """
    finite = [value for value in values if not np.isnan(value)]
    return (float(np.mean(finite)), min(finite), max(finite)) if finite else (np.nan, np.nan, np.nan)


def as_document(rehearsal: Rehearsal, setting: RehearsalSetting) -> dict[str, Any]:
    """Everything, as JSON."""
    plan = {**rehearsal.plan.__dict__, "judgments": rehearsal.plan.judgments, "hours": rehearsal.plan.hours}
    names = ("mean", "low", "high")
    systems = [
        {"policy": name, "measure": measure, **_mean_results(several)}
        for (name, measure), several in rehearsal.systems.items()
    ]
    agreement = [
        {"coefficient": name, **dict(zip(names, mean_and_range(values), strict=True))}
        for name, values in rehearsal.agreement.items()
    ]
    assessors = [{"kind": it.name, "rate": it.rate} for it in setting.assessors]
    document = {"plan": {**plan, "overlap": setting.overlap}, "simulated": assessors}
    return {**document, "agreement": agreement, "systems": systems}


def _mean_results(several: Sequence[dict[str, float]]) -> dict[str, float]:
    """Means over the repetitions, with the worst tau and the largest change of a score."""
    means = {name: mean_and_range([one[name] for one in several]) for name in several[0]}
    return {
        "tau": means["tau"][0], "tau_min": means["tau"][1], "tau_ap": means["tau_ap"][0],
        "max_change": means["max_change"][2], "top_5_left": means["top_left"][0], "best_lost": means["best_lost"][0],
    }  # fmt: skip
