"""What a sample of the pool says of all of it: relevant documents, precision, average precision, with intervals.

    R    = sum of w_i over sampled relevant documents
    P@k  = 1/k  sum of w_i over those at ranks to k
    Q    = sum of w_i / r_i + sum over pairs of w_ij / max(r_i, r_j)
    AP   = Q/R + 1/R sum over pairs, and of each with itself, of (w_i w_j - w_ij) z_j
           Q/R (1 + .4 (R - 1) / 2) from a single one
    var  = sum over pairs, and of each with itself, of (w_i w_j - w_ij) z_i z_j

A relevant document stands for w_i of them and two stand for w_ij pairs (`Inclusion`, `Buckets`, `Draws`): 1 / pi_i and
1 / pi_ij where these are known. R, P@k and Q are unbiased; Q/R is not, and what is added to it takes most of that away.
z is 1 for R, 1/k for P, and for AP what AP loses without the document, as in the jackknife: its share of Q less AP,
over R, over 1 - w_i/R. A single relevant document says nothing of pairs, and yet there are some if it stands for more;
.4 of its 1/r for each is what made means over topics come out right. Of a topic, an estimate may exceed 1; cut off
there, means would be too low. Intervals: see `intervals`; that of AP is for shares, with half as many degrees of
freedom as effective relevant documents less one. They cover the sampling error only: not documents outside the pool,
which count as not relevant, nor of the choice of topics. statAP's form, 1/R times the sum of estimated precisions over
pi, takes pi_i pi_j for pi_ij also where i is j: too much.

AP takes relevant documents. Of topics with fewer than four in the sample the variance is hardly known from it: among
others they count with the square of how far they are from the mean, less the share that was drawn. Where of more than
half of the topics fewer than two were drawn and there may be more, no interval is given.

How often 95 % intervals of means over 25 topics held AP (`python -m benchmarks.sampling`, 12 to 30 samples of all
topics, the judged pools of TREC-COVID round 1, depth 7, and Robust 2003, depth 100, with 20, 60 and 200 documents a
topic; - for none in more than half of the cases):

                   uniform       stratified    statap        active        tail of 2 and 10 %, top 5
    TREC-COVID     96 97 96      95 96 95      99 94 95      99 93 94      100 98
    Robust 2003     - 95 97      99 99 98      99 99 94      96 98 98       92 99

The mean of the estimates was within .01 of the truth; on Robust with 20 documents up to .04 too high, and with a tail
of a fiftieth, some ten documents, .05. Single topics' intervals of AP held in 85 to 98 % on TREC-COVID, in 93 % and
more on Robust. Means of P have the interval of a count, of all topics as of one sample: of a tail, one document in the
first ten may be all that was drawn. How often that and the others hold in simulations, down to a single document of a
topic: docs/reference/coverage.md.

Sources: Horvitz and Thompson, JASA 47, 1952; Aslam and Pavlu, A practical sampling strategy for efficient retrieval
evaluation, technical report, Northeastern University 2007; Yung and Rao, Jackknife linearization variance estimators
under stratified multi-stage sampling, Survey Methodology 22, 1996.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names, Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.pooling.budget import topic_strata
from cranfield.pooling.candidates import candidates_by_topic, select_candidates
from cranfield.pooling.intervals import (
    Estimate,
    SampleFrame,
    count_interval,
    effective_size,
    interval,
    mean_unsampled,
    topic_mean,
)
from cranfield.pooling.method import Design
from cranfield.pooling.methods import METHODS
from cranfield.pooling.sampling import independent, stratify_documents
from cranfield.store.pools import IMPORTED, Pool, PooledDocument
from cranfield.text import counted


@dataclass(frozen=True, eq=False)
class JudgedSample:
    """The sampled documents of a topic: which are relevant, and how they were drawn."""

    qid: str
    docnos: Names
    relevant: Mask
    design: Design

    @property
    def weight(self) -> Floats:
        """How many documents each stands for."""
        return self.design.weight

    @cached_property
    def pairs(self) -> Floats:
        """How many pairs each two of the relevant ones stand for, on the diagonal squares."""
        return self.design.pairs(np.flatnonzero(self.relevant))

    @property
    def unseen(self) -> float:
        """Which share of the relevant documents is outside the sample, about; all of them where none was drawn."""
        number = float(self.weight[self.relevant].sum())
        return max(1 - int(self.relevant.sum()) / number, 0.0) if number else float(not self.is_complete)

    @property
    def is_complete(self) -> bool:
        """Whether everything was drawn, so that there is nothing to estimate."""
        return bool(np.allclose(self.weight, 1, rtol=0, atol=1e-9))


def samples(pool: Pool, qrels: Qrels, min_relevant: int = 1) -> list[JudgedSample]:
    """The judged samples of a pool, by topic in byte order; refused where it is no sample, or not judged to the end.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> document = PooledDocument("q", "d", 1, ("a",), "all", 0.5)
    >>> [(s.qid, s.weight.tolist()) for s in samples(Pool("uniform", {}, [document]), as_qrels({"q": {"d": 1}}))]
    [('q', [2.0])]
    >>> unweighted = Pool("rrf", {}, [document._replace(probability=None)], number=3)
    >>> samples(unweighted, as_qrels({"q": {"d": 1}}))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: pool 3 (rrf) has no inclusion probabilities; expected a pool built by uniform,
    stratified...
    """
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    grade = dict(zip(names, qrels.grade.tolist(), strict=True))
    name = f"pool {pool.number} ({pool.method})" if pool.number is not None else f"the pool ({pool.method})"
    _check_sampled_pool(pool, grade, name)
    by_topic: dict[str, list[PooledDocument]] = {}
    for document in pool.documents:
        by_topic.setdefault(document.qid, []).append(document)
    judged_samples = [_sample(by_topic[qid], grade, min_relevant, pool.method) for qid in sorted(by_topic)]
    for sample in judged_samples:
        if not len(sample.docnos):
            raise InputError(
                f"{name}: the draws of topic {sample.qid!r} are not stored; rebuild the pool, which keeps the judgments"
            )
    return judged_samples


def _check_sampled_pool(pool: Pool, grade: Mapping[tuple[str, str], int], name: str) -> None:
    if any(document.probability is None for document in pool.documents):
        *first, last = (method.name for method in METHODS.values() if method.samples)
        have = f"{', '.join(first)} or {last}"
        raise InputError(f"{name} has no inclusion probabilities; expected a pool built by {have}")
    top = [d for d in pool.documents if d.stratum == "top" and pool.method == "tail" and (d.probability or 0) < 1]
    if top:
        raise InputError(
            f"{name}: the top of topic {top[0].qid!r} was drawn with a probability of {top[0].probability:.3g}, so "
            "its tail was not sampled; build a larger pool, which keeps the judgments"
        )
    wrong = [d for d in pool.documents if not 0 < (d.probability or 0) <= 1]
    if wrong:
        raise InputError(
            f"{name}: topic {wrong[0].qid!r}, document {wrong[0].docno!r} was drawn with a probability of "
            f"{wrong[0].probability}; expected a number above 0 and up to 1"
        )
    unjudged = [d for d in pool.documents if grade.get((d.qid, d.docno), -1) < 0]
    if unjudged:
        raise InputError(
            f"{name}: {len(unjudged)} of {len(pool.documents)} sampled documents are not judged, for example topic "
            f"{unjudged[0].qid!r}, document {unjudged[0].docno!r}; judge all of them first"
        )


def _sample(
    documents: list[PooledDocument], grade: Mapping[tuple[str, str], int], min_relevant: int, method: str
) -> JudgedSample:
    names, probability = [d.stratum or "" for d in documents], np.array([d.probability for d in documents], float)
    places, design = _reader(method)(names, probability)
    return JudgedSample(
        documents[0].qid,
        np.array([d.docno for d in documents], object)[places],
        np.array([grade[d.qid, d.docno] >= min_relevant for d in documents], bool)[places],
        design,
    )


def _reader(method: str) -> Callable[[Sequence[str], Floats], tuple[Ints, Design]]:
    """What reads the design of a pool's sample; what is not known more closely is taken as drawn one by one."""
    if method == IMPORTED:
        return stratify_documents
    return (METHODS[method].design if method in METHODS else None) or independent


def check_frame(pool: Pool, runs: Runs, depths: Mapping[str, int | None] | None = None) -> None:
    """Refuse to estimate from a pool with a stratum or a topic from which nothing was drawn.

    Looked up in what the pool's runs, as far as they are among `runs`, retrieved to the depth that was considered.
    """
    parameters, there = pool.parameters, {(document.qid, document.stratum or "") for document in pool.documents}
    qids = {qid for qid, _ in there}
    depth = parameters.get("considered") or parameters.get("depth")
    for topic in select_candidates(
        candidates_by_topic(runs.select(parameters.get("runs", ())), depth, depths), parameters.get("topics")
    ):
        if pool.method not in METHODS:
            raise InputError(f"pool {pool.number} was built by {pool.method!r}; expected a method of this program")
        for part in topic_strata(METHODS[pool.method], topic, parameters.get("options"), pool.seed or 0):
            if topic.qid not in qids or (part.name and (part.qid, part.name) not in there):
                raise InputError(
                    f"pool {pool.number} ({pool.method}) drew none of {part}, so they cannot be estimated; build a "
                    "larger pool, which keeps the judgments"
                )


MOST = 1 / 12  # the variance of a number between 0 and 1 of which nothing is known
SECOND = 0.4  # of a single relevant document's 1 / r: what a pair with another is taken to have, see above
Ranks = Ints  # of the sampled documents in a run; 0 is not retrieved


def number_relevant(sample: JudgedSample, confidence: float = 0.95) -> Estimate:
    """How many relevant documents the pool holds that was sampled from; not fewer than were found.

    Two of ten were drawn, one is relevant: five, or anything but none and all.

    >>> from cranfield.pooling.sampling import Strata
    >>> design = Strata(np.array([0.2, 0.2]), np.zeros(2, int))
    >>> one = JudgedSample("q", np.array(["a", "b"], object), np.array([True, False]), design)
    >>> number_relevant(one)[:4]
    (5.0, 20.0, 1.0, 9.0)
    """
    return _count(sample, sample.relevant, np.ones(len(sample.docnos), bool), sample.design.n_unsampled, confidence)


def precision(sample: JudgedSample, rank: Ranks, k: int, confidence: float = 0.95) -> Estimate:
    """Precision among the first k documents of a run; its interval knows those of them that were drawn.

    One of five, and it stands for two.

    >>> from cranfield.pooling.sampling import Strata
    >>> design = Strata(np.array([0.5, 0.5]), np.zeros(2, int))
    >>> one = JudgedSample("q", np.array(["a", "b"], object), np.array([True, True]), design)
    >>> precision(one, np.array([1, 9]), 5)[:4]
    (0.4, 0.08, 0.2, 1.0)
    """
    top = (rank > 0) & (rank <= k)
    count = _count(sample, sample.relevant & top, top, k - int(top.sum()), confidence)
    ends = (count.low / k, count.high / k)
    return Estimate(count.value / k, count.variance / k**2, *ends, count.freedom, among=count.among, size=k)


def _count(sample: JudgedSample, relevant: Mask, among: Mask, others: float, confidence: float) -> Estimate:
    """How many relevant documents there are `among` those of a kind, of which `others` are not in the sample."""
    which, weight = np.flatnonzero(relevant), sample.weight
    value, spread = float(weight[which].sum()), variance(sample, which, np.ones(len(which)))
    near = mean_unsampled(weight[among])
    population = SampleFrame(len(which), others, near if near > 1 else mean_unsampled(weight))
    ends = count_interval(value, spread, population, confidence)
    return Estimate(value, spread, *ends, max(2 * effective_size(weight[which]), 1.0), among=population)


def average_precision(
    sample: JudgedSample, rank: Ranks, cutoff: int | None = None, confidence: float = 0.95
) -> Estimate:
    """Average precision of a run; 0 where no relevant document was drawn, and then it may be anything.

    With everything drawn it is average precision, and sure: here (1/1 + 2/3) / 2.

    >>> from cranfield.pooling.sampling import Inclusion
    >>> one = JudgedSample("q", np.array(list("abc"), object), np.array([True, False, True]), Inclusion(np.ones(3)))
    >>> average_precision(one, np.array([1, 2, 3]))[:4]
    (0.8333333333333333, 0.0, 0.8333333333333333, 0.8333333333333333)
    """
    which = np.flatnonzero(sample.relevant)
    if not len(which):
        return Estimate(0.0, 0.0, 0.0, sample.unseen, most=1.0, relevant=0, unseen=sample.unseen)
    there = np.where((rank > 0) & (rank <= (cutoff or inf)), rank, inf)
    weight, common = sample.weight[which], 1 / np.maximum(there[:, None], there[which])
    value, spread = _estimate_ap(common[which], weight, sample.pairs)
    likely, number = min(value, 1.0), float(weight.sum())
    gains = 1 / there + common @ weight - likely if np.isfinite(there).any() else np.ones(len(there))
    spread = spread or _unseen_variance(sample.weight, gains / number)
    freedom = max((effective_size(weight) - 1) / 2, 0.5)
    ends = interval(likely, spread, freedom, confidence, 1.0)
    return Estimate(value, spread, *ends, freedom, 1.0, len(which), sample.unseen)


def _estimate_ap(common: Floats, weight: Floats, pairs: Floats) -> tuple[float, float]:
    """AP and its variance, from 1 / max(r_i, r_j) of relevant documents and what they stand for."""
    parts = common * pairs
    np.fill_diagonal(parts, np.diag(common) * weight)
    number, total, adds = float(weight.sum()), float(np.triu(parts).sum()), parts.sum(axis=1) / weight
    loss = (adds - total / number) / np.where(weight < number, number - weight, inf)
    spread = np.outer(weight, weight) - pairs
    bias = float(np.sum(spread @ loss)) if len(weight) > 1 else total * SECOND * (number - 1) / 2
    return max((total + bias) / number, 0.0), max(float(loss @ spread @ loss), 0.0)


def _unseen_variance(weight: Floats, gains: Floats) -> float:
    """The variance of half a document outside the sample, from what each of the sample gains if it is relevant."""
    more = np.maximum(weight - 1, 0)
    return min(float(np.sum(weight * more**2 * gains**2)) / 2 / max(float(more.sum()), 1e-12), MOST)


def variance(sample: JudgedSample, which: Ints, values: Floats) -> float:
    """The variance of the weighted sum of values of these documents, others counting 0; unbiased, but never below 0.

    >>> from cranfield.pooling.sampling import Inclusion
    >>> every = JudgedSample("q", np.array(["a"], object), np.array([True]), Inclusion(np.ones(1)))
    >>> variance(every, np.array([0]), np.array([3.0]))
    0.0
    """
    weight = sample.weight[which]
    return max(0.0, float(values @ (np.outer(weight, weight) - sample.design.pairs(which)) @ values))


def ranks(runs: Runs, sample: JudgedSample) -> Ints:
    """Runs x sampled documents: the rank of each, 0 where it was not retrieved.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.pooling.sampling import Inclusion
    >>> one = JudgedSample("q", np.array(["b", "c"], object), np.ones(2, bool), Inclusion(np.full(2, 0.5)))
    >>> ranks(as_runs({"r": {"q": {"a": 3.0, "b": 2.0}}}), one).tolist()
    [[2, 0]]
    """
    matrix = np.zeros((len(runs.tags), len(sample.docnos)), np.int64)
    place = {docno: at for at, docno in enumerate(sample.docnos)}
    rows = np.flatnonzero(np.isin(runs.topic, np.flatnonzero(runs.topics.names == sample.qid)))
    column = np.array([place.get(docno, -1) for docno in runs.docnos.names[runs.document[rows]]], np.int64)
    sampled = column >= 0
    matrix[runs.run[rows][sampled], column[sampled]] = runs.rank[rows][sampled]
    return matrix


Estimator = Callable[[JudgedSample, Ranks], Estimate]


def estimator(measure: Measure, confidence: float) -> Estimator:
    """The estimator of a measure; there is one of AP and of P@k.

    >>> from cranfield.metrics.notation import parse
    >>> estimator(parse("RR"), 0.95)
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: RR cannot be estimated from a sample; expected AP, AP@k or P@k. For qrels with strata,
    use infAP, xinfAP or infNDCG with `evaluate`
    """
    cutoff: Any = measure.options.get("cutoff")
    if not measure.options["judged_only"] and measure.name == "AP":
        return partial(average_precision, cutoff=cutoff, confidence=confidence)
    if not measure.options["judged_only"] and measure.name == "P":
        return partial(precision, k=cutoff, confidence=confidence)
    other = "For qrels with strata, use infAP, xinfAP or infNDCG with `evaluate`"
    raise InputError(f"{measure} cannot be estimated from a sample; expected AP, AP@k or P@k. {other}")


def estimate(
    pool: Pool,
    runs: Runs,
    qrels: Qrels,
    *,
    measures: str | Measure | Iterable[str | Measure] = ("AP", "P@10"),
    min_relevant: int = 1,
    confidence: float = 0.95,
) -> list[dict[str, Any]]:
    """The estimated scores of every run, means over the topics of the pool: rows of run, measure and estimate."""
    each_measure = parse_measures(measures)
    each = [estimator(measure, confidence) for measure in each_measure]
    judged_samples = samples(pool, qrels, min_relevant)
    if not judged_samples:
        raise InputError("the pool is empty; expected at least one sampled document")
    where = [ranks(runs, sample) for sample in judged_samples]
    rows = []
    for run, tag in enumerate(runs.tags):
        for measure, of in zip(each_measure, each, strict=True):
            by_topic = [of(sample, rank[run]) for sample, rank in zip(judged_samples, where, strict=True)]
            mean = topic_mean(by_topic, confidence)
            value, low, high = np.clip((mean.value, mean.low, mean.high), *measure.range).tolist()
            numbers = {"value": value, "variance": mean.variance, "low": low, "high": high}
            rows.append({"run": tag, "measure": str(measure), **numbers})
    return rows


def why_no_precision_intervals(judged_samples: Sequence[JudgedSample], measures: Sequence[Measure]) -> str | None:
    """Why there are no intervals of average precision, if that is so.

    >>> from cranfield.metrics.notation import parse_measures
    >>> from cranfield.pooling.sampling import Inclusion
    >>> none = JudgedSample("q", np.array(["a"], object), np.zeros(1, bool), Inclusion(np.full(1, 0.5)))
    >>> why_no_precision_intervals([none, none], parse_measures(["AP", "P@5"]))
    'there are no intervals for AP, because the samples of 2 of 2 topics contain fewer than two relevant documents'
    """
    guesses = sum(average_precision(sample, np.zeros(len(sample.docnos), np.int64)).guess for sample in judged_samples)
    names = ", ".join(str(measure) for measure in measures if measure.name == "AP")
    if not names or len(judged_samples) < 2 or 2 * guesses <= len(judged_samples):
        return None
    topics = counted(len(judged_samples), "topic")
    return (
        f"there are no intervals for {names}, because the samples of {guesses} of {topics} contain fewer than two"
        " relevant documents"
    )
