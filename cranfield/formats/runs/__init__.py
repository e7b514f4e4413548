"""Formats of runs, and what is known of a run besides."""

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from cranfield.errors import InputError, Path
from cranfield.formats.runs.data_sets import is_partitioned

if TYPE_CHECKING:
    from cranfield.formats.runs.partitioned import PartitionedRuns

SCANNER_SWITCH = "CRANFIELD_NO_SCANNER"


@cache
def _import_scanner() -> ModuleType | None:
    try:
        scanner = import_module("cranfield.formats.runs.scanner")
    except ImportError:
        return None
    return scanner if hasattr(scanner, "hashes") else None  # an earlier build lacks it


def scanner_in_c() -> ModuleType | None:
    """The scanner in C: there where a compiler was when cranfield was installed, unless it is switched off."""
    return None if os.environ.get(SCANNER_SWITCH) else _import_scanner()


def partitioned_among(paths: Sequence[Path]) -> "PartitionedRuns | None":
    """The runs of a data set, if that is what is given; an error if it is not alone."""
    several = [path for path in paths if is_partitioned(path)]
    if several and len(paths) > 1:
        raise InputError("other files were given with this data set of runs; expected only the data set", several[0])
    if not several:
        return None
    from cranfield.formats.runs.partitioned import partitioned_runs

    return partitioned_runs(several[0])
