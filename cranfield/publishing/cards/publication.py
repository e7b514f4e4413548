"""What a card is made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.publishing.description.record import Description
from cranfield.publishing.facts import CollectionFacts
from cranfield.publishing.published_file import PublishedFile

DRAFT = "DRAFT"


class Publication(NamedTuple):
    """A collection that is published: what people say of it, what the store knows, its files.

    Every card of a draft says so. `text`: whether the texts of the documents are published.
    """

    description: Description
    facts: CollectionFacts
    files: Sequence[PublishedFile] = ()
    draft: bool = False
    text: bool = True

    @property
    def title(self) -> str:
        """The title, with the stamp of a draft."""
        title = self.description.title or self.facts.name
        return f"{DRAFT}: {title}" if self.draft else title

    def table(self, name: str) -> list[PublishedFile]:
        """The files of a table."""
        return [file for file in self.files if file.table == name]

    def rows(self, name: str) -> int:
        """How many rows a table has in all its files."""
        return sum(file.rows or 0 for file in self.table(name))
