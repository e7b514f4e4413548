"""Names of files: their extensions, the files of folders, and a file's name without its extensions."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable

from cranfield.errors import InputError, Path

COMPRESSIONS = (".gz", ".xz", ".zst", ".bz2", ".lz4")


METADATA = ".ir_metadata.yaml"  # a file beside a run, with what is said of it


EXTENSIONS = (".txt", ".run", ".trec", ".res", ".csv", ".tsv", ".jsonl", ".json", ".parquet")


def each_file(paths: Iterable[Path]) -> list[pathlib.Path]:
    """The paths, with all files of a folder in its place, by name; no metadata, hidden ones and folders in it."""
    return [file for path in paths for file in _files_in(path_of(path))]


def path_of(path: Path) -> pathlib.Path:
    """The path; an empty text is an error, and not the current folder.

    >>> path_of("")
    Traceback (most recent call last):
    cranfield.errors.InputError: '' is an empty path; expected a file or a folder, "." for the current one
    """
    if not os.fspath(path):
        raise InputError("'' is an empty path; expected a file or a folder, \".\" for the current one")
    return pathlib.Path(path)


def _files_in(path: pathlib.Path) -> list[pathlib.Path]:
    if not path.is_dir():
        return [path]
    files = sorted(at for at in path.iterdir() if at.name[0] != "." and not (at.is_dir() or at.name.endswith(METADATA)))
    if odd := next((file for file in files if not file.is_file()), None):
        raise InputError("neither a file nor a folder; a pipe is read where it is named itself", odd)
    if not files:
        raise InputError("a folder without files; give one that has some, or the files", path)
    return files


def file_name_without_suffixes(path: Path) -> str:
    """The file's name without what only says how it is stored, and without TREC's "input.".

    >>> file_name_without_suffixes("runs/input.InexpC2.gz"), file_name_without_suffixes("iielab-prf.2query.v3.run.xz")
    ('InexpC2', 'iielab-prf.2query.v3')
    """
    name = os.path.basename(path)
    for suffix in (*COMPRESSIONS, *EXTENSIONS):
        name = name.removesuffix(suffix)
    return name.removeprefix("input.")
