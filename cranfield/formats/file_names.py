"""Names of files: their extensions, the files of folders, and a file's name without its extensions."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable

from cranfield.errors import InputError, Path, refusing_long_paths
from cranfield.formats.given_files import check_read_extras

COMPRESSIONS = (".gz", ".xz", ".zst", ".bz2", ".lz4")


METADATA = ".ir_metadata.yaml"  # a file beside a run, with what is said of it


EXTENSIONS = (".txt", ".run", ".trec", ".res", ".csv", ".tsv", ".jsonl", ".json", ".parquet")


@refusing_long_paths()
def expand_folders(paths: Iterable[Path]) -> list[pathlib.Path]:
    """The paths, with all files of a folder in its place, by name; no metadata, hidden ones and folders in it."""
    files = [file for path in paths for file in _files_in(path_of(path))]
    check_read_extras(files)
    return files


def path_of(path: Path) -> pathlib.Path:
    """The path; an empty text is an error, and not the current folder.

    >>> path_of("")
    Traceback (most recent call last):
    cranfield.errors.InputError: '' is an empty path; expected a file or a folder, or "." for the current folder
    """
    if not os.fspath(path):
        raise InputError("'' is an empty path; expected a file or a folder, or \".\" for the current folder")
    return pathlib.Path(path)


def _files_in(path: pathlib.Path) -> list[pathlib.Path]:
    if not path.is_dir():
        return [path]
    files = sorted(at for at in path.iterdir() if at.name[0] != "." and not (at.is_dir() or at.name.endswith(METADATA)))
    if odd := next((file for file in files if not file.is_file()), None):
        raise InputError("neither a file nor a folder; name a pipe directly to read it", odd)
    if not files:
        raise InputError("a folder without files; expected at least one file", path)
    return files


def file_name_without_suffixes(path: Path) -> str:
    """Return a file's name without compression suffixes, extensions and TREC's prefix "input.".

    >>> file_name_without_suffixes("runs/input.InexpC2.gz"), file_name_without_suffixes("iielab-prf.2query.v3.run.xz")
    ('InexpC2', 'iielab-prf.2query.v3')
    """
    name = os.path.basename(path)
    for suffix in (*COMPRESSIONS, *EXTENSIONS):
        name = name.removesuffix(suffix)
    return name.removeprefix("input.")
