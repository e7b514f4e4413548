"""What a collection shows of each document beside its text: fields of its metadata, with their types.

A document has them among its metadata as `shown`: a list of [name, type, value], as they were when it was imported; of
an image [name, type, value, SHA-256].
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.display.layout import DIGEST

TYPES = ("text", "date", "number", "link", "image")
MOST = 50


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
    found = metadata.get("shown")
    if not isinstance(found, list) or len(found) > MOST or not all(map(_is_field, found)):
        return []
    return [ShownField(*one) for one in found]


def _is_field(found: Any) -> bool:
    return (
        isinstance(found, list)
        and all(isinstance(part, str) for part in found)
        and len(found) in (3, 4)
        and found[1] in TYPES
        and (len(found) == 3 or found[3] == "" or DIGEST.fullmatch(found[3]) is not None)
    )


def field_lines(metadata: Mapping[str, Any]) -> Sequence[str]:
    """The same as lines of text."""
    return [f"{one.name}: {f'[image: {one.value}]' if one.picture else one.value}" for one in fields_of(metadata)]
