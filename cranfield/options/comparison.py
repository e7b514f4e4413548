"""Options of `compare`."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.lazy import type_in
from cranfield.options import HELP_OF_MEASURES, OneOf, Option, Written, seed_option
from cranfield.options.values import measures_of
from cranfield.rng import Rng

if TYPE_CHECKING:
    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.metrics.inputs import RunsLike
    from cranfield.metrics.notation import MeasuresLike
else:
    RandomDraw = type_in("cranfield.metrics.forecast.random_draw", "RandomDraw")
    RunsLike = type_in("cranfield.metrics.inputs", "RunsLike")
    MeasuresLike = type_in("cranfield.metrics.notation", "MeasuresLike")

ComparedMeasures = Annotated[
    MeasuresLike | None,
    Option(
        HELP_OF_MEASURES, "-m", "--measure", metavar="MEASURE", complete="measures", typed=list[str] | None,
        parse=measures_of, before="alpha",
    ),
]  # fmt: skip
Baseline = Annotated[
    str | None, Option("Compare every run with this one, instead of all pairs.", metavar="TAG", complete="run")
]
SignificanceTest = Annotated[
    str,
    Option("Significance test; t or permutation for pairs, tukey for all pairs at once."),
    OneOf("cranfield.metrics.significance.tests", "TESTS"),
]
CorrectionName = Annotated[
    str | None,
    Option("Correction for multiple comparisons; holm by default, none with tukey, which needs none."),
    OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS"),
]
Alpha = Annotated[float, Option("Significance level; intervals have confidence level 1 - alpha.")]
Resamples = Annotated[
    int, Option("Number of resamples for permutation, bootstrap and tukey; at most all possible ones.", min=1)
]
ResampleSeed = Annotated[Rng, seed_option("Random seed of the resamples; the same seed gives the same p.", min=0)]
ZerosRule = Annotated[
    Literal["wilcox", "pratt", "zsplit"],
    Option("Topics without a difference in wilcoxon: dropped, dropped after ranking, or split."),
]
PoolRuns = Annotated[
    RunsLike | None,
    Option(
        "For files: the runs that the pool was made from, as files or folders, after SOURCE. They are not compared;"
        " they show what unjudged documents of the compared runs are worth.",
        metavar="FILE...",
        typed=list[Path] | None,
    ),
]
LabelledDraws = Annotated[
    str | PathLike[str] | Iterable[str | PathLike[str] | RandomDraw] | None,
    Option(
        "Labelled draws of unjudged documents, each of one run, as --settle writes them.",
        metavar="FILE...",
        typed=list[Path] | None,
    ),
]
GateConditions = Annotated[
    str | Iterable[str],
    Option(
        "With --baseline: exit with 3 if this holds for a run; may be repeated. 'nDCG@10 < baseline - 0.01',"
        " 'AP < baseline - 2%', 'P@10 < 0.3' or significant-loss.",
        metavar="CONDITION",
        typed=list[str] | None,
    ),
]
UndecidedRule = Annotated[
    Literal["fail", "pass"] | None,
    Option(
        "With --fail-if: what becomes of a condition that unjudged documents leave undecided. [default: exit with 4]",
        show_default=False,
    ),
]
SettlingDraw = Annotated[
    str | PathLike[str] | None,
    Option(
        "Write a random draw of 50 unjudged documents to this file. Judging them decides about half of what is not"
        " decided.",
        metavar="FILE",
        typed=Path | None,
    ),
    Written(),
]
JunitFile = Annotated[
    str | PathLike[str] | None,
    Option("With --fail-if: write the checks as JUnit XML, for CI.", metavar="FILE", typed=Path | None),
    Written(),
]
PlannedDifference = Annotated[
    float,
    Option(
        "Estimate instead how many topics are needed to find a difference of D.", "--plan", metavar="D", before="topics"
    ),
]
ChangedQrels = Annotated[
    str | PathLike[str],
    Option(
        "Measure p-MRR instead: whether the second run follows instructions that were changed so that these judgments"
        " hold. SOURCE is the original qrels, the run before the change and the run after it.",
        metavar="FILE",
        typed=Path | None,
        before="topics",
    ),
]
