"""What a sample of adjudicated documents says about all that several people judged: double sampling.

The labels are the first phase: cheap, of every document, and sometimes wrong. The adjudicator's grades are the second:
taken as the truth, of a random sample within strata defined by the labels.

    share = sum over strata of N_h ȳ_h / sum over strata of N_h x̄_h
    var   = sum over strata of N_h² (1 - n_h / N_h) s_h² / n_h,   s_h² of (y - share · x) / sum of N_h x̄_h
    y: 1 if it has the property, x: 1 if it can be judged at all

N_h documents are in a stratum, n_h of them adjudicated. Where the documents with two labels are themselves a random
sample of n' out of N pooled ones, the first phase adds share (1 - share) (1 / n' - 1 / N) to the variance.

A stratum in which the few documents checked all agree would seem certain. So s_h² is taken with two further documents,
one of either kind, as Agresti and Caffo do for proportions; the share itself stays as it is. Intervals are normal and
cover the sampling alone: not the choice of topics, nor errors of the adjudicator. They are right if what is not
adjudicated yet is missing at random, as it is when one stops early, but not when one skips the hard ones.

Sources: Cochran, Sampling Techniques, 3rd edition 1977, 6.11 and 12.2; Webber, Oard, Scholer and Hedin, Assessor error
in stratified evaluation, CIKM 2010; Agresti and Caffo, The American Statistician 54, 2000.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.judging.adjudication.disputes import Dispute
from cranfield.judging.adjudication.sample import STRATA, stratum
from cranfield.judging.labels.pairs import Pair

WIDE = NormalDist().inv_cdf(0.975)


class DoubleSampleEstimate(NamedTuple):
    """A share with its 95 % interval; NaN where nothing in a stratum is adjudicated."""

    value: float
    low: float
    high: float


def double_sampled(answer: Floats, checked: Mask, strata: Ints, first_phase: float = 0.0) -> DoubleSampleEstimate:
    """The share of documents for which the answer is 1, of those that can be judged.

    `answer` is 1, 0, or NaN for a document that cannot be judged; it is read where `checked`. `first_phase` is 1 / n' -
    1 / N where the documents are themselves a sample.

    >>> four = np.array([1.0, 0.0, 1.0, 1.0])
    >>> double_sampled(four, np.ones(4, bool), np.array([0, 0, 1, 1]))
    DoubleSampleEstimate(value=0.75, low=0.75, high=0.75)
    >>> estimate = double_sampled(four, np.array([True, False, True, False]), np.array([0, 0, 1, 1]))
    >>> estimate.value, round(estimate.low, 2), estimate.high
    (1.0, 0.43, 1.0)
    >>> double_sampled(four, np.array([True, True, False, False]), np.array([0, 0, 1, 1]))
    DoubleSampleEstimate(value=nan, low=nan, high=nan)
    """
    sizes = np.bincount(strata, minlength=len(STRATA))
    drawn = np.bincount(strata[checked], minlength=len(STRATA))
    weight = np.divide(sizes, drawn, out=np.zeros(len(sizes)), where=drawn > 0)[strata[checked]]
    has, counts = np.nan_to_num(answer[checked]), ~np.isnan(answer[checked])
    total = float(weight @ counts)
    if total == 0 or np.any((sizes > 0) & (drawn == 0)):
        return DoubleSampleEstimate(nan, nan, nan)
    share = float(weight @ has) / total
    residuals = (has - share * counts) / total
    variance = share * (1 - share) * first_phase
    for place in np.flatnonzero((sizes > 0) & (drawn < sizes)):
        either = np.append(residuals[strata[checked] == place], [-share / total, (1 - share) / total])
        variance += sizes[place] * (sizes[place] - drawn[place]) / drawn[place] * float(np.var(either, ddof=1))
    wide = WIDE * sqrt(variance)
    return DoubleSampleEstimate(share, max(0.0, share - wide), min(1.0, share + wide))


class Corrected(NamedTuple):
    """What an assessor or (with no name) a policy says about documents, and what is estimated to be true."""

    assessor: str
    documents: int
    labelled: int  # as relevant
    relevant: DoubleSampleEstimate  # the share of what can be judged
    agreement: DoubleSampleEstimate  # the share of their labels that are right: relevant or not


@dataclass(frozen=True, eq=False)
class Phases:
    """The documents with two labels or more; all arrays are (documents,).

    `truth` is 1 where the adjudicator says relevant, 0 where not, NaN where it cannot be judged or is not `checked`.
    """

    documents: Sequence[Dispute]
    strata: Ints
    drawn: Mask
    checked: Mask
    truth: Floats
    rel: int

    def of(self, rows: Mask) -> Phases:
        """Only these documents."""
        kept = [document for document, row in zip(self.documents, rows, strict=True) if row]
        arrays = {name: getattr(self, name)[rows] for name in ("strata", "drawn", "checked", "truth")}
        return replace(self, documents=kept, **arrays)

    def relevant(self, first_phase: float = 0.0) -> DoubleSampleEstimate:
        """The share of relevant documents."""
        return double_sampled(self.truth, self.checked, self.strata, first_phase)

    def corrected(self, name: str, labels: Mapping[Pair, int]) -> Corrected:
        """What labels say about the documents they are of, and what is true of these."""
        own = self.of(np.array([document.pair in labels for document in self.documents], bool))
        said = np.array([labels[document.pair] >= self.rel for document in own.documents], bool)
        right = np.where(np.isnan(own.truth), np.nan, said == own.truth)
        agreement = double_sampled(right, own.checked, own.strata)
        return Corrected(name, len(said), int(said.sum()), own.relevant(), agreement)

    def by_assessor(self) -> list[Corrected]:
        """One row per assessor, by name."""
        labels: dict[str, dict[Pair, int]] = {}
        for document in self.documents:
            for vote in document.votes:
                labels.setdefault(vote.assessor, {})[document.pair] = vote.grade or 0
        return [self.corrected(name, labels[name]) for name in sorted(labels)]

    def strata_rows(self) -> list[dict[str, Any]]:
        """One row per stratum: how many documents, how many drawn and adjudicated, and the outcome."""
        rows = []
        for place, name in enumerate(STRATA):
            here = self.strata == place
            checked = here & self.checked
            numbers = (here, here & self.drawn, checked, checked & (self.truth == 1), checked & np.isnan(self.truth))
            keys = ("documents", "drawn", "adjudicated", "relevant", "cannot_judge")
            rows.append({"called_relevant_by": name} | dict(zip(keys, (int(it.sum()) for it in numbers), strict=True)))
        return rows


def phases(several: Sequence[Dispute], drawn: Collection[Pair], settled: Mapping[Pair, int | None], rel: int) -> Phases:
    """Both phases: all documents with two labels, those drawn, and all adjudications (None: cannot be judged)."""
    chosen = np.array([document.pair in drawn for document in several], bool)
    known = np.array([document.pair in settled for document in several], bool)
    grades = [settled.get(document.pair) for document in several]
    truth = np.array([nan if grade is None else float(grade >= rel) for grade in grades])
    strata = np.array([stratum(document, rel) for document in several], np.int64)
    return Phases(several, strata, chosen, chosen & known, np.where(chosen, truth, nan), rel)
