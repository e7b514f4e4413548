"""compare.

JSON: {"test", "correction", "alpha", "samples", "seed", "zeros", "baseline", "pairs": [{"run_a", "run_b", "measure",
"mean_a", "mean_b", "difference", "low", "high", "effect", "wins", "ties", "losses", "topics", "p", "p_corrected",
"significant", "exact"}]}. `samples`, `seed`, `zeros` and `exact` are null where the test does not use them, `baseline`
for all pairs, `effect` where all differences are equal; `low` and `high` are the paired t interval at 1 - alpha, not
corrected, and null where the runs differ on fewer than eight topics; `exact` says whether p counts all possible
resamples, so that none was drawn at random.
With --plan: {"alpha", "power", "difference", "measures": [{"measure", "topics", "residual_variance", "deviation",
"difference", "topics_needed", "detectable"}]}.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.arrays import WhichTopics
from cranfield.cli import completion
from cranfield.cli.common_options import CORRECTION, TEST
from cranfield.cli.options import (
    Answers,
    Assessor,
    Cluster,
    Format,
    Labels,
    Measures,
    Nuggets,
    Output,
    Plot,
    SourcePaths,
    Topics,
)
from cranfield.cli.tables import BAD, GOOD, Display, TableFormat, emit, note, say
from cranfield.formats.text_tables import Figure
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.comparison import Measured, Subject


DEFAULT = ["AP"]
ROUNDING = 1e-12  # what a difference of equal means may be
Row = dict[str, Any]


def _direction(row: Mapping[str, Any]) -> str:
    """The colour of a significant difference."""
    p = next(text for name, text in row.items() if name.startswith("p"))
    return "" if not p.endswith("*") else BAD if row["a - b"].startswith("-") else GOOD


DISPLAY = Display(spare=["means", "mean", "w/t/l", "d", "interval"], colours={"a - b": _direction})


class Zeros(StrEnum):
    """How Wilcoxon's test treats topics without a difference."""

    wilcox = "wilcox"
    pratt = "pratt"
    zsplit = "zsplit"


def compare(
    paths: SourcePaths,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="TAG", help="Compare every run with this one, instead of all pairs."),
        completion.RUNS,
    ] = None,
    test: Annotated[
        str,
        typer.Option(help="Significance test; t or permutation for pairs, tukey for all pairs at once."),
        TEST,
    ] = "t",
    correction: Annotated[
        str | None,
        typer.Option(
            help="Correction for multiple comparisons; holm by default, none with tukey, which needs none.",
        ),
        CORRECTION,
    ] = None,
    measure: Measures = None,
    alpha: Annotated[float, typer.Option(help="Significance level; intervals have confidence level 1 - alpha.")] = 0.05,
    samples: Annotated[
        int,
        typer.Option(
            min=1, help="Number of resamples for permutation, bootstrap and tukey; at most all possible ones."
        ),
    ] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the resamples; the same seed gives the same p.")] = 0,
    zeros: Annotated[
        Zeros, typer.Option(help="Topics without a difference in wilcoxon: dropped, dropped after ranking, or split.")
    ] = Zeros.wilcox,
    plan: Annotated[
        float | None,
        typer.Option(metavar="D", help="Estimate instead how many topics are needed to find a difference of D."),
    ] = None,
    topics: Topics = WhichTopics.all,
    answers: Answers = False,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    nuggets: Nuggets = None,
    cluster: Cluster = None,
    plot: Plot = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Test which runs differ significantly, by more than the choice of topics explains.

    Which test: the paired t test or the permutation test, corrected for
    the number of pairs. Both test the mean, agree on real runs and keep
    the error rate alpha. For all pairs of runs, tukey tests all of them
    at once. Wilcoxon's test and the sign test are about ranks and wins,
    not about means; on retrieval scores their error rate exceeds alpha,
    the more so the more topics there are. The bootstrap is too liberal
    with few topics. (Smucker, Allan and Carterette 2007; Carterette 2012;
    Urbano, Lima and Hanjalic 2019.)

    Read the difference and its interval first, then p. Choose test,
    measure and baseline before you see the scores. JSON and CSV have all
    columns of each pair.

    --plot draws one pair by one measure topic by topic; with --baseline the
    difference of each run and its interval; otherwise a matrix of all pairs.

    With --answers the generated answers of a store are compared, by V_strict
    unless -m says otherwise, on the topics on which both have all labels.

    SOURCE may also be one or more files written by evaluate --per-topic;
    they have all digits in JSON and four decimals in CSV and TSV.

    Example: cranfield compare qrels.txt runs/*.gz --baseline bm25 -m AP
    """
    from cranfield.analysis.comparison import compared, document, draw, full_rows, opened, settings_of

    if plan is not None and plot is not None:
        raise typer.BadParameter("draws differences of runs, not with --plan", param_hint="--plot")
    if nuggets and not answers:
        raise typer.BadParameter("works with --answers", param_hint="--nuggets")
    if answers and topics is not WhichTopics.all:
        raise typer.BadParameter("is of rankings, and works without --answers", param_hint="--topics")
    if answers:
        from cranfield.analysis.answers.evaluation import topic_scores

        scores: tuple[Subject, Measured] = topic_scores(paths, measure, assessor, labels, note, nuggets), None
        subject, names = scores
    else:
        subject, names = opened(paths, measure or None, DEFAULT, assessor, labels, note, topics)
    if plan is not None:
        planned(subject, names, plan, alpha, format, output)
        return
    table = compared(subject, names, baseline, test, correction, alpha, samples, seed, zeros)
    settings = settings_of(test, correction, alpha, samples, seed, zeros)
    if plot is not None:
        draw(subject, table, baseline, alpha, plot)
    if format in (TableFormat.csv, TableFormat.tsv, TableFormat.json):
        emit(full_rows(table), format, output, document=document(table, settings, baseline))
        return
    emit(short_rows(table, settings, baseline), format, output, title(table, settings, baseline), display=DISPLAY)
    if format is TableFormat.table and output is None:
        say(f"\n{reading(table, settings)}")


def short_rows(table: DataFrame, settings: Row, baseline: str | None) -> list[Row]:
    """Rows that fit a terminal: what all share is in the title; of the two p values only the decisive one is shown."""
    several = table["measure"].nunique() > 1
    return [
        {
            **({"measure": row["measure"]} if several else {}),
            **_who(row, baseline),
            "a - b": Figure(_difference(row["difference"])),
            "interval": Figure(
                f"{short(row['low'], '+')} {short(row['high'], '+')}" if row["low"] == row["low"] else "-"
            ),
            "d": Figure(short(row["effect"], "+", 2)),
            "w/t/l": Figure(f"{row['wins']}/{row['ties']}/{row['losses']}"),
            "p" if settings["correction"] == "none" else f"p {settings['correction']}": Figure(_p(row)),
        }
        for row in table.to_dict("records")
    ]


def _who(row: Mapping[Any, Any], baseline: str | None) -> Row:
    a, b = short(row["mean_a"]), short(row["mean_b"])
    if baseline is not None:
        return {"run a": row["run_a"], "mean": Figure(a)}
    return {"run a": row["run_a"], "run b": row["run_b"], "means": Figure(f"{a} {b}")}


def _interval(row: Mapping[Any, Any]) -> str:
    return "-" if isnan(row["low"]) else f"{short(row['low'], '+')} {short(row['high'], '+')}"


def _p(row: Mapping[Any, Any]) -> str:
    p = row["p_corrected"]
    return ("<.0001" if p < 0.0001 else short(p, digits=4)) + ("*" if row["significant"] else " ")


def _difference(value: float) -> str:
    """A difference; one that rounds to 0 and is none with its first digit.

    >>> _difference(-0.25), _difference(-0.00042), _difference(0.0), _difference(1e-17)
    ('-.250', '-.0004', '+.000', '+.000')
    """
    is_small = ROUNDING < abs(value) < 0.0005
    return f"{value:+.1g}".replace("0.", ".", 1) if is_small else short(value, "+")


def short(value: float, sign: str = "", digits: int = 3) -> str:
    """A number without its leading 0; a dash if undefined.

    >>> short(0.25), short(-0.25, "+"), short(12.5), short(float("nan"))
    ('.250', '-.250', '12.500', '-')
    """
    text = format(value, f"{sign}.{digits}f")
    return "-" if text.strip("+") == "nan" else text.replace("0.", ".", 1) if abs(value) < 1 else text


def title(table: DataFrame, settings: Row, baseline: str | None) -> str:
    """The title of the table."""
    from cranfield.metrics.significance.pairs import CORRECTIONS
    from cranfield.metrics.significance.tests import TESTS

    first = table.drop_duplicates("measure")
    if baseline is None:
        about = f"all pairs by {', '.join(first['measure'])}"
    else:
        means = [f"{measure} {short(mean)}" for measure, mean in zip(first["measure"], first["mean_b"], strict=True)]
        about = f"b is {baseline} ({', '.join(means)})"
    least, most = table["topics"].min(), table["topics"].max()
    topics = counted(most, "topic") if least == most else f"{least} to {most} topics"
    test = TESTS[settings["test"]]
    how = test.title if test.whole else f"{test.title}, {CORRECTIONS[settings['correction']].title}"
    return f"{about}; {topics}; {how}"


def reading(table: DataFrame, settings: Row) -> str:
    """How to read the table, in a few sentences."""
    return (
        f"{counts(table, settings)}\nRead the difference and its {1 - settings['alpha']:.4g} interval (paired t, not"
        f" corrected) first, then p. d is the difference divided by its standard deviation; w/t/l counts the topics"
        f" that a wins, ties and loses. No star does not mean that two runs are equal: --plan estimates how many topics"
        f" it takes."
    )


def counts(table: DataFrame, settings: Row) -> str:
    """How many pairs are significant by each measure, and whether any could be."""
    from cranfield.metrics.significance.compare import out_of_reach
    from cranfield.metrics.significance.pairs import CORRECTIONS, FEWEST
    from cranfield.metrics.significance.tests import TESTS

    test, correction = TESTS[settings["test"]], CORRECTIONS[settings["correction"]]
    found, unreachable = [], []
    for measure, group in table.groupby("measure", sort=False):
        found.append(f"{group['significant'].sum()} of {len(group)} pairs in {measure}")
        topics, pairs = int(group["topics"].max()), int(group["p"].notna().sum())
        runs = len({*group["run_a"], *group["run_b"]})
        why = out_of_reach(test, correction, settings["alpha"], settings["samples"] or 0, topics, pairs, runs)
        unreachable += [why] if why and not group["significant"].any() else []
    text = f"Significant at {settings['alpha']:g} (*): {', '.join(found)}."
    text += "".join(f"\nNone could be: {why}." for why in dict.fromkeys(unreachable))
    whole = sum(one is True for one in table["exact"])
    every = "all pairs" if whole == len(table) else f"{whole} of {len(table)} pairs"
    few = int((table["low"].isna() & table["difference"].notna()).sum())
    text += f"\nNo interval (-) for {few} of {len(table)} pairs: they differ on fewer than {FEWEST} topics." * bool(few)
    return text + f"\np is exact for {every}: all possible resamples were tried." * bool(whole)


def planned(
    subject: Subject,
    measures: Measured,
    difference: float,
    alpha: float,
    format: TableFormat,
    output: Any,
) -> None:
    """Print how many topics a difference takes."""
    from cranfield.metrics.significance.topic_set_size import plan

    table = plan(subject, difference, None, measures, alpha)
    rows = [{str(name).replace("_", " "): value for name, value in row.items()} for row in table.to_dict("records")]
    about = {"alpha": alpha, "power": 0.8, "difference": difference, "measures": table.to_dict("records")}
    emit(rows, format, output, document=about)
    if format is TableFormat.table and output is None:
        say(
            f"\nWith the topics needed, a paired t test at {alpha:g} finds a true difference of {difference:g} in four"
            f" of five cases; the topics here suffice for the difference under detectable. deviation is the standard"
            f" deviation of the difference of two of these runs over topics. For many pairs, divide --alpha by"
            f" their number."
        )
