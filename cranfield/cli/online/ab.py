"""online ab.

JSON: {"experiment", "control", "unit", "alpha", "correction", "sequential", "planned_users", "before_days", "since",
"until", "sample_ratio": {"users": {ARM: n}, "expected": {ARM: n}, "p", "holds"}, "in_several_arms", "lists_left_out",
"effects": [{"measure", "arm", "users", "control", "value", "difference", "low", "high", "relative", "p",
"p_corrected", "significant"}]}; `low` and `high` are not corrected. With --plan: [{"measure", "users", "deviation",
"difference", "users_needed", "detectable"}], users of each arm.
"""

from __future__ import annotations

from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.import_options import pairs
from cranfield.cli.lists import names
from cranfield.cli.online_options import Experiment, Since, Until, seconds
from cranfield.cli.options import Format, Output, Plot, StorePath
from cranfield.cli.tables import SEPARATED, Display, TableFormat, emit, notes, say
from cranfield.formats.text_tables import Figure
from cranfield.text import counted, p_value

if TYPE_CHECKING:
    from cranfield.analysis.online.ab import AbTest


class Unit(StrEnum):
    """The unit whose values are independent of each other."""

    user = "user"
    session = "session"
    list = "list"


PLANNED = {"users_needed": "users needed"}
DISPLAY = Display(spare=["users", "control", "relative", "interval"])


def ab(
    path: StorePath,
    control: Annotated[str, typer.Option(metavar="ARM", help="The arm with which the others are compared.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            callback=names,
            help="An online measure; CTR by default.",
        ),
    ] = None,
    experiment: Experiment = None,
    since: Since = None,
    until: Until = None,
    unit: Annotated[Unit, typer.Option(help="The unit whose values are independent of each other.")] = Unit.user,
    before: Annotated[
        int | None,
        typer.Option(min=1, metavar="DAYS", help="Adjust for what the same users did in the days before (CUPED)."),
    ] = None,
    sequential: Annotated[
        bool, typer.Option("--sequential", help="Intervals and p that hold at every look, however often you look.")
    ] = False,
    planned_users: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Number of users planned, over all arms.")
    ] = None,
    plan: Annotated[
        float | None,
        typer.Option(metavar="D", help="Estimate instead how many users are needed to find a difference of D."),
    ] = None,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Significance level.")] = 0.05,
    correction: Annotated[
        str, typer.Option(metavar="CORRECTION", help="For several arms and measures: holm, bh, bonferroni or none.")
    ] = "holm",
    share: Annotated[
        list[str] | None,
        typer.Option(metavar="ARM=X", help="The share of users planned for an arm; equal by default. May be repeated."),
    ] = None,
    despite_srm: Annotated[
        bool, typer.Option("--despite-srm", help="Show results even if the sample ratio fails.")
    ] = False,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare the arms of an A/B test with the control: differences with intervals over users, and p.

    First the sample ratio: if users are not divided among the arms as planned (chi-square, p below .0005), the arms are
    not alike, the result is withheld, and the command ends with 1.

    Each user has one value per measure; for a ratio such as CTR, that of the delta method. Differences are tested by
    Welch's t test and corrected over arms and measures; a share counts with two more users in each arm, one at 0 and
    one at 1, so that two arms without variance can differ (Agresti and Caffo). Other measures have an interval from
    200 users in each arm, and with fewer the p of a permutation test. --before takes out what the same users did
    before, which narrows intervals at no cost. Users in several arms are left out and counted.

    p holds for one look at a planned size: whoever looks daily and stops at the first p below .05 errs in every fifth
    test of no difference. --sequential holds at every look; its intervals are wider, and tightest at --planned-users.

    Example: cranfield online ab track.db --control bm25 -m CTR -m Abandonment --before 28
    """
    from cranfield.analysis.online.ab import AbWanted, ab_test, planned
    from cranfield.store.store import Store

    if plan is not None and plot is not None:
        raise typer.BadParameter("draws effects, not with --plan", param_hint="--plot")
    wanted = AbWanted(
        control, measure or ("CTR",), experiment, unit.value, before, sequential, planned_users, alpha, correction,
        _shares(share), despite_srm, seconds(since), seconds(until),
    )  # fmt: skip
    with Store.open(path) as store:
        if plan is not None:
            title = "Users each arm needs to find the difference in 4 of 5 tests, and what those there are can find"
            emit(planned(store, wanted, plan), format, output, title, display=Display(heads=PLANNED))
            return
        found = ab_test(store, wanted)
    if plot is not None:
        from cranfield.plots.experiments import effect_plot
        from cranfield.plots.style import save

        save(effect_plot(found.document), plot)
    if format in SEPARATED or format is TableFormat.json:
        emit(found.rows, format, output, document=found.document)
    else:
        shown = DISPLAY._replace(heads={**DISPLAY.heads, "users": f"{wanted.unit}s"})
        emit([_short(row) for row in found.rows], format, output, _title(found), display=shown)
        if format is TableFormat.table and output is None:
            say(f"\n{_reading(found)}")
    notes(found.notes)


def _shares(given: list[str] | None) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in pairs(given, "--share")}
    except ValueError:
        raise typer.BadParameter(f"{', '.join(given or ())}; expected ARM=NUMBER", param_hint="--share") from None


def _short(row: dict[str, Any]) -> dict[str, Any]:
    star = "*" if row["significant"] else ""
    return {
        "measure": row["measure"], "arm": row["arm"], "users": row["users"], "control": _number(row["control"], ""),
        "value": _number(row["value"], ""), "difference": _number(row["difference"]),
        "interval": Figure("-" if isnan(row["low"]) else f"{_number(row['low'])} {_number(row['high'])}"),
        "relative": Figure("-" if isnan(row["relative"]) else f"{100 * row['relative']:+.1f} %"),
        "p": Figure(f"{p_value(row['p_corrected'])}{star}"),
    }  # fmt: skip


def _number(value: float, sign: str = "+") -> Figure:
    return Figure("-" if isnan(value) else f"{value:{sign}.4f}")


def _title(found: AbTest) -> str:
    ratio, unit = found.subject.ratio, found.wanted.unit
    arms = zip(found.subject.experiment.arms, ratio.users, strict=True)
    of = ", ".join(f"{name} {counted(users, unit)}" for name, users in arms)
    holds = "holds" if ratio.holds else "FAILS"
    return f"{found.subject.experiment.name}: {of}; the sample ratio {holds} (p = {ratio.p:.2g})"


def _reading(found: AbTest) -> str:
    lines = [
        f"{row['arm']} {'raises' if row['difference'] > 0 else 'lowers'} {row['measure']}"
        for row in found.rows if row["significant"]
    ]  # fmt: skip
    untested = sum(isnan(row["p"]) for row in found.rows)
    undecided = sum(not row["significant"] for row in found.rows) - untested
    left = f"{counted(undecided, 'difference')} not significant, which does not show that there is none."
    none = f"{counted(untested, 'difference')} not tested."
    return " ".join([f"{'; '.join(lines)}."] * bool(lines) + [left] * bool(undecided) + [none] * bool(untested))
