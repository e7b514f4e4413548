"""The manifest beside exported qrels: everything needed to know what they are and to produce them again.

It has no date, so the same log gives the same manifest; `log` records up to which event it was read.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.formats.whole_files import write_text
from cranfield.judging.labels.derive import Derived, State, orders
from cranfield.store.chain import OTHERS, log_head
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.pools import Pool
from cranfield.store.store import Store

VERSION = 1
MODELS = {LabelledBy.all: "where nobody else labelled", LabelledBy.people: "left out", LabelledBy.models: "alone"}


def write_manifest(
    store: Store,
    derived: Derived,
    path: Path,
    counts: Mapping[str, int],
    pool: Pool | None,
    missing: Mapping[State, int],
    layout: Mapping[str, object],
) -> Path:
    """Write PATH.manifest.json for the qrels at PATH, of this format and with these names of strata; where it is."""
    document = {"manifest": VERSION, **_file(path), **layout, **_rules(derived, missing), **_collection(store, pool)}
    document |= {"counts": dict(counts), **_labels(derived), "orders": orders(derived)}
    out = path.with_name(path.name + ".manifest.json")
    write_text(out, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return out


def _file(path: Path) -> dict[str, Any]:
    from cranfield import __version__

    content = path.read_bytes()
    return {"qrels": path.name, "sha256": hashlib.sha256(content).hexdigest(), "program": f"cranfield {__version__}"}


def _rules(derived: Derived, missing: Mapping[State, int]) -> dict[str, Any]:
    rule = derived.policy
    return {
        "policy": {"name": rule.name, "version": rule.version, "about": rule.about},
        "models": "as named" if derived.named else MODELS[derived.whose],
        "unsure": "counted" if derived.count_unsure else "left out",
        "missing": {
            state: missing.get(state, "left out") for state in ("cannot-judge", "later", "unlabelled", "unsure")
        },
    }


def _collection(store: Store, pool: Pool | None) -> dict[str, Any]:
    collection = store.collection
    return {
        "collection": collection.name,
        "scale": {str(grade): meaning for grade, meaning in collection.grades.items()},
        "min_relevant": collection.min_relevant,
        "pool": None if pool is None else _pool(pool),
        "log": log_head(store.conn)._asdict(),
        "other_logs": log_head(store.conn, OTHERS)._asdict(),
    }


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "number": pool.number,
        "method": pool.method,
        "seed": pool.seed,
        "version": pool.version,
        "documents": len(pool.documents),
    }


def _labels(derived: Derived) -> dict[str, Any]:
    """How many labels of each grade, and of whom."""
    behind = Counter(event.assessor for pair in derived.labels for event in derived.behind(pair))
    grades = Counter(derived.labels.values())
    return {
        "grades": {str(grade): grades[grade] for grade in sorted(grades)},
        "assessors": {name: {"kind": kind, "labels": behind[name]} for name, kind in derived.assessors.items()},
    }
