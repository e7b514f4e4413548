"""Pages: one assessor's work in an HTML file, judged without any program; its downloads are lists of events.

A page names documents by opaque ids, made with the store's key, so that a download can speak only of documents that
its page has. Its first line is sealed with that key: whose page it is, of which store, pool and order.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self
from uuid import uuid4

from cranfield.store.assignments import stamp
from cranfield.store.chain import scale_of
from cranfield.store.invitations import serving_key
from cranfield.store.store import Store

FORMAT, VERSION = "cranfield page", 1
ID = 24  # bytes of an opaque id


class Page(NamedTuple):
    """A page: its id, which is the origin of its events, its assessor, its collection, and how it was ordered."""

    page: str
    assessor: str
    collection: str
    created: str  # when the collection was
    scale: str
    made: str
    order: str
    seed: int
    pool: int | None

    @classmethod
    def begun(cls, store: Store, assessor: str, order: str, seed: int, pool: int | None) -> Self:
        """A new page of a store."""
        about, scale, made = store.collection, scale_of(store.conn), stamp(datetime.now(UTC))
        return cls(uuid4().hex, assessor, about.name, about.created, scale, made, order, seed, pool)

    def key(self, store: Store) -> bytes:
        """The key of its ids and of its seal."""
        return hmac.digest(serving_key(store), json.dumps(["page", self.page]).encode(), "sha256")

    def line(self, key: bytes) -> dict[str, Any]:
        """The first line of its downloads."""
        return {"format": FORMAT, "version": VERSION, **self._asdict(), "seal": _tag(key, list(self))}


def opaque(key: bytes, qid: str, docno: str = "", again: bool = False) -> str:
    """The id of a document, or of a topic, in the page with this key; `again`: of its second showing."""
    return _tag(key, [qid, docno, again])


def _tag(key: bytes, what: list[Any]) -> str:
    return urlsafe_b64encode(hmac.digest(key, json.dumps(what).encode(), "sha256")[:ID]).decode()


def give_out(store: Store, page: Page, qids: Collection[str]) -> None:
    """Record that a page was made, and keep its topics for its assessor."""
    with store.writing():
        row = [page.page, page.assessor, page.made]
        store.conn.execute("INSERT INTO origin (id, kind, name, made) VALUES (?, 'bundle', ?, ?)", row)
        keep(store, page.assessor, qids)


def keep(store: Store, assessor: str, qids: Collection[str]) -> None:
    """Let an assessor's claims on these topics not lapse: their work has left the house."""
    store.conn.executemany(
        "UPDATE assignment SET lease = NULL WHERE assessor = (SELECT id FROM assessor WHERE name = ?)"
        " AND topic = (SELECT id FROM topic WHERE qid = ?)",
        [(assessor, qid) for qid in qids],
    )


def bundles_of(store: Store, assessor: str) -> int:
    """How many bundles and pages were made for an assessor."""
    return int(store.rows("SELECT count(*) FROM origin WHERE kind = 'bundle' AND name = ?", [assessor])[0][0])


def is_bundle(store: Store) -> bool:
    """Whether a store is itself somebody's bundle."""
    return store.count("bundle") > 0
