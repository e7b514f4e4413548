"""The public functions of all namespaces, for tests that take each."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from importlib import import_module
from inspect import isclass, isfunction, unwrap
from typing import Any, get_type_hints

import cranfield

NAMESPACES = sorted({*dir(cranfield)} - {*cranfield.__all__})
PUBLIC_MODULES = ("cranfield", *(f"cranfield.{name}" for name in NAMESPACES))


def interface_functions() -> list[Any]:
    """The functions of commands, of all namespaces; each once."""
    modules = [cranfield, *(import_module(f"cranfield.{name}") for name in NAMESPACES)]
    values = [getattr(module, name) for module in modules for name in module.__all__]
    return [*dict.fromkeys(value for value in values if isfunction(value) and _is_of_interface(value))]


def _is_of_interface(function: Any) -> bool:
    return function.__name__ == "limited" or str(function.__module__).startswith(
        ("cranfield.api.", "cranfield.commands.", "cranfield.features.")
    )


def public_callables() -> dict[str, Any]:
    """The public functions, classes and methods of all namespaces, and the results of functions, by name."""
    named: dict[str, Any] = {}
    for module in map(import_module, PUBLIC_MODULES):
        values = {name: getattr(module, name) for name in module.__all__}
        named |= {f"{module.__name__}.{name}": value for name, value in values.items() if _is_callable(value)}
    functions = [value for value in named.values() if isfunction(value)]
    returned = [_returned(function) for function in functions]
    classes = [
        kind for kind in (*named.values(), *returned) if isclass(kind) and kind.__module__.startswith("cranfield")
    ]
    named |= {f"{kind.__module__}.{kind.__name__}": kind for kind in classes if kind not in named.values()}
    methods = {f"{name}.{part}": method for name, kind in named.items() for part, method in _methods(kind)}
    return named | methods


def _returned(function: Any) -> Any:
    with suppress(NameError, TypeError):  # which a test reports
        return get_type_hints(unwrap(function)).get("return")
    return None


def _is_callable(value: object) -> bool:
    return isfunction(value) or isclass(value)


def _methods(kind: object) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class has itself."""
    own = vars(kind).items() if isclass(kind) else ()
    made = ["__init__"] if is_dataclass(kind) else []  # by dataclasses, of the class's fields
    for name, value in own:
        method = getattr(value, "fget", getattr(value, "func", getattr(value, "__func__", value)))
        if isfunction(method) and name not in made and (name == "__init__" or not name.startswith("_")):
            yield name, method
