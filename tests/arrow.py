"""pyarrow as tests use it: without it, the test that uses it is skipped, and the others of its module run."""

from importlib import import_module
from typing import Any

from tests.needed_extras import skip_without


class ImportedWhenUsed:
    """A module of pyarrow that is imported when a name of it is used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        skip_without("arrow")
        return getattr(import_module(self._module), name)


def require_arrow() -> None:
    """Skip a test if pyarrow is not installed."""
    skip_without("arrow")


pa: Any = ImportedWhenUsed("pyarrow")
parquet: Any = ImportedWhenUsed("pyarrow.parquet")
