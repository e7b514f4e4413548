"""Baseline runs over the corpus of a store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.progress_bar import progress_bar
from cranfield.search.search import search
from cranfield.search.table import systems_called
from cranfield.store.history import searched_before
from cranfield.store.runs import add_runs, run_info
from cranfield.store.store import Store

if TYPE_CHECKING:
    from cranfield.formats import Document


class Searched(NamedTuple):
    """The baselines that were added, and notes on the others."""

    tags: tuple[str, ...]
    notes: list[str]


def search_store(path: Path | Store, systems: list[str] | None, depth: int = 1000) -> Searched:
    """Run the baselines that are not in a store yet, and add those that retrieve anything."""
    about = {s.name: RunInfo(f"baseline {s.family}", description=s.description) for s in systems_called(systems)}
    with nullcontext(path) if isinstance(path, Store) else Store.open(path) as store:
        topics, known = store.topics(), run_info(store)
        _refuse_without(Path(store.path), corpus=store.has("document"), topics=bool(topics))
        wanted = [name for name in about if name not in known]
        with progress_bar("searching", len(wanted)) as advance:
            found = search(_StoredCorpus(store), topics, wanted, depth, fts=store.search, progress=advance)
        found = found.answering()
        add_runs(store, found, about)
        stale = searched_before(store, [name for name in about if name in known])
    return Searched(found.tags, [*_there(about, known, stale), *_silent(wanted, found.tags)])


class _StoredCorpus:
    """The documents of a store, read again at each iteration."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __iter__(self) -> Iterator[Document]:
        return self.store.documents()


def _refuse_without(path: Path, **needed: bool) -> None:
    for what, there in needed.items():
        if not there:
            raise InputError(f"no {what} in this store to search; `cranfield import {what}` adds them", path)


def _there(about: Mapping[str, RunInfo], known: Mapping[str, RunInfo], stale: Sequence[str]) -> Iterator[str]:
    """Notes on stored runs that already have the name of a baseline."""
    ours = [name for name, info in about.items() if name in known and known[name].team == info.team]
    others = [name for name in about if name in known and name not in ours]
    if ours:
        yield f"already in the store and left unchanged: {', '.join(ours)}"
    if stale := [name for name in ours if name in stale]:
        again = "to search again, first remove them with `cranfield store remove`"
        yield f"older than the newest corpus or topics: {', '.join(stale)}; {again}"
    if others:
        yield f"skipped, because runs of other teams have these names: {', '.join(others)}"


def _silent(wanted: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    silent = [name for name in wanted if name not in found]
    if silent:
        yield f"not stored, because they retrieved nothing: {', '.join(silent)}"
