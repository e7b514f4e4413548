"""What commands and functions on interaction logs are asked, each option once."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cranfield.cli import completion
from cranfield.cli.completion import list_completer, single_completer
from cranfield.errors import InputError
from cranfield.lazy import lazy_type
from cranfield.options import Argument, OneOf, Option, Rng, seed_option, split_names
from cranfield.options.imports import check_utf8, parse_pairs

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.online.store.read import LogChoice
else:
    DataFrame = lazy_type("pandas", "DataFrame")


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
        raise InputError(f"{text!r}; expected a percentile, such as 99.5%") from None


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
    return Option(help, "-m", "--measure", metavar="MEASURE", typed=list[str] | None, parse=split_names)


Experiment = Annotated[
    str | None,
    Option(
        "Use only lists of this experiment. By default, lists of all experiments are used.",
        metavar="NAME",
        complete="experiment",
    ),
]
Arms = Annotated[
    Sequence[str] | None,
    Option("Use only lists of these arms.", metavar="A,B", complete="arm", typed=str | None, parse=arms_of),
]
SinceOption = Annotated[
    float | None,
    Option(
        "Use only lists from this time (UTC) on, such as 2026-01-31.",
        metavar="TIME",
        typed=datetime | None,
        parse=seconds,
    ),
]
UntilOption = Annotated[
    float | None, Option("Use only lists before this time (UTC).", metavar="TIME", typed=datetime | None, parse=seconds)
]
MinUsers = Annotated[
    int,
    Option(
        "Leave out queries that fewer users typed. A list with neither user nor session has no user;"
        " 0 keeps all queries.",
        min=0,
    ),
]
NumberOfTopics = Annotated[int, Option("Number of topics to make.", min=1, metavar="N")]
QuerySample = Annotated[
    Literal["top", "random", "proportional"],
    Option("Sampling: queries with the most users, a uniform sample, or a sample in proportion to frequency."),
]
SeedOfQueries = Annotated[Rng, seed_option("Random seed of the sample.", min=0)]
Alpha = Annotated[float, Option("Significance level.", min=0.0001, max=0.5)]


LogFiles = Annotated[
    str | PathLike[str] | Iterable[str | PathLike[str]] | DataFrame,
    Argument("Files: plain, .gz, .xz, .zst, .bz2 or .lz4.", metavar="PATH...", typed=list[Path], reads="texts"),
]
LogFormat = Annotated[str, Option("Format of the files. By default, the format is detected."), completion.FORMATS]
ExperimentOfLines = Annotated[
    str, Option("Experiment for lines that name no experiment.", metavar="NAME", complete="experiment")
]
ArmsOfExperiment = Annotated[
    Sequence[str] | None,
    Option(
        "Arms of the experiment. In interleaved lists, the first arm is team a.", metavar="A,B", complete="arm",
        typed=str | None, parse=arms_of,
    ),
]  # fmt: skip
FieldNames = Annotated[
    Mapping[str, str] | None,
    Option(
        "Name of a field in the files, such as user=visitor; may be repeated.", "--field", metavar="OURS=THEIRS",
        typed=list[str] | None, parse=_pairs("--field", "OURS=THEIRS"),
    ),
]  # fmt: skip
Attributes = Annotated[
    Sequence[str],
    Option("Extra field to keep, such as device or price; may be repeated.", "--attribute", metavar="NAME"),
]
SkipsLines = Annotated[bool, Option("Skip unusable lines instead of stopping.", "--skip")]
MaxSearches = Annotated[int, Option("Searches per day above which a note lists the user as a possible program.", min=1)]
DropsBots = Annotated[bool, Option("Leave out lists of users above --max-searches.", "--drop-bots")]
SaltFile = Annotated[
    str | PathLike[str] | None,
    Option(
        "File outside the store for the salt that hashes users; created if missing.", metavar="FILE", dir_okay=False,
        typed=Path | None,
    ),
]  # fmt: skip

ConfidenceLevel = Annotated[float, Option("Confidence level of the intervals.", min=0.01, max=0.9999)]
LogGroup = Annotated[
    str,
    Option("Grouping: arm, run, position, query or an attribute.", metavar="arm|run|position|query|NAME"),
    single_completer(lambda *_: ("arm", "run", "position", "query")),
]
ShownMeasures = Annotated[
    str | Sequence[str], _online_measures("Online measure, such as CTR@10 or Dwell."), list_completer(complete)
]

TestedMeasures = Annotated[
    str | Sequence[str], _online_measures("Online measure. By default, CTR."), list_completer(complete)
]
ControlArm = Annotated[str, Option("The control arm.", metavar="ARM", complete="arm")]
Unit = Annotated[Literal["user", "session", "list"], Option("Unit of analysis, whose values must be independent.")]
DaysBefore = Annotated[
    int | None,
    Option("Adjust for users' behaviour in this many days before the experiment (CUPED).", min=1, metavar="DAYS"),
]
Sequential = Annotated[
    bool, Option("Use intervals and p values that stay valid if you look at the results repeatedly.", "--sequential")
]
PlannedUsers = Annotated[int | None, Option("Planned total number of users, over all arms.", min=2, metavar="N")]
PlannedDifference = Annotated[
    float | None,
    Option("Estimate how many users per arm are needed to find a difference of D, instead of testing.", metavar="D"),
]
CorrectionOfArms = Annotated[
    str,
    Option("Correction for multiple tests, across arms and measures: holm, bh, bonferroni or none."),
    OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS"),
]
SharesOfArms = Annotated[
    Mapping[str, float] | None,
    Option(
        "Planned share of users in an arm. By default, the shares are equal. May be repeated.",
        "--share", metavar="ARM=X",
        typed=list[str] | None, parse=_shares,
    ),
]  # fmt: skip
ArmsLeftOut = Annotated[
    Sequence[str],
    Option("Arm to leave out, with its users; may be repeated.", "--leave-out-arm", metavar="ARM", complete="arm"),
]
RatioOption = Annotated[bool, Option("Show the results even if the sample ratio check fails.", "--despite-srm")]
Segments = Annotated[str | None, Option("Test within each value of a list attribute, such as device.", metavar="NAME")]
Cap = Annotated[
    float | None,  # the share of users whose totals are not cut
    Option(
        "Cap users' totals at this percentile, such as 99.5%. Measures that are proportions are not capped.",
        metavar="PERCENT",
        typed=str | None, parse=_cap,
    ),
]  # fmt: skip
Margins = Annotated[
    Mapping[str, str | float] | None,
    Option(
        "Guardrail: largest acceptable loss, such as 0.01, or 2% of the control; may be repeated.", "--margin",
        metavar="MEASURE=X", typed=list[str] | None, parse=_pairs("--margin", "MEASURE=X"),
    ),
]  # fmt: skip

InterleavedExperiment = Annotated[
    str | None,
    Option(
        "Experiment to analyse. By default, every experiment with interleaved lists is analysed.",
        metavar="NAME",
        complete="experiment",
    ),
]
MethodOfLists = Annotated[
    str | None,
    Option("Interleaving method, if the store does not record it.", metavar="METHOD"),
    INTERLEAVING,
]
SignFlips = Annotated[int, Option("Number of random sign flips.", min=100)]
SeedOfFlips = Annotated[Rng, seed_option("Random seed of the sign flips.", min=0)]

OnlineMeasureName = Annotated[
    str, Option("Online measure, such as CTR@10.", metavar="MEASURE"), single_completer(complete)
]

NewRun = Annotated[
    str | PathLike[str],
    Argument(
        "A run's tag, a run file or a CSV of probabilities.", metavar="NEWRUN", typed=str, reads="runs",
        complete="run",
    ),
]  # fmt: skip
Estimators = Annotated[
    str | Sequence[str],
    Option(
        "ips, snips, clipped, dm, dr, item-position, position-based or pseudo-inverse; may be repeated.",
        "--estimator", metavar="NAME", typed=list[str] | None, parse=split_names,
    ),
    list_completer(_estimators),
]  # fmt: skip
Propensity = Annotated[
    str,
    Option(
        "Source of the propensities. pbm and swap estimate examination probabilities of ranks; FILE contains them.",
        metavar="logged|pbm|swap|FILE",
    ),
    single_completer(lambda *_: ("logged", "pbm", "swap")),
]
PolicyOfRun = Annotated[
    Literal["ranking", "plackett-luce"], Option("The run's ranking, or random rankings drawn by its scores.")
]
Temperature = Annotated[
    float,
    Option(
        "Temperature of plackett-luce, which draws by exp(score / T). A lower T stays closer to the ranking.",
        metavar="T",
    ),
]
MinEffectiveSize = Annotated[float, Option("Smallest effective sample size for a conclusion.", min=1)]
SeedOfGroups = Annotated[Rng, seed_option("Random seed of the user groups.")]

ClickModelNames = Annotated[
    str | Sequence[str],
    Option(
        "A click model; `online clicks models` lists them.", metavar="NAME", typed=list[str], parse=split_names,
        required=True,
    ),
    CLICK_MODELS,
]  # fmt: skip
StoresVotes = Annotated[bool, Option("Store the model's relevance as labels of a model assessor.", "--votes")]
Thresholds = Annotated[
    Sequence[float] | None,
    Option(
        "Smallest relevance of each grade above the lowest, with --votes.", metavar="X,...", typed=str | None,
        parse=_numbers,
    ),
]  # fmt: skip
MinImpressions = Annotated[
    int, Option("Label only documents shown at least this often for a topic, with --votes.", min=1)
]
AssessorOfVotes = Annotated[
    str | None,
    Option("Name of the assessor, with --votes. [default: clicks-MODEL]", metavar="NAME", complete="assessor"),
]
HeldOut = Annotated[float, Option("Share of sessions to hold out and predict.", min=0, max=0.9, metavar="SHARE")]
Steps = Annotated[int, Option("Number of steps of expectation maximisation.", min=1)]
SeedOfSessions = Annotated[Rng, seed_option("Random seed of the held-out sessions.")]
