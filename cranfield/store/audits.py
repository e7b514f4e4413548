"""Random samples of what a model labelled, drawn for a person to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.store.log import add_assessor
from cranfield.store.store import Store, now


class AuditedPair(NamedTuple):
    """A document of a sample, and its stratum."""

    qid: str
    docno: str
    stratum: str


class AuditSample(NamedTuple):
    """A sample: of whose labels, who judges it, what was drawn, and from how many units by stratum."""

    number: int
    model: str
    assessor: str
    unit: str  # pair or topic
    by: str  # what divides the strata: grade, topic, or nothing
    seed: int
    made: str
    strata: Mapping[str, int]
    pairs: Sequence[AuditedPair]


def add_audit(
    store: Store,
    model: str,
    assessor: str,
    unit: str,
    by: str,
    seed: int,
    strata: Mapping[str, int],
    pairs: Sequence[AuditedPair],
) -> int:
    """Record a sample in one transaction; its number."""
    with store.writing():
        add_assessor(store, assessor)
        row = "(SELECT id FROM assessor WHERE name = ?)"
        number = store.conn.execute(
            "INSERT INTO audit (model, assessor, unit, strata_by, seed, made)"
            f" VALUES ({row}, {row}, ?, ?, ?, ?) RETURNING id",
            [model, assessor, unit, by, seed, now()],
        ).fetchone()[0]
        store.conn.executemany(
            "INSERT INTO audit_stratum VALUES (?, ?, ?)", [(number, name, units) for name, units in strata.items()]
        )
        store.conn.executemany(
            "INSERT INTO audited VALUES (?, (SELECT id FROM topic WHERE qid = ?),"
            " (SELECT id FROM document WHERE docno = ?), ?)",
            [(number, *pair) for pair in pairs],
        )
    return int(number)


def audit_sample(store: Store, number: int | None = None, model: str | None = None) -> AuditSample:
    """A sample by its number, or the newest, perhaps of one model; an error where there is none.

    >>> with Store.memory("nothing") as store:
    ...     audit_sample(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: no sample of the labels of a model was drawn here; `cranfield model audit
    draw` draws one
    """
    found = store.rows(
        "SELECT u.id, m.name, a.name, unit, strata_by, seed, made FROM audit u JOIN assessor m ON m.id = u.model"
        " JOIN assessor a ON a.id = u.assessor WHERE u.id = coalesce(?1, u.id) AND m.name = coalesce(?2, m.name)"
        " ORDER BY u.id DESC LIMIT 1",
        [number, model],
    )
    if not found:
        which, whose = f"sample {number}" if number else "sample", repr(model) if model else "a model"
        raise InputError(f"no {which} of the labels of {whose} was drawn here; `cranfield model audit draw` draws one")
    sizes = store.rows("SELECT stratum, units FROM audit_stratum WHERE audit = ? ORDER BY stratum", [found[0][0]])
    pairs = store.rows(
        "SELECT qid, docno, stratum FROM audited u JOIN topic t ON t.id = u.topic JOIN document d ON d.id = u.document"
        " WHERE audit = ? ORDER BY t.id, docno",
        [found[0][0]],
    )
    about: list[Any] = [*found[0], dict(sizes), [AuditedPair(*pair) for pair in pairs]]
    return AuditSample(*about)
