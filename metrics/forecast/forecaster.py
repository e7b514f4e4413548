"""The forecaster: a model of what unjudged documents of a new run are worth, fitted to the pooled runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Names, Qrels, Runs
from cranfield.metrics.forecast.model import (
    MAX_TESTED_SHARE,
    MIN_SHIFT_SD,
    UNTESTED_SHIFT_SD,
    LogisticModel,
    fit_logistic,
    shift_spread,
)
from cranfield.metrics.forecast.pairs import (
    RankedRows,
    find_keys,
    joint_vocabulary,
    judged_pairs,
    lowest_relevant_grade,
    rank_features,
    rank_matrix,
)
from cranfield.metrics.forecast.training import (
    PoolArrays,
    Rebuild,
    make_splits,
    new_run_features,
    sum_parts,
    topic_shares,
    training_rows,
)

MIN_PAIRS, MIN_RELEVANT = 30, 10  # distinct training pairs, and relevant ones among them
MAX_UNEXPLAINED = 1 / 3  # share of judged documents that the pooled runs do not have within the depth
MIN_DEPTH = 10
MIN_POOLED_RUNS = 3  # of two, features by run have two values; intervals held in 79 to 94% of 48 pools to a depth
NO_POOLED_RUNS = f"no pooled runs were given; expected at least {MIN_POOLED_RUNS}"
PAIRS_NOT_TESTED = "the rule for differences was tested only on pools with a fixed depth"


@dataclass(frozen=True, eq=False)
class Forecaster:
    """A fitted model with the values that it was made from.

    Parameters
    ----------
    runs : Runs
        The pooled runs.
    qrels : Qrels
        The judgments.
    depth : int
        The pool depth d: only documents in the first d of a new run are forecast.
    rel : float
        The lowest grade that is drawn as relevant.
    model : LogisticModel or None
        The model; None where it cannot be fitted.
    spread : float
        Tau, the standard deviation of left-out runs' shifts of the log odds.
    n_pairs, n_relevant : int
        Distinct training pairs, and relevant ones among them.
    reasons : tuple of str
        Why no model can be fitted; empty where there is one.
    pool : PoolArrays
        The arrays of the pooled runs.
    """

    runs: Runs
    qrels: Qrels
    depth: int
    rel: float
    model: LogisticModel | None
    spread: float
    n_pairs: int
    n_relevant: int
    reasons: tuple[str, ...]
    pool: PoolArrays = field(repr=False)


@dataclass(frozen=True, eq=False)
class UnjudgedPairs:
    """Unjudged documents within the depth of runs, each with its probability of relevance.

    Rows are ordered by run, topic and rank. A pair (topic, document) that several runs share has a row for each run.

    Parameters
    ----------
    tags, qids : tuple of str
        The runs and the judged topics.
    run, topic, rank : array (rows,)
        The run, the topic and the rank of each row.
    docno : array of str (rows,)
        The document of each row.
    pair : array (rows,)
        The number of the row's pair, in the order in which pairs first occur.
    probability : array (rows,)
        The probability of relevance before the run's shift; NaN where no model was fitted.
    share : array (runs,)
        The unjudged share of the documents that each run retrieved within the depth.
    spread : array (runs,)
        The standard deviation of each run's shift.
    """

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    run: Ints
    topic: Ints
    rank: Ints
    docno: Names
    pair: Ints
    probability: Floats
    share: Floats
    spread: Floats

    @property
    def n_pairs(self) -> int:
        """The number of distinct pairs."""
        return int(self.pair.max(initial=-1)) + 1

    @property
    def first_row(self) -> Ints:
        """The first row of each pair."""
        return np.unique(self.pair, return_index=True)[1]

    @property
    def place_by_name(self) -> Ints:
        """The place of each pair in the order of topic and document names."""
        first = self.first_row
        qids = np.array(self.qids, object)[self.topic[first]]
        names = sorted(range(len(first)), key=lambda pair: (qids[pair], self.docno[first[pair]]))
        place = np.empty(len(first), np.int64)
        place[names] = np.arange(len(first))
        return place


def fit_forecaster(
    runs: Runs,
    qrels: Qrels,
    depth: int,
    *,
    kinds: Mapping[str, str] | None = None,
    rebuild: Rebuild | None = None,
    rel: float = 1,
    seed: int = 0,
) -> Forecaster:
    """Fit the model of relevance outside the pool to the pooled runs.

    Parameters
    ----------
    runs : Runs
        The pooled runs, each as deep as it was submitted.
    qrels : Qrels
        The judgments.
    depth : int
        The pool depth; for a pool of another method, `infer_forecast_depth` infers it.
    kinds : mapping, optional
        The kind or team of each run; a kind of two runs or more is left out as one.
    rebuild : callable, optional
        `rebuild(kept_tags)` returns a mask over the rows of `qrels`: the judgments that the pool of these runs would
        hold. By default, the documents in the first `depth` of any kept run.
    rel : float, default 1
        The lowest relevant grade; of fractional grades, the lowest one above 0 is drawn as relevant.
    seed : int, default 0
        The seed of the random splits.

    Returns
    -------
    Forecaster
        The model, or the reasons why it cannot be fitted.

    Examples
    --------
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 1.0}}})
    >>> fit_forecaster(runs, as_qrels({"1": {"x": 1, "y": 0}}), 10).reasons[:2]
    ('2 pooled runs; expected at least 3', '1 training pair; expected at least 30')
    """
    runs, rel = runs.loaded, lowest_relevant_grade(qrels, rel)
    pool = _pool_arrays(runs, qrels, depth, kinds=kinds or {}, rebuild=rebuild, rel=rel, seed=seed)
    reasons = _qrels_reasons(qrels) or _pool_reasons(pool)
    rows = training_rows(pool, seed) if len(pool.tags) > 1 else None
    found = np.unique(rows.pair) if rows else np.zeros(0, np.int64)
    n_pairs, n_relevant = len(found), int(pool.pairs.relevant[found].sum())
    if len(pool.tags) > 1:
        if n_pairs < MIN_PAIRS:
            reasons.append(f"{_number_with_noun(n_pairs, 'training pair')}; expected at least {MIN_PAIRS}")
        if n_relevant < MIN_RELEVANT:
            reasons.append(
                f"{_number_with_noun(n_relevant, 'relevant training pair')}; expected at least {MIN_RELEVANT}"
            )
    model, spread = None, np.nan
    if rows and not reasons:
        model = fit_logistic(rows.features, rows.labels, rows.weights)
        spread = shift_spread(rows.labels, model.probabilities(rows.features), rows.unit)
    return Forecaster(runs, qrels, depth, rel, model, float(spread), n_pairs, n_relevant, tuple(reasons), pool)


def infer_forecast_depth(runs: Runs, qrels: Qrels) -> int:
    """Infer d for a pool of another method than depth.

    Parameters
    ----------
    runs : Runs
        The pooled runs.
    qrels : Qrels
        The judgments of the pool.

    Returns
    -------
    int
        The largest rank at which half of the pooled runs' documents are judged, at least 10.
    """
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    pairs = judged_pairs(qrels, docnos, places, 1)
    rows = pairs.rows_of(runs.loaded, None, np.arange(len(runs.tags)))
    rank_counts = np.bincount(rows.rank)
    judged = np.bincount(rows.rank[rows.pair >= 0], minlength=len(rank_counts))
    enough = np.flatnonzero((judged * 2 >= rank_counts) & (rank_counts > 0))
    return max(int(enough.max(initial=0)), MIN_DEPTH)


def unjudged_pairs(forecaster: Forecaster, runs: Runs) -> UnjudgedPairs:
    """Return the unjudged documents within the depth of runs, with their probabilities of relevance.

    Parameters
    ----------
    forecaster : Forecaster
        The fitted model.
    runs : Runs
        The runs in question. Where one of them is a pooled run, its own ranks are not a feature.

    Returns
    -------
    UnjudgedPairs
        One row for each run and unjudged document.
    """
    runs, pool, pairs = runs.loaded, forecaster.pool, forecaster.pool.pairs
    docnos, (places,) = joint_vocabulary(pairs.docnos, runs.docnos)
    rows = pairs.rows_of(runs, places, np.arange(len(runs.tags)))
    top = RankedRows(*(column[rows.rank <= forecaster.depth] for column in rows))
    run, topic, document, rank, pair = top
    retrieved = np.bincount(run, minlength=len(runs.tags))
    new = np.flatnonzero(pair < 0)
    share = np.bincount(run[new], minlength=len(runs.tags)) / np.maximum(retrieved, 1)
    keys, first, number = np.unique(
        topic[new] * len(docnos.names) + document[new], return_index=True, return_inverse=True
    )
    place = np.argsort(np.argsort(first))  # pairs in the order in which they first occur
    if forecaster.model is None:
        probability, spread = np.full(len(new), np.nan), np.full(len(runs.tags), np.nan)
    else:
        features = _new_features(forecaster, runs.tags, top)
        ranked = _pooled_ranks(forecaster, keys, len(docnos.names))
        features_of_rank = np.zeros((len(new), 3))
        for tag, mine in ((tag, run[new] == number) for number, tag in enumerate(runs.tags)):
            features_of_rank[mine] = rank_features(ranked[number[mine]], _mask_without_run(pool, tag))
        probability = forecaster.model.probabilities(np.c_[features[:, :1], features_of_rank, features[:, 1:]])
        usual = np.hypot(forecaster.spread, MIN_SHIFT_SD)
        spread = np.where(share > MAX_TESTED_SHARE, max(usual, UNTESTED_SHIFT_SD), usual)
    return UnjudgedPairs(
        runs.tags, pairs.qids, run[new], topic[new], rank[new], docnos.names[document[new]], place[number],
        probability, share, spread,
    )  # fmt: skip


def _number_with_noun(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _mask_without_run(pool: PoolArrays, tag: str) -> Mask:
    return np.array([name != tag for name in pool.tags])


def _new_features(forecaster: Forecaster, tags: tuple[str, ...], top: RankedRows) -> Floats:
    pool, pairs, n_topics = forecaster.pool, forecaster.pool.pairs, len(forecaster.pool.pairs.qids)
    n_pooled = np.bincount(pool.top.run[pool.top.pair >= 0], minlength=len(pool.tags))
    is_relevant = np.append(pairs.relevant, False)
    hits = np.bincount(pool.top.run[is_relevant[pool.top.pair]], minlength=len(pool.tags))
    run, topic, _, rank, pair = top
    precision, key, shape = hits / np.maximum(n_pooled, 1), run * n_topics + topic, (len(tags), n_topics)
    inside = np.bincount(key[pair >= 0], minlength=len(tags) * n_topics).reshape(shape)
    relevant = np.bincount(key[is_relevant[pair]], minlength=len(tags) * n_topics).reshape(shape)
    size = np.bincount(pairs.topic, minlength=n_topics)
    new = pair < 0
    return new_run_features(
        run[new], topic[new], rank[new], inside=inside, relevant=relevant,
        retrieved=np.bincount(run, minlength=len(tags)),
        base=topic_shares(np.bincount(pairs.topic[pairs.relevant], minlength=n_topics), size),
        kept_precision=np.array([precision[_mask_without_run(pool, tag)].mean() for tag in tags]),
    )  # fmt: skip


def _pooled_ranks(
    forecaster: Forecaster, keys: Ints, n_documents: int
) -> np.ndarray[tuple[int, int], np.dtype[np.int16]]:
    pool, pairs = forecaster.pool, forecaster.pool.pairs
    rows = pairs.rows_of(forecaster.runs, None, _alphabetical_places(forecaster.runs.tags))
    wanted = find_keys(rows.topic * n_documents + rows.document, keys, len(pairs.qids) * n_documents)
    return rank_matrix(rows, wanted, len(keys), len(pool.tags))


def _alphabetical_places(tags: tuple[str, ...]) -> Ints:
    order = np.empty(len(tags), np.int64)
    order[sorted(range(len(tags)), key=tags.__getitem__)] = np.arange(len(tags))
    return order


def _pool_arrays(
    runs: Runs, qrels: Qrels, depth: int, *, kinds: Mapping[str, str], rebuild: Rebuild | None, rel: float, seed: int
) -> PoolArrays:
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    pairs = judged_pairs(qrels, docnos, places, rel)
    rows = pairs.rows_of(runs, None, _alphabetical_places(runs.tags), depth)
    tags, ranks = tuple(sorted(runs.tags)), rank_matrix(rows, rows.pair, len(pairs.topic), len(runs.tags))
    top = type(rows)(*(column[rows.rank <= depth] for column in rows))
    splits = tuple(make_splits(tags, kinds, np.random.default_rng(seed))) if len(tags) > 1 else ()
    kept = np.array([split.kept for split in splits]).reshape(len(splits), len(tags))
    again = None if rebuild is None else np.array([rebuild(_select_tags(tags, stays)) for stays in kept], bool)
    parts = None if again is None else again.reshape(len(splits), len(qrels))  # also of one run, which has no split
    pools, sums = sum_parts(pairs, ranks <= depth, kept, None if parts is None else parts[:, pairs.row])
    return PoolArrays(tags, pairs, top, ranks, depth, splits, pools, sums)


def _select_tags(tags: tuple[str, ...], keep: Mask) -> list[str]:
    return [tag for tag, stays in zip(tags, keep, strict=True) if stays]


def _qrels_reasons(qrels: Qrels) -> list[str]:
    if qrels.subtopics is not None:
        return ["the judgments are by subtopic; expected one grade for each document"]
    if qrels.stratum is not None:
        return ["the judgments are a stratified sample; expected judgments of all pooled documents"]
    return []


def _pool_reasons(pool: PoolArrays) -> list[str]:
    reasons = list[str]()
    if len(pool.tags) < MIN_POOLED_RUNS:
        reasons.append(f"{_number_with_noun(len(pool.tags), 'pooled run')}; expected at least {MIN_POOLED_RUNS}")
        return reasons
    if not len(pool.pairs.topic):
        return ["no judgments; expected the judgments of the pool"]
    if pool.pairs.relevant.all():
        reasons.append("the judgments list only relevant documents; expected documents judged not relevant")
    unexplained = float(np.mean(~(pool.ranks <= pool.depth).any(axis=1)))
    if unexplained > MAX_UNEXPLAINED:
        reasons.append(
            f"{unexplained:.0%} of the judged documents are not in the first {pool.depth} of any pooled run; "
            f"expected at most {MAX_UNEXPLAINED:.0%}"
        )
    return reasons
