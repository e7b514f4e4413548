"""The judged sample of each topic, as a pool has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names, Qrels, Runs
from cranfield.errors import InputError
from cranfield.pooling.candidates import by_topic
from cranfield.pooling.methods.table import METHODS
from cranfield.pooling.sampling.inclusion import Design, independent, stratified
from cranfield.pooling.sampling.strata import parts
from cranfield.store.pools import IMPORTED, Pool, PooledDocument


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
        return max(1 - int(self.relevant.sum()) / number, 0.0) if number else float(not self.whole)

    @property
    def whole(self) -> bool:
        """Whether everything was drawn, so that there is nothing to estimate."""
        return bool(np.allclose(self.weight, 1, rtol=0, atol=1e-9))


def samples(pool: Pool, qrels: Qrels, min_relevant: int = 1) -> list[JudgedSample]:
    """The judged samples of a pool, by topic in byte order; refused where it is no sample, or not judged to the end.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> document = PooledDocument("q", "d", 1, ("a",), "all", 0.5)
    >>> [(s.qid, s.weight.tolist()) for s in samples(Pool("uniform", {}, [document]), as_qrels({"q": {"d": 1}}))]
    [('q', [2.0])]
    >>> samples(Pool("rrf", {}, [document._replace(probability=None)], number=3), as_qrels({"q": {"d": 1}}))
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: pool 3 (rrf) has no inclusion probabilities, which estimates need; uniform, stratified,
    tail, statap and active have them
    """
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    grade = dict(zip(names, qrels.grade.tolist(), strict=True))
    name = f"pool {pool.number} ({pool.method})" if pool.number is not None else f"the pool ({pool.method})"
    _check(pool, grade, name)
    by_topic: dict[str, list[PooledDocument]] = {}
    for document in pool.documents:
        by_topic.setdefault(document.qid, []).append(document)
    found = [_sample(by_topic[qid], grade, min_relevant, pool.method) for qid in sorted(by_topic)]
    for sample in found:
        if not len(sample.docnos):
            raise InputError(
                f"{name}: how topic {sample.qid!r} was drawn is not stored; rebuild the pool, judgments are kept"
            )
    return found


def _check(pool: Pool, grade: Mapping[tuple[str, str], int], name: str) -> None:
    if any(document.probability is None for document in pool.documents):
        *first, last = (method.name for method in METHODS.values() if method.samples)
        have = f"{', '.join(first)} and {last} have them"
        raise InputError(f"{name} has no inclusion probabilities, which estimates need; {have}")
    top = [d for d in pool.documents if d.stratum == "top" and pool.method == "tail" and (d.probability or 0) < 1]
    if top:
        raise InputError(
            f"{name}: the top of topic {top[0].qid!r} was drawn with a probability of {top[0].probability:.3g}, so"
            " nothing was drawn below it; build a larger pool, judgments are kept"
        )
    wrong = [d for d in pool.documents if not 0 < (d.probability or 0) <= 1]
    if wrong:
        raise InputError(
            f"{name}: topic {wrong[0].qid!r}, document {wrong[0].docno!r} was drawn with a probability of"
            f" {wrong[0].probability}; expected one above 0 and up to 1"
        )
    unjudged = [d for d in pool.documents if grade.get((d.qid, d.docno), -1) < 0]
    if unjudged:
        raise InputError(
            f"{name}: {len(unjudged)} of {len(pool.documents)} sampled documents are not judged, for example topic"
            f" {unjudged[0].qid!r}, document {unjudged[0].docno!r}; estimates need all"
        )


def _sample(
    documents: list[PooledDocument], grade: Mapping[tuple[str, str], int], min_relevant: int, method: str
) -> JudgedSample:
    names, probability = [d.stratum or "" for d in documents], np.array([d.probability for d in documents], float)
    kept, design = _reader(method)(names, probability)
    return JudgedSample(
        documents[0].qid,
        np.array([d.docno for d in documents], object)[kept],
        np.array([grade[d.qid, d.docno] >= min_relevant for d in documents], bool)[kept],
        design,
    )


def _reader(method: str) -> Callable[[Sequence[str], Floats], tuple[Ints, Design]]:
    """What reads the design of a pool's sample; what is not known more closely is taken as drawn one by one."""
    if method == IMPORTED:
        return stratified
    return (METHODS[method].design if method in METHODS else None) or independent


def check_frame(pool: Pool, runs: Runs, depths: Mapping[str, int | None] | None = None) -> None:
    """Refuse to estimate from a pool with a stratum or a topic from which nothing was drawn.

    Looked up in what the pool's runs, as far as they are among `runs`, retrieved to the depth that was considered.
    """
    given, there = pool.parameters, {(document.qid, document.stratum or "") for document in pool.documents}
    qids = {qid for qid, _ in there}
    considered = given.get("considered") or given.get("depth")
    for topic in by_topic(runs.select(given.get("runs", ())), considered, depths):
        for part in parts(METHODS[pool.method], topic, given.get("options"), pool.seed or 0):
            if topic.qid not in qids or (part.name and (part.qid, part.name) not in there):
                raise InputError(
                    f"pool {pool.number} ({pool.method}) drew none of {part}, so nothing is known of them;"
                    " build a larger pool, judgments are kept"
                )
