"""What cannot be right in a line of a log, found over many lines at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays.rankings import Ints, Mask
from cranfield.formats.logs.part import LATEST, BadLine, LogPart


def placed(part: LogPart) -> LogPart:
    """The part with the position of each action's document in its list, -1 where it was not shown."""
    actions, size = part.actions, len(part.document.names) + 1
    keys = part.impression * size + part.document.codes
    order = np.argsort(keys, kind="stable")
    wanted = actions.impression * size + actions.document
    found = np.searchsorted(keys, wanted, sorter=order)
    there = (found < len(keys)) & (actions.document >= 0)
    there[there] = keys[order[found[there]]] == wanted[there]
    position = actions.position.copy()
    position[there] = order[found[there]] - part.bounds[actions.impression[there]]
    lost = (actions.document >= 0) & ~there
    position[lost] = -1
    return replace(part, actions=replace(actions, position=position))


def bad_lines(part: LogPart) -> Iterator[BadLine]:
    """Everything that is wrong with a part whose actions have positions."""
    for find in CHECKS:
        yield from find(part)


def _not_shown(part: LogPart) -> Iterator[BadLine]:
    actions = part.actions
    for row in np.flatnonzero((actions.document >= 0) & (actions.position < 0)).tolist():
        docno = part.document.names[actions.document[row]]
        yield _bad(part, actions.impression[row], "documents not shown", f"an action on {docno!r}, which was not shown")


def _off_the_list(part: LogPart) -> Iterator[BadLine]:
    actions, length = part.actions, np.diff(part.bounds)
    wrong = actions.position >= length[actions.impression] if len(actions) else np.zeros(0, bool)
    for row in np.flatnonzero(wrong).tolist():
        shown = length[actions.impression[row]]
        what = f"an action at position {actions.position[row] + 1} of a list of {shown}"
        yield _bad(part, actions.impression[row], "documents not shown", what)


def _too_early(part: LogPart) -> Iterator[BadLine]:
    actions = part.actions
    for row in np.flatnonzero(actions.at < part.at[actions.impression]).tolist():
        before = part.at[actions.impression[row]] - actions.at[row]
        yield _bad(
            part, actions.impression[row], "actions before their list", f"an action {before:g} s before its list"
        )


def _improbable(part: LogPart) -> Iterator[BadLine]:
    wrong = (part.propensity <= 0) | (part.propensity > 1) | np.isinf(part.propensity)
    for row, first in _once(part.impression, wrong):
        found = part.propensity[first]
        yield _bad(part, row, "propensities", f"propensity {found:g}; expected more than 0 and at most 1")


def _nameless(part: LogPart) -> Iterator[BadLine]:
    for row, _ in _once(part.impression, part.document.codes < 0):
        yield _bad(part, row, "documents without a name", "a document without a name")


def _twice(part: LogPart) -> Iterator[BadLine]:
    size = len(part.document.names) + 1
    keys = np.sort((part.impression * size + part.document.codes)[part.document.codes >= 0])
    for key in np.unique(keys[1:][keys[1:] == keys[:-1]]).tolist():
        docno = part.document.names[key % size]
        yield _bad(part, key // size, "documents shown twice", f"{docno!r} is twice in the list; expected once")


def _no_query(part: LogPart) -> Iterator[BadLine]:
    for row in np.flatnonzero((part.query.codes < 0) & (part.qid.codes < 0)).tolist():
        yield _bad(part, row, "lines without a query", "neither qid nor query; expected one of them")


def _no_time(part: LogPart) -> Iterator[BadLine]:
    for row in np.flatnonzero(~np.isfinite(part.at)).tolist():
        yield _bad(part, row, "lines without a time", "no time; expected seconds since 1970 or an ISO 8601 time")


def _no_date(part: LogPart) -> Iterator[BadLine]:
    """Milliseconds are beyond any date."""
    row = np.append(np.arange(len(part)), part.actions.impression)
    at = np.append(part.at, part.actions.at)
    for number, first in _once(row, np.isfinite(at) & (abs(at) >= LATEST)):
        yield _bad(part, number, "times after the year 9999", f"time {at[first]:.15g}; expected seconds since 1970")


def _odd_numbers(part: LogPart) -> Iterator[BadLine]:
    actions = part.actions
    for name, values, least in (("seconds", actions.seconds, 0), ("value", actions.value, -np.inf)):
        for row, first in _once(actions.impression, (values < least) | np.isinf(values)):
            what = "a finite number" + " of 0 or more" * (least == 0)
            yield _bad(part, row, "numbers", f"{name} is {values[first]:g}; expected {what}")


CHECKS: Sequence[Callable[[LogPart], Iterator[BadLine]]] = (
    _no_time, _no_date, _no_query, _nameless, _twice, _not_shown, _off_the_list, _too_early, _improbable, _odd_numbers,
)  # fmt: skip


def _once(impression: Ints, wrong: Mask) -> Iterator[tuple[int, int]]:
    """Each impression with something wrong, and the first place of it."""
    places = np.flatnonzero(wrong)
    rows, first = np.unique(impression[places], return_index=True)
    yield from zip(rows.tolist(), places[first].tolist(), strict=True)


def _bad(part: LogPart, row: int, kind: str, message: str) -> BadLine:
    return BadLine(int(part.line[row]), kind, message)
