"""The rows and sentences of a comparison that people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from math import floor, isnan, log10
from typing import TYPE_CHECKING, Any

from cranfield.formats.text_tables import FormattedNumber
from cranfield.results import Display
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame, Series

ROUNDING = 1e-12  # what a difference of equal means may be
Row = dict[str, Any]


def _direction(row: Mapping[str, Any]) -> str:
    """The colour of a significant difference."""
    p = next(text for name, text in row.items() if name.startswith("p"))
    return "" if not p.endswith("*") else "bad" if row["a - b"].startswith("-") else "good"


def display_of(rows: list[Row]) -> Display:
    """The colours of the rows, and the columns that are left out where there is no room, the interval last."""
    judged = [name for name in (rows[0] if rows else ()) if name.startswith("judged@")]
    spare = ["means", "mean", "w/t/l", "d", *judged, "on common topics", "interval"]
    return Display(spare=spare, colours={"a - b": _direction})


def why_unchecked(table: DataFrame) -> list[str]:
    """Why unjudged documents were not checked; empty where they were."""
    from cranfield.analysis.outcomes import SCORES_ONLY
    from cranfield.metrics.forecast.outcomes import Outcome

    return [SCORES_ONLY] if "outcome" in table and (table["outcome"] == Outcome.UNCHECKED).any() else []


def short_rows(table: DataFrame, settings: Row, baseline: str | None, *, shows_judged: bool = False) -> list[Row]:
    """Rows that fit a terminal: what all share is in the title; of the two p values only the decisive one is shown."""
    several = table["measure"].nunique() > 1
    names_test = bool((_p_tests(table) != settings["test"]).any())
    cutoffs = judged_shares(table) if shows_judged else {}
    return [
        {
            **({"measure": row["measure"]} if several else {}),
            **_run_cells(row, baseline),
            "a - b": FormattedNumber(format_short_number(row["difference"], "+")),
            "interval": FormattedNumber(_interval(row)),
            "d": FormattedNumber(format_short_number(row["effect"], "+", 2)),
            "w/t/l": FormattedNumber(f"{row['wins']}/{row['ties']}/{row['losses']}"),
            "p" if settings["correction"] == "none" else f"p {settings['correction']}": FormattedNumber(
                _p_value_cell(row)
            ),
            **({"test": row["p_test"] or "-"} if names_test else {}),
            **(_judged(row, cutoffs, baseline) if shows_judged else {}),
            **(_common_difference(row) if "topics_common" in row else {}),
        }
        for row in table.to_dict("records")
    ]


def judged_shares(table: DataFrame) -> dict[int, dict[str, float]]:
    """The judged share of each run by cutoff."""
    shares: dict[int, dict[str, float]] = {}
    for row in table.to_dict("records"):
        own = shares.setdefault(int(row["judged_cutoff"]), {})
        own |= {row["run_a"]: row["judged_a"], row["run_b"]: row["judged_b"]}
    return dict(sorted(shares.items()))


def _judged(row: Mapping[Any, Any], cutoffs: Mapping[int, Mapping[str, float]], baseline: str | None) -> Row:
    """The judged shares of both runs, or of the run that is compared with the baseline, and the outcome."""
    runs = [row["run_a"]] if baseline is not None else [row["run_a"], row["run_b"]]
    shares = {
        f"judged@{cutoff}": FormattedNumber(" ".join(_share(own[run]) for run in runs))
        for cutoff, own in cutoffs.items()
    }
    return {**shares, "outcome": row["outcome"].partition(":")[0].removesuffix(" documents")}


def _share(value: float) -> str:
    """A share in percent, rounded down so that only all is 100%.

    >>> _share(1.0), _share(0.9999), _share(float("nan"))
    ('100%', '99%', 'undefined')
    """
    return "undefined" if isnan(value) else f"{int(100 * value + 1e-9)}%"


def _p_tests(table: DataFrame) -> Series[Any]:
    return table["p_test"].dropna()


def _common_difference(row: Mapping[Any, Any]) -> Row:
    """The difference on the topics that both runs answered, and how many these are."""
    return {
        "on common topics": FormattedNumber(
            f"{format_short_number(row['difference_common'], '+')} of {row['topics_common']}"
        )
    }


def _run_cells(row: Mapping[Any, Any], baseline: str | None) -> Row:
    a, b = format_short_number(row["mean_a"]), format_short_number(row["mean_b"])
    if baseline is not None:
        return {"run a": row["run_a"], "mean": FormattedNumber(a)}
    return {"run a": row["run_a"], "run b": row["run_b"], "means": FormattedNumber(f"{a} {b}")}


def _interval(row: Mapping[Any, Any]) -> str:
    return (
        "-" if isnan(row["low"]) else f"{format_short_number(row['low'], '+')} {format_short_number(row['high'], '+')}"
    )


def _p_value_cell(row: Mapping[Any, Any]) -> str:
    p = row["p_corrected"]
    if isnan(p):
        return "- "
    mark = "*" if row["significant"] else "?" if str(row.get("outcome", "")).startswith("not decided") else " "
    return ("<.0001" if p < 0.0001 else format_short_number(p, digits=4)) + mark


def format_short_number(value: float, sign: str = "", digits: int = 3) -> str:
    """A number without its leading 0; a dash if undefined. A signed one that rounds to 0 has its first digit instead.

    >>> [format_short_number(number) for number in (0.25, 12.5, float("nan"))]
    ['.250', '12.500', '-']
    >>> [format_short_number(number, "+") for number in (-0.25, -0.00042, -0.00003, 0.0, -1e-17)]
    ['-.250', '-.0004', '-.00003', '+.000', '+.000']
    >>> format_short_number(-0.003, "+", 2)
    '-.003'
    """
    if isnan(value):
        return "-"
    if abs(value) <= ROUNDING:
        value = 0.0
    elif sign and abs(value) < 0.5 * 10**-digits:
        digits = -floor(log10(abs(value)))
    text = format(value, f"{sign}.{digits}f")
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def comparison_title(table: DataFrame, settings: Row, baseline: str | None, *, shows_judged: bool = False) -> str:
    """The title of the table; next to judged shares of the other runs, the baseline's."""
    from cranfield.metrics.significance.pairs import CORRECTIONS
    from cranfield.metrics.significance.tests import TESTS
    from cranfield.metrics.significance.titles import title_of_p_tests

    first = table.drop_duplicates("measure")
    if baseline is None:
        about = f"all pairs by {', '.join(first['measure'])}"
    else:
        means = [
            f"{measure} {format_short_number(mean)}"
            for measure, mean in zip(first["measure"], first["mean_b"], strict=True)
        ]
        cutoffs = judged_shares(table) if shows_judged else {}
        means += [f"judged@{cutoff} {_share(own[baseline])}" for cutoff, own in cutoffs.items()]
        about = f"b is {baseline} ({', '.join(means)})"
    least, most = table["topics"].min(), table["topics"].max()
    topics = counted(most, "topic") if least == most else f"{least} to {most} topics"
    test = TESTS[settings["test"]]
    tests = title_of_p_tests(table["p_test"], test)
    how = tests if test.whole else f"{tests}, {CORRECTIONS[settings['correction']].title}"
    return f"{about}; {topics}; {how}"


def reading_guide(table: DataFrame, settings: Row, left_out: Collection[str] = ()) -> str:
    """How to read the table without the columns that are left out, in a few sentences."""
    interval = f"its {100 * (1 - settings['alpha']):.4g}% interval (paired t, not corrected)"
    interval = "" if "interval" in left_out else f" and {interval}"
    columns = [
        *(["d is the difference divided by its standard deviation"] if "d" not in left_out else []),
        *(["w/t/l are the numbers of topics on which run a wins, ties and loses"] if "w/t/l" not in left_out else []),
    ]
    legend = f" {'; '.join(columns)}." if columns else ""
    return (
        f"{significant_pairs_sentence(table, settings)}\nRead the difference{interval} first, then p.{legend} Two runs"
        " without a star may still differ. --plan 0.05 estimates how many topics a difference of 0.05 needs."
    )


def marks_in_words(table: DataFrame, settings: Row) -> list[str]:
    """What the marks after p mean, those that occur."""
    stars = [f"* significant at {settings['alpha']:g}"] * bool(table["significant"].any())
    is_open = "outcome" in table and bool(table["outcome"].str.startswith("not decided").any())
    return [*stars, *["? not decided, or may become significant"] * is_open]


def significant_pairs_sentence(table: DataFrame, settings: Row) -> str:
    """How many pairs are significant by each measure, and whether any could be."""
    from cranfield.analysis.comparison import explain_no_significance
    from cranfield.metrics.significance.pairs import why_no_interval, why_no_p
    from cranfield.metrics.significance.tests import TESTS

    shares = [
        f"{group['significant'].sum()} of {len(group)} pairs in {measure}"
        for measure, group in table.groupby("measure", sort=False)
    ]
    text = f"Significant at {settings['alpha']:g} (*): {', '.join(shares)}."
    if "outcome" in table and (is_open := table["outcome"].str.startswith("not decided")).any():
        text += f"\nNot decided, or may become significant (?): {is_open.sum()} of {len(table)} pairs."
    text += "".join(f"\nNo pair could be significant: {why}." for why in explain_no_significance(table, settings))
    for why, number in Counter(filter(None, (why_no_p(TESTS[settings["test"]], n) for n in table["topics"]))).items():
        text += f"\nNo p (-) for {number} of {len(table)} pairs: {why}."
    whole = sum(one is True for one in table["exact"])
    every = "all pairs" if whole == len(table) else f"{whole} of {len(table)} pairs"
    without = table[table["low"].isna() & table["difference"].notna()]
    reasons = Counter(
        why_no_interval(wins + losses) for wins, losses in zip(without["wins"], without["losses"], strict=True)
    )
    for why, number in reasons.items():
        text += f"\nNo interval (-) for {number} of {len(table)} pairs: {why}."
    if sign_tests := int((_p_tests(table) != settings["test"]).sum()):
        why = "t is undefined if all differences are equal"
        text += f"\np is from the sign test for {sign_tests} of {len(table)} pairs: {why}."
    return text + f"\np is exact for {every}, because all possible resamples were tried." * bool(whole)
