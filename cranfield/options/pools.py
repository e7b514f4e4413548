"""The options of the commands of pools."""

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.lazy import type_in
from cranfield.options import Argument, Option, names, seed_option
from cranfield.options.given import STORE, StoreLike
from cranfield.rng import Rng

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike
else:
    MeasureLike = type_in("cranfield.metrics.notation", "MeasureLike")

METHOD_SEPARATOR = re.compile(r",(?=[^=,:]+(?:[,:]|$))")


def methods(value: Sequence[str]) -> list[str]:
    """Pooling methods, split at the commas before a name; after others the options of a method go on.

    >>> methods(["rrf,maxmean:credit=arm,rate=.9,depth", "rrf:c=60,borda:n=0"])
    ['rrf', 'maxmean:credit=arm,rate=.9', 'depth', 'rrf:c=60', 'borda:n=0']
    """
    return [name.strip() for text in value for name in METHOD_SEPARATOR.split(text)]


def sizes(text: str) -> tuple[int, ...]:
    """Sizes of pools, ascending.

    >>> sizes("100,50")
    (50, 100)
    """
    from cranfield.pooling.simulate import ascending

    try:
        return ascending([int(part) for part in text.split(",")])
    except (ValueError, InputError) as error:
        raise InputError(f"{text!r}; expected numbers from 1, such as 50,100") from error


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


def _tags(help: str) -> Option:
    return Option(help, "--run", metavar="TAG", complete="run")


Considered = Annotated[int, Option("Number of documents considered per run and topic.", min=1)]
Budget = Annotated[int | None, Option("Maximum number of documents per topic.", min=1)]
Total = Annotated[int | None, Option("Number of documents over all topics, distributed among them.", min=1)]
BATCH = "Adaptive methods: number of documents per topic awaiting judgment at a time; 10 by default."
Batch = Annotated[int | None, Option(BATCH, min=1)]


MethodName = Annotated[str, Option("Pooling method; `cranfield pool methods` lists them.", complete="method")]
SeedOfPool = Annotated[Rng, seed_option("Random seed.")]
OptionsOfMethod = Annotated[
    Mapping[str, object] | None, _method_option("An option of the method; `cranfield pool methods METHOD` lists them.")
]
RunsToPool = Annotated[Sequence[str] | None, _tags("Pool only this run; may be repeated.")]
RunsPerTeam = Annotated[int | None, Option("Pool at most this many runs per team, the first ones.", min=1)]
RunsInAll = Annotated[
    int | None, Option("Pool this many runs in all, one of each team in turn, the first ones.", "--runs", min=1)
]
PooledTopics = Annotated[
    str | None,
    Option("Pool only these topics: a set of the store, or a list of ids.", metavar="NAME|FILE", complete="topic set"),
]
PoolRow = Annotated[Literal["topic", "run", "team", "pair"], Option("What each row stands for.")]
FirstPool = Annotated[int, Argument("Number of a pool.", metavar="A", complete="pool")]
SecondPool = Annotated[int, Argument("Number of another pool.", metavar="B", complete="pool")]
ShownMethod = Annotated[str | None, Argument("Show the options of this method.", metavar="[METHOD]", complete="method")]
TopicForecastOption = Annotated[bool, Option("Estimate the number of relevant documents per topic instead of scores.")]
Confidence = Annotated[float, Option("Confidence level of the intervals.", min=0.01, max=0.9999)]

DepthOfPool = Annotated[int | None, Option("Pool the runs to this depth.", min=1)]
RunsToAdd = Annotated[Sequence[str] | None, _tags("Add this run; may be repeated; by default all runs imported since.")]
DryExtension = Annotated[
    bool, Option("Only show what would have to be judged: pairs, hours, bounds of the score.", "--dry-run")
]
DeltaPool = Annotated[
    bool, Option("Also keep just what is to be judged as a pool, the one before the new one.", "--delta")
]

PoolDepthToVerify = Annotated[int | None, Option("The pool's depth; inferred by default.", min=1)]
Examples = Annotated[int, Option("How many exceptions of each kind to show.", min=0)]
MethodsToReplay = Annotated[
    Sequence[str] | None,
    Option(
        "A method of `cranfield pool methods`, with options; or several: rrf,depth. By default ten of them.",
        "--method", metavar="NAME[:opt=value,...]", complete="methods", parse=methods,
    ),
]  # fmt: skip
BudgetsToReplay = Annotated[
    Sequence[int] | None,
    Option(
        "Numbers of documents to judge per topic; 50,100,200 by default.", metavar="N,N,...", typed=str | None,
        parse=sizes,
    ),
]  # fmt: skip
TotalsToReplay = Annotated[
    Sequence[int] | None,
    Option(
        "Instead: numbers of documents over all topics, distributed or competed for.", metavar="N,N,...",
        typed=str | None, parse=sizes,
    ),
]  # fmt: skip
LeftOutUnit = Annotated[Literal["run", "team"], Option("The unit to leave out of the pool, one at a time.")]
MeasureOfReplay = Annotated[
    MeasureLike,
    Option("The measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
ReplayDepth = Annotated[
    int | None, Option("Depth to which runs are considered; the judged pool's depth by default.", min=1)
]
BatchOfReplay = Annotated[int, Option("Batch size of adaptive methods: documents awaiting judgment at a time.", min=1)]
Workers = Annotated[
    int | None,
    Option("Number of processes; by default one per core, or one for little work. Results do not depend on it.", min=1),
]


FusionMethod = Annotated[
    str, Option("Method, such as combsum or borda; `cranfield pool methods` lists them as static.", complete="method")
]
FusedDocuments = Annotated[int, Option("Number of documents per topic in the fused run.", min=1)]
FusionOptions = Annotated[Mapping[str, object] | None, _method_option("An option of the method; may be repeated.")]
RunsToFuse = Annotated[Sequence[str] | None, _tags("Fuse only this run; may be repeated.")]
FusedTag = Annotated[str | None, Option("Tag of the fused run; the method's name by default.", parse=check_one_word)]
FusionSettings = Annotated[
    Sequence[str] | None,
    Option(
        "A fusion method with options, such as combsum:norm=zmuv; may be repeated. By default 18 of them.",
        "--method", metavar="NAME[:opt=value,...]", complete="methods", parse=methods,
    ),
]  # fmt: skip
MeasureOfTuning = Annotated[
    MeasureLike,
    Option("The measure to choose by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
TuningFolds = Annotated[int, Option("Number of folds of topics.", min=2)]
StoreToSearch = Annotated[StoreLike | None, Argument(STORE, metavar="STORE", typed=Path | None, reads="store")]
Systems = Annotated[
    str | Sequence[str] | None,
    Option(
        "A ranker, or several: bm25,lsa. [default: all]", "--system", metavar="NAME", complete="systems",
        typed=list[str] | None, parse=names,
    ),
]  # fmt: skip
SearchDepth = Annotated[int, Option("Maximum number of documents per topic.", min=1)]
ExtendsRuns = Annotated[
    bool, Option("Run systems that are in the store for the topics that are new to them.", "--extend")
]
SearchedTag = Annotated[
    str | None,
    Option("Add the run of one system, of all topics, under this tag.", metavar="NAME", parse=check_one_word),
]
ListsRankers = Annotated[bool, Option("List the rankers and exit.", "--list")]

DepthToForecast = Annotated[int | None, Option("Forecast to this depth; twice the pool's depth by default.", min=2)]
RecentJudgments = Annotated[int, Option("Number of most recent judgments per topic to consider.", min=1)]
GradedDraw = Annotated[
    str | PathLike[str] | None,
    Option("A draw with grades, as --draw writes it: estimate what is missing.", metavar="FILE", typed=Path | None),
]
RunOutsidePool = Annotated[
    str | None,
    Option(
        "For a pool by cal: what P@10 of this run would be, by a draw from its documents.", metavar="TAG",
        complete="run",
    ),
]  # fmt: skip
FrameDepth = Annotated[
    int, Option("Depth of the frame: documents are drawn from the first K of each run.", metavar="K", min=1)
]
DrawSeed = Annotated[Rng, seed_option("Random seed of the draw.", min=0)]
