"""Options of `round` and `lag`."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.options import Argument, Option

RoundName = Annotated[str, Argument("The name of the round, such as 2.", metavar="NAME")]
RoundTopics = Annotated[
    str | PathLike[str] | Iterable[str] | None,
    Option(
        "Its topics: a set, or ids, one a line; by default all that have come.", metavar="NAME|FILE",
        complete="topic set", typed=str | None,
    ),
]  # fmt: skip
RoundDocuments = Annotated[
    str | PathLike[str] | Iterable[str] | None,
    Option("Its documents, one docno a line; by default all.", metavar="FILE", typed=Path | None),
]
RenamedDocuments = Annotated[
    str | PathLike[str] | Mapping[str, str] | None,
    Option("Documents that have another name from now on: old and new docno.", metavar="TSV", typed=Path | None),
]
LaterRun = Annotated[str, Argument("The later run, such as 2/cuni/run1.", metavar="RUN", complete="run")]
EarlierRun = Annotated[str, Argument("The run of an earlier round.", metavar="EARLIER", complete="run")]


def round_names(text: str) -> list[str]:
    """Names of rounds, as typed.

    >>> round_names("1, 2")
    ['1', '2']
    """
    return [name.strip() for name in text.split(",") if name.strip()]


ComparedRounds = Annotated[
    Sequence[str],
    Option("The rounds, the one to compare with first, such as 1,2.", metavar="NAME,...", typed=str, parse=round_names),
]
ComparedSystems = Annotated[
    Iterable[str],
    Option("Only this system; may be repeated.", "--run", metavar="TAG", complete="run", typed=list[str] | None),
]
PivotSystem = Annotated[
    str | None,
    Option("The system that shows what is due to topics and documents.", metavar="TAG", complete="run"),
]
LaterJudgments = Annotated[
    Literal["residual", "own", "cumulative"] | None,
    Option("Which judgments count in the rounds after the first.", metavar="residual|own|cumulative"),
]
