"""`python -m benchmarks.sampling QRELS RUN...`: how often intervals of estimates from samples hold what they are for.

Takes the depth-k pool of the runs for all there is, draws from it again and again by each method, and compares what the
sample says of each run's mean over topics with what the whole pool says. Unjudged documents count as not relevant.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs
from cranfield.formats import read_qrels, read_runs
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.estimate import JudgedSample, average_precision, precision
from cranfield.pooling.intervals import Estimate, topic_mean
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals

BATCH, CUTOFF = 10, 10
SAMPLING = [name for name, method in METHODS.items() if method.samples]


class Topic(NamedTuple):
    """A topic: what was retrieved, which of it is relevant, and the full rank of each document in the runs to score."""

    retrieved: Candidates
    relevant: Mask
    rank: Ints


def topics_of(runs: Runs, qrels: Qrels, depth: int, tags: list[str]) -> list[Topic]:
    """Those with a relevant document in the pool."""
    pairs = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)
    good = {pair for pair, grade in zip(pairs, qrels.grade.tolist(), strict=True) if grade > 0}
    topics = []
    full = {topic.qid: topic for topic in candidates_by_topic(runs.select(tags))}
    for pooled in candidates_by_topic(runs, depth):
        relevant = np.array([(pooled.qid, docno) in good for docno in pooled.docnos], bool)
        if relevant.any() and pooled.qid in full:
            topics.append(Topic(pooled, relevant, ranks_in(full[pooled.qid], pooled)))
    return topics


def ranks_in(full: Candidates, pooled: Candidates) -> Ints:
    """Runs x pooled documents, 0 where not retrieved."""
    number = {docno: at for at, docno in enumerate(full.docnos)}
    at = np.array([number.get(docno, -1) for docno in pooled.docnos], np.int64)
    return np.where(at >= 0, full.rank[:, at], 0).astype(np.int64)


def draw_sample(method: str, topic: Topic, size: int, seed: int) -> tuple[JudgedSample, Ints]:
    """A judged sample, and which documents they are."""
    options = {"k": 5, "rate": size / len(topic.retrieved)} if method == "tail" else {}
    state, most = METHODS[method].start(topic.retrieved, options, seed), len(topic.retrieved)
    size = most if method == "tail" else min(size, most)
    choice = proposals(state, topic.relevant, size, BATCH) if METHODS[method].adaptive else state.next(size)
    read = METHODS[method].design
    assert read is not None
    assert state.stratum is not None
    assert state.probability is not None
    rows, design = read([one or "" for one in state.stratum[choice].tolist()], state.probability[choice])
    documents = choice[rows]
    sample = JudgedSample(topic.retrieved.qid, topic.retrieved.docnos[documents], topic.relevant[documents], design)
    return sample, documents


def truths(topic: Topic) -> list[tuple[float, float]]:
    """AP and P of every run, from all of the pool."""
    hits = [np.sort(rank[(rank > 0) & topic.relevant]) for rank in topic.rank]
    number = int(topic.relevant.sum())
    return [(float(np.sum(np.arange(1, len(h) + 1) / h)) / number, float(np.sum(h <= CUTOFF)) / CUTOFF) for h in hits]


def estimates(method: str, topics: list[Topic], size: int, seed: int) -> list[list[tuple[Estimate, Estimate]]]:
    """AP and P of every topic and run, from one sample a topic."""
    scores = []
    for topic in topics:
        sample, documents = draw_sample(method, topic, size, seed)
        ranks = topic.rank[:, documents]
        scores.append([(average_precision(sample, rank), precision(sample, rank, CUTOFF)) for rank in ranks])
    return scores


def errors(method: str, topics: list[Topic], size: int, samples: int, group: int) -> Iterator[tuple[int, list[float]]]:
    """Of AP (0) and P (1) by each mean: its error, whether its interval holds (nan: there is none), how wide it is."""
    true, random = np.array([truths(topic) for topic in topics]), np.random.default_rng(0)
    for seed in range(samples):
        every = estimates(method, topics, size, seed)
        for some in (random.permutation(len(topics))[:group] for _ in range(4 if len(topics) > group else 1)):
            for run, what in np.ndindex(true.shape[1:]):
                mean, truth = topic_mean([every[at][run][what] for at in some]), true[some, run, what].mean()
                holds = np.nan if np.isnan(mean.low) else float(mean.low <= truth <= mean.high)
                yield what, [mean.value - truth, holds, min(mean.high, 1.0) - mean.low]


def row(method: str, topics: list[Topic], size: int, samples: int, group: int) -> str:
    """A line of the table."""
    outcomes: list[list[list[float]]] = [[], []]
    for what, one in errors(method, topics, size, samples, group):
        outcomes[what].append(one)
    cells = ""
    for error, holds, width in (np.array(one).T for one in outcomes):
        some = ~np.isnan(holds)
        cells += f"{error.mean():+8.3f}"
        cells += f"{holds[some].mean():8.1%}{width[some].mean():7.2f}" if some.any() else f"{'-':>8}{'-':>7}"
        cells += f"{1 - some.mean():7.0%}"
    return f"{method:11}{size:6}{cells}"


def main() -> None:
    """Print a row a method and size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sampling", description=__doc__)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--methods", nargs="+", default=SAMPLING, choices=SAMPLING)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 60, 200])
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("--group", type=int, default=25, help="topics of a mean")
    parser.add_argument("--scored", type=int, default=6, help="how many of the runs are scored")
    args = parser.parse_args()
    runs = read_runs(args.runs)
    tags = [runs.tags[at] for at in np.linspace(0, len(runs.tags) - 1, args.scored).round().astype(int)]
    topics = topics_of(runs, read_qrels(args.qrels), args.depth, tags)
    print(f"{len(topics)} topics, means over {args.group}; 95 % intervals, {args.samples} samples")
    head = "".join(f"{name:>8}{'holds':>8}{'width':>7}{'none':>7}" for name in ("AP bias", "P bias"))
    print(f"{'':11}{'size':>6}{head}")
    for method in args.methods:
        for size in args.sizes:
            print(row(method, topics, size, args.samples, args.group), flush=True)


if __name__ == "__main__":
    main()
