"""What of a collection counts, as a folder has it: named sets of topics, and withdrawn topics and documents."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.store.store import Store
from cranfield.store.topic_sets import topic_sets
from cranfield.store.withdrawals import withdrawal_and_round_filter

SET = {"name": str, "version": int, "topics": list, "at": str, "origin": dict}
WITHDRAWAL = {"at": str, "what": str, "name": str, "reason": str}


def standing(store: Store) -> dict[str, list[dict[str, Any]]]:
    """The sets, all versions, and the withdrawals that stand; those of runs are not there, as their runs are not."""
    sets = [one._asdict() for one in topic_sets(store, every=True)]
    rows = store.rows("SELECT at, what, name, reason FROM withdrawn WHERE what <> 'run' ORDER BY id")
    tables = {"topic_sets": sets, "withdrawn": [dict(zip(WITHDRAWAL, row, strict=True)) for row in rows]}
    return {name: several for name, several in tables.items() if several}


def present_names(store: Store) -> dict[str, str]:
    """The present names of documents that were renamed: runs have these, and so have the judgments of a folder."""
    document = withdrawal_and_round_filter(store).selection.document
    if document is None:
        return {}
    old = np.flatnonzero((document >= 0) & (document != np.arange(len(document))))
    names = store.docnos.names
    return dict(zip(names[old].tolist(), names[document[old]].tolist(), strict=True))


def add_standing(store: Store, standing: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Add sets and withdrawals; a withdrawal of what is not there is none."""
    rows = [
        (one["at"], one["name"], one["version"], json.dumps([*one["topics"]]), json.dumps(one["origin"]))
        for one in standing.get("topic_sets", ())
    ]
    insert = "INSERT INTO topic_set (at, name, version, topics, origin) VALUES (?, ?, ?, ?, ?)"
    store.conn.executemany(insert, rows)
    for one in standing.get("withdrawn", ()):
        table, column = {"topic": ("topic", "qid"), "document": ("document", "docno")}[one["what"]]
        store.conn.execute(
            "INSERT INTO withdrawal (at, what, item, name, reason)"
            f" SELECT ?, ?, id, {column}, ? FROM {table} WHERE {column} = ?",
            [one["at"], one["what"], one["reason"], one["name"]],
        )


def add_splits(store: Store, splits: Mapping[str, Iterable[str]]) -> None:
    """Let the splits of a folder be sets of topics, as old as the collection; a set that is the same stays."""
    for name, qids in splits.items():
        versions = [one for one in topic_sets(store, every=True) if one.name == name]
        if versions and {*versions[-1].topics} == {*qids}:
            continue
        one = {"at": store.collection.created, "name": name, "version": len(versions) + 1, "topics": sorted(qids)}
        add_standing(store, {"topic_sets": [one | {"origin": {"split": name}}]})


def part_of(standing: Mapping[str, Sequence[Any]], qids: Iterable[str]) -> dict[str, list[Any]]:
    """The same for some of the topics: the sets that have no other.

    >>> part_of({"topic_sets": [{"name": "dev", "topics": ["1", "2"]}, {"name": "one", "topics": ["1"]}]}, ["1"])
    {'topic_sets': [{'name': 'one', 'topics': ['1']}]}
    """
    own_qids = {*qids}
    sets = [one for one in standing.get("topic_sets", ()) if own_qids >= {*one["topics"]}]
    return {**{name: [*several] for name, several in standing.items()}, **({"topic_sets": sets} if sets else {})}


def check_standing(standing: object, qids: Sequence[str], path: object) -> dict[str, list[dict[str, Any]]]:
    """What a folder says of it; refused where it is not of this form, or names a topic that is not there."""
    tables: dict[str, Any] = standing if isinstance(standing, dict) else {"": standing}
    if unknown := sorted(tables.keys() - {"topic_sets", "withdrawn"}):
        raise InputError(f"standing contains {unknown[0]!r:.60}; expected topic_sets and withdrawn", str(path))
    for name, fields in (("topic_sets", SET), ("withdrawn", WITHDRAWAL)):
        rows = tables.get(name, [])
        for row in rows if isinstance(rows, list) else [rows]:
            if not (isinstance(row, dict) and row.keys() == fields.keys()) or any(
                type(row[field]) is not kind for field, kind in fields.items()
            ):
                raise InputError(f"{name} has {row!r:.60}; expected {', '.join(fields)}", str(path))
    own_qids = {*qids}
    for row in tables.get("topic_sets", []):
        if strange := [qid for qid in row["topics"] if qid not in own_qids]:
            raise InputError(
                f"the set {row['name']!r:.60} contains topic {strange[0]!r:.60}, which is not in the folder", str(path)
            )
    if strange := [row["what"] for row in tables.get("withdrawn", []) if row["what"] not in ("topic", "document")]:
        raise InputError(f"withdrawn is {strange[0]!r:.60}; expected topic or document", str(path))
    return {name: [*rows] for name, rows in tables.items()}
