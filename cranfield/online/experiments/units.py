"""One value per user of each arm, whose mean is the arm's measure and whose variance is the delta method's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.arrays.rankings import Floats, Ints


def linearised(total: Floats, count: Floats) -> Floats:
    """A value per user, for users with these totals (y) over these counts (x).

    A measure of a log is a ratio: clicks over impressions, say. Its users are independent, their impressions are not.
    The ratio R of sums moves with the users as the mean of R + (y - R x) / mean(x) does, where a user has y clicks in x
    impressions. So Welch's test, CUPED, power and confidence sequences, which are about means, hold for ratios too.
    Where x is 1 for all, the values are the users' own.

    Source: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018.

    >>> values = linearised(np.array([2.0, 0.0, 5.0, 1.0]), np.array([4.0, 3.0, 8.0, 2.0]))
    >>> round(float(values.mean()), 4), round(float(values.std(ddof=1)) / 4**0.5, 4)
    (0.4706, 0.1277)
    """
    if not count.sum():
        return np.full(len(total), np.nan)
    ratio = total.sum() / count.sum()
    values: Floats = ratio + (total - ratio * count) / count.mean()
    return values


@dataclass(frozen=True, eq=False)
class ArmUnits:
    """Who was in which arm: the users in one arm alone, and how many were in several."""

    user: Ints  # of each row, ascending
    arm: Ints  # of each row
    unit: Ints  # of each impression: the row of its user; -1 for those in several arms, or unknown
    mixed: int  # users in several arms
    unknown: int  # impressions without a user or an arm

    @classmethod
    def of(cls, user: Ints, arm: Ints) -> ArmUnits:
        """By the user and the arm of each impression, -1 where unknown.

        >>> found = ArmUnits.of(np.array([7, 7, 8, 9, 9, -1]), np.array([0, 0, 1, 0, 1, 0]))
        >>> found.unit.tolist(), found.arm.tolist(), found.mixed, found.unknown
        ([0, 0, 1, -1, -1, -1], [0, 1], 1, 1)
        """
        known = (user >= 0) & (arm >= 0)
        pairs = np.unique(np.column_stack([user, arm])[known], axis=0)
        users, arms = np.unique(pairs[:, 0], return_counts=True)
        alone = users[arms == 1]
        of = pairs[np.isin(pairs[:, 0], alone), 1]
        unit = np.where(known, row_of(user, alone), -1)
        return cls(alone, of, unit, int((arms > 1).sum()), int((~known).sum()))

    def sums(self, values: Floats, unit: Ints | None = None) -> Floats:
        """The sum of the impressions' values per row, for these impressions or for others of the same users."""
        unit = self.unit if unit is None else unit
        return np.bincount(unit[unit >= 0], values[unit >= 0], minlength=len(self.user)).astype(float)


def row_of(user: Ints, users: Ints) -> Ints:
    """The place of each impression's user among users that are sorted; -1 where it is not there.

    >>> row_of(np.array([9, 4, 7]), np.array([4, 9])).tolist()
    [1, 0, -1]
    """
    if not len(users):
        return np.full(len(user), -1)
    place = np.minimum(np.searchsorted(users, user), len(users) - 1)
    return np.where(users[place] == user, place, -1)
