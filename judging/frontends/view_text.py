"""The lines that front ends write of a view.

What the program says begins in the first column; text of the collection is indented by two spaces, so that no document
can pose as the program.

Rows are wrapped one after the other, so that the first are there before the last are computed.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from cranfield.display.layout import field_lines
from cranfield.display.reflow import Display, join_flowing_lines, other_display
from cranfield.formats import Topic
from cranfield.judging.frontends.keys import DEFAULT, Keys
from cranfield.judging.session.view import (
    NAMES,
    RecentDecision,
    SessionView,
    document_heading,
    term_highlighter,
    text_placeholder,
    word_finder,
)
from cranfield.text import visible_text

Span = tuple[int, int]  # from, to (exclusive)

WORDS = re.compile(r"\s+|\S+")
WIDE = re.compile(  # all but the blocks where every character takes one cell and only a space breaks a line
    r"[^\x00-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u1fff"
    r"\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u2400-\u2426]"
)


def wrap(text: str, width: int) -> list[str]:
    r"""The rows of a text in a column `width` cells wide, keeping its line breaks; CJK characters take two cells.

    >>> wrap("one two three\n\n  indented", 10)
    ['one two', 'three', '', '  indented']
    >>> wrap("漢字漢字", 5)
    ['漢字', '漢字']
    """
    return [text[start:end] for start, end in row_spans(text, width)]


def row_spans(text: str, width: int) -> Iterator[Span]:
    """Where the rows of a text begin and end."""
    width, start = max(width, 2), 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield from _line(text, start, end, width)
        start = end + 1


def _line(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """The rows of one line that are not blank, or a single empty one."""
    if end == start:
        yield start, start
        return
    cut, has_ink = _wide if WIDE.search(text, start, end) else _narrow, False
    for first, last in cut(text, start, end, width):
        if ink := len(text[first:last].rstrip()):
            has_ink = True
            yield first, first + ink
    if not has_ink:
        yield start, start


def _narrow(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """Rows of characters that take one cell each: found with searches, not character by character."""
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        cut = start + width if cut < 0 else cut
        yield start, cut
        start = cut
        while start < end and text[start] == " ":
            start += 1
    yield start, end


def _wide(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    row, used, place = start, 0, start
    for first, last, size in _split_text(text, start, end, width):
        if used + size > width:
            yield row, place
            row, used = first, 0
        if used == 0 and row > start and text[first:last].isspace():
            row = last
        else:
            used += size
        place = last
    yield row, end


def _split_text(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Words and the spaces between them, each with its width; what is wider than a row in several pieces."""
    for match in WORDS.finditer(text, start, end):
        first, used = match.start(), 0
        for place in range(match.start(), match.end()):
            size = terminal_width(text[place])
            if used + size > width:
                yield first, place, used
                first, used = place, 0
            used += size
        yield first, match.end(), used


@lru_cache(100_000)
def terminal_width(character: str) -> int:
    r"""How many cells of a terminal a character takes.

    >>> terminal_width("a"), terminal_width("漢"), terminal_width("\u0301")
    (1, 2, 0)
    """
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class WrappedRows:
    """The rows of a text, computed as far as they are needed.

    >>> some = WrappedRows("one two three four", 5)
    >>> some.grow(1), len(some.spans), some.complete
    (None, 1, False)
    >>> some.grow(), some.spans, some.complete
    (None, [(0, 3), (4, 7), (8, 13), (14, 18)], True)
    >>> some.row_of(9)
    2
    """

    def __init__(self, text: str, width: int) -> None:
        self.text, self.complete = text, False
        self.spans: list[Span] = []
        self._more = row_spans(text, width)

    def grow(self, by: int | None = None) -> None:
        """Compute this many more rows, or all."""
        while by is None or by > 0:
            span = next(self._more, None)
            if span is None:
                self.complete = True
                return
            self.spans.append(span)
            by = None if by is None else by - 1

    def row_of(self, offset: int) -> int:
        """The row that shows an offset of the text."""
        while not self.complete and (not self.spans or self.spans[-1][1] <= offset):
            self.grow(500)
        return max(bisect_right(self.spans, offset, key=lambda span: span[0]) - 1, 0)


INDENT = "  "


def topic_lines(view: SessionView, width: int, keys: Keys = DEFAULT) -> list[str]:
    """The topic, the grades, and the progress."""
    if view.topic is None:
        return [f"Everything is done. {keys['undo']} undoes the last decision, {keys['quit']} quits."]
    lines = ["", *topic_text(view.topic, width)]
    if view.criteria:
        lines += ["Your criteria:", *criteria_lines(view, width)]
    grades = [line for grade, meaning in view.grades.items() for line in indented_lines(f"{grade}  {meaning}", width)]
    eta = f"; {view.eta} left overall" if view.eta else ""
    progress = wrap(f"So far: {view.counts}{eta}. {keys['help']} for help.", width)
    return [*lines, "Answers:" if view.parts else "Grades:", *grades, *progress]


def topic_text(topic: Topic, width: int) -> list[str]:
    """The text of a topic."""
    lines = [f"Topic {topic.qid}", *indented_lines(topic.title, width)]
    for name, text in (("Description", topic.description), ("Narrative", topic.narrative)):
        if text.strip():
            lines += [f"{name}:", *indented_lines(text.strip("\n"), width)]
    return lines


def criteria_lines(view: SessionView, width: int) -> list[str]:
    """The criteria noted for the topic."""
    return [line for one in view.criteria for line in indented_lines(f"{one.day}  {one.text}", width)]


def document_lines(view: SessionView, width: int, other: bool = False) -> list[str]:
    """The document, with the evidence, note and mark of the assessor; `other` for the other display of its lines."""
    if view.document is None:
        return []
    here, overall = view.position, view.overall  # its place in the topic, and in all of the work
    place = f"{view.noun.capitalize()} {here.number} of {here.of}"
    lines = ["", place if here == overall else f"{place} ({overall.number} of {overall.of} overall)"]
    if view.docno_shown:
        lines += [f"Document id: {view.document.docno}"]
    for name, part in zip(NAMES, view.parts, strict=True) if view.parts else [("", view.document)]:
        lines += [f"{name}:"] * bool(name)
        lines += indented_lines(_highlight(document_heading(part), view), width)
        lines += [line for text in field_lines(part.metadata) for line in indented_lines(text, width)]
        display = (other_display(part.text) or "auto") if other else "auto"
        text = join_flowing_lines(part.text, display).strip("\n")
        lines += indented_lines(_highlight(text, view), width) or [text_placeholder(part)]
    for quote in view.evidence:
        lines += ["Your evidence:", *indented_lines(quote, width)]
    if view.note:
        lines += ["Your note:", *indented_lines(view.note, width)]
    return [*lines, *label_lines(view, width), *["Marked as unsure."] * view.unsure]


def label_lines(view: SessionView, width: int) -> list[str]:
    """What an adjudicator decides between, and how the case was settled before."""
    labels: list[str] = []
    for letter, words, note, quotes in view.labels:
        texts = [
            f"{letter}: {words}",
            *[f"{letter} noted: {note}"] * bool(note),
            *(f'{letter} marked: "{it}"' for it in quotes),
        ]
        labels += [line for text in texts for line in indented_lines(text, width)]
    before = [line for words in view.settled for line in indented_lines(words, width)]
    return ["Labels:", *labels] * bool(labels) + ["Settled:", *before] * bool(before)


def pane_text(view: SessionView, keys: Keys, display: Display = "auto") -> tuple[str, int]:
    """The text of the document pane of the full screen, and where in it the text of the document begins."""
    if view.document is None:
        return topic_lines(view, 70, keys)[0], 0
    above = [document_heading(view.document), "\n".join(field_lines(view.document.metadata))]
    title = "".join(f"{text}\n\n" for text in above if text)
    text = join_flowing_lines(view.document.text, display)
    return title + (text if text.strip() else text_placeholder(view.document)), len(title)


def numbered_lines_with_match(view: SessionView, words: str, width: int) -> list[str]:
    """The rows of the document that have these words, with their numbers."""
    text, pattern = join_flowing_lines(view.document.text).strip("\n") if view.document else "", word_finder(words)
    spans = list(row_spans(text, width - len(INDENT)))
    hits = [match.start() for match in pattern.finditer(text)] if pattern else []
    numbers = [n for n, (start, _) in enumerate(spans) if any(start <= hit < _next(spans, n) for hit in hits)]
    return [f"{INDENT}{n + 1}: {text[slice(*spans[n])]}" for n in numbers]


def _next(spans: Sequence[tuple[int, int]], number: int) -> float:
    return spans[number + 1][0] if number + 1 < len(spans) else float("inf")


def recent_lines(recent: Sequence[RecentDecision], width: int, noun: str = "document") -> list[str]:
    """The last decisions, the newest first."""
    lines = [line for number, one in enumerate(recent, 1) for line in recent_decision_lines(number, one, width, noun)]
    return lines or ["There are no decisions yet."]


def recent_decision_lines(number: int, one: RecentDecision, width: int, noun: str = "document") -> list[str]:
    """One recent decision, with its number in the list."""
    (qid, place, words), title, note = one
    lines = wrap(f"{number}. topic {qid}, {noun} {place}: {words}", width)
    return lines + indented_lines(title, width) + (indented_lines(f"Your note: {note}", width) if note else [])


def guideline_lines(guidelines: str, width: int) -> list[str]:
    """The guidelines."""
    return indented_lines(visible_text(guidelines).strip("\n"), width) or ["This collection has no guidelines."]


def _highlight(text: str, view: SessionView) -> str:
    """The text with the highlighted terms between asterisks."""
    pattern = term_highlighter(view.terms)
    return pattern.sub(lambda match: f"**{match[0]}**", text) if pattern else text


def indented_lines(text: str, width: int) -> list[str]:
    """A text of the collection, indented."""
    return [(INDENT + row).rstrip() for row in wrap(text, width - len(INDENT))] if text.strip() else []
