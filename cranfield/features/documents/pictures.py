"""The pictures of a folder: those that its documents show, found below it alone, each looked at once."""

import os
import posixpath
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from cranfield.features.documents.conversion.builder import Conversion, SkipError, SlowError
from cranfield.features.documents.conversion.process import PATIENCE, Converter
from cranfield.formats.records import Document


class KeptPicture(NamedTuple):
    """A picture as it is kept: its hash, its type, and its bytes."""

    sha256: str
    type: str
    data: bytes


class Pictures:
    """The pictures below a folder; `new` are those that were found and not taken yet."""

    def __init__(self, folder: str, converter: Converter) -> None:
        self.folder, self.converter = folder, converter
        self.new: dict[str, KeptPicture] = {}
        self.paths = set[str]()  # of those that were found
        self.slow = list[str]()  # paths of those that were too slow twice
        self._known: dict[str, str | SkipError] = {}

    def digest(self, source: str, below: str = "") -> str:
        """The SHA-256 of the picture that a document of this path names; a SkipError says why it is not shown."""
        path = relative_path(source, below)
        if path not in self._known:
            try:
                self._known[path] = self._read(path)
                self.paths.add(path)
            except SkipError as error:
                self._known[path] = error
        digest = self._known[path]
        if isinstance(digest, SkipError):
            raise digest
        return digest

    def add(self, pictures: Mapping[str, Sequence[str]]) -> None:
        """Pictures that were in a file."""
        self.new |= {digest: KeptPicture(digest, kind, b64decode(data)) for digest, (kind, data) in pictures.items()}

    def take(self) -> list[KeptPicture]:
        """The new ones, which are not new any more."""
        pictures, self.new = [*self.new.values()], {}
        return pictures

    def _read(self, path: str) -> str:
        if not path:
            raise SkipError("outside the folder")
        whole = os.path.join(os.path.realpath(self.folder), *path.split("/"))
        if not os.path.lexists(whole):
            raise SkipError("missing")
        if os.path.realpath(whole) != whole:
            raise SkipError("a link, which is not followed")
        pictures = self._convert(whole, path).pictures
        self.add(pictures)
        return next(iter(pictures))

    def _convert(self, whole: str, path: str) -> Conversion:
        with suppress(SlowError):
            return self.converter.convert(whole, "picture")
        try:
            return self.converter.convert(whole, "picture", patience=PATIENCE)
        except SlowError:
            self.slow.append(path)
            raise


class IllustratedDocument(Document):
    """A document of a folder, with the pictures of that folder. They are no field: files and stores do not have them.

    >>> illustrate(Document("d1"), Pictures("shop", Converter())) == Document("d1")
    True
    """

    pictures: Pictures | None = None


def illustrate(document: Document, pictures: Pictures) -> IllustratedDocument:
    """The document with the pictures that its fields may name."""
    illustrated = IllustratedDocument(*document)
    illustrated.pictures = pictures
    return illustrated


def relative_path(source: str, below: str = "") -> str:
    """The path below a folder that a document in it names; nothing where that is elsewhere.

    >>> relative_path("pics/a%20b.png?v=2", "shop/index.html"), relative_path("/logo.png", "shop/index.html")
    ('shop/pics/a b.png', 'logo.png')
    >>> [relative_path(one, "shop/index.html") for one in ("../../x.png", "//192.0.2.1/x.png", "data:image/png,x", "file:///x.png")]
    ['', '', '', '']
    """
    try:
        parts = urlsplit(source)
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.scheme or parts.netloc or not path or "\0" in path:
        return ""
    whole = posixpath.normpath(posixpath.join("/", posixpath.dirname(below), path))
    climbs = posixpath.normpath(posixpath.join(posixpath.dirname(below), path.lstrip("/"))).startswith("..")
    return "" if climbs else whole.strip("/")


def add_digests(
    layout: Sequence[list[Any]], below: str, pictures: Pictures, others: list[tuple[str, str]]
) -> Iterator[list[Any]]:
    """A layout in which pictures of the folder have their SHA-256; the others go to those that are left, with why."""
    for start, end, kind, *about in layout:
        source = str(about[0].get("src", "")) if kind == "image" and about else ""
        try:
            more = {"sha256": pictures.digest(source, below)} if source else {}
        except SkipError as error:
            others.append((source, str(error)))
            more = {}
        yield [start, end, kind, *([{**about[0], **more}] if about else [])]
