"""Bounds of a score whatever the unjudged documents are: no intervals, and so they hold always."""

from functools import partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.metrics.diagnosis.bounds import mean_bounds
from cranfield.metrics.examples import example
from cranfield.metrics.notation import parse


def bounds(random: Random, measure: str, retrieved: int, unjudged: float) -> bool | None:
    """Of a run on one topic, with any labels of what it has unjudged."""
    truth = random.choice([0, 1, 2], retrieved, p=[0.6, 0.3, 0.1]).tolist()
    grades = [
        None if missing else grade for grade, missing in zip(truth, random.random(retrieved) < unjudged, strict=True)
    ]
    unretrieved = [2, *random.choice([0, 1, 2], 3).tolist()]
    low, high = mean_bounds(example(grades, unretrieved), parse(measure))
    return holds(low, high, float(np.mean(parse(measure).scores(example(truth, unretrieved)))))


ROWS = [
    Design(
        "diagnose",
        f"bounds of {measure}, {retrieved} document{'s' * (retrieved > 1)}, {unjudged:.0%} unjudged",
        partial(bounds, measure=measure, retrieved=retrieved, unjudged=unjudged),
        nominal=1.0,
    )
    for measure in ("P@5", "RR", "AP", "nDCG@10", "RBP", "ERR@10", "R@10")
    for retrieved, unjudged in ((1, 1.0), (20, 0.3))
]
