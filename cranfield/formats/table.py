"""The table of formats. Its order is the order of detection, so the last of a kind may claim whatever is left."""

from __future__ import annotations

import os

from cranfield.errors import InputError
from cranfield.formats import (
    beir,
    corpus_parquet,
    corpus_trec,
    delimited,
    jsonl,
    qrels_cranqrel,
    qrels_smart,
    qrels_trec,
    run_trec,
    smart,
    topics_trec,
    topics_xml,
)
from cranfield.formats.files import Source
from cranfield.formats.records import Format, Kind

FORMATS: tuple[Format, ...] = (
    beir.CORPUS,
    jsonl.CORPUS,
    corpus_trec.CORPUS,
    smart.CORPUS,
    corpus_parquet.CORPUS,
    delimited.TSV,
    delimited.CSV,
    beir.TOPICS,
    jsonl.TOPICS,
    topics_trec.TOPICS,
    topics_xml.TOPICS,
    smart.TOPICS,
    delimited.TOPICS,
    run_trec.RUN,
    beir.QRELS,
    qrels_cranqrel.QRELS,
    qrels_smart.QRELS,
    qrels_trec.QRELS,
)
AUTO = "auto"


def named(kind: Kind, name: str) -> Format:
    """The format of this name.

    >>> named("qrels", "trek")
    Traceback (most recent call last):
    cranfield.errors.InputError: no qrels format is called 'trek'; there are beir, cranqrel, smart-rel, trec
    """
    known = {row.name: row for row in FORMATS if row.kind == kind}
    if name not in known:
        raise InputError(f"no {kind} format is called {name!r}; there are {', '.join(known)}")
    return known[name]


def chosen(kind: Kind, name: str, source: Source) -> Format:
    """The format of this name or, for "auto", the first that knows the file for its own."""
    if name != AUTO:
        return _fitting(named(kind, name), source)
    path = os.fspath(source.path)
    known = [row for row in FORMATS if row.kind == kind]
    found = next((row for row in known if row.detect(source.head, path)), None)
    if found is None:
        names = ", ".join(row.name for row in known)
        what = f"{kind} of no known format" if source.head.strip() else f"an empty file where {kind} should be"
        raise InputError(f"{what}; there are {names}", source.path, 1)
    return _fitting(found, source)


def _fitting(row: Format, source: Source) -> Format:
    if os.path.isdir(source.path) and row.name != "beir":
        raise InputError(f"a folder where a {row.name} file is right", source.path)
    return row
