"""The functions that take options of features; with_features.pyi has each of these with its type and default."""

from importlib import import_module
from typing import Any

HOMES = {
    "pools": "forecast_completeness",
}  # by the module that has them


def __getattr__(name: str) -> Any:
    for module, names in HOMES.items():
        if name in names.split():
            return getattr(import_module(f"cranfield.api.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
