"""By how much a model's grades are above people's, which runs they favour, and what they can be used for.

For each use in place of people's labels yes, no, or not known, and why.

- single labels: the model agrees with people at least as well as people agree with each other, by quadratic kappa: yes
  where the interval of the difference is above -.1 and both kappas are above .2, no where it is below 0 or the model
  agrees no better than chance, and not known otherwise.
- mean scores: the interval of how far grades are too high or too low, on average, is within a tenth of a grade; no
  where it is off 0, and not known otherwise.
- the order of the runs: tau is .9 or more, no claim is reversed, and no run is favoured. Of two runs a judge who knows
  nothing orders every second pair right, so tau must be that high in most resamples of the topics as well, and above 0
  in 97.5% of them; else it is not known.

tau of .9 is the usual bound from which on two system rankings are called equivalent: Voorhees, Variations in relevance
judgments and the measurement of retrieval effectiveness, IP&M 36(5), 2000. It is not enough alone: one run that is
favoured hardly moves it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import hypot, inf, isnan, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.judging.agreement.agreement import Interval
from cranfield.judging.labels.choice import CHANCE, is_at_chance, kappa_in_words
from cranfield.metrics.correlation.coefficients import kendall_taus_by_row
from cranfield.metrics.significance.pairs import CORRECTIONS, DECIMALS, Pairs, correct_p_values, effects, p_values
from cranfield.metrics.significance.tests import TESTS
from cranfield.text import counted, join_words

RANKS = (1, 11, 21, 51, 101)  # where bands of ranks begin
FEWEST, MIN_GROUP_TOPICS = 10, 20  # topics for an interval, of all and of a group
DIFFERENT = 8  # topics on which the grades are not all alike


class Group(NamedTuple):
    """Units of a kind: what divides them, which they are, and the number of each."""

    by: str
    group: str
    units: Ints


class RatingBias(NamedTuple):
    """How far the model's grades are above people's on some units, on average, with an interval over topics."""

    by: str
    group: str
    items: int
    over: float
    low: float
    high: float
    why: str = ""  # why there is no interval


def group_by_grade(human: Floats) -> Iterator[Group]:
    """The units by people's grade."""
    for grade in np.unique(human):
        yield Group("grade", f"{grade:g}", np.flatnonzero(human == grade))


def group_by_length(lengths: Floats) -> Iterator[Group]:
    """The units in quarters by the length of their documents in characters; NaN has no text.

    >>> [(one.group, one.units.tolist()) for one in group_by_length(np.array([10.0, 40, np.nan, 20, 30]))]
    [('10 to 17', [0]), ('18 to 25', [3]), ('26 to 32', [4]), ('33 to 40', [1])]
    """
    numbers = lengths[~np.isnan(lengths)]
    if not len(numbers):
        return
    edges = np.floor(np.quantile(numbers, [0, 0.25, 0.5, 0.75, 1])).astype(int).tolist()
    for place, (first, last) in enumerate(pairwise(edges)):
        low = first + (place > 0)
        units = np.flatnonzero((lengths >= low) & (lengths <= last))
        if len(units):
            yield Group("length", f"{low} to {last}", units)


def group_by_rank(best: Floats) -> Iterator[Group]:
    """The units by the best rank at which a run has them; NaN is retrieved by none.

    >>> [(one.group, one.units.tolist()) for one in group_by_rank(np.array([3.0, 12, np.nan, 500]))]
    [('1 to 10', [0]), ('11 to 20', [1]), ('from 101', [3]), ('not retrieved', [2])]
    """
    for first, after in zip(RANKS, [*RANKS[1:], None], strict=True):
        units = np.flatnonzero((best >= first) & (best < (after or np.inf)))
        if len(units):
            yield Group("rank", f"{first} to {after - 1}" if after else f"from {first}", units)
    if np.isnan(best).any():
        yield Group("rank", "not retrieved", np.flatnonzero(np.isnan(best)))


def rating_bias(
    model: Floats,
    human: Floats,
    topics: Sequence[object] | Ints,
    groups: Iterator[Group],
    scale: tuple[float, float] = (-inf, inf),
) -> list[RatingBias]:
    """The mean of model - human of all units and of each group; `topics` names the topic of each unit.

    The intervals are over topics, and within what grades on the scale allow. They are NaN with fewer than 10 topics,
    20 of a group, or fewer than eight on which the model differs from people: of few topics, those that differ on so
    many are not like the others.

    >>> ratings = rating_bias(np.array([2.0, 1.0]), np.array([0.0, 1.0]), ["q", "q"], iter([]))
    >>> ratings
    [RatingBias(by='', group='all', items=2, over=1.0, low=nan, high=nan, why='1 topic has labels by both; an interval
    needs at least 10')]
    """
    number = np.unique(np.asarray(topics), return_inverse=True)[1]
    all_groups = [Group("", "all", np.arange(len(model))), *groups]
    ratings = []
    for one in all_groups:
        people = human[one.units]
        over, low, high, why = _mean(
            (model - human)[one.units], number[one.units], MIN_GROUP_TOPICS if one.by else FEWEST
        )
        low, high = max(low, float(scale[0] - people.max())), min(high, float(scale[1] - people.min()))
        ratings.append(RatingBias(one.by, one.group, len(one.units), over, low, high, why))
    return ratings


def _mean(off: Floats, topic: Ints, fewest: int) -> tuple[float, float, float, str]:
    """Return the mean over units, its interval over topics, and the reason if it has no interval."""
    from scipy.special import stdtrit

    names, place = np.unique(topic, return_inverse=True)
    value, topics = float(off.mean()), len(names)
    sums, sizes = np.bincount(place, off), np.bincount(place)
    error = float((sums - value * sizes).std(ddof=1)) / sizes.mean() / sqrt(topics) if topics >= fewest else 0.0
    if topics < fewest:
        has = "topic has" if topics == 1 else "topics have"
        return value, np.nan, np.nan, f"{topics} {has} labels by both; an interval needs at least {fewest}"
    if (different := np.count_nonzero(np.bincount(place, np.abs(off)))) < DIFFERENT:
        on = f"the grades differ on {counted(int(different), 'topic')}"
        return value, np.nan, np.nan, f"{on}; an interval needs at least {DIFFERENT}"
    if not error:
        return value, np.nan, np.nan, "the mean difference is the same on every topic, so an interval is undefined"
    half = float(stdtrit(topics - 1, 0.975)) * error
    return value, value - half, value + half, ""


RUN_BIAS_FEWEST = 10  # topics
HONEST = 20  # times that the labels are exchanged


def honest_scores(
    score: Callable[[Floats], Floats], model: Floats, human: Floats, seed: int = 0, *, tie: float | None = None
) -> Floats:
    """What a judge would give the runs who errs as this one does, whatever the run.

    The scores by the model's labels, exchanged at random among the units to which people gave the same; their mean.
    A judge who errs by chance lifts bad runs and lowers good ones: that is not a favourite. Where labels say which of
    two is better, `tie` is neither: the two have no order, so what is exchanged is whether the model agrees.

    >>> honest_scores(lambda labels: labels.reshape(2, 1, 1), np.array([1.0, 0]), np.array([0.0, 1])).ravel()
    array([1., 0.])
    >>> both = honest_scores(lambda labels: labels.reshape(1, 1, 2), np.zeros(2), np.array([0.0, 2]), tie=1)
    >>> bool(both[0, 0, 0] == both[0, 0, 1])  # one is right: then both are, or neither
    True
    """
    random, middle = np.random.default_rng(seed), 0.0 if tie is None else tie

    def exchange() -> Floats:
        side = np.ones(len(human)) if tie is None else np.sign(human - middle)
        side = np.where(side == 0, random.choice([-1.0, 1.0], len(side)), side)
        labels, same = side * (model - middle), side * (human - middle)
        for grade in np.unique(same):
            group = np.flatnonzero(same == grade)
            labels[group] = random.permutation(labels[group])
        return np.asarray(middle + side * labels)

    return np.asarray(np.mean([score(exchange()) for _ in range(HONEST)], axis=0))


class RunBias(NamedTuple):
    """The bias of a run, its own part of it with an interval, and the corrected p value of that; NaN is unknown."""

    bias: float
    own: float
    low: float
    high: float
    p: float


def run_bias(model: Floats, human: Floats, honest: Floats | None = None) -> list[RunBias]:
    """The bias of each run; all arrays are scores (runs, topics), NaN where a run has none.

    Own is what is left without the bias that any run of such scores has by this judge (`honest_scores`; without them
    none), less the mean of all runs. With fewer than 10 topics there is neither an interval nor a p value; with a bias
    on fewer than 10, no interval.

    >>> model, human = np.array([[0.9, 0.8], [0.5, 0.4]]), np.array([[0.5, 0.4], [0.5, 0.4]])
    >>> [(round(run.bias, 2), round(run.own, 2), run.p) for run in run_bias(model, human)]
    [(0.4, 0.2, nan), (0.0, -0.2, nan)]
    """
    off = model - human
    has_scores = ~np.isnan(off).all(axis=0)
    off, own = off[:, has_scores], (off if honest is None else model - honest)[:, has_scores]
    own = np.round(own - np.nanmean(own, axis=0), DECIMALS)
    low, high, p = _test(own)
    columns = zip(_means(off), _means(own), low, high, p, strict=True)
    return [RunBias(*map(float, row)) for row in columns]


def _means(values: Floats) -> Floats:
    """Of each run, over the topics on which it has a value; NaN without any."""
    topics = np.sum(~np.isnan(values), axis=1)
    unknown = np.full(len(values), np.nan)
    return np.asarray(np.divide(np.nansum(values, axis=1), topics, out=unknown, where=topics > 0))


def _test(own: Floats) -> tuple[Floats, Floats, Floats]:
    """The ends of the 95% intervals, and p, of each run: of the t test over topics, which of 10 topics holds, while
    the bootstrap names 8% of judges without a favourite."""
    runs, topics = own.shape
    scores = np.vstack([own, np.zeros(topics)])
    pairs = Pairs(scores, np.arange(runs), np.full(runs, runs))
    none = np.sum(~np.isnan(own), axis=1) < RUN_BIAS_FEWEST
    p = np.full(runs, np.nan) if none.all() else np.where(none, np.nan, p_values(TESTS["t"], pairs))
    effect, few = effects(pairs), np.sum(np.abs(np.nan_to_num(pairs.without_noise)) > 0, axis=1) < RUN_BIAS_FEWEST
    low, high = (np.where(few, np.nan, ends) for ends in (effect.low, effect.high))
    return low, high, correct_p_values(p, CORRECTIONS["holm"])


CLOSE = 0.1  # of a grade, or of kappa
ALPHA = 0.05


class Use(NamedTuple):
    """A use of labels; `usable` None is not known."""

    use: str
    usable: bool | None
    why: str


NO_COMPLETE_RUN = "no run has all the labels that a measure needs"
ENOUGH = 0.9  # tau
RESAMPLES = 500
MOST, SURE = 0.5, 0.975  # of the resamples


class Resampled(NamedTuple):
    """In what share of resamples of the topics tau is .9 or more, and above 0."""

    enough: float
    positive_share: float


class Ranking(NamedTuple):
    """What happens to the system ranking by one measure."""

    measure: str
    tau: float
    reversals: int  # claims
    favourites: Sequence[str]  # runs whose own bias differs from 0
    resampled: Resampled = Resampled(1.0, 1.0)  # where tau is .9 or more


def resample(human: Floats, model: Floats, seed: int = 0) -> Resampled:
    """How steady tau between two system rankings is; both are scores (runs, topics).

    >>> human = np.array([[0.5, 0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 0.5]])
    >>> resample(human, human), resample(human, human[::-1])
    (Resampled(enough=0.786, positive_share=0.786), Resampled(enough=0.0, positive_share=0.0))
    """
    topics = human.shape[1]
    weight = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), RESAMPLES)
    tau = np.nan_to_num(kendall_taus_by_row(*(np.round(weight @ scores.T, DECIMALS) for scores in (human, model))))
    return Resampled(float((tau >= ENOUGH).mean()), float((tau > 0).mean()))


def difference(one: Interval, other: Interval) -> Interval:
    """That of two values, from their intervals; if they are of the same labels, it is wider than it needs to be.

    Zou, Toward using confidence intervals to compare correlations, Psychological Methods 12(4), 2007.

    >>> difference(Interval(0.5, 0.4, 0.6), Interval(0.5, 0.5, 0.5))[:3]
    (0.0, -0.09999999999999998, 0.09999999999999998)
    """
    value = one.value - other.value
    low, high = (
        hypot(one.value - one.low, other.high - other.value),
        hypot(one.high - one.value, other.value - other.low),
    )
    return Interval(value, value - low, value + high)


def single_labels(kappa: Interval, people: Interval | None) -> Use:
    """Whether a label of the model may stand for one of a person; `people` is their agreement with each other.

    >>> people = Interval(0.6, 0.55, 0.65)
    >>> [single_labels(Interval(0.6 + off, 0.5 + off, 0.7 + off), people).usable for off in (0.1, 0, -0.2)]
    [True, None, False]
    >>> single_labels(Interval(0.0, -0.05, 0.05), Interval(0.0, 0.0, 0.0)).usable
    False
    >>> single_labels(Interval(0.6, why="9 topics are too few"), people).why
    'kappa is 0.60 between the model and people, and 0.60 between people, but the difference is unknown: 9 topics are
    too few'
    """
    use = "single labels"
    if is_at_chance(kappa):
        return Use(use, False, f"{kappa_in_words(kappa)} with people is no better than chance")
    if people is None or isnan(people.value):
        return Use(use, None, "no item was labelled by two people, so their agreement is unknown")
    if isnan(kappa.value):
        return Use(use, None, "kappa is undefined")
    why = f"kappa is {kappa.value:.2f} between the model and people, and {people.value:.2f} between people"
    off = difference(kappa, people)
    if isnan(off.low):
        return Use(use, None, f"{why}, but the difference is unknown: {kappa.why or people.why}")
    usable = True if off.low >= -CLOSE else False if off.high < 0 else None
    why = f"{why}; the difference is {off.value:.2f} ({off.low:.2f} to {off.high:.2f})"
    for whose, one in (("between people", people), ("of the model with people", kappa)):
        if usable and not one.low >= CHANCE:
            ends = f"{one.low:.2f} to {one.high:.2f}"
            return Use(use, None, f"{why}; but agreement {whose} may be below {CHANCE} ({ends})")
    return Use(use, usable, why)


def mean_scores(over: RatingBias) -> Use:
    """Whether grades are right on average.

    >>> mean_scores(RatingBias("", "all", 9, 0.2, 0.1, 0.3))
    Use(use='mean scores', usable=False, why='grades are 0.20 too high on average (0.10 to 0.30)')
    >>> mean_scores(RatingBias("", "all", 9, 0.1, -0.1, 0.3)).usable
    """
    use, between = "mean scores", f"({over.low:.2f} to {over.high:.2f})"
    if isnan(over.low):
        return Use(use, None, over.why or "the difference is unknown")
    off = f"grades are {abs(over.over):.2f} too {'high' if over.over > 0 else 'low'} on average {between}"
    if -CLOSE <= over.low <= over.high <= CLOSE:
        return Use(use, True, off)
    return Use(use, False if over.low > 0 or over.high < 0 else None, off)


def order_of_runs(rankings: Sequence[Ranking], topics: int, runs: int) -> Use:
    """Whether the order of the runs is that of people's labels.

    >>> order_of_runs([Ranking("AP", 0.95, 0, ["x"])], 50, 3).why
    'AP favours 1 run: x'
    >>> order_of_runs([Ranking("AP", 1, 0, [], Resampled(0.8, 0.8))], 50, 3)[1:]
    (None, 'tau of AP is 1.00, but it is below 0.9 on 20% of resampled topic sets, and not above 0 on 20%')
    >>> order_of_runs([], 0, 1).why
    'an order needs at least 2 runs; there is 1 run'
    >>> order_of_runs([], 0, 3).why
    'no run has all the labels that a measure needs'
    """
    use = "the order of the runs"
    if not rankings:
        are = f"there {'is' if runs == 1 else 'are'} {counted(runs, 'run')}"
        return Use(use, None, f"an order needs at least 2 runs; {are}" if runs < 2 else NO_COMPLETE_RUN)
    tests: list[Callable[[Ranking], str]] = [_favours] if topics < 10 else [_favours, _reverses, _disorders]
    reasons = [reason for one in rankings for test in tests if (reason := test(one))]
    if topics < 10 and not reasons:
        both = f"people and the model both labelled all runs on {counted(topics, 'topic')}"
        return Use(use, None, f"{both}; the order needs at least 10")
    if reasons:
        return Use(use, False, "; ".join(reasons))
    if unsteady := [reason for one in rankings if (reason := _unsteady(one))]:
        return Use(use, None, "; ".join(unsteady))
    lowest = min(one.tau for one in rankings)
    return Use(use, True, f"no run is favoured, no claim is reversed, and tau is at least {lowest:.2f}")


def _favours(one: Ranking) -> str:
    if not one.favourites:
        return ""
    names = ", ".join(one.favourites[:3]) + (", ..." if len(one.favourites) > 3 else "")
    return f"{one.measure} favours {counted(len(one.favourites), 'run')}: {names}"


def _reverses(one: Ranking) -> str:
    return f"{one.measure} reverses {counted(one.reversals, 'claim')}" if one.reversals else ""


def _disorders(one: Ranking) -> str:
    if isnan(one.tau):
        return f"tau of {one.measure} is undefined"
    return f"tau of {one.measure} is {one.tau:.2f}, below {ENOUGH}" if one.tau < ENOUGH else ""


def _unsteady(one: Ranking) -> str:
    enough, positive_share = one.resampled
    if enough > MOST and positive_share >= SURE:
        return ""
    low, no = (f"{100 * (1 - share):.0f}%" for share in one.resampled)
    tau = f"tau of {one.measure} is {one.tau:.2f}"
    return f"{tau}, but it is below {ENOUGH} on {low} of resampled topic sets, and not above 0 on {no}"


def verdict(uses: Sequence[Use], kappa: Interval | None = None) -> str:
    """All of it in one sentence; `kappa` with people is named first where it is no better than chance.

    >>> verdict([Use("single labels", False, "")], Interval(-0.01, -0.13, 0.12))
    'At chance: kappa -0.01 (-0.13 to 0.12) with people. Not for single labels.'

    >>> verdict([Use("single labels", None, ""), Use("mean scores", False, ""), Use("the order of the runs", True, "")])
    'Usable for the order of the runs; not for mean scores; not known for single labels.'
    >>> verdict([Use(use, None, "") for use in ("single labels", "mean scores", "the order of the runs")])
    'Not known for single labels, mean scores or the order of the runs.'
    """
    openings = ((True, "usable for"), (False, "not for"), (None, "not known for"))
    parts = [
        f"{words} {join_words(these, 'and' if usable else 'or')}"
        for usable, words in openings
        if (these := [one.use for one in uses if one.usable is usable])
    ]
    first = f"At chance: {kappa_in_words(kappa)} with people. " if kappa is not None and is_at_chance(kappa) else ""
    return first + ("; ".join(parts) + ".")[:1].upper() + ("; ".join(parts) + ".")[1:]
