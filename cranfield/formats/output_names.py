"""The format that the end of a new file's name promises: written where it can be, otherwise refused or noted."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cranfield.errors import InputError, Path
from cranfield.formats.given_files import COMPRESSIONS
from cranfield.formats.whole_files import check_output

Suffixes = Mapping[str, Sequence[str]]
TEXT_SUFFIXES = ("", ".txt", ".text", ".log", ".out")  # of any text
JSON_LINES: Suffixes = {"jsonl": (".jsonl", ".ndjson", ".json")}
TABLE: Suffixes = {"json": (".json",), "csv": (".csv",), "tsv": (".tsv",), "markdown": (".md",), "latex": (".tex",)}
CORPUS: Suffixes = {**JSON_LINES, "tsv": (".tsv",), "csv": (".csv",), "trec": (".trec",), "smart": (".smart",)}
TOPICS: Suffixes = {
    **JSON_LINES, "tsv": (".tsv",), "xml": (".xml",), "trec": (".trec", ".topics"), "smart": (".smart",)
}  # fmt: skip
QRELS: Suffixes = {"trec": (".qrels", ".qrel", ".trec"), "beir": (".tsv",)}
POOL: Suffixes = {"tsv": (".tsv",), "csv": (".csv",)}
PREFERENCES: Suffixes = {"prefs": (".prefs",), "copeland": (".qrels", ".qrel", ".trec")}
KNOWN_SUFFIXES = frozenset(  # of formats that people expect under a name
    {
        ".arrow", ".avro", ".bin", ".csv", ".db", ".doc", ".docx", ".duckdb", ".feather", ".gif", ".h5", ".hdf5",
        ".htm", ".html", ".ipynb", ".jpg", ".json", ".jsonl", ".md", ".ndjson", ".npy", ".npz", ".ods", ".orc",
        ".parquet", ".pdf", ".pickle", ".pkl", ".png", ".qrel", ".qrels", ".run", ".sqlite", ".sqlite3", ".svg", ".tar",
        ".tex", ".tgz", ".toml", ".trec", ".tsv", ".xls", ".xlsx", ".xml", ".yaml", ".yml", ".zip", *COMPRESSIONS,
    }
)  # fmt: skip


class NamedFormat(NamedTuple):
    """The format of a new file, and a note where the name does not say it."""

    name: str
    note: str = ""


def format_by_name(
    path: Path, suffixes: Suffixes, default: str, *, noun: str = "", is_compressible: bool = True
) -> NamedFormat:
    """Return the format that the end of a file's name says, or the default one.

    Parameters
    ----------
    path : path
        The new file; "-" is the standard output.
    suffixes : mapping
        The ends of names by format, such as CORPUS.
    default : str
        The format of names such as qrels.txt.
    noun : str
        Name of the default format in messages, if it has another there.
    is_compressible : bool
        Whether a name such as corpus.jsonl.gz is compressed.

    Examples
    --------
    >>> format_by_name("corpus.tsv.gz", CORPUS, "jsonl")
    NamedFormat(name='tsv', note='')
    >>> format_by_name("corpus.zzz", CORPUS, "jsonl").note
    'corpus.zzz: written as jsonl, because no known format ends in .zzz'
    >>> format_by_name("qrels.parquet", QRELS, "trec")
    Traceback (most recent call last):
    cranfield.errors.InputError: qrels.parquet: ends in .parquet; expected .qrels, .qrel, .trec, .tsv, or .txt for trec
    """
    base, suffix = os.path.splitext(path)
    if is_compressible and suffix.lower() in COMPRESSIONS:
        suffix = os.path.splitext(base)[1]
    found = next((name for name, ends in suffixes.items() if suffix.lower() in ends), None)
    if found or suffix.lower() in TEXT_SUFFIXES:
        return NamedFormat(found or default)
    if suffix.lower() in KNOWN_SUFFIXES:
        check_output(path)  # a store has an error of its own
        known = ", ".join(end for ends in suffixes.values() for end in ends)
        raise InputError(f"ends in {suffix}; expected {known}, or .txt for {noun or default}", path)
    note = f"{os.fspath(path)}: written as {noun or default}, because no known format ends in {suffix}"
    return NamedFormat(default, note)
