"""The view that one command or function reads, and notes on its judgments.

The notes are on topics without relevant documents, on samples and on scales.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Self, TypeVar

import numpy as np

from cranfield.arrays import WhichTopics
from cranfield.arrays.join import JudgedRuns
from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import Floats, Ints, Qrels
from cranfield.errors import CranfieldError, InputError
from cranfield.metrics.evaluate import note_on_scale
from cranfield.metrics.measure import Measure
from cranfield.selection import EVERYBODY, Labellers, LeftOut
from cranfield.source import (
    Source,
    Tell,
    add_known_teams,
    files_of,
    judged_on_topics,
    refuse_undecided_labels,
    silent,
    with_teams,
)
from cranfield.store.reading import Place, Reading, SelectedPlace, name_of, reading_of
from cranfield.text import counted, name_hint
from cranfield.view import (
    ObjectsGiven,
    PlacesGiven,
    QrelsGiven,
    ReadSetting,
    RunsGiven,
    View,
    find_store,
)

if TYPE_CHECKING:
    from cranfield.store.store import Store


T = TypeVar("T")


class ViewGiven:
    """A view that was made before: what it has read is used again."""

    is_read_once = True

    def __init__(self, view: View, reading: Reading) -> None:
        self.view, self._reading = view, reading

    @property
    def is_stored(self) -> bool:
        """Whether it is of a store that stands alone."""
        return self.view.is_stored

    @cached_property
    def judged_in(self) -> Place | None:
        """The store that has the judgments."""
        store = self.view.store
        return self.view.judged_in if store is None else self._reading.select_place(store)

    def source(self, setting: ReadSetting) -> Source:
        """Runs and judgments, with the notes on them."""
        return self.view.open_source(setting.reading, setting.tell)

    def parts(self, setting: ReadSetting) -> JudgedBlocks:
        """The judged positions of all runs, with the notes on them."""
        return self.source(setting).blocks


class _Scale(NamedTuple):
    """Which grades are relevant, and the highest grade of a store's scale."""

    min_relevant: int = 1
    top: int | None = None


class CallView(View):
    """The view of one command or function, which tells what a reader should know as it is read.

    What it is made of is found out once, when it is first needed.

    >>> notes = []
    >>> judgments, runs = {"q": {"d1": 1}, "p": {"d1": 1}}, {"a": {"q": {"d1": 2.0}}}
    >>> view = CallView(ObjectsGiven(judgments, runs), ReadSetting(Reading(), notes.append), WhichTopics.all)
    >>> view.min_relevant, view.top_of_scale, view.is_stored, view.scored_blocks.qids
    (1, None, False, ('p', 'q'))
    >>> notes
    ['a answered 1 of 2 judged topics and scores 0 on the others; to exclude the others, use --topics common']
    """

    def __init__(
        self, given: PlacesGiven | ObjectsGiven | ViewGiven, setting: ReadSetting, topics: WhichTopics
    ) -> None:
        self.given, self.setting, self.which = given, setting, topics
        self.selection, self.tell = setting.reading.selection, setting.tell
        self._is_told = False

    @classmethod
    def view_of_store(
        cls,
        store: Store,
        labellers: Labellers = EVERYBODY,
        *,
        pool: int | None = None,
        tell: Tell = silent,
        topics: WhichTopics = WhichTopics.all,
    ) -> Self:
        """The view of a store that is open, of which counts what was selected of it."""
        reading = reading_of(store)
        return cls(PlacesGiven([reading.select_place(store)]), ReadSetting(reading, tell, labellers, pool), topics)

    def refuse_undecided_labels(self) -> None:
        """Raise UndecidedError if labels in the store differ, and neither the call nor the store has a choice."""
        if self.judged_in is not None:
            refuse_undecided_labels(self.judged_in, self.setting.labellers)

    @property
    def is_stored(self) -> bool:
        """Whether it is of a store that has both runs and judgments."""
        return self.given.is_stored

    @property
    def is_qrels_alone(self) -> bool:
        """Whether it is a qrels file without runs, which only some commands take."""
        return isinstance(self.given, PlacesGiven) and len(self.given.places) == 1 and not self.given.is_stored

    @property
    def judged_in(self) -> Place | None:
        """The store that has the judgments; None for files and objects."""
        return self.given.judged_in

    @property
    def place(self) -> Place | None:
        """The store that has both runs and judgments; None for anything else."""
        return self.given.judged_in if self.given.is_stored else None

    @property
    def paths(self) -> list[Path]:
        """The files that were given; empty for objects."""
        if isinstance(self.given, PlacesGiven):
            return [name_of(place) for place in self.given.places]
        if isinstance(self.given, ViewGiven):
            return [] if self.given.view.store is None else [name_of(self.given.view.store)]
        return files_of(self.given.runs, self.given.qrels)

    @property
    def store(self) -> Path | Store | None:
        """The store that has both runs and judgments, or its path; None for anything else."""
        return self.place.place if isinstance(self.place, SelectedPlace) else self.place

    def require_store(self, error: CranfieldError) -> Place:
        """Return the store that has both runs and judgments; raise the error for anything else."""
        if self.place is None:
            raise error
        return self.place

    @property
    def run_files(self) -> list[Path]:
        """The run files; empty for a store and for objects."""
        return [] if self.is_stored else self.paths[1:]

    def find_stored_run(self, name: Path) -> str | None:
        """Return the tag of the stored run that an argument names; None for a file.

        Raise InputError if a store has the runs, and the name is neither a tag nor a file.
        """
        if not self.is_stored:
            return None
        if (tag := str(name)) in self.runs.tags:
            return tag
        if not name.exists():
            raise InputError(f"neither a file nor a run in {self.path}{name_hint(tag, self.runs.tags)}", name)
        return None

    @property
    def known_run_remedy(self) -> str:
        """What to do about the file of a run that is already one of the known runs."""
        return "give its tag instead" if self.is_stored else "remove its file from the known runs"

    @property
    def known_pool_view(self) -> CallView | None:
        """The view where the pooled runs are among its runs, as in a store; None where the user states them."""
        return self if self.is_stored else None

    @property
    def draw_options(self) -> tuple[str, ...]:
        """The options of a proposed command that make a draw a judging task: a pool, where a store has the runs."""
        return ("--store-pool",) if self.is_stored else ()

    def store_alone(self, of: str) -> Place:
        """The store that has what is measured; an error for anything else, and for a store with something else.

        Parameters
        ----------
        of : str
            What is measured, in the plural.
        """
        more = self.given.places[1:] if isinstance(self.given, PlacesGiven) else ()
        first = self.given.places[0] if isinstance(self.given, PlacesGiven) else self.place
        if first is None or more or find_store(first) is None:
            path = None if first is None else name_of(more[0] if more else first)
            raise InputError(f"{of} are in a store; expected a store, and no other argument", path)
        return first

    @cached_property
    def _source(self) -> Source:
        source = self._read_with_notes(self.given.source).replace_fields(tell=self.tell)
        teams = self.setting.teams
        if isinstance(teams, Mapping):
            return add_known_teams(source, teams)
        return source if teams is None else with_teams(source, Path(teams))

    def parts(self) -> JudgedRuns | JudgedBlocks:
        """The judged positions, of a few runs at a time, which are not kept; of a data set, of blocks of topics."""
        return self._read_with_notes(self.given.parts)

    def cache_small_files(self) -> None:
        """Keep what is read of small files and of pipes, which can be read only once."""
        if self.given.is_read_once:
            _ = self._source

    @cached_property
    def all_blocks(self) -> JudgedBlocks:
        """The judged positions on all judged topics."""
        if "_source" in vars(self):
            return self._source.blocks
        parts = self.parts()
        return parts.keep() if isinstance(parts, JudgedBlocks) else as_judged_blocks(parts.stack())

    @cached_property
    def scored_blocks(self) -> JudgedBlocks:
        """The judged positions on the topics that count; it tells which runs did not answer all of them."""
        return judged_on_topics(self.all_blocks, self.which, self.tell)

    def _read_with_notes(self, read: Callable[[ReadSetting], T]) -> T:
        """Read something; the notes are told once, however often the place is read."""
        tell = silent if self._is_told else self.tell
        self._is_told = True
        return read(self.setting._replace(tell=tell))

    @cached_property
    def _scale(self) -> _Scale:
        return self.read_from_judgment_store(_scale_of, _Scale())

    @property
    def min_relevant(self) -> int:
        """The lowest grade that is relevant: on a store's scale, otherwise 1."""
        return self._source.min_relevant if "_source" in vars(self) else self._scale.min_relevant

    @property
    def top_of_scale(self) -> int | None:
        """The highest grade on a store's scale; None without a store."""
        return self._scale.top

    @cached_property
    def newest_pool_depth(self) -> int | None:
        """The depth of the store's newest pool; None without a store, and where the pool has no depth."""
        return self.read_from_judgment_store(newest_pool_depth, None)

    @property
    def left_out(self) -> LeftOut:
        """The runs, topics and documents that were not read, with the reasons."""
        return self.setting.reading.left_out

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing, since they were told."""
        return ()

    def __reduce__(self) -> NoReturn:
        raise InputError("the view of a call cannot be pickled; expected one of open_collection(...).select(...)")

    def __repr__(self) -> str:
        return f"CallView({', '.join(map(str, self.paths))})"


def _scale_of(store: Store) -> _Scale:
    collection = store.collection
    return _Scale(collection.min_relevant, max(collection.grades))


def newest_pool_depth(store: Store) -> int | None:
    """The depth of a store's newest pool; None where the pool has no depth."""
    from cranfield.store.open_pools import budget_stages
    from cranfield.store.pools import newest_pool_of_round, pool_depth

    number = newest_pool_of_round(store)
    return None if budget_stages(store, number) else pool_depth(store, number)


def wrap_given_inputs(runs: RunsGiven, qrels: QrelsGiven, reading: Reading) -> PlacesGiven | ObjectsGiven | ViewGiven:
    """What a function was given: judgments and runs, or a store or another view in the place of the runs."""
    if isinstance(runs, View):
        return ViewGiven(runs, reading)
    place = find_store(runs) if qrels is None else None
    return ObjectsGiven(qrels, runs) if place is None else PlacesGiven([reading.select_place(place)])


def notes_on_judgments(
    judged: Judged, measures: tuple[Measure, ...], rel: float, scale_top: int | None = None
) -> Iterator[str]:
    """Yield the notes on the judgments: what they lack for these measures."""
    if judged.has_nonrelevant:
        yield from _note_on_empty_topics(len(judged.qids), int(np.count_nonzero(judged.num_relevant_by_topic(rel))))
    elif scale_top is None and (note := note_on_scale_from_1(judged.qrels_grade, measures)):
        yield note
    if judged.qrels_stratum is not None and any(measure.needs_strata for measure in measures):
        from cranfield.metrics.measures.incomplete import strata_without_judgments_message

        line = strata_without_judgments_message(judged)
        yield from [line] if line else []
    if line := note_on_scale(judged.highest_grade, measures, scale_top):
        yield line


def note_on_scale_from_1(grades: Ints | Floats, measures: Sequence[Measure]) -> str:
    """Return the note on grades of a scale that seems to begin with 1, by which all documents count as relevant.

    >>> from cranfield.metrics.notation import parse_measures
    >>> note_on_scale_from_1(np.array([5, 1, 3, 2]), parse_measures(["nDCG", "AP"]))
    'all grades are from 1 to 5, so AP counts every judged document as relevant; if grade 1 means not relevant,
    use AP(rel=2)'
    >>> note_on_scale_from_1(np.array([5, 1, 3, 2]), parse_measures(["AP(rel=2)"]))
    ''
    """
    counting = [one for one in measures if one.options.get("rel") == 1]
    scale = np.unique(grades)
    if not counting or len(scale) < SCALE_FROM_1 or scale[0] != 1:
        return ""
    found = f"all grades are from 1 to {scale[-1]:g}, so {counting[0]} counts every judged document as relevant"
    return f"{found}; if grade 1 means not relevant, use {counting[0].set(rel=2)}"


SCALE_FROM_1 = 4  # fewer grades from 1 are usual where only relevant documents are listed


def note_on_highest_grade(qrels: Qrels, measures: Sequence[Measure], scale: Collection[int]) -> str:
    """Return the note on measures that take the highest grade that occurs for the scale's; `scale` is a store's."""
    return note_on_scale(qrels.grade.max(initial=0).item(), measures, max(scale, default=None))


def notes_on_qrels(qrels: Qrels, rel: float) -> Iterator[str]:
    """Yield the note on judged topics without a relevant document, where the qrels list others."""
    is_relevant = qrels.judged & (qrels.grade >= rel)
    if np.any(qrels.judged & ~is_relevant):
        yield from _note_on_empty_topics(len(qrels.judged_topics), len(np.unique(qrels.topic[is_relevant])))


def _note_on_empty_topics(n_topics: int, n_with_relevant: int) -> Iterator[str]:
    empty = n_topics - n_with_relevant
    if empty:
        have = "has" if empty == 1 else "have"
        topics = counted(n_topics, "judged topic")
        yield f"{empty:,} of {topics} {have} no relevant document; most measures score 0 there"
