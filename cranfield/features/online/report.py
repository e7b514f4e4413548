"""The sections on users: what every experiment of a store says, and the measures of its log."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield.charts.intervals import value_range
from cranfield.charts.svg.intervals import interval
from cranfield.errors import CranfieldError
from cranfield.features.online.analysis.ab import ab_test
from cranfield.features.online.analysis.interleaving import PreferenceRequest, preferences
from cranfield.features.online.analysis.log import chosen_log, online_rows
from cranfield.features.online.analysis.subjects import AbRequest
from cranfield.features.online.store.read import Experiment, experiments, has_log
from cranfield.metrics.significance.titles import P_TEST_TITLES
from cranfield.report.blocks import Block, Cell, Section, TableBlock, Text, rounded_cell
from cranfield.report.table import signed_cell
from cranfield.store.store import Store
from cranfield.text import counted, format_p_value, format_signed, visible_line

Row = Mapping[str, Any]
NAN = float("nan")
NOTHING: Row = {"difference": NAN, "low": NAN, "high": NAN, "p_corrected": NAN, "p_test": None}


def experiment_results(store: Store) -> list[dict[str, Any]]:
    """A row per pair of arms: of an A/B test CTR against the first arm, of interleaving Delta.

    >>> with Store.memory("nothing") as store:
    ...     experiment_results(store)
    []
    """
    return [row for each in experiments(store).values() if len(each.arms) > 1 for row in _results(store, each)]


def _results(store: Store, experiment: Experiment) -> Iterator[dict[str, Any]]:
    of = _interleaved if experiment.kind == "interleave" else _effects
    try:
        yield from of(store, experiment)
    except CranfieldError as error:  # the sample ratio, teams that are missing
        yield _result(experiment, "", "", str(error))


def _result(experiment: Experiment, arms: str, measure: str, result: str, row: Row = NOTHING) -> dict[str, Any]:
    numbers = {name: row[name] for name in ("difference", "low", "high", "p_test")} | {"p": row["p_corrected"]}
    about = {"experiment": experiment.name, "kind": experiment.kind, "arms": arms, "measure": measure}
    return {**about, **numbers, "result": result}


def _interleaved(store: Store, experiment: Experiment) -> Iterator[dict[str, Any]]:
    for preference in preferences(store, PreferenceRequest(experiment=experiment.name)):
        if not preference.impressions:
            yield _result(
                experiment, " : ".join(experiment.arms), "Delta", "the log has no lists of this experiment yet"
            )
        for row in preference.rows if preference.impressions else ():
            verdict = f"users prefer {row['prefers']}" if row["prefers"] else "undecided"
            remark = "; balanced interleaving is biased" * (row["method"] == "balanced")
            pair, numbers = f"{row['a']} : {row['b']}", {**row, "difference": row["delta"]}
            yield _result(experiment, pair, "Delta", verdict + remark, numbers)


def _effects(store: Store, experiment: Experiment) -> Iterator[dict[str, Any]]:
    control = experiment.arms[0]
    for row in ab_test(store, AbRequest(control=control, experiment=experiment.name)).rows:
        verdict = f"{row['arm']} {'raises' if row['difference'] > 0 else 'lowers'} CTR"
        pair = f"{row['arm']} - {control}"
        yield _result(experiment, pair, "CTR", verdict if row["significant"] else "undecided", row)


EXPERIMENTS_INTRODUCTION = (
    "The 95% interval is shown below each difference. Interleaved systems are compared by Delta (-0.5 to 0.5); a"
    " positive value means that users prefer the first system. The arms of A/B tests are compared with the first arm"
    " by CTR. Each p value is corrected, and is valid for a single look at the planned size."
)


def experiment_blocks(rows: Sequence[Row]) -> list[Block]:
    """The table, and how to read it; `rows` are those of `experiment_results`."""
    return [
        TableBlock("experiments", "Experiments with users", [_cells(row) for row in rows]),
        Text(EXPERIMENTS_INTRODUCTION),
    ]


def _cells(row: Row) -> dict[str, object]:
    low, high = format_signed(row["low"]), format_signed(row["high"])
    return {
        "experiment": Cell(visible_line(row["experiment"]), below=visible_line(row["arms"])),
        "difference": signed_cell(row["difference"])._replace(below=f"{low} to {high}" if low != "-" else ""),
        "p": rounded_cell(row["p"])._replace(text=format_p_value(row["p"]), below=P_TEST_TITLES.get(row["p_test"], "")),
        **{name: visible_line(row[name]) for name in ("result", "measure", "kind")},
    }


READ = (
    "The 95% interval over users is shown below each value. The picture shows both on one scale per measure: the dot is"
    " the value, and the line is the interval. A value has no interval if there are too few users. More clicks are not"
    " always better, so read them together with reformulations and conversions."
)


def sections(store: Store) -> list[Section]:
    """What users prefer, and the log, of a store that has one."""
    results, rows = experiment_results(store), online_rows(chosen_log(store)) if has_log(store) else []
    experiment = [Section("experiments", "What users prefer", experiment_blocks(results))] if results else []
    return experiment + ([Section("online", "Interaction log", measure_blocks(rows, "arm"))] if rows else [])


def measure_blocks(rows: Sequence[Row], by: str) -> list[Block]:
    """A table of the measures of each group, with their intervals drawn."""
    scales = {
        name: value_range([row[end] for row in rows if row["measure"] == name for end in ("low", "value", "high")])
        for name in dict.fromkeys(row["measure"] for row in rows)
    }
    several = len({row.get("experiment") for row in rows}) > 1
    cells = [_cells_online(row, by, scales[row["measure"]], several) for row in rows]
    return [Text(READ), TableBlock("online-measures", f"Online measures by {by}", cells, sortable=False)]


def _cells_online(row: Row, by: str, scale: tuple[float, float], several: bool) -> dict[str, object]:
    low, high = rounded_cell(row["low"], 4).text, rounded_cell(row["high"], 4).text
    experiment = {"experiment": visible_line(row["experiment"])} if several else {}
    return {
        "measure": row["measure"],
        **experiment,
        by: visible_line(str(row[by])) or "(none)",
        "value": rounded_cell(row["value"], 4)._replace(below=f"{low} to {high}" if low != "-" else ""),
        "users": Cell(f"{row['users']:,}", row["users"], below=counted(row["lists"], "list")),
        "drawn": Cell("", picture=interval(row["value"], row["low"], row["high"], scale)),
    }
