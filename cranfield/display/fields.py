"""What a collection shows of each document beside its text: fields of its metadata, with their types.

A document has them among its metadata as `shown`: a list of [name, type, value], as they were when it was imported.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

TYPES = ("text", "date", "number", "link")
MOST = 50


class ShownField(NamedTuple):
    """A field of a document: its name, what it is, and its value as text; never markup, and no link to follow."""

    name: str
    type: str
    value: str


def fields_of(metadata: Mapping[str, Any]) -> list[ShownField]:
    """The fields that are shown of a document; none where its metadata say that otherwise.

    >>> fields_of({"shown": [["author", "text", "Ada"]], "price": 3})
    [ShownField(name='author', type='text', value='Ada')]
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
        and len(found) == len(ShownField._fields)
        and all(isinstance(part, str) for part in found)
        and found[1] in TYPES
    )


def field_lines(metadata: Mapping[str, Any]) -> Sequence[str]:
    """The same as lines of text."""
    return [f"{one.name}: {one.value}" for one in fields_of(metadata)]
