"""Files that the organiser downloads: each is made of the store as it was at one moment, beside the server."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cranfield.errors import InputError
from cranfield.store.store import Store
from cranfield.web.language import ENGLISH, Language, translatable

Fields = Mapping[str, str]
JUDGMENT_GROUP = translatable("Judgments and results")  # groups of the page, in their order
COLLECTION_GROUP = translatable("Whole collection")
PART_GROUP = translatable("Parts of the collection")
PERSON_GROUP = translatable("Work of one person")
GROUPS = (JUDGMENT_GROUP, COLLECTION_GROUP, PART_GROUP, PERSON_GROUP)
MOMENT = (1980, 1, 1, 0, 0, 0)  # of the files in a zip: the same content gives the same bytes


class Choice(NamedTuple):
    """A field of the form: its name, its label, its options as values and words, and a hint about this store.

    Options, hint and question are in a language. The first option is preselected, unless a `question` about this store
    has to be answered first.
    """

    name: str
    label: str
    options: Callable[[Store, Language], Mapping[str, str]]
    hint: Callable[[Store, Language], str] = lambda store, language: ""
    question: Callable[[Store, Language], str] = lambda store, language: ""

    def chosen(self, store: Store, fields: Fields) -> str:
        """The option that a form has, otherwise the first; an error for no answer, or anything that is not an option.

        >>> def options(store, language):
        ...     return {"s": "small"}
        >>> asking = Choice("size", "Size", options, question=lambda store, language: "Sizes differ.")
        >>> with Store.memory("small") as store:
        ...     asking.chosen(store, {"size": "s"})
        ...     asking.chosen(store, {})
        Traceback (most recent call last):
        cranfield.errors.InputError: Size: nothing was chosen. Sizes differ.
        """
        if not fields.get(self.name) and (question := self.question(store, ENGLISH)):
            raise InputError(f"{self.label}: nothing was chosen. {question}")
        options = [*self.options(store, ENGLISH)]
        value = fields.get(self.name, options[0] if options else "")
        if value not in options:
            raise InputError(f"{self.label}: {value!r:.80} is not an option; choose one from the list")
        return value


class Download(NamedTuple):
    """A file to download: `write` makes it in an empty folder, of a store, the file of the store, and what was chosen.

    `lack` says what has to be there first. One that records something in the store, as who has a bundle, `writes`.
    The page hides a download that is `optional` while something lacks. It shows the downloads by `group`.
    """

    title: str
    about: str
    write: Callable[[Store, Path, Fields], Path]
    choices: tuple[Choice, ...] = ()
    lack: Callable[[Store], str] = lambda store: ""
    writes: bool = False
    optional: bool = False
    group: str = PART_GROUP


def stem(store: Store) -> str:
    """The beginning of the names of downloads: that of the store's file.

    >>> with Store.memory("small") as store:
    ...     stem(store)
    'memory'
    """
    return Path(store.path).stem.strip(":") or "store"


def zip_folder(folder: Path, path: Path) -> Path:
    """Write the files below a folder to a zip, in the order of their names."""
    with ZipFile(path, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for file in _files(folder):
            with file.open("rb") as source, archive.open(_entry(file.relative_to(folder).as_posix()), "w") as target:
                while piece := source.read(1 << 20):
                    target.write(piece)
    return path


def _files(folder: Path) -> Iterator[Path]:
    return iter(sorted(file for file in folder.rglob("*") if file.is_file()))


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, MOMENT)
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
    return entry
