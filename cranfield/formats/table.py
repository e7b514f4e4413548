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
    qrels_sample_eval,
    qrels_smart,
    qrels_subtopics,
    qrels_trec,
    run_trec,
    smart,
    topics_trec,
    topics_xml,
    votes_argilla,
    votes_label_studio,
    votes_plain,
    votes_quepid,
    votes_relevation,
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
    qrels_sample_eval.GRADE_FIRST,
    qrels_sample_eval.QRELS,
    qrels_subtopics.QRELS,
    qrels_trec.QRELS,
    votes_label_studio.VOTES,
    votes_argilla.VOTES,
    votes_quepid.VOTES,
    votes_plain.JSONL,
    votes_plain.CSV,
    votes_relevation.VOTES,
)
AUTO = "auto"


def named(kind: Kind, name: str) -> Format:
    """The format of this name.

    >>> named("run", "trek")
    Traceback (most recent call last):
    cranfield.errors.InputError: no run format is called 'trek'; there are trec
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
