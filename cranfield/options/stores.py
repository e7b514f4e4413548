"""The options of the commands that keep a store, and of those on sets of topics and recipes."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.options import LABELS_DIFFER, Argument, Option, Rng, seed_option
from cranfield.options.arguments import STORE

ReleaseName = Annotated[str, Argument("Name of the release, such as 1.0.", metavar="NAME")]
ReleaseDate = Annotated[str, Option("Release date, YYYY-MM-DD. [default: today, in UTC]", metavar="DATE")]
ReleaseNote = Annotated[str, Option("Description of the changes.", metavar="TEXT")]
Manifest = Annotated[
    str | PathLike[str] | None,
    Option(
        "Manifest of exported qrels to compare with the logs. The qrels are also derived again.",
        metavar="FILE",
        typed=Path | None,
        exists=True,
        dir_okay=False,
    ),
]
SetName = Annotated[str, Argument("Name of the topic set, such as dev.", metavar="NAME")]
TopicIds = Annotated[
    str | PathLike[str] | Iterable[str],
    Argument(
        "File with one topic id per line, or a topic file.", metavar="FILE", typed=Path, exists=True, dir_okay=False
    ),
]
Folds = Annotated[int, Option("Number of folds.", min=2, metavar="N")]
SeedOfFolds = Annotated[Rng, seed_option("Random seed. The same seed gives the same folds.", min=0)]
SplitSet = Annotated[str, Option("Topic set to split. [default: all topics]", metavar="NAME", complete="topic set")]
RecipeName = Annotated[
    str, Argument("Bundled recipe, or the path of your own recipe.", metavar="NAME", complete="recipe")
]
RecipeFolder = Annotated[
    str | PathLike[str],
    Argument("Folder with the collection's files.", metavar="DIR", typed=Path, reads="texts"),
]
NewStore = Annotated[str | PathLike[str], Argument("New store.", metavar="STORE", typed=Path)]
CreatedStore = Annotated[str | PathLike[str], Argument("New store, such as track.db.", metavar="STORE", typed=Path)]
CollectionName = Annotated[str, Option("Name of the collection.", "--name")]
CollectionDescription = Annotated[str, Option("Description of the collection.", "--description")]
CollectionLicence = Annotated[str, Option("Licence of the collection.", "--licence")]
GradeScale = Annotated[str | Mapping[int, str], Option("Grades and their meanings.", typed=str)]
LowestRelevant = Annotated[int, Option("Lowest relevant grade.")]
GuidelinesFile = Annotated[
    str | PathLike[str] | None,
    Option("File with guidelines that assessors can read while judging.", metavar="FILE", typed=Path | None),
]
IsPrivate = Annotated[bool, Option("Make the store readable only by you.", "--private")]
Withdrawable = Annotated[
    Literal["run", "topic", "document"], Argument("Kind of object: run, topic or document.", metavar="WHAT")
]
WithdrawnNames = Annotated[
    str | Iterable[str],
    Argument("Run tags, topic ids or document ids.", metavar="NAME...", complete="of kind", typed=list[str]),
]
ReasonToWithdraw = Annotated[str, Option("Reason, shown in tables.", metavar="TEXT")]
DecidedBy = Annotated[
    str | None,
    Option(
        "Assessor who made the decision, for the history. The name can be erased later.",
        "--by",
        metavar="NAME",
        complete="assessor",
    ),
]
StoreFile = Annotated[str | PathLike[str], Argument(STORE, metavar="STORE", typed=Path)]
CopyOfStore = Annotated[str | PathLike[str], Argument("New file, such as copy.db.", metavar="COPY", typed=Path)]
AdoptedStore = Annotated[str | PathLike[str], Argument("New file, such as mine.db.", metavar="COPY", typed=Path)]
Removable = Annotated[
    Literal["run", "topic", "pool", "import"], Argument("Kind of object: run, topic, pool or import.", metavar="WHAT")
]
RemovedNames = Annotated[
    str | Iterable[str],
    Argument(
        "Run tags, topic ids, or numbers of pools or imports.", metavar="NAME...", complete="of kind", typed=list[str]
    ),
]
ReasonToUndo = Annotated[str, Option("Reason, recorded in the store's history.", metavar="TEXT")]
Erasable = Annotated[
    Literal["assessor", "user"], Argument("Kind of person: assessor, or user (of an interaction log).", metavar="WHO")
]
ErasedName = Annotated[str, Argument("Name of the assessor, or the user's id in the log.", metavar="NAME")]
ReasonToErase = Annotated[str, Option("Reason, recorded with the erasure.", metavar="TEXT")]
IsDryRun = Annotated[bool, Option("Report what would be erased, and erase nothing.", "--dry-run")]
ChosenAssessor = Annotated[str | None, Option("Assessor whose labels count.", metavar="NAME", complete="assessor")]
ChosenPolicy = Annotated[str | None, Option(LABELS_DIFFER, metavar="NAME", complete="policy")]
IsTakenBack = Annotated[bool, Option("Withdraw the recorded choice.", "--none")]
ReasonToChoose = Annotated[str, Option("Reason, recorded in the log.", metavar="TEXT")]
