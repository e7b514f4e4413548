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
        "Only these topics: a set of the store, or a list of ids.",
        metavar="NAME|FILE",
        complete="topic set",
        rich_help_panel=SELECTION,
    ),
]
Round = Annotated[
    str | None,
    Option(
        "Only this round: its runs, topics and judgments (stores only).",
        metavar="NAME",
        complete="round",
        rich_help_panel=SELECTION,
    ),
]
RoundJudgments = Annotated[
    Literal["residual", "own", "cumulative"] | None,
    Option(
        "Of a round: residual, its own judgments, where what was judged earlier leaves the rankings (the default after"
        " the first); own, the same without that; cumulative, all judgments up to it.",
        metavar="residual|own|cumulative",
        rich_help_panel=SELECTION,
    ),
]
JudgedBefore = Annotated[
    str | PathLike[str] | None,
    Option(
        "Of files: what was judged here earlier leaves rankings and judgments.",
        metavar="FILE",
        typed=str | None,
        rich_help_panel=SELECTION,
    ),
]

IgnoresOwnId = Annotated[
    bool,
    Option(
        "Remove documents whose id is the topic's, from runs and judgments, as BEIR does.",
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
