"""Two documents as one text, for the pane of a terminal and for finding words."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.formats import Document
from cranfield.judging.session.view import NO_TEXT, heading

NAMES = ("First document", "Second document")
APART = "\n\n\n"


def composite(parts: Sequence[Document]) -> Document:
    """The documents one after the other, each under its name.

    >>> composite([Document("a", "on wings", "lift"), Document("b")]).text.split("\\n")[:4]
    ['First document', '', 'on wings', '']
    """
    return Document("", text=APART.join(_texts(parts)))


def spans(parts: Sequence[Document]) -> list[tuple[int, int]]:
    """Where each document is in that text.

    >>> spans([Document("a", text="lift"), Document("b", text="drag")])
    [(0, 20), (23, 44)]
    """
    found: list[tuple[int, int]] = []
    for text in _texts(parts):
        start = found[-1][1] + len(APART) if found else 0
        found.append((start, start + len(text)))
    return found


def _texts(parts: Sequence[Document]) -> list[str]:
    return [
        "\n\n".join(filter(None, [name, heading(part), part.text.strip("\n") or NO_TEXT]))
        for name, part in zip(NAMES, parts, strict=True)
    ]
