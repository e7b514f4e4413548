"""Reusability: the verdict, the ranks of left-out runs at each depth of the pool, and what every unit loses."""

from collections.abc import Sequence
from datetime import UTC, datetime
from math import isnan
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from cranfield.analysis import depths
from cranfield.analysis.change_rows import change_rows_with_reason
from cranfield.analysis.depths import (
    LeaveOutSetting,
    change_by_depth,
    depth_results_as_json,
    leave_out_setting,
    spread_depths,
)
from cranfield.analysis.reusability import is_depth_pool, reusability_verdict
from cranfield.analysis.verdict import Loss, Verdict
from cranfield.charts.svg.markup import html_text, join_markup
from cranfield.judging.planning.forecast import forecast_work
from cranfield.judging.planning.progress import progress_of
from cranfield.metrics.reusability.depths import DepthResult
from cranfield.options.trusting import MEASURES
from cranfield.report.blocks import Block, Figures, Html, Text, Top
from cranfield.report.trust import (
    depth_blocks,
    depth_numbers,
    rank_figure,
    ranks,
    top_of_verdict,
    unit_blocks,
    verdict_blocks,
)
from cranfield.store.store import Store
from cranfield.view import View
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.labels import WHOSE, choice_parameter
from cranfield.web.look.scores import TOPICS, measures, view_and_notes
from cranfield.web.look.view import DEPTH, POOL, LookView, Query, QueryError, Row, has_rows, link_line

MOST = 12  # depths on the slider
REUSABILITY_INTRODUCTION = translatable(
    "The loss of each left-out unit if judging had stopped at the chosen depth. At the pool's own depth, the table"
    " shows the verdict's numbers. At other depths, only documents in that pool count as judged."
)
AUTO = "auto"  # the team where teams are known, otherwise the cluster
UNIT_CHOICE = choice_parameter("by", translatable("Leave out each"), [AUTO, "run", "team", "kind", "cluster"])
TABLE = choice_parameter("table", "", ["units", "depths"])


class DepthPanel(NamedTuple):
    """A depth, the address at which it is shown, its numbers with their names, and a figure with its caption."""

    depth: int
    href: str
    numbers: Sequence[tuple[str, str]]
    figure: Markup
    caption: str


def depth_dial(panels: Sequence[DepthPanel], depth: int, language: Language = ENGLISH) -> Markup:
    """The panels, of which one is seen.

    >>> page = str(depth_dial([DepthPanel(depth, f"?depth={depth}", [], Markup(""), "") for depth in (1, 7)], 7))
    >>> page.count(" hidden>"), page.count('aria-current="true"')
    (1, 1)
    """
    links = [_depth_link(panel, panel.depth == depth) for panel in panels]
    label, name = escape(language.gettext("Pool depths")), html_text(language.gettext("Pool depth"))
    nav = f'<nav class="depths" aria-label="{label}"><span>{name}</span> {" ".join(links)}</nav>\n'
    return join_markup(
        ["<div data-dial>\n", nav, *(_panel_html(panel, panel.depth != depth) for panel in panels), "</div>\n"]
    )


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
        return None if self.setting is None else depth_results_as_json(self.view, self.setting, self.at)


def _result_and_notes(store: Store, query: Query) -> tuple[_Findings, Sequence[Block]]:
    view, notes = view_and_notes(store, query, query["pool"])
    names, by = query["measures"], None if query["by"] == AUTO else query["by"]
    verdict = reusability_verdict(view, by, None, names)
    if verdict.left_out.no_verdict or not is_depth_pool(view, None):
        return _Findings(verdict, view, None, []), notes
    setting = leave_out_setting(view, by, None, None)
    return _Findings(
        verdict, view, setting, change_by_depth(view, setting, names[:1], _slider_depths(setting, query))
    ), notes


TOO_DEEP = translatable("depth is %(value)s; expected at most %(most)s, the pool's depth")
RANK_TITLES = {
    "run": translatable("Rank by %(measure)s with and without each run's own contribution"),
    "team": translatable("Rank by %(measure)s with and without each team's own contribution"),
    "cluster": translatable("Rank by %(measure)s with and without each cluster's own contribution"),
    "kind": translatable("Rank by %(measure)s with and without each kind's own contribution"),
}


def _slider_depths(setting: LeaveOutSetting, query: Query) -> list[int]:
    """The depths of the slider, with the one that is asked for."""
    depth = query["depth"] or setting.depth
    if depth > setting.depth:
        raise QueryError(TOO_DEEP, value=depth, most=setting.depth)
    return sorted({*spread_depths(setting.depth, MOST), depth})


def _reusability_rows(store: Store, query: Query) -> Sequence[Row]:
    result = _result_and_notes(store, query)[0]
    if query["table"] == "units":
        return change_rows_with_reason(result.verdict.left_out)
    return [] if result.document is None else depths.rows(result.document, to_print=False)


def _document(store: Store, query: Query) -> object:
    result = _result_and_notes(store, query)[0]
    return result.verdict.to_json() | {"depths": result.document}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    result, notes = _result_and_notes(store, query)
    verdict, document = result.verdict, result.document
    head = top_of_verdict(verdict)._replace(figure=None)
    return [
        *notes,
        _advice_while_judging(store, head, query.language) if verdict.left_out.no_verdict else head,
        *_rank_blocks(result, query),
        Text(translatable("The numbers"), 2),
        *verdict_blocks(verdict),
        *depth_blocks(verdict, document),
        *(
            [link_line([(translatable("Depths as CSV"), query.address(".csv", table="depths"))], query.language)]
            if document
            else []
        ),
        *unit_blocks(verdict),
    ]


def _rank_blocks(result: _Findings, query: Query) -> list[Block]:
    """The ranks with and without the own contribution: at each depth, or of the one pool; none without a verdict."""
    if result.verdict.left_out.no_verdict:
        return []
    left_out = result.verdict.left_out
    title = query.language.gettext(RANK_TITLES[left_out.by], measure=left_out.measures[0])
    head = Text(title, 2)
    if result.setting is None:
        return [head, Figures([ranks(result.verdict)])]
    at = [_as_in_verdict(one, result.verdict) if one.depth == result.setting.depth else one for one in result.at]
    panels = [_depth_panel(one, result.setting.by, query) for one in at]
    return [
        head,
        Text(REUSABILITY_INTRODUCTION),
        Html(depth_dial(panels, query["depth"] or result.setting.depth, query.language)),
    ]


def _as_in_verdict(one: DepthResult, verdict: Verdict) -> DepthResult:
    """The pool of its own depth with the losses of the verdict, in which all judged documents count."""
    pool, units = verdict.left_out.pool, verdict.left_out.units
    judged = pool.judged + pool.judged_outside
    changes = tuple(change for unit in units for change in unit.changes if change.measure == one.measure)
    return one._replace(judged=judged, relevant=round(verdict.relevant_share * judged), tau=1.0, changes=changes)


def _advice_while_judging(store: Store, head: Top, language: Language) -> Top:
    """The top of the page; if judging goes on, that is why there is no verdict."""
    forecast = forecast_work(progress_of(store), datetime.now(UTC))
    if not forecast.left:
        return head
    advice = language.ngettext(
        "Judging is not finished. %(num)s label of %(all)s is left. Time left: %(hours)s. Reusability can be tested"
        " when judging is finished.",
        "Judging is not finished. %(num)s labels of %(all)s are left. Time left: %(hours)s. Reusability can be tested"
        " when judging is finished.",
        forecast.left,
        all=format(forecast.total, ","),
        hours=forecast.hours_in_words,
    )
    return head._replace(advice=advice)


def _depth_panel(one: DepthResult, by: str, query: Query) -> DepthPanel:
    losses = [Loss(change.run, change) for change in one.changes if not isnan(change.full - change.reduced)]
    figure = rank_figure(f"ranks-{one.depth}", by, one.measure, losses)
    return DepthPanel(one.depth, query.address(depth=one.depth), depth_numbers(one.row()), figure.svg, figure.caption)


REUSABILITY = LookView(
    translatable("Reusability"),
    _reusability_rows,
    [UNIT_CHOICE, measures(MEASURES), POOL, TOPICS, *WHOSE, DEPTH._replace(label=""), TABLE],
    _parts,
    _document,
    entry=translatable("Reusability"),
    has_data=has_rows("run", "judgment_event"),
    heavy=True,
)
