"""A folder of files as a corpus, and as a format: which files it has, their docnos, and what each becomes."""

import csv
import io
import os
import stat
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from cranfield import hooks
from cranfield.errors import InputError
from cranfield.features.documents.conversion.builder import Conversion, SkipError, SlowError
from cranfield.features.documents.conversion.process import PATIENCE, Converter
from cranfield.features.documents.conversion.texts import WESTERN
from cranfield.features.documents.conversion.texts import charset_name as known_encoding
from cranfield.features.documents.pictures import Pictures, add_digests, illustrate
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.given_files import COMPRESSIONS
from cranfield.formats.jsonl import CORPUS_FILE
from cranfield.formats.records import Document
from cranfield.formats.whole_files import write_text
from cranfield.text import counted

PICTURE = "picture"
TYPES: Mapping[str, str] = {
    ".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".pdf": "pdf", ".docx": "docx", ".eml": "eml",
    ".png": PICTURE, ".jpg": PICTURE, ".jpeg": PICTURE, ".gif": PICTURE, ".webp": PICTURE,
}  # fmt: skip
TEXTS = ("txt", "md")  # types that cannot say their encoding
GUESS = f"{WESTERN} (Western), not UTF-8; --encoding names another"
ESCAPED = "%"


class SkippedFile(NamedTuple):
    """A file that became no document: its path below the folder, and why, a kind of reason before a colon."""

    path: str
    why: str

    @property
    def reason(self) -> str:
        """The kind of reason."""
        return self.why.partition(":")[0]


class FolderFile(NamedTuple):
    """A file of a folder: its path below it, its docno, and its type."""

    path: str
    docno: str
    type: str


@dataclass(frozen=True)
class FolderSettings:
    """How a folder of files becomes a corpus; `FolderDocuments` describes the fields."""

    files: Sequence[str] = ()
    skip: Sequence[str] = ()
    encoding: str = ""
    url_base: str = ""
    images: str | PathLike[str] = "yes"
    dates: Literal["yes", "no"] = "no"
    dry_run: bool = False
    allow_skipped: bool = False
    output: str | PathLike[str] | None = None


class Folder:
    """The documents of a folder, in the order of their docnos; what was skipped is known once all were read.

    A file that is slow is tried again after all others, with more time.
    """

    def __init__(
        self, folder: str | os.PathLike[str], options: FolderSettings, converter: Callable[[], Converter] = Converter
    ) -> None:
        self.folder, self.options, self._converter = os.fspath(folder), options, converter
        self.skipped: list[SkippedFile] = []
        self.slow: list[SkippedFile] = []  # those of the skipped, and of the pictures not shown, that were too slow
        self.unseen: list[SkippedFile] = []  # pictures that documents name
        self.guessed: list[SkippedFile] = []  # texts whose encoding nothing says
        self.types = Counter[str]()

    def documents(self) -> Iterator[Document]:
        """Each file that has text; two files of one docno are refused."""
        file_by_docno = dict[str, FolderFile]()
        for path in _walk(self.folder, "", self.skipped):
            if self._is_wanted(path):
                file = FolderFile(path, docno_of(path), type_of(path))
                if not file.type or (file.type == PICTURE and self.options.images == "no"):
                    self.skipped.append(SkippedFile(path, "of an unknown type"))
                elif (other := file_by_docno.setdefault(file.docno, file)) is not file:
                    both = f"{shown_path(path)} and {shown_path(other.path)}"
                    raise InputError(f"{both} have the same docno {file.docno!r}; rename one of them", self.folder)
        files = sorted(file_by_docno.values(), key=lambda file: (file.type == PICTURE, file.docno))
        with self._converter() as converter:
            pictures = Pictures(self.folder, converter)
            again = list[FolderFile]()
            for file in files:
                try:
                    yield from self._unless_skipped(file, pictures, 1)
                except SlowError:
                    again.append(file)
            for file in again:
                try:
                    yield from self._unless_skipped(file, pictures, PATIENCE)
                except SlowError as error:
                    self.slow.append(SkippedFile(file.path, str(error)))
            self.skipped += self.slow
            self.slow += (SkippedFile(path, "too slow") for path in pictures.slow)

    def check_slow(self) -> None:
        """Raise InputError where a file was too slow, which another machine or another day might not find.

        Nothing is raised with `allow_skipped`.
        """
        if self.slow and not self.options.allow_skipped:
            first, why = self.slow[0]
            more = f" and {counted(len(self.slow) - 1, 'other file')}" if len(self.slow) > 1 else ""
            remedy = (
                f"import the other files with --allow-skipped, or leave this file out with --skip {shown_path(first)!r}"
            )
            raise InputError(f"{shown_path(first)}{more}: {why}; {remedy}", self.folder)

    def _unless_skipped(self, file: FolderFile, pictures: Pictures, patience: float) -> Iterator[Document]:
        try:
            document = self._document(file, pictures, patience)
        except SlowError:
            raise
        except SkipError as error:
            self.skipped.append(SkippedFile(file.path, str(error)))
            return
        self.types[file.type] += 1
        yield illustrate(document, pictures)

    def notes(self) -> list[str]:
        """What was skipped or guessed and which pictures are not shown, a line for each reason with the first."""
        return [
            *_reason_lines("skipped {}", "file", self.skipped),
            *_reason_lines("guessed the encoding of {}", "file", self.guessed),
            *_reason_lines("{} not shown", "picture", self.unseen),
        ]

    def _document(self, file: FolderFile, pictures: Pictures, patience: float) -> Document:
        path = os.path.join(self.folder, file.path)
        if file.type == PICTURE and file.path.replace(os.sep, "/") in pictures.paths:
            raise SkipError("shown in other documents")
        content = pictures.converter.convert(path, file.type, self.options.encoding, patience)
        if not content.text.strip() and not content.pictures:
            raise SkipError("no text")
        if file.type in TEXTS and content.metadata["encoding"] == WESTERN != known_encoding(self.options.encoding):
            self.guessed.append(SkippedFile(file.path, GUESS))
        content = self._add_pictures(content, file, pictures)
        about: dict[str, object] = {"path": shown_path(file.path), "type": file.type}
        if self.options.dates == "yes":
            modified = datetime.fromtimestamp(os.lstat(path).st_mtime, UTC)
            about["modified"] = modified.isoformat(timespec="seconds")
        about |= content.metadata
        base = self.options.url_base
        own_address = f"{base.rstrip('/')}/{quote(os.fsencode(file.path))}" if base else ""
        address = str(about.pop("url", "") or own_address)
        layout = {"layout": content.layout} if content.layout else {}
        title = content.title or os.path.splitext(without_compression(os.path.basename(shown_path(file.path))))[0]
        return Document(file.docno, title, content.text, address, {**about, **layout})

    def _add_pictures(self, content: Conversion, file: FolderFile, pictures: Pictures) -> Conversion:
        """The same with the pictures that it shows; without, where they are not wanted."""
        pictures.new.clear()
        if self.options.images == "no":
            return content._replace(layout=[mark if mark[2] != "image" else mark[:3] for mark in content.layout])
        pictures.add(content.pictures)
        unseen = list[tuple[str, str]]()
        layout = [*add_digests(content.layout, file.path.replace(os.sep, "/"), pictures, unseen)]
        self.unseen += (SkippedFile(f"{source:.200} in {file.path}", why) for source, why in unseen)
        return content._replace(layout=layout)

    def _is_wanted(self, path: str) -> bool:
        names = (path, os.path.basename(path))
        patterns = (self.options.files or ["*"]), (self.options.skip or [])
        matches = [any(fnmatchcase(name, one) for one in some for name in names) for some in patterns]
        return matches[0] and not matches[1]


def type_of(path: str) -> str:
    """The type of a file by its name, compressed or not; nothing for an unknown one.

    >>> type_of("a.HTML"), type_of("a.txt.gz"), type_of("a.gz")
    ('html', 'txt', '')
    """
    return TYPES.get(os.path.splitext(without_compression(path))[1].lower(), "")


def without_compression(path: str) -> str:
    """A path without .gz and the like at its end."""
    start, end = os.path.splitext(path)
    return start if end.lower() in COMPRESSIONS else path


def _reason_lines(what: str, noun: str, skips: Sequence[SkippedFile]) -> Iterator[str]:
    first = dict[str, SkippedFile]()
    for one in skips:
        first.setdefault(one.reason, one)
    many = Counter(one.reason for one in skips)
    for reason, one in first.items():
        more = ", ..." if many[reason] > 1 else ""
        yield f"{what.format(counted(many[reason], noun))}, {one.why}: {shown_path(one.path)}{more}"


def _walk(folder: str, below: str, skips: list[SkippedFile]) -> Iterator[str]:
    """The regular files below a folder, in order; links and hidden files are skipped, and said to be."""
    try:
        with os.scandir(os.path.join(folder, below)) as scan:
            entries = sorted(scan, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        skips.append(SkippedFile(below, f"an unreadable folder: {error.strerror}"))
        return
    for entry in entries:
        path = os.path.join(below, entry.name)
        if entry.name.startswith("."):
            skips.append(SkippedFile(path, "hidden"))
        elif entry.is_symlink():
            skips.append(SkippedFile(path, "a link, which is not followed"))
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(folder, path, skips)
        elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            yield path
        else:
            skips.append(SkippedFile(path, "no regular file"))


def docno_of(path: str) -> str:
    r"""The docno of a path: with /, in NFC; white space, control characters, % and what is not UTF-8 as %XX.

    >>> docno_of("a b/100%.txt"), docno_of("cafe\u0301.md") == "caf\u00e9.md", docno_of("\udce9.txt")
    ('a%20b/100%25.txt', True, '%E9.txt')
    """
    name = unicodedata.normalize("NFC", path.replace(os.sep, "/"))
    return "".join(_escape(character) for character in name)


def _escape(character: str) -> str:
    if character == ESCAPED or character.isspace() or unicodedata.category(character) in ("Cc", "Cs"):
        return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
    return character


def shown_path(path: str) -> str:
    """A path as text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace").replace(os.sep, "/")


SINGLE = (".pdf", ".docx", ".eml", ".md", ".markdown")


def detect(head: bytes, path: str) -> bool:
    """A folder that is no BEIR folder, or a document alone, which is refused: its folder is expected."""
    beir = (os.path.join(path, CORPUS_FILE + suffix) for suffix in ("", *COMPRESSIONS))
    return not any(map(os.path.exists, beir)) if os.path.isdir(path) else path.lower().endswith(SINGLE)


def read(source: OpenFile) -> Iterator[Document]:
    """The documents of a folder; at the end it is said what was skipped. A folder without any is refused."""
    options = hooks.options_given(FolderSettings, source.added)
    folder, number = Folder(source.path, options), 0
    for number, document in enumerate(folder.documents(), 1):  # noqa: B007 - how many there were
        yield document
    lines = folder.notes()
    write_skipped(folder)
    folder.check_slow()
    if not number:
        why = "; ".join(lines) or "a folder without files"
        files = os.path.join(source.path, "*")
        raise InputError(
            f"{why}; expected documents, BEIR's corpus.jsonl, or the files of a corpus, such as {files}", source.path
        )
    if source.note is not None:
        for line in lines:
            source.note(line)


def write_skipped(folder: Folder) -> None:
    """Write what was skipped as CSV, where that is asked for."""
    if folder.options.output is None:
        return
    target = io.StringIO()
    rows = csv.writer(target, lineterminator="\n")
    rows.writerow(("path", "why"))
    rows.writerows((shown_path(one.path), one.why) for one in folder.skipped)
    write_text(Path(folder.options.output), target.getvalue())


FOLDER = Format(
    "corpus",
    "folder",
    "folder of text, Markdown, HTML, PDF, Word or e-mail files",
    detect,
    read,
    place="folder",
    before="beir",
)
