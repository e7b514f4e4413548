"""The options of the commands of pools."""

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.options import Argument, Option, Rng, seed_option, split_names
from cranfield.options.arguments import STORE, StoreLike

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike
else:
    MeasureLike = lazy_type("cranfield.metrics.notation", "MeasureLike")

METHOD_SEPARATOR = re.compile(r",(?=[^=,:]+(?:[,:]|$))")


def methods(value: Sequence[str]) -> list[str]:
    """Pooling methods, split at the commas before a name; after others the options of a method go on.

    >>> methods(["rrf,maxmean:credit=arm,rate=.9,depth", "rrf:c=60,borda:n=0"])
    ['rrf', 'maxmean:credit=arm,rate=.9', 'depth', 'rrf:c=60', 'borda:n=0']
    """
    return [name.strip() for text in value for name in METHOD_SEPARATOR.split(text)]


def parse_pool_sizes(text: str) -> tuple[int, ...]:
    """Sizes of pools, ascending.

    >>> parse_pool_sizes("100,50")
    (50, 100)
    """
    from cranfield.pooling.simulate import sort_budgets

    try:
        return sort_budgets([int(part) for part in text.split(",")])
    except (ValueError, InputError) as error:
        raise InputError(f"{text!r}; expected numbers of at least 1, such as 50,100") from error


def check_one_word(text: str) -> str:
    """A tag, which files of runs could not hold if it had white space.

    >>> check_one_word("my run")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'my run'; expected one word
    """
    if text.split() != [text]:
        raise InputError(f"{text!r}; expected one word")
    return text


def method_options(value: Sequence[str]) -> dict[str, str]:
    """Options of a method as they are typed.

    >>> method_options(["credit=arm", "rate=.9"])
    {'credit': 'arm', 'rate': '.9'}
    """
    if wrong := [text for text in value if "=" not in text]:
        raise InputError(f"{wrong[0]!r}; expected NAME=VALUE")
    return dict(text.split("=", 1) for text in value)


def _method_option(help: str) -> Option:
    return Option(help, "--option", metavar="NAME=VALUE", typed=list[str] | None, parse=method_options)


def _run_tags_option(help: str) -> Option:
    return Option(help, "--run", metavar="TAG", complete="run")


Considered = Annotated[int, Option("Number of documents considered per run and topic.", min=1)]
Budget = Annotated[int | None, Option("Maximum number of documents per topic.", min=1)]
Total = Annotated[int | None, Option("Total number of documents, distributed over all topics.", min=1)]
BATCH = "Number of unjudged documents per topic in each batch of an adaptive method. [default: 10]"
Batch = Annotated[int | None, Option(BATCH, min=1)]


MethodName = Annotated[str, Option("Pooling method. For a list, see `cranfield pool methods`.", complete="method")]
SeedOfPool = Annotated[Rng, seed_option("Random seed.")]
OptionsOfMethod = Annotated[
    Mapping[str, object] | None,
    _method_option("Option of the method; may be repeated. `cranfield pool methods METHOD` lists the options."),
]
RunsToPool = Annotated[
    Sequence[str] | None, _run_tags_option("Run to pool; may be repeated. [default: all contributing runs]")
]
RunsPerTeam = Annotated[int | None, Option("Maximum number of runs per team, in order of import.", min=1)]
RunsInAll = Annotated[
    int | None,
    Option("Total number of runs to pool, taken from the teams in turn, in order of import.", "--runs", min=1),
]
PooledTopics = Annotated[
    str | None,
    Option(
        "Topics to pool: a topic set of the store, or a file of topic ids. [default: all]",
        metavar="NAME|FILE",
        complete="topic set",
    ),
]
PoolRow = Annotated[Literal["topic", "run", "team", "pair"], Option("Unit of each row.")]
FirstPool = Annotated[int, Argument("Number of a pool.", metavar="A", complete="pool")]
SecondPool = Annotated[int, Argument("Number of another pool.", metavar="B", complete="pool")]
ShownMethod = Annotated[str | None, Argument("Method whose options to list.", metavar="[METHOD]", complete="method")]
TopicForecastOption = Annotated[bool, Option("Estimate the number of relevant documents per topic instead of scores.")]
Confidence = Annotated[float, Option("Confidence level of the intervals.", min=0.01, max=0.9999)]

DepthOfPool = Annotated[int | None, Option("Depth to which the runs are pooled.", min=1)]
RunsToAdd = Annotated[
    Sequence[str] | None,
    _run_tags_option("Run to add; may be repeated. [default: all runs imported since the pool was built]"),
]
DryExtension = Annotated[
    bool,
    Option(
        "Store nothing, and show the work that the new pool would require: pairs to judge, hours, and bounds on the"
        " scores.",
        "--dry-run",
    ),
]
DeltaPool = Annotated[
    bool, Option("Also store the unjudged documents as a separate pool, numbered before the new pool.", "--delta")
]

PoolDepthToVerify = Annotated[int | None, Option("Pool depth. [default: inferred]", min=1)]
Examples = Annotated[int, Option("Number of exceptions of each kind to show.", min=0)]
MethodsToReplay = Annotated[
    Sequence[str] | None,
    Option(
        "Pooling method with options, such as rrf:c=60. Give several as rrf,depth. [default: ten methods]",
        "--method", metavar="NAME[:opt=value,...]", complete="methods", parse=methods,
    ),
]  # fmt: skip
BudgetsToReplay = Annotated[
    Sequence[int] | None,
    Option(
        "Numbers of documents to judge per topic. [default: 50,100,200]", metavar="N,N,...", typed=str | None,
        parse=parse_pool_sizes,
    ),
]  # fmt: skip
TotalsToReplay = Annotated[
    Sequence[int] | None,
    Option(
        "Total numbers of documents over all topics, instead of --budgets.", metavar="N,N,...",
        typed=str | None, parse=parse_pool_sizes,
    ),
]  # fmt: skip
LeftOutUnit = Annotated[Literal["run", "team"], Option("Unit to leave out of the pool, one at a time.")]
MeasureOfReplay = Annotated[
    MeasureLike,
    Option("Measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
ReplayDepth = Annotated[
    int | None, Option("Depth to which runs are considered. [default: depth of the judged pool]", min=1)
]
BatchOfReplay = Annotated[
    int, Option("Number of unjudged documents per topic in each batch of an adaptive method.", min=1)
]
Workers = Annotated[
    int | None,
    Option("Number of processes. Results do not depend on it. [default: one per core; one for small inputs]", min=1),
]


FusionMethod = Annotated[
    str,
    Option(
        "Fusion method, such as combsum or borda. `cranfield pool methods` lists fusion methods as static.",
        complete="method",
    ),
]
FusedDocuments = Annotated[int, Option("Number of documents per topic in the fused run.", min=1)]
FusionOptions = Annotated[Mapping[str, object] | None, _method_option("Option of the method; may be repeated.")]
RunsToFuse = Annotated[Sequence[str] | None, _run_tags_option("Run to fuse; may be repeated. [default: all]")]
FusedTag = Annotated[str | None, Option("Tag of the fused run. [default: the method's name]", parse=check_one_word)]
FusionSettings = Annotated[
    Sequence[str] | None,
    Option(
        "Fusion method with options, such as combsum:norm=zmuv; may be repeated. [default: 18 methods]",
        "--method", metavar="NAME[:opt=value,...]", complete="methods", parse=methods,
    ),
]  # fmt: skip
MeasureOfTuning = Annotated[
    MeasureLike,
    Option("Measure to choose by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
TuningFolds = Annotated[int, Option("Number of folds of topics.", min=2)]
StoreToSearch = Annotated[StoreLike | None, Argument(STORE, metavar="STORE", typed=Path | None, reads="store")]
Systems = Annotated[
    str | Sequence[str] | None,
    Option(
        "Ranker, such as bm25. Give several as bm25,lsa. [default: all]", "--system", metavar="NAME",
        complete="systems", typed=list[str] | None, parse=split_names,
    ),
]  # fmt: skip
SearchDepth = Annotated[int, Option("Maximum number of documents per topic.", min=1)]
ExtendsRuns = Annotated[bool, Option("Add new topics to the runs that are already in the store.", "--extend")]
SearchedTag = Annotated[
    str | None,
    Option("Tag for a new run of one system over all topics.", metavar="NAME", parse=check_one_word),
]
ListsRankers = Annotated[bool, Option("List the rankers and exit.", "--list")]

DepthToForecast = Annotated[int | None, Option("Depth to forecast to. [default: twice the pool depth]", min=2)]
RecentJudgments = Annotated[int, Option("Number of most recent judgments per topic to consider.", min=1)]
GradedDraw = Annotated[
    str | PathLike[str] | None,
    Option(
        "File written by --draw, with the grades filled in, from which to estimate how many relevant documents"
        " the pool misses.",
        metavar="FILE",
        typed=Path | None,
    ),
]
RunOutsidePool = Annotated[
    str | None,
    Option(
        "Run for which to estimate P@10 by sampling its documents (cal pools only).", metavar="TAG",
        complete="run",
    ),
]  # fmt: skip
FrameDepth = Annotated[
    int, Option("Depth from which documents are drawn: the first K of each run.", metavar="K", min=1)
]
DrawSeed = Annotated[Rng, seed_option("Random seed for the draw.", min=0)]
