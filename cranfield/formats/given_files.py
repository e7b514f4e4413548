"""The files that a call was given: folders and data sets among the paths, the names of files, the extras they need.

The extras are checked for all files of a command or a function before the first is read.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cranfield.errors import InputError, Path, refusing_long_paths
from cranfield.extras import is_installed, require_extra

READ_WITH_ARROW: Mapping[bytes, str] = {  # by the first bytes of a file
    b"PAR1": "a Parquet file",
    b"\x28\xb5\x2f\xfd": "a file compressed by zstd",
    b"\x04\x22\x4d\x18": "a file compressed by lz4",
}
WRITTEN_WITH_ARROW: Mapping[str, str] = {  # by the end of a file's name
    ".zst": "a file compressed by zstd",
    ".lz4": "a file compressed by lz4",
}


def check_read_extras(paths: Iterable[Path]) -> None:
    """Raise MissingExtraError if one of the files needs an extra that is not installed.

    Names of no files are ignored, and so are folders and pipes.

    >>> check_read_extras(["no such file", "."])
    """
    if is_installed("pyarrow"):
        return
    for path in paths:
        if os.path.isfile(path) and (what := READ_WITH_ARROW.get(_first_bytes(path))):
            require_extra("arrow", what, path=path)


def check_written_extras(paths: Iterable[Path]) -> None:
    """Raise MissingExtraError if the name of a new file asks for a compression that is not installed.

    >>> check_written_extras(["corpus.jsonl.gz"])
    """
    for path in paths:
        if what := WRITTEN_WITH_ARROW.get(os.path.splitext(path)[1]):
            require_extra("arrow", what, path=path)


def _first_bytes(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(4)
    except OSError:  # reported by the reader
        return b""


def paths_among(values: Iterable[Any]) -> list[Path]:
    """The texts and paths among values, including items of lists and values of dicts.

    >>> paths_among(["a.run", 3, ["b.run"], {"c": "c.run"}, None])
    ['a.run', 'b.run', 'c.run']
    """
    groups = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else [value]
        for value in values
    )
    return [item for group in groups for item in group if isinstance(item, str | os.PathLike)]


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


TOPIC_BLOCK = "qid_block="  # the folders of a data set, each a block of topics
URL_PATTERN = re.compile(r"([a-z][a-z0-9+]+):/+(.+)")  # a path that was one has lost a slash


def is_partitioned(path: Path) -> bool:
    """Whether this is a URL or a folder of blocks, and not a file or a folder of files.

    >>> is_partitioned("s3://bucket/runs"), is_partitioned("a.run")
    (True, False)
    """
    return bool(URL_PATTERN.fullmatch(os.fspath(path))) or any(pathlib.Path(path).glob(f"{TOPIC_BLOCK}*"))


Called = Callable[[Sequence[Path], Sequence[str]], Sequence[str]]


def run_names(paths: Sequence[Path], tags: Sequence[str]) -> list[str]:
    """Name runs by their tags, or by their file names if several files share a tag.

    >>> run_names(["a/input.r1.gz", "a/r2.txt", "a/r3"], ["prceo1", "prceo1", "Sel50"])
    ['r1', 'r2', 'Sel50']
    """
    uses = Counter(tags)
    return [tag if uses[tag] == 1 else file_name_without_suffixes(path) for path, tag in zip(paths, tags, strict=True)]


def distinct_names(paths: Path | Iterable[Path], tags: Sequence[str], naming: Called = run_names) -> list[str]:
    """Name the runs of these files by their tags. Raise InputError if two runs have the same name."""
    several = list_run_files(paths)
    first: dict[str, Path] = {}
    for name, path in zip(naming(several, tags), several, strict=True):
        if name in first:
            remedy = "pass each file once, and give each run a different tag in its last column"
            raise InputError(f"duplicate run name {name!r}, also used for {os.fspath(first[name])}; {remedy}", path)
        first[name] = path
    return list(first)


def list_run_files(paths: Path | Iterable[Path]) -> Sequence[Path]:
    several = expand_folders([paths] if isinstance(paths, (str, os.PathLike)) else paths)
    if not several:
        raise InputError("no run files")
    return several
