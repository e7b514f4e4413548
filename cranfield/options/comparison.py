"""Options of `compare`."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.lazy import lazy_type
from cranfield.options import HELP_OF_MEASURES, OneOf, Option, Rng, Written, measures_of, seed_option

if TYPE_CHECKING:
    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.metrics.inputs import RunsLike
    from cranfield.metrics.notation import MeasuresLike
else:
    RandomDraw = lazy_type("cranfield.metrics.forecast.random_draw", "RandomDraw")
    RunsLike = lazy_type("cranfield.metrics.inputs", "RunsLike")
    MeasuresLike = lazy_type("cranfield.metrics.notation", "MeasuresLike")

ComparedMeasures = Annotated[
    MeasuresLike | None,
    Option(
        HELP_OF_MEASURES, "-m", "--measure", metavar="MEASURE", complete="measures", typed=list[str] | None,
        parse=measures_of, before="alpha",
    ),
]  # fmt: skip
Baseline = Annotated[
    str | None,
    Option("Run to compare all other runs with, instead of all pairs.", metavar="TAG", complete="run"),
]
SignificanceTest = Annotated[
    str,
    Option("Significance test. Use t or permutation for pairs, tukey for all pairs at once."),
    OneOf("cranfield.metrics.significance.tests", "TESTS"),
]
CorrectionName = Annotated[
    str | None,
    Option("Correction for multiple comparisons. [default: holm; none with tukey, which includes a correction]"),
    OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS"),
]
Alpha = Annotated[float, Option("Significance level. Intervals have confidence level 1 - alpha.")]
Resamples = Annotated[
    int,
    Option(
        "Maximum number of resamples. Used by permutation, bootstrap and tukey; if fewer resamples exist, all are"
        " used.",
        min=1,
    ),
]
ResampleSeed = Annotated[Rng, seed_option("Random seed for resampling. The same seed gives the same p-values.", min=0)]
ZerosRule = Annotated[
    Literal["wilcox", "pratt", "zsplit"],
    Option(
        "How the wilcoxon test treats zero differences: wilcox drops them, pratt drops them after ranking,"
        " zsplit splits their ranks."
    ),
]
PoolRuns = Annotated[
    RunsLike | None,
    Option(
        "Run files or folders that the pool was built from, given after SOURCE (files only). These runs are not"
        " compared. A model of these runs estimates the labels of the compared runs' unjudged documents.",
        metavar="FILE...",
        typed=list[Path] | None,
    ),
]
LabelledDraws = Annotated[
    str | PathLike[str] | Iterable[str | PathLike[str] | RandomDraw] | None,
    Option(
        "Labelled draws of unjudged documents, one file per run: files that --settle wrote, with the grades filled in.",
        metavar="FILE...",
        typed=list[Path] | None,
    ),
]
GateConditions = Annotated[
    str | Iterable[str],
    Option(
        "Condition that makes the command exit with 3 if it holds for a run; may be repeated. Requires --baseline."
        " Examples: 'AP < baseline - 2%', 'nDCG@10 < baseline - 0.01', 'P@10 < 0.3', significant-loss.",
        metavar="CONDITION",
        typed=list[str] | None,
    ),
]
UndecidedRule = Annotated[
    Literal["fail", "pass"] | None,
    Option(
        "Outcome of a --fail-if condition that cannot be decided because of unjudged documents. [default: exit with 4]",
        show_default=False,
    ),
]
SettlingDraw = Annotated[
    str | PathLike[str] | None,
    Option(
        "Output file for a random draw of 50 unjudged documents. Judging them settles about half of the undecided"
        " comparisons.",
        metavar="FILE",
        typed=Path | None,
    ),
    Written(),
]
JunitFile = Annotated[
    str | PathLike[str] | None,
    Option("Output file for the --fail-if checks as JUnit XML, for CI.", metavar="FILE", typed=Path | None),
    Written(),
]
PlannedDifference = Annotated[
    float,
    Option(
        "Difference to detect. The command estimates how many topics are needed, instead of comparing runs.",
        "--plan",
        metavar="D",
        before="topics",
    ),
]
ChangedQrels = Annotated[
    str | PathLike[str],
    Option(
        "Qrels for changed instructions. The command then measures p-MRR: whether the second run follows the change."
        " SOURCE is the original qrels, the run before the change and the run after it.",
        metavar="FILE",
        typed=Path | None,
        before="topics",
    ),
]
