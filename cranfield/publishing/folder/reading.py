"""A store made of a published folder: nothing is taken from a file whose checksum is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.errors import InputError, blaming
from cranfield.formats import RunInfo, Topic, read_metadata, read_qrels, read_runs
from cranfield.formats.published.parquet import read_table, read_tables
from cranfield.formats.published.tables import (
    CORPUS,
    CORPUS_WITHOUT_TEXT,
    FRAME,
    JUDGMENTS,
    POOLS,
    QRELS,
    QUERIES,
    Columns,
)
from cranfield.judging.labels.derive import derive
from cranfield.publishing.folder.stated import Stated, read_stated, state_of
from cranfield.publishing.manifest import BAG, PAYLOAD, Found, check_file, found
from cranfield.publishing.manifest import FILE as MANIFEST
from cranfield.publishing.parts.collection import FILE
from cranfield.publishing.parts.log import ASSESSORS, event_of_row, read_assessors
from cranfield.publishing.stored import describe
from cranfield.source import Tell, silent
from cranfield.store.connection import placed
from cranfield.store.decoding import json_of
from cranfield.store.history import importing
from cranfield.store.publication.description import keep_split
from cranfield.store.published import restore
from cranfield.store.published.contents import StoredText
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.text import counted

FILES = ((FILE,), (MANIFEST,))
BAG_FILES = ((PAYLOAD, FILE), (MANIFEST,), (BAG,))
PUBLISHED = "published"  # the assessor of the qrels of a folder without a log


def restored(folder: Path, path: Path, split: str | None = None, note: Tell = silent) -> Store:
    """A new store of what a folder has; whatever is wrong with it, there is no store then.

    With `split` it has the topics of one split, their rankings and grades; `note` is called with what that leaves out.
    """
    if path.exists():
        raise InputError(f"a published folder makes a new store; hf:{folder} adds its documents to this one", path)
    there = found(folder)
    _check_files(there)
    stated = read_stated(there)
    if split is not None and _is_part(stated, split, there):
        return _restored_split(there, path, stated, split, note)
    with placed(path) as part, Store.begin(part, stated.collection) as store, restore.restoring(store, folder):
        restore.guided(store, stated.guidelines)
        with importing(store, "corpus", _names(there, "corpus/")):
            _add_corpus(store, there, stated)
        with importing(store, "topics", _names(there, "queries/")):
            _add_topics(store, there, stated)
        with importing(store, "runs", _names(there, "runs/")):
            _add_runs(store, there, stated)
        store.known_docnos(sorted(set(_judged_or_pooled(there))))
        restore.add_pools(store, stated.pools, _rows(there, "pools/pools", POOLS), _rows(there, "pools/frame", FRAME))
        with importing(store, "qrels", _names(there, "log/")):
            _add_labels(store, there, stated)
        _check_qrels(store, there, stated)
        describe(store, stated.description)
        if stated.test is not None:
            keep_split(store, stated.test)
    return Store.open(path)


def _is_part(stated: Stated, split: str, there: Found) -> bool:
    """Whether a split has some of the topics; refused if there is no such split."""
    if split not in stated.splits:
        raise InputError(f"no split {split!r}; --split takes {', '.join(stated.splits)}", there.root)
    return len(stated.splits) > 1


def _restored_split(there: Found, path: Path, stated: Stated, split: str, note: Tell) -> Store:
    """A new store of one of several splits: the chain of the log and the pools are of all topics, and not in it."""
    some = [qid for qid in stated.topics if qid in stated.splits[split]]
    chosen = stated._replace(topics=some, pools=[], first_assessors=[])
    qrels = check_file(there, f"qrels/{split}.parquet")
    with placed(path) as part, Store.begin(part, stated.collection) as store, restore.restoring(store, there.root):
        restore.guided(store, stated.guidelines)
        with importing(store, "corpus", _names(there, "corpus/")):
            _add_corpus(store, there, stated)
        with importing(store, "topics", [f"queries/{split}.parquet"]):
            _add_topics(store, there, chosen, split)
        with importing(store, "runs", _names(there, "runs/")):
            _add_runs(store, there, chosen, only=True)
        with importing(store, "qrels", [f"qrels/{split}.parquet"]), blaming(qrels):
            import_qrels(store, read_qrels(qrels), PUBLISHED)
        describe(store, stated.description)
        keep_split(store, some if split == "test" else [])
    left = f"{len(some)} of {counted(len(stated.topics), 'topic')}, without pools and judgment log, which are of all"
    note(f"split {split}: {left}; the judgments are of the assessor {PUBLISHED!r}")
    return Store.open(path)


def _check_files(there: Found) -> None:
    try:
        for name in there.files:
            check_file(there, name)
    except InputError as error:
        raise InputError(f"{error.message}; `cranfield publish check` lists all that is wrong", error.path) from error


def is_published(source: str) -> bool:
    """Whether this is a folder that `publish build` made, or a bag of one."""
    return any(all(os.path.lexists(Path(source, *names)) for names in files) for files in (FILES, BAG_FILES))


def unread(source: str) -> str:
    """What is said of a published folder that was read as one of Hugging Face; nothing of any other."""
    folder = Path(source.removeprefix("hf:")).resolve()
    if not (folder / FILE).is_file():
        return ""
    above = is_published(str(folder.parent)) and folder.name == PAYLOAD
    remedy = f"import the bag, {folder.parent}" if above else f"a new store of a folder with its {MANIFEST} has them"
    return f"the pools, runs and judgment log of this collection were not imported; {remedy}"


def _check_qrels(store: Store, there: Found, stated: Stated) -> None:
    """Refuse labels that do not give the published qrels."""
    found = derive(store, str(stated.options.get("policy"))).labels
    published = {(row[0], row[1]): row[2] for row in _rows(there, "qrels/", QRELS)}
    if found != published:
        raise InputError("the labels in log/ do not give the grades in qrels/", there.root)


def _names(there: Found, start: str) -> list[str]:
    return [path for path in there.files if path.startswith(start)]


def _tables(there: Found, start: str) -> list[Path]:
    """The checked Parquet files whose paths begin so."""
    return [check_file(there, path) for path in sorted(_names(there, start)) if path.endswith(".parquet")]


def _rows(there: Found, start: str, columns: Columns) -> Iterator[tuple[Any, ...]]:
    return read_tables(_tables(there, start), columns)


def _add_corpus(store: Store, there: Found, stated: Stated) -> None:
    if not stated.text:
        restore.add_hashes(store, _rows(there, "corpus/", CORPUS_WITHOUT_TEXT))
        return
    for path in _tables(there, "corpus/"):
        with blaming(path):
            restore.add_texts(store, (StoredText(*row) for row in read_table(path, CORPUS)))


def _add_topics(store: Store, there: Found, stated: Stated, split: str = "") -> None:
    known: dict[str, Topic] = {}
    for path in _tables(there, f"queries/{split}"):
        for qid, title, description, narrative, _, metadata in read_table(path, QUERIES):
            about = json_of(dict, metadata or None, "queries", qid, "metadata")
            known[qid] = Topic(qid, title, description, narrative, about)
    if sorted(known) != sorted(stated.topics):
        raise InputError("the topics are not those of collection.json", there.root / "queries")
    restore.add_topics(store, [known[qid] for qid in stated.topics])


def _add_runs(store: Store, there: Found, stated: Stated, only: bool = False) -> None:
    """Add the runs; `only` the rankings of the stated topics, of runs that have any."""
    if not _names(there, "runs/"):
        return
    for run in stated.runs:
        path = check_file(there, f"runs/{run['file']}")
        with blaming(path):
            tag, about = run["tag"], (run["team"], run["kind"], run["description"], run["pooled"], run["depth"])
            runs = read_runs([path])
            if list(runs.tags) != [tag]:
                raise InputError(f"the run {runs.tags[0]!r}; expected {tag!r}", path)
            origin = (path.name, there.files[f"runs/{path.name}"])
            if only:
                kept = np.isin(runs.topics.names, np.array(stated.topics, object))
                runs, origin = runs.rows(kept[runs.topic]), ("", "")
            if len(runs) or not only:
                add_runs(store, runs, {tag: RunInfo(*about, *origin, read_metadata(path))})


def _judged_or_pooled(there: Found) -> Iterator[str]:
    """The docnos that the log and the pools name: no run and no text may have them."""
    for start, columns in (("log/judgments", JUDGMENTS), ("pools/pools", POOLS), ("pools/frame", FRAME)):
        place = [*columns].index("corpus-id")
        yield from (row[place] for row in _rows(there, start, columns))


def _add_labels(store: Store, there: Found, stated: Stated) -> None:
    if "log/judgments.parquet" in there.files:
        restore.add_assessors(store, read_assessors(check_file(there, ASSESSORS)))
        restore.add_first_assessors(store, stated.first_assessors)
        events = (event_of_row(row) for row in _rows(there, "log/judgments", JUDGMENTS))
        restore.add_log(store, events, state_of(check_file(there, "log/log.json")), there.root.name)
    elif "trec/qrels.txt" in there.files:
        import_qrels(store, read_qrels(check_file(there, "trec/qrels.txt")), PUBLISHED)
