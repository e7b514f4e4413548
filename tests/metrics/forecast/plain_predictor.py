"""The predictor in plain dicts, document by document, which the arrays have to agree with."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

Lists = Mapping[str, Sequence[str]]
Judgments = Mapping[str, Mapping[str, int]]


def logit(share: float) -> float:
    clipped = min(max(share, 0.003), 0.99)
    return float(np.log(clipped / (1 - clipped)))


def feature_rows(
    kept: Mapping[str, Lists], new: Lists, pool: Mapping[str, set[str]], judged: Judgments, depth: int
) -> Iterator[tuple[str, str, list[float]]]:
    """Yield (topic, document, features) of a run's first documents outside a pool."""
    top = {topic: new.get(topic, [])[:depth] for topic in judged}
    inside = {topic: [docno for docno in docs if docno in pool[topic]] for topic, docs in top.items()}
    hits = {topic: sum(judged[topic][docno] > 0 for docno in docs) for topic, docs in inside.items()}
    n_hits, n_inside = sum(hits.values()), sum(map(len, inside.values()))
    precisions = []
    for run in kept.values():
        found = [(t, x) for t in judged for x in run.get(t, [])[:depth] if x in pool[t]]
        precisions.append(sum(judged[t][x] > 0 for t, x in found) / max(len(found), 1))
    share = 1 - n_inside / max(sum(map(len, top.values())), 1)
    against = logit((n_hits + 1) / (n_inside + 2)) - logit(float(np.mean(precisions)))
    for topic in sorted(judged):
        precision = (hits[topic] + 2 * n_hits / max(n_inside, 1)) / (len(inside[topic]) + 2)
        base = (sum(judged[topic][x] > 0 for x in pool[topic]) + 0.5) / (len(pool[topic]) + 1)
        for rank, docno in enumerate(top[topic], 1):
            if docno in pool[topic]:
                continue
            ranks = np.array(
                [
                    [*run.get(topic, [])].index(docno) + 1 if docno in run.get(topic, []) else 3000
                    for run in kept.values()
                ]
            )
            by_rank = [np.log(ranks.min()), 60 * np.mean(1 / (60 + ranks)), np.mean(ranks <= 100)]
            yield topic, docno, [np.log(rank), *by_rank, logit(precision), logit(base), against, share]
