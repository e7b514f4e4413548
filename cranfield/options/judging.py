"""The options of the commands about who judges, how far they agree, and what that changes."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.lazy import type_in
from cranfield.options import (
    DEFAULT_POLICY,
    LABELS_DIFFER,
    Argument,
    Option,
    names,
    seed_option,
)
from cranfield.options.given import StoreLike
from cranfield.options.groups import SELECTION
from cranfield.rng import Rng
from cranfield.selection import POLICY_NAMES
from cranfield.text import join_words

if TYPE_CHECKING:
    from cranfield.metrics.inputs import QrelsLike
    from cranfield.metrics.notation import MeasureLike
else:
    QrelsLike = type_in("cranfield.metrics.inputs", "QrelsLike")
    MeasureLike = type_in("cranfield.metrics.notation", "MeasureLike")

COEFFICIENT = "A coefficient, such as overlap, or several: overlap,prevalence. [default: several]"
SIMULATED = (
    "A simulated assessor: oracle, strict, lenient, tired or random, and the error rate; several: strict,tired:0.1."
    " [default: strict, lenient, tired]"
)


def grades(text: str) -> tuple[float, ...] | None:
    """The grades of a scale, as given on the command line.

    >>> grades("0,1,2"), grades("0,0.5,1"), grades("")
    ((0, 1, 2), (0, 0.5, 1), None)
    """
    try:
        return tuple(float(grade) if "." in grade else int(grade) for grade in text.split(",")) if text else None
    except ValueError as error:
        raise InputError(f"{text!r}; expected a list such as 0,1,2,3") from error


def share(text: str) -> float:
    """A share, as given on the command line."""
    from cranfield.judging.planning.assign import percentage

    return percentage(text)


def names_by_topic(texts: Sequence[str]) -> dict[str, str | None]:
    """The assessor by topic, as given on the command line; None puts a topic in the queue.

    >>> names_by_topic(["q1=ada", "q2="])
    {'q1': 'ada', 'q2': None}
    """
    pairs = [text.rpartition("=") for text in texts]
    for text, (_, sign, _) in zip(texts, pairs, strict=True):
        if not sign:
            raise InputError(f"{text!r}; expected QID=NAME")
    return {qid: name or None for qid, _, name in pairs}


GivenLabels = Annotated[
    StoreLike | Sequence[str | PathLike[str]] | Mapping[str, QrelsLike],
    Argument(
        "A store, or two or more qrels files of the same documents.",
        metavar="STORE",
        typed=list[Path],
        reads="store or qrels",
    ),
]
ComparedAssessors = Annotated[
    Sequence[str] | None,
    Option(
        "An assessor to compare; may be repeated. [default: all]", "--assessor", metavar="NAME", complete="assessor"
    ),
]
KindOfLabels = Annotated[
    str,
    Option(
        "Which labels of a store: documents, or a kind of labels of answers; an unknown kind lists them.",
        "--of",
        metavar="LABELS",
        complete="cranfield.analysis.labels:kinds_of_labels",
    ),
]
AgreementRow = Annotated[
    Literal["overall", "pair", "topic"],
    Option("One table for all, or one row per pair of assessors, or one per topic."),
]
BinaryGrades = Annotated[bool, Option("Compare relevant or not instead of grades.", "--binary")]
Coefficients = Annotated[
    str | Sequence[str] | None,
    Option(
        COEFFICIENT, "--coefficient", metavar="NAME", complete="coefficients", typed=list[str] | None, parse=names
    ),
]  # fmt: skip
ScaleOfQrels = Annotated[
    Sequence[float] | None,
    Option(
        "The grades of qrels files, as 0,1,2,3; labels with other grades are left out.",
        typed=str | None,
        parse=grades,
    ),
]
LowestRelevant = Annotated[float, Option("The lowest relevant grade of qrels files; a store defines its own.")]
AgreementResamples = Annotated[
    int, Option("Number of bootstrap resamples of topics for intervals; 0 for no intervals.", min=0)
]
SeedOfResamples = Annotated[Rng, seed_option("Random seed of the resamples.", min=0)]


SIDE = (
    "A policy, an assessor, people or models, a release, or a qrels file; prefix it with policy:, assessor:, labels:,"
    " release: or file: if it is ambiguous."
)
StoreOrQrels = Annotated[
    StoreLike,
    Argument("A store, or a qrels file.", metavar="STORE|QRELS", typed=Path, reads="store, or qrels and runs"),
]
ComparedSides = Annotated[
    str | PathLike[str] | Sequence[str | PathLike[str]],
    Argument(
        f"{SIDE} Of files: more qrels, then runs.", metavar="A B...|QRELS...", typed=list[str], complete="assessor"
    ),
]
LabelsOfEither = Annotated[
    bool, Option("Compare all labels of either side, not only the pairs that both label.", "--all")
]
ChangedContents = Annotated[
    bool, Option("Of releases: list the topics, documents, runs and labels that changed.", "--contents")
]


SimulatedAssessors = Annotated[Sequence[str], Option(SIMULATED, "--simulate", metavar="KIND[:RATE]", parse=names)]
RehearsedOverlap = Annotated[
    float,
    Option(
        "Share of documents that all assessors judge, as 10%. [default: 10%]", metavar="SHARE", typed=str | None,
        parse=share, show_default=False,
    ),
]  # fmt: skip
RehearsedDepth = Annotated[int | None, Option("Use only documents that the runs retrieve to this depth.", min=1)]
SecondsPerJudgment = Annotated[float, Option("Seconds per judgment.", min=0)]
ComparedPolicies = Annotated[
    Sequence[str],
    Option("A policy to compare, or several: min,max.", "--policy", metavar="NAME", complete="policies", parse=names),
]
RehearsalSeed = Annotated[Rng, seed_option("Random seed.", min=0)]
Repeats = Annotated[int, Option("Number of simulations.", min=1)]
RehearsedTopics = Annotated[
    str | None,
    Option(
        "Only the topics of this set of the store, or of this file.", metavar="NAME|FILE", complete="topic set",
        rich_help_panel=SELECTION,
    ),
]  # fmt: skip


AssignedAssessors = Annotated[
    Sequence[str],
    Option("An assessor to assign topics to; may be repeated.", "--assessor", metavar="NAME", complete="assessor"),
]
QueueOption = Annotated[bool, Option("Put topics in a queue, from which assessors claim them.", "--queue")]
AssignedTopics = Annotated[
    Sequence[str], Option("Restrict to this topic; may be repeated.", "--topic", metavar="QID", complete="topic")
]
SecondShare = Annotated[
    float,
    Option(
        "Share of documents that a second assessor judges as well, as 10%. [default: 0%]",
        metavar="SHARE",
        typed=str | None,
        parse=share,
        show_default=False,
    ),
]
CannotJudgeToo = Annotated[bool, Option("Pass what a topic's assessor cannot judge to a second one.", "--cannot-judge")]
ShownTwice = Annotated[
    int, Option("Number of documents per topic that its assessor is shown twice.", "--repeat", min=0)
]
SeedOfPlan = Annotated[Rng, seed_option("Random seed of the overlap and of the repeats.")]
HoursOfLease = Annotated[float, Option("Hours after which an idle claim lapses.", min=0.01)]
TopicsPassedOn = Annotated[
    Mapping[str, str | None] | None,
    Option(
        "Reassign a topic; QID= puts it in the queue.",
        "--give",
        metavar="QID=NAME",
        typed=list[str] | None,
        parse=names_by_topic,
    ),
]
SecondPassedOn = Annotated[
    Mapping[str, str | None] | None,
    Option(
        "Reassign the second assessment of a topic.", metavar="QID=NAME", typed=list[str] | None, parse=names_by_topic
    ),
]
DisagreeingAssessorsOption = Annotated[
    Sequence[str] | None,
    Option(
        "An assessor whose disagreements to settle; may be repeated. [default: all but models]",
        metavar="NAME",
        complete="assessor",
    ),
]
RankingMeasure = Annotated[
    MeasureLike,
    Option("The measure to rank systems by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
PolicyOfOpenCases = Annotated[
    str | None,
    Option(
        f"The policy for documents that are not adjudicated: {join_words(POLICY_NAMES, 'or')}. {DEFAULT_POLICY}",
        metavar="NAME",
        complete="policy",
    ),
]
TopSystems = Annotated[int, Option("The number of systems that count as the top.", min=1)]
ExplainedTopic = Annotated[str, Argument("The topic.", metavar="QID", complete="topic")]
ExplainedDocument = Annotated[str, Argument("The document.", metavar="DOCNO", complete="document")]
PolicyOfQrels = Annotated[str | None, Option(f"{LABELS_DIFFER} {DEFAULT_POLICY}", metavar="NAME", complete="policy")]
ProgressSection = Annotated[
    Literal["work", "pace", "agreement", "repeats", "drift"] | None,
    Option("Show only this table. [default: all; as csv, tsv, markdown, latex: work]", "--show"),
]
NameOfAssessor = Annotated[str, Argument("Name of the assessor.", complete="assessor")]
InvitedAssessor = Annotated[str, Argument("Name of the assessor; labels are stored under it.", complete="assessor")]
LinkLifetime = Annotated[
    str | None, Option("Valid for so long: 14d, 12h or 2w. [default: until revoked]", metavar="TIME")
]
IsToAdjudicate = Annotated[bool, Option("The link is for settling disagreements, not for judging.", "--adjudicate")]
InvitedRole = Annotated[
    str | None,
    Option(
        "What the link is for: judge, adjudicate or a task of a feature. An unknown role prints the list.",
        metavar="ROLE",
        complete="cranfield.web.open_sessions:invited_roles",
    ),
]
MaySearch = Annotated[bool, Option("She may search the corpus, too, and judge what she finds; not blind.", "--search")]
