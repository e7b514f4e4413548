"""What a target is made from, and the record that describes a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cranfield.publishing.description.record import Description
from cranfield.publishing.parts.part import Publishing
from cranfield.publishing.published_file import PublishedFile


@dataclass(frozen=True)
class Published:
    """What is published, and the files of its parts, which are there already."""

    asked: Publishing
    files: Sequence[PublishedFile]
    root: Path  # of the files

    @property
    def description(self) -> Description:
        """What people say of the collection."""
        return self.asked.description


def rows_of_table(files: Sequence[PublishedFile], table: str) -> int:
    """How many rows a table has in all its files."""
    return sum(file.rows or 0 for file in files if file.table == table)


@dataclass(frozen=True)
class Target:
    """One row of the table of targets.

    `texts` gives the texts of its files by their paths, `write` puts files into the folder that are no texts;
    `commands` are what a person types to publish there, `DIR` being the folder.
    """

    name: str
    about: str
    texts: Callable[[Published], Mapping[str, str]] = lambda published: {}
    write: Callable[[Published], None] = lambda published: None
    commands: Callable[[Description], Sequence[str]] = lambda description: ()
