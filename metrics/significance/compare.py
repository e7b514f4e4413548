"""Comparisons of runs in pairs: a tidy table of differences, their intervals and sizes, and p."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_args

import numpy as np

from cranfield.arrays.judged import Judged, JudgedBlocks
from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError, MeasureError
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import QrelsLike, RunsLike, join_judged
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse, parse_measures
from cranfield.metrics.significance.pairs import (
    CORRECTIONS,
    DECIMALS,
    SAMPLES,
    Correction,
    Pairs,
    SignificanceTest,
    all_pairs,
    correct_p_values,
    counts_all_resamples,
    effects,
    ignore,
    p_tests,
    p_values,
)
from cranfield.metrics.significance.tests import TESTS, Zeros
from cranfield.text import join_words

if TYPE_CHECKING:
    from pandas import DataFrame


class ComparedScores(NamedTuple):
    """Scores as an array (runs, topics, measures), the best run by the first measure first, NaN where undefined."""

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    measures: tuple[str, ...]
    values: Floats


def scores_of(
    qrels: QrelsLike | Judged | JudgedBlocks,
    runs: RunsLike | None = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
) -> ComparedScores:
    """The scores of runs by qrels (AP by default), or those of a table of scores (all its measures).

    The table is as `evaluate(..., per_topic=True)` returns it: run, query_id, measure, value.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> scores = scores_of(qrels, {"x": {"q1": {"d1": 1.0}}, "y": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}})
    >>> scores.tags, scores.measures, scores.values[..., 0].tolist()
    (('y', 'x'), ('AP',), [[1.0, 1.0], [1.0, 0.0]])
    """
    is_table = runs is None and not isinstance(qrels, Judged | JudgedBlocks)
    scores = _from_table(qrels, measures) if is_table else _compared_scores(qrels, runs, measures)
    if len(scores.tags) < 2:
        have = f"only one run ('{scores.tags[0]}')" if scores.tags else "no run"
        raise InputError(f"{have}; a comparison needs two")
    if len(scores.qids) < 2:
        raise InputError(f"only one topic ('{scores.qids[0]}'); a comparison needs at least two, and preferably 50")
    # an order independent of the input's: by the mean of the first measure, then by tag
    first = np.ma.masked_invalid(scores.values[..., 0]).mean(axis=1).filled(-np.inf).round(DECIMALS)
    order = sorted(range(len(scores.tags)), key=lambda run: (-first[run], scores.tags[run]))
    return scores._replace(tags=tuple(scores.tags[run] for run in order), values=scores.values[order])


def _compared_scores(
    qrels: QrelsLike | Judged | JudgedBlocks,
    runs: RunsLike | None,
    measures: str | Measure | Iterable[str | Measure] | None,
) -> ComparedScores:
    measure_list = parse_measures(("AP",) if measures is None else measures)
    geometric = [measure for measure in measure_list if measure.aggregate == "geometric mean"]
    if geometric:
        raise MeasureError(f"{geometric[0]} is a geometric mean; a comparison needs arithmetic means, such as AP")
    judged = qrels if isinstance(qrels, JudgedBlocks) else join_judged(qrels, runs)
    return ComparedScores(judged.tags, judged.qids, tuple(map(str, measure_list)), score(judged, measure_list))


def _from_table(table: object, measures: str | Measure | Iterable[str | Measure] | None) -> ComparedScores:
    import pandas as pd

    columns = ["run", "query_id", "measure", "value"]
    if not isinstance(table, pd.DataFrame) or any(column not in table for column in columns):
        raise InputError(f"without runs, expected a DataFrame of scores with the columns {', '.join(columns)}")
    twice = np.flatnonzero(table.duplicated(columns[:3]))
    if len(twice):
        row = table.iloc[int(twice[0])]
        raise InputError(f"run '{row['run']}', topic '{row['query_id']}' has two scores by {row['measure']}")
    names = list(dict.fromkeys(str(name) for name in table["measure"]))
    selection = names if measures is None else [str(measure) for measure in parse_measures(measures)]
    missing = [name for name in selection if name not in names]
    if missing:
        raise InputError(f"there are no scores by {missing[0]}; the table has scores by {', '.join(names)}")
    run, tags = pd.factorize(table["run"].astype(str), sort=True)
    topic, qids = pd.factorize(table["query_id"].astype(str), sort=True)
    measure = pd.Index(selection).get_indexer(pd.Index(table["measure"].astype(str)))
    values = np.full((len(tags), len(qids), len(selection)), np.nan)
    listed = measure >= 0
    values[run[listed], topic[listed], measure[listed]] = table["value"].to_numpy(dtype=float)[listed]
    return ComparedScores(tuple(map(str, tags)), tuple(map(str, qids)), tuple(selection), values)


Choice = TypeVar("Choice")
ROUNDING = 1e-12  # a p of 1 in 60 times 3 is .05


def compare(
    qrels: QrelsLike | Judged | JudgedBlocks,
    runs: RunsLike | None = None,
    *,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    baseline: str | None = None,
    test: str = "t",
    correction: str | None = None,
    alpha: float = 0.05,
    samples: int = SAMPLES,
    seed: int = 0,
    zeros: str = "wilcox",
    advance: Callable[[int], None] = ignore,
) -> DataFrame:
    """Test every pair of runs, or each run against a baseline: one row per pair and measure.

    Read the difference and its interval first, then p. A pair that is not significant is not shown to be equal: these
    topics cannot distinguish the two.

    `qrels` with `runs`, or a table of scores as `evaluate(..., per_topic=True)` returns it. Run a is the one that is
    better by the first measure, or the one compared with the baseline. `low` and `high` are the paired t interval of
    the difference at 1 - alpha, whatever the test, and not corrected; NaN where the runs differ on fewer than eight
    topics, or by the same amount on all. `effect` is the mean difference over the standard deviation of the
    differences. `p_test` is the test that gave p: where all differences are equal, t is undefined and p is the sign
    test's. `correction` is over the
    pairs of a measure; by default holm, and none for tukey, which needs none. `samples` and `seed` are for tests that
    resample, `zeros` for wilcoxon; another test refuses them. The same seed gives the same p, in whatever order runs
    and topics come. `exact` says whether p counts all resamples there are, which it does where they are no more than
    the samples; None where the test does not resample.

    >>> qrels = {topic: {"d": 1} for topic in "123"}
    >>> runs = {"good": {topic: {"d": 1.0} for topic in "123"}, "poor": {"1": {"d": 1.0}}, "same": {"1": {"d": 1.0}}}
    >>> table = compare(qrels, runs, measures="RR")
    >>> table[["run_a", "run_b", "difference", "wins", "ties", "p", "p_corrected"]].round(3).values.tolist()
    [['good', 'poor', 0.667, 2, 1, 0.184, 0.551],
     ['good', 'same', 0.667, 2, 1, 0.184, 0.551],
     ['poor', 'same', 0.0, 0, 3, 1.0, 1.0]]
    >>> compare(qrels, runs, baseline="POUR")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: unknown run 'POUR'; did you mean poor?
    """
    method = _choose(TESTS, "test", test)
    adjustment = correction_for(method, correction)
    _check_settings(alpha, samples, seed, zeros)
    resampling = [one.name for one in TESTS.values() if one.resamples]
    for name, value, default, users in (
        ("samples", samples, SAMPLES, resampling),
        ("seed", seed, 0, resampling),
        ("zeros", zeros, "wilcox", ["wilcoxon"]),
    ):
        if value != default and method.name not in users:
            use = "uses" if len(users) == 1 else "use"
            raise InputError(f"{name} is {value}, which only {join_words(users)} {use}, not {method.name}")
    scores = scores_of(qrels, runs, measures)
    a, b = _pairs(scores.tags, baseline)
    sampling = Pairs(scores.values[..., 0], a, b, samples=samples, seed=seed, zeros=zeros, advance=advance)
    return _comparison_table(scores, sampling, method, adjustment, alpha)


def correction_for(test: SignificanceTest, name: str | None) -> Correction:
    """The correction of this name; by default Holm's, and none for a test that needs none.

    >>> correction_for(TESTS["t"], None).title, correction_for(TESTS["tukey"], None).title
    ('Holm', 'no correction')
    >>> correction_for(TESTS["tukey"], "holm")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: tukey corrects for all pairs itself; found the correction holm, expected none
    """
    correction = _choose(CORRECTIONS, "correction", name or ("none" if test.whole else "holm"))
    if test.whole and correction.name != "none":
        raise InputError(
            f"{test.name} corrects for all pairs itself; found the correction {correction.name}, expected none"
        )
    return correction


def unreachable_significance(
    test: SignificanceTest,
    correction: Correction,
    alpha: float,
    *,
    samples: int,
    topics: int,
    pairs: int,
    runs: int = 2,
) -> str | None:
    """Why no pair can be significant here, if none can; nothing where no pair has a p.

    >>> unreachable_significance(TESTS["permutation"], CORRECTIONS["holm"], 0.05, samples=9999, topics=50, pairs=1000)
    'no p is below 0.0001 with 9999 samples, and Holm over 1000 pairs asks for 5e-05: take 19999 samples or more'
    >>> unreachable_significance(TESTS["sign"], CORRECTIONS["none"], 0.05, samples=0, topics=5, pairs=1)
    'no p is below 0.0625 with 5 topics, and no correction over 1 pairs asks for 0.05: take more topics'
    >>> unreachable_significance(TESTS["tukey"], CORRECTIONS["none"], 0.01, samples=999, topics=3, pairs=3, runs=3)
    'no p is below 0.02778 with 3 topics, and no correction over 3 pairs asks for 0.01: take more topics'
    """
    if not pairs:
        return None
    limit = alpha / pairs if correction.any_false else alpha
    least = test.least(topics, samples, runs)
    if least <= limit:
        return None
    uses_samples = test.resamples and least == 1 / (samples + 1)
    test_words = f"{samples} samples" if uses_samples else f"{topics} topics"
    remedy = f"{int(np.ceil(1 / limit)) - 1} samples or more" if uses_samples else "more topics"
    return (
        f"no p is below {least:.4g} with {test_words}, and {correction.title} over {pairs} pairs asks for {limit:.4g}:"
        f" take {remedy}"
    )


def _choose(table: Mapping[str, Choice], what: str, name: str) -> Choice:
    if name not in table:
        raise InputError(f"unknown {what} '{name}'; available: {', '.join(table)}")
    return table[name]


def _check_settings(alpha: float, samples: int, seed: int, zeros: str) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha:g}; expected a number above 0 and below 1")
    if samples < 1:
        raise InputError(f"samples is {samples}; expected a whole number of at least 1")
    if seed < 0:
        raise InputError(f"the seed is {seed}; expected a whole number of at least 0")
    if zeros not in get_args(Zeros):
        raise InputError(f"zeros is '{zeros}'; expected one of {', '.join(get_args(Zeros))}")


def _pairs(tags: Sequence[str], baseline: str | None) -> tuple[Ints, Ints]:
    """All pairs, or each run with the baseline."""
    if baseline is None:
        return all_pairs(len(tags))
    if baseline not in tags:
        by_lower = {tag.lower(): tag for tag in tags}
        near = ", ".join(by_lower[name] for name in get_close_matches(str(baseline).lower(), by_lower, n=3))
        more = f" and {len(tags) - 3} more" if len(tags) > 3 else ""
        hint = f"did you mean {near}?" if near else f"available: {', '.join(tags[:3])}{more}"
        raise InputError(f"unknown run '{baseline}'; {hint}")
    others = np.array([run for run, tag in enumerate(tags) if tag != baseline], dtype=np.int64)
    return others, np.full(len(others), tags.index(baseline), dtype=np.int64)


def max_score_difference(measure: str) -> float:
    """The largest difference of two scores by this measure.

    >>> max_score_difference("nDCG@10"), max_score_difference("DCG@10"), max_score_difference("our own")
    (1.0, inf, inf)
    """
    try:
        low, high = parse(measure).range
    except MeasureError:
        return np.inf
    return high - low


def _comparison_table(
    scores: ComparedScores, sampling: Pairs, test: SignificanceTest, correction: Correction, alpha: float
) -> DataFrame:
    import pandas as pd

    tags = np.array([*scores.tags, None], dtype=object)[:-1]
    frames = []
    for number, measure in enumerate(scores.measures):
        pairs = replace(sampling, scores=scores.values[..., number])
        p = p_values(test, pairs)
        after = correct_p_values(p, correction)
        columns = {"run_a": tags[pairs.a], "run_b": tags[pairs.b], "measure": measure}
        outcome = {"p": p, "p_corrected": after, "significant": after <= alpha * (1 + ROUNDING)}
        outcome["p_test"] = np.array([*p_tests(test, pairs), None], dtype=object)[:-1]
        outcome["exact"] = np.array([*counts_all_resamples(test, pairs), None], dtype=object)[:-1]
        frames.append(
            pd.DataFrame({**columns, **effects(pairs, alpha, max_score_difference(measure))._asdict(), **outcome})
        )
    return pd.concat(frames, ignore_index=True)
