"""Correlation of two rankings of systems: their scores, from files or a source, and all coefficients."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.arrays.which_topics import WhichTopics
from cranfield.errors import InputError
from cranfield.metrics.correlation import CORRELATIONS, undefined
from cranfield.metrics.correlation.compare import aligned
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.notation.parse import parse, parse_all
from cranfield.source import Tell, min_relevant, open_judged
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats.score_files import ScoreTable


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
