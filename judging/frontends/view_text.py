"""The lines that front ends write of a view.

What the program says begins in the first column; text of the collection is indented by two spaces, so that no document
can pose as the program.
"""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.formats import Topic
from cranfield.judging.frontends.keys import DEFAULT, Keys
from cranfield.judging.frontends.wrap import rows, wrap
from cranfield.judging.session.highlight import finder, highlighter
from cranfield.judging.session.view import NAMES, NO_TEXT, RecentDecision, View, heading
from cranfield.text import visible

INDENT = "  "


def topic_lines(view: View, width: int, keys: Keys = DEFAULT) -> list[str]:
    """The topic, the grades, and the progress."""
    if view.topic is None:
        return [f"Everything is done. {keys['undo']} undoes the last decision, {keys['quit']} quits."]
    lines = ["", *topic_text(view.topic, width)]
    if view.criteria:
        lines += ["Your criteria:", *criteria_lines(view, width)]
    grades = [line for grade, meaning in view.grades.items() for line in quoted_lines(f"{grade}  {meaning}", width)]
    left = f"; {view.eta} left overall" if view.eta else ""
    progress = wrap(f"So far: {view.counts}{left}. {keys['help']} for help.", width)
    return [*lines, "Answers:" if view.parts else "Grades:", *grades, *progress]


def topic_text(topic: Topic, width: int) -> list[str]:
    """The text of a topic."""
    lines = [f"Topic {topic.qid}", *quoted_lines(topic.title, width)]
    for name, text in (("Description", topic.description), ("Narrative", topic.narrative)):
        if text.strip():
            lines += [f"{name}:", *quoted_lines(text.strip("\n"), width)]
    return lines


def criteria_lines(view: View, width: int) -> list[str]:
    """The criteria noted for the topic."""
    return [line for one in view.criteria for line in quoted_lines(f"{one.day}  {one.text}", width)]


def document_lines(view: View, width: int) -> list[str]:
    """The document, with the evidence, note and mark of the assessor."""
    if view.document is None:
        return []
    lines = ["", place_line(view)]
    if view.docno_shown:
        lines += [f"Document id: {view.document.docno}"]
    for name, part in zip(NAMES, view.parts, strict=True) if view.parts else [("", view.document)]:
        lines += [f"{name}:"] * bool(name)
        lines += quoted_lines(_marked(heading(part), view), width)
        lines += quoted_lines(_marked(part.text.strip("\n"), view), width) or [NO_TEXT]
    for quote in view.evidence:
        lines += ["Your evidence:", *quoted_lines(quote, width)]
    if view.note:
        lines += ["Your note:", *quoted_lines(view.note, width)]
    return [*lines, *label_lines(view, width), *["Marked as unsure."] * view.unsure]


def label_lines(view: View, width: int) -> list[str]:
    """What an adjudicator decides between, and how the case was settled before."""
    said: list[str] = []
    for letter, words, note, quotes in view.labels:
        texts = [
            f"{letter}: {words}",
            *[f"{letter} noted: {note}"] * bool(note),
            *(f'{letter} marked: "{it}"' for it in quotes),
        ]
        said += [line for text in texts for line in quoted_lines(text, width)]
    settled = [line for words in view.settled for line in quoted_lines(words, width)]
    return ["Labels:", *said] * bool(said) + ["Settled:", *settled] * bool(settled)


def pane_text(view: View, keys: Keys) -> tuple[str, int]:
    """The text of the document pane of the full screen, and where in it the text of the document begins."""
    if view.document is None:
        return topic_lines(view, 70, keys)[0], 0
    title = f"{heading(view.document)}\n\n".lstrip("\n")
    return title + (view.document.text if view.document.text.strip() else NO_TEXT), len(title)


def place_line(view: View) -> str:
    """The position of the document in its topic, and overall where that differs."""
    here, overall = view.position, view.overall
    line = f"{view.noun.capitalize()} {here.number} of {here.of}"
    return line if here == overall else f"{line} ({overall.number} of {overall.of} overall)"


def found_lines(view: View, words: str, width: int) -> list[str]:
    """The rows of the document that have these words, with their numbers."""
    text, pattern = view.document.text.strip("\n") if view.document else "", finder(words)
    spans = list(rows(text, width - len(INDENT)))
    hits = [match.start() for match in pattern.finditer(text)] if pattern else []
    shown = [n for n, (start, _) in enumerate(spans) if any(start <= hit < _next(spans, n) for hit in hits)]
    return [f"{INDENT}{n + 1}: {text[slice(*spans[n])]}" for n in shown]


def _next(spans: Sequence[tuple[int, int]], number: int) -> float:
    return spans[number + 1][0] if number + 1 < len(spans) else float("inf")


def recent_lines(recent: Sequence[RecentDecision], width: int, noun: str = "document") -> list[str]:
    """The last decisions, the newest first."""
    lines = [line for number, one in enumerate(recent, 1) for line in recalled_lines(number, one, width, noun)]
    return lines or ["There are no decisions yet."]


def recalled_lines(number: int, one: RecentDecision, width: int, noun: str = "document") -> list[str]:
    """One recent decision, with its number in the list."""
    (qid, place, words), title, note = one
    lines = wrap(f"{number}. topic {qid}, {noun} {place}: {words}", width)
    return lines + quoted_lines(title, width) + (quoted_lines(f"Your note: {note}", width) if note else [])


def guideline_lines(guidelines: str, width: int) -> list[str]:
    """The guidelines."""
    return quoted_lines(visible(guidelines).strip("\n"), width) or ["This collection has no guidelines."]


def _marked(text: str, view: View) -> str:
    """The text with the highlighted terms between asterisks."""
    pattern = highlighter(view.terms)
    return pattern.sub(lambda match: f"**{match[0]}**", text) if pattern else text


def quoted_lines(text: str, width: int) -> list[str]:
    """A text of the collection, indented."""
    return [(INDENT + row).rstrip() for row in wrap(text, width - len(INDENT))] if text.strip() else []
