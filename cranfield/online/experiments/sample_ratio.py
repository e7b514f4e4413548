"""The sample ratio: were users divided among the arms as planned?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ALPHA = 0.0005


class SampleRatio(NamedTuple):
    """The users of each arm, those expected, and the chi-square test."""

    users: tuple[int, ...]
    expected: tuple[float, ...]
    p: float

    @property
    def holds(self) -> bool:
        """Whether results can be trusted."""
        return self.p >= ALPHA


def sample_ratio(users: Sequence[int], shares: Sequence[float] = ()) -> SampleRatio:
    """The check of how many users each arm has; `shares` are those planned, equal by default.

    A mismatch says that users were lost or moved on the way, most often by the treatment itself (a slow page, a
    redirect, a filter of bots), so that the arms are not alike and no difference between them means what it seems to
    mean. It is tested before anything else, at .0005, since it is tested in every experiment.

    Source: Fabijan et al., Diagnosing sample ratio mismatch in online controlled experiments, KDD 2019.

    >>> round(sample_ratio([2023, 1977]).p, 3), sample_ratio([2023, 1977]).holds, sample_ratio([2200, 1800]).holds
    (0.467, True, False)
    >>> sample_ratio([3000, 1010], [3, 1]).holds
    True
    """
    from scipy.special import chdtrc

    shares = shares or [1.0] * len(users)
    expected = [sum(users) * share / sum(shares) for share in shares]
    square = sum((found - wanted) ** 2 / wanted for found, wanted in zip(users, expected, strict=True) if wanted)
    return SampleRatio(tuple(users), tuple(expected), float(chdtrc(len(users) - 1, square)))
