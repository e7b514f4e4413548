r"""TREC's SGML, and XML read by the same rules: tags that may be unclosed, roots that may be missing.

An element ends at its closing tag or, if it has none, where the next tag is. "<" that starts no tag is text, and so is
"&" that starts no entity: `AT&T`, `x < y`.

>>> [(field.name, field.content) for field in fields("<num> Number: 301 <title> R&D &amp; x < y\n<desc>")]
[('num', ' Number: 301 '), ('title', ' R&D &amp; x < y\n'), ('desc', '')]
>>> element_text(" R&D &amp; x < y\n")
'R&D & x < y'
"""

import html
import html.entities
import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import NamedTuple, TextIO

from cranfield.errors import InputError, Path
from cranfield.formats.files import LIMITS, limit_message

NAME = r"[A-Za-z][\w.-]*"
_NAME = re.compile(NAME)
_OPENING = re.compile(rf"<({NAME})((?:\s[^<>]*?)?)(/?)>")
_TAG = re.compile(rf"</?{NAME}(?:\s[^<>]*)?/?>")
_CLOSING = re.compile(rf"</({NAME})\s*>")
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"']++))""")
_COMMENT = ("<!--", "-->")
_CDATA = ("<![CDATA[", "]]>")
_ENTITY = re.compile(r"&(?:#\d{1,16}|#[xX][0-9a-fA-F]{1,16}|\w{1,32});")
_CHUNK = 1 << 18
_DECLARATION = re.compile(rf"""<!ENTITY\s+(?:({NAME})\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>)?""")
_EXTERNAL_DTD = re.compile(rf"<!DOCTYPE\s+{NAME}\s+(?:SYSTEM|PUBLIC)\b")
_NAMED_ENTITY = re.compile(rf"&({NAME});")
MAX_ENTITY_CHARS = 10_000
MAX_ENTITIES = 10_000


class Element(NamedTuple):
    """An element of the outermost kind: a topic, a document. `closed`: whether its closing tag was there."""

    line: int
    attributes: dict[str, str]
    content: str
    closed: bool


class Dtd(NamedTuple):
    """The texts of declared entities by name, and whether the DTD is in another file, which is not read."""

    entities: Mapping[str, str]
    is_external: bool


class Field(NamedTuple):
    """An element within one; text between the elements has no name."""

    name: str
    attributes: dict[str, str]
    content: str


def elements(text: TextIO, name: str, path: Path = "") -> Iterator[Element]:
    """The elements called `name`, at whatever depth, in memory one at a time; `path` is named where one is too long.

    >>> from io import StringIO
    >>> for element in elements(StringIO("<xml>\\n<top>1 <top a='b'>2</top>"), "top"):
    ...     print(element)
    Element(line=2, attributes={}, content='1 ', closed=False)
    Element(line=2, attributes={'a': 'b'}, content='2', closed=True)
    """
    opening = re.compile(rf"<{name}((?:\s[^<>]*)?)>", re.IGNORECASE)
    closing = re.compile(rf"</{name}[ \t]*>", re.IGNORECASE)
    rest, line, scan_from = "", 1, 0  # up to `scan_from` no closing tag is in the rest
    dtd: Dtd | None = None  # once the first element began
    while chunk := text.read(max(_CHUNK, len(rest))):
        rest, start = rest + chunk, 0
        for tag in closing.finditer(rest, scan_from):
            part, start = rest[start : tag.start()], tag.end()
            if dtd is None:
                dtd = _read_dtd(part, opening, path)
            if len(part) > LIMITS.get().document:
                raise _too_long_error(part, name, opening, path, line)
            yield from _expand_entities(_unclosed_elements(part, opening, line, closed=True), dtd, path)
            line += part.count("\n")
        rest = rest[start:]
        scan_from = max(rest.rfind("<"), 0)
        if len(rest) > LIMITS.get().document:
            raise _too_long_error(rest, name, opening, path, line)
    if dtd is None:
        dtd = _read_dtd(rest, opening, path)
    yield from _expand_entities(_unclosed_elements(rest, opening, line, closed=False), dtd, path)


def _read_dtd(text: str, opening: re.Pattern[str], path: Path) -> Dtd:
    """The entities that are declared before the first element, by name: their texts.

    An entity of markup, of other entities, of another file, or of a large text is refused: it could expand without
    limit, or read what it should not.
    """
    first = opening.search(text)
    prolog = without_comments(text[: first.start()] if first else text)
    entities = dict[str, str]()
    for declared in _DECLARATION.finditer(prolog):
        value = declared[2] or declared[3] or ""
        if declared[1] is None or len(value) > MAX_ENTITY_CHARS or len(entities) == MAX_ENTITIES:
            what = "an entity that is not a short text; expand the file, for example with xmllint --noent"
            raise InputError(what, path, prolog.count("\n", 0, declared.start()) + 1)
        entities.setdefault(declared[1], value)  # in XML the first declaration counts
    return Dtd(entities, bool(_EXTERNAL_DTD.search(prolog)))


def _expand_entities(elements: Iterable[Element], dtd: Dtd, path: Path) -> Iterator[Element]:
    """The elements with the texts of declared entities in place of their names; CDATA stays as it is.

    An entity that only the DTD of another file can declare is refused.
    """
    entities = dtd.entities
    if not (entities or dtd.is_external):
        yield from elements
        return
    names = re.compile("&(" + ("|".join(map(re.escape, sorted(entities, key=len, reverse=True))) or "(?!)") + ");")
    for element in elements:
        pieces, size = list[str](), 0
        for number, part in enumerate(element.content.split(_CDATA[0])):
            cdata, end, rest = part.partition(_CDATA[1]) if number else ("", "", part)
            size += sum(len(entities[name]) for name in names.findall(rest))
            if size > LIMITS.get().document:
                raise InputError(limit_message("an element with its entities expanded", "document"), path, element.line)
            if dtd.is_external:
                _refuse_undeclared(rest, entities, path, element.line)
            expanded = names.sub(lambda match: entities[match[1]], rest)
            pieces.append((_CDATA[0] if number else "") + cdata + end + expanded)
        yield element._replace(content="".join(pieces))


def _refuse_undeclared(text: str, entities: Mapping[str, str], path: Path, line: int) -> None:
    for name in _NAMED_ENTITY.findall(without_comments(text)):
        if name not in entities and f"{name};" not in html.entities.html5:
            what = (
                f"the entity &{name!s:.40}; is declared in another file; expand the file, for example with xmllint "
                "--noent"
            )
            raise InputError(what, path, line)


def _too_long_error(rest: str, name: str, opening: re.Pattern[str], path: Path, line: int) -> InputError:
    start = opening.search(rest)
    at = line + rest.count("\n", 0, start.start() if start else 0)
    return InputError(limit_message(f"a <{name}>, or no </{name}>,", "document"), path, at)


def fields(content: str) -> Iterator[Field]:
    """The elements within an element, in order, with their names in lower case."""
    content = _replace_marked(_CDATA, without_comments(content), lambda text: escape(text, all_ampersands=True))
    ends, at = _Ends(content), 0
    while tag := _OPENING.search(content, at):
        if element_text(text := content[at : tag.start()]):
            yield Field("", {}, text)
        end, at = (tag.end(), tag.end()) if tag[3] else ends.element_ends(tag)
        yield Field(tag[1].lower(), _attributes(tag[2]), content[tag.end() : end])
    if element_text(text := content[at:]):
        yield Field("", {}, text)


def element_text(content: str) -> str:
    """The text of an element: without the tags in it, entities resolved, no white space around it."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), _TAG.sub(" ", content)).strip()


def without_comments(text: str) -> str:
    """The same lines without what is in comments."""
    return _replace_marked(_COMMENT, text, lambda comment: "\n" * comment.count("\n"))


def _replace_marked(marks: tuple[str, str], text: str, instead: Callable[[str], str]) -> str:
    """The text with something else for what stands between these marks; a last one that does not end is text.

    >>> _replace_marked(("<", ">"), "a<b>c<d", str.upper)
    'aBc<d'
    """
    (start, end), pieces, at = marks, list[str](), 0
    while (opens := text.find(start, at)) >= 0 and (closes := text.find(end, opens + len(start))) >= 0:
        pieces += [text[at:opens], instead(text[opens + len(start) : closes])]
        at = closes + len(end)
    return "".join([*pieces, text[at:]])


def escape(text: str, all_ampersands: bool = False) -> str:
    """The text as `plain` gives it back; by default it is changed only where it would be misread.

    >>> escape("AT&T &lt; x<y"), escape("AT&T", all_ampersands=True)
    ('AT&T &amp;lt; x&lt;y', 'AT&amp;T')
    """
    ampersands = re.compile("&") if all_ampersands else _ENTITY
    return ampersands.sub(lambda match: "&amp;" + match[0][1:], text).replace("<", "&lt;")


def text_metadata(path: Path, name: str, metadata: Mapping[str, object], own_fields: frozenset[str]) -> dict[str, str]:
    """The metadata as elements; what cannot be one is refused."""
    for key, value in metadata.items():
        if not isinstance(value, str) or not _NAME.fullmatch(key) or key != key.lower() or key in own_fields:
            remedy = "write JSONL, or omit it with --drop metadata"
            raise InputError(f"metadata {key!r} of {name} cannot be written as an element; {remedy}", path)
    return {key: str(value) for key, value in metadata.items()}


def _unclosed_elements(text: str, opening: re.Pattern[str], line: int, closed: bool) -> Iterator[Element]:
    """The elements that start in a text without closing tags; only the last can be one that is closed after it."""
    counted_to = 0
    for start, following in pairwise(chain(opening.finditer(text), [None])):
        if start is not None:
            line += text.count("\n", counted_to, start.start())
            counted_to = start.start()
            content = text[start.end() : following.start() if following else len(text)]
            yield Element(line, _attributes(start[1]), content, closed and following is None)


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): element_text(match[2] or match[3] or match[4] or "") for match in _ATTRIBUTE.finditer(text)
    }


class _Ends:
    """Where elements end: all closing tags are found at once, so that none is looked for twice."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.closings: dict[str, array[int]] = {}
        for tag in _CLOSING.finditer(content):
            self.closings.setdefault(tag[1].lower(), array("q")).append(tag.start())

    def element_ends(self, tag: re.Match[str]) -> tuple[int, int]:
        """Where the element's content ends and where what follows it starts."""
        closings = self.closings.get(tag[1].lower(), array("q"))
        place = bisect_left(closings, tag.end())
        if place < len(closings):
            return closings[place], self.content.index(">", closings[place]) + 1
        following = _TAG.search(self.content, tag.end())
        end = following.start() if following else len(self.content)
        return end, end
