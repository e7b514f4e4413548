"""One call of a function: its store, opened, or the view of its store or of its judgments and runs.

Either has the selection of the call and a place for notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, cast

from cranfield import hooks
from cranfield.errors import InputError, MeasureError, file_named_in_errors, give_warning, replace_options
from cranfield.lazy import lazy_type
from cranfield.options import Argument
from cranfield.options.arguments import StoreLike
from cranfield.parallel import Tell, ignore_note
from cranfield.results import CallContext
from cranfield.selection import EVERYTHING, LabelledBy, Labellers, Selection
from cranfield.store.reading import Reading, SelectedPlace, name_of

if TYPE_CHECKING:
    from cranfield.call_view import CallView
    from cranfield.store.store import Store
    from cranfield.view import QrelsGiven, RunsGiven, View
else:
    QrelsGiven, RunsGiven = lazy_type("cranfield.view", "QrelsGiven"), lazy_type("cranfield.view", "RunsGiven")


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
        return hooks.replacement_function(command, self.reading.added)

    def context(self, function: str) -> CallContext:
        """How a result of this call came about."""
        provenance = provenance_of(function, self.place, self.reading.selection)
        return CallContext(tuple(self.lines), self.reading.left_out, provenance)


def provenance_of(function: str, store: object = None, selection: Selection = EVERYTHING) -> dict[str, Any]:
    """The version of the program, the public name of the function, its store, and what was selected of it."""
    from cranfield import __version__

    place = {} if store is None else {"store": str(store)}
    return {"cranfield": __version__, "function": function, **place, **chosen_fields(selection)}


def single_store_path(given: Any) -> Path | None:
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
        from cranfield.view import View, select_place_if_store, store_open

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
        with store_open(cast("Path", select_place_if_store(store, reading))) as there:
            path = Path(store) if isinstance(store, str | PathLike) else Path(there.path)
            yield OpenedStore(there, path, reading, give_warning)
        if reading.left_out.line:
            give_warning(reading.left_out.line)


QrelsOrStore = Annotated[
    QrelsGiven,
    Argument(
        "A store, or a qrels file followed by runs (files or folders).", metavar="SOURCE...", typed=list[Path],
        reads="source",
    ),
]  # fmt: skip
KnownRuns: TypeAlias = RunsGiven | None


class ViewOptions(NamedTuple):
    """The options of a call that select what it reads, each as the function takes it."""

    topics: str = "all"
    ignore_own_id: bool = False
    assessor: str | None = None
    policy: str | None = None
    labels: str = "all"
    round: str | None = None
    judged: str | None = None
    remove_judged: str | PathLike[str] | None = None
    release: str | None = None
    pool: int | None = None
    teams: str | PathLike[str] | Mapping[str, str] | None = None

    @property
    def labellers(self) -> Labellers:
        """Whose labels count, and whether documents with the id of their topic do."""
        return Labellers(self.assessor, LabelledBy(self.labels), self.policy, self.ignore_own_id)

    @property
    def selection(self) -> Selection:
        """The topic set and the round."""
        from cranfield.arrays import topic_set_of

        return Selection(
            topics=topic_set_of(self.topics), round=self.round, judged=self.judged, remove_judged=self.remove_judged
        )

    @property
    def given(self) -> list[str]:
        """The options that do not have their default."""
        return [name for name, value in self._asdict().items() if value != self._field_defaults[name]]


NOT_OF_VIEWS = ("pool",)  # options that only some functions take, which name them


@dataclass(frozen=True, eq=False)
class ViewedCall:
    """The view of one call, and what the call tells: warnings in Python, notes on the command line."""

    view: CallView
    reading: Reading
    tell: Tell
    lines: list[str] = field(default_factory=list)

    @property
    def is_command(self) -> bool:
        """Whether a command made the call."""
        return self.reading.stores.tell is not ignore_note

    def note(self, *lines: str | None) -> None:
        """Report these lines as notes. Skip empty lines."""
        for line in filter(None, lines):
            self.view.tell(line)

    def keep(self, *lines: str) -> None:
        """Keep these lines as notes of the result. A renderer prints them below the table."""
        self.lines.extend(lines if self.is_command else map(replace_options, lines))

    def context(self, function: str) -> CallContext:
        """How a result of this call came about."""
        provenance = provenance_of(function, self.view.store_path, self.reading.selection)
        return CallContext(tuple(self.lines), self.reading.left_out, provenance)


@contextmanager
def open_view(
    qrels: QrelsGiven,
    runs: RunsGiven | None,
    options: ViewOptions,
    *,
    cluster: str | None = None,
    function: str = "",
    takes_pool: bool = False,
    has_measures: bool = True,
) -> Iterator[ViewedCall]:
    """Read judgments and runs, or a store, for one call.

    Parameters
    ----------
    qrels, runs
        What the function was given. A command gives its paths, each with its own Reading.
    options : ViewOptions
        What is selected.
    cluster : str, optional
        The address of the cluster that computes meanwhile.
    function : str
        The name of the function, for messages.
    takes_pool, has_measures : bool
        Whether the function takes a pool, and measures.
    """
    from cranfield.arrays import parse_topics
    from cranfield.call_view import CallView
    from cranfield.view import ReadSetting, use_cluster

    lines: list[str] = []
    if isinstance(qrels, SelectedPlace):
        before = qrels.reading
        tell = tell_and_record(before.stores.tell, lines)
        selection = replace(before.selection, **chosen_fields(options.selection))
        reading = replace(before, selection=selection)
        setting = ReadSetting(reading, tell, options.labellers, options.pool, options.teams, has_measures)
        view = CallView(_view_of_places(qrels, runs, reading), setting, parse_topics(options.topics))
        with use_cluster(cluster):
            yield ViewedCall(view, reading, tell, lines)
        return
    tell = tell_and_record(give_warning, lines)
    made = _view_in(qrels, runs, function)
    options = options if made is None else _add_view_options(options, made, function, takes_pool)
    chosen = options.selection if made is None else merge_view_selection(made, options.selection)
    qrels = release_of_call(qrels, options.release)
    with Reading(chosen) as reading:
        setting = ReadSetting(reading, tell, options.labellers, options.pool, options.teams, has_measures)
        with use_cluster(cluster):
            yield ViewedCall(CallView(_view_of_objects(qrels, runs, reading), setting, parse_topics(options.topics)),
                             reading, tell, lines)  # fmt: skip
    if reading.left_out.line:
        give_warning(reading.left_out.line)


def tell_and_record(tell: Tell, lines: list[str]) -> Callable[[str], None]:
    """Tell lines, and keep them as notes of the result."""

    def keep(line: str) -> None:
        lines.append(replace_options(line) if tell is give_warning else line)
        tell(line)

    return keep


def _view_of_places(qrels: SelectedPlace, runs: Any, reading: Reading) -> Any:
    from cranfield.view import PlacesGiven

    return PlacesGiven([reading.select_place(one.place) for one in (qrels, *(runs or ()))])


def _view_of_objects(qrels: Any, runs: Any, reading: Reading) -> Any:
    """What a function was given; a store that stands alone is in the place of the judgments."""
    from cranfield.call_view import wrap_given_inputs
    from cranfield.view import select_place_if_store

    refuse_measure(runs)
    qrels, runs = select_place_if_store(qrels, reading), select_place_if_store(runs, reading)
    return wrap_given_inputs(qrels, None, reading) if runs is None else wrap_given_inputs(runs, qrels, reading)


def refuse_measure(runs: object) -> None:
    """Refuse measures in the place of the runs."""
    several = [runs] if isinstance(runs, str) else runs
    if not isinstance(several, list | tuple) or not several:
        return
    if not all(isinstance(one, str) and not Path(one).exists() for one in several):
        return
    from cranfield.metrics.notation import parse_measures

    with suppress(MeasureError):
        parse_measures(several)
        are = "is a measure" if isinstance(runs, str) else "are measures"
        measures = runs if isinstance(runs, str) else list(several)
        raise InputError(f"{runs!r} {are}, given as runs; expected measures={measures!r}")


def _view_in(qrels: object, runs: object, function: str) -> View | None:
    from cranfield.view import View

    view = next((one for one in (qrels, runs) if isinstance(one, View)), None)
    if view is not None and runs is not None:
        raise InputError("a view already has its runs; expected no further runs, and measures as measures=...")
    return view


def _add_view_options(options: ViewOptions, view: View, function: str, takes_pool: bool) -> ViewOptions:
    names: Sequence[str] = [name for name in options._fields if takes_pool or name not in NOT_OF_VIEWS]
    return options._replace(**view.options_for(function, names, options.given))


def release_of_call(qrels: Any, release: str | None) -> Any:
    """The release of a store that a call names."""
    from cranfield.view import release_of

    return release_of(qrels, release) if release else qrels
