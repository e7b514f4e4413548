"""The options of the commands about who judges, how far they agree, and what that changes."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.options import (
    DEFAULT_POLICY,
    LABELS_DIFFER,
    SELECTION,
    Argument,
    Option,
    Rng,
    seed_option,
    split_names,
)
from cranfield.options.arguments import StoreLike
from cranfield.selection import POLICY_NAMES
from cranfield.text import join_words

if TYPE_CHECKING:
    from cranfield.metrics.inputs import QrelsLike
    from cranfield.metrics.notation import MeasureLike
else:
    QrelsLike = lazy_type("cranfield.metrics.inputs", "QrelsLike")
    MeasureLike = lazy_type("cranfield.metrics.notation", "MeasureLike")

COEFFICIENT = (
    "Coefficient, such as overlap. Give several as overlap,prevalence. [default: all, or a few by pair or topic]"
)
SIMULATED = (
    "Simulated assessor: oracle, strict, lenient, tired or random, optionally with an error rate. Give several as"
    " strict,tired:0.1. [default: strict, lenient, tired]"
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


def parse_share(text: str) -> float:
    """A share, as given on the command line."""
    from cranfield.judging.planning.assign import parse_percentage

    return parse_percentage(text)


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
        "A store, or two or more qrels files that judge the same documents.",
        metavar="STORE",
        typed=list[Path],
        reads="store or qrels",
    ),
]
ComparedAssessors = Annotated[
    Sequence[str] | None,
    Option("Assessor to compare; may be repeated. [default: all]", "--assessor", metavar="NAME", complete="assessor"),
]
KindOfLabels = Annotated[
    str,
    Option(
        "Kind of labels to compare (stores only): documents, or a kind of answer label. An unknown kind prints"
        " the list.",
        "--of",
        metavar="LABELS",
        complete="cranfield.analysis.labels:kinds_of_labels",
    ),
]
AgreementRow = Annotated[
    Literal["overall", "pair", "topic"],
    Option("Rows of the table: all assessors together, one row per pair of assessors, or one row per topic."),
]
BinaryGrades = Annotated[bool, Option("Compare only whether documents are relevant, not their grades.", "--binary")]
Coefficients = Annotated[
    str | Sequence[str] | None,
    Option(
        COEFFICIENT, "--coefficient", metavar="NAME", complete="coefficients", typed=list[str] | None, parse=split_names
    ),
]  # fmt: skip
ScaleOfQrels = Annotated[
    Sequence[float] | None,
    Option(
        "Grade scale of qrels files, such as 0,1,2,3. Labels with other grades are left out.",
        typed=str | None,
        parse=grades,
    ),
]
LowestRelevant = Annotated[float, Option("Lowest relevant grade of qrels files (a store defines its own).")]
AgreementResamples = Annotated[
    int, Option("Number of bootstrap resamples of topics for the intervals; 0 for no intervals.", min=0)
]
SeedOfResamples = Annotated[Rng, seed_option("Random seed for resampling.", min=0)]


SIDE = (
    "A policy, an assessor, people, models, a release, or a qrels file. If a name is ambiguous, prefix it with"
    " policy:, assessor:, labels:, release: or file:."
)
StoreOrQrels = Annotated[
    StoreLike,
    Argument("A store, or a qrels file.", metavar="STORE|QRELS", typed=Path, reads="store, or qrels and runs"),
]
ComparedSides = Annotated[
    str | PathLike[str] | Sequence[str | PathLike[str]],
    Argument(
        f"{SIDE} If the first argument is a qrels file, give more qrels files and then runs.",
        metavar="A B...|QRELS...",
        typed=list[str],
        complete="assessor",
    ),
]
LabelsOfEither = Annotated[
    bool, Option("Compare all labels of both sides, including pairs that only one side labelled.", "--all")
]
ChangedContents = Annotated[
    bool, Option("List the topics, documents, runs and labels that changed (releases only).", "--contents")
]


SimulatedAssessors = Annotated[Sequence[str], Option(SIMULATED, "--simulate", metavar="KIND[:RATE]", parse=split_names)]
RehearsedOverlap = Annotated[
    float,
    Option(
        "Share of documents that all assessors judge. [default: 10%]", metavar="SHARE", typed=str | None,
        parse=parse_share, show_default=False,
    ),
]  # fmt: skip
RehearsedDepth = Annotated[
    int | None, Option("Depth to which the runs' documents are used. [default: all judged documents]", min=1)
]
SecondsPerJudgment = Annotated[float, Option("Seconds per judgment.", min=0)]
ComparedPolicies = Annotated[
    Sequence[str],
    Option(
        "Policy to compare. Give several as min,max.",
        "--policy",
        metavar="NAME",
        complete="policies",
        parse=split_names,
    ),
]
RehearsalSeed = Annotated[Rng, seed_option("Random seed.", min=0)]
Repeats = Annotated[int, Option("Number of simulations.", min=1)]
RehearsedTopics = Annotated[
    str | None,
    Option(
        "Topics to use: a topic set of the store, or a file of topic ids. [default: all]", metavar="NAME|FILE",
        complete="topic set", rich_help_panel=SELECTION,
    ),
]  # fmt: skip


AssignedAssessors = Annotated[
    Sequence[str],
    Option("Assessor to assign topics to; may be repeated.", "--assessor", metavar="NAME", complete="assessor"),
]
QueueOption = Annotated[bool, Option("Put topics in a queue, from which assessors claim them.", "--queue")]
AssignedTopics = Annotated[
    Sequence[str],
    Option("Topic to assign; may be repeated. [default: all]", "--topic", metavar="QID", complete="topic"),
]
SecondShare = Annotated[
    float,
    Option(
        "Share of documents that a second assessor also judges, such as 10%. [default: 0%]",
        metavar="SHARE",
        typed=str | None,
        parse=parse_share,
        show_default=False,
    ),
]
CannotJudgeToo = Annotated[
    bool, Option("Pass documents that a topic's assessor cannot judge to a second assessor.", "--cannot-judge")
]
ShownTwice = Annotated[
    int, Option("Number of documents per topic that its assessor is shown twice.", "--repeat", min=0)
]
SeedOfPlan = Annotated[Rng, seed_option("Random seed for choosing the overlap and the repeats.")]
HoursOfLease = Annotated[float, Option("Hours after which an unused claim expires.", min=0.01)]
TopicsPassedOn = Annotated[
    Mapping[str, str | None] | None,
    Option(
        "Reassign topic QID to NAME; QID= puts it in the queue.",
        "--give",
        metavar="QID=NAME",
        typed=list[str] | None,
        parse=names_by_topic,
    ),
]
SecondPassedOn = Annotated[
    Mapping[str, str | None] | None,
    Option(
        "Reassign the second assessment of topic QID to NAME.",
        metavar="QID=NAME",
        typed=list[str] | None,
        parse=names_by_topic,
    ),
]
DisagreeingAssessorsOption = Annotated[
    Sequence[str] | None,
    Option(
        "Assessor whose disagreements to settle; may be repeated. [default: all except models]",
        metavar="NAME",
        complete="assessor",
    ),
]
RankingMeasure = Annotated[
    MeasureLike,
    Option("Measure to rank systems by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
PolicyOfOpenCases = Annotated[
    str | None,
    Option(
        f"Policy for documents without an adjudication: {join_words(POLICY_NAMES, 'or')}. {DEFAULT_POLICY}",
        metavar="NAME",
        complete="policy",
    ),
]
TopSystems = Annotated[int, Option("Number of systems that count as the top.", min=1)]
ExplainedTopic = Annotated[str, Argument("The topic.", metavar="QID", complete="topic")]
ExplainedDocument = Annotated[str, Argument("The document.", metavar="DOCNO", complete="document")]
PolicyOfQrels = Annotated[str | None, Option(f"{LABELS_DIFFER} {DEFAULT_POLICY}", metavar="NAME", complete="policy")]
ProgressSection = Annotated[
    Literal["work", "pace", "agreement", "repeats", "drift"] | None,
    Option("Table to show. [default: all; work for csv, tsv, markdown and latex]", "--show"),
]
NameOfAssessor = Annotated[str, Argument("Name of the assessor.", complete="assessor")]
InvitedAssessor = Annotated[
    str, Argument("Name of the assessor. Labels are stored under this name.", complete="assessor")
]
LinkLifetime = Annotated[
    str | None, Option("How long the link is valid, such as 14d, 12h or 2w. [default: until revoked]", metavar="TIME")
]
IsToAdjudicate = Annotated[bool, Option("Make a link for settling disagreements instead of judging.", "--adjudicate")]
InvitedRole = Annotated[
    str | None,
    Option(
        "Work that the link allows, such as judge or adjudicate. An unknown role prints the list.",
        metavar="ROLE",
        complete="cranfield.web.open_sessions:invited_roles",
    ),
]
MaySearch = Annotated[
    bool,
    Option("Let the assessor search the corpus and judge the documents found. These labels are not blind.", "--search"),
]
