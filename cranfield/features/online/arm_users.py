"""The users of an experiment: who was in which arm, what they did, and one value per user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

SURE = 3.0  # standard errors


def linearise(total: Floats, count: Floats) -> Floats:
    """A value per user, for users with these totals (y) over these counts (x).

    A measure of a log is a ratio: clicks over impressions, say. Its users are independent, their impressions are not.
    The ratio R of sums moves with the users as the mean of R + (y - R x) / mean(x) does, where a user has y clicks in x
    impressions. So Welch's test, CUPED, power and confidence sequences, which are about means, hold for ratios too.
    Where x is 1 for all, the values are the users' own.

    Source: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018.

    >>> values = linearise(np.array([2.0, 0.0, 5.0, 1.0]), np.array([4.0, 3.0, 8.0, 2.0]))
    >>> round(float(values.mean()), 4), round(float(values.std(ddof=1)) / 4**0.5, 4)
    (0.4706, 0.1277)
    """
    if not count.sum():
        return np.full(len(total), np.nan)
    ratio = total.sum() / count.sum()
    values: Floats = ratio + (total - ratio * count) / count.mean()
    return values


class UserTotals(NamedTuple):
    """What the users of an arm have: `values` is one value per user, the others are what it was made of."""

    total: Floats  # such as clicks
    times: Floats  # such as lists; above 0
    explained: Floats  # what behaviour before the experiment explains of a user's value; 0 without CUPED

    @property
    def values(self) -> Floats:
        """One value per user, whose mean is the arm's ratio less what is explained.

        >>> UserTotals(np.array([2.0, 1.0]), np.array([4.0, 2.0]), np.array([0.0, 0.5])).values.tolist()
        [0.5, 0.0]
        """
        return linearise(self.total, self.times) - self.explained

    def multiplied(self, factor: float) -> UserTotals:
        """The same users with totals that are so many times as large.

        >>> as_totals(np.array([1.0, 2.0])).multiplied(2.0).values.tolist()
        [2.0, 4.0]
        """
        return UserTotals(self.total * factor, self.times, self.explained * factor)


def as_totals(values: Floats) -> UserTotals:
    """Totals of users with one value each.

    >>> as_totals(np.array([3.0, 5.0])).times.tolist()
    [1.0, 1.0]
    """
    return UserTotals(values, np.ones(len(values)), np.zeros(len(values)))


@dataclass(frozen=True, eq=False)
class ArmUnits:
    """Who was in which arm: the users in one arm alone, and how many were in several."""

    user: Ints  # of each row, ascending
    arm: Ints  # of each row
    unit: Ints  # of each impression: the row of its user; -1 for those in several arms, or unknown
    n_mixed_users: int  # users in several arms
    unknown: int  # impressions without a user or an arm

    @classmethod
    def from_users(cls, user: Ints, arm: Ints) -> ArmUnits:
        """By the user and the arm of each impression, -1 where unknown.

        >>> units = ArmUnits.from_users(np.array([7, 7, 8, 9, 9, -1]), np.array([0, 0, 1, 0, 1, 0]))
        >>> units.unit.tolist(), units.arm.tolist(), units.n_mixed_users, units.unknown
        ([0, 0, 1, -1, -1, -1], [0, 1], 1, 1)
        """
        usable = (user >= 0) & (arm >= 0)
        pairs = np.unique(np.column_stack([user, arm])[usable], axis=0)
        users, arms = np.unique(pairs[:, 0], return_counts=True)
        alone = users[arms == 1]
        of = pairs[np.isin(pairs[:, 0], alone), 1]
        unit = np.where(usable, row_of(user, alone), -1)
        return cls(alone, of, unit, int((arms > 1).sum()), int((~usable).sum()))

    def without_arms(self, arms: Sequence[int]) -> ArmUnits:
        """The users of the other arms, which are numbered again.

        >>> units = ArmUnits.from_users(np.array([7, 8, 9]), np.array([0, 1, 2])).without_arms([1])
        >>> units.user.tolist(), units.arm.tolist(), units.unit.tolist()
        ([7, 9], [0, 1], [0, -1, 1])
        """
        keep = ~np.isin(self.arm, arms)
        row = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1)  # the last is for lists of no user
        arm = self.arm[keep]
        number = arm - np.searchsorted(np.sort(arms), arm)
        return ArmUnits(self.user[keep], number, row[self.unit], self.n_mixed_users, self.unknown)

    def sums(self, values: Floats, unit: Ints | None = None) -> Floats:
        """The sum of the impressions' values per row, for these impressions or for others of the same users."""
        unit = self.unit if unit is None else unit
        return np.bincount(unit[unit >= 0], values[unit >= 0], minlength=len(self.user)).astype(float)


def users_were_assigned(user: Ints, unit: Ints, arm: Ints) -> bool:
    """Whether the arms of a user's sessions or lists are alike far more often than if each had been assigned by itself.

    Then the users were assigned, and only they are independent of each other. `user` and `arm` are those of each
    impression, -1 where unknown; `unit` is its session or list.

    >>> lists = np.arange(40)
    >>> users_were_assigned(lists // 4, lists, lists // 4 % 2), users_were_assigned(lists // 4, lists, lists % 2)
    (True, False)
    """
    known = (user >= 0) & (unit >= 0) & (arm >= 0)
    rows = np.unique(np.column_stack([user, unit, arm])[known], axis=0)
    if not len(rows):
        return False
    _, number = np.unique(rows[:, 0], return_inverse=True)
    units = np.bincount(number)
    pairs = np.unique(np.column_stack([number, rows[:, 2]]), axis=0)
    several = units > 1
    alike = (np.bincount(pairs[:, 0]) == 1)[several]
    shares = np.bincount(rows[:, 2]) / len(rows)
    chance = (shares[:, None] ** units[several]).sum(axis=0)
    excess = float((alike - chance).sum())
    return excess > float((1 - chance).sum()) / 2 and excess > SURE * sqrt(float((chance * (1 - chance)).sum()))


def row_of(user: Ints, users: Ints) -> Ints:
    """The place of each impression's user among users that are sorted; -1 where it is not there.

    >>> row_of(np.array([9, 4, 7]), np.array([4, 9])).tolist()
    [1, 0, -1]
    """
    if not len(users):
        return np.full(len(user), -1)
    place = np.minimum(np.searchsorted(users, user), len(users) - 1)
    return np.where(users[place] == user, place, -1)
