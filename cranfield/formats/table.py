"""The table of formats. Its order is the order of detection, so the last of a kind may claim whatever is left.

A row is a name in a module of this folder, which is imported when a file of its kind is.
"""

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import get_args

from cranfield import hooks
from cranfield.errors import InputError
from cranfield.formats.files import OpenFile, Path, opened
from cranfield.formats.records import Format, Kind

FORMATS: Mapping[Kind, tuple[str, ...]] = {
    "corpus": (
        "jsonl.BEIR_CORPUS", "jsonl.CORPUS", "trec.CORPUS", "classic.SMART_CORPUS", "parquet.PARQUET_CORPUS",
        "delimited.TSV_CORPUS", "delimited.CSV_CORPUS",
    ),
    "topics": (
        "jsonl.BEIR_TOPICS", "jsonl.TOPICS", "trec.TOPICS", "trec.XML_TOPICS", "classic.SMART_TOPICS",
        "parquet.PARQUET_TOPICS", "delimited.CSV_TOPICS", "delimited.TSV_TOPICS",
    ),
    "run": (
        "other_runs.RANX", "other_runs.RANK_LLM", "other_runs.MTEB",
        "named.RUN_PARQUET", "named.RUN_JSON", "named.RUN_JSONL", "named.RUN_TSV", "named.RUN_CSV",
        "runs.files.MSMARCO", "runs.files.TREC",
    ),
    "qrels": (
        "jsonl.BEIR_QRELS",
        "named.QRELS_PARQUET", "named.QRELS_JSON", "named.QRELS_JSONL", "named.QRELS_TSV", "named.QRELS_CSV",
        "qrels.CRANQREL", "qrels.SMART", "qrels.GRADE_FIRST", "qrels.SAMPLE_EVAL", "qrels.SUBTOPICS", "qrels.TREC",
    ),
    "votes": (
        "labelling_tools.LABEL_STUDIO", "text_labelling.LABEL_STUDIO_MIN", "text_labelling.INCEPTION",
        "labelling_tools.ARGILLA", "labelling_tools.QUEPID", "labelling_tools.UMBRELA", "labelling_tools.PRODIGY",
        "text_labelling.DOCCANO", "votes.VOTES_JSONL", "votes.VOTES_CSV", "labelling_tools.RELEVATION",
    ),
    "preferences": ("preferences.PREFS", "preferences.QRELS_PREFS"),
}  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
AUTO = "auto"


@cache
def formats_of(kind: Kind) -> tuple[Format, ...]:
    """The formats of a kind, in the order of detection.

    >>> [row.name for row in formats_of("run")]
    ['ranx', 'rank-llm', 'mteb', 'parquet', 'json', 'jsonl', 'tsv', 'csv', 'msmarco', 'trec']
    """
    places = (place.rsplit(".", 1) for place in FORMATS.get(kind, ()))
    found = [getattr(import_module(f"cranfield.formats.{module}"), name) for module, name in places]
    for row, added in hooks.loaded(f"formats.{kind}"):
        at = next((at for at, one in enumerate(found) if row.before and one.name == row.before), len(found))
        found.insert(at, added)
    return tuple(found)


def named(kind: Kind, name: str) -> Format:
    """The format of this name.

    >>> named("preferences", "pref")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown preferences format 'pref'; available: prefs, qrels_prefs
    """
    known = {row.name: row for row in formats_of(kind)}
    if name not in known:
        raise InputError(f"unknown {kind} format {name!r}; available: {', '.join(known)}")
    return known[name]


def chosen(kind: Kind, name: str, source: OpenFile) -> Format:
    """The format of this name or, for "auto", the first that knows the file for its own."""
    if name != AUTO:
        return _fitting(named(kind, name), source)
    path = os.fspath(source.path)
    known = formats_of(kind)
    found = next((row for row in known if row.detect(source.head, path)), None)
    if found is None:
        if os.path.isdir(path):
            raise InputError(f"a folder; expected a {kind} file", source.path)
        source.text()  # which refuses UTF-16 and binary data
        names = ", ".join(row.name for row in known)
        what = f"not a known {kind} format" if source.head.strip() else f"an empty file; expected {kind}"
        raise InputError(f"{what}; available formats: {names}", source.path, 1)
    return _fitting(found, source)


def format_of(kind: Kind, path: Path) -> str:
    """The name of the format that a file is taken for by its content."""
    with opened(path) as source:
        return chosen(kind, AUTO, source).name


def nothing_read(row: Format, source: OpenFile) -> InputError:
    """The error for a file in which a format finds nothing, with what the file looks like."""
    what = {"corpus": "documents", "run": "lines"}.get(row.kind, row.kind)
    like = next((other.name for other in formats_of(row.kind) if other.detect(source.head, os.fspath(source.path))), "")
    hint = f", read as {row.name}; it looks like {like}" if like not in ("", row.name) else ""
    return InputError(f"no {what}{hint}", source.path)


def _fitting(row: Format, source: OpenFile) -> Format:
    if os.path.isdir(source.path) and row.place == "file":
        raise InputError(f"a folder; expected a {row.name} file", source.path)
    if row.place == "folder" and not os.path.isdir(source.path):
        raise InputError("a file; expected a BEIR folder", source.path)
    return row
