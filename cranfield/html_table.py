"""Rows as a small HTML table, as notebooks show objects."""

from collections.abc import Mapping, Sequence
from html import escape

from cranfield.text import visible_line


def html_table(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """Rows as a small HTML table, as notebooks show objects; all of it is escaped.

    It stands under its caption, its heads are the names of the first row, and numbers are set to the right.

    >>> html_table([{"run": "<b>", "AP": 0.25}], "means")[:51]
    '<p>means</p><table><thead><tr><th>run</th><th>AP</t'
    >>> "&lt;b&gt;" in html_table([{"run": "<b>"}]), html_table([], "no runs")
    (True, '<p>no runs</p>')
    """
    title = f"<p>{_html_text(caption)}</p>" if caption else ""
    if not rows:
        return title
    heads = "".join(f"<th>{_html_text(name)}</th>" for name in rows[0])
    body = "".join(f"<tr>{''.join(map(_html_cell, row.values()))}</tr>" for row in rows)
    return f"{title}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(value: object) -> str:
    if isinstance(value, int | float):
        return f'<td style="text-align: right">{f"{value:.4g}" if isinstance(value, float) else f"{value:,}"}</td>'
    return f'<td style="text-align: left">{_html_text(value)}</td>'


def _html_text(value: object) -> str:
    return escape(visible_line(str(value)))
