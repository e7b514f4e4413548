"""Arguments of public functions are checked by their types: what is wrong is said before anything is done."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial, wraps
from inspect import Parameter, signature, unwrap
from typing import Any, ParamSpec, TypeVar

from cranfield.errors import CranfieldError, speak_python
from cranfield.options import OptionField, Options, kind_and_marks

P = ParamSpec("P")
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

    parameters = [*signature(function).parameters]
    is_of_commands = own.__module__.startswith("cranfield.formats")  # called by commands as well, which have options
    speaking = nullcontext if is_of_commands else partial(keywords_in_errors, parameters)

    @wraps(function)
    def call(*positional: Any, **options: Any) -> R:
        with speaking():
            given = [field.accept(value) for field, value in zip(fields.values(), positional, strict=False)]
            options = {name: fields[name].accept(value) if name in fields else value for name, value in options.items()}
            return function(*given, *positional[len(given) :], **options)

    call.__dict__["is_checked"] = True
    return call


def speaks_python(method: Callable[P, R]) -> Callable[P, R]:
    """A method whose errors name keywords of Python instead of options of the command line."""
    parameters = [*signature(method).parameters]

    @wraps(method)
    def call(*positional: P.args, **options: P.kwargs) -> R:
        with keywords_in_errors(parameters):
            return method(*positional, **options)

    return call


@contextmanager
def keywords_in_errors(parameters: Collection[str] = ()) -> Iterator[None]:
    """Name keywords of Python instead of options of the command line in the errors of the block.

    >>> from cranfield.errors import InputError
    >>> with keywords_in_errors():
    ...     raise InputError("choose --policy NAME")
    Traceback (most recent call last):
    cranfield.errors.InputError: choose policy=NAME
    """
    try:
        yield
    except CranfieldError as error:
        speak_python(error, parameters)
        raise


def type_named(annotation: Any, names: Mapping[str, Any]) -> Any:
    """The type that an annotation names; object where there is none, or only type checkers know it."""
    if not isinstance(annotation, str):
        return object if annotation is Parameter.empty else annotation
    try:
        return eval(annotation, dict(names))
    except (NameError, TypeError):
        return object
