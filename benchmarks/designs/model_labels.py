"""Intervals of `model audit estimate`: from a sample of what a model labelled, of single documents or of topics."""

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.models.analysis.estimate import mean_estimates as of_topics_by
from cranfield.features.models.corrected import PoweredEstimate, Sums, estimate_mean, gains, sampled_score, tuned_score
from cranfield.judging.adjudication.sample import allocate_draws
from cranfield.metrics.notation import parse

TOPICS, DOCUMENTS, GRADES = 25, 160, [0, 1, 2, 3]
RELEVANT, TUNINGS = "relevant", {"": None, ", people alone": 0.0, ", tuning 1": 1.0}
MODELS = {"a good model": 0.7, "a poor one": 3.0}  # the noise of its grades


class Labels(NamedTuple):
    """The grades of every document by people and by a model, and its rank in a run that the model favours."""

    human: Ints
    model: Ints
    rank: Ints


@cache
def labels(noise: float) -> Labels:
    """As many are relevant as in pools: one of four has a grade of 2 or 3."""
    random = np.random.default_rng(7)
    worth = random.normal(0, 1, (TOPICS, DOCUMENTS)) + random.normal(0, 0.5, (TOPICS, 1))
    worth_to_model = worth + random.normal(0, noise, worth.shape)
    human, model = (np.searchsorted(np.quantile(of, [0.45, 0.75, 0.9]), of) for of in (worth, worth_to_model))
    order = np.argsort(-(worth + worth_to_model / (1 + noise) + random.normal(0, 3, worth.shape)), axis=1)
    rank = np.argsort(order, axis=1) + 1
    return Labels(human.ravel(), model.ravel(), rank.ravel())


def of_documents(random: Random, measure: str, size: int, noise: float, tuning: float | None) -> bool | None:
    """A sample of documents within the model's grades."""
    of, number = labels(noise), np.bincount(labels(noise).model, minlength=len(GRADES))
    sizes = np.array(allocate_draws(number.tolist(), size))
    in_sample = np.zeros(len(of.human), bool)
    for grade in GRADES:
        in_sample[random.choice(np.flatnonzero(of.model == grade), sizes[grade], replace=False)] = True
    gain = gains_of(measure, int(of.rank.max())) / (len(in_sample) if measure == RELEVANT else TOPICS)
    human, model, all_grades = gain[of.human, of.rank - 1], gain[of.model, of.rank - 1], gain[:, of.rank - 1]
    weight = (number / sizes)[of.model]
    first = [np.where(in_sample, gain[of.human, 0], np.nan), gain[of.model, 0]]
    best = estimate_mean(first[0], first[1], of.model).tuning
    ends = (all_grades.min(axis=0), all_grades.max(axis=0))
    score = score_by(Sums(np.where(in_sample, human, np.nan), model, weight, ends), best, tuning)
    return holds(score.low, score.high, float(human.sum()))


def score_by(sums: Sums, best: float, tuning: float | None) -> PoweredEstimate:
    """The score with this tuning or, with None, as the command prints it with the best one."""
    return tuned_score(sums, best) if tuning is None else sampled_score(sums, tuning)


@cache
def gains_of(measure: str, ranks: int) -> Floats:
    """What a document of each grade adds at each rank."""
    if measure == RELEVANT:
        return np.repeat([[0.0], [0.0], [1.0], [1.0]], ranks, axis=1)
    return gains(parse(measure), GRADES, ranks)


def draw_sample(random: Random, scores: Floats, size: int) -> Floats:
    """The scores of so many of the topics; NaN elsewhere."""
    sample = np.full(len(scores), np.nan)
    topics = random.choice(len(scores), size, replace=False)
    sample[topics] = scores[topics]
    return sample


def of_topics(random: Random, size: int, skewed: bool, tuning: float | None) -> bool | None:
    """A sample of topics, of scores as of AP, or of which many are 0 or 1."""
    human = random.beta(*((0.3, 0.5) if skewed else (2.0, 3.0)), 50)
    model = np.clip(human + random.normal(0.05, 0.15, 50), 0, 1)
    sample = draw_sample(random, human, size)
    best = estimate_mean(sample, model).tuning
    ends = (np.zeros(50), np.full(50, 1 / 50))
    score = score_by(Sums(sample / 50, model / 50, np.full(50, 50 / size), ends), best, tuning)
    return holds(score.low, score.high, float(human.mean()))


class Shares(NamedTuple):
    """A measure that is a share of what an answer has so many of; whether some of it counts in part."""

    of: str
    measure: str
    number: int
    what: str
    parts: bool = True


SHARES = (
    Shares("nuggets", "V_strict", 2, "vital nuggets", parts=False),
    Shares("nuggets", "V_strict", 8, "vital nuggets", parts=False),
    Shares("nuggets", "A", 12, "nuggets"),
    Shares("support", "SupportP", 3, "cited sentences"),
    Shares("support", "SupportR", 8, "sentences"),
    Shares("claims", "Faithful", 5, "statements", parts=False),
)


@cache
def answers(share: Shares) -> tuple[Floats, Floats]:
    """Scores of the answers of a run to 50 topics by people and by a model that is right in 80 %, and is generous."""
    random = np.random.default_rng(share.number)
    people = random.random((50, share.number)) < random.beta(2, 3, (50, 1))
    model = np.where(random.random(people.shape) < 0.8, people, ~people) | (random.random(people.shape) < 0.2)
    whole = np.where(random.random((2, *people.shape)) < 0.3, 0.5, 1.0) if share.parts else np.ones((2, *people.shape))
    return (people * whole[0]).mean(axis=1), (model * whole[1]).mean(axis=1)


def of_answers(random: Random, size: int, share: Shares) -> bool | None:
    """A sample of topics, whose answers a person labels."""
    human, model = answers(share)
    sample = draw_sample(random, human, size)
    score = of_topics_by("run", parse(share.measure), sample, model).estimate
    return holds(score.low, score.high, float(human.mean()))


@cache
def win_rates(runs: int) -> tuple[Floats, Floats]:
    """How often a run wins on 50 topics by people, and by a judge that is right in 80 % and often sees a tie."""
    random = np.random.default_rng(100 + runs)
    people = (random.random((50, runs - 1)) < random.beta(2, 2, (50, 1))) + 0.0
    people = np.where(random.random(people.shape) < 0.1, 0.5, people)
    model = np.where(random.random(people.shape) < 0.8, people, 1 - people)
    return people.mean(axis=1), np.where(random.random(people.shape) < 0.2, 0.5, model).mean(axis=1)


def of_comparisons(random: Random, size: int, runs: int) -> bool | None:
    """A sample of topics, whose answers a person compares in both orders."""
    human, model = win_rates(runs)
    sample = draw_sample(random, human, size)
    score = of_topics_by("run", parse("WinRate"), sample, model).estimate
    return holds(score.low, score.high, float(human.mean()))


def documents(measure: str, size: int, model: str, suffix: str) -> Design:
    """A row of a sample of documents."""
    draw = partial(of_documents, measure=measure, size=size, noise=MODELS[model], tuning=TUNINGS[suffix])
    return Design("model audit estimate", f"{measure}, {size} labels, {model}{suffix}", draw)


def topics(size: int, skewed: bool, suffix: str) -> Design:
    """A row of a sample of topics."""
    draw = partial(of_topics, size=size, skewed=skewed, tuning=TUNINGS[suffix])
    of = "many of 0 or 1" if skewed else "as of AP"
    return Design("model audit estimate --unit topic", f"{size} of 50 topics, scores {of}{suffix}", draw)


ROWS = [
    *(documents(measure, size, model, "") for measure in ("P@10", "P@5", "RBP", "DCG@10", RELEVANT)
      for size in (100, 200, 1000) for model in MODELS),
    *(documents("P@10", 200, model, suffix) for model in MODELS for suffix in TUNINGS if suffix),
    *(documents("P@10", 40, model, "") for model in MODELS),
    *(topics(size, skewed, suffix) for size in (5, 20) for skewed in (False, True) for suffix in TUNINGS),
    *(Design(f"model audit estimate --of {one.of}", f"{one.measure}, {size} of 50 topics, {one.number} {one.what}",
             partial(of_answers, size=size, share=one)) for one in SHARES for size in (5, 10, 20)),
    *(Design("model audit estimate --of comparisons", f"WinRate, {size} of 50 topics, {runs} runs",
             partial(of_comparisons, size=size, runs=runs)) for size in (5, 10, 20) for runs in (2, 3, 8)),
]  # fmt: skip
