"""What runs are called on their way into a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from os import PathLike, fspath

from cranfield.errors import InputError
from cranfield.formats import bare_name, run_names

Path = str | PathLike[str]


class Naming:
    """Names for the runs of files, none of them taken; `notes` is what is to be said of them.

    >>> naming = Naming(None, False, known={"other"})
    >>> naming(["a/x.run", "a/y.run"], ["Anserini", "Anserini"]), naming.notes
    (['x', 'y'], ["2 files have the tag 'Anserini'; their runs are called by the files' names"])
    >>> Naming(None, False, known={"Anserini"})(["a.run"], ["Anserini"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a.run: run 'Anserini' is in the store already; --tag NAME or --tag-from-name calls it
    otherwise
    """

    def __init__(self, tag: str | None, from_name: bool, known: Collection[str]) -> None:
        self.tag, self.from_name, self.known = tag, from_name, known
        self.notes: list[str] = []

    def __call__(self, paths: Sequence[Path], tags: Sequence[str]) -> list[str]:
        """The name of each run; one that is taken is refused, with what would call it otherwise."""
        names = self._names(paths, tags)
        for at, (path, name) in enumerate(zip(paths, names, strict=True)):
            if name in self.known:
                raise InputError(f"run {name!r} is in the store already; {self._remedy} calls it otherwise", path)
            if name in names[:at]:
                other = f"as {fspath(paths[names.index(name)])}; import one of them by itself with --tag NAME"
                raise InputError(f"a run called {name!r} again, {other}", path)
        return names

    def _names(self, paths: Sequence[Path], tags: Sequence[str]) -> list[str]:
        if self.tag is not None:
            return [self.tag]
        if self.from_name:
            return [bare_name(path) for path in paths]
        for tag, files in Counter(tags).items():
            if files > 1:
                self.notes.append(f"{files} files have the tag {tag!r}; their runs are called by the files' names")
        return run_names(paths, tags)

    @property
    def _remedy(self) -> str:
        if self.tag is not None:
            return "another --tag"
        return "--tag NAME" if self.from_name else "--tag NAME or --tag-from-name"
