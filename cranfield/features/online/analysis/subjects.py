"""The subject of an A/B test as arrays: who was in which arm of an experiment, and the values of each measure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.features.online.arm_users import ArmUnits, UserTotals, linearise, row_of, users_were_assigned
from cranfield.features.online.experiments import SampleRatio, adjust, sample_ratio
from cranfield.features.online.interactions import Interactions
from cranfield.features.online.measures import OnlineMeasure
from cranfield.features.online.options import names_in
from cranfield.features.online.own_measures import attributes_needed, measures_named
from cranfield.features.online.store.read import (
    NO_ARMS,
    Experiment,
    LogChoice,
    check_log,
    experiments,
    has_lists,
    interactions,
)
from cranfield.store.store import Store
from cranfield.text import name_hint

DAY = 86400.0  # seconds


@dataclass(frozen=True)
class AbRequest:
    """What to compare with which arm, and how."""

    control: str = ""
    measures: str | Sequence[str] = "CTR"
    experiment: str | None = None
    since: float | None = None
    until: float | None = None
    unit: Literal["user", "session", "list"] = "user"
    before: int | None = None  # days
    sequential: bool = False
    planned_users: int | None = None
    plan: float | None = None  # a difference
    alpha: float = 0.05
    correction: str = "holm"
    shares: Mapping[str, float] | None = None  # of users, by arm
    leave_out_arms: Sequence[str] = ()
    despite_srm: bool = False
    by: str | None = None
    cap: float | None = None  # the share of users whose totals are not cut
    margins: Mapping[str, str | float] | None = None  # by measure

    @property
    def guardrails(self) -> dict[str, str]:
        """How much worse measures may get, as .01 or 2%."""
        return {name: str(margin) for name, margin in (self.margins or {}).items()}

    @property
    def names(self) -> list[str]:
        """The names of the measures, guardrails last."""
        return [*names_in(self.measures), *self.guardrails]


class AbLog(NamedTuple):
    """The lists of an experiment, those before it, and the measures wanted."""

    experiment: Experiment
    lists: Interactions
    history: Interactions | None
    measures: Sequence[OnlineMeasure]


class AbSubject(NamedTuple):
    """An experiment, who was in which arm, and the values of each measure."""

    experiment: Experiment
    control: int
    units: ArmUnits
    ratio: SampleRatio
    totals: Mapping[str, Sequence[UserTotals]]  # by measure: of each arm
    shares: Collection[str]  # measures that are shares, from 0 to 1
    no_before: Sequence[str]  # measures that nothing from before could adjust
    measures: Sequence[OnlineMeasure]
    caps: Mapping[str, tuple[float, int]]  # by measure: the largest total that stays, and how many users had more
    segment: str = ""
    left_out: Mapping[str, int] = MappingProxyType({})  # by arm that is left out: its units


def read_log(store: Store, request: AbRequest) -> AbLog:
    measures = list({str(measure): measure for measure in measures_named(request.names)}.values())
    for measure in measures:
        if measure.median:
            raise InputError(
                f"{measure} is a median; expected a measure that is a mean, because these tests compare means"
            )
    experiment = _experiment(store, request)
    attributes = tuple(dict.fromkeys([*([request.by] if request.by else []), *attributes_needed(measures)]))
    log = interactions(store, LogChoice(experiment.name, attributes=attributes))
    history = None
    if request.before is not None and len(log):
        start = float(log.at.min())
        whole = interactions(store, LogChoice(since=start - request.before * DAY, attributes=attributes))
        ours = whole.experiment == whole.experiments.names.tolist().index(experiment.name)
        log, history = whole.choose(ours), whole.choose((whole.at < start) & ~ours)
    since, until = -inf if request.since is None else request.since, inf if request.until is None else request.until
    part = log.choose((log.at >= since) & (log.at < until))
    if len(log) and not len(part):
        raise InputError(f"experiment {experiment.name!r} has no lists in this period")
    return AbLog(experiment, part, history, measures)


def subject_of(log: AbLog, request: AbRequest) -> AbSubject:
    """The experiment as arrays."""
    unit_of_request = {"user": log.lists.user, "session": log.lists.session, "list": np.arange(len(log.lists))}[
        request.unit
    ]
    place = np.full(len(log.lists.arms.names) + 1, -1)
    for number, code in enumerate(log.lists.arms.codes(list(log.experiment.arms)).tolist()):
        place[code] = number
    arm_of_list = place[log.lists.arm]
    if request.unit != "user" and users_were_assigned(log.lists.user, unit_of_request, arm_of_list):
        raise InputError(
            f"all {request.unit}s of a user are in one arm, so users were assigned, and a p over"
            f" {request.unit}s would be too small; expected --unit user"
        )
    units = ArmUnits.from_users(unit_of_request, arm_of_list)
    arms, names = list(log.experiment.arms), list(dict.fromkeys(request.leave_out_arms))
    if unknown := [name for name in names if name not in arms]:
        hint = name_hint(unknown[0], [arm for arm in arms if arm != request.control])
        raise InputError(f"--leave-out-arm names {unknown[0]!r}, which is not an arm{hint}")
    if request.control in names:
        raise InputError(f"--leave-out-arm names {request.control!r}, which is the control; expected another arm")
    experiment = log.experiment._replace(arms=tuple(arm for arm in arms if arm not in names))
    if len(experiment.arms) < 2:
        raise InputError("--leave-out-arm leaves only the control; expected at least one other arm")
    n_units = np.bincount(units.arm, minlength=len(arms)).tolist()
    left_out = {name: n_units[arms.index(name)] for name in names}
    units, log = units.without_arms([arms.index(name) for name in names]), log._replace(experiment=experiment)
    if not len(units.user):
        raise InputError(
            f"no list of {experiment.name!r} records both a {request.unit} and an arm; choose another --unit"
        )
    values = {str(measure): _values(log, units, measure, request) for measure in log.measures}
    n_units = np.bincount(units.arm, minlength=len(experiment.arms)).tolist()
    ratio = sample_ratio(n_units, _shares(request.shares or {}, experiment))
    return AbSubject(
        experiment, list(experiment.arms).index(request.control), units, ratio=ratio,
        totals={name: each.arm_totals for name, each in values.items()},
        shares={str(measure) for measure in log.measures if measure.unit == "share"},
        no_before=[name for name, each in values.items() if log.history is not None and not each.adjusts],
        measures=log.measures, caps={name: each.caps for name, each in values.items() if each.caps},
        left_out=left_out,
    )  # fmt: skip


def _experiment(store: Store, request: AbRequest) -> Experiment:
    """The experiment named, or the only one with this control."""
    check_log(store)
    by_name = experiments(store)
    if request.experiment is not None and request.experiment not in by_name:
        raise InputError(f"no experiment {request.experiment!r} in this store{name_hint(request.experiment, by_name)}")
    chosen = [each for each in by_name.values() if request.experiment in (None, each.name)]
    candidates = [each for each in chosen if each.kind != "interleave"]
    if chosen and not candidates:
        raise InputError(f"{chosen[0].name!r} is interleaved; compare its arms with `cranfield online preference`")
    matches = [each for each in candidates if request.control in each.arms]
    if not matches:
        arms = sorted({arm for each in candidates for arm in each.arms})
        raise InputError(f"no arm {request.control!r} in this log{name_hint(request.control, arms, NO_ARMS)}")
    if len(matches) > 1:
        matches = [each for each in matches if has_lists(store, each)] or matches
    if len(matches) > 1:
        names = ", ".join(repr(each.name) for each in matches)
        raise InputError(f"{request.control!r} is an arm of the experiments {names}; choose one with --experiment")
    if len(matches[0].arms) < 2:
        raise InputError(
            f"experiment {matches[0].name!r} has only the arm {request.control!r}; expected two or more arms"
        )
    return matches[0]


def _shares(shares: Mapping[str, float], experiment: Experiment) -> list[float]:
    if unknown := [name for name in shares if name not in experiment.arms]:
        raise InputError(f"--share names {unknown[0]!r}, which is not an arm{name_hint(unknown[0], experiment.arms)}")
    if min(shares.values(), default=1) <= 0:
        raise InputError("--share has a value of 0 or less; expected numbers above 0")
    missing = [name for name in experiment.arms if name not in shares]
    if missing and min(shares.values(), default=1) < 1:
        names = ", ".join(experiment.arms)
        raise InputError(
            f"--share lacks a value for arm {missing[0]!r}; when shares are fractions, give one for each of {names}"
        )
    return [shares.get(name, 1.0) for name in experiment.arms]


class ArmValues(NamedTuple):
    """The totals of each arm's users, whether anything from before adjusted them, and where they were cut."""

    arm_totals: list[UserTotals]
    adjusts: bool
    caps: tuple[float, int] | None


def _values(log: AbLog, units: ArmUnits, measure: OnlineMeasure, request: AbRequest) -> ArmValues:
    total, times = _sums(log.lists, units, measure)
    present, caps = times > 0, None
    if request.cap is not None and measure.unit != "share" and present.any():
        most = float(np.quantile(total[present], request.cap))
        caps = most, int((total[present] > most).sum())
        total = np.minimum(total, most)
    arms = range(len(log.experiment.arms))
    values = np.zeros(len(total))
    for arm in arms:
        of = present & (units.arm == arm)
        values[of] = linearise(total[of], times[of])
    adjusts, explained = False, np.zeros(len(total))
    if log.history is not None and present.any():
        unit = row_of(log.history.user, units.user)
        history = linearise(*(column[present] for column in _sums(log.history, units, measure, unit)))
        adjusts = not bool(np.isnan(history).any())
        explained[present] = values[present] - adjust(values[present], history) if adjusts else 0.0
    columns = total, times, explained
    arm_totals = [UserTotals(*(column[present & (units.arm == arm)] for column in columns)) for arm in arms]
    return ArmValues(arm_totals, adjusts, caps)


def _sums(
    log: Interactions, units: ArmUnits, measure: OnlineMeasure, unit: Ints | None = None
) -> tuple[Floats, Floats]:
    """Totals and counts of the users; a user counts once where the measure is per user."""
    total, times = (units.sums(column, unit) for column in measure(log))
    if measure.counts_users:
        times = np.ones(len(times)) if unit is not None else (times > 0).astype(float)
    return total, times
