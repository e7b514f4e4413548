"""Rounds of a store are opened and closed, and listed; runs of different rounds are declared to be of one system."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError, StoreError
from cranfield.selection import NAME_PATTERN
from cranfield.store.labels import current_labels
from cranfield.store.names import read_run_keys, resolve_run_name
from cranfield.store.rounds import FIRST, Round, import_rounds, round_condition, round_named, rounds, topics_of
from cranfield.store.store import Store, now
from cranfield.store.withdrawals import present_document_numbers
from cranfield.text import counted, name_hint


def start_round(
    store: Store,
    name: str,
    *,
    topics: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    new_names: Mapping[str, str] | None = None,
) -> Round:
    """Open a round: of these topics and documents, or of all; documents may have new names from it on.

    Errors: the round before it is open; a document that is renamed twice, or in a circle; two documents that are one
    from now on and have different labels.

    >>> with Store.memory("two rounds") as store:
    ...     closed = close_round(store, "1")
    ...     start_round(store, "2").number, [one.name for one in rounds(store)]
    (2, ['1', '2'])
    """
    if not re.fullmatch(NAME_PATTERN, name):
        raise StoreError(f"{name!r:.80} is not a valid round name; expected letters and digits, such as 2")
    earlier = rounds(store)
    if any(one.name == name for one in earlier) and (name != FIRST.name or store.count("round")):
        raise StoreError(f"round {name} already exists; expected a new name")
    if name != FIRST.name and not earlier[-1].closed:
        last = earlier[-1].name
        raise StoreError(f"round {last} is open; close it first with `cranfield round close {store.path} {last}`")
    with store.writing():
        number = _round_number(name, earlier)
        if topics is not None:
            store.require_qids(list(topics))
        numbers = None if documents is None else store.ensure_rows("document", np.array(sorted({*documents}), object))
        _add_round(store, number, name, topics, numbers)
        _rename_documents(store, number, new_names or {})
    store.forget()
    return rounds(store)[-1]


def _round_number(name: str, earlier: Sequence[Round]) -> int:
    """The number of a new round, by which its runs are called: its name, if that is a number and later than the others.

    >>> [_round_number(name, [FIRST]) for name in ("1", "2", "4", "final")]
    [1, 2, 4, 2]
    """
    next_one = 1 if name == FIRST.name else earlier[-1].number + 1
    return max(int(name), next_one) if name.isdecimal() else next_one


def _add_round(store: Store, number: int, name: str, topics: Sequence[str] | None, documents: Ints | None) -> None:
    blob = None if documents is None else documents.astype("<i4").tobytes()
    row = (
        number, name, now(), 1 if number == 1 else store.last_row_number("judgment_event") + 1,
        None if topics is None else json.dumps(list(topics)),
        blob, blob and hashlib.sha256(blob).hexdigest(),
    )  # fmt: skip
    columns = "id, name, opened, first_event, topics, documents, documents_sha256"
    store.conn.execute(f"INSERT INTO round ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _rename_documents(store: Store, number: int, names: Mapping[str, str]) -> None:
    """Keep new names of documents; refused where they contradict each other, or what they were called before."""
    if circle := [old for old, new in names.items() if new in names]:
        raise InputError(
            f"document {circle[0]!r} is renamed to {names[circle[0]]!r}, which is also renamed; expected a docno that"
            " is not renamed"
        )
    if not names:
        return
    old, new = (store.ensure_rows("document", np.array(list(some), object)) for some in (names, names.values()))
    before = present_document_numbers(store)
    if before is not None:
        # Refuse a name that a document has no more, and one that another had; a document may have its own back.
        holders = (before[[old - 1, new - 1]] + 1).T.tolist()
        for one, other, (present, holder) in zip(old.tolist(), new.tolist(), holders, strict=True):
            docno = store.names_by_number("document", "docno", {one, other, present, holder})
            if present != one:
                raise InputError(f"document {docno[one]!r} is already called {docno[present]!r}; rename that document")
            if holder not in (one, other):
                raise InputError(
                    f"document {docno[one]!r} cannot be renamed to {docno[other]!r}, which is an earlier"
                    f" name of {docno[holder]!r}"
                )
    labels = _labels_by_pair(store)
    rows = [(number, int(one), int(other)) for one, other in zip(old, new, strict=True)]
    store.conn.executemany("INSERT INTO renamed (round, old, new) VALUES (?, ?, ?)", rows)
    _check_labels(store, labels, dict(zip(old.tolist(), new.tolist(), strict=True)))


def _labels_by_pair(store: Store) -> dict[tuple[int, int], tuple[int, int]]:
    """The document and grade of each judged pair, by present names: that of the present one before others."""
    names = dict(store.rows("SELECT document, name FROM present_name"))
    labels: dict[tuple[int, int], tuple[int, int]] = {}
    for topic, document, grade in store.rows("SELECT topic, document, grade FROM qrels_event ORDER BY document"):
        name = names.get(document, document)
        if document == name or (topic, name) not in labels:
            labels[topic, name] = document, grade
    return labels


def _check_labels(store: Store, labels: Mapping[tuple[int, int], tuple[int, int]], names: Mapping[int, int]) -> None:
    """Refuse two documents that become one and have different labels in a topic."""
    grades: dict[tuple[int, int], tuple[int, int]] = {}
    for (topic, name), (document, grade) in sorted(labels.items()):
        key = (topic, names.get(name, name))
        first = grades.setdefault(key, (document, grade))
        if first[1] != grade:
            docnos = store.names_by_number("document", "docno", {first[0], document})
            qid = store.names_by_number("topic", "qid", {topic})[topic]
            one, other = docnos[first[0]], docnos[document]
            raise InputError(
                f"{one!r} and {other!r} cannot become one document: for topic {qid!r}, the first has grade {first[1]}"
                f" and the second has grade {grade}"
            )


def close_round(store: Store, name: str) -> Round:
    """Close a round; judgments that come later are still of it, until the next one is opened."""
    one = round_named(store, name)
    if one.closed:
        raise StoreError(f"round {name} is already closed")
    with store.writing():
        if not store.count("round"):
            _add_round(store, 1, FIRST.name, None, None)
        store.conn.execute("INSERT INTO round_end (id, closed) VALUES (?, ?)", [one.number, now()])
    return round_named(store, name)


def line_of(one: Round, judgments: int) -> str:
    """What is said of a round that was closed."""
    return f"round {one.name}: closed, with {counted(judgments, 'own judgment')}"


def round_rows(store: Store) -> list[dict[str, Any]]:
    """The rounds and how much each has, to be shown."""
    runs = dict(store.rows("SELECT coalesce(round, 1), count(*) FROM run GROUP BY 1"))
    names = dict(store.rows("SELECT round, count(*) FROM renamed GROUP BY round"))
    return [
        {
            "round": one.name, "opened": one.opened, "closed": one.closed,
            "topics": int(topics_of(store, one).sum()),
            "documents": _count_documents(store, one) if one.documents is None else len(one.documents),
            "renamed": names.get(one.number, 0), "runs": runs.get(one.number, 0),
            "judgments": len(current_labels(store, round_condition(store, one.number, one.number)).qrels),
        }
        for one in rounds(store)
    ]  # fmt: skip


def _count_documents(store: Store, one: Round) -> int:
    """How many documents a round of all has: without those whose import is of a later one, under one name each."""
    later = [number for number, of in import_rounds(store).items() if of > one.number]
    old = "SELECT old FROM renamed WHERE round <= ?"
    new = "SELECT new FROM renamed WHERE round > ?"
    outside = f"import IN (SELECT value FROM json_each(?)) OR id IN ({old}) OR id IN ({new})"
    query = (
        "SELECT count(*) FROM document"
        f" WHERE (removed = 0 OR text IS NOT NULL) AND {store.complete_import_condition()} AND ({outside})"
    )
    return store.count("document") - int(store.rows(query, [json.dumps(later), one.number, one.number])[0][0])


def record_same_system(store: Store, run: str, earlier: str) -> None:
    """Say that two runs of different rounds are of one system, whatever their teams and tags are."""
    names = [resolve_run_name(store, name) for name in (run, earlier)]
    keys = {one.name: one for one in read_run_keys(store)}
    for given_name, name in zip((run, earlier), names, strict=True):
        if name not in keys:
            raise StoreError(f"no run {given_name!r} in this store{name_hint(given_name, keys)}")
    if keys[names[0]].round <= keys[names[1]].round:
        later = keys[names[0]]
        raise StoreError(
            f"{run!r} is in round {later.round_name or later.round}; give the later run first, then the earlier run"
        )
    with store.writing():
        store.conn.execute("INSERT INTO same_system (at, run, earlier) VALUES (?, ?, ?)", [now(), *names])


def same_systems(store: Store) -> dict[str, str]:
    """The earlier run of each run that was declared to be of the same system."""
    return dict(store.rows("SELECT run, earlier FROM same_system ORDER BY id"))
