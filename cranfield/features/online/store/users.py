"""Users by salted hashes; what only shows once all lists of an import are there; taking lists back; erasing a user.

Lists can be taken back once their removal is logged. Erased are ids, and the queries that nobody else typed.
"""

import json
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from secrets import token_bytes
from typing import Annotated, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError, Path
from cranfield.features.online.formats.parts import CodedNames
from cranfield.features.online.formats.reading import LogLines, read_logs
from cranfield.formats.files import read_text
from cranfield.formats.whole_files import write_text
from cranfield.hooks import Added, options_given
from cranfield.store.erasing import LISTED_CONDITION, Redaction, Way
from cranfield.store.history import Import
from cranfield.store.removal import Removal
from cranfield.store.store import Store
from cranfield.text import counted


def take_lists(store: Store, one: Import, reason: str) -> Removal:
    """How many lists an import has; they go once that is logged."""
    lists = store.rows("SELECT count(*) FROM impression WHERE import = ?", [one.number])[0][0]
    return Removal({"lists": lists}, f"{counted(lists, 'list')} removed")


def delete_import(store: Store, one: Import) -> Ints:
    """Delete the lists of an import; the documents that they showed."""
    documents = shown_documents(store, "import = ?", [one.number])
    return documents if delete_lists(store, "import = ?", [one.number]) else documents[:0]


def documents_in_lists(store: Store, documents: Ints) -> Ints:
    """The documents that any list showed."""
    return shown_documents(store)


def delete_lists(store: Store, where: str, values: Sequence[object]) -> int:
    """Delete lists with their actions; how many. The store allows it once their removal is logged."""
    ours = f"SELECT id FROM impression WHERE {where}"
    for table in ("attribute", "action"):
        store.conn.execute(f"DELETE FROM {table} WHERE impression IN ({ours})", values)
    return int(store.conn.execute(f"DELETE FROM impression WHERE {where}", values).rowcount)


def delete_numbered(store: Store, numbers: Ints) -> int:
    """Delete the lists of these numbers, of an import that is under way; how many."""
    return delete_lists(store, "id IN (SELECT value FROM json_each(?))", [json.dumps(numbers.tolist())])


def shown_documents(store: Store, where: str = "true", values: Sequence[object] = ()) -> Ints:
    """The numbers of the documents that lists showed, each once."""
    mask = np.zeros(store.last_row_number("document") + 1, bool)
    for (documents,) in store.conn.execute(f"SELECT documents FROM impression WHERE {where}", values):
        mask[np.frombuffer(documents, "<i4")] = True
    return np.flatnonzero(mask)


class HashedLines(NamedTuple):
    """Some lines of a log whose users and sessions have only numbers, and the hash of each of these."""

    lines: LogLines
    users: Ints
    sessions: Ints


SALT = 16  # bytes; a store has a hash, of 32 bytes, of a salt that is kept outside it


def salt_of(store: Store, file: Path | None = None) -> bytes:
    """The salt of a store, which gets one when it is first asked for; or of a file outside it.

    The salt of a file that does not exist is new; `keep_salt_file` makes the file.
    """
    salts = [bytes(salt) for (salt,) in store.rows("SELECT salt FROM user_salt")]
    if file is None:
        if salts and len(salts[0]) != SALT:
            raise InputError("this store hashes users with a salt from a file; give the file with --salt")
        return salts[0] if salts else _keep(store, token_bytes(SALT))
    if salts and len(salts[0]) == SALT:
        raise InputError("this store already hashes users with its own salt; leave --salt out", file)
    is_new = not salts and not os.path.exists(file)
    if is_new and not pathlib.Path(file).absolute().parent.is_dir():
        raise InputError(f"no such folder: {pathlib.Path(file).parent}", file)
    salt = token_bytes(SALT) if is_new else salt_in(file)
    if (salts or [_keep(store, sha256(salt).digest())])[0] != sha256(salt).digest():
        raise InputError(
            "this salt differs from the salt that hashes the users of this store; give the right file", file
        )
    return salt


def keep_salt_file(file: Path | None, salt: bytes) -> None:
    """Make the file of a new salt, once nothing else of an import can fail."""
    if file is not None and not os.path.exists(file):
        write_text(file, salt.hex() + "\n")


def salt_in(file: Path) -> bytes:
    """The salt that a file has."""
    text = read_text(file).strip()
    try:
        salt = bytes.fromhex(text)
    except ValueError:
        salt = b""
    if len(salt) != SALT:
        raise InputError(f"not a salt: {text!r:.60}; expected {2 * SALT} hexadecimal digits", file)
    return salt


def _keep(store: Store, salt: bytes) -> bytes:
    with store.writing():
        store.conn.execute("INSERT OR IGNORE INTO user_salt VALUES (1, ?)", [salt])
    return bytes(store.rows("SELECT salt FROM user_salt")[0][0])


def hash_names(names: Sequence[str], salt: bytes) -> Ints:
    """A number of 64 bits for each name.

    >>> hash_names(["ann", "bob", "ann"], b"salt").tolist()
    [-1643539543653662056, -801672596054861510, -1643539543653662056]
    """
    digests = [blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, key=salt).digest() for name in names]
    return np.frombuffer(b"".join(digests), "<i8").astype(np.int64)


def hashed_logs(
    salt: bytes, files: Sequence[Path], format: str, names: Mapping[str, str] | None, attributes: Sequence[str] = ()
) -> Iterator[HashedLines]:
    """The lines of the files, many at a time."""
    return (hashed_lines(lines, salt) for lines in read_logs(files, format, names, attributes))


def hashed_lines(lines: LogLines, salt: bytes) -> HashedLines:
    """The lines without the names of their users and sessions."""
    user, session = lines.part.user, lines.part.session
    part = replace(lines.part, user=CodedNames(user.codes, ()), session=CodedNames(session.codes, ()))
    return HashedLines(lines._replace(part=part), hash_names(user.names, salt), hash_names(session.names, salt))


DAY = 86400  # seconds
PARTS = 4  # of the sessions, looked at one after the other: in memory they are many


class Bot(NamedTuple):
    """A user who searched more on a day than people do: by the hash, how often, and when it was most."""

    user: int
    searches: int
    day: str


VISIT = np.dtype([("number", np.int64), ("at", float), ("user", np.int64), ("session", np.int64)])
NONE = np.zeros(0, VISIT)
Visits = Iterable[NDArray[np.void]]  # lists by number, their times, users and sessions, 0 for an unknown one; in pieces


class KeptVisits:
    """The visits of an import that is under way, on disk: of many lists they are many."""

    def __init__(self, store: Store) -> None:
        self.conn, self.gone = store.conn, np.zeros(0, np.int64)
        self.drop()
        self.conn.execute("CREATE TEMP TABLE visits (piece BLOB)")

    def append(self, visits: NDArray[np.void]) -> None:
        """Keep some more."""
        self.conn.execute("INSERT INTO temp.visits VALUES (?)", [visits.tobytes()])

    def __iter__(self) -> Iterator[NDArray[np.void]]:
        for (piece,) in self.conn.execute("SELECT piece FROM temp.visits ORDER BY rowid"):
            visits = np.frombuffer(piece, VISIT)
            yield visits[~np.isin(visits["number"], self.gone)] if len(self.gone) else visits

    def drop(self) -> None:
        """Keep none."""
        self.conn.execute("DROP TABLE IF EXISTS temp.visits")


def clock_back(visits: Visits) -> list[tuple[int, float]]:
    """The lists that come after a later one of their session, by number, and how many seconds too late.

    >>> clock_back([np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 6.5, 1, 1)], VISIT)])
    [(3, 0.5)]
    """
    late: list[tuple[int, float]] = []
    for part in _parts(visits, "session"):
        sorted_visits = part[np.argsort(part["session"], kind="stable")]
        session, at = sorted_visits["session"], sorted_visits["at"]
        back = np.flatnonzero((session[1:] == session[:-1]) & (at[1:] < at[:-1])) + 1
        late += zip(sorted_visits["number"][back].tolist(), (at[back - 1] - at[back]).tolist(), strict=True)
    return sorted(late)


def _parts(visits: Visits, whose: str) -> Iterator[NDArray[np.void]]:
    """The visits with a known user or session, those of the same one together."""
    for part in range(PARTS):
        yield np.concatenate([each[(each[whose] % PARTS == part) & (each[whose] != 0)] for each in (NONE, *visits)])


def bots(visits: Visits, most: int) -> list[Bot]:
    """The users with more searches on a day than `most`, the busiest first.

    >>> bots([np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 90000.0, 1, 1)], VISIT)], 1)
    [Bot(user=1, searches=2, day='1970-01-01')]
    """
    busiest = (bot for part in _parts(visits, "user") for bot in _bots(part, most))
    return sorted(busiest, key=lambda bot: (-bot.searches, bot.user))


def _bots(visits: NDArray[np.void], most: int) -> Iterator[Bot]:
    sorted_visits = np.sort(visits["user"])
    few = visits[
        np.isin(visits["user"], np.unique(sorted_visits[most:][sorted_visits[most:] == sorted_visits[:-most]]))
    ]
    days, searches = np.unique(
        np.column_stack([few["user"], (few["at"] // DAY).astype(np.int64)]), axis=0, return_counts=True
    )
    busiest: dict[int, Bot] = {}
    for (user, day), number in zip(days[searches > most].tolist(), searches[searches > most].tolist(), strict=True):
        if user not in busiest or busiest[user].searches < number:
            busiest[user] = Bot(user, number, datetime.fromtimestamp(day * DAY, UTC).date().isoformat())
    yield from busiest.values()


def drop_users(store: Store, number: int, users: Sequence[int]) -> int:
    """Delete the lists of these users from an import that is under way; how many."""
    where = f"import = ? AND user IN ({', '.join('?' * len(users))})"
    return delete_lists(store, where, [number, *users]) if users else 0


class EraseOptions(NamedTuple):
    """The salt of users."""

    salt: Annotated[
        pathlib.Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="File with the salt that hashes users, if it is outside the store.",
        ),
    ] = None


def erase_user(store: Store, name: str, instead: str, added: Added) -> Way:
    """What is erased of a user, by the salt that is given or that is in the store."""
    file = options_given(EraseOptions, added).salt
    salts = [salt_in(file)] if file else [bytes(one) for (one,) in store.rows("SELECT salt FROM user_salt")]
    numbers = hash_names([name], salts[0]).tolist() if salts else []
    lists = [
        number
        for (number,) in store.rows(f"SELECT id FROM impression WHERE user {LISTED_CONDITION}", [json.dumps(numbers)])
    ]
    if not lists:
        raise InputError(f"no user {name!r} in the interaction logs of this store, which stores only hashed ids")
    numbers_wanted = json.dumps(lists)
    queries = store.rows(
        f"SELECT DISTINCT query FROM impression WHERE id {LISTED_CONDITION} EXCEPT"
        f" SELECT query FROM impression WHERE id NOT {LISTED_CONDITION}",
        [numbers_wanted, numbers_wanted],
    )

    def apply(rows: Sequence[Redaction]) -> None:
        store.conn.execute(f"DELETE FROM attribute WHERE impression {LISTED_CONDITION}", [numbers_wanted])
        store.conn.execute(
            f"UPDATE impression SET user = NULL, session = NULL, name = 'erased ' || id WHERE id {LISTED_CONDITION}",
            [numbers_wanted],
        )
        own = json.dumps([number for (number,) in queries])
        store.conn.execute(f"UPDATE query SET text = 'erased ' || id WHERE id {LISTED_CONDITION}", [own])

    redactions = [*(Redaction("impression", str(number)) for number in lists)]
    return [*redactions, *(Redaction("query", str(number)) for (number,) in queries)], apply
