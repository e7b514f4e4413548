"""What a check is given and finds, and the record that describes a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, NamedTuple

from packaging.requirements import Requirement

from cranfield.formats.published.parquet import rows_of
from cranfield.formats.published.tables import (
    CORPUS,
    CORPUS_WITHOUT_TEXT,
    FRAME,
    JUDGMENTS,
    POOLS,
    QRELS,
    QUERIES,
    Columns,
)
from cranfield.publishing.description.record import Description
from cranfield.publishing.description.values import described
from cranfield.publishing.folder.stated import Stated, collection_sum, read_stated
from cranfield.publishing.manifest import Found
from cranfield.publishing.parts.log import STATE
from cranfield.publishing.published_file import PublishedColumn, PublishedFile

OTHER_TABLES: Mapping[str, tuple[str, Columns]] = {
    "log/judgments.parquet": ("judgments", JUDGMENTS),
    "pools/pools.parquet": ("pools", POOLS),
    "pools/frame.parquet": ("frame", FRAME),
}


class Finding(NamedTuple):
    """What a check found: that something is right, wrong, or was not looked at, and why."""

    state: Literal["ok", "wrong", "skipped"]
    what: str
    path: str = ""


@dataclass(frozen=True)
class Checked:
    """A folder whose files are what its manifest says; `folder` is the one that was given, a bag perhaps.

    `signer` says who should have signed it: a public key, or a file of allowed signers.
    """

    folder: Path
    found: Found
    signer: Path | None = None

    @cached_property
    def stated(self) -> Stated:
        """What collection.json says."""
        return read_stated(self.found)

    @cached_property
    def description(self) -> Description:
        """The description of the collection."""
        return described(self.stated.description)

    @cached_property
    def said_of_collection(self) -> str:
        """The SHA-256 of collection.json that log.json has; "" in older folders."""
        return collection_sum(self.found.root / STATE) if self.has(STATE) else ""

    @property
    def tables(self) -> dict[str, Columns]:
        """The columns of each table; the table is the folder that its files are in."""
        corpus = CORPUS if self.stated.text else CORPUS_WITHOUT_TEXT
        return {"corpus": corpus, "queries": QUERIES, "qrels": QRELS}

    def table_of(self, path: str) -> tuple[str, Columns] | None:
        """The table that a file is of, and its columns; None if it is none."""
        folder = path.partition("/")[0]
        if folder in self.tables and path.endswith(".parquet"):
            return folder, self.tables[folder]
        return OTHER_TABLES.get(path)

    @cached_property
    def files(self) -> list[PublishedFile]:
        """The files, those of tables with their rows and columns."""
        return [self._file(path, digest) for path, digest in sorted(self.found.files.items())]

    def _file(self, path: str, digest: str) -> PublishedFile:
        place, table = self.found.root / path, self.table_of(path)
        file = PublishedFile(path, digest, place.stat().st_size)
        if table is None:
            return file
        columns = tuple(PublishedColumn(*column) for column in table[1].items())
        return file._replace(table=table[0], rows=rows_of(place), columns=columns)

    def has(self, path: str) -> bool:
        """Whether a file is in the folder."""
        return path in self.found.files


@dataclass(frozen=True)
class Check:
    """One row of the table of checks; `needs` says without which package it is skipped, `of` which file it is about."""

    name: str
    run: Callable[[Checked], Iterator[Finding]]
    needs: str = ""
    of: str = ""

    def findings(self, folder: Checked) -> Iterator[Finding]:
        """What it finds; nothing where the folder has nothing for it."""
        if self.of and not folder.has(self.of) and not (folder.folder / self.of).exists():
            return
        if lack := self.needs and lacking(self.needs):
            yield Finding("skipped", lack)
            return
        yield from self.run(folder)


def lacking(needs: str) -> str:
    """Why a package cannot be used; "" if it can.

    >>> lacking("no-such-package"), lacking("packaging>=2") == "", lacking("packaging<1").partition(" ")[0]
    ('the package no-such-package is not installed', True, 'packaging')
    """
    wanted = Requirement(needs)
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        return f"the package {wanted.name} is not installed"
    enough = wanted.specifier.contains(found, prereleases=True)
    return "" if enough else f"{wanted.name} {found} is installed; expected {needs}"
