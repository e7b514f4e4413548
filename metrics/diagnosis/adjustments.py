"""What a run that was not pooled has lost: two published adjustments, and what runs like it lost."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs, is_judged
from cranfield.errors import InputError
from cranfield.metrics.diagnosis.unjudged import unjudged_ranks
from cranfield.metrics.evaluate import mean
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.leave_one_out import PoolEntry, pool_entries
from cranfield.metrics.reusability.results import Reusability, ScoreChange
from cranfield.text import counted

ROUNDING = 1e-12  # smaller sums of shares count as 0


def adjusted_precision(pooled: Runs, new: Runs, qrels: Qrels, cutoff: int, rel: int = 1) -> float:
    """The new run's adjusted P@n, n being the cutoff; both sets of runs number topics and documents alike.

        s, a, k     the shares of the new run's first n that are relevant, judged not relevant, unjudged: s + a + k = 1
        each pooled run is re-ordered: documents that the new run retrieved go to its rank there, others keep their own
        ds, da, dk  the means over pooled runs of what this changes in their shares
        adjusted P@n = s + k max(dk, 0)   if k (ds a - da s) > 0, else s

    A new run whose order brings pooled runs more relevant than non-relevant documents is credited for its own unjudged
    documents. For P@n only. It misleads where few runs were pooled, since the new order then says little; it never
    lowers a score.

    Source: Lipani, Lupu and Hanbury, Splitting water: precision and anti-precision to reduce pool bias, SIGIR 2015; The
    curious incidence of bias corrections in the pool, ECIR 2016; formula and ties as in LipaniEstimator.scala of
    PoolBiasEstimators (moved up before unmoved before moved down), without its rounding to single precision.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"new": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "old": {"q": {"b": 3.0, "a": 2.0, "x": 1.0}}})
    >>> qrels = as_qrels({"q": {"a": 1, "b": 0}})
    >>> adjusted_precision(runs.select(["old"]), runs.select(["new"]), qrels, 2)  # old in new order: x a b
    0.75
    """
    own = _shares(new, qrels, cutoff, rel)[0]
    unknown = 1 - own.sum()
    if unknown <= ROUNDING or not pooled.tags:
        return float(own[0])
    change = _shares(reorder(pooled, new), qrels, cutoff, rel) - _shares(pooled, qrels, cutoff, rel)
    relevant, other = change.mean(axis=0)
    if unknown * (relevant * own[1] - other * own[0]) <= ROUNDING:
        return float(own[0])
    return float(own[0] + unknown * max(-relevant - other, 0.0))


def _shares(runs: Runs, qrels: Qrels, cutoff: int, rel: int) -> Floats:
    """Per run: the mean shares of the first n that are relevant, and that are judged and not relevant."""
    judged = judge(runs, qrels)
    relevant = judged.sum(judged.relevant(rel, cutoff)) / cutoff
    other = judged.sum(judged.judged(cutoff)) / cutoff - relevant
    return np.stack([mean(share.reshape(judged.shape)) for share in (relevant, other)], axis=-1)


def reorder(runs: Runs, new: Runs) -> Runs:
    """The runs with what `new` retrieved at the ranks that it has there.

    >>> from cranfield.metrics.inputs import as_runs
    >>> runs = as_runs({"new": {"q": {"c": 3.0, "b": 2.0}}, "old": {"q": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}}})
    >>> moved = reorder(runs.select(["old"]), runs.select(["new"]))
    >>> runs.docnos.names[moved.document].tolist()
    ['c', 'a', 'b', 'd']
    """
    there = _rank_in(new, runs)
    position = np.where(there > 0, there, runs.rank)
    move = np.where(there > 0, np.sign(there - runs.rank), 0)  # up before unmoved before down
    order = np.lexsort((runs.rank, move, position, runs.topic, runs.run))
    return replace(runs.rows(order), scores=-position[order].astype(float))


def _rank_in(new: Runs, runs: Runs) -> Ints:
    """Per row of `runs`: the rank of its document for its topic in the new run, 0 where it is not there."""
    size = max(int(runs.document.max(initial=0)), int(new.document.max(initial=0))) + 1
    keys = new.topic * size + new.document
    order = np.argsort(keys)
    pairs = runs.topic * size + runs.document
    if not len(keys):
        return np.zeros(len(pairs), np.int64)
    at = order[np.minimum(np.searchsorted(keys, pairs, sorter=order), len(keys) - 1)]
    return np.where(keys[at] == pairs, new.rank[at], 0)


def mean_loss(changes: Iterable[ScoreChange]) -> float:
    """The mean over left-out runs of what their own score loses, by one measure; NaN where none was left out.

    >>> mean_loss([ScoreChange("a", "AP", 0.5, 0.4, 1, 2, 2), ScoreChange("b", "AP", 0.2, 0.2, 2, 2, 2)])
    0.05
    """
    losses = [change.full - change.reduced for change in changes]
    return round(float(np.mean(losses)), 15) if losses else np.nan


def common_topic_loss(new: Judged, own: Mask, common: Ints, measure: Measure) -> float:
    """What the new run loses on the common topics without its own documents (a mask over judgments).

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> common_topic_loss(example([1, 0, 1]), np.array([True, False, False]), np.array([0]), parse("P@3")).__round__(3)
    0.333
    """
    full, without = (measure.scores(judged)[common] for judged in (new, new.only(~own)))
    return float(mean(full - without))


def check_common(qids: Iterable[str], judged: Collection[str]) -> None:
    """Refuse a common topic that is not judged."""
    for qid in qids:
        if qid not in judged:
            raise InputError(f"the common topic {qid!r} is not among the judged topics")


def common_topics(new: Judged, qids: Sequence[str], depth: int) -> Ints:
    """The numbers of the common topics; each must be judged to the depth."""
    unknown = unjudged_ranks(new, depth)
    topics = []
    check_common(qids, new.qids)
    for qid in dict.fromkeys(qids):
        missing = unknown.rank[unknown.ranking == new.qids.index(qid)]
        if len(missing):
            unjudged = counted(len(missing), "unjudged document")
            raise InputError(
                f"the common topic {qid!r} has {unjudged} among the run's first {depth},"
                f" the first at rank {missing[0]}, where all have to be judged"
            )
        topics.append(new.qids.index(qid))
    return np.array(topics, np.int64)


def own_documents(new: Judged, pooled: Mask, depth: int) -> Mask:
    """Per judgment: did only the new run retrieve it within the depth? `pooled`: in the pool of the other runs.

    >>> from cranfield.metrics.examples import example
    >>> own_documents(example([1, 0, 1]), np.array([False, True, False]), depth=2)
    array([ True, False, False])
    """
    own = np.zeros(len(new.qrels_grade), bool)
    own[new.judgment[new.rank <= depth]] = True
    return own & ~pooled


def adjust(new: Judged, measure: Measure, loss: float, common: Ints | None = None) -> float:
    """The mean score of the new run with the loss added on every topic that is not a common one.

    Webber and Park's adjustment: add to a new run's score what runs like it would have lost.

    From the pooled runs: each is left out of the pool in turn, with its unit, and the mean of what it loses (its score
    with all judgments less its score without its own) is added to the new run's score. From common topics: on some
    topics the new run's documents have been judged as well; what it would lose there without its unique ones is added
    on the others.

    The first assumes that the new run differs from the pooled ones as they differ from each other; a run of a new kind
    differs more, and then the adjustment is too small. The second does not assume this, but needs topics that were
    chosen before anybody saw the scores and judged to the pool's depth. An adjusted mean is for comparing systems; it
    says nothing about single topics.

    Source: Webber and Park, Score adjustment for correction of pooling bias, SIGIR 2009 (read through its abstract and
    WebberOnRuns in Lipani's PoolBiasEstimators).

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> adjust(example([1, None]), parse("P@2"), 0.1), adjust(example([1, None]), parse("P@2"), 0.1, np.array([0]))
    (0.6, 0.5)
    """
    more = np.full(len(new.qids), loss)
    more[[] if common is None else common] = 0.0
    return float(mean(measure.scores(new) + more))


NEAREST = 5


class SimilarRun(NamedTuple):
    """A pooled run left out: the unjudged share of its first k then, and its scores."""

    unit: str
    run: str
    unjudged: float
    full: float
    without: float

    @property
    def loss(self) -> float:
        """What it loses; negative if it gains."""
        return self.full - self.without


@dataclass(frozen=True)
class ExpectedLoss:
    """What the nearest left-out runs lost, by one measure."""

    measure: str
    k: int
    unjudged: float  # of the new run's first k
    most_unjudged: float  # of any left-out run
    nearest: tuple[SimilarRun, ...]

    @property
    def beyond(self) -> bool:
        """Does the new run have a clearly larger unjudged share than any left-out run?"""
        return self.unjudged > self.most_unjudged + 0.05

    @property
    def loss(self) -> float:
        """The mean loss."""
        return float(np.mean([run.loss for run in self.nearest]))

    @property
    def loss_percent(self) -> float:
        """The mean loss in per cent of the mean full score; NaN where that is 0."""
        full = float(np.mean([run.full for run in self.nearest]))
        return self.loss / full * 100 if full else np.nan


def entry_and_depth(judged: Judged, left_out: Reusability, protected: Mask | None = None) -> tuple[PoolEntry, int]:
    """How every judged document entered the pool of a leave-one-out, and the pool's depth."""
    units = {unit.unit: unit.runs for unit in left_out.units}
    depth = max(left_out.depth.values()) if isinstance(left_out.depth, Mapping) else left_out.depth
    return pool_entries(judged, units, left_out.depth, protected), depth


def unjudged_shares(judged: Judged, left_out: Reusability, unique: Ints, k: int) -> dict[str, float]:
    """Per pooled run the unjudged share of its first k documents if its unit is left out.

    `unique` has for each judgment the number of the unit that alone contributed it, -1 if there is none.
    """
    unit = np.full(len(judged.tags), -2)
    for number, one in enumerate(left_out.units):
        unit[[judged.tags.index(tag) for tag in one.runs]] = number
    rows = judged.judged(k)
    at_top = is_judged(judged.grade) & judged.within(k)
    lost = unique[judged.judgment[at_top]] == unit[rows.ranking // max(len(judged.qids), 1)]
    share = ratio(judged.sum(rows, ~lost), np.minimum(judged.retrieved, k), undefined=np.nan)
    open_share = 1 - mean(share.reshape(judged.shape))
    return {judged.tags[run]: float(open_share[run]) for run in np.flatnonzero(unit >= 0)}


def expected_loss(
    left_out: Reusability, measure: str, k: int, unjudged: float, shares: Mapping[str, float]
) -> ExpectedLoss | None:
    """The forecast from the nearest few; None where nothing was left out. Runs that retrieved nothing do not count.

    Leave-one-out gives for each pooled run its score with and without its unit's own documents, and the share of its
    first k documents that would have been unjudged. The runs whose share is nearest to the new run's show what such a
    share costs here. It misleads where the new run is of a different kind, and where its share exceeds that of any
    left-out run: then the forecast is too small.

    Source: leave-one-out as in Zobel, SIGIR 1998, related to the unjudged share as in Lu, Moffat and Culpepper,
    Information Retrieval Journal 19(4), 2016; the nearest few are this project's choice.
    """
    runs = [
        SimilarRun(unit.unit, change.run, shares[change.run], change.full, change.reduced)
        for unit in left_out.units
        for change in unit.changes
        if change.measure == measure and not np.isnan(change.full + change.reduced + shares[change.run])
    ]
    if not runs:
        return None
    nearest = sorted(runs, key=lambda run: (abs(run.unjudged - unjudged), run.run))[:NEAREST]
    return ExpectedLoss(measure, k, unjudged, max(run.unjudged for run in runs), tuple(nearest))
