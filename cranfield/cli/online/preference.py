"""online preference.

JSON: {"alpha", "samples", "seed", "since", "until", "experiments": [{"experiment", "method", "impressions",
"left_out", "uninformative", "users", "pairs": [{"a", "b", "impressions", "wins", "losses", "ties", "delta", "low",
"high", "p", "p_corrected", "prefers"}]}]}. `left_out` impressions have no teams, or no rankings in the store;
`uninformative` ones show only documents with which all rankings begin alike. `prefers` is null where neither is
significantly preferred.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.colours import BAD, GOOD
from cranfield.cli.online_options import Since, Until, seconds
from cranfield.cli.options import Format, Output, Plot, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note, say
from cranfield.formats.text_tables import Figure
from cranfield.text import counted, p_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.analysis.online.interleaving import ExperimentPreference

Row = dict[str, Any]


def _direction(row: Mapping[str, Any]) -> str:
    return "" if not row["p"].endswith("*") else BAD if row["Delta"].startswith("-") else GOOD


DISPLAY = Display(spare=["n", "w/t/l", "interval"], colours={"Delta": _direction})


def preference(
    path: StorePath,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="The experiment; by default every one with interleaved lists.")
    ] = None,
    since: Since = None,
    until: Until = None,
    method: Annotated[
        str | None, typer.Option(metavar="METHOD", help="The interleaving method, where the store does not have it.")
    ] = None,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Significance level.")] = 0.05,
    samples: Annotated[int, typer.Option(min=100, help="Number of random sign flips.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the sign flips.")] = 0,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Report which of two interleaved systems users prefer, with interval and p.

    Delta is (wins + ties / 2) / n - 1/2 over impressions: above 0 users prefer a, and .5 means always. Where the method
    weighs clicks (probabilistic, optimized, pairwise) it is half the mean difference of credit, which is what is fair
    there. A click counts once per document. An impression that shows only documents with which the rankings begin alike
    says nothing and is not in n. The interval is over users; p is that of sign flips over users, which is the sign test
    where each has one impression, corrected by Holm for more than two systems.

    Balanced interleaving is biased: see cranfield online interleave methods.

    Example: cranfield online preference track.db
    """
    from cranfield.analysis.online.interleaving import preferences
    from cranfield.store.store import Store

    period = {"since": seconds(since), "until": seconds(until)}
    with Store.open(path) as store:
        found = preferences(store, experiment, method, alpha, samples, seed, **period)
    if plot is not None:
        from cranfield.plots.experiments import preference_plot
        from cranfield.plots.style import save

        save(preference_plot([row for each in found for row in each.rows]), plot)
    if format in (TableFormat.csv, TableFormat.tsv, TableFormat.json):
        given = {"alpha": alpha, "samples": samples, "seed": seed, **period}
        document = {**given, "experiments": [each.document for each in found]}
        emit([row for each in found for row in each.rows], format, output, document=document)
        return
    for each in found:
        if not each.impressions:
            note(f"{each.experiment}: no lists {'in this period' if since or until else 'in the log yet'}")
            continue
        emit([_short(row) for row in each.rows], format, output, _title(each), display=DISPLAY)
        if format is TableFormat.table and output is None:
            say(f"\n{_reading(each)}\n" if len(found) > 1 else f"\n{_reading(each)}")
        if any(isnan(pair.found.low) for pair in each.pairs):
            note(f"{each.experiment}: no interval: the lists that count are of fewer than two users")
        if each.method.name == "balanced":
            note("balanced interleaving is biased; see cranfield online interleave methods")


def _short(row: Row) -> Row:
    star = "*" if row["prefers"] else ""
    return {
        "a": row["a"], "b": row["b"], "n": row["impressions"],
        "w/t/l": Figure(f"{row['wins']}/{row['ties']}/{row['losses']}"), "Delta": Figure(f"{row['delta']:+.4f}"),
        "interval": Figure("-" if isnan(row["low"]) else f"{row['low']:+.4f} {row['high']:+.4f}"),
        "p": Figure(f"{p_value(row['p_corrected'])}{star}"),
    }  # fmt: skip


def _title(each: ExperimentPreference) -> str:
    of = f"{counted(each.impressions, 'impression')} of {counted(each.users, 'user')}"
    less = [f"{counted(number, 'impression')} {why}" for number, why in (
        (each.left_out, "without teams or rankings"), (each.uninformative, "that show no difference"),
    ) if number]  # fmt: skip
    return f"{each.experiment}, by {each.method.name}: {of}" + (f"; left out: {', '.join(less)}" if less else "")


def _reading(each: ExperimentPreference) -> str:
    lines = []
    for pair in each.pairs:
        who = each.preferred(pair)
        other = pair.b if who == pair.a else pair.a
        lines.append(f"Users prefer {who} to {other}." if who else f"Undecided between {pair.a} and {pair.b}.")
    return " ".join(lines)
