"""Texts that are brought to a store which only names their documents: from files, or from a corpus of ir_datasets."""

from collections.abc import Mapping, Sequence, Set
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import InputError, blaming
from cranfield.features.documents.options import FetchOptions
from cranfield.features.documents.reference import WHICH, PartOfCorpus, wanted
from cranfield.features.documents.store.sources import CorpusSource, note_source, sources, without_text
from cranfield.formats.collections import IR_DATASETS_PREFIX, documents_of_ir_datasets
from cranfield.formats.records import Names, as_names
from cranfield.formats.table import AUTO
from cranfield.store.history import importing
from cranfield.store.store import Store

LARGE = "-v2"  # in the ids of MS MARCO's second corpora, which ir_datasets unpacks first
UNPACKED = "61 GB"
NONE: Mapping[str, str] = {}


class Fetched(NamedTuple):
    """How many documents were added, and what is said of the others."""

    added: int
    said: str


class Bringing:
    """Brings wanted documents to a store, in an import that is under way, and notes where each is from."""

    def __init__(self, store: Store, only: str, docnos: Set[str]) -> None:
        self.store, self.only, self.part = store, Path(only).name, PartOfCorpus(docnos)

    def from_file(self, file: Path, format: str, names: Names, digest: str = "") -> int:
        """How many documents a file added; one that has another SHA-256 than it should is refused."""
        found = _sha256(file)
        if digest and digest != found:
            raise InputError(f"a different version of this file: its SHA-256 is {found}, not {digest}", file)
        seen, kept = self.part.seen, len(self.part.found)
        with blaming(file):
            added = self.store.add_documents(self.part.documents(file, format, names))
        self._note(str(file.resolve()), kept, self.part.seen - seen, names.asked, found)
        return added

    def from_package(self, place: str, agreed: bool) -> int:
        """How many documents a corpus of ir_datasets added; one that is unpacked first needs to be agreed to."""
        if LARGE in place and not agreed:
            raise InputError(f"ir_datasets unpacks {UNPACKED} before the first document; --yes agrees to that", place)
        kept = len(self.part.found)
        size, documents = documents_of_ir_datasets(place, self.part.left)
        added = self.store.add_documents(self.part.stored(documents, size or 0))
        self._note(place, kept, size)
        return added

    def _note(
        self, source: str, kept: int, size: int | None, fields: Mapping[str, str] = NONE, digest: str | None = None
    ) -> None:
        now = len(self.part.found) - kept
        note_source(self.store, CorpusSource(source, self.only, fields, digest, size, now))


def import_part(store: Store, only: str, files: Sequence[Path], format: str, names: Names) -> Fetched:
    """Import the wanted documents of files, and note where they are from; nothing, where none is there."""
    bringing = Bringing(store, only, wanted(store, only))
    with importing(store, "corpus", files):
        added = sum(bringing.from_file(file, format, names) for file in files)
        return Fetched(added, bringing.part.said())


def fetch_texts(store: Store, options: FetchOptions) -> Fetched:
    """Bring the texts of wanted documents that have none, from the places named, else from the files of before."""
    before = {one.source: one for one in sources(store)}
    places = [place if _is_package(place) else str(Path(place).resolve()) for place in options.sources] or [*before]
    if not places:
        raise InputError("no source is known; --from FILE or --from ir_datasets:ID names one", store.path)
    last = [one.wanted for one in before.values() if one.wanted in WHICH]
    which = options.only or (last[-1] if last else "pooled")
    bringing = Bringing(store, which, without_text(store, sorted(wanted(store, which))))
    if not bringing.part.docnos:
        return Fetched(0, f"all that is wanted ({which}) has texts already")
    with importing(store, "corpus", places):
        added = 0
        for place in places:
            if _is_package(place):
                added += bringing.from_package(place, options.yes)
            else:
                old = before.get(place)
                names = as_names(old.fields if old else None)
                added += bringing.from_file(Path(place), AUTO, names, (old.sha256 or "") if old else "")
        return Fetched(added, bringing.part.said())


def _is_package(place: str) -> bool:
    return place.startswith(IR_DATASETS_PREFIX)


def _sha256(path: Path) -> str:
    """Of a file as it is, compressed or not."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(error.strerror or str(error), path) from error
