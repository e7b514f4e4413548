"""A part of a corpus: the documents that are wanted, found in one pass over files of any size.

A line of JSON whose first field is the docno is parsed only if that is wanted; other files are read whole.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import InputError, file_named_in_errors
from cranfield.features.documents.store.documents import (
    ASKED,
    CorpusSource,
    documents_missing_text,
    note_source,
    sources,
    wanted_of,
)
from cranfield.formats import read_corpus
from cranfield.formats.collections import IR_DATASETS_PREFIX, documents_of_ir_datasets
from cranfield.formats.files import open_file, read_text
from cranfield.formats.jsonl import parse_json_object
from cranfield.formats.records import DOCNO, Document, Names, as_names, document_from_fields
from cranfield.formats.table import AUTO, choose_format
from cranfield.store.history import importing
from cranfield.store.store import Store
from cranfield.text import counted, join_words

FIRST = re.compile(r'\s*\{\s*"([^"\\]*)"\s*:\s*(?:"([^"\\]*)"|(-?\d+))\s*[,}]')
EARLIER_DOCNO_FIELDS = {  # a field that is the docno's, to what would be it before that
    name: re.compile(f'"(?:{"|".join(DOCNO[:at])})"') for at, name in enumerate(DOCNO) if at
}
CHOICES = (*ASKED, "retrieved")
EXAMPLES = 3


def docnos_of(store: Store, only: str) -> set[str]:
    """The docnos that are wanted: pooled, judged, retrieved, or those of a file, one a line; none is an error."""
    if only in CHOICES:
        docnos = wanted_of(store, only)
    elif Path(only).is_file():
        docnos = {line.strip() for line in read_text(only).splitlines() if line.strip()}
    else:
        raise InputError(
            f"--only is {only!r}; expected {join_words(CHOICES, 'or')}, or a file with one docno on each line"
        )
    if not docnos:
        raise InputError(f"--only {only}: the store has no {only} documents")
    return docnos


def _is_docno(name: str, text: str, field: str | None) -> bool:
    """Whether the first field of a line is the docno, as it was asked for or by the usual names.

    >>> _is_docno("docid", '{"docid": "d", "pid": "p"}', None), _is_docno("pid", '{"pid": "p", "docid": "d"}', None)
    (False, True)
    """
    if field is not None:
        return name == field
    return name == DOCNO[0] or (name in EARLIER_DOCNO_FIELDS and not EARLIER_DOCNO_FIELDS[name].search(text))


class PartOfCorpus:
    """The wanted documents of files; how many there were is known once they were read."""

    def __init__(self, docnos: Set[str]) -> None:
        self.docnos = docnos
        self.size, self.first = 0, ""  # documents in the files, and the docno of the first
        self.found = set[str]()

    @property
    def missing(self) -> list[str]:
        """The docnos that were not found yet."""
        return sorted(self.docnos - self.found)

    def documents(self, path: Path, format: str = AUTO, names: Names | None = None) -> Iterator[Document]:
        """The wanted documents of a file, each once."""
        return self._select(self._candidates(path, format, as_names(names)))

    def select_package(self, documents: Iterable[Document], size: int) -> Iterator[Document]:
        """The same of documents that were asked for by docno, of so many."""
        self.size += size
        return self._select(documents)

    def _select(self, documents: Iterable[Document]) -> Iterator[Document]:
        for one in documents:
            if one.docno in self.docnos and one.docno not in self.found:
                self.found.add(one.docno)
                yield one

    def _candidates(self, path: Path, format: str, names: Names) -> Iterator[Document]:
        with open_file(path, names, whole=False) as source:
            if choose_format("corpus", format, source).name == "jsonl":
                field = source.names.mapping.get("docno")
                for line, text in source.lines():
                    if first := FIRST.match(text):
                        name, docno, number = first.groups()
                        docno = number if docno is None else docno
                        if docno not in self.docnos and _is_docno(name, text, field):
                            self._see(docno)
                            continue
                    if text.strip():
                        one = document_from_fields(parse_json_object(text, path, line), path, line, source.names)
                        self._see(one.docno)
                        yield one
                return
        for one in read_corpus(path, format=format, names=names):
            self._see(one.docno)
            yield one

    def _see(self, docno: str) -> None:
        self.first = self.first or docno
        self.size += 1

    def note(self) -> str:
        """What was found, and what was not; an error where nothing was.

        >>> part = PartOfCorpus({"d1"})
        >>> part._see("x1")
        >>> part.note()
        Traceback (most recent call last):
        cranfield.errors.InputError: none of the wanted docnos is in the files: the first document is 'x1', and a
        wanted docno is 'd1'
        """
        if not self.found:
            raise InputError(
                f"none of the wanted docnos is in the files: the first document is {self.first!r}, and a wanted docno"
                f" is {min(self.docnos)!r}"
            )
        missing = self.missing
        rest = f"; these files lack {counted(len(missing), 'wanted document')}, such as {', '.join(missing[:EXAMPLES])}"
        return f"of {counted(self.size, 'document')} in the files" + (rest if missing else "")


LARGE = "-v2"  # in the ids of MS MARCO's second corpora, which ir_datasets unpacks first
UNPACKED = "61 GB"
NONE: Mapping[str, str] = {}


class FetchResult(NamedTuple):
    """How many documents were added, and what is said of the others."""

    documents: int
    note: str


class Bringing:
    """Brings wanted documents to a store, in an import that is under way, and notes where each is from."""

    def __init__(self, store: Store, only: str, docnos: Set[str]) -> None:
        self.store, self.only, self.part = store, Path(only).name, PartOfCorpus(docnos)

    def from_file(self, file: Path, format: str, names: Names, digest: str = "") -> int:
        """How many documents a file added; one that has another SHA-256 than it should is refused."""
        sha256 = _sha256_of_file(file)
        if digest and digest != sha256:
            raise InputError(f"this is a different version of the file: its SHA-256 is {sha256}, not {digest}", file)
        read, before = self.part.size, len(self.part.found)
        with file_named_in_errors(file):
            number = self.store.add_documents(self.part.documents(file, format, names))
        self._note(str(file.resolve()), before, self.part.size - read, names.mapping, sha256)
        return number

    def from_package(self, place: str, yes: bool) -> int:
        """How many documents a corpus of ir_datasets added; one that is unpacked first needs to be agreed to."""
        if LARGE in place and not yes:
            raise InputError(f"ir_datasets unpacks {UNPACKED} before the first document; allow it with --yes", place)
        before = len(self.part.found)
        size, documents = documents_of_ir_datasets(place, self.part.missing)
        number = self.store.add_documents(self.part.select_package(documents, size or 0))
        self._note(place, before, size)
        return number

    def _note(
        self, source: str, before: int, size: int | None, fields: Mapping[str, str] = NONE, digest: str | None = None
    ) -> None:
        now = len(self.part.found) - before
        note_source(self.store, CorpusSource(source, self.only, fields, digest, size, now))


def import_part(store: Store, only: str, files: Sequence[Path], format: str, names: Names) -> FetchResult:
    """Import the wanted documents of files, and note where they are from; nothing, where none is there."""
    bringing = Bringing(store, only, docnos_of(store, only))
    with importing(store, "corpus", files):
        number = sum(bringing.from_file(file, format, names) for file in files)
        return FetchResult(number, bringing.part.note())


def fetch_texts(
    store: Store, named: Sequence[str] = (), only: str | None = None, *, agrees_to_downloads: bool = False
) -> FetchResult:
    """Bring the texts of wanted documents that have none, from the places named, else from the files of before."""
    before = {one.source: one for one in sources(store)}
    places = [place if _is_package(place) else str(Path(place).resolve()) for place in named] or [*before]
    if not places:
        raise InputError(
            "the store has no recorded source of texts; give one with --from FILE or --from ir_datasets:ID", store.path
        )
    last = [one.wanted for one in before.values() if one.wanted in CHOICES]
    which = only or (last[-1] if last else "pooled")
    bringing = Bringing(store, which, documents_missing_text(store, sorted(docnos_of(store, which))))
    if not bringing.part.docnos:
        return FetchResult(0, f"all wanted documents ({which}) already have texts")
    with importing(store, "corpus", places):
        number = 0
        for place in places:
            if _is_package(place):
                number += bringing.from_package(place, agrees_to_downloads)
            else:
                old = before.get(place)
                if old and not old.sha256 and not named:
                    raise InputError("the store has no SHA-256 of this file; give the file with --from FILE", place)
                names = as_names(old.fields if old else None)
                number += bringing.from_file(Path(place), AUTO, names, (old.sha256 or "") if old else "")
        return FetchResult(number, bringing.part.note())


def _is_package(place: str) -> bool:
    return place.startswith(IR_DATASETS_PREFIX)


def _sha256_of_file(path: Path) -> str:
    """Of a file as it is, compressed or not."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(error.strerror or str(error), path) from error
