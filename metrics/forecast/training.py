"""Training rows: documents that left-out runs found outside the pool that the kept runs would have made."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.metrics.forecast.pairs import JudgedPairs, RankedRows, rank_features

N_PARTS = 60  # random splits, besides each run and each kind
MAX_ROWS = 300_000  # above this only some left-out runs of the random splits give rows
SHRINK = 2.0  # documents by which a topic's precision is shrunk towards the run's own
FEATURES = (
    "log rank", "log best rank in kept runs", "fusion score in kept runs", "share of kept runs with it in their first 100",
    "logit of the run's precision on the topic", "logit of the topic's relevant share",
    "logit of precision minus that of kept runs", "unjudged share",
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


@dataclass(frozen=True, eq=False)
class PoolArrays:
    """The pooled runs over the judged pairs, and the pool that each split would have made."""

    tags: tuple[str, ...]
    pairs: JudgedPairs
    top: RankedRows  # within the depth
    ranks: NDArray[np.int16]  # (pairs, runs)
    depth: int
    splits: tuple[Split, ...]
    parts: tuple[Mask, ...]  # per split, over the pairs


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
        Which left-out runs give rows where all of them would give more than 300,000.

    Returns
    -------
    TrainingRows
        One row for each document that a left-out run has within the depth, judged and outside the rebuilt pool.
    """
    sums = [_run_sums(pool, part) for part in pool.parts]
    units = _choose_units(pool, [judged - inside for judged, inside, _ in sums], seed)
    blocks = [
        _split_rows(pool, split, part, units[number], sums[number])
        for number, (split, part) in enumerate(zip(pool.splits, pool.parts, strict=True))
    ]
    sizes = [int(chosen.sum()) for chosen in units]
    offsets = np.cumsum([0, *sizes])
    unit = np.concatenate([block.unit + offset for block, offset in zip(blocks, offsets, strict=False)])
    features, labels, weights, pair = (
        np.concatenate([block[column] for block in blocks]) for column in (0, 1, 2, 4)
    )
    times = np.bincount(pair, minlength=len(pool.pairs.topic))
    return TrainingRows(features, labels, weights / np.sqrt(times[pair]), unit, pair)


RunSums = tuple[Ints, Ints, Ints]  # per run: judged documents within the depth, those in the pool, relevant ones of these


def _run_sums(pool: PoolArrays, part: Mask) -> RunSums:
    inside, relevant = np.append(part, False), np.append(pool.pairs.relevant & part, False)
    number = len(pool.tags)
    ends = np.searchsorted(pool.top.run, np.arange(number + 1))
    columns = pool.top.pair >= 0, inside[pool.top.pair], relevant[pool.top.pair]
    totals = [np.append(0, np.cumsum(column))[ends] for column in columns]
    judged, in_pool, hits = (np.diff(total) for total in totals)
    return judged, in_pool, hits


def _choose_units(pool: PoolArrays, outside: Sequence[Ints], seed: int) -> list[Mask]:
    rows = np.array([counts[split.left].sum() for counts, split in zip(outside, pool.splits, strict=True)])
    is_random = np.arange(len(rows)) >= len(rows) - N_PARTS
    share = (MAX_ROWS - rows[~is_random].sum()) / max(rows[is_random].sum(), 1)
    if share >= 1:
        return [split.left for split in pool.splits]
    generator = np.random.default_rng([seed, 1])
    chosen = [split.left & (generator.random(len(pool.tags)) < max(share, 0.02)) for split in pool.splits]
    return [
        some if drawn else split.left for some, drawn, split in zip(chosen, is_random, pool.splits, strict=True)
    ]


def _split_rows(pool: PoolArrays, split: Split, part: Mask, left: Mask, sums: RunSums) -> TrainingRows:
    pairs, top, n_topics = pool.pairs, pool.top, len(pool.pairs.qids)
    _, in_pool, hits = sums
    kept_precision = float(np.mean(hits[split.kept] / np.maximum(in_pool[split.kept], 1)))
    starts = np.searchsorted(top.run, np.arange(len(pool.tags) + 1))
    runs = np.flatnonzero(left)
    rows = np.concatenate([np.arange(starts[run], starts[run + 1]) for run in runs]) if len(runs) else runs
    unit = np.repeat(np.arange(len(runs)), np.diff(starts)[runs])
    pair, topic = top.pair[rows], top.topic[rows]
    new = new_run_features(
        unit, topic, top.rank[rows], inside=np.append(part, False)[pair],
        relevant=np.append(pairs.relevant, False)[pair], n_topics=n_topics, n_units=len(runs),
        base=topic_shares(pairs, part), kept_precision=np.full(len(runs), kept_precision),
    )  # fmt: skip
    keep = np.flatnonzero((pair >= 0) & ~np.append(part, True)[pair])
    outside, place = np.unique(pair[keep], return_inverse=True)
    features = np.c_[new[keep, :1], rank_features(pool.ranks[outside], split.kept)[place], new[keep, 1:]]
    weight = 1.5 * (split.kept.sum() / len(pool.tags)) ** 2
    return TrainingRows(
        features, pairs.relevant[pair[keep]].astype(float), np.full(len(keep), weight), unit[keep], pair[keep]
    )


def topic_shares(pairs: JudgedPairs, part: Mask) -> Floats:
    """Return the share of relevant documents in a pool, per topic."""
    n_topics = len(pairs.qids)
    size = np.bincount(pairs.topic[part], minlength=n_topics)
    relevant = np.bincount(pairs.topic[part & pairs.relevant], minlength=n_topics)
    return np.asarray((relevant + 0.5) / (size + 1))


def new_run_features(
    unit: Ints,
    topic: Ints,
    rank: Ints,
    *,
    inside: Mask,
    relevant: Mask,
    n_topics: int,
    n_units: int,
    base: Floats,
    kept_precision: Floats,
) -> Floats:
    """Return the features that do not come from the ranks in kept runs, for each retrieved document.

    Parameters
    ----------
    unit, topic, rank : array (rows,)
        The left-out or new run, the topic and the rank of each document within the depth.
    inside, relevant : array of bool (rows,)
        Whether the pool holds the document, and whether it is relevant.
    n_topics, n_units : int
        The number of topics and of units.
    base : array (topics,)
        The share of relevant documents in the pool of each topic.
    kept_precision : array (units,)
        The mean precision of the kept runs among their documents in the pool.

    Returns
    -------
    array (rows, 5)
        Log rank, precision on the topic, topic share, precision against kept runs, unjudged share.
    """
    key, hit = unit * n_topics + topic, inside & relevant
    count = np.bincount(key[inside], minlength=n_units * n_topics).reshape(n_units, n_topics)
    hits = np.bincount(key[hit], minlength=n_units * n_topics).reshape(n_units, n_topics)
    total, total_hits = count.sum(axis=1), hits.sum(axis=1)
    retrieved = np.bincount(unit, minlength=n_units)
    share = 1 - total / np.maximum(retrieved, 1)
    prior = SHRINK * total_hits / np.maximum(total, 1)
    precision = (hits + prior[:, None]) / (count + SHRINK)
    against = logit((total_hits + 1) / (total + 2)) - logit(kept_precision)
    columns = np.log(rank), logit(precision).ravel()[key], logit(base)[topic], against[unit], share[unit]
    return np.stack(columns, axis=1)
