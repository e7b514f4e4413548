"""Formats of runs, and what is known of a run besides."""

import os
import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.formats.files import Path as FilePath
    from cranfield.formats.runs.partitioned import PartitionedRuns

OFF = "CRANFIELD_NO_SCANNER"
BLOCK = "qid_block="  # the folders of a data set, each a block of topics
URL = re.compile(r"([a-z][a-z0-9+]+):/+(.+)")  # a path that was one has lost a slash


@cache
def _import_scanner() -> ModuleType | None:
    try:
        return import_module("cranfield.formats.runs.scanner")
    except ImportError:
        return None


def scanner_in_c() -> ModuleType | None:
    """The scanner in C: there where a compiler was when cranfield was installed, unless it is switched off."""
    return None if os.environ.get(OFF) else _import_scanner()


def is_partitioned(path: "FilePath") -> bool:
    """Whether this is a URL or a folder of blocks, and not a file or a folder of files.

    >>> is_partitioned("s3://bucket/runs"), is_partitioned("a.run")
    (True, False)
    """
    return bool(URL.fullmatch(os.fspath(path))) or any(Path(path).glob(f"{BLOCK}*"))


def partitioned_among(paths: "Sequence[FilePath]") -> "PartitionedRuns | None":
    """The runs of a data set, if that is what is given; an error if it is not alone."""
    several = [path for path in paths if is_partitioned(path)]
    if several and len(paths) > 1:
        raise InputError("a data set of runs takes no further files; its runs are in it", several[0])
    if not several:
        return None
    from cranfield.formats.runs.partitioned import partitioned_runs

    return partitioned_runs(several[0])
