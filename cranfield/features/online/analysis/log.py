"""A store's interaction log: what an import read and refused, its measures by group, and topics from its queries."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import isnan
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError, MeasureError, StoreError
from cranfield.features.online.estimates import MIN_MEDIAN_USERS, estimate, known_units, units_of
from cranfield.features.online.experiments import ENOUGH
from cranfield.features.online.formats.parts import BadLine
from cranfield.features.online.interactions import Interactions
from cranfield.features.online.measures import ONLINE_MEASURES, ListSums, OnlineMeasure
from cranfield.features.online.own_measures import attributes_needed, measures_named
from cranfield.features.online.store.append import KnownFiles, LogWriter, keep_files, known_files, numbers_looked_up
from cranfield.features.online.store.read import LogChoice, LoggedQuery, check_log, interactions, unmatched_queries
from cranfield.features.online.store.users import (
    Bot,
    HashedLines,
    bots,
    clock_back,
    delete_numbered,
    drop_users,
    hashed_logs,
    keep_salt_file,
)
from cranfield.formats import Topic
from cranfield.formats.files import LIMITS, group_notes, report_note
from cranfield.parallel import from_another_process
from cranfield.store.history import importing
from cranfield.store.store import Store
from cranfield.text import counted

LARGE = 1 << 25  # bytes of files that are read beside the rest
MOST = 20  # lines that are reported one by one
Path = str | PathLike[str]


@dataclass(frozen=True)
class LogImportRequest:
    """How logs are read, and what of them is kept."""

    format: str = "auto"
    experiment: str = "log"  # of lines that do not name one
    arms: Sequence[str] | None = None  # of the experiment
    fields: Mapping[str, str] | None = None  # their names in the files, by ours
    attributes: Sequence[str] = ()
    skip: bool = False
    max_searches: int = 500  # of a person on a day
    drop_bots: bool = False
    salt: Path | None = None


@dataclass
class LogImport:
    """What came of an import: how much was added, how much was there before, and the lines that were left out."""

    impressions: int = 0
    actions: int = 0
    repeated: int = 0  # lists that were in the log before
    bad: Counter[str] = field(default_factory=Counter)  # lines by what is wrong with them
    first: list[str] = field(default_factory=list)  # of them, as FILE:LINE: what is wrong
    notes: list[str] = field(default_factory=list)  # how the files were read
    bots: list[Bot] = field(default_factory=list)  # users who searched more on a day than people do
    dropped: int = 0  # lists of theirs
    unmatched: list[LoggedQuery] = field(default_factory=list)  # queries that are no topic's title

    def note(self, path: Path, bad: Sequence[BadLine]) -> None:
        """Take up lines that cannot be used, each by the first thing that is wrong with it."""
        lines = {each.line: each for each in reversed(bad)}
        self.bad.update(each.kind for each in lines.values())
        for each in sorted(lines.values())[: max(MOST - len(self.first), 0)]:
            self.first.append(str(InputError(each.message, path, each.line)))


def import_log(store: Store, files: Sequence[Path], request: LogImportRequest, beside: bool = False) -> LogImport:
    """Append the logs to the store, all of them or nothing.

    Lines that cannot be used are refused, or with `skip` left out. Users with more than `max_searches` on a day are
    listed, and with `drop_bots` left out. `salt` is the file with the salt of users, if that is to be kept outside the
    store. Large files may be read `beside` this process, by another one. Files of which all lists are in the log, and
    that would be read as they were, are known by their hash and not read again.
    """
    outcome = LogImport()
    sha256 = _digest(files, request)
    with numbers_looked_up(store), importing(store, "log", files) as number:
        writer = LogWriter(store, request.experiment, request.arms or (), request.salt)
        if earlier := known_files(store, sha256):
            return LogImport(
                repeated=earlier.lists,
                notes=group_notes([_note_with_files(note, files) for note in earlier.notes], files),
            )
        for each in _read(writer.salt, files, request, beside):
            outcome.note(each.lines.path, sorted([*each.lines.bad, *writer.write(each)]))
            outcome.notes += each.lines.notes
        notes = [*outcome.notes]
        for line in notes if LIMITS.get().reading.fails_on_note else ():
            report_note(line)
        totals = writer.attributes.items()
        outcome.notes = group_notes(outcome.notes, files)
        outcome.notes += [f"{name} added to {counted(lists, 'list')} already in the log" for name, lists in totals]
        for path, bad in writer.finish():
            outcome.note(path, [bad])
        back = clock_back(writer.visits)
        for late, seconds in back:
            path, line_number = writer.place(late)
            message = f"{seconds:g} s before the previous list of its session; expected lists in chronological order"
            outcome.note(path, [BadLine(line_number, "times out of order", message)])
        delete_numbered(store, np.array([late for late, _ in back], np.int64))
        outcome.bots = bots(writer.visits, request.max_searches)
        writer.visits.drop()
        if outcome.bad and not request.skip:
            raise refusal(outcome)
        writer.check_arms()
        outcome.dropped = drop_users(store, number, [bot.user for bot in outcome.bots]) if request.drop_bots else 0
        outcome.impressions, outcome.actions = writer.totals(number)
        outcome.repeated = writer.repeated
        outcome.unmatched = unmatched_queries(store, number) if store.has("topic") else []
        if sha256 and not (outcome.bad or outcome.dropped):
            nameless = [_nameless(note, files) for note in notes]
            keep_files(store, sha256, KnownFiles(outcome.impressions + outcome.repeated, nameless))
        keep_salt_file(request.salt, writer.salt)
    return outcome


def _digest(files: Sequence[Path], request: LogImportRequest) -> str:
    """The hash of files, whatever their names, and of how they are read; empty where one is no file."""
    if not all(map(os.path.isfile, files)):
        return ""
    how = (request.format, request.experiment, request.arms, request.fields, request.attributes)
    digest = hashlib.sha256(repr((how, [os.path.splitext(path)[1] for path in files])).encode())
    for path in files:
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _nameless(note: str, files: Sequence[Path]) -> str:
    """A note with the numbers of files for their names.

    >>> _note_with_files(_nameless("a.csv: fields left out", ["a.csv"]), ["copy.csv"])
    'copy.csv: fields left out'
    """
    for number, path in enumerate(files):
        note = note.replace(os.fspath(path), f"\0{number}\0")
    return note


def _note_with_files(note: str, files: Sequence[Path]) -> str:
    for number, path in enumerate(files):
        note = note.replace(f"\0{number}\0", os.fspath(path))
    return note


def _read(salt: bytes, files: Sequence[Path], request: LogImportRequest, beside: bool) -> Iterator[HashedLines]:
    """The lines of the files, read by another process if that is wanted and saves time."""
    inputs = (salt, files, request.format, request.fields, request.attributes)
    if beside and all(map(os.path.isfile, files)) and sum(map(os.path.getsize, files)) > LARGE:
        return from_another_process(hashed_logs, *inputs)
    return hashed_logs(*inputs)


MOST_BOTS = 10  # that are named


def import_notes(outcome: LogImport) -> list[str]:
    """Return the notes on an import: on the files, on lines left out, on likely programs and on unknown queries."""
    lines = [*outcome.notes, *outcome.first]
    for bot in outcome.bots[:MOST_BOTS]:
        lines.append(f"user {bot.user & (1 << 64) - 1:016x} searched {counted(bot.searches, 'time')} on {bot.day}")
    if outcome.bots:
        lists = (
            f"omitted their {counted(outcome.dropped, 'list')}"
            if outcome.dropped
            else "their lists are kept unless you pass --drop-bots"
        )
        users = counted(len(outcome.bots), "user")
        lines.append(f"{users} may be bots, because of their number of searches per day; {lists}")
    if outcome.unmatched:
        lists = counted(sum(query.lists for query in outcome.unmatched), "list")
        queries = counted(len(outcome.unmatched), "query matches", "queries match")
        lines.append(
            f"{queries} no topic ({lists}); make topics from frequent queries with `cranfield online clicks topics`"
        )
    return lines


def refusal(outcome: LogImport) -> InputError:
    """The error about the lines that cannot be used: the first of them, and how many there are of which kind."""
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in outcome.bad.most_common())
    lines = counted(sum(outcome.bad.values()), "bad line")
    return InputError(f"{outcome.first[0]} ({lines}{f': {kinds}' * (len(outcome.bad) > 1)}; --skip leaves them out)")


class NewTopics(NamedTuple):
    """Topics of frequent queries, and how many queries too few users asked."""

    topics: Sequence[Topic]
    rare: int


def new_topics(store: Store, top: int, min_users: int, sample: str = "top", seed: int = 0) -> NewTopics:
    """Queries that are no topic yet, as topics log1, log2, ...; an error where there are none.

    `sample`: those of the most users; drawn at random, all alike; or one after the other in proportion to their lists.
    """
    check_log(store)
    queries = unmatched_queries(store)
    frequent = [query for query in queries if query.users >= min_users]
    if not frequent:
        raise StoreError(
            f"no new query has at least {counted(min_users, 'user')}"
            f" ({counted(len(queries), 'query has', 'queries have')} fewer); lower --min-users"
        )
    qids = {topic.qid for topic in store.topics()}
    new_qids = (qid for number in count(1) if (qid := f"log{number}") not in qids)
    topics = [
        Topic(next(new_qids), query.text, metadata={"lists": query.lists, "users": query.users})
        for query in _sample(frequent, top, sample, seed)
    ]
    return NewTopics(topics, len(queries) - len(frequent))


def _sample(queries: Sequence[LoggedQuery], most: int, sample: str, seed: int) -> list[LoggedQuery]:
    """So many of the queries, in the order of `queries`; each once.

    >>> several = [LoggedQuery(f"{n}", 10**n, 9) for n in range(6)]
    >>> [[one.text for one in _sample(several, 2, how, 1)] for how in ("top", "random", "proportional")]
    [['0', '1'], ['2', '3'], ['4', '5']]
    """
    if sample == "top":
        return list(queries[:most])
    lists = np.array([query.lists for query in queries], float)
    weight = None if sample == "random" else lists / lists.sum()
    numbers = np.random.default_rng(seed).choice(len(queries), min(most, len(queries)), replace=False, p=weight)
    return [queries[number] for number in np.sort(numbers)]


DEFAULT = ("CTR", "CTR@3", "Abandonment", "ClicksPerSearch", "MaxRR", "TimeToClick", "Reformulation", "ZeroHits")
DOCUMENT_MEASURES = ("CTR",)
LIMITED = ("position", "query")  # groups that can be very many
Row = dict[str, Any]


class Groups(NamedTuple):
    """The lists of a log in groups: of each its number, -1 for none, and of each number its names."""

    log: Interactions
    codes: Ints
    names: Sequence[Row]


def group_by_arm(log: Interactions) -> Groups:
    """The lists of each arm of each experiment; those without an arm are one group."""
    size = len(log.arms.names) + 1
    keys, codes = np.unique(log.experiment * size + log.arm + 1, return_inverse=True)
    arms = ["", *log.arms.names]
    names = [{"experiment": log.experiments.names[key // size], "arm": arms[key % size]} for key in keys.tolist()]
    return Groups(log, codes, names)


def group_by_run(log: Interactions) -> Groups:
    """The documents that each system put into lists: those of its team, or of all lists of its arm."""
    documents, arm_of_team = (
        log.split_by_document(),
        np.arange(max(len(log.arms.names), int(log.team.max(initial=0)) + 1)),
    )
    system = np.where(log.team >= 0, arm_of_team[log.team], documents.arm)
    used, codes = np.unique(system, return_inverse=True)
    names = [{"run": log.arms.names[arm] if arm >= 0 else ""} for arm in used.tolist()]
    return Groups(documents, codes, names)


def group_by_position(log: Interactions) -> Groups:
    """The documents at each rank."""
    documents = log.split_by_document()
    ranks, codes = np.unique(documents.first, return_inverse=True)
    return Groups(documents, codes, [{"position": rank + 1} for rank in ranks.tolist()])


def group_by_query(log: Interactions) -> Groups:
    """The lists of each query."""
    used, first, codes = np.unique(log.query, return_index=True, return_inverse=True)
    names = [
        {"query": log.queries.names[query], "topic": log.topics.names[topic] if topic >= 0 else ""}
        for query, topic in zip(used.tolist(), log.topic[first].tolist(), strict=True)
    ]
    return Groups(log, codes, names)


def group_by_attribute(log: Interactions, name: str) -> Groups:
    """The lists of each value of an attribute, or the documents where it is of them; those without are one group."""
    attribute = log.attributes[name]
    used, codes = np.unique(attribute.codes, return_inverse=True)
    names = [{name: attribute.names[code] if code >= 0 else ""} for code in used.tolist()]
    return Groups(log.split_by_document() if attribute.of_documents else log, codes, names)


GROUPINGS: Mapping[str, Callable[[Interactions], Groups]] = {
    "arm": group_by_arm, "run": group_by_run, "position": group_by_position, "query": group_by_query,
}  # fmt: skip


def kept_by(by: str | None, measures: Sequence[str] = ()) -> tuple[str, ...]:
    """The attributes that groups are made by, if they are, and that measures choose lists by.

    >>> kept_by("arm"), kept_by("device", ["CTR"]), kept_by(None)
    ((), ('device',), ())
    """
    attributes = attributes_needed(measures_named(measures))
    return tuple(dict.fromkeys([*([by] if by and by not in GROUPINGS else []), *attributes]))


def chosen_log(store: Store, choice: LogChoice | None = None) -> Interactions:
    """The lists chosen of the store's log; an error where there are none."""
    check_log(store)
    log = interactions(store, choice)
    if not len(log):
        raise StoreError("the log has no lists for this experiment, these arms and this period")
    return log


def online_rows(
    log: Interactions,
    by: str = "arm",
    measures: Sequence[str] = (),
    confidence: float = 0.95,
    min_users: int = 5,
) -> list[Row]:
    """One row for each group and measure: value, low, high, lists, users. Queries of fewer users are left out."""
    of_documents = by in ("run", "position") or (by in log.attributes and log.attributes[by].of_documents)
    choice = measures_named(measures or (DOCUMENT_MEASURES if of_documents else DEFAULT))
    if of_documents and (wrong := [str(measure) for measure in choice if not measure.of_documents or measure.cutoff]):
        names = ", ".join(measure.name for measure in ONLINE_MEASURES.values() if measure.of_documents)
        raise MeasureError(f"{wrong[0]} measures whole lists; with --by {by}, use {names}")
    groups = GROUPINGS[by](log) if by in GROUPINGS else group_by_attribute(log, by)
    units, has_unit = units_of(groups.log), known_units(groups.log)
    pairs = np.unique(np.column_stack([groups.codes[has_unit], units[has_unit]]), axis=0)
    least, users = min_users if by == "query" else 0, np.bincount(pairs[:, 0], minlength=len(groups.names))
    frequent = np.flatnonzero(users >= least).tolist()
    return list(_rows(groups, units, frequent, choice, confidence))


def _rows(
    groups: Groups, units: Ints, numbers: Sequence[int], measures: Sequence[OnlineMeasure], confidence: float
) -> Iterator[Row]:
    order = np.argsort(groups.codes, kind="stable")
    bounds = np.searchsorted(groups.codes[order], np.arange(len(groups.names) + 1))
    lists = [order[bounds[group] : bounds[group + 1]] for group in numbers]
    for measure in measures:
        counts = measure(groups.log)
        for group, rows in zip(numbers, lists, strict=True):
            value = estimate(measure, ListSums(*(column[rows] for column in counts)), units[rows], confidence)
            yield groups.names[group] | {"measure": str(measure)} | value._asdict()


def first_groups(rows: Sequence[Row], by: str, most: int) -> tuple[list[Row], int]:
    """The rows of the first groups, queries by their lists, and how many groups there are."""
    lists = {_group(row, by): row["lists"] for row in reversed(rows)}
    order = sorted(lists, key=lambda group: -lists[group]) if by == "query" else list(lists)[::-1]
    choice = dict.fromkeys(order[:most] if by in LIMITED else order)
    place = {group: number for number, group in enumerate(choice)}
    first = [row for row in rows if _group(row, by) in choice]
    if by == "query":
        first.sort(key=lambda row: place[_group(row, by)])
    return first, len(lists)


def interval_notes(rows: Sequence[Row]) -> list[str]:
    """Return the note on rows that have too few users for an interval, if there are any.

    >>> interval_notes([{"low": 0.1, "users": 20}])
    []
    """
    if not any(isnan(row["low"]) and row["users"] for row in rows):
        return []
    return [
        "some rows have no interval, because they have too few users. A share needs 2 users, a median"
        f" {MIN_MEDIAN_USERS} with different values, and any other measure {ENOUGH}"
    ]


def remarks(log: Interactions, by: str, groups: int, min_users: int) -> list[str]:
    """What to say of queries that too few users asked, where so many are shown, and of lists without a user.

    >>> from dataclasses import replace
    >>> from cranfield.features.online.interactions import example
    >>> for line in remarks(replace(example("ab:a", "ba:"), user=np.array([0, -1])), "query", 0, 5):
    ...     print(line)
    omitted 1 query with fewer than 5 users 1 of 2 lists have no user; each session, or each list without a session,
    counts as one user, so intervals may be too narrow
    """
    rare = len(np.unique(log.query)) - groups if by == "query" else 0
    lines = (
        [f"omitted {counted(rare, 'query', 'queries')} with fewer than {counted(min_users, 'user')}"] if rare else []
    )
    if unknown := int((log.user < 0).sum()):
        how = "each session, or each list without a session, counts as one user, so intervals may be too narrow"
        lines.append(f"{unknown:,} of {counted(len(log), 'list')} have no user; {how}")
    return lines


def _group(row: Row, by: str) -> tuple[str, ...]:
    return (str(row.get("experiment", "")), str(row[by]))
