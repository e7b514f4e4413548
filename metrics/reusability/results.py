"""The results of leave-one-out, as records and as JSON, and the claims that it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from math import isnan, nan
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

NOISE = 1.0
CARE = 6.0
MENTIONED = 0.02  # shares: of the judged documents, of the pool, of the topics
MOST = 1 / 3
USUAL, RICH = 6.0, 15.0  # per cent of the judged documents that are relevant


class Imputation(NamedTuple):
    """A number that rests on drawn grades: its mean over the draws, and a 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ScoreChange:
    """A run's score and rank by one measure, under all judgments and under those without its own unit."""

    run: str
    measure: str
    full: float
    reduced: float
    full_rank: int
    reduced_rank: int
    rank_alone: int  # its rank if it alone is rescored and all others keep the full score
    # the 95 % interval of `reduced`, where it rests on drawn grades; else NaN, which equals nothing
    reduced_low: float = field(default=nan, compare=False)
    reduced_high: float = field(default=nan, compare=False)

    @property
    def change_percent(self) -> float:
        """How far the score changes, in per cent of itself: a loss is negative; NaN if the full score is 0."""
        return (self.reduced - self.full) / abs(self.full) * 100 if self.full else nan

    @property
    def absolute_percent(self) -> float:
        """The same without its sign, which is what means and maxima are of."""
        return abs(self.change_percent)

    @property
    def rank_drop(self) -> int:
        """How many ranks it falls."""
        return self.reduced_rank - self.full_rank


@dataclass(frozen=True)
class UnitResult:
    """A left-out unit: what it alone contributed, and what its runs lose."""

    unit: str
    runs: tuple[str, ...]
    unique: int
    unique_relevant: int
    tau: Mapping[str, float]
    tau_ap: Mapping[str, float]
    flips: "Mapping[str, Flips]"  # significant differences between any two runs that change
    changes: tuple[ScoreChange, ...]
    missed: int = 0  # documents in the pool rebuilt without it that are unjudged


@dataclass(frozen=True)
class UntestedUnit:
    """A unit whose loss is unknown: fewer of the documents that it alone contributed are judged than are unjudged."""

    result: UnitResult
    unjudged: int  # documents of its pooled ranks
    pooled: int  # documents of its pooled ranks, judged or not

    @property
    def note(self) -> str:
        """How many of its documents are unjudged, and what leaves it out.

        >>> unit = UnitResult("late", ("late",), 0, 0, {}, {}, {}, ())
        >>> print(UntestedUnit(unit, 10, 250).note)
        late is not tested, because 10 of the 250 documents at its pooled ranks are unjudged. It is excluded from
        means, worst cases and tau; judge these documents
        """
        are = "is" if self.unjudged == 1 else "are"
        return (
            f"{self.result.unit} is not tested, because {self.unjudged:,} of the {self.pooled:,} documents at its"
            f" pooled ranks {are} unjudged. It is excluded from means, worst cases and tau; judge these documents"
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        result = self.result
        return {
            "unit": result.unit,
            "runs": list(result.runs),
            "unique": result.unique,
            "unjudged": self.unjudged,
            "pooled": self.pooled,
        }


@dataclass(frozen=True)
class PoolOverlap:
    """How pool and judgments overlap, in documents; None where unknown.

    Unexplained is what was judged outside the pool without another known origin.
    """

    documents: int | None
    judged: int
    unjudged: int | None
    judged_outside: int
    relevant: int = 0  # in the pool
    unexplained: int = 0
    relevant_unexplained: int = 0
    to_come: int = 0  # documents that an open pool may still get

    @property
    def lack(self) -> str:
        """Why leave-one-out of these runs says nothing about the collection; empty where it does.

        A verdict needs two thirds of the judged documents, of the relevant ones, and of the pool judged.

        >>> PoolOverlap(420, 420, 0, 8271, 200, 8271, 2152).lack
        'the pool of these runs does not explain the judgments: 8,271 of 8,691 judged documents are outside it'
        >>> PoolOverlap(10, 6, 4, 0).lack, PoolOverlap(9, 6, 3, 3, 4, 3, 2).lack
        ('4 of the 10 documents in the pool are not judged', '')
        >>> PoolOverlap(10, 10, 0, 0, to_come=20).lack
        '20 of up to 30 documents in the pool are not judged'
        """
        for what, outside, inside in (
            ("judged", self.unexplained, self.judged),
            ("relevant", self.relevant_unexplained, self.relevant),
        ):
            if outside > MOST * (outside + inside):
                share = f"{outside:,} of {outside + inside:,} {what} documents"
                return f"the pool of these runs does not explain the judgments: {share} are outside it"
        if self._waiting > MOST * self._n_documents:
            return f"{self._pool_words} are not judged"
        return "" if self.judged else "no document in the pool is judged"

    @property
    def reservations(self) -> list[str]:
        """What a verdict on this pool leaves open, in sentences.

        >>> print(*PoolOverlap(10, 9, 1, 0).reservations, *PoolOverlap(None, 90, None, 10, 50, 10, 10).reservations)
        1 of the 10 documents in the pool is not judged and counts as not relevant.
        10 of the 100 judged documents (10 relevant) were not in this pool, so they stay judged in every test.
        """
        sentences, judged = [], self.judged + self.unexplained
        if self.unexplained > MENTIONED * judged:
            which = f"{self.unexplained:,} of the {judged:,} judged documents ({self.relevant_unexplained:,} relevant)"
            stay = (
                "was not in this pool, so it stays" if self.unexplained == 1 else "were not in this pool, so they stay"
            )
            sentences.append(f"{which} {stay} judged in every test.")
        if self._waiting > MENTIONED * self._n_documents:
            several = "is not judged and counts" if self._waiting == 1 else "are not judged and count"
            sentences.append(f"{self._pool_words} {several} as not relevant.")
        return sentences

    @property
    def _waiting(self) -> int:
        return (self.unjudged or 0) + self.to_come

    @property
    def _n_documents(self) -> int:
        return (self.documents or 0) + self.to_come

    @property
    def _pool_words(self) -> str:
        return f"{self._waiting:,} of {'up to' if self.to_come else 'the'} {self._n_documents:,} documents in the pool"


@dataclass(frozen=True)
class Summary:
    """A leave-one-out by one measure, in a few numbers; the mean and the largest change are of absolute changes."""

    mean_change_percent: float
    max_change_percent: float
    max_rank_drop: int
    tau_min: float
    tau_mean: float
    missed: int = 0  # unjudged documents of pools rebuilt without a unit, in total
    mean_change_low: float = nan  # the 95 % interval of `mean_change_percent`, where it rests on drawn grades
    mean_change_high: float = nan


@dataclass(frozen=True)
class Reusability:
    """A whole leave-one-out."""

    by: str
    depth: int | Mapping[str, int]
    topics: int
    pool: PoolOverlap
    measures: tuple[str, ...]
    units: tuple[UnitResult, ...]
    refusal: str = ""  # why there can be no verdict, apart from `pool.lack`
    method: str = ""  # the method by which the pool was rebuilt without each unit; empty for a pool of depth k
    draws: int = 0  # how often grades were drawn for missed documents
    mean_changes: Mapping[str, Imputation] = field(default_factory=dict)  # then, by measure, the mean absolute change
    not_drawn: str = ""  # why missed documents count as not relevant, if they do
    untested: tuple[UntestedUnit, ...] = ()  # units that are not in `units`, because their documents are unjudged

    @property
    def missed(self) -> int:
        """How many documents of the rebuilt pools are unjudged, in total."""
        return sum(unit.missed for unit in self.units)

    @property
    def missed_in_words(self) -> str:
        """What is left open where missed documents count as not relevant, or there is no interval; else empty."""
        if any(isnan(mean.low) for mean in self.mean_changes.values()):
            return f"For pools built by {self.method}, the error of the drawn grades is unknown."
        documents = f"{self.missed:,} documents of the pools without a {self.by} are unjudged and count as not relevant"
        change = "The true changes may be larger or smaller"
        return f"{documents}, because {self.not_drawn}. {change}." if self.not_drawn else ""

    @property
    def no_verdict(self) -> str:
        """Why there is no verdict, only numbers; empty where there is one."""
        return self.refusal or self.pool.lack

    @property
    def summary(self) -> dict[str, Summary]:
        """Per measure, over the units' own runs; undefined values are left out."""
        return {measure: self._summary(measure) for measure in self.measures}

    def _summary(self, measure: str) -> Summary:
        own = [change for unit in self.units for change in unit.changes if change.measure == measure]
        taus = _plain_numbers(unit.tau[measure] for unit in self.units)
        summary = Summary(
            **own_score_losses(own),
            tau_min=min(taus, default=nan),
            tau_mean=fmean(taus) if taus else nan,
            missed=self.missed,
        )
        if measure not in self.mean_changes:
            return summary
        mean, low, high = self.mean_changes[measure]
        return replace(summary, mean_change_percent=mean, mean_change_low=low, mean_change_high=high)

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists, with None for NaN; `summary` is None where there is no verdict."""
        summary = {measure: asdict(summary) for measure, summary in self.summary.items()}
        plain = {
            "by": self.by,
            "depth": dict(self.depth) if isinstance(self.depth, Mapping) else int(self.depth),
            "topics": self.topics,
            "pool": asdict(self.pool),
            "units": [_unit(unit) for unit in self.units],
            "untested": [unit.to_json() for unit in self.untested],
            "draws": self.draws or None,
            "not_drawn": self.not_drawn or None,
            "no_verdict": self.no_verdict or None,
            "summary": None if self.no_verdict else summary,
        }
        return {key: _none_for_nan(value) for key, value in plain.items()}


def own_score_losses(own: Sequence[ScoreChange]) -> dict[str, Any]:
    """How their own scores change, as mean_change_percent and max_change_percent, both absolute; and max_rank_drop."""
    changes = _plain_numbers(change.absolute_percent for change in own)
    return {
        "mean_change_percent": fmean(changes) if changes else nan,
        "max_change_percent": max(changes, default=nan),
        "max_rank_drop": max([0, *(change.rank_drop for change in own)]),
    }


def _unit(unit: UnitResult) -> dict[str, Any]:
    plain = asdict(unit)
    scores = [{**asdict(change), "change_percent": change.change_percent} for change in unit.changes]
    flips = {measure: counts._asdict() for measure, counts in unit.flips.items()}
    return {key: plain[key] for key in plain if key != "changes"} | {"flips": flips, "scores": scores}


def _plain_numbers(values: Any) -> list[float]:
    return [value for value in values if not isnan(value)]


def _none_for_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _none_for_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_none_for_nan(inner) for inner in value]
    return None if isinstance(value, float) and isnan(value) else value


class Flips(NamedTuple):
    """Pairs of systems by what happens to the claim that one is better: lost, gained, or reversed."""

    claims: int  # before
    lost: int
    gained: int
    reversed: int


ALPHA = 0.05  # of the claims


def significance_matrix(scores: Floats) -> Ints:
    """Runs x runs: 1 where the row's run is significantly better by the paired t test, -1 where worse, else 0.

    `scores` is (runs, topics). No correction for the number of pairs, as in the source. Equal runs make no claim.

    >>> significance_matrix(np.array([[0.5, 0.6, 0.7], [0.1, 0.2, 0.4], [0.5, 0.6, 0.7]])).tolist()
    [[0, 1, 0], [-1, 0, -1], [0, 1, 0]]
    """
    topics = scores.shape[1]
    if topics < 2:
        return np.zeros((len(scores), len(scores)), np.int64)
    mean = scores.mean(axis=1)
    difference = mean[:, None] - mean
    deviations = (scores - mean[:, None]).T.copy()
    cross = np.einsum("ti,tj->ij", deviations, deviations)  # not BLAS: so small, its threads cost more
    squares = np.maximum(np.diag(cross)[:, None] + np.diag(cross) - 2 * cross, 0)
    error = np.sqrt(squares / (topics - 1) / topics)
    better = difference > error * t_critical_value(topics - 1, ALPHA) + 1e-12
    return np.asarray(better.astype(np.int64) - better.T)


@cache
def t_critical_value(freedom: int, alpha: float) -> float:
    """Return the value that |t| exceeds with probability `alpha`, for 1 degree of freedom or more.

    SciPy's is the same to 12 digits, and its import takes longer than leaving out a hundred runs.

    References
    ----------
    Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4.

    Examples
    --------
    >>> [round(t_critical_value(freedom, 0.05), 3) for freedom in (1, 2, 49)]
    [12.706, 4.303, 2.01]
    """
    odd = freedom % 2
    steps = np.arange(1, (freedom - odd) // 2)
    factors = np.cumprod(np.append(1.0, (2 * steps - 1 + odd) / (2 * steps + odd)))[: (freedom - odd) // 2]
    powers = 2 * np.arange(len(factors)) + odd
    low, high = 0.0, np.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        inside = np.sin(angle) * np.sum(factors * np.cos(angle) ** powers)
        if odd:
            inside = (angle + inside) * 2 / np.pi
        low, high = (angle, high) if inside < 1 - alpha else (low, angle)
    return float(np.sqrt(freedom) * np.tan(low))


def count_claim_flips(before: Ints, after: Ints) -> Flips:
    """What happens to the `significance_matrix` made before under those made after.

    Two collections may rank systems alike and yet support different claims, and claims are closer to what a collection
    is used for than a correlation. It misleads as significance does: among many pairs some claims come and go by
    chance.

    Source: Otero, Parapar and Ferro, How discriminative are your qrels?, CIKM 2023.

    >>> better, worse = [0.5, 0.6, 0.7], [0.1, 0.2, 0.4]
    >>> before, after = np.array([better, worse]), np.array([worse, better])
    >>> count_claim_flips(significance_matrix(before), significance_matrix(after))
    Flips(claims=1, lost=0, gained=0, reversed=1)
    """
    one, other = before != 0, after != 0
    both_ways = one, one & ~other, other & ~one, before * after < 0
    return Flips(*(int(np.count_nonzero(pairs)) // 2 for pairs in both_ways))
