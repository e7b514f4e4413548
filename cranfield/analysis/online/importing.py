"""Importing an interaction log: what was read, what was refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike

from cranfield.errors import InputError
from cranfield.formats.logs.part import BadLine
from cranfield.formats.logs.reading import read_log
from cranfield.store.history import importing
from cranfield.store.online.append import LogWriter
from cranfield.store.store import Store
from cranfield.text import counted

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
) -> LogImport:
    """Append the logs to the store, all of them or nothing; lines that cannot be used are refused, or with `skip` left
    out.
    """
    done = LogImport()
    with importing(store, "log", files) as number:
        writer = LogWriter(store, experiment, arms)
        for file in files:
            for path, part, bad in read_log(file, format, names):
                done.note(path, sorted([*bad, *writer.write(part)]))
        if done.bad and not skip:
            raise refusal(done)
        done.impressions, done.actions = writer.written(number)
        done.repeated = writer.repeated
    return done


def refusal(done: LogImport) -> InputError:
    """The error about the lines that cannot be used: the first of them, and how many there are of which kind."""
    kinds = ", ".join(f"{number:,} with {kind}" for kind, number in done.bad.most_common())
    lines = counted(sum(done.bad.values()), "bad line")
    return InputError(f"{done.first[0]} ({lines}: {kinds}; --skip leaves them out)")
