"""Arguments of public functions are checked by their types: what is wrong is said before anything is done."""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature, unwrap
from typing import Any, TypeVar

from cranfield.options import OptionField, Options, kind_and_marks

R = TypeVar("R")
SEVERAL = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def checked(function: Callable[..., R]) -> Callable[..., R]:
    """A function that refuses an argument which is none of its type; its options are checked where they are declared.

    >>> def double(number: "int", name: "str | None" = None) -> "int":
    ...     return 2 * number
    >>> checked(double)(4)
    8
    >>> checked(double)("4")
    Traceback (most recent call last):
    cranfield.errors.InputError: number is '4'; expected a whole number
    """
    if vars(function).get("is_checked"):
        return function
    own = unwrap(function)
    names = vars(sys.modules[own.__module__])
    kinds = {
        one: type_named(one.annotation, names) for one in signature(own).parameters.values() if one.kind not in SEVERAL
    }
    fields = {
        one.name: OptionField(one.name, one.default, *kind_and_marks(kind))
        for one, kind in kinds.items()
        if not (isinstance(kind, type) and issubclass(kind, Options))
    }

    @wraps(function)
    def call(*positional: Any, **options: Any) -> R:
        given = [field.accept(value) for field, value in zip(fields.values(), positional, strict=False)]
        options = {name: fields[name].accept(value) if name in fields else value for name, value in options.items()}
        return function(*given, *positional[len(given) :], **options)

    call.__dict__["is_checked"] = True
    return call


def type_named(annotation: Any, names: Mapping[str, Any]) -> Any:
    """The type that an annotation names; object where there is none, or only type checkers know it."""
    if not isinstance(annotation, str):
        return object if annotation is Parameter.empty else annotation
    try:
        return eval(annotation, dict(names))
    except (NameError, TypeError):
        return object
