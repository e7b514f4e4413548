"""Reusability: the verdict, the ranks of left-out runs at each depth of the pool, and what every unit loses."""

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from cranfield.analysis import depths
from cranfield.analysis.change_rows import change_rows_with_reason
from cranfield.analysis.depths import (
    LeaveOutSetting,
    change_by_depth,
    document_of,
    leave_out_setting,
    spread_depths,
)
from cranfield.analysis.reusability import has_depth, reusability_verdict
from cranfield.analysis.verdict import Loss, Verdict
from cranfield.charts.svg.markup import html_text, join
from cranfield.metrics.reusability.depths import DepthResult
from cranfield.options.trusting import MEASURES
from cranfield.report.blocks import Block, Figures, Html, Text
from cranfield.report.trust import depth_blocks, depth_numbers, rank_figure, ranks, top, unit_blocks, verdict_blocks
from cranfield.store.store import Store
from cranfield.view import View
from cranfield.web.look.labels import WHOSE, choice
from cranfield.web.look.scores import TOPICS, measures, source_and_notes
from cranfield.web.look.view import DEPTH, POOL, LookView, Query, QueryError, Row, link_line

MOST = 12  # depths on the slider
REUSABILITY_INTRODUCTION = (
    "Had judging stopped at a depth, this is what left-out units would have lost. Only the documents of that pool are"
    " judged here, so at the pool's own depth the numbers may differ from what the page on reusability shows."
)
AUTO = "auto"  # the team where teams are known, otherwise the cluster
UNIT_CHOICE = choice("by", "Leave out each", [AUTO, "run", "team", "kind", "cluster"])
TABLE = choice("table", "", ["units", "depths"])


class DepthPanel(NamedTuple):
    """A depth, the address at which it is shown, its numbers with their names, and a figure with its caption."""

    depth: int
    href: str
    numbers: Sequence[tuple[str, str]]
    figure: Markup
    caption: str


def depth_dial(panels: Sequence[DepthPanel], depth: int) -> Markup:
    """The panels, of which one is seen.

    >>> page = str(depth_dial([DepthPanel(depth, f"?depth={depth}", [], Markup(""), "") for depth in (1, 7)], 7))
    >>> page.count(" hidden>"), page.count('aria-current="true"')
    (1, 1)
    """
    links = [_depth_link(panel, panel.depth == depth) for panel in panels]
    nav = f'<nav class="depths" aria-label="Pool depths"><span>Pool depth</span> {" ".join(links)}</nav>\n'
    return join(["<div data-dial>\n", nav, *(_panel_html(panel, panel.depth != depth) for panel in panels), "</div>\n"])


def _depth_link(panel: DepthPanel, current: bool) -> str:
    mark = ' aria-current="true"' if current else ""
    return f'<a href="{escape(panel.href)}"{mark}>{panel.depth}</a>'


def _panel_html(panel: DepthPanel, hidden: bool) -> str:
    numbers = "".join(
        f"<div><dt>{html_text(name)}</dt><dd>{html_text(value)}</dd></div>" for name, value in panel.numbers
    )
    figure = f"<figure>{panel.figure}<figcaption>{html_text(panel.caption)}</figcaption></figure>"
    opening = f'<div data-depth="{panel.depth}" data-href="{escape(panel.href)}"{" hidden" * hidden}>'
    return f'{opening}<dl class="numbers">{numbers}</dl>{figure}</div>\n'


class _Findings(NamedTuple):
    """The verdict, and for a pool of depth k the setting and what holds at each depth, by the first measure."""

    verdict: Verdict
    view: View
    setting: LeaveOutSetting | None
    at: list[DepthResult]

    @property
    def document(self) -> dict[str, Any] | None:
        """The document of `cranfield depths`."""
        return None if self.setting is None else document_of(self.view, self.setting, self.at)


def _result(store: Store, query: Query) -> tuple[_Findings, Sequence[Block]]:
    view, notes = source_and_notes(store, query, query["pool"])
    names, by = query["measures"], None if query["by"] == AUTO else query["by"]
    verdict = reusability_verdict(view, by, None, names)
    if verdict.left_out.no_verdict or not has_depth(view, None):
        return _Findings(verdict, view, None, []), notes
    setting = leave_out_setting(view, by, None, None)
    return _Findings(
        verdict, view, setting, change_by_depth(view, setting, names[:1], _slider_depths(setting, query))
    ), notes


def _slider_depths(setting: LeaveOutSetting, query: Query) -> list[int]:
    """The depths of the slider, with the one that is asked for."""
    depth = query["depth"] or setting.depth
    if depth > setting.depth:
        raise QueryError(f"depth is {depth}; the pool ends at {setting.depth}")
    return sorted({*spread_depths(setting.depth, MOST), depth})


def _rows(store: Store, query: Query) -> Sequence[Row]:
    result = _result(store, query)[0]
    if query["table"] == "units":
        return change_rows_with_reason(result.verdict.left_out)
    return [] if result.document is None else depths.rows(result.document, to_print=False)


def _document(store: Store, query: Query) -> object:
    result = _result(store, query)[0]
    return result.verdict.to_json() | {"depths": result.document}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    result, notes = _result(store, query)
    verdict, document = result.verdict, result.document
    return [
        *notes,
        top(verdict)._replace(figure=None),
        *_rank_blocks(result, query),
        Text("The numbers", 2),
        *verdict_blocks(verdict),
        *depth_blocks(verdict, document),
        *([link_line([("Depths as CSV", query.address(".csv", table="depths"))])] if document else []),
        *unit_blocks(verdict),
    ]


def _rank_blocks(result: _Findings, query: Query) -> list[Block]:
    """The ranks with and without the own contribution: at each depth, or of the one pool; none without a verdict."""
    if result.verdict.left_out.no_verdict:
        return []
    head = Text(f"Ranks by {result.verdict.left_out.measures[0]} with and without the own contribution", 2)
    if result.setting is None:
        return [head, Figures([ranks(result.verdict)])]
    panels = [_depth_panel(one, result.setting.by, query) for one in result.at]
    return [head, Text(REUSABILITY_INTRODUCTION), Html(depth_dial(panels, query["depth"] or result.setting.depth))]


def _depth_panel(one: DepthResult, by: str, query: Query) -> DepthPanel:
    losses = [Loss(change.run, change) for change in one.changes if not isnan(change.full - change.reduced)]
    figure = rank_figure(f"ranks-{one.depth}", by, one.measure, losses)
    return DepthPanel(one.depth, query.address(depth=one.depth), depth_numbers(one.row()), figure.svg, figure.caption)


REUSABILITY = LookView(
    "Reusability",
    _rows,
    [UNIT_CHOICE, measures(MEASURES), POOL, TOPICS, *WHOSE, DEPTH._replace(label=""), TABLE],
    _parts,
    _document,
    entry="Reusability",
    heavy=True,
)
