"""Users and sessions by salted hashes: the salt is in the store or in a file outside it, their own ids are not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b, sha256
from secrets import token_bytes
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError
from cranfield.formats.files import Path, read_text
from cranfield.formats.logs.parts import Coded
from cranfield.formats.logs.reading import Lines, read_logs
from cranfield.formats.whole_files import write_text
from cranfield.store.store import Store


class HashedLines(NamedTuple):
    """Some lines of a log whose users and sessions have only numbers, and the hash of each of these."""

    lines: Lines
    users: Ints
    sessions: Ints


SALT = 16  # bytes; a store has a hash, of 32 bytes, of a salt that is kept outside it


def salt_of(store: Store, file: Path | None = None) -> bytes:
    """The salt of a store, which gets one when it is first asked for; or of a file outside it, which is made then."""
    known = [bytes(salt) for (salt,) in store.rows("SELECT salt FROM user_salt")]
    if file is None:
        if known and len(known[0]) != SALT:
            raise InputError("the users of this store are hashed with a salt outside it; give its file with --salt")
        return known[0] if known else _keep(store, token_bytes(SALT))
    if known and len(known[0]) == SALT:
        raise InputError("the users of this store are hashed with a salt in it already", file)
    if not known and not os.path.exists(file):
        write_text(file, token_bytes(SALT).hex() + "\n")
    salt = salt_in(file)
    if (known or [_keep(store, sha256(salt).digest())])[0] != sha256(salt).digest():
        raise InputError("not the salt that the users of this store are hashed with", file)
    return salt


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
