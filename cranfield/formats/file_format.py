"""The record that describes a file format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from cranfield.formats.files import OpenFile
from cranfield.formats.records import Kind


class Format(NamedTuple):
    """One row of the table of formats.

    `detect` sees the first bytes, decompressed, and the path. `read` takes an OpenFile and gives an iterator of
    documents, of LocatedTopics or of Ballots, or an UnreadTable. `write` takes a path and what is to be written; it
    refuses what the format cannot carry. `place` is what a path of the format leads to.
    A format of an extension is tried `before` the format of this name, or last.
    """

    kind: Kind
    name: str
    description: str
    detect: Callable[[bytes, str], bool]
    read: Callable[[OpenFile], Any]
    write: Callable[..., None] | None = None
    place: Literal["file", "folder", "either"] = "file"
    before: str = ""
