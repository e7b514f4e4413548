"""Cells of the tables that show the rows of a view: percentages, times in words, numbers with few decimals.

JSON and CSV have the exact values.
"""

from typing import Any

from cranfield.report.blocks import Cell, rounded_cell
from cranfield.web.look.times import seconds_cell

SHARE_COLUMNS = ("same grade", "same relevance", "relevant")  # "relevant" may also be a count


def share_cell(share: float | None) -> Cell:
    """Return a share as a percentage.

    >>> share_cell(0.257)[:2], share_cell(None).text
    (('26%', 0.257), '-')
    """
    return Cell("-") if share is None else Cell(f"{share:.0%}", share)


def readable_cell(column: str, value: Any) -> Any:
    """Return a value of a column as people read it.

    >>> readable_cell("same grade", 0.257).text, readable_cell("median seconds", 46.0).text
    ('26%', '46 s')
    >>> readable_cell("hours left", 1.3812).text, readable_cell("relevant", 3), readable_cell("topic", "q1")
    ('1.38', 3, 'q1')
    """
    if column.endswith("seconds"):
        return seconds_cell(value)
    if not isinstance(value, float):
        return value
    return share_cell(value) if column in SHARE_COLUMNS else rounded_cell(value)
