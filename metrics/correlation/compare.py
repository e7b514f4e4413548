"""All coefficients of two system rankings at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.metrics.correlation.base import DIGITS, Scores
from cranfield.metrics.correlation.table import CORRELATIONS

if TYPE_CHECKING:
    from pandas import DataFrame, Series

ScoresLike: TypeAlias = "Scores | Mapping[str, float] | Series[float]"


def correlate(truth: ScoresLike, estimate: ScoresLike) -> DataFrame:
    """Every coefficient of the scores of the same systems: coefficient, value, reading.

    Scores are sequences in the same order of systems, or dicts or Series by system; then the systems that both have
    are compared.

    >>> table = correlate({"a": 0.3, "b": 0.2, "c": 0.1}, {"c": 0.1, "b": 0.6, "a": 0.5, "other": 1.0})
    >>> table.set_index("coefficient")["value"][["tau_b", "tau_AP"]].round(4).to_dict()
    {'tau_b': 0.3333, 'tau_AP': 0.0}
    >>> correlate([0.1, 0.2], [0.1])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: 2 systems in the truth, 1 in the estimate: give their names (a dict), or as many
    """
    import pandas as pd

    x, y = aligned(truth, estimate)
    rows = [(c.name, c(x, y), c.reading) for c in CORRELATIONS]
    return pd.DataFrame(rows, columns=["coefficient", "value", "reading"])


def aligned(truth: ScoresLike, estimate: ScoresLike) -> tuple[Floats, Floats]:
    """Both as arrays over the same systems, without the last digits: rounding must not order what ties.

    >>> aligned([0.1 + 0.2, 0.3], [0.3, 0.1])[0].tolist()
    [0.3, 0.3]
    """
    x, y = _named(truth), _named(estimate)
    if x is not None and y is not None:
        common = [system for system in x if system in y]
        return _rounded([x[system] for system in common]), _rounded([y[system] for system in common])
    if len(truth) != len(estimate):
        raise InputError(
            f"{len(truth)} systems in the truth, {len(estimate)} in the estimate: give their names (a dict), or as many"
        )
    return _rounded(truth), _rounded(estimate)


def _rounded(scores: ScoresLike | list[float]) -> Floats:
    return np.asarray(np.round(np.asarray(scores, float), DIGITS))


def _named(scores: ScoresLike) -> Mapping[str, float] | None:
    if isinstance(scores, Mapping):
        return scores
    to_dict = getattr(scores, "to_dict", None)  # a Series
    return None if to_dict is None else dict(to_dict())
