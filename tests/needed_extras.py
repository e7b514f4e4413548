"""The extras that tests need: without one, a test that needs it is skipped.

A module that imports a package of an extra needs that extra. Another test has the marker `needs_extra("search")`. This
is a plugin, not a part of conftest.py, because the examples in `cranfield` have no conftest.py.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.doctest import DoctestModule

from cranfield.extras import EXTRAS, MissingExtraError, is_installed, missing_packages


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
