"""A random sample of what several people judged, to be adjudicated, and what it says about all: double sampling."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.judging.adjudication.cases import Dispute
from cranfield.judging.labels.pairs import Pair, PairLabels
from cranfield.judging.session.order import sort_by_hash
from cranfield.store.log import read_events
from cranfield.store.store import Store

STRATA = ("nobody", "some", "everybody")  # of the assessors called it relevant
LEAST = 2  # from each stratum, so that there is a variance
SAMPLE = "sample "


def disputes_with_two_labels(by_pair: Mapping[tuple[str, str], PairLabels]) -> list[Dispute]:
    """The pairs with two labels or more, whether they differ or not."""
    several = (Dispute(pair, tuple(ballot.votes)) for pair, ballot in by_pair.items())
    return [dispute for dispute in several if len(dispute.votes) > 1]


def stratum_index(dispute: Dispute, rel: int) -> int:
    """The index in STRATA of a pair; `rel` is the lowest relevant grade."""
    relevant = sum(vote.grade is not None and vote.grade >= rel for vote in dispute.votes)
    return 0 if not relevant else 2 if relevant == len(dispute.votes) else 1


def allocate_draws(sizes: Sequence[int], number: int) -> list[int]:
    """How many of `number` documents to draw from strata of these sizes.

    In proportion to the square roots of the sizes, so small strata get more than their share, as is optimal where they
    vary more; and they do: a document that nobody called relevant hardly ever is. At least two from each, or all of it.
    A larger sample includes all of a smaller one. Source: Bankier, Power allocations, The American Statistician 42,
    1988 (with the power 1/2).

    >>> allocate_draws([900, 81, 19], 60), allocate_draws([900, 81, 1], 6), allocate_draws([3, 1, 0], 60)
    ([42, 12, 6], [3, 2, 1], [3, 1, 0])
    """
    sizes_drawn = [min(LEAST, size) for size in sizes]
    while sum(sizes_drawn) < min(number, sum(sizes)):
        room = [place for place, size in enumerate(sizes) if sizes_drawn[place] < size]
        sizes_drawn[max(room, key=lambda place: sqrt(sizes[place]) / (sizes_drawn[place] + 0.5))] += 1
    return sizes_drawn


def draw_sample(several: Sequence[Dispute], number: int, seed: int, rel: int) -> list[Dispute]:
    """A stratified random sample, in random order; the same for the same documents, labels, number and seed."""
    by_name = {"\t".join(dispute.pair): dispute for dispute in several}
    order = [by_name[name] for name in sort_by_hash(by_name, "adjudicate", seed)]
    strata = [[dispute for dispute in order if stratum_index(dispute, rel) == place] for place in range(len(STRATA))]
    sizes = allocate_draws([len(documents) for documents in strata], number)
    names = [
        "\t".join(dispute.pair) for documents, size in zip(strata, sizes, strict=True) for dispute in documents[:size]
    ]
    return [by_name[name] for name in sort_by_hash(names, "show", seed)]


def sample_policy_name(number: int) -> str:
    """The order policy in the events of a sample.

    >>> sample_policy_name(60)
    'sample 60'
    """
    return f"{SAMPLE}{number}"


def adjudicated_number_and_seed(store: Store) -> tuple[int, int]:
    """The number and the seed of the sample that was adjudicated; an error if there was none, or more than one."""
    orders = {(event.order_policy, event.order_seed or 0) for event in read_events(store)}
    samples = sorted((int(policy.removeprefix(SAMPLE)), seed) for policy, seed in orders if policy.startswith(SAMPLE))
    if not samples:
        raise InputError("no sample has been adjudicated in this store; draw a sample with --sample N --assessor NAME")
    if len(samples) > 1:
        options = ", ".join(f"--sample {number} --seed {seed}" for number, seed in samples)
        raise InputError(f"several samples; choose one with {options}")
    return samples[0]


WIDE = NormalDist().inv_cdf(0.975)


class DoubleSampleEstimate(NamedTuple):
    """A share with its 95 % interval; NaN where nothing in a stratum is adjudicated."""

    value: float
    low: float
    high: float


def estimate_double_sample(
    answer: Floats, checked: Mask, strata: Ints, first_phase: float = 0.0
) -> DoubleSampleEstimate:
    """The share of documents for which the answer is 1, of those that can be judged.

    `answer` is 1, 0, or NaN for a document that cannot be judged; it is read where `checked`. `first_phase` is 1 / n' -
    1 / N where the documents are themselves a sample.

    >>> four = np.array([1.0, 0.0, 1.0, 1.0])
    >>> estimate_double_sample(four, np.ones(4, bool), np.array([0, 0, 1, 1]))
    DoubleSampleEstimate(value=0.75, low=0.75, high=0.75)
    >>> estimate = estimate_double_sample(four, np.array([True, False, True, False]), np.array([0, 0, 1, 1]))
    >>> estimate.value, round(estimate.low, 2), estimate.high
    (1.0, 0.43, 1.0)
    >>> estimate_double_sample(four, np.array([True, True, False, False]), np.array([0, 0, 1, 1]))
    DoubleSampleEstimate(value=nan, low=nan, high=nan)
    """
    sizes = np.bincount(strata, minlength=len(STRATA))
    samples = np.bincount(strata[checked], minlength=len(STRATA))
    weight = np.divide(sizes, samples, out=np.zeros(len(sizes)), where=samples > 0)[strata[checked]]
    has, counts = np.nan_to_num(answer[checked]), ~np.isnan(answer[checked])
    total = float(weight @ counts)
    if total == 0 or np.any((sizes > 0) & (samples == 0)):
        return DoubleSampleEstimate(nan, nan, nan)
    share = float(weight @ has) / total
    residuals = (has - share * counts) / total
    variance = share * (1 - share) * first_phase
    for place in np.flatnonzero((sizes > 0) & (samples < sizes)):
        either = np.append(residuals[strata[checked] == place], [-share / total, (1 - share) / total])
        variance += sizes[place] * (sizes[place] - samples[place]) / samples[place] * float(np.var(either, ddof=1))
    wide = WIDE * sqrt(variance)
    return DoubleSampleEstimate(share, max(0.0, share - wide), min(1.0, share + wide))


class CorrectedShares(NamedTuple):
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

    def select_rows(self, rows: Mask) -> Phases:
        """Only these documents."""
        documents = [document for document, row in zip(self.documents, rows, strict=True) if row]
        arrays = {name: getattr(self, name)[rows] for name in ("strata", "drawn", "checked", "truth")}
        return replace(self, documents=documents, **arrays)

    def relevant(self, first_phase: float = 0.0) -> DoubleSampleEstimate:
        """The share of relevant documents."""
        return estimate_double_sample(self.truth, self.checked, self.strata, first_phase)

    def correction(self, name: str, labels: Mapping[Pair, int]) -> CorrectedShares:
        """What labels say about the documents they are of, and what is true of these."""
        own = self.select_rows(np.array([document.pair in labels for document in self.documents], bool))
        relevant = np.array([labels[document.pair] >= self.rel for document in own.documents], bool)
        right = np.where(np.isnan(own.truth), np.nan, relevant == own.truth)
        agreement = estimate_double_sample(right, own.checked, own.strata)
        return CorrectedShares(name, len(relevant), int(relevant.sum()), own.relevant(), agreement)

    def share_by_assessor(self) -> list[CorrectedShares]:
        """One row per assessor, by name."""
        labels: dict[str, dict[Pair, int]] = {}
        for document in self.documents:
            for vote in document.votes:
                labels.setdefault(vote.assessor, {})[document.pair] = vote.grade or 0
        return [self.correction(name, labels[name]) for name in sorted(labels)]

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


def split_into_phases(
    several: Sequence[Dispute], draw: Collection[Pair], verdicts: Mapping[Pair, int | None], rel: int
) -> Phases:
    """Both phases: all documents with two labels, those drawn, and all adjudications (None: cannot be judged)."""
    sample = np.array([document.pair in draw for document in several], bool)
    answers = np.array([document.pair in verdicts for document in several], bool)
    grades = [verdicts.get(document.pair) for document in several]
    truth = np.array([nan if grade is None else float(grade >= rel) for grade in grades])
    strata = np.array([stratum_index(document, rel) for document in several], np.int64)
    return Phases(several, strata, sample, checked=sample & answers, truth=np.where(sample, truth, nan), rel=rel)
