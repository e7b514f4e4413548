"""The options of the commands that keep a store, and of those on sets of topics and recipes."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.options import LABELS_DIFFER, Argument, Option, seed_option
from cranfield.options.given import STORE
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
CreatedStore = Annotated[str | PathLike[str], Argument("The new store, such as track.db.", metavar="STORE", typed=Path)]
CollectionName = Annotated[str, Option("The collection's name.", "--name")]
CollectionDescription = Annotated[str, Option("A description of the collection.", "--description")]
CollectionLicence = Annotated[str, Option("The licence of the collection.", "--licence")]
GradeScale = Annotated[str | Mapping[int, str], Option("The grades and their meanings.", typed=str)]
LowestRelevant = Annotated[int, Option("The lowest relevant grade.")]
GuidelinesFile = Annotated[
    str | PathLike[str] | None,
    Option("Guidelines that assessors can read while judging.", metavar="FILE", typed=Path | None),
]
IsPrivate = Annotated[bool, Option("Only you can read the store.", "--private")]
Withdrawable = Annotated[Literal["run", "topic", "document"], Argument("run, topic or document.", metavar="WHAT")]
WithdrawnNames = Annotated[
    str | Iterable[str],
    Argument("Tags, qids or docnos.", metavar="NAME...", complete="of kind", typed=list[str]),
]
ReasonToWithdraw = Annotated[str, Option("The reason; tables say it.", metavar="TEXT")]
DecidedBy = Annotated[
    str | None,
    Option(
        "Who decides so, for the history: an assessor's name, which can be erased.",
        "--by",
        metavar="NAME",
        complete="assessor",
    ),
]
StoreFile = Annotated[str | PathLike[str], Argument(STORE, metavar="STORE", typed=Path)]
CopyOfStore = Annotated[str | PathLike[str], Argument("The new file, such as copy.db.", metavar="COPY", typed=Path)]
AdoptedStore = Annotated[str | PathLike[str], Argument("The new file, such as mine.db.", metavar="COPY", typed=Path)]
Removable = Annotated[
    Literal["run", "topic", "pool", "import"], Argument("run, topic, pool or import.", metavar="WHAT")
]
RemovedNames = Annotated[
    str | Iterable[str],
    Argument("Tags, qids, or the numbers of pools or imports.", metavar="NAME...", complete="of kind", typed=list[str]),
]
ReasonToUndo = Annotated[str, Option("The reason, recorded in the store's history.", metavar="TEXT")]
Erasable = Annotated[Literal["assessor", "user"], Argument("assessor, or user of an interaction log.", metavar="WHO")]
ErasedName = Annotated[str, Argument("The name of the assessor, or the user's id in the log.", metavar="NAME")]
ReasonToErase = Annotated[str, Option("The reason, recorded with the erasure.", metavar="TEXT")]
IsDryRun = Annotated[bool, Option("Only report what would be erased.", "--dry-run")]
ChosenAssessor = Annotated[
    str | None, Option("Only this assessor's labels count.", metavar="NAME", complete="assessor")
]
ChosenPolicy = Annotated[str | None, Option(LABELS_DIFFER, metavar="NAME", complete="policy")]
IsTakenBack = Annotated[bool, Option("Take the recorded choice back.", "--none")]
ReasonToChoose = Annotated[str, Option("Why, for those who read the log.", metavar="TEXT")]
