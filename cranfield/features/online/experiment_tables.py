"""The tables of A/B tests and of interleaved experiments, as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.formats.text_tables import FormattedNumber
from cranfield.metrics.significance.pairs import CORRECTIONS
from cranfield.metrics.significance.titles import P_TEST_TITLES
from cranfield.results import Display
from cranfield.text import counted, format_p_value, join_words

if TYPE_CHECKING:
    from cranfield.features.online.analysis.ab import AbTest
    from cranfield.features.online.analysis.interleaving import ExperimentPreference

Row = dict[str, Any]
PLAN_DISPLAY = Display(heads={"users_needed": "users needed"})


def arm_display(unit: str) -> Display:
    """How people see the arms of a test of users, sessions or lists."""
    return Display(heads={"users": f"{unit}s"}, spare=["users", "control", "relative", "interval"])


def short_arm_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows as they are printed; without guardrails, if there are none, and without tests where the title has it."""
    spare = set() if any(row["margin"] for row in rows) else {"guardrail"}
    spare |= {"test"} if len(_p_tests(rows)) < 2 else set()
    return [{name: value for name, value in _short_arm_row(row).items() if name not in spare} for row in rows]


def _p_tests(rows: Sequence[Row]) -> list[str]:
    """The names of the tests that gave the p values."""
    return list(dict.fromkeys(row["p_test"] for row in rows if row["p_test"]))


def _short_arm_row(row: Row) -> Row:
    star = "*" if row["significant"] else ""
    return ({"segment": row["segment"] or "(none)"} if "segment" in row else {}) | {
        "measure": row["measure"], "arm": row["arm"], "users": row["users"], "control": _number(row["control"], ""),
        "value": _number(row["value"], ""), "difference": _number(row["difference"]),
        "interval": FormattedNumber("-" if isnan(row["low"]) else f"{_number(row['low'])} {_number(row['high'])}"),
        "relative": FormattedNumber("-" if isnan(row["relative"]) else f"{100 * row['relative']:+.1f}%"),
        "p": FormattedNumber(f"{format_p_value(row['p_corrected'])}{star}"), "test": row["p_test"] or "-",
        "guardrail": f"{row['margin']} {row['guardrail']}".strip(),
    }  # fmt: skip


def _number(value: float, sign: str = "+") -> FormattedNumber:
    return FormattedNumber("-" if isnan(value) else f"{value:{sign}.4f}")


def arm_title(result: AbTest) -> str:
    ratio, unit = result.subject.ratio, result.request.unit
    arms = zip(result.subject.experiment.arms, ratio.users, strict=True)
    of = ", ".join(f"{name} {counted(users, unit)}" for name, users in arms)
    holds = "holds" if ratio.holds else "FAILS"
    tests = join_words([P_TEST_TITLES[name] for name in _p_tests(result.rows)])
    by = f"; p by {tests}, {CORRECTIONS[result.request.correction].title}" if tests else ""
    return f"{result.subject.experiment.name}: {of}; the sample ratio {holds} (p = {ratio.p:.2g}){by}"


def short_preference_rows(each: ExperimentPreference) -> list[Row]:
    """The pairs of an experiment as they are printed."""
    return [_short_preference_row(row) for row in each.rows]


def _short_preference_row(row: Row) -> Row:
    star = "*" if row["prefers"] else ""
    return {
        "a": row["a"],
        "b": row["b"],
        "n": row["impressions"],
        "w/t/l": FormattedNumber(f"{row['wins']}/{row['ties']}/{row['losses']}"),
        "Delta": FormattedNumber(f"{row['delta']:+.4f}"),
        "interval": FormattedNumber("-" if isnan(row["low"]) else f"{row['low']:+.4f} {row['high']:+.4f}"),
        "p": FormattedNumber(f"{format_p_value(row['p_corrected'])}{star}"),
        "test": row["p_test"] or "-",
    }


def preference_title(each: ExperimentPreference) -> str:
    of = f"{counted(each.impressions, 'impression')} of {counted(each.users, 'user')}"
    less = [f"{counted(number, 'impression')} {why}" for number, why in (
        (each.left_out, "without teams or rankings"), (each.uninformative, "that show no difference"),
    ) if number]  # fmt: skip
    return f"{each.experiment}, by {each.method.name}: {of}" + (f"; left out: {', '.join(less)}" if less else "")
