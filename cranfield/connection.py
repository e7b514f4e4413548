"""An SQLite file while it is open: queries, and transactions in which nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cranfield.errors import StoreError

if TYPE_CHECKING:
    from sqlite_utils import Database

PATIENCE = 60  # seconds to wait for somebody else's transaction


class Connection:
    """An open file. Use it as a context manager, or close it."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path
        self.conn = sqlite3.connect(path)

    @cached_property
    def db(self) -> Database:
        """The same connection as sqlite-utils has it; whoever only reads need not wait until that is imported."""
        from sqlite_utils import Database

        return Database(self.conn)

    def settle(self) -> None:
        """Set what holds while the file is open."""
        patience = f"busy_timeout = {PATIENCE * 1000}"
        for setting in ("foreign_keys = ON", "recursive_triggers = ON", "synchronous = FULL", patience):
            self.conn.execute(f"PRAGMA {setting}")

    def rows(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self.conn.execute(sql, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction that may write from its start; one inside another is part of it.

        Whoever begins by reading and then writes is refused at once when somebody else has written in between. Here
        everybody waits for her turn at the start, where there is nothing to lose.
        """
        if self.conn.in_transaction:
            with self.db.atomic():
                yield
            return
        self._wait_for_turn()
        try:
            yield
            self.conn.execute("COMMIT")
        except BaseException:
            self.conn.rollback()
            raise

    def _wait_for_turn(self) -> None:
        try:
            self.conn.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            long = f"another program has been writing to this store for {PATIENCE} seconds; nothing was lost"
            raise StoreError(f"{long}, try again when it is done") from error

    @contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """Close the file if what is done in it fails."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.conn.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
