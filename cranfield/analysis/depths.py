"""The depths of a pool: what each shallower pool would have cost, and what it would have changed.

docs/reference/json.md describes the JSON document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.analysis.contributors import add_judged_share_below_depth, protected_judgments, with_contributors
from cranfield.analysis.reusability import (
    count_pool_documents,
    default_unit,
    depth_of,
    depths_of,
    explain_missing_units,
    note_single_run_units,
    refuse_active_learning,
    refuse_other_than_depth,
    require_contributors,
    units_of,
)
from cranfield.arrays import WhichTopics
from cranfield.errors import InputError
from cranfield.metrics.notation import parse_measures
from cranfield.parallel import progress_bar
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Mask
    from cranfield.metrics.measure import Measure
    from cranfield.metrics.notation import MeasureLike
    from cranfield.metrics.reusability.depths import DepthResult
    from cranfield.view import View

MOST = 30  # depths in a table, unless all are asked for
HOW_TO_READ = (
    "A deeper pool helps left-out units until the change in their own score levels off. tau compares"
    " each depth with the full collection, so it always ends near 1. Documents judged outside the pool are not"
    " included, so the last row may differ from the output of `reusability`."
)


class LeaveOutSetting(NamedTuple):
    """What to leave out of which pool: the units, the pool's depth, and the judgments of another origin."""

    by: str
    units: Mapping[str, Sequence[str]]
    depth: int
    depths: Mapping[str, int]  # of each run
    protect: str | None = None
    lack: str = ""  # why these runs and this depth do not account for the pool


def spread_depths(depth: int, most: int) -> list[int]:
    """Depths 1 to `depth`, at most `most` (2 or more) of them, spaced by equal factors as far as whole numbers allow.

    >>> spread_depths(1000, 5), len(spread_depths(100, 30)), spread_depths(3, 5)
    ([1, 6, 32, 178, 1000], 30, [1, 2, 3])
    """
    if depth <= most:
        return list(range(1, depth + 1))
    steps = most
    while len(depths := {round(depth ** (step / (steps - 1))) for step in range(steps)}) < most:
        steps += 1
    return sorted(depths)


def leave_out_setting(view: View, by: str | None, depth: int | None, protect: str | None) -> LeaveOutSetting:
    """The units of a view, and the depth of its pool: the stored one's, or the one that `pool verify` infers."""
    view = with_contributors(view, depth)
    who = require_contributors(view)
    if protect is not None and protect not in view.qrels.sources:
        raise InputError(f"{protect!r} does not occur in the second column of the qrels")
    refuse_active_learning(view, depth, "it has no shallower pools to compare")
    refuse_other_than_depth(view, depth)
    deep = depth_of(view, depth)
    unit = by or default_unit(view.run_info)
    groups = units_of(view, who.runs, unit, depth)
    who = add_judged_share_below_depth(who, view, deep) if depth is None else who
    return LeaveOutSetting(unit, groups, deep, depths_of(view, deep), protect, who.lack)


def depths_document(
    view: View,
    which: WhichTopics = WhichTopics.all,
    *,
    by: str | None = None,
    depth: int | None = None,
    protect: str | None = None,
    every: bool = False,
    measures: MeasureLike | Iterable[MeasureLike] = "AP",
) -> tuple[dict[str, Any], Sequence[str]]:
    """The JSON document of a view, and what is to be said of who contributed."""
    note_single_run_units(view, by or default_unit(view.run_info))
    view = with_contributors(view.select_topics_and_tell(which), depth)
    setting = leave_out_setting(view, by, depth, protect)
    depths = spread_depths(setting.depth, setting.depth if every else MOST)
    document = depth_document(view, setting, parse_measures(measures, view.min_relevant), depths)
    return document, require_contributors(view).notes


def depth_document(
    view: View, setting: LeaveOutSetting, measures: Sequence[Measure], depths: Sequence[int]
) -> dict[str, Any]:
    """What each depth would have cost and changed, as the JSON document."""
    return depth_results_as_json(view, setting, change_by_depth(view, setting, measures, depths))


def change_by_depth(
    view: View, setting: LeaveOutSetting, measures: Sequence[Measure], depths: Sequence[int]
) -> list[DepthResult]:
    """The pools of these depths, each with the change of every left-out run."""
    from cranfield.metrics.reusability.depths import leave_out_at_each_depth

    blocks, protected = view.blocks, _protected_mask(view, setting)
    with progress_bar("topics", len(blocks.qids)) as advance:
        return leave_out_at_each_depth(
            blocks,
            setting.units,
            depths,
            measures=measures,
            protected=protected,
            rel=view.min_relevant,
            progress=advance,
            limits=setting.depths,
        )


def depth_results_as_json(view: View, setting: LeaveOutSetting, pools: Sequence[DepthResult]) -> dict[str, Any]:
    """These pools as the JSON document."""
    from cranfield.metrics.reusability.leave_one_out import pool_entries, pool_overlap

    judged = view.blocks.bare
    entry = pool_entries(view.blocks, setting.units, setting.depths)
    inside = entry.pooled(max(setting.depths.values()))
    size, protected = count_pool_documents(view, setting.depths), _protected_mask(view, setting)
    overlap = pool_overlap(judged, inside, size, protected, view.min_relevant)
    lack = overlap.lack or explain_missing_units(setting.by, [*setting.units]) or setting.lack
    about = {"by": setting.by, "depth": setting.depth, "topics": len(judged.qids)}
    return {**about, "no_verdict": lack or None, "rows": [one.row() for one in pools]}


def _protected_mask(view: View, setting: LeaveOutSetting) -> Mask | None:
    """The judgments of another origin."""
    return protected_judgments(view, view.blocks.bare.qrels_row, setting.protect)


def rows(document: dict[str, Any], to_print: bool = True) -> list[dict[str, Any]]:
    """One row per depth and measure, with headings for print or the stable ones of CSV; the measure if several.

    For CSV the reason why nothing was tested is a column.
    """
    several = len({row["measure"] for row in document["rows"]}) > 1
    return [
        {
            "depth": row["depth"],
            "judged": row["judged"],
            "relevant": row["relevant"],
            **({"measure": row["measure"]} if several else {}),
            "mean change %": row["mean_change_percent"],
            "largest change %": row["max_change_percent"],
            ("largest rank drop" if to_print else "deepest fall"): row["max_rank_drop"],
            "tau": row["tau"],
            **({} if to_print else {"not tested": document["no_verdict"] or ""}),
        }
        for row in document["rows"]
    ]


def depth_table_title(document: dict[str, Any]) -> str:
    """What the table is of.

    >>> depth_table_title({"by": "team", "depth": 7, "topics": 30, "rows": [{"measure": "AP"}]})
    'AP, with each team left out in turn at every depth; pool depth 7, 30 topics'
    """
    names = ", ".join(dict.fromkeys(row["measure"] for row in document["rows"]))
    about = f"pool depth {document['depth']}, {counted(document['topics'], 'topic')}"
    return f"{names}, with each {document['by']} left out in turn at every depth; {about}"
