"""Where a folder is made: in DIR.partial beside it, which takes its place when it is whole.

Whatever stops the program, DIR is as it was or whole; if it is killed outright, DIR.partial is left, and the next build
replaces it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cranfield.errors import InputError
from cranfield.formats.whole_files import check_folder
from cranfield.publishing.manifest import MANIFEST

MARK = ".cranfield-partial"  # is in what may be removed
OLD, NEW = "old", "new"


def check_place(folder: Path, replace: bool) -> None:
    """Refuse a place that is taken: a file, a folder that is not empty, unless it is to be replaced and was built."""
    check_folder(folder)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError("not a folder; expected a new one", folder)
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not replace:
        raise InputError("this folder is not empty; --replace replaces a published one", folder)
    if not (folder / MANIFEST).is_file():
        raise InputError(f"not a published folder: it has no {MANIFEST}; --replace replaces no other", folder)


@contextmanager
def folder_made(folder: Path, replace: bool) -> Iterator[Path]:
    """An empty folder to work in; what is in its folder `new` takes the place of `folder` in the end."""
    check_place(folder, replace)
    partial = folder.with_name(f"{folder.name}.partial")
    _clear(partial)
    try:
        partial.mkdir(parents=True)
        (partial / MARK).touch()
    except OSError as error:
        raise InputError(error.strerror or str(error), partial) from error
    try:
        yield partial
        if folder.exists():
            folder.rename(partial / OLD)
        (partial / NEW).rename(folder)
    except OSError as error:
        raise InputError(error.strerror or str(error), error.filename or folder) from error
    finally:
        if (partial / OLD).exists() and not folder.exists():
            (partial / OLD).rename(folder)
        shutil.rmtree(partial)


def _clear(partial: Path) -> None:
    """Remove what a killed build left."""
    if not partial.exists():
        return
    if not (partial / MARK).is_file():
        raise InputError("in the way: expected no such file or folder", partial)
    if (partial / OLD).exists():
        raise InputError(f"has the folder that a killed build was replacing, as {OLD}: move that away first", partial)
    shutil.rmtree(partial)
