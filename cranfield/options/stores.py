"""The options of the commands that keep a store, and of those on sets of topics and recipes."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.options import Argument, Option, seed_option
from cranfield.rng import Rng

ReleaseName = Annotated[str, Argument("The name of the release, such as 1.0.", metavar="NAME")]
ReleaseDate = Annotated[str, Option("Its date, YYYY-MM-DD. [default: today, in UTC]", metavar="DATE")]
ReleaseNote = Annotated[str, Option("What is new in it.", metavar="TEXT")]
Manifest = Annotated[
    str | PathLike[str] | None,
    Option(
        "Also compare the logs with the manifest of exported qrels, and derive these anew.",
        metavar="FILE",
        typed=Path | None,
        exists=True,
        dir_okay=False,
    ),
]
SetName = Annotated[str, Argument("What the set is called, such as dev.", metavar="NAME")]
TopicIds = Annotated[
    str | PathLike[str] | Iterable[str],
    Argument("One topic id a line, or topics.", metavar="FILE", typed=Path, exists=True, dir_okay=False),
]
Folds = Annotated[int, Option("How many folds.", min=2, metavar="N")]
SeedOfFolds = Annotated[Rng, seed_option("Random seed; the same seed gives the same folds.", min=0)]
SplitSet = Annotated[str, Option("Split this set instead of all topics.", metavar="NAME", complete="topic set")]
RecipeName = Annotated[
    str, Argument("A bundled recipe, or the path of your own recipe.", metavar="NAME", complete="recipe")
]
RecipeFolder = Annotated[
    str | PathLike[str],
    Argument("The folder with the collection's files.", metavar="DIR", typed=Path, reads="texts"),
]
NewStore = Annotated[str | PathLike[str], Argument("The new store.", metavar="STORE", typed=Path)]
Withdrawable = Annotated[Literal["run", "topic", "document"], Argument("run, topic or document.", metavar="WHAT")]
WithdrawnNames = Annotated[
    str | Iterable[str],
    Argument("Tags, qids or docnos.", metavar="NAME...", complete="of kind", typed=list[str]),
]
ReasonToWithdraw = Annotated[str, Option("The reason; tables say it.", metavar="TEXT")]
ReasonToRestore = Annotated[str, Option("The reason, recorded in the store's history.", metavar="TEXT")]
DecidedBy = Annotated[
    str | None,
    Option(
        "Who decides so, for the history: an assessor's name, which can be erased.",
        "--by",
        metavar="NAME",
        complete="assessor",
    ),
]
