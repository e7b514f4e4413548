"""Small HTML tables, as notebooks show objects. Everything in them is escaped."""

from collections.abc import Mapping, Sequence
from html import escape

from cranfield.text import visible_line


def html_table(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """Rows as a table under a caption; its heads are the names of the first row, and numbers are set to the right.

    >>> html_table([{"run": "<b>", "AP": 0.25}], "means")[:51]
    '<p>means</p><table><thead><tr><th>run</th><th>AP</t'
    >>> "&lt;b&gt;" in html_table([{"run": "<b>"}]), html_table([], "no runs")
    (True, '<p>no runs</p>')
    """
    title = f"<p>{_text(caption)}</p>" if caption else ""
    if not rows:
        return title
    heads = "".join(f"<th>{_text(name)}</th>" for name in rows[0])
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
    return f"{title}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, int | float):
        return f'<td style="text-align: right">{f"{value:.4g}" if isinstance(value, float) else f"{value:,}"}</td>'
    return f'<td style="text-align: left">{_text(value)}</td>'


def _text(value: object) -> str:
    return escape(visible_line(str(value)))
