"""Building the folder: the copy, its parts, what each target needs, the manifest."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cranfield.formats.whole_files import write_text
from cranfield.progress_bar import progress_bar
from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.cards.table import cards_of
from cranfield.publishing.description.open_fields import check_complete
from cranfield.publishing.description.record import Description
from cranfield.publishing.folder.copying import copied
from cranfield.publishing.folder.place import NEW, check_place, folder_made
from cranfield.publishing.folder.refusals import check_publishable, notes
from cranfield.publishing.gathering import collection_facts
from cranfield.publishing.manifest import MANIFEST, PAYLOAD, digest_of, files_below, write_manifest
from cranfield.publishing.options import PublishOptions, splits_of
from cranfield.publishing.parts.part import PublishedTable, Publishing
from cranfield.publishing.parts.table import PARTS
from cranfield.publishing.published_file import PublishedColumn, PublishedFile
from cranfield.publishing.signature import sign
from cranfield.publishing.targets.bagit import BAGIT, bagged
from cranfield.publishing.targets.table import TARGETS
from cranfield.publishing.targets.target import Published
from cranfield.store.publication.description import stored_split
from cranfield.store.store import Store
from cranfield.text import counted

COPY, BAG = "copy.db", "bag"


class Built(NamedTuple):
    """What is in a folder, what is noted of it, and what a person types to publish it."""

    files: int
    bytes: int
    documents: int
    topics: int
    judgments: int
    runs: int
    notes: tuple[str, ...]
    commands: tuple[str, ...]


def build(
    store: Store, folder: Path, description: Description, options: PublishOptions, replace: bool = False,
    consents: Sequence[str] = (), key: Path | None = None,
) -> Built:  # fmt: skip
    """Build the folder: all of it or, whatever is wrong, nothing. It is signed with `key`, of SSH."""
    check_place(folder, replace)
    kept = stored_split(store) if options.split is None else None
    options = options if kept is None else dataclasses.replace(options, split=kept)
    if not options.draft:
        check_complete(description, options.targets, withheld=not options.text)
    check_publishable(store, options, consents)
    with folder_made(folder, replace) as partial, copied(store, partial / COPY, options) as copy:
        asked = Publishing(copy, partial / NEW, description, options)
        asked.root.mkdir()
        _fill(asked)
        write_manifest(asked.root)
        if BAGIT.name in options.targets:
            (asked.root / MANIFEST).unlink()
            asked.root.rename(partial / BAG)
            bagged(partial / BAG, asked.root, description)
        found = _counted(asked)
        if key is not None:
            sign(asked.root, key)
    said = [] if kept is None else [_said_of_split(store, kept)]
    return found._replace(notes=(*said, *notes(store, options)), commands=_commands(folder, description, options))


def _said_of_split(store: Store, kept: Sequence[str]) -> str:
    sizes = splits_of([topic.qid for topic in store.topics()], kept).items()
    each = ", ".join(f"{name} {counted(len(qids), 'topic')}" for name, qids in sizes)
    return f"the splits are those of the folder that was imported: {each}; --split QIDFILE sets others"


def _fill(asked: Publishing) -> None:
    parts = [part for part in PARTS if part.wanted(asked.options)]
    targets = [TARGETS[name] for name in asked.options.targets]
    with progress_bar("building the folder", len(parts) + len(targets) + 1) as advance:
        tables = dict[str, PublishedTable]()
        for part in parts:
            tables |= {table.file.path.relative_to(asked.root).as_posix(): table for table in part.write(asked)}
            advance(1)
        published = Published(asked, _files(asked.root, tables), asked.root)
        for path, text in texts_of(published).items():
            write_text(asked.within(path), text)
        advance(1)
        for target in targets:
            target.write(published)
            advance(1)


def texts_of(published: Published) -> dict[str, str]:
    """The cards and what each target needs, by path."""
    options, facts = published.asked.options, collection_facts(published.asked.store, published.asked.options.policy)
    about = Publication(published.description, facts, published.files, options.draft, options.text)
    cards = cards_of(about, options.targets)
    return cards | {path: text for name in options.targets for path, text in TARGETS[name].texts(published).items()}


def _files(root: Path, tables: Mapping[str, PublishedTable]) -> list[PublishedFile]:
    """The files that are in the folder, those of tables with their rows and columns."""
    return [_file(root / path, path, tables.get(path)) for path in files_below(root)]


def _file(place: Path, path: str, table: PublishedTable | None) -> PublishedFile:
    file = PublishedFile(path, digest_of(place), place.stat().st_size)
    if table is None:
        return file
    columns = tuple(PublishedColumn(name, dtype) for name, dtype in table.columns.items())
    return file._replace(table=table.table, rows=table.file.rows, columns=columns)


def _counted(asked: Publishing) -> Built:
    counts, files = asked.store.counts(), list(files_below(asked.root))
    size = sum((asked.root / path).stat().st_size for path in files)
    return Built(
        len(files), size, counts["document"], counts["topic"], len(asked.derived.labels), counts["run"], (), ()
    )


def _commands(folder: Path, description: Description, options: PublishOptions) -> tuple[str, ...]:
    """What a person types to publish the folder; nothing is uploaded here."""
    root = str(folder / PAYLOAD if BAGIT.name in options.targets else folder)
    found = (command for name in options.targets for command in TARGETS[name].commands(description))
    return tuple(command.replace("DIR", shlex.quote(root)) for command in found)
