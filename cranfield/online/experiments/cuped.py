"""CUPED: what users did before the experiment explains part of how they differ, and is taken out of their values."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats


def adjusted(values: Floats, before: Floats) -> Floats:
    """The values of the users of all arms, adjusted for those of before.

    CUPED: what users did before the experiment explains part of how they differ, and is taken out of their values.

    Y - theta (X - mean X), with theta = cov(Y, X) / var(X) over the arms pooled: the same for all, so that no arm
    gains, and the difference of the arms is estimated with less variance, by the square of the correlation of Y and X.
    It misleads where X is not from before: then part of the effect is taken out.

    Source: Deng, Xu, Kohavi and Walker, Improving the sensitivity of online controlled experiments by utilizing
    pre-experiment data, WSDM 2013.

    >>> adjusted(np.array([1.0, 2.0, 3.0, 6.0]), np.array([0.0, 1.0, 2.0, 5.0])).round(6).tolist()
    [3.0, 3.0, 3.0, 3.0]
    >>> adjusted(np.array([1.0, 2.0]), np.array([1.0, 1.0])).tolist()  # nothing to learn from
    [1.0, 2.0]
    """
    centred = before - before.mean()
    variance = centred @ centred
    theta = (values - values.mean()) @ centred / variance if variance > 0 else 0.0
    return np.asarray(values - theta * centred, float)
