"""Importing an interaction log: what was read, what was refused and why."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike

import numpy as np

from cranfield.errors import InputError
from cranfield.formats.logs.parts import BadLine
from cranfield.parallel import made_beside
from cranfield.store.history import importing
from cranfield.store.online.append import LogWriter, numbers_looked_up
from cranfield.store.online.read import LoggedQuery, unmatched_queries
from cranfield.store.online.users import Bot, HashedLines, bots, clock_back, delete_numbered, drop_users, hashed_logs
from cranfield.store.store import Store
from cranfield.text import counted

MAX_SEARCHES = 500  # on a day, of a person
LARGE = 1 << 25  # bytes of files that are read beside the rest
MOST = 20  # lines that are reported one by one
Path = str | PathLike[str]


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
        """Take up lines that cannot be used."""
        self.bad.update(each.kind for each in bad)
        for each in bad[: max(MOST - len(self.first), 0)]:
            self.first.append(str(InputError(each.message, path, each.line)))


def import_log(
    store: Store,
    files: Sequence[Path],
    format: str = "auto",
    names: Mapping[str, str] | None = None,
    experiment: str = "log",
    arms: Sequence[str] = (),
    skip: bool = False,
    max_searches: int = MAX_SEARCHES,
    drop_bots: bool = False,
    beside: bool = False,
    salt: Path | None = None,
) -> LogImport:
    """Append the logs to the store, all of them or nothing.

    Lines that cannot be used are refused, or with `skip` left out. Users with more than `max_searches` on a day are
    listed, and with `drop_bots` left out. `salt` is the file with the salt of users, if that is to be kept outside the
    store. Large files may be read `beside` this process, by another one.
    """
    done = LogImport()
    with numbers_looked_up(store), importing(store, "log", files) as number:
        writer = LogWriter(store, experiment, arms, salt)
        for each in _read(writer.salt, files, format, names, beside):
            done.note(each.lines.path, sorted([*each.lines.bad, *writer.write(each)]))
            done.notes += each.lines.notes
        for path, bad in writer.finish():
            done.note(path, [bad])
        _look_back(store, writer, done, max_searches)
        writer.visits.drop()
        if done.bad and not skip:
            raise refusal(done)
        done.dropped = drop_users(store, number, [bot.user for bot in done.bots]) if drop_bots else 0
        done.impressions, done.actions = writer.written(number)
        done.repeated = writer.repeated
        done.unmatched = unmatched_queries(store, number) if store.has("topic") else []
    return done


def _read(
    salt: bytes, files: Sequence[Path], format: str, names: Mapping[str, str] | None, beside: bool
) -> Iterator[HashedLines]:
    """The lines of the files, read by another process if that is wanted and saves time."""
    if beside and all(map(os.path.isfile, files)) and sum(map(os.path.getsize, files)) > LARGE:
        return made_beside(hashed_logs, salt, files, format, names)
    return hashed_logs(salt, files, format, names)


def _look_back(store: Store, writer: LogWriter, done: LogImport, max_searches: int) -> None:
    """Find clocks that went back, whose lists are deleted, and users who look like bots."""
    back = clock_back(writer.visits)
    for late, seconds in back:
        path, line = writer.place(late)
        message = f"{seconds:g} s before the list above it of the same session"
        done.note(path, [BadLine(line, "clocks that go back", message)])
    delete_numbered(store, np.array([late for late, _ in back], np.int64))
    done.bots = bots(writer.visits, max_searches)


def refusal(done: LogImport) -> InputError:
    """The error about the lines that cannot be used: the first of them, and how many there are of which kind."""
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in done.bad.most_common())
    lines = counted(sum(done.bad.values()), "bad line")
    return InputError(f"{done.first[0]} ({lines}{f': {kinds}' * (len(done.bad) > 1)}; --skip leaves them out)")
