"""How people see the tables that several commands print, and numbers in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cranfield.cli.colours import BAD, UNSURE
from cranfield.cli.tables import Display
from cranfield.formats.text_tables import Row


def rounded(digits: int) -> Callable[[Any], str]:
    return lambda value: f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def signed(digits: int) -> Callable[[Any], str]:
    """Numbers with their sign, for changes: a gain does not look like a loss.

    >>> [signed(1)(value) for value in (2.5, -2.5, -0.04, 0.0)]
    ['+2.5', '-2.5', '0.0', '0.0']
    """

    def text(value: Any) -> str:
        plain = f"{value:.{digits}f}"
        return f"{value:+.{digits}f}" if float(plain) else plain.removeprefix("-")

    return text


def hole(name: str, row: Row) -> str:
    """The colour of the share of judged documents at the top: most judged, most not, or all judged.

    >>> [hole("Judged@10", {"Judged@10": share}) for share in (1.0, 0.9, 0.3)]
    ['', 'unsure', 'bad']
    """
    share = row[name]
    return UNSURE if 0.5 <= share < 1 else BAD if share < 0.5 else ""


def of_scores(rows: Sequence[Row]) -> Display:
    """Scores, with unjudged documents at the top marked."""
    names = [name for name in (rows[0] if rows else ()) if name.startswith("Judged")]
    return Display(colours={name: partial(hole, name) for name in names})


def _loss(row: Row) -> str:
    """The colour of a change in per cent: from 6 it calls for care."""
    return BAD if row["change %"] <= -10 else UNSURE if row["change %"] <= -6 else ""


def of_left_out(rows: Sequence[Row], measure: str) -> tuple[Sequence[Row], Display]:
    """What each unit loses by a measure, for people: a gain with its sign, the measure as a head.

    >>> rows, display = of_left_out([{"measure": "AP", "score": 0.2, "without": 0.25, "change %": 25.0}], "AP")
    >>> rows, display.of(rows)
    ([{'score': 0.2, 'without': 0.25, 'change %': 25.0}], [{'AP': 0.2, 'without': 0.25, 'change %': '+25.0'}])
    """
    shown = [
        {name: value for name, value in row.items() if name != "measure"} for row in rows if row["measure"] == measure
    ]
    spare = ["tau", "unique", "missed", "relevant", "low", "high", "without"]
    return shown, LEFT_OUT._replace(heads={"score": measure}, spare=spare)


SIZES = ("mean change %", "largest change %", "max change %")
CHANGES = Display(  # of scores and ranks, in either direction
    {name: name.replace("change", "|change|") for name in SIZES},
    dict.fromkeys((*SIZES, "judged", "relevant", "unjudged", "mean rank drop"), rounded(2)),
    spare=("mean rank drop", "unjudged", "tau"),
)
LEFT_OUT = Display(digits={"change %": signed(1)}, colours={"change %": _loss})
POOL = Display(
    {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"},
    {"difference": signed(4)},
)
