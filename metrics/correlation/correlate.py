"""The table of coefficients, and two rankings of systems compared by all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.arrays.selection import first_names
from cranfield.errors import InputError, give_warning
from cranfield.lazy import type_in
from cranfield.metrics.correlation.coefficients import (
    DIGITS,
    Correlation,
    Scores,
    has_infinite,
    kendall_tau,
    max_change,
    pearson,
    root_mean_square_error,
    spearman,
    tau_a,
    tau_ap,
    tau_ap_a,
    tau_ap_b,
    weighted_tau,
    why_undefined,
)
from cranfield.metrics.correlation.rbo import rbo, rbo_a, rbo_b, rbo_min
from cranfield.results import Result
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame, Series

    SeriesOfScores: TypeAlias = Series[float]
else:
    DataFrame, SeriesOfScores = type_in("pandas", "DataFrame"), type_in("pandas", "Series")


CORRELATIONS: tuple[Correlation, ...] = (
    Correlation(
        "tau_b",
        kendall_tau,
        "pairs of systems in the same order less pairs in reverse order; 0.9 and above is usually called equivalent,"
        " but among many systems one can fall far without changing it",
    ),
    Correlation(
        "tau_a", tau_a, "the same as a share of all pairs, so that a tie in the estimate costs", symmetric=False
    ),
    Correlation(
        "tau_AP",
        tau_ap,
        "like tau, but swaps near the top of the estimate cost more; below tau: the two disagree about the best",
        symmetric=False,
    ),
    Correlation("tau_AP,a", tau_ap_a, "tau_AP, its mean over all ways to break the estimate's ties", symmetric=False),
    Correlation("tau_AP,b", tau_ap_b, "tau_AP, the mean of both directions, where neither side is the truth"),
    Correlation("weighted tau", weighted_tau, "tau with swaps weighted by 1 / rank, averaged over both sides' ranks"),
    Correlation("RBO", rbo, "what the top of both rankings has in common (p = 0.9); tied systems have the same rank"),
    Correlation("RBO,a", rbo_a, "RBO, its mean over all ways to break ties"),
    Correlation("RBO,b", rbo_b, "RBO,a corrected for ties, so that equal rankings score 1"),
    Correlation("RBO min", rbo_min, "RBO if nothing below the last system agreed: a lower bound"),
    Correlation("Spearman", spearman, "correlation of the ranks; one system far off costs more than in tau"),
    Correlation("Pearson", pearson, "correlation of the scores; sensitive to a single outlier"),
    Correlation(
        "RMSE", root_mean_square_error, "root mean squared difference of scores; only where both use the same measure"
    ),
    Correlation(
        "max change", max_change, "the largest difference of a system's scores; only where both use the same measure"
    ),
)


NamedScores: TypeAlias = Mapping[str, float]
PlainScores: TypeAlias = Scores | Mapping[str, float] | SeriesOfScores
ScoresLike: TypeAlias = PlainScores | DataFrame | Result


def correlate(truth: ScoresLike, estimate: ScoresLike) -> DataFrame:
    """Every coefficient of the scores of the same systems: coefficient, value, reading.

    Scores are sequences in the same order of systems, or dicts or Series by system; then the systems that both have
    are compared, and a warning gives the number of the others. The result of `evaluate` by one measure, or its frame,
    has the means of its runs.

    >>> table = correlate({"a": 0.3, "b": 0.2, "c": 0.1}, {"c": 0.1, "b": 0.6, "a": 0.5})
    >>> table.set_index("coefficient")["value"][["tau_b", "tau_AP"]].round(4).to_dict()
    {'tau_b': 0.3333, 'tau_AP': 0.0}
    >>> correlate([0.1, 0.2], [0.1])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: 2 systems in the truth, 1 in the estimate: give their names (a dict), or as many
    """
    import pandas as pd

    truth, estimate = named_scores(truth, estimate)
    x, y = align(truth, estimate)
    for line in notes_on_scores(truth, estimate):
        give_warning(line)
    rows = [(c.name, c(x, y), c.reading) for c in CORRELATIONS]
    return pd.DataFrame(rows, columns=["coefficient", "value", "reading"])


def named_scores(truth: ScoresLike, estimate: ScoresLike) -> tuple[NamedScores, NamedScores]:
    """Both sets of scores by system; sequences have numbers for names, or the names of a Series on the other side.

    >>> named_scores([0.5, 0.25], [0.75, 0.5])[1] == {"1": 0.75, "2": 0.5}
    True
    """
    truth, estimate = _plain_scores(truth), _plain_scores(estimate)
    x, y = _scores_by_name(truth), _scores_by_name(estimate)
    if x is not None and y is not None:
        return x, y
    values = align(truth, estimate)
    names = [*(x or y or map(str, range(1, len(values[0]) + 1)))]
    return x or dict(zip(names, values[0], strict=True)), y or dict(zip(names, values[1], strict=True))


def notes_on_scores(truth: NamedScores, estimate: NamedScores) -> list[str]:
    """Which systems only one side has, and which coefficients are undefined because of a score."""
    x, y = align(truth, estimate)
    notes = []
    if others := [str(name) for name in {**truth, **estimate} if name not in truth or name not in estimate]:
        notes.append(f"{counted(len(others), 'system')} on only one side left out: {first_names(others)}")
    if (reason := why_undefined(x, y)).startswith("a score"):
        notes.append(f"the coefficients are undefined: {reason}")
    if has_infinite(x, y):
        order = "the other coefficients use only the order of the systems"
        notes.append(f"a score is infinite, so Pearson, RMSE and max change are undefined; {order}")
    return notes


def align(truth: ScoresLike, estimate: ScoresLike) -> tuple[Floats, Floats]:
    """Both as arrays over the same systems, without the last digits: rounding must not order what ties.

    >>> align([0.1 + 0.2, 0.3], [0.3, 0.1])[0].tolist()
    [0.3, 0.3]
    """
    truth, estimate = _plain_scores(truth), _plain_scores(estimate)
    x, y = _scores_by_name(truth), _scores_by_name(estimate)
    if x is not None and y is not None:
        common = [system for system in x if system in y]
        if x and y and not common:
            names = f"the truth has {next(iter(x))!r}, the estimate {next(iter(y))!r}"
            raise InputError(f"no system is on both sides: {names}; give them the same names")
        return _round([x[system] for system in common]), _round([y[system] for system in common])
    if len(truth) != len(estimate):
        raise InputError(
            f"{len(truth)} systems in the truth, {len(estimate)} in the estimate: give their names (a dict), or as many"
        )
    return _round(truth), _round(estimate)


def _plain_scores(scores: ScoresLike) -> PlainScores:
    import pandas as pd

    if isinstance(scores, Result):
        return _means_by_run(scores.frame)
    return _means_by_run(scores) if isinstance(scores, pd.DataFrame) else scores


def _means_by_run(table: DataFrame) -> Mapping[str, float]:
    """The means of a table that `evaluate` returns, in long or wide form; of one measure."""
    if "query_id" in (*table.columns, *table.index.names):
        raise InputError("scores by topic are given; expected means, of evaluate(...) without per_topic=True")
    is_wide = table.index.name == "run"
    if not is_wide and not {"run", "measure", "value"} <= {*table.columns}:
        raise _missing_scores_error()
    measures = [str(name) for name in (table.columns if is_wide else table["measure"].unique())]
    if len(measures) != 1:
        names = ", ".join(measures) or "none"
        raise InputError(f"scores by {counted(len(measures), 'measure')} are given: {names}; expected one measure")
    means = table[measures[0]] if is_wide else table.set_index("run")["value"]
    return {str(run): float(mean) for run, mean in means.items()}


def _round(scores: PlainScores | list[float]) -> Floats:
    try:
        return np.asarray(np.round(np.asarray(scores, float), DIGITS))
    except (TypeError, ValueError):
        raise _missing_scores_error() from None


def _missing_scores_error() -> InputError:
    return InputError(
        "expected scores: a list, a dict or Series with one number for each system, or the result of evaluate(...)"
    )


def _scores_by_name(scores: PlainScores) -> Mapping[str, float] | None:
    if isinstance(scores, Mapping):
        return scores
    if not hasattr(scores, "__len__"):
        raise _missing_scores_error()
    to_dict = getattr(scores, "to_dict", None)  # a Series
    return None if to_dict is None else dict(to_dict())
