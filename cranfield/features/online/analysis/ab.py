"""A/B tests of a store's log: the sample ratio first, then the difference of each arm from the control."""

from collections.abc import Iterator, Sequence
from math import inf, isnan, sqrt
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError, row_named
from cranfield.features.online.analysis.subjects import AbLog, AbRequest, AbSubject, read_log, subject_of
from cranfield.features.online.arm_users import UserTotals
from cranfield.features.online.experiments import (
    ALPHA,
    ENOUGH,
    ArmEffect,
    arm_effect,
    detectable,
    sequential_effect,
    users_needed,
)
from cranfield.features.online.measures import OnlineMeasure
from cranfield.metrics.significance.pairs import CORRECTIONS, correct_p_values
from cranfield.store.store import Store
from cranfield.text import counted

PLANNED = 10_000  # users for whom a confidence sequence is tightest, where none are planned
Row = dict[str, Any]


class AbTest(NamedTuple):
    """What was found."""

    request: AbRequest
    subject: AbSubject
    rows: list[Row]
    withheld: Sequence[str] = ()  # segments whose sample ratio fails

    @property
    def document(self) -> Row:
        """The JSON."""
        request, subject = self.request, self.subject
        arms, ratio = subject.experiment.arms, subject.ratio
        return {
            "experiment": subject.experiment.name, "control": request.control, "unit": request.unit,
            "alpha": request.alpha, "correction": request.correction, "sequential": request.sequential,
            "planned_users": request.planned_users, "before_days": request.before, "since": request.since,
            "until": request.until,
            "sample_ratio": {
                "users": dict(zip(arms, ratio.users, strict=True)),
                "expected": dict(zip(arms, ratio.expected, strict=True)), "p": ratio.p, "holds": ratio.holds,
            },
            "arms_left_out": dict(subject.left_out),
            "in_several_arms": subject.units.n_mixed_users, "lists_left_out": subject.units.unknown, "by": request.by,
            "segments_withheld": list(self.withheld), "cap": request.cap,
            "capped": {name: {"at": at, "users": users} for name, (at, users) in subject.caps.items()},
            "effects": self.rows,
        }  # fmt: skip

    @property
    def notes(self) -> list[str]:
        """What to know before one believes it."""
        request, units = self.request, self.subject.units
        users = sum(self.subject.ratio.users)
        lines = [
            f"omitted arm {name!r} with {counted(number, request.unit)} (--leave-out-arm)"
            for name, number in self.subject.left_out.items()
        ]
        if units.n_mixed_users:
            lines.append(f"omitted {counted(units.n_mixed_users, request.unit)} found in several arms")
        if units.unknown:
            lines.append(f"omitted {counted(units.unknown, 'list')} without a {request.unit} or an arm")
        if not self.subject.ratio.holds:
            lines.append(f"sample ratio mismatch, p = {self.subject.ratio.p:.2g}: the arms are not comparable")
        if request.unit != "user":
            lines.append(
                f"a user has several {request.unit}s, which are not independent, so the intervals are too narrow"
            )
        lines += [
            f"{name} is not adjusted, because no user has a value from before the experiment"
            for name in self.subject.no_before
        ]
        for name, (at, number) in self.subject.caps.items():
            lines.append(f"{name} of {counted(number, request.unit)} is above {at:g} and counts as {at:g} (--cap)")
        lines += [
            f"{request.by} {name!r}: result withheld because of a sample ratio mismatch" for name in self.withheld
        ]
        for name in dict.fromkeys(row["measure"] for row in self.rows if isnan(row["low"])):
            few = any(isnan(row["p"]) for row in self.rows if row["measure"] == name)
            share = name in self.subject.shares
            how = " and no p" if few else ", and its p is from a permutation test"
            least = f"fewer than {2 if share or (few and not request.sequential) else ENOUGH} {request.unit}s"
            lines.append(f"{name} has no interval{how}: an arm has {least}" + ", or all values are equal" * (not few))
        if request.sequential:
            return lines
        if request.planned_users is None:
            lines.append("p is valid for a single look at the planned size; to look several times, use --sequential")
        elif users < request.planned_users:
            lines.append(
                f"peeking: the log has {users:,} of {request.planned_users:,} planned users; use --sequential to"
                " look before the end"
            )
        return lines


def ab_test(store: Store, request: AbRequest) -> AbTest:
    """The effects of each arm by each measure; an error where the sample ratio fails, unless `despite_srm`."""
    _check(request)
    log = read_log(store, request)
    subject = subject_of(log, request)
    if not subject.ratio.holds and not request.despite_srm:
        ratio = subject.ratio
        users_of_arms = ", ".join(
            f"{name} {users:,} of {expectation:,.0f} expected"
            for name, users, expectation in zip(subject.experiment.arms, ratio.users, ratio.expected, strict=True)
        )
        absent = [name for name, users in zip(subject.experiment.arms, ratio.users, strict=True) if not users]
        hint = (
            "; {} has no users. Import lists from before the experiment without --experiment; for lists without users,"
            " use --unit list"
        )
        raise InputError(
            f"experiment {subject.experiment.name!r}: sample ratio mismatch ({users_of_arms}; p = {ratio.p:.2g},"
            f" below {ALPHA:g}). The arms are not comparable, so the result is withheld; see --share, --leave-out-arm"
            " and --despite-srm" + (hint.format(absent[0]) if absent else "")
        )
    parts, withheld = _segments(log, request) if request.by else ([subject], [])
    rows = [row for each in parts for row in _rows(each, request)]
    claims = [row for row in rows if not row["margin"]]
    p = correct_p_values(np.array([row["p"] for row in claims]), CORRECTIONS[request.correction]).tolist()
    for row, p_value in zip(claims, p, strict=True):
        row["p_corrected"], row["significant"] = p_value, bool(p_value <= request.alpha)
    return AbTest(request, subject, rows, withheld)


def _segments(log: AbLog, request: AbRequest) -> tuple[list[AbSubject], list[str]]:
    """The experiment among the lists of each value of an attribute; those whose sample ratio fails."""
    attribute = log.lists.attributes[str(request.by)]
    if attribute.of_documents:
        raise InputError(f"{request.by} is a document attribute; expected a list attribute")
    subjects = []
    for code in np.unique(attribute.codes).tolist():
        part = log._replace(lists=log.lists.choose(attribute.codes == code))
        if (log.lists.arm[attribute.codes == code] >= 0).any():
            subjects.append(subject_of(part, request)._replace(segment=attribute.names[code] if code >= 0 else ""))
    sound = [each for each in subjects if each.ratio.holds or request.despite_srm]
    return sound, [each.segment for each in subjects if each not in sound]


def _rows(subject: AbSubject, request: AbRequest) -> Iterator[Row]:
    """The effects of an experiment, not yet corrected; a guardrail is tested by itself."""
    arms = [arm for arm in range(len(subject.experiment.arms)) if arm != subject.control]
    for measure in subject.measures:
        margin = request.guardrails.get(str(measure), "")
        for arm in arms:
            row = _row(subject, str(measure), arm, request)
            guardrail = _guardrail(subject, measure, arm, margin, request) if margin else ""
            yield row | {"margin": margin, "guardrail": guardrail}


def _guardrail(subject: AbSubject, measure: OnlineMeasure, arm: int, margin: str, request: AbRequest) -> str:
    """Whether an arm is worse by less than a margin: by the end of its interval, which is one-sided at alpha / 2.

    Every guardrail has to hold, so none is corrected for the others (Berger, Multiparameter hypothesis testing and
    acceptance sampling, Technometrics 24, 1982). A margin in per cent is of the control's mean, whose error counts.

    What holds is that the whole interval is within the margin; what is broken, that all of it is beyond.
    """
    size, relative = margin_of(margin)
    control, totals = subject.totals[str(measure)][subject.control], subject.totals[str(measure)][arm]
    share = str(measure) in subject.shares
    verdicts = set()
    for sign in {"better": (-1,), "worse": (1,), "neither": (-1, 1)}[measure.bigger_is]:
        of = control.multiplied(1 + sign * size) if relative else control
        limit = 0.0 if relative else sign * size
        effect = _effect(of, totals, share, request)
        if isnan(effect.low):
            return "undecided"
        above, below = effect.low > limit, effect.high < limit
        inside, outside = (above, below) if sign < 0 else (below, above)
        verdicts.add("holds" if inside else "broken" if outside else "undecided")
    return next(one for one in ("broken", "undecided", "holds") if one in verdicts)


def margin_of(text: str) -> tuple[float, bool]:
    """A margin, and whether it is relative to the control.

    >>> margin_of(".01"), margin_of("2%")
    ((0.01, False), (0.02, True))
    >>> margin_of("-1")
    Traceback (most recent call last):
    cranfield.errors.InputError: the margin is '-1'; expected a number above 0, such as 0.01, or a percentage of the
    control, such as 2%
    """
    try:
        size = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        size = 0.0
    if not 0 < size < inf:
        raise InputError(
            f"the margin is {text!r}; expected a number above 0, such as 0.01, or a percentage of the"
            " control, such as 2%"
        )
    return size, text.endswith("%")


def _check(request: AbRequest) -> None:
    row_named(CORRECTIONS, request.correction, "correction")
    if request.cap is not None and not 0.5 <= request.cap < 1:
        raise InputError(f"the cap is {100 * request.cap:g}%; expected at least 50% and less than 100%")
    for margin in request.guardrails.values():
        margin_of(margin)
    if request.before is not None and request.unit != "user":
        raise InputError(f"--before follows users from before the experiment; expected --unit user, not {request.unit}")


def _effect(control: UserTotals, arm: UserTotals, share: bool, request: AbRequest) -> ArmEffect:
    if request.sequential:
        planned = request.planned_users or PLANNED
        return sequential_effect(control.values, arm.values, share, planned, request.alpha)
    return arm_effect(control, arm, share, request.alpha)


def _row(subject: AbSubject, name: str, arm: int, request: AbRequest) -> Row:
    totals = subject.totals[name]
    effect = _effect(totals[subject.control], totals[arm], name in subject.shares, request)
    return ({"segment": subject.segment} if request.by else {}) | {
        "measure": name, "arm": subject.experiment.arms[arm], "users": len(totals[arm].total),
        "control": effect.control, "value": effect.arm, "difference": effect.difference, "low": effect.low,
        "high": effect.high, "relative": effect.relative, "p": effect.p, "p_corrected": effect.p,
        "p_test": effect.p_test, "significant": bool(effect.p <= request.alpha),
    }  # fmt: skip


def plan(store: Store, request: AbRequest) -> list[Row]:
    """How many users of each arm it takes to detect a difference, by what users did so far; one row per measure."""
    _check(request)
    if request.sequential or request.by:
        option = "--sequential" if request.sequential else "--by"
        raise InputError(f"--plan assumes whole arms and a single look at the end; leave {option} out")
    subject = subject_of(read_log(store, request), request)
    rows: list[Row] = []
    for name, totals in subject.totals.items():
        enough = [arm.values for arm in totals if len(arm.values) > 1]
        if not enough:
            raise InputError(f"no arm contains two users with a value of {name}; expected at least two")
        freedom = sum(len(each) - 1 for each in enough)
        deviation = sqrt(sum(float(each.var(ddof=1)) * (len(each) - 1) for each in enough) / freedom)
        users, difference = min(len(each) for each in enough), request.plan or 0.0
        rows.append({
            "measure": name, "users": users, "deviation": deviation, "difference": difference,
            "users_needed": users_needed(difference, deviation, request.alpha),
            "detectable": detectable(users, deviation, request.alpha),
        })  # fmt: skip
    return rows
