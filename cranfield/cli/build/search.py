"""search: baseline runs over the stored corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat, emit, note, say
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.formats import Document, RunInfo
    from cranfield.store.store import Store


def search(
    path: Annotated[Path | None, typer.Argument(metavar="STORE", help="A store, such as track.db.")] = None,
    system: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this ranker; may be repeated. All by default.")
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="How many documents a topic at most.")] = 1000,
    systems: Annotated[bool, typer.Option("--list", help="List the rankers and stop.")] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Rank the stored corpus for the stored topics with baseline rankers, and store their runs.

    They give a builder with one system a varied pool. Each family of rankers counts as a team. A ranker whose run is
    here already is left out, and so is one that retrieves nothing.

    Example: cranfield search track.db --system bm25 --system lsa
    """
    from cranfield.search import SYSTEMS

    if systems:
        rows = [{"system": s.name, "family": s.family, "field": s.field, "what": s.description} for s in SYSTEMS]
        emit(rows, format, output)
    elif path is None:
        raise typer.BadParameter("a store is needed", param_hint="STORE")
    else:
        searched = search_store(path, system, depth)
        say(f"{len(searched.tags)} runs")
        for text in searched.notes:
            note(text)


class Searched(NamedTuple):
    """The baselines that were added, and what the builder should know of the others."""

    tags: tuple[str, ...]
    notes: list[str]


def search_store(path: Path, systems: list[str] | None, depth: int = 1000) -> Searched:
    """Run the baselines that are not in a store yet, and add those that retrieve anything."""
    from cranfield.formats import RunInfo
    from cranfield.progress_bar import progress_bar
    from cranfield.search import search, systems_called
    from cranfield.store.history import searched_before
    from cranfield.store.runs import add_runs, run_info
    from cranfield.store.store import Store

    about = {s.name: RunInfo(f"baseline {s.family}", description=s.description) for s in systems_called(systems)}
    with Store.open(path) as store:
        topics, known = store.topics(), run_info(store)
        _refuse_without(path, corpus=store.has("document"), topics=bool(topics))
        wanted = [name for name in about if name not in known]
        with progress_bar("searching", len(wanted)) as advance:
            found = search(_Corpus(store), topics, wanted, depth, fts=store.search, progress=advance)
        found = found.answering()
        add_runs(store, found, about)
        stale = searched_before(store, [name for name in about if name in known])
    return Searched(found.tags, [*_there(about, known, stale), *_silent(wanted, found.tags)])


class _Corpus:
    """The documents of a store, read as often as they are gone through."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __iter__(self) -> Iterator[Document]:
        return self.store.documents()


def _refuse_without(path: Path, **needed: bool) -> None:
    for what, there in needed.items():
        if not there:
            raise InputError(f"no {what} here to search; `cranfield import {what}` adds them", path)


def _there(about: Mapping[str, RunInfo], known: Mapping[str, RunInfo], stale: Sequence[str]) -> Iterator[str]:
    """What is said of runs that had the name of a baseline already."""
    ours = [name for name, info in about.items() if name in known and known[name].team == info.team]
    others = [name for name in about if name in known and name not in ours]
    if ours:
        yield f"here already and left as they were: {', '.join(ours)}"
    if stale := [name for name in ours if name in stale]:
        again = "`cranfield store remove` takes them back, to search again"
        yield f"older than the newest corpus or topics: {', '.join(stale)}; {again}"
    if others:
        yield f"not searched, as runs of other teams have these names: {', '.join(others)}"


def _silent(wanted: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    silent = [name for name in wanted if name not in found]
    if silent:
        yield f"retrieved nothing for any topic and not stored: {', '.join(silent)}"
