"""A stratified random sample: strata by the best rank in any run, each sampled at a rate of its own."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method, MethodOption, StratifiedSample, generator
from cranfield.pooling.sampling.inclusion import stratified
from cranfield.pooling.sampling.strata import LEAST


def stratified_sample(topic: Candidates, options: Mapping[str, Any], seed: int) -> StratifiedSample:
    """Documents in random order, two of each stratum and then strata interleaved so that every beginning has the rates.

    a and d stand first; of the four others two are drawn by the time both are.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "d e f")
    >>> state = STRATIFIED.start(topic, {"bounds": "1", "rates": "2,1"}, seed=1)
    >>> sorted(shown(topic, state.next(4)).split())[:1], state.stratum.tolist(), state.probability.tolist()
    (['a'], ['1-1', '2-', '2-', '1-1', '2-', '2-'], [1.0, 0.5, 0.5, 1.0, 0.5, 0.5])
    >>> STRATIFIED.start(topic, {"bounds": "10,30", "rates": "1"})
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: rates=1 gives 1 rate for the 3 strata of bounds=10,30
    """
    bounds, rates = _numbers("bounds", options["bounds"]), _numbers("rates", options["rates"])
    if len(rates) != len(bounds) + 1:
        found = f"{len(rates)} rate{'s' * (len(rates) != 1)} for the {len(bounds) + 1} strata"
        raise InputError(f"rates={options['rates']} gives {found} of bounds={options['bounds']}")
    strata = np.searchsorted(bounds, topic.best)
    shuffled = generator(seed, topic.qid).permutation(len(topic))
    shuffled = shuffled[np.argsort(strata[shuffled], kind="stable")]
    size = np.bincount(strata, minlength=len(rates))
    within = np.arange(len(topic)) - np.repeat(np.cumsum(size) - size, size) + 0.5
    due = np.where(within < LEAST, 0, within) / (np.array(rates) * np.maximum(size, 1))[strata[shuffled]]
    names = [
        f"{low}-{high}" for low, high in zip([1, *(int(b) + 1 for b in bounds)], [*map(int, bounds), ""], strict=True)
    ]
    return StratifiedSample(shuffled[np.argsort(due, kind="stable")], strata, names)


def _numbers(name: str, text: str) -> list[float]:
    """Ascending ranks, or rates above 0.

    >>> _numbers("bounds", "10,5")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: bounds=10,5; expected ascending ranks such as 10,30
    """
    right = {"bounds": "ascending ranks such as 10,30", "rates": "rates above 0 such as 4,2,1"}[name]
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = [-1.0]
    ascending = all(low < high for low, high in pairwise(found)) and all(f % 1 == 0 for f in found)
    if not all(0 < number < np.inf for number in found) or (name == "bounds" and not ascending):
        raise InputError(f"{name}={text}; expected {right}")
    return found


STRATIFIED = Method(
    "stratified", "a random sample, denser where runs rank higher", stratified_sample,
    (
        MethodOption("bounds", "10,30", "last rank of each stratum except the last"),
        MethodOption("rates", "4,2,1", "relative sampling rate of each stratum"),
    ),
    design=stratified, sized=True, random=True, source="Yilmaz, Kanoulas and Aslam, SIGIR 2008", explanation="""
A stratified random sample: strata by the best rank in any run, each sampled at a rate of its own.

    pi(d) = m_h / n_h for m_h documents out of the n_h of d's stratum

The rates are relative: strata of rates 4, 2, 1 are drawn from in that proportion to their sizes until the budget is
spent or a stratum is; two documents of each come first, without which nothing could be estimated. Good: judges more
where more is relevant, and stays a sample; xinfAP is made for it. Bad: an estimator that ignores the strata is wrong
for it. Source: Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR
2008.
""")  # fmt: skip
