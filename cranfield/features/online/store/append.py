"""Appending a log: each list once, by its id. The same list again changes nothing; another under its id is refused.

The numbers of the rows that lists refer to are looked up once, and not again by SQLite.
"""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints, occurring_codes
from cranfield.errors import InputError, Path
from cranfield.features.online.formats.parts import BadLine, CodedNames, LogPart
from cranfield.features.online.store.read import add_arms, add_experiment, experiments, has_log
from cranfield.features.online.store.rows import (
    COLUMNS,
    NumberedPart,
    actions_by_list,
    contents,
    differing,
    dropped_index,
    hashes,
    insert,
    numbers_by_name,
    other_content,
    unindexed_repeats,
)
from cranfield.features.online.store.users import VISIT, HashedLines, KeptVisits, delete_numbered, salt_of
from cranfield.store.decoding import decode_json_column
from cranfield.store.erasing import LISTED_CONDITION
from cranfield.store.store import Store


class LogWriter:
    """Appends the parts of one import; `experiment` is where lines without one belong, `arms` what it compares.

    Arms are fixed by the import that brings an experiment: `arms` adds to them.
    """

    def __init__(
        self, store: Store, experiment: str = "log", arms: Sequence[str] = (), salt: Path | None = None
    ) -> None:
        self.store, self.experiment, self.arms = store, experiment, tuple(arms)
        self.salt = salt_of(store, salt)
        self.by_name = experiments(store)
        self.next = store.last_row_number("impression") + 1
        self.documents = KnownNumbers(lambda names: store.ensure_rows("document", names))
        self.queries = KnownNumbers(self._query_numbers)
        self.repeated, self.attributes = 0, Counter[str]()  # attributes that lists got which were there
        self.lines: list[tuple[int, Path, Ints]] = []  # of each part the number of its first list, the file, the lines
        self.visits = KeptVisits(store)
        self.named = set[str]()  # the experiments of the lines
        self.index = dropped_index(store)  # of the names, to make again
        self.hashes = [hashes([])]  # of the names that are not indexed
        if experiment in self.by_name and arms:
            add_arms(store, experiment, arms)
            self.by_name = experiments(store)

    def write(self, piece: HashedLines) -> list[BadLine]:
        """Append what can be appended of some lines of a file; the others."""
        part = piece.lines.part
        topics, bad = self._topics(part)
        default = [self.experiment] if (part.experiment.codes < 0).any() else []
        self.named.update(default, part.experiment.names)
        for name in {*default, *part.experiment.names}:
            if name not in experiments(self.store):
                new_arms = part.arm.names if not self.arms or name != self.experiment else ()
                kind = "interleave" if (part.team >= 0).any() else "ab" if new_arms or self.arms else "log"
                add_experiment(self.store, name, kind, self.arms if name == self.experiment else ())
        number = {name: each.number for name, each in experiments(self.store).items()}
        codes = np.array([*(number[name] for name in part.experiment.names), number.get(self.experiment, -1)], np.int64)
        experiment = codes[part.experiment.codes]
        arms, unknown = self._arms(part, experiment)
        unknown += self._teams(part, experiment)
        wrong = {each.line for each in (*bad, *unknown)}
        keep = ~np.isin(part.line, list(wrong)) if wrong else np.ones(len(part), bool)
        part = part.rows(keep)
        visits = np.zeros(len(part), VISIT)
        visits["number"], visits["at"] = np.arange(self.next, self.next + len(part)), part.at
        visits["user"] = np.append(piece.users, 0)[part.user.codes]
        visits["session"] = np.append(piece.sessions, 0)[part.session.codes]
        batch = NumberedPart(
            part, experiment[keep], arms[keep], topics=topics[keep], query=self._query(part, topics[keep]),
            documents=self._numbers(part.document, self.documents.numbers_of_names),
            visits=visits,
        )  # fmt: skip
        return [*bad, *unknown, *self._insert(piece.lines.path, batch)]

    def finish(self) -> Iterator[tuple[Path, BadLine]]:
        """Index the names, of which each stays once; the lines whose id another list has."""
        if self.index:
            repeats = unindexed_repeats(self.store, np.concatenate(self.hashes))
            contents_of = contents(self.store, sorted({*repeats, *repeats.values()}))
            for number, earlier in sorted(repeats.items()):
                content, earlier_content = contents_of[number], contents_of[earlier]
                if content == earlier_content:
                    self.repeated += 1
                else:
                    path, line = self.place(number)
                    name = self.store.names_by_number("impression", "name", [number])[number]
                    yield path, other_content(line, name, content, earlier_content)
            if repeats:
                self.visits.gone = np.array(list(repeats), np.int64)
                delete_numbered(self.store, self.visits.gone)
            self.store.conn.execute(self.index)

    def check_arms(self) -> None:
        """Raise InputError if the arms that were asked for belong to an experiment that no line has."""
        if self.arms and self.named and self.experiment not in self.named:
            names = ", ".join(map(repr, sorted(self.named)))
            raise InputError(
                f"--arms applies to experiment {self.experiment!r}, but every line names {names}; name that"
                " experiment with --experiment"
            )

    def place(self, number: int) -> tuple[Path, int]:
        """The file and the line that a list came from."""
        first, path, lines = self.lines[bisect_right(self.lines, number, key=lambda part: part[0]) - 1]
        return path, int(lines[number - first])

    def totals(self, number: int) -> tuple[int, int]:
        """How many lists and actions an import has brought."""
        [(lists, actions)] = self.store.rows(
            "SELECT count(*), (SELECT count(*) FROM action WHERE impression IN (SELECT id FROM impression"
            " WHERE import = :number)) FROM impression WHERE import = :number",
            {"number": number},
        )
        return lists, actions

    def _insert(self, path: Path, batch: NumberedPart) -> list[BadLine]:
        part, numbers = batch.part, batch.visits["number"]
        self.lines.append((self.next, path, part.line.astype(np.int32)))
        self.next += len(part)
        if self.index:
            self.hashes.append(hashes(part.id))
            self._append(batch)
            return []
        first = numbers_by_name(self.store, part.id)
        earlier = np.array([first.setdefault(*each) for each in zip(part.id, numbers.tolist(), strict=True)], np.int64)
        again = earlier != numbers
        self._append(batch.rows(~again))
        if not again.any():
            return []
        repeats = batch.rows(again)
        bad = [*self._contradictions(repeats, earlier[again])]
        right = ~np.isin(repeats.part.line, [one.line for one in bad])
        bad += self._add_attributes(repeats.rows(right), earlier[again][right])
        self.repeated += int(again.sum()) - len(bad)
        return bad

    def _add_attributes(self, batch: NumberedPart, earlier: Ints) -> list[BadLine]:
        """Keep what else is said of earlier lists, of these numbers; the lines that say something else than before."""
        if not batch.part.attributes:
            return []
        visits = batch.visits.copy()
        visits["number"] = earlier
        values = {(number, name): value for number, name, *value in batch._replace(visits=visits).attributes()}
        sql = f"SELECT impression, name, of, value FROM attribute WHERE impression {LISTED_CONDITION}"
        old = {row[:2]: [*row[2:]] for row in self.store.rows(sql, [json.dumps(earlier.tolist())])}
        other = {number: name for (number, name), value in values.items() if old.get((number, name), value) != value}
        new = [(*key, *value) for key, value in values.items() if key not in old and key[0] not in other]
        insert(self.store.conn, "attribute", 4, new)
        self.attributes.update(name for _, name, *_ in new)
        lines = zip(earlier.tolist(), batch.part.line.tolist(), batch.part.id, strict=True)
        return [
            BadLine(
                line,
                "ids with different content",
                f"id {name!r} is already in the log with another {other[number]}",
            )
            for number, line, name in lines
            if number in other
        ]

    def _append(self, batch: NumberedPart) -> None:
        insert(self.store.conn, f"impression ({COLUMNS})", 14, batch.lists(self.store.importing))
        insert(self.store.conn, "action", 8, batch.actions())
        insert(self.store.conn, "attribute", 4, list(batch.attributes()))
        self.visits.append(batch.visits)

    def _contradictions(self, batch: NumberedPart, earlier: Ints) -> Iterator[BadLine]:
        """The lines whose id an earlier list has, one of these numbers, and which say something else."""
        wrong = batch.rows(differing(self.store, batch, earlier))
        actions = actions_by_list(wrong.actions())
        contents_of = contents(self.store, (numbers := earlier[np.isin(batch.part.line, wrong.part.line)].tolist()))
        for row, line, number in zip(wrong.lists(None), wrong.part.line.tolist(), numbers, strict=True):
            yield other_content(line, row[1], (row[2:-1], actions.get(row[0], [])), contents_of[number])

    def _numbers(self, names: CodedNames, of: Callable[[Sequence[str]], Ints]) -> Ints:
        used = occurring_codes(names.codes[names.codes >= 0])
        numbers = np.full(len(names.names) + 1, -1)
        numbers[used] = of([names.names[code] for code in used.tolist()])
        return numbers[names.codes]

    def _query(self, part: LogPart, topics: Ints) -> Ints:
        """The number of each query; where the log has only a qid, of the topic's title."""
        query = self._numbers(part.query, self.queries.numbers_of_names)
        bare = np.flatnonzero(query < 0)
        if len(bare):
            numbers = sorted(set(topics[bare].tolist()))
            titles = self.store.rows(
                "SELECT id, coalesce(nullif(title, ''), qid) FROM topic WHERE id IN (SELECT value FROM json_each(?))",
                [json.dumps(numbers)],
            )
            of = dict(
                zip(
                    (number for number, _ in titles),
                    self.queries.numbers_of_names([text for _, text in titles]).tolist(),
                    strict=True,
                )
            )
            query[bare] = [of[number] for number in topics[bare].tolist()]
        return query

    def _query_numbers(self, texts: NDArray[np.object_]) -> Ints:
        numbers = self.store.row_numbers("query", "text", texts)
        new = [(text,) for text in texts[numbers < 0].tolist()]
        if new:
            self.store.conn.executemany("INSERT INTO query (text) VALUES (?)", new)
            numbers = self.store.row_numbers("query", "text", texts)
        return numbers

    def _topics(self, part: LogPart) -> tuple[Ints, list[BadLine]]:
        """The number of the topic of each line with a qid, and the lines whose qid the store does not know."""
        if not (part.qid.codes >= 0).any():
            return np.full(len(part), -1), []
        if not self.store.has("topic"):
            return self._numbers(part.qid, lambda names: self.store.ensure_rows("topic", np.array(names, object))), []
        topics = self._numbers(part.qid, lambda names: np.array(self.store.numbers("topic", "qid", names), np.int64))
        missing = np.flatnonzero((topics < 0) & (part.qid.codes >= 0)).tolist()
        return topics, [
            BadLine(int(part.line[row]), "unknown topics", f"topic {part.qid.name(row)!r} is not in the store")
            for row in missing
        ]

    def _arms(self, part: LogPart, experiment: Ints) -> tuple[Ints, list[BadLine]]:
        """The number of the arm of each line, and the lines whose arm their experiment does not have."""
        # An experiment that is new with this import gets the arms of its lines, or one for each team.
        for each in experiments(self.store).values():
            ours = experiment == each.number
            if each.name in self.by_name or (each.name == self.experiment and self.arms) or not ours.any():
                continue
            if each.kind == "interleave":
                most = int(part.team[ours[part.impression]].max(initial=-1)) + 1
                add_arms(self.store, each.name, [chr(ord("a") + team) for team in range(most)])
            else:
                codes, first = np.unique(part.arm.codes[ours], return_index=True)
                add_arms(
                    self.store, each.name, [part.arm.names[code] for code in codes[np.argsort(first)] if code >= 0]
                )
        number = {
            (where, name): arm
            for arm, where, name in self.store.rows("SELECT id, experiment, name FROM arm ORDER BY id")
        }
        size = len(part.arm.names) + 1
        pairs, place = np.unique(experiment * size + part.arm.codes + 1, return_inverse=True)
        names = ["", *part.arm.names]
        arms = np.array([number.get((pair // size, names[pair % size]), -1) for pair in pairs.tolist()], np.int64)[
            place
        ]
        missing = np.flatnonzero((arms < 0) & (part.arm.codes >= 0)).tolist()
        of = {each.number: each.arms for each in experiments(self.store).values()}
        return arms, [
            BadLine(
                int(part.line[row]), "unknown arms",
                f"unknown arm {part.arm.name(row)!r}; the arms of the experiment are"
                f" {', '.join(of[int(experiment[row])]) or 'none'} (add arms with --arms)",
            )
            for row in missing
        ]  # fmt: skip

    def _teams(self, part: LogPart, experiment: Ints) -> list[BadLine]:
        """The lines with a team that is none of their experiment's arms."""
        if not (part.team >= 0).any():
            return []
        arms = {each.number: len(each.arms) for each in experiments(self.store).values()}
        most = np.array([arms[number] for number in experiment.tolist()], np.int64)
        wrong = part.team >= most[part.impression]
        return [
            BadLine(
                int(part.line[row]),
                "unknown teams",
                f"the list names more teams than the {most[row]} arms of the experiment",
            )
            for row in occurring_codes(part.impression[wrong]).tolist()
        ]


class KnownFiles(NamedTuple):
    """Files all of whose lists are in the log: how many they have, and what was said of them."""

    lists: int
    notes: list[str]


def known_files(store: Store, sha256: str) -> KnownFiles | None:
    """What is known of files by their hash; None where they were not imported, or a list is gone since."""
    rows = store.rows("SELECT lists, notes FROM log_file WHERE sha256 = ?", [sha256])
    return KnownFiles(rows[0][0], decode_json_column(list, rows[0][1], "log_file", sha256, "notes")) if rows else None


def keep_files(store: Store, sha256: str, files: KnownFiles) -> None:
    """Say that all lists of these files are in the log."""
    store.conn.execute("INSERT INTO log_file VALUES (?, ?, ?)", [sha256, files.lists, json.dumps(files.notes)])


CACHE = 300_000  # kilobytes of the database in memory: ids of lists come in no order
LITTLE = 50_000  # of them are enough where the ids are indexed later
MOST_KNOWN = 1_000_000  # names whose numbers are kept in memory


@dataclass
class KnownNumbers:
    """Numbers of names, of which those not met before are looked up."""

    look_up: Callable[[NDArray[np.object_]], Ints]
    numbers: dict[str, int] = field(default_factory=dict)

    def numbers_of_names(self, names: Sequence[str]) -> Ints:
        """The number of each name; each name comes once."""
        codes = list(map(self.numbers.get, names))
        if None in codes:
            new = sorted(name for name, number in zip(names, codes, strict=True) if number is None)
            if len(self.numbers) + len(new) > MOST_KNOWN:
                self.numbers.clear()
                new = sorted(names)
            numbers = self.look_up(np.array(new, object))
            self.numbers.update(zip(new, numbers.tolist(), strict=True))
            codes = list(map(self.numbers.get, names))
        return np.array(codes, np.int64)


@contextmanager
def numbers_looked_up(store: Store) -> Iterator[None]:
    """Rows refer to numbers that were just looked up: SQLite need not look for each of them again."""
    store.conn.execute("PRAGMA foreign_keys = OFF")  # nothing happens inside a transaction
    store.conn.execute(f"PRAGMA cache_size = -{CACHE if has_log(store) else LITTLE}")
    try:
        yield
    finally:
        store.conn.execute("PRAGMA foreign_keys = ON")
