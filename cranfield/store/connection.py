"""An SQLite file while it is open: queries, and transactions in which nothing is lost."""

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from glob import escape
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self

from cranfield.errors import BusyError, DamageError, StoreError
from cranfield.formats.whole_files import temporary_folder_in
from cranfield.parallel import Tell, current_thread_number, ignore_note

if TYPE_CHECKING:
    from sqlite_utils import Database

DatabaseError = sqlite3.Error  # whatever SQLite refuses
PATIENCE = 60  # seconds to wait for somebody else's transaction
COPY_PREFIX = "cranfield-"  # of folders with copies of stores
UNREADABLE_IN_PLACE = ("SQLITE_IOERR", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")
REPORTED_AFTER = 1.0  # seconds after which waiting is reported
UNFINISHED_READ = (
    "another program wrote to this store during a loop over it, and the loop still reads the earlier state; finish or"
    " close the loop before you write"
)
TRY = 0.1  # seconds of one attempt; between two of them Ctrl-C is obeyed


class StoreGoneError(StoreError):
    """A store whose file was moved, replaced or deleted while it was open."""


class Connection:
    """An open file. Use it as a context manager, or close it.

    `patience` is how many seconds a transaction waits for somebody else's before a BusyError; 0 is not at all.
    `tell` is called with what its users should know: that another program is writing, or that only a copy is read.
    """

    connection_class: type[sqlite3.Connection] = sqlite3.Connection

    def __init__(self, path: str | PathLike[str], tell: Tell = ignore_note) -> None:
        self.path, self.tell, self.patience = path, tell, float(PATIENCE)
        self._copy: TemporaryDirectory[str] | None = None
        self._is_immutable = False
        if writable(path):
            self._connect(path)
        else:
            self._connect_read_only("the file or its folder is write-protected")
        self._file = file_identity(path)

    def _connect_read_only(self, reason: str) -> None:
        """Open a copy in the temporary folder, or the file itself without locks where a copy has no room."""
        log = Path(f"{self.path}-wal")
        try:
            self._copy = copy = copy_to_temporary_folder(self.path)
            self._connect(Path(copy.name, Path(self.path).name))
            way = "this program reads a copy of it"
        except OSError as error:
            if log.is_file() and log.stat().st_size:
                raise StoreError(
                    f"{self.path}: {reason}, and the temporary folder has no space for a copy ({error.strerror}); "
                    "set TMPDIR to another folder"
                ) from error
            self._is_immutable = True
            self._connect(f"{Path(self.path).absolute().as_uri()}?immutable=1", is_uri=True)
            way = "this program reads it without locks; do not change it while this program runs"
        self.tell(f"{self.path}: {reason}; {way}")

    def reopen_read_only(self, error: sqlite3.Error) -> bool:
        """Open the file read-only after an error from missing locks, space or rights. Returns whether it did so."""
        name = getattr(error, "sqlite_errorname", "")
        if self._copy is not None or self._is_immutable or not name.startswith(UNREADABLE_IN_PLACE):
            return False
        self._conn.close()
        self._connect_read_only(f"it cannot be opened for writing ({error})")
        return True

    def _connect(self, path: str | PathLike[str], is_uri: bool = False) -> None:
        self._thread, self._conn = (
            current_thread_number(),
            sqlite3.connect(path, uri=is_uri, factory=self.connection_class),
        )

    @contextmanager
    def telling(self, tell: Tell) -> Iterator[None]:
        """Call another function meanwhile with what users of the store should know."""
        before, self.tell = self.tell, tell
        try:
            yield
        finally:
            self.tell = before

    @property
    def conn(self) -> sqlite3.Connection:
        """SQLite's connection; an error if it is closed, and in any thread but the one that opened it."""
        self._check_thread()
        try:
            self._conn.total_changes  # noqa: B018 - a closed connection refuses
        except sqlite3.ProgrammingError as error:
            path = os.fspath(self.path)
            remedy = "" if path == ":memory:" else f"; open it again with Store.open({path!r})"
            raise StoreError(f"{path}: this store is closed{remedy}") from error
        return self._conn

    def _check_thread(self) -> None:
        if not self.is_of_this_thread:
            path = os.fspath(self.path)
            here = (
                "create it in a file" if path == ":memory:" else f"open it again in this thread: Store.open({path!r})"
            )
            raise StoreError(f"{path}: this store was opened in another thread; {here}")

    def check_open(self) -> None:
        """Raise StoreError if the store is closed."""
        self.conn  # noqa: B018

    @property
    def is_of_this_thread(self) -> bool:
        """Whether this thread opened it."""
        return current_thread_number() == self._thread

    @property
    def db(self) -> "Database":
        """The same connection as sqlite-utils has it; reading alone does not import that."""
        self.conn  # noqa: B018 - of this thread
        return self._database

    @cached_property
    def _database(self) -> "Database":
        from sqlite_utils import Database

        return Database(self._conn)

    def _share(self, other: "Connection") -> None:
        """Be another handle of an open connection."""
        self.path, self.tell, self.patience, self._file = other.path, other.tell, other.patience, other._file
        self._copy, self._is_immutable = other._copy, other._is_immutable
        self._thread, self._conn = other._thread, other._conn

    def __reduce__(self) -> NoReturn:
        path = os.fspath(self.path)
        there = (
            "create it in a file"
            if path == ":memory:"
            else f"pass its path, and open it there with Store.open({path!r})"
        )
        raise StoreError(f"{path}: an open store cannot be pickled or copied; {there}")

    def set_pragmas(self) -> None:
        """Set what holds while the file is open. From here on no other program can have it to itself."""
        self._retry_while_locked(self._set_pragmas)

    def _set_pragmas(self) -> None:
        # Keep SQL from rewriting the schema and the tables of the full-text index directly; needs Python 3.12.
        if hasattr(self.conn, "setconfig"):
            self.conn.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined,unused-ignore]
        for setting in ("foreign_keys = ON", "recursive_triggers = ON", "synchronous = FULL"):
            self.conn.execute(f"PRAGMA {setting}")
        self.rows("SELECT count(*) FROM sqlite_master")

    def _wait_at_most(self, seconds: float) -> None:
        self.conn.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")

    def rows(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self.conn.execute(sql, values).fetchall()

    def has_rows(self, table: str) -> bool:
        """Whether the file has a table of this name, such as one of an extension, with a row."""
        is_there = self.rows("SELECT 1 FROM pragma_table_info(?, 'main') LIMIT 1", [table])
        return bool(is_there and self.rows(f"SELECT 1 FROM {table} LIMIT 1"))

    @property
    def version(self) -> tuple[int, int]:
        """Two numbers that are other ones after any change of the file, whoever made it."""
        return self.rows("PRAGMA data_version")[0][0], self.conn.total_changes

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction that may write from its start; one inside another is part of it.

        Whoever begins by reading and then writes is refused at once when somebody else has written in between. Here
        everybody waits for her turn at the start, where there is nothing to lose.
        """
        if self.conn.in_transaction:
            with self._savepoint():
                yield
            return
        self._check_there()
        with self.write_transaction_after_waiting():
            finish = self.begin_transaction()
            yield
            finish()
        self._check_there()
        # Move what was committed into the one file, so that a copy of it is complete; a failure here loses nothing.
        try:
            self.rows("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.OperationalError as error:
            log = f"{self.path}-wal"
            self.tell(
                f"all data are stored, but the latest part is still in {log}, so also copy that file ({error}); check"
                " the space on the disk"
            )

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """Read the file as it is at this moment, whatever others write meanwhile; nothing can be written."""
        self.conn.execute("BEGIN")
        try:
            self.rows("SELECT count(*) FROM sqlite_master")  # the first query fixes the moment
            yield
        finally:
            self.conn.rollback()

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """A part of a transaction, undone by itself. It imports nothing: everybody else waits meanwhile."""
        self.conn.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self.conn.in_transaction:
                self.conn.execute("ROLLBACK TO part")
                self.conn.execute("RELEASE part")
            raise
        self.conn.execute("RELEASE part")

    def begin_transaction(self) -> Callable[[], None]:
        """What is done at the beginning of a transaction; it gives what is done at the end of it."""
        return lambda: None

    @contextmanager
    def write_transaction_after_waiting(self) -> Iterator[None]:
        """A transaction of one's own, once nobody else writes."""
        self._retry_while_locked(lambda: self.conn.execute("BEGIN IMMEDIATE"))
        try:
            yield
            self.conn.execute("COMMIT")
        except BaseException:
            self.conn.rollback()
            raise

    def _check_there(self) -> None:
        """Refuse to write where nothing would be kept."""
        if self._copy is not None or self._is_immutable:
            raise StoreError(
                f"{self.path}: this store is read-only, because it is write-protected or the disk has no space or no "
                "locks"
            )
        if file_identity(self.path) != self._file:
            what = "replaced" if os.path.exists(self.path) else "deleted"
            raise StoreGoneError(
                f"{self.path}: the store was {what} while it was open; your last action is not recorded"
            )

    def _retry_while_locked(self, act: Callable[[], object]) -> None:
        """Do something as soon as no other program keeps one from it; after a moment the wait is reported."""
        began, has_told = time.monotonic(), False
        while not self._try_briefly(act):
            seconds = time.monotonic() - began
            if seconds >= REPORTED_AFTER and self.patience and not has_told:
                self.tell(f"another program is writing to {self.path}; waiting up to {self.patience:g} seconds")
                has_told = True
            if seconds >= self.patience:
                long = f" for {self.patience:g} seconds" * bool(self.patience)
                raise BusyError(
                    f"another program has been writing to this store{long}; nothing was lost; try again when it has"
                    " finished"
                )

    def _try_briefly(self, act: Callable[[], object]) -> bool:
        """Whether something could be done; it is tried for a moment."""
        self._wait_at_most(min(TRY, self.patience))
        try:
            act()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY_SNAPSHOT:
                raise StoreError(f"{self.path}: {UNFINISHED_READ}") from error
            return False
        finally:
            self._wait_at_most(PATIENCE)
        return True

    @contextmanager
    def close_on_error(self) -> Iterator[None]:
        """Close the file if what is done in it fails."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._check_thread()
        self._conn.close()
        if self._copy is not None:
            self._copy.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file. An error caused by damage is reported as such, with the name of the file."""
        try:
            if error is not None:
                self._raise_damage(error)
        finally:
            self.close()

    @contextmanager
    def reporting_damage(self) -> Iterator[None]:
        """Report an error caused by damage as such, with the name of the file, which stays open."""
        try:
            yield
        except BaseException as error:
            self._raise_damage(error)
            raise

    def _raise_damage(self, error: BaseException) -> None:
        if wrong := self.find_damage(error):
            raise StoreError(f"{self.path}: {wrong}") from error

    def find_damage(self, error: BaseException) -> str | None:
        """The damage that caused an error; None if it has another cause."""
        return str(error) if isinstance(error, DamageError) else None


def writable(path: str | PathLike[str]) -> bool:
    """Whether a file, and beside it SQLite's own files, can be written; so can what is not there yet.

    >>> writable(":memory:")
    True
    """
    here = Path(path).absolute()
    return not here.exists() or (os.access(here, os.W_OK) and os.access(here.parent, os.W_OK))


def is_private(path: str | PathLike[str]) -> bool:
    """Whether nobody but the owner of a file can read it.

    >>> is_private("not there")
    False
    """
    return Path(path).exists() and not os.stat(path).st_mode & (stat.S_IRGRP | stat.S_IROTH)


def readable_store_notes(path: str | PathLike[str]) -> list[str]:
    """What to know of a store that holds links, where others can read it; nothing where they cannot."""
    remedy = f"restrict it to yourself with `chmod 600 {path}`, or create a store with `init --private`"
    return [] if is_private(path) else [f"other users of this machine can read {path}, with its labels; {remedy}"]


def copy_to_temporary_folder(path: str | PathLike[str]) -> TemporaryDirectory[str]:
    """A folder with a copy of a database that cannot be written, what was committed last included."""
    folder = TemporaryDirectory(prefix=f"{COPY_PREFIX}{os.getpid()}-")
    try:
        for part in (Path(path), Path(f"{path}-wal")):
            if part.exists():
                shutil.copyfile(part, Path(folder.name, part.name))
    except BaseException:
        folder.cleanup()
        raise
    return folder


def abandoned_copies(path: str | PathLike[str]) -> list[Path]:
    """Return the copies of a store that programs left in the temporary folder when they were killed."""
    found = []
    for copy in Path(gettempdir()).glob(f"{COPY_PREFIX}*/{escape(Path(path).name)}"):
        number = copy.parent.name.removeprefix(COPY_PREFIX).partition("-")[0]
        if number.isdecimal() and not _is_running(int(number)):
            found.append(copy)
    return sorted(found)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def file_identity(path: str | PathLike[str]) -> tuple[int, int] | None:
    """Which file a path leads to; None where it leads to none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def atomic_path(path: str | PathLike[str], private: bool = False) -> Iterator[Path]:
    """Where to make a new database: it is at `path` once it was made and closed, and nowhere if that failed.

    Who may read it follows the umask; with `private` its owner alone may, also what SQLite keeps beside it.

    >>> with TemporaryDirectory() as folder:
    ...     with atomic_path(Path(folder, "a.db")) as part:
    ...         made = part.write_text("made")
    ...     print([file.name for file in Path(folder).iterdir()])
    ['a.db']
    """
    target = Path(path)
    if target.name in (":memory:", "-"):
        raise StoreError(f"{path}: a store is a file; give it a file name such as track.db")
    if target.exists():
        raise StoreError(f"{path}: already exists; a new store needs a new file")
    if not target.absolute().parent.is_dir():
        raise StoreError(f"{path}: no such folder: {target.absolute().parent}")
    with temporary_folder_in(target.absolute().parent) as folder:
        part = folder / target.name
        yield part
        if private:
            part.chmod(0o600)
        try:
            os.link(part, target)
        except FileExistsError:
            raise StoreError(f"{path}: already exists; another program has just created it") from None
        except OSError:  # a file system without links
            os.rename(part, target)
