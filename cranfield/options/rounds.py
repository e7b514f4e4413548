"""Options of `round` and `lag`."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.options import Argument, Option

RoundName = Annotated[str, Argument("Name of the round, such as 2.", metavar="NAME")]
RoundTopics = Annotated[
    str | PathLike[str] | Iterable[str] | None,
    Option(
        "Topics of the round: a topic set, or a file with one topic id per line. [default: all]", metavar="NAME|FILE",
        complete="topic set", typed=str | None,
    ),
]  # fmt: skip
RoundDocuments = Annotated[
    str | PathLike[str] | Iterable[str] | None,
    Option("Documents of the round: a file with one docno per line. [default: all]", metavar="FILE", typed=Path | None),
]
RenamedDocuments = Annotated[
    str | PathLike[str] | Mapping[str, str] | None,
    Option("Table of renamed documents, with the old and the new docno.", metavar="TSV", typed=Path | None),
]
LaterRun = Annotated[str, Argument("Later run, such as 2/cuni/run1.", metavar="RUN", complete="run")]
EarlierRun = Annotated[str, Argument("Run of an earlier round.", metavar="EARLIER", complete="run")]


def round_names(text: str) -> list[str]:
    """Names of rounds, as typed.

    >>> round_names("1, 2")
    ['1', '2']
    """
    return [name.strip() for name in text.split(",") if name.strip()]


ComparedRounds = Annotated[
    Sequence[str],
    Option(
        "Rounds to compare, such as 1,2. The first is the reference.", metavar="NAME,...", typed=str, parse=round_names
    ),
]
ComparedSystems = Annotated[
    Iterable[str],
    Option(
        "System to show; may be repeated. [default: all]",
        "--run",
        metavar="TAG",
        complete="run",
        typed=list[str] | None,
    ),
]
PivotSystem = Annotated[
    str | None,
    Option("Unchanged system, which shows the effect of new topics and documents.", metavar="TAG", complete="run"),
]
LaterJudgments = Annotated[
    Literal["residual", "own", "cumulative"] | None,
    Option("Judgments to use in the rounds after the first.", metavar="residual|own|cumulative"),
]
