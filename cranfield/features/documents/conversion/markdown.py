"""Markdown, as CommonMark has it with tables; HTML in it stays as it is written."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

from cranfield.errors import InputError
from cranfield.features.documents.conversion.builder import CELL, INDENT, LINE, PARAGRAPH, Converted, TextBuilder
from cranfield.features.documents.conversion.texts import decoded
from cranfield.formats.yaml_mapping import mapping_of

FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
ABOUT = ("author", "date", "lang", "image")
BLOCKS = {"paragraph": "p", "blockquote": "quote", "table": "table"}


class MarkdownReader:
    """Reads the tokens of a parsed text into a text with layout."""

    def __init__(self) -> None:
        self.made = TextBuilder()
        self._ends: list[Callable[[], None]] = []  # what ends the blocks that are open
        self._lists: list[int | None] = []  # that are open: the number of the next item; None: without numbers
        self._begins = False  # whether an item has nothing yet
        self._cells = 0

    def read(self, tokens: list[Any]) -> None:
        """All tokens of blocks."""
        for token in tokens:
            name, _, which = token.type.rpartition("_")
            if token.type == "inline":
                self._inline(token.children or [])
            elif which == "open":
                self._ends.append(self._open(name, token))
            elif which == "close":
                self._ends.pop()()
            elif token.content:
                kind = "formula" if token.info.strip() == "math" else "pre"
                self.made.whole(kind, token.content.rstrip("\n"), PARAGRAPH)

    def _open(self, name: str, token: Any) -> Callable[[], None]:
        """Begin a block; what ends it."""
        made = self.made
        if name in ("bullet_list", "ordered_list"):
            made.gap(LINE if self._lists else PARAGRAPH)
            self._lists.append(int(token.attrGet("start") or 1) if name == "ordered_list" else None)
            return self._list_end
        if name == "list_item":
            made.gap(LINE)
            self._begins = True
            return partial(made.end, made.begin("li", self._bullet()), LINE)
        if name in ("td", "th"):
            made.gap(CELL if self._cells else "")
            self._cells += 1
            return partial(made.end, made.begin(name), even_empty=True)
        if name == "tr":
            self._cells = 0
            made.gap(LINE)
            return partial(made.end, made.begin("tr"), LINE)
        return self._block(name, token)

    def _block(self, name: str, token: Any) -> Callable[[], None]:
        begins, self._begins = self._begins, False
        if token.hidden or not (kind := token.tag if name == "heading" else BLOCKS.get(name, "")):
            return partial(self.made.gap, "")
        self.made.gap("" if begins else PARAGRAPH)
        return partial(self.made.end, self.made.begin(kind), PARAGRAPH)

    def _bullet(self) -> str:
        indent, number = INDENT * (len(self._lists) - 1), self._lists[-1]
        if number is None:
            return f"{indent}- "
        self._lists[-1] = number + 1
        return f"{indent}{number}. "

    def _list_end(self) -> None:
        self._lists.pop()
        self.made.gap(LINE if self._lists else PARAGRAPH)

    def _inline(self, tokens: list[Any]) -> None:
        places: list[int] = []
        for token in tokens:
            if token.type in ("em_open", "strong_open"):
                places.append(self.made.begin(token.tag))
            elif token.type in ("em_close", "strong_close"):
                self.made.end(places.pop())
            elif token.type == "code_inline":
                self.made.whole("code", token.content)
            elif token.type == "image":
                alt = " ".join(token.content.split())
                self.made.whole("image", f"[image: {alt}]" if alt else "[image]", src=str(token.attrGet("src") or ""))
            elif token.type == "hardbreak":
                self.made.gap(LINE)
            else:
                self.made.flow("\n" if token.type == "softbreak" else token.content)


def markdown(data: bytes, asked: str = "") -> Converted:
    r"""A text in Markdown. Its title is that of its front matter, or its first heading.

    >>> found = markdown(b"---\nauthor: Ada\n---\n# Brakes\n\n1. Clean *it*\n2. Oil it\n")
    >>> found.title, found.text, found.metadata["author"]
    ('Brakes', 'Brakes\n\n1. Clean it\n2. Oil it', 'Ada')
    >>> found.layout
    [[0, 6, 'h1'], [8, 19, 'li'], [17, 19, 'em'], [20, 29, 'li']]
    """
    from markdown_it import MarkdownIt

    source, encoding = decoded(data, asked)
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    front = FRONT_MATTER.match(source)
    fields = _fields(front[1]) if front else {}
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(source[front.end() if front else 0 :])
    reader = MarkdownReader()
    reader.read(tokens)
    headings = (inside.content for one, inside in pairwise(tokens) if one.type == "heading_open")
    title = str(fields.get("title") or next(headings, ""))
    about = {name: str(fields[name]) for name in ABOUT if fields.get(name)}
    return Converted(reader.made.text, " ".join(title.split()), reader.made.layout, {**about, "encoding": encoding})


def _fields(front: str) -> dict[str, Any]:
    """The fields of front matter; none where it is not what it looks like."""
    try:
        return mapping_of(front, "front matter", 1, "front matter")
    except InputError:
        return {}
