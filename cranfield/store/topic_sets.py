"""Named sets of topics: dev and test sets, folds. A set that changes has another version; releases keep theirs."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.selection import NAME_PATTERN, VERSION_MARK
from cranfield.store.decoding import decode_json_column, decode_names
from cranfield.store.store import Store, now
from cranfield.text import counted, name_hint, natural_sort_key

RESERVED = ("all", "common")  # what --topics takes besides: all that were judged, those that all runs answered


class TopicSet(NamedTuple):
    """A version of a set: its topics, when and from what it was made."""

    name: str
    version: int
    topics: tuple[str, ...]
    at: str
    origin: Mapping[str, Any]


def topic_sets(store: Store, every: bool = False) -> list[TopicSet]:
    """The latest version of each set, or all versions, in the order they were made."""
    table = "topic_set" if every else "latest_topic_set"
    rows = store.rows(f"SELECT id, name, version, topics, at, origin FROM {table} ORDER BY id")
    return [
        TopicSet(
            name, version, decode_names(topics, "topic_set", row, "topics"), at,
            decode_json_column(dict, origin, "topic_set", row, "origin"),
        )
        for row, name, version, topics, at, origin in rows
    ]  # fmt: skip


def find_topic_set(store: Store, name: str) -> TopicSet:
    """A set by its name, or a version of it, dev@1; for an unknown name the nearest is named."""
    every = topic_sets(store, every=True)
    base, mark, version = name.rpartition(VERSION_MARK)
    matches = [one for one in every if name == one.name or (mark and (base, version) == (one.name, str(one.version)))]
    if matches:
        return matches[-1]
    names = list(dict.fromkeys(one.name for one in every))
    hint = name_hint(name, names, "it has no sets; make one with `cranfield topics set`")
    raise StoreError(f"{store.path}: no topic set and no file {name!r}{hint}")


def store_topic_set(store: Store, name: str, qids: Iterable[str], origin: Mapping[str, Any] | None = None) -> TopicSet:
    """Keep a set under a name: the version that has just these topics, or else a new one.

    >>> with Store.memory("three topics") as store:
    ...     store.require_qids(["1", "2", "3"])
    ...     [store_topic_set(store, "dev", qids).version for qids in ("12", "12", "13")]
    ...     find_topic_set(store, "dev").topics, find_topic_set(store, "dev@1").topics
    [1, 1, 2]
    (('1', '3'), ('1', '2'))
    """
    topics = tuple(qids)
    if name in RESERVED:
        raise StoreError(f"{name!r} is reserved, because --topics {name} has another meaning; expected another name")
    if not re.fullmatch(NAME_PATTERN, name):
        raise StoreError(f"{name!r:.80} is not a valid name for a topic set; expected letters and digits, such as dev")
    if not topics:
        raise StoreError(f"the set {name!r} has no topics; expected at least one")
    if len(set(topics)) < len(topics):
        twice = next(qid for at, qid in enumerate(topics) if qid in topics[:at])
        raise InputError(f"topic {twice!r} is twice in the set {name!r}; expected it once")
    _refuse_unknown(store, topics)
    with store.writing():
        versions = [one for one in topic_sets(store, every=True) if one.name == name]
        if versions and set(versions[-1].topics) == set(topics):
            return versions[-1]
        row = (now(), name, len(versions) + 1, json.dumps(topics), json.dumps(dict(origin or {})))
        store.conn.execute("INSERT INTO topic_set (at, name, version, topics, origin) VALUES (?, ?, ?, ?, ?)", row)
    return find_topic_set(store, name)


def _refuse_unknown(store: Store, topics: Sequence[str]) -> None:
    if unknown := [qid for qid, row in zip(topics, store.numbers("topic", "qid", topics), strict=True) if row < 0]:
        raise InputError(
            f"topic {unknown[0]!r} is not in the store{name_hint(unknown[0], store.names('topic', 'qid'))}"
        )


def split_topics(store: Store, name: str, folds: int, seed: int, of: str = "") -> list[TopicSet]:
    """Split the topics, or those of a set, into folds of as equal size as can be: NAME-1, NAME-2, ...

    The same topics and seed always give the same folds.

    >>> with Store.memory("five topics") as store:
    ...     store.require_qids(["1", "2", "3", "4", "5"])
    ...     [len(fold.topics) for fold in split_topics(store, "fold", 2, seed=1)]
    [3, 2]
    """
    import numpy as np

    qids = sorted(find_topic_set(store, of).topics if of else (topic.qid for topic in store.topics()))
    if not 2 <= folds <= len(qids):
        raise StoreError(f"{folds} folds of {counted(len(qids), 'topic')}; expected 2 to {len(qids)}")
    order = np.random.default_rng(seed).permutation(len(qids))
    origin = {"folds": folds, "seed": seed, "of": of}
    with store.writing():
        return [
            store_topic_set(store, f"{name}-{at + 1}", sorted(qids[row] for row in order[at::folds]), origin)
            for at in range(folds)
        ]


def set_rows(store: Store) -> list[dict[str, Any]]:
    """Every version of every set, to be shown."""
    return [
        {"set": one.name, "version": one.version, "topics": len(one.topics), "made": one.at,
         "from": _origin_text(one.origin), "members": " ".join(sorted(one.topics, key=natural_sort_key))}
        for one in topic_sets(store, every=True)
    ]  # fmt: skip


def _origin_text(origin: Mapping[str, Any]) -> str:
    if "folds" in origin:
        return f"{origin['folds']} folds, seed {origin['seed']}" + (f", of {origin['of']}" if origin.get("of") else "")
    return str(origin.get("file", ""))


def read_qid_list(path: Path) -> list[str]:
    """The topics that a file lists: an id a line, or any file of topics.

    >>> read_qid_list(Path("nowhere.txt"))
    Traceback (most recent call last):
    cranfield.errors.InputError: nowhere.txt: no such file; only a store contains named topic sets
    """
    from cranfield.formats import read_topics
    from cranfield.formats.files import read_text

    if not path.is_file():
        raise InputError("no such file; only a store contains named topic sets", path)
    words = [line.split() for line in read_text(path).splitlines() if line.strip()]
    if all(len(line) == 1 for line in words) and words and not words[0][0].startswith(("<", "{")):
        return [word for (word,) in words]
    return [topic.qid for topic in read_topics(path)]


def chosen_topics(store: Store, name: str) -> tuple[str, ...]:
    """The topics of a set or a file, of which all have to be in the store."""
    qids = tuple(qids_of_set(store, name))
    _refuse_unknown(store, qids)
    return qids


def qids_of_set(store: Store, name: str) -> list[str]:
    """The topics of a set by its name or, where there is none of that name, in a file."""
    names = {one.name for one in topic_sets(store)}
    is_file = name.rpartition(VERSION_MARK)[0] not in names and name not in names and Path(name).is_file()
    return read_qid_list(Path(name)) if is_file else list(find_topic_set(store, name).topics)
