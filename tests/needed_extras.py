"""The extras that tests need: without one, a test that needs it is skipped.

A module that imports a package of an extra needs that extra. So does a test with the marker `needs_extra("search")`,
and a test that ends in the line with which the program asks for the extra. A test that ends in a ModuleNotFoundError
fails: the program has to ask before it imports. This is a plugin, because the conftest.py of `tests` is not used for
the examples in `cranfield`.
"""

import re
from collections.abc import Callable, Generator, Iterable
from doctest import DocTestFailure, UnexpectedException
from typing import Any

import pytest
from _pytest.doctest import DoctestModule, MultipleDoctestFailures

from cranfield.extras import EXTRAS, MissingExtraError, is_installed, missing_packages

REQUEST = re.compile(r"'cranfield\[(\w+)\]'")


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> None:
    """Skip the modules that import a package of an extra that is not installed."""
    if isinstance(collector, pytest.Module | DoctestModule):
        vars(collector)["collect"] = _skipping_collection(collector.collect)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that is marked with an extra that is not installed."""
    for marker in item.iter_markers("needs_extra"):
        for extra in marker.args:
            skip_without(extra)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip a test that ends in the line that asks for an extra that is not installed."""
    try:
        return (yield)
    except Exception as error:
        _skip_if_refused(error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup() -> Generator[None, object, object]:
    """Skip a test with a fixture that ends in that line."""
    try:
        return (yield)
    except Exception as error:
        _skip_if_refused(error)
        raise


def _skip_if_refused(error: Exception) -> None:
    lines = [str(error)]
    if isinstance(error, MultipleDoctestFailures):
        error = error.failures[0]
    if isinstance(error, UnexpectedException):
        lines.append(str(error.exc_info[1]))
    elif isinstance(error, DocTestFailure):
        lines.append(error.got)
    for extra in REQUEST.findall("\n".join(lines)):
        if extra in EXTRAS:
            skip_without(extra)


def skip_without(extra: str) -> None:
    """Skip a test if an extra is not installed."""
    if missing := missing_packages(extra):
        pytest.skip(f"needs {missing[0]} (pip install 'cranfield[{extra}]')")


def _skipping_collection(collect: Callable[[], Iterable[Any]]) -> Callable[[], list[Any]]:
    """Collect the tests of a module, or skip the module if it imports a package of an extra that is not installed."""

    def tests() -> list[Any]:
        try:
            return list(collect())
        except Exception as error:
            if package := _missing_package(error):
                pytest.skip(f"needs {package}", allow_module_level=True)
            raise

    return tests


def _missing_package(error: BaseException | None) -> str | None:
    while error is not None:
        if isinstance(error, MissingExtraError):
            return error.extra
        if isinstance(error, ModuleNotFoundError) and error.name:
            module = error.name.partition(".")[0]
            if not is_installed(module) and any(module in extra.packages for extra in EXTRAS.values()):
                return module
        error = error.__cause__ or error.__context__
    return None
