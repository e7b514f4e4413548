"""What runs of several files are called."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from cranfield.errors import InputError, Path
from cranfield.formats.file_names import expand_folders, file_name_without_suffixes

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
