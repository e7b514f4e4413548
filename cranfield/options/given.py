"""Types of parameters that many functions share: stores, topics, rounds. The command line makes options of them."""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Protocol, TypeAlias

from cranfield.options import Argument, Option
from cranfield.options.groups import SELECTION
from cranfield.selection import LeftOut, Selection

if TYPE_CHECKING:
    from cranfield.store.store import Store


class OpenStore(Protocol):
    """An open store, `cranfield.Store`, which takes long to import."""

    def select(self, selection: Selection, left_out: LeftOut | None = None) -> "Store":
        """Return this open store as one of which only a selection counts."""


StoreLike: TypeAlias = str | PathLike[str] | OpenStore

STORE = "A store, such as track.db."
PresentStore = Annotated[StoreLike, Argument(STORE, metavar="STORE", typed=Path, reads="store")]
ReadStore = Annotated[StoreLike, Argument(STORE, metavar="STORE", typed=Path, reads="store or release")]

OnlyTopics = Annotated[
    str | None,
    Option(
        "Topics to use: a topic set of the store, or a file of topic ids. [default: all]",
        metavar="NAME|FILE",
        complete="topic set",
        rich_help_panel=SELECTION,
    ),
]
Round = Annotated[
    str | None,
    Option(
        "Round whose runs, topics and judgments are used (stores only). [default: all rounds]",
        metavar="NAME",
        complete="round",
        rich_help_panel=SELECTION,
    ),
]
RoundJudgments = Annotated[
    Literal["residual", "own", "cumulative"] | None,
    Option(
        "Which judgments to use with --round. residual (default after the first round): the round's own, with"
        " documents judged in earlier rounds removed from the rankings. own: the round's own, rankings unchanged."
        " cumulative: all judgments up to the end of the round.",
        metavar="residual|own|cumulative",
        rich_help_panel=SELECTION,
    ),
]
JudgedBefore = Annotated[
    str | PathLike[str] | None,
    Option(
        "Earlier qrels file. The documents that it judges are removed from rankings and judgments (files only).",
        metavar="FILE",
        typed=str | None,
        rich_help_panel=SELECTION,
    ),
]

IgnoresOwnId = Annotated[
    bool,
    Option(
        "Remove documents whose id equals the topic id from runs and judgments, as BEIR does.",
        "--ignore-own-id",
        rich_help_panel=SELECTION,
    ),
]


def selection_of(
    topics: str | None = None,
    round: str | None = None,
    judged: str | None = None,
    remove_judged: str | PathLike[str] | None = None,
) -> Selection:
    """The selection of a call, of the options that it was given."""
    return Selection(topics=topics or "", round=round, judged=judged, remove_judged=remove_judged)
