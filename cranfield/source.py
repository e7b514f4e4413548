"""What a view reads of a store, or of a qrels file followed by run files. Analyses take the View."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import hooks
from cranfield.arrays import WhichTopics
from cranfield.arrays.join import JudgedRuns, Judgments, join_runs_with_common_topics
from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import Ints, Qrels, Runs, drop_own_id_rows
from cranfield.arrays.selection import AnsweredTopics, grade_lines, join_first_names, topics_answered_by_run
from cranfield.errors import InputError
from cranfield.errors import Path as FilePath
from cranfield.formats.files import fail_on_notes
from cranfield.formats.given_files import expand_folders
from cranfield.parallel import progress_bar
from cranfield.selection import EVERYTHING, LabelledBy, Labellers, LeftOut, Selection
from cranfield.store.reading import Place, name_of, open_store_at, reading_of, selection_for_files
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.contributors import Contributors
    from cranfield.formats.runs.files import RunInfo
    from cranfield.formats.runs.partitioned import PartitionedRuns
    from cranfield.pooling.candidates import Corpus
    from cranfield.store.draws import SplitLabels
    from cranfield.store.open_pools import Stage
    from cranfield.store.pools import Pool
    from cranfield.store.store import Store

Tell = Callable[[str], None]
JOINED = ("judged", "blocks", "answered")  # what a Source works out once


def silent(line: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, repr=False, eq=False)
class Source:
    """Runs and judgments, what is known of each run, the lowest grade that is relevant, a store's pool."""

    runs: Runs
    qrels: Qrels
    about: Mapping[str, RunInfo]
    min_relevant: int
    depth: int | None = None  # of a stored pool of depth k
    pool: Pool | None = None  # a stored pool of another method
    whose: str = ""  # whose labels these are, in a line, where that is a question
    pool_runs: tuple[str, ...] | None = None  # the runs that the store's pool was made from
    number: int | None = None  # of that pool
    states_pooled: bool = False  # whether `about` says who was pooled
    contributors: Contributors | None = None  # once they are settled
    stages: Sequence[Stage] = ()  # that pool after those it was made from, if it is of another method
    sizes: Mapping[str, int] = field(default_factory=dict)  # of the store's pool, by topic
    risen: bool = False  # whether documents of that pool were withdrawn, so that others are within its depth now
    topics: WhichTopics = WhichTopics.all  # common: `qrels` and `judged` have only these
    common_option: str = "--topics common"  # what a reader takes to have these
    to_come: int = 0  # documents that this pool may still get
    corpus: Callable[[str], Corpus] | None = None  # of a store: what a pooling method proposes from
    found_apart: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by pair: found so, and by no pool alone
    draws: Sequence[
        Mapping[str, Any]
    ] = ()  # of a store: random draws of a run's unjudged documents that its pool holds
    drawn: Qrels | None = None  # of a store: the labels of draws from single runs, which are not in `qrels`
    drawn_note: str = ""  # how many these are and of which runs, in a line
    scale: Collection[int] = ()  # the grades of a store's scale
    tell: Tell = silent  # called with what a reader of the results should know
    selection: Selection = EVERYTHING  # what was asked for
    left_out: LeftOut = field(default_factory=LeftOut)  # what of a store is not read

    def __repr__(self) -> str:
        return f"Source({counted(len(self.runs.tags), 'run')}, {counted(len(self.qrels), 'judgment')})"

    @cached_property
    def judged(self) -> Judged:
        """The judged positions of the runs."""
        return (
            join_runs_with_common_topics(self.runs, self.qrels)
            if self._partitioned_runs is None
            else self.blocks.joined
        )

    @cached_property
    def blocks(self) -> JudgedBlocks:
        """The same in blocks of topics, for work that runs side by side."""
        if self._partitioned_runs is None:
            return as_judged_blocks(self.judged)
        from cranfield.formats.runs.partitioned import judged_blocks

        return judged_blocks(self._partitioned_runs, self.qrels).keep()

    @property
    def _partitioned_runs(self) -> PartitionedRuns | None:
        from cranfield.formats.runs.partitioned import PartitionedRuns

        return self.runs if isinstance(self.runs, PartitionedRuns) else None

    @cached_property
    def answered(self) -> AnsweredTopics:
        """Which run answered which topic, of all that were judged."""
        return topics_answered_by_run(self.blocks)

    @property
    def partial_answers(self) -> list[str]:
        """What a reader of means over its topics must know, a line each."""
        fail_on_notes(self.answered.respelled_lines())
        return self.answered.lines(self.topics, common=self.common_option)

    def restrict_topics(self, topics: Ints) -> Source:
        """The same on fewer of the judged topics, given by ascending number."""
        judged, qids = (
            self.blocks.joined.select_topics(topics),
            np.array([self.blocks.qids[topic] for topic in topics], object),
        )
        rows = np.isin(self.qrels.topics.names, qids)[self.qrels.topic]
        judged = replace(judged, qrels_row=(np.cumsum(rows) - 1)[judged.qrels_row])
        others = {*self.blocks.qids} - {*qids}
        sizes = {qid: size for qid, size in self.sizes.items() if qid not in others}
        runs = self.runs if self._partitioned_runs is None else self.runs.loaded
        fewer = replace(self, runs=runs, qrels=self.qrels.rows(rows), sizes=sizes, topics=WhichTopics.common)
        vars(fewer).update(judged=judged, blocks=as_judged_blocks(judged), answered=self.answered)
        return fewer

    def replace_fields(self, **fields: Any) -> Source:
        """The same with other fields, none of which changes what is joined."""
        same = replace(self, **fields)
        vars(same).update({name: value for name, value in vars(self).items() if name in JOINED})
        return same

    def with_contributors(self, who: Contributors) -> Source:
        """The same, with its contributors known."""
        about = {tag: info._replace(pooled=tag in who.runs) for tag, info in self.about.items()}
        return self.replace_fields(about=about, contributors=who)


def qrels_of_file(path: FilePath, tell: Tell, sorts_rows: bool = True, has_measures: bool = True) -> Qrels:
    """The judgments of a file; `tell` is called with a line on grades that many measures do not count."""
    from cranfield.formats.runs_and_qrels import read_qrels

    qrels = read_qrels(path, sorts_rows=sorts_rows, fractions=True)
    for line in grade_lines(qrels.grade, qrels.stratum is not None, has_measures):
        tell(line)
    return qrels


def read_source(
    paths: Sequence[Place], is_stored: bool, *, labellers: Labellers, pool: int | None, tell: Tell, has_measures: bool
) -> Source:
    """Read a store that stands alone, or a qrels file and run files."""
    check_has_runs(paths, is_stored)
    if is_stored:
        source = _from_store(paths[0], labellers, pool, tell)
    else:
        from cranfield.formats.runs.files import RunInfo

        files = [name_of(place) for place in paths]
        refuse_store_options(files[0], labellers, pool)
        qrels = qrels_of_file(files[0], tell, has_measures=has_measures)
        runs = _read_runs(files[1:])
        if choice := selection_for_files(reading_of(paths[0])):
            runs, qrels = choice.select_both(runs, qrels)
        source = Source(runs, qrels, {tag: RunInfo(team=tag) for tag in runs.tags}, 1)
    if labellers.ignore_own_id:
        runs, qrels = drop_own_ids(source.runs, source.qrels, tell)
        source = replace(source, runs=runs, qrels=qrels)
    return replace(source, tell=tell, selection=reading_of(paths[0]).selection)


def with_teams(source: Source, teams: Path) -> Source:
    """The same, with what a file tells of the runs."""
    about, known_pooled = _describe_runs(source.runs, teams)
    if source.pool_runs is not None:  # a stored pool keeps its runs and depths
        about = {tag: info._replace(depth=source.about[tag].depth) for tag, info in about.items()}
    return replace(source, about=about, states_pooled=known_pooled)


def add_known_teams(source: Source, teams: Mapping[str, str]) -> Source:
    """The source with the teams of its runs."""
    return replace(source, about={tag: _add_team(info, teams, tag) for tag, info in source.about.items()})


def _add_team(info: RunInfo, teams: Mapping[str, str], tag: str) -> RunInfo:
    if tag not in teams:
        raise InputError(f"teams lacks an entry for run {tag!r}")
    return info._replace(team=teams[tag])


def judged_on_topics(judged: Judged | JudgedBlocks, topics: WhichTopics, tell: Tell, own: bool = False) -> JudgedBlocks:
    """These on all judged topics, or on those that all runs answered; `tell` is called with what did not meet.

    With `own`, each mean will be over a run's own topics.
    """
    blocks = as_judged_blocks(judged)
    answers = topics_answered_by_run(blocks)
    fail_on_notes(answers.respelled_lines())
    for line in answers.lines(topics, own):
        tell(line)
    return blocks if topics is WhichTopics.all else as_judged_blocks(blocks.joined.select_topics(answers.common))


def read_judged(paths: Sequence[Place], is_stored: bool, labellers: Labellers, tell: Tell) -> JudgedRuns | JudgedBlocks:
    """Read the judged positions of a store that stands alone, or of a qrels file and run files."""
    check_has_runs(paths, is_stored)
    if is_stored:
        return JudgedRuns(_judge_stored_parts(paths[0], labellers, tell))
    qrels, *runs = [name_of(place) for place in paths]
    refuse_store_options(qrels, labellers)
    choice = selection_for_files(reading_of(paths[0]))
    if choice or labellers.ignore_own_id:
        both = _read_runs(runs), qrels_of_file(qrels, tell)
        both = choice.select_both(*both) if choice else both
        return JudgedRuns(
            [join_runs_with_common_topics(*(drop_own_ids(*both, tell) if labellers.ignore_own_id else both))]
        )
    from cranfield.formats.given_files import distinct_names
    from cranfield.formats.runs import find_partitioned_runs

    if (parts := find_partitioned_runs(runs)) is not None:
        from cranfield.formats.runs.partitioned import judged_blocks

        return judged_blocks(parts, qrels_of_file(qrels, tell, sorts_rows=False))
    places = list[FilePath]()
    return JudgedRuns(_join_each_run_file(qrels, expand_folders(runs), places, tell), partial(distinct_names, places))


def _join_each_run_file(qrels: Path, runs: Sequence[Path], places: list[FilePath], tell: Tell) -> Iterator[Judged]:
    from cranfield.formats.runs_and_qrels import each_run

    with progress_bar("reading runs", len(runs)) as advance:
        judgments = Judgments(qrels_of_file(qrels, tell, sorts_rows=False))
        yield from judgments.join_runs_in_parts(each_run(runs, judgments, advance, places))


def _read_runs(paths: Sequence[FilePath]) -> Runs:
    from cranfield.formats.runs import find_partitioned_runs
    from cranfield.formats.runs_and_qrels import read_runs

    if (parts := find_partitioned_runs(paths)) is not None:
        return parts
    with progress_bar("reading runs", len(files := expand_folders(paths))) as advance:
        return read_runs(files, progress=advance)


def _judge_stored_parts(place: Place, labellers: Labellers, tell: Tell) -> Iterator[Judged]:
    from cranfield.store.qrels import add_subtopics_or_strata
    from cranfield.store.runs import load_runs_noting_variations

    with _open_judged_store(place, labellers, tell) as (store, labels, _):
        qrels, parts = (
            add_subtopics_or_strata(store, labels.counting, tell),
            load_runs_noting_variations(store, tell).parts(),
        )
        if labellers.ignore_own_id:
            qrels, parts = _drop_own_judgments(qrels, tell), map(drop_own_id_rows, parts)
        yield from Judgments(qrels).join_runs_in_parts(parts)


def drop_own_ids(runs: Runs, qrels: Qrels, tell: Tell = silent) -> tuple[Runs, Qrels]:
    """Return both without the documents that have the id of their topic; `tell` is called with the topics that go."""
    return drop_own_id_rows(runs), _drop_own_judgments(qrels, tell)


def _drop_own_judgments(qrels: Qrels, tell: Tell) -> Qrels:
    others = drop_own_id_rows(qrels)
    if lost := sorted({*qrels.qids} - {*others.qids}):
        do, id_ = ("does", "topic's id") if len(lost) == 1 else ("do", "topic's own id")
        why = f"because the only judged document has the {id_}"
        tell(f"{counted(len(lost), 'topic')} {do} not count, {why}: {join_first_names(lost)}")
    return others


def refuse_store_options(path: Path, labellers: Labellers, pool: int | None = None) -> None:
    """Refuse to ask files for what only a store knows."""
    if pool is not None:
        raise InputError("--pool needs a store; files contain no pools", path)
    if not labellers.are_everybody:
        raise InputError(f"{labellers.option} needs a store; files do not record who assigned the labels", path)


def refuse_store_labellers(labellers: Labellers) -> None:
    """Refuse to choose among the labels of files and objects, which do not record whose they are."""
    if not labellers.are_everybody:
        what = labellers.option.removeprefix("--")
        raise InputError(
            f"{what} applies only to a store's judgments; other judgments do not record who assigned the labels"
        )


def check_has_runs(paths: Sequence[Place], is_stored: bool) -> None:
    """Refuse a qrels file without run files."""
    if not is_stored and len(paths) == 1:
        raise InputError("a qrels file without runs; add the run files after it, or pass a store", name_of(paths[0]))


def files_of(runs: object, qrels: object) -> list[Path]:
    """The qrels and run files, if all are given as paths; otherwise none.

    >>> files_of(["a", "b"], "qrels")
    [PosixPath('qrels'), PosixPath('a'), PosixPath('b')]
    """
    several = [qrels, *([runs] if isinstance(runs, str | PathLike) or not isinstance(runs, Sequence) else runs)]
    return [Path(one) for one in several] if all(isinstance(one, str | PathLike) for one in several) else []


def describe_given(qrels: object, runs: object) -> str:
    """What a collection was made of, in a few words.

    >>> describe_given("track.db", None), describe_given("qrels.txt", ["a.run", "b.run"]), describe_given({}, {})
    ('track.db', 'qrels.txt and 2 files', 'a dict and a dict')
    """
    names = []
    for given in (qrels, runs):
        path = getattr(given, "path", given)  # of an open store
        if isinstance(path, str | PathLike):
            names.append(str(path))
        elif isinstance(given, list | tuple):
            names.append(
                counted(len(given), "file" if all(isinstance(one, str | PathLike) for one in given) else "row")
            )
        elif given is not None:
            names.append(f"a {type(given).__name__}")
    return " and ".join(names)


def remedy_without_runs(store: Store) -> str:
    """What to do with a store that has no runs."""
    unranked = hooks.first_extension_answer(lambda extension: extension.unranked_runs(store))
    return unranked.remedy if unranked else "add runs with `cranfield import runs` or `cranfield search`"


def refuse_undecided_labels(place: Place, labellers: Labellers) -> None:
    """Raise UndecidedError if labels in the store differ, and neither the call nor the store has a choice."""
    from cranfield.judging.labels.choice import require_decided_labellers

    with open_store_at(place) as store:
        require_decided_labellers(store, labellers)


@contextmanager
def _open_judged_store(place: Place, labellers: Labellers, tell: Tell) -> Iterator[tuple[Store, SplitLabels, str]]:
    """A store that has runs and judgments, with the judgments, and whose they are where that is a question."""
    from cranfield.judging.labels.choice import choose_labels, missing_judgments_message, note_labellers
    from cranfield.store.draws import split_labels
    from cranfield.store.runs import run_info
    from cranfield.store.withdrawals import withdrawal_and_round_filter

    path = name_of(place)
    with open_store_at(place) as store:
        if not store.count("run"):
            raise InputError(f"there are no runs in this store; {remedy_without_runs(store)}", path)
        if not run_info(store):
            others = withdrawal_and_round_filter(store).others
            raise InputError(
                "this round contains no runs, or all of them are withdrawn"
                if others
                else "all runs of this store are withdrawn",
                path,
            )
        counting = choose_labels(store, labellers)
        if not len(counting.qrels) and (name := store.selection.topics):
            raise InputError(f"no judgment of the topics of {name!r} counts here", path)
        if not len(counting.qrels):
            if withdrawal_and_round_filter(store).labels:
                is_any = labellers.kind is LabelledBy.all
                judgments = "there are no judgments" if is_any else f"there are no judgments of {labellers.kind}"
                earlier = "or only of documents judged earlier (see `evaluate --judged`)"
                raise InputError(f"{judgments} in this round yet, {earlier}", path)
            raise InputError(missing_judgments_message(store, labellers), path)
        whose, split = note_labellers(store, counting, labellers), split_labels(store, counting)
        if not len(split.counting.qrels):
            raise InputError(f"all judgments are labels of random draws: {split.note}", path)
        for line in filter(None, (whose, split.note)):
            tell(line)
        yield store, split, whose


def _from_store(place: Place, labellers: Labellers, pool: int | None, tell: Tell) -> Source:
    from cranfield.judging.session.adaptive import StoredCorpora, remaining_documents_by_topic
    from cranfield.store.open_pools import budget_stages, depth_pool_sizes, has_lost_documents, stored_draws
    from cranfield.store.pools import (
        RANDOM_DRAW,
        newest_built_pool,
        newest_pool_of_round,
        pool_depth,
        pool_record,
        pooled_runs,
    )
    from cranfield.store.qrels import pairs_found_outside_pools, with_subtopics
    from cranfield.store.runs import run_info, unread_runs

    with _open_judged_store(place, labellers, tell) as (store, labels, whose):
        rel, about = store.collection.min_relevant, run_info(store)
        pool = newest_pool_of_round(store) if pool is None else pool
        if pool is not None and pool_record(store, pool).method == RANDOM_DRAW:
            raise InputError(f"pool {pool} is a random draw of unjudged documents; expected a pool made from runs")
        has_pool = pool is not None or newest_built_pool(store) is not None  # or only random draws
        line = budget_stages(store, pool) if has_pool else []
        depth = pool_depth(store, pool) if has_pool and not line else None
        last = line[-1].pool if line else None
        number, tags = pooled_runs(store, pool) if has_pool else (None, None)
        sizes = {} if line else depth_pool_sizes(store, number)
        runs, qrels = unread_runs(store), with_subtopics(store, labels.counting.qrels, labels.counting.event)
        return Source(
            runs,
            qrels,
            about,
            min_relevant=rel,
            depth=depth,
            pool=last,
            whose=whose,
            pool_runs=tags,
            number=number,
            states_pooled=not all(info.pooled for info in about.values()),
            stages=line,
            sizes=sizes,
            risen=has_lost_documents(store, number),
            to_come=sum(remaining_documents_by_topic(store, last).values()) if last else 0,
            corpus=StoredCorpora(store),
            found_apart=pairs_found_outside_pools(store),
            draws=stored_draws(store, pool),
            drawn=labels.drawn,
            drawn_note=labels.note,
            scale=store.collection.grades,
            left_out=store.left_out,
        )


def _describe_runs(runs: Runs, teams: Path) -> tuple[dict[str, RunInfo], bool]:
    """What is known of the runs, and whether that is who was pooled, too."""
    from cranfield.formats.runs.files import read_teams_and_pooled

    infos, known_pooled = read_teams_and_pooled(teams)
    missing = [tag for tag in runs.tags if tag not in infos]
    if missing:
        raise InputError(
            f"run {missing[0]!r} is missing from this file ({len(missing)} of {len(runs.tags)} runs are missing)", teams
        )
    return {tag: infos[tag] for tag in runs.tags}, known_pooled
