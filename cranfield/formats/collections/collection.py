"""What the forms of whole collections read, and the record that describes a form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.arrays.rankings import Qrels
from cranfield.formats.corpora_and_topics import Note
from cranfield.formats.records import Document, Topic


class Wanted(NamedTuple):
    """What is asked of a form: a folder or an id, and which split of the judgments; `note` takes what is reported.

    Without a name the split is test.
    """

    source: str
    split: str | None = None
    note: Note | None = None


@dataclass(frozen=True)
class WholeCollection:
    """A collection as it was found; `documents` are read when asked for, and may be asked for once.

    `grades` are those of the judgments with their meanings, as far as the collection gives them. `origin` is what the
    store's history calls it.
    """

    name: str
    origin: str
    documents: Iterator[Document]
    topics: Sequence[Topic]
    qrels: Sequence[Qrels]
    grades: Mapping[int, str]
    description: str = ""
    licence: str = ""


@dataclass(frozen=True)
class CollectionForm:
    """One row of the table of forms: `detect` sees what the user gave, `read` what is asked of it."""

    name: str
    description: str
    detect: Callable[[str], bool]
    read: Callable[[Wanted], WholeCollection]
