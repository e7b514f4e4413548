"""What holds at each depth of a pool, one panel each: links choose one, for which the script has a slider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from .markup import joined, said


class DepthPanel(NamedTuple):
    """A depth, the address at which it is shown, its numbers with their names, and a figure with its caption."""

    depth: int
    href: str
    numbers: Sequence[tuple[str, str]]
    figure: Markup
    caption: str


def depth_dial(panels: Sequence[DepthPanel], chosen: int) -> Markup:
    """The panels, of which one is seen.

    >>> page = str(depth_dial([DepthPanel(depth, f"?depth={depth}", [], Markup(""), "") for depth in (1, 7)], 7))
    >>> page.count(" hidden>"), page.count('aria-current="true"')
    (1, 1)
    """
    links = [_link(panel, panel.depth == chosen) for panel in panels]
    nav = f'<nav class="depths" aria-label="Pool depths"><span>Pool depth</span> {" ".join(links)}</nav>\n'
    return joined(["<div data-dial>\n", nav, *(_panel(panel, panel.depth != chosen) for panel in panels), "</div>\n"])


def _link(panel: DepthPanel, current: bool) -> str:
    mark = ' aria-current="true"' if current else ""
    return f'<a href="{escape(panel.href)}"{mark}>{panel.depth}</a>'


def _panel(panel: DepthPanel, hidden: bool) -> str:
    numbers = "".join(f"<div><dt>{said(name)}</dt><dd>{said(value)}</dd></div>" for name, value in panel.numbers)
    figure = f"<figure>{panel.figure}<figcaption>{said(panel.caption)}</figcaption></figure>"
    opening = f'<div data-depth="{panel.depth}" data-href="{escape(panel.href)}"{" hidden" * hidden}>'
    return f'{opening}<dl class="numbers">{numbers}</dl>{figure}</div>\n'
