"""Fields that an export drops because the format has no place for them, and how much is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from cranfield.formats import Document, Topic

T = TypeVar("T", Document, Topic)


class DocumentField(StrEnum):
    """A document field that may be dropped."""

    heading = "title"
    url = "url"
    metadata = "metadata"


class TopicField(StrEnum):
    """A topic field that may be dropped."""

    description = "description"
    narrative = "narrative"
    metadata = "metadata"


class Dropping:
    """Drops fields, and counts how many records lose content.

    >>> dropping = Dropping(["metadata"], "document")
    >>> [document.metadata for document in dropping([Document("d1", metadata={"author": "Ada"}), Document("d2")])]
    [{}, {}]
    >>> dropping.notes
    ['dropped: metadata of 1 document (author)']
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
        """What was lost, in one line; empty if nothing was."""
        lost = [
            f"{field} of {count} {self.what}{'' if count == 1 else 's'}"
            + (f" ({', '.join(self.keys)})" if field == "metadata" else "")
            for field, count in self.lost.items()
            if count
        ]
        return [f"dropped: {'; '.join(lost)}"] if lost else []
