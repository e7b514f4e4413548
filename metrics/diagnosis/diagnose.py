"""The diagnosis of a new run on an old collection, as one record."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Mask, Qrels, Runs
from cranfield.metrics.diagnosis.adjustments import (
    ExpectedLoss,
    adjust,
    adjusted_precision,
    common_topic_loss,
    common_topics,
    entry_and_depth,
    expected_loss,
    mean_loss,
    own_documents,
    unjudged_shares,
)
from cranfield.metrics.diagnosis.bounds import fixed_ideal_bounds, mean_bounds
from cranfield.metrics.diagnosis.decisive import GradePrior, RunComparison, grade_prior
from cranfield.metrics.diagnosis.unjudged import (
    JudgedToDepth,
    first_unjudged,
    judged_by_depth,
    unjudged_ranks,
    unjudged_share,
)
from cranfield.metrics.evaluate import AGGREGATES, mean
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.results import Reusability


@dataclass(frozen=True)
class ScoreDiagnosis:
    """A score of the new run, its bounds and adjustments; NaN where unknown."""

    measure: str
    score: float
    condensed: float  # over judged documents alone
    low: float  # the bounds, had the run been pooled
    high: float
    low_all: float  # the bounds, were everything it retrieves judged
    high_all: float
    high_ideal_kept: float  # of nDCG: had the run been pooled, by the present ideal ranking
    webber_park: float
    common_topics: float
    lipani: float


@dataclass(frozen=True)
class UnjudgedGaps:
    """Where the new run is unjudged."""

    profile: tuple[JudgedToDepth, ...]
    topics_without: int  # topics fully judged to the pool's depth, or to the end
    first_median: float  # the rank of the first unjudged document, the median over topics with one; NaN without any
    first_least: int | None
    unjudged: int  # documents to the pool's depth
    relevant_to_depth: int
    relevant_beyond: int


@dataclass(frozen=True)
class Diagnosis:
    """A new run, diagnosed."""

    run: str
    topics: int
    depth: int | None  # of the pool; None where unknown
    by: str
    pooled: int  # how many runs are known to have been pooled
    gaps: UnjudgedGaps
    scores: tuple[ScoreDiagnosis, ...]
    expected_losses: tuple[ExpectedLoss, ...]
    comparison: RunComparison | None = None
    lack: str = "without pooled runs to leave out, there are only bounds"  # why no loss is expected


@dataclass(frozen=True, eq=False)
class DiagnosisInputs:
    """What a diagnosis is based on: the new run, the pooled ones, the judgments, and their leave-one-out."""

    new: Runs
    pooled: Runs
    qrels: Qrels
    left_out: Reusability | None = None
    protected: Mask | None = None  # over the judgments as judge() orders them
    depth: int | None = None
    rel: int = 1
    common: Sequence[str] = ()  # topics on which the new run was judged to the pool's depth
    lack: str = ""  # why there is no leave-one-out, where there are runs

    @cached_property
    def judged(self) -> Judged:
        """The new run."""
        return judge(self.new, self.qrels)

    @cached_property
    def judged_runs(self) -> Judged | None:
        """The pooled runs."""
        return judge(self.pooled, self.qrels) if self.pooled.tags else None

    @cached_property
    def prior(self) -> GradePrior:
        """The grade probabilities of the new run's unjudged documents."""
        if self.left_out is None or self.judged_runs is None:
            return grade_prior(self.judged)
        entry, depth = entry_and_depth(self.judged_runs, self.left_out, self.protected)
        return grade_prior(self.judged, entry.unique(depth))


def diagnose(case: DiagnosisInputs, measures: Sequence[Measure], comparison: RunComparison | None = None) -> Diagnosis:
    """Diagnose a new run."""
    left_out = case.left_out
    return Diagnosis(
        run=case.new.tags[0],
        topics=len(case.judged.qids),
        depth=case.depth,
        by=left_out.by if left_out else "run",
        pooled=len(case.pooled.tags),
        gaps=_gaps(case),
        scores=tuple(_score(case, measure) for measure in measures),
        expected_losses=_expected_losses(case, measures),
        comparison=comparison,
        lack=case.lack or Diagnosis.lack,
    )


def _gaps(case: DiagnosisInputs) -> UnjudgedGaps:
    judged, relevant = case.judged, case.judged.relevant(case.rel)
    depth = case.depth or int(judged.retrieved.max(initial=0))
    first = first_unjudged(judged)
    first = first[(first > 0) & (first <= depth)]
    return UnjudgedGaps(
        profile=tuple(judged_by_depth(judged, case.judged_runs, case.depth)),
        topics_without=len(judged.qids) - len(first),
        first_median=float(np.median(first)) if len(first) else np.nan,
        first_least=int(first.min(initial=depth)) if len(first) else None,
        unjudged=len(unjudged_ranks(judged, depth).rank),
        relevant_to_depth=int(np.sum(relevant.rank <= depth)),
        relevant_beyond=int(np.sum(relevant.rank > depth)),
    )


def _score(case: DiagnosisInputs, measure: Measure) -> ScoreDiagnosis:
    judged, whole = case.judged, (np.nan, np.nan)
    pooled = mean_bounds(judged, measure, case.depth) if case.depth else whole
    return ScoreDiagnosis(
        str(measure),
        _over_topics(measure, judged),
        _over_topics(measure.set(judged_only=True), judged),
        *pooled,
        *mean_bounds(judged, measure),
        _ideal_kept(case, measure),
        _webber_park(case, measure),
        _common(case, measure),
        _lipani(case, measure),
    )


def _over_topics(measure: Measure, judged: Judged) -> float:
    return float(AGGREGATES[measure.aggregate](measure.scores(judged)))


def _ideal_kept(case: DiagnosisInputs, measure: Measure) -> float:
    if measure.name != "nDCG" or measure.sees_nonrelevant:
        return np.nan
    options = {name: value for name, value in measure.settings.items() if name != "judged_only"}
    return float(mean(fixed_ideal_bounds(case.judged, **options, depth=case.depth)[1]))  # type: ignore[arg-type]


def _webber_park(case: DiagnosisInputs, measure: Measure) -> float:
    if case.left_out is None or measure.aggregate != "mean":
        return np.nan
    changes = [change for unit in case.left_out.units for change in unit.changes if change.measure == str(measure)]
    return adjust(case.judged, measure, mean_loss(changes))


def _common(case: DiagnosisInputs, measure: Measure) -> float:
    if not case.common or case.left_out is None or case.judged_runs is None or case.depth is None:
        return np.nan
    if measure.aggregate != "mean":
        return np.nan
    topics = common_topics(case.judged, case.common, case.depth)
    entry, depth = entry_and_depth(case.judged_runs, case.left_out, case.protected)
    own = own_documents(case.judged, entry.pooled(depth), case.depth)
    return adjust(case.judged, measure, common_topic_loss(case.judged, own, topics, measure), topics)


def _lipani(case: DiagnosisInputs, measure: Measure) -> float:
    cutoff, rel = measure.options.get("cutoff"), measure.options.get("rel")
    if measure.name != "P" or measure.sees_nonrelevant or not isinstance(cutoff, int) or not case.pooled.tags:
        return np.nan
    return adjusted_precision(case.pooled, case.new, case.qrels, cutoff, rel if isinstance(rel, int) else 1)


def _expected_losses(case: DiagnosisInputs, measures: Sequence[Measure]) -> tuple[ExpectedLoss, ...]:
    """For each measure the expected loss, by the unjudged share down to its cutoff or the pool's depth."""
    if case.left_out is None or case.judged_runs is None:
        return ()
    entry, depth = entry_and_depth(case.judged_runs, case.left_out, case.protected)
    forecasts = []
    for measure in measures:
        cutoff = measure.options.get("cutoff")
        k = min(cutoff, depth) if isinstance(cutoff, int) else depth
        shares = unjudged_shares(case.judged_runs, case.left_out, entry.unique(depth), k)
        forecasts.append(
            expected_loss(case.left_out, str(measure), k, float(unjudged_share(case.judged, k)[0]), shares)
        )
    return tuple(forecast for forecast in forecasts if forecast is not None)


def as_document(diagnosis: Diagnosis) -> Mapping[str, object]:
    """The record as the JSON document of the command; NaN is written as null."""
    gaps, comparison = asdict(diagnosis.gaps), diagnosis.comparison
    gaps["profile"] = [share._asdict() for share in diagnosis.gaps.profile]
    return {
        "run": diagnosis.run, "topics": diagnosis.topics, "depth": diagnosis.depth, "by": diagnosis.by,
        "pooled_runs": diagnosis.pooled, "gaps": gaps,
        "scores": [asdict(score) for score in diagnosis.scores],
        "expected": [_forecast(forecast) for forecast in diagnosis.expected_losses],
        "against": None if comparison is None else _decision(comparison),
    }  # fmt: skip


def _forecast(forecast: ExpectedLoss) -> dict[str, object]:
    losses = [run.loss for run in forecast.nearest]
    return {
        "measure": forecast.measure, "k": forecast.k, "unjudged": forecast.unjudged,
        "most_unjudged": forecast.most_unjudged, "beyond": forecast.beyond, "mean_loss": forecast.loss,
        "mean_loss_percent": forecast.loss_percent, "least_loss": min(losses), "greatest_loss": max(losses),
        "nearest": [{**run._asdict(), "loss": run.loss} for run in forecast.nearest],
    }  # fmt: skip


def _decision(comparison: RunComparison) -> dict[str, object]:
    return {
        "run": comparison.against, "measure": comparison.measure, "difference": comparison.difference,
        "least": comparison.least, "most": comparison.most, "outcome": comparison.outcome,
        "unjudged": comparison.unjudged,
        "chance": asdict(comparison.chance),
        "judgments_if_better": None if comparison.better is None else len(comparison.better),
        "judgments_if_worse": None if comparison.worse is None else len(comparison.worse),
        "shortest": comparison.shortest,
        "to_judge": [
            {"query_id": one.qid, "doc_id": one.docno, "speaks_if_relevant": one.relevant}
            for one in comparison.to_judge
        ],
    }  # fmt: skip
