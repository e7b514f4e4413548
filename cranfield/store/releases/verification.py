"""Whether releases are what they were: every hash recomputed, the first that differs named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.errors import StoreError
from cranfield.store.chain import redactions
from cranfield.store.releases.hashes import hashes
from cranfield.store.releases.releases import Release, releases

if TYPE_CHECKING:
    from cranfield.store.store import Store


def verify_releases(store: Store) -> int:
    """Recompute the releases of a store; how many there are. One that is not as it was made is an error."""
    found = releases(store)
    for release in found:
        _verify(store, release)
    return len(found)


def _verify(store: Store, release: Release) -> None:
    kept = redactions(store.conn, "release").get(str(release.number), release.sha256)
    if release.recomputed != kept:
        raise StoreError(f"release {release.name}: its record has changed since it was made")
    columns = {table: columns for table, (columns, _) in release.hashes.items()}
    with store.release(release.name) as then:
        now = hashes(then.conn, columns)
    for table, (_, was) in release.hashes.items():
        if now[table].sha256 != was:
            raise StoreError(f"release {release.name}: the rows of table {table} are not those that it had")
