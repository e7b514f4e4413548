"""Scores by a model's labels, corrected by people's labels of a random sample."""

from collections.abc import Sequence
from math import nan, sqrt
from typing import NamedTuple, cast

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.metrics.examples import example
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.judgment_subsets import Worlds, score_subsets
from cranfield.text import counted

LINEAR = ("P", "CG", "DCG", "RBP")
RECALL = "R"


def check_linear(measure: Measure, recall: bool = False) -> None:
    """An error for a measure whose score is not a sum over labels; with `recall`, R is one.

    >>> from cranfield.metrics.notation import parse
    >>> check_linear(parse("P@10"))
    >>> check_linear(parse("AP"))
    Traceback (most recent call last):
    cranfield.errors.InputError: AP is not a sum over the labels of single documents, unlike P, CG, DCG, RBP; draw a
    sample of topics with --unit topic
    """
    if measure.name == RECALL and not recall:
        raise InputError(f"{measure} needs the number of relevant documents per topic; pass it with --relevant FILE")
    if measure.name not in (*LINEAR, RECALL) or measure.options["judged_only"]:
        raise InputError(
            f"{measure} is not a sum over the labels of single documents, unlike {', '.join(LINEAR)}; draw a"
            " sample of topics with --unit topic"
        )


def gains(measure: Measure, grades: Sequence[int], ranks: int) -> Floats:
    """What a document of each grade adds to the score at each rank: (grades, ranks).

    >>> from cranfield.metrics.notation import parse
    >>> gains(parse("P@2"), [0, 1], 3)
    array([[0. , 0. , 0. ],
           [0.5, 0.5, 0. ]])
    >>> gains(parse("R@2"), [0, 1], 3)[1]  # before it is divided by the number of relevant documents
    array([1., 1., 0.])
    """
    if measure.name == RECALL:
        return _hits(measure, grades, ranks)
    alone: Mask = np.eye(ranks, dtype=np.bool_)
    return np.stack([_alone(measure, grade, alone) for grade in grades])


def _hits(measure: Measure, grades: Sequence[int], ranks: int) -> Floats:
    hit = np.array(grades)[:, None] >= relevant_grade(measure)
    cutoff = cast(int | None, measure.options["cutoff"])
    return np.asarray(hit & (np.arange(ranks) < (ranks if cutoff is None else cutoff)), float)


def relevant_grade(measure: Measure) -> int:
    """The lowest grade that a measure takes for relevant."""
    return cast(int, measure.options["rel"])


def _alone(measure: Measure, grade: int, alone: Mask) -> Floats:
    one = example([grade] * len(alone))
    scores = score_subsets(one, [measure], Worlds(alone)).scores_of_subsets(np.arange(len(alone)))
    return np.asarray(scores[:, 0, 0, 0])


class PoweredEstimate(NamedTuple):
    """A mean with its interval; `tuning` is λ, and `worth` how many times as many labels of people would do as well.

    `worth` is NaN where the estimate has no variance, and the interval where a stratum has fewer than two labels, or
    for the reason in `why`.
    """

    value: float
    low: float
    high: float
    tuning: float
    worth: float
    sampled: int
    units: int
    why: str = ""


def estimate_mean(
    human: Floats, model: Floats, strata: Ints | None = None, tuning: float | None = None, level: float = 0.95
) -> PoweredEstimate:
    """The mean of what people would say of all units; `human` is NaN where they were not asked.

    Both are (units,); `strata` numbers the stratum of each unit from 0. A `tuning` is λ itself instead of the best one.

    >>> human, model = np.array([1.0, 0.0, 1.0, np.nan]), np.array([1.0, 0.0, 1.0, 1.0])
    >>> estimate = estimate_mean(human, model)
    >>> estimate.value, estimate.tuning, estimate.low, estimate.high
    (0.75, 1.0, 0.75, 0.75)
    >>> round(estimate_mean(human, model, tuning=0.0).value, 4)
    0.6667
    >>> estimate_mean(np.array([1.0, np.nan]), np.array([1.0, 0.0])).low
    nan
    """
    group = np.zeros(len(model), np.int64) if strata is None else strata
    judged = ~np.isnan(human)
    sizes, counts = np.bincount(group), np.bincount(group[judged], minlength=int(group.max(initial=0)) + 1)
    if np.any((sizes > 0) & (counts == 0)):
        raise InputError("a stratum has no human label, so a mean over all units cannot be estimated")
    y, f, group_judged = human[judged], model[judged], group[judged]
    share = sizes / len(model)
    factor = share**2 * np.divide(1 - counts / np.maximum(sizes, 1), counts, out=np.zeros(len(sizes)), where=counts > 0)
    lam = _tune(y, f, group_judged, factor, counts) if tuning is None else tuning
    value = float(share @ (lam * _means(model, group, sizes) + _means(y - lam * f, group_judged, counts)))
    variance, alone = (float(factor @ _variances(y - one * f, group_judged, counts)) for one in (lam, 0.0))
    wide = _wide(variance, counts, sizes, level)
    worth = alone / variance if variance > 0 else nan
    return PoweredEstimate(
        value, value - wide, value + wide, tuning=lam, worth=worth, sampled=int(judged.sum()), units=len(model)
    )


ROUNDING = 1e-12  # what rounding leaves of the variance of equal values, of their mean square


def _tune(y: Floats, f: Floats, group: Ints, factor: Floats, counts: Ints) -> float:
    """The λ of the smallest variance; 0 where the model's labels do not differ."""
    spread = float(factor @ _variances(f, group, counts))
    if not spread > ROUNDING * float(factor @ _means(f**2, group, counts)):
        return 0.0
    both, apart = _variances(y + f, group, counts), _variances(y - f, group, counts)
    return float(np.clip(float(factor @ (both - apart)) / 4 / spread, 0, 1))


def _means(values: Floats, group: Ints, sizes: Ints) -> Floats:
    sums = np.bincount(group, values, minlength=len(sizes))
    return np.asarray(sums / np.maximum(sizes, 1), float)


def _variances(values: Floats, group: Ints, sizes: Ints) -> Floats:
    """The variance of each stratum, with n - 1; 0 where there is only one."""
    off = values - _means(values, group, sizes)[group]
    return np.asarray(np.bincount(group, off**2, minlength=len(sizes)) / np.maximum(sizes - 1, 1), float)


def _wide(variance: float, counts: Ints, sizes: Ints, level: float) -> float:
    """Half the width of the interval; NaN where a stratum that was not asked whole has a single label."""
    from scipy.stats import t

    if np.any((counts == 1) & (sizes > 1)):
        return nan
    freedom = int(counts.sum()) - int(np.count_nonzero(sizes))
    return 0.0 if variance == 0 else float(t.ppf((1 + level) / 2, freedom)) * sqrt(variance)


FEWEST = 5  # labels within what a score looks at
ADDED_UNIT_LABELS = ((0.0, 1.0), (1.0, 0.0))  # a person's and a model's word for the two more units


class Sums(NamedTuple):
    """What each unit adds to a score, all (units,): by people, NaN where they were not asked, and by the model.

    `weight` is how many units each stands for, `ends` the least and the most that each can add.
    """

    human: Floats
    model: Floats
    weight: Floats
    ends: tuple[Floats, Floats]


def sampled_score(of: Sums, tuning: float, level: float = 0.95) -> PoweredEstimate:
    """The score by people.

    >>> human, model = np.array([1.0, 0.0, 1.0, 0.0, 1.0, np.nan]), np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0])
    >>> of = Sums(human, model, np.full(6, 1.2), (np.zeros(6), np.ones(6)))
    >>> score = sampled_score(of, tuning=1.0)
    >>> score.value, round(score.low, 2), round(score.high, 2)  # no error was seen
    (4.0, 3.0, 4.0)
    >>> sampled_score(Sums(human[1:], model[1:], of.weight[1:], (np.zeros(5), np.ones(5))), tuning=1.0).why
    'only 4 labels of the sample affect this score; expected at least 5'
    """
    human, model, weight, ends = of
    least, size = ends[0], ends[1] - ends[0]
    reach = size > 0
    judged = reach & ~np.isnan(human)
    floor, number, units = float(least.sum()), int(judged.sum()), int(reach.sum())
    enough = number >= min(FEWEST, units)
    affect = counted(number, "label of the sample affects", "labels of the sample affect")
    few = "" if enough else f"only {affect} this score; expected at least {FEWEST}"
    if not number:
        value = nan if units else floor
        return PoweredEstimate(value, value, value, tuning=tuning, worth=nan, sampled=0, units=units, why=few)
    share, whole = size[reach] / size.sum(), float(size.sum())
    by_model = float(share @ ((model - least)[reach] / size[reach]))
    x, f = ((values - least)[judged] / size[judged] for values in (human, model))
    unseen = 1 - number / units
    both, alone = (
        _mean(x, f, weight[judged] * size[judged], lam=lam, unseen=unseen, level=level) for lam in (tuning, 0.0)
    )
    worst, best = (float(np.where(judged, human, end).sum()) for end in ends)
    step = float(size[reach & np.isnan(human)].max(initial=0)) / 2  # where few are not asked, one of them matters
    value, low, high = (
        min(max(floor + whole * (tuning * by_model + one) + more, worst), best)
        for one, more in ((both.value, 0), (both.low, -step), (both.high, step))
    )
    worth = alone.variance / both.variance if both.variance > 0 else nan
    if not enough:
        value = low = high = worth = nan
    return PoweredEstimate(value, low, high, tuning=tuning, worth=worth, sampled=number, units=units, why=few)


def tuned_score(of: Sums, tuning: float, level: float = 0.95) -> PoweredEstimate:
    """The score by people with the model's weight, or without the model where its interval would be wider.

    Parameters
    ----------
    of : Sums
        What each unit adds to the score.
    tuning : float
        The model's weight, 0 to 1.
    level : float, optional
        The confidence level of the interval.

    Returns
    -------
    PoweredEstimate
        The estimate, whose `tuning` is 0 where people's labels alone have the narrower interval.

    Examples
    --------
    >>> human, wrong = np.array([1.0, 0, 1, 0] * 5 + [np.nan] * 80), np.array([0.0, 1] * 50)
    >>> tuned_score(Sums(human, wrong, np.full(100, 5.0), (np.zeros(100), np.ones(100))), tuning=1.0).tuning
    0.0
    """
    tuned, alone = (sampled_score(of, lam, level) for lam in (tuning, 0.0))
    return alone if tuned.high - tuned.low > alone.high - alone.low else tuned


class _Mean(NamedTuple):
    """Of x - λ f over the sample."""

    value: float
    low: float
    high: float
    variance: float


def _mean(x: Floats, f: Floats, weight: Floats, *, lam: float, unseen: float, level: float) -> _Mean:
    from scipy.special import stdtrit

    size = float(weight.sum()) ** 2 / float((weight**2).sum())
    weights = np.append(weight, [weight.sum() / size] * len(ADDED_UNIT_LABELS))
    off = np.append(x - lam * f, [person - lam * machine for person, machine in ADDED_UNIT_LABELS])
    value, middle = float(weight @ off[: len(x)] / weight.sum()), float(weights @ off / weights.sum())
    more = size + len(ADDED_UNIT_LABELS)
    variance = unseen * float(weights**2 @ (off - middle) ** 2) / float(weights.sum()) ** 2 * more / (more - 1)
    centre = value + unseen * (middle - value)
    half = float(stdtrit(more - 1, (1 + level) / 2)) * sqrt(variance)
    return _Mean(value, centre - half, centre + half, variance)
