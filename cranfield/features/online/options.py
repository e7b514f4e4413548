"""What commands and functions on interaction logs are asked, each option once."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cranfield.cli import completion
from cranfield.cli.completion import last_of, single
from cranfield.errors import InputError
from cranfield.options import Measures, OneOf, Option, Options, RankingOptions, SetOptions, names

if TYPE_CHECKING:
    from cranfield.features.online.store.read import LogChoice


def complete(*_: object) -> Iterable[str]:
    """Each measure of logs, and where it takes a cutoff, with common ones."""
    from cranfield.features.online.measures import ONLINE_MEASURES

    for measure in ONLINE_MEASURES.values():
        yield measure.name
        yield from (f"{measure.name}@{cutoff}" for cutoff in (1, 5, 10) if measure.has_cutoff)


def _interleaving(*_: object) -> Iterable[str]:
    from cranfield.features.online.interleaving import METHODS

    return METHODS


def _click_models(*_: object) -> Iterable[str]:
    from cranfield.features.online.click_models import CLICK_MODELS

    return CLICK_MODELS


def _estimators(*_: object) -> Iterable[str]:
    from cranfield.features.online.counterfactual.estimators import ESTIMATORS

    return ESTIMATORS


INTERLEAVING, CLICK_MODELS = single(_interleaving), last_of(_click_models)


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


def _several(words: str | Sequence[str]) -> list[str]:
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


def _shares(words: Sequence[str]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in _pairs("--share", "ARM=X")(words).items()}
    except ValueError:
        raise InputError(f"{', '.join(words)}; expected ARM=X, with a number X") from None


def _pairs(option: str, form: str) -> Any:
    def parse(words: Sequence[str]) -> Mapping[str, str]:
        from cranfield.cli.commands.imports import pairs

        return dict(pairs(words, option, form=form))

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
Since = Annotated[
    float | None,
    Option("Only lists from this time (UTC) on, as 2026-01-31.", metavar="TIME", typed=datetime | None, parse=seconds),
]
Until = Annotated[
    float | None, Option("Only lists before this time (UTC).", metavar="TIME", typed=datetime | None, parse=seconds)
]
MinUsers = Annotated[
    int,
    Option("Leave out queries of fewer users. Lists with neither user nor session count for none; 0 takes all.", min=0),
]
Alpha = Annotated[float, Option("Significance level.", min=0.0001, max=0.5)]


class LogImportOptions(Options):
    """How logs are read, and what of them is kept."""

    format: Annotated[str, Option("The files' format; detected from the content by default."), completion.FORMATS] = (
        "auto"
    )
    experiment: Annotated[
        str, Option("The experiment of lines that do not name one.", metavar="NAME", complete="experiment")
    ] = "log"
    arms: Annotated[
        Sequence[str] | None,
        Option(
            "The arms of the experiment; in interleaved lists, team a is the first.", metavar="A,B", complete="arm",
            typed=str | None, parse=arms_of,
        ),
    ] = None  # fmt: skip
    fields: Annotated[
        Mapping[str, str] | None,
        Option(
            "Name of a field in the files, as user=visitor; may be repeated.", "--field", metavar="OURS=THEIRS",
            typed=list[str] | None, parse=_pairs("--field", "OURS=THEIRS"),
        ),
    ] = None  # fmt: skip
    attributes: Annotated[
        Sequence[str],
        Option("Keep a further field, as device or price; may be repeated.", "--attribute", metavar="NAME"),
    ] = ()
    skip: Annotated[bool, Option("Leave out lines that cannot be used.", "--skip")] = False
    max_searches: Annotated[int, Option("List users with more searches on a day: they may be programs.", min=1)] = (
        500  # of a person
    )
    drop_bots: Annotated[bool, Option("Leave out the lists of these users.", "--drop-bots")] = False
    salt: Annotated[
        str | PathLike[str] | None,
        Option(
            "Keep the salt of users in this file, made if new, not in the store.", metavar="FILE", dir_okay=False,
            typed=Path | None,
        ),
    ] = None  # fmt: skip


class LogOptions(SetOptions):
    """Which lists of a log are meant."""

    experiment: Experiment = None
    arms: Arms = None
    since: Since = None
    until: Until = None

    def choice(self, attributes: Sequence[str] = ()) -> "LogChoice":
        """The lists, with these of their attributes."""
        from cranfield.features.online.store.read import LogChoice

        check_lists(arms=self.arms)
        return LogChoice(self.experiment, self.arms or (), self.since, self.until, attributes)


class ConfidenceOptions(Options):
    """How sure intervals are."""

    confidence: Annotated[float, Option("Confidence level of the intervals.", min=0.01, max=0.9999)] = 0.95


class LogShowOptions(LogOptions, ConfidenceOptions):
    """Which measures of a log are shown, by what."""

    by: Annotated[
        str,
        Option("Measure by arm, ..., or an attribute.", metavar="arm|run|position|query|NAME"),
        single(lambda *_: ("arm", "run", "position", "query")),
    ] = "arm"
    measures: Annotated[
        str | Sequence[str], _online_measures("An online measure, such as CTR@10 or Dwell."), last_of(complete)
    ] = ()
    min_users: MinUsers = 5

    @property
    def names(self) -> list[str]:
        """The names of the measures."""
        return _several(self.measures)


class AbOptions(SetOptions):
    """What is compared of the arms of an A/B test, and how."""

    measures: Annotated[
        str | Sequence[str], _online_measures("An online measure; CTR by default."), last_of(complete)
    ] = "CTR"
    experiment: Experiment = None
    since: Since = None
    until: Until = None
    unit: Annotated[
        Literal["user", "session", "list"], Option("The unit whose values are independent of each other.")
    ] = "user"
    before: Annotated[
        int | None,
        Option("Adjust for what the same users did in the days before (CUPED).", min=1, metavar="DAYS"),
    ] = None
    sequential: Annotated[
        bool, Option("Intervals and p that hold at every look, however often you look.", "--sequential")
    ] = False
    planned_users: Annotated[int | None, Option("Number of users planned, over all arms.", min=2, metavar="N")] = None
    plan: Annotated[
        float | None,
        Option("Estimate instead how many users are needed to find a difference of D.", metavar="D"),
    ] = None
    alpha: Alpha = 0.05
    correction: Annotated[
        str,
        Option("For several arms and measures: holm, bh, bonferroni or none."),
        OneOf("cranfield.metrics.significance.pairs", "CORRECTIONS"),
    ] = "holm"
    shares: Annotated[
        Mapping[str, float] | None,
        Option(
            "The share of users planned for an arm; equal by default. May be repeated.", "--share", metavar="ARM=X",
            typed=list[str] | None, parse=_shares,
        ),
    ] = None  # fmt: skip
    leave_out_arms: Annotated[
        Sequence[str],
        Option("Leave out an arm and its users; may be repeated.", "--leave-out-arm", metavar="ARM", complete="arm"),
    ] = ()
    despite_srm: Annotated[bool, Option("Show results even if the sample ratio fails.", "--despite-srm")] = False
    by: Annotated[str | None, Option("Test for each value of an attribute of lists, as device.", metavar="NAME")] = None
    cap: Annotated[
        float | None,  # the share of users whose totals are not cut
        Option(
            "Cut users' totals above this percentile, as 99.5%; shares are not cut.", metavar="PERCENT",
            typed=str | None, parse=_cap,
        ),
    ] = None  # fmt: skip
    margins: Annotated[
        Mapping[str, str | float] | None,
        Option(
            "A guardrail: may get worse by less than .01, or 2% of the control. Repeatable.", "--margin",
            metavar="MEASURE=X", typed=list[str] | None, parse=_pairs("--margin", "MEASURE=X"),
        ),
    ] = None  # fmt: skip

    @property
    def guardrails(self) -> dict[str, str]:
        """How much worse measures may get, as .01 or 2%."""
        return {name: str(margin) for name, margin in (self.margins or {}).items()}

    @property
    def names(self) -> list[str]:
        """The names of the measures, guardrails last."""
        return [*_several(self.measures), *self.guardrails]


class PreferenceOptions(SetOptions):
    """Of which interleaved lists, and how it is tested."""

    experiment: Annotated[
        str | None,
        Option("The experiment; by default every one with interleaved lists.", metavar="NAME", complete="experiment"),
    ] = None
    since: Since = None
    until: Until = None
    method: Annotated[
        str | None,
        Option("The interleaving method, where the store does not have it.", metavar="METHOD"),
        INTERLEAVING,
    ] = None
    alpha: Alpha = 0.05
    samples: Annotated[int, Option("Number of random sign flips.", min=100)] = 2000
    seed: Annotated[int, Option("Random seed of the sign flips.", min=0)] = 0


class ClickFitOptions(LogOptions):
    """Which click models are fitted, to which lists, and which they predict."""

    model: str | Sequence[str] = "pbm"
    test: Annotated[
        float, Option("Hold out this share of the sessions, and predict it.", min=0, max=0.9, metavar="SHARE")
    ] = 0
    steps: Annotated[int, Option("Steps of expectation maximisation.", min=1)] = 50
    seed: Annotated[int, Option("Random seed of the held-out sessions.")] = 0

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        return _several(self.model)


class DivergenceOptions(LogOptions, RankingOptions, ConfidenceOptions):
    """Which differences of arms are laid beside each other."""

    measures: Measures = "nDCG@10"
    online: Annotated[str, Option("The online measure, such as CTR@10.", metavar="MEASURE"), single(complete)] = "CTR"


class CounterfactualOptions(LogOptions, ConfidenceOptions):
    """How the clicks of another run are estimated."""

    estimators: Annotated[
        str | Sequence[str],
        Option(
            "ips, snips, clipped, dm, dr, item-position, position-based or pseudo-inverse; may be repeated.",
            "--estimator", metavar="NAME", typed=list[str] | None, parse=names,
        ),
        last_of(_estimators),
    ] = ()  # fmt: skip
    propensity: Annotated[
        str,
        Option("As logged; or the examination of ranks: estimated, or from a file.", metavar="logged|pbm|swap|FILE"),
        single(lambda *_: ("logged", "pbm", "swap")),
    ] = "logged"
    policy: Annotated[
        Literal["ranking", "plackett-luce"], Option("The ranking itself, or rankings drawn by the run's scores.")
    ] = "ranking"
    temperature: Annotated[
        float, Option("With plackett-luce: draw by exp(score / T); lower is nearer the ranking.", metavar="T")
    ] = 1.0
    min_ess: Annotated[float, Option("The least effective sample size to conclude from.", min=1)] = 100
    seed: Annotated[int, Option("Random seed of the groups of users.")] = 0

    @property
    def names(self) -> list[str]:
        """The names of the estimators; none for all that can be computed."""
        return _several(self.estimators)
