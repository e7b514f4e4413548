"""`python -m benchmarks.favourites`: whom `model audit report` names, of judges with and without a favourite.

Of each draw: runs whose answers to some topics have as many nuggets; people's labels; and a judge who is right in
80 %, but of one run, the worst, says always yes. Printed is in how many of 100 draws the favourite is named, and in how
many of a judge without one any run is. CONDITIONS are the shapes; the first is that of the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.features.models.usability import ALPHA, honest_scores, run_bias

RIGHT = 0.8


class Condition(NamedTuple):
    """How much there is to see."""

    runs: int
    topics: int
    nuggets: int


CONDITIONS = (Condition(3, 20, 5), Condition(3, 10, 5), Condition(8, 20, 5), Condition(8, 50, 10), Condition(30, 50, 5))


def named(of: Condition, favourite: bool, seed: int) -> list[int]:
    """The runs that are found to be favoured; 0 is the favourite, if the judge has one, and by people the worst."""
    random = np.random.default_rng(seed)
    quality = np.linspace(0.3, 0.8, of.runs)[:, None, None] + random.normal(0, 0.15, (1, of.topics, 1))
    people = (random.random((of.runs, of.topics, of.nuggets)) < quality).astype(float)
    model = np.where(random.random(people.shape) < RIGHT, people, 1 - people)
    model[: int(favourite)] = 1

    def score(labels: Floats) -> Floats:
        return np.asarray(labels.reshape(people.shape).mean(axis=2)[..., None])

    honest = honest_scores(score, model.ravel(), people.ravel(), seed)
    found = run_bias(score(model)[..., 0], score(people)[..., 0], honest[..., 0])
    return [run for run, one in enumerate(found) if one.own > 0 and one.p < ALPHA]


def times(of: Condition, draws: int) -> tuple[int, int]:
    """In how many draws the favourite and nobody else is named, and anybody without a favourite."""
    right = sum(named(of, True, seed) == [0] for seed in range(draws))
    return right, sum(bool(named(of, False, seed)) for seed in range(draws))


def main(draws: int = 100) -> None:
    """Print a line for each condition."""
    for of in CONDITIONS:
        right, wrong = times(of, draws)
        print(f"{of.runs} runs, {of.topics} topics, {of.nuggets} nuggets: named {right} of {draws}, honest {wrong}")


if __name__ == "__main__":
    main()
