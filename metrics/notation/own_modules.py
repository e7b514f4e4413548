"""Modules and files that register your own measures, each loaded once."""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from cranfield.errors import MeasureError
from cranfield.metrics.measure import REGISTERED, Measure


def of_module(path: str, name: str) -> Measure:
    """The measure that a module or a .py file registers under a name; its full name has both."""
    module = _loaded(path).__name__
    if (module, name) not in REGISTERED:
        known = ", ".join(f"{place}:{name}" for place, name in REGISTERED) or "none"
        raise MeasureError(f"{path} registers no measure '{name}'; registered: {known}")
    return replace(REGISTERED[module, name], name=f"{path}:{name}")


def _loaded(path: str) -> ModuleType:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        return _of_file(Path(path)) if path.endswith(".py") else import_module(path)
    except ModuleNotFoundError as error:
        if error.name is not None and (path == error.name or path.startswith(f"{error.name}.")):
            raise MeasureError(f"no module '{path}' in {here} or installed") from error
        raise MeasureError(f"{path} cannot be loaded: {said_of(error)}") from error
    except MeasureError as error:
        raise MeasureError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        raise MeasureError(f"{path} cannot be loaded: {said_of(error)}") from error


def _of_file(path: Path) -> ModuleType:
    """A file's module, loaded once; its name is the file's path, so that it hides no other module."""
    name = str(path.resolve())
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise MeasureError("no such file")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def said_of(error: BaseException) -> str:
    """What went wrong and where, on one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {' '.join(str(error).split())} ({last.filename}:{last.lineno})"
