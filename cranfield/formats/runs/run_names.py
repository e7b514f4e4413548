"""What runs of several files are called."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from cranfield.errors import InputError, Path
from cranfield.formats.file_names import each_file, file_name_without_suffixes

Called = Callable[[Sequence[Path], Sequence[str]], Sequence[str]]


def run_names(paths: Sequence[Path], tags: Sequence[str]) -> list[str]:
    """What runs are called: by their tags; files that share a tag, by their own names.

    >>> run_names(["a/input.r1.gz", "a/r2.txt", "a/r3"], ["prceo1", "prceo1", "Sel50"])
    ['r1', 'r2', 'Sel50']
    """
    uses = Counter(tags)
    return [tag if uses[tag] == 1 else file_name_without_suffixes(path) for path, tag in zip(paths, tags, strict=True)]


def distinct_names(paths: Path | Iterable[Path], tags: Sequence[str], naming: Called = run_names) -> list[str]:
    """The names of the runs of these files, from their tags; two of a name are refused."""
    several = require_paths(paths)
    first: dict[str, Path] = {}
    for name, path in zip(naming(several, tags), several, strict=True):
        if name in first:
            remedy = "give each file once, and each run a name of its own in its last column"
            raise InputError(f"duplicate run name {name!r}, also that of {os.fspath(first[name])}; {remedy}", path)
        first[name] = path
    return list(first)


def require_paths(paths: Path | Iterable[Path]) -> Sequence[Path]:
    several = each_file([paths] if isinstance(paths, (str, os.PathLike)) else paths)
    if not several:
        raise InputError("no run files")
    return several
