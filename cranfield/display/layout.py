"""The layout of a text, stretches of it and what each is, and what is shown beside it; checked when read, never markup.

A document has it among its metadata as `layout`: a list of [start, end, kind] or [start, end, kind, attributes], with
places that count characters of the text. What is shown beside it are fields as they were when it was imported, as
`shown`: a list of [name, type, value], of an image [name, type, value, SHA-256].
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
STAND_OUT = frozenset((*HEADINGS, "th", "strong"))  # where there are no fonts
INLINE = frozenset(("code", "em", "strong", "sub", "sup", "image", "formula"))
BLOCKS = frozenset((*HEADINGS, "p", "li", "quote", "pre", "table", "formula"))
KINDS = INLINE | BLOCKS | {"tr", "th", "td", "page"}
ALLOWED_CHILDREN: Mapping[str, frozenset[str]] = {  # what may stand in what; in all else stand inline stretches
    "": BLOCKS | INLINE | {"page"},
    "page": BLOCKS | INLINE,
    **dict.fromkeys(("li", "quote", "td", "th"), BLOCKS | INLINE),
    "table": frozenset(("tr",)),
    "tr": frozenset(("td", "th")),
}
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,4}")
DIGEST = re.compile("[0-9a-f]{64}")
ATTRIBUTES = ("dir", "lang", "sha256")
DEEPEST = 40
MOST = 1_000_000  # stretches


class Region(NamedTuple):
    """A stretch of a text: characters from `start` to `end` (exclusive), and what they are."""

    start: int
    end: int
    kind: str
    dir: str = ""  # rtl or ltr, where it was said
    lang: str = ""
    picture: str = ""  # of an image, the SHA-256 of what is shown


def layout_of(metadata: Mapping[str, Any], text: str) -> list[Region]:
    """The layout among a document's metadata; none where that is no layout of this text.

    >>> layout_of({"layout": [[0, 6, "h1", {"dir": "rtl"}]]}, "Brakes")
    [Region(start=0, end=6, kind='h1', dir='rtl', lang='', picture='')]
    >>> layout_of({"layout": [[0, 7, "h1"]]}, "Brakes"), layout_of({"layout": "portrait"}, "Brakes")
    ([], [])
    """
    rows = metadata.get("layout")
    if not isinstance(rows, list) or len(rows) > MOST:
        return []
    stretches = [_valid_region(one, len(text)) for one in rows]
    return [one for one in stretches if one] if all(stretches) else []


def move_regions(layout: Sequence[Region], place: Callable[[int], int]) -> list[Region]:
    """The same of a text in which each place is another."""
    return [one._replace(start=place(one.start), end=place(one.end)) for one in layout]


def as_lists(layout: Sequence[Region]) -> list[list[Any]]:
    """A layout as it stands among metadata.

    >>> as_lists([Region(0, 6, "h1", lang="de")])
    [[0, 6, 'h1', {'lang': 'de'}]]
    """
    return [
        [start, end, kind, {name: one for name, one in zip(ATTRIBUTES, about, strict=True) if one}]
        for start, end, kind, *about in layout
    ]


def _valid_region(row: Any, length: int) -> Region | None:
    """One stretch, or nothing where it is none."""
    if not isinstance(row, list) or len(row) not in (3, 4):
        return None
    start, end, kind, attributes = [*row, {}][:4]
    places = all(type(place) is int for place in (start, end)) and 0 <= start <= end <= length
    if not places or kind not in KINDS or not isinstance(attributes, dict):
        return None
    direction, language, digest = (str(attributes.get(name, "")) for name in ATTRIBUTES)
    return Region(
        start, end, kind,
        direction if direction in ("rtl", "ltr") else "",
        language if LANGUAGE.fullmatch(language) else "",
        digest if kind == "image" and DIGEST.fullmatch(digest) else "",
    )  # fmt: skip


class Node(NamedTuple):
    """A stretch with those inside it, none of which overlaps another."""

    start: int
    end: int
    kind: str
    dir: str
    lang: str
    picture: str
    inside: list["Node"]


def region_tree(stretches: Sequence[Region], text: str) -> Node:
    """The stretches as a tree; what lies across another, or may not stand where it does, is left out.

    >>> regions = [Region(0, 4, "p"), Region(0, 3, "em"), Region(2, 6, "strong"), Region(5, 6, "td")]
    >>> found = region_tree(regions, "a text")
    >>> [(node.kind, [one.kind for one in node.inside]) for node in found.inside]
    [('p', ['em'])]
    """
    root = Node(start=0, end=len(text), kind="", dir="", lang="", picture="", inside=[])
    stack = [root]
    for one in sorted(stretches, key=lambda one: (one.start, -one.end)):
        while len(stack) > 1 and not _is_nested(stack[-1], one):
            stack.pop()
        above = stack[-1]
        if one.end <= above.end and one.kind in ALLOWED_CHILDREN.get(above.kind, INLINE) and len(stack) < DEEPEST:
            stack.append(Node(*one, []))
            above.inside.append(stack[-1])
    return _drop_broken_tables(root, text)


def _is_nested(above: Node, one: Region) -> bool:
    """Whether a stretch still begins in one above it; an empty cell may stand at the end of its row."""
    empty_at_end = one.start == one.end == above.end and one.kind in ALLOWED_CHILDREN.get(above.kind, ())
    return one.start < above.end or empty_at_end


def _drop_broken_tables(node: Node, text: str) -> Node:
    """The tree, in which no words stand in a table outside its cells: such a table is none."""
    inside = [_drop_broken_tables(one, text) for one in node.inside]
    return node._replace(inside=[one for one in inside if one.kind != "table" or not _has_text_outside_rows(one, text)])


def _has_text_outside_rows(node: Node, text: str) -> bool:
    """Whether words stand between rows or cells."""
    if node.kind not in ("table", "tr"):
        return False
    ends = [node.start, *(one.end for one in node.inside)]
    starts = [*(one.start for one in node.inside), node.end]
    between = any(text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    return between or any(_has_text_outside_rows(one, text) for one in node.inside)


TYPES = ("text", "date", "number", "link", "image")
MOST_FIELDS = 50


class ShownField(NamedTuple):
    """A field of a document: its name, what it is, and its value as text; never markup, and no link to follow."""

    name: str
    type: str
    value: str
    picture: str = ""  # of an image, its SHA-256


def fields_of(metadata: Mapping[str, Any]) -> list[ShownField]:
    """The fields that are shown of a document; none where its metadata say that otherwise.

    >>> fields_of({"shown": [["author", "text", "Ada"]], "price": 3})
    [ShownField(name='author', type='text', value='Ada', picture='')]
    >>> fields_of({"shown": "yes"}), fields_of({"shown": [["author", "script", "Ada"]]})
    ([], [])
    """
    rows = metadata.get("shown")
    if not isinstance(rows, list) or len(rows) > MOST_FIELDS or not all(map(_is_field, rows)):
        return []
    return [ShownField(*one) for one in rows]


def _is_field(row: Any) -> bool:
    return (
        isinstance(row, list)
        and all(isinstance(part, str) for part in row)
        and len(row) in (3, 4)
        and row[1] in TYPES
        and (len(row) == 3 or row[3] == "" or DIGEST.fullmatch(row[3]) is not None)
    )


def field_lines(metadata: Mapping[str, Any]) -> Sequence[str]:
    """The same as lines of text."""
    return [f"{one.name}: {f'[image: {one.value}]' if one.picture else one.value}" for one in fields_of(metadata)]
