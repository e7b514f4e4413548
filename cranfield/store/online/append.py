"""Appending a log: each list once, by its id. The same list again changes nothing; another under its id is refused."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.interactions import KINDS
from cranfield.arrays.rankings import Ints, occurring
from cranfield.formats.files import Path
from cranfield.formats.logs.part import BadLine, Coded, LogPart
from cranfield.store.online.experiments import add_arms, add_experiment, experiments
from cranfield.store.online.rows import Row, blobs, given_blobs, insert, known, lists_with, numeric
from cranfield.store.online.users import HashedLines, salt_of
from cranfield.store.store import Store

CACHE = 400_000  # kilobytes of the database in memory: ids of lists come in no order
MOST_KNOWN = 1_000_000  # names whose numbers are kept in memory
COLUMNS = "id, name, at, experiment, arm, user, session, query, topic, first, documents, teams, propensities, import"


@dataclass
class Known:
    """Numbers of names, of which those not met before are looked up."""

    look_up: Callable[[NDArray[np.object_]], Ints]
    numbers: dict[str, int] = field(default_factory=dict)

    def of(self, names: Sequence[str]) -> Ints:
        """The number of each name; each name comes once."""
        found = list(map(self.numbers.get, names))
        if None in found:
            new = sorted(name for name, number in zip(names, found, strict=True) if number is None)
            if len(self.numbers) + len(new) > MOST_KNOWN:
                self.numbers.clear()
                new = sorted(names)
            numbers = self.look_up(np.array(new, object))
            self.numbers.update(zip(new, numbers.tolist(), strict=True))
            found = list(map(self.numbers.get, names))
        return np.array(found, np.int64)


@contextmanager
def numbers_looked_up(store: Store) -> Iterator[None]:
    """Rows refer to numbers that were just looked up: SQLite need not look for each of them again."""
    store.conn.execute("PRAGMA foreign_keys = OFF")  # nothing happens inside a transaction
    store.conn.execute(f"PRAGMA cache_size = -{CACHE}")
    try:
        yield
    finally:
        store.conn.execute("PRAGMA foreign_keys = ON")


class LogWriter:
    """Appends the parts of one import; `experiment` is where lines without one belong, `arms` what it compares.

    Arms are fixed by the import that brings an experiment: `arms` adds to them.
    """

    def __init__(self, store: Store, experiment: str = "log", arms: Sequence[str] = ()) -> None:
        self.store, self.experiment, self.arms = store, experiment, tuple(arms)
        self.salt = salt_of(store)
        self.before = experiments(store)
        self.next = store.most("impression") + 1
        self.documents = Known(lambda names: store.taken("document", names))
        self.queries = Known(self._query_numbers)
        self.repeated = 0
        self.lines: list[tuple[int, Path, Ints]] = []  # of each part the number of its first list, the file, the lines
        if experiment in self.before and arms:
            add_arms(store, experiment, arms)
            self.before = experiments(store)

    def write(self, given: HashedLines) -> list[BadLine]:
        """Append what can be appended of some lines of a file; the others."""
        part = given.lines.part
        topics, bad = self._topics(part)
        experiment = self._experiments(part)
        arms, unknown = self._arms(part, experiment)
        unknown += self._teams(part, experiment)
        refused = {each.line for each in (*bad, *unknown)}
        keep = ~np.isin(part.line, list(refused)) if refused else np.ones(len(part), bool)
        part = part.rows(keep)
        rows = self._rows(part, experiment[keep], arms[keep], topics[keep], given.users, given.sessions)
        return [*bad, *unknown, *self._insert(given.lines.path, part, rows)]

    def place(self, number: int) -> tuple[Path, int]:
        """The file and the line that a list came from."""
        first, path, lines = self.lines[bisect_right(self.lines, number, key=lambda part: part[0]) - 1]
        return path, int(lines[number - first])

    def written(self, number: int) -> tuple[int, int]:
        """How many lists and actions an import has brought."""
        [(lists, actions)] = self.store.rows(
            "SELECT count(*), (SELECT count(*) FROM action WHERE impression IN (SELECT id FROM impression"
            " WHERE import = :number)) FROM impression WHERE import = :number",
            {"number": number},
        )
        return lists, actions

    def _insert(self, path: Path, part: LogPart, rows: list[Row]) -> list[BadLine]:
        before = self.store.conn.total_changes
        first, self.next = self.next, self.next + len(rows)
        self.lines.append((first, path, part.line.astype(np.int32)))
        insert(self.store.conn, f"impression ({COLUMNS})", 14, rows, "ON CONFLICT (name) DO NOTHING")
        inserted = self.store.conn.total_changes - before
        actions = list(self._actions(part, first))
        again = self._again(rows) if inserted < len(rows) else {}
        mine = [row for row in actions if again.get(rows[row[0] - first][1], row[0]) == row[0]] if again else actions
        insert(self.store.conn, "action", 8, mine)
        bad = list(self._others(part, rows, again, actions)) if again else []
        self.repeated += len(rows) - inserted - len(bad)
        return bad

    def _again(self, rows: Sequence[Row]) -> dict[str, int]:
        """The lists that were there before: by name, the number under which."""
        listed = "SELECT name, id FROM impression WHERE name IN (SELECT value FROM json_each(?))"
        return dict(self.store.rows(listed, [json.dumps([row[1] for row in rows])]))

    def _others(
        self, part: LogPart, rows: Sequence[Row], again: dict[str, int], actions: Sequence[Row]
    ) -> Iterator[BadLine]:
        """The lines whose id another list has."""
        for row, line in zip(rows, part.line.tolist(), strict=True):
            number = again.get(row[1])
            if number is None or number == row[0]:
                continue
            there = self.store.rows(f"SELECT {COLUMNS} FROM impression WHERE id = ?", [number])[0]
            acted = self.store.rows("SELECT * FROM action WHERE impression = ? ORDER BY number", [number])
            mine = [each[1:] for each in actions if each[0] == row[0]]
            if there[1:-1] != row[1:-1] or [each[1:] for each in acted] != mine:
                yield BadLine(
                    line, "ids with other content", f"id {row[1]!r} is in the log already, with other content"
                )

    def _rows(
        self, part: LogPart, experiment: Ints, arms: Ints, topics: Ints, users: Ints, sessions: Ints
    ) -> list[Row]:
        documents = self._numbers(part.document, self.documents.of).astype("<i4").tobytes()
        propensities = part.propensity.astype("<f8")
        return list(
            zip(
                range(self.next, self.next + len(part)), part.id, part.at.tolist(), experiment.tolist(), known(arms),
                known(np.append(users, 0)[part.user.codes], part.user.codes >= 0),
                known(np.append(sessions, 0)[part.session.codes], part.session.codes >= 0),
                self._query(part, topics).tolist(), known(topics), part.first.tolist(),
                blobs(documents, part.bounds, 4),
                given_blobs(part.team.tobytes(), part.bounds, 1, lists_with(part, part.team >= 0)),
                given_blobs(propensities.tobytes(), part.bounds, 8, lists_with(part, ~np.isnan(propensities))),
                repeat(self.store.importing),
            )
        )  # fmt: skip

    def _numbers(self, names: Coded, of: Callable[[Sequence[str]], Ints]) -> Ints:
        used = occurring(names.codes[names.codes >= 0])
        numbers = np.full(len(names.names) + 1, -1)
        numbers[used] = of([names.names[code] for code in used.tolist()])
        return numbers[names.codes]

    def _actions(self, part: LogPart, first: int) -> Iterator[Row]:
        actions = part.actions
        starts = np.searchsorted(actions.impression, actions.impression)
        documents = self._shown(part)
        yield from zip(
            (actions.impression + first).tolist(), (np.arange(len(actions)) - starts + 1).tolist(),
            numeric(actions.at), [KINDS[kind] for kind in actions.kind.tolist()], known(documents),
            known(actions.position + 1, actions.position >= 0), numeric(actions.seconds), numeric(actions.value),
            strict=True,
        )  # fmt: skip

    def _shown(self, part: LogPart) -> Ints:
        """The number of the document at the position of each action."""
        actions = part.actions
        placed = actions.position >= 0
        codes = np.full(len(actions), -1)
        codes[placed] = part.document.codes[part.bounds[actions.impression[placed]] + actions.position[placed]]
        return self._numbers(Coded(codes, part.document.names), self.documents.of)

    def _query(self, part: LogPart, topics: Ints) -> Ints:
        """The number of each query; where the log has only a qid, of the topic's title."""
        found = self._numbers(part.query, self.queries.of)
        bare = np.flatnonzero(found < 0)
        if len(bare):
            numbers = sorted(set(topics[bare].tolist()))
            titles = self.store.rows(
                "SELECT id, coalesce(nullif(title, ''), qid) FROM topic WHERE id IN (SELECT value FROM json_each(?))",
                [json.dumps(numbers)],
            )
            of = dict(
                zip(
                    (number for number, _ in titles),
                    self.queries.of([text for _, text in titles]).tolist(),
                    strict=True,
                )
            )
            found[bare] = [of[number] for number in topics[bare].tolist()]
        return found

    def _query_numbers(self, texts: NDArray[np.object_]) -> Ints:
        found = self.store.row_numbers("query", "text", texts)
        new = [(text,) for text in texts[found < 0].tolist()]
        if new:
            self.store.conn.executemany("INSERT INTO query (text) VALUES (?)", new)
            found = self.store.row_numbers("query", "text", texts)
        return found

    def _topics(self, part: LogPart) -> tuple[Ints, list[BadLine]]:
        """The number of the topic of each line with a qid, and the lines whose qid the store does not know."""
        if not (part.qid.codes >= 0).any():
            return np.full(len(part), -1), []
        if not self.store.has("topic"):
            return self._numbers(part.qid, lambda names: self.store.taken("topic", np.array(names, object))), []
        found = self._numbers(part.qid, lambda names: np.array(self.store.numbers("topic", "qid", names), np.int64))
        lost = np.flatnonzero((found < 0) & (part.qid.codes >= 0)).tolist()
        return found, [
            BadLine(int(part.line[row]), "unknown topics", f"topic {part.qid.name(row)!r} is not in the store")
            for row in lost
        ]

    def _experiments(self, part: LogPart) -> Ints:
        """The number of the experiment of each line; new ones are added."""
        unnamed = [self.experiment] if self.arms or (part.experiment.codes < 0).any() else []
        for name in {*unnamed, *part.experiment.names}:
            if name not in experiments(self.store):
                given = part.arm.names if not self.arms or name != self.experiment else ()
                kind = "interleave" if (part.team >= 0).any() else "ab" if given or self.arms else "log"
                add_experiment(self.store, name, kind, self.arms if name == self.experiment else ())
        number = {name: each.number for name, each in experiments(self.store).items()}
        codes = np.array([*(number[name] for name in part.experiment.names), number.get(self.experiment, -1)], np.int64)
        return codes[part.experiment.codes]

    def _arms(self, part: LogPart, experiment: Ints) -> tuple[Ints, list[BadLine]]:
        """The number of the arm of each line, and the lines whose arm their experiment does not have."""
        self._add_arms(part, experiment)
        number = {
            (where, name): arm
            for arm, where, name in self.store.rows("SELECT id, experiment, name FROM arm ORDER BY id")
        }
        size = len(part.arm.names) + 1
        pairs, place = np.unique(experiment * size + part.arm.codes + 1, return_inverse=True)
        names = ["", *part.arm.names]
        found = np.array([number.get((pair // size, names[pair % size]), -1) for pair in pairs.tolist()], np.int64)[
            place
        ]
        lost = np.flatnonzero((found < 0) & (part.arm.codes >= 0)).tolist()
        of = {each.number: each.arms for each in experiments(self.store).values()}
        return found, [
            BadLine(int(part.line[row]), "unknown arms", _no_arm(part.arm.name(row), of[int(experiment[row])]))
            for row in lost
        ]

    def _teams(self, part: LogPart, experiment: Ints) -> list[BadLine]:
        """The lines with a team that is none of their experiment's arms."""
        arms = {each.number: len(each.arms) for each in experiments(self.store).values()}
        most = np.array([arms[number] for number in experiment.tolist()], np.int64)
        wrong = part.team >= most[part.impression]
        return [
            BadLine(int(part.line[row]), "unknown teams", f"more teams than arms; the experiment has {most[row]}")
            for row in occurring(part.impression[wrong]).tolist()
        ]

    def _add_arms(self, part: LogPart, experiment: Ints) -> None:
        """The arms of an experiment that is new with this import, as they come; or one for each team."""
        for each in experiments(self.store).values():
            here = experiment == each.number
            if each.name in self.before or (each.name == self.experiment and self.arms) or not here.any():
                continue
            if each.kind == "interleave":
                most = int(part.team[here[part.impression]].max(initial=-1)) + 1
                add_arms(self.store, each.name, [chr(ord("a") + team) for team in range(most)])
            else:
                codes, first = np.unique(part.arm.codes[here], return_index=True)
                add_arms(
                    self.store, each.name, [part.arm.names[code] for code in codes[np.argsort(first)] if code >= 0]
                )


def _no_arm(name: str, arms: Sequence[str]) -> str:
    return f"unknown arm {name!r}; the experiment has {', '.join(arms) or 'none'} (--arms adds others)"
