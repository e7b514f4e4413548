"""What commands and functions on interaction logs are asked, each option once."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cranfield.cli import completion
from cranfield.cli.completion import list_completer, single_completer
from cranfield.errors import InputError
from cranfield.lazy import type_in
from cranfield.options import Argument, OneOf, Option, names, seed_option
from cranfield.options.imports import check_utf8, parse_pairs
from cranfield.rng import Rng

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.online.store.read import LogChoice
else:
    DataFrame = type_in("pandas", "DataFrame")


def complete(*_: object) -> Iterable[str]:
    """Each measure of logs, and where it takes a cutoff, with common ones."""
    from cranfield.features.online.measures import ONLINE_MEASURES

    for measure in ONLINE_MEASURES.values():
        yield measure.name
        yield from (f"{measure.name}@{cutoff}" for cutoff in (1, 5, 10) if measure.has_cutoff)


def log_measure_text(name: str) -> str:
    """What a measure of logs is about; nothing of another.

    >>> log_measure_text("ctr@10").partition(",")[0], log_measure_text("AP")
    ('CTR', '')
    """
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    return online_measure(name).about if name.partition("@")[0].lower() in map(str.lower, ONLINE_MEASURES) else ""


def _interleaving(*_: object) -> Iterable[str]:
    from cranfield.features.online.interleaving import METHODS

    return METHODS


def _click_models(*_: object) -> Iterable[str]:
    from cranfield.features.online.click_models import CLICK_MODELS

    return CLICK_MODELS


def _estimators(*_: object) -> Iterable[str]:
    from cranfield.features.online.counterfactual.estimators import ESTIMATORS

    return ESTIMATORS


INTERLEAVING, CLICK_MODELS = single_completer(_interleaving), list_completer(_click_models)


def seconds(moment: datetime) -> float:
    """Seconds since 1970.

    >>> seconds(datetime(1970, 1, 2))
    86400.0
    """
    return moment.replace(tzinfo=UTC).timestamp()


def arms_of(text: str) -> tuple[str, ...]:
    """Arms, as they are given on the command line.

    >>> arms_of("bm25, dense,")
    ('bm25', 'dense')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def check_lists(**several: Sequence[str] | None) -> None:
    """Refuse a text where names are expected: its letters would be taken for them."""
    for option, value in several.items():
        if isinstance(value, str):
            raise InputError(f"{option} is {value!r:.60}; expected a list of names")


def log_choice(
    experiment: str | None,
    arms: Sequence[str] | None,
    since: float | None,
    until: float | None,
    attributes: Sequence[str] = (),
) -> "LogChoice":
    """The lists of a log that a call asks for, with these of their attributes."""
    from cranfield.features.online.store.read import LogChoice

    check_lists(arms=arms)
    return LogChoice(experiment, arms or (), since, until, attributes)


def names_in(words: str | Sequence[str]) -> list[str]:
    """One name or several, as a list.

    >>> names_in("CTR"), names_in(("CTR", "Dwell"))
    (['CTR'], ['CTR', 'Dwell'])
    """
    return [*map(fspath, [words] if isinstance(words, str | PathLike) else words)]


def _cap(text: str) -> float:
    """A percentile as a share.

    >>> round(_cap("99.5%"), 4)
    0.995
    """
    try:
        return float(text.removesuffix("%")) / 100
    except ValueError:
        raise InputError(f"{text!r}; expected a percentile, as 99.5%") from None


def _numbers(text: str) -> list[float]:
    try:
        return [float(one) for one in text.split(",") if one.strip()]
    except ValueError:
        raise InputError(f"{text!r}; expected numbers, such as 0.2,0.5") from None


def _shares(words: Sequence[str]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in _pairs("--share", "ARM=X")(words).items()}
    except ValueError:
        raise InputError(f"{', '.join(words)}; expected ARM=X, with a number X") from None


def _pairs(option: str, form: str) -> Any:
    def parse(words: Sequence[str]) -> Mapping[str, str]:
        pairs = parse_pairs(words, form)
        check_utf8(option, pairs)
        return pairs

    return parse


def _online_measures(help: str) -> Option:
    return Option(help, "-m", "--measure", metavar="MEASURE", typed=list[str] | None, parse=names)


Experiment = Annotated[
    str | None,
    Option("Only lists of this experiment; all of them by default.", metavar="NAME", complete="experiment"),
]
Arms = Annotated[
    Sequence[str] | None,
    Option("Only lists of these arms.", metavar="A,B", complete="arm", typed=str | None, parse=arms_of),
]
SinceOption = Annotated[
    float | None,
    Option("Only lists from this time (UTC) on, as 2026-01-31.", metavar="TIME", typed=datetime | None, parse=seconds),
]
UntilOption = Annotated[
    float | None, Option("Only lists before this time (UTC).", metavar="TIME", typed=datetime | None, parse=seconds)
]
MinUsers = Annotated[
    int,
    Option("Leave out queries of fewer users. Lists with neither user nor session count for none; 0 takes all.", min=0),
]
NumberOfTopics = Annotated[int, Option("How many topics to make.", min=1, metavar="N")]
QuerySample = Annotated[
    Literal["top", "random", "proportional"],
    Option("Which: of the most users; at random, all alike; or in proportion to how often they came."),
]
SeedOfQueries = Annotated[Rng, seed_option("Random seed of a sample.", min=0)]
Alpha = Annotated[float, Option("Significance level.", min=0.0001, max=0.5)]


LogFiles = Annotated[
    str | PathLike[str] | Iterable[str | PathLike[str]] | DataFrame,
    Argument("Files: plain, .gz, .xz, .zst, .bz2 or .lz4.", metavar="PATH...", typed=list[Path], reads="texts"),
]
LogFormat = Annotated[str, Option("The files' format; detected from the content by default."), completion.FORMATS]
ExperimentOfLines = Annotated[
    str, Option("The experiment of lines that do not name one.", metavar="NAME", complete="experiment")
]
ArmsOfExperiment = Annotated[
    Sequence[str] | None,
    Option(
        "The arms of the experiment; in interleaved lists, team a is the first.", metavar="A,B", complete="arm",
        typed=str | None, parse=arms_of,
    ),
]  # fmt: skip
FieldNames = Annotated[
    Mapping[str, str] | None,
    Option(
        "Name of a field in the files, as user=visitor; may be repeated.", "--field", metavar="OURS=THEIRS",
        typed=list[str] | None, parse=_pairs("--field", "OURS=THEIRS"),
    ),
]  # fmt: skip
Attributes = Annotated[
    Sequence[str],
    Option("Keep a further field, as device or price; may be repeated.", "--attribute", metavar="NAME"),
]
SkipsLines = Annotated[bool, Option("Leave out lines that cannot be used.", "--skip")]
MaxSearches = Annotated[int, Option("List users with more searches on a day: they may be programs.", min=1)]
DropsBots = Annotated[bool, Option("Leave out the lists of these users.", "--drop-bots")]
SaltFile = Annotated[
    str | PathLike[str] | None,
    Option(
        "Keep the salt of users in this file, made if new, not in the store.", metavar="FILE", dir_okay=False,
        typed=Path | None,
    ),
]  # fmt: skip

ConfidenceLevel = Annotated[float, Option("Confidence level of the intervals.", min=0.01, max=0.9999)]
LogGroup = Annotated[
    str,
    Option("Measure by arm, ..., or an attribute.", metavar="arm|run|position|query|NAME"),
    single_completer(lambda *_: ("arm", "run", "position", "query")),
]
ShownMeasures = Annotated[
    str | Sequence[str], _online_measures("An online measure, such as CTR@10 or Dwell."), list_completer(complete)
]

TestedMeasures = Annotated[
    str | Sequence[str], _online_measures("An online measure; CTR by default."), list_completer(complete)
]
ControlArm = Annotated[str, Option("The arm with which the others are compared.", metavar="ARM", complete="arm")]
Unit = Annotated[Literal["user", "session", "list"], Option("The unit whose values are independent of each other.")]
DaysBefore = Annotated[
    int | None,
    Option("Adjust for what the same users did in the days before (CUPED).", min=1, metavar="DAYS"),
]
Sequential = Annotated[bool, Option("Intervals and p that hold at every look, however often you look.", "--sequential")]
PlannedUsers = Annotated[int | None, Option("Number of users planned, over all arms.", min=2, metavar="N")]
PlannedDifference = Annotated[
    float | None,
    Option("Estimate instead how many users are needed to find a difference of D.", metavar="D"),
]
CorrectionOfArms = Annotated[
    str,
    Option("For several arms and measures: holm, bh, bonferroni or none."),
    OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS"),
]
SharesOfArms = Annotated[
    Mapping[str, float] | None,
    Option(
        "The share of users planned for an arm; equal by default. May be repeated.", "--share", metavar="ARM=X",
        typed=list[str] | None, parse=_shares,
    ),
]  # fmt: skip
ArmsLeftOut = Annotated[
    Sequence[str],
    Option("Leave out an arm and its users; may be repeated.", "--leave-out-arm", metavar="ARM", complete="arm"),
]
RatioOption = Annotated[bool, Option("Show results even if the sample ratio fails.", "--despite-srm")]
Segments = Annotated[str | None, Option("Test for each value of an attribute of lists, as device.", metavar="NAME")]
Cap = Annotated[
    float | None,  # the share of users whose totals are not cut
    Option(
        "Cut users' totals above this percentile, as 99.5%; shares are not cut.", metavar="PERCENT",
        typed=str | None, parse=_cap,
    ),
]  # fmt: skip
Margins = Annotated[
    Mapping[str, str | float] | None,
    Option(
        "A guardrail: may get worse by less than .01, or 2% of the control. Repeatable.", "--margin",
        metavar="MEASURE=X", typed=list[str] | None, parse=_pairs("--margin", "MEASURE=X"),
    ),
]  # fmt: skip

InterleavedExperiment = Annotated[
    str | None,
    Option("The experiment; by default every one with interleaved lists.", metavar="NAME", complete="experiment"),
]
MethodOfLists = Annotated[
    str | None,
    Option("The interleaving method, where the store does not have it.", metavar="METHOD"),
    INTERLEAVING,
]
SignFlips = Annotated[int, Option("Number of random sign flips.", min=100)]
SeedOfFlips = Annotated[Rng, seed_option("Random seed of the sign flips.", min=0)]

OnlineMeasureName = Annotated[
    str, Option("The online measure, such as CTR@10.", metavar="MEASURE"), single_completer(complete)
]

NewRun = Annotated[
    str | PathLike[str],
    Argument(
        "A run by its tag, a run file, or a CSV of probabilities.", metavar="NEWRUN", typed=str, reads="runs",
        complete="run",
    ),
]  # fmt: skip
Estimators = Annotated[
    str | Sequence[str],
    Option(
        "ips, snips, clipped, dm, dr, item-position, position-based or pseudo-inverse; may be repeated.",
        "--estimator", metavar="NAME", typed=list[str] | None, parse=names,
    ),
    list_completer(_estimators),
]  # fmt: skip
Propensity = Annotated[
    str,
    Option("As logged; or the examination of ranks: estimated, or from a file.", metavar="logged|pbm|swap|FILE"),
    single_completer(lambda *_: ("logged", "pbm", "swap")),
]
PolicyOfRun = Annotated[
    Literal["ranking", "plackett-luce"], Option("The ranking itself, or rankings drawn by the run's scores.")
]
Temperature = Annotated[
    float, Option("With plackett-luce: draw by exp(score / T); lower is nearer the ranking.", metavar="T")
]
MinEffectiveSize = Annotated[float, Option("The least effective sample size to conclude from.", min=1)]
SeedOfGroups = Annotated[Rng, seed_option("Random seed of the groups of users.")]

ClickModelNames = Annotated[
    str | Sequence[str],
    Option(
        "A click model, as `online clicks models` lists them.", metavar="NAME", typed=list[str], parse=names,
        required=True,
    ),
    CLICK_MODELS,
]  # fmt: skip
StoresVotes = Annotated[bool, Option("Store the model's relevance as labels of an assessor of kind model.", "--votes")]
Thresholds = Annotated[
    Sequence[float] | None,
    Option(
        "With --votes: the least relevance of each grade above the lowest.", metavar="X,...", typed=str | None,
        parse=_numbers,
    ),
]  # fmt: skip
MinImpressions = Annotated[int, Option("With --votes: label only documents shown this often for a topic.", min=1)]
AssessorOfVotes = Annotated[
    str | None,
    Option("With --votes: the assessor. [default: clicks-MODEL]", metavar="NAME", complete="assessor"),
]
HeldOut = Annotated[
    float, Option("Hold out this share of the sessions, and predict it.", min=0, max=0.9, metavar="SHARE")
]
Steps = Annotated[int, Option("Steps of expectation maximisation.", min=1)]
SeedOfSessions = Annotated[Rng, seed_option("Random seed of the held-out sessions.")]
