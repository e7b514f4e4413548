"""The events of the judgment log: a record, and the columns of its table and view."""

from __future__ import annotations

from typing import Any, NamedTuple


class Event(NamedTuple):
    """One thing an assessor did; the store gives `at`, `event_id` and `id`."""

    kind: str
    qid: str
    docno: str
    assessor: str
    grade: int | None = None
    unsure: bool = False
    reason: str = ""
    note: str = ""
    evidence: str | None = None
    source: str = ""
    seconds: float | None = None
    position: int | None = None
    order_policy: str = ""
    order_seed: int | None = None
    document_sha256: str | None = None
    pool: int | None = None
    supersedes: int | None = None
    at: str = ""
    event_id: str = ""
    id: int | None = None
    input: str = ""  # key: full screen, plain: line mode, browser: served, page: not served, model: asked
    fast: bool = False  # decided hardly after the document was drawn
    highlight_terms: str = ""
    docno_shown: bool = False
    origin: str = ""  # where it came into being
    previous: str = ""  # the hash of the event before it there
    hash: str = ""
    rule: int = 2  # by which it was hashed


OWN = tuple(name for name in Event._fields[4:] if name != "id")  # the columns in the table under the same name


INSERT = (
    f"INSERT INTO judgment_event (kind, topic, document, assessor, {', '.join(OWN)})"
    " VALUES (:kind, (SELECT id FROM topic WHERE qid = :qid), (SELECT id FROM document WHERE docno = :docno),"
    f" (SELECT id FROM assessor WHERE name = :assessor), {', '.join(':' + name for name in OWN)})"
)


FLAGS = [Event._fields.index(name) for name in ("unsure", "fast", "docno_shown")]  # 0 or 1 in the table


SELECT = f"SELECT {', '.join(Event._fields)} FROM"


def event_of(row: tuple[Any, ...]) -> Event:
    """An event from its columns."""
    values = list(row)
    for place in FLAGS:
        values[place] = bool(values[place])
    return Event._make(values)
