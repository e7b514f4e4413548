"""Do offline and online results agree? Differences of the arms of a log that are runs, and their agreement over pairs.

All summaries take every pair both ways round, so which arm comes first does not matter: correlation and slope are those
through the origin.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.call_view import CallView
from cranfield.errors import InputError
from cranfield.features.online.arm_users import linearise
from cranfield.features.online.estimates import units_of
from cranfield.features.online.experiments import ENOUGH, ends
from cranfield.features.online.interactions import Interactions
from cranfield.features.online.measures import ONLINE_MEASURES, ListSums, OnlineMeasure, online_measure
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, as_measure_list, parse_measures
from cranfield.metrics.significance.pairs import FEWEST as MIN_TOPICS
from cranfield.metrics.significance.pairs import Pairs, effects
from cranfield.selection import EVERYBODY, Labellers
from cranfield.store.log import last_judged
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.text import counted

NAN = float("nan")
FEWEST = 4  # pairs that are summarised


class Difference(NamedTuple):
    """A difference and its interval."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 where the interval is on one side of 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)


class PairAgreement(NamedTuple):
    """How far the differences of pairs agree. Pairs share arms, so there is no interval of a share of them."""

    pairs: int
    same: int  # with the same sign on both sides
    share: float
    tau: float  # Kendall's: pairs of the same sign less those of the other, as a share
    pearson: float
    slope: float  # the online difference for .01 of the offline one


def offline_difference(scores: Floats, confidence: float = 0.95, most: float = np.inf) -> Difference:
    """The mean of differences by topic, none of them above `most`, with the interval of a paired t test.

    NaN where fewer than eight topics differ, as in `compare`.

    >>> [round(one, 3) for one in offline_difference(np.array([0.1, 0.2, 0.3] * 3))]
    [0.2, 0.133, 0.267]
    >>> offline_difference(np.array([0.1, 0.2, 0.3])).low
    nan
    """
    pair = Pairs(np.stack([scores, np.zeros(len(scores))]), np.array([0]), np.array([1]))
    effect = effects(pair, 1 - confidence, most)
    return Difference(float(effect.difference[0]), float(effect.low[0]), float(effect.high[0]))


def online_difference(
    a: ListSums, b: ListSums, units: tuple[Ints, Ints], share: bool, confidence: float = 0.95
) -> Difference:
    """The measure of the lists of arm a less that of arm b, by the delta method over users, who may be in both.

    Each arm has two users more, one at either end, and what has no upper end has an interval from 200 users in each
    arm, as in `ab`.

    >>> one = ListSums(np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2]))
    >>> of = online_difference(one, ListSums(np.zeros(2), np.ones(2)), (np.arange(4), np.arange(4, 6)), share=True)
    >>> round(of.value, 4), round(of.low, 2), round(of.high, 2)
    (0.4706, -0.63, 1.0)
    """
    from scipy.special import stdtrit

    if not a[1].sum() or not b[1].sum():
        return Difference(NAN, NAN, NAN)
    value = float(a[0].sum() / a[1].sum() - b[0].sum() / b[1].sum())
    users = [len(np.unique(unit)) for unit in units]
    if min(users) < (2 if share else ENOUGH):
        return Difference(value, NAN, NAN)
    arms, first = list(zip((a, b), units, strict=True)), int(max(unit.max() for unit in units)) + 1
    if not share and not _moves(arms)[1]:
        return Difference(value, NAN, NAN)
    both = ends([_rate_by_user(*arm) for arm in arms], share)
    middle, error = _moves([_add_end_users(*arm, first + 2 * place, both) for place, arm in enumerate(arms)])
    half = error * float(stdtrit(min(users) + 1, (1 + confidence) / 2))
    most = 1.0 if share else np.inf
    return Difference(value, max(middle - half, -most), min(middle + half, most))


Arm = tuple[ListSums, Ints]  # and whose the lists are


def _rate_by_user(counts: ListSums, unit: Ints) -> Floats:
    total, times = (np.bincount(unit, column).astype(float)[np.unique(unit)] for column in counts)
    return linearise(total, times)


def _add_end_users(counts: ListSums, unit: Ints, first: int, both: tuple[float, float]) -> Arm:
    """With two users who have as many lists as others, one at either end."""
    each = counts.times.sum() / len(np.unique(unit))
    total = np.append(counts.total, [each * end for end in both])
    return ListSums(total, np.append(counts.times, [each, each])), np.append(unit, [first, first + 1])


def _moves(arms: Sequence[Arm]) -> tuple[float, float]:
    """The difference of the two arms, and its standard error."""
    users = int(max(unit.max() for _, unit in arms)) + 1
    ratios = [total.sum() / times.sum() for (total, times), _ in arms]
    parts = [
        np.bincount(unit, (total - ratio * times) / times.sum(), users)
        for ((total, times), unit), ratio in zip(arms, ratios, strict=True)
    ]
    present = np.isin(np.arange(users), np.concatenate([unit for _, unit in arms]))
    moves, n = (parts[0] - parts[1])[present], int(present.sum())
    return float(ratios[0] - ratios[1]), sqrt(float((moves**2).sum()) * n / (n - 1))


def verdict(offline: Difference, online: Difference) -> str:
    """Same, opposite or undecided: undecided unless both intervals are on one side of 0.

    >>> verdict(Difference(0.1, 0.05, 0.15), Difference(-0.2, -0.3, -0.1))
    'opposite'
    """
    product = offline.sign * online.sign
    return {1: "same", -1: "opposite"}.get(product, "undecided")


def agreement(offline: Sequence[float], online: Sequence[float]) -> PairAgreement | None:
    """The agreement of pairs' differences; None for fewer than four pairs.

    >>> summary = agreement([0.01, 0.02, 0.03, -0.01], [0.002, 0.004, 0.006, 0.001])
    >>> summary.same, summary.tau, round(summary.slope, 5)
    (3, 0.5, 0.0018)
    """
    x, y = np.array(offline, float), np.array(online, float)
    if len(x) < FEWEST:
        return None
    signs = np.sign(x) * np.sign(y)
    same = int((signs > 0).sum())
    xx, xy, yy = float((x * x).sum()), float((x * y).sum()), float((y * y).sum())
    return PairAgreement(
        len(x), same, same / len(x), tau=float(signs.mean()),
        pearson=xy / sqrt(xx * yy) if xx and yy else NAN, slope=xy / xx / 100 if xx else NAN,
    )  # fmt: skip


JUDGED = "Judged@10"
DAY = 86400.0  # seconds
Row = dict[str, Any]


class ArmPair(NamedTuple):
    """Two arms of an experiment, by a measure: a less b on both sides."""

    experiment: str
    a: str
    b: str
    measure: str
    offline: Difference
    online: Difference
    verdict: str


class Divergence(NamedTuple):
    """All pairs by each measure, their agreement where there are enough, and the topics that differ most."""

    online: str
    pairs: Sequence[ArmPair]
    agreements: Mapping[str, PairAgreement | None]  # by measure, the best first
    topics: Sequence[Row]
    without_run: Sequence[str]  # arms of no run


def missing_interval_notes(pairs: Sequence[ArmPair]) -> list[str]:
    """The notes on pairs without an offline or an online interval, which are undecided for this reason."""
    offline, online = [one.offline.low for one in pairs], [one.online.low for one in pairs]
    by_users = f"an online interval needs at least 2 users in each arm, or {ENOUGH} for measures in clicks or seconds"
    by_topics = f"an offline interval needs at least {MIN_TOPICS} topics with different scores"
    notes = []
    for name, ends_of_pairs, reason in (("offline", offline, by_topics), ("online", online, by_users)):
        if n := int(np.isnan(ends_of_pairs).sum()):
            are = "is undecided, because it has" if n == 1 else "are undecided, because they have"
            notes.append(f"{n} of {counted(len(pairs), 'comparison')} {are} no {name} interval; {reason}")
    return notes


def divergence(
    store: Store,
    log: Interactions,
    measures: "MeasureLike | Iterable[MeasureLike]",
    online: str,
    *,
    labellers: Labellers = EVERYBODY,
    confidence: float = 0.95,
) -> Divergence:
    """Compare every two arms that were in one experiment and are runs of the store."""
    measures, by = as_measure_list(measures), online_measure(online)
    if by.median or by.bigger_is == "neither":
        raise InputError(
            f"{by} cannot be compared, because it is a median or because neither high nor low values are"
            " better; choose another online measure"
        )
    online_names = {name.lower() for name in ONLINE_MEASURES}
    if wrong := next((name for name in map(str, measures) if name.partition("@")[0].lower() in online_names), None):
        raise InputError(
            f"{wrong} is an online measure (use --online {wrong}); expected an offline measure, such as nDCG@10"
        )
    runs = run_info(store)
    every_arm = log.arms.names[np.unique(log.arm[log.arm >= 0])].tolist()
    arms, without = [arm for arm in every_arm if arm in runs], [arm for arm in every_arm if arm not in runs]
    if len(arms) < 2:
        if without:
            why = f"an arm must be named after a run, and there is no run {', '.join(without)}"
        else:
            why = f"{arms[0]} is the only arm" if arms else "the lists have no arms"
        raise InputError(f"fewer than two arms of the log correspond to runs of this store: {why}")
    every_measure = parse_measures([*measures, JUDGED], store.collection.min_relevant)
    scores = evaluate(
        CallView.view_of_store(store, labellers).scored_blocks.joined, None, every_measure, per_topic=True
    )
    scores = scores[scores["run"].isin(arms)].pivot(index=["measure", "query_id"], columns="run", values="value")
    names = [str(measure) for measure in every_measure[:-1]]
    pairs = [
        one
        for name, measure in zip(names, every_measure, strict=False)
        for one in _pairs(log, by, DataFrame(scores.loc[name]), measure, confidence)
    ]
    if not pairs:
        raise InputError("no experiment has two arms that are runs of this store")
    agreements = {}
    for name in names:
        values = [(one.offline.value, _better(by, one.online).value) for one in pairs if one.measure == name]
        known = [pair for pair in values if not np.isnan(pair).any()]
        agreements[name] = agreement([x for x, _ in known], [y for _, y in known])
    best_first = sorted(
        agreements.items(), key=lambda one: (one[1] is None, one[1] and (-one[1].share, -one[1].pearson))
    )
    return Divergence(str(by), pairs, dict(best_first),
                      _topics(store, log, by, scores=scores, measure=names[0], pairs=pairs), without)  # fmt: skip


def _lists_of_arm(log: Interactions, experiment: str, arm: str) -> Mask:
    where = (log.experiments.codes([experiment])[0], log.arms.codes([arm])[0])
    return np.asarray((log.experiment == where[0]) & (log.arm == where[1]))


def _pairs(
    log: Interactions, by: OnlineMeasure, scores: DataFrame, measure: Measure, confidence: float
) -> Iterator[ArmPair]:
    units, (total, times) = units_of(log), by(log)
    most = measure.range[1] - measure.range[0]
    for experiment in log.experiments.names.tolist():
        lists = {arm: rows for arm in scores.columns if (rows := _lists_of_arm(log, experiment, arm)).any()}
        for a, b in combinations(lists, 2):
            offline = offline_difference((scores[a] - scores[b]).dropna().to_numpy(), confidence, most)
            sums_a, sums_b = (ListSums(total[lists[arm]], times[lists[arm]]) for arm in (a, b))
            online = online_difference(
                sums_a, sums_b, (units[lists[a]], units[lists[b]]), by.unit == "share", confidence
            )
            yield ArmPair(
                experiment,
                a,
                b,
                measure=str(measure),
                offline=offline,
                online=online,
                verdict=verdict(offline, _better(by, online)),
            )


def _better(by: OnlineMeasure, online: Difference) -> Difference:
    """The difference with more being better."""
    return Difference(-online.value, -online.high, -online.low) if by.bigger_is == "worse" else online


def _topics(
    store: Store, log: Interactions, by: OnlineMeasure, *, scores: DataFrame, measure: str, pairs: Sequence[ArmPair]
) -> list[Row]:
    """The topics of each pair, those first whose offline and online differences are furthest apart.

    Both are divided by their root mean square over the topics of the pair.
    """
    total, times = by(log)
    last = last_judged(store)
    topic_rows: list[Row] = []
    for pair in (one for one in pairs if one.measure == measure):
        rates = [
            _mean_by_topic(log, _lists_of_arm(log, pair.experiment, arm), total, times) for arm in (pair.a, pair.b)
        ]
        rows = [
            {"experiment": pair.experiment, "arm_a": pair.a, "arm_b": pair.b, "query_id": qid,
             "offline": float(offline), "online": rates[0][qid][0] - rates[1][qid][0],
             "lists_a": rates[0][qid][1], "lists_b": rates[1][qid][1],
             "judged_a": float(scores.loc[(JUDGED, qid), pair.a]), "judged_b": float(scores.loc[(JUDGED, qid), pair.b]),
             "days": _days(log, qid, last)}
            for qid, offline in (scores.loc[measure][pair.a] - scores.loc[measure][pair.b]).dropna().items()
            if qid in rates[0] and qid in rates[1]
        ]  # fmt: skip
        if rows:
            offline, online = (np.array([row[side] for row in rows]) for side in ("offline", "online"))
            sign = -1 if by.bigger_is == "worse" else 1
            sides = [one / (np.sqrt(np.mean(one**2)) or 1) for one in (offline, sign * online)]
            gaps = np.abs(sides[0] - sides[1])
            topic_rows += [row | {"gap": float(gap)} for row, gap in zip(rows, gaps, strict=True)]
    return sorted(topic_rows, key=lambda row: -row["gap"])


def _mean_by_topic(
    log: Interactions, lists: Mask, total: np.ndarray[Any, Any], times: np.ndarray[Any, Any]
) -> dict[str, tuple[float, int]]:
    topic_lists = lists & (log.topic >= 0)
    sums = [np.bincount(log.topic[topic_lists], one) for one in (total[topic_lists], times[topic_lists])]
    names = log.topics.names
    return {
        str(names[topic]): (float(sums[0][topic] / sums[1][topic]), int(sums[1][topic]))
        for topic in np.flatnonzero(sums[1]).tolist()
    }


def _days(log: Interactions, qid: str, last: Mapping[str, str]) -> float:
    """How many days before the last list of the topic its newest judgment is; negative after it."""
    if qid not in last:
        return float("nan")
    at = log.at[log.topic == log.topics.codes([qid])[0]].max()
    return float(at - datetime.fromisoformat(last[qid]).timestamp()) / DAY


def pair_rows(result: Divergence) -> list[Row]:
    """One row per pair and measure."""
    return [
        {"experiment": one.experiment, "arm_a": one.a, "arm_b": one.b, "measure": one.measure,
         "offline": one.offline.value, "offline_low": one.offline.low, "offline_high": one.offline.high,
         "online": one.online.value, "online_low": one.online.low, "online_high": one.online.high,
         "verdict": one.verdict}
        for one in result.pairs
    ]  # fmt: skip


def agreement_rows(result: Divergence) -> list[Row]:
    """One row per measure with enough pairs, the best first."""
    return [{"measure": name, **one._asdict()} for name, one in result.agreements.items() if one is not None]


def as_document(result: Divergence) -> Row:
    """The JSON."""
    return {
        "online": result.online, "pairs": pair_rows(result), "measures": agreement_rows(result),
        "topics": list(result.topics), "arms_without_run": list(result.without_run),
    }  # fmt: skip
