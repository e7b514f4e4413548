"""A random sample of the documents that several people judged, to be adjudicated: what double sampling needs.

What was adjudicated because it matters says nothing about the rest, and adjudicating only disagreements misses where
all were wrong together. So the sample is drawn from all documents with two labels or more, including those that agree,
in three strata: those that none, some, or all of their assessors called relevant. Within a stratum every document is
equally likely, and the order is random; so whatever was adjudicated when one stops is a random sample, too.

The size and the seed determine the sample, and every adjudication event of it records both (`order_policy` is "sample
60"): `adjudicated_sample` finds them in the log, `draw` gives the same sample again. Where labels have come since, or
other assessors are chosen, the sample is of these: still random, but some documents are open again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from cranfield.errors import InputError
from cranfield.judging.adjudication.disputes import Dispute
from cranfield.judging.labels.pairs import PairLabels
from cranfield.judging.session.order import by_hash
from cranfield.store.log import events
from cranfield.store.store import Store

STRATA = ("nobody", "some", "everybody")  # of the assessors called it relevant
LEAST = 2  # from each stratum, so that there is a variance
SAMPLE = "sample "


def double_judged(found: Mapping[tuple[str, str], PairLabels]) -> list[Dispute]:
    """The pairs with two labels or more, whether they differ or not."""
    several = (Dispute(pair, tuple(ballot.votes)) for pair, ballot in found.items())
    return [dispute for dispute in several if len(dispute.votes) > 1]


def stratum(dispute: Dispute, rel: int) -> int:
    """The index in STRATA of a pair; `rel` is the lowest relevant grade."""
    relevant = sum(vote.grade is not None and vote.grade >= rel for vote in dispute.votes)
    return 0 if not relevant else 2 if relevant == len(dispute.votes) else 1


def allocated(sizes: Sequence[int], number: int) -> list[int]:
    """How many of `number` documents to draw from strata of these sizes.

    In proportion to the square roots of the sizes, so small strata get more than their share, as is optimal where they
    vary more; and they do: a document that nobody called relevant hardly ever is. At least two from each, or all of it.
    A larger sample includes all of a smaller one. Source: Bankier, Power allocations, The American Statistician 42,
    1988 (with the power 1/2).

    >>> allocated([900, 81, 19], 60), allocated([900, 81, 1], 6), allocated([3, 1, 0], 60)
    ([42, 12, 6], [3, 2, 1], [3, 1, 0])
    """
    taken = [min(LEAST, size) for size in sizes]
    while sum(taken) < min(number, sum(sizes)):
        room = [place for place, size in enumerate(sizes) if taken[place] < size]
        taken[max(room, key=lambda place: sqrt(sizes[place]) / (taken[place] + 0.5))] += 1
    return taken


def draw(several: Sequence[Dispute], number: int, seed: int, rel: int) -> list[Dispute]:
    """A stratified random sample, in random order; the same for the same documents, labels, number and seed."""
    by_name = {"\t".join(dispute.pair): dispute for dispute in several}
    order = [by_name[name] for name in by_hash(by_name, "adjudicate", seed)]
    strata = [[dispute for dispute in order if stratum(dispute, rel) == place] for place in range(len(STRATA))]
    sizes = allocated([len(found) for found in strata], number)
    chosen = ["\t".join(dispute.pair) for found, size in zip(strata, sizes, strict=True) for dispute in found[:size]]
    return [by_name[name] for name in by_hash(chosen, "show", seed)]


def policy_of(number: int) -> str:
    """The order policy in the events of a sample.

    >>> policy_of(60)
    'sample 60'
    """
    return f"{SAMPLE}{number}"


def adjudicated_sample(store: Store) -> tuple[int, int]:
    """The number and the seed of the sample that was adjudicated; an error if there was none, or more than one."""
    found = {(event.order_policy, event.order_seed or 0) for event in events(store)}
    samples = sorted((int(policy.removeprefix(SAMPLE)), seed) for policy, seed in found if policy.startswith(SAMPLE))
    if not samples:
        raise InputError("no sample has been adjudicated here; --sample N --assessor NAME draws one")
    if len(samples) > 1:
        options = ", ".join(f"--sample {number} --seed {seed}" for number, seed in samples)
        raise InputError(f"there are several samples; choose one: {options}")
    return samples[0]
