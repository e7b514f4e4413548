"""Intervals about assessors: how far they agree, what adjudication says of them, and how long the rest takes."""

from functools import cache, partial

import numpy as np
from scipy.special import expit

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats, Ints
from cranfield.judging.adjudication.sample import allocate_draws, estimate_double_sample
from cranfield.judging.agreement import AGREEMENTS, grades_as_labels, interval
from cranfield.judging.session.pace import LabelTime, forecast_time_left

GRADES = [0, 1, 2]


def labels(random: Random, topics: int, documents: int, alike: float, relevant: float) -> tuple[Floats, Ints]:
    """Grades by two assessors; topics differ in how many documents they have, how many are relevant, how hard they are.

    An assessor gives the grade that a document has, or, the oftener the harder the topic, any of the topic's grades.
    """
    size = 2 + random.poisson(documents - 2, topics)
    topic = np.repeat(np.arange(topics), size)
    sure = expit(random.normal(alike, 1.0, topics))[topic]
    rich = expit(random.normal(relevant, 1.0, topics))[topic]
    truth, *guesses = (random.binomial(2, rich) for _ in range(3))
    return np.stack([np.where(random.random(len(topic)) < sure, truth, guess) for guess in guesses], axis=1), topic


@cache
def true_agreement(coefficient: str, documents: int, alike: float, relevant: float) -> float:
    """Of all topics there could be."""
    grades, _ = labels(np.random.default_rng(0), 40_000, documents, alike, relevant)
    of, all_labels = AGREEMENTS[coefficient], grades_as_labels(grades, GRADES)
    return float(of.value(of.tally(all_labels).sum(axis=0), all_labels.scale))


def agreement(
    random: Random, coefficient: str, topics: int, *, documents: int, alike: float, relevant: float
) -> bool | None:
    """A coefficient over all topics."""
    grades, topic = labels(random, topics, documents, alike, relevant)
    ends = interval(AGREEMENTS[coefficient], grades_as_labels(grades, GRADES), topic)
    return holds(ends.low, ends.high, true_agreement(coefficient, documents, alike, relevant))


RIGHT, SURE = (0.05, 0.5, 0.9), (0.005, 0.4, 0.99)  # the share of relevant documents in each stratum


def adjudication(
    random: Random, documents: int, size: int, relevant: tuple[float, float, float], pool: int
) -> bool | None:
    """The share of relevant documents, of those that two people judged or, as they are a sample, of the whole pool."""
    strata = random.choice(3, pool, p=[0.6, 0.2, 0.2])
    answer = (random.random(pool) < np.array(relevant)[strata]).astype(float)
    answer[random.random(pool) < 0.03] = np.nan  # cannot be judged
    several, sample = strata[:documents], np.zeros(documents, bool)
    for stratum, number in enumerate(allocate_draws(np.bincount(several, minlength=3).tolist(), size)):
        sample[random.permutation(np.flatnonzero(several == stratum))[:number]] = True
    estimate = estimate_double_sample(answer[:documents], sample, several, 1 / documents - 1 / pool)
    return holds(estimate.low, estimate.high, float(np.nanmean(answer)))


def time_left(random: Random, labels: int, documents: int, spread: float) -> bool | None:
    """How long the rest takes: ten seconds and some for the length, times what a document takes more or less."""
    length = random.lognormal(6, 0.5, labels + documents)
    seconds = (10 + length / 50) * random.lognormal(-(spread**2) / 2, spread, len(length))
    times = [
        LabelTime(*both) for both in zip(seconds[:labels].tolist(), length[:labels].astype(int).tolist(), strict=True)
    ]
    rest = forecast_time_left(times, documents, float(length[labels:].mean()))
    return None if rest is None else holds(rest.low, rest.high, float(seconds[labels:].sum()))


KINDS = (("usual", 20, 1.5, -1.0), ("few relevant", 10, 2.0, -3.0), ("hardly alike", 20, -1.0, -1.0))

ROWS = (
    [
        Design(
            "agreement",
            f"{coefficient}, {topics} topics, {kind}",
            partial(
                agreement, coefficient=coefficient, topics=topics, documents=documents, alike=alike, relevant=relevant
            ),
        )
        for coefficient in AGREEMENTS
        for topics, kinds in ((10, KINDS), (30, KINDS[:1]))
        for kind, documents, alike, relevant in kinds
    ]
    + [
        Design(
            "adjudicate",
            f"{size} of {documents} documents" + f" of a pool of {pool:,}" * (pool > documents) + f", {kind}",
            partial(adjudication, documents=documents, size=size, relevant=relevant, pool=pool),
        )
        for kind, relevant in (("labels often wrong", RIGHT), ("hardly ever", SURE))
        for size, documents, pool in ((1, 10, 10), (6, 200, 200), (60, 200, 200), (60, 200, 2000))
    ]
    + [
        Design(
            "progress",
            f"time left, {labels} labels, {documents} document{'s' * (documents > 1)} to go, {kind}",
            partial(time_left, labels=labels, documents=documents, spread=spread),
        )
        for labels in (10, 50)
        for documents in (1, 20, 200)
        for kind, spread in (("even times", 0.3), ("skewed times", 0.8))
    ]
)
