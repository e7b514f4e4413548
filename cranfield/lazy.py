"""Names of packages that are loaded on first use, and former names that still work."""

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ForwardRef


def lazy_getattr(package: str) -> Callable[[str], Any]:
    """A `__getattr__` for a namespace that loads its public names on first use.

    A package lists them in its stub, `__init__.pyi`; a module imports them under `if TYPE_CHECKING`. Both also list the
    names of features, for type checkers. They are there while a feature adds them, by `Functions` in its feature.py.

    >>> lazy_getattr("cranfield.formats")("file_name_without_suffixes")("input.r1.gz")
    'r1'
    >>> lazy_getattr("cranfield.formats")("read_nothing")
    Traceback (most recent call last):
    AttributeError: module 'cranfield.formats' has no attribute 'read_nothing'
    >>> lazy_getattr("cranfield")("reusability")
    Traceback (most recent call last):
    AttributeError: module 'cranfield' has no attribute 'reusability'; it is cranfield.trust.reusability
    """

    def load(name: str) -> Any:
        if name == "__all__":
            return public_names(package)
        home = _core_names(package).get(name)
        is_public = not name.startswith("_") and not _is_submodule(package, name)
        if home is None and is_public:
            home = _feature_names(package).get(name)
        if home is None:
            places = _namespaces_with(name) if is_public else []
            remedy = f"; it is {' or '.join(places)}" if places else ""
            raise AttributeError(f"module {package!r} has no attribute {name!r}{remedy}")
        try:
            return import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        except ModuleNotFoundError as error:
            from cranfield.extras import EXTRAS, MissingExtraError, find_extra

            module = str(error.name).partition(".")[0]
            if extra := find_extra(module):
                raise MissingExtraError(extra, f"`{package}.{name}`", EXTRAS[extra].packages[module]) from error
            raise

    return load


def lazy_type(module: str, name: str) -> Any:
    """A type for annotations whose module is imported when `typing.get_type_hints` evaluates it, and not before.

    Type checkers see an import under `if TYPE_CHECKING`; the branch for run time has this.

    >>> from typing import get_type_hints
    >>> Ratio = lazy_type("fractions", "Fraction")
    >>> def half(ratio: Ratio) -> "Ratio | None": ...
    >>> get_type_hints(half, {"Ratio": Ratio})["ratio"]
    <class 'fractions.Fraction'>
    """
    return ForwardRef(f"__import__({module!r}, fromlist=['']).{name}")


def lazy_dir(package: str) -> Callable[[], list[str]]:
    """A `__dir__` for a namespace that lists its public names, and the namespaces below it.

    >>> "read_runs" in lazy_dir("cranfield.formats")(), "annotations" in lazy_dir("cranfield")()
    (True, False)
    """
    return lambda: sorted({*_core_names(package), *_feature_names(package)})


def public_names(package: str) -> list[str]:
    """The names that `from package import *` imports.

    >>> "evaluate" in public_names("cranfield"), "trust" in public_names("cranfield")
    (True, False)
    """
    core = (name for name, home in _core_names(package).items() if home != package)
    return sorted({*core, *_feature_names(package)})


def _namespaces_with(name: str) -> list[str]:
    """The public names of cranfield and its namespaces that are this one, in full."""
    top = import_module("cranfield").__name__
    below = [f"{top}.{namespace}" for namespace, home in _core_names(top).items() if home == top]
    return [f"{space}.{name}" for space in (top, *below) if name in public_names(import_module(space).__name__)]


def _is_submodule(package: str, name: str) -> bool:
    file = Path(str(sys.modules[package].__file__))
    place = file.parent / name
    return file.name == "__init__.py" and (place.is_dir() or place.with_suffix(".py").is_file())


@cache
def _core_names(package: str) -> dict[str, str]:
    """The names that a namespace imports from the core, and the module of each.

    >>> _core_names("cranfield")["InputError"]
    'cranfield.errors'
    """
    file = Path(str(sys.modules[package].__file__))
    stub = file.with_suffix(".pyi")
    if stub.exists():
        lines = ast.parse(stub.read_bytes()).body
    else:
        blocks = (line for line in ast.parse(file.read_bytes()).body if isinstance(line, ast.If))
        lines = [line for block in blocks for line in block.body]
    return {
        name.name: str(line.module)
        for line in lines
        if isinstance(line, ast.ImportFrom) and not str(line.module).startswith("cranfield.features.")
        for name in line.names
    }


@cache
def _feature_names(package: str) -> dict[str, str]:
    from cranfield import hooks

    return hooks.public_functions(package.removeprefix("cranfield").removeprefix("."))


def former_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a module that provides former names, with a warning.

    >>> with warnings.catch_warnings(action="ignore"):
    ...     former_names("cranfield.text", {"seen": "visible_text"})("seen").__name__
    'visible_text'
    """

    def load(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now called {names[name]}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), names[name])

    return load
