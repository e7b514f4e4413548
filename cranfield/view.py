"""A View: the part of a collection that an analysis reads; and what functions take: a store, or qrels and runs.

A store is given by its path or as an open Store. It has both runs and judgments; together with other judgments only its
runs are used, and together with other runs only its judgments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from cranfield.arrays import WhichTopics
from cranfield.arrays.join import JudgedRuns, join_runs_with_common_topics
from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import Ints, Qrels, Runs, drop_own_id_rows
from cranfield.arrays.selection import AnsweredTopics, grade_lines
from cranfield.errors import InputError, give_warning, replace_options
from cranfield.formats.given_files import expand_folders, is_partitioned
from cranfield.formats.runs import find_partitioned_runs
from cranfield.lazy import lazy_type
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.selection import (
    EVERYBODY,
    EVERYTHING,
    LabelledBy,
    Labellers,
    LeftOut,
    Selection,
    release_path,
    split_release_path,
)
from cranfield.source import (
    Source,
    Tell,
    describe_given,
    drop_own_ids,
    files_of,
    read_judged,
    read_source,
    refuse_store_labellers,
    remedy_without_runs,
    silent,
)
from cranfield.store.reading import (
    Place,
    Reading,
    SelectedPlace,
    is_store,
    is_store_alone,
    name_of,
    open_store_at,
    read_from_place,
    reopening_path,
    selection_for_files,
)
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.contributors import Contributors
    from cranfield.formats.runs.files import RunInfo
    from cranfield.metrics.inputs import QrelsLike, RunsLike
    from cranfield.pooling.candidates import Corpus
    from cranfield.store.open_pools import Stage
    from cranfield.store.pools import Pool
    from cranfield.store.store import Store
else:
    QrelsLike = lazy_type("cranfield.metrics.inputs", "QrelsLike")
    RunsLike = lazy_type("cranfield.metrics.inputs", "RunsLike")
    RunInfo = lazy_type("cranfield.formats.runs.files", "RunInfo")
    Store = lazy_type("cranfield.store.store", "Store")

StoreGiven: TypeAlias = str | PathLike[str] | Store
TeamsGiven: TypeAlias = str | PathLike[str] | Mapping[str, str] | None
Labels: TypeAlias = Literal["people", "models", "all"]
Measures: TypeAlias = MeasureLike | Iterable[MeasureLike]
Topics: TypeAlias = Literal["all", "common"] | str  # or a set of the store, or the file of a list
Units: TypeAlias = Literal["run", "team", "kind", "cluster"] | None
DEFAULT = ("AP", "nDCG@10", "P@10")
MAX_KEPT_BYTES = 50_000_000  # of files whose rankings stay in memory, so that they are read only once
T = TypeVar("T")


class ReadSetting(NamedTuple):
    """How a view is read: whose labels count, from which pool, and who is told what a reader should know.

    `teams` supplies what a store would know of the runs, and `has_measures` says whether a reader chooses measures.
    """

    reading: Reading
    tell: Tell
    labellers: Labellers = EVERYBODY
    pool: int | None = None
    teams: TeamsGiven = None
    has_measures: bool = True


class PlacesGiven:
    """A store, or a qrels file followed by run files."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places

    @cached_property
    def is_stored(self) -> bool:
        """Whether it is a store; an error where further files follow it."""
        return is_store_alone(self.places)

    @property
    def judged_in(self) -> Place | None:
        """The store that has the judgments."""
        return self.places[0] if self.is_stored else None

    @cached_property
    def is_read_once(self) -> bool:
        """Whether to keep what is read of files: of pipes, which can be read only once, and where they are small."""
        runs = [name_of(place) for place in self.places[1:]]
        if self.is_stored or find_partitioned_runs(runs) is not None:
            return False
        files = [name_of(self.places[0]), *expand_folders(runs)]
        sizes = [Path(file).stat().st_size if Path(file).is_file() else None for file in files]
        return None in sizes or sum(filter(None, sizes)) <= MAX_KEPT_BYTES

    def source(self, setting: ReadSetting) -> Source:
        """Read runs and judgments, with details."""
        return read_source(
            self.places, self.is_stored, labellers=setting.labellers, pool=setting.pool, tell=setting.tell,
            has_measures=setting.has_measures,
        )  # fmt: skip

    def parts(self, setting: ReadSetting) -> JudgedRuns | JudgedBlocks:
        """Read the judged positions, of a few runs at a time."""
        return read_judged(self.places, self.is_stored, setting.labellers, setting.tell)


class ObjectsGiven:
    """Judgments and runs in any form; either may be a store. A store in the place of the runs may stand alone."""

    is_stored, is_read_once = False, False

    def __init__(self, qrels: QrelsGiven, runs: RunsGiven) -> None:
        self.qrels, self.runs = qrels, runs

    @cached_property
    def judged_in(self) -> Place | None:
        """The store that has the judgments."""
        return find_store(self.qrels)

    def source(self, setting: ReadSetting) -> Source:
        """Read runs and judgments."""
        _refuse_runs_alone(self.runs, self.qrels)
        if setting.pool is not None:
            raise InputError("pool is the number of a stored pool, so it needs a store")
        read, judgments = _load_given_inputs(
            self.runs, self.qrels, setting.labellers, setting.reading, has_measures=setting.has_measures,
            tell=setting.tell,
        )  # fmt: skip
        about, rel = _infos_of(read, find_store(self.runs)), min_relevant_grade(self.runs, self.qrels)
        return Source(read, judgments, about, rel, tell=setting.tell, selection=setting.reading.selection)

    def parts(self, setting: ReadSetting) -> JudgedBlocks:
        """Read the judged positions of all runs."""
        return _blocks_of_objects(self.runs, self.qrels, setting)


class _ReadView(NamedTuple):
    """What a view has read: the source, the notes on it, and what was left out."""

    source: Source
    notes: tuple[str, ...]
    left_out: LeftOut


class Unselected:
    """A collection of which an analysis reads nothing until `select` makes a View of it."""


def refuse_collections(*given: object) -> None:
    """Refuse a collection in place of its View."""
    if any(isinstance(one, Unselected) for one in given):
        raise InputError("found an open collection; expected a View, which its .select() returns")


JOINED_ONCE = ("_source", "all_blocks", "scored_blocks")  # what a view works out of its source


class View:
    """The part of a collection that an analysis reads, read once and when it is first needed.

    `cranfield.open_collection` makes one. It can be used in several threads, and pickled where its collection is in
    files: another thread or process reads them again.

    >>> view = View({"q": {"d1": 1, "d2": 0}}, {"a": {"q": {"d1": 2.0, "d2": 1.0}}})
    >>> view.runs.tags, view.min_relevant, view.judged.qids
    (('a',), 1, ('q',))
    """

    _is_derived = False

    def __init__(self, qrels: QrelsGiven, runs: RunsGiven | None = None, selection: Selection = EVERYTHING) -> None:
        self._qrels, self._runs, self.selection = qrels, runs, selection
        self.tell: Tell = silent
        if runs is None and find_store(qrels) is None:
            _refuse_runs_alone(qrels, None)

    @property
    def is_stored(self) -> bool:
        """Whether it is of a store that has both runs and judgments."""
        return self._runs is None

    @property
    def judged_in(self) -> Place | None:
        """The store that has the judgments; None for files and objects."""
        return self._given(Reading(self.selection)).judged_in

    @property
    def store(self) -> Path | Store | None:
        """The store, or its path; None for files and objects."""
        if self._runs is not None:
            return None
        place = find_store(release_of(self._qrels, self.selection.release or None))
        if place is None or isinstance(place, Path):
            return place
        store = place.place if isinstance(place, SelectedPlace) else place
        if isinstance(store, Path) or store.is_of_this_thread or str(store.path) == ":memory:":
            return store
        return reopening_path(store)

    @property
    def place(self) -> Place | None:
        """The store that has both runs and judgments, with the selection; None for anything else."""
        return None if self.store is None else Reading(self.selection).select_place(self.store)

    @property
    def paths(self) -> list[Path]:
        """The files that were given; empty for objects."""
        return files_of(self._runs, self._qrels) if self.store is None else [name_of(self.store)]

    @property
    def path(self) -> Path | None:
        """The first of the files, for messages."""
        return next(iter(self.paths), None)

    def read_from_store(self, read: Callable[[Store], T], otherwise: T) -> T:
        """Return what a function finds in the store that has both runs and judgments; `otherwise` without one."""
        return read_from_place(self.place, read, otherwise)

    def read_from_judgment_store(self, read: Callable[[Store], T], otherwise: T) -> T:
        """Return what a function finds in the store that has the judgments; `otherwise` without one."""
        return read_from_place(self.judged_in, read, otherwise)

    def _given(self, reading: Reading) -> PlacesGiven | ObjectsGiven:
        """What the view was made of."""
        if (place := self.store) is not None:
            return PlacesGiven([reading.select_place(place)])
        assert self._runs is not None
        qrels = release_of(self._qrels, self.selection.release or None)
        return ObjectsGiven(select_place_if_store(qrels, reading), select_place_if_store(self._runs, reading))

    @cached_property
    def _read(self) -> _ReadView:
        notes, labellers, pool = list[str](), self.selection.labellers, self.selection.pool
        with Reading(self.selection) as reading:
            source = self._given(reading).source(ReadSetting(reading, notes.append, labellers, pool))
            _ = source.blocks
        return _ReadView(source, tuple(notes), reading.left_out)

    @cached_property
    def _source(self) -> Source:
        """What was read; views of a part of it, or of other runs, have a source of their own."""
        return self._read.source

    @property
    def runs(self) -> Runs:
        """The runs."""
        return self._source.runs

    @property
    def qrels(self) -> Qrels:
        """The judgments that count."""
        return self._source.qrels

    @property
    def judged(self) -> Judged:
        """The judged positions of the runs."""
        return self._source.judged

    @property
    def blocks(self) -> JudgedBlocks:
        """The judged positions in blocks of topics, for work that runs side by side."""
        return self._source.blocks

    @property
    def answered(self) -> AnsweredTopics:
        """Which run answered which of all judged topics."""
        return self._source.answered

    @property
    def partial_answers(self) -> list[str]:
        """What a reader of means over its topics must know, a line each."""
        return self._source.partial_answers

    @property
    def run_info(self) -> Mapping[str, RunInfo]:
        """What is known of each run, by tag."""
        return self._source.about

    @property
    def states_pooled(self) -> bool:
        """Whether `run_info` says which runs were pooled."""
        return self._source.states_pooled

    @property
    def contributors(self) -> Contributors | None:
        """The pooled runs and how they are known; None until `with_contributors` settles them."""
        return self._source.contributors

    @property
    def pool(self) -> Pool | None:
        """The stored pool, if its method is not depth k."""
        return self._source.pool

    @property
    def pool_depth(self) -> int | None:
        """The depth of a stored pool of method depth k; None without one."""
        return self._source.depth

    @property
    def pool_number(self) -> int | None:
        """The number of the stored pool; None without one."""
        return self._source.number

    @property
    def pool_runs(self) -> tuple[str, ...] | None:
        """The runs that the stored pool was made from; None without one."""
        return self._source.pool_runs

    @property
    def pool_sizes(self) -> Mapping[str, int]:
        """The number of documents of the stored pool, by topic."""
        return self._source.sizes

    @property
    def pool_stages(self) -> Sequence[Stage]:
        """The stored pool after the pools that it was made from; empty if its method is depth k."""
        return self._source.stages

    @property
    def pool_lost_documents(self) -> bool:
        """Whether documents of the stored pool were withdrawn, so that others are within its depth now."""
        return self._source.risen

    @property
    def n_documents_to_come(self) -> int:
        """The number of documents that the stored pool may still get."""
        return self._source.to_come

    @property
    def corpus(self) -> Callable[[str], Corpus] | None:
        """The corpus of a store from which a pooling method proposes documents, by the method's name."""
        return self._source.corpus

    @property
    def found_apart(self) -> Mapping[tuple[str, str], str]:
        """How documents that no pool found came to be judged, by (topic, document)."""
        return self._source.found_apart

    @property
    def random_draws(self) -> Sequence[Mapping[str, Any]]:
        """The random draws of unjudged documents that the stored pool holds."""
        return self._source.draws

    @property
    def drawn_qrels(self) -> Qrels | None:
        """The labels of draws from single runs, which are not in `qrels`; None without a store."""
        return self._source.drawn

    @property
    def drawn_note(self) -> str:
        """How many labels are of draws from single runs, in a line; empty where there are none."""
        return self._source.drawn_note

    @property
    def labels_note(self) -> str:
        """Whose labels count, in a line; empty where only one choice is possible."""
        return self._source.whose

    @property
    def min_relevant(self) -> int:
        """The lowest grade that is relevant."""
        return self._source.min_relevant

    @property
    def grade_scale(self) -> Collection[int]:
        """The grades of a store's scale; empty without a store."""
        return self._source.scale

    @property
    def store_path(self) -> Path | None:
        """The path of a store that has both runs and judgments; None for anything else."""
        return None if self.place is None else name_of(self.place)

    @property
    def top_of_scale(self) -> int | None:
        """The highest grade on a store's scale; None without a store."""
        return max(self.grade_scale, default=None)

    def measures(self, measures: Measures) -> tuple[Measure, ...]:
        """The measures; unless they say which grades are relevant, the scale does."""
        return parse_measures(measures, self.min_relevant)

    def parts(self) -> JudgedRuns | JudgedBlocks:
        """The judged positions, of a few runs at a time where they were not read before."""
        return self.blocks

    def select_topics(self, which: WhichTopics, common_option: str | None = None) -> Self:
        """The view on all judged topics, or on those that all runs answered.

        `common_option` is what its notes name for a reader who wants the common topics.
        """
        source = self._source
        if common_option is not None:
            source = source.replace_fields(common_option=common_option)
        if which is not WhichTopics.all:
            source = source.restrict_topics(source.answered.common)
        return self if source is self._source else self._derive(source)

    def select_topics_and_tell(self, which: WhichTopics) -> Self:
        """The view on these topics; it tells which runs did not answer all."""
        view = self.select_topics(which)
        for line in view.partial_answers:
            view.tell(line)
        return view

    def restrict_topics(self, topics: Ints) -> Self:
        """The view on some of the judged topics, given by ascending number."""
        return self._derive(self._source.restrict_topics(topics))

    def settle_contributors(self, who: Contributors) -> Self:
        """The view with its contributors, and only these marked as pooled in `run_info`."""
        return self._derive(self._source.with_contributors(who))

    def replace_runs(
        self, runs: Runs, run_info: Mapping[str, RunInfo] | None = None, pool_runs: tuple[str, ...] | None = None
    ) -> Self:
        """The view with other runs; what is known of runs and pool stays where nothing takes its place."""
        source = self._source
        about = source.about if run_info is None else run_info
        return self._derive(
            replace(source, runs=runs, about=about, pool_runs=source.pool_runs if pool_runs is None else pool_runs)
        )

    def replace_qrels(self, qrels: Qrels) -> Self:
        """The view with other judgments."""
        return self._derive(replace(self._source, qrels=qrels))

    def _derive(self, source: Source) -> Self:
        derived = object.__new__(type(self))
        vars(derived).update({name: value for name, value in vars(self).items() if name not in JOINED_ONCE})
        vars(derived).update(_source=source, _is_derived=True)
        return derived

    @property
    def left_out(self) -> LeftOut:
        """The runs, topics and documents that were not read, with the reasons."""
        return self._read.left_out

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of results should know, a line each."""
        return (*map(replace_options, self._read.notes), *filter(None, [self.left_out.line]))

    def open_source(self, reading: Reading, tell: Tell) -> Source:
        """The source for one call, which gets the notes and what was left out."""
        read = self._read
        for line in read.notes:
            tell(line)
        reading.left_out.add(read.left_out)
        return read.source.replace_fields(tell=tell)

    def options_for(self, function: str, names: Collection[str], given: Collection[str]) -> dict[str, Any]:
        """The options of a function that say what the view has; `names` are all that it has, `given` those in use."""
        selection = self.selection
        options = {"pool": selection.pool, "topics": selection.topics or None} if self.store is not None else {}
        options |= selection.labellers.options if self.store is not None else {}
        options = {name: value for name, value in options.items() if value is not None}
        if twice := [name for name in ("assessor", "labels", "policy", "ignore_own_id", "pool") if name in given]:
            raise InputError(f"with a view, {function}() does not take {twice[0]}; select it with the view")
        if "topics" in options and ("topics" not in names or "topics" in given):
            del options["topics"]
        if unknown := [name for name in options if name not in names]:
            name = f"{function}()" if function else "this function"
            raise InputError(f"{name} does not support {unknown[0]}; select a view without it")
        return options

    def __reduce__(self) -> tuple[type[View], tuple[object, object, Selection]]:
        if self._is_derived:
            raise InputError("a derived view cannot be pickled; pickle the view that select() returned")
        from cranfield.store.store import Store

        qrels: object = self._qrels
        if isinstance(qrels, Store) and str(qrels.path) != ":memory:":
            qrels = reopening_path(qrels)
        return View, (qrels, self._runs, self.selection)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.selection.options.items())
        read = "not read yet"
        if {"_read", "_source"} & vars(self).keys():
            topics = counted(len(self.qrels.judged_topics), "judged topic")
            read = f"{counted(len(self.runs.tags), 'run')}, {topics}"
        return f"<View of {describe_given(self._qrels, self._runs)}{options}: {read}>"


RunsGiven: TypeAlias = RunsLike | Store | View
QrelsGiven: TypeAlias = QrelsLike | Store | View | None


def view_of_source(source: Source) -> View:
    """A view of what was read before."""
    view = View(source.qrels, source.runs, source.selection)
    view.tell = source.tell
    return view._derive(source)


def view_of_runs(
    runs: Runs,
    qrels: Qrels,
    run_info: Mapping[str, RunInfo],
    min_relevant: int = 1,
    *,
    states_pooled: bool = False,
    tell: Tell = silent,
) -> View:
    """A view of runs and judgments in memory, with what is known of the runs."""
    return view_of_source(Source(runs, qrels, run_info, min_relevant, states_pooled=states_pooled, tell=tell))


def use_cluster(address: str | None) -> AbstractContextManager[None]:
    """A cluster at this address, on which work runs meanwhile; without one it runs here."""
    if address is None:
        return nullcontext()
    from cranfield.cluster import cluster

    return cluster(address)


def find_store(source: object) -> Place | None:
    """The store that this is or is the path of; None for anything else.

    >>> find_store({"q": {"d": 1.0}})
    >>> find_store("nowhere.db")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: nowhere.db: no such file
    """
    if source is None or isinstance(source, Mapping):
        return None
    from cranfield.store.store import Store

    if isinstance(source, View):
        return None if source.store is None else Reading(source.selection).select_place(source.store)
    if isinstance(source, Store | SelectedPlace):
        return source if is_store(source) else None
    from cranfield.metrics.texts import refuse_text

    refuse_text(source)
    path = Path(source) if isinstance(source, str | PathLike) and not is_partitioned(source) else None
    return path if path is not None and is_store(path) else None


def select_place_if_store(source: T, reading: Reading) -> T | SelectedPlace:
    """A store, or the path of one, as it is read; anything else as it is.

    >>> select_place_if_store("nowhere.db", Reading())
    'nowhere.db'
    """
    from cranfield.store.store import Store

    if isinstance(source, Store):
        return reading.select_place(source)
    if not isinstance(source, str | PathLike) or isinstance(source, SelectedPlace) or is_partitioned(source):
        return source
    is_selected = split_release_path(source)[0].is_file() and is_store(Path(source))
    return reading.select_place(Path(source)) if is_selected else source


def release_of(source: T, release: str | None) -> T | Path:
    """A release of the store that this is or is the path of; without the name of a release, what was given.

    >>> release_of({"q": {"d": 1.0}}, "1.0")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a dict has no release '1.0'; only a store has releases
    """
    if release is None:
        return source
    place = find_store(source)
    if place is None:
        raise InputError(f"a {type(source).__name__} has no release {release!r}; only a store has releases")
    if (path := name_of(place)) == Path(":memory:"):
        raise InputError(f"this store is in memory; open its release with store.release({release!r})")
    return release_path(path, release)


def load_given_runs(runs: RunsGiven) -> Runs:
    """The runs of a store, or those given."""
    if isinstance(runs, View) and not runs.is_stored:
        return runs.runs
    place = find_store(runs)
    if place is None:
        from cranfield.metrics.inputs import as_runs

        return as_runs(runs)  # type: ignore[arg-type]
    ignores_own_id = isinstance(runs, View) and runs.selection.labellers.ignore_own_id
    from cranfield.store.runs import stored_runs

    with open_store_at(place) as store:
        if not store.count("run"):
            raise InputError(f"there are no runs in this store; {remedy_without_runs(store)}", name_of(place))
        read = stored_runs(store)
        read = replace(read, scores=read.score)
        return drop_own_id_rows(read) if ignores_own_id else read


def load_given_qrels(qrels: QrelsGiven, labellers: Labellers = EVERYBODY, tell: Tell = give_warning) -> Qrels:
    """The judgments of a store or a View that count, or those given."""
    if isinstance(qrels, View):
        if qrels.selection.labellers != labellers and labellers.options:
            name = next(iter(labellers.options))
            raise InputError(f"the view decides whose labels count; select {name} with the view")
        if not qrels.is_stored:
            return qrels.qrels
        if qrels.selection.labellers != labellers:
            read = load_given_qrels(qrels, qrels.selection.labellers, tell)
            return drop_own_id_rows(read) if qrels.selection.labellers.ignore_own_id else read
    place = find_store(qrels)
    if place is None:
        from cranfield.metrics.inputs import as_qrels

        refuse_store_labellers(labellers)
        return as_qrels(qrels)  # type: ignore[arg-type]
    from cranfield.judging.labels.choice import choose_labels, missing_judgments_message, note_labellers
    from cranfield.store.draws import split_labels

    with open_store_at(place) as store:
        judgments = choose_labels(store, labellers)
        if not len(judgments.qrels):
            raise InputError(missing_judgments_message(store, labellers), name_of(place))
        split = split_labels(store, judgments)
        for line in filter(None, (note_labellers(store, judgments, labellers), split.note)):
            tell(line)
        return split.counting.qrels


def min_relevant_grade(runs: RunsGiven, qrels: QrelsGiven) -> int:
    """The lowest relevant grade on the scale of the store that has the judgments; 1 without a store."""
    place = find_store(runs if qrels is None else qrels)
    if place is None:
        return 1
    with open_store_at(place) as store:
        return store.collection.min_relevant


def tell_unjudged(grade: Ints, is_sample: bool, has_measures: bool = True, tell: Tell = give_warning) -> None:
    """Report grades that are no judgments or are below the default threshold of relevance."""
    for line in grade_lines(grade, is_sample, has_measures):
        tell(line)


def _blocks_of_objects(runs: RunsGiven, qrels: QrelsGiven, setting: ReadSetting) -> JudgedBlocks:
    """The judged positions of judgments and runs; a data set in blocks stays in blocks."""
    labellers, tell = setting.labellers, setting.tell
    _refuse_runs_alone(runs, qrels)
    if qrels is not None and isinstance(runs, str | PathLike) and is_partitioned(runs):
        from cranfield.formats.runs.partitioned import judged_blocks, open_partitioned_runs

        parts, judgments = open_partitioned_runs(runs), load_given_qrels(qrels, labellers, tell)
        if labellers.ignore_own_id:
            return as_judged_blocks(join_runs_with_common_topics(*drop_own_ids(parts, judgments, tell)))
        return judged_blocks(parts, judgments).keep()
    choice = selection_for_files(setting.reading)
    if find_store(runs) is not None or find_store(qrels) is not None or choice or labellers.ignore_own_id:
        return as_judged_blocks(
            join_runs_with_common_topics(*_load_given_inputs(runs, qrels, labellers, setting.reading, tell=tell))
        )
    from cranfield.metrics.inputs import join_judged

    refuse_store_labellers(labellers)
    judged = join_judged(qrels, runs)  # type: ignore[arg-type]
    tell_unjudged(judged.qrels_grade, judged.qrels_stratum is not None, tell=tell)
    return as_judged_blocks(judged)


def _load_given_inputs(
    runs: RunsGiven,
    qrels: QrelsGiven,
    labellers: Labellers,
    reading: Reading | None,
    *,
    has_measures: bool = True,
    tell: Tell = give_warning,
) -> tuple[Runs, Qrels]:
    """The runs and the judgments; refused if they are swapped."""
    if find_store(runs) is None and find_store(qrels) is None:
        from cranfield.metrics.inputs import runs_and_qrels

        refuse_store_labellers(labellers)
        both = runs_and_qrels(qrels, runs)  # type: ignore[arg-type]
        choice = selection_for_files(reading or Reading())
        both = choice.select_both(*both) if choice else both
        both = drop_own_ids(*both, tell) if labellers.ignore_own_id else both
        tell_unjudged(both[1].grade, both[1].stratum is not None, has_measures, tell)
        return both
    both = load_given_runs(runs), load_given_qrels(qrels, labellers, tell)
    return drop_own_ids(*both, tell) if labellers.ignore_own_id else both


def _infos_of(runs: Runs, place: Place | None) -> Mapping[str, RunInfo]:
    if place is None:
        from cranfield.formats.runs.files import RunInfo

        return {tag: RunInfo(team=tag) for tag in runs.tags}
    from cranfield.store.runs import run_info

    with open_store_at(place) as store:
        return run_info(store)


def parse_labelled_by(labels: str, name: str = "labels") -> LabelledBy:
    """Whose labels count; `name` is that of the argument."""
    try:
        return LabelledBy(labels)
    except ValueError:
        raise InputError(f"{name} is {labels!r}; expected one of {', '.join(LabelledBy)}") from None


def _refuse_runs_alone(runs: object, qrels: object) -> None:
    refuse_collections(runs, qrels)
    if qrels is not None or isinstance(runs, Judged):
        return
    place = runs if isinstance(runs, str | PathLike) else None
    raise InputError("not a store, and no runs were given; expected a store, or qrels followed by runs", place)


def contributing_runs(runs: RunsGiven) -> tuple[Runs, dict[str, int]]:
    """The runs that contribute to pools, and the depths of those that have their own; without a store, all runs."""
    place = find_store(runs)
    if place is None:
        return load_given_runs(runs), {}
    from cranfield.pooling.stored.growth import runs_to_pool
    from cranfield.store.runs import run_info

    with open_store_at(place) as store:
        about = runs_to_pool(run_info(store))
    return load_given_runs(runs).select(list(about)), {tag: info.depth for tag, info in about.items() if info.depth}


def check_depth(depth: object) -> None:
    """Refuse a depth that is no whole number of at least 1, such as a measure that was given in its place.

    >>> check_depth("AP")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: depth is 'AP'; expected a whole number of at least 1
    """
    if depth is not None and not (isinstance(depth, int | np.integer) and depth >= 1):
        raise InputError(f"depth is {depth!r:.60}; expected a whole number of at least 1")


def measures_for(measures: Measures, runs: RunsGiven, qrels: QrelsGiven) -> tuple[Measure, ...]:
    """The measures; unless they say which grades are relevant, the store's scale does."""
    return parse_measures(measures, min_relevant_grade(runs, qrels))


@contextmanager
def store_open(source: StoreGiven) -> Iterator[Store]:
    """The store that this is, or is the path of; one that was open is not closed.

    >>> store_open({"q": {"d": 1.0}}).__enter__()
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: the store is a dict; expected a path or an open Store
    """
    place = find_store(source)
    if isinstance(source, View):
        source.options_for("", (), ())  # refuses labels and a pool, which only functions that take a View read
    if place is None:
        if isinstance(source, str | PathLike):
            raise InputError("not a store", source)
        raise InputError(f"the store is a {type(source).__name__}; expected a path or an open Store")
    with open_store_at(place) as store:
        yield store
