"""Inputs of the Python API: a store, or runs and judgments in any of their forms.

A store is given by its path or as an open Store. It has both runs and judgments; together with other judgments only its
runs are used, and together with other runs only its judgments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import numpy as np

from cranfield.arrays import NO_SETS, NOTED, WhichTopics, noting, on_set
from cranfield.arrays.blocks import JudgedBlocks, blocks_of
from cranfield.arrays.join import meet
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Ints, Qrels, Runs
from cranfield.arrays.selection import grade_lines
from cranfield.errors import InputError, give_warning
from cranfield.formats import RunInfo
from cranfield.formats.runs.data_sets import is_partitioned
from cranfield.formats.runs.partitioned import judged_blocks, partitioned_runs
from cranfield.hooks import Step
from cranfield.metrics.inputs import QrelsLike, RunsLike, as_judged, as_qrels, as_runs, runs_and_qrels
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse_all
from cranfield.options import JudgedOptions, WhoseOptions
from cranfield.selection import EVERYBODY, LabelledBy, Labellers
from cranfield.source import (
    Place,
    Source,
    each_judged,
    is_store,
    min_relevant,
    name_of,
    on_topics,
    open_place,
    open_source,
    remedy_without_runs,
    source_on_topics,
    takes_measures,
    with_teams,
    without_own_ids,
)
from cranfield.store import choice_of_files

if TYPE_CHECKING:
    from cranfield.store.pools import PooledDocument
    from cranfield.store.store import Store

RunsGiven: TypeAlias = "RunsLike | Store"
QrelsGiven: TypeAlias = "QrelsLike | Store | None"
StoreGiven: TypeAlias = "str | PathLike[str] | Store"
TeamsGiven: TypeAlias = "str | PathLike[str] | Mapping[str, str] | None"
Labels: TypeAlias = Literal["people", "models", "all"]
Measures: TypeAlias = "MeasureLike | Iterable[MeasureLike]"
Topics: TypeAlias = Literal["all", "common"] | str  # or a set of the store, or the file of a list
Units: TypeAlias = Literal["run", "team", "kind", "cluster"] | None
Given = TypeVar("Given")
DEFAULT = ("AP", "nDCG@10", "P@10")


def cluster_at(address: str | None) -> AbstractContextManager[None]:
    """A cluster at this address, on which work runs meanwhile; without one it runs here."""
    if address is None:
        return nullcontext()
    from cranfield.cluster import cluster

    return cluster(address)


def store_in(source: object) -> Place | None:
    """The store that this is or is the path of; None for anything else.

    >>> store_in({"q": {"d": 1.0}})
    >>> store_in("nowhere.db")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: nowhere.db: no such file
    """
    if source is None or isinstance(source, Mapping):
        return None
    from cranfield.store.store import Store

    if isinstance(source, Store):
        return source
    path = Path(source) if isinstance(source, str | PathLike) and not is_partitioned(source) else None
    return path if path is not None and is_store(path) else None


def release_of(source: Given, release: str | None) -> Given | Path:
    """A release of the store that this is or is the path of; without the name of a release, what was given.

    >>> release_of({"q": {"d": 1.0}}, "1.0")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a dict has no release '1.0'; only a store has releases
    """
    from cranfield.store.release_names import at_release

    if release is None:
        return source
    place = store_in(source)
    if place is None:
        raise InputError(f"a {type(source).__name__} has no release {release!r}; only a store has releases")
    if (path := name_of(place)) == Path(":memory:"):
        raise InputError(f"this store is in memory; open its release with store.release({release!r})")
    return at_release(path, release)


def runs_in(runs: RunsGiven) -> Runs:
    """The runs of a store, or those given."""
    place = store_in(runs)
    if place is None:
        return as_runs(runs)  # type: ignore[arg-type]
    from cranfield.store.runs import stored_runs

    with open_place(place) as store:
        if not store.count("run"):
            raise InputError(f"no runs in this store; {remedy_without_runs(store)}", name_of(place))
        read = stored_runs(store)
        return replace(read, scores=read.score)


def qrels_in(qrels: QrelsGiven, labellers: Labellers = EVERYBODY) -> Qrels:
    """The judgments of a store that count, or those given."""
    place = store_in(qrels)
    if place is None:
        _only_of_store(labellers)
        return as_qrels(qrels)  # type: ignore[arg-type]
    from cranfield.judging.labels.choice import choose_labels, note_labellers
    from cranfield.store.draws import split_labels

    with open_place(place) as store:
        judgments = choose_labels(store, labellers)
        if not len(judgments.qrels):
            raise InputError("no judgments in this store yet", name_of(place))
        split = split_labels(store, judgments)
        for line in filter(None, (note_labellers(store, judgments, labellers), split.note)):
            give_warning(line)
        return split.counting.qrels


def least_relevant(runs: RunsGiven, qrels: QrelsGiven) -> int:
    """The lowest relevant grade on the scale of the store that has the judgments; 1 without a store."""
    place = store_in(runs if qrels is None else qrels)
    return 1 if place is None else min_relevant(place)


def topics_that(topics: str) -> WhichTopics:
    """Which topics count: all, also those of a set, or the common ones."""
    return WhichTopics(topics) if topics in NO_SETS else WhichTopics.all


def set_of(topics: str) -> AbstractContextManager[None]:
    """The set of topics that is meant, if one is, for as long as is read."""
    return nullcontext() if topics in NO_SETS else on_set(topics)


def refuse_topics(topics: str) -> None:
    """Refuse the common topics of answers, which are compared where none of their labels is missing."""
    if topics != WhichTopics.all:
        raise InputError(f"topics={topics!r} is of rankings; answers are compared on the topics that are labelled")


def judged_in(runs: RunsGiven, qrels: QrelsGiven = None, labellers: Labellers = EVERYBODY) -> Judged:
    """The judged positions of the input."""
    place = store_in(runs)
    if place is not None and qrels is None:
        with telling():
            blocks = each_judged([place], labellers, give_warning)
            return blocks.whole if isinstance(blocks, JudgedBlocks) else blocks.stack()
    _refuse_runs_alone(runs, qrels)
    if place is None and store_in(qrels) is None:
        _only_of_store(labellers)
        choice = choice_of_files()
        if choice or labellers.ignore_own_id:
            both = runs_and_qrels(qrels, runs)  # type: ignore[arg-type]
            both = choice.of_both(*both) if choice else both
            judged = meet(*(without_own_ids(*both) if labellers.ignore_own_id else both))
        else:
            judged = as_judged(qrels, runs)  # type: ignore[arg-type]
        tell_unjudged(judged.qrels_grade, judged.qrels_stratum is not None)
        return judged
    return meet(*_both_in(runs, qrels, labellers))


@contextmanager
def telling() -> Iterator[None]:
    """Warn of what is left out meanwhile; inside another such block it is the outer one that does."""
    if NOTED.get() is not None:
        yield
        return
    with noting() as omissions:
        yield
    if omissions.line:
        give_warning(omissions.line)


def tell_unjudged(grade: Ints, is_sample: bool, has_measures: bool = True) -> None:
    """Warn of grades that are no judgments or are below the default threshold of relevance."""
    for line in grade_lines(grade, is_sample, has_measures):
        give_warning(line)


def blocks_in(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    labellers: Labellers = EVERYBODY,
    topics: str = WhichTopics.all,
    own: bool = False,
) -> JudgedBlocks:
    """The same on all topics or the common ones; a data set in blocks stays in blocks.

    What did not meet is a warning; with `own`, each mean will be over a run's own topics.
    """
    which = topics_that(topics)
    with set_of(topics):
        return on_topics(all_blocks(runs, qrels, labellers), which, give_warning, own)


def all_blocks(runs: RunsGiven, qrels: QrelsGiven, labellers: Labellers) -> JudgedBlocks:
    """The judged positions of the input in blocks."""
    if qrels is not None and isinstance(runs, str | PathLike) and is_partitioned(runs):
        parts, judgments = partitioned_runs(runs), qrels_in(qrels, labellers)
        if labellers.ignore_own_id:
            return blocks_of(meet(*without_own_ids(parts, judgments)))
        return judged_blocks(parts, judgments).keep()
    return blocks_of(judged_in(runs, qrels, labellers))


def _both_in(runs: RunsGiven, qrels: QrelsGiven, labellers: Labellers, has_measures: bool = True) -> tuple[Runs, Qrels]:
    """The runs and the judgments; refused if they are swapped."""
    if store_in(runs) is None and store_in(qrels) is None:
        _only_of_store(labellers)
        both, choice = runs_and_qrels(qrels, runs), choice_of_files()  # type: ignore[arg-type]
        both = choice.of_both(*both) if choice else both
        both = without_own_ids(*both) if labellers.ignore_own_id else both
        tell_unjudged(both[1].grade, both[1].stratum is not None, has_measures)
        return both
    both = runs_in(runs), qrels_in(qrels, labellers)
    return without_own_ids(*both) if labellers.ignore_own_id else both


def source_in(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    teams: TeamsGiven = None,
    labellers: Labellers = EVERYBODY,
    pool: int | None = None,
    topics: str | None = None,
    has_measures: bool = True,
) -> Source:
    """Runs and judgments with details of the runs and the pool; `teams` supplies what a store would know.

    `topics` says which count, for means over topics; that runs did not answer all of them is then a warning.
    """
    which = None if topics is None else topics_that(topics)
    with set_of(topics or WhichTopics.all):
        source = _source(runs, qrels, labellers, pool, has_measures)
    if isinstance(teams, Mapping):
        source = replace(source, about={tag: _of_team(info, teams, tag) for tag, info in source.about.items()})
    elif teams is not None:
        source = with_teams(source, Path(teams))
    return source if which is None else source_on_topics(source, which)


def chosen_source(runs: RunsGiven, qrels: QrelsGiven, options: WhoseOptions) -> Source:
    """The source that the options of a function choose, on all judged topics."""
    chosen = options.among("teams", "pool")
    return source_in(runs, qrels, labellers=options.labellers, has_measures=takes_measures(options), **chosen)


def chosen_blocks(runs: RunsGiven, qrels: QrelsGiven, options: JudgedOptions) -> JudgedBlocks:
    """The judged positions that the options of a function choose, in blocks of topics."""
    return blocks_in(runs, qrels, labellers=options.labellers, topics=options.topics)


def _source(runs: RunsGiven, qrels: QrelsGiven, labellers: Labellers, pool: int | None, has_measures: bool) -> Source:
    place = store_in(runs)
    if place is not None and qrels is None:
        with telling():
            return open_source([place], teams=None, labellers=labellers, pool=pool, tell=give_warning)
    _refuse_runs_alone(runs, qrels)
    if pool is not None:
        raise InputError("pool is the number of a stored pool; without a store there is none")
    read, judgments = _both_in(runs, qrels, labellers, has_measures)
    return Source(read, judgments, _infos_of(read, place), least_relevant(runs, qrels), tell=give_warning)


def _of_team(info: RunInfo, teams: Mapping[str, str], tag: str) -> RunInfo:
    if tag not in teams:
        raise InputError(f"teams have no entry for run {tag!r}")
    return info._replace(team=teams[tag])


def _infos_of(runs: Runs, place: Place | None) -> Mapping[str, RunInfo]:
    if place is None:
        return {tag: RunInfo(team=tag) for tag in runs.tags}
    from cranfield.store.runs import run_info

    with open_place(place) as store:
        return run_info(store)


def labels_by(labels: str, name: str = "labels") -> LabelledBy:
    """Whose labels count; `name` is that of the argument."""
    try:
        return LabelledBy(labels)
    except ValueError:
        raise InputError(f"{name} is {labels!r}; expected one of {', '.join(LabelledBy)}") from None


def nuggets_by(nuggets: str | None) -> LabelledBy | None:
    """Whose nuggets count; None: people's where there are any."""
    return None if nuggets is None else labels_by(nuggets, "nuggets")


def _only_of_store(labellers: Labellers) -> None:
    if not labellers.are_everybody:
        what = labellers.option.removeprefix("--")
        raise InputError(f"{what} is only for a store's judgments; others do not record whose labels they are")


def _refuse_runs_alone(runs: object, qrels: object) -> None:
    if qrels is not None or isinstance(runs, Judged):
        return
    place = runs if isinstance(runs, str | PathLike) else None
    raise InputError("not a store, and no runs were given; expected a store, or qrels followed by runs", place)


def contributing_runs(runs: RunsGiven) -> tuple[Runs, dict[str, int]]:
    """The runs that contribute to pools, and the depths of those that have their own; without a store, all runs."""
    place = store_in(runs)
    if place is None:
        return as_runs(runs), {}  # type: ignore[arg-type]
    from cranfield.pooling.stored.growth import contributing
    from cranfield.store.runs import run_info

    with open_place(place) as store:
        about = contributing(run_info(store))
    return runs_in(runs).select(list(about)), {tag: info.depth for tag, info in about.items() if info.depth}


def store_alone(other: Step, runs: RunsGiven, qrels: QrelsGiven) -> Place:
    """The store that has what else is measured; an error for anything else."""
    place = store_in(runs)
    if place is None or qrels is not None:
        raise InputError(f"{other.of} are in a store; give a store, and nothing else")
    return place


def stored_pool_in(runs: RunsGiven, number: int | None) -> Sequence[PooledDocument]:
    """The documents of a stored pool."""
    place = store_in(runs)
    if place is None:
        raise InputError("a pool of runs requires a depth; only a store has pools")
    from cranfield.store.pools import present_pool

    with open_place(place) as store:
        return present_pool(store, number).documents


def check_depth(depth: object) -> None:
    """Refuse a depth that is no whole number from 1, such as a measure that was given in its place.

    >>> check_depth("AP")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: depth is 'AP'; expected a whole number from 1
    """
    if depth is not None and not (isinstance(depth, int | np.integer) and depth >= 1):
        raise InputError(f"depth is {depth!r:.60}; expected a whole number from 1")


def measures_for(measures: Measures, runs: RunsGiven, qrels: QrelsGiven) -> tuple[Measure, ...]:
    """The measures; unless they say which grades are relevant, the store's scale does."""
    return parse_all(measures, least_relevant(runs, qrels))


@contextmanager
def store_open(source: StoreGiven) -> Iterator[Store]:
    """The store that this is, or is the path of; one that was open is not closed.

    >>> with store_open({"q": {"d": 1.0}}) as store:
    ...     pass
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a store is needed, its path or an open Store, not dict
    """
    place = store_in(source)
    if place is None:
        if isinstance(source, str | PathLike):
            raise InputError("not a store", source)
        raise InputError(f"a store is needed, its path or an open Store, not {type(source).__name__}")
    with open_place(place) as store:
        yield store
