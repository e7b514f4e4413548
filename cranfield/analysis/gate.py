"""Conditions under which a comparison fails: what `--fail-if` and the fixture of pytest take.

    nDCG@10 < baseline - 0.01    the mean of a run is below the baseline's by more than 0.01
    AP < baseline - 2%           by more than a fiftieth of the baseline's
    P@10 < 0.3                   it is below 0.3
    significant-loss             a run is significantly worse than the baseline by a measure that is compared

The signs are <, <=, > and >=; + goes where - does. An undefined mean fails.

Where documents of the two runs are unjudged, a condition is evaluated under each simulated labelling: it fails if it
holds in at least 0.9 of them, passes if it holds in at most 0.1, and is undecided otherwise. Without a model of the
pool it fails or passes if it does so under all labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import isnan, nan
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.text_tables import Case
from cranfield.metrics.forecast.comparisons import FamilyOutcomes
from cranfield.metrics.forecast.draws import MEASURES_OF_COVERAGE
from cranfield.metrics.forecast.outcomes import FAILS, HOLDS, Outcome, share_text
from cranfield.metrics.measure import Measure, ScoredKind
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.significance.titles import P_TEST_TITLES

if TYPE_CHECKING:
    from pandas import DataFrame

LOSS = "significant-loss"
EXAMPLES = f"'nDCG@10 < baseline - 0.01', 'AP < baseline - 2%', 'P@10 < 0.3' or {LOSS}"
SIGNS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
WORDS = {"<": "below", "<=": "not above", ">": "above", ">=": "not below"}
OPPOSITES = {"<": "not below", "<=": "above", ">": "not above", ">=": "below"}
WRITTEN = re.compile(r"(?P<measure>[^<>]+?)\s*(?P<sign>[<>]=?)\s*(?P<bound>[^<>]+)")
BOUND = re.compile(r"(?P<number>-?[\d.]+)|baseline(?:\s*(?P<by>[+-])\s*(?P<much>[\d.]+)\s*(?P<share>%?))?")
SCORES_UNDECIDED = (
    "documents are unjudged, and score files contain no judgments; compare the qrels and run files instead"
)
DECIMALS = 12  # means are sums of fractions: 0.31 - 0.01 is 0.3


class Condition(NamedTuple):
    """A condition: the loss or, with a measure, a bound of its mean."""

    text: str
    measure: Measure | None = None
    sign: str = "<"
    share: float = 0.0  # of the baseline's mean
    more: float = 0.0

    def limit_for(self, baseline: float) -> float:
        """What the mean is compared with.

        >>> parse_condition("AP < baseline - 2%").limit_for(0.5), parse_condition("AP < 0.3").limit_for(0.5)
        (0.49, 0.3)
        """
        return round((self.share * baseline if self.share else 0.0) + self.more, DECIMALS)

    def is_met(self, mean: float, bound: float) -> bool:
        """Whether a mean meets it, so that the comparison fails; an undefined one does."""
        return isnan(mean) or isnan(bound) or SIGNS[self.sign](round(mean, DECIMALS), bound)


def parse_condition(text: str, rel: int = 1, of: ScoredKind = "rankings") -> Condition:
    """The condition that this says; `rel` is the lowest relevant grade where its measure does not say.

    >>> parse_condition(" significant-loss ").measure, parse_condition("nDCG(gains='exp')@10 <= baseline").sign
    (None, '<=')
    >>> parse_condition("nDCG@10 is worse")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: 'nDCG@10 is worse' is not a condition; expected 'nDCG@10 < baseline - 0.01',
    'AP < baseline - 2%', 'P@10 < 0.3' or significant-loss
    """
    text = " ".join(text.split())
    if text == LOSS:
        return Condition(text)
    parts = WRITTEN.fullmatch(text)
    bound = BOUND.fullmatch(parts["bound"]) if parts else None
    try:
        share, more = _amounts(bound) if bound else (0.0, None)
    except ValueError:
        more = None
    if parts is None or more is None:
        raise InputError(f"'{text}' is not a condition; expected {EXAMPLES}")
    (measure,) = parse_measures([parts["measure"]], rel, of)
    return Condition(text, measure, parts["sign"], share, more)


def _amounts(bound: re.Match[str]) -> tuple[float, float]:
    """The share of the baseline's mean, and what is added."""
    if bound["number"]:
        return 0.0, float(bound["number"])
    much = float(f"{bound['by'] or ''}{bound['much'] or 0}")
    return (1 + much / 100, 0.0) if bound["share"] else (1.0, much)


def parse_conditions(texts: Iterable[str], rel: int = 1, of: ScoredKind = "rankings") -> list[Condition]:
    """Several, each once."""
    return list(dict.fromkeys(parse_condition(text, rel, of) for text in texts))


def measures_of(gate: Iterable[Condition]) -> list[Measure]:
    """The measures that conditions name, each once."""
    return list(dict.fromkeys(one.measure for one in gate if one.measure is not None))


def refuse_missing(gate: Iterable[Condition], measures: Iterable[Measure | str]) -> None:
    """Refuse a condition on a measure that is not compared.

    >>> refuse_missing([parse_condition("P@5 < 0.1")], ["AP"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: 'P@5 < 0.1': P@5 is not one of the compared measures (AP); add it with -m
    """
    names = [str(measure) for measure in measures]
    for one in gate:
        if one.measure is not None and str(one.measure) not in names:
            problem = f"{one.measure} is not one of the compared measures ({', '.join(names)})"
            raise InputError(f"'{one.text}': {problem}; add it with -m")


class ConditionResult(NamedTuple):
    """What became of a condition for a run and a measure.

    `share` is the share of simulated labellings in which the condition holds; NaN where none were simulated.
    """

    condition: str
    run: str
    measure: str
    mean: float
    bound: float  # of a loss, the baseline's mean
    failed: bool
    message: str
    undecided: bool = False
    share: float = nan


def check_conditions(
    table: DataFrame,
    gate: Sequence[Condition],
    baseline: str,
    families: Mapping[str, FamilyOutcomes] | None = None,
    lack: str = "",
) -> list[ConditionResult]:
    """Check each condition for each run of a comparison with a baseline.

    Parameters
    ----------
    table : DataFrame
        The comparison, as `compare` returns it.
    gate : sequence of Condition
        The conditions.
    baseline : str
        The tag of the baseline.
    families : mapping, optional
        The outcomes by measure; without them unjudged documents are not relevant.
    lack : str, optional
        Why no labels are simulated, or what to give for that; the message of an undecided condition has it.

    Returns
    -------
    list of ConditionResult
        One for each condition and run, and for a loss one for each measure.
    """
    rows = table.to_dict("records")
    number = table.groupby("measure", sort=False).cumcount().tolist()
    found = [
        _check_condition(one, row, baseline, None if families is None else families.get(row["measure"]), pair)
        for one in gate
        for row, pair in zip(rows, number, strict=True)
        if one.measure is None or str(one.measure) == row["measure"]
    ]
    return [one._replace(message=f"{one.message} ({lack})") if lack and one.undecided else one for one in found]


def _check_condition(
    one: Condition, row: Mapping[Any, Any], baseline: str, family: FamilyOutcomes | None, pair: int
) -> ConditionResult:
    name, mean, theirs = row["measure"], float(row["mean_a"]), float(row["mean_b"])
    if one.measure is None:
        bound, failed, message = theirs, *_loss(row, baseline)
    else:
        bound = one.limit_for(theirs)
        failed, message = one.is_met(mean, bound), _failure(one, row, bound, baseline)
    result = ConditionResult(one.text, row["run_a"], name, mean=mean, bound=bound, failed=failed, message=message)
    if row.get("outcome") == Outcome.UNCHECKED:
        return result._replace(message=f"{message}; the effect of unjudged documents was not checked")
    if family is None and row.get("outcome") == Outcome.UNDECIDED:  # of scores, which hold no judgments
        is_of_coverage = one.measure is not None and one.measure.name in MEASURES_OF_COVERAGE
        if not isnan(mean) and (is_of_coverage or _stays_with_more_relevant(one, failed)):
            return result
        return result._replace(failed=False, undecided=True, message=f"{message} as judged; {SCORES_UNDECIDED}")
    is_defined = not isnan(mean) and not isnan(bound) and not isnan(float(row["p_corrected"]))
    if family is None or family.closed[pair] or not is_defined:
        return result
    share = condition_share(one, family, pair)
    decision = None if isnan(share) else True if share >= HOLDS else False if share <= FAILS else None
    if family.has_draws:
        how = f"the condition holds in {share_text(share)} of {len(family.mean_a)} simulated labellings"
    else:
        extremes = "the smallest and the greatest possible difference give the same result"
        settled = extremes if one.measure is None else "no label can change the result"
        how = "judging the unjudged documents may change the result" if decision is None else settled
    if decision is not None and decision == result.failed and not family.has_draws:
        return result
    return result._replace(
        failed=decision is True, undecided=decision is None, share=share if family.has_draws else nan,
        message=f"{result.message} as judged; {how}",
    )  # fmt: skip


RISING = ("P", "RR", "Success", "Hits", "NumRelRet", "CG", "DCG", "ERR", "INST", "INSQ", "RBP")  # with each label


def _stays_with_more_relevant(one: Condition, holds: bool) -> bool:
    """Whether a condition on a mean alone stays as it is, as unjudged documents can only raise the mean."""
    if one.measure is None or one.share or one.measure.name not in RISING or one.measure.options.get("judged_only"):
        return False
    return holds == (one.sign in (">", ">="))


def condition_share(one: Condition, family: FamilyOutcomes, pair: int) -> float:
    """Return the share of labellings in which a condition holds for a pair.

    Parameters
    ----------
    one : Condition
        The condition.
    family : FamilyOutcomes
        The comparisons by the condition's measure.
    pair : int
        The number of the pair in the family.

    Returns
    -------
    float
        The share. Without draws 1 if the condition holds at all bounds, 0 if at none, otherwise NaN.
    """
    if one.measure is None:
        return float(family.loses[pair])
    ours, theirs = family.mean_a[:, pair].tolist(), family.mean_b[:, pair].tolist()
    means: Iterable[tuple[float, float]] = zip(ours, theirs, strict=True)
    if not family.has_draws and one.share == 1.0:  # the bounds of the difference are narrower than those of two means
        means = ((theirs[0] + difference, theirs[0]) for difference in family.differences[:, pair].tolist())
    elif not family.has_draws:
        means = product(ours, theirs)
    holds = [one.is_met(mean, one.limit_for(baseline)) for mean, baseline in means]
    share = sum(holds) / len(holds)
    return share if family.has_draws or share in (0.0, 1.0) else nan


def settle_undecided(results: Iterable[ConditionResult], how: str | None) -> list[ConditionResult]:
    """Let conditions that are not decided fail or pass.

    Parameters
    ----------
    results : iterable of ConditionResult
        The checks.
    how : {"fail", "pass"} or None
        What becomes of undecided conditions; None leaves them undecided.

    Returns
    -------
    list of ConditionResult
        The checks.
    """
    if how is None:
        return list(results)
    return [one._replace(failed=how == "fail", undecided=False) if one.undecided else one for one in results]


def _loss(row: Mapping[Any, Any], baseline: str) -> tuple[bool, str]:
    name, p = row["measure"], float(row["p_corrected"])
    if isnan(p):
        if row["topics"] > 1:
            lack = f"this test gives no p-value for {row['topics']} topics"
            return True, f"{name} is not tested, because {lack}; use --test t"
        return (
            True,
            f"{name} is not tested: the test needs at least two topics with scores for both this run and {baseline}",
        )
    mean, theirs = format_until_different(row["mean_a"], row["mean_b"])
    failed = bool(row["difference"] < 0 and row.get("significant_as_judged", row["significant"]))
    negation, test = "" if failed else "not ", P_TEST_TITLES[row["p_test"]]
    return failed, f"{name} is {mean}, {negation}significantly below {theirs} of {baseline} (p {p:.2g}, {test})"


def _failure(one: Condition, row: Mapping[Any, Any], bound: float, baseline: str) -> str:
    name, mean = row["measure"], float(row["mean_a"])
    if isnan(mean) or isnan(bound):
        return f"{name} is undefined on these topics"
    ours, limit = format_until_different(mean, bound)
    words = WORDS if one.is_met(mean, bound) else OPPOSITES
    of = f" ({baseline} {row['mean_b']:.4f}{_interval(row)})" if one.share else ""
    return f"{name} is {ours}, {words[one.sign]} {limit}{of}"


def _interval(row: Mapping[Any, Any]) -> str:
    if isnan(row.get("low", nan)):
        return ""
    return f"; difference {row['difference']:.4f}, interval {row['low']:.4f} to {row['high']:.4f}"


def format_until_different(a: float, b: float) -> tuple[str, str]:
    """Two numbers with four decimals, or with as many as it takes to tell them apart.

    >>> format_until_different(0.5, 0.25), format_until_different(0.31241, 0.31243), format_until_different(0.1, 0.1)
    (('0.5000', '0.2500'), ('0.31241', '0.31243'), ('0.1000', '0.1000'))
    """
    enough = (digits for digits in range(4, DECIMALS + 1) if f"{a:.{digits}f}" != f"{b:.{digits}f}")
    digits = next(enough, 4)
    return f"{a:.{digits}f}", f"{b:.{digits}f}"


def junit_cases(results: Iterable[ConditionResult]) -> list[Case]:
    """The checks as test cases: the run is the class, condition and measure are the name."""
    return [
        Case(one.run, f"{one.condition}: {one.measure}" if one.condition == LOSS else one.condition,
             one.message if one.failed else None, one.message if one.undecided else None)
        for one in results
    ]  # fmt: skip


def failure_lines(results: Iterable[ConditionResult]) -> list[str]:
    """A line for each that failed."""
    return [f"{one.run}: {one.message}; {one.condition}" for one in results if one.failed]


def undecided_lines(results: Iterable[ConditionResult]) -> list[str]:
    """A line for each that is not decided."""
    return [f"{one.run}: {one.message}; {one.condition}" for one in results if one.undecided]
