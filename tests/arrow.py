"""pyarrow as tests use it: without it, the test that uses it is skipped, and the others of its module run."""

from typing import Any

import pytest


class ImportedWhenUsed:
    """A module that is imported when a name of it is used; where it is not installed, that skips the test."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(pytest.importorskip(self._module, reason="needs pyarrow (pip install 'cranfield[arrow]')"), name)


def require_arrow() -> None:
    """Skip a test if pyarrow is not installed."""
    pytest.importorskip("pyarrow", reason="needs pyarrow (pip install 'cranfield[arrow]')")


pa: Any = ImportedWhenUsed("pyarrow")
parquet: Any = ImportedWhenUsed("pyarrow.parquet")
