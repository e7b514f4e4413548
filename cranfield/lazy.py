"""Names of packages that are loaded on first use, and former names that still work."""

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def lazily(package: str) -> Callable[[str], Any]:
    """A `__getattr__` for a package that provides the names imported by its stub, `__init__.pyi`.

    >>> lazily("cranfield.formats")("bare_name")("input.r1.gz")
    'r1'
    >>> lazily("cranfield.formats")("read_nothing")
    Traceback (most recent call last):
    AttributeError: module 'cranfield.formats' has no attribute 'read_nothing'
    """

    def load(name: str) -> Any:
        homes = _homes(package)
        if name == "__all__":
            return sorted(homes)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return load


def listing(package: str) -> Callable[[], list[str]]:
    """A `__dir__` for a package that lists these names and nothing else.

    >>> "read_runs" in listing("cranfield.formats")(), "annotations" in listing("cranfield")()
    (True, False)
    """
    return lambda: sorted(_homes(package))


@cache
def _homes(package: str) -> dict[str, str]:
    """The names that the stub of a package imports, and the module of each.

    >>> _homes("cranfield")["InputError"]
    'cranfield.errors'
    """
    stub = Path(str(sys.modules[package].__file__)).with_suffix(".pyi")
    lines = ast.parse(stub.read_bytes()).body
    return {name.name: str(line.module) for line in lines if isinstance(line, ast.ImportFrom) for name in line.names}


def former_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a module that provides former names, with a warning.

    >>> with warnings.catch_warnings(action="ignore"):
    ...     former_names("cranfield.text", {"seen": "visible"})("seen").__name__
    'visible'
    """

    def load(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now called {names[name]}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), names[name])

    return load
