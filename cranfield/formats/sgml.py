r"""TREC's SGML, and XML read by the same rules: tags that may be unclosed, roots that may be missing.

An element ends at its closing tag or, if it has none, where the next tag is. "<" that starts no tag is text, and so is
"&" that starts no entity: `AT&T`, `x < y`.

>>> [(field.name, field.content) for field in fields("<num> Number: 301 <title> R&D &amp; x < y\n<desc>")]
[('num', ' Number: 301 '), ('title', ' R&D &amp; x < y\n'), ('desc', '')]
>>> plain(" R&D &amp; x < y\n")
'R&D & x < y'
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TextIO

from cranfield.errors import InputError
from cranfield.formats.files import Path

NAME = r"[A-Za-z][\w.-]*"
_NAME = re.compile(NAME)
_OPENING = re.compile(rf"<({NAME})((?:\s[^<>]*?)?)(/?)>")
_TAG = re.compile(rf"</?{NAME}(?:\s[^<>]*)?/?>")
_ATTRIBUTE = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);")
_CHUNK = 1 << 18


class Element(NamedTuple):
    """An element of the outermost kind: a topic, a document. `closed`: whether its closing tag was there."""

    line: int
    attributes: dict[str, str]
    content: str
    closed: bool


class Field(NamedTuple):
    """An element within one; text between the elements has no name."""

    name: str
    attributes: dict[str, str]
    content: str


def elements(text: TextIO, name: str) -> Iterator[Element]:
    """The elements called `name`, at whatever depth, in memory one at a time.

    >>> from io import StringIO
    >>> for element in elements(StringIO("<xml>\\n<top>1 <top a='b'>2</top>"), "top"):
    ...     print(element)
    Element(line=2, attributes={}, content='1 ', closed=False)
    Element(line=2, attributes={'a': 'b'}, content='2', closed=True)
    """
    opening = re.compile(rf"<{name}((?:\s[^<>]*)?)>", re.IGNORECASE)
    closing = re.compile(rf"</{name}[ \t]*>", re.IGNORECASE)
    rest, line = "", 1
    for chunk in iter(lambda: text.read(_CHUNK), ""):
        *done, rest = closing.split(rest + chunk)
        for part in done:
            yield from _opened(part, opening, line, closed=True)
            line += part.count("\n")
    yield from _opened(rest, opening, line, closed=False)


def fields(content: str) -> list[Field]:
    """The elements within an element, in order, with their names in lower case."""
    content = _CDATA.sub(lambda cdata: escape(cdata[1], all_ampersands=True), without_comments(content))
    found, at = [], 0
    while tag := _OPENING.search(content, at):
        found.append(Field("", {}, content[at : tag.start()]))
        end, at = (tag.end(), tag.end()) if tag[3] else _end(content, tag)
        found.append(Field(tag[1].lower(), _attributes(tag[2]), content[tag.end() : end]))
    found.append(Field("", {}, content[at:]))
    return [field for field in found if field.name or plain(field.content)]


def plain(content: str) -> str:
    """The text of an element: without the tags in it, entities resolved, no white space around it."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), _TAG.sub(" ", content)).strip()


def without_comments(text: str) -> str:
    """The same lines without what is in comments."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def escape(text: str, all_ampersands: bool = False) -> str:
    """The text as `plain` gives it back; by default it is changed only where it would be misread.

    >>> escape("AT&T &lt; x<y"), escape("AT&T", all_ampersands=True)
    ('AT&T &amp;lt; x&lt;y', 'AT&amp;T')
    """
    ampersands = re.compile("&") if all_ampersands else _ENTITY
    return ampersands.sub(lambda found: "&amp;" + found[0][1:], text).replace("<", "&lt;")


def text_metadata(path: Path, name: str, metadata: Mapping[str, object], reserved: frozenset[str]) -> dict[str, str]:
    """The metadata as elements; what cannot be one is refused."""
    for key, value in metadata.items():
        if not isinstance(value, str) or not _NAME.fullmatch(key) or key != key.lower() or key in reserved:
            remedy = "JSONL carries it, or --drop metadata leaves it out"
            raise InputError(f"metadata {key!r} of {name} cannot be an element; {remedy}", path)
    return {key: str(value) for key, value in metadata.items()}


def _opened(text: str, opening: re.Pattern[str], line: int, closed: bool) -> Iterator[Element]:
    """The elements that start in a text without closing tags; only the last can be one that is closed after it."""
    starts = list(opening.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    for start, end in zip(starts, ends, strict=False):
        at = line + text.count("\n", 0, start.start())
        yield Element(at, _attributes(start[1]), text[start.end() : end], closed and start is starts[-1])


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): plain(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(text)}


def _end(content: str, tag: re.Match[str]) -> tuple[int, int]:
    """Where the element's content ends and where what follows it starts."""
    closing = re.compile(rf"</{re.escape(tag[1])}\s*>", re.IGNORECASE).search(content, tag.end())
    if closing:
        return closing.span()
    following = _TAG.search(content, tag.end())
    end = following.start() if following else len(content)
    return end, end
