"""Comparison of the runs of a source, or of scores by topic; and correlation of two rankings of systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pandas import DataFrame

from cranfield.arrays import WhichTopics
from cranfield.arrays.blocks import JudgedBlocks, blocks_of
from cranfield.arrays.judged import Judged
from cranfield.errors import InputError
from cranfield.formats.score_files import all_topic_scores
from cranfield.metrics.correlation.coefficients import undefined
from cranfield.metrics.correlation.correlate import CORRELATIONS, aligned
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse, parse_all
from cranfield.metrics.significance.compare import compare, correction_for
from cranfield.metrics.significance.tests import TESTS
from cranfield.progress_bar import progress_bar
from cranfield.source import Tell, check_of_store, min_relevant, open_blocks, open_judged
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats.score_files import ScoreTable


Subject: TypeAlias = Judged | JudgedBlocks | DataFrame
Measured: TypeAlias = list[str] | tuple[Measure, ...] | None  # None: all measures in the files


def opened(
    paths: Sequence[Path],
    measures: list[str] | None,
    default: list[str],
    assessor: str | None,
    labels: LabelledBy,
    tell: Tell,
    topics: WhichTopics = WhichTopics.all,
) -> tuple[Subject, Measured]:
    """Scores from files, or the judged runs of a source; and the measures to compare by."""
    scores = all_topic_scores(paths)
    if scores is not None:
        check_of_store(paths[0], assessor, labels)
        return scores if topics is WhichTopics.all else of_common_topics(scores), measures
    judged, rel = open_blocks(paths, assessor, labels, tell, topics), min_relevant(paths[0])
    return judged, parse_all(measures or default, rel)


def of_common_topics(scores: DataFrame) -> DataFrame:
    """The scores on the topics that all runs have."""
    runs = scores.groupby("query_id")["run"].transform("nunique")
    common = scores[runs == scores["run"].nunique()]
    if common.empty:
        raise InputError("no topic has scores of all runs, so none is common")
    return common


def draw(subject: Subject, table: DataFrame, baseline: str | None, alpha: float, path: Path) -> None:
    """Plot the differences: of a single pair topic by topic, else of all runs from the baseline, or of all pairs."""
    from cranfield.plots.differences import comparison_plot, difference_bars
    from cranfield.plots.style import save

    first = table.iloc[0]
    if len(table) > 1:
        save(comparison_plot(table, baseline, alpha), path)
        return
    if isinstance(subject, Judged | JudgedBlocks):
        subject = evaluate(blocks_of(subject).whole, measures=first["measure"], per_topic=True)
    scores = subject[subject["measure"] == first["measure"]]
    save(difference_bars(scores, first["run_a"], first["run_b"]), path)


def compared(
    subject: Subject,
    measures: Measured,
    baseline: str | None,
    test: str,
    correction: str | None,
    alpha: float,
    samples: int,
    seed: int,
    zeros: str,
) -> DataFrame:
    """The comparison, with a progress bar if it resamples."""
    asked = (subject, None, measures, baseline, test, correction, alpha, samples, seed, zeros)
    if not TESTS[test].resamples:
        return compare(*asked)
    with progress_bar("sampling", samples * (len(measures) if measures else 1)) as advance:
        return compare(*asked, advance=advance)


def settings_of(test: str, correction: str | None, alpha: float, samples: int, seed: int, zeros: str) -> dict[str, Any]:
    """The settings of the result, null for those that the test does not use."""
    resamples = TESTS[test].resamples
    return {
        "test": str(test),
        "correction": correction_for(TESTS[test], correction).name,
        "alpha": alpha,
        "samples": samples if resamples else None,
        "seed": seed if resamples else None,
        "zeros": str(zeros) if test == "wilcoxon" else None,
    }


def full_rows(table: DataFrame) -> list[dict[str, Any]]:
    """All columns, for programs."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def document(table: DataFrame, settings: dict[str, Any], baseline: str | None) -> dict[str, Any]:
    """The JSON: settings, and under "pairs" one row per pair and measure with the columns of `compare`."""
    return {**settings, "baseline": baseline, "pairs": full_rows(table)}


Side = tuple[str, dict[str, float]]  # a name for the scores, and the scores by run


def correlated(truth: Side, estimate: Side) -> dict[str, Any]:
    """All coefficients of two sides, over the systems in both; the field names are stable."""
    x, y = aligned(truth[1], estimate[1])
    return {
        "truth": truth[0],
        "estimate": estimate[0],
        "systems": len(x),
        "left_out": len(truth[1].keys() ^ estimate[1].keys()),
        "undefined": undefined(x, y) or None,
        "coefficients": {coefficient.name: coefficient(x, y) for coefficient in CORRELATIONS},
    }


def table_rows(found: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per coefficient, with how to read it."""
    readings = {coefficient.name: coefficient.reading for coefficient in CORRELATIONS}
    values = found["coefficients"]
    return [{"coefficient": name, "value": values[name], "how to read it": readings[name]} for name in values]


def correlation_title(found: dict[str, Any]) -> str:
    """The title of the table."""
    left_out = f" ({found['left_out']} on only one side left out)" if found["left_out"] else ""
    return f"truth: {found['truth']}; estimate: {found['estimate']}; {counted(found['systems'], 'system')}{left_out}"


def present(table: ScoreTable | None, path: Path) -> ScoreTable:
    if table is None:
        found = "not a file of scores written by `cranfield evaluate`" if path.exists() else "no such file"
        raise InputError(found, path)
    return table


def by_file(table: ScoreTable, measures: list[str], path: Path) -> list[tuple[Side, Side]]:
    """The first measure of one table against each other."""
    names = [as_written(table, measure, path) for measure in measures] or list(table)
    if not names:
        raise InputError("no scores here", path)
    if len(names) < 2:
        raise InputError(f"only one measure, {names[0]}; give a second one with -m", path)
    return [((names[0], table[names[0]]), (name, table[name])) for name in names[1:]]


def as_written(table: ScoreTable, measure: str, path: Path) -> str:
    """The measure as it is written in the file."""
    name = measure if measure in table else str(parse(measure))
    if name not in table:
        raise InputError(f"no scores by {name}; the file has scores by {', '.join(table)}", path)
    return name


def evaluated(
    paths: list[Path],
    measures: list[str],
    assessor: str | None,
    labels: LabelledBy,
    tell: Tell,
    topics: WhichTopics = WhichTopics.all,
) -> ScoreTable:
    """The scores of a source."""
    judged, rel = open_judged(paths, assessor, labels, tell, topics), min_relevant(paths[0])
    scores = evaluate(judged, measures=parse_all(measures, rel))
    table: ScoreTable = {}
    for row in scores.to_dict("records"):
        table.setdefault(row["measure"], {})[row["run"]] = row["value"]
    return table
