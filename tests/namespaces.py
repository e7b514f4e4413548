"""The public functions of all namespaces, for tests that take each."""

from importlib import import_module
from inspect import isfunction
from typing import Any

import cranfield

NAMESPACES = sorted({*dir(cranfield)} - {*cranfield.__all__})


def interface_functions() -> list[Any]:
    """The functions of commands, of all namespaces; each once."""
    modules = [cranfield, *(import_module(f"cranfield.{name}") for name in NAMESPACES)]
    values = [getattr(module, name) for module in modules for name in module.__all__]
    return [*dict.fromkeys(value for value in values if isfunction(value) and _is_of_interface(value))]


def _is_of_interface(function: Any) -> bool:
    return function.__name__ == "limited" or str(function.__module__).startswith(
        ("cranfield.api.", "cranfield.commands.", "cranfield.features.")
    )
