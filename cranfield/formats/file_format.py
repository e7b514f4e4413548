"""The record that describes a file format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from cranfield.formats.files import OpenFile
from cranfield.formats.records import Kind


class Format(NamedTuple):
    """File format, a row of the format table.

    `detect` receives the first decompressed bytes and the path. `read` takes an OpenFile and returns an UnreadTable, or
    an iterator of documents, LocatedTopics or Ballots. `write` takes a path and the content, and raises InputError for
    content that the format cannot store. `place` states whether the path is a file or a folder. A format of an
    extension is tried `before` the format with this name, or last.
    """

    kind: Kind
    name: str
    description: str
    detect: Callable[[bytes, str], bool]
    read: Callable[[OpenFile], Any]
    write: Callable[..., None] | None = None
    place: Literal["file", "folder", "either"] = "file"
    before: str = ""
