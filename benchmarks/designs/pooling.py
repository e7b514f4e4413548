"""Intervals of estimates from a sample of the pool: relevant documents of a topic, and scores of a run over topics."""

from functools import partial
from typing import Any

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Ints, Mask
from cranfield.pooling.build import make_pooled_documents
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.estimate import JudgedSample, average_precision, number_relevant, precision
from cranfield.pooling.intervals import Estimate, topic_mean
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals

DOCUMENTS, RUNS, DEPTH = 150, 6, 30
NAMES = np.array([f"d{number:03}" for number in range(DOCUMENTS)], object)
TAGS = tuple(f"r{run}" for run in range(RUNS))


def topic(random: Random) -> tuple[Candidates, Mask]:
    """What six runs retrieved, and what is relevant of it: more where runs rank high, few or many by topic."""
    quality = random.normal(size=DOCUMENTS)
    scores = quality + random.normal(0, 1, (RUNS, DOCUMENTS))
    lists = np.argsort(-scores, axis=1)[:, :DEPTH]
    used, document = np.unique(lists, return_inverse=True)
    document, run, ranks = document.ravel(), np.repeat(np.arange(RUNS), DEPTH), np.tile(np.arange(1, DEPTH + 1), RUNS)
    order = np.argsort(document * RUNS + run)
    relevant = quality[used] + random.normal(size=len(used)) > random.normal(1.2, 0.6)
    columns = (run[order], document[order], ranks[order].astype(np.int64), -ranks[order].astype(float))
    return Candidates("q", NAMES[used], TAGS, TAGS, np.arange(RUNS), *columns), relevant


def draw_sample(random: Random, method: str, size: int, k: int, rate: float) -> tuple[JudgedSample, Ints, Mask, Ints]:
    """A judged sample of a topic with the ranks of its documents in a run; all relevance, and all ranks."""
    of, relevant = topic(random)
    options = {"k": k, "rate": rate} if method == "tail" else {}
    state = METHODS[method].start(of, options, int(random.integers(1 << 30)))
    most = len(of) if method == "tail" else size
    documents = proposals(state, relevant, most) if METHODS[method].adaptive else state.next(most)
    judged = make_pooled_documents(of, documents, state)
    read = METHODS[method].design
    assert read is not None
    rows, design = read([one.stratum or "" for one in judged], np.array([one.probability for one in judged], float))
    sample = np.array([of.numbers[one.docno] for one in judged], np.int64)[rows]
    ranks = of.rank[0].astype(np.int64)
    return JudgedSample("q", of.docnos[sample], relevant[sample], design), ranks[sample], relevant, ranks


def number(random: Random, method: str, size: int, k: int, rate: float) -> bool | None:
    """The relevant documents of a topic."""
    sample, _, relevant, _ = draw_sample(random, method, size, k, rate)
    estimate = number_relevant(sample)
    return holds(estimate.low, estimate.high, float(relevant.sum()))


def score(
    random: Random, measure: str, cutoff: int, *, topics: int, method: str, size: int, k: int, rate: float
) -> bool | None:
    """The mean score of a run over so many topics, each sampled by itself."""
    estimates: list[Estimate] = []
    truths: list[float] = []
    for _ in range(topics):
        sample, ranks, relevant, every = draw_sample(random, method, size, k, rate)
        hits = np.sort(every[(every > 0) & relevant])
        if measure == "P":
            estimates.append(precision(sample, ranks, cutoff))
            truths.append(float(np.sum(hits <= cutoff)) / cutoff)
        else:
            estimates.append(average_precision(sample, ranks))
            truths.append(float(np.sum(np.arange(1, len(hits) + 1) / hits)) / max(int(relevant.sum()), 1))
    mean = topic_mean(estimates)
    return holds(mean.low, mean.high, float(np.mean(truths)))


SAMPLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tail, k=5, rate .1", {"method": "tail", "size": 0, "k": 5, "rate": 0.1}),
    ("tail, k=10, rate .1", {"method": "tail", "size": 0, "k": 10, "rate": 0.1}),
    ("tail, k=1, rate .001", {"method": "tail", "size": 0, "k": 1, "rate": 0.001}),
    ("uniform, 1 document", {"method": "uniform", "size": 1, "k": 0, "rate": 0.0}),
    ("uniform, 10 documents", {"method": "uniform", "size": 10, "k": 0, "rate": 0.0}),
    ("uniform, 40 documents", {"method": "uniform", "size": 40, "k": 0, "rate": 0.0}),
    ("stratified, 10 documents", {"method": "stratified", "size": 10, "k": 0, "rate": 0.0}),
    ("statap, 10 documents", {"method": "statap", "size": 10, "k": 0, "rate": 0.0}),
    ("statap, 40 documents", {"method": "statap", "size": 40, "k": 0, "rate": 0.0}),
    ("active, 10 documents", {"method": "active", "size": 10, "k": 0, "rate": 0.0}),
)
SCORES = (("P", 10), ("P", 20), ("AP", 0))

ROWS = [Design("pool estimate", f"R, {name}", partial(number, **options)) for name, options in SAMPLES] + [
    Design(
        "pool estimate",
        f"{measure}{f'@{cutoff}' * (cutoff > 0)}, {topics} topic{'s' * (topics > 1)}, {name}",
        partial(score, measure=measure, cutoff=cutoff, topics=topics, **options),
        2000 if topics == 1 else 300,
    )
    for name, options in SAMPLES
    for measure, cutoff in SCORES
    for topics in (1, 12)
]
