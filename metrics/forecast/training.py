"""Training rows: documents that left-out runs found outside the pool that the kept runs would have made."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.metrics.forecast.pairs import JudgedPairs, RankedRows, rank_features

N_PARTS = 60  # random splits, besides each run and each kind
MAX_ROWS = 150_000  # above this only some left-out runs of the random splits give rows
SHRINK = 2.0  # documents by which a topic's precision is shrunk towards the run's own
FEATURES = (
    "log rank", "log best rank in kept runs", "fusion score in kept runs",
    "share of kept runs with it in their first 100",
    "logit of the run's precision on the topic", "logit of the topic's relevant share",
    "logit of precision minus the logit for kept runs", "unjudged share",
)  # fmt: skip

Rebuild = Callable[[Sequence[str]], Mask]
"""A function from kept runs to the qrels' rows that the pool of these runs would hold."""


class Split(NamedTuple):
    """Masks over the pooled runs: those that stay in the pool, and those left out."""

    kept: Mask
    left: Mask


class TrainingRows(NamedTuple):
    """Features (rows, 8), labels and weights; the unit (a run left out in a split) and the pair of each row."""

    features: Floats
    labels: Floats
    weights: Floats
    unit: Ints
    pair: Ints


class PartSums(NamedTuple):
    """What each split's pool holds: per run within the depth (splits, runs, topics), and in all (splits, topics)."""

    inside: NDArray[np.int32]
    relevant_inside: NDArray[np.int32]
    size: NDArray[np.int32]
    relevant: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PoolArrays:
    """The pooled runs over the judged pairs, and the pool that each split would have made."""

    tags: tuple[str, ...]
    pairs: JudgedPairs
    top: RankedRows  # within the depth
    ranks: NDArray[np.int16]  # (pairs, runs)
    depth: int
    splits: tuple[Split, ...]
    parts: Mask  # (splits, pairs)
    sums: PartSums


def logit(share: Floats) -> Floats:
    """Return the log odds of shares, clipped to 0.003 and 0.99."""
    clipped = np.clip(share, 0.003, 0.99)
    return np.asarray(np.log(clipped / (1 - clipped)))


def make_splits(tags: Sequence[str], kinds: Mapping[str, str], generator: np.random.Generator) -> Iterator[Split]:
    """Yield the splits: without each run, without each kind of two runs or more, and 60 random parts.

    Parameters
    ----------
    tags : sequence of str
        The pooled runs, ascending.
    kinds : mapping
        The kind or team of each run; a run that it lacks belongs to no kind.
    generator : numpy.random.Generator
        What draws the random parts.

    Yields
    ------
    Split
        The kept and the left-out runs.

    Examples
    --------
    >>> splits = list(make_splits(["a", "b", "c"], {"a": "x", "b": "x"}, np.random.default_rng(0)))
    >>> len(splits), splits[3].left.tolist()
    (64, [True, True, False])
    """
    number = len(tags)
    for run in range(number):
        left = np.arange(number) == run
        yield Split(~left, left)
    for kind in sorted(set(kinds.values())):
        left = np.array([kinds.get(tag) == kind for tag in tags])
        if left.sum() > 1 and not left.all():
            yield Split(~left, left)
    for _ in range(N_PARTS):
        chosen = generator.choice(number, int(generator.integers(1, max(2, number - 1))), replace=False)
        kept = np.isin(np.arange(number), chosen)
        yield Split(kept, ~kept)


def training_rows(pool: PoolArrays, seed: int = 0) -> TrainingRows:
    """Return the training rows of all splits.

    Parameters
    ----------
    pool : PoolArrays
        The pooled runs, splits and rebuilt pools.
    seed : int
        Which left-out runs give rows where all of them would give more than 150,000.

    Returns
    -------
    TrainingRows
        One row for each document that a left-out run has within the depth, judged and outside the rebuilt pool.
    """
    starts = np.searchsorted(pool.top.run, np.arange(len(pool.tags) + 1))
    judged = np.bincount(pool.top.run[pool.top.pair >= 0], minlength=len(pool.tags))
    units = _choose_units(pool, judged - pool.sums.inside.sum(axis=2), seed)
    blocks = [_split_rows(pool, number, chosen, starts) for number, chosen in enumerate(units)]
    offsets = np.cumsum([0, *(int(chosen.sum()) for chosen in units)])
    unit = np.concatenate([block.unit + offset for block, offset in zip(blocks, offsets, strict=False)])
    features, labels, weights, pair = (np.concatenate([block[column] for block in blocks]) for column in (0, 1, 2, 4))
    times = np.bincount(pair, minlength=len(pool.pairs.topic))
    return TrainingRows(features, labels, weights / np.sqrt(times[pair]), unit, pair)


def sum_parts(pairs: JudgedPairs, within: Mask, kept: Mask, parts: Mask | None) -> tuple[Mask, PartSums]:
    """Return the pool of each split and what it holds, topic by topic.

    Parameters
    ----------
    pairs : JudgedPairs
        The judged pairs.
    within : array of bool (pairs, runs)
        Whether each run has the pair within the depth.
    kept : array of bool (splits, runs)
        The runs that stay.
    parts : array of bool (splits, pairs) or None
        The pool of each split; None where it is what the kept runs have within the depth.

    Returns
    -------
    tuple of an array of bool (splits, pairs) and PartSums
        The pools and their sums.
    """
    n_topics, stays = len(pairs.qids), kept.astype(np.float32)
    pools = np.empty((len(kept), len(within)), bool) if parts is None else parts
    shapes = ((len(kept), within.shape[1], n_topics),) * 2 + ((len(kept), n_topics),) * 2
    sums = PartSums(*(np.zeros(shape, np.int32) for shape in shapes))
    ends = np.searchsorted(pairs.topic, np.arange(n_topics + 1))
    for topic, (start, end) in enumerate(itertools.pairwise(ends)):
        has = within[start:end].astype(np.float32)
        if parts is None:
            pools[:, start:end] = stays @ has.T > 0
        pool, relevant = pools[:, start:end].astype(np.float32), pairs.relevant[start:end]
        sums.inside[:, :, topic] = pool @ has
        sums.relevant_inside[:, :, topic] = pool[:, relevant] @ has[relevant]
        sums.size[:, topic] = pool.sum(axis=1)
        sums.relevant[:, topic] = pool[:, relevant].sum(axis=1)
    return pools, sums


def _choose_units(pool: PoolArrays, outside: Ints, seed: int) -> list[Mask]:
    rows = np.array([counts[split.left].sum() for counts, split in zip(outside, pool.splits, strict=True)])
    is_random = np.arange(len(rows)) >= len(rows) - N_PARTS
    share = (MAX_ROWS - rows[~is_random].sum()) / max(rows[is_random].sum(), 1)
    if share >= 1:
        return [split.left for split in pool.splits]
    generator = np.random.default_rng([seed, 1])
    chosen = [split.left & (generator.random(len(pool.tags)) < max(share, 0.02)) for split in pool.splits]
    return [some if drawn else split.left for some, drawn, split in zip(chosen, is_random, pool.splits, strict=True)]


def _split_rows(pool: PoolArrays, number: int, left: Mask, starts: Ints) -> TrainingRows:
    pairs, top, kept, part, sums = pool.pairs, pool.top, pool.splits[number].kept, pool.parts[number], pool.sums
    runs = np.flatnonzero(left)
    rows = np.concatenate([np.arange(starts[run], starts[run + 1]) for run in runs]) if len(runs) else runs
    pair = top.pair[rows]
    keep = (pair >= 0) & ~part[pair]
    unit, rows, pair = np.repeat(np.arange(len(runs)), np.diff(starts)[runs])[keep], rows[keep], pair[keep]
    inside, hits = sums.inside[number], sums.relevant_inside[number]
    kept_precision = np.mean(hits[kept].sum(axis=1) / np.maximum(inside[kept].sum(axis=1), 1))
    new = new_run_features(
        unit, top.topic[rows], top.rank[rows], inside=inside[runs], relevant=hits[runs],
        retrieved=np.diff(starts)[runs], base=topic_shares(sums.relevant[number], sums.size[number]),
        kept_precision=np.full(len(runs), kept_precision),
    )  # fmt: skip
    outside, place = np.unique(pair, return_inverse=True)
    features = np.c_[new[:, :1], rank_features(pool.ranks[outside], kept)[place], new[:, 1:]]
    weight = 1.5 * (kept.sum() / len(pool.tags)) ** 2
    return TrainingRows(features, pairs.relevant[pair].astype(float), np.full(len(pair), weight), unit, pair)


def topic_shares(relevant: NDArray[np.int32] | Ints, size: NDArray[np.int32] | Ints) -> Floats:
    """Return the share of relevant documents in a pool, per topic."""
    return np.asarray((relevant + 0.5) / (size + 1))


def new_run_features(
    unit: Ints,
    topic: Ints,
    rank: Ints,
    *,
    inside: NDArray[np.int32] | Ints,
    relevant: NDArray[np.int32] | Ints,
    retrieved: Ints,
    base: Floats,
    kept_precision: Floats,
) -> Floats:
    """Return the features that do not come from the ranks in kept runs, for each document outside the pool.

    Parameters
    ----------
    unit, topic, rank : array (rows,)
        The left-out or new run, the topic and the rank of each document.
    inside, relevant : array (units, topics)
        How many documents within the depth the pool holds, and how many of these are relevant.
    retrieved : array (units,)
        The documents that each unit retrieved within the depth.
    base : array (topics,)
        The share of relevant documents in the pool of each topic.
    kept_precision : array (units,)
        The mean precision of the kept runs among their documents in the pool.

    Returns
    -------
    array (rows, 5)
        Log rank, precision on the topic, topic share, precision against kept runs, unjudged share.
    """
    total, hits = inside.sum(axis=1), relevant.sum(axis=1)
    share = 1 - total / np.maximum(retrieved, 1)
    prior = SHRINK * hits / np.maximum(total, 1)
    precision = (relevant + prior[:, None]) / (inside + SHRINK)
    against = logit((hits + 1) / (total + 2)) - logit(kept_precision)
    columns = np.log(rank), logit(precision)[unit, topic], logit(base)[topic], against[unit], share[unit]
    return np.stack(columns, axis=1)
