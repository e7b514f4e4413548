"""Users and sessions by salted hashes: the salt is in the store, their own ids are not."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from secrets import token_bytes

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.store.store import Store


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
