"""The pictures of a store, by their SHA-256."""

import re
from collections.abc import Iterable
from functools import partial
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import StoreError
from cranfield.features.documents.pictures import KeptPicture
from cranfield.store.history import Import
from cranfield.store.store import Store

DIGEST = re.compile(r'"([0-9a-f]{64})"')


def keep_pictures(store: Store, pictures: Iterable[KeptPicture]) -> None:
    """Keep pictures, of which those that are there stay as they are."""
    rows = [(store.importing, *one) for one in pictures]
    store.conn.executemany("INSERT OR IGNORE INTO picture (import, sha256, type, data) VALUES (?, ?, ?, ?)", rows)


def picture_of(store: Store, digest: str) -> KeptPicture | None:
    """A picture, if the store has it."""
    found = store.rows("SELECT sha256, type, data FROM picture WHERE sha256 = ?", [digest])
    return KeptPicture(*found[0]) if found else None


def take_along(store: Store, other: Store) -> None:
    """Keep the pictures that documents of another store show in that, too."""
    shown = store.rows("SELECT sha256 FROM picture ORDER BY id")
    wanted = {digest for (digest,) in shown} & _named(other) if shown else set()
    keep_pictures(other, (one for one in map(partial(picture_of, store), sorted(wanted)) if one))


def _named(store: Store) -> set[str]:
    """The hashes among the metadata of documents."""
    rows = store.conn.execute("SELECT metadata FROM document WHERE metadata IS NOT NULL")
    return {digest for (metadata,) in rows for digest in DIGEST.findall(metadata)}


def refuse_changed(store: Store) -> None:
    """An error for a picture whose hash is not that of its bytes."""
    for digest, data in store.rows("SELECT sha256, data FROM picture ORDER BY id"):
        if sha256(data).hexdigest() != digest:
            raise StoreError(f"the picture {digest}: it is not the one that was imported")


def delete_import(store: Store, one: Import) -> NDArray[np.int64]:
    """Delete the pictures of an import that no document shows any more; they name no documents."""
    ours = {digest for (digest,) in store.rows("SELECT sha256 FROM picture WHERE import = ?", [one.number])}
    gone = sorted(ours - _named(store)) if ours else []
    store.conn.executemany("DELETE FROM picture WHERE sha256 = ?", [(digest,) for digest in gone])
    return np.array([], np.int64)
