"""The lines around a document on the full screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cranfield.judging.frontends.keys import Keys
from cranfield.judging.frontends.wrap import cells, wrap
from cranfield.judging.session.view import View
from cranfield.text import counted, visible_line

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
    parts = [
        f"{view.noun.capitalize()} {view.position.number} of {view.position.of}",
        counted(len(view.document.text), "character"),
    ]
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
        elsewhere = view.topic is None or view.topic.qid != view.last.qid
        which = f"Topic {view.last.qid}, {view.noun}" if elsewhere else view.noun.capitalize()
        lines.append(spread(f"{which} {view.last.number}: {view.last.words}", f"{keys['undo']} undoes it ", width))
    return lines + ([f"Check: {reminder} ({keys['undo']})"] if reminder else [])


def grades_bar(view: View, width: int) -> str:
    """All grades in words, on two lines at most; where they do not fit, shortened rather than left out."""
    whole = [f"{grade} {meaning}" for grade, meaning in view.grades.items()]
    brief = [re.split("[:;,(]", word)[0].rstrip() for word in whole]
    longest = max(map(len, brief), default=0)
    shortened = ([fitting(word, room) for word in brief] for room in range(longest, 3, -1))
    packed = [_packed(words, width) for words in (whole, brief)]
    one_line = next((lines for lines in packed if len(lines) == 1), None)
    two_lines = (lines for words in shortened if len(lines := _packed(words, width)) <= 2)
    return "\n".join(one_line or next(two_lines, _packed([str(grade) for grade in view.grades], width)))


def labels_bar(view: View, width: int, rows: int) -> str:
    """What an adjudicator decides between: a line each with as much of the note and evidence as fits, or all packed.

    >>> from types import SimpleNamespace as Shown
    >>> from cranfield.judging.session.view import LabelShown
    >>> labels = [LabelShown("A", "grade 0", "dull", ()), LabelShown("B", "grade 1", "", ("wings",))]
    >>> print(labels_bar(Shown(labels=labels, settled=()), 40, 3))
    A: grade 0 · dull
    B: grade 1 · "wings"
    >>> print(labels_bar(Shown(labels=labels, settled=()), 40, 1))
    A: 0   B: 1
    """
    said = [f"{letter}: {words}" for letter, words, _, _ in view.labels]
    more = ([visible_line(one.note), *(f'"{quote}"' for quote in one.quotes)] for one in view.labels)
    lines = [" · ".join(filter(None, [words, *rest])) for words, rest in zip(said, more, strict=True)]
    lines = lines if len(lines) <= rows else _packed([word.replace("grade ", "") for word in said], width)
    return "\n".join(fitting(line, width) for line in [*lines, *(f"settled: {words}" for words in view.settled)])


def _packed(words: Sequence[str], width: int) -> list[str]:
    """The words on as few lines as they need.

    >>> _packed(["0 no", "1 partly", "2 fully"], 16)
    ['0 no   1 partly', '2 fully']
    """
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}{BETWEEN if lines[-1] else ''}{word}"
        if lines[-1] and sum(map(cells, longer)) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


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
