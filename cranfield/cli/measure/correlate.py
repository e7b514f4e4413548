"""correlate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import Assessor, Format, Labels, Output
from cranfield.cli.tables import TableFormat, emit, note, say
from cranfield.errors import InputError
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from cranfield.formats.score_files import ScoreTable

DEFAULT = ["AP", "P@10"]

Side = tuple[str, dict[str, float]]  # what the scores are, and the scores by run


def correlate(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="A [B...]",
            help="One or two files of scores as `evaluate` writes them (JSON, CSV, TSV), or a store, or a qrels file"
            " followed by run files. The first is the truth.",
        ),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="Two files: compare by this one (by default, by all that both have). Otherwise: the first is the"
            " truth, each other is compared with it.",
        ),
    ] = None,
    other: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            metavar="MEASURE",
            help="Two files: the second's measure, where it is another one; one for each -m, in their order.",
        ),
    ] = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Tell how alike two rankings of the same systems are: Kendall's tau, AP correlation, RBO and others.

    Either by one measure on two files of scores, such as those from two sets of judgments, or by several measures of
    one source. The first is taken for true; tau_AP and the variants "a" depend on it. Look at your own system's score
    first, since no coefficient over many systems shows what happens to one.

    A measure is compared with the same one of the other file, or with the one that --as names:
    cranfield correlate full.json sample.json -m AP --as "AP(judged_only=True)"

    Example: cranfield correlate qrels.txt runs/*.gz -m AP -m P@10
    """
    pairs = sides(paths, measure or [], other or [], assessor, labels)
    found = [comparison(truth, estimate) for truth, estimate in pairs]
    if format is TableFormat.table and output is None:
        for number, one in enumerate(found):
            emit(table_rows(one), format, title=("\n" if number else "") + title(one))
            if one["undefined"]:
                say(f"A dash is not defined: {one['undefined']}.")
    else:
        rows = [
            {"truth": one["truth"], "estimate": one["estimate"], "systems": one["systems"], **row}
            for one in found
            for row in table_rows(one)
        ]
        emit(rows, format, output, document={"comparisons": found})


def comparison(truth: Side, estimate: Side) -> dict[str, Any]:
    """All coefficients of two sides, over the systems that both have; its field names are stable."""
    from cranfield.metrics.correlation import CORRELATIONS, undefined
    from cranfield.metrics.correlation.compare import aligned

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
    """A row a coefficient, with how to read it."""
    from cranfield.metrics.correlation import CORRELATIONS

    readings = {coefficient.name: coefficient.reading for coefficient in CORRELATIONS}
    values = found["coefficients"]
    return [{"coefficient": name, "value": values[name], "how to read it": readings[name]} for name in values]


def title(found: dict[str, Any]) -> str:
    """What is compared, in a line."""
    left_out = f" ({found['left_out']} that only one side has are left out)" if found["left_out"] else ""
    return f"truth: {found['truth']}; estimate: {found['estimate']}; {found['systems']} systems{left_out}"


def sides(
    paths: list[Path],
    measures: list[str],
    others: list[str],
    assessor: str | None = None,
    labels: LabelledBy = LabelledBy.all,
) -> list[tuple[Side, Side]]:
    """What is to be compared: pairs of truth and estimate; `others` are what the second of two files is compared by."""
    from cranfield.formats.score_files import read_scores
    from cranfield.source import check_of_store

    tables = [read_scores(path) for path in paths] if len(paths) <= 2 else []
    if any(table is not None for table in tables):
        check_of_store(paths[0], assessor, labels)
    if len(tables) == 2 and any(table is not None for table in tables):
        a, b = (_present(*pair) for pair in zip(tables, paths, strict=True))
        return _by_measure(paths, a, b, measures, others)
    if others:
        raise typer.BadParameter("for two files of scores; of one source, -m names both measures", param_hint="--as")
    if len(tables) == 1 and tables[0] is not None:
        return _by_file(tables[0], measures or list(tables[0])[:2], paths[0])
    return _by_file(_evaluated(paths, measures or DEFAULT, assessor, labels), [], paths[0])


def _present(table: ScoreTable | None, path: Path) -> ScoreTable:
    if table is None:
        found = "not a file of scores as `cranfield evaluate` writes them" if path.exists() else "no such file"
        raise InputError(found, path)
    return table


def _by_measure(
    paths: list[Path], a: ScoreTable, b: ScoreTable, measures: list[str], others: list[str]
) -> list[tuple[Side, Side]]:
    """Each measure of one file against the same of the other, or against the one that stands for it there."""
    if others and len(others) != len(measures):
        raise typer.BadParameter(f"{len(others)}, where -m names {len(measures)}: one for each", param_hint="--as")
    ours = [_written(a, measure, paths[0]) for measure in measures] or [measure for measure in a if measure in b]
    if not ours:
        raise InputError(
            f"no measure is in both files: {', '.join(a)} there, {', '.join(b)} here; -m and --as name what to compare",
            paths[1],
        )
    theirs = [_written(b, measure, paths[1]) for measure in others or ours]
    return [((f"{x} in {paths[0]}", a[x]), (f"{y} in {paths[1]}", b[y])) for x, y in zip(ours, theirs, strict=True)]


def _by_file(table: ScoreTable, measures: list[str], path: Path) -> list[tuple[Side, Side]]:
    """The first measure of one table against each other."""
    names = [_written(table, measure, path) for measure in measures] or list(table)
    if not names:
        raise InputError("no scores here", path)
    if len(names) < 2:
        raise InputError(f"one measure, {names[0]}, is nothing to compare; -m names a second one", path)
    return [((names[0], table[names[0]]), (name, table[name])) for name in names[1:]]


def _written(table: ScoreTable, measure: str, path: Path) -> str:
    """The measure as the file writes it."""
    from cranfield.metrics.notation.parse import parse

    name = measure if measure in table else str(parse(measure))
    if name not in table:
        raise InputError(f"no scores by {name}; there are scores by {', '.join(table)}", path)
    return name


def _evaluated(paths: list[Path], measures: list[str], assessor: str | None, labels: LabelledBy) -> ScoreTable:
    """The scores of a source."""
    from cranfield.metrics.evaluate import evaluate
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.source import min_relevant, open_judged

    judged, rel = open_judged(paths, assessor, labels, note), min_relevant(paths[0])
    scores = evaluate(judged, measures=parse_all(measures or DEFAULT, rel))
    table: ScoreTable = {}
    for row in scores.to_dict("records"):
        table.setdefault(row["measure"], {})[row["run"]] = row["value"]
    return table
