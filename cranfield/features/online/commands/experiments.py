"""`online`: what a log has, A/B tests, and offline beside online differences."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.common_options import Plot, Printer, StorePath
from cranfield.cli.tables import Display, TableFormat, note, notes, say, with_sign
from cranfield.features.online.options import AbOptions, DivergenceOptions, LogShowOptions
from cranfield.formats.text_tables import FormattedNumber
from cranfield.options import Option
from cranfield.store.reading import Reading
from cranfield.text import counted, in_words, p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.features.online.analysis.ab import AbTest
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.formats.text_tables import Row


class ShowCommand(LogShowOptions):
    """The same, of the first groups."""

    most: Annotated[int, Option("How many positions or queries.", "-n", min=1, before="confidence")] = 20


@in_python("online.summarize_log")
def show(
    path: StorePath,
    *,
    options: ShowCommand,
    plot: Plot = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Show the measures of an interaction log: clicks, time, reformulations, conversions.

    Users are independent of each other, their lists are not: intervals are over users (delta method). Clicks per search
    and seconds have one from 200 users, a median from five. By run and by position each document shown counts; the run
    of an interleaved list's document is that of its team. Measures: CTR, CTR@k, Abandonment, ClicksPerSearch, MaxRR,
    MeanRR, TimeToClick, Dwell, Satisfied, Reformulation, Conversion, ZeroHits; `cranfield measures CTR` describes one.

    Example: cranfield online show track.db --by arm -m CTR@10 -m Abandonment

    Example: cranfield online show track.db --by day --since 2026-01-01
    """
    from cranfield.features.online.analysis.log import LIMITED, first_groups, interval_notes, measured_log, remarks

    with reading.store(path) as store:
        log, rows = measured_log(store, options)
        by, most = options.by, options.most
        first, groups = first_groups(rows, by, most)
    if len({row.get("experiment") for row in first}) == 1 and printer.format is TableFormat.table:
        first = [{name: value for name, value in row.items() if name != "experiment"} for row in first]
    title = f"{counted(len(log), 'list')}, {counted(log.users, 'user')}"
    printer.emit(first, title=title, display=Display(spare=("users", "lists")))
    if groups > most and by in LIMITED:
        note(f"{by}: the first {most} of {groups:,}; -n shows more")
    notes([*interval_notes(first), *remarks(log, by, groups, options.min_users)])
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import online_plot

        save(online_plot(first, by, options.confidence), plot)


PLANNED = {"users_needed": "users needed"}
DISPLAY = Display(spare=["users", "control", "relative", "interval"])


@in_python("online.compare_arms")
def ab(
    path: StorePath,
    control: Annotated[
        str, typer.Option(metavar="ARM", help="The arm with which the others are compared."), completion.ARMS
    ],
    *,
    options: AbOptions,
    plot: Plot = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Compare the arms of an A/B test with the control: differences with intervals over users, and p.

    First the sample ratio: if users are not divided among the arms as planned (chi-square, p below .0005), the arms are
    not alike, the result is withheld, and the command ends with 1.

    Each user has one value per measure; for a ratio such as CTR, that of the delta method. Differences are tested by
    Welch's t test and corrected over arms and measures; each arm counts with two more users, one at 0 and one at 1 for
    a share (Agresti and Caffo), or at the least and the most of any user. Measures that are no shares have an interval
    from 200 users in each arm, and with fewer the p of a permutation test. --before takes out what the same users did
    before, which narrows intervals at no cost. Users in several arms are left out and counted.

    --margin makes a measure a guardrail: it holds where the whole interval is within the margin (non-inferiority, by
    one side at alpha / 2), and is broken where all of it is beyond. All have to hold, so none is corrected. --by tests
    within each device, say, with one correction for all. -m takes a TOML file of measures of your own, too.

    p holds for one look at a planned size: looking daily and stopping at the first p below .05 finds a difference in
    every fifth test without one. --sequential holds at every look; its intervals are wider, and tightest at
    --planned-users.

    Example: cranfield online ab track.db --control bm25 -m CTR -m Abandonment --before 28

    Example: cranfield online ab track.db --control bm25 --experiment home
    """
    from cranfield.features.online.analysis.ab import ab_test, plan
    from cranfield.features.online.analysis.subjects import AbRequest

    if options.plan is not None and plot is not None:
        raise typer.BadParameter("draws effects, not with --plan", param_hint="--plot")
    request = AbRequest(**vars(options), control=control)
    with reading.store(path) as store:
        if request.plan is not None:
            title = (
                "Users each arm needs to find the difference in 4 of 5 tests;"
                " detectable: the difference that the present users show in 4 of 5 tests"
            )
            printer.emit(plan(store, request), title=title, display=Display(heads=PLANNED))
            return
        result = ab_test(store, request)
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import effect_plot

        save(effect_plot(result.document), plot)
    if printer.is_separated or printer.format is TableFormat.json:
        printer.emit(result.rows, document=result.document)
    else:
        display = DISPLAY._replace(heads={**DISPLAY.heads, "users": f"{request.unit}s"})
        printer.emit(_shorten(result.rows), title=_title(result), display=display)
        if printer.for_people:
            say(f"\n{_reading(result)}")
    notes(result.notes)


def _shorten(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows as they are printed; without guardrails, if there are none, and without tests where the title has it."""
    spare = set() if any(row["margin"] for row in rows) else {"guardrail"}
    spare |= {"test"} if len(_p_tests(rows)) < 2 else set()
    return [{name: value for name, value in _short(row).items() if name not in spare} for row in rows]


def _p_tests(rows: list[dict[str, Any]]) -> list[str]:
    """The names of the tests that gave the p values."""
    return list(dict.fromkeys(row["p_test"] for row in rows if row["p_test"]))


def _short(row: dict[str, Any]) -> dict[str, Any]:
    star = "*" if row["significant"] else ""
    return ({"segment": row["segment"] or "(none)"} if "segment" in row else {}) | {
        "measure": row["measure"], "arm": row["arm"], "users": row["users"], "control": _number(row["control"], ""),
        "value": _number(row["value"], ""), "difference": _number(row["difference"]),
        "interval": FormattedNumber("-" if isnan(row["low"]) else f"{_number(row['low'])} {_number(row['high'])}"),
        "relative": FormattedNumber("-" if isnan(row["relative"]) else f"{100 * row['relative']:+.1f}%"),
        "p": FormattedNumber(f"{p_value(row['p_corrected'])}{star}"), "test": row["p_test"] or "-",
        "guardrail": f"{row['margin']} {row['guardrail']}".strip(),
    }  # fmt: skip


def _number(value: float, sign: str = "+") -> FormattedNumber:
    return FormattedNumber("-" if isnan(value) else f"{value:{sign}.4f}")


def _title(result: AbTest) -> str:
    ratio, unit = result.subject.ratio, result.request.unit
    arms = zip(result.subject.experiment.arms, ratio.users, strict=True)
    of = ", ".join(f"{name} {counted(users, unit)}" for name, users in arms)
    holds = "holds" if ratio.holds else "FAILS"
    from cranfield.metrics.significance.pairs import CORRECTIONS
    from cranfield.metrics.significance.titles import P_TEST_TITLES

    tests = in_words([P_TEST_TITLES[name] for name in _p_tests(result.rows)])
    by = f"; p by {tests}, {CORRECTIONS[result.request.correction].title}" if tests else ""
    return f"{result.subject.experiment.name}: {of}; the sample ratio {holds} (p = {ratio.p:.2g}){by}"


def _reading(result: AbTest) -> str:
    lines = [
        f"{row['arm']} {'raises' if row['difference'] > 0 else 'lowers'} {row['measure']}{_where(row)}"
        for row in result.rows if row["significant"] and not row["margin"]
    ]  # fmt: skip
    guardrails = [row for row in result.rows if row["margin"]]
    lines += [f"{row['measure']} of {row['arm']}{_where(row)}: {row['guardrail']}" for row in guardrails]
    claims = [row for row in result.rows if not row["margin"]]
    no_test = sum(isnan(row["p"]) for row in claims)
    unclear = sum(not row["significant"] for row in claims) - no_test
    open_ = f"{counted(unclear, 'difference')} not significant, which does not show that there is none."
    none = f"{counted(no_test, 'difference')} not tested."
    return " ".join([f"{'; '.join(lines)}."] * bool(lines) + [open_] * bool(unclear) + [none] * bool(no_test))


def _where(row: dict[str, Any]) -> str:
    return f" for {row['segment'] or '(none)'}" if "segment" in row else ""


WARNING = (
    "the measure that agrees best was chosen on these pairs, so expect it to agree less on new ones. Pairs share arms,"
    " so what they have in common has no interval"
)


class DivergenceCommand(DivergenceOptions):
    """The same, with the topics that differ most."""

    most: Annotated[int, Option("How many topics.", "-n", min=0, before="confidence")] = 10


@in_python("online.measure_divergence")
def divergence(
    path: StorePath,
    *,
    options: DivergenceCommand,
    plot: Plot = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Compare offline and online differences of the arms: do the judgments predict what users prefer?

    An arm is the run of its name. Two arms of an experiment agree (same) or not (opposite) where both intervals are on
    one side of 0, else they are undecided; an interval needs eight topics that differ, and of clicks per search or
    seconds 200 users in each arm. From 4 pairs on: the share with the same sign, Kendall's tau, Pearson's r,
    and the slope, which is the online difference for .01 of the offline one.

    Then the topics that differ most by the first measure, with judged documents among the first 10 of each run, and
    how many days before the last list the newest judgment was: missing and old labels are the first suspects.

    Example: cranfield online divergence track.db -m nDCG@10 -m AP --online CTR

    Example: cranfield online divergence track.db --format csv
    """
    from cranfield.features.online.analysis.divergence import as_document, divergence, pair_rows
    from cranfield.features.online.analysis.log import chosen_log

    with reading.store(path) as store:
        result = divergence(store, chosen_log(store, options.choice()), options)
    if result.without_run:
        note(f"arms of no run: {', '.join(result.without_run)}")
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import divergence_plot

        save(divergence_plot(pair_rows(result), result.online), plot)
    if not printer.for_people:
        printer.emit(pair_rows(result), document=as_document(result))
        return
    _say(result, options.most, printer)


def _say(result: Divergence, most: int, printer: Printer) -> None:
    from cranfield.features.online.analysis.divergence import agreement_rows, pair_rows

    heads = {"arm_a": "a", "arm_b": "b", "online": result.online, "online_low": "low ", "online_high": "high ",
             "offline_low": "low", "offline_high": "high", "lists_a": "lists a", "lists_b": "lists b",
             "judged_a": "Judged@10 a", "judged_b": "Judged@10 b", "slope": "slope per .01"}  # fmt: skip
    digits = {name: with_sign(4) for name in pair_rows(result)[0] if name.startswith(("offline", "online"))}
    measures = sorted({pair.measure for pair in result.pairs})
    offline = measures[0] if len(measures) == 1 else "offline"
    printer.emit(
        _drop_alike(pair_rows(result)), title=f"differences a - b, {offline} and {result.online}",
        display=Display(heads=heads, digits=digits, spare=("experiment",)),
    )  # fmt: skip
    if rows := agreement_rows(result):
        say()
        printer.emit(rows, title="agreement over pairs", display=Display(heads=heads))
        note(WARNING if len(rows) > 1 else WARNING.partition(". ")[2])
    else:
        note("fewer than 4 pairs: too few to summarise")
    if result.topics and most:
        say()
        digits |= {"days": "{:.0f}".format}
        printer.emit(
            _drop_alike(result.topics[:most]), title="topics that differ most",
            display=Display(heads=heads, digits=digits, spare=("experiment",)),
        )  # fmt: skip


def _drop_alike(rows: Sequence[Row]) -> list[Row]:
    """The rows without their experiment or measure where all have the same."""
    alike = {name for name in ("experiment", "measure") if len({row.get(name) for row in rows}) == 1}
    return [{name: value for name, value in row.items() if name not in alike} for row in rows]
