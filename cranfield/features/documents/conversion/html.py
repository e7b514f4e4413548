"""Pages, Markdown and e-mail: what a reader reads of them, with its layout.

What a page itself marks as no content is left out. A menu that is kept costs less than a price that is lost, so nothing
is guessed to be unimportant.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.documents.conversion.builder import (
    CELL,
    INDENT,
    LINE,
    PARAGRAPH,
    Conversion,
    SkipError,
    TextBuilder,
)
from cranfield.features.documents.conversion.texts import decode, html_text
from cranfield.formats.mappings import parse_yaml_fields

DROPPED = frozenset(
    ("script", "style", "template", "noscript", "nav", "footer", "aside", "form", "svg", "iframe", "object", "select",
     "head", "-comment", "!doctype")
)  # fmt: skip
HEADINGS = {f"h{level}": f"h{level}" for level in range(1, 7)}
BLOCKS = {**HEADINGS, "p": "p", "dt": "p", "dd": "p", "figcaption": "p", "blockquote": "quote", "pre": "pre",
          "table": "table"}  # fmt: skip
CELLS = {"td": "td", "th": "th"}
INLINE = {"em": "em", "i": "em", "strong": "strong", "b": "strong", "sub": "sub", "sup": "sup", "code": "code",
          "tt": "code", "kbd": "code", "samp": "code"}  # fmt: skip
BREAKS = frozenset(
    ("div", "section", "article", "main", "header", "dl", "figure", "details", "summary", "address", "hr", "fieldset",
     "center", "caption", "body")
)  # fmt: skip
PLACES = {  # of metadata
    "author": ("author", "dc.creator"), "date": ("date", "dc.date", "article:published_time"), "image": ("og:image",),
}  # fmt: skip
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,4}")


DEEPEST = 10_000  # elements in elements; the parser takes a time that grows with the square of the depth
MOST_ATTRIBUTES = 10_000  # of an element; the parser takes a time that grows with the square of their number
TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
UNCOUNTED = frozenset(  # without an end tag, or with one that may be missing
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
     "p", "li", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup", "caption", "option", "optgroup",
     "rt", "rp", "a", "nobr", "button", "html", "head", "body")
)  # fmt: skip


class OpenElement(NamedTuple):
    """An element whose children are being read: what to do once they are."""

    close: Callable[[], None]
    pre: bool
    own: dict[str, str]  # direction and language


class PageReader:
    """Reads a page into a text, without recursion: its elements may be nested as deep as they like."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
        self._opened: list[OpenElement] = []
        self._cells: list[int] = []  # of the rows that are open
        self._lists: list[int | None] = []  # that are open: the number of the last item; None: without numbers

    def read(self, root: Any) -> None:
        """The whole tree below a node."""
        node = root
        while node is not None:
            below = self._enter(node)
            if below is not None:
                node = below
                continue
            while node is not None and node.next is None:
                parent = node.parent  # whose end this is
                self._opened.pop().close()
                node = None if parent is None or parent.mem_id == root.mem_id else parent
            node = node.next if node is not None else None

    def _enter(self, node: Any) -> Any:
        """Read a node; its first child, where that comes next."""
        if node.is_text_node:
            pre = bool(self._opened) and self._opened[-1].pre
            (self.builder.add if pre else self.builder.flow)(node.text_content or "")
            return None
        if not node.is_element_node or self._is_dropped(node):
            return None
        tag, attributes = node.tag, node.attributes
        if tag in ("br", "img", "math"):
            self._leaf(tag, node)
            return None
        element = self._open(tag, attributes)
        if node.child is None:
            element.close()
            return None
        self._opened.append(element)
        return node.child

    def _is_dropped(self, node: Any) -> bool:
        if node.tag in DROPPED or "hidden" in node.attributes:
            return True
        return node.tag == "header" and node.parent is not None and node.parent.tag == "body"

    def _leaf(self, tag: str, node: Any) -> None:
        if tag == "br":
            self.builder.gap(LINE)
        elif tag == "img":
            alt = " ".join((node.attributes.get("alt") or "").split())
            source = (node.attributes.get("src") or "").strip()
            if alt or source:
                self.builder.add_block("image", f"[image: {alt}]" if alt else "[image]", src=source)
        else:  # a formula as TeX where the page has it, otherwise as its characters
            annotations = ((one.attributes.get("encoding") or "", one) for one in node.css("annotation"))
            tex = next((one.text() for encoding, one in annotations if "tex" in encoding), "")
            if formula := " ".join((tex or node.attributes.get("alttext") or node.text() or "").split()):
                self.builder.add_block("formula", formula)

    def _open(self, tag: str, attributes: dict[str, str | None]) -> OpenElement:
        pre = tag in ("pre", "textarea") or (bool(self._opened) and self._opened[-1].pre)
        own = {
            **(self._opened[-1].own if self._opened else {}),
            **(_text_attributes(attributes) if tag != "html" else {}),
        }
        return OpenElement(self._begin(tag, own), pre, own)

    def _begin(self, tag: str, own: dict[str, str]) -> Callable[[], None]:
        """Begin an element; what ends it."""
        builder = self.builder
        if tag in BLOCKS:
            builder.gap(PARAGRAPH)
            return partial(builder.end, builder.begin(BLOCKS[tag], **own), PARAGRAPH)
        if tag in INLINE:
            return partial(builder.end, builder.begin(INLINE[tag]))
        if tag == "li":
            builder.gap(LINE)
            return partial(builder.end, builder.begin("li", self._bullet(), **own), LINE)
        if tag in ("ul", "ol", "menu"):
            builder.gap(LINE if self._lists else PARAGRAPH)
            self._lists.append(0 if tag == "ol" else None)
            return self._list_end
        if tag == "tr" or (tag in CELLS and self._cells):
            return self._begin_row(tag, own)
        gap = LINE if tag in BREAKS else ""
        builder.gap(gap)
        return partial(builder.gap, gap)

    def _begin_row(self, tag: str, own: dict[str, str]) -> Callable[[], None]:
        if tag == "tr":
            self.builder.gap(LINE)
            self._cells.append(0)
            return partial(self._row_end, self.builder.begin("tr"))
        if self._cells[-1]:
            self.builder.gap(CELL)
        self._cells[-1] += 1
        return partial(self.builder.end, self.builder.begin(CELLS[tag], **own), even_empty=True)

    def _bullet(self) -> str:
        """What an item begins with."""
        indent, number = INDENT * (len(self._lists) - 1), self._lists[-1] if self._lists else None
        if number is None:
            return f"{indent}- "
        self._lists[-1] = number + 1
        return f"{indent}{number + 1}. "

    def _list_end(self) -> None:
        self._lists.pop()
        self.builder.gap(LINE if self._lists else PARAGRAPH)

    def _row_end(self, place: int) -> None:
        self._cells.pop()
        self.builder.end(place, LINE)


def _text_attributes(attributes: dict[str, str | None]) -> dict[str, str]:
    """The direction and the language that an element says."""
    values = {name: (attributes.get(name) or "").strip() for name in ("dir", "lang")}
    values["dir"] = values["dir"].lower() if values["dir"].lower() in ("rtl", "ltr") else ""
    values["lang"] = values["lang"] if LANGUAGE.fullmatch(values["lang"]) else ""
    return {name: value for name, value in values.items() if value}


def html(data: bytes, fallback: str = "") -> Conversion:
    """A page as text with its layout; tests/features/documents has examples, as they need the extra `files`."""
    from selectolax.lexbor import LexborHTMLParser

    source, encoding = html_text(data, fallback)
    check_depth(source)
    check_attributes(source)
    page = LexborHTMLParser(source)
    reader = PageReader()
    if page.root is not None:
        reader.read(page.root)
    heading = page.css_first("h1")
    title = page.css_first("head > title") or heading
    about = {"encoding": encoding, **dict(metadata_of_page(page))}
    return Conversion(
        reader.builder.text, " ".join((title.text() if title else "").split()), reader.builder.layout, about
    )


def check_depth(source: str) -> None:
    """Raise SkipError where the elements of a page are nested too deep to be parsed in linear time.

    >>> check_depth("<b>" * 20_000)
    Traceback (most recent call last):
    cranfield.features.documents.conversion.builder.SkipError: nested too deep: more than 10,000 elements
    >>> check_depth("<div><b></div>" * 20_000)
    """
    opened, counts = list[str](), Counter[str]()
    for tag in TAG.finditer(source):
        name = tag[2].lower()
        if name in UNCOUNTED:
            continue
        if not tag[1]:
            opened.append(name)
            counts[name] += 1
            if len(opened) > DEEPEST:
                raise SkipError(f"nested too deep: more than {DEEPEST:,} elements")
        elif counts[name]:
            while True:
                closed = opened.pop()
                counts[closed] -= 1
                if closed == name:
                    break


def check_attributes(source: str) -> None:
    """Raise SkipError where an element has too many attributes to be parsed in linear time.

    >>> check_attributes("<p " + " ".join(map("a{}=1".format, range(20_000))) + ">")
    Traceback (most recent call last):
    cranfield.features.documents.conversion.builder.SkipError: an element with more than 10,000 attributes
    >>> check_attributes("<p a=1>" + "many words " * 20_000 + "</p>")
    """
    ends = [tag.end() for tag in TAG.finditer(source)]
    for start, following in pairwise([*ends, len(source)]):
        if following - start > 2 * MOST_ATTRIBUTES:
            inside = source[start:following].partition(">")[0]
            if len(inside.split(None, MOST_ATTRIBUTES)) > MOST_ATTRIBUTES:
                raise SkipError(f"an element with more than {MOST_ATTRIBUTES:,} attributes")


def metadata_of_page(page: Any) -> Iterator[tuple[str, str]]:
    """What a page says of itself."""
    if page.root is not None and (lang := _text_attributes(page.root.attributes).get("lang")):
        yield "lang", lang
    for name, places in PLACES.items():
        contents = [
            one.attributes.get("content") or ""
            for one in page.css("meta")
            if (one.attributes.get("name") or one.attributes.get("property") or "").lower() in places
        ]
        if contents and contents[0].strip():
            yield name, " ".join(contents[0].split())
    canonical = page.css_first("link[rel=canonical]")
    if canonical and (address := (canonical.attributes.get("href") or "").strip()).startswith(("http://", "https://")):
        yield "url", address


FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
METADATA_FIELDS = ("author", "date", "lang", "image")
MARKDOWN_BLOCKS = {"paragraph": "p", "blockquote": "quote", "table": "table"}


class MarkdownReader:
    """Reads the tokens of a parsed text into a text with layout."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
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
                self.builder.add_block(kind, token.content.rstrip("\n"), PARAGRAPH)

    def _open(self, name: str, token: Any) -> Callable[[], None]:
        """Begin a block; what ends it."""
        builder = self.builder
        if name in ("bullet_list", "ordered_list"):
            builder.gap(LINE if self._lists else PARAGRAPH)
            self._lists.append(int(token.attrGet("start") or 1) if name == "ordered_list" else None)
            return self._list_end
        if name == "list_item":
            builder.gap(LINE)
            self._begins = True
            return partial(builder.end, builder.begin("li", self._bullet()), LINE)
        if name in ("td", "th"):
            builder.gap(CELL if self._cells else "")
            self._cells += 1
            return partial(builder.end, builder.begin(name), even_empty=True)
        if name == "tr":
            self._cells = 0
            builder.gap(LINE)
            return partial(builder.end, builder.begin("tr"), LINE)
        begins, self._begins = self._begins, False
        if token.hidden or not (kind := token.tag if name == "heading" else MARKDOWN_BLOCKS.get(name, "")):
            return partial(builder.gap, "")
        builder.gap("" if begins else PARAGRAPH)
        return partial(builder.end, builder.begin(kind), PARAGRAPH)

    def _bullet(self) -> str:
        indent, number = INDENT * (len(self._lists) - 1), self._lists[-1]
        if number is None:
            return f"{indent}- "
        self._lists[-1] = number + 1
        return f"{indent}{number}. "

    def _list_end(self) -> None:
        self._lists.pop()
        self.builder.gap(LINE if self._lists else PARAGRAPH)

    def _inline(self, tokens: list[Any]) -> None:
        places: list[int] = []
        for token in tokens:
            if token.type in ("em_open", "strong_open"):
                places.append(self.builder.begin(token.tag))
            elif token.type in ("em_close", "strong_close"):
                self.builder.end(places.pop())
            elif token.type == "code_inline":
                self.builder.add_block("code", token.content)
            elif token.type == "image":
                alt = " ".join(token.content.split())
                self.builder.add_block(
                    "image", f"[image: {alt}]" if alt else "[image]", src=str(token.attrGet("src") or "")
                )
            elif token.type == "hardbreak":
                self.builder.gap(LINE)
            else:
                self.builder.flow("\n" if token.type == "softbreak" else token.content)


def markdown(data: bytes, fallback: str = "") -> Conversion:
    r"""A text in Markdown. Its title is that of its front matter, or its first heading.

    >>> found = markdown(b"---\nauthor: Ada\n---\n# Brakes\n\n1. Clean *it*\n2. Oil it\n")
    >>> found.title, found.text, found.metadata["author"]
    ('Brakes', 'Brakes\n\n1. Clean it\n2. Oil it', 'Ada')
    >>> found.layout
    [[0, 6, 'h1'], [8, 19, 'li'], [17, 19, 'em'], [20, 29, 'li']]
    """
    from markdown_it import MarkdownIt

    source, encoding = decode(data, fallback)
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    front = FRONT_MATTER.match(source)
    fields = _fields(front[1]) if front else {}
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(source[front.end() if front else 0 :])
    reader = MarkdownReader()
    reader.read(tokens)
    headings = (inside.content for one, inside in pairwise(tokens) if one.type == "heading_open")
    title = str(fields.get("title") or next(headings, ""))
    about = {name: str(fields[name]) for name in METADATA_FIELDS if fields.get(name)}
    return Conversion(
        reader.builder.text, " ".join(title.split()), reader.builder.layout, {**about, "encoding": encoding}
    )


def _fields(front: str) -> dict[str, Any]:
    """The fields of front matter; none where it is not what it looks like."""
    try:
        return parse_yaml_fields(front, "front matter", 1, "front matter")
    except InputError:
        return {}
