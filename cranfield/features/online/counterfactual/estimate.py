"""An estimate with what it rests on: the effective sample size first, and the interval by a jackknife over users.

Below an effective sample size of 100 nothing is concluded: from 100 on, no single list has more than a tenth of the
total weight, since the largest share of it is at most 1 over the root of the effective size. Below it, the interval
would rest on a few lists, and nothing that was seen tells of large weights that were not.

    variance = (G - 1) / G sum over groups of (estimate without the group - their mean)²,  t with G - 1 degrees

The groups are the users, whose effective number (Kish 1965) t counts, since a few may have most of the lists; where the
examination of ranks was estimated from the same log, 20 random groups of users, without each of which it is estimated
again. Clicks are not below 0, so the interval is one of their logarithm, except where weights can be negative. There is
none, and `why` says so, where it could not hold: of a click model alone, whose error no resample shows; where weights
were cut; where the run has documents, or lists, that the log could not show; with fewer than 10 users; and where
weights can be negative and fewer than 10 effective lists have clicks.

Sources: Miller, The jackknife: a review, Biometrika 61, 1974; Kott, The delete-a-group jackknife, Journal of Official
Statistics 17(4), 2001.
"""

from collections.abc import Callable
from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.online.counterfactual.estimators import (
    CLIPPED,
    ENOUGH,
    MOST,
    Estimator,
    ListTerms,
    WeightedLists,
    effective,
)
from cranfield.text import counted

NAN = float("nan")
GROUPS, FEWEST = 20, 10  # of users: groups where something is estimated again, and users for an interval
CLICKED = 10.0  # effective lists with clicks, for an interval that is not of a logarithm
FAR = 3.0  # standard errors
FEW_NEW = 1e-3  # of the documents that a policy draws, by how likely they are shown
SIGNED = ("dr", "pseudo-inverse")  # estimates that can be below 0


class CounterfactualEstimate(NamedTuple):
    """What an estimator says of the clicks per list; NaN where it must not conclude, or has no weights or interval."""

    estimator: str
    effective: float
    most: float  # the largest weight
    mean: float  # of the weights of a list; about 1 where propensities are right and whole lists are weighed
    lists: int
    value: float
    low: float
    high: float
    error: float  # the standard error
    why: str = ""  # it has no interval

    @property
    def concluded(self) -> bool:
        """Whether there is an estimate."""
        return not np.isnan(self.value)


Refit = Callable[[], Floats]  # the estimates without each group, with everything estimated again


def estimate_by(
    by: Estimator,
    of: WeightedLists,
    users: Ints,
    *,
    enough: float = ENOUGH,
    confidence: float = 0.95,
    refit: Refit | None = None,
    never_shown: float = 0.0,
    draws: bool = False,
) -> CounterfactualEstimate:
    """The estimate; `users` has the user of each list, from 0; `never_shown` is the share of the run's documents.

    Of a policy that `draws` a share of `FEW_NEW` makes no difference; of a ranking none may be missing.

    >>> from cranfield.features.online.counterfactual.estimators import one_per_list
    >>> from cranfield.features.online.counterfactual.estimators import ESTIMATORS
    >>> few = one_per_list([1.6, 3.2, 0.25, 1.0], [1, 0, 1, 1])
    >>> result = estimate_by(ESTIMATORS["ips"], few, np.arange(4))
    >>> round(result.effective, 2), result.concluded, estimate_by(ESTIMATORS["ips"], few, np.arange(4), enough=2).value
    (2.64, False, 0.7125)
    >>> estimate_by(ESTIMATORS["dm"], few, np.arange(4)).why
    'the error of a click model cannot be measured on the log that it was fitted to'
    """
    has_weights = by.weighing != "none"
    size = of.effective if has_weights else NAN
    most, mean = (float(of.weight.max()), float(of.weight.mean())) if has_weights else (NAN, NAN)
    result = CounterfactualEstimate(
        by.name, size, most, mean=mean, lists=of.impressions, value=NAN, low=NAN, high=NAN, error=NAN
    )
    if has_weights and size < enough:
        return result
    result = result._replace(value=by.terms(of).value)
    if why := _why_none(by, of, users, 0.0 if draws and never_shown < FEW_NEW else never_shown):
        return result._replace(why=why)
    without = left_out(by.terms(of), users) if refit is None else refit()
    if np.isnan(without).any():
        return result._replace(why="examination cannot be estimated again without some of the users")
    freedom = max(1.0, _effective_users(users) - 1) if refit is None else len(without) - 1
    low, high, error = _interval(result.value, jackknife(without), freedom, confidence, by.name in SIGNED)
    why = "no list with a positive weight was clicked, or all lists have the same clicks" if np.isnan(low) else ""
    return result._replace(low=low, high=high, error=error, why=why)


def _why_none(by: Estimator, of: WeightedLists, users: Ints, never_shown: float) -> str:
    if by.weighing == "none":
        return "the error of a click model cannot be measured on the log that it was fitted to"
    if never_shown:
        return f"{100 * never_shown:.2g}% of the run's documents were never shown, so nobody could click them"
    if (number := len(np.unique(users))) < FEWEST:
        return f"{counted(number, 'user is', 'users are')} too few; expected at least {FEWEST}"
    return _why_of_weights(by, of, users)


def _why_of_weights(by: Estimator, of: WeightedLists, users: Ints) -> str:
    if by is CLIPPED and (cut := int((of.weight > MOST).sum())):
        return f"{cut:,} weights were capped, so the estimate is too low"
    if by.name in SIGNED and (size := effective(of.sum_by_list(of.weight * of.reward))) < CLICKED:
        return f"the effective number of lists with clicks is only {size:.1f}; expected at least {CLICKED:g}"
    if by.weighing in ("lists", "positions") and _is_out_of_reach(of, users):
        return f"the mean weight is {of.weight.mean():.3f}, so the logged system could not show every list of the run"
    return ""


def _is_out_of_reach(of: WeightedLists, users: Ints) -> bool:
    """Whether the mean weight is further below 1 than chance takes it."""
    rows = ListTerms(of.sum_by_list(of.weight), of.sum_by_list(np.ones(len(of.weight))))
    return rows.value + FAR * jackknife(left_out(rows, users)) < 1


def left_out(terms: ListTerms, users: Ints) -> Floats:
    """The estimate without each user.

    >>> left_out(ListTerms(np.array([1.0, 2, 3]), np.ones(3)), np.array([0, 0, 1]))
    array([3. , 1.5])
    """
    total, count = (np.bincount(np.unique(users, return_inverse=True)[1], column) for column in terms)
    return np.asarray((total.sum() - total) / np.maximum(count.sum() - count, np.finfo(float).tiny))


def jackknife(without: Floats) -> float:
    """The standard error.

    >>> values = np.array([1.0, 2, 4, 5])
    >>> error = jackknife((values.sum() - values) / 3)
    >>> round(error, 6) == round(float(values.std(ddof=1)) / 2, 6)
    True
    """
    n = len(without)
    return float(sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum())))


def _effective_users(users: Ints) -> float:
    """How many users with as many lists each would be as exact, by Kish: fewer where a few have most of the lists.

    >>> _effective_users(np.array([0, 1, 2])), _effective_users(np.array([0, 0, 0, 1]))
    (3.0, 1.6)
    """
    lists = np.unique(users, return_counts=True)[1].astype(float)
    return float(lists.sum() ** 2 / (lists @ lists))


def _interval(
    value: float, error: float, freedom: float, confidence: float, signed: bool
) -> tuple[float, float, float]:
    """Its ends, NaN where nothing differs or was clicked, and the standard error."""
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    if not error or (value <= 0 and not signed):
        return NAN, NAN, error
    if signed:
        return value - half, value + half, error
    return value * exp(-half / value), value * exp(half / value), error
