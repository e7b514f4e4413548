"""The store of one call: opened, with the selection of the call, and with a place for what is to be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cranfield import hooks
from cranfield.errors import InputError, file_named_in_errors, give_warning, replace_options
from cranfield.options.given import StoreLike
from cranfield.parallel import Tell
from cranfield.results import CallContext
from cranfield.selection import EVERYTHING, Selection
from cranfield.store.reading import Reading, SelectedPlace, name_of

if TYPE_CHECKING:
    from cranfield.store.store import Store
    from cranfield.view import View


@dataclass(frozen=True, eq=False)
class OpenedStore:
    """A store that one call has open: what counts of it, and what the call tells."""

    store: Store
    place: Path  # in memory, its name
    reading: Reading
    tell: Tell
    lines: list[str] = field(default_factory=list)

    @property
    def is_in_python(self) -> bool:
        """Whether a program made this call, not the command line."""
        return self.tell is give_warning

    def note(self, *lines: str | None) -> None:
        """Report these lines: as warnings in Python, as notes on the command line. Skip empty lines."""
        for line in filter(None, lines):
            self.keep(line)
            self.tell(line)

    def keep(self, *lines: str) -> None:
        """Keep these lines as notes of the result. A renderer prints them below the table."""
        self.lines.extend(replace_options(line) if self.is_in_python else line for line in lines)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write in one transaction, so that no other program changes the store meanwhile; errors name the store."""
        with file_named_in_errors(self.place), self.store.writing():
            yield

    def instead(self, command: str) -> Callable[..., Any] | None:
        """The step of the feature whose options are given, if any."""
        return hooks.instead(command, self.reading.added)

    def context(self, function: str) -> CallContext:
        """How a result of this call came about."""
        provenance = provenance_of(function, self.place, self.reading.selection)
        return CallContext(tuple(self.lines), self.reading.left_out, provenance)


def provenance_of(function: str, store: object = None, selection: Selection = EVERYTHING) -> dict[str, Any]:
    """The version of the program, the public name of the function, its store, and what was selected of it."""
    from cranfield import __version__

    place = {} if store is None else {"store": str(store)}
    return {"cranfield": __version__, "function": function, **place, **chosen_fields(selection)}


def store_of(given: Any) -> Path | None:
    """The path of a store, or of a list with a store alone; None for files and objects."""
    from cranfield.view import find_store

    [first, *more] = given if isinstance(given, list) and given else [given]
    place = None if more else find_store(first)
    return None if place is None else name_of(place)


def chosen_fields(selection: Selection) -> dict[str, Any]:
    """The fields of a selection that select something."""
    return {name: value for name, value in vars(selection).items() if value != getattr(EVERYTHING, name)}


def merge_view_selection(view: View, selection: Selection) -> Selection:
    """The selection of a view for a call; an error where the call selects as well."""
    if selection.has_round:
        raise InputError(
            f"{next(iter(selection.round_options))} cannot be combined with a view; choose it when you make the view"
        )
    if selection.topics not in ("", view.selection.topics):
        raise InputError(
            f"topics={selection.topics!r} cannot be combined with a view; choose it when you make the view"
        )
    return view.selection if view.store is not None else replace(view.selection, remove_judged=None)


@contextmanager
def open_reading(places: Sequence[object], selection: Selection = EVERYTHING) -> Iterator[Reading]:
    """How one call reads its stores and files: as its command says, or in Python with a warning on what is left out."""
    given = next((place for place in places if isinstance(place, SelectedPlace)), None)
    if given is not None:
        before = given.reading
        yield replace(before, selection=replace(before.selection, **chosen_fields(selection)))
        return
    with Reading(selection) as reading:
        yield reading
        if reading.left_out.line:
            give_warning(reading.left_out.line)


@contextmanager
def open_store_call(
    store: StoreLike, selection: Selection = EVERYTHING, *, function: str = ""
) -> Iterator[OpenedStore]:
    """Open a store for one call; one that was open stays open.

    A command passes its store with its own Reading, so that notes go to the shell and a table says what was left out.
    In Python these are warnings. Errors about a View name the `function`.
    """
    if not isinstance(store, SelectedPlace):
        from cranfield.view import View, apply_reading, store_open

        if isinstance(store, View):
            store.options_for(function, (), ())  # refuses labels and a pool, which only functions that take a View read
            selection = merge_view_selection(store, selection)
            store = store if store.store is None else store.store
    if isinstance(store, SelectedPlace):
        before = store.reading
        reading = replace(before, selection=replace(before.selection, **chosen_fields(selection)))
        with reading.select_place(store.place).open() as there:
            yield OpenedStore(there, store.path, reading, before.stores.tell)
        return
    with Reading(selection) as reading:
        with store_open(cast("Path", apply_reading(store, reading))) as there:
            path = Path(store) if isinstance(store, str | PathLike) else Path(there.path)
            yield OpenedStore(there, path, reading, give_warning)
        if reading.left_out.line:
            give_warning(reading.left_out.line)
