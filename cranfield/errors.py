"""What can go wrong, as a tree.

CranfieldError            the data is at fault; the command line prints one line and exits with 1
├── InputError            a file, with the line where there is one
├── StoreError            a store that is none, is of another version, or refuses a change
│   ├── DamageError       a row of a store that cannot be right
│   └── BusyError         another program is writing to it
└── MeasureError          a name that is no measure, or an option the measure does not have

>>> try:
...     raise InputError("5 columns where a run has 6", path="a.run", line=3)
... except CranfieldError as error:
...     print(error)
a.run:3: 5 columns where a run has 6
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath


class CranfieldError(Exception):
    r"""The root of all errors that are the data's fault. As text it is one line, in which nothing controls a terminal.

    >>> print(CranfieldError("run 'a\n\x1b[2Jb' is here already"))
    run 'a ␛[2Jb' is here already
    """

    def __str__(self) -> str:
        from cranfield.text import told

        return told(super().__str__())


class InputError(CranfieldError):
    """An input that cannot be used: what was found, what would be right, and where."""

    def __init__(self, message: str, path: str | PathLike[str] | None = None, line: int | None = None) -> None:
        where = [str(part) for part in (fspath(path) if path is not None else None, line) if part is not None]
        super().__init__(": ".join([":".join(where), message] if where else [message]))
        self.message, self.path, self.line = message, path, line


class StoreError(CranfieldError):
    """A store that cannot be opened, or that refuses a change."""


class DamageError(StoreError):
    """A row of a store that cannot be right: its table, which row it is, and what is wrong with it.

    >>> str(DamageError("run", 3, "metadata is no JSON object"))
    'table run, row 3: metadata is no JSON object'
    """

    def __init__(self, table: str, row: object, wrong: str) -> None:
        key = tuple(row) if isinstance(row, list | tuple) else (row,)
        super().__init__(f"table {table}, row {key[0] if len(key) == 1 else key}: {wrong}")


class BusyError(StoreError):
    """A store to which another program has been writing for longer than one waits."""


class MeasureError(CranfieldError):
    """A name that is no measure."""


@contextmanager
def blaming(path: str | PathLike[str]) -> Iterator[None]:
    """Name a file in the errors of a block that do not name one yet."""
    try:
        yield
    except InputError as error:
        raise (InputError(error.message, path) if error.path is None else error) from error
