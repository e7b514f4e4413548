"""What was typed for an option, as a value of its type.

Newer typers make values by pydantic, whose import takes longer than most commands do; the simple types need none.
"""

from collections.abc import Callable, Collection
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

import typer

WHOLE, NUMBER = "expected a whole number, such as 10", "expected a number, such as 0.5"


def read_simply(parameter: Any) -> None:
    """Let a parameter of a simple type read its value without pydantic; older typers do by themselves."""
    if not hasattr(parameter, "get_runtime_param"):
        return
    kind, settings = parameter.type_descriptor.annotation, parameter.type_descriptor.parameter_info
    many = get_origin(kind) is list
    make = (
        None
        if settings.exists or not settings.dir_okay or settings.parser
        else _maker(get_args(kind)[0] if many else kind, settings)
    )
    if make and parameter.nargs == (-1 if many and not parameter.multiple else 1):
        parameter.process_value = partial(_processed, parameter, many, make)


def _processed(parameter: Any, many: bool, make: Callable[[Any], Any], ctx: Any, value: Any) -> Any:
    """The value of what was typed, or of the default."""
    made: Any = () if many else None
    try:
        if value is not None:
            made = [make(one) for one in value] if many else make(value)
    except ValueError as error:
        raise typer.BadParameter(str(error), ctx=ctx, param=parameter) from error
    if parameter.required and parameter.value_is_missing(made):
        raise MissingParameter(ctx=ctx, param=parameter)
    return parameter.callback(ctx, parameter, made) if parameter.callback else made


def _maker(kind: Any, settings: Any) -> Callable[[Any], Any] | None:
    """What makes a value of a type; none for a type that is not simple."""
    if kind in (str, bool, Path):
        return cast("type", kind)
    if kind in (int, float):
        return partial(number, kind, settings.min, settings.max)
    if get_origin(kind) is Literal:
        return partial(choice, str, get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return partial(choice, kind, [one.value for one in kind])
    return None


def number(kind: type, least: float | None, most: float | None, value: Any) -> Any:
    """A number within its bounds; ValueError otherwise.

    >>> number(int, 1, None, "10")
    10
    >>> number(float, 0.01, 0.99, "1")
    Traceback (most recent call last):
    ...
    ValueError: expected 0.01 to 0.99
    """
    try:
        made = kind(value)
    except ValueError as error:
        raise ValueError(WHOLE if kind is int else NUMBER) from error
    if (least is None or made >= least) and (most is None or made <= most):
        return made
    if least is None or most is None:
        raise ValueError(f"expected at least {least}" if most is None else f"expected at most {most}")
    raise ValueError(f"expected {least} to {most}")


def choice(make: Callable[[Any], Any], names: Collection[str], value: Any) -> Any:
    """What a name stands for; ValueError if it is none of the names.

    >>> choice(str, ["json", "csv"], "csv")
    'csv'
    >>> choice(str, ["json", "csv"], "xml")
    Traceback (most recent call last):
    ...
    ValueError: 'xml' is not one of 'json', 'csv'.
    """
    if value not in names:
        raise ValueError(f"{value!r} is not one of {', '.join(map(repr, names))}.")
    return make(value)


MissingParameter: Any = next(one for one in typer.BadParameter.__subclasses__() if one.__name__ == "MissingParameter")
