"""The runs of one call that needs no judgments: those of a store, of files, or in any form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import chosen_fields, merge_view_selection, provenance_of, tell_and_record
from cranfield.errors import InputError, give_warning
from cranfield.parallel import Tell
from cranfield.results import CallContext
from cranfield.selection import Selection
from cranfield.store.reading import Reading, SelectedPlace, name_of
from cranfield.text import name_hint

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Runs
    from cranfield.store.reading import Place


@dataclass(frozen=True)
class RunsOfCall:
    """The runs of one call, and what the call tells: warnings in Python, notes on the command line.

    `places` are a store, or files of runs; there are none where runs are objects, which are `given`.
    """

    places: Sequence[Place]
    given: Any
    reading: Reading
    tell: Tell
    lines: list[str] = field(default_factory=list)

    @cached_property
    def store(self) -> Place | None:
        """The store that has the runs."""
        from cranfield.view import find_store

        return find_store(self.places[0]) if self.places else None

    def read_named_runs(self, tags: Sequence[str] | None) -> Runs:
        """Read the runs, or those with these tags; of a store, without those that are fused."""
        from cranfield.analysis.pools import read_run_files_to_fuse, read_stored_runs_to_fuse, select_runs_to_fuse
        from cranfield.view import load_given_runs

        if self.places:
            if self.store is None:
                runs = read_run_files_to_fuse(self.places)
            else:
                runs = read_stored_runs_to_fuse(self.store, tags)
            return select_runs_to_fuse(runs, tags, name_of(self.places[0]))
        runs = load_given_runs(self.given)
        if unknown := next((tag for tag in tags or () if tag not in runs.tags), None):
            raise InputError(f"no run {unknown!r}{name_hint(unknown, runs.tags)}")
        return runs if tags is None else runs.select(tags)

    def note(self, *lines: str | None) -> None:
        """Report these lines as notes. Skip empty lines."""
        for line in filter(None, lines):
            self.tell(line)

    def context(self, function: str) -> CallContext:
        """How a result of this call came about."""
        provenance = provenance_of(function, self.store, self.reading.selection)
        return CallContext(tuple(self.lines), self.reading.left_out, provenance)


@contextmanager
def runs_of_call(runs: Any, selection: Selection, *, function: str) -> Iterator[RunsOfCall]:
    """Read the runs of one call: the places of a command, a store, a View, or runs in any form."""
    from cranfield.view import View, select_place_if_store

    lines: list[str] = []
    if isinstance(runs, list) and runs and isinstance(runs[0], SelectedPlace):
        before = runs[0].reading
        reading = replace(before, selection=replace(before.selection, **chosen_fields(selection)))
        places = [reading.select_place(one.place) for one in runs]
        yield RunsOfCall(places, None, reading, tell_and_record(before.stores.tell, lines), lines)
        return
    if isinstance(runs, View):
        runs.options_for(function, ["topics"], ["topics"] if selection.topics else [])
        selection = merge_view_selection(runs, selection)
    with Reading(selection) as reading:
        if isinstance(runs, View):
            if runs.store is None:
                reading.left_out.add(runs.left_out)
            runs = runs.runs if runs.store is None else runs.store
        place = select_place_if_store(runs, reading)
        places = [place] if isinstance(place, SelectedPlace) else []
        yield RunsOfCall(places, runs, reading, tell_and_record(give_warning, lines), lines)
    if reading.left_out.line:
        give_warning(reading.left_out.line)
