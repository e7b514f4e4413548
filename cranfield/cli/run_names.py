"""Tags for the runs of an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from os import PathLike, fspath

from cranfield.errors import InputError
from cranfield.formats import bare_name, run_names

AnyPath = str | PathLike[str]


class Naming:
    """Tags for the runs of files, none of them in use yet; `notes` is what to report about them.

    >>> naming = Naming(None, False, known={"other"})
    >>> naming(["a/x.run", "a/y.run"], ["Anserini", "Anserini"]), naming.notes
    (['x', 'y'], ["2 files have the tag 'Anserini'; their runs are named after the files"])
    >>> Naming(None, False, known={"Anserini"})(["a.run"], ["Anserini"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: a.run: the store already has a run 'Anserini'; --tag NAME or --tag-from-name gives it
    another tag
    """

    def __init__(self, tag: str | None, from_name: bool, known: Collection[str]) -> None:
        self.tag, self.from_name, self.known = tag, from_name, known
        self.notes: list[str] = []

    def __call__(self, paths: Sequence[AnyPath], tags: Sequence[str]) -> list[str]:
        """The tag of each run; one that is in use is refused, with the option that gives it another."""
        names = self._names(paths, tags)
        for at, (path, name) in enumerate(zip(paths, names, strict=True)):
            if name in self.known:
                raise InputError(f"the store already has a run {name!r}; {self._remedy} gives it another tag", path)
            if name in names[:at]:
                other = f"{fspath(paths[names.index(name)])}; import one of them separately with --tag NAME"
                raise InputError(f"the tag {name!r} is also that of {other}", path)
        return names

    def _names(self, paths: Sequence[AnyPath], tags: Sequence[str]) -> list[str]:
        if several := [path for path, files in Counter(paths).items() if files > 1 and (self.from_name or self.tag)]:
            what = "--tag-from-name" if self.from_name else "--tag"
            raise InputError(f"{paths.count(several[0])} runs; {what} is for files of one run each", several[0])
        if self.tag is not None:
            return [self.tag]
        if self.from_name:
            return [bare_name(path) for path in paths]
        for tag, files in Counter(tags).items():
            if files > 1:
                self.notes.append(f"{files} files have the tag {tag!r}; their runs are named after the files")
        return run_names(paths, tags)

    @property
    def _remedy(self) -> str:
        if self.tag is not None:
            return "another --tag"
        return "--tag NAME" if self.from_name else "--tag NAME or --tag-from-name"
