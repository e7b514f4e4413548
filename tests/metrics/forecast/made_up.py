"""A made-up pool of which the runs are noisy views of hidden relevance."""

from collections.abc import Mapping

import numpy as np

RunDict = dict[str, dict[str, dict[str, float]]]


def made_up(
    n_runs: int = 6, n_topics: int = 12, n_documents: int = 150, seed: int = 0
) -> tuple[RunDict, Mapping[str, Mapping[str, int]]]:
    """Return runs of scores and full qrels."""
    generator = np.random.default_rng(seed)
    relevant = generator.random((n_topics, n_documents)) < 0.15
    runs: RunDict = {}
    for run in range(n_runs):
        quality = generator.uniform(0.6, 1.4)
        scores = relevant * quality + generator.normal(0, 1, relevant.shape)
        runs[f"r{run}"] = {
            f"q{topic:02}": {
                f"d{document:03}": float(scores[topic, document]) for document in np.argsort(-scores[topic])[:60]
            }
            for topic in range(n_topics)
        }
    qrels = {
        f"q{topic:02}": {f"d{document:03}": int(relevant[topic, document]) for document in range(n_documents)}
        for topic in range(n_topics)
    }
    return runs, qrels


def pool_of(runs: RunDict, qrels: Mapping[str, Mapping[str, int]], depth: int) -> dict[str, dict[str, int]]:
    """Return the judgments of the first documents of runs."""
    return {
        topic: {
            docno: grades[docno]
            for run in runs.values()
            for docno in sorted(run.get(topic, {}), key=run.get(topic, {}).__getitem__, reverse=True)[:depth]
        }
        for topic, grades in qrels.items()
    }
