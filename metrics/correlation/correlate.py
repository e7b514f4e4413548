"""The table of coefficients, and two rankings of systems compared by all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.arrays.selection import join_first_names
from cranfield.errors import InputError, give_warning
from cranfield.lazy import lazy_type
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
    DataFrame, SeriesOfScores = lazy_type("pandas", "DataFrame"), lazy_type("pandas", "Series")


CORRELATIONS: tuple[Correlation, ...] = (
    Correlation(
        "tau_b",
        kendall_tau,
        "pairs in the same order minus pairs in reverse order, normalised; among many systems, a single system can"
        " fall far while tau stays above 0.9",
    ),
    Correlation(
        "tau_a", tau_a, "like tau_b, but divided by all pairs, so ties in the estimate lower it", symmetric=False
    ),
    Correlation(
        "tau_AP",
        tau_ap,
        "like tau, but swaps near the top of the estimate cost more; a value below tau means disagreement at the top",
        symmetric=False,
    ),
    Correlation("tau_AP,a", tau_ap_a, "mean of tau_AP over all ways to break the estimate's ties", symmetric=False),
    Correlation("tau_AP,b", tau_ap_b, "mean of tau_AP in both directions; use it if neither side is the truth"),
    Correlation("weighted tau", weighted_tau, "tau with swaps weighted by 1 / rank, averaged over both sides' ranks"),
    Correlation("RBO", rbo, "overlap of both rankings at the top (p = 0.9); tied systems share a rank"),
    Correlation("RBO,a", rbo_a, "mean of RBO over all ways to break ties"),
    Correlation("RBO,b", rbo_b, "RBO,a corrected for ties, so that equal rankings score 1"),
    Correlation("RBO min", rbo_min, "lower bound on RBO, if there is no agreement below the last system"),
    Correlation("Spearman", spearman, "correlation of the ranks; one misplaced system costs more than in tau"),
    Correlation("Pearson", pearson, "correlation of the scores; sensitive to a single outlier"),
    Correlation(
        "RMSE", root_mean_square_error, "root mean squared difference of scores; needs the same measure on both sides"
    ),
    Correlation(
        "max change", max_change, "largest difference of a system's scores; needs the same measure on both sides"
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
    cranfield.errors.InputError: the truth has 2 systems and the estimate 1; expected equal numbers, or names (a dict)
    """
    import pandas as pd

    truth, estimate = named_scores(truth, estimate)
    x, y = align_systems(truth, estimate)
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
    values = align_systems(truth, estimate)
    names = [*(x or y or map(str, range(1, len(values[0]) + 1)))]
    return x or dict(zip(names, values[0], strict=True)), y or dict(zip(names, values[1], strict=True))


def notes_on_scores(truth: NamedScores, estimate: NamedScores) -> list[str]:
    """Which systems only one side has, and which coefficients are undefined because of a score."""
    x, y = align_systems(truth, estimate)
    notes = []
    if others := [str(name) for name in {**truth, **estimate} if name not in truth or name not in estimate]:
        notes.append(
            f"omitted {counted(len(others), 'system')} with scores on only one side: {join_first_names(others)}"
        )
    if (reason := why_undefined(x, y)).startswith("a score"):
        notes.append(f"the coefficients are undefined: {reason}")
    if has_infinite(x, y):
        order = "the other coefficients use only the order of the systems"
        notes.append(f"a score is infinite, so Pearson, RMSE and max change are undefined; {order}")
    return notes


def align_systems(truth: ScoresLike, estimate: ScoresLike) -> tuple[Floats, Floats]:
    """Both as arrays over the same systems, without the last digits: rounding must not order what ties.

    >>> align_systems([0.1 + 0.2, 0.3], [0.3, 0.1])[0].tolist()
    [0.3, 0.3]
    """
    truth, estimate = _plain_scores(truth), _plain_scores(estimate)
    x, y = _scores_by_name(truth), _scores_by_name(estimate)
    if x is not None and y is not None:
        common = [system for system in x if system in y]
        if x and y and not common:
            names = f"for example {next(iter(x))!r} in the truth and {next(iter(y))!r} in the estimate"
            raise InputError(f"no system is on both sides ({names}); give each system the same name on both sides")
        return _round_scores([x[system] for system in common]), _round_scores([y[system] for system in common])
    if len(truth) != len(estimate):
        raise InputError(
            f"the truth has {len(truth)} systems and the estimate {len(estimate)}; expected equal numbers, or names (a"
            " dict)"
        )
    return _round_scores(truth), _round_scores(estimate)


def _plain_scores(scores: ScoresLike) -> PlainScores:
    import pandas as pd

    if isinstance(scores, Result):
        return _means_by_run(scores.frame)
    return _means_by_run(scores) if isinstance(scores, pd.DataFrame) else scores


def _means_by_run(table: DataFrame) -> Mapping[str, float]:
    """The means of a table that `evaluate` returns, in long or wide form; of one measure."""
    if "query_id" in (*table.columns, *table.index.names):
        raise InputError("found scores by topic; expected means, such as from evaluate(...) without per_topic=True")
    is_wide = table.index.name == "run"
    if not is_wide and not {"run", "measure", "value"} <= {*table.columns}:
        raise _missing_scores_error()
    measures = [str(name) for name in (table.columns if is_wide else table["measure"].unique())]
    if len(measures) != 1:
        names = ", ".join(measures) or "none"
        raise InputError(f"found scores by {counted(len(measures), 'measure')}: {names}; expected one measure")
    means = table[measures[0]] if is_wide else table.set_index("run")["value"]
    return {str(run): float(mean) for run, mean in means.items()}


def _round_scores(scores: PlainScores | list[float]) -> Floats:
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
