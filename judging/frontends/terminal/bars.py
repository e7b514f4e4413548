"""The lines around a document on the full screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cranfield.judging.frontends.keys import Keys
from cranfield.judging.frontends.wrap import cells, wrap
from cranfield.judging.session.view import View
from cranfield.text import counted

BETWEEN = "   "


def fitting(text: str, width: int) -> str:
    """The text, cut to the width.

    >>> fitting("one two", 7), fitting("one two three", 7)
    ('one two', 'one tw…')
    """
    used = 0
    for place, character in enumerate(text):
        used += cells(character)
        if used > width or (used == width and place + 1 < len(text)):
            return text[:place] + "…"
    return text


def spread(left: str, right: str, width: int) -> str:
    """Two texts at the ends of a line; the left one is cut if necessary.

    >>> spread("a long title", "3/12", 14)
    'a long t… 3/12'
    """
    room = max(width - sum(map(cells, right)) - 1, 0)
    left = fitting(left, room)
    return left + " " * (room - sum(map(cells, left)) + 1) + right


def head_bar(view: View, width: int, whole: bool = True) -> str:
    """Topic, title, overall progress, time left; the whole title on two lines, or one line of it."""
    total = view.total
    right = f"{total.judged + total.cannot_judge}/{sum(total)} done{f', {view.eta} left' * bool(view.eta)} "
    title = f" {view.topic.qid}  {view.topic.title}" if view.topic else " everything is done"
    if not whole or sum(map(cells, f"{title} {right}")) <= width:
        return spread(title, right, width)
    first, *more = wrap(title, width)
    return f"{first}\n{spread('   ' + ' '.join(more), right, width)}"


def place_bar(view: View, seen: str, width: int) -> str:
    """The position of the document, what the assessor added to it, how much of it has been seen."""
    if view.document is None:
        return ""
    parts = [f"Document {view.position.number} of {view.position.of}", counted(len(view.document.text), "character")]
    parts += [f"{view.counts.later} later"] * bool(view.counts.later)
    parts += ["UNSURE"] * view.unsure + ["note"] * bool(view.note)
    parts += [f"evidence {len(view.evidence)}"] * bool(view.evidence)
    parts += [f"id {view.document.docno}"] * view.docno_shown
    parts += [f"highlighting {view.terms}"] * bool(view.terms)
    return spread("  " + " · ".join(parts), f"{seen} ", width)


def status_lines(view: View, said: str, reminder: str, keys: Keys, width: int) -> list[str]:
    """The last message, the last decision, and a reminder that questions it."""
    lines = [said] if said else []
    if view.last:
        topic = f"topic {view.last.qid}, " if view.topic is None or view.topic.qid != view.last.qid else ""
        lines.append(spread(f"{topic}{view.last.number}: {view.last.words}", f"{keys['undo']} undoes it ", width))
    return lines + ([f"Check: {reminder} ({keys['undo']})"] if reminder else [])


def grades_bar(view: View, width: int) -> str:
    """The grades in words; where they do not fit, without explanations, then with the longest ones cut."""
    words = [f"{grade} {meaning}" for grade, meaning in view.grades.items()]
    if len(BETWEEN.join(words)) > width:
        words = [re.split("[:;,(]", word)[0].rstrip() for word in words]
    rooms = range(max(map(len, words)), 6, -1)
    bars = (BETWEEN.join(fitting(word, room) for word in words) for room in rooms)
    return next((bar for bar in bars if len(bar) <= width), fitting(BETWEEN.join(words), width))


def commands_bar(hints: Sequence[tuple[str, str]], keys: Keys, width: int, reading: bool) -> str:
    """As many keys as fit on two lines, always including help and quit.

    >>> from cranfield.judging.frontends.keys import DEFAULT
    >>> print(commands_bar([("u", "undo"), ("s", "later"), ("x", "cannot judge")], DEFAULT, 17, True))
    u undo  s later
    ? help  q quit
    """
    last = [f"{keys['help']} help", f"{keys['quit']} quit"] if reading else []
    rows = [""]
    room = width - sum(len(word) + 2 for word in last)
    for word in (f"{key} {brief}" for key, brief in hints):
        if len(rows) == 1 and len(rows[0]) + len(word) > width:
            rows.append("")
        if len(rows[-1]) + len(word) > (width if len(rows) == 1 else room):
            break
        rows[-1] += word + "  "
    if len(rows) == 1 and len(rows[0]) > room:
        rows.append("")
    rows[-1] += "  ".join(last)
    return "\n".join(row.rstrip() for row in rows)
