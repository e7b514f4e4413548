"""Names of modules that are loaded when first used, or that were called otherwise once."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """What a package needs as `__getattr__` to have names of its modules: `homes` says of which module each is.

    >>> lazily("cranfield.formats", {"bare_name": "files"})("bare_name")("input.r1.gz")
    'r1'
    >>> lazily("cranfield.formats", {})("read_nothing")
    Traceback (most recent call last):
    AttributeError: module 'cranfield.formats' has no attribute 'read_nothing'
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """What a module needs as `__getattr__` to answer, with a warning, to the former names of what it has.

    >>> with warnings.catch_warnings(action="ignore"):
    ...     renamed("cranfield.text", {"seen": "visible"})("seen").__name__
    'visible'
    """

    def load(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is called {names[name]} now", DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), names[name])

    return load
