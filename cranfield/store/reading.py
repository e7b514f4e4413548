"""How one call reads: its selection, what it leaves out, and the stores that it has open.

To open a store takes longer than most of what is asked of it, so a call opens each store once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeVar

from cranfield.errors import InputError
from cranfield.parallel import Tell, current_thread_number, ignore_note
from cranfield.selection import EVERYTHING, KeptCounts, LeftOut, Selection, release_path, split_release_path

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Qrels, Runs, Vocabulary
    from cranfield.arrays.selection import RowSelection
    from cranfield.store.store import Store

T = TypeVar("T")
EVALUATED = 1000  # documents of a ranking, once those that were judged earlier are gone: as TREC scores them


class OpenStores:
    """The stores that one call has open, by their paths. It is used as a context manager, by one thread."""

    def __init__(self, tell: Tell = ignore_note) -> None:
        self.tell = tell
        self._stack, self._thread, self._stores = ExitStack(), current_thread_number(), dict[str, "Store"]()
        self._is_entered = False

    def __enter__(self) -> Self:
        self._is_entered = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_entered = False
        self._stores.clear()
        self._stack.__exit__(kind, error, trace)

    @contextmanager
    def open(self, path: str | PathLike[str]) -> Iterator["Store"]:
        """An open store, to be read: one that is kept open, or one that is closed after it.

        >>> from tempfile import TemporaryDirectory
        >>> from cranfield.store.store import Store
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "a.db")
        ...     Store.create(path, "a").close()
        ...     with OpenStores() as stores, stores.open(path) as one, stores.open(path) as other:
        ...         print(one is other)
        ...     with stores.open(path) as one, stores.open(path) as other:
        ...         print(one is other)
        True
        False
        """
        from cranfield.store.store import Store

        if not self._is_entered or self._thread != current_thread_number():
            with Store.open(path, tell=self.tell) as store:
                yield store
            return
        if fspath(path) not in self._stores:
            self._stores[fspath(path)] = self._stack.enter_context(Store.open(path, tell=self.tell))
        store = self._stores[fspath(path)]
        store.catch_up()
        with store.reporting_damage():
            yield store


@dataclass(frozen=True, eq=False)
class Reading:
    """The selection that one call reads, and the notes on what it leaves out. It keeps stores open while it is entered.

    `added` has the options of the call that features add, as records by kind.

    >>> Reading(Selection(topics="dev")).left_out.line
    ''
    """

    selection: Selection = EVERYTHING
    left_out: LeftOut = field(default_factory=LeftOut)
    stores: OpenStores = field(default_factory=OpenStores)
    added: Mapping[type, Any] = field(default_factory=dict)
    counting: KeptCounts = field(default_factory=KeptCounts)

    def __enter__(self) -> Self:
        self.stores.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stores.__exit__(kind, error, trace)

    def select_place(self, place: "Path | Store | SelectedPlace") -> "SelectedPlace":
        """A place of which this is read."""
        return place if isinstance(place, SelectedPlace) else SelectedPlace(place, self)

    def select_places(self, places: "Sequence[Path | Store]") -> "list[SelectedPlace]":
        """Places of which this is read."""
        return [self.select_place(place) for place in places]

    def store(self, path: str | PathLike[str]) -> "AbstractContextManager[Store]":
        """Open a store of which the selection counts, to read it or to write into it."""
        return self.select_place(Path(path)).open_new_connection()


@dataclass(frozen=True, eq=False)
class SelectedPlace:
    """A store, open or not, or a file, with the reading of the call that reads it. It is written as its path."""

    place: "Path | Store"
    reading: Reading

    def __fspath__(self) -> str:
        return fspath(self.path)

    def __str__(self) -> str:
        return str(self.path)

    @contextmanager
    def open(self) -> Iterator["Store"]:
        """The store of which the selection counts; one that was open is not closed."""
        if not isinstance(self.place, Path):
            self.place.check_open()
            self.place.catch_up()
            yield self._selected_store(self.place)
            return
        with self.reading.stores.open(self.place) as store:
            yield self._selected_store(store)

    @contextmanager
    def open_new_connection(self) -> Iterator["Store"]:
        """The same, of a path, with a connection of its own."""
        from cranfield.store.store import Store

        with Store.open(self.path, tell=self.reading.stores.tell) as store:
            yield self._selected_store(store)

    def _selected_store(self, store: "Store") -> "Store":
        return store.select(self.reading.selection, self.reading.left_out, self.reading.counting)

    @property
    def path(self) -> Path:
        """The file."""
        return self.place if isinstance(self.place, Path) else Path(self.place.path)


Place: TypeAlias = "Path | Store | SelectedPlace"  # a file, or a store that is open; of it a selection


def is_store(place: Place) -> bool:
    """Whether this is a store that is open, or a file that is an SQLite database; one that is not there is refused."""
    from cranfield.formats.files import STANDARD_STREAM, is_sqlite

    place = place.place if isinstance(place, SelectedPlace) else place
    if not isinstance(place, Path):
        return True
    place, release = split_release_path(place)
    if not place.exists() and str(place) != STANDARD_STREAM:
        raise InputError("no such file", place)
    is_database = place.is_file() and is_sqlite(place)
    if release and not is_database:
        raise InputError(f"not a store; only a store has a release {release!r:.80}", place)
    return is_database


def is_store_alone(paths: Sequence[Place]) -> bool:
    """Whether this is a store, otherwise files; an error for a store with further files."""
    first, *rest = paths
    is_stored = is_store(first)
    if is_stored and rest:
        raise InputError(
            "a store next to other files; expected only the store, which contains its runs; add a run "
            "with `cranfield import runs`",
            name_of(rest[0]),
        )
    return is_stored


@contextmanager
def open_store_at(place: Place) -> Iterator["Store"]:
    """The store; one that was open before is not closed."""
    from cranfield.store.store import Store

    if isinstance(place, Store):
        place.check_open()
        place.catch_up()
        yield place
        return
    with place.open() if isinstance(place, SelectedPlace) else Store.open(place) as store:
        yield store


def read_from_place(place: "Place | None", read: "Callable[[Store], T]", otherwise: T) -> T:
    """Return what a function finds in a store; `otherwise` without one."""
    if place is None:
        return otherwise
    with open_store_at(place) as store:
        return read(store)


def reading_of(place: Place) -> Reading:
    """How a place is read: whole, unless it is selected."""
    if isinstance(place, SelectedPlace):
        return place.reading
    return Reading() if isinstance(place, Path) else Reading(place.selection, place.left_out)


def name_of(place: Place) -> Path:
    """The file of this."""
    return place if isinstance(place, Path) else Path(place.path)


class ChoiceOfFiles(NamedTuple):
    """Takes of runs and judgments in files those that are asked for: what was not judged before, of a set of topics."""

    before: "Sequence[Qrels]"
    reading: Reading

    def select_runs(self, runs: "Runs") -> "Runs":
        """The rows that are asked for."""
        return self._row_selection(runs.topics, runs.docnos).select_runs(runs.loaded, self.reading.left_out)

    def select_qrels(self, qrels: "Qrels") -> "Qrels":
        """The judgments that are asked for; an error where there is none."""
        return self._row_selection(qrels.topics, qrels.docnos, qrels).select_qrels(qrels)

    def select_both(self, runs: "Runs", qrels: "Qrels") -> "tuple[Runs, Qrels]":
        """The same of both."""
        return self.select_runs(runs), self.select_qrels(qrels)

    def _row_selection(
        self, topics: "Vocabulary", docnos: "Vocabulary", qrels: "Qrels | None" = None
    ) -> "RowSelection":
        """What is asked for, over these topics and documents."""
        import numpy as np

        from cranfield.arrays.selection import RowSelection, pair_keys

        has_topic, name, keys = None, self.reading.selection.topics, np.zeros(0, np.int64)
        if name:
            from cranfield.store.topic_sets import read_qid_list

            qids, others = np.array(read_qid_list(Path(name)), object), self.reading.left_out.others
            has_topic = np.isin(topics.names.astype(object), qids)
            if qrels is not None:
                counts = has_topic[qrels.judged_topics]
                if not counts.any():
                    raise InputError(
                        f"none of the topics in this file was judged; the qrels contain {_first_of(qrels.qids)}",
                        Path(name),
                    )
                if not counts.all():
                    others[f"topics not in {Path(name).name}"] = int((~counts).sum())
                if missing := len({*qids.tolist()} - {*qrels.qids}):
                    others[f"topics of {Path(name).name} that nobody judged"] = missing
        for one in self.before:
            judged = one.rows(one.judged)
            topic, document = (
                judged.topics.translate(judged.topic, topics),
                judged.docnos.translate(judged.document, docnos),
            )
            there = (topic >= 0) & (document >= 0)
            keys = np.union1d(keys, pair_keys(topic[there], document[there]))
        has_earlier = bool(self.before)
        return RowSelection(has_topic, earlier=keys if has_earlier else None, most=EVALUATED if has_earlier else None)


def selection_for_files(reading: Reading) -> ChoiceOfFiles | None:
    """What of files is asked for; None where it is everything."""
    selection = reading.selection
    if selection.round is not None or selection.judged is not None:
        raise InputError(
            "--round and --judged need a store; for files, name earlier judgments with --remove-judged QRELS"
        )
    earlier = [] if selection.remove_judged is None else [Path(selection.remove_judged)]
    if not (selection.topics or earlier):
        return None
    from cranfield.formats import read_qrels

    return ChoiceOfFiles([read_qrels(path) for path in earlier], reading)


def _first_of(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + ", ..." * (len(names) > 3)


def reopening_path(store: "Store") -> Path:
    """The path by which a store, or a release of it, can be opened again."""
    return release_path(store.path, store.as_of) if store.as_of else Path(store.path)
