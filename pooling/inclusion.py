"""How likely each document of a pool was to be drawn, alone and together with another.

    pi_i    is stored with the pool
    pi_ij   strata (uniform, stratified, tail)   n drawn of N: pi (n - 1) / (N - 1);  pi_i pi_j across strata
            buckets (statap)                     pi² within a bucket;  pi_i pi_j (m - 1) / m across, m drawn in all
            draws (active)                       pi_i + pi_j - 1 + (1 - p_i - p_j)^T,   p = 1 - (1 - pi)^(1/T)

Exact for strata. For buckets exact but for a last one that is not full. For draws with replacement it takes the T draws
for alike, and T from the sample itself, sum of -ln(1 - pi) / pi: an approximation, since active sampling changes its
aim. All are needed of sampled documents only. Sources: Horvitz and Thompson, A generalization of sampling without
replacement from a finite universe, JASA 47, 1952; Särndal, Swensson and Wretman, Model assisted survey sampling, 1992.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.errors import InputError
from cranfield.holdings import Pool, PooledDocument
from cranfield.rankings import Floats, Ints, Mask, Names, Qrels

SURE = 1 - 1e-12


@dataclass(frozen=True, eq=False)
class Sample:
    """The sampled documents of a topic, judged: how likely each was to be drawn, from which stratum, and relevant?"""

    qid: str
    docnos: Names
    probability: Floats
    relevant: Mask
    stratum: Ints
    design: str = "strata"

    def together(self, which: Ints) -> Floats:
        """The chance of each two of these documents to be drawn together; on the diagonal that of each.

        2 of 4 were drawn: one of the 6 pairs.

        >>> docnos, half = np.array(["a", "b"], object), np.array([0.5, 0.5])
        >>> one = Sample("q", docnos, half, half > 0, np.zeros(2, int))
        >>> one.together(np.array([0, 1])).round(4).tolist()
        [[0.5, 0.1667], [0.1667, 0.5]]
        """
        alone = self.probability[which]
        both = np.where(
            (alone >= SURE)[:, None] | (alone >= SURE), alone[:, None] * alone, TOGETHER[self.design](self, which)
        )
        np.fill_diagonal(both, alone)
        return both


def _strata(sample: Sample, which: Ints) -> Floats:
    """Each stratum a simple random sample of its own."""
    drawn = np.bincount(sample.stratum)[sample.stratum[which]]
    alone = sample.probability[which]
    there = np.maximum(np.round(drawn / alone), 2)
    same = sample.stratum[which][:, None] == sample.stratum[which]
    return np.asarray(np.where(same, (alone * (drawn - 1) / (there - 1))[:, None], alone[:, None] * alone))


def _buckets(sample: Sample, which: Ints) -> Floats:
    """Buckets by multinomial draws, documents of a bucket at random."""
    alone, size = sample.probability[which], len(sample.docnos)
    other = sample.stratum[which][:, None] != sample.stratum[which]
    return np.asarray(alone[:, None] * alone * np.where(other, 1 - 1 / size, 1.0))


def _draws(sample: Sample, which: Ints) -> Floats:
    """Draws with replacement, all alike."""
    known = np.minimum(sample.probability, SURE)
    draws = float(np.sum(-np.log1p(-known) / known))
    alone = known[which]
    once = -np.expm1(np.log1p(-alone) / draws)
    neither = np.exp(draws * np.log1p(-np.minimum(once[:, None] + once, SURE)))
    both = alone[:, None] + alone - 1 + neither
    return np.asarray(np.maximum(both, alone[:, None] * alone * (1 - 1 / max(draws, 1.0)) / 2))


def _independent(sample: Sample, which: Ints) -> Floats:
    """Every document drawn or not by itself; for designs that are not known more closely."""
    alone = sample.probability[which]
    return np.asarray(alone[:, None] * alone)


TOGETHER: Mapping[str, Callable[[Sample, Ints], Floats]] = {
    "strata": _strata,
    "buckets": _buckets,
    "draws": _draws,
    "independent": _independent,
}
DESIGNS: Mapping[str, str] = {
    "uniform": "strata", "stratified": "strata", "tail": "strata", "statap": "buckets", "active": "draws",
}  # fmt: skip


def samples(pool: Pool, qrels: Qrels, min_relevant: int = 1) -> list[Sample]:
    """The judged samples of a pool, by topic in byte order; refused where it is no sample, or not judged to the end.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> document = PooledDocument("q", "d", 1, ("a",), "all", 0.5)
    >>> [(s.qid, s.probability.tolist()) for s in samples(Pool("uniform", {}, [document]), as_qrels({"q": {"d": 1}}))]
    [('q', [0.5])]
    >>> samples(Pool("rrf", {}, [document._replace(probability=None)], number=3), as_qrels({"q": {"d": 1}}))
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: pool 3 (rrf) has no inclusion probabilities, which estimates need; uniform, stratified,
    tail, statap and active have them
    """
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    grade = dict(zip(names, qrels.grade.tolist(), strict=True))
    _check(pool, grade)
    by_topic: dict[str, list[PooledDocument]] = {}
    for document in pool.documents:
        by_topic.setdefault(document.qid, []).append(document)
    return [_sample(qid, by_topic[qid], grade, min_relevant, pool.method) for qid in sorted(by_topic)]


def _check(pool: Pool, grade: Mapping[tuple[str, str], int]) -> None:
    name = f"pool {pool.number} ({pool.method})" if pool.number is not None else f"the pool ({pool.method})"
    if any(document.probability is None for document in pool.documents):
        have = "uniform, stratified, tail, statap and active have them"
        raise InputError(f"{name} has no inclusion probabilities, which estimates need; {have}")
    wrong = [d for d in pool.documents if not 0 < (d.probability or 0) <= 1]
    if wrong:
        raise InputError(
            f"{name}: topic {wrong[0].qid!r}, document {wrong[0].docno!r} was drawn with a probability of"
            f" {wrong[0].probability}, where one above 0 and up to 1 is right"
        )
    unjudged = [d for d in pool.documents if grade.get((d.qid, d.docno), -1) < 0]
    if unjudged:
        raise InputError(
            f"{name}: {len(unjudged)} of {len(pool.documents)} sampled documents are not judged, such as topic"
            f" {unjudged[0].qid!r}, document {unjudged[0].docno!r}; estimates need all"
        )


def _sample(
    qid: str, documents: list[PooledDocument], grade: Mapping[tuple[str, str], int], min_relevant: int, method: str
) -> Sample:
    strata = np.unique(np.array([d.stratum or "" for d in documents]), return_inverse=True)[1]
    return Sample(
        qid,
        np.array([d.docno for d in documents], object),
        np.array([d.probability for d in documents], float),
        np.array([grade[d.qid, d.docno] >= min_relevant for d in documents], bool),
        strata.astype(np.int64),
        DESIGNS.get(method, "independent"),
    )
