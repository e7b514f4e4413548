"""What a part of a published folder is made from, and the record that describes a part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cranfield.arrays.rankings import Qrels
from cranfield.formats.published.parquet import Written
from cranfield.formats.published.tables import Columns
from cranfield.judging.labels.derive import Derived, derive
from cranfield.publishing.description.record import Description
from cranfield.publishing.options import PublishOptions, splits_of
from cranfield.store.store import Store


@dataclass(frozen=True)
class Publishing:
    """The copy of a store that is published, the folder it goes into, and what is asked."""

    store: Store
    root: Path
    description: Description
    options: PublishOptions

    @cached_property
    def derived(self) -> Derived:
        """The labels that count under the policy."""
        return derive(self.store, self.options.policy)

    @cached_property
    def qrels(self) -> Qrels:
        """The grades under the policy."""
        return self.derived.qrels()

    @property
    def splits(self) -> dict[str, frozenset[str]]:
        """The qids of each split."""
        return splits_of([topic.qid for topic in self.store.topics()], self.options.split)

    def within(self, *names: str) -> Path:
        """A path in the folder, whose own folder is there."""
        path = self.root.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


class PublishedTable(NamedTuple):
    """A Parquet file of the folder, and the table it belongs to."""

    file: Written
    table: str
    columns: Columns


@dataclass(frozen=True)
class Part:
    """One row of the table of parts; `write` puts its files into the folder, and returns those that are tables."""

    name: str
    write: Callable[[Publishing], Sequence[PublishedTable]]
    wanted: Callable[[PublishOptions], bool] = lambda options: True
