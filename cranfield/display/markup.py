"""A text with its layout as HTML: every tag is written here, and what it holds, joined, is the text as shown.

So a place in what a reader selects is a place in the text, whatever is around it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from cranfield.display.layout import BLOCKS, HEADINGS, Node
from cranfield.display.reflow import DRAWN_UP, FLOW, Display, block_shapes, is_between_cjk_characters

TAGS = {
    "li": "li", "quote": "blockquote", "pre": "pre", "table": "table", "tr": "tr", "td": "td", "th": "th",
    "code": "code", "em": "em", "strong": "strong", "sub": "sub", "sup": "sup",
}  # fmt: skip
CLASSES = {"formula": "code", "image": "span", "page": "section", "p": "div"}  # written with their kind as class
STRUCTURE = ("table", "tr")  # what stands between its parts is blank, and no reader sees it
PICTURES = "/image/"  # where a server has them, by SHA-256
FIRST_LEVEL = 2  # of a document's headings: the page has the first


class Mark(NamedTuple):
    """What is marked: from where to where (exclusive), and its class."""

    start: int
    end: int
    kind: str


class TextMarkup:
    """Writes parts of one text: `root` is its layout, `display` how its lines are displayed."""

    def __init__(self, text: str, root: Node, display: Display = "auto") -> None:
        self.text, self.root, self.display = text, root, display
        self._marks: list[Mark] = []
        self._done = 0  # marks that end before what is being written
        self._from, self._to = 0, len(text)
        self._levels: list[int] = []

    def write(self, start: int, end: int, marks: Sequence[Mark] = ()) -> Markup:
        r"""The text from one place to another; a stretch that goes beyond it is closed there and begun again.

        >>> from cranfield.display.layout import Region, region_tree
        >>> page = TextMarkup("On oil", region_tree([Region(0, 6, "h1"), Region(3, 6, "em")], "On oil"))
        >>> print(page.write(0, 6, [Mark(3, 4, "found")]))
        <h2 dir="auto">On <em><mark class="found">o</mark>il</em></h2>
        """
        self._from, self._to, self._levels, self._done = start, end, [], 0
        self._marks = sorted(mark for mark in marks if mark.start < end and mark.end > start)
        return Markup("").join(self._node_markup(self.root))

    def _node_markup(self, node: Node) -> Iterator[Markup]:
        """What is in a stretch: its parts, and the text between them."""
        blocks = any(one.kind in BLOCKS - {"formula"} or one.kind == "page" for one in node.inside)
        at, is_listed = node.start, False
        for one in node.inside:
            if not self._overlaps_range(one):
                continue
            gap = self.text[at : one.start]
            if is_listed and (one.kind != "li" or gap.strip()):
                yield Markup("</ul>")
                is_listed = False
            yield from self._text_between(node, at, one.start, blocks and not is_listed, is_listed)
            if one.kind == "li" and not is_listed:
                yield Markup("<ul>")
                is_listed = True
            tag, attributes = self._tag(one)
            yield Markup("<{}{}>").format(tag, Markup(attributes))
            if tag == "pre" and self.text[max(one.start, self._from) :].startswith("\n"):
                yield Markup("\n")  # the first newline of such an element is not read
            if one.picture and self._from <= one.start:
                alt = "" if one.start < one.end else "Picture"  # what is said of it stands below
                yield Markup('<img src="{}{}" alt="{}">').format(PICTURES, one.picture, alt)
            yield from self._node_markup(one)
            yield Markup("</{}>").format(tag)
            at = one.end
        if is_listed:
            yield Markup("</ul>")
        yield from self._text_between(node, at, node.end, blocks, False)

    def _overlaps_range(self, node: Node) -> bool:
        if node.start == node.end:
            return self._from <= node.start < self._to or node.start == self._to == len(self.text)
        return node.start < self._to and node.end > self._from

    def _tag(self, node: Node) -> tuple[str, str]:
        kind = node.kind
        block = kind in BLOCKS or kind in ("td", "th")
        attribute = f' class="{kind}"' if kind in CLASSES else ""
        side = f' dir="{node.dir or "auto"}"' if block and kind not in ("table", "pre") else ""
        attribute += ' tabindex="0"' if kind == "table" else ""  # which scrolls where it is too wide
        language = f' lang="{escape(node.lang)}"' if node.lang else ""
        return self._heading(kind) if kind in HEADINGS else CLASSES.get(kind) or TAGS[kind], attribute + side + language

    def _heading(self, kind: str) -> str:
        """A level below that of the heading above, however the document counts."""
        level = HEADINGS.index(kind)
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        self._levels.append(level)
        return f"h{min(FIRST_LEVEL - 1 + len(self._levels), 6)}"

    def _text_between(self, node: Node, start: int, end: int, blocks: bool, is_listed: bool) -> Iterator[Markup]:
        """Text that is directly in a stretch."""
        start, end = max(start, self._from), min(end, self._to)
        if start >= end:
            return
        if node.kind in STRUCTURE or is_listed:
            yield Markup("{}").format(self.text[start:end])
        elif blocks:
            words = self.text[start:end]
            first = start + len(words) - len(words.lstrip("\n"))
            last = max(end - (len(words) - len(words.rstrip("\n"))), first)
            yield from self._gap_markup(start, first)
            if first < last:
                yield Markup('<div class="p" dir="auto">')
                yield from self._lines(node, first, last)
                yield Markup("</div>")
            yield from self._gap_markup(last, end)
        else:
            yield from self._lines(node, start, end)

    def _gap_markup(self, start: int, end: int) -> Iterator[Markup]:
        if start < end:
            yield Markup('<span class="gap">{}</span>').format(self.text[start:end])

    def _lines(self, node: Node, start: int, end: int) -> Iterator[Markup]:
        """Text in which what was wrapped by hand flows, and what is drawn scrolls where it is too wide."""
        if node.kind in ("", "page"):
            for first, last, shape in block_shapes(self.text, start, end, self.display):
                yield from self._text_with_mark_tags(start, first)
                yield Markup('<span class="{}"{}>').format(shape, Markup(' tabindex="0"' * (shape == DRAWN_UP)))
                yield from self._join(first, last) if shape == FLOW else self._text_with_mark_tags(first, last)
                yield Markup("</span>")
                start = last
        yield from self._text_with_mark_tags(start, end)

    def _join(self, start: int, end: int) -> Iterator[Markup]:
        """A flow, in which newlines between characters without blanks take no room."""
        for place in range(start, end):
            if self.text[place] == "\n" and is_between_cjk_characters(self.text, place):
                yield from self._text_with_mark_tags(start, place)
                yield Markup('<span class="join">\n</span>')
                start = place + 1
        yield from self._text_with_mark_tags(start, end)

    def _text_with_mark_tags(self, start: int, end: int) -> Iterator[Markup]:
        while self._done < len(self._marks) and self._marks[self._done].end <= start:
            self._done += 1
        last_near = bisect_left(self._marks, (end,), lo=self._done)
        near = [mark for mark in self._marks[self._done : last_near] if mark.end > start]
        cuts = sorted({start, end, *(place for mark in near for place in mark[:2] if start < place < end)})
        for first, last in pairwise(cuts):
            kinds = dict.fromkeys(mark.kind for mark in near if mark.start <= first and last <= mark.end)
            piece = escape(self.text[first:last])
            yield Markup('<mark class="{}">{}</mark>').format(" ".join(kinds), piece) if kinds else piece


def cut_positions(text: str, longest: int) -> Iterator[int]:
    r"""Where to cut a text: after a paragraph, a line or a word, or wherever a piece is full.

    >>> [list(cut_positions(*text)) for text in (("a line\nanother\n", 10), ("two words", 5), ("x" * 25, 10))]
    [[7], [4], [10, 20]]
    """
    start = 0
    while len(text) - start > longest:
        end = start + longest
        gaps = ((text.rfind(gap, start + longest // 2, end), len(gap)) for gap in ("\n\n", "\n", " "))
        start = next((at + size for at, size in gaps if at >= 0), end)
        yield start


EMPTY: Sequence[tuple[str, str | None]] = ()


class Structure(HTMLParser):
    r"""What markup is made of: [tag, attributes, parts]; a number is that many UTF-16 units of the text.

    >>> Structure.from_markup(Markup('<h2 dir="auto">On <em>\U0001f600</em></h2>'))
    [['h2', {'dir': 'auto'}, [3, ['em', {}, [2]]]]]
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root: list[Any] = []
        self._open = [self.root]
        self._begun = ""  # the tag that nothing has followed yet

    @classmethod
    def from_markup(cls, markup: Markup) -> list[Any]:
        """The parts of markup that was written here."""
        parser = cls()
        parser.feed(str(markup))
        parser.close()
        return parser.root

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]] = EMPTY) -> None:
        """Begin an element."""
        parts: list[Any] = []
        self._open[-1].append([tag, {name: value or "" for name, value in attrs}, parts])
        self._open.append(parts)
        self._begun = tag

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        self._open.pop()
        self._begun = ""

    def handle_data(self, data: str) -> None:
        """Count the text; the first newline of a `pre` is none of it."""
        text = data[1:] if self._begun == "pre" and data.startswith("\n") else data
        self._begun = ""
        if units := len(text.encode("utf-16-le", "surrogatepass")) // 2:
            self._open[-1].append(units)
