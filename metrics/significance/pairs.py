"""Pairs of runs by one measure: how large their differences are, how sure, and corrections for many pairs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Ints, Mask

SAMPLES = 100_000
DECIMALS = 12  # scores are sums of fractions: 0.3 - 0.2 and 0.2 - 0.1 are one difference
LEAST = float(np.finfo(float).tiny)  # no p is 0


def ignore(count: int) -> None:
    """Report no progress."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of runs by one measure. A test sees no NaN: `p_values` passes only topics with defined scores."""

    scores: Floats  # (runs, topics)
    a: Ints  # per pair, a run
    b: Ints
    samples: int = SAMPLES
    seed: int = 0
    zeros: str = "wilcox"  # how Wilcoxon's test treats topics without a difference
    advance: Callable[[int], None] = ignore  # called with the samples done, `samples` in all

    @cached_property
    def differences(self) -> Floats:
        """a - b, as an array (pairs, topics)."""
        scores = np.ascontiguousarray(self.scores)
        return scores[self.a] - scores[self.b]

    @cached_property
    def without_noise(self) -> Floats:
        """The differences without the last digits' noise, for tests that look at ties."""
        return np.round(self.differences, DECIMALS)

    def select_topics(self, topics: Mask, pairs: Mask | None = None) -> "Pairs":
        """The same on fewer topics, and perhaps fewer pairs."""
        some = np.ones(len(self.a), bool) if pairs is None else pairs
        return replace(self, scores=self.scores[:, topics], a=self.a[some], b=self.b[some])


@dataclass(frozen=True)
class SignificanceTest:
    """A test: a function from pairs to their p values, two-sided. Its module says what it is for."""

    name: str
    title: str
    function: Callable[[Pairs], Floats]
    least: Callable[[int, int, int], float]  # the smallest p possible with so many topics, samples and runs
    resamples: bool = False
    whole: bool = False  # whether it tests all runs at once, so that its p needs no correction
    exact: Callable[[Pairs], Mask] | None = None  # per pair: whether all resamples are enumerated, none drawn at random
    sign_tests: Callable[[Pairs], Mask] | None = (
        None  # per pair: whether p is the sign test's, this one being undefined
    )
    min_topics: int = 2  # with fewer topics there is no p

    @property
    def description(self) -> str:
        """One sentence."""
        return (self.function.__doc__ or "").partition("\n")[0]


def all_pairs(runs: int) -> tuple[Ints, Ints]:
    """Every pair of this many runs, once.

    >>> all_pairs(3)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    first, second = np.triu_indices(runs, k=1)
    return first.astype(np.int64), second.astype(np.int64)


def p_values(test: SignificanceTest, pairs: Pairs) -> Floats:
    """The p value of each pair, above 0 and up to 1.

    A topic counts for a pair where both runs have a score, and for a test of all runs at once where all have one.
    NaN where fewer topics count than the test needs: two, for the bootstrap test 50.

    >>> from cranfield.metrics.significance.tests import TESTS
    >>> scores = np.array([[0.1, 0.2, 0.3, np.nan], [0.1, 0.2, 0.3, 0.4], [np.nan, np.nan, np.nan, 0.2]])
    >>> p_values(TESTS["t"], Pairs(scores, *all_pairs(3)))  # identical runs; no topic in common; one topic in common
    array([ 1., nan, nan])
    """
    p = np.full(len(pairs.a), np.nan)
    for members, part in _parts(test, pairs):
        p[members] = np.clip(test.function(part), LEAST, 1.0)
    return p


def counts_all_resamples(test: SignificanceTest, pairs: Pairs) -> list[bool | None]:
    """Per pair: whether p counts all resamples there are; None where there is no p, or the test does not resample.

    >>> from cranfield.metrics.significance.tests import TESTS
    >>> few = Pairs(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]]), *all_pairs(2))
    >>> counts_all_resamples(TESTS["permutation"], few), counts_all_resamples(TESTS["t"], few)
    ([True], [None])
    """
    answers: list[bool | None] = [None] * len(pairs.a)
    for members, part in _parts(test, pairs) if test.resamples else ():
        whole = test.exact(part) if test.exact else np.zeros(len(part.a), bool)
        for pair, one in zip(np.flatnonzero(members).tolist(), whole.tolist(), strict=True):
            answers[pair] = one
    return answers


def p_tests(test: SignificanceTest, pairs: Pairs) -> list[str | None]:
    """Return the name of the test that gave the p value of each pair; None where there is no p.

    >>> from cranfield.metrics.significance.tests import TESTS
    >>> scores = np.array([[0.5, 0.75, 0.5], [0.25, 0.5, 0.25], [0.25, 0.5, 0.5]])
    >>> p_tests(TESTS["t"], Pairs(scores, *all_pairs(3)))  # the first two differ by .25 on all topics
    ['sign', 't', 't']
    """
    names: list[str | None] = [None] * len(pairs.a)
    for members, part in _parts(test, pairs):
        signs = test.sign_tests(part) if test.sign_tests else np.zeros(len(part.a), bool)
        for pair, is_sign in zip(np.flatnonzero(members).tolist(), signs.tolist(), strict=True):
            names[pair] = "sign" if is_sign else test.name
    return names


def why_no_p(test: SignificanceTest, topics: int) -> str:
    """Return why a pair with scores of both runs on so many topics has no p; empty where it has one.

    Parameters
    ----------
    test : SignificanceTest
        The test.
    topics : int
        The topics with scores of both runs.

    Returns
    -------
    str
        The reason.

    Examples
    --------
    >>> from cranfield.metrics.significance.tests import TESTS
    >>> why_no_p(TESTS["bootstrap"], 10), why_no_p(TESTS["t"], 10)
    ('the bootstrap test gives too many false alarms with fewer than 50 topics; use --test t or permutation', '')
    """
    if topics >= test.min_topics:
        return ""
    if topics < 2:
        return "a test needs at least two topics with scores for both runs"
    few = f"fewer than {test.min_topics} topics"
    return f"the {test.title} gives too many false alarms with {few}; use --test t or permutation"


def why_no_interval(differing: int) -> str:
    """Return why a pair whose scores differ on so many topics has no interval.

    >>> why_no_interval(0), why_no_interval(3), why_no_interval(10)
    ('they tie on all topics', 'they differ on fewer than 8 topics', 'they differ by the same amount on all topics')
    """
    if not differing:
        return "they tie on all topics"
    return (
        f"they differ on fewer than {FEWEST} topics"
        if differing < FEWEST
        else ("they differ by the same amount on all topics")
    )


def _parts(test: SignificanceTest, pairs: Pairs) -> Iterator[tuple[Mask, Pairs]]:
    """Which pairs have two topics or more in common, and these on their topics; the first tell of their progress."""
    defined = ~np.isnan(pairs.scores)
    if test.whole:
        common = np.broadcast_to(defined.all(axis=0), (len(pairs.a), defined.shape[1]))
    else:
        common = defined[pairs.a] & defined[pairs.b]
    for topics, members in _group_pairs_by_topics(common):
        if topics.sum() >= test.min_topics:
            yield members, pairs.select_topics(topics, members)
        pairs = replace(pairs, advance=ignore)


def _group_pairs_by_topics(common: Mask) -> list[tuple[Mask, Mask]]:
    """The pairs (rows) by the topics that count, the largest group first."""
    if common.all():
        return [(np.ones(common.shape[1], bool), np.ones(len(common), bool))]
    patterns, group, sizes = np.unique(common, axis=0, return_inverse=True, return_counts=True)
    return [(patterns[i], group.ravel() == i) for i in np.argsort(-sizes, kind="stable")]


NONE = 10.0**-DECIMALS  # a spread of rounding errors only
FEWEST = 8  # topics with a difference: with fewer the t interval often holds too seldom


class Effects(NamedTuple):
    """Per pair, over the topics where both runs have a score."""

    mean_a: Floats
    mean_b: Floats
    difference: Floats
    low: Floats  # the interval about the difference; NaN where fewer than eight topics differ
    high: Floats
    effect: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    topics: Ints


def effects(pairs: Pairs, alpha: float = 0.05, most: float = np.inf) -> Effects:
    """The mean difference with the interval of the paired t test at 1 - alpha, its effect size, and wins by topic.

    With thousands of topics everything is significant, with ten hardly anything; the difference, its interval and the
    effect size say what p cannot.

    The interval is for each pair alone, not corrected for many pairs; it ends at `most`, the largest difference there
    can be, and there is none where the runs differ on fewer than eight topics, or by the same on all. It misleads where
    a few topics make most of the difference: of 25 topics, half of them alike and the rest much better, it held in
    90 %. The effect size is the mean difference over the standard deviation of the differences (Cohen's d of paired
    samples); NaN where all differences are equal. It is not the d of two independent groups; it is larger the more the
    two runs agree on which topics are hard.

    Source: Cohen, Statistical power analysis for the behavioral sciences, 1988; Sakai, Statistical reform in
    information retrieval?, SIGIR Forum 48(1), 2014.

    >>> scores = np.array([[0.5, 0.4, 0.6, np.nan], [0.4, 0.4, 0.3, 0.9]])
    >>> table = effects(Pairs(scores, np.array([0]), np.array([1])))
    >>> [round(float(value[0]), 3) for value in table[:6]], table.wins, table.ties, table.topics
    ([0.5, 0.367, 0.133, nan, nan, 0.873], array([2]), array([1]), array([3]))
    >>> table = effects(Pairs(np.repeat(scores[:, :3], 5, axis=1), np.array([0]), np.array([1])))
    >>> table.low.round(3), table.high.round(3)
    (array([0.062]), array([0.205]))
    """
    from scipy.special import stdtrit

    both = ~np.isnan(pairs.differences)
    topics = both.sum(axis=1)
    difference = _mean(pairs.differences, topics)
    deviations = np.where(both, pairs.differences - difference[:, None], 0.0)
    spread = np.sqrt(ratio((deviations**2).sum(axis=1), np.maximum(topics - 1, 0), undefined=np.nan))
    few = (both & (pairs.without_noise != 0)).sum(axis=1) < FEWEST
    enough = np.where(few | (spread <= NONE), np.nan, np.maximum(topics, 1))
    half = stdtrit(np.maximum(topics - 1, 1), 1 - alpha / 2) * spread / np.sqrt(enough)
    size = ratio(difference, np.where(spread > NONE, spread, 0.0), undefined=np.nan)
    wins, losses = (pairs.without_noise > 0).sum(axis=1), (pairs.without_noise < 0).sum(axis=1)
    return Effects(
        _mean(np.where(both, pairs.scores[pairs.a], np.nan), topics),
        _mean(np.where(both, pairs.scores[pairs.b], np.nan), topics),
        difference,
        low=np.maximum(difference - half, -most),
        high=np.minimum(difference + half, most),
        effect=size,
        wins=wins,
        ties=topics - wins - losses,
        losses=losses,
        topics=topics,
    )


def _mean(values: Floats, topics: Ints) -> Floats:
    return ratio(np.nansum(values, axis=1), topics, undefined=np.nan)


@dataclass(frozen=True)
class Correction:
    """A correction: a function from the p values of a family of pairs to corrected ones."""

    name: str
    title: str
    function: Callable[[Floats], Floats]
    any_false: bool = False  # whether the first claim needs p <= alpha / pairs


def correct_p_values(p: Floats, correction: Correction) -> Floats:
    """The corrected p values; NaN stays NaN and does not count as a pair.

    Holm keeps the probability of any false claim at alpha, under any dependence, and is never weaker than Bonferroni.
    Benjamini-Hochberg keeps the expected share of false claims among all claims at alpha, which is less strict and
    finds more. No correction is right for a single pair that was chosen before the scores were seen.

    >>> correct_p_values(np.array([0.01, np.nan, 0.04]), CORRECTIONS["bonferroni"])
    array([0.02,  nan, 0.08])
    """
    values = np.full(len(p), np.nan)
    defined = ~np.isnan(p)
    values[defined] = correction.function(p[defined])
    return values


def holm(p: Floats) -> Floats:
    """The smallest p times the number of pairs, the next times one less, and so on; never below the one before.

    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.

    >>> holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p, kind="stable")
    values = np.empty(len(p))
    values[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return values


def bh(p: Floats) -> Floats:
    """The k-th smallest p times pairs / k; never above the next one.

    Source: Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 57(1), 1995.

    >>> bh(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.04, 0.04])
    """
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p, method="bh"), dtype=float) if len(p) else p


def bonferroni(p: Floats) -> Floats:
    """Every p times the number of pairs.

    Source: Dunn, Multiple comparisons among means, JASA 56, 1961.

    >>> bonferroni(np.array([0.01, 0.04, 0.5]))
    array([0.03, 0.12, 1.  ])
    """
    return np.minimum(1.0, p * len(p))


def uncorrected(p: Floats) -> Floats:
    """The p values unchanged."""
    return p.copy()


CORRECTIONS: Mapping[str, Correction] = {
    correction.name: correction
    for correction in (
        Correction("holm", "Holm", holm, any_false=True),
        Correction("bh", "Benjamini-Hochberg", bh),
        Correction("bonferroni", "Bonferroni", bonferroni, any_false=True),
        Correction("none", "no correction", uncorrected),
    )
}


MORE = 0.25  # topics at either end of the range
Ends = tuple[Floats, Floats]


def mean_intervals(values: Floats, limits: tuple[float, float], level: float = 0.95) -> Ends:
    """The intervals of means over topics, of scores (runs, topics) between `limits`.

        m    = (sum of x + a) / (n + 2a),   x the scores between the ends 0 and 1 of the measure's range,   a = 1/4
        v    = (sum of (x - m)² + a m² + a (1 - m)²) / (n + 2a - 1) / (n + 2a)
        ends   ln(m / (1 - m)) ± t sqrt(v) / (m (1 - m)),   n + 2a - 1 degrees of freedom, no narrower than the mean

    Scores are skewed and have ends: the t interval of a mean runs beyond them, and of ten topics, most of them hard, it
    holds in 81 %. On the logit it stays within the range and is longer on the longer side; a quarter of a topic more at
    either end keeps a few equal scores from seeming certain. It has 95 % and more from two topics on (`python -m
    benchmarks.coverage`), and of 50 topics the width of t's. A measure without a highest value has none: no interval of
    ten topics holds when a rare one may count for more than all of them.

    Sources: the logit interval of a share: Korn and Graubard, Analysis of health surveys, 1999; a little more of either
    kind: Agresti and Caffo, The American Statistician 54, 2000.

    NaN with fewer than two topics, and where the limits are not finite.

    >>> low, high = mean_intervals(np.array([[0.2, 0.4, 0.6], [1.0, 1.0, 1.0], [np.nan, np.nan, 1.0]]), (0.0, 1.0))
    >>> low.round(3), high.round(3)
    (array([0.068, 0.002,   nan]), array([0.873, 1.   ,   nan]))
    >>> mean_intervals(np.array([[3.0, 4.0]]), (0.0, np.inf))
    (array([nan]), array([nan]))
    """
    count = np.sum(~np.isnan(values), axis=1)
    mean = ratio(np.nansum(values, axis=1), count, undefined=np.nan)
    squares = np.nansum((values - mean[:, None]) ** 2, axis=1)
    return ends_of_means(mean, ratio(squares, np.maximum(count - 1, 0), undefined=np.nan), count, limits, level)


def ends_of_means(
    value: ArrayLike, variance: ArrayLike, topics: ArrayLike, limits: tuple[float, float], level: float = 0.95
) -> Ends:
    """The intervals of what is a mean over so many topics or like one, from the variance of a single topic's part.

    >>> [round(float(end), 3) for end in ends_of_means(0.5, 0.04, 50, (0.0, 1.0))]
    [0.442, 0.558]
    """
    from scipy.special import expit, logit, stdtrit

    low, span = limits[0], limits[1] - limits[0]
    if not np.isfinite(span):
        return np.full(np.shape(value), np.nan), np.full(np.shape(value), np.nan)
    own, number = (np.asarray(value) - low) / span, np.asarray(topics, float)
    size, freedom = number + 2 * MORE, np.maximum(number + 2 * MORE - 1, MORE)
    mean = (number * own + MORE) / size
    squares = (number - 1) * np.asarray(variance) / span**2 + number * (own - mean) ** 2
    error = np.sqrt((squares + MORE * (mean**2 + (1 - mean) ** 2)) / freedom / size) / (mean * (1 - mean))
    middle, half = logit(mean), stdtrit(freedom, (1 + level) / 2) * error
    ends = np.minimum(expit(middle - half), own), np.maximum(expit(middle + half), own)
    return low + span * ends[0], low + span * ends[1]
