"""Filling a store with what a published folder has: nothing is taken from a file whose checksum is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.errors import InputError, blaming
from cranfield.features.publishing.collection import Stated, state_of
from cranfield.features.publishing.describe import describe
from cranfield.features.publishing.formats import (
    CORPUS,
    CORPUS_WITHOUT_TEXT,
    FRAME,
    JUDGMENTS,
    POOLS,
    QUERIES,
    Columns,
    read_table,
    read_tables,
)
from cranfield.features.publishing.manifest import Found, check_file
from cranfield.features.publishing.parts import ASSESSORS, event_of_row, read_assessors
from cranfield.features.publishing.store import published
from cranfield.features.publishing.store.publication import keep_split
from cranfield.features.publishing.store.published import StoredText
from cranfield.formats import RunInfo, Topic, read_metadata, read_qrels, read_runs
from cranfield.formats.files import METADATA
from cranfield.store.chain import linked
from cranfield.store.decoding import json_of
from cranfield.store.history import importing
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store

ASSESSOR = "published"  # the assessor of the qrels of a folder without a log


def fill(store: Store, there: Found, stated: Stated, link: published.Link = linked) -> None:
    """Fill a new store with all that the folder has; `link` gives the events of its log their hashes."""
    with published.restoring(store, there.root):
        published.guided(store, stated.guidelines)
        with importing(store, "corpus", names(there, "corpus/")):
            add_corpus(store, there, stated)
        with importing(store, "topics", names(there, "queries/")):
            add_topics(store, there, stated)
        with importing(store, "runs", run_paths(there)):
            fill_runs(store, there, stated)
        store.known_docnos(sorted(set(_judged_or_pooled(there))))
        published.add_pools(store, stated.pools, _rows(there, "pools/pools", POOLS), _rows(there, "pools/frame", FRAME))
        with importing(store, "qrels", names(there, "log/")):
            _add_labels(store, there, stated, link)
        describe(store, stated.description)
        if stated.test is not None:
            keep_split(store, stated.test)


def names(there: Found, start: str) -> list[str]:
    return [path for path in there.files if path.startswith(start)]


def run_paths(there: Found) -> list[str]:
    return [path for path in names(there, "runs/") if not path.endswith(METADATA)]


def _tables(there: Found, start: str) -> list[Path]:
    """The checked Parquet files whose paths begin so."""
    return [check_file(there, path) for path in sorted(names(there, start)) if path.endswith(".parquet")]


def _rows(there: Found, start: str, columns: Columns) -> Iterator[tuple[Any, ...]]:
    return read_tables(_tables(there, start), columns)


def add_corpus(store: Store, there: Found, stated: Stated) -> None:
    if not stated.text:
        published.add_hashes(store, _rows(there, "corpus/", CORPUS_WITHOUT_TEXT))
        return
    for path in _tables(there, "corpus/"):
        with blaming(path):
            published.add_texts(store, (StoredText(*row) for row in read_table(path, CORPUS)))


def add_topics(store: Store, there: Found, stated: Stated, split: str = "") -> None:
    known: dict[str, Topic] = {}
    for path in _tables(there, f"queries/{split}"):
        for qid, title, description, narrative, _, metadata in read_table(path, QUERIES):
            about = json_of(dict, metadata or None, "queries", qid, "metadata")
            known[qid] = Topic(qid, title, description, narrative, about)
    if sorted(known) != sorted(stated.topics):
        raise InputError("the topics are not those of collection.json", there.root / "queries")
    published.add_topics(store, [known[qid] for qid in stated.topics])


def fill_runs(store: Store, there: Found, stated: Stated, only: bool = False) -> None:
    """Add the runs; `only` the rankings of the stated topics, of runs that have any."""
    if not names(there, "runs/"):
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


def _add_labels(store: Store, there: Found, stated: Stated, link: published.Link) -> None:
    if "log/judgments.parquet" in there.files:
        published.add_assessors(store, read_assessors(check_file(there, ASSESSORS)))
        published.add_first_assessors(store, stated.first_assessors)
        events = (event_of_row(row) for row in _rows(there, "log/judgments", JUDGMENTS))
        published.add_log(store, events, state_of(check_file(there, "log/log.json")), there.root.name, link)
    elif "trec/qrels.txt" in there.files:
        import_qrels(store, read_qrels(check_file(there, "trec/qrels.txt")), ASSESSOR)
