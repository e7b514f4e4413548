"""What the line mode prints of a view.

What the program says begins in the first column; what the collection says is set in by two spaces, so that no document
can pretend to be the program.
"""

from __future__ import annotations

from cranfield.log import spelled

from .text import wrap
from .view import View

INDENT = "  "


def topic_lines(view: View, width: int) -> list[str]:
    """The topic, the grades, and how far it is judged."""
    if view.topic is None:
        return ["Everything is done. u takes the last decision back, q quits."]
    topic = view.topic
    lines = ["", f"Topic {topic.qid}", *_quoted(topic.title, width)]
    for name, text in (("Description", topic.description), ("Narrative", topic.narrative)):
        if text.strip():
            lines += [f"{name}:", *_quoted(text.strip("\n"), width)]
    return [*lines, *wrap(f"Grades: {spelled(view.grades)}. h for help.", width), f"So far: {view.counts}"]


def document_lines(view: View, width: int) -> list[str]:
    """The document, with the assessor's note on it."""
    if view.document is None:
        return []
    lines = ["", place_line(view), *_quoted(view.document.title, width)]
    lines += _quoted(view.document.text.strip("\n"), width) or ["The store has no text of this document."]
    if view.note:
        lines += ["Your note:", *_quoted(view.note, width)]
    return lines + (["Marked as unsure."] if view.unsure else [])


def place_line(view: View) -> str:
    """Where the document stands in its topic, and overall where that is something else."""
    here, overall = view.position, view.overall
    line = f"Document {here.number} of {here.of}"
    return line if here == overall else f"{line} ({overall.number} of {overall.of} overall)"


def _quoted(text: str, width: int) -> list[str]:
    """A text of the collection, set in."""
    return [(INDENT + row).rstrip() for row in wrap(text, width - len(INDENT))] if text.strip() else []
