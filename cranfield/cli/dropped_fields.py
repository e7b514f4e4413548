"""What an export leaves out on purpose: fields for which the format has no place, with how much of them is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from cranfield.formats import Document, Topic

T = TypeVar("T", Document, Topic)


class DocumentField(StrEnum):
    """A field of documents that may be left out."""

    heading = "title"
    url = "url"
    metadata = "metadata"


class TopicField(StrEnum):
    """A field of topics that may be left out."""

    description = "description"
    narrative = "narrative"
    metadata = "metadata"


class Dropping:
    """Leaves fields out, and counts how many records lose something by it.

    >>> dropping = Dropping(["metadata"], "document")
    >>> [document.metadata for document in dropping([Document("d1", metadata={"author": "Ada"}), Document("d2")])]
    [{}, {}]
    >>> dropping.notes
    ['left out: metadata of 1 document (author)']
    """

    def __init__(self, fields: Sequence[str], what: str) -> None:
        self.fields, self.what = fields, what
        self.count = 0
        self._nothing: dict[str, Any] = {field: {} if field == "metadata" else "" for field in fields}
        self.lost: Counter[str] = Counter()
        self.keys: dict[str, None] = {}

    def __call__(self, records: Iterable[T]) -> Iterator[T]:
        """The records without these fields."""
        for record in records:
            for field in self.fields:
                self.lost[field] += bool(getattr(record, field))
            if "metadata" in self.fields:
                self.keys.update(dict.fromkeys(record.metadata))
            self.count += 1
            yield record._replace(**self._nothing)

    @property
    def notes(self) -> list[str]:
        """What was lost, in a line; nothing where nothing was."""
        lost = [
            f"{field} of {count} {self.what}{'' if count == 1 else 's'}"
            + (f" ({', '.join(self.keys)})" if field == "metadata" else "")
            for field, count in self.lost.items()
            if count
        ]
        return [f"left out: {'; '.join(lost)}"] if lost else []
