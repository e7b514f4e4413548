"""The options of `cranfield evaluate`, `compare` and `curve`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.options import (
    OF_MEASURES,
    LabelOptions,
    MeanOptions,
    Measures,
    OneOf,
    Option,
    TopicOptions,
    WhoseOptions,
)

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike

MEASURES = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "Judged@10")


class EvaluateOptions(MeanOptions):
    """What is measured of runs, on which topics."""

    measures: Measures = MEASURES
    per_topic: Annotated[bool, Option("Also show each topic, before the run's mean, 'all'.", "--per-topic", "-q")] = (
        False
    )
    retrieved_topics_only: Annotated[
        bool, Option("Average only over the topics for which the run retrieved documents.")
    ] = False
    pivot: bool = False
    release: str | None = None


class CompareOptions(MeanOptions):
    """Which differences are tested, and how."""

    baseline: Annotated[
        str | None, Option("Compare every run with this one, instead of all pairs.", metavar="TAG", complete="run")
    ] = None
    test: Annotated[
        str,
        Option("Significance test; t or permutation for pairs, tukey for all pairs at once."),
        OneOf("cranfield.metrics.significance.tests", "TESTS"),
    ] = "t"
    correction: Annotated[
        str | None,
        Option("Correction for multiple comparisons; holm by default, none with tukey, which needs none."),
        OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS"),
    ] = None
    measures: Annotated["MeasureLike | Iterable[MeasureLike] | None", OF_MEASURES] = None
    alpha: Annotated[float, Option("Significance level; intervals have confidence level 1 - alpha.")] = 0.05
    samples: Annotated[
        int, Option("Number of resamples for permutation, bootstrap and tukey; at most all possible ones.", min=1)
    ] = 100_000
    seed: Annotated[int, Option("Random seed of the resamples; the same seed gives the same p.", min=0)] = 0
    zeros: Annotated[
        Literal["wilcox", "pratt", "zsplit"],
        Option("Topics without a difference in wilcoxon: dropped, dropped after ranking, or split."),
    ] = "wilcox"
    pivot: bool = False


class HardnessOptions(TopicOptions, LabelOptions):
    """By which measure topics are hard."""

    measure: Annotated[
        "MeasureLike",
        Option("The measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
    ] = "AP"


class NextOptions(TopicOptions, LabelOptions):
    """Which two runs are compared, how deep."""

    pair: Annotated[
        Sequence[str], Option("A run of the comparison; give two.", "--run", metavar="TAG", complete="run")
    ] = ()
    depth: Annotated[int, Option("How many documents of each run are looked at.", min=1)] = 10


class CurveOptions(TopicOptions, WhoseOptions):
    """Which points a curve has."""

    points: Annotated[
        Literal["eleven", "raw"],
        Option("Interpolate at eleven recall points and average over topics, or show the raw curve of each topic."),
    ] = "eleven"
    rule: Annotated[
        Literal["trec_eval", "exact"] | None,
        Option("For eleven points: recall x is reached by x R documents, rounded (trec_eval) or rounded up (exact)."),
    ] = None
    pivot: bool = False
