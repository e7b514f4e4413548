"""Events of OpenSearch UBI: which can be used with a list, and the actions that they are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isinf
from typing import Any, NamedTuple

from cranfield.features.online.formats.parts import ActionRow, BadLine

KIND_OF = {
    "click": "click", "item_click": "click", "product_click": "click", "result_click": "click", "view": "click",
    "watch": "dwell", "dwell": "dwell", "add_to_cart": "convert", "purchase": "convert", "convert": "convert",
    "conversion": "convert", "download": "convert", "hover": "hover", "product_hover": "hover",
    "reformulate": "reformulate",
}  # fmt: skip
SHOWN = "impression"


class UbiEvent(NamedTuple):
    """An event: its line, query, action, time, the document and its position as written, and the seconds."""

    line: int
    query_id: str
    action: str
    at: float
    document: str
    ordinal: int | None
    seconds: float
    fields: dict[str, Any]


def usable_events(events: Sequence[UbiEvent], at: float, bad: list[BadLine]) -> Iterator[UbiEvent]:
    """The events that can be used with a list of this time; the others are errors of their own lines."""
    for event in events:
        if event.at < at:
            what = f"an action {at - event.at:,.10g} s before its list; expected both times from one clock"
            bad.append(BadLine(event.line, "actions before their list", what))
        elif event.seconds < 0 or isinf(event.seconds):
            what = f"seconds is {event.seconds:g}; expected a finite number of 0 or more"
            bad.append(BadLine(event.line, "numbers", what))
        else:
            yield event


def actions_of_events(
    events: Iterable[UbiEvent], documents: Sequence[str], origin: int, others: Counter[str]
) -> list[ActionRow]:
    """What was done with a list; what has no kind here, or is beyond the list, is counted."""
    rows, shown = [], set(documents)
    for event in events:
        kind = KIND_OF.get(event.action.lower())
        has_place = not event.document and event.ordinal is not None
        position = (event.ordinal or 0) - origin if has_place else -1
        is_elsewhere = event.document not in shown if event.document else has_place and position < 0
        if kind and (is_elsewhere or position >= len(documents)):
            what = "document" if event.document else "position"
            others[f"{event.action} on a {what} that the list did not show"] += 1
        elif kind:
            rows.append(ActionRow(kind, event.document, position, event.at, event.seconds))
        elif event.action != SHOWN:
            others[event.action] += 1
    return rows
