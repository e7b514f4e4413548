"""Formats of runs, and what is known of a run besides."""

import os
from functools import cache
from importlib import import_module
from types import ModuleType

OFF = "CRANFIELD_NO_SCANNER"


@cache
def _compiled() -> ModuleType | None:
    try:
        return import_module("cranfield.formats.runs.scanner")
    except ImportError:
        return None


def compiled() -> ModuleType | None:
    """The scanner in C: there where a compiler was when cranfield was installed, unless it is switched off."""
    return None if os.environ.get(OFF) else _compiled()
