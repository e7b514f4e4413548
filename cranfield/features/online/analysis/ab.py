"""A/B tests of a store's log: the sample ratio first, then the difference of each arm from the control.

And what every experiment of a store says: one row per comparison, by the measure that its kind has.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf, isnan, sqrt
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import CranfieldError, InputError
from cranfield.features.online.analysis.interleaving import preferences
from cranfield.features.online.experiments import (
    ALPHA,
    ENOUGH,
    ArmEffect,
    ArmUnits,
    SampleRatio,
    adjusted,
    arm_effect,
    detectable,
    linearised,
    row_of,
    sample_ratio,
    sequential_effect,
    users_needed,
)
from cranfield.features.online.measures import OnlineMeasure, online_measures
from cranfield.features.online.store.read import Experiment, LogChoice, check_log, experiments, interactions
from cranfield.metrics.significance.pairs import CORRECTIONS, correct
from cranfield.store.store import Store
from cranfield.text import counted

DAY = 86400.0  # seconds
PLANNED = 10_000  # users for whom a confidence sequence is tightest, where none are planned
UNITS = ("user", "session", "list")
Row = dict[str, Any]


class AbWanted(NamedTuple):
    """What to compare, and how."""

    control: str
    measures: Sequence[str] = ("CTR",)
    experiment: str | None = None
    unit: str = "user"
    before: int | None = None  # days of which the same users' measure is taken out (CUPED)
    sequential: bool = False
    planned: int | None = None  # users of all arms
    alpha: float = 0.05
    correction: str = "holm"
    shares: Mapping[str, float] = {}  # of the arms, as planned; 1 where not given
    despite_srm: bool = False
    since: float | None = None  # seconds since 1970
    until: float | None = None


class AbSubject(NamedTuple):
    """An experiment, who was in which arm, and the values of each measure."""

    experiment: Experiment
    control: int
    units: ArmUnits
    ratio: SampleRatio
    values: Mapping[str, Sequence[Floats]]  # by measure: of each arm, one value per user
    shares: Collection[str]  # measures that are shares, from 0 to 1
    no_before: Sequence[str]  # measures that nothing from before could adjust


class AbTest(NamedTuple):
    """What was found."""

    wanted: AbWanted
    subject: AbSubject
    rows: list[Row]

    @property
    def document(self) -> Row:
        """The JSON."""
        wanted, subject = self.wanted, self.subject
        arms, ratio = subject.experiment.arms, subject.ratio
        return {
            "experiment": subject.experiment.name, "control": wanted.control, "unit": wanted.unit,
            "alpha": wanted.alpha, "correction": wanted.correction, "sequential": wanted.sequential,
            "planned_users": wanted.planned, "before_days": wanted.before, "since": wanted.since, "until": wanted.until,
            "sample_ratio": {
                "users": dict(zip(arms, ratio.users, strict=True)),
                "expected": dict(zip(arms, ratio.expected, strict=True)), "p": ratio.p, "holds": ratio.holds,
            },
            "in_several_arms": subject.units.mixed, "lists_left_out": subject.units.unknown, "effects": self.rows,
        }  # fmt: skip

    @property
    def notes(self) -> list[str]:
        """What to know before one believes it."""
        wanted, units = self.wanted, self.subject.units
        users = sum(self.subject.ratio.users)
        found = [f"left out: {counted(units.mixed, wanted.unit)} in several arms"] if units.mixed else []
        if units.unknown:
            found.append(f"left out: {counted(units.unknown, 'list')} without a {wanted.unit} or an arm")
        if not self.subject.ratio.holds:
            found.append(f"sample ratio mismatch, p = {self.subject.ratio.p:.2g}: the arms are not alike")
        if wanted.unit != "user":
            found.append(f"a user has several {wanted.unit}s, which are not independent: intervals are too narrow")
        found += [f"{name} is not adjusted: no user has a value from before" for name in self.subject.no_before]
        found += self._without_interval
        if wanted.sequential:
            return found
        if wanted.planned is None:
            found.append("p holds for one look, at a size that was planned; to look again and again, use --sequential")
        elif users < wanted.planned:
            found.append(f"peeking: {users:,} of {wanted.planned:,} planned users; until then, use --sequential")
        return found

    @property
    def _without_interval(self) -> list[str]:
        """Why some effects have none, or not even a p."""
        found, unit = [], self.wanted.unit
        for name in dict.fromkeys(row["measure"] for row in self.rows if isnan(row["low"])):
            few = any(isnan(row["p"]) for row in self.rows if row["measure"] == name)
            share = name in self.subject.shares
            how = "and no p" if few else "and the p of a permutation test"
            least = f"fewer than {2 if share or (few and not self.wanted.sequential) else ENOUGH} {unit}s"
            found.append(f"{name} has no interval, {how}: an arm has {least}" + ", or all are alike" * (not few))
        return found


def ab_test(store: Store, wanted: AbWanted) -> AbTest:
    """The effects of each arm by each measure; an error where the sample ratio fails, unless `despite_srm`."""
    _check(wanted)
    subject = subject_of(store, wanted)
    if not subject.ratio.holds and not wanted.despite_srm:
        raise InputError(_mismatch(subject))
    arms = [arm for arm in range(len(subject.experiment.arms)) if arm != subject.control]
    found = [(name, arm, _effect(subject, name, arm, wanted)) for name in subject.values for arm in arms]
    p = correct(np.array([effect.p for _, _, effect in found]), CORRECTIONS[wanted.correction]).tolist()
    rows = [
        _row(subject, name, arm, effect=effect, corrected=corrected, alpha=wanted.alpha)
        for (name, arm, effect), corrected in zip(found, p, strict=True)
    ]
    return AbTest(wanted, subject, rows)


def _check(wanted: AbWanted) -> None:
    if wanted.unit not in UNITS:
        raise InputError(f"unknown unit {wanted.unit!r}; available: {', '.join(UNITS)}")
    if wanted.correction not in CORRECTIONS:
        raise InputError(f"unknown correction {wanted.correction!r}; available: {', '.join(CORRECTIONS)}")
    if wanted.before is not None and wanted.unit != "user":
        raise InputError(f"only users are known from before the experiment; expected --unit user, not {wanted.unit}")


def _effect(subject: AbSubject, name: str, arm: int, wanted: AbWanted) -> ArmEffect:
    control, values = subject.values[name][subject.control], subject.values[name][arm]
    share = name in subject.shares
    if wanted.sequential:
        return sequential_effect(control, values, share, wanted.planned or PLANNED, wanted.alpha)
    return arm_effect(control, values, share, wanted.alpha)


def _row(subject: AbSubject, name: str, arm: int, *, effect: ArmEffect, corrected: float, alpha: float) -> Row:
    return {
        "measure": name, "arm": subject.experiment.arms[arm], "users": len(subject.values[name][arm]),
        "control": effect.control, "value": effect.arm, "difference": effect.difference, "low": effect.low,
        "high": effect.high, "relative": effect.relative, "p": effect.p, "p_corrected": corrected,
        "significant": bool(corrected <= alpha),
    }  # fmt: skip


def subject_of(store: Store, wanted: AbWanted) -> AbSubject:
    """The experiment as arrays."""
    measures = [measure for measure in online_measures(wanted.measures) if _is_ratio(measure)]
    experiment = _experiment(store, wanted)
    log = interactions(store, LogChoice(experiment.name))
    before = None
    if wanted.before is not None and len(log):
        start = float(log.at.min())
        whole = interactions(store, LogChoice(since=start - wanted.before * DAY))
        ours = whole.experiment == whole.experiments.names.tolist().index(experiment.name)
        log, before = whole.choose(ours), whole.choose((whole.at < start) & ~ours)
    log = _of_period(log, experiment, wanted)
    units = ArmUnits.of(_of_unit(log, wanted.unit), _arms(log, experiment))
    if not len(units.user):
        raise InputError(f"no list of {experiment.name!r} has both a {wanted.unit} and an arm; expected another --unit")
    values = {str(measure): _values(log, before, units, measure, len(experiment.arms)) for measure in measures}
    ratio = sample_ratio(
        np.bincount(units.arm, minlength=len(experiment.arms)).tolist(), _shares(wanted.shares, experiment)
    )
    no_before = [name for name, (_, known) in values.items() if before is not None and not known]
    control = list(experiment.arms).index(wanted.control)
    shares = {str(measure) for measure in measures if measure.unit == "share"}
    by_arm = {name: each for name, (each, _) in values.items()}
    return AbSubject(experiment, control, units, ratio=ratio, values=by_arm, shares=shares, no_before=no_before)


def _is_ratio(measure: OnlineMeasure) -> bool:
    if measure.median:
        raise InputError(f"{measure} is a median, which these tests are not for; expected a measure that is a mean")
    return True


def _experiment(store: Store, wanted: AbWanted) -> Experiment:
    """The experiment named, or the only one with this control."""
    check_log(store)
    known = experiments(store)
    if wanted.experiment is not None and wanted.experiment not in known:
        raise InputError(f"no experiment {wanted.experiment!r} in this store; available: {', '.join(known) or 'none'}")
    chosen = _not_interleaved([each for each in known.values() if wanted.experiment in (None, each.name)])
    found = [each for each in chosen if wanted.control in each.arms]
    if not found:
        arms = {arm for each in chosen for arm in each.arms}
        raise InputError(f"no arm {wanted.control!r} in this log; available: {', '.join(sorted(arms)) or 'none'}")
    if len(found) > 1:
        names = ", ".join(repr(each.name) for each in found)
        raise InputError(f"{wanted.control!r} is an arm of the experiments {names}; choose one by --experiment")
    if len(found[0].arms) < 2:
        raise InputError(f"experiment {found[0].name!r} has the one arm {wanted.control!r}; expected two or more")
    return found[0]


def _not_interleaved(chosen: Sequence[Experiment]) -> list[Experiment]:
    found = [each for each in chosen if each.kind != "interleave"]
    if chosen and not found:
        raise InputError(f"{chosen[0].name!r} is interleaved: `cranfield online preference` compares its arms")
    return found


def _of_period(log: Interactions, experiment: Experiment, wanted: AbWanted) -> Interactions:
    since, until = -inf if wanted.since is None else wanted.since, inf if wanted.until is None else wanted.until
    chosen = log.choose((log.at >= since) & (log.at < until))
    if len(log) and not len(chosen):
        raise InputError(f"experiment {experiment.name!r} has no lists in this period")
    return chosen


def _of_unit(log: Interactions, unit: str) -> Ints:
    return {"user": log.user, "session": log.session, "list": np.arange(len(log))}[unit]


def _arms(log: Interactions, experiment: Experiment) -> Ints:
    """The arm of each list as its place in the experiment."""
    place = np.full(len(log.arms.names) + 1, -1)
    for number, code in enumerate(log.arms.codes(list(experiment.arms)).tolist()):
        place[code] = number
    return place[log.arm]


def _shares(shares: Mapping[str, float], experiment: Experiment) -> list[float]:
    if lost := [name for name in shares if name not in experiment.arms]:
        raise InputError(f"--share names {lost[0]!r}, which is not an arm; available: {', '.join(experiment.arms)}")
    if min(shares.values(), default=1) <= 0:
        raise InputError("a share is 0 or less; expected numbers above 0")
    return [shares.get(name, 1.0) for name in experiment.arms]


def _values(
    log: Interactions, before: Interactions | None, units: ArmUnits, measure: OnlineMeasure, arms: int
) -> tuple[list[Floats], bool]:
    """One value per user of each arm, adjusted for what is known from before; and whether anything is."""
    total, times = (units.sums(column) for column in measure(log))
    there = times > 0
    values = np.zeros(len(total))
    for arm in range(arms):
        of = there & (units.arm == arm)
        values[of] = linearised(total[of], times[of])
    known = False
    if before is not None and there.any():
        unit = row_of(before.user, units.user)
        earlier = linearised(*(units.sums(column, unit)[there] for column in measure(before)))
        known = not bool(np.isnan(earlier).any())
        values[there] = adjusted(values[there], earlier) if known else values[there]
    return [values[there & (units.arm == arm)] for arm in range(arms)], known


def _mismatch(subject: AbSubject) -> str:
    ratio = subject.ratio
    of = ", ".join(
        f"{name} {users:,} of {expected:,.0f} expected"
        for name, users, expected in zip(subject.experiment.arms, ratio.users, ratio.expected, strict=True)
    )
    return (
        f"experiment {subject.experiment.name!r}: sample ratio mismatch: {of}; p = {ratio.p:.2g}, below {ALPHA:g}:"
        " the arms are not alike, and the result is withheld (--despite-srm shows it, --share gives planned shares)"
    )


def planned(store: Store, wanted: AbWanted, difference: float) -> list[Row]:
    """How many users of each arm it takes to detect a difference, by what users did so far; one row per measure."""
    _check(wanted)
    subject = subject_of(store, wanted)
    return [_plan(name, values, difference, wanted.alpha) for name, values in subject.values.items()]


def _plan(name: str, values: Sequence[Floats], difference: float, alpha: float) -> Row:
    enough = [each for each in values if len(each) > 1]
    if not enough:
        raise InputError(f"no arm has two users with a value of {name}; expected two or more")
    freedom = sum(len(each) - 1 for each in enough)
    deviation = sqrt(sum(float(each.var(ddof=1)) * (len(each) - 1) for each in enough) / freedom)
    users = min(len(each) for each in enough)
    return {
        "measure": name, "users": users, "deviation": deviation, "difference": difference,
        "users_needed": users_needed(difference, deviation, alpha), "detectable": detectable(users, deviation, alpha),
    }  # fmt: skip


NAN = float("nan")
NOTHING = {"difference": NAN, "low": NAN, "high": NAN, "p": NAN}


def experiment_results(store: Store) -> list[Row]:
    """A row per pair of arms: of an A/B test CTR against the first arm, of interleaving Delta.

    >>> with Store.memory("nothing") as store:
    ...     experiment_results(store)
    []
    """
    return [row for each in experiments(store).values() if len(each.arms) > 1 for row in _results(store, each)]


def _results(store: Store, experiment: Experiment) -> Iterator[Row]:
    of = _interleaved if experiment.kind == "interleave" else _tested
    try:
        yield from of(store, experiment)
    except CranfieldError as error:  # the sample ratio, teams that are missing
        yield _result(experiment, "", "") | {"result": str(error)}


def _result(experiment: Experiment, arms: str, measure: str) -> Row:
    return {"experiment": experiment.name, "kind": experiment.kind, "arms": arms, "measure": measure, **NOTHING}


def _interleaved(store: Store, experiment: Experiment) -> Iterator[Row]:
    for found in preferences(store, name=experiment.name):
        if not found.impressions:
            yield _result(experiment, " : ".join(experiment.arms), "Delta") | {
                "result": "none of its lists is logged yet"
            }
            continue
        for row in found.rows:
            said = f"users prefer {row['prefers']}" if row["prefers"] else "undecided"
            biased = "; balanced interleaving is biased" * (row["method"] == "balanced")
            yield _result(experiment, f"{row['a']} : {row['b']}", "Delta") | {
                "difference": row["delta"], "low": row["low"], "high": row["high"], "p": row["p_corrected"],
                "result": said + biased,
            }  # fmt: skip


def _tested(store: Store, experiment: Experiment) -> Iterator[Row]:
    control = experiment.arms[0]
    for row in ab_test(store, AbWanted(control, experiment=experiment.name)).rows:
        said = f"{row['arm']} {'raises' if row['difference'] > 0 else 'lowers'} CTR"
        yield _result(experiment, f"{row['arm']} - {control}", "CTR") | {
            "difference": row["difference"], "low": row["low"], "high": row["high"], "p": row["p_corrected"],
            "result": said if row["significant"] else "undecided",
        }  # fmt: skip
