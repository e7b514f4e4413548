"""The section on experiments with users."""

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.features.online.analysis.log import chosen_log, online_rows
from cranfield.features.online.analysis.results import experiment_results
from cranfield.features.online.store.read import has_log
from cranfield.report.blocks import Block, Cell, Section, TableBlock, Text, rounded
from cranfield.report.components.intervals import interval, scale_of, signed
from cranfield.store.store import Store
from cranfield.text import counted, p_value, visible_line

ABOUT = (
    "Below each difference is its 95 % interval. Interleaved systems by Delta, from -.5 to .5 where impressions are won"
    " or lost: above 0 users prefer the first. Arms of A/B tests by CTR, each less the first arm. p is corrected, and"
    " holds for one look at a planned size."
)


def experiments(rows: Sequence[Mapping[str, Any]]) -> Section | None:
    """What each experiment says; `rows` are those of `experiment_results`. None where there is none."""
    return Section("experiments", "What users prefer", experiment_blocks(rows)) if rows else None


def experiment_blocks(rows: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The table, and how to read it."""
    return [TableBlock("experiments", "Experiments with users", [_cells(row) for row in rows]), Text(ABOUT)]


def _cells(row: Mapping[str, Any]) -> dict[str, object]:
    low, high = signed(row["low"]).text, signed(row["high"]).text
    return {
        "experiment": Cell(visible_line(row["experiment"]), below=visible_line(row["arms"])),
        "difference": signed(row["difference"])._replace(below=f"{low} to {high}" if low != "-" else ""),
        "p": rounded(row["p"])._replace(text=p_value(row["p"])),
        **{name: visible_line(row[name]) for name in ("result", "measure", "kind")},
    }


Row = Mapping[str, Any]
READ = (
    "Below each value is its 95 % interval over users; where there is room, a dot and a line draw both, on one scale"
    " for each measure. Without an interval, users are too few for one. More clicks are not better by themselves: look"
    " at reformulations and conversions beside them."
)


def sections(store: Store) -> list[Section]:
    """What users prefer, and the log, of a store that has one."""
    rows = online_rows(chosen_log(store)) if has_log(store) else []
    log = [Section("online", "Interaction log", measured(rows, "variant"))] if rows else []
    return [*filter(None, [experiments(experiment_results(store))]), *log]


def measured(rows: Sequence[Row], by: str) -> list[Block]:
    """A table of the measures of each group, with their intervals drawn."""
    scales = {
        name: scale_of([row[end] for row in rows if row["measure"] == name for end in ("low", "value", "high")])
        for name in dict.fromkeys(row["measure"] for row in rows)
    }
    several = len({row.get("experiment") for row in rows}) > 1
    cells = [_cells_online(row, by, scales[row["measure"]], several) for row in rows]
    return [Text(READ), TableBlock("online-measures", f"Online measures by {by}", cells, sortable=False)]


def _cells_online(row: Row, by: str, scale: tuple[float, float], several: bool) -> dict[str, object]:
    low, high = rounded(row["low"], 4).text, rounded(row["high"], 4).text
    experiment = {"experiment": visible_line(row["experiment"])} if several else {}
    return {
        "measure": row["measure"],
        **experiment,
        by: visible_line(str(row[by])) or "(none)",
        "value": rounded(row["value"], 4)._replace(below=f"{low} to {high}" if low != "-" else ""),
        "users": Cell(f"{row['users']:,}", row["users"], below=counted(row["lists"], "list")),
        "drawn": Cell("", picture=interval(row["value"], row["low"], row["high"], scale)),
    }
