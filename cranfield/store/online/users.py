"""Users and sessions by salted hashes: the salt is in the store, their own ids are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from secrets import token_bytes
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.formats.files import Path
from cranfield.formats.logs.part import Coded
from cranfield.formats.logs.reading import Lines, read_logs
from cranfield.store.store import Store


class HashedLines(NamedTuple):
    """Some lines of a log whose users and sessions have only numbers, and the hash of each of these."""

    lines: Lines
    users: Ints
    sessions: Ints


def salt_of(store: Store) -> bytes:
    """The salt of a store, which gets one when it is first asked for."""
    with store.writing():
        store.conn.execute("INSERT OR IGNORE INTO user_salt VALUES (1, ?)", [token_bytes(16)])
    return bytes(store.rows("SELECT salt FROM user_salt")[0][0])


def hashed(names: Sequence[str], salt: bytes) -> Ints:
    """A number of 64 bits for each name.

    >>> hashed(["ann", "bob", "ann"], b"salt").tolist()
    [-1643539543653662056, -801672596054861510, -1643539543653662056]
    """
    digests = [blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, key=salt).digest() for name in names]
    return np.frombuffer(b"".join(digests), "<i8").astype(np.int64)


def hashed_logs(
    salt: bytes, files: Sequence[Path], format: str, names: Mapping[str, str] | None
) -> Iterator[HashedLines]:
    """The lines of the files, many at a time."""
    return (hashed_lines(lines, salt) for lines in read_logs(files, format, names))


def hashed_lines(lines: Lines, salt: bytes) -> HashedLines:
    """The lines without the names of their users and sessions."""
    user, session = lines.part.user, lines.part.session
    part = replace(lines.part, user=Coded(user.codes, ()), session=Coded(session.codes, ()))
    return HashedLines(lines._replace(part=part), hashed(user.names, salt), hashed(session.names, salt))
