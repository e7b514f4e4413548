"""`online`: what a log has, and A/B tests."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion
from cranfield.cli.commands.imports import pairs
from cranfield.cli.common_options import CORRECTION
from cranfield.cli.options import Assessor, Confidence, Format, Labels, Measures, Output, Plot, StorePath, names
from cranfield.cli.tables import SEPARATED, Display, TableFormat, emit, note, notes, say, signed
from cranfield.features.online.commands.logs import BY, ONLINE, ONLINE_MEASURE
from cranfield.formats.text_tables import FormattedNumber
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted, p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.features.online.analysis.ab import AbTest
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.features.online.store.read import LogChoice
    from cranfield.formats.text_tables import Row


Experiment = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Only lists of this experiment; all of them by default."),
    completion.EXPERIMENTS,
]
Arms = Annotated[str, typer.Option(metavar="A,B", help="Only lists of these arms."), completion.ARMS]
Since = Annotated[
    datetime | None, typer.Option(metavar="TIME", help="Only lists from this time (UTC) on, as 2026-01-31.")
]
Until = Annotated[datetime | None, typer.Option(metavar="TIME", help="Only lists before this time (UTC).")]

MinUsers = Annotated[
    int,
    typer.Option(
        min=0, help="Leave out queries of fewer users. Lists with neither user nor session count for none; 0 takes all."
    ),
]


def choice_of(experiment: str | None, arms: str, since: datetime | None, until: datetime | None) -> LogChoice:
    """The lists that these options choose."""
    from cranfield.features.online.store.read import LogChoice

    named = tuple(name.strip() for name in arms.split(",") if name.strip())
    return LogChoice(experiment, named, seconds(since), seconds(until))


def seconds(moment: datetime | None) -> float | None:
    """Seconds since 1970.

    >>> seconds(datetime(1970, 1, 2))
    86400.0
    """
    return None if moment is None else moment.replace(tzinfo=UTC).timestamp()


def show(
    path: StorePath,
    *,
    by: Annotated[
        str,
        typer.Option(metavar="variant|run|position|query|NAME", help="Measure by arm, ..., or an attribute."),
        BY,
    ] = "variant",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m", "--measure", metavar="MEASURE", callback=names, help="An online measure, such as CTR@10 or Dwell."
        ),
        ONLINE,
    ] = None,
    experiment: Experiment = None,
    arms: Arms = "",
    since: Since = None,
    until: Until = None,
    min_users: MinUsers = 5,
    most: Annotated[int, typer.Option("-n", min=1, help="How many positions or queries.")] = 20,
    confidence: Confidence = 0.95,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show the measures of an interaction log: clicks, time, reformulations, conversions.

    Users are independent of each other, their lists are not: intervals are over users (delta method). Clicks per search
    and seconds have one from 200 users, a median from five. By run and by position each document shown counts; the run
    of an interleaved list's document is that of its team. Measures: CTR, CTR@k, Abandonment, ClicksPerSearch, MaxRR,
    MeanRR, TimeToClick, Dwell, Satisfied, Reformulation, Conversion, ZeroHits; `cranfield measures CTR` describes one.

    Example: cranfield online show track.db --by variant -m CTR@10 -m Abandonment
    """
    from cranfield.features.online.analysis.log import LIMITED, chosen_log, first_groups, kept_by, online_rows, remarks
    from cranfield.features.online.estimates import OF_MEDIAN
    from cranfield.features.online.experiments import ENOUGH
    from cranfield.store.store import Store

    with Store.open(path) as store:
        log = chosen_log(store, choice_of(experiment, arms, since, until)._replace(attributes=kept_by(by)))
        rows = online_rows(log, by, measure or (), confidence, min_users)
        kept, groups = first_groups(rows, by, most)
    if len({row.get("experiment") for row in kept}) == 1 and format is TableFormat.table:
        kept = [{name: value for name, value in row.items() if name != "experiment"} for row in kept]
    title = f"{counted(len(log), 'list')}, {counted(log.users, 'user')}"
    emit(kept, format, output, title=title, display=Display(spare=("users", "lists")))
    if groups > most and by in LIMITED:
        note(f"{by}: the first {most} of {groups:,}; -n shows more")
    if any(isnan(row["low"]) and row["users"] for row in kept):
        note(f"no interval: too few users; shares need 2, medians {OF_MEDIAN} and more spread, other measures {ENOUGH}")
    notes(remarks(log, by, groups, min_users))
    if plot is not None:
        from cranfield.features.online.plots import online_plot
        from cranfield.plots.style import save

        save(online_plot(kept, by, confidence), plot)


class Unit(StrEnum):
    """The unit whose values are independent of each other."""

    user = "user"
    session = "session"
    list = "list"


PLANNED = {"users_needed": "users needed"}
DISPLAY = Display(spare=["users", "control", "relative", "interval"])


def ab(
    path: StorePath,
    control: Annotated[
        str, typer.Option(metavar="ARM", help="The arm with which the others are compared."), completion.ARMS
    ],
    *,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            callback=names,
            help="An online measure; CTR by default.",
        ),
        ONLINE,
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
        str, typer.Option(help="For several arms and measures: holm, bh, bonferroni or none."), CORRECTION
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
    from cranfield.features.online.analysis.ab import AbWanted, ab_test, planned
    from cranfield.store.store import Store

    if plan is not None and plot is not None:
        raise typer.BadParameter("draws effects, not with --plan", param_hint="--plot")
    wanted = AbWanted(
        control,
        measure or ("CTR",),
        experiment,
        unit=unit.value,
        before=before,
        sequential=sequential,
        planned=planned_users,
        alpha=alpha,
        correction=correction,
        shares=_shares(share),
        despite_srm=despite_srm,
        since=seconds(since),
        until=seconds(until),
    )
    with Store.open(path) as store:
        if plan is not None:
            title = "Users each arm needs to find the difference in 4 of 5 tests, and what those there are can find"
            emit(planned(store, wanted, plan), format, output, title=title, display=Display(heads=PLANNED))
            return
        found = ab_test(store, wanted)
    if plot is not None:
        from cranfield.features.online.plots import effect_plot
        from cranfield.plots.style import save

        save(effect_plot(found.document), plot)
    if format in SEPARATED or format is TableFormat.json:
        emit(found.rows, format, output, document=found.document)
    else:
        shown = DISPLAY._replace(heads={**DISPLAY.heads, "users": f"{wanted.unit}s"})
        emit([_short(row) for row in found.rows], format, output, title=_title(found), display=shown)
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
        "interval": FormattedNumber("-" if isnan(row["low"]) else f"{_number(row['low'])} {_number(row['high'])}"),
        "relative": FormattedNumber("-" if isnan(row["relative"]) else f"{100 * row['relative']:+.1f} %"),
        "p": FormattedNumber(f"{p_value(row['p_corrected'])}{star}"),
    }  # fmt: skip


def _number(value: float, sign: str = "+") -> FormattedNumber:
    return FormattedNumber("-" if isnan(value) else f"{value:{sign}.4f}")


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


WARNING = (
    "the measure that agrees best was chosen on these pairs, so expect it to agree less on new ones. Pairs share arms,"
    " so what they have in common has no interval"
)


def divergence(
    path: StorePath,
    *,
    measure: Measures = None,
    online: Annotated[
        str, typer.Option(metavar="MEASURE", help="The online measure, such as CTR@10."), ONLINE_MEASURE
    ] = "CTR",
    experiment: Experiment = None,
    arms: Arms = "",
    since: Since = None,
    until: Until = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    most: Annotated[int, typer.Option("-n", min=0, help="How many topics.")] = 10,
    confidence: Confidence = 0.95,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare offline and online differences of the arms: do the judgments predict what users prefer?

    An arm is the run of its name. Two arms of an experiment agree (same) or not (opposite) where both intervals are on
    one side of 0, else they are undecided; an interval needs eight topics that differ, and of clicks per search or
    seconds 200 users in each arm. From 4 pairs on: the share with the same sign, Kendall's tau, Pearson's r,
    and the slope, which is the online difference for .01 of the offline one.

    Then the topics that differ most by the first measure, with judged documents among the first 10 of each run, and
    how many days before the last list the newest judgment was: missing and old labels are the first suspects.

    Example: cranfield online divergence track.db -m nDCG@10 -m AP --online CTR
    """
    from cranfield.features.online.analysis.divergence import as_document, divergence, pair_rows
    from cranfield.features.online.analysis.log import chosen_log
    from cranfield.store.store import Store

    with Store.open(path) as store:
        log = chosen_log(store, choice_of(experiment, arms, since, until))
        found = divergence(
            store, log, measure or ["nDCG@10"], online, confidence=confidence, assessor=assessor, labels=labels
        )
    if found.without_run:
        note(f"arms of no run: {', '.join(found.without_run)}")
    if plot is not None:
        from cranfield.features.online.plots import divergence_plot
        from cranfield.plots.style import save

        save(divergence_plot(pair_rows(found), found.online), plot)
    if format is not TableFormat.table or output is not None:
        emit(pair_rows(found), format, output, document=as_document(found))
        return
    _say(found, most)


def _say(found: Divergence, most: int) -> None:
    from cranfield.features.online.analysis.divergence import agreement_rows, pair_rows

    heads = {"arm_a": "a", "arm_b": "b", "online": found.online, "online_low": "low ", "online_high": "high ",
             "offline_low": "low", "offline_high": "high", "lists_a": "lists a", "lists_b": "lists b",
             "judged_a": "Judged@10 a", "judged_b": "Judged@10 b", "slope": "slope per .01"}  # fmt: skip
    digits = {name: signed(4) for name in pair_rows(found)[0] if name.startswith(("offline", "online"))}
    measures = sorted({pair.measure for pair in found.pairs})
    offline = measures[0] if len(measures) == 1 else "offline"
    emit(
        _varied(pair_rows(found)), TableFormat.table, title=f"differences a - b, {offline} and {found.online}",
        display=Display(heads=heads, digits=digits, spare=("experiment",)),
    )  # fmt: skip
    if rows := agreement_rows(found):
        say()
        emit(rows, TableFormat.table, title="agreement over pairs", display=Display(heads=heads))
        note(WARNING if len(rows) > 1 else WARNING.partition(". ")[2])
    else:
        note("fewer than 4 pairs: too few to summarise")
    if found.topics and most:
        say()
        digits |= {"days": "{:.0f}".format}
        emit(
            _varied(found.topics[:most]), TableFormat.table, title="topics that differ most",
            display=Display(heads=heads, digits=digits, spare=("experiment",)),
        )  # fmt: skip


def _varied(rows: Sequence[Row]) -> list[Row]:
    """The rows without their experiment or measure where all have the same."""
    alike = {name for name in ("experiment", "measure") if len({row.get(name) for row in rows}) == 1}
    return [{name: value for name, value in row.items() if name not in alike} for row in rows]
