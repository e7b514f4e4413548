"""The logistic model of relevance outside the pool, and how far a new run's log odds may shift."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

RIDGE = 2.0  # on standardised features
MAX_STEPS = 12
MAX_DEVIATIONS = 4.0  # standard deviations at which a feature is clipped
MAX_LOG_ODDS = 9.0
MIN_EXPECTED = 2.0  # relevant documents expected of a left-out run, below which it does not count for the spread
DEFAULT_SPREAD = 0.5  # where too few left-out runs count
MAX_TESTED_SHARE = 0.7  # unjudged share of a run within the depth; up to it 124 of 124 intervals of unlike runs held
UNTESTED_SHIFT_SD = 3.0  # above that share, where 21 of 40 intervals held with the usual spread
MIN_SHIFT_SD = 0.8  # added in quadrature: a new system differs more from the pooled ones than they do from each other


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """A logistic regression on standardised features.

    Parameters
    ----------
    mean, scale : array (features,)
        The mean and the standard deviation of each feature in the training rows.
    weights : array (features + 1,)
        The intercept, then the weight of each standardised feature.
    """

    mean: Floats
    scale: Floats
    weights: Floats

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability of relevance of each row.

        Parameters
        ----------
        features : array (rows, features)
            The features, in the order of the training rows.

        Returns
        -------
        array (rows,)
            Probabilities.
        """
        deviations = np.clip((features - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        log_odds = self.weights[0] + deviations @ self.weights[1:]
        return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -MAX_LOG_ODDS, MAX_LOG_ODDS))))


def fit_logistic(features: Floats, labels: Floats, weights: Floats) -> LogisticModel:
    """Fit a logistic regression with a ridge penalty by Newton's method.

    Parameters
    ----------
    features : array (rows, features)
        The features.
    labels : array (rows,)
        1 for relevant, otherwise 0.
    weights : array (rows,)
        The weight of each row.

    Returns
    -------
    LogisticModel
        The fitted model.

    Examples
    --------
    >>> rows = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = fit_logistic(rows, np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4))
    >>> model.probabilities(rows).round(2).tolist()
    [0.31, 0.43, 0.57, 0.69]
    """
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    rows = np.c_[np.ones(len(features)), (features - mean) / scale]
    share = np.clip(weights @ labels / weights.sum(), 1e-3, 0.999)
    found = np.zeros(rows.shape[1])
    found[0] = np.log(share / (1 - share))
    ridge = np.eye(len(found)) * RIDGE
    ridge[0, 0] = 0
    for _ in range(MAX_STEPS):
        p = 1 / (1 + np.exp(-rows @ found))
        curvature = weights * p * (1 - p) + 1e-9
        hessian = (rows * curvature[:, None]).T @ rows + ridge + 1e-3 * np.eye(len(found))
        step = np.linalg.solve(hessian, rows.T @ (weights * (labels - p)) - ridge @ found)
        found += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-4:
            break
    return LogisticModel(mean, scale, found)


def shift_spread(labels: Floats, probabilities: Floats, unit: Ints) -> float:
    """Estimate tau, the standard deviation of left-out runs' shifts of the log odds.

    Parameters
    ----------
    labels, probabilities : array (rows,)
        What was relevant, and the probability that the model gives.
    unit : array (rows,)
        The left-out run, in its split, that each row belongs to.

    Returns
    -------
    float
        The root of the mean of log((O + 0.5) / (E + 0.5))^2 - 1 / (E + 0.5) over units with E > 2.
    """
    observed, expected = np.bincount(unit, labels), np.bincount(unit, probabilities)
    enough = expected > MIN_EXPECTED
    if enough.sum() <= 2:
        return DEFAULT_SPREAD
    ratios = np.log((observed[enough] + 0.5) / (expected[enough] + 0.5))
    variance = float(np.mean(ratios**2 - 1 / (expected[enough] + 0.5)))
    return float(np.sqrt(max(variance, 0.0)))
